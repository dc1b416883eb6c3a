/* SPDX-License-Identifier: MIT
 *
 * The text of GTP, version 2: lines to words, answers to framed text. Pure functions, any thread.
 *
 * A line is a comment, or blank, or `[id] name [arguments]`; an answer is `=[id] text` or `?[id] text`
 * and one blank line, which is the only one in it.
 */
#ifndef PROTOCOL_GTP_H
#define PROTOCOL_GTP_H

#include <stdbool.h>
#include <stddef.h>

#define GTP_ID_NONE (-1)
#define GTP_INT_MAX 2147483647

enum gtp_line {
	GTP_BLANK,     /* nothing to answer */
	GTP_INTERRUPT, /* the comment `# interrupt`: end the running search */
	GTP_COMMAND
};

/* Cleans a line of `length` bytes in place, as the draft asks: control characters vanish, NUL among
 * them, tabs become blanks, comments are cut. The result ends in a NUL, for which there is room. */
enum gtp_line gtp_clean(char *line, size_t length);

struct gtp_command {
	int id; /* 0 .. GTP_INT_MAX, or GTP_ID_NONE */
	int count;
	char **words; /* into the line; words[0] is the name. No words: the line was an id alone */
};

/* Splits a cleaned line, which must outlive the command. A number too large for an id is no id. */
void gtp_parse(struct gtp_command *, char *line);
void gtp_command_free(struct gtp_command *);

/* Frames an answer; the caller frees it. Blank lines and control characters in `text` are left out,
 * but for a line feed at its beginning, which sets a diagram off from the `=`. */
char *gtp_answer(bool success, int id, const char *text);

/* The same, but that escape characters stay. */
char *gtp_answer_painted(bool success, int id, const char *text);

/* The first in parts, for an answer that is long in coming: its first line, then lines of its text, then a
 * line feed. The caller frees them. */
char *gtp_answer_begin(int id);
char *gtp_lines(const char *text);

/* Reads a whole number 0 .. GTP_INT_MAX, a finite decimal number, a colour (b, black, w, white in any
 * case). False: it is not one. */
bool gtp_int(const char *text, int *);
bool gtp_real(const char *text, double *);
bool gtp_color(const char *text, int *side);

#endif
