/* SPDX-License-Identifier: MIT
 *
 * The positions that the workers of a solver are searching now. A worker puts off a move to such a position, so that
 * workers do the same work seldom (ABDADA: Weill, 1996). All workers share the set without locks. Positions with
 * equal places overwrite each other: that costs time only.
 */
#ifndef GAMES_BUSY_H
#define GAMES_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BUSY 4096 /* places */

struct busy {
	_Atomic uint64_t hashes[BUSY]; /* 0: free */
};

/* Marks a position as being searched by this worker. Returns false if another worker is searching it. */
static inline bool busy_enter(struct busy *b, uint64_t hash)
{
	_Atomic uint64_t *slot = &b->hashes[hash % BUSY];
	if (atomic_load_explicit(slot, memory_order_relaxed) == hash)
		return false;
	atomic_store_explicit(slot, hash, memory_order_relaxed);
	return true;
}

static inline void busy_leave(struct busy *b, uint64_t hash)
{
	_Atomic uint64_t *slot = &b->hashes[hash % BUSY];
	if (atomic_load_explicit(slot, memory_order_relaxed) == hash)
		atomic_store_explicit(slot, 0, memory_order_relaxed);
}

#endif
