/* SPDX-License-Identifier: MIT
 *
 * Files of learned weights: a header, which says what they are of, and a frame of zstd.
 */
#ifndef ENGINE_WEIGHTS_H
#define ENGINE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weights_header {
	char magic[8];      /* without its NUL */
	uint32_t checksum;  /* checksum_of() what follows the header */
	uint32_t size;      /* bytes of it */
	uint16_t shape[24]; /* of the weights, in a way of the magic's own; zeros behind */
};
_Static_assert(sizeof(struct weights_header) == 64, "a frame stays aligned");

uint32_t checksum_of(const void *bytes, size_t);

/* Takes so many bytes of weights out of a file. False: it is damaged, or it has not the magic and the shape of
 * `kind`. */
bool weights_read(const void *file, const struct weights_header *kind, void *weights, size_t);

/* Makes a file of them, which the caller frees, at a level of zstd's; *size is its own. */
void *weights_file(const struct weights_header *kind, const void *weights, size_t, int level,
		   size_t *size);

#endif
