/* SPDX-License-Identifier: MIT */
#include "engine/control.h"

#include <stddef.h>
#include <time.h>

int64_t clock_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void control_init(struct control *c, int64_t deadline, uint64_t work_max)
{
	atomic_init(&c->stop, false);
	c->start = clock_now();
	c->deadline = deadline;
	c->work_max = work_max;
	atomic_init(&c->work, 0);
	c->outer = NULL;
}

void control_init_phase(struct control *c, struct control *outer, int n)
{
	control_init(c, TIME_NEVER, WORK_NO_LIMIT);
	c->outer = outer;
	if (outer->deadline != TIME_NEVER)
		c->deadline = c->start + (outer->deadline - c->start) / n;
	if (outer->work_max != WORK_NO_LIMIT)
		c->work_max = (outer->work_max - control_work(outer)) / (uint64_t)n;
}

/* Claims from one level, not its outer ones. */
static uint64_t claim(struct control *c, uint64_t want)
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

uint64_t control_claim(struct control *c, uint64_t want)
{
	if (control_stopped(c))
		return 0;
	if (c->deadline != TIME_NEVER && clock_now() >= c->deadline) {
		control_stop(c);
		return 0;
	}
	uint64_t got = claim(c, want);
	if (got == 0 || !c->outer)
		return got;
	uint64_t allowed = control_claim(c->outer, got);
	atomic_fetch_sub_explicit(&c->work, got - allowed, memory_order_relaxed);
	return allowed;
}

void control_refund(struct control *c, uint64_t unused)
{
	for (; c; c = c->outer)
		atomic_fetch_sub_explicit(&c->work, unused, memory_order_relaxed);
}
