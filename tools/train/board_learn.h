/* SPDX-License-Identifier: MIT
 *
 * Trains the network of engine/evaluation/board_net.h on searched positions, in floating point. The value learns from the
 * game's result and the search's expected result, the preferences from the search's visits. Where a game has owners of
 * squares, each square also learns its owner at the end (as in KataGo; Wu, 2020). The optimizer is Adam (Kingma and Ba,
 * 2015) on random samples, each shown in a random symmetry of the board.
 */
#ifndef TOOLS_TRAIN_BOARD_LEARN_H
#define TOOLS_TRAIN_BOARD_LEARN_H

#include "engine/evaluation/board_net.h"
#include "tools/lib/ranks.h"
#include "tools/train/learner.h"

#define BOARD_LEARN_BATCH 256

/* A searched state as the network sees it. Stored in files in this layout, with board_sample_size() bytes. */
struct board_sample {
	float search;  /* the search's expected result for the side that chose, -1 .. 1 */
	float result;  /* of the game for it: -1, 0, 1 */
	uint8_t exact; /* `search` is proven: the result is ignored */
	uint8_t held;  /* of a held-out game, used only to measure the error */
	uint8_t unused[2];
	/* What board_net_look() saw of each square; then for each step code 0 if it is illegal, or 1 + its visits, scaled so
	 * that the most visited one has 254. Of a game with network.owners then for each square the owner at the end of the game:
	 * 0 unknown, 1 the other side, 2 nobody, 3 the side that chose. */
	uint8_t bytes[];
};

/* The bytes of a sample of this game. */
size_t board_sample_size(const struct game *);

struct board_learner;

/* Creates a learner with random weights, for 0 .. BOARD_NET_BLOCKS blocks. The seed determines the weights and the order of
 * samples. The result does not depend on the number of threads. */
struct board_learner *board_learner_create(const struct game *, int blocks, uint64_t seed,
					   int threads);
void board_learner_destroy(struct board_learner *);

/* The game that it learns. */
const struct game *board_learner_game(const struct board_learner *);

/* Makes `steps` optimizer steps of BOARD_LEARN_BATCH random samples each. Held-out samples are skipped. */
void board_learner_train(struct board_learner *, const void *samples, size_t count, int steps,
			 double rate);

/* Returns the error on the last held-out samples, at most `most` of them; 0 if there are none. */
struct learner_error board_learner_error(struct board_learner *, const void *samples, size_t count,
					 size_t most);

/* The weights as integers. The caller frees them. */
struct board_weights *board_learner_weights(const struct board_learner *);

/* Takes over a network of as many blocks or fewer; the blocks that it lacks add little at first. Returns false if it has more. */
bool board_learner_take(struct board_learner *, const struct board_weights *);

/* For tests: the expected result of a sample's state for the side to choose, -1 .. 1. */
double board_learner_value(struct board_learner *, const struct board_sample *);

/* For tests: the loss of one sample; and its gradient by each weight, those of the lines or all others. Returns the number
 * of weights. */
size_t board_learner_gradient(struct board_learner *, const struct board_sample *, bool of_lines,
			      float **weights, float *gradient, double *loss);

/* What must be saved of a learner to go on later; it stays part of the learner. */
struct packet board_learner_state(struct board_learner *);

/* Goes on from such a state, which has as many bytes as the learner's own. Returns false if it is of another game or shape. */
bool board_learner_resume(struct board_learner *, const void *state);

#endif
