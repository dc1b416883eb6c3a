/* SPDX-License-Identifier: MIT
 *
 * A session is one conversation: lines come in, wait in a queue, are run one after the other, and
 * their answers go out in the same order. A carrier (standard input and output, a terminal, a socket)
 * brings the bytes and takes them away; many sessions can share one event loop. All functions belong to
 * the loop's thread.
 *
 *     input     -> lines are queued; `# interrupt` stops a running search at once
 *     IDLE      -> the next line is parsed, its command found and run; the first line also tells
 *                  which protocol the client speaks, GTP or that of protocol/nboard.h
 *     SEARCHING -> a search runs on threads of its own; lines are queued, nothing else happens, but
 *                  where a command streams its answer, reports are written as they come
 *     wake pipe -> a report, or the end: the command finishes, and the next line follows
 *     HELD      -> the search has ended, but its command lasts until a line comes; its last report is
 *                  written again and again
 *     IDLE, pondering: nothing waits in the queue, and the engine's last move has been answered: it
 *                  searches on, of which nobody hears; whatever line comes ends that first
 *     input ends-> the queue is worked off, the answers are written, then the session is over
 */
#ifndef PROTOCOL_SESSION_H
#define PROTOCOL_SESSION_H

#include <stdio.h>

#include "engine/clock.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "protocol/analysis.h"
#include "protocol/board.h"
#include "protocol/nboard.h"

struct command;
struct evbuffer;
struct event_base;
struct session;
struct stream;

/* What a session speaks. */
enum protocol {
	PROTOCOL_ANY, /* what the first line is of */
	PROTOCOL_GTP,
	PROTOCOL_EVENTS, /* GTP, answered as protocol/events.h says */
	PROTOCOL_NBOARD
};

/* What a carrier gives to a session. */
struct session_setup {
	struct event_base *base;
	const struct game *game;
	const struct options *options; /* the first ones; they outlive the session */
	enum protocol protocol;        /* what the client speaks */
	FILE *log;                     /* transcript of both directions, or NULL */
	int number;                    /* of the client in the transcript, 0: there is only one */
	size_t line_max;               /* bytes of a line; a longer one is answered by an error */
	size_t queue_max;              /* bytes of waiting lines, above which no input is taken */

	/* The client is not the user who started the program: it may not ask for more memory or threads
	 * than the first options have, nor for notes on the user's stderr, */
	bool remote;
	bool no_files; /* nor may its commands read and write files. */

	/* For people: boards have their last move in brackets, and colours. */
	bool marks, colors;

	/* Something may have changed of what the carrier asks below. Called from within every
	 * function of a session, and from the loop; it must not destroy the session. */
	void (*changed)(void *arg);
	/* NULL, or called with reports of every running search, each `progress_interval` nanoseconds. */
	void (*progress)(void *arg, const struct report *);
	int64_t progress_interval;
	/* NULL: to stderr; or takes the lines of session_note, with their line feeds. */
	void (*note)(void *arg, const char *line, size_t);
	void *arg;
};

#define SESSION_LINE_MAX  ((size_t)1 << 24)
#define SESSION_QUEUE_MAX ((size_t)1 << 24)

struct session {
	/* What commands work on. */
	struct record record;
	struct board board;
	struct nboard nboard;
	struct engine *engine;
	struct clock clock;
	FILE *reply;   /* takes the text of the answer */
	bool quitting; /* no line is taken any more */

	/* The running or last command. */
	const struct command *command;
	char **args; /* not any more when its search has ended */
	int arg_count;
	int64_t taken;    /* clock_now() when it was taken from the queue */
	int side;         /* whom it thinks for */
	int wake_fd;      /* for engine_think */
	bool ended_early; /* a line or an interruption has ended its search */
	bool has_moved;   /* it has made a move of the engine's own; the opponent is to move */
	bool is_painted;  /* its answer may hold escape sequences, for colours */
	bool is_partial;  /* its search was of some of the legal moves only */
	/* Set by a command that thinks, before it returns; nothing of this unless it says so: */
	bool until_line;  /* any line, and the end of input, ends it, and nothing else does */
	bool cancellable; /* any line ends it, unless it has ended by itself */
	bool may_claim;   /* its answer may be that the game is won */
	int64_t interval; /* nanoseconds between the reports it streams */
	struct analysis analysis; /* what it streams; valid while it does */
	int64_t drawn; /* clock_now() of its last live drawing, 0: there is none on GoGui's board */
	char *explanation; /* what the search for the last move that was made has found, or NULL */
	bool keeps_sigint; /* SIGINT ends searches only, never the program */

	struct session_setup setup;
	struct stream *stream;
};

/* NULL, and errno: the system has no descriptors left. */
struct session *session_create(const struct session_setup *);
void session_destroy(struct session *); /* stops a running search and waits for it */

/* Bytes have come, in pieces of any size. */
void session_input(struct session *, const char *bytes, size_t);
/* No more will come. */
void session_input_end(struct session *);

/* What is to be sent; the carrier drains it and calls session_resume when it has. */
struct evbuffer *session_output(struct session *);
void session_resume(struct session *);
/* Nobody reads it any more: a running search ends, and nothing more is run. */
void session_lose_reader(struct session *);
/* Whether somebody reads it now. While nobody does, which is not so at first, no command is begun; a search
 * that runs ends with the best it has. */
void session_set_reader(struct session *, bool is_there);

/* Whether there is room for input; whether a command is running, and has begun its answer; whether all has
 * been said and sent; whether the input has ended. */
bool session_takes_input(const struct session *);
bool session_is_thinking(const struct session *);
bool session_is_streaming(const struct session *);
bool session_is_over(const struct session *);
bool session_has_ended_input(const struct session *);

/* Ends a running search with the best it has; false: none runs, and nobody was promised that this is
 * all that SIGINT does. */
bool session_interrupt(struct session *);

/* What the last search has found, if it was about the present position; else NULL. */
const struct report *session_report(const struct session *);

/* Nanoseconds between the reports that carrier and live graphics want while any search runs, 0: none. */
int64_t session_interval(const struct session *);

/* Sets an option of the engine, as far as the setup allows. False: `why` says why not. */
bool session_set_option(struct session *, const struct option *, const char *value,
			char why[REASON_MAX]);

/* Writes a line to stderr if the option `verbose` is on; drops it if nobody reads there. */
__attribute__((format(printf, 2, 3))) void session_note(struct session *, const char *, ...);

/* Writes bytes to stderr, all or none of them, and only if they can be had off at once. */
void session_stderr(const char *bytes, size_t);

#endif
