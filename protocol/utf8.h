/* SPDX-License-Identifier: MIT
 *
 * Text of strangers as well-formed UTF-8. Pure functions, any thread.
 */
#ifndef PROTOCOL_UTF8_H
#define PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies up to `length` bytes, or as many as come before a NUL. U+FFFD replaces each byte that begins no
 * well-formed character and each character that `is_unwanted` (or NULL: none is). The caller frees it. */
char *utf8_clean(const char *bytes, size_t length, bool (*is_unwanted)(uint32_t character));

#endif
