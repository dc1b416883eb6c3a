/* SPDX-License-Identifier: MIT
 *
 * A book of openings: for positions of the first moves, the moves that long searches have found best. It is
 * a game's, made by tools/book and bound into the program. A position is found in any symmetry of the
 * board; its stones are compared, not a hash of them.
 */
#ifndef ENGINE_BOOK_H
#define ENGINE_BOOK_H

#include "engine/game.h"

/* What a file begins with; entries follow, in the order of book_compare. */
struct book_header {
	char magic[8];     /* BOOK_MAGIC, without its NUL */
	uint32_t checksum; /* checksum_of() of the entries */
	uint32_t count;
	uint8_t unused[48];
};
_Static_assert(sizeof(struct book_header) == 64, "entries stay aligned");
#define BOOK_MAGIC "yomibk01"

/* One of the moves to choose from in a position; equally good ones follow each other. */
struct book_entry {
	uint64_t stones[2]; /* Black's and White's, square by square from the top left */
	uint8_t side;
	uint8_t step[2]; /* of the move, as the key's symmetry shows it; UINT8_MAX: no second one */
	uint8_t unused;
	float value; /* Black's margin where scores count, else his expected result, -1 .. 1 */
};

/* The key of a state that is not pending: an entry without a move, of the symmetry whose stones come first in
 * order. Sets which symmetry that is. */
struct book_entry book_key(const struct game *, const struct state *, int *symmetry);

/* The symmetry that takes back another one. */
int book_inverse(int symmetry);

/* The order of entries: by stones, then side; 0: they are of one position. */
int book_compare(const struct book_entry *, const struct book_entry *);

#define BOOK_MOVES_MAX 8

struct book_move {
	struct move move;
	double value; /* as an entry's */
};

/* Finds the legal moves that the game's book has for a state; returns how many, 0 if it is not there. */
int book_find(const struct game *, const struct state *, struct book_move out[BOOK_MOVES_MAX]);

#endif
