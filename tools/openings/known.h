/* SPDX-License-Identifier: MIT
 *
 * Openings that lead to positions of known value. Their moves are found breadth first from the start of the game.
 */
#ifndef TOOLS_OPENINGS_KNOWN_H
#define TOOLS_OPENINGS_KNOWN_H

#include "tools/lib/keys.h"
#include "tools/lib/openings.h"

/* Finds openings of `least` to `most` moves that lead to the drawn positions of a file, or to mirror images of them,
 * and adds the keys (opening_key()) of all its other positions to `decided`. The file may be packed with zstd. It has a
 * position on each line: the words BOARD SIDE as `yomi solve` reads them, then its value, 0 for a draw. Other words may
 * stand before and after them. Lines that begin with # are skipped. Returns false if the file cannot be read or has
 * another line; `why` then has the reason. */
bool known_find(struct openings *, struct keys *decided, const struct game *, const char *path,
		int least, int most, char why[OPENINGS_REASON_MAX]);

#endif
