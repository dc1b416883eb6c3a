/* SPDX-License-Identifier: MIT
 *
 * A session is one conversation: lines come in, wait in a queue, are run one after the other, and
 * their answers go out in the same order. Many sessions can share one event loop; all their functions
 * belong to the loop's thread.
 *
 *     readable  -> lines are queued; `# interrupt` stops a running search at once
 *     idle      -> the next line is parsed, its command found in command_table and run
 *     THINKING  -> a search runs on threads of its own; lines are queued, nothing else happens
 *     wake pipe -> the search has ended: its command finishes, and the next line follows
 *     input ends -> the queue is worked off, the answers are written, then the session is over
 */
#ifndef PROTOCOL_SESSION_H
#define PROTOCOL_SESSION_H

#include <stdio.h>

#include "engine/clock.h"
#include "engine/engine.h"
#include "engine/record.h"

struct event_base;
struct command;
struct stream;

struct session {
	/* What commands work on. */
	struct record record;
	struct engine *engine;
	struct clock clock;
	FILE *reply;   /* takes the text of the answer */
	bool quitting; /* no line is taken any more */

	/* The running or last command. */
	const struct command *command;
	char **args; /* not any more when its search has ended */
	int arg_count;
	int64_t taken; /* clock_now() when it was taken from the queue */
	int side;      /* whom it thinks for */
	int wake_fd;   /* for engine_think */

	struct stream *stream;
};

/* Begins a conversation over two descriptors, which stay as they are (blocking or not) and open. `log`
 * may be NULL. When it is over, or the other end is gone, `over` is called from the loop. */
struct session *session_create(struct event_base *, int in, int out, const struct game *,
			       const struct options *, FILE *log, void (*over)(void *), void *arg);
void session_destroy(struct session *); /* stops a running search and waits for it */

/* Ends a running search with the best it has; false: none runs. */
bool session_interrupt(struct session *);

/* Writes a line to stderr if the option `verbose` is on; drops it if nobody reads there. */
__attribute__((format(printf, 2, 3))) void session_note(struct session *, const char *, ...);

#endif
