/* SPDX-License-Identifier: MIT
 *
 * When a search ends: it is stopped, out of time or out of work. Workers check this themselves, because
 * an event loop's timer fires late when workers fill all cores. One unit of work is a playout or a
 * searched node.
 *
 * The workers of a search share one control. They claim work in small batches. So a work limit is exact
 * with any number of threads, and the clock is read once a batch.
 */
#ifndef ENGINE_SEARCH_COMMON_CONTROL_H
#define ENGINE_SEARCH_COMMON_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/rules/solver.h"

#define TIME_NEVER    INT64_MAX
#define WORK_NO_LIMIT UINT64_MAX
#define THREADS_MAX   256 /* most workers of a search */
#define WORK_BATCH    64 /* units of a typical claim; searches claim fewer if their units take long */
#define SOLVER_CLAIM                                                                               \
	4096 /* most units that a worker of an exact solver claims before it has used them */

struct slots;

struct control {
	atomic_bool stop;
	int64_t start;             /* clock_now() at the start of the search */
	_Atomic int64_t deadline;  /* clock_now() at which to end, or TIME_NEVER */
	_Atomic uint64_t work_max; /* units, or WORK_NO_LIMIT */
	/* Fraction of its limits by which the search may be extended, once, if its answer is unstable.
	 * 0: it may not. Used by the lead worker only. */
	double extension;
	_Atomic uint64_t work; /* units claimed so far */
	struct control *outer; /* the search of which this one is a phase, or NULL */
	/* In the outermost search, used by the lead worker only: takes a report, and the clock_now() at
	 * which the next one is due. NULL: no reports. */
	void (*publish)(struct control *);
	int64_t publish_at;
	struct slots *slots; /* thread slots that the workers need, or NULL */
};

/* Returns the time of a monotonic clock, in nanoseconds. */
int64_t clock_now(void);

/* Returns the seconds since a time of clock_now(). */
double clock_since(int64_t start);

void control_init(struct control *, int64_t deadline, uint64_t work_max);

/* Starts a phase: a search inside `outer` with 1/n of the time and work that `outer` has left. It also ends
 * when `outer` ends, and its work counts for `outer` too. */
void control_init_phase(struct control *, struct control *outer, int n);

/* Claims up to `want` units. Returns how many were granted; 0: the search is over. A worker that needs
 * a thread slot may wait here for one. Any thread. */
uint64_t control_claim(struct control *, uint64_t want);

/* The two halves of control_claim, for a worker that must not wait while others wait for it.
 * control_acquire_slot acquires a thread slot; it returns false if the search ended while waiting.
 * control_claim_with_slot then claims and keeps the slot. Any thread. */
bool control_acquire_slot(struct control *);
uint64_t control_claim_with_slot(struct control *, uint64_t want);

/* Called with each claim. A program without threads sets it once, to handle what happens during a search. It may call
 * control_stop(), nothing else that changes a search. NULL: nothing. */
extern void (*control_pause)(void);

/* Gives back claimed units that were not used. Any thread. */
void control_refund(struct control *, uint64_t unused);

/* Counts units that were used without a claim, up to the work limit, also if the search is over. Any thread. */
void control_count(struct control *, uint64_t used);

/* Takes a report if one is due. Lead worker only, at a point where the search's report() may be
 * called. */
void control_publish(struct control *);

/* control_may_extend returns true if the search is near its limits and may be extended. control_extend
 * extends it. Lead worker only. */
bool control_may_extend(const struct control *);
void control_extend(struct control *);

/* Ends the search. A phase's stop leaves its outer search running. Any thread. */
void control_stop(struct control *);

/* Returns true if the search was stopped, or is out of time or work: a claim then returns 0.
 * control_is_over also stops a search that is out of time. Any thread. */
bool control_has_ended(const struct control *);
bool control_is_over(struct control *);

/* The earliest deadline of a search and those around it, or TIME_NEVER. */
int64_t control_deadline(const struct control *);

/* Returns true if the search was asked to stop. Reads a flag, cheap enough for every unit of work. */
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
