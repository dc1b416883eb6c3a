/* SPDX-License-Identifier: MIT
 *
 * Goals: results of a part of the board, solved as games of their own.
 */
#ifndef ENGINE_RULES_GOALS_H
#define ENGINE_RULES_GOALS_H

#include "engine/rules/game.h"

struct goals {
	/* Begins the goal of capturing the stones on a square, row*cols+col with row 0 at the top, as a game of its
	 * own: returns its rules and sets *goal. The side of the stones defends them. Both sides play only on
	 * the `count` squares of `area`, or pass; count 0: the game finds an area that makes the result true for the
	 * whole board. *goal is over if nothing is left to play. Returns NULL, with the reason in *why, if there is
	 * no such goal. NULL: the game itself is a goal. */
	const struct game *(*capture)(const struct game *, const struct state *, int square,
				      const int *area, int count, struct state *goal,
				      const char **why);
	/* For a goal whose draw decides nothing: the same goal in rules without such draws, which take longer. NULL:
	 * a draw is a result. */
	const struct game *(*decide)(const struct game *, const struct state *,
				     struct state *exact);
};

/* Returns true if a game has goals. */
static inline bool goals_exist(const struct game *g)
{
	return g->goals && g->goals->capture;
}

#endif
