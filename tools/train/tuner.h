/* SPDX-License-Identifier: MIT
 *
 * Trains the pattern evaluation of a game (engine/evaluation/pattern.h) from its rules alone, in rounds of
 * self-play and learning. Alpha-beta plays fast games against itself from random openings and plays endings
 * perfectly. The target of a position combines what its search and all later searches expected, the later
 * the less, and the final score (temporal differences: Sutton, 1988). In the first round the searches know
 * nothing, so only the final score counts.
 *
 * All state is saved in a folder after each round, so an ended run can be continued.
 */
#ifndef TOOLS_TRAIN_TUNER_H
#define TOOLS_TRAIN_TUNER_H

#include "engine/game.h"

struct tuning {
	const struct game *game;
	const char *folder;  /* for positions, weights, log and plot */
	const char *output;  /* the weights are written here, as a file of evaluation/pattern.h */
	const char *command; /* what the file says of its making (tools/train/recipe.h) */
	double seconds;      /* time limit of this run */
	int rounds;          /* maximum number in this run */
	int samples;         /* positions per round */
	int threads;         /* concurrent games of each rank that plays */
	int depth;           /* search depth in moves */
	double rate;         /* learning rate, as in fit_learn() */
	bool onward;         /* start with the game's current weights instead of zeros */
	uint64_t seed;
	bool overlap; /* as in struct rounds */
};

/* Trains and reports on standard output. All ranks must call it (tools/lib/ranks.h). Exits with a message on
 * failure. */
void tuner_run(const struct tuning *);

#endif
