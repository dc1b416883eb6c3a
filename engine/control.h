/* SPDX-License-Identifier: MIT
 *
 * When a search ends: asked to stop, out of time, or out of work. Workers look for themselves: a loop
 * timer wakes late when workers fill the cores. One unit of work is a playout or a searched node.
 *
 * The workers of one search share one control. They claim work in small batches, so that a work limit
 * is exact with any number of threads and the clock is read once a batch.
 */
#ifndef ENGINE_CONTROL_H
#define ENGINE_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define TIME_NEVER    INT64_MAX
#define WORK_NO_LIMIT UINT64_MAX
#define WORK_BATCH    64 /* a usual claim: 16 .. 256, about 100 microseconds at most */

struct control {
	atomic_bool stop;
	int64_t start;         /* clock_now() when the search began */
	int64_t deadline;      /* clock_now() at which to end, or TIME_NEVER */
	uint64_t work_max;     /* units, or WORK_NO_LIMIT */
	_Atomic uint64_t work; /* units claimed so far */
	struct control *outer; /* the search that this one is a phase of, or NULL */
};

/* Nanoseconds of a clock that never jumps. */
int64_t clock_now(void);

void control_init(struct control *, int64_t deadline, uint64_t work_max);

/* Begins a phase inside `outer`: it ends when `outer` does, or after 1/n of what `outer` has, in time
 * and in work. Its work counts for `outer` as well. */
void control_init_phase(struct control *, struct control *outer, int n);

/* Claims up to `want` units; returns how many, 0 when the search is over. Any thread. */
uint64_t control_claim(struct control *, uint64_t want);

/* Gives back claimed units that were not worked. Any thread. */
void control_refund(struct control *, uint64_t unused);

/* Ends the search; async-signal-safe, any thread. A phase's stop leaves its outer search running. */
static inline void control_stop(struct control *c)
{
	atomic_store_explicit(&c->stop, true, memory_order_relaxed);
}

/* Whether somebody asked to stop; a flag, cheap enough for every unit. */
static inline bool control_stopped(const struct control *c)
{
	for (; c; c = c->outer)
		if (atomic_load_explicit(&c->stop, memory_order_relaxed))
			return true;
	return false;
}

static inline uint64_t control_work(const struct control *c)
{
	return atomic_load_explicit(&c->work, memory_order_relaxed);
}

#endif
