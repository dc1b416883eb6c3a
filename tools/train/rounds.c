/* SPDX-License-Identifier: MIT */
#include "tools/train/rounds.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/base/thread.h"
#include "engine/search/clock.h"
#include "tools/lib/message.h"

/* Learning from a round. */
struct rounds_learning {
	const struct rounds *rounds;
	struct selfplay_round round; /* without samples: there is nothing to learn */
	struct packet weights;
	pthread_t thread;
};

/* The new round counts from folder_commit() on, even if the weights cannot be written. */
static void *rounds_learn(void *arg)
{
	struct rounds_learning *l = arg;
	const struct rounds *r = l->rounds;
	folder_add(r->folder, l->round.samples, l->round.count);
	l->weights = r->learn(r->arg, &l->round);
	folder_commit(r->folder, l->round.version, l->round.games, l->round.count);
	folder_write_output(r->folder, l->weights.bytes, l->weights.size);
	return NULL;
}

/* Gives what was learned to all ranks. */
static void end_learning(struct rounds_learning *l)
{
	selfplay_share(l->rounds->selfplay, l->weights, l->round.number + 1);
	free(l->round.samples);
}

void rounds_give(struct selfplay *s, struct folder *f, struct packet weights)
{
	folder_write_output(f, weights.bytes, weights.size);
	selfplay_share(s, weights, f->rounds);
}

void rounds_run(const struct rounds *r)
{
	struct rounds_learning last = { 0 };
	int first = r->folder->rounds;
	for (int i = 0; i < r->count && clock_now() < r->end; i++) {
		struct rounds_learning next = { .rounds = r };
		next.round = (struct selfplay_round) { .number = first + i,
						       .wanted = r->samples,
						       .end = r->end };
		if (last.round.count &&
		    (errno = thread_start(&last.thread, rounds_learn, &last)) != 0)
			message_exit_errno("start", "a thread");
		selfplay_play(r->selfplay, &next.round);
		if (last.round.count) {
			pthread_join(last.thread, NULL);
			end_learning(&last);
		}
		last = next;
		if (!next.round.count)
			break; /* the time was too short for a sample */
		if (!r->overlap) {
			rounds_learn(&last);
			end_learning(&last);
			last.round.count = 0;
		}
	}
	if (last.round.count) {
		rounds_learn(&last);
		end_learning(&last);
	}
	if (!r->folder->written)
		message_exit("there was no time for a round, so %s is not written",
			     r->folder->output);
}
