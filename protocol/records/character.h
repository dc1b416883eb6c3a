/* SPDX-License-Identifier: MIT
 *
 * Characters of UTF-8 in text that may not be UTF-8. Pure, any thread.
 */
#ifndef PROTOCOL_RECORDS_CHARACTER_H
#define PROTOCOL_RECORDS_CHARACTER_H

#include <stddef.h>
#include <stdint.h>

/* Reads the character at the beginning of a text, which ends in a NUL. Returns how many bytes it has, 0 if none that is
 * well-formed begins there. */
size_t character_read(const char *text, uint32_t *character);

#endif
