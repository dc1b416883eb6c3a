/* SPDX-License-Identifier: MIT
 *
 * Flat Monte Carlo: equal shares, exact limits, sensible choices, repeatable with a seed.
 */
#include <math.h>

#include "tests/engine/fixture.h"

static void setup(void)
{
	fixture_create("montecarlo");
}

static struct report think(const char *playouts)
{
	static struct report r;
	set("playouts", playouts);
	search_within(engine_limits(engine, record.game, TIME_NEVER), &r);
	return r;
}

START_TEST(takes_a_win)
{
	set_position("XX.OO....", "X");
	struct report r = think("500");
	ck_assert_int_eq(r.line[0].step[0], 2);
	ck_assert_double_eq(r.value, 1);
	set_position("XX.OO...X", "O");
	r = think("500");
	ck_assert_int_eq(r.line[0].step[0], 5);
	ck_assert_double_eq(r.value, -1);
}
END_TEST

START_TEST(share_of_all_or_of_each)
{
	ck_assert_uint_eq(think("1000").playouts, 1000);
	set("share", "move");
	ck_assert_uint_eq(think("1000").playouts, 9000);
	set("threads", "4");
	ck_assert_uint_eq(think("1000").playouts, 9000);
}
END_TEST

/* One move wins at once, after the other there is one draw: one playout of each is exact. */
START_TEST(one_playout_each)
{
	set_position("O.OXXOX.X", "O");
	struct report r = think("2");
	ck_assert_uint_eq(r.playouts, 2);
	ck_assert_int_eq(r.line_count, 1);
	ck_assert_int_eq(r.line[0].step[0], 1);
	ck_assert_double_eq(r.value, -1);
}
END_TEST

/* With equal shares the mean of the centre is near its true value of one half, and the centre is the best
 * move: 10000 playouts have a standard deviation of 0.009. */
START_TEST(finds_the_centre)
{
	set("threads", "3");
	struct report r = think("90000");
	ck_assert_int_eq(r.line[0].step[0], 4);
	ck_assert(fabs(r.value - 0.5) < 0.04);
}
END_TEST

START_TEST(seed_repeats)
{
	double value[2];
	for (int i = 0; i < 2; i++) {
		engine_reseed(engine);
		value[i] = think("900").value;
	}
	ck_assert_double_eq(value[0], value[1]);
	ck_assert_double_ne(think("900").value, value[0]);
}
END_TEST

START_TEST(no_time)
{
	static struct report r;
	search_within((struct limits) { .deadline = clock_now() - 1, .work_max = WORK_NO_LIMIT },
		      &r);
	ck_assert_uint_ge(r.playouts, 1);
	ck_assert_uint_le(r.playouts, 64);
	ck_assert_int_eq(r.line_count, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("montecarlo");
	TCase *cases = tcase_create("montecarlo");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_test(cases, takes_a_win);
	tcase_add_test(cases, share_of_all_or_of_each);
	tcase_add_test(cases, one_playout_each);
	tcase_add_test(cases, finds_the_centre);
	tcase_add_test(cases, seed_repeats);
	tcase_add_test(cases, no_time);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
