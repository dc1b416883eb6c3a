/* SPDX-License-Identifier: MIT
 *
 * Perft: how many games of each length there are. It counts sequences of whole moves, a pass included;
 * different moves to one position count each, and a game that has ended goes no further.
 */
#ifndef ENGINE_PERFT_H
#define ENGINE_PERFT_H

#include "engine/game.h"

#define PERFT_DEPTH_MAX 128

struct perft {
	int depth;
	struct {
		uint64_t moves; /* legal sequences of exactly this many moves */
		uint64_t ended
			[3]; /* those whose last move ended the game: Black won, draw, White won */
	} length[PERFT_DEPTH_MAX + 1];
};

/* Counts from a state that is not pending, 1 <= depth <= PERFT_DEPTH_MAX. */
void perft_count(const struct game *, const struct state *, int depth, struct perft *);

/* The legal sequences of exactly `depth` >= 1 moves, and no results: the last moves are counted, not
 * played, which is several times as fast. */
uint64_t perft_leaves(const struct game *, const struct state *, int depth);

#define PERFT_TEXT_MAX ((PERFT_DEPTH_MAX + 2) * 160) /* longest table with its NUL */

/* Writes the table, without a final newline: for each depth the sequences, the games that ended before,
 * by result, and their sum; last the results within the whole depth, the last moves included. `size` is
 * at least PERFT_TEXT_MAX. Returns the length. */
int perft_format(const struct perft *, char *text, size_t size);

#endif
