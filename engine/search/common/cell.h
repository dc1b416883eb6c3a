/* SPDX-License-Identifier: MIT
 *
 * A cell of a hash table that threads share without locks: the two words of an exact position, then one
 * or two words of data.
 *
 * Each position word is stored xored with a mask computed from the data (Hyatt and Mann, 2002). So two
 * kinds of cells match no position: a mix of words that several threads wrote at once, and a cell
 * that was never written. A reader needs no other check.
 *
 * `words` is the number of data words. It should be a constant, so that the loops are unrolled.
 */
#ifndef ENGINE_SEARCH_COMMON_CELL_H
#define ENGINE_SEARCH_COMMON_CELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/rng.h"

#define CELL_KEYS      2 /* words of the position, before the data */
#define CELL_WORDS_MAX 2 /* most words of data */

/* The mask of all zeros is not 0, so that a zeroed cell matches no position. */
static inline uint64_t cell_mask(const uint64_t *data, int words)
{
	uint64_t h = ~data[0] * 0x9e3779b97f4a7c15u;
	if (words == 1)
		return h;
	h ^= rng_rotate(data[1], 32);
	return (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Reads the position and the data. */
static inline void cell_load(const _Atomic uint64_t *cell, int words, uint64_t position[CELL_KEYS],
			     uint64_t *data)
{
	for (int i = 0; i < words; i++)
		data[i] = atomic_load_explicit(&cell[CELL_KEYS + i], memory_order_relaxed);
	uint64_t mask = cell_mask(data, words);
	for (int i = 0; i < CELL_KEYS; i++)
		position[i] = atomic_load_explicit(&cell[i], memory_order_relaxed) ^ mask;
}

/* Reads the data. Returns true if the cell holds this position; otherwise the data means nothing. */
static inline bool cell_read(const _Atomic uint64_t *cell, int words,
			     const uint64_t position[CELL_KEYS], uint64_t *data)
{
	uint64_t found[CELL_KEYS];
	cell_load(cell, words, found, data);
	return found[0] == position[0] && found[1] == position[1];
}

static inline void cell_write(_Atomic uint64_t *cell, int words, const uint64_t position[CELL_KEYS],
			      const uint64_t *data)
{
	uint64_t mask = cell_mask(data, words);
	for (int i = 0; i < words; i++)
		atomic_store_explicit(&cell[CELL_KEYS + i], data[i], memory_order_relaxed);
	for (int i = 0; i < CELL_KEYS; i++)
		atomic_store_explicit(&cell[i], position[i] ^ mask, memory_order_relaxed);
}

#endif
