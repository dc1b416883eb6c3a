/* SPDX-License-Identifier: MIT
 *
 * A game whose rules are a text: a table as every other game has it (engine/rules/game.h).
 */
#ifndef GAMES_RBG_RBG_GAME_H
#define GAMES_RBG_RBG_GAME_H

#include "engine/base/text.h"
#include "engine/rules/game.h"

#define RBG_RULES "rbg-" /* begins the names of such games' rules; the text's checksum follows */

/* Makes a game from rules in the language Regular Boardgames. `name` is the file's, for messages, and names the game. Returns NULL and the
 * reason in *error if the rules are wrong or too large. The game lives as long as the program. Any thread. */
const struct game *rbg_game(const char *name, const char *text, size_t length, struct text *error);

/* Returns true if a game comes from a text. */
bool rbg_is_game(const struct game *);

#endif
