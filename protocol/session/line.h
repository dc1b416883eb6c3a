/* SPDX-License-Identifier: MIT
 *
 * Lines and their words. Pure functions, any thread.
 */
#ifndef PROTOCOL_SESSION_LINE_H
#define PROTOCOL_SESSION_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* What a cleaned line is. */
enum line_kind {
	LINE_BLANK,     /* nothing to answer */
	LINE_INTERRUPT, /* ends the running search */
	LINE_COMMAND
};

/* Cleans a line of `length` bytes in place: removes a byte order mark, control characters (also NUL) and blanks at the end,
 * turns tabs into blanks. Appends a NUL: the buffer must have length + 1 bytes. */
void line_clean(char *line, size_t length);

#define LINE_INT_MAX 2147483647

/* Read a whole number 0 .. LINE_INT_MAX; a finite decimal number; a colour (b, black, w, white in any case).
 * Return false for any other text. */
bool line_int(const char *text, int *);
bool line_real(const char *text, double *);
bool line_color(const char *text, int *side);

/* Copies text to `to` without blank lines and without control characters other than those in `kept`, and ends it with a
 * line feed. At least one character must stand before `to`. Returns the end of the copy. */
char *line_copy(char *to, const char *text, const char *kept);

/* The same for a text, which may be empty, and then `end`. The caller frees the result. */
char *line_text(const char *text, const char *end);

#endif
