/* SPDX-License-Identifier: MIT
 *
 * Playouts: random games that Monte Carlo searches play from a leaf. A game needs none of these functions: without them
 * searches play random legal steps. Each makes mcts faster or stronger, and any of them may be NULL.
 */
#ifndef ENGINE_RULES_PLAYOUTS_H
#define ENGINE_RULES_PLAYOUTS_H

#include "engine/rules/game.h"

#define PLAYOUTS_BATCH 8 /* games of a batch */
/* A random game of so many steps, of a game in which repeated positions are a draw, counts as a draw. */
#define PLAYOUT_STEPS  1000
#define TRACE_CODES    1024 /* traces know the step codes below */

/* What is known of a step before any playout: it counts as so many playouts with this mean result, -1 .. 1, for the side
 * that makes it. */
struct prior {
	float playouts, mean;
};

/* What happened in a playout. */
struct trace {
	/* The step codes that each side made before the other one did, as bit sets. */
	uint64_t made[2][TRACE_CODES / 64];
	/* Who owns each square at the end: 1 Black, -1 White, 0 nobody. Index row*cols+col. */
	int8_t owner[GAME_SQUARES_MAX];
};

/* `last` is the step that led to the state, or MOVE_NONE. */
struct playouts {
	/* Plays random steps to the end and returns Black's score. The state may be pending or over. Each legal
	 * step is equally likely, unless the game says otherwise. NULL: playout_generic() does it. */
	int (*uniform)(const struct game *, const struct state *, struct rng *);
	/* Plays PLAYOUTS_BATCH games at once. Each gives the score of playout_generic() with its own
	 * generator, seeded by the next number of `rng`. NULL: mcts plays one game at a time. */
	void (*batch)(const struct game *, const struct state *, struct rng *,
		      int8_t scores[PLAYOUTS_BATCH]);
	/* Plays like `uniform` and describes the game. The state is not over. NULL: the generic playout does it. */
	int (*trace)(const struct game *, const struct state *, struct rng *, struct trace *);
	/* A heavy playout: each side often answers the other's last step by a good one. Describes the game. The state is
	 * not over. NULL: the game knows no good steps. */
	int (*heavy)(const struct game *, const struct state *, move_t last, struct rng *,
		     struct trace *);
	/* Prior knowledge of some legal steps of a state. NULL: nothing is known of steps. */
	void (*prior)(const struct game *, const struct state *, move_t last, const move_t *steps,
		      int count, struct prior *out);
};

/* Plays random steps with moves() and play() to the end and returns Black's score. */
int playout_generic(const struct game *, const struct state *, struct rng *);

/* Plays a random game to its end, with `uniform` if the game has it. Returns Black's score. */
static inline int playout_uniform(const struct game *g, const struct state *s, struct rng *rng)
{
	return g->playouts && g->playouts->uniform ? g->playouts->uniform(g, s, rng)
						   : playout_generic(g, s, rng);
}

/* Plays a random game to its end and describes it, with `heavy` or `trace` if the game has them. Returns Black's
 * score. */
int playout_trace(const struct game *, const struct state *, struct rng *, struct trace *);

#endif
