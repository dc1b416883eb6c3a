/* SPDX-License-Identifier: MIT
 *
 * Learning the weights of engine/pattern.h from positions whose score is known or expected: least squares
 * by stochastic gradient descent, stage by stage, each stage from its own positions and those next to it.
 */
#ifndef TOOLS_LIB_FIT_H
#define TOOLS_LIB_FIT_H

#include "engine/pattern.h"

/* A position as the side to move sees it; kept in files as it is. */
struct example {
	uint64_t own, other; /* stones */
	int16_t target;      /* expected final score for the side to move, hundredths of a point */
	uint8_t held;        /* of a game that is kept from learning, to measure the error */
	uint8_t exact;       /* the target is the score of perfect play */
	uint8_t unused[4];
};

struct fit;

/* Of a game's patterns, all weights 0; the seed chooses the order of examples. */
struct fit *fit_create(const struct patterns *, uint64_t seed);
void fit_destroy(struct fit *);

/* Goes through all examples so often, `threads` stages at a time. Rate: the share of an error that each weight takes
 * over at first, later less. */
void fit_learn(struct fit *, const struct example *, size_t count, int epochs, float rate,
	       int threads);

/* The root mean square error on held examples, points, by the number of stones on the board, -1 where there are none;
 * and over all. */
double fit_error(const struct fit *, const struct example *, size_t count, double by_stones[65]);

/* The weights as pattern_file takes them, and how many. */
float *fit_weights(struct fit *, size_t *count);

#endif
