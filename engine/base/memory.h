/* SPDX-License-Identifier: MIT
 *
 * Memory. If a small allocation fails, the process ends. A large block (tree, table) may be refused. Any
 * thread may call these functions.
 */
#ifndef ENGINE_BASE_MEMORY_H
#define ENGINE_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#include "engine/base/format.h"

/* Bytes in one unit of the `memory` option. Builds that test the limits make it small. */
#ifndef MEMORY_UNIT
#define MEMORY_UNIT ((size_t)1 << 20)
#endif

/* Ends the process at once, with a message on stderr and exit status 1. Any thread. */
__attribute__((noreturn)) void out_of_memory(void);

/* The same as the functions without the x, but call out_of_memory() instead of returning an error. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *, size_t size);
char *xstrdup(const char *);
char *xstrndup(const char *, size_t length);
__attribute__((format(PRINTF, 1, 2))) char *xasprintf(const char *format, ...);
__attribute__((format(PRINTF, 1, 0))) char *xvasprintf(const char *format, va_list);

/* Returns a list of `count` items of `size` bytes with room for one more. The room doubles, so adding items is cheap. The list is
 * NULL at first, and must always grow by this function. */
void *xgrow(void *list, size_t count, size_t size);

/* Allocates a zeroed block from the system, aligned to a page, in huge pages if the system has them.
 * Untouched pages cost nothing. Returns NULL if the system refuses it. Free it with the same size. */
void *block_create(size_t size);
void block_destroy(void *, size_t size);

/* Zeroes a block of `size` bytes of which only the first `used` may have been written. If that is much, it gives the memory
 * back to the system. */
void block_clear(void *, size_t size, size_t used);

#endif
