/* SPDX-License-Identifier: MIT
 *
 * The goal of capturing stones (game.capture), for the command and the mode `solve`.
 */
#ifndef PROTOCOL_SESSION_GOAL_H
#define PROTOCOL_SESSION_GOAL_H

#include "engine/rules/record.h"

/* Makes the last position of a record the start of a goal. `goal` must be initialized; target, area and count are as
 * in game.capture. Returns NULL, or the reason why there is no such goal; `goal` is then as before. */
const char *goal_begin(struct record *goal, const struct record *from, int target, const int *area,
		       int count);

/* The side that defends the stone on a square, which must not be empty. */
int goal_defender(const struct game *, const struct state *, int target);

/* The result in a word, from bounds of Black's result: "captured", "safe" or "unknown". */
const char *goal_result(int defender, int lower, int upper);

#endif
