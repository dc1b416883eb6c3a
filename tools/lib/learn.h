/* SPDX-License-Identifier: MIT
 *
 * Learning the network of engine/net.h from searched positions: the value from the game's result and
 * what the search expected, the priors from the visits of the search. Adam (Kingma and Ba, 2015) on
 * random samples, each shown in a random symmetry of the board.
 */
#ifndef TOOLS_LIB_LEARN_H
#define TOOLS_LIB_LEARN_H

#include "engine/game.h"

#define LEARN_BATCH 256

/* A searched state, as who chooses in it sees it; kept in files as it is. */
struct sample {
	uint64_t own, other; /* stones */
	uint8_t pending;
	uint8_t exact; /* `search` is proven: the result does not matter */
	uint8_t held;  /* of a game that is kept from learning, to measure the error */
	uint8_t count; /* legal steps */
	float search;  /* expected result of the search, -1 .. 1 */
	float result;  /* of the game: -1, 0, 1 */
	struct {
		uint8_t step, weight; /* weight: share of the visits, 255 for the most */
	} steps[GAME_STEPS_MAX];
};

struct learner;

struct learn_error {
	double value;  /* root mean square, of results from -1 to 1 */
	double priors; /* cross-entropy, nats */
};

/* A learner with random weights. The seed chooses them and the order of samples. */
struct learner *learner_create(const struct game *, uint64_t seed);
void learner_destroy(struct learner *);

/* Takes steps of LEARN_BATCH samples each at a learning rate; held ones are skipped. */
void learner_train(struct learner *, const struct sample *, size_t count, int steps, double rate);

/* The error on held samples, at most `most` of the last ones; 0 if there is none. */
struct learn_error learner_error(const struct learner *, const struct sample *, size_t count,
				 size_t most);

/* Writes the weights as engine/net.h reads them; the caller frees them. */
void *learner_net(const struct learner *, size_t *size);

/* Takes the weights of such a file of the same game, as near as its whole numbers are. False: it is not good. */
bool learner_take_net(struct learner *, const void *net);

/* Saves and restores the learner itself. False: errno says why, or the file is of another kind. */
bool learner_save(const struct learner *, const char *path);
bool learner_load(struct learner *, const char *path);

#endif
