/* SPDX-License-Identifier: MIT
 *
 * The review of a game: what each move cost, the better move, and why. Each position of the game is searched once. A move
 * that seems to lose something is compared once more: the position after the better move is searched, too, so that both
 * values come from searches of equal length. Equal seeds and limits of work give equal reviews.
 *
 * A review is made in steps, so that its searches can run on an event loop: review_next() gives the position to search,
 * review_take() takes the report of that search, until review_next() returns NULL. Only then the results are there.
 */
#ifndef PROTOCOL_LESSONS_REVIEW_H
#define PROTOCOL_LESSONS_REVIEW_H

#include <jansson.h>

#include "engine/rules/fact.h"
#include "engine/search/engine.h"
#include "protocol/lessons/loss.h"

#define REVIEW_LINE_MAX 8 /* most moves shown of a line */

struct review_line {
	int count;
	struct move moves[REVIEW_LINE_MAX];
};

struct review_move {
	int index;  /* in the moves of the record */
	int number; /* as people count, from 1 */
	int side;
	struct move move;
	bool is_forced; /* there was no other move; it does not count */
	struct worth before,
		after; /* of the position with the best move, and of that after the move */
	struct loss loss;
	struct review_line
		better; /* the better move and what may follow; empty if the move is the best known */
	struct review_line
		answer; /* what may follow the move; its first move is the other side's */
	/* The facts of the better move and of the move itself; for moves that are not good. */
	struct facts reasons, faults;
};

struct review_side {
	int moves; /* that were not forced */
	int sizes[LOSS_SIZES];
	double accuracy; /* 0 .. 1, the mean of 1 - severity; NAN without moves */
};

struct review {
	const struct record *record;
	int count;
	struct review_move *moves;
	struct review_side sides[2];
	struct reviewer *reviewer; /* of review.c */
};

/* Begins a review of a record, which must stay as it is until review_free(). */
void review_begin(struct review *, const struct record *);

/* Returns the position to search next. It stays valid until review_take(). Returns NULL if the review is complete. */
const struct record *review_next(struct review *);

/* Takes the report of the search of that position. engine_full_limits() are its limits. */
void review_take(struct review *, const struct report *);

void review_free(struct review *);

/* Makes a whole review with the engine's options, on the calling thread. Calls `progress`, unless it is NULL, before each
 * search and at the end, with the number of positions that are done and of all. Returns false with the reason in `why` if a
 * search failed. The caller calls review_free() in both cases. */
bool review_make(struct review *, struct engine *, const struct record *,
		 void (*progress)(int done, int all), char why[REASON_MAX]);

/* A complete review as JSON. The caller frees it. */
json_t *review_json(const struct review *);

#endif
