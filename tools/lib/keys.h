/* SPDX-License-Identifier: MIT
 *
 * A set of 64-bit keys, such as hashes of positions. Initialize it with zeros. One thread.
 */
#ifndef TOOLS_LIB_KEYS_H
#define TOOLS_LIB_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keys {
	uint64_t *slots; /* open addressing; 0: free */
	size_t places, count;
};

/* Adds a key. The key 0 counts as 1. Returns false if the set has it already. */
bool keys_add(struct keys *, uint64_t key);

/* Returns a hash of `length` bytes (FNV-1a). */
uint64_t keys_hash(const char *text, size_t length);

bool keys_have(const struct keys *, uint64_t key);

void keys_free(struct keys *);

#endif
