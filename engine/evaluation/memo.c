/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"

/* A thread that finds an entry busy goes on as if there were none. */
struct entry {
	atomic_flag busy;
	uint64_t key;    /* 0: none */
	float numbers[]; /* the value, then the priors */
};

struct memo {
	size_t bytes; /* as asked for */
	int room;
	size_t stride, count; /* bytes of an entry; entries */
	char *entries;
};

bool memo_open(struct memo **memo, size_t bytes, int room)
{
	size_t stride = sizeof(struct entry) + (1 + (size_t)room) * sizeof(float);
	stride = (stride + 7) & ~(size_t)7;
	if (*memo && (*memo)->bytes == bytes && (*memo)->room == room)
		return true;
	memo_close(*memo);
	*memo = NULL;
	if (bytes < stride)
		return true;
	struct memo m = { bytes, room, stride, bytes / stride, block_create(bytes) };
	if (!m.entries)
		return false;
	*memo = xmalloc(sizeof m);
	**memo = m;
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

static struct entry *entry_of(const struct memo *m, uint64_t key)
{
	return (struct entry *)(m->entries + key % m->count * m->stride);
}

bool memo_recall(struct memo *m, uint64_t key, int count, struct evaluation *out)
{
	struct entry *e = entry_of(m, key);
	if (atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire))
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
	struct entry *e = entry_of(m, key);
	if (atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire))
		return;
	e->key = key;
	e->numbers[0] = from->value;
	memcpy(e->numbers + 1, from->priors, (size_t)count * sizeof *e->numbers);
	atomic_flag_clear_explicit(&e->busy, memory_order_release);
}
