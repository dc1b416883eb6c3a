/* SPDX-License-Identifier: MIT */
#include "engine/search/common/control.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine/search/common/slots.h"

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
	atomic_init(&c->deadline, deadline);
	atomic_init(&c->work_max, work_max);
	c->extension = 0;
	atomic_init(&c->work, 0);
	c->outer = NULL;
	c->publish = NULL;
	c->publish_at = TIME_NEVER;
	c->slots = NULL;
	atomic_init(&c->wakes, 0);
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

bool control_is_over(struct control *c)
{
	if (control_stopped(c))
		return true;
	for (; c; c = c->outer) {
		if (control_work(c) >= c->work_max)
			return true;
		if (c->deadline != TIME_NEVER && clock_now() >= c->deadline) {
			control_stop(c);
			return true;
		}
	}
	return false;
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

uint64_t control_claim_with_slot(struct control *c, uint64_t want)
{
	uint64_t got = control_is_over(c) ? 0 : claim_all(c, want);
	/* Workers that wait for a thread slot would get nothing either: wake them. */
	if (got == 0 && c->slots)
		control_wake(c);
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

void control_wake(struct control *c)
{
	int error = errno;
	c = outermost(c);
	atomic_fetch_add(&c->wakes, 1);
	syscall(SYS_futex, &c->wakes, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
	errno = error;
}

uint32_t control_wakes(const struct control *c)
{
	while (c->outer)
		c = c->outer;
	return atomic_load(&c->wakes);
}

void control_sleep(struct control *c, uint32_t seen)
{
	int64_t until = c->deadline;
	while (c->outer) {
		c = c->outer;
		until = c->deadline < until ? c->deadline : until;
	}
	struct timespec time = { until / 1000000000, until % 1000000000 };
	/* The bitset variant takes an absolute time, of the clock that clock_now() reads. */
	syscall(SYS_futex, &c->wakes, FUTEX_WAIT_BITSET_PRIVATE, seen,
		until == TIME_NEVER ? NULL : &time, NULL, FUTEX_BITSET_MATCH_ANY);
}
