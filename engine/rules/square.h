/* SPDX-License-Identifier: MIT
 *
 * The names of squares, and which are neighbours. A name is a letter for the column, then the number of the row, unless
 * the board has names of its own. A game chooses whether the letters skip I, as Go's do, and whether row 1 is at the bottom
 * (`skips_i` and `goes_up` of struct board). Everywhere else row 0 is the top row. Pure functions, any thread.
 */
#ifndef ENGINE_RULES_SQUARE_H
#define ENGINE_RULES_SQUARE_H

#include "engine/rules/game.h"

#define SQUARE_TEXT_MAX 8 /* longest name with its NUL */

/* The letter of a column, a capital; the number of a row, from 1. */
char square_letter(const struct game *, int col);
int square_number(const struct game *, int row);

/* The row of a number: the inverse of square_number(). */
int square_row(const struct game *, int number);

/* Writes the name of a square: "D3". */
void square_format(const struct game *, int row, int col, char text[SQUARE_TEXT_MAX]);

/* Reads a name in upper or lower case. Returns the text after it, or NULL if it is malformed or off the board. */
const char *square_parse(const struct game *, const char *text, int *row, int *col);

/* `parse` and `format` of a game whose steps are squares, row*cols+col, and whose moves are steps on any empty square. */
enum move_check square_parse_step(const struct game *, const struct state *, const char *text,
				  struct move *);
void square_format_step(const struct game *, const struct state *, struct move,
			char text[MOVE_TEXT_MAX]);

/* Writes the text of a move again, with the names that `to` has for the squares that `from` names: two tables of one
 * game. What `from` calls no square becomes malformed, as a column I where its letters skip I. Cuts what is too long. */
void square_rename(const struct game *from, const struct game *to, const char *text,
		   char out[MOVE_TEXT_MAX]);

/* Writes the squares above, below and beside a square. A square is row*cols+col here. Returns their number, 2 to 4 on
 * boards of at least 2x2. */
int square_neighbors(const struct game *, int square, int out[4]);

#endif
