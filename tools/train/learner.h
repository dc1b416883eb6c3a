/* SPDX-License-Identifier: MIT
 *
 * What the learners of all networks share: functions compiled for several processors, random first weights, and errors.
 */
#ifndef TOOLS_TRAIN_LEARNER_H
#define TOOLS_TRAIN_LEARNER_H

#include "engine/base/rng.h"

/* A function with this word runs in the fastest variant that the processor has. ThreadSanitizer instruments the resolvers of
 * target_clones, which run before it is initialised. Clang has no `optimize` attribute. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FAST                                                                                       \
	__attribute__((target_clones("arch=x86-64-v4", "avx2,fma", "default"),                     \
		       optimize("fast-math")))
#else
#define FAST
#endif

/* Functions that are inlined into FAST ones. */
#define INLINE static inline __attribute__((always_inline))

/* The error on held-out samples. */
struct learner_error {
	double value; /* root mean square error; results are from -1 to 1 */
	double policy; /* cross-entropy in nats; a network for any board leaves out the entropy of the visits */
};

/* A random number from -1 to 1. */
static inline float uniform(struct rng *r)
{
	return (float)(rng_next(r) >> 40) / (1 << 23) - 1;
}

#endif
