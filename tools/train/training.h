/* SPDX-License-Identifier: MIT
 *
 * The training loop of a network from a game's rules alone, rounds of self-play and learning: what is the same for every kind
 * of network. Workers of all ranks play with the current network; rank 0 learns.
 *
 * All state is saved in a folder after each round, so an ended run can be continued.
 */
#ifndef TOOLS_TRAIN_TRAINING_H
#define TOOLS_TRAIN_TRAINING_H

#include "engine/rules/game.h"
#include "tools/learn/learner.h"
#include "tools/train/selfplay.h"
#include "tools/train/window.h"

/* The settings of a run, also of tools/train/tuner.h. */
struct training {
	const struct game *game;
	const char *folder;  /* for samples, log and state */
	const char *output;  /* the network is written here */
	const char *command; /* what the file says of its making (tools/train/recipe.h) */
	double seconds;      /* time limit of self-play in this run */
	int passes;          /* passes through the folder's samples before the first round */
	int rounds;          /* maximum number in this run */
	int samples;         /* samples per round */
	int threads;         /* concurrent games of each rank that plays */
	int depth;           /* search depth in moves; only of the tuner */
	int simulations;     /* playouts of each search */
	int blocks;          /* of a network of engine/evaluation/board_net.h */
	double rate;         /* initial learning rate */
	bool onward;         /* start with the game's current network instead of random weights */
	const char *start;   /* a file of engine/evaluation/board_net.h to start with, or NULL */
	uint64_t seed;
	bool overlap; /* as in struct rounds */
};

/* What is special to a kind of network. Only rank 0 has a learner. */
struct training_kind {
	struct selfplay_kind play;
	const struct learner_kind *learner;
	size_t window; /* most samples that are kept to learn from */
	size_t held;   /* most held-out samples that the error is measured on */
	/* Takes over the network that a run starts with. Returns false if the settings name none. Exits with a message on
	 * failure. */
	bool (*take)(void *learner, const struct training *);
	/* Sets how many of the window's last samples are learned from after a round that added `fresh` ones, and the number
	 * of optimizer steps. */
	void (*plan)(const struct window *, size_t fresh, size_t *last, int *steps);
};

/* Trains and reports on standard output. `arg` is the argument of the functions that play. All ranks must call it
 * (tools/ranks/ranks.h). Exits with a message on failure. */
void training_run(const struct training_kind *, const struct training *, void *arg);

#endif
