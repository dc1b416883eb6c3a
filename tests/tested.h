/* SPDX-License-Identifier: MIT
 *
 * The games for tests that loop over games and compare searches with brute force: those in which no position can
 * repeat. A game with repetition needs its history for that, and has tests of its own.
 */
#ifndef TESTS_TESTED_H
#define TESTS_TESTED_H

#include "games/games.h"

/* Returns the i-th of them, NULL after the last. */
static inline const struct game *tested_game(int i)
{
	for (int g = 0; games[g]; g++)
		if (!games[g]->repeat_key && i-- == 0)
			return games[g];
	return NULL;
}

#endif
