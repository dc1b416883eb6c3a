/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/weights.h"

#include <string.h>

#include <zstd.h>

#include "engine/memory.h"

uint32_t checksum_of(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ p[i]) * 16777619u;
	return sum;
}

bool weights_read(const void *file, const struct weights_header *kind, void *weights, size_t n)
{
	const struct weights_header *h = file;
	return memcmp(h->magic, kind->magic, sizeof h->magic) == 0 &&
	       memcmp(h->shape, kind->shape, sizeof h->shape) == 0 &&
	       h->checksum == checksum_of(h + 1, h->size) &&
	       ZSTD_decompress(weights, n, h + 1, h->size) == n;
}

bool weights_are_whole(const void *file, size_t size)
{
	const struct weights_header *h = file;
	return size >= sizeof *h && size - sizeof *h == h->size;
}

void *weights_file(const struct weights_header *kind, const void *weights, size_t n, int level,
		   size_t *size)
{
	size_t room = ZSTD_compressBound(n);
	struct weights_header *h = xcalloc(1, sizeof *h + room);
	*h = *kind;
	h->size = (uint32_t)ZSTD_compress(h + 1, room, weights, n, level);
	h->checksum = checksum_of(h + 1, h->size);
	*size = sizeof *h + h->size;
	return h;
}
