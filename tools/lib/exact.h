/* SPDX-License-Identifier: MIT
 *
 * Exact scores from a game's own solver, one position at a time on the calling thread.
 */
#ifndef TOOLS_LIB_EXACT_H
#define TOOLS_LIB_EXACT_H

#include "engine/rules/game.h"
#include "engine/rules/solver.h"

/* The solver's memory, reused from one position to the next. Must be zeroed before the first one. */
struct exact {
	void *block;
	size_t size;
};

void exact_free(struct exact *);

/* Solves a state that is not over. Returns true if the aim is reached. Returns false if the game has no
 * solver, the solver expects to need more than `within` seconds, the system refuses the memory, the
 * solver proves less than the aim asks for, or control ends the search; NULL: nothing ends it. */
bool exact_solve(struct exact *, const struct game *, const struct state *, enum solve_aim,
		 double within, struct control *, struct solution *);

#endif
