/* SPDX-License-Identifier: MIT
 *
 * Who will own the squares of the board, estimated by random games, and what becomes of the stones. Pure functions,
 * any thread.
 */
#ifndef ENGINE_OWNERSHIP_H
#define ENGINE_OWNERSHIP_H

#include "engine/game.h"

/* Enough games for two digits; on the largest board they take some tenths of a second. */
#define OWNERSHIP_GAMES 400

/* Estimates the owner of each square at the end of the game, from -1 (White) to 1 (Black), by `count` random games
 * from the state. Index row*cols+col, row 0 at the top. The same seed gives the same result. */
void ownership_estimate(const struct game *, const struct state *, int count, uint64_t seed,
			float owner[GAME_SQUARES_MAX]);

enum fate { FATE_DEAD, FATE_SEKI, FATE_ALIVE };

/* Labels the chains of orthogonal neighbours of one color: chain[i] is the number of the chain of square i, from 0,
 * or -1 for an empty square. Returns the number of chains. */
int ownership_chains(const struct game *, const struct state *, int chain[GAME_SQUARES_MAX]);

/* Judges each chain by the mean owner of its squares. */
void ownership_fates(const struct game *, const struct state *, const float owner[GAME_SQUARES_MAX],
		     const int chain[GAME_SQUARES_MAX], int count,
		     enum fate fates[GAME_SQUARES_MAX]);

#endif
