/* SPDX-License-Identifier: MIT
 *
 * Estimates by random games, and by an evaluator that knows owners, for a position and for the positions after its best
 * moves. They give reports the scores that the search does not know, and the owners of the squares. Only for games with traces of playouts.
 */
#ifndef ENGINE_EVALUATION_OUTLOOK_H
#define ENGINE_EVALUATION_OUTLOOK_H

#include "engine/estimate.h"

#define OUTLOOK_MOVES 10 /* most moves with an estimate of their own */

struct outlook {
	const struct game *game;
	struct state now;
	uint64_t seed;
	struct estimate position;
	int count;
	struct move moves[OUTLOOK_MOVES];
	/* When they were asked for last: the number of the question. */
	uint64_t used[OUTLOOK_MOVES], questions;
	struct estimate after[OUTLOOK_MOVES];
};

/* Estimates a position. It takes some dozen milliseconds on the largest board. */
void outlook_init(struct outlook *, const struct game *, const struct state *, uint64_t seed);

/* The estimate of the position after a legal move. It is kept until OUTLOOK_MOVES other moves have been asked for. */
const struct estimate *outlook_after(struct outlook *, struct move);

/* Returns Black's expected score, in points: `score` if it is known, else the score of the random games moved to the
 * share of the wins, 0 .. 1, that the side to move expects. NAN without a score if there is no outlook (NULL), or if the
 * game counts no points. */
double outlook_score(const struct outlook *, double score, double share);

#endif
