/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of Othello boards: a table of functions for each kernel. Bit 8*row+col is a square. A
 * board is two disjoint sets: `mine`, the discs of the side to move (the mover), and `theirs`. All kernels
 * give equal results; playouts too, if the generators are equal. Any thread may call the functions.
 */
#ifndef GAMES_OTHELLO_OTHELLO_KERNEL_H
#define GAMES_OTHELLO_OTHELLO_KERNEL_H

#include <stdint.h>

#include "engine/base/kernel.h"
#include "engine/rules/game.h"
#include "engine/rules/playouts.h"

#define OTHELLO_PLAYOUTS  PLAYOUTS_BATCH

#define OTHELLO_CORNERS   UINT64_C(0x8100000000000081)
#define OTHELLO_MOVES_MAX 62 /* of any board that can be set up: a move needs two discs */
#define OTHELLO_REPLY     8
#define OTHELLO_CHANCE    5

/* A move and the position after it, in which the other side has `mine` and the legal moves `moves`. */
struct othello_child {
	uint64_t mine, theirs, moves;
	int square;
	int rating; /* moves with higher ratings are searched first */
};

#define OTHELLO_FEW 11 /* most empty squares of a position in struct othello_few */

/* A table entry: bounds of the mover's score, and its best move or 64. */
struct othello_known {
	int8_t least, most;
	uint8_t square, unused[5];
};

/* A position with `mine` xored with the mask of the data (engine/search/common/cell.h). So a cell that was never written matches no
 * position. */
struct othello_cell {
	uint64_t mine, theirs;
	uint64_t data; /* a struct othello_known */
	uint64_t unused;
};

/* A table of positions with at most OTHELLO_FEW empty squares, used by one thread. Its initial content may be
 * anything. */
struct othello_few {
	struct othello_cell *cells;
	uint64_t count; /* 1 .. 2^32 - 1 */
	uint64_t nodes; /* positions searched so far */
};

struct othello_kernel {
	/* The legal moves of the mover. 0: it must pass, or the game is over. */
	uint64_t (*mobility)(uint64_t mine, uint64_t theirs);
	/* The discs that a disc of the mover on the one square of `placed` turns over. */
	uint64_t (*flips)(uint64_t mine, uint64_t theirs, uint64_t placed);
	/* Lists the moves of a set and returns their number. Rates them for an endgame search. Minus
	 * OTHELLO_REPLY for each reply, twice that for a reply in a corner. Plus OTHELLO_REPLY for a
	 * corner, plus half of it for a square in an odd quadrant. Minus OTHELLO_CHANCE for each empty
	 * square next to discs that might be turned from there. */
	int (*expand)(uint64_t mine, uint64_t theirs, uint64_t moves,
		      struct othello_child list[OTHELLO_MOVES_MAX]);
	/* A subset of the stable discs of `mine`, which can never be turned. On each of its four lines such
	 * a disc is in a full line, at the edge, or next to another such disc. */
	uint64_t (*stable)(uint64_t mine, uint64_t theirs);
	/* Plays uniformly random moves to the end and returns the mover's final score. */
	int (*playout)(uint64_t mine, uint64_t theirs, struct rng *);
	/* Batched playouts: plays OTHELLO_PLAYOUTS games at once. */
	void (*playouts)(uint64_t mine, uint64_t theirs, struct rng *,
			 int8_t scores[OTHELLO_PLAYOUTS]);
	/* Searches a position with at most OTHELLO_FEW empty squares to the end; `moves` are the legal
	 * moves. A result above alpha is a lower bound of the mover's score, otherwise an upper bound. */
	int (*few)(struct othello_few *, uint64_t mine, uint64_t theirs, uint64_t moves, int alpha);
};

/* Fills the lookup tables of the kernels. Call it once, before any thread exists. */
void othello_kernel_init(void);

/* The functions of a kernel, which this processor must support. */
const struct othello_kernel *othello_kernel(enum kernel);

/* Swaps the child with the highest rating of list[0..n-1] to the front. */
static inline void othello_bring_best(struct othello_child *list, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (list[i].rating > list[best].rating)
			best = i;
	struct othello_child c = list[best];
	list[best] = list[0];
	list[0] = c;
}

/* The final score for the side that has `mine`: the difference in discs; empty squares count for the
 * winner. */
static inline int othello_score(uint64_t mine, uint64_t theirs)
{
	int m = __builtin_popcountll(mine), t = __builtin_popcountll(theirs);
	return m > t ? 64 - 2 * t : m < t ? 2 * m - 64 : 0;
}

#endif
