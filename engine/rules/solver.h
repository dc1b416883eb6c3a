/* SPDX-License-Identifier: MIT
 *
 * Exact solvers: perfect play near the end of a game. Without one searches alone prove results.
 */
#ifndef ENGINE_RULES_SOLVER_H
#define ENGINE_RULES_SOLVER_H

#include "engine/base/kernel.h"
#include "engine/rules/game.h"

struct control;

/* What a solver computes. Each aim takes at least as long as the one before it. */
enum solve_aim {
	SOLVE_ESTIMATE, /* an estimate of the score and a move for it; may be unproven */
	SOLVE_RESULT,   /* the result of perfect play, and a move that reaches it */
	SOLVE_SCORE,    /* the score of perfect play, and a move that reaches it */
	SOLVE_ALL,      /* the scores of all moves */
};

/* Proven bounds of the score of every whole move in a position. The best bounds for the side to move are
 * the position's own bounds. SOLVE_RESULT: these have one sign, or are both 0. SOLVE_SCORE: they are equal,
 * and one move has both. SOLVE_ALL: the two bounds of every move are equal. A solver may prove more than
 * the aim requires. */
struct solution {
	int count;
	struct {
		struct move move;
		int16_t least, most; /* Black's score after the move */
	} moves[GAME_MOVES_MAX];     /* in the order of game_moves() */
	/* Index of the estimated best move, -1: no estimate. `estimated_score` is Black's estimated score
	 * after it. */
	int estimated;
	int16_t estimated_score;
};

/* Starts a solution without moves and without an estimate. */
void solution_init(struct solution *);

/* Adds the next move, with bounds of Black's score after it. */
void solution_add(struct solution *, struct move, int least, int most);

/* Bounds of Black's score of the position; `side` is to move. The solution must have at least one move. */
void solution_bounds(const struct solution *, int side, int *least, int *most);

#define SOLVER_CLEAR 65536 /* most bytes at the start of a solver's memory that must be zero */

/* The exact solver of a game. The caller owns the threads and the memory; the solver allocates nothing. */
struct solver {
	/* Estimates the cost of solving a state that is not over. `seconds`: wall time if `threads`
	 * processors are free; about nine of ten states take less. `bytes`: on entry the most that the
	 * caller can give, on return the exact size of the block. It is larger than that only if the solver
	 * cannot do with less. Returns false if the solver does not support this state and aim. */
	bool (*estimate)(const struct game *, const struct state *, enum solve_aim, int threads,
			 double *seconds, size_t *bytes);
	/* Solves a state. Up to `threads` (1 .. THREADS_MAX) workers call it at once, each with its own number; one
	 * worker alone can finish the work. They share a block of at least the estimated size, aligned to
	 * 64 bytes. solver_clear() must have prepared the block; its other bytes may have any content. So a block can be reused,
	 * also for another state or aim; results of an earlier solve may help if the block had the same
	 * size then. Returns when the state is solved or control stops it; control is checked every
	 * millisecond. A unit of work is a position. */
	void (*work)(const struct game *, const struct state *, enum solve_aim, void *block,
		     size_t bytes, int worker, int threads, struct control *);
	/* Reads the solution after all workers have returned. Returns false if they were stopped before
	 * they reached the aim. The solution then holds what is proven so far, with count 0 if nothing is. */
	bool (*result)(const struct game *, const struct state *, const void *block,
		       struct solution *);
	/* Where positions may not repeat: tells the solver an earlier position of the game, after the start of
	 * the block was cleared and before the workers start. Returns false if there is no room for it. NULL: the
	 * solver solves positions without a past only. */
	bool (*add_past)(const struct game *, void *block, const struct state *earlier);
	/* Bytes at the start of the block that must be zero, 0: SOLVER_CLEAR. */
	size_t clear;
	/* Solving is instant with at most this many empty squares. The clock budget ignores those moves. 0:
	 * unknown. */
	int quick;
	/* Returns the same solver with a kernel that this processor must support, for checks. Memory layout and
	 * results are the same for all kernels. NULL: the solver always uses kernel_used(). */
	const struct solver *(*with_kernel)(enum kernel);
};

/* Prepares a block for solver.work. */
static inline void solver_clear(const struct solver *s, void *block, size_t bytes)
{
	size_t clear = s->clear ? s->clear : SOLVER_CLEAR;
	memset(block, 0, bytes < clear ? bytes : clear);
}

#endif
