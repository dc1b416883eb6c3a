/* SPDX-License-Identifier: MIT */
#include "engine/search/common/control.h"

#include <stddef.h>
#include <time.h>

#include "engine/search/common/slots.h"

int64_t clock_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

double clock_since(int64_t start)
{
	return (double)(clock_now() - start) / 1e9;
}

void control_init(struct control *c, int64_t deadline, uint64_t work_max)
{
	atomic_init(&c->stop, false);
	c->start = clock_now();
	atomic_init(&c->deadline, deadline);
	atomic_init(&c->work_max, work_max);
	c->extension = 0;
	atomic_init(&c->work, 0);
	c->outer = NULL;
	c->publish = NULL;
	c->publish_at = TIME_NEVER;
	c->slots = NULL;
}

void control_init_phase(struct control *c, struct control *outer, int n)
{
	control_init(c, TIME_NEVER, WORK_NO_LIMIT);
	c->outer = outer;
	c->slots = outer->slots;
	if (outer->deadline != TIME_NEVER)
		c->deadline = c->start + (outer->deadline - c->start) / n;
	if (outer->work_max != WORK_NO_LIMIT)
		c->work_max = (outer->work_max - control_work(outer)) / (uint64_t)n;
}

static struct control *outermost(struct control *c)
{
	while (c->outer)
		c = c->outer;
	return c;
}

/* Claims from this control only, not from the outer ones. */
static uint64_t control_claim_here(struct control *c, uint64_t want)
{
	uint64_t work = control_work(c), n;
	do {
		uint64_t left = c->work_max - work;
		n = want < left ? want : left;
		if (n == 0)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
		&c->work, &work, work + n, memory_order_relaxed, memory_order_relaxed));
	return n;
}

static bool control_is_late(const struct control *c)
{
	return c->deadline != TIME_NEVER && clock_now() >= c->deadline;
}

bool control_has_ended(const struct control *c)
{
	for (; c; c = c->outer)
		if (atomic_load_explicit(&c->stop, memory_order_relaxed) ||
		    control_work(c) >= c->work_max || control_is_late(c))
			return true;
	return false;
}

bool control_is_over(struct control *c)
{
	if (!control_has_ended(c))
		return false;
	for (; c; c = c->outer)
		if (!control_stopped(c) && control_is_late(c))
			control_stop(c);
	return true;
}

void control_stop(struct control *c)
{
	atomic_store_explicit(&c->stop, true, memory_order_relaxed);
	if (c->slots)
		slots_wake(c->slots);
}

int64_t control_deadline(const struct control *c)
{
	int64_t first = TIME_NEVER;
	for (; c; c = c->outer)
		first = c->deadline < first ? c->deadline : first;
	return first;
}

/* The last 1/n of a search, in which it decides whether to extend. It is long enough that no batch
 * skips it. */
#define END_PART 8

bool control_may_extend(const struct control *c)
{
	int64_t time = c->deadline - c->start;
	if (c->extension <= 0)
		return false;
	return c->work_max - control_work(c) <= c->work_max / END_PART ||
	       (c->deadline != TIME_NEVER && c->deadline - clock_now() <= time / END_PART);
}

void control_extend(struct control *c)
{
	if (c->deadline != TIME_NEVER)
		c->deadline += (int64_t)(c->extension * (double)(c->deadline - c->start));
	if (c->work_max != WORK_NO_LIMIT)
		c->work_max += (uint64_t)(c->extension * (double)c->work_max);
	c->extension = 0;
}

static uint64_t claim_all(struct control *c, uint64_t want)
{
	uint64_t got = control_claim_here(c, want);
	if (got == 0 || !c->outer)
		return got;
	uint64_t allowed = claim_all(c->outer, got);
	atomic_fetch_sub_explicit(&c->work, got - allowed, memory_order_relaxed);
	return allowed;
}

bool control_acquire_slot(struct control *c)
{
	return !c->slots || slots_keep(c->slots, c);
}

void (*control_pause)(void);

uint64_t control_claim_with_slot(struct control *c, uint64_t want)
{
	if (control_pause)
		control_pause();
	uint64_t got = control_is_over(c) ? 0 : claim_all(c, want);
	/* Workers that wait for a thread slot would get nothing either. */
	if (got == 0 && c->slots)
		slots_wake(c->slots);
	return got;
}

uint64_t control_claim(struct control *c, uint64_t want)
{
	return control_acquire_slot(c) ? control_claim_with_slot(c, want) : 0;
}

void control_refund(struct control *c, uint64_t unused)
{
	for (; c; c = c->outer)
		atomic_fetch_sub_explicit(&c->work, unused, memory_order_relaxed);
}

void control_count(struct control *c, uint64_t used)
{
	claim_all(c, used);
}

void control_publish(struct control *c)
{
	c = outermost(c);
	if (c->publish && clock_now() >= c->publish_at)
		c->publish(c);
}
