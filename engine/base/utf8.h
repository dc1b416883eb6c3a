/* SPDX-License-Identifier: MIT
 *
 * UTF-8 in text that may be none. Pure functions, any thread.
 */
#ifndef ENGINE_BASE_UTF8_H
#define ENGINE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the character at the beginning of a text, which ends in a NUL. Returns how many bytes it has, 0 if none that is
 * well-formed begins there. */
size_t utf8_read(const char *text, uint32_t *character);

/* Returns how many bytes a byte order mark at the beginning takes, or 0. Some editors put one before the first line of a file. */
size_t utf8_mark(const char *bytes, size_t length);

/* Copies up to `length` bytes, or up to a NUL. U+FFFD replaces each byte that does not begin a well-formed
 * character, and each character for which `is_unwanted` is true (NULL: for none). The caller frees the
 * result. */
char *utf8_clean(const char *bytes, size_t length, bool (*is_unwanted)(uint32_t character));

/* Returns a text as UTF-8. A text that is not well-formed UTF-8 is read as Latin-1, which SGF has by default. The caller
 * frees the result. */
char *utf8_convert(const char *text);

#endif
