/* SPDX-License-Identifier: MIT
 *
 * The size of a board as text: "8" for a square one or Havannah's base, "7x6" for 7 columns and 6 rows.
 */
#ifndef PROTOCOL_SESSION_SIZE_H
#define PROTOCOL_SESSION_SIZE_H

#include "engine/rules/game.h"

#define SIZE_TEXT_MAX 24  /* longest size with its NUL */
#define SIZE_LIST_MAX 128 /* longest list of sizes with its NUL */

/* Writes the size of a game's board. */
void size_format(const struct game *, char text[SIZE_TEXT_MAX]);

/* Writes all sizes of a game with these rules, the default first: "8, 6, 4"; of many the first, and the range of the others:
 * "11, 3 to 19". */
void size_list(const struct game *, char text[SIZE_LIST_MAX]);

/* Reads a size: N or COLUMNSxROWS. Sets *g to the table of this size, to NULL if there is none. Returns false if the text is
 * malformed. */
bool size_find(const struct game **g, const char *text);

/* Returns the i-th size of the game with these rules, as a game; NULL after the last. The first is the
 * default. */
const struct game *size_at(const struct game *, int i);

/* Returns true if the game has boards of several sizes. */
bool size_varies(const struct game *);

#endif
