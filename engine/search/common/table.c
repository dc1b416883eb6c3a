/* SPDX-License-Identifier: MIT */
#include "engine/search/common/table.h"

#include "engine/base/memory.h"

#define SAMPLE      512  /* buckets that table_fill() looks at */
#define SPLIT_CHUNK 2048 /* buckets that table_split() splits between two checks of control */

static size_t cell_words(const struct table *t)
{
	return (size_t)(TABLE_KEYS + t->words);
}

static size_t bucket_words(const struct table *t)
{
	return BUCKET_CELLS * cell_words(t);
}

bool table_prepare(struct table *t, const struct game *game, size_t bytes, int words, size_t first)
{
	if (!t->cells || t->bytes != bytes) {
		table_close(t);
		*t = (struct table) { .words = words, .bytes = bytes };
		t->buckets = bytes / (bucket_words(t) * sizeof *t->cells);
		t->cells = block_create(bytes);
	}
	if (t->cells && t->game != game) {
		size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
		block_clear(t->cells, bytes, used * bucket_words(t) * sizeof *t->cells);
		atomic_store_explicit(&t->used, 0, memory_order_relaxed);
		t->game = game;
		t->age = 0;
		table_grow(t, first);
	}
	t->age++;
	return t->cells != NULL;
}

void table_close(struct table *t)
{
	block_destroy(t->cells, t->bytes);
	t->cells = NULL;
}

void table_forget(struct table *t)
{
	t->game = NULL;
}

void table_grow(struct table *t, size_t more)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed), grown;
	do {
		size_t left = t->buckets - used;
		if (left == 0)
			return;
		grown = used + (more < left ? more : left);
	} while (!atomic_compare_exchange_weak_explicit(
		&t->used, &used, grown, memory_order_relaxed, memory_order_relaxed));
}

/* Returns true if a cell has data. */
static bool table_is_full(const struct table *t, const _Atomic uint64_t *cell)
{
	uint64_t any = 0;
	for (int i = 0; i < t->words; i++)
		any |= atomic_load_explicit(&cell[TABLE_KEYS + i], memory_order_relaxed);
	return any != 0;
}

/* Moves the entries whose hash has the bit from an old bucket to a new one. A cell's words do not depend on
 * its place. */
static inline __attribute__((always_inline)) void
move_entries(_Atomic uint64_t *from, _Atomic uint64_t *to, int words, uint64_t bit)
{
	for (int i = 0; i < BUCKET_CELLS;
	     i++, from += TABLE_KEYS + words, to += TABLE_KEYS + words) {
		uint64_t data[TABLE_WORDS_MAX] = { 0 };
		struct state s;
		cell_load(from, TABLE_KEYS, words, s.board, data);
		s.side = data[0] & TABLE_WHITE ? WHITE : BLACK;
		if (!(data[0] | data[1]) || !(state_hash(&s) & bit))
			continue;
		cell_write(to, TABLE_KEYS, words, s.board, data);
		for (int k = 0; k < TABLE_KEYS + words; k++)
			atomic_store_explicit(&from[k], 0, memory_order_relaxed);
	}
}

void table_split(struct table *t, size_t buckets, struct control *control)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	buckets = buckets < t->buckets ? buckets : t->buckets;
	if (buckets <= used)
		return;
	for (size_t i = used; i < buckets; i++) {
		size_t bit = (size_t)1 << (63 - __builtin_clzll(i));
		_Atomic uint64_t *from = t->cells + (i ^ bit) * bucket_words(t);
		_Atomic uint64_t *to = t->cells + i * bucket_words(t);
		if (i % SPLIT_CHUNK == 0 && control_is_over(control))
			break;
		if (t->words == 1)
			move_entries(from, to, 1, bit);
		else
			move_entries(from, to, 2, bit);
	}
	atomic_store_explicit(&t->used, buckets, memory_order_relaxed);
}

double table_fill(const struct table *t)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	size_t cells = BUCKET_CELLS * (used < SAMPLE ? used : SAMPLE), full = 0;
	for (size_t i = 0; i < cells; i++)
		full += table_is_full(t, t->cells + i * cell_words(t));
	return (double)full / (double)cells * (double)used / (double)t->buckets;
}
