/* SPDX-License-Identifier: MIT
 *
 * The rounds of a training, on rank 0: all ranks play, rank 0 learns, all get the new weights. With `overlap`, rank 0
 * learns from a round on a thread of its own while the next one is played. That round then has older weights: those
 * that have learned from all rounds but the last.
 */
#ifndef TOOLS_TRAIN_ROUNDS_H
#define TOOLS_TRAIN_ROUNDS_H

#include "tools/train/folder.h"
#include "tools/train/selfplay.h"

struct rounds {
	struct selfplay *selfplay;
	struct folder *folder;
	int count;      /* maximum number in this run */
	size_t samples; /* of a round */
	bool overlap;
	int64_t end; /* no round begins later, in the time of clock_now() */
	/* Learns from a round, whose samples are in the folder's data already. Saves the state of the learner after
	 * this round and adds a line to the log. Returns the new weights, allocated with malloc, with their recipe. */
	struct packet (*learn)(void *arg, const struct selfplay_round *);
	void *arg;
};

/* Writes weights that have learned from the folder's rounds, and gives them to all ranks. */
void rounds_give(struct selfplay *, struct folder *, struct packet weights);

/* Exits with a message if there were no weights to write. */
void rounds_run(const struct rounds *);

#endif
