/* SPDX-License-Identifier: MIT
 *
 * Othello's exact endgame.
 */
#ifndef GAMES_OTHELLO_ENDGAME_H
#define GAMES_OTHELLO_ENDGAME_H

#include <stddef.h>
#include <stdint.h>

#include "engine/game.h"

#define OTHELLO_MEMORY_MIN 4096

/* The score of perfect play for the side to move, which has `mine`: exact if it lies between alpha and beta
 * (-64 <= alpha < beta <= 64), else a lower bound of it that is beta or more, or an upper one that is alpha
 * or less. Adds the number of positions searched to *nodes.
 *
 * Memory is the caller's, at least OTHELLO_MEMORY_MIN bytes aligned to 64, and nobody else's during the
 * call. What is in it does not matter: zeros, or what an earlier call left, which may help. 1 MiB is right
 * for 16 empty squares. */
int othello_solve(uint64_t mine, uint64_t theirs, int alpha, int beta, void *memory, size_t bytes,
		  uint64_t *nodes);

extern const struct solver othello_solver;

/* What the evaluation says behind a move and what it flips; quicker than to play it. */
int othello_eval_after(const struct state *, int square, uint64_t flips);

/* Fetches the kernel in use; once, before any thread exists, and when the kernels' tables are there. */
void othello_endgame_init(void);

#endif
