/* SPDX-License-Identifier: MIT
 *
 * The true value of positions, found without the engine's searches: by exhaustive minimax that knows only a
 * game's moves and how it ends. With many empty squares minimax takes too long; then the game's own solver
 * answers, by its plainest code. truth_check_solvers() compares both where both can answer.
 */
#ifndef TOOLS_CHECK_TRUTH_H
#define TOOLS_CHECK_TRUTH_H

#include "engine/rules/game.h"

struct truth;

/* Creates an instance with a table of `bytes` bytes for known positions. */
struct truth *truth_create(size_t bytes);
void truth_destroy(struct truth *);

/* Returns the largest number of empty squares at which minimax answers alone. */
int truth_free_max(const struct game *);

/* Returns Black's score under perfect play. The state must not be pending; it may be over. */
int truth_score(struct truth *, const struct game *, const struct state *);

/* Returns true if everything that the game's solvers claim about a state is true, for every aim, for the
 * state and for each of its moves. Adds the number of compared bounds to `claims`. Returns true if the game
 * has no solver. The state must not be over and must have at most truth_free_max() empty squares. */
bool truth_check_solvers(struct truth *, const struct game *, const struct state *,
			 uint64_t *claims);

#endif
