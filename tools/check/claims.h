/* SPDX-License-Identifier: MIT
 *
 * Compares the claims in a search's report with the truth: bounds, exact scores and proof numbers of the
 * position and of its moves. Also checks that the answer keeps what is claimed, and that the report has the
 * form that engine/search/common/algorithm.h promises.
 */
#ifndef TOOLS_CHECK_CLAIMS_H
#define TOOLS_CHECK_CLAIMS_H

#include "engine/search/common/algorithm.h"
#include "tools/check/truth.h"

enum claim {
	CLAIM_BOUND,      /* a bound of the position's result, better than the trivial one */
	CLAIM_SCORE,      /* an exact score of the position */
	CLAIM_MOVE_BOUND, /* a bound of a move's result */
	CLAIM_MOVE_SCORE,
	CLAIM_PROOF, /* proof numbers that claim the position proven or disproven */
	CLAIM_ANSWER, /* the answer keeps the claim: a bound of the result, an exact score, a proven win */
	CLAIM_SURE, /* if some moves are known to keep a bound that is no loss, the answer is one of them */
	CLAIM_FORM,   /* the report: its moves and lines are legal, its numbers agree */
	CLAIM_SOLVER, /* a bound from the game's own solvers; not counted by claims_check() */
	CLAIMS
};

extern const char *const claim_names[CLAIMS];

struct claims {
	uint64_t checked[CLAIMS], wrong[CLAIMS];
};

/* The moves that a search chose from. */
struct choice {
	const struct move *only; /* as in struct task */
	int only_count;
	bool is_live; /* the search still runs: a move may be known to win before the position is */
	bool is_hidden; /* it chose from an unknown subset of these moves (the option `level`) */
};

#define CLAIM_TEXT_MAX 256

/* Checks a report about a state that is neither over nor pending, and adds to the counts. Returns true if
 * nothing is wrong. Otherwise `text` describes the first wrong claim. */
bool claims_check(struct claims *, struct truth *, const struct game *, const struct state *,
		  const struct choice *, const struct report *, char text[CLAIM_TEXT_MAX]);

#endif
