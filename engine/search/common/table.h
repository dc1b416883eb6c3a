/* SPDX-License-Identifier: MIT
 *
 * A transposition table of one game. All workers of a search share it without locks (engine/search/common/cell.h).
 *
 * The table finds positions; each search defines what the data of a position means. One bit is reserved:
 * TABLE_WHITE in the first data word is the side to move, which a cell's position words do not contain. The
 * functions here set and check that bit.
 *
 * The hash selects a bucket of two cells. Only some buckets are in use at first: if a short search used the
 * whole table at once, fresh pages would cost more time than its nodes. The number grows with the work of
 * the search, one bucket at a time (linear hashing; Litwin, 1980). A new bucket takes over half of the
 * positions of an old one.
 *
 * `words` is the number of data words per cell. Each search passes its constant.
 */
#ifndef ENGINE_SEARCH_COMMON_TABLE_H
#define ENGINE_SEARCH_COMMON_TABLE_H

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "engine/rules/game.h"
#include "engine/search/common/cell.h"
#include "engine/search/common/control.h"

#define TABLE_WHITE     ((uint64_t)1 << 63)
#define BUCKET_CELLS    2
#define TABLE_KEYS      2 /* words of a position */
#define TABLE_WORDS_MAX 2 /* most words of data */

struct table {
	_Atomic uint64_t *cells;
	int words; /* of data per cell */
	size_t bytes, buckets;
	_Atomic size_t used;     /* buckets in use */
	const struct game *game; /* the game of the stored positions */
	unsigned age;            /* number of the search; searches store some of its low bits */
};

/* Prepares the table for a search: advances the age, and keeps the entries if game and size are the same.
 * Otherwise empties or allocates `bytes` bytes and puts `first` buckets in use, or all if there are fewer. Returns
 * false if the system refuses the memory. */
bool table_prepare(struct table *, const struct game *, size_t bytes, int words, size_t first);
void table_close(struct table *);

/* Forgets all entries: the next search finds an empty table. */
void table_forget(struct table *);

/* Puts `more` buckets in use, or all that are left. The entries that belong in the new buckets are lost.
 * Any thread. */
void table_grow(struct table *, size_t more);

/* Raises the number of buckets in use to `buckets`, or to all, and moves the entries that belong in the new
 * ones. Entries that are not moved yet when control ends the search are lost. One thread at a time; others
 * may use the table meanwhile. */
void table_split(struct table *, size_t buckets, struct control *);

/* The share of the table's cells in use, 0 .. 1, estimated from a sample. Any thread. */
double table_fill(const struct table *);

/* Returns the first cell of a position's bucket. The hash selects a place below a power of 2. A place that
 * is not in use yet maps to the bucket without the highest bit. */
static inline _Atomic uint64_t *table_bucket(const struct table *t, int words,
					     const struct state *s)
{
	uint64_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	uint64_t mask = UINT64_MAX >> __builtin_clzll((used - 1) | 1);
	uint64_t place = s->hash & mask;
	uint64_t bucket = place & mask >> (place >= used);
	return &t->cells[bucket * (uint64_t)(BUCKET_CELLS * (TABLE_KEYS + words))];
}

static inline bool table_matches(const _Atomic uint64_t *cell, int words, const struct state *s,
				 uint64_t *data)
{
	return cell_read(cell, TABLE_KEYS, words, s->board, data) && data[0] >> 63 == s->side;
}

/* Finds the data of a position. Returns false if the table does not hold it; the data is then all 0. */
static inline bool table_find(const struct table *t, int words, const struct state *s,
			      uint64_t *data)
{
	const _Atomic uint64_t *cell = table_bucket(t, words, s);
	for (int i = 0; i < BUCKET_CELLS; i++, cell += TABLE_KEYS + words)
		if (table_matches(cell, words, s, data))
			return true;
	memset(data, 0, (size_t)words * sizeof *data);
	return false;
}

/* Returns the cell in which to store a position: the one that holds it already, with its data, or else the
 * one worth least in its bucket, with data 0. `worth` rates the data of another position. */
static inline __attribute__((always_inline)) _Atomic uint64_t *
table_place(const struct table *t, int words, const struct state *s,
	    int (*worth)(const struct table *, const uint64_t *data), uint64_t *data)
{
	_Atomic uint64_t *cell = table_bucket(t, words, s), *worst = NULL;
	int least = INT_MAX;
	for (int i = 0; i < BUCKET_CELLS; i++, cell += TABLE_KEYS + words) {
		if (table_matches(cell, words, s, data))
			return cell;
		int rating = worth(t, data);
		if (rating < least) {
			least = rating;
			worst = cell;
		}
	}
	memset(data, 0, (size_t)words * sizeof *data);
	return worst;
}

/* Stores a position in the cell that table_place() has returned. Sets the side in data[0]. */
static inline void table_store(_Atomic uint64_t *cell, int words, const struct state *s,
			       uint64_t *data)
{
	data[0] = (data[0] & ~TABLE_WHITE) | (uint64_t)s->side << 63;
	cell_write(cell, TABLE_KEYS, words, s->board, data);
}

#endif
