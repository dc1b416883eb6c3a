/* SPDX-License-Identifier: MIT
 *
 * Finds games by their names, and prepares them.
 */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "games/common/list.h"

/* All games in the order of the rows, NULL-terminated. */
extern const struct game *const games[];

/* Checks the tables of all games (engine/search/game_check.h) and calls game.init. Aborts if a table breaks a
 * rule. Call it once, before any thread exists. */
void games_init(void);

/* Finds a game by its name, title or alias, in upper or lower case. rules NULL: the default rules. Returns
 * NULL if there is no such game. */
const struct game *game_find(const char *name, const char *rules);

/* Returns true if one of the words, which blanks separate, is `name`, in upper or lower case. NULL: no words. */
bool game_has_word(const char *words, const char *name);

/* Returns true if two games differ at most in rules and size. */
bool game_is_variant(const struct game *, const struct game *);

/* Finds the table of the same game, in its usual size, by the name of its rules or another one of game.rules_names, in upper or
 * lower case. Returns NULL if there is none. */
const struct game *game_of_rules(const struct game *, const char *rules);

/* Returns true if the game has the rules that its name alone means. */
bool game_has_usual_rules(const struct game *);

#endif
