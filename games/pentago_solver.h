/* SPDX-License-Identifier: MIT
 *
 * The exact solver of Pentago's endings, and what it shares with the rules in pentago.c: how a board is
 * kept and where the lines are. Only these two include it, and what tests the solver.
 */
#ifndef GAMES_PENTAGO_SOLVER_H
#define GAMES_PENTAGO_SOLVER_H

#include "engine/game.h"

#define SIZE      6
#define SQUARES   36
#define TURNS     8
#define LANES     4
#define LANE_SETS 512 /* subsets of a quadrant */
#define FULL      UINT64_C(0x01ff01ff01ff01ff)

/* Lines 0-13 are the first fives of the lines of six, 14-27 their second fives, then the lone fives. */
#define LINES     32
#define SIXES     14
#define SIXES_SET 0x3fffu

enum { RULES = 2 }; /* the word of the state that holds the rule set */
enum rules { STANDARD, TAJIMA, OPENSPIEL };

#define TURNED_MAX 4 /* a quadrant lies in as many ways */

/* The lines of five that a set of stones in a quadrant, turned clockwise so many times, leaves
 * possible: [quadrant][times * LANE_SETS + set]. Lines that all four leave possible are there. */
extern uint32_t pentago_possible[LANES][TURNED_MAX * LANE_SETS];

/* The turns stand in the order of their letters: each quadrant's counter-clockwise, then clockwise. How
 * many quarters of a clockwise circle that is: no branch, which nobody could predict. */
static inline int pentago_quarters(int turn)
{
	return 3 - 2 * (turn & 1);
}

/* The solver, by the best kernel of this processor. */
extern const struct solver pentago_solver;

/* The solvers that this processor can run, the best one first, portable code last; returns how many.
 * Their memory and results are the same. */
#define PENTAGO_SOLVERS_MAX 3
int pentago_solvers(const struct solver *out[PENTAGO_SOLVERS_MAX]);

/* Fills the solver's tables and chooses its kernel; returns its name. */
const char *pentago_solver_init(void);

#endif
