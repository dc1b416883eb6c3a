/* SPDX-License-Identifier: MIT
 *
 * Text that fits the width of the terminal.
 */
#ifndef PROTOCOL_TERMINAL_WRAP_H
#define PROTOCOL_TERMINAL_WRAP_H

#include "engine/base/text.h"

/* Writes words and breaks lines between them. `column` is where the first word begins, `indent` where later
 * lines begin. Ends with a line feed. */
void wrap_words(struct text *, const char *text, int column, int indent);

/* Breaks the lines of a text that are longer than the terminal between words. Indented lines stay indented. The caller
 * frees the result. */
char *wrap_text(const char *text);

#endif
