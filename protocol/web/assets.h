/* SPDX-License-Identifier: MIT
 *
 * The files of protocol/web/, linked into the program. Used by one thread.
 */
#ifndef PROTOCOL_WEB_ASSETS_H
#define PROTOCOL_WEB_ASSETS_H

#include <stddef.h>

struct asset {
	const char *name, *type; /* file name (NULL ends the table); MIME type */
	const char *data;
	const char *end;
};

extern const struct asset assets[];

/* Returns NULL if no asset has this name. */
const struct asset *asset_find(const char *name);

/* Returns the data as a gzip stream, compressed at the first call, and its size in bytes. The caller does not free it. */
const unsigned char *asset_gzip(const struct asset *a, size_t *size);

/* Size of the data in bytes. */
static inline size_t asset_size(const struct asset *a)
{
	return (size_t)(a->end - a->data);
}

#endif
