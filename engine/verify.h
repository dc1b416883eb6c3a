/* SPDX-License-Identifier: MIT
 *
 * Checks a claim about a position by the rules alone: that one side wins by at least so many points (0: it does not lose;
 * less: it loses by no more). Where that side is to move one move must do, and an adviser says which; where the
 * other side is, all of its moves must leave the claim true, down to finished games. The adviser is not
 * believed: whatever it says wrong is found as a hole.
 */
#ifndef ENGINE_VERIFY_H
#define ENGINE_VERIFY_H

#include "engine/control.h"
#include "engine/game.h"

struct verifier;

enum verdict {
	VERIFIED,
	HOLE,      /* the claim is wrong, or a move that was advised does not keep it */
	UNFINISHED /* the control ended it, or the adviser knew no move */
};

/* Names a move by which the side to move keeps what is claimed for it; false: it knows none. The state is neither over
 * nor pending. */
typedef bool (*advise_fn)(void *arg, const struct state *, struct move *);

/* For the claim that the score of `side` is at least `points`. Where so few squares are free as `tried` says, moves
 * are tried out one after the other instead of asking, which is faster near the end. The memory is for positions of
 * which the claim has been verified; NULL: it is refused. */
struct verifier *verifier_create(const struct game *, int side, int points, int tried, size_t bytes,
				 advise_fn, void *arg);
void verifier_destroy(struct verifier *);

/* Checks the claim of a state that is not pending. A unit of work is a position. */
enum verdict verifier_check(struct verifier *, const struct state *, struct control *);

/* Positions looked at so far; and where the last hole is. */
uint64_t verifier_positions(const struct verifier *);
const struct state *verifier_hole(const struct verifier *);

#endif
