/* SPDX-License-Identifier: MIT
 *
 * The game clock of both sides, and what one move may cost of it. Times are nanoseconds; a side without
 * a clock has TIME_NEVER.
 *
 * Main time runs first; when it is used up, periods of byo-yomi follow, each of some seconds for some
 * stones. A fixed time a move replaces the game clock and is replaced by it.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include <stdint.h>

#include "engine/control.h"

struct clock {
	int64_t main, period; /* of a game; main is TIME_NEVER if there is no game clock */
	int period_stones;    /* stones to be played in one period, 0: there is no byo-yomi */
	int64_t move;         /* fixed time a move, or TIME_NEVER */
	struct {
		int64_t left; /* of main time, or of the period once that runs */
		int stones;   /* yet to be played in the running period, 0: main time runs */
	} side[2];
};

/* No clock of any kind. */
void clock_init(struct clock *);

/* GTP's time_settings in seconds, >= 0: a period > 0 without stones means no clock, all zero no time
 * at all. Both sides have their full time. */
void clock_set_game(struct clock *, double main, double period, int stones);

/* A fixed time for every move, seconds >= 0. */
void clock_set_move(struct clock *, double seconds);

/* GTP's time_left: seconds (below 0 as 0), and stones yet to be played in them, 0: it is main time. */
void clock_set_left(struct clock *, int side, double seconds, int stones);

/* A new game under the same settings. */
void clock_restart(struct clock *);

/* What `side` may spend on its next move, of which it expects `moves_left` >= 1 more: never more than
 * it has; TIME_NEVER without a clock. */
int64_t clock_budget(const struct clock *, int side, int moves_left);

/* Takes the time of a move from the side's clock. */
void clock_spend(struct clock *, int side, int64_t used);

#endif
