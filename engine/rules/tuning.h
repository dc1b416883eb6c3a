/* SPDX-License-Identifier: MIT
 *
 * The default search of a game and its constants, found by measurement.
 */
#ifndef ENGINE_RULES_TUNING_H
#define ENGINE_RULES_TUNING_H

#include "engine/rules/game.h"

struct tuning {
	const char *search; /* name of the default search: the strongest one in equal time */
	/* Defaults of the options of mcts with playouts; exploration 0: that of most games. */
	double exploration, rave;
	int expansion; /* visits before a leaf gets children; 0: 1 */
	double proving; /* union: df-pn nodes per simulation; 0: that of most games. Less where a node costs more */
	int evaluator_cost; /* a simulation with the evaluator takes so many times the work of one without; 0: as much */
	/* Whole moves of both sides in a usual game between good players, for the division of the clock. 0: the board is filled. */
	int usual_length;
	/* The Elo of levels 1 to LEVEL_MAX (engine/search/level.h), measured by tools/experiments levels. NULL: unknown. */
	const int16_t *ratings;
};

/* The tuning of a game; mcts without constants if it has none. */
static inline const struct tuning *tuning_of(const struct game *g)
{
	static const struct tuning none = { .search = "mcts" };
	return g->tuning ? g->tuning : &none;
}

/* The number of simulations with the game's evaluator that take about the work of `simulations` without it. */
static inline int64_t tuning_evaluator_work(const struct game *g, int64_t simulations)
{
	int cost = tuning_of(g)->evaluator_cost;
	return cost ? simulations / cost : simulations;
}

#endif
