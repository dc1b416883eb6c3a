/* SPDX-License-Identifier: MIT
 *
 * Memory: small things are had or the process ends; large blocks (trees, tables) may be refused.
 */
#ifndef ENGINE_MEMORY_H
#define ENGINE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes in one unit of the `memory` option. Builds that test the limits make it small. */
#ifndef MEMORY_UNIT
#define MEMORY_UNIT ((size_t)1 << 20)
#endif

/* Ends the process at once: a message on stderr, exit status 1. Any thread may call it. */
_Noreturn void out_of_memory(void);

/* As the functions without the x; where those fail, the process is out_of_memory(). */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *, size_t size);
char *xstrdup(const char *);
char *xstrndup(const char *, size_t length);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *xvasprintf(const char *format, va_list);

/* A stream that writes to memory. When it is closed, `bytes` is what was written, NUL behind it, which the caller
 * frees, and `length` is how much that is. Writing never fails; open_memstream() would lose text without an error. */
FILE *text_open(char **bytes, size_t *length);

/* A zeroed block straight from the system, page-aligned, in huge pages where the system has them;
 * untouched pages cost nothing. NULL if it is refused. Free with the same size. */
void *block_create(size_t size);
void block_destroy(void *, size_t size);

#endif
