/* SPDX-License-Identifier: MIT
 * The game clock: settings, main time and byo-yomi, budgets that never exceed what is left.
 */
#include "engine/clock.h"
#include "tests/suite.h"

#define SECOND INT64_C(1000000000)

START_TEST(no_clock)
{
	struct clock c;
	clock_init(&c);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), TIME_NEVER);
	clock_set_game(&c, 0, 1, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), TIME_NEVER);
	clock_set_game(&c, 0, 0, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 0);
	clock_spend(&c, BLACK, SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 0);
}
END_TEST

START_TEST(fixed_time)
{
	struct clock c;
	clock_init(&c);
	clock_set_game(&c, 300, 0, 0);
	clock_set_move(&c, 2.5);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), 5 * SECOND / 2);
	clock_spend(&c, WHITE, 100 * SECOND);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), 5 * SECOND / 2);
	/* A client that tells the time left is believed, too. */
	clock_set_left(&c, WHITE, 1, 1);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 5 * SECOND / 2);
	clock_set_game(&c, 0, 5, 1);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), 5 * SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 5 * SECOND);
}
END_TEST

/* Main time lasts for a whole game, and most of it is used. */
START_TEST(main_time_is_spread)
{
	struct clock c;
	int64_t left = 60 * SECOND, last = left;
	clock_init(&c);
	clock_set_game(&c, 60, 0, 0);
	for (int moves = 30; moves >= 1; moves--) {
		int64_t budget = clock_budget(&c, BLACK, moves);
		ck_assert_int_gt(budget, 0);
		ck_assert_int_le(budget, left);
		ck_assert_int_le(budget, last);
		last = budget;
		clock_spend(&c, BLACK, budget);
		left -= budget;
		ck_assert_int_eq(c.side[BLACK].left, left);
	}
	ck_assert_int_lt(left, 3 * SECOND);
	ck_assert_int_gt(left, 0);
	ck_assert_int_eq(c.side[WHITE].left, 60 * SECOND);
	clock_spend(&c, BLACK, 10 * SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 1), 0);
	clock_restart(&c);
	ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
}
END_TEST

START_TEST(periods)
{
	struct clock c;
	clock_init(&c);
	clock_set_game(&c, 10, 30, 3);
	/* A share of main time, and of the period behind it. */
	ck_assert_int_gt(clock_budget(&c, BLACK, 20), 10 * SECOND);
	ck_assert_int_le(clock_budget(&c, BLACK, 1), 20 * SECOND);
	clock_spend(&c, BLACK, 15 * SECOND);
	ck_assert_int_eq(c.side[BLACK].stones, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 25 * SECOND / 2);
	clock_spend(&c, BLACK, 5 * SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 20 * SECOND);
	clock_spend(&c, BLACK, SECOND);
	ck_assert_int_eq(c.side[BLACK].stones, 3);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	/* Main time used up exactly begins the first period. */
	clock_spend(&c, WHITE, 10 * SECOND);
	ck_assert_int_eq(c.side[WHITE].stones, 3);
	ck_assert_int_eq(c.side[WHITE].left, 30 * SECOND);
}
END_TEST

START_TEST(what_clients_tell)
{
	struct clock c;
	clock_init(&c);
	clock_set_left(&c, WHITE, 0.5, 2);
	ck_assert_int_eq(clock_budget(&c, WHITE, 20), SECOND / 4);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), TIME_NEVER);
	clock_set_left(&c, WHITE, -3, 0);
	ck_assert_int_eq(clock_budget(&c, WHITE, 20), 0);
	clock_set_left(&c, WHITE, 1e300, 0);
	ck_assert_int_gt(clock_budget(&c, WHITE, 20), SECOND);
	clock_set_game(&c, 2147483647, 2147483647, 1);
	ck_assert_int_gt(clock_budget(&c, BLACK, 1), SECOND);
	/* "0 0" where main time has just ended: the first period. */
	clock_set_game(&c, 60, 5, 1);
	clock_set_left(&c, BLACK, 0, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 5 * SECOND);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock");
	TCase *cases = tcase_create("clock");
	tcase_add_test(cases, no_clock);
	tcase_add_test(cases, fixed_time);
	tcase_add_test(cases, main_time_is_spread);
	tcase_add_test(cases, periods);
	tcase_add_test(cases, what_clients_tell);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
