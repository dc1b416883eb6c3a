/* SPDX-License-Identifier: MIT */
#include "engine/clock.h"

/* Longer than any game; keeps sums of times far from overflow. */
#define SECONDS_MAX 1e9

static int64_t from_seconds(double seconds)
{
	if (seconds <= 0)
		return 0;
	return (int64_t)((seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * 1e9);
}

void clock_init(struct clock *c)
{
	*c = (struct clock) { .main = TIME_NEVER, .move = TIME_NEVER };
	clock_restart(c);
}

void clock_set_game(struct clock *c, double main, double period, int stones)
{
	clock_init(c);
	if (period > 0 && stones == 0)
		return;
	c->main = from_seconds(main);
	c->period = from_seconds(period);
	c->period_stones = c->period ? stones : 0;
	clock_restart(c);
}

void clock_set_move(struct clock *c, double seconds)
{
	clock_init(c);
	c->move = from_seconds(seconds);
}

/* Begins a period of byo-yomi if main time is used up and there are periods. */
static void begin_period(struct clock *c, int side)
{
	if (c->side[side].left == 0 && c->side[side].stones == 0 && c->period_stones) {
		c->side[side].left = c->period;
		c->side[side].stones = c->period_stones;
	}
}

void clock_set_left(struct clock *c, int side, double seconds, int stones)
{
	c->side[side].left = from_seconds(seconds);
	c->side[side].stones = stones;
	begin_period(c, side);
}

void clock_restart(struct clock *c)
{
	for (int side = 0; side < 2; side++) {
		c->side[side].left = c->main;
		c->side[side].stones = 0;
		begin_period(c, side);
	}
}

int64_t clock_budget(const struct clock *c, int side, int moves_left)
{
	int64_t left = c->side[side].left, budget;
	if (left == TIME_NEVER)
		return c->move;
	if (c->side[side].stones) {
		budget = left / c->side[side].stones;
	} else {
		/* Games are usually shorter than they can be, and the early moves matter more: of n
		 * moves the next gets 1 / (3/4 n + 1) of main time, the last one half of the rest.
		 * Whoever runs out of main time still has his share of a period. */
		budget = left * 4 / (3 * moves_left + 4);
		if (c->period_stones)
			budget += c->period / c->period_stones;
	}
	return budget < c->move ? budget : c->move;
}

void clock_spend(struct clock *c, int side, int64_t used)
{
	int64_t left = c->side[side].left - used;
	int stones = c->side[side].stones;
	if (c->side[side].left == TIME_NEVER)
		return;
	if (left < 0 && stones == 0 && c->period_stones) {
		/* The move began in main time and ended in the first period. */
		left += c->period;
		stones = c->period_stones;
	}
	if (stones && --stones == 0) {
		left = c->period;
		stones = c->period_stones;
	}
	c->side[side].left = left > 0 ? left : 0;
	c->side[side].stones = stones;
	begin_period(c, side);
}
