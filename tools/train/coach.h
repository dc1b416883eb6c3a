/* SPDX-License-Identifier: MIT
 *
 * Trains the network of engine/evaluation/board_net.h from a game's rules alone, in rounds of self-play and learning. mcts
 * plays against itself. It evaluates by playouts in the first round and by the current network in later ones.
 *
 * Each search has few simulations. Sequential halving at the root spends them on moves drawn by the network's preferences,
 * and its choice is played. Every searched position is learned from (Danihelka et al., 2022). The game's solver gives the
 * result as soon as it is quick; the game then wanders on to its end, so that the network also learns late positions.
 */
#ifndef TOOLS_TRAIN_COACH_H
#define TOOLS_TRAIN_COACH_H

#include "tools/train/course.h"

/* Trains and reports on standard output. All ranks must call it (tools/lib/ranks.h). Exits with a message on failure. */
void coach_run(const struct training *);

#endif
