/* SPDX-License-Identifier: MIT
 *
 * A session is one conversation. Lines wait in a queue and are run one after the other. Answers are sent in
 * the same order. A carrier (standard input and output, a terminal, a socket) moves the bytes. Many sessions
 * can share one event loop. All functions must be called on the loop's thread.
 *
 *     input     -> lines are queued; `# interrupt` stops a running search at once
 *     IDLE      -> the next line is parsed and its command is run; the first line also selects the
 *                  protocol, GTP or that of protocol/nboard.h
 *     SEARCHING -> a search runs on its own threads; lines are queued; a command that streams its answer
 *                  writes reports as they come
 *     wake pipe -> a report, or the end of the search: the command finishes, the next line is run
 *     HELD      -> the search has ended, but its command lasts until the next line and repeats the last
 *                  report at intervals
 *     IDLE, pondering: the queue is empty and the engine has answered its own move: it searches on
 *                  without reports; any line ends that first
 *     input ends-> the rest of the queue is run, its answers are sent, then the session is over
 */
#ifndef PROTOCOL_GTP_SESSION_H
#define PROTOCOL_GTP_SESSION_H

#include <stdio.h>

#include "engine/clock.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "protocol/gtp/analysis.h"
#include "protocol/gtp/board.h"
#include "protocol/gtp/settings.h"
#include "protocol/nboard.h"

struct command;
struct evbuffer;
struct event_base;
struct session;
struct stream;

/* The protocol of a session. */
enum protocol {
	PROTOCOL_ANY, /* detected from the first line */
	PROTOCOL_GTP,
	PROTOCOL_EVENTS, /* GTP commands, answered as server-sent events (protocol/gtp/events.h) */
	PROTOCOL_NBOARD
};

/* Settings that a carrier passes to a session. */
struct session_setup {
	struct event_base *base;
	const struct game *game;
	/* Initial values. Must outlive the session. `settings` NULL: the defaults. */
	const struct options *options;
	const struct settings *settings;
	enum protocol protocol;
	FILE *log;        /* transcript of both directions, or NULL */
	int number;       /* number of the client in the transcript; 0: the only client */
	size_t line_max;  /* bytes; a longer line is answered with an error */
	size_t queue_max; /* bytes of queued lines above which no input is read */

	/* The client is not the user who started the program. It may not raise memory or threads above
	 * `options`, nor turn on notes and drawings on the user's stderr. */
	bool remote;
	bool no_files; /* the client's commands may not read or write files */

	/* Boards show the last move in brackets, and colours. */
	bool marks, colors;

	/* Called when the answers to the carrier's questions below may have changed: from within the
	 * functions of a session, and from the loop. Must not destroy the session. */
	void (*changed)(void *arg);
	/* Called with a report of the running search every `progress_interval` nanoseconds, or NULL. */
	void (*progress)(void *arg, const struct report *);
	int64_t progress_interval;
	/* Receives the lines of session_note with their line feeds. NULL: they go to stderr. */
	void (*note)(void *arg, const char *line, size_t);
	void *arg;
};

#define SESSION_LINE_MAX  ((size_t)1 << 24)
#define SESSION_QUEUE_MAX ((size_t)1 << 24)

struct session {
	/* State that commands use. */
	struct record record;
	struct board board;
	struct nboard nboard;
	struct engine *engine;
	struct settings settings;
	struct clock clock;
	FILE *reply;   /* text of the answer */
	bool quitting; /* no more lines are run */

	/* The running or last command. */
	const struct command *command;
	char **args; /* not valid in `finish` */
	int arg_count;
	int64_t taken;    /* clock_now() when it was taken from the queue */
	int side;         /* the side it searches for */
	int wake_fd;      /* for engine_think */
	bool ended_early; /* a line or an interruption ended its search */
	bool has_moved;   /* it made a move for the engine; the opponent is to move */
	bool is_painted;  /* its answer may contain escape sequences for colours */
	bool is_partial;  /* its search was restricted in moves or level */
	/* until_line to interval: set by `run` of a command that searches, cleared before each command. */
	bool until_line;          /* only the next line, or the end of input, ends it */
	bool cancellable;         /* it ends by itself, or at the next line */
	bool may_claim;           /* it may answer `claim` if a win is proven */
	int64_t interval;         /* nanoseconds between the reports it streams */
	struct analysis analysis; /* the request; valid while the command streams */
	int64_t drawn;            /* clock_now() of the live drawing on GoGui's board, 0: none */
	char *explanation;        /* result of the search for the last move made, or NULL */
	bool keeps_sigint;        /* SIGINT only ends searches, never the program */

	struct session_setup setup;
	struct stream *stream;
};

/* Returns NULL with errno if the system has no file descriptors left. */
struct session *session_create(const struct session_setup *);
void session_destroy(struct session *); /* stops a running search and waits for it */

/* Passes input to the session, in pieces of any size. */
void session_input(struct session *, const char *bytes, size_t);
/* Tells the session that the input has ended. */
void session_input_end(struct session *);

/* The bytes to send. The carrier drains them, then calls session_resume. */
struct evbuffer *session_output(struct session *);
void session_resume(struct session *);
/* The output has lost its reader for good: ends a running search and runs no more lines. */
void session_lose_reader(struct session *);
/* Sets whether the output has a reader; at first it has. Without a reader no command is started, and a
 * running search ends with its best result so far. */
void session_set_reader(struct session *, bool is_there);

/* True if the session has room for input. */
bool session_takes_input(const struct session *);
/* True if a command is running. */
bool session_is_thinking(const struct session *);
/* True if the running command has begun its answer. */
bool session_is_streaming(const struct session *);
/* True if no line is left to run and all output is drained. */
bool session_is_over(const struct session *);
/* True after session_input_end. */
bool session_has_ended_input(const struct session *);

/* Ends a running search with its best result so far. Returns false if none runs and keeps_sigint is not set:
 * SIGINT may then end the program. */
bool session_interrupt(struct session *);

/* Returns the report of the last search if it was about the current position, else NULL. */
const struct report *session_report(const struct session *);

/* Returns the nanoseconds between reports that carrier and live graphics need, 0 if neither needs any. */
int64_t session_interval(const struct session *);

/* Returns where the session's options are: the engine's and its own. */
struct values session_values(struct session *);

/* Sets an option within the limits of the setup. Returns false with the reason in `why` on failure. */
bool session_set_option(struct session *, const struct option *, const char *value,
			char why[REASON_MAX]);

/* Writes a line to setup.note or stderr if the option `verbose` is on. Drops it if stderr would block. */
__attribute__((format(printf, 2, 3))) void session_note(struct session *, const char *, ...);

/* Writes bytes to stderr, all or none. Drops them if the write would block, or if there are more than
 * PIPE_BUF. */
void session_stderr(const char *bytes, size_t);

#endif
