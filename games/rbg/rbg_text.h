/* SPDX-License-Identifier: MIT
 *
 * Moves of a game from rules as text, as text: the squares where pieces are put, and the one where the turn is given if the keeper goes on
 * from there, in their order. Moves with one text get the letters of the pieces that they put behind `=`, or a number behind `#`.
 */
#ifndef GAMES_RBG_RBG_TEXT_H
#define GAMES_RBG_RBG_TEXT_H

#include "engine/rules/game.h"

struct rbg_table;

void rbg_text_free(struct rbg_table *);

/* The functions of struct game. */
enum move_check rbg_text_parse(const struct game *, const struct state *, const char *,
			       struct move *);
void rbg_text_format(const struct game *, const struct state *, struct move,
		     char text[MOVE_TEXT_MAX]);

#endif
