/* SPDX-License-Identifier: MIT
 *
 * Untrusted text inside a page. No byte of it is read as markup or script. Bytes that are not UTF-8,
 * control characters, and characters that change the direction of text become U+FFFD.
 */
#ifndef TOOLS_LIB_MARKUP_H
#define TOOLS_LIB_MARKUP_H

#include <jansson.h>

#include "engine/base/text.h"

/* Writes a text as the content of an element or, between double quotes, as the value of an attribute. */
void markup_text(struct text *, const char *);

/* Returns a text as a JSON string, with a reference that the caller owns. */
json_t *markup_string(const char *);

/* Writes JSON for the inside of a script element. Steals the reference. */
void markup_json(struct text *, json_t *);

#endif
