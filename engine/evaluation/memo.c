/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

/* A thread that finds an entry busy goes on as if there were none. */
struct memo_entry {
	atomic_flag busy;
	uint64_t key;    /* 0: none */
	float numbers[]; /* the value, then the priors */
};

/* Entries are taken in the order of their first use, so that a short search touches little memory. */
struct memo {
	size_t bytes; /* as asked for */
	int room;
	size_t stride, count; /* bytes of an entry; entries, and places */
	_Atomic uint32_t
		*places; /* by key: the number of the place's entry, from 1; 0: it has none yet */
	char *entries;
	_Atomic uint32_t used; /* entries */
};

bool memo_open(struct memo **memo, size_t bytes, int room)
{
	size_t stride = sizeof(struct memo_entry) + (1 + (size_t)room) * sizeof(float);
	stride = (stride + 7) & ~(size_t)7;
	if (*memo && (*memo)->bytes == bytes && (*memo)->room == room)
		return true;
	memo_close(*memo);
	*memo = NULL;
	if (bytes < stride + sizeof(uint32_t))
		return true;
	size_t count = bytes / (stride + sizeof(uint32_t));
	count = count < UINT32_MAX / 2 ? count : UINT32_MAX / 2;
	char *entries = block_create(bytes);
	if (!entries)
		return false;
	*memo = xmalloc(sizeof **memo);
	**memo = (struct memo) {
		.bytes = bytes,
		.room = room,
		.stride = stride,
		.count = count,
		.places = (_Atomic uint32_t *)(void *)(entries + count * stride),
		.entries = entries,
	};
	return true;
}

void memo_close(struct memo *m)
{
	if (!m)
		return;
	block_destroy(m->entries, m->bytes);
	free(m);
}

uint64_t memo_key(uint64_t weights, const struct state *s, const move_t *steps, int count)
{
	uint64_t key = s->hash ^ weights * 0xbf58476d1ce4e5b9u;
	for (int i = 0; i < count; i++)
		key = (key ^ steps[i]) * 0x9e3779b97f4a7c15u;
	key ^= key >> 32;
	return key ? key : 1;
}

/* Returns the entry of a key, NULL if it has none yet. */
static struct memo_entry *memo_entry_of(const struct memo *m, uint64_t key)
{
	uint32_t number = atomic_load_explicit(&m->places[key % m->count], memory_order_relaxed);
	return number ? (struct memo_entry *)(void *)(m->entries + (number - 1) * m->stride) : NULL;
}

/* The same; takes a new entry if there is none. Returns NULL if another thread is taking the last one. */
static struct memo_entry *memo_take_entry(struct memo *m, uint64_t key)
{
	uint32_t none = 0;
	if (!atomic_load_explicit(&m->places[key % m->count], memory_order_relaxed)) {
		uint32_t number = 1 + atomic_fetch_add_explicit(&m->used, 1, memory_order_relaxed);
		if (number > m->count)
			return NULL;
		atomic_compare_exchange_strong_explicit(&m->places[key % m->count], &none, number,
							memory_order_relaxed, memory_order_relaxed);
	}
	return memo_entry_of(m, key);
}

bool memo_recall(struct memo *m, uint64_t key, int count, struct evaluation *out)
{
	struct memo_entry *e = memo_entry_of(m, key);
	if (!e || atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire))
		return false;
	bool known = e->key == key;
	if (known) {
		out->value = e->numbers[0];
		memcpy(out->priors, e->numbers + 1, (size_t)count * sizeof *e->numbers);
	}
	atomic_flag_clear_explicit(&e->busy, memory_order_release);
	for (int i = 0; known && i < count; i++)
		out->values[i] = out->value;
	return known;
}

void memo_keep(struct memo *m, uint64_t key, int count, const struct evaluation *from)
{
	struct memo_entry *e = memo_take_entry(m, key);
	if (!e || atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire))
		return;
	e->key = key;
	e->numbers[0] = from->value;
	memcpy(e->numbers + 1, from->priors, (size_t)count * sizeof *e->numbers);
	atomic_flag_clear_explicit(&e->busy, memory_order_release);
}
