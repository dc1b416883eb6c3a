/* SPDX-License-Identifier: MIT
 *
 * Perft: the number of move sequences of each length. It counts sequences of whole moves; a pass is a move.
 * Different moves to the same position count separately. A finished game has no further moves. Any thread
 * may call these functions.
 */
#ifndef ENGINE_RULES_PERFT_H
#define ENGINE_RULES_PERFT_H

#include "engine/rules/game.h"

#define PERFT_DEPTH_MAX 128

struct perft {
	int depth;
	struct {
		uint64_t moves; /* legal sequences of exactly this many moves */
		/* Those whose last move ended the game, by result: Black won, draw, White won. */
		uint64_t ended[3];
	} length[PERFT_DEPTH_MAX + 1];
};

/* Counts from a state that is not pending, 1 <= depth <= PERFT_DEPTH_MAX. */
void perft_count(const struct game *, const struct state *, int depth, struct perft *);

/* The number of legal sequences of exactly `depth` >= 1 moves, without results. It counts the last moves
 * without playing them, which is several times as fast. */
uint64_t perft_leaves(const struct game *, const struct state *, int depth);

#define PERFT_TEXT_MAX ((PERFT_DEPTH_MAX + 2) * 160) /* longest table with its NUL */

/* Writes the table, without a final newline. Each row has a depth, its number of sequences, the games that
 * ended before, by result, and their sum. The last row has the results within the whole depth, including
 * the last moves. Returns the length. */
int perft_format(const struct perft *, char text[PERFT_TEXT_MAX]);

#endif
