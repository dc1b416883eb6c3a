/* SPDX-License-Identifier: MIT
 *
 * Trains the network of games/pentago/quadrant_net.h on searched positions, in floating point. The value learns from the
 * game's result and the search's expected result, the priors from the search's visits. The optimizer is Adam (Kingma and
 * Ba, 2015) on random samples, each shown in a random symmetry of the board.
 */
#ifndef TOOLS_LEARN_QUADRANT_LEARN_H
#define TOOLS_LEARN_QUADRANT_LEARN_H

#include "tools/learn/learner.h"

struct quadrant_learner;

extern const struct learner_kind quadrant_learner_kind;

/* Takes the weights from a file of games/pentago/quadrant_net.h of the same game, at the precision of its integers. Returns
 * false if the file is invalid. */
bool quadrant_learner_take(struct quadrant_learner *, const void *net);

#endif
