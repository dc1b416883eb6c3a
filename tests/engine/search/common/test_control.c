/* SPDX-License-Identifier: MIT
 * When searches end: work limits are exact with many threads and in phases, stop and deadline hold.
 */
#include "engine/base/thread.h"
#include "engine/search/common/control.h"
#include "tests/suite.h"

#define THREADS 4

static struct control outer, phase;

/* Works until the end and returns a part of every claim. Returns the units worked. */
static void *work(void *arg)
{
	struct control *c = arg;
	uint64_t worked = 0, got;
	while ((got = control_claim(c, 7)) > 0) {
		uint64_t unused = got > 3 ? 1 : 0;
		control_refund(c, unused);
		worked += got - unused;
	}
	return (void *)(uintptr_t)worked;
}

static uint64_t work_together(struct control *c)
{
	pthread_t threads[THREADS];
	uint64_t sum = 0;
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(thread_start(&threads[i], work, c), 0);
	for (int i = 0; i < THREADS; i++) {
		void *worked;
		pthread_join(threads[i], &worked);
		sum += (uintptr_t)worked;
	}
	return sum;
}

START_TEST(work_limit_is_exact)
{
	control_init(&outer, TIME_NEVER, 100003);
	/* A refund may come after the other threads have left. Then at most one unit per thread is not
	 * worked. The limit is never exceeded. */
	uint64_t worked = work_together(&outer);
	ck_assert_uint_le(worked, 100003);
	ck_assert_uint_ge(worked, 100003 - THREADS);
	ck_assert_uint_eq(control_work(&outer), worked);
}
END_TEST

START_TEST(phase_takes_its_share)
{
	control_init(&outer, TIME_NEVER, 9000);
	control_init_phase(&phase, &outer, 3);
	uint64_t first = 0, got;
	while ((got = control_claim(&phase, 64)) > 0)
		first += got;
	ck_assert_uint_eq(first, 3000);
	ck_assert_uint_eq(control_work(&outer), 3000);
	ck_assert(!control_stopped(&outer));
	while ((got = control_claim(&outer, 64)) > 0)
		first += got;
	ck_assert_uint_eq(first, 9000);
}
END_TEST

START_TEST(phase_ends_with_its_outer)
{
	control_init(&outer, TIME_NEVER, WORK_NO_LIMIT);
	control_init_phase(&phase, &outer, 2);
	ck_assert_uint_eq(control_claim(&phase, 5), 5);
	control_stop(&phase);
	ck_assert(control_stopped(&phase));
	ck_assert(!control_stopped(&outer));
	control_init_phase(&phase, &outer, 2);
	control_stop(&outer);
	ck_assert(control_stopped(&phase));
	ck_assert_uint_eq(control_claim(&phase, 5), 0);
}
END_TEST

START_TEST(deadline_ends)
{
	int64_t now = clock_now();
	control_init(&outer, now - 1, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&outer, 5), 0);
	ck_assert(control_stopped(&outer));
	control_init(&outer, now + 3600 * (int64_t)1000000000, WORK_NO_LIMIT);
	ck_assert_uint_eq(control_claim(&outer, 5), 5);
	control_init_phase(&phase, &outer, 4);
	ck_assert(phase.deadline > now + 899 * (int64_t)1000000000);
	ck_assert(phase.deadline < now + 901 * (int64_t)1000000000);
}
END_TEST

/* Near its end, and only then, a search may be extended once, by a fraction of each limit. The work stays
 * exact. */
START_TEST(extended_once)
{
	const int64_t hour = INT64_C(3600000000000);
	control_init(&outer, TIME_NEVER, 800);
	ck_assert_uint_eq(control_claim(&outer, 790), 790);
	ck_assert(!control_may_extend(&outer));
	control_init(&outer, TIME_NEVER, 800);
	outer.extension = 0.5;
	ck_assert_uint_eq(control_claim(&outer, 600), 600);
	ck_assert(!control_may_extend(&outer));
	ck_assert_uint_eq(control_claim(&outer, 150), 150);
	ck_assert(control_may_extend(&outer));
	control_extend(&outer);
	ck_assert(!control_may_extend(&outer));
	ck_assert_uint_eq(work_together(&outer), 1200 - 750);
	/* Same for time. A missing limit stays missing. */
	control_init(&outer, clock_now() + hour, WORK_NO_LIMIT);
	outer.extension = 0.5;
	ck_assert(!control_may_extend(&outer));
	outer.start -= 20 * hour;
	ck_assert(control_may_extend(&outer));
	outer.start += 20 * hour;
	int64_t deadline = outer.deadline;
	control_extend(&outer);
	ck_assert_int_eq(outer.deadline, deadline + (deadline - outer.start) / 2);
	ck_assert_uint_eq(outer.work_max, WORK_NO_LIMIT);
}
END_TEST

/* What was used before the end counts, but never more than the limit. */
START_TEST(counts_after_the_end)
{
	struct control whole, c;
	control_init(&whole, TIME_NEVER, 10);
	control_init_phase(&c, &whole, 1);
	control_stop(&whole);
	ck_assert_uint_eq(control_claim(&c, 4), 0);
	control_count(&c, 4);
	ck_assert_uint_eq(control_work(&c), 4);
	ck_assert_uint_eq(control_work(&whole), 4);
	control_count(&c, 20);
	ck_assert_uint_eq(control_work(&whole), 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("control");
	TCase *cases = tcase_create("control");
	tcase_add_test(cases, work_limit_is_exact);
	tcase_add_test(cases, phase_takes_its_share);
	tcase_add_test(cases, phase_ends_with_its_outer);
	tcase_add_test(cases, deadline_ends);
	tcase_add_test(cases, extended_once);
	tcase_add_test(cases, counts_after_the_end);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
