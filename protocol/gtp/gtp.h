/* SPDX-License-Identifier: MIT
 *
 * The text of GTP, version 2: splits lines into words and frames answers. Pure functions, any thread.
 *
 * A line is a comment, or blank, or `[id] name [arguments]`. An answer is `=[id] text` or `?[id] text`. It
 * ends with a blank line and contains no other.
 */
#ifndef PROTOCOL_GTP_GTP_H
#define PROTOCOL_GTP_GTP_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/session/line.h"

struct game;

#define GTP_ID_NONE (-1)

/* line_clean() as the GTP draft demands: removes comments, too. The comment `# interrupt` is LINE_INTERRUPT. */
enum line_kind gtp_clean(char *line, size_t length);

struct gtp_command {
	int id; /* 0 .. LINE_INT_MAX, or GTP_ID_NONE */
	int count;
	char **words; /* into the line; words[0] is the name. None: the line was only an id */
};

/* Splits a cleaned line, which must outlive the command. A number above LINE_INT_MAX is not an id. */
void gtp_parse(struct gtp_command *, char *line);
void gtp_command_free(struct gtp_command *);

/* Frames an answer. The caller frees it. Removes blank lines and control characters from `text`, except
 * line feeds at its beginning, which separate a diagram from the `=`. */
char *gtp_answer(bool success, int id, const char *text);

/* The same, but keeps escape characters. */
char *gtp_answer_painted(bool success, int id, const char *text);

/* gtp_answer in parts, for a streamed answer: first gtp_answer_begin, then lines of text by line_text, then
 * the last lines, or "", by gtp_answer_end. The caller frees the texts. */
char *gtp_answer_begin(int id);
char *gtp_answer_end(const char *text);

#define GTP_SIZE_MAX 24 /* longest text of gtp_size with its NUL */

/* Writes the arguments that boardsize needs for a game: "8" for a square board or one with a size, else "COLUMNS
 * ROWS". */
void gtp_size(const struct game *, char text[GTP_SIZE_MAX]);

#endif
