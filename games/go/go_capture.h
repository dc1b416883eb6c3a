/* SPDX-License-Identifier: MIT
 *
 * The goal of capturing stones, as a game of its own.
 */
#ifndef GAMES_GO_GO_CAPTURE_H
#define GAMES_GO_GO_CAPTURE_H

#include "engine/rules/game.h"

/* Makes the tables of the goal for all sizes. Call it after the tables of Go are filled, before any thread exists. */
void go_capture_init(void);

/* game.capture of Go. */
const struct game *go_capture(const struct game *, const struct state *, int square,
			      const int *area, int count, struct state *goal, const char **why);

#endif
