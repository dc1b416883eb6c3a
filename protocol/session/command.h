/* SPDX-License-Identifier: MIT
 *
 * A command is a row of a const table; each protocol has its tables. A command that searches has two parts: `run` starts
 * the search, `finish` receives its report and answers.
 */
#ifndef PROTOCOL_SESSION_COMMAND_H
#define PROTOCOL_SESSION_COMMAND_H

#include <limits.h>
#include <stdio.h>

#include "engine/base/format.h"
#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/clock.h"
#include "engine/search/engine.h"
#include "protocol/records/go_rules.h"
#include "protocol/records/import.h"
#include "protocol/session/frame.h"
#include "protocol/session/session.h"
#include "protocol/session/settings.h"

enum outcome {
	DONE,      /* session.reply is the answer */
	REFUSED,   /* session.reply is the error; nothing has changed */
	THINKING,  /* a search runs; `finish` answers, or starts another search */
	STREAMING, /* a search runs and the answer has begun: text that `live` writes to
		    * session.reply is sent at once, text of `finish` ends the answer */
	HOLDING    /* as STREAMING, but without a search: the command lasts until the next line */
};

struct command {
	const char *name; /* NULL ends a table */
	/* Its arguments, separated by blanks, as people read them and as they are counted. [] enclose what may be missing;
	 * ... means any number. */
	const char *args;
	const char *help; /* what the command does */
	enum outcome (*run)(struct session *);

	/* Only for commands that search. `finish` is called with the final report. NULL: the search failed, and
	 * session.reply holds the reason. */
	enum outcome (*finish)(struct session *, const struct report *);
	bool more;     /* it takes any number of arguments after those */
	bool optional; /* it can do without them, and tells the client what is missing */
	/* Frees what the command keeps between its searches. Called if the session ends while it runs. NULL: nothing. */
	void (*drop)(struct session *);
	bool plays;       /* plays the move that it has found */
	bool leaves;      /* leaves the game: ends the session, or begins or reads another game */
	bool until_line;  /* it runs until the next line or the end of input */
	bool cancellable; /* it ends by itself, or at the next line, which cancels it */
	/* Only for commands that stream: writes a report of the running search. An immediate answer of
	 * `run` is sent as a stream, too. */
	void (*live)(struct session *, const struct report *);
};

/* What a command sees of its session. */
struct session {
	/* The game. */
	struct record record;
	struct record goal; /* the position that is searched if has_goal */
	struct engine *engine;
	struct own_book *own_book; /* of the user */
	struct session_settings settings;
	struct clock clock;
	struct placement placement; /* in GoGui's frame for Pentago */
	/* The komi that the client has chosen, in half points. It stays when a new game begins. */
	bool has_komi;
	int komi;
	bool has_go_names; /* the client is one of use_go_names() */
	bool draws_hexagons; /* the client has asked for the size and kind of the board, as GoGui's window does */
	struct import_about about; /* what the record that was loaded says */
	int handicap; /* stones with which the game began, which undo takes back whole; 0: none */
	/* White's points for them are part of the record's komi. */
	enum bonus bonus;
	bool friendly; /* a part of KataGo's rules without an effect here */

	/* The running or last command. */
	const struct command *command;
	int id; /* the number that the client has given it, or what its protocol has for none */
	char **args; /* not valid in `finish` */
	int arg_count;
	int64_t taken;      /* clock_now() when it was taken from the queue */
	struct text *reply; /* text of the answer; empty between commands */
	int side;           /* the side it searches for */

	/* A command may set these. They are cleared before each command. */
	bool may_claim;   /* it may answer `claim` if a win is proven */
	bool is_painted;  /* its answer may contain escape sequences for colours */
	bool has_moved;   /* it made a move for the engine; the opponent is to move */
	bool has_goal;    /* it searches another position than the game's */
	int64_t interval; /* nanoseconds between the reports it streams */
	int moves_max;    /* most moves in each of them */

	/* A command may set these for later. */
	struct analysis *analysis; /* the last request (protocol/gtp/analysis.c), or NULL */
	char *explanation;         /* result of the search for the last move made, or NULL */
	struct review *review;     /* that is being made (protocol/lessons/review.h), or NULL */
	struct lesson *lesson; /* what was explained last (protocol/lessons/lesson.h), or NULL */
	int64_t drawn;         /* clock_now() of the live drawing (struct live), 0: none */
	bool has_other_game;   /* the record is a game that was read; the carrier clears it */
	bool keeps_sigint;     /* SIGINT only ends searches, never the program */
	bool quitting;         /* no more lines are run */

	/* The session sets these. */
	struct session_setup setup;
	bool ended_early;                /* a line or an interruption ended the command's search */
	bool is_partial;                 /* the last search was restricted in moves or level */
	const struct protocol *protocol; /* NULL: not known yet */
	void *protocol_state;            /* of the protocol's own, or NULL */
	struct stream *stream;           /* of session.c */
};

/* Starts a search of a record for the running command, which must then return THINKING or STREAMING. Returns false
 * with the reason in `why` on failure. */
bool session_search(struct session *, const struct record *, const struct limits *,
		    char why[REASON_MAX]);

/* Returns the report of the last search if it was about the current position, else NULL. */
const struct report *session_report(const struct session *);

/* Returns the nanoseconds between reports that carrier and live graphics need, 0 if neither needs any. */
int64_t session_interval(const struct session *);

/* Returns where the session's options are: the engine's and its own. */
struct setting_values session_values(struct session *);

/* Sets an option within the limits of the setup. Returns false with the reason in `why` on failure. */
bool session_set_option(struct session *, const struct option *, const char *value,
			char why[REASON_MAX]);

/* Returns true if the protocol is for people. */
bool is_for_people(const struct session *);

/* Writes a line to setup.note or stderr if the option `verbose` is on. Drops it if stderr would block. */
__attribute__((format(PRINTF, 2, 3))) void session_note(struct session *, const char *, ...);

/* Reads what searches of a game need and what takes long: its evaluator, and the own book if the session plays from it. Tells
 * the user why that book cannot be used. */
void session_get_ready(struct session *, const struct game *);

/* Joins the arguments of the running command from `first` on with blanks. The caller frees the text. */
char *join_args(const struct session *, int first);

/* Writes an error to the reply. Returns REFUSED. */
enum outcome refuse(struct session *, const char *text);
/* The same with an error text of the GTP draft. The reason goes to stderr by session_note, or behind the text
 * if the protocol is for people. */
enum outcome refuse_noted(struct session *, const char *text, const char *reason);
/* The same for malformed arguments. */
enum outcome syntax_error(struct session *, const char *reason);
#define COMMAND_ANY INT_MAX

/* Counts the arguments that a command needs, and those that it takes. COMMAND_ANY: any number. */
void command_count(const struct command *, int *least, int *most);
/* Returns true if a command takes so many arguments. */
bool command_takes(const struct command *, int count);

/* Commands that are accepted and do nothing; that end the session. */
enum outcome command_ignore(struct session *);
enum outcome command_quit(struct session *);

/* Returns the name of a side, in small letters. */
const char *color_name(int side);

/* For protocols whose commands have one argument, the rest of the line. Finds the command of a table whose name,
 * of one or more words, begins the line by `compare`, strncmp or strncasecmp. Sets *rest to the text after it.
 * Returns NULL if there is none. */
const struct command *command_in(const struct command *table, char *line,
				 int (*compare)(const char *, const char *, size_t), char **rest);

/* Makes `c` the running command, with *rest as its argument unless that is empty. Both must stay until the command
 * is done. */
void command_begin(struct session *, const struct command *c, char **rest);

#endif
