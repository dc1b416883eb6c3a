/* SPDX-License-Identifier: MIT
 *
 * What becomes of the stones, judged by the expected owners of the squares (engine/evaluation/estimate.h). Pure functions, any
 * thread.
 */
#ifndef ENGINE_EVALUATION_OWNERSHIP_H
#define ENGINE_EVALUATION_OWNERSHIP_H

#include "engine/rules/game.h"

enum fate { FATE_DEAD, FATE_SEKI, FATE_ALIVE };

/* Labels the chains of orthogonal neighbours of one color: chain[i] is the number of the chain of square i, from 0,
 * or -1 for an empty square. Returns the number of chains. */
int ownership_chains(const struct game *, const struct state *, int chain[GAME_SQUARES_MAX]);

/* Judges each chain by the mean owner of its squares. */
void ownership_fates(const struct game *, const struct state *,
		     const double owner[GAME_SQUARES_MAX], const int chain[GAME_SQUARES_MAX],
		     int count, enum fate fates[GAME_SQUARES_MAX]);

/* Tells of each square which sides own it once the dead chains are off the board: the sides, as bits 1 << side, whose
 * stones lie beside its region of empty squares. Both bits: neutral, or no stones at all. 0: a stone that stays. */
void ownership_regions(const struct game *, const struct state *, const int chain[GAME_SQUARES_MAX],
		       const enum fate fates[GAME_SQUARES_MAX], unsigned sides[GAME_SQUARES_MAX]);

#endif
