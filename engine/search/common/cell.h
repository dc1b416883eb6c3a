/* SPDX-License-Identifier: MIT
 *
 * A cell of a hash table that threads share without locks: the words of an exact position, then one or more
 * words of data.
 *
 * Each position word is stored xored with a mask computed from the data (Hyatt and Mann, 2002). So two
 * kinds of cells match no position: a mix of words that several threads wrote at once, and a cell
 * that was never written. A reader needs no other check.
 *
 * `keys` and `words` are the numbers of position words and of data words. They should be constants, so that
 * the loops are unrolled.
 */
#ifndef ENGINE_SEARCH_COMMON_CELL_H
#define ENGINE_SEARCH_COMMON_CELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/rng.h"

#define CELL_KEYS_MAX 2 /* most words of a position */

/* The mask of all zeros is not 0, so that a zeroed cell matches no position. */
static inline uint64_t cell_mask(const uint64_t *data, int words)
{
	uint64_t h = ~data[0] * 0x9e3779b97f4a7c15u;
	for (int i = 1; i < words; i++) {
		h ^= rng_rotate(data[i], 32);
		h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	}
	return h;
}

/* Reads the position and the data. */
static inline void cell_load(const _Atomic uint64_t *cell, int keys, int words, uint64_t *position,
			     uint64_t *data)
{
	for (int i = 0; i < words; i++)
		data[i] = atomic_load_explicit(&cell[keys + i], memory_order_relaxed);
	uint64_t mask = cell_mask(data, words);
	for (int i = 0; i < keys; i++)
		position[i] = atomic_load_explicit(&cell[i], memory_order_relaxed) ^ mask;
}

/* Reads the data. Returns true if the cell holds this position; otherwise the data means nothing. */
static inline bool cell_read(const _Atomic uint64_t *cell, int keys, int words,
			     const uint64_t *position, uint64_t *data)
{
	uint64_t found[CELL_KEYS_MAX];
	cell_load(cell, keys, words, found, data);
	return found[0] == position[0] && (keys == 1 || found[1] == position[1]);
}

static inline void cell_write(_Atomic uint64_t *cell, int keys, int words, const uint64_t *position,
			      const uint64_t *data)
{
	uint64_t mask = cell_mask(data, words);
	for (int i = 0; i < words; i++)
		atomic_store_explicit(&cell[keys + i], data[i], memory_order_relaxed);
	for (int i = 0; i < keys; i++)
		atomic_store_explicit(&cell[i], position[i] ^ mask, memory_order_relaxed);
}

#endif
