/* SPDX-License-Identifier: MIT
 *
 * Boards as text.
 */
#ifndef ENGINE_RULES_DRAWING_H
#define ENGINE_RULES_DRAWING_H

#include "engine/rules/game.h"

/* Display options of a drawn board. */
struct look {
	bool colors;         /* use the escape sequences of terminals */
	bool marked;         /* put a square in round brackets */
	int row, col;        /* the marked square */
	struct area changed; /* put this area in square brackets */
	const char *note;    /* a line to write below the board, or NULL */
	bool is_for_people;  /* the last line tells a forced pass, and the result in words */
};

#define BOARD_TEXT_MAX 16384 /* largest drawn board with its NUL */

/* Draws the board with row 0 at the top and the side to move below. The text has no blank line and no final
 * newline. Look NULL: plain text, which other programs can read. */
void game_draw(const struct game *, const struct state *, const struct look *,
	       char text[BOARD_TEXT_MAX]);

#endif
