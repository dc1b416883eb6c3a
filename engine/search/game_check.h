/* SPDX-License-Identifier: MIT
 *
 * Checks what the table of a game says: every limit, and which parts need each other. It calls no function of
 * the game; tests/games/test_property.c checks what they do.
 */
#ifndef ENGINE_SEARCH_GAME_CHECK_H
#define ENGINE_SEARCH_GAME_CHECK_H

#include "engine/rules/game.h"

/* Returns NULL, or the rule of engine/rules/game.h that the table breaks. */
const char *game_check(const struct game *);

#endif
