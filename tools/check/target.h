/* SPDX-License-Identifier: MIT
 *
 * An engine under test. A check starts, asks and kills it as needed and compares its answers with what is
 * expected. The first failure is stored as text.
 *
 * Answers are read leniently, so that one fault does not fail every check: carriage returns and text
 * outside of answers are skipped, and blanks around the text of an answer are ignored. A target is used by
 * one thread.
 */
#ifndef TOOLS_CHECK_TARGET_H
#define TOOLS_CHECK_TARGET_H

#include <limits.h>

#include "engine/base/format.h"
#include "engine/rules/record.h"
#include "tools/lib/connection.h"

#define TARGET_MOVES 4

struct target {
	const char *command;     /* for the shell */
	const struct game *game; /* NULL: its rules are unknown here */
	struct game
		names; /* the same, with the names that squares now have, see target_use_names() */
	bool has_go_names;
	double patience; /* time limit in seconds for an answer or for the engine's end */
	FILE *err;
	intptr_t cancel;

	struct connection connection;
	bool runs;
	char *commands; /* command names of list_commands, a newline before and after each; or NULL */
	char *name;     /* the answer to `name` */
	char size[24];  /* arguments of boardsize; "": the engine accepts none */
	bool has_moves; /* `moves` and `occupied` are known */
	char moves[TARGET_MOVES][MOVE_TEXT_MAX]; /* legal from the start, Black's first */
	char occupied[MOVE_TEXT_MAX];            /* illegal for Black after the first two moves */

	char *answer; /* last answer: `=` or `?`, then a blank and the text if there is one */
	char *framed; /* same, with its id after `=` or `?` */
	int noises;   /* number of texts outside of answers */
	char *noise;  /* the first such text, and the command before it */

	/* State of the current check. */
	const char *about;    /* the optional command under test, or NULL */
	char *said;           /* what was sent, newest last, shortened */
	char *got, *expected; /* set by the first failure, else NULL */
};

void target_free(struct target *);

/* Starts the engine and learns its name, commands, board size and some moves. Asks for the game if it is
 * NULL and finds_game is true. Returns false if the engine does not start or does not answer; `got` then
 * says why. */
bool target_learn(struct target *, bool finds_game);

/* Chooses the names of squares for the next checks: the game's own, or those of Go, whose letters skip I, as GoGui and gomill
 * have them for every game. Kills the engine if these differ. */
void target_use_names(struct target *, bool of_go);
/* Writes the text of a move for the engine. */
void target_format(const struct target *, const struct state *, struct move,
		   char text[MOVE_TEXT_MAX]);
/* Reads a move of the engine, as record_parse() does. */
enum move_check target_parse(const struct target *, const struct record *, const char *text,
			     struct move *);

/* Prepares the engine for a check: it runs, its board is empty, its time per move is short. */
bool target_set_up(struct target *);

/* Forgets what was sent and what failed. */
void target_forget(struct target *);

/* Starts the engine with a shell command, instead of one that runs. Returns false after storing a failure. */
bool target_start(struct target *, const char *command);
/* Kills the engine if it runs. */
void target_kill(struct target *);

/* Returns true if the engine has a command, by list_commands or else by known_command. */
bool target_knows(struct target *, const char *command);

/* Stores a failure unless one is stored already: what was received (NULL: the last answer) and what was
 * expected. Returns false. */
__attribute__((format(PRINTF, 3, 4))) bool target_fail(struct target *, const char *got,
						       const char *expected, ...);

/* Sends bytes. `$` and a letter are replaced by values that depend on the game: `$1` .. `$4` moves, `$a`
 * the first move in lower case, `$o` the illegal move, `$n` the answer to `name`, `$s` the size as boardsize
 * takes it, `$r` the size as two numbers, `$g` the game's title. Returns false after storing a failure. */
bool target_send(struct target *, const char *bytes, size_t n);

/* Waits for an answer, or for one line as it is. Returns NULL after storing a failure. */
const char *target_receive(struct target *);
const char *target_receive_line(struct target *);

/* Sends a line and waits for its answer. Returns NULL after storing a failure. */
__attribute__((format(PRINTF, 2, 3))) const char *target_ask(struct target *, const char *format,
							     ...);

/* Sends a line and compares its answer with a pattern. A `*` at the end of a pattern matches any text. An
 * id is compared only if the pattern has one. */
__attribute__((format(PRINTF, 3, 4))) bool target_expect(struct target *, const char *pattern,
							 const char *format, ...);

/* Waits for an answer and compares it with a pattern. */
bool target_receive_as(struct target *, const char *pattern);

/* Runs a script, `LINE => PATTERN; LINE => PATTERN`, line by line or with all lines in one write. An empty
 * pattern means that the line has no answer; it cannot be used if at_once is true. */
bool target_script(struct target *, const char *script, bool at_once);

/* Sends a command that must succeed. Returns the text of its answer, valid until the next answer, or NULL
 * after storing a failure with `expected`. */
const char *target_ask_text(struct target *, const char *command, const char *expected);

/* Same, if the text must be one line. */
bool target_ask_line(struct target *, const char *command, bool may_be_empty);

/* Returns true if commands and answers are still in step: `name` is answered as before. */
bool target_in_step(struct target *);

/* Waits until the engine ends. At most `most` answers may still come. Returns its exit status, or -1 after
 * storing a failure. */
int target_await_end(struct target *, int most);

/* Creates an empty temporary file. Returns its path, which the caller frees, or NULL after storing a failure. */
char *target_make_file(struct target *);

/* Quotes text as one line and truncates it if it is long. The caller frees it. */
char *target_quote(const char *text);

/* Describes how a process ended. */
void target_describe_end(int status, char *text, size_t size);

/* Returns the text of an answer after `=`, or NULL if the answer is a failure. */
const char *target_text(const char *answer);

#endif
