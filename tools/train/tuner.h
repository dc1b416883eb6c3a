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

#include "tools/train/training.h"

/* Trains and reports on standard output. Ignores passes, simulations, blocks and start. All ranks must call it
 * (tools/ranks/ranks.h). Exits with a message on failure. */
void tuner_run(const struct training *);

#endif
