/* SPDX-License-Identifier: MIT
 *
 * Text of strangers inside a page: no byte of it is ever read as markup or script, and what is no UTF-8, or
 * would turn the text around it about, is shown as U+FFFD.
 */
#ifndef PROTOCOL_MARKUP_H
#define PROTOCOL_MARKUP_H

#include <stdio.h>

/* As the text of an element or, in double quotes, the value of an attribute. */
void markup_text(FILE *, const char *);

/* As a string of JSON with its quotes, inside a script element. */
void markup_json(FILE *, const char *);

#endif
