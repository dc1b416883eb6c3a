/* SPDX-License-Identifier: MIT
 *
 * Files with rules: those in the program, in the folder that $YOMI_GAMES names, and in the folder `games` of the user's data
 * (engine/base/system.h). A file NAME.rbg is found by NAME. Each text is loaded once, when it is first asked for. Any thread.
 */
#ifndef GAMES_RBG_RBG_LIBRARY_H
#define GAMES_RBG_RBG_LIBRARY_H

#include "engine/base/text.h"
#include "engine/rules/game.h"

#define RBG_FILE_END ".rbg"

/* Returns the game of an installed file, or of the file of that name that was read last, by the file's name or the game's title, in upper or
 * lower case. Returns NULL if there is none, or if its rules are wrong: the reason is then in *error, which may be NULL. */
const struct game *rbg_library_find(const char *name, struct text *error);

/* Reads a game from a file. Returns NULL and the reason in *error if that is not possible. */
const struct game *rbg_library_read(const char *path, struct text *error);

/* Calls `take` with the name of each installed file, and its folder, NULL: it is in the program. */
void rbg_library_list(void (*take)(void *arg, const char *name, const char *folder), void *arg);

#endif
