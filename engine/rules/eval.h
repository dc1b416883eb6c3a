/* SPDX-License-Identifier: MIT
 *
 * Static evaluation: alphabeta sees beyond its depth, and mcts can look ahead instead of playing playouts. Without it only
 * the ends of games have values. Values are in hundredths of a point.
 */
#ifndef ENGINE_RULES_EVAL_H
#define ENGINE_RULES_EVAL_H

#include "engine/rules/game.h"

struct patterns;

/* The result of a search one step deep. */
struct best {
	move_t step;
	bool final; /* the value is exact: it does not depend on an evaluation */
	int value;  /* for the side to choose, in hundredths of a point */
};

struct eval {
	/* Black's expected final score. The state must not be over, and not be pending unless `pending` says so. Required. */
	int (*value)(const struct game *, const struct state *);
	bool pending; /* value() takes pending states: engine/evaluation/lookahead.h needs that if moves have several steps */
	/* Searches one step deep: finds the step with the best value for the side to choose. A value is the
	 * final score, or else value() clipped to -most .. most. The state must be neither over nor pending.
	 * best->step is tried first if it is legal. A value of `beta` or more is a cutoff. Returns the
	 * number of steps evaluated, or 0 if the side must pass or has more than `room` steps. NULL:
	 * searches evaluate the steps one by one. */
	int (*best)(const struct game *, const struct state *, int beta, int most, int room,
		    struct best *best);
	/* Standard deviation of the difference between the values of two searches with value(), of depth `shallow` and
	 * `deep` > shallow, in moves. NULL: unknown, so alphabeta does not use Multi-ProbCut. */
	int (*deviation)(const struct game *, const struct state *, int shallow, int deep);
	/* The learned weights, for tools/train. NULL: the evaluation has no patterns. */
	struct patterns *patterns;
};

/* The patterns of a game's evaluation, or NULL. */
static inline struct patterns *eval_patterns(const struct game *g)
{
	return g->eval ? g->eval->patterns : NULL;
}

#endif
