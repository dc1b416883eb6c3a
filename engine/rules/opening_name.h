/* SPDX-License-Identifier: MIT
 *
 * The names of a game's openings: a text that is linked into the program (game.names). A name belongs to a position, in
 * any symmetry and whatever moves lead there. Pure functions, any thread.
 */
#ifndef ENGINE_RULES_OPENING_NAME_H
#define ENGINE_RULES_OPENING_NAME_H

#include "engine/rules/record.h"

#define OPENING_NAME_MAX  64 /* longest name in bytes with its NUL */
#define OPENING_MOVES_MAX 64 /* most moves of a line of the text */

struct opening_name {
	char english[OPENING_NAME_MAX];
	char japanese[OPENING_NAME_MAX]; /* UTF-8; empty: players use none of their own */
	int moves; /* entries of the record's `moves` that lead to the named position */
};

/* Finds the last named position of a record's first `count` moves. Returns false if none has a name. */
bool opening_name_find(const struct record *, int count, struct opening_name *);

/* Reads the next line of a text of names: two characters a move, a tab, the English name, and a tab and the Japanese one
 * unless it is missing. Skips lines that begin with #. Sets *end to the state after the moves and returns the rest of the
 * text; NULL after the last line. The text must be one that is linked into the program: tests check it. */
const char *opening_name_read(const struct game *, const char *text, struct opening_name *,
			      struct state *end);

#endif
