/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

#define ROOM_MIN 256

/* FNV-1a (Fowler, Noll, Vo), with its high bits mixed into the low ones. */
static uint32_t rbg_names_hash(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* Returns the slot of a name, or the empty one where it belongs. */
static int32_t *rbg_names_slot(const struct rbg_names *n, const char *text, size_t length,
			       uint32_t hash)
{
	uint32_t mask = (uint32_t)n->room - 1;
	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		int32_t *slot = &n->slots[i];
		const struct rbg_name *name = n->list + *slot - 1;
		if (!*slot || (name->hash == hash && strncmp(name->text, text, length) == 0 &&
			       !name->text[length]))
			return slot;
	}
}

/* Makes room for one more name. Half of the slots stay empty. */
static void rbg_names_reserve(struct rbg_names *n)
{
	n->list = xgrow(n->list, (size_t)n->count, sizeof *n->list);
	if (2 * n->count < n->room)
		return;
	free(n->slots);
	n->room = n->room ? 2 * n->room : ROOM_MIN;
	n->slots = xcalloc((size_t)n->room, sizeof *n->slots);
	for (int32_t i = 0; i < n->count; i++) {
		const struct rbg_name *name = &n->list[i];
		*rbg_names_slot(n, name->text, strlen(name->text), name->hash) = i + 1;
	}
}

int32_t rbg_names_add(struct rbg_names *n, const char *text, size_t length)
{
	uint32_t hash = rbg_names_hash(text, length);
	rbg_names_reserve(n);
	int32_t *slot = rbg_names_slot(n, text, length, hash);
	if (!*slot) {
		n->list[n->count] = (struct rbg_name) { .text = xstrndup(text, length),
							.hash = hash,
							.macro = -1,
							.argument = -1,
							.vertex = -1 };
		*slot = ++n->count;
	}
	return *slot - 1;
}

void rbg_names_free(struct rbg_names *n)
{
	for (int32_t i = 0; i < n->count; i++)
		free(n->list[i].text);
	free(n->list);
	free(n->slots);
}
