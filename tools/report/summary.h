/* SPDX-License-Identifier: MIT
 *
 * Summary of a match for the report: its score over the games, times, openings, and turning points.
 */
#ifndef TOOLS_REPORT_SUMMARY_H
#define TOOLS_REPORT_SUMMARY_H

#include "tools/match/statistics.h"

#define SUMMARY_SAMPLES 300 /* approximate maximum number of samples */
#define SUMMARY_DROPS   12  /* maximum number of drops shown */

/* A's score after a number of games, in a match of two players. */
struct summary_sample {
	int games;
	struct interval score;
	double llr;
};

/* Seconds that a player took for its moves at one pair of move numbers. */
struct move_times {
	double low, median, high; /* 10th percentile, median, 90th percentile */
	int moves;
};

/* The move of a lost game after which the loser's evaluation fell most. The loss itself counts as -1. */
struct drop {
	int64_t game;
	int player, opponent;
	int move;             /* from 1 */
	double before, after; /* the loser's evaluation of its own result, -1 .. 1 */
};

/* Results of an opening: of all opening numbers that have its moves. */
struct opening_summary {
	int games;    /* 0: the number is not the first that has its moves */
	double black; /* Black's points */
	double a;     /* A's points, in a match of two players */
};

struct summary {
	struct standings standings;
	struct summary_sample *samples;
	int sample_count;
	struct move_times *move_times; /* see summary_move_times */
	int move_times_count;          /* pairs of moves */
	double *spent;                 /* seconds of each player */
	struct drop *drops;            /* the deepest first */
	int drop_count;
	struct opening_summary *openings; /* indexed by opening number */
	int opening_count;                /* length of `openings`, with opening 0 */
	int move_count;                   /* of the longest game */
	int64_t first, last; /* end of the first and last game, seconds since 1970; 0: unknown */
};

/* Reads a match. Returns false with the reason in `why` on failure. The caller frees it in both cases. */
bool summary_read(struct summary *, struct database *, int match, char why[DATABASE_REASON_MAX]);
void summary_free(struct summary *);

/* Returns the times of a player's moves 2 * pair and 2 * pair + 1, counted from 0. */
const struct move_times *summary_move_times(const struct summary *, int player, int pair);

#endif
