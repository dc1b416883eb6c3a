/* SPDX-License-Identifier: MIT
 *
 * An engine that is checked: it is started, asked and killed as a check needs, its answers are compared with
 * what is expected, and the first thing that is not as expected is kept in words.
 *
 * Answers are read generously, so that one fault does not make every check fail: carriage returns and text
 * outside of answers are skipped, and blanks around the text of an answer do not matter. One thread uses a subject.
 */
#ifndef TOOLS_LIB_SUBJECT_H
#define TOOLS_LIB_SUBJECT_H

#include "engine/record.h"
#include "tools/lib/wire.h"

#define SUBJECT_MOVES 4

struct subject {
	const char *command;     /* for the shell */
	const struct game *game; /* NULL: its rules are not known here */
	double patience;         /* seconds that an answer or an end may take */
	int stderr_fd, cancel_fd;

	struct wire wire;
	bool runs;
	char *commands; /* list_commands, one a line with a newline before and behind; or NULL */
	char *name;     /* the answer to `name` */
	int size;       /* of the board; 0: none is accepted */
	bool has_moves; /* the next two are known */
	char moves[SUBJECT_MOVES][32]; /* legal from the start, Black's first */
	char occupied[32];             /* illegal for Black behind two of them */

	char *answer; /* the last one: `=` or `?`, then a blank and its text if it has one */
	char *framed; /* the same with its id behind `=` or `?` */
	int noises;   /* how often there was text outside of answers */
	char *noise;  /* the first such text, and the command before it */

	/* Of the current check. */
	const char *about;    /* the optional command that it is about, or NULL */
	char *said;           /* what was sent, the newest at the end, shortened */
	char *got, *expected; /* of what failed, else NULL */
};

void subject_free(struct subject *);

/* Starts the engine and learns what it is. If the game is NULL and may be found out, it is. False: it does not
 * start or does not answer, *got says why. */
bool subject_learn(struct subject *, bool finds_game);

/* Makes the engine ready for a check: it runs, its board is empty, it thinks for a short time. */
bool subject_set_up(struct subject *);

/* Forgets what was said and what failed. */
void subject_forget(struct subject *);

bool subject_start(struct subject *, const char *command);
void subject_kill(struct subject *);

/* Whether the engine offers a command, by its list or by its own word. */
bool subject_knows(struct subject *, const char *command);

/* Keeps a failure: what was got, the last answer if NULL, and what was expected. Returns false. */
__attribute__((format(printf, 3, 4))) bool subject_fail(struct subject *, const char *got,
							const char *expected, ...);

/* Sends bytes; `$` and a letter stand for what depends on the game: `$1` .. `$4` moves, `$a` the first in lower
 * case, `$o` the illegal one, `$n` the answer to `name`, `$s` the size, `$g` the game's title. False: a failure is kept. */
bool subject_say(struct subject *, const char *bytes, size_t n);

/* Waits for an answer; NULL: a failure is kept. The same for a line, as it is. */
const char *subject_hear(struct subject *);
const char *subject_hear_line(struct subject *);

/* Sends a line and waits for its answer; NULL: a failure is kept. */
__attribute__((format(printf, 2, 3))) const char *subject_ask(struct subject *, const char *format,
							      ...);

/* Sends a line and compares its answer with a pattern: the answer, in which a `*` at the end stands for any text. An
 * id counts only if the pattern has one. */
__attribute__((format(printf, 3, 4))) bool subject_expect(struct subject *, const char *pattern,
							  const char *format, ...);

/* Waits for an answer and compares it with a pattern. */
bool subject_hear_as(struct subject *, const char *pattern);

/* Runs a script, `LINE => PATTERN; LINE => PATTERN`, line by line or all lines in one write. An empty pattern: the
 * line has no answer, which cannot be told at once. */
bool subject_script(struct subject *, const char *script, bool at_once);

/* Sends a command that must succeed; returns the text of the answer, until the next one, or NULL: a failure is kept, with
 * what was expected. */
const char *subject_ask_text(struct subject *, const char *command, const char *expected);

/* Whether commands and answers are still in step: `name` is answered as before. */
bool subject_in_step(struct subject *);

/* Waits until the engine ends; at most so many answers may still come. Returns its wait status, or -1 after a failure. */
int subject_await_end(struct subject *, int most);

/* Quotes text as one line, cut off where it is too long. The caller frees. */
char *subject_quote(const char *text);

/* Says how a process ended. */
void subject_describe_end(int status, char *text, size_t size);

/* The text of an answer behind `=`, or NULL if it is none of success. */
const char *subject_text(const char *answer);

#endif
