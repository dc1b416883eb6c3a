/* SPDX-License-Identifier: MIT
 *
 * The list of games. Games that differ only in rules share a name and stand next to each other. The first
 * game of a name has the default rules. A game with several sizes is here in its default size.
 */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "engine/rules/game.h"

/* One row for each game: GAME(foo) stands for `const struct game game_foo`. The first is the program's default
 * game. */
#define GAME_LIST(GAME)                                                                            \
	GAME(othello)                                                                              \
	GAME(othello_anti)                                                                         \
	GAME(tictactoe)                                                                            \
	GAME(pentago)                                                                              \
	GAME(pentago_tajima)                                                                       \
	GAME(pentago_openspiel)                                                                    \
	GAME(connectfour)                                                                          \
	GAME(go)                                                                                   \
	GAME(go_situational)                                                                       \
	GAME(go_simple)                                                                            \
	GAME(go_tromp_taylor)                                                                      \
	GAME(go_new_zealand)                                                                       \
	GAME(breakthrough)                                                                         \
	GAME(breakthrough_openspiel)                                                               \
	GAME(knightthrough)                                                                        \
	GAME(loa)                                                                                  \
	GAME(gomoku)                                                                               \
	GAME(gomoku_standard)                                                                      \
	GAME(gomoku_renju)                                                                         \
	GAME(havannah)                                                                             \
	GAME(hex)                                                                                  \
	GAME(hex_rex)

#define GAME_DECLARED(NAME) extern const struct game game_##NAME;
GAME_LIST(GAME_DECLARED)

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
