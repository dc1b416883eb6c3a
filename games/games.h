/* SPDX-License-Identifier: MIT
 *
 * Finds games by their names, and prepares them.
 */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "engine/base/text.h"
#include "games/common/list.h"

/* All games in the order of the rows, NULL-terminated. */
extern const struct game *const games[];

/* Checks the tables of all games (engine/search/game_check.h) and calls game.init. Aborts if a table breaks a
 * rule. Call it once, before any thread exists. */
void games_init(void);

/* Finds a game by its name, title or alias, in upper or lower case: one of the program's, or one whose rules are an installed file or
 * one that was opened (games/rbg/rbg_library.h). rules NULL: the default rules. Returns NULL if there is no such game. Any thread. */
const struct game *game_find(const char *name, const char *rules);

/* Returns true if a name is that of a file with rules. */
bool game_is_file(const char *name);

/* The same as game_find(), and opens files with rules. If the rules of a file are wrong, *error has the reason, in several lines. */
const struct game *game_open(const char *name, const char *rules, struct text *error);

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
