/* SPDX-License-Identifier: MIT
 *
 * What the learners of all networks share: samples, symmetries, errors, and functions compiled for several processors.
 */
#ifndef TOOLS_LEARN_LEARNER_H
#define TOOLS_LEARN_LEARNER_H

#include <math.h>

#include "engine/base/kernel.h"
#include "engine/base/rng.h"
#include "engine/rules/game.h"
#include "tools/ranks/ranks.h"

/* Defines the function NAME, which does what the function NAME_body does, which is INLINE. It runs in the fastest variant that the
 * processor has. Clang has no `optimize` attribute. */
#if defined(__x86_64__) && !defined(__clang__)
#define FAST(NAME, PARAMETERS, ARGUMENTS)                                                          \
	__attribute__((target("arch=x86-64-v4"),                                                   \
		       optimize("fast-math"))) static void NAME##_avx512 PARAMETERS                \
	{                                                                                          \
		NAME##_body ARGUMENTS;                                                             \
	}                                                                                          \
	__attribute__((target("avx2,fma"),                                                         \
		       optimize("fast-math"))) static void NAME##_avx2 PARAMETERS                  \
	{                                                                                          \
		NAME##_body ARGUMENTS;                                                             \
	}                                                                                          \
	__attribute__((optimize("fast-math"))) static void NAME PARAMETERS                         \
	{                                                                                          \
		if (kernel_used() == KERNEL_AVX512)                                                \
			NAME##_avx512 ARGUMENTS;                                                   \
		else if (kernel_used() == KERNEL_AVX2 && __builtin_cpu_supports("fma"))            \
			NAME##_avx2 ARGUMENTS;                                                     \
		else                                                                               \
			NAME##_body ARGUMENTS;                                                     \
	}
#else
#define FAST(NAME, PARAMETERS, ARGUMENTS)                                                          \
	static void NAME PARAMETERS                                                                \
	{                                                                                          \
		NAME##_body ARGUMENTS;                                                             \
	}
#endif

/* Functions that are inlined into FAST ones. */
#define INLINE      static inline __attribute__((always_inline))

#define LEARN_BATCH 256 /* samples of an optimizer step */

/* A searched state as the side that chose sees it. Stored in files in this layout, with sample_size() bytes. */
struct sample {
	float search;    /* the search's expected result for the side that chose, -1 .. 1 */
	float result;    /* of the game for it: -1, 0, 1 */
	uint8_t exact;   /* `search` is proven: the result is ignored */
	uint8_t held;    /* of a held-out game, used only to measure the error */
	uint8_t pending; /* the state is in the middle of a move */
	uint8_t unused;
	/* What board_net_look() saw of each square; then for each step code 0 if it is illegal, or 1 + its visits, scaled so
	 * that the most visited one has 254. Of a game with network.owners then for each square the owner at the end of the game:
	 * 0 unknown, 1 the other side, 2 nobody, 3 the side that chose. */
	uint8_t bytes[];
};

/* The bytes of a sample of this game. */
size_t sample_size(const struct game *);

/* The steps of a sample: codes, mapped by `map`, and the share of the visits that each has. Returns their number. */
int sample_steps(const struct game *, const struct sample *, const uint16_t *map, uint16_t *codes,
		 float *shares);

/* What a network should expect. `part` is the weight of the game's result; the search's value has the rest. */
static inline float sample_target(const struct sample *s, float part)
{
	return s->exact ? s->search : part * s->result + (1 - part) * s->search;
}

/* The excess of the cross-entropy of priors over the entropy of the visits, in nats. */
double learner_policy_loss(const float *shares, const float *priors, int count);

/* The symmetries of a game's board. Number 0 is the identity. */
#define LEARNER_SYMMETRIES 8
struct learner_symmetries {
	int count;
	uint16_t square[LEARNER_SYMMETRIES][GAME_SQUARES_MAX]; /* where each square goes */
	uint16_t code[LEARNER_SYMMETRIES][GAME_CODES_MAX];     /* and each step */
};

void learner_find_symmetries(struct learner_symmetries *, const struct game *);

/* The error on held-out samples. */
struct learner_error {
	double value;  /* root mean square error; results are from -1 to 1 */
	double policy; /* learner_policy_loss() */
};

/* A kind of learner. `learner` is what `create` returns. */
struct learner_kind {
	/* Creates a learner with random weights. The seed determines the weights and the order of samples. `blocks` and
	 * `threads` are for networks for any board; the result does not depend on the number of threads. */
	void *(*create)(const struct game *, int blocks, uint64_t seed, int threads);
	void (*destroy)(void *learner);
	/* Makes `steps` optimizer steps of LEARN_BATCH random samples each. Held-out samples are skipped. */
	void (*train)(void *learner, const void *samples, size_t count, int steps, double rate);
	/* What the network says of a sample: sets the errors of this sample alone. The value's has a sign. */
	struct learner_error (*guess)(void *learner, const struct sample *);
	/* The network as a file. The caller frees it. */
	struct packet (*file)(const void *learner);
	/* What must be saved of a learner to go on later; it stays part of the learner, and its size is always the same. */
	struct packet (*state)(void *learner);
	/* Goes on from such a state. Returns false if it is of another game or shape. */
	bool (*resume)(void *learner, const void *state);
};

/* Returns the error on the last held-out samples, at most `most` of them; 0 if there are none. `size`: bytes of a sample. */
struct learner_error learner_find_error(const struct learner_kind *, void *learner,
					const void *samples, size_t size, size_t count,
					size_t most);

/* A random number from -1 to 1. */
static inline float uniform(struct rng *r)
{
	return (float)(rng_next(r) >> 40) / (1 << 23) - 1;
}

/* A weight as an integer from -clip to clip. */
static inline int32_t learner_whole(float x, float unit, int32_t clip)
{
	float n = rintf(x * unit);
	return n > (float)clip ? clip : n < (float)-clip ? -clip : (int32_t)n;
}

#endif
