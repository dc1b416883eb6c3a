/* SPDX-License-Identifier: MIT
 *
 * What books know about the moves of a position: the score of the game's book, and the games of the user's own book that
 * reached the position after the move.
 */
#ifndef PROTOCOL_TEACH_EXPLORER_H
#define PROTOCOL_TEACH_EXPLORER_H

#include <jansson.h>
#include <stdio.h>

#include "engine/own_book.h"

struct explored {
	struct move move;
	double book; /* as book_move.value; NAN: the game's book does not have it */
	struct own_games own;
};

/* Lists the moves of record->now that a book knows: those with the most games first, then those of the game's book, the
 * best first. Returns their number. `own` may be empty, but must have loaded the game's file. */
int explorer_find(const struct record *, const struct own_book *own,
		  struct explored out[GAME_MOVES_MAX]);

/* The same as JSON: a list of moves. */
json_t *explorer_json(const struct record *, const struct own_book *);

/* The same as a table for people, after a line with the name of the opening. */
void explorer_print(FILE *, const struct record *, const struct own_book *);

#endif
