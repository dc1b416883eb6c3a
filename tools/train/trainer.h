/* SPDX-License-Identifier: MIT
 *
 * Trains the network of a game from its rules alone, in rounds of self-play and learning. mcts plays
 * against itself from positions after a few random moves. It evaluates by playouts in the first round and
 * by the current network in later rounds. The network learns from the searched positions (Silver et al.,
 * 2017). The game's solver gives the result as soon as it is quick.
 *
 * All state is saved in a folder after each round, so an ended run can be continued.
 */
#ifndef TOOLS_TRAIN_TRAINER_H
#define TOOLS_TRAIN_TRAINER_H

#include "engine/game.h"

struct training {
	const struct game *game;
	const char *folder;  /* for samples, log and state */
	const char *output;  /* the network is written here, as a file of games/quadrant_net.h */
	const char *command; /* what the file says of its making (tools/train/recipe.h) */
	double seconds;      /* time limit of self-play in this run */
	int passes;          /* passes through the folder's samples before the first round */
	int rounds;          /* maximum number in this run */
	int samples;         /* samples per round */
	int threads;         /* concurrent games of each rank that plays */
	int simulations;     /* playouts of each search */
	int blocks;          /* of a network of engine/evaluation/board_net.h */
	double rate;         /* initial learning rate */
	bool onward;         /* start with the game's current network instead of random weights */
	const char *start;   /* a file of engine/evaluation/board_net.h to start with, or NULL */
	uint64_t seed;
	bool overlap; /* as in struct rounds */
};

/* Trains and reports on standard output. All ranks must call it (tools/lib/ranks.h). Exits with a message on
 * failure. */
void trainer_run(const struct training *);

#endif
