/* SPDX-License-Identifier: MIT
 *
 * Text of strangers inside a page: no byte of it is ever read as markup or script, and what is no UTF-8, or
 * would turn the text around it about, is shown as U+FFFD.
 */
#ifndef PROTOCOL_MARKUP_H
#define PROTOCOL_MARKUP_H

#include <jansson.h>
#include <stdio.h>

/* As the text of an element or, in double quotes, the value of an attribute. */
void markup_text(FILE *, const char *);

/* As a string of JSON. */
json_t *markup_string(const char *);

/* Writes JSON inside a script element; takes the reference. */
void markup_json(FILE *, json_t *);

#endif
