/* SPDX-License-Identifier: MIT
 * The game clock: settings, main time, byo-yomi of both kinds, Fischer's increments; budgets that never
 * exceed what is left.
 */
#include "engine/search/clock.h"
#include "tests/suite.h"

#define SECOND INT64_C(1000000000)

START_TEST(no_clock)
{
	struct clock c;
	clock_init(&c);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), TIME_NEVER);
	clock_set_canadian(&c, 0, 1, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), TIME_NEVER);
	clock_set_canadian(&c, 0, 0, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 0);
	clock_spend(&c, BLACK, SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 0);
}
END_TEST

START_TEST(fixed_time)
{
	struct clock c;
	clock_init(&c);
	clock_set_canadian(&c, 300, 0, 0);
	clock_set_move(&c, 2.5);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), 5 * SECOND / 2);
	clock_spend(&c, WHITE, 100 * SECOND);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), 5 * SECOND / 2);
	/* The time that a client reports overrides the clock. */
	clock_set_left(&c, WHITE, 1, 1);
	ck_assert_int_eq(clock_budget(&c, WHITE, 10), SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 10), 5 * SECOND / 2);
	clock_set_canadian(&c, 0, 5, 1);
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
	clock_set_canadian(&c, 60, 0, 0);
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
	clock_set_canadian(&c, 10, 30, 3);
	/* A share of main time and of the period after it. */
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
	/* When main time is used up exactly, the first period begins. */
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
	clock_set_canadian(&c, 2147483647, 2147483647, 1);
	ck_assert_int_gt(clock_budget(&c, BLACK, 1), SECOND);
	/* More than a period: the rest is main time, whether a period is for one stone or several. */
	clock_set_canadian(&c, 0, 30, 1);
	clock_set_left(&c, BLACK, 330, 1);
	ck_assert_int_eq(clock_budget(&c, BLACK, 12), (300 / 10 + 30) * SECOND);
	clock_set_canadian(&c, 0, 30, 5);
	clock_set_left(&c, BLACK, 330, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 12), (300 / 10 + 6) * SECOND);
	clock_set_left(&c, BLACK, 30, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 12), 15 * SECOND);
	/* "0 0" when main time has just ended means the first period. */
	clock_set_canadian(&c, 60, 5, 1);
	clock_set_left(&c, BLACK, 0, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 5 * SECOND);
}
END_TEST

/* Five periods: a move that ends within its period uses up none. */
START_TEST(japanese_periods)
{
	struct clock c;
	clock_init(&c);
	clock_set_japanese(&c, 60, 10, 5);
	/* A share of main time and the period that follows it. */
	ck_assert_int_gt(clock_budget(&c, BLACK, 20), 10 * SECOND);
	ck_assert_int_le(clock_budget(&c, BLACK, 1), 70 * SECOND);
	clock_spend(&c, BLACK, 50 * SECOND);
	ck_assert_int_eq(c.side[BLACK].left, 10 * SECOND);
	ck_assert_int_eq(c.side[BLACK].stones, 0);
	/* Started in main time, ended in the first period. */
	clock_spend(&c, BLACK, 20 * SECOND);
	ck_assert_int_eq(c.side[BLACK].stones, 1);
	ck_assert_int_eq(c.side[BLACK].periods, 5);
	ck_assert_int_eq(c.side[BLACK].left, 10 * SECOND);
	/* The whole period, but not the spare ones. */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
		clock_spend(&c, BLACK, 10 * SECOND);
	}
	ck_assert_int_eq(c.side[BLACK].periods, 5);
	clock_spend(&c, BLACK, 10 * SECOND + 1);
	ck_assert_int_eq(c.side[BLACK].periods, 4);
	clock_spend(&c, BLACK, 30 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	/* Time is up, but the client lets the player continue. */
	clock_spend(&c, BLACK, 100 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 1);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	clock_spend(&c, BLACK, 1000000000 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 1);
	ck_assert_int_eq(c.side[WHITE].left, 60 * SECOND);
	clock_restart(&c);
	ck_assert_int_eq(c.side[BLACK].left, 60 * SECOND);
	/* Main time used up exactly, and overrun by two and a half periods. */
	clock_spend(&c, BLACK, 60 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 5);
	ck_assert_int_eq(c.side[BLACK].left, 10 * SECOND);
	clock_spend(&c, WHITE, 85 * SECOND);
	ck_assert_int_eq(c.side[WHITE].periods, 3);
	ck_assert_int_eq(c.side[WHITE].left, 10 * SECOND);
}
END_TEST

START_TEST(japanese_periods_that_clients_tell)
{
	struct clock c;
	clock_init(&c);
	clock_set_japanese(&c, 0, 10, 3);
	ck_assert_int_eq(c.side[BLACK].periods, 3);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	/* The last number is the number of periods left, not stones that share the time. */
	clock_set_left(&c, BLACK, 7.5, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 15 * SECOND / 2);
	clock_spend(&c, BLACK, 8 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 1);
	ck_assert_int_eq(c.side[BLACK].left, 10 * SECOND);
	clock_set_left(&c, BLACK, 5, 0);
	ck_assert_int_gt(clock_budget(&c, BLACK, 20), 10 * SECOND);
	ck_assert_int_le(clock_budget(&c, BLACK, 1), 15 * SECOND);
	clock_set_left(&c, BLACK, 0, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 3);
	/* A period that is used up costs no more if the move takes the next one. */
	clock_set_left(&c, BLACK, 0, 2);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	ck_assert_int_eq(c.side[BLACK].periods, 1);
	clock_set_left(&c, BLACK, 0, 1);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 0);
	clock_set_left(&c, BLACK, -5, 2147483647);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 10 * SECOND);
	/* Main time and periods told together: only a share of the main time is spent on one move. */
	clock_set_left(&c, BLACK, 310, 3);
	ck_assert_int_eq(clock_budget(&c, BLACK, 12), (300 / 10 + 10) * SECOND);
	clock_spend(&c, BLACK, 100 * SECOND);
	ck_assert_int_eq(c.side[BLACK].left, 200 * SECOND);
	/* No periods, or empty ones. */
	clock_set_japanese(&c, 30, 10, 0);
	ck_assert_int_lt(clock_budget(&c, WHITE, 1), 30 * SECOND);
	clock_spend(&c, WHITE, 40 * SECOND);
	ck_assert_int_eq(clock_budget(&c, WHITE, 1), 0);
	clock_set_japanese(&c, 30, 0, 3);
	clock_spend(&c, WHITE, 40 * SECOND);
	ck_assert_int_eq(clock_budget(&c, WHITE, 1), 0);
	clock_set_japanese(&c, 1e300, 1e300, 2147483647);
	ck_assert_int_gt(clock_budget(&c, WHITE, 1), SECOND);
	clock_spend(&c, WHITE, 2000000000 * SECOND);
	ck_assert_int_gt(clock_budget(&c, WHITE, 1), SECOND);
}
END_TEST

/* Main time lasts for the whole game, and the increments are used. */
START_TEST(increments)
{
	struct clock c;
	int64_t left = 60 * SECOND, last = 2 * left;
	clock_init(&c);
	clock_set_fischer(&c, 60, 5, -1, -1);
	for (int moves = 60; moves >= 1; moves--) {
		int64_t budget = clock_budget(&c, WHITE, moves);
		ck_assert_int_le(budget, left);
		ck_assert_int_ge(budget, 5 * SECOND);
		ck_assert_int_le(budget, last);
		last = budget;
		clock_spend(&c, WHITE, budget);
		left += 5 * SECOND - budget;
		ck_assert_int_eq(c.side[WHITE].left, left);
	}
	ck_assert_int_lt(left, 10 * SECOND);
	/* The increment is added after the next move. */
	clock_set_left(&c, WHITE, 1, 0);
	ck_assert_int_gt(clock_budget(&c, WHITE, 20), SECOND / 2);
	ck_assert_int_lt(clock_budget(&c, WHITE, 20), SECOND);
	clock_spend(&c, WHITE, 2 * SECOND);
	ck_assert_int_eq(c.side[WHITE].left, 5 * SECOND);
	clock_set_left(&c, WHITE, -1, 0);
	ck_assert_int_eq(clock_budget(&c, WHITE, 20), 0);
	/* No stones share the time. */
	clock_set_left(&c, WHITE, 10, 5);
	ck_assert_int_gt(clock_budget(&c, WHITE, 20), 5 * SECOND);
	clock_restart(&c);
	ck_assert_int_eq(c.side[WHITE].left, 60 * SECOND);
	/* Without main time the first move must be made at once. */
	clock_set_fischer(&c, 0, 5, -1, -1);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 0);
	clock_spend(&c, BLACK, 0);
	ck_assert_int_gt(clock_budget(&c, BLACK, 20), 4 * SECOND);
	clock_set_fischer(&c, 10, 0, -1, -1);
	clock_spend(&c, BLACK, 11 * SECOND);
	ck_assert_int_eq(clock_budget(&c, BLACK, 20), 0);
	clock_set_fischer(&c, 1e300, 1e300, -1, -1);
	for (int i = 0; i < 100; i++)
		clock_spend(&c, BLACK, SECOND);
	ck_assert_int_gt(c.side[BLACK].left, SECOND);
	ck_assert_int_gt(clock_budget(&c, BLACK, 1), SECOND);
}
END_TEST

START_TEST(capped_increments)
{
	struct clock c;
	clock_init(&c);
	clock_set_fischer(&c, 60, 10, 65, 3);
	ck_assert_int_eq(clock_budget(&c, BLACK, 5), 3 * SECOND);
	clock_spend(&c, BLACK, 3 * SECOND);
	ck_assert_int_eq(c.side[BLACK].left, 65 * SECOND);
	clock_spend(&c, BLACK, 20 * SECOND);
	ck_assert_int_eq(c.side[BLACK].left, 55 * SECOND);
	clock_set_fischer(&c, 60, 10, 65, -1);
	ck_assert_int_gt(clock_budget(&c, BLACK, 5), 10 * SECOND);
	clock_set_fischer(&c, 60, 10, -1, 0);
	ck_assert_int_eq(clock_budget(&c, BLACK, 5), 0);
	/* A new setting forgets the old one. */
	clock_set_canadian(&c, 60, 0, 0);
	ck_assert_int_gt(clock_budget(&c, BLACK, 5), 3 * SECOND);
	clock_spend(&c, BLACK, 10 * SECOND);
	ck_assert_int_eq(c.side[BLACK].left, 50 * SECOND);
}
END_TEST

/* Whatever the clock shows, a budget is never more than that; odd numbers of moves do no harm. */
START_TEST(budgets_stay_within_the_clock)
{
	static const double times[] = { 0, 1e-9, 0.001, 1, 59.5, 3600, 1e9, 1e18 };
	enum { COUNT = sizeof times / sizeof times[0] };
	for (int i = 0; i < COUNT * COUNT * 3; i++) {
		double main = times[i % COUNT], extra = times[i / COUNT % COUNT];
		int kind = i / COUNT / COUNT;
		struct clock c;
		clock_init(&c);
		if (kind == 0)
			clock_set_canadian(&c, main, extra, 7);
		else if (kind == 1)
			clock_set_japanese(&c, main, extra, 2);
		else
			clock_set_fischer(&c, main, extra, -1, -1);
		for (int move = 0; move < 40; move++) {
			static const int moves_left[] = { 1, 2, 30, 2147483647 };
			bool is_main = c.side[BLACK].stones == 0;
			int64_t most = c.side[BLACK].left + (is_main ? c.period : 0);
			int64_t budget = clock_budget(&c, BLACK, moves_left[move % 4]);
			ck_assert_int_ge(budget, 0);
			ck_assert_int_le(budget, most);
			/* Late at times, even by far. */
			clock_spend(&c, BLACK, move % 5 == 4 ? 3 * budget + SECOND : budget);
			ck_assert_int_ge(c.side[BLACK].left, 0);
		}
	}
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
	tcase_add_test(cases, japanese_periods);
	tcase_add_test(cases, japanese_periods_that_clients_tell);
	tcase_add_test(cases, increments);
	tcase_add_test(cases, capped_increments);
	tcase_add_test(cases, budgets_stay_within_the_clock);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
