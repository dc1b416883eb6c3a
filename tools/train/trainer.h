/* SPDX-License-Identifier: MIT
 *
 * Trains the network of games/pentago/quadrant_net.h from a game's rules alone, in rounds of self-play and learning. mcts plays
 * against itself from positions after a few random moves. It evaluates by playouts in the first round and
 * by the current network in later rounds. The network learns from the searched positions (Silver et al.,
 * 2017). The game's solver gives the result as soon as it is quick.
 */
#ifndef TOOLS_TRAIN_TRAINER_H
#define TOOLS_TRAIN_TRAINER_H

#include "tools/train/course.h"

/* Trains and reports on standard output. All ranks must call it (tools/lib/ranks.h). Exits with a message on
 * failure. */
void trainer_run(const struct training *);

#endif
