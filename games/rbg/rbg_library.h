/* SPDX-License-Identifier: MIT
 *
 * Files with rules: those in the program, in the folder that $YOMI_GAMES names, and in the folder `games` of the user's data
 * (engine/base/system.h). A file NAME.rbg is found by NAME. A text is loaded once, when it is first asked for. Any thread.
 */
#ifndef GAMES_RBG_RBG_LIBRARY_H
#define GAMES_RBG_RBG_LIBRARY_H

#include "engine/base/text.h"
#include "engine/rules/game.h"

#define RBG_FILE_END ".rbg"

/* Finds a game by its file's name or its title, in upper or lower case: a file of a folder, else the text read last, else a file of the program.
 * rules: the name of its rules, which may be those of any text that was loaded, or NULL. Returns NULL if there is none, or if the rules in
 * the file are wrong: the reason is then in *error, which may be NULL. */
const struct game *rbg_library_find(const char *name, const char *rules, struct text *error);

/* Reads a game from a file. Returns NULL and the reason in *error if that is not possible. */
const struct game *rbg_library_read(const char *path, struct text *error);

/* Calls `take` with the name of each installed file, and its folder, NULL: it is in the program. */
void rbg_library_list(void (*take)(void *arg, const char *name, const char *folder), void *arg);

#endif
