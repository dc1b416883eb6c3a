/* SPDX-License-Identifier: MIT
 *
 * The list of games. Games that differ only in rules share a name; the first of a name is its default.
 */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "engine/game.h"

extern const struct game game_tictactoe;
extern const struct game game_othello;
extern const struct game game_pentago, game_pentago_tajima, game_pentago_openspiel;

/* Every table, NULL-terminated; the first is the program's default game. */
extern const struct game *const games[];

/* Fills the games' lookup tables, for the kernel in use (engine/kernel.h). Call it once, before any thread
 * exists. */
void games_init(void);

/* A game by its name, title or alias, in any case; rules NULL: the default ones. NULL: there is none. */
const struct game *game_find(const char *name, const char *rules);

/* What games_init calls: one a game that has tables. */
void tictactoe_init(void);
void othello_init(void);
void pentago_init(void);

#endif
