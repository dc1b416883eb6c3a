/* SPDX-License-Identifier: MIT */
#include "engine/search/clock.h"

/* Longer than any game; keeps sums of times far from overflow. */
#define SECONDS_MAX 1e9
#define MAIN_MAX    ((int64_t)SECONDS_MAX * 1000000000)
#define OVERHEAD    INT64_C(30000000) /* nanoseconds a move */

static int64_t from_seconds(double seconds)
{
	if (seconds <= 0)
		return 0;
	return (int64_t)((seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * 1e9);
}

void clock_init(struct clock *c)
{
	*c = (struct clock) { .main = TIME_NEVER, .main_max = MAIN_MAX, .move = TIME_NEVER };
	clock_restart(c);
}

void clock_set_canadian(struct clock *c, double main, double period, int stones)
{
	clock_init(c);
	if (period > 0 && stones == 0)
		return;
	c->main = from_seconds(main);
	c->period = from_seconds(period);
	c->period_stones = c->period ? stones : 0;
	clock_restart(c);
}

void clock_set_japanese(struct clock *c, double main, double period, int periods)
{
	bool has_periods = from_seconds(period) > 0 && periods > 0;
	clock_set_canadian(c, main, has_periods ? period : 0, has_periods);
	c->periods = has_periods ? periods : 0;
	clock_restart(c);
}

void clock_set_fischer(struct clock *c, double main, double increment, double main_max,
		       double move_max)
{
	clock_set_canadian(c, main, 0, 0);
	c->increment = from_seconds(increment);
	if (main_max >= 0)
		c->main_max = from_seconds(main_max);
	if (move_max >= 0)
		c->move = from_seconds(move_max);
}

void clock_set_move(struct clock *c, double seconds)
{
	clock_init(c);
	c->move = from_seconds(seconds);
}

/* Starts byo-yomi if there is any and main time is used up. */
static void begin_periods(struct clock *c, int side)
{
	if (c->side[side].left <= 0 && c->side[side].stones == 0 && c->period_stones) {
		c->side[side].left += c->period;
		c->side[side].stones = c->period_stones;
		c->side[side].periods = c->periods;
	}
}

void clock_set_left(struct clock *c, int side, double seconds, int count)
{
	int64_t left = from_seconds(seconds);
	if (c->period && left > c->period && count) {
		/* No period lasts so long: the rest is main time. */
		left -= c->period;
		count = 0;
	} else if (c->periods && left == 0 && count > 1) {
		/* The running period is used up. A late move costs the same as one within the next period. */
		left = c->period;
		count--;
	}
	bool is_japanese = c->periods && count;
	c->side[side].left = left;
	c->side[side].stones = c->increment ? 0 : is_japanese ? 1 : count;
	c->side[side].periods = is_japanese ? count : 0;
	begin_periods(c, side);
}

void clock_restart(struct clock *c)
{
	for (int side = 0; side < 2; side++) {
		c->side[side].left = c->main;
		c->side[side].stones = c->side[side].periods = 0;
		begin_periods(c, side);
	}
}

/* Returns the part of the time left that may pass beside the searches, in the client and on its way: it never comes
 * back. */
static int64_t overhead(int64_t left, int moves_left)
{
	return left / OVERHEAD / 4 > moves_left ? moves_left * OVERHEAD : left / 4;
}

int64_t clock_budget(const struct clock *c, int side, int moves_left)
{
	int64_t left = c->side[side].left, budget;
	if (left == TIME_NEVER)
		return c->move;
	if (c->side[side].stones) {
		budget = left / c->side[side].stones;
	} else {
		/* Most games end before the longest possible one, and early moves matter more. So the next
		 * of n moves gets 1 / (3/4 n + 1) of main time. With byo-yomi the budget adds one stone's
		 * share of a period, because that time remains after main time. */
		if (!c->period_stones && !c->increment)
			left -= overhead(left, moves_left);
		budget = left * 4 / (3 * (int64_t)moves_left + 4) + c->increment;
		if (c->period_stones)
			budget += c->period / c->period_stones;
		/* The increment is added after the move, so the budget must not use it now. */
		else if (budget > left - left / 8)
			budget = left - left / 8;
	}
	return budget < c->move ? budget : c->move;
}

/* Removes the Japanese periods that a late move has used up. */
static void use_up_periods(struct clock *c, int side)
{
	int64_t begun = (c->period - 1 - c->side[side].left) / c->period;
	int spare = c->side[side].periods - 1;
	spare = begun < spare ? (int)begun : spare;
	c->side[side].left += spare * c->period;
	c->side[side].periods -= spare;
}

void clock_spend(struct clock *c, int side, int64_t used)
{
	if (c->side[side].left == TIME_NEVER)
		return;
	c->side[side].left -= used;
	/* A move that started in main time may have ended in the first period. */
	if (c->side[side].left < 0)
		begin_periods(c, side);
	if (c->side[side].left < 0 && c->side[side].periods)
		use_up_periods(c, side);
	if (c->side[side].left < 0)
		c->side[side].left = 0;
	if (c->side[side].stones && --c->side[side].stones == 0) {
		c->side[side].left = c->period;
		c->side[side].stones = c->period_stones;
	} else if (c->side[side].stones == 0) {
		c->side[side].left += c->increment;
		if (c->side[side].left > c->main_max)
			c->side[side].left = c->main_max;
		begin_periods(c, side);
	}
}
