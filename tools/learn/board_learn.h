/* SPDX-License-Identifier: MIT
 *
 * Trains the network of engine/evaluation/board_net.h on searched positions, in floating point. The value learns from the
 * game's result and the search's expected result, the preferences from the search's visits. Where a game has owners of
 * squares, each square also learns its owner at the end (as in KataGo; Wu, 2020). The optimizer is Adam (Kingma and Ba,
 * 2015) on random samples, each shown in a random symmetry of the board.
 */
#ifndef TOOLS_LEARN_BOARD_LEARN_H
#define TOOLS_LEARN_BOARD_LEARN_H

#include "engine/evaluation/board_net.h"
#include "tools/learn/learner.h"

struct board_learner;

extern const struct learner_kind board_learner_kind;

/* The weights as integers. The caller frees them. */
struct board_weights *board_learner_weights(const struct board_learner *);

/* Takes over a network of as many blocks or fewer; the blocks that it lacks add little at first. Returns false if it has more. */
bool board_learner_take(struct board_learner *, const struct board_weights *);

/* For tests: the loss of one sample; and its gradient by each weight, those of the lines or all others. Returns the number
 * of weights. */
size_t board_learner_gradient(struct board_learner *, const struct sample *, bool of_lines,
			      float **weights, float *gradient, double *loss);

#endif
