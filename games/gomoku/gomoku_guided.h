/* SPDX-License-Identifier: MIT
 *
 * What Gomoku knows of good moves: guided playouts, and hints for the tree.
 */
#ifndef GAMES_GOMOKU_GOMOKU_GUIDED_H
#define GAMES_GOMOKU_GOMOKU_GUIDED_H

#include "engine/rules/playouts.h"
#include "games/gomoku/gomoku.h"

/* `guided` and `hints` of struct game. */
int gomoku_guided(const struct game *, const struct state *, move_t last, struct rng *,
		  struct trace *);
void gomoku_hints(const struct game *, const struct state *, move_t last, const move_t *steps,
		  int count, struct prior *out);

#endif
