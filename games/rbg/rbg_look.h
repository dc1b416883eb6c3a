/* SPDX-License-Identifier: MIT
 *
 * How people see a game from rules as text: the letters and sides of its pieces, the board, the names of its squares.
 */
#ifndef GAMES_RBG_RBG_LOOK_H
#define GAMES_RBG_RBG_LOOK_H

#include "games/rbg/rbg_play.h"

/* Fills the board of the table, and all that it points to. What the file does not say is chosen. Needs `rules` and `black`. */
void rbg_look_init(struct rbg_table *);
void rbg_look_free(struct rbg_table *);

#endif
