/* SPDX-License-Identifier: MIT
 *
 * The opening book of a game: the best moves of early positions, found by long searches. tools/book makes
 * it, and it is linked into the program. A position is found in any symmetry of the board. The lookup
 * compares the stones themselves, so there are no hash collisions. Any thread may call these functions.
 */
#ifndef ENGINE_RULES_BOOK_H
#define ENGINE_RULES_BOOK_H

#include "engine/rules/game.h"

/* The header of a file. The entries follow, sorted by book_compare. */
struct book_header {
	char magic[8];     /* BOOK_MAGIC, without its NUL */
	uint32_t checksum; /* checksum_of() of the entries */
	uint32_t count;
	uint8_t unused[48];
};
_Static_assert(sizeof(struct book_header) == 64, "entries stay aligned");
#define BOOK_MAGIC "yomibk01"

/* One move of a position. A position with several equally good moves has several adjacent entries. */
struct book_entry {
	uint64_t stones[2]; /* Black's and White's, square by square from the top left */
	uint8_t side;
	uint8_t step[2]; /* the move under the key's symmetry; UINT8_MAX: no second step */
	uint8_t unused;
	float value; /* Black's margin if scores count, else Black's expected result, -1 .. 1 */
};

/* Returns the key of a state that is not pending: an entry without a move, under the symmetry whose stones
 * compare lowest. Sets *symmetry to that symmetry, 0 .. 7. */
struct book_entry book_key(const struct game *, const struct state *, int *symmetry);

/* The inverse of a symmetry, 0 .. 7. */
int book_inverse(int symmetry);

/* Maps a set of squares, one bit each, by a symmetry. */
uint64_t book_mirror_set(const struct game *, uint64_t set, int symmetry);

/* Compares entries by stones, then by side. Returns < 0, 0 or > 0, as strcmp. 0: both are of one position. */
int book_compare(const struct book_entry *, const struct book_entry *);

#define BOOK_MOVES_MAX 8

struct book_move {
	struct move move;
	double value; /* as book_entry.value */
};

/* Finds the legal moves that the game's book has for a state. Returns their number, 0 if the state is not
 * in the book, is over or is pending. */
int book_find(const struct game *, const struct state *, struct book_move out[BOOK_MOVES_MAX]);

#endif
