/* SPDX-License-Identifier: MIT
 *
 * What Gomoku knows of good moves: heavy playouts, and prior knowledge for the tree.
 */
#ifndef GAMES_GOMOKU_GOMOKU_HEAVY_H
#define GAMES_GOMOKU_GOMOKU_HEAVY_H

#include "engine/rules/playouts.h"
#include "games/gomoku/gomoku.h"

/* `heavy` and `prior` of struct playouts. */
int gomoku_heavy(const struct game *, const struct state *, move_t last, struct rng *,
		 struct trace *);
void gomoku_prior(const struct game *, const struct state *, move_t last, const move_t *steps,
		  int count, struct prior *out);

#endif
