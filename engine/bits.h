/* SPDX-License-Identifier: MIT
 *
 * Sets of small numbers, such as squares and step codes: bit i % 64 of word i / 64 tells whether i is in the set.
 */
#ifndef ENGINE_BITS_H
#define ENGINE_BITS_H

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
