/* SPDX-License-Identifier: MIT
 *
 * The exact endgame solver of Othello.
 */
#ifndef GAMES_OTHELLO_OTHELLO_ENDGAME_H
#define GAMES_OTHELLO_OTHELLO_ENDGAME_H

#include <stddef.h>
#include <stdint.h>

#include "engine/rules/game.h"
#include "engine/rules/solver.h"

/* Returns the score of perfect play for the side to move, which has `mine`. The result is exact if it is
 * between alpha and beta (-64 <= alpha < beta <= 64). A result >= beta is a lower bound, a result <= alpha
 * an upper bound. Adds the number of positions searched to *nodes. Public for tests.
 *
 * The caller provides at least 4096 bytes of memory, aligned to 64, which no other thread may
 * use during the call. They may have any content; the results of an earlier call may help. 1 MiB is a good
 * size for 16 empty squares. */
int othello_solve(uint64_t mine, uint64_t theirs, int alpha, int beta, void *memory, size_t bytes,
		  uint64_t *nodes);

extern const struct solver othello_solver;

/* Black's evaluation after a move that turns `flips`, in hundredths of a disc. Faster than playing the
 * move. */
int othello_eval_after(const struct state *, int square, uint64_t flips);

/* Selects the kernel in use. Call it once, after othello_kernel_init() and before any thread exists. */
void othello_endgame_init(void);

#endif
