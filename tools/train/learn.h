/* SPDX-License-Identifier: MIT
 *
 * Trains the network of games/pentago/quadrant_net.h on searched positions. The value learns from the game's result
 * and the search's expected result, the priors from the search's visits. The optimizer is Adam (Kingma and
 * Ba, 2015) on random samples, each shown in a random symmetry of the board.
 */
#ifndef TOOLS_TRAIN_LEARN_H
#define TOOLS_TRAIN_LEARN_H

#include "engine/rules/game.h"
#include "tools/lib/ranks.h"
#include "tools/train/learner.h"

#define LEARN_BATCH     256
#define LEARN_STEPS_MAX 36 /* steps in a state of Pentago */

/* A searched state from the point of view of the side that chooses. Stored in files in this layout. */
struct sample {
	uint64_t own, other; /* stones */
	uint8_t pending;
	uint8_t exact; /* `search` is proven: the result is ignored */
	uint8_t held;  /* of a held-out game, used only to measure the error */
	uint8_t count; /* number of legal steps */
	float search;  /* the search's expected result, -1 .. 1 */
	float result;  /* of the game: -1, 0, 1 */
	struct {
		uint8_t step;
		uint8_t weight; /* visits of the step, scaled so that the most visited one has 255 */
	} steps[LEARN_STEPS_MAX];
};

struct learner;

/* Creates a learner with random weights. The seed determines the weights and the order of samples. */
struct learner *learner_create(const struct game *, uint64_t seed);
void learner_destroy(struct learner *);

/* Makes `steps` optimizer steps of LEARN_BATCH random samples each. Held-out samples are skipped. */
void learner_train(struct learner *, const struct sample *, size_t count, int steps, double rate);

/* Returns the error on the last held-out samples, at most `most` of them; 0 if there are none. */
struct learner_error learner_error(const struct learner *, const struct sample *, size_t count,
				   size_t most);

/* Returns the weights as a file of games/pentago/quadrant_net.h, and sets its size. The caller frees it. */
void *learner_net(const struct learner *, size_t *size);

/* Takes the weights from such a file of the same game, at the precision of its integers. Returns false if
 * the file is invalid. */
bool learner_take_net(struct learner *, const void *net);

/* What must be saved of a learner to go on later; it stays part of the learner. */
struct packet learner_state(struct learner *);

/* Goes on from such a state, which has as many bytes as the learner's own. Returns false if it is of another game or shape. */
bool learner_resume(struct learner *, const void *state);

#endif
