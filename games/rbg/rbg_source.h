/* SPDX-License-Identifier: MIT
 *
 * The text of rules and the places in it, for messages.
 */
#ifndef GAMES_RBG_RBG_SOURCE_H
#define GAMES_RBG_RBG_SOURCE_H

#include <stdarg.h>

#include "games/rbg/rbg_rules.h"

struct rbg_source {
	char *name; /* of the file */
	char *text; /* `length` bytes and a NUL */
	int32_t length;
	/* Macro calls: the place of the macro's name in each. */
	struct rbg_place *calls;
	int call_count;
};

/* Copies the text, which has at most INT32_MAX bytes. */
struct rbg_source *rbg_source_create(const char *name, const char *text, size_t length);
void rbg_source_free(struct rbg_source *);

/* Returns the number of a new macro call. `place` is that of the macro's name. */
int rbg_source_call(struct rbg_source *, struct rbg_place place);

/* Writes "file:line:column". Line and column begin with 1; a column is a character. */
void rbg_source_locate(const struct rbg_source *, int32_t offset, struct text *);

/* Writes a message: its place and the message; the line; a caret below the place; the macro calls that led there. No line feed ends
 * it. Everything but the file's name and the message is in ASCII. */
__attribute__((format(PRINTF, 4, 0))) void rbg_source_explain(const struct rbg_source *,
							      struct rbg_place, struct text *,
							      const char *format, va_list);

#endif
