/* SPDX-License-Identifier: MIT
 *
 * Learning the network of a game from nothing but its rules. Rounds of self-play and learning: mcts
 * plays against itself, with playouts in the first round and with the network so far in all others,
 * from a few random moves on; the positions searched teach the network (Silver et al., 2017). The game's
 * solver tells how it ends as soon as that is quick.
 *
 * Everything is kept in a folder after each round, so that learning can go on where it has ended.
 */
#ifndef TOOLS_LIB_TRAINER_H
#define TOOLS_LIB_TRAINER_H

#include "engine/game.h"

struct settings {
	const struct game *game;
	const char *folder; /* of samples, log and state */
	const char *output; /* takes the network, engine/net.h's file */
	double seconds;     /* of self-play, for this run */
	int passes;         /* through the samples that the folder has, before it */
	int rounds;         /* at most, in this run */
	int samples;        /* of a round */
	int threads;        /* games at a time */
	int simulations;    /* of each search */
	double rate;        /* of learning, at first */
	bool onward;        /* begins with the network that the game has, not with nothing */
	uint64_t seed;
};

/* Learns and reports on standard output; a failure ends the process with a message. */
void trainer_run(const struct settings *);

#endif
