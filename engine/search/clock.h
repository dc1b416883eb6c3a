/* SPDX-License-Identifier: MIT
 *
 * The game clocks of both sides, and the time budget of a move. Times are in nanoseconds. A side without a
 * clock has TIME_NEVER. A clock has no lock: its owner calls these functions from one thread at a time.
 *
 * Main time runs first. Periods of byo-yomi follow, of one of two kinds. A Canadian period lasts for a
 * number of stones, and there is no limit to the number of periods. The number of Japanese periods is
 * limited; a move that ends within its period uses none up. With a Fischer clock main time grows after
 * every move instead. A fixed time per move replaces the game clock, and a game clock replaces a fixed time
 * per move.
 *
 * A side that has run out of time may play on, because some clients allow it. Its last period then starts
 * again.
 */
#ifndef ENGINE_SEARCH_CLOCK_H
#define ENGINE_SEARCH_CLOCK_H

#include <stdint.h>

#include "engine/search/common/control.h"

struct clock {
	int64_t main, period; /* settings; main is TIME_NEVER if there is no game clock */
	int period_stones;    /* stones per period, 0: no byo-yomi */
	int periods;          /* Japanese periods, of one stone each; 0: Canadian, without limit */
	int64_t increment;    /* added to main time after each move */
	int64_t main_max;     /* upper limit of main time with increments */
	int64_t move;         /* time limit of one move, or TIME_NEVER */
	struct {
		int64_t left; /* of main time, or of the running period */
		int stones;   /* stones left in the running period, 0: main time is running */
		int periods;  /* Japanese periods left, including the running one */
	} side[2];
};

/* Sets no clock and no time per move. */
void clock_init(struct clock *);

/* Sets main time and Canadian byo-yomi, as GTP's time_settings does. Seconds >= 0. A period > 0 with stones
 * 0 means no clock; all three 0 mean no time at all. This and the next three functions restart the clocks
 * of both sides. */
void clock_set_canadian(struct clock *, double main, double period, int stones);

/* Sets main time and Japanese byo-yomi with a number of periods. Seconds >= 0. Main time only if period or
 * periods is 0. */
void clock_set_japanese(struct clock *, double main, double period, int periods);

/* Sets a Fischer clock: main time grows by `increment` after each move, up to `main_max`. A move may take
 * at most `move_max`. Seconds >= 0; main_max or move_max < 0: no limit. */
void clock_set_fischer(struct clock *, double main, double increment, double main_max,
		       double move_max);

/* Sets a fixed time for every move. Seconds >= 0. */
void clock_set_move(struct clock *, double seconds);

/* Sets the time that a side has left, as GTP's time_left does. seconds < 0 counts as 0. `count` is 0 in
 * main time, else the number of stones left in the period; with Japanese byo-yomi, the number of periods
 * left. What is above the period counts as main time. If no second is left of a Japanese period, the next one runs,
 * unless it was the last. */
void clock_set_left(struct clock *, int side, double seconds, int count);

/* Restarts the clocks of both sides for a new game with the same settings. */
void clock_restart(struct clock *);

/* The time budget of the next move of `side`, which expects to make `moves_left` >= 1 more moves. It is at
 * most the time left. With Japanese byo-yomi it uses at most the running period, so the others remain for a
 * late move. TIME_NEVER without a clock. */
int64_t clock_budget(const struct clock *, int side, int moves_left);

/* Subtracts the time of a move from the side's clock. */
void clock_spend(struct clock *, int side, int64_t used);

#endif
