/* SPDX-License-Identifier: MIT
 *
 * An engine: options, the search they choose, and its threads, which live exactly as long as a search.
 * One search at a time. While engine_think runs, record and options must not be touched; engine_stop
 * is the only call allowed besides engine_collect.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/algorithm.h"

struct engine;

struct engine *engine_create(void);
void engine_destroy(struct engine *); /* not while thinking */

/* Its options, to read and, between searches, to change. A new seed calls engine_reseed. */
struct options *engine_options(struct engine *);

/* Begins the stream of seeds again from options->seed, or from the system if that is 0, and forgets what
 * earlier searches have found: equal seeds and searches from here on give equal results. */
void engine_reseed(struct engine *);

struct limits {
	int64_t deadline;  /* of clock_now(), or TIME_NEVER */
	uint64_t work_max; /* units, or WORK_NO_LIMIT */
};

/* The limits that options and a clock's budget (nanoseconds from now, or TIME_NEVER for no clock) set
 * for one move that begins now. */
struct limits engine_limits(const struct engine *, int64_t budget);

/* Searches record->now, which is not over, on the calling thread and its helpers. Always finds a legal
 * move: if the search had no time for one, a random one. False: `why` says what was refused. */
bool engine_search(struct engine *, const struct record *, const struct limits *, struct report *,
		   char why[REASON_MAX]);

/* The same on a thread of its own; the last thing that thread does is to write one byte to wake_fd.
 * False: no thread could be had. */
bool engine_think(struct engine *, const struct record *, const struct limits *, int wake_fd,
		  char why[REASON_MAX]);

/* Asks a running search to end with the best it has; async-signal-safe. */
void engine_stop(struct engine *);

/* Joins the thread of engine_think; results as engine_search gives them. */
bool engine_collect(struct engine *, struct report *, char why[REASON_MAX]);

#endif
