/* SPDX-License-Identifier: MIT
 *
 * The list of games. Games that differ only in rules share a name and stand next to each other. The first
 * game of a name has the default rules. A game with several sizes is here in its default size.
 */
#ifndef GAMES_COMMON_LIST_H
#define GAMES_COMMON_LIST_H

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
	GAME(hex_rex)                                                                              \
	GAME(dots)

#define GAME_DECLARED(NAME) extern const struct game game_##NAME;
GAME_LIST(GAME_DECLARED)

#endif
