/* SPDX-License-Identifier: MIT
 *
 * Openings: legal moves from the start of a game that leave something to play, drawn at random or read
 * from a file.
 */
#ifndef TOOLS_LIB_OPENINGS_H
#define TOOLS_LIB_OPENINGS_H

#include "engine/game.h"

#define OPENINGS_REASON_MAX 256

struct opening {
	struct move *moves;
	int count;
};

struct openings {
	struct opening *list;
	int count;
};

/* Draws `count` openings of `length` random moves. They differ as long as different ones are easily
 * found; the first of them are the same whatever the count. False: `why` says why there are none. */
bool openings_draw(struct openings *, const struct game *, int length, int count, int seed,
		   char why[OPENINGS_REASON_MAX]);

/* Reads a file of one opening a line: moves that blanks may separate (f5d6c3). Blank lines and lines
 * that begin with # are skipped. False: `why` names the line. */
bool openings_read(struct openings *, const struct game *, const char *path,
		   char why[OPENINGS_REASON_MAX]);

/* Also after a refusal. */
void openings_free(struct openings *);

#endif
