/* SPDX-License-Identifier: MIT
 *
 * Text that grows in memory, and what C's functions for strings lack. If there is no memory, the process ends. Any thread; one thread at a time for each text.
 */
#ifndef ENGINE_BASE_TEXT_H
#define ENGINE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/format.h"

/* A zeroed text is empty. */
struct text {
	char *bytes;   /* `length` bytes and a NUL; NULL if nothing was written */
	size_t length; /* without the NUL */
	size_t room;   /* allocated bytes */
};

__attribute__((format(PRINTF, 2, 3))) void text_printf(struct text *, const char *format, ...);
void text_puts(struct text *, const char *);
void text_putc(struct text *, char);
void text_write(struct text *, const void *bytes, size_t);

/* Empties the text and keeps its room. */
void text_clear(struct text *);

/* Frees the text, which is then empty. */
void text_free(struct text *);

/* Returns the bytes and a NUL, which the caller frees. The text is then empty. */
char *text_take(struct text *);

/* Writes the text to a stream and frees it. */
void text_send(struct text *, FILE *);

/* Replaces the text by the next line of a stream, with its end. Returns false if there is none. */
bool text_read_line(struct text *, FILE *);

/* Cuts a string before the first of these characters. Returns the part before it, and sets *rest to what follows it, NULL if there is
 * no such character. Returns NULL if *rest is NULL. */
char *text_cut(char **rest, const char *characters);

/* Returns true if a string has a part, in letters of either case. */
bool text_has_part(const char *string, const char *part);

#endif
