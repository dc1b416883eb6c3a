/* SPDX-License-Identifier: MIT
 *
 * Fits the weights of engine/evaluation/pattern.h to positions whose score is known or estimated: least
 * squares by stochastic gradient descent. Each stage learns from its own positions and from those next to
 * it.
 */
#ifndef TOOLS_LEARN_FIT_H
#define TOOLS_LEARN_FIT_H

#include "engine/evaluation/pattern.h"

/* A position from the point of view of the side to move. Stored in files in this layout. */
struct example {
	uint64_t own, other; /* stones */
	int16_t target;      /* expected final score for the side to move, hundredths of a point */
	uint8_t held;        /* of a held-out game, used only to measure the error */
	uint8_t exact;       /* the target is the exact score of perfect play */
	uint8_t unused[4];
};

struct fit;

/* Creates a fit of a game's patterns, with all weights 0. The seed determines the order of examples. */
struct fit *fit_create(const struct patterns *, uint64_t seed);
void fit_destroy(struct fit *);

/* Makes `epochs` passes through the examples that are not held out, `threads` stages in parallel. `rate` is
 * the fraction of an error by which each weight changes in the first pass; it falls in later passes. */
void fit_learn(struct fit *, const struct example *, size_t count, int epochs, float rate,
	       int threads);

/* Returns the root mean square error in points on all held-out examples, 0 if there are none. by_stones[n]
 * receives the error at n stones on the board, or -1 if there are no such examples. */
double fit_error(const struct fit *, const struct example *, size_t count, double by_stones[65]);

/* Returns the weights in the layout of pattern_file(), and sets their number. They belong to the fit. */
float *fit_weights(struct fit *, size_t *count);

#endif
