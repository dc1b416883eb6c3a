/* SPDX-License-Identifier: MIT
 *
 * What positions are worth, found without any search of the engine: exhaustive minimax that knows nothing of a game but
 * its moves and how it ends. Where many squares are free it takes too long, and the game's own solver answers,
 * by the plainest code that it has; truth_check_solvers() compares the two where both can.
 */
#ifndef TOOLS_LIB_TRUTH_H
#define TOOLS_LIB_TRUTH_H

#include "engine/game.h"

struct truth;

/* Remembers positions in a table of so many bytes. */
struct truth *truth_create(size_t bytes);
void truth_destroy(struct truth *);

/* Free squares up to which minimax alone answers. */
int truth_free_max(const struct game *);

/* Black's score of perfect play, of a state that is not pending; it may be over. */
int truth_score(struct truth *, const struct game *, const struct state *);

/* Whether everything that the game's solvers say of a state that is not over is true: for every aim, of the state
 * and of each of its moves. Adds to `claims` how many bounds were compared. True if there is no solver. The
 * state has no more free squares than truth_free_max(). */
bool truth_check_solvers(struct truth *, const struct game *, const struct state *,
			 uint64_t *claims);

#endif
