/* SPDX-License-Identifier: MIT
 *
 * What random games from a position tell about its score and its squares. Any thread.
 */
#ifndef ENGINE_EVALUATION_ESTIMATE_H
#define ENGINE_EVALUATION_ESTIMATE_H

#include "engine/rules/game.h"

struct estimate {
	int games;          /* or as many as an evaluator that knows owners counts for */
	double score;       /* Black's mean score, in points */
	double deviation;   /* standard deviation of the score of one game, in points */
	double least, most; /* the score of a game is between them, in points */
	double share;       /* Black's share of the wins, 0 .. 1; a draw counts half */
	bool is_owned; /* score, deviation and share come from an evaluator that knows owners */
	/* Mean owner of each square at the end: 1 Black, -1 White. Index row*cols+col, row 0 at the top. */
	double owner[GAME_SQUARES_MAX];
};

/* Enough games for two digits of an owner; on the largest board they take some tenths of a second. */
#define ESTIMATE_GAMES 400

/* Plays `games` games, at least 1. Equal seeds give equal results. */
void estimate_position(const struct game *, const struct state *, int games, uint64_t seed,
		       struct estimate *);

/* Black's expected score, in points, if his share of the wins is `share`, 0 .. 1, instead of that of the estimate.
 * Takes the scores to be normally distributed with the same deviation, between `least` and `most`. Its sign is that of
 * the share. Where owners are known, a share near 0 or 1 tells less of the score than they do, so they count. */
double estimate_score(const struct estimate *, double share);

/* The argument, -8 .. 8, at which the standard normal distribution has the value `share`. */
double estimate_quantile(double share);

#endif
