/* SPDX-License-Identifier: MIT
 *
 * The board of Connect Four, which the rules, the solver and its tests share.
 *
 * A set of squares has 7 bits for each column, from the left; bit 7*column + height is the square at a
 * height, 0 .. 5 from the bottom. The seventh bit of a column is empty, so that rows of four do not run on
 * into the next column. A shift by 1, 6, 7 or 8 bits moves a set up, down to the right, to the right or up
 * to the right.
 */
#ifndef GAMES_CONNECTFOUR_CONNECTFOUR_H
#define GAMES_CONNECTFOUR_CONNECTFOUR_H

#include "engine/rules/game.h"
#include "engine/rules/solver.h"

enum { C4_COLS = 7, C4_ROWS = 6, C4_PITCH = 7, C4_SQUARES = 42 };

#define C4_SCORE_MAX 18 /* of a win with the seventh or eighth disc (game_worth()) */

#define C4_BOTTOM    UINT64_C(0x40810204081) /* the lowest square of each column */
#define C4_COLUMN    UINT64_C(0x3f)          /* the squares of the first column */
#define C4_BOARD     (C4_BOTTOM * C4_COLUMN)

/* The score of the side that wins with so many squares left empty. */
static inline int c4_score(int empties)
{
	return empties / 2 + 1;
}

/* The squares on which a disc can land. `all`: the discs of both sides. */
static inline uint64_t c4_landing(uint64_t all)
{
	return (all + C4_BOTTOM) & C4_BOARD;
}

/* Returns true if a set has four in a row. */
static inline bool c4_has_four(uint64_t set)
{
	uint64_t up = set & set >> 1, down = set & set >> 6;
	uint64_t right = set & set >> 7, rising = set & set >> 8;
	return (up & up >> 2) | (down & down >> 12) | (right & right >> 14) |
	       (rising & rising >> 16);
}

/* The squares in one direction that make a set four in a row. */
static inline uint64_t c4_fourths(uint64_t set, int by)
{
	uint64_t lower = set << by & set << 2 * by, upper = set >> by & set >> 2 * by;
	return (lower & (set << 3 * by | set >> by)) | (upper & (set >> 3 * by | set << by));
}

/* The empty squares that complete four in a row for a side. `own`: its discs. A column has no square to
 * fill below a disc, so upright rows can only grow at their top. */
static inline uint64_t c4_threats(uint64_t own, uint64_t all)
{
	uint64_t up = own << 1 & own << 2 & own << 3;
	return (up | c4_fourths(own, 6) | c4_fourths(own, 7) | c4_fourths(own, 8)) &
	       (C4_BOARD ^ all);
}

/* The landing squares that do not lose at once; `all`: the discs of both sides, `threats`: the squares that
 * complete four for the other side. The side to move must have no immediate win. A threat on a landing
 * square must be blocked, and a disc must not be placed below a threat. */
static inline uint64_t c4_safe(uint64_t all, uint64_t threats)
{
	uint64_t landing = c4_landing(all), forced = landing & threats;
	if (forced & (forced - 1))
		return 0;
	return (forced ? forced : landing) & ~(threats >> 1);
}

extern const struct solver connectfour_solver;

#endif
