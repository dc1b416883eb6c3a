/* SPDX-License-Identifier: MIT
 *
 * The list of games. Games that differ only in rules share a name. The first game of a name has the default
 * rules.
 */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "engine/game.h"

extern const struct game game_tictactoe;
extern const struct game game_othello;
extern const struct game game_pentago, game_pentago_tajima, game_pentago_openspiel;

/* All games, NULL-terminated. The first is the program's default game. */
extern const struct game *const games[];

/* Fills the games' lookup tables, for the kernel in use (engine/kernel.h). Call it once, before any thread
 * exists. */
void games_init(void);

/* Finds a game by its name, title or alias, in upper or lower case. rules NULL: the default rules. Returns
 * NULL if there is no such game. */
const struct game *game_find(const char *name, const char *rules);

/* Returns true if two games differ at most in their rules. */
bool game_is_variant(const struct game *, const struct game *);

/* Called by games_init(): one function for each game with lookup tables. */
void tictactoe_init(void);
void othello_init(void);
void pentago_init(void);

#endif
