/* SPDX-License-Identifier: MIT
 *
 * Random numbers: xoroshiro128++ (Blackman and Vigna, 2019), seeded by splitmix64. Each thread has its own
 * generator. Equal seeds give equal streams on every machine.
 */
#ifndef ENGINE_BASE_RNG_H
#define ENGINE_BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[2];
};

static inline uint64_t rng_rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/* One step of splitmix64: advances the seed and returns 64 well-mixed bits. */
static inline uint64_t rng_split(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
	r->s[0] = rng_split(&seed);
	r->s[1] = rng_split(&seed);
}

/* 64 random bits. */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t a = r->s[0], b = r->s[1];
	uint64_t result = rng_rotate(a + b, 17) + a;
	b ^= a;
	r->s[0] = rng_rotate(a, 49) ^ b ^ (b << 21);
	r->s[1] = rng_rotate(b, 28);
	return result;
}

/* A random number 0 .. n-1, n >= 1. The bias is below n / 2^32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

#endif
