/* SPDX-License-Identifier: MIT
 *
 * Verifies a claim about a position by the rules alone. The claim is that the score of one side is at least
 * a number of points (0: it does not lose; < 0: it loses by at most that much). If that side is to move,
 * one move must keep the claim, and an adviser names it. If the other side is to move, every move must keep
 * the claim. The check goes down to finished games. The adviser is not trusted: wrong advice is reported as
 * a hole.
 */
#ifndef ENGINE_SEARCH_VERIFY_H
#define ENGINE_SEARCH_VERIFY_H

#include "engine/rules/game.h"
#include "engine/search/common/control.h"

struct verifier;

enum verdict {
	VERIFIED,
	HOLE,      /* the claim is wrong, or an advised move does not keep it */
	UNFINISHED /* control stopped the check, or the adviser knew no move */
};

/* Names a move that keeps the claim for the side to move. Returns false if it knows none. The state is
 * neither over nor pending. */
typedef bool (*advise_fn)(void *arg, const struct state *, struct move *);

/* Creates a verifier for the claim that the score of `side` is at least `points`. With at most `tried`
 * empty squares it tries all moves instead of calling the adviser, which is faster near the end. `bytes` is
 * the size of the table of verified positions. Returns NULL if the system refuses that memory. */
struct verifier *verifier_create(const struct game *, int side, int points, int tried, size_t bytes,
				 advise_fn, void *arg);
void verifier_destroy(struct verifier *);

/* Checks the claim for a state that is not pending. A unit of work is a position. One thread at a time. */
enum verdict verifier_check(struct verifier *, const struct state *, struct control *);

/* The number of positions visited so far, and the position of the last hole. */
uint64_t verifier_positions(const struct verifier *);
const struct state *verifier_hole(const struct verifier *);

#endif
