/* SPDX-License-Identifier: MIT
 *
 * Openings: sequences of legal moves from the start that do not end the game. They are drawn at random or
 * read from a file.
 */
#ifndef TOOLS_LIB_OPENINGS_H
#define TOOLS_LIB_OPENINGS_H

#include "engine/rules/game.h"

struct record;

#define OPENINGS_REASON_MAX 256

struct opening {
	struct move *moves;
	int count;
};

struct openings {
	struct opening *list;
	int count;
};

/* Draws `count` openings of `length` random moves. They are distinct as long as new ones are easy to find.
 * The first openings do not depend on `count`. Returns false if games end within `length` moves; `why` then
 * says so. */
bool openings_draw(struct openings *, const struct game *, int length, int count, int seed,
		   char why[OPENINGS_REASON_MAX]);

/* Draws one opening of `count` random moves. The record, of the game, then has them. The caller frees o->moves.
 * Returns false if the games end within so many moves; the record then has the last one. */
bool opening_draw(struct record *, int count, struct rng *, struct opening *o);

/* Returns a key of a state that is not pending. It is equal for positions that are equal in a symmetry of the game. */
uint64_t opening_key(const struct game *, const struct state *);

/* Returns the moves as text, separated by blanks: a line that openings_read reads. The caller frees it. */
char *opening_text(const struct game *, const struct opening *);

/* Reads the openings of a file in any format, with enum import_columns (protocol/records/import.h): the first `most` moves of
 * each game, 0: all. Returns false if the file cannot be read, has an invalid game, or has no openings; `why` then gives the
 * path and the reason. Writes what was guessed on stderr. */
bool openings_read(struct openings *, const struct game *, const char *path, int columns, int most,
		   char why[OPENINGS_REASON_MAX]);

/* Reads a text of this form. */
bool openings_read_text(struct openings *, const struct game *, const char *text, size_t length,
			char why[OPENINGS_REASON_MAX]);

/* Must also be called after a failure. */
void openings_free(struct openings *);

#endif
