/* SPDX-License-Identifier: MIT
 *
 * The GTP commands: const tables, one in the file of each topic. list_commands, known_command, help and
 * the check of arities come from their rows. A command that searches answers in two halves: `run`
 * starts it, `finish` has its report.
 */
#ifndef PROTOCOL_COMMAND_H
#define PROTOCOL_COMMAND_H

#include <limits.h>

#include "engine/algorithm.h"

struct session;

enum outcome {
	DONE,      /* session.reply is the answer */
	REFUSED,   /* session.reply is the error; nothing has changed */
	THINKING,  /* a search runs; `finish` answers */
	STREAMING, /* the same, and the answer has begun: what `live` writes to session.reply is sent
		    * at once, what `finish` writes ends it */
	HOLDING /* the same, but there is nothing to search: the command only lasts until a line comes */
};

#define ANY INT_MAX /* any number of arguments */

struct command {
	const char *name; /* NULL ends a table */
	int args_min, args_max;
	const char *args, *help;
	enum outcome (*run)(struct session *);
	/* Of commands that search: takes the report when the search has ended, or NULL when it has
	 * failed, session.reply saying why. */
	enum outcome (*finish)(struct session *, const struct report *);
	/* Of commands that stream: writes a report of the running search. What `run` answers at once has
	 * the form of a stream, too. */
	void (*live)(struct session *, const struct report *);
};

extern const struct command play_commands[], think_commands[], time_commands[], analysis_commands[],
	param_commands[], gogui_commands[], drawing_commands[], client_commands[],
	browser_commands[], solve_commands[];

/* The i-th of all commands, NULL behind the last; the one of a name, NULL if there is none. */
const struct command *command_at(int i);
const struct command *command_find(const char *name);

/* What commands share: a refusal with its text; one with the draft's text, whose reason is noted on
 * stderr; that of malformed arguments; a colour's name. */
enum outcome refuse(struct session *, const char *text);
enum outcome refuse_noted(struct session *, const char *text, const char *reason);
enum outcome syntax_error(struct session *, const char *reason);
const char *color_name(int side);

/* Plays a move given as text; what `play` answers. */
enum outcome play_move(struct session *, const char *color, const char *move);

/* Begins a new game, with full clocks. */
void start_game(struct session *, const struct game *);

#endif
