/* SPDX-License-Identifier: MIT
 *
 * What a search has found: its answer, its expected line, and what it knows of each candidate move.
 *
 * A report owns two lists that grow and are as long as what was found: its candidates, and their lines. The lines are packed
 * one behind the other, so that a report of 60 candidates takes some 8 KB. A report of zeroes is empty and valid. An emptied
 * report keeps its memory for the next one. report_free() frees it.
 *
 * One thread at a time may use a report.
 */
#ifndef ENGINE_SEARCH_COMMON_REPORT_H
#define ENGINE_SEARCH_COMMON_REPORT_H

#include "engine/rules/game.h"

#define PV_MAX          64
#define REPORT_LINE_MAX 16 /* most moves in the line of one candidate move */

#define PROOF_NEVER     UINT64_MAX /* as a proof number: cannot be proven */

/* What is known of one candidate move of the searched position. */
struct report_move {
	struct move move;
	uint32_t line; /* private: where its line begins in report.lines, 0: the move is its line */
	uint8_t line_count;  /* moves of its line, see report_line() */
	bool exact;          /* the score is proven too */
	int8_t lower, upper; /* proven bounds of Black's result after this move */
	/* Playouts or nodes spent on this move. With a reused tree this includes earlier searches. */
	uint64_t visits;
	double value; /* as in struct report, after this move */
	double score;
};

struct report {
	double value;     /* expected result for Black, -1 .. 1 (draw 0); NAN: unknown */
	double score;     /* expected margin for Black in points; NAN: unknown */
	int lower, upper; /* proven bounds of Black's result: -1 lost, 0 draw, 1 won */
	bool exact;       /* the score is proven too: it is that of perfect play */
	bool book;        /* the move is from the opening book; there was no search */
	int depth; /* moves looked ahead: deepest finished iteration, or deepest leaf of the tree */
	uint64_t playouts; /* of this search */
	uint64_t nodes; /* of this search: positions visited; 0 if the search does not count them */
	double fill;    /* share of the tree's or table's memory in use, 0 .. 1; NAN: unknown */
	/* Proof numbers of the root, for a win of the side to move. Proven: 0 and PROOF_NEVER.
	 * Disproven: PROOF_NEVER and 0. Both 0: the search has none. */
	uint64_t proof, disproof;
	/* The candidate moves that the search knows something about. line[0] comes first. The others
	 * are sorted for the side to move: proven wins, open moves, proven losses, and the best first
	 * in each group. */
	struct report_move *moves;
	int move_count, move_room;
	uint16_t *lines; /* private */
	uint32_t lines_used, lines_room;
	/* Moves in `line`. 0: the search has found nothing, because it had no time. */
	int line_count;
	/* Principal variation: whole moves, each legal after the one before. */
	struct move line[PV_MAX];
};

/* Makes a report empty: all bounds open, values unknown. */
void report_clear(struct report *);

/* Frees the memory of a report, which is then empty. */
void report_free(struct report *);

/* Copies what a report tells; `to` must be valid. */
void report_copy(struct report *to, const struct report *from);

/* Exchanges two reports. */
void report_swap(struct report *, struct report *);

/* Adds a move with unknown value. Its line is the move alone. The result is valid until the next move is added. */
struct report_move *report_add(struct report *, struct move);

/* Sets the line of a candidate of the report: 1 .. REPORT_LINE_MAX moves, the first is the candidate. `visits`: after each
 * move of the line, part of the candidate's visits, 0 if unknown; NULL: all are unknown. */
void report_set_line(struct report *, struct report_move *, const struct move *line,
		     const uint64_t *visits, int count);

/* Copies the line of a candidate of the report, and its visits unless NULL. Returns the number of moves. */
int report_line(const struct report *, const struct report_move *,
		struct move line[REPORT_LINE_MAX], uint64_t visits[REPORT_LINE_MAX]);

/* Returns the index of a move in the report, or -1 if it is missing. */
int report_find(const struct report *, struct move);

/* Limits the bounds of a move to lower .. upper. Bounds that are narrower already stay. */
void report_narrow(struct report_move *, int lower, int upper);

/* Narrows the bounds of the position by those of its moves, and theirs by the position's. The value then lies within
 * them. All candidates must be listed. Returns the number of open moves, whose bounds differ. */
int report_tighten(struct report *, int side);

/* Makes the answer the move with the best proven result for `side`. Among equal moves the present answer
 * stays. The report must list a move. */
void report_answer_best(struct report *, int side);

/* Sets the proof numbers if the bounds prove or disprove a win of `side`, which is to move. */
void report_settle(struct report *, int side);

/* Sorts the moves as struct report promises, for `side` to move. Moves that proofs do not separate are
 * sorted by their ratings, highest first (NULL: all equal). Equal ratings keep the order in which the moves
 * were added. Call it after all moves are added and line[0] is set. The move line[0] is added if it is
 * missing, and gets the report's line. */
void report_sort(struct report *, int side, const double *ratings);

/* Black's result is between `lower` and `upper`. Return the worst and the best result that this leaves to
 * `side`: -1 lost, 0 draw, 1 won. */
static inline int result_least(int side, int lower, int upper)
{
	return side == BLACK ? lower : -upper;
}

static inline int result_most(int side, int lower, int upper)
{
	return side == BLACK ? upper : -lower;
}

#endif
