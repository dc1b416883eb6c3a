/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/weights.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "engine/base/embed.h"
#include "engine/base/memory.h"

/* A skippable frame of zstd begins with this and the number of bytes that follow, little-endian. */
#define RECIPE_MAGIC (ZSTD_MAGIC_SKIPPABLE_START + 9)
#define RECIPE_BEGIN 8

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
	const struct weights_header *h = embedded(file);
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
	size_t packed = ZSTD_compress(h + 1, room, weights, n, level);
	if (ZSTD_isError(packed))
		out_of_memory();
	h->size = (uint32_t)packed;
	h->checksum = checksum_of(h + 1, h->size);
	*size = sizeof *h + h->size;
	return h;
}

static void weights_put_number(unsigned char *out, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(number >> 8 * i);
}

static uint32_t get_number(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void *weights_add_recipe(void *file, size_t *size, const char *text)
{
	size_t length = strlen(text);
	struct weights_header *h = xrealloc(file, *size + RECIPE_BEGIN + length);
	unsigned char *frame = (unsigned char *)h + *size;
	weights_put_number(frame, RECIPE_MAGIC);
	weights_put_number(frame + 4, (uint32_t)length);
	/* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the frame says how long it is */
	memcpy(frame + RECIPE_BEGIN, text, length);
	*size += RECIPE_BEGIN + length;
	h->size = (uint32_t)(*size - sizeof *h);
	h->checksum = checksum_of(h + 1, h->size);
	return h;
}

char *weights_recipe(const void *file, size_t size)
{
	const struct weights_header *h = file;
	const unsigned char *frame = file;
	if (!weights_are_whole(file, size) || h->checksum != checksum_of(h + 1, h->size))
		return NULL;
	size_t frames = ZSTD_findFrameCompressedSize(h + 1, h->size);
	if (ZSTD_isError(frames) || h->size - frames < RECIPE_BEGIN)
		return NULL;
	frame += sizeof *h + frames;
	size_t length = h->size - frames - RECIPE_BEGIN;
	if (get_number(frame) != RECIPE_MAGIC || get_number(frame + 4) != length)
		return NULL;
	char *text = xcalloc(1, length + 1);
	memcpy(text, frame + RECIPE_BEGIN, length);
	return text;
}
