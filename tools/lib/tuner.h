/* SPDX-License-Identifier: MIT
 *
 * Learning the patterns of a game's evaluation (engine/pattern.h) from nothing but its rules. Rounds of
 * self-play and learning: alpha-beta plays brief games against itself from random openings, the end
 * of which is played perfectly; a position's target is what its search and all searches after it expected, the
 * later the less, and how the game ended (temporal differences: Sutton, 1988). In the first round, when
 * searches expect nothing, only the end counts.
 *
 * Everything is kept in a folder after each round, so that learning can go on where it has ended.
 */
#ifndef TOOLS_LIB_TUNER_H
#define TOOLS_LIB_TUNER_H

#include "engine/game.h"

struct tuning {
	const struct game *game;
	const char *folder; /* of positions, log and plot */
	const char *output; /* takes the weights, engine/pattern.h's file */
	double seconds;     /* for this run */
	int rounds;         /* at most, in this run */
	int samples;        /* positions of a round */
	int threads;        /* games at a time */
	int depth;          /* moves that searches look ahead */
	double rate;        /* of learning, as fit_learn() takes it */
	bool onward;        /* begins with the weights that the game has, not with nothing */
	uint64_t seed;
};

/* Learns and reports on standard output; a failure ends the process with a message. */
void tuner_run(const struct tuning *);

#endif
