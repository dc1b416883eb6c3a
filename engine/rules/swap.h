/* SPDX-License-Identifier: MIT
 *
 * The swap, or pie rule: instead of the game's second move White may take over Black's first one.
 */
#ifndef ENGINE_RULES_SWAP_H
#define ENGINE_RULES_SWAP_H

#include "engine/rules/game.h"

#define SWAP_TEXT "SWAP-PIECES"

struct swap {
	move_t step; /* the code of the swap */
	/* Allows or forbids the swap. It is part of the position's key as long as it may come. Once it cannot, nothing
	 * changes. `start` and `setup` forbid it. */
	void (*allow)(const struct game *, struct state *, bool allowed);
};

/* The code of the swap, MOVE_NONE if the game has none. */
static inline move_t swap_step(const struct game *g)
{
	return g->swap ? g->swap->step : MOVE_NONE;
}

#endif
