/* SPDX-License-Identifier: MIT
 *
 * Games that were played before: their scores, their records in SGF, and the import of SGF into a database.
 * Each function returns an exit status: 0, or STORED_UNREADABLE after a message if a file cannot be read or
 * written. `game`: see collection.h.
 */
#ifndef TOOLS_MATCH_STORED_H
#define TOOLS_MATCH_STORED_H

struct game;

#define STORED_UNREADABLE 2

/* Prints a line for each two engines in each match of a file (results_print_lines). */
int stored_print_scores(const char *path, const struct game *game);

/* Prints all games of a file in SGF. */
int stored_print_sgf(const char *path, const struct game *game);

/* Adds the games of a file to a database and prints how many. Returns EXIT_FAILURE also if no game could be
 * used. */
int stored_import(const char *path, const char *database, const struct game *game);

/* Adds the matches of `count` databases, or files of games in SGF, to a database and prints how many games were
 * added. A game that the match has already is left out. */
int stored_merge(const char *database, const char *const *paths, int count,
		 const struct game *game);

#endif
