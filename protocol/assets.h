/* SPDX-License-Identifier: MIT
 *
 * The files of protocol/web/, bound into the program.
 */
#ifndef PROTOCOL_ASSETS_H
#define PROTOCOL_ASSETS_H

#include <stddef.h>

struct asset {
	const char *name, *type; /* of the file; what it is for HTTP. NULL ends the table */
	const char *data;
	const char *end;
};

extern const struct asset assets[];

/* NULL: there is none of that name. */
const struct asset *asset_find(const char *name);

/* Bytes of its data. */
static inline size_t asset_size(const struct asset *a)
{
	return (size_t)(a->end - a->data);
}

#endif
