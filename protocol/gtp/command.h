/* SPDX-License-Identifier: MIT
 *
 * The GTP commands: const tables, one in the file of each topic. list_commands, known_command, help and
 * the check of argument counts use their rows. A command that searches has two parts: `run` starts the
 * search, `finish` receives its report and answers.
 */
#ifndef PROTOCOL_GTP_COMMAND_H
#define PROTOCOL_GTP_COMMAND_H

#include <limits.h>

#include "engine/algorithm.h"

struct session;

enum outcome {
	DONE,      /* session.reply is the answer */
	REFUSED,   /* session.reply is the error; nothing has changed */
	THINKING,  /* a search runs; `finish` answers */
	STREAMING, /* a search runs and the answer has begun: text that `live` writes to
		    * session.reply is sent at once, text of `finish` ends the answer */
	HOLDING    /* as STREAMING, but without a search: the command lasts until the next line */
};

#define ANY INT_MAX /* any number of arguments */

struct command {
	const char *name; /* NULL ends a table */
	int args_min, args_max;
	const char *args, *help;
	enum outcome (*run)(struct session *);
	/* Only for commands that search: called with the final report. NULL: the search failed, and
	 * session.reply holds the reason. */
	enum outcome (*finish)(struct session *, const struct report *);
	/* Only for commands that stream: writes a report of the running search. An immediate answer of
	 * `run` is sent as a stream, too. */
	void (*live)(struct session *, const struct report *);
};

extern const struct command play_commands[], think_commands[], time_commands[], analysis_commands[],
	param_commands[], gogui_commands[], drawing_commands[], client_commands[],
	browser_commands[], solve_commands[];

/* Returns the i-th command of all tables, NULL after the last. */
const struct command *command_at(int i);
/* Returns the command with this name, NULL if there is none. */
const struct command *command_find(const char *name);
/* Returns the name of the command that a mistyped name most likely means, NULL if none is similar. */
const char *command_suggestion(const char *name);

/* Runs s->command in the notation of the session. */
enum outcome command_run(struct session *);

/* Writes an error to the reply. Returns REFUSED. */
enum outcome refuse(struct session *, const char *text);
/* The same with an error text of the GTP draft; the reason goes to stderr by session_note. */
enum outcome refuse_noted(struct session *, const char *text, const char *reason);
/* The same for malformed arguments. */
enum outcome syntax_error(struct session *, const char *reason);
/* The error for a name that is no command. The suggestion, if there is one, goes to stderr by session_note. */
enum outcome unknown_command(struct session *, const char *name);
const char *color_name(int side);

/* Plays a move given as text, and answers as `play` does. */
enum outcome play_move(struct session *, const char *color, const char *move);
/* Answers `play` after the attempt to play a move of `side`. */
enum outcome answer_play(struct session *, int side, enum move_check);
/* Answers a command that has replaced the record by a game that it has read. `note` tells how the text was read,
 * or is empty. */
enum outcome answer_load(struct session *, const char *note);

/* Starts a new game and resets the clocks. */
void start_game(struct session *, const struct game *);

#endif
