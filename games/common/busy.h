/* SPDX-License-Identifier: MIT
 *
 * The positions that the workers of a solver are searching now. A worker puts off a move to such a position, so that
 * workers do the same work seldom (ABDADA: Weill, 1996). All workers share the set without locks. Positions with
 * equal places overwrite each other: that costs time only.
 */
#ifndef GAMES_COMMON_BUSY_H
#define GAMES_COMMON_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BUSY 4096 /* places */

struct busy {
	_Atomic uint64_t hashes[BUSY]; /* 0: free */
};

/* Marks a position as being searched by this worker. If another worker is searching it, sets *hash to 0, since the mark
 * is the other's, and returns false if this one may defer the position; otherwise both search it. */
static inline bool busy_begin(struct busy *b, uint64_t *hash, bool may_defer)
{
	_Atomic uint64_t *slot = &b->hashes[*hash % BUSY];
	if (atomic_load_explicit(slot, memory_order_relaxed) != *hash) {
		atomic_store_explicit(slot, *hash, memory_order_relaxed);
		return true;
	}
	*hash = 0;
	return !may_defer;
}

/* Takes back the mark of busy_begin(), if this worker has set it: *hash is not 0. */
static inline void busy_end(struct busy *b, uint64_t hash)
{
	_Atomic uint64_t *slot = &b->hashes[hash % BUSY];
	if (atomic_load_explicit(slot, memory_order_relaxed) == hash)
		atomic_store_explicit(slot, 0, memory_order_relaxed);
}

#endif
