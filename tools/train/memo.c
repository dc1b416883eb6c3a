/* SPDX-License-Identifier: MIT */
#include "tools/train/memo.h"

#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"

#define ENTRIES 8192

struct memo {
	int room;               /* most steps of a state */
	uint64_t keys[ENTRIES]; /* 0: none */
	float *numbers;         /* of each entry: the value, then the priors */
};

struct memo *memo_create(const struct game *g)
{
	struct memo *m = xcalloc(1, sizeof *m);
	m->room = g->choices_max;
	m->numbers = xmalloc((size_t)ENTRIES * (size_t)(1 + m->room) * sizeof *m->numbers);
	return m;
}

void memo_destroy(struct memo *m)
{
	free(m->numbers);
	free(m);
}

void memo_clear(struct memo *m)
{
	memset(m->keys, 0, sizeof m->keys);
}

uint64_t memo_key(const struct state *s, const move_t *steps, int count)
{
	uint64_t key = s->hash;
	for (int i = 0; i < count; i++)
		key = (key ^ steps[i]) * 0x9e3779b97f4a7c15u;
	key ^= key >> 32;
	return key ? key : 1;
}

static float *entry(const struct memo *m, uint64_t key)
{
	return m->numbers + key % ENTRIES * (size_t)(1 + m->room);
}

bool memo_recall(const struct memo *m, uint64_t key, int count, struct evaluation *out)
{
	const float *numbers = entry(m, key);
	if (m->keys[key % ENTRIES] != key)
		return false;
	out->value = numbers[0];
	for (int i = 0; i < count; i++)
		out->values[i] = numbers[0];
	memcpy(out->priors, numbers + 1, (size_t)count * sizeof *numbers);
	return true;
}

void memo_keep(struct memo *m, uint64_t key, int count, const struct evaluation *e)
{
	float *numbers = entry(m, key);
	m->keys[key % ENTRIES] = key;
	numbers[0] = e->value;
	memcpy(numbers + 1, e->priors, (size_t)count * sizeof *numbers);
}
