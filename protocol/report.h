/* SPDX-License-Identifier: MIT
 *
 * The page about matches: one file that holds all it shows, asks no host for anything, and in which every game
 * can be played through. Positions are worked out here, so that the page's script knows no rules.
 */
#ifndef PROTOCOL_REPORT_H
#define PROTOCOL_REPORT_H

struct game;

/* Writes the page about all matches in a file, a database or games in SGF (read with `game` as
 * protocol/collection.h says), to another file, or to standard output if `output` is NULL. Returns the exit
 * status; what is wrong is told on stderr. */
int report_run(const char *path, const struct game *game, const char *output);

#endif
