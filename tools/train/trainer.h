/* SPDX-License-Identifier: MIT
 *
 * Trains a network from a game's rules alone, in rounds of self-play and learning. mcts plays against itself. It evaluates by
 * playouts in the first round and by the current network in later ones.
 *
 * The network of engine/evaluation/board_net.h: each search has few simulations. Sequential halving at the root spends them on
 * moves drawn by the network's preferences, and its choice is played. Every searched position is learned from (Danihelka et
 * al., 2022). The game's solver gives the result as soon as it is quick; the game then wanders on to its end, so that the
 * network also learns late positions.
 *
 * The network of games/pentago/quadrant_net.h: each search has many simulations, and its visits are learned from (Silver et
 * al., 2017). Few games go on once the result is known.
 */
#ifndef TOOLS_TRAIN_TRAINER_H
#define TOOLS_TRAIN_TRAINER_H

#include "tools/train/training.h"

/* Trains and reports on standard output. All ranks must call it (tools/ranks/ranks.h). Exits with a message on failure. */
void trainer_run(const struct training *);

#endif
