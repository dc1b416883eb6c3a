/* SPDX-License-Identifier: MIT
 *
 * Exact scores from a game's own solver, one position after the other on the calling thread.
 */
#ifndef TOOLS_LIB_EXACT_H
#define TOOLS_LIB_EXACT_H

#include "engine/game.h"

/* The solver's memory, kept from one position to the next; zeroed before the first. */
struct exact {
	void *block;
	size_t size;
};

void exact_free(struct exact *);

/* Solves a state that is not over if the game has a solver that expects to take no longer than so many seconds. */
bool exact_solve(struct exact *, const struct game *, const struct state *, enum solve_aim,
		 double within, struct solution *);

#endif
