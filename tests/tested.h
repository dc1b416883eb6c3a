/* SPDX-License-Identifier: MIT
 *
 * The games for tests that loop over games and compare searches with brute force: those in which no position can
 * repeat. A game with repetition needs its history for that, and has tests of its own.
 */
#ifndef TESTS_TESTED_H
#define TESTS_TESTED_H

#include "engine/rules/images.h"
#include "engine/rules/tuning.h"
#include "tests/suite.h"

/* Returns true if a step moves a piece: such games have far more codes of steps than squares. */
static inline bool tested_pieces_move(const struct game *g)
{
	return g->steps.codes > 2 * g->board.rows * g->board.cols;
}

/* The smallest board of a game whose usual board is large, or whose pieces move: brute force ends there, and random games
 * come near a full board. */
static inline const struct game *tested_size(const struct game *g)
{
	const struct game *small = g;
	bool is_large = g->board.rows * g->board.cols > IMAGES_SQUARES || tested_pieces_move(g);
	for (int i = 0; is_large && g->sizes && g->sizes[i]; i++)
		if (g->sizes[i]->board.rows < small->board.rows)
			small = g->sizes[i];
	return small;
}

/* Returns the i-th of them, NULL after the last. */
static inline const struct game *tested_game(int i)
{
	for (int g = 0; games[g]; g++)
		if (!game_repeats(games[g]) && i-- == 0)
			return tested_size(games[g]);
	return NULL;
}

/* The simulations of a search of g: `number` of them, a tenth where a network evaluates, because an evaluation takes as long as
 * many playouts. */
static inline uint64_t tested_work(const struct game *g, int number)
{
	return (uint64_t)(tuning_of(g)->evaluator_cost ? (number + 9) / 10 : number);
}

#endif
