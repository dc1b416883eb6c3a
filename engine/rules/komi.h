/* SPDX-License-Identifier: MIT
 *
 * Komi, the points that White gets at the end, and handicap stones. All are required. Komi is part of the position's key.
 */
#ifndef ENGINE_RULES_KOMI_H
#define ENGINE_RULES_KOMI_H

#include "engine/rules/game.h"

struct komi {
	/* Sets komi, in half points. Returns false, and changes nothing, if the value is too large. */
	bool (*set)(const struct game *, struct state *, int half_points);
	int (*get)(const struct game *, const struct state *);
	/* The squares of a handicap of `count` >= 2 stones of Black, row*cols+col with row 0 at the top. Returns
	 * their number, which is smaller if the board has no place for so many, and 0 if it has for none. */
	int (*handicap)(const struct game *, int count, int squares[GAME_SQUARES_MAX]);
};

#endif
