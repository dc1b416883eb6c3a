/* SPDX-License-Identifier: MIT
 *
 * What a game knows for proof-number searches and proofs in trees: fewer moves to refute, better first numbers. Each
 * function may be NULL.
 */
#ifndef ENGINE_RULES_PROOFS_H
#define ENGINE_RULES_PROOFS_H

#include "engine/rules/game.h"

struct proofs {
	/* Must-play: lists steps of which one is as good as any, in the order of moves(), and returns their number.
	 * Returns 0 and sets *winner, 1 Black or -1 White, if it knows who wins. The state must be neither over nor
	 * pending, and may be any. It may take long: df-pn asks once for each position that it expands. NULL: every step
	 * may be the best one. */
	int (*must_play)(const struct game *, const struct state *, move_t *, int *winner);
	/* Improves df-pn's first estimate of each side's effort to win a state that is not over: the least number of
	 * positions to settle, 1 .. 10^8. `efforts` holds the estimate by the number of steps. NULL: that one
	 * is used. */
	void (*first_numbers)(const struct game *, const struct state *, uint32_t efforts[2]);
};

#endif
