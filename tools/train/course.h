/* SPDX-License-Identifier: MIT
 *
 * The training of a network from a game's rules alone, in rounds of self-play and learning: what is the same for every kind
 * of network. Lanes of all ranks play with the current network; rank 0 learns.
 *
 * All state is saved in a folder after each round, so an ended run can be continued.
 */
#ifndef TOOLS_TRAIN_COURSE_H
#define TOOLS_TRAIN_COURSE_H

#include "engine/rules/game.h"
#include "tools/train/learner.h"
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

/* What is special to a kind of network. `learner` is what `create` returns; only rank 0 has one. */
struct course_kind {
	struct selfplay_kind play;
	size_t window; /* most samples that are kept to learn from */
	int batch;     /* samples of an optimizer step */

	void *(*create)(const struct training *);
	void (*destroy)(void *learner);
	/* What is saved of the learner; its size is always the same. */
	struct packet (*state)(void *learner);
	/* Goes on from a saved state. Returns false if it is of another game or shape. */
	bool (*resume)(void *learner, const void *state);
	/* Takes over the network that a run starts with. Returns false if the settings name none. Exits with a message on
	 * failure. */
	bool (*take)(void *learner, const struct training *);
	/* The network as a file, allocated with malloc. */
	struct packet (*file)(void *learner);
	/* The error on held-out samples; 0 if there are none. */
	struct learner_error (*error)(void *learner, const struct window *);
	/* Sets how many of the window's last samples are learned from after a round that added `fresh` ones, and the number
	 * of optimizer steps. */
	void (*plan)(const struct window *, size_t fresh, size_t *last, int *steps);
	/* Makes optimizer steps with random samples of the window's last ones. */
	void (*study)(void *learner, const struct window *, size_t last, int steps, double rate);
};

/* Trains and reports on standard output. `player` is the argument of the functions that play. All ranks must call it
 * (tools/lib/ranks.h). Exits with a message on failure. */
void course_run(const struct course_kind *, const struct training *, void *player);

#endif
