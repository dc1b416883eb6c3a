/* SPDX-License-Identifier: MIT
 *
 * The commands of the terminal that choose what is played and how: games and their sizes, games that are kept or
 * in files, level and time.
 */
#ifndef PROTOCOL_TERMINAL_CHOOSER_H
#define PROTOCOL_TERMINAL_CHOOSER_H

#include "engine/base/text.h"
#include "protocol/session/command.h"

/* Finds the game that words name: its name, which may be several words, then perhaps rules. Returns NULL after an
 * error in the reply. */
const struct game *chooser_find(struct session *, char *const *words, int count);

/* Returns true if words name a game, perhaps with rules, which may be wrong. */
bool chooser_names(const struct session *, char *const *words, int count);

/* Writes what a kept game is: title, size if it is unusual, number of moves. */
void chooser_print_kept(struct text *, const struct game *, int moves);

/* Begin a game: the same or one that the arguments name; of the size that the argument is. */
enum outcome chooser_new(struct session *);
enum outcome chooser_game(struct session *);
enum outcome chooser_size(struct session *);

/* List the games that are kept (protocol/terminal/kept.h); go on with one. */
enum outcome chooser_kept(struct session *);
enum outcome chooser_continue(struct session *);

/* Write the game to a file, read one. */
enum outcome chooser_save(struct session *);
enum outcome chooser_load(struct session *);

/* Set or show an option. */
enum outcome chooser_level(struct session *);
enum outcome chooser_time(struct session *);

#endif
