/* SPDX-License-Identifier: MIT
 *
 * The list of games: GAME_LIST(GAME) has GAME(foo) for each `const struct game game_foo`. The Makefile makes it from the folders
 * of games/: games/foo has game_foo, or those that its file `tables` names; common and rbg have none. Games that differ only in rules share a name; the first
 * of them has the default rules. A game with several sizes is here in its default size. The first game is the program's default.
 *
 * RBG_FILES(FILE) has FILE(chess, "games/rbg/chess.rbg") for each file with rules (games/rbg/rbg_library.h).
 */
#ifndef GAMES_COMMON_LIST_H
#define GAMES_COMMON_LIST_H

#include "engine/rules/game.h"
#include "games/common/rows.h" /* in the build's folder */

#define GAME_DECLARED(NAME) extern const struct game game_##NAME;
GAME_LIST(GAME_DECLARED)

#endif
