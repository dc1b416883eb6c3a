/* SPDX-License-Identifier: MIT
 *
 * A session is one conversation. Lines wait in a queue and are run one after the other. Answers are sent in
 * the same order. A carrier (standard input and output, a terminal, a socket) moves the bytes. Many sessions
 * can share one event loop. All functions must be called on the loop's thread. What a command sees of its
 * session is in protocol/session/command.h.
 *
 *     input     -> lines are queued; `# interrupt` stops a running search at once
 *     IDLE      -> the next line is parsed and its command is run; the first line also selects the protocol
 *     SEARCHING -> a search runs on its own threads; lines are queued; a command that streams its answer
 *                  writes reports as they come
 *     woken     -> a report, or the end of the search: the command finishes, the next line is run
 *     HELD      -> the search has ended, but its command lasts until the next line and repeats the last
 *                  report at intervals
 *     IDLE, pondering: the queue is empty and the engine has answered its own move: it searches on
 *                  without reports; any line ends that first
 *     input ends-> the rest of the queue is run, its answers are sent, then the session is over
 */
#ifndef PROTOCOL_SESSION_SESSION_H
#define PROTOCOL_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fifo;
struct game;
struct kept_games;
struct options;
struct protocol;
struct report;
struct session;
struct session_settings;

/* What a session needs of the loop that runs it. */
struct session_loop {
	/* Returns what the other functions take for this session. NULL with errno if the system has no descriptors left. */
	void *(*open)(void *base, struct session *);
	void (*close)(void *);
	/* Makes the loop call session_on_woken() soon, once for one or more of these calls. Any thread. */
	void (*wake)(void *);
	/* Makes the loop call session_on_later() as soon as it has handled what has happened by now, or not any more. */
	void (*later)(void *, bool);
	/* Makes the loop call session_on_again() at intervals of so many nanoseconds. 0: not any more. */
	void (*again)(void *, int64_t interval);
};

/* Settings that a carrier passes to a session. */
struct session_setup {
	const struct session_loop *loop;
	void *base; /* for loop->open */
	const struct game *game;
	/* Initial values. Must outlive the session. `settings` NULL: the defaults. */
	const struct options *options;
	const struct session_settings *settings;
	/* NULL-terminated list. The first line selects the first protocol that recognizes it, else the last.
	 * Until then the last one cleans the lines. */
	const struct protocol *const *protocols;
	FILE *log;        /* transcript of both directions, or NULL */
	int number;       /* number of the client in the transcript; 0: the only client */
	size_t line_max;  /* bytes; a longer line is answered with an error */
	size_t queue_max; /* bytes of queued lines above which no input is read */

	/* The client is not the user who started the program. It may not raise memory or threads above
	 * `options`, nor turn on notes and drawings on the user's stderr. */
	bool remote;
	bool no_files; /* the client's commands may not read or write files */

	/* Folder of the user's own book to play from (engine/rules/own_book.h). NULL: the usual one, not to play from. */
	const char *own_book;
	bool no_own_book; /* the client must not see it */

	bool is_lazy; /* the carrier prepares the evaluation of a game, or else its first search does */

	/* Keeps the games of a terminal (protocol/terminal/kept.h). NULL: there is no terminal. */
	struct kept_games *kept;

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

/* Returns NULL with errno if the system has no file descriptors left. */
struct session *session_create(const struct session_setup *);
void session_destroy(struct session *); /* stops a running search and waits for it */

/* Passes input to the session, in pieces of any size. */
void session_input(struct session *, const char *bytes, size_t);
/* Tells the session that the input has ended. */
void session_input_end(struct session *);

/* The bytes to send. The carrier drains them, then calls session_resume. */
struct fifo *session_output(struct session *);
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

/* Ends a running search with its best result so far. Returns false if none runs and no command has asked to
 * keep SIGINT: the signal may then end the program. */
bool session_interrupt(struct session *);

/* For the loop. A call of session_on_woken() that nobody has asked for does nothing. */
void session_on_woken(struct session *);
void session_on_later(struct session *);
void session_on_again(struct session *);

#endif
