/* SPDX-License-Identifier: MIT
 *
 * Compares what a search claims in its report with the truth: bounds, exact scores, proof numbers, of the position
 * and of its moves; that the answer keeps what is claimed; and that the report has the form that
 * engine/algorithm.h promises.
 */
#ifndef TOOLS_LIB_CLAIMS_H
#define TOOLS_LIB_CLAIMS_H

#include "engine/algorithm.h"
#include "tools/lib/truth.h"

enum claim {
	CLAIM_BOUND,      /* a bound of the position's result that says something */
	CLAIM_SCORE,      /* an exact score of the position */
	CLAIM_MOVE_BOUND, /* the same of a move */
	CLAIM_MOVE_SCORE,
	CLAIM_PROOF, /* proof numbers that say that the position is proven or disproven */
	CLAIM_ANSWER, /* the answer keeps a claim: a bound of the result, an exact score, a proven win */
	CLAIM_SURE, /* where moves are known to keep a bound that is no loss, the answer is one of them */
	CLAIM_FORM,   /* a report: its moves and lines are legal, its numbers agree */
	CLAIM_SOLVER, /* a bound of the game's own solvers; claims_check() counts none */
	CLAIMS
};

extern const char *const claim_names[CLAIMS];

struct claims {
	uint64_t checked[CLAIMS], wrong[CLAIMS];
};

/* What a search chose from. */
struct choice {
	const struct move *only; /* as in struct task */
	int only_count;
	bool is_live;   /* the search goes on: moves may be known to win before the position is */
	bool is_hidden; /* it chose from some moves of these, unknown which (the option `level`) */
};

#define CLAIM_TEXT_MAX 256

/* Checks a report about a state that is neither over nor pending, and counts. True if nothing is wrong; else `text`
 * says what is, of the first claim. */
bool claims_check(struct claims *, struct truth *, const struct game *, const struct state *,
		  const struct choice *, const struct report *, char text[CLAIM_TEXT_MAX]);

#endif
