/* SPDX-License-Identifier: MIT
 *
 * Memory: small things are had or the process dies; large blocks (trees, tables) may be refused.
 */
#ifndef ENGINE_MEMORY_H
#define ENGINE_MEMORY_H

#include <stddef.h>

/* Bytes in one unit of the `memory` option. Builds that test the limits make it small. */
#ifndef MEMORY_UNIT
#define MEMORY_UNIT ((size_t)1 << 20)
#endif

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *, size_t size);

/* A zeroed block straight from the system, page-aligned, in huge pages where the system has them;
 * untouched pages cost nothing. NULL if it is refused. Free with the same size. */
void *block_create(size_t size);
void block_destroy(void *, size_t size);

#endif
