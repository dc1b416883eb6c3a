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

struct seats;

struct control {
	atomic_bool stop;
	int64_t start;             /* clock_now() when the search began */
	_Atomic int64_t deadline;  /* clock_now() at which to end, or TIME_NEVER */
	_Atomic uint64_t work_max; /* units, or WORK_NO_LIMIT */
	/* By which part of its limits the search may be lengthened, once, if it is not sure of its answer; the lead
	 * worker's. */
	double longer;
	_Atomic uint64_t work; /* units claimed so far */
	struct control *outer; /* the search that this one is a phase of, or NULL */
	/* Of the outermost search, the lead worker's: who takes a report, and clock_now() when the next
	 * is due. NULL: nobody watches. */
	void (*publish)(struct control *);
	int64_t publish_at;
	/* What workers need a seat of to work, or NULL; and of the outermost search, the word that its waiting
	 * workers sleep on: it changes when one of them should look again. */
	struct seats *seats;
	_Atomic uint32_t wakes;
};

/* Nanoseconds of a clock that never jumps. */
int64_t clock_now(void);

void control_init(struct control *, int64_t deadline, uint64_t work_max);

/* Begins a phase inside `outer`: it ends when `outer` does, or after 1/n of what `outer` has, in time
 * and in work. Its work counts for `outer` as well. */
void control_init_phase(struct control *, struct control *outer, int n);

/* Claims up to `want` units; returns how many, 0 when the search is over. A worker that needs a seat may wait for
 * one here. Any thread. */
uint64_t control_claim(struct control *, uint64_t want);

/* The two halves of a claim, for a worker that must not wait while others wait for what it has begun: first it
 * sits, false when it waited in vain; what it then claims leaves it where it is. Any thread. */
bool control_sit(struct control *);
uint64_t control_claim_seated(struct control *, uint64_t want);

/* Gives back claimed units that were not worked. Any thread. */
void control_refund(struct control *, uint64_t unused);

/* Lead worker only, where its search's report() may be called: has a report taken if one is due. */
void control_publish(struct control *);

/* Lead worker only: whether the search comes to its limits and may be lengthened; has it go on. */
bool control_may_extend(const struct control *);
void control_extend(struct control *);

/* Whether the search was stopped, or is out of time or work: a claim gives nothing. Any thread. */
bool control_is_over(struct control *);

/* For seats: has the workers of a search look again that sleep, async-signal-safe; how often that happened so
 * far; and sleeps while that is `seen`, at most until a deadline. */
void control_wake(struct control *);
uint32_t control_wakes(const struct control *);
void control_sleep(struct control *, uint32_t seen);

/* Ends the search; async-signal-safe, any thread. A phase's stop leaves its outer search running. */
static inline void control_stop(struct control *c)
{
	atomic_store_explicit(&c->stop, true, memory_order_relaxed);
	if (c->seats)
		control_wake(c);
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
