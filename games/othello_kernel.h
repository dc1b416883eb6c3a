/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of Othello boards, one table for each kernel. Bit 8*row+col is a square; a
 * board is two disjoint sets, the discs of the side to move and those of the other. All kernels give
 * equal results, playouts from equal generators included.
 */
#ifndef GAMES_OTHELLO_KERNEL_H
#define GAMES_OTHELLO_KERNEL_H

#include <stdint.h>

#include "engine/game.h"
#include "engine/kernel.h"

#define OTHELLO_PLAYOUTS  GAME_PLAYOUTS

#define OTHELLO_CORNERS   UINT64_C(0x8100000000000081)
#define OTHELLO_MOVES_MAX 34
#define OTHELLO_REPLY     8
#define OTHELLO_CHANCE    5

/* A move and the position behind it, in which the other side has `mine` and can play on `moves`. */
struct othello_child {
	uint64_t mine, theirs, moves;
	int square;
	int rating; /* the more, the sooner */
};

#define OTHELLO_FEW 11 /* empty squares */

/* What is known of a position: bounds of the mover's score, and its best move or 64. */
struct othello_known {
	int8_t least, most;
	uint8_t square, unused[5];
};

/* A position, `mine` xored with the scrambled data: what was never written is not found. */
struct othello_cell {
	uint64_t mine, theirs;
	uint64_t data; /* a struct othello_known */
	uint64_t unused;
};

/* A table of positions with OTHELLO_FEW empty squares or fewer; one thread uses it. What is in it at first does
 * not matter. */
struct othello_few {
	struct othello_cell *cells;
	uint64_t count; /* 1 .. 2^32 - 1 */
	uint64_t nodes; /* positions searched so far */
};

/* Not 0 for any data that is an entry, nor for 0. */
static inline uint64_t othello_scramble(uint64_t data)
{
	return ~data * UINT64_C(0x9e3779b97f4a7c15);
}

struct othello_kernel {
	/* Where the mover can play; 0: it must pass, or the game is over. */
	uint64_t (*mobility)(uint64_t mine, uint64_t theirs);
	/* What a disc of the mover on the one square of `placed` turns over. */
	uint64_t (*flips)(uint64_t mine, uint64_t theirs, uint64_t placed);
	/* Lists the moves of a set; returns how many. They are rated for a search near the end: OTHELLO_REPLY
	 * off for each reply, twice for a corner, and on for a corner; half of it on for an odd quadrant;
	 * OTHELLO_CHANCE off for each empty square beside discs that can be turned from there. */
	int (*expand)(uint64_t mine, uint64_t theirs, uint64_t moves,
		      struct othello_child list[OTHELLO_MOVES_MAX]);
	/* Discs of `mine` that can never be turned: on each line, which is full or ends there, or beside
	 * such a disc. Others may be stable too. */
	uint64_t (*stable)(uint64_t mine, uint64_t theirs);
	/* Plays uniformly random moves to the end; returns the mover's final score. */
	int (*playout)(uint64_t mine, uint64_t theirs, struct rng *);
	/* Plays so many at once. */
	void (*playouts)(uint64_t mine, uint64_t theirs, struct rng *,
			 int8_t scores[OTHELLO_PLAYOUTS]);
	/* Searches a position of OTHELLO_FEW empty squares or fewer, in which the mover can play on `moves`, to
	 * the end: a lower bound of the mover's score above alpha, or an upper one that is not. */
	int (*few)(struct othello_few *, uint64_t mine, uint64_t theirs, uint64_t moves, int alpha);
};

/* Fills the kernels' tables; once, before any thread exists. */
void othello_kernel_init(void);

/* The table of a kernel that this processor can run. */
const struct othello_kernel *othello_kernel(enum kernel);

/* Brings the best of list[0..n-1] to the front. */
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

/* The final score for the side that has `mine`: the disc difference, empty squares to the winner. */
static inline int othello_score(uint64_t mine, uint64_t theirs)
{
	int m = __builtin_popcountll(mine), t = __builtin_popcountll(theirs);
	return m > t ? 64 - 2 * t : m < t ? 2 * m - 64 : 0;
}

#endif
