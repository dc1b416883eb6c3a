/* SPDX-License-Identifier: MIT
 *
 * The state of Gomoku, which the rules and the board of threats share.
 *
 * Each row of a set of squares has size + 1 bits; the last one is empty, so that lines do not run on into the next row.
 * A shift by 1, size, size + 1 or size + 2 bits moves a set along one of the four directions. A step is row*size+col,
 * row 0 at the top.
 */
#ifndef GAMES_GOMOKU_GOMOKU_H
#define GAMES_GOMOKU_GOMOKU_H

#include "engine/rules/game.h"

enum {
	GOMOKU_SIZE_MIN = 5,
	GOMOKU_SIZE_MAX = 20,
	GOMOKU_SQUARES_MAX = GOMOKU_SIZE_MAX * GOMOKU_SIZE_MAX,
	GOMOKU_WORDS = 7, /* of a set of squares */
	GOMOKU_DIRECTIONS = 4,
	GOMOKU_ROW = 5, /* the stones of a row that wins */
};

_Static_assert(GOMOKU_SIZE_MAX *(GOMOKU_SIZE_MAX + 1) <= 64 * GOMOKU_WORDS, "a set has room");
_Static_assert(2 + 2 * GOMOKU_WORDS <= STATE_WORDS, "a state has room for the keys and both sides");

/* state.board: two hashes of the stones, the size and the rules; then the stones of Black and White. */
#define GOMOKU_STONES(side) (2 + GOMOKU_WORDS * (side))

/* state.stones: the size, and the rules. */
#define GOMOKU_RULES        5 /* the first bit of the rules */
#define GOMOKU_SIZE         0x1f

enum gomoku_rules {
	GOMOKU_FREESTYLE, /* five or more in a row win */
	GOMOKU_STANDARD,  /* exactly five win, more do not */
	GOMOKU_RENJU,     /* Black: exactly five, and squares are forbidden; White: five or more */
	GOMOKU_RULE_SETS
};

static inline int gomoku_size(const struct state *s)
{
	return s->stones & GOMOKU_SIZE;
}

static inline enum gomoku_rules gomoku_rules(const struct state *s)
{
	return s->stones >> GOMOKU_RULES;
}

/* Returns true if exactly five stones of a side win. */
static inline bool gomoku_exact(const struct state *s, int side)
{
	const enum gomoku_rules rules = gomoku_rules(s);
	return rules == GOMOKU_STANDARD || (rules == GOMOKU_RENJU && side == BLACK);
}

/* The step of a bit. */
extern uint16_t gomoku_steps[GOMOKU_SIZE_MAX + 1][64 * GOMOKU_WORDS];

#endif
