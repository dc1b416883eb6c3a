/* SPDX-License-Identifier: MIT */
#include "tools/lib/keys.h"

#include <stdlib.h>

#include "engine/base/memory.h"

#define PLACES_FIRST 64 /* a power of two, like every number of places */

uint64_t keys_hash(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
	return hash;
}

/* Returns the place of a key: the one that has it, or the free one where it belongs. */
static size_t find_place(const struct keys *k, uint64_t key)
{
	size_t at = key & (k->places - 1);
	while (k->slots[at] && k->slots[at] != key)
		at = (at + 1) & (k->places - 1);
	return at;
}

/* At least half of the places stay free. */
static void keys_grow(struct keys *k)
{
	struct keys larger = { .places = k->places ? 2 * k->places : PLACES_FIRST };
	larger.count = k->count;
	larger.slots = xcalloc(larger.places, sizeof *larger.slots);
	for (size_t i = 0; i < k->places; i++)
		if (k->slots[i])
			larger.slots[find_place(&larger, k->slots[i])] = k->slots[i];
	free(k->slots);
	*k = larger;
}

bool keys_add(struct keys *k, uint64_t key)
{
	if (2 * (k->count + 1) > k->places)
		keys_grow(k);
	key |= !key;
	size_t at = find_place(k, key);
	if (k->slots[at])
		return false;
	k->slots[at] = key;
	k->count++;
	return true;
}

bool keys_have(const struct keys *k, uint64_t key)
{
	key |= !key;
	return k->places && k->slots[find_place(k, key)];
}

void keys_free(struct keys *k)
{
	free(k->slots);
	*k = (struct keys) { 0 };
}
