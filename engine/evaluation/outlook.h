/* SPDX-License-Identifier: MIT
 *
 * Estimates by an evaluator that knows owners, else by random games, for a position and for the positions after its best
 * moves. They give reports the scores that the search does not know, and the owners of the squares. Only for games with
 * traces of playouts. Nothing is estimated before it is asked for.
 */
#ifndef ENGINE_EVALUATION_OUTLOOK_H
#define ENGINE_EVALUATION_OUTLOOK_H

#include "engine/evaluation/estimate.h"

#define OUTLOOK_MOVES 10 /* most moves with an estimate of their own */

struct outlook {
	const struct game *game;
	struct state now;
	uint64_t seed;
	int games; /* random games of an estimate at most */
	bool is_estimated;
	struct estimate position; /* if it is estimated */
	int count;
	struct move moves[OUTLOOK_MOVES];
	/* When they were asked for last: the number of the question. */
	uint64_t used[OUTLOOK_MOVES], questions;
	struct estimate after[OUTLOOK_MOVES];
};

/* Begins the outlook of a position that was searched with so many visits: an estimate costs no more than they do. */
void outlook_init(struct outlook *, const struct game *, const struct state *, uint64_t visits,
		  uint64_t seed);

/* The estimate of the position. It is made once; by random games it takes some dozen milliseconds on the largest board. */
const struct estimate *outlook_position(struct outlook *);

/* The estimate of the position after a legal move. It is kept until OUTLOOK_MOVES other moves have been asked for. */
const struct estimate *outlook_after(struct outlook *, struct move);

/* Returns Black's expected score, in points: `score` if it is known, else the estimated score moved to the
 * share of the wins, 0 .. 1, that the side to move expects. NAN without a score if there is no outlook (NULL), or if the
 * game counts no points. */
double outlook_score(struct outlook *, double score, double share);

#endif
