/* SPDX-License-Identifier: MIT
 *
 * The exact endgame solver of Pentago, and what it shares with the rules in pentago.c: the layout of a
 * board and its lines. Only pentago.c, the solver and its tests include this header.
 */
#ifndef GAMES_PENTAGO_PENTAGO_SOLVER_H
#define GAMES_PENTAGO_PENTAGO_SOLVER_H

#include "engine/base/kernel.h"
#include "engine/rules/game.h"
#include "engine/rules/solver.h"

#define SIZE      6
#define SQUARES   36
#define TURNS     8
#define LANES     4
#define LANE_SETS 512 /* subsets of a quadrant */
#define FULL      UINT64_C(0x01ff01ff01ff01ff)

/* Lines 0-13 are the first five squares of the lines of six, 14-27 the last five. The other lines are in no
 * line of six. */
#define LINES     32
#define SIXES     14
#define SIXES_SET 0x3fffu

enum { RULES = 2 }; /* the word of the state with the rule set */
enum rules { STANDARD, TAJIMA, OPENSPIEL };

#define TURNED_MAX 4 /* number of rotations of a quadrant */

/* The lines of five whose squares in a quadrant all have stones, for a set of stones turned clockwise `times`
 * times: [quadrant][times * LANE_SETS + set]. The AND over the four quadrants gives the complete lines. */
extern uint32_t pentago_possible[LANES][TURNED_MAX * LANE_SETS];

/* The number of clockwise quarters of a turn, 1 or 3. Turns are in the order of their letters: for each
 * quadrant counter-clockwise, then clockwise. Without a branch, because it would be unpredictable. */
static inline int pentago_quarters(int turn)
{
	return 3 - 2 * (turn & 1);
}

extern const struct solver pentago_solver;

/* Fills the lookup tables of the solver. Call it once, before any thread exists. */
void pentago_solver_init(void);

#endif
