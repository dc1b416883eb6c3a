/* SPDX-License-Identifier: MIT
 *
 * The game clock of both sides, and what one move may cost of it. Times are nanoseconds; a side without
 * a clock has TIME_NEVER.
 *
 * Main time runs first; when it is used up, periods of byo-yomi follow. There are two kinds: Canadian
 * ones each last for some stones, and never run out; of Japanese ones there is a number, and a move that
 * ends within its period uses none of them up. By Fischer's clock main time grows with every move
 * instead. A fixed time a move replaces the game clock and is replaced by it.
 *
 * Who has run out of time plays on for clients that do not mind: in the last period, begun anew.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include <stdint.h>

#include "engine/control.h"

struct clock {
	int64_t main, period; /* of a game; main is TIME_NEVER if there is no game clock */
	int period_stones;    /* stones to be played in one period, 0: there is no byo-yomi */
	int periods;          /* Japanese ones, each of one stone; 0: their number has no end */
	int64_t increment;    /* comes to main time after each move, */
	int64_t main_max;     /* which does not grow above this */
	int64_t move;         /* most for one move, or TIME_NEVER */
	struct {
		int64_t left; /* of main time, or of the period once that runs */
		int stones;   /* yet to be played in the running period, 0: main time runs */
		int periods;  /* Japanese ones, with the running one */
	} side[2];
};

/* No clock of any kind. */
void clock_init(struct clock *);

/* Main time, then Canadian byo-yomi, as GTP's time_settings, in seconds >= 0: a period > 0 without stones
 * means no clock, all zero no time at all. Here and below both sides get their full time. */
void clock_set_canadian(struct clock *, double main, double period, int stones);

/* Main time, then so many Japanese periods; seconds >= 0. No periods, or empty ones: main time only. */
void clock_set_japanese(struct clock *, double main, double period, int periods);

/* Main time that grows by `increment` after each move, but not above `main_max`; no move may take more
 * than `move_max`. Seconds >= 0, of the last two < 0: no such limit. */
void clock_set_fischer(struct clock *, double main, double increment, double main_max,
		       double move_max);

/* A fixed time for every move, seconds >= 0. */
void clock_set_move(struct clock *, double seconds);

/* GTP's time_left: seconds (below 0 as 0), and 0 in main time, or else stones yet to be played in them, or
 * of Japanese periods how many are left. */
void clock_set_left(struct clock *, int side, double seconds, int count);

/* A new game under the same settings. */
void clock_restart(struct clock *);

/* What `side` may spend on its next move, of which it expects `moves_left` >= 1 more: never more than
 * it has, nor of Japanese periods more than the running one, so that the others are there for a move that
 * comes late; TIME_NEVER without a clock. */
int64_t clock_budget(const struct clock *, int side, int moves_left);

/* Takes the time of a move from the side's clock. */
void clock_spend(struct clock *, int side, int64_t used);

#endif
