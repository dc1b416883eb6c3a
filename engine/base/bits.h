/* SPDX-License-Identifier: MIT
 *
 * Sets of small numbers, such as squares and step codes: bit i % 64 of word i / 64 tells whether i is in the set.
 */
#ifndef ENGINE_BASE_BITS_H
#define ENGINE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define BITS_INLINE static inline __attribute__((always_inline))

BITS_INLINE bool bits_has(const uint64_t *set, int i)
{
	return set[i / 64] >> i % 64 & 1;
}

BITS_INLINE void bits_add(uint64_t *set, int i)
{
	set[i / 64] |= UINT64_C(1) << i % 64;
}

/* The n-th lowest bit of a word, from 0. The word must have it. */
BITS_INLINE uint64_t bits_lowest(uint64_t word, uint32_t n)
{
	for (; n; n--)
		word &= word - 1;
	return word & -word;
}

/* The least number in a set, which must not be empty. */
BITS_INLINE int bits_first(const uint64_t *set)
{
	int i = 0;
	while (!set[i])
		i++;
	return 64 * i + __builtin_ctzll(set[i]);
}

/* The n-th number in a set, from 0, in ascending order. The set must have it. */
BITS_INLINE int bits_nth(const uint64_t *set, int n)
{
	int i = 0;
	for (int count; n >= (count = __builtin_popcountll(set[i])); i++)
		n -= count;
	return 64 * i + __builtin_ctzll(bits_lowest(set[i], (uint32_t)n));
}

/* A word of a set whose numbers have all grown by 1 .. 63. */
BITS_INLINE uint64_t bits_up(const uint64_t *set, int word, int by)
{
	return set[word] << by | (word ? set[word - 1] >> (64 - by) : 0);
}

/* A word of a set of so many words whose numbers have all shrunk by 1 .. 63. */
BITS_INLINE uint64_t bits_down(const uint64_t *set, int word, int by, int words)
{
	return set[word] >> by | (word + 1 < words ? set[word + 1] << (64 - by) : 0);
}

#endif
