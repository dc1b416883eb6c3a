/* SPDX-License-Identifier: MIT
 *
 * Files of learned weights: a header that identifies them, and a zstd frame. A skippable frame may follow, whose text says
 * how the weights were made. Any thread may call these functions.
 */
#ifndef ENGINE_EVALUATION_WEIGHTS_H
#define ENGINE_EVALUATION_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weights_header {
	char magic[8];     /* without its NUL */
	uint32_t checksum; /* checksum_of() the bytes after the header */
	uint32_t size;     /* number of bytes after the header */
	/* Shape of the weights, in a format that depends on the magic. The rest is 0. */
	uint16_t shape[24];
};
_Static_assert(sizeof(struct weights_header) == 64, "a frame stays aligned");

/* The 32-bit FNV-1a hash of some bytes. */
uint32_t checksum_of(const void *bytes, size_t);

/* Unpacks exactly this many bytes of weights from a file. Returns false if the file is damaged, or if its
 * magic or shape differs from that of `kind`. */
bool weights_read(const void *file, const struct weights_header *kind, void *weights, size_t);

/* Returns true if so many bytes are as many as the header of a file says. */
bool weights_are_whole(const void *file, size_t size);

/* Packs weights into a file with a compression level of zstd. Sets *size to the bytes of the file. The
 * caller frees the result. */
void *weights_file(const struct weights_header *kind, const void *weights, size_t, int level,
		   size_t *size);

/* Adds the text that says how the weights were made to a file that has none. Takes over the file and returns the new one;
 * updates *size. */
void *weights_add_recipe(void *file, size_t *size, const char *text);

/* Returns this text, which the caller frees; NULL if the file has none, or is no whole file of weights. */
char *weights_recipe(const void *file, size_t size);

#endif
