/* SPDX-License-Identifier: MIT
 *
 * What the network for any board sees besides the stones, and what it learns besides the result
 * (engine/evaluation/board_net.h). Each part may be missing.
 */
#ifndef ENGINE_RULES_NETWORK_H
#define ENGINE_RULES_NETWORK_H

#include "engine/rules/game.h"

#define NETWORK_PLANES 5 /* bits of a square that `planes` sets */

struct network {
	/* Input planes: for each square, row by row, NETWORK_PLANES bits for what the stones do not tell, or what its
	 * layers hardly find. A symmetry of the board carries them along. Other pieces than each side's first set bits, too:
	 * those of one name the highest bit, the next name the one below it. NULL: nothing. */
	void (*planes)(const struct game *, const struct state *, uint8_t planes[GAME_SQUARES_MAX]);
	/* Returns the square of a step, row by row, and sets its way to be played there, 0 .. ways-1. `planes` must show the steps
	 * of an unfinished move. NULL: moves have one step. */
	int (*place)(const struct game *, move_t step, int *way);
	int ways;
	/* What the planes cannot show: is added to a network's value for the side to move, before tanh. NULL: nothing. */
	float (*surplus)(const struct game *, const struct state *);
	/* Lines of stones matter: the network sees each square's lines (engine/evaluation/lines.h). */
	bool lines;
	/* Sets the owner of each square at the end of a game, row by row: 1 Black, -1 White, 0 nobody. The network learns
	 * it, so that a game teaches more than who won. NULL: squares have no owners. */
	void (*owners)(const struct game *, const struct state *, int8_t owners[GAME_SQUARES_MAX]);
};

/* Returns true if the network of a game sees lines. */
static inline bool network_has_lines(const struct game *g)
{
	return g->network && g->network->lines;
}

/* Returns true if the squares of a game have owners. */
static inline bool network_has_owners(const struct game *g)
{
	return g->network && g->network->owners;
}

#endif
