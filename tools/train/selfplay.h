/* SPDX-License-Identifier: MIT
 *
 * Plays the games of a training's rounds on the workers of all ranks (tools/ranks/ranks.h) and collects their samples on
 * rank 0.
 *
 * A game is known by its round and its number. Everything random in it comes from these two and the seed, and
 * nothing is left of the game before. Rank 0 hands out the numbers in order. The round consists of the games 1 .. N,
 * in this order, where N is the first game with which there are enough samples. So the samples do not depend on the
 * number of ranks and workers, or on their speed. Only the time limit does: then N is the last game that has begun.
 */
#ifndef TOOLS_TRAIN_SELFPLAY_H
#define TOOLS_TRAIN_SELFPLAY_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/base/rng.h"
#include "tools/lib/progress.h"
#include "tools/ranks/ranks.h"

/* A game that a worker plays. */
struct selfplay_game {
	struct rng rng; /* the only source of randomness */
	char *samples;  /* what the game has taught */
	size_t count;   /* of them */
	size_t size;    /* bytes of a sample */
	const atomic_bool *stopped;
};

/* What a kind of training does on the ranks that work. */
struct selfplay_kind {
	size_t size; /* bytes of a sample, at most UINT16_MAX */
	/* Takes the weights of the next games. No game is running. The bytes stay until the next call. NULL: the
	 * games are played without. Returns false if they are damaged. */
	bool (*use)(void *arg, const void *weights);
	/* Makes and destroys what a worker needs to play. */
	void *(*begin)(void *arg);
	void (*end)(void *worker);
	/* Plays a game. Must return soon if selfplay_stopped(). */
	void (*play)(void *worker, struct selfplay_game *);
};

/* Begins with selfplay_init(). */
struct selfplay {
	const struct selfplay_kind *kind;
	void *arg;
	int workers; /* of each rank that works */
	uint64_t seed;

	int round, version;    /* of the games, of their weights */
	struct packet weights; /* `version` is the number of rounds that they have learned from */
	pthread_mutex_t lock;  /* protects is_new */
	bool is_new;           /* the weights are not in use yet */
	atomic_bool stopped;
	struct selfplay_round *table; /* the round that rank 0 collects */
	struct progress progress;
};

/* A round. */
struct selfplay_round {
	int number;
	size_t wanted; /* samples */
	int64_t end;   /* time limit, in the time of clock_now() */

	int version;   /* of the weights that played it */
	char *samples; /* the caller frees them */
	size_t count;
	int games;
	double seconds; /* that the games took */
};

/* --- on all ranks --- */

void selfplay_init(struct selfplay *, const struct selfplay_kind *, void *arg, int workers,
		   uint64_t seed);
void selfplay_free(struct selfplay *);

/* Ranks after 0: plays what rank 0 wants until its selfplay_end(). */
void selfplay_follow(struct selfplay *);

/* --- on rank 0 --- */

/* Gives weights to all ranks. They have learned from `version` rounds. Takes the packet's bytes. */
void selfplay_share(struct selfplay *, struct packet weights, int version);

/* Plays a round. */
void selfplay_play(struct selfplay *, struct selfplay_round *);

/* Ends selfplay_follow() on all ranks. */
void selfplay_end(struct selfplay *);

/* --- on the workers --- */

/* Adds a sample, which is zero, and returns it. It stays there until the next one is added. */
void *selfplay_add(struct selfplay_game *);

/* Returns true if the game's samples are not needed any more. */
bool selfplay_stopped(const struct selfplay_game *);

/* Exits after a message, which names this rank if there are others. */
_Noreturn void selfplay_fail(const char *why);

#endif
