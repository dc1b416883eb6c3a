/* SPDX-License-Identifier: MIT
 *
 * The GTP commands: const tables, one in the file of each topic. list_commands, known_command, help and
 * the check of argument counts use their rows. A command that searches has two parts: `run` starts the
 * search, `finish` receives its report and answers.
 */
#ifndef PROTOCOL_GTP_COMMAND_H
#define PROTOCOL_GTP_COMMAND_H

#include <limits.h>
#include <stdio.h>

#include "engine/rules/record.h"
#include "engine/search/clock.h"
#include "engine/search/engine.h"
#include "protocol/gtp/analysis.h"
#include "protocol/gtp/frame.h"
#include "protocol/gtp/session.h"
#include "protocol/gtp/settings.h"
#include "protocol/records/go_rules.h"
#include "protocol/records/import.h"

enum outcome {
	DONE,      /* session.reply is the answer */
	REFUSED,   /* session.reply is the error; nothing has changed */
	THINKING,  /* a search runs; `finish` answers, or starts another search */
	STREAMING, /* a search runs and the answer has begun: text that `live` writes to
		    * session.reply is sent at once, text of `finish` ends the answer */
	HOLDING    /* as STREAMING, but without a search: the command lasts until the next line */
};

#define ANY INT_MAX /* any number of arguments */

struct command {
	const char *name;       /* NULL ends a table */
	const char *args;       /* arguments in the help text; "": none */
	int args_min, args_max; /* number of arguments; ANY: no limit */
	const char *help;       /* what the command does */
	enum outcome (*run)(struct session *);

	/* Only for commands that search. `finish` is called with the final report. NULL: the search failed, and
	 * session.reply holds the reason. */
	enum outcome (*finish)(struct session *, const struct report *);
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
	int id;      /* its number in GTP, or GTP_ID_NONE */
	char **args; /* not valid in `finish` */
	int arg_count;
	int64_t taken; /* clock_now() when it was taken from the queue */
	FILE *reply;   /* text of the answer */
	int side;      /* the side it searches for */

	/* A command may set these. They are cleared before each command. */
	bool may_claim;   /* it may answer `claim` if a win is proven */
	bool is_painted;  /* its answer may contain escape sequences for colours */
	bool has_moved;   /* it made a move for the engine; the opponent is to move */
	bool has_goal;    /* it searches another position than the game's */
	int64_t interval; /* nanoseconds between the reports it streams */

	/* A command may set these for later. */
	struct analysis analysis; /* the request; valid while the command streams */
	struct outlook *outlook;  /* of the position that was analysed last, or NULL */
	char *explanation;        /* result of the search for the last move made, or NULL */
	struct review *review;    /* that is being made (protocol/teach/review.h), or NULL */
	struct lesson *lesson;    /* what was explained last (protocol/teach/lesson.h), or NULL */
	int64_t drawn;            /* clock_now() of the live drawing on GoGui's board, 0: none */
	bool has_other_game;      /* the record is a game that was read; the carrier clears it */
	bool keeps_sigint;        /* SIGINT only ends searches, never the program */
	bool quitting;            /* no more lines are run */

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
__attribute__((format(printf, 2, 3))) void session_note(struct session *, const char *, ...);

/* Reads what searches of a game need and what takes long: its evaluator, and the own book if the session plays from it. Tells
 * the user why that book cannot be used. */
void session_get_ready(struct session *, const struct game *);

extern const struct command terms_commands[], play_commands[], think_commands[], time_commands[],
	analysis_commands[], kata_commands[], param_commands[], gogui_commands[],
	drawing_commands[], client_commands[], browser_commands[], solve_commands[],
	ending_commands[];

/* Adds the tables of folders above, NULL-terminated, which must outlive all sessions. The program calls it at its start,
 * before there is a session. */
void command_use(const struct command *const *others);

/* Returns the i-th command of all tables, NULL after the last. */
const struct command *command_at(int i);
/* Returns the command with this name, NULL if there is none. */
const struct command *command_find(const char *name);
/* Returns the name of the command that a mistyped name most likely means, NULL if none is similar. Public for
 * tests. */
const char *command_suggestion(const char *name);

/* Joins the arguments of the running command from `first` on with blanks. The caller frees the text. */
char *join_args(const struct session *, int first);

/* Runs s->command in the notation of the session. */
enum outcome command_run(struct session *);

/* Writes an error to the reply. Returns REFUSED. */
enum outcome refuse(struct session *, const char *text);
/* The same with an error text of the GTP draft. The reason goes to stderr by session_note, or behind the text
 * if the protocol is for people. */
enum outcome refuse_noted(struct session *, const char *text, const char *reason);
/* The same for malformed arguments. */
enum outcome syntax_error(struct session *, const char *reason);
/* The error for a name that is no command. The suggestion, if there is one, goes to stderr by session_note. */
enum outcome unknown_command(struct session *, const char *name);
/* Returns the name of a side, as GTP writes it. */
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

/* Starts a game at a position, with the komi of the game before but without White's points for its handicap. */
void start_position(struct session *, const struct state *);

/* White's points for the handicap, in half points. */
int bonus_of(const struct session *);

#endif
