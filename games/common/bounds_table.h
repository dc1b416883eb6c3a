/* SPDX-License-Identifier: MIT
 *
 * A table of proven bounds that the workers of a solver share without locks (engine/search/common/cell.h). So its
 * memory may have any content at first. A bucket is a line of the cache; the hash selects it. `keys` is the number
 * of words of a position, a constant.
 */
#ifndef GAMES_COMMON_BOUNDS_TABLE_H
#define GAMES_COMMON_BOUNDS_TABLE_H

#include <stddef.h>
#include <string.h>

#include "engine/search/common/cell.h"

#define BOUNDS_SCORE_MAX 64
#define BOUNDS_NO_MOVE   UINT8_MAX

struct bounds_entry {
	int8_t least, most;   /* of the score of the side to move */
	uint8_t move, second; /* its best moves */
	uint8_t work;         /* log2 of the positions searched */
	uint8_t phase;        /* of the bounds; those of an earlier phase are less reliable */
	uint8_t unused[2];
};
_Static_assert(sizeof(struct bounds_entry) == sizeof(uint64_t), "an entry is one atomic word");

#define BOUNDS_NOTHING                                                                             \
	((struct bounds_entry) { -BOUNDS_SCORE_MAX, BOUNDS_SCORE_MAX, BOUNDS_NO_MOVE,              \
				 BOUNDS_NO_MOVE })

#define BOUNDS_WORDS       8 /* of a bucket */
#define BOUNDS_CELLS(KEYS) (BOUNDS_WORDS / ((KEYS) + 1))

struct bounds_bucket {
	_Atomic uint64_t words[BOUNDS_WORDS];
};
_Static_assert(sizeof(struct bounds_bucket) == 64, "a bucket is a line of the cache");

struct bounds_table {
	struct bounds_bucket *buckets;
	size_t count;
};

static inline struct bounds_bucket *bounds_bucket(const struct bounds_table *t, uint64_t hash)
{
	return &t->buckets[(unsigned __int128)hash * t->count >> 64];
}

/* Returns true if the side to move scores at least `want`, or if it does not, for sure. */
static inline bool bounds_answer(struct bounds_entry e, int want)
{
	return e.least >= want || e.most < want;
}

/* Removes bounds from an earlier phase. */
static inline void bounds_forget(struct bounds_entry *e, int phase)
{
	if (e->phase >= phase)
		return;
	e->least = -BOUNDS_SCORE_MAX;
	e->most = BOUNDS_SCORE_MAX;
	e->phase = (uint8_t)phase;
}

/* Reads a cell of a bucket. Returns true if it holds this position. */
static inline bool bounds_read(const struct bounds_bucket *b, int cell, int keys,
			       const uint64_t *position, struct bounds_entry *e)
{
	uint64_t data;
	bool same = cell_read(&b->words[cell * (keys + 1)], keys, 1, position, &data);
	memcpy(e, &data, sizeof data);
	return same;
}

/* What is known about a position in a phase. */
static inline __attribute__((always_inline)) struct bounds_entry
bounds_find(const struct bounds_bucket *b, int keys, const uint64_t *position, int phase)
{
	struct bounds_entry e;
	for (int i = 0; i < BOUNDS_CELLS(keys); i++)
		if (bounds_read(b, i, keys, position, &e)) {
			bounds_forget(&e, phase);
			return e;
		}
	return BOUNDS_NOTHING;
}

/* Adds a bound, and the move that caused it, to a position's entry: `score` is a lower bound if it is at least
 * `want`, else an upper bound. A new entry replaces the one of the bucket with the least work. Does nothing if the
 * entry is of a later phase. */
static inline __attribute__((always_inline)) void bounds_store(struct bounds_bucket *b, int keys,
							       const uint64_t *position, int score,
							       int want, int move, int work,
							       int phase)
{
	_Atomic uint64_t *worst = NULL;
	struct bounds_entry e = BOUNDS_NOTHING;
	int least = UINT8_MAX + 1;
	for (int i = 0; i < BOUNDS_CELLS(keys); i++) {
		struct bounds_entry old;
		bool same = bounds_read(b, i, keys, position, &old);
		if (same)
			e = old;
		if (same || old.work < least) {
			least = same ? -1 : old.work;
			worst = &b->words[i * (keys + 1)];
		}
	}
	if (e.phase > phase)
		return;
	bounds_forget(&e, phase);
	if (score >= want)
		e.least = (int8_t)(score > e.least ? score : e.least);
	else
		e.most = (int8_t)(score < e.most ? score : e.most);
	if (move != e.move && (score >= want || e.move == BOUNDS_NO_MOVE)) {
		e.second = e.move;
		e.move = (uint8_t)move;
	}
	e.work = (uint8_t)(work > e.work ? work : e.work);
	uint64_t data;
	memcpy(&data, &e, sizeof data);
	cell_write(worst, keys, 1, position, &data);
}

#endif
