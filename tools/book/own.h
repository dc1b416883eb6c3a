/* SPDX-License-Identifier: MIT
 *
 * The modes add, show and export of yomi-book: the user's own book (engine/rules/own_book.h).
 *
 * Files of lines are only added to. A file is replaced whole, with all bytes that it had and the new lines behind them,
 * while its lock (PATH.lock) is held; a file with a damaged line is left as it is. All input is read before anything is
 * written.
 */
#ifndef TOOLS_BOOK_OWN_H
#define TOOLS_BOOK_OWN_H

#include "protocol/records/import.h"

/* Adds the games of files to the book: all formats of protocol/records/import.h, also packed with zstd, and databases of
 * yomi-match. A game that is there already is not added again. Reports on standard output. Returns the exit status: 1 after a message if a file fails or has no
 * game that can be used. Variations of a game in SGF are added as lines without a result. */
int own_add(const char *folder, const struct import_wish *, const char *const *paths, int count);

/* Prints what books know about the position after some moves. Returns the exit status. */
int own_show(const char *folder, const struct game *, const char *const *moves, int count);

/* Prints the book in SGF with variations, or the lines themselves. Returns the exit status. */
int own_export(const char *folder, const struct game *, bool text);

#endif
