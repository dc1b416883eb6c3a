/* SPDX-License-Identifier: MIT
 *
 * The course of a match: what became of it game by game and move by move, as a report shows it.
 */
#ifndef PROTOCOL_TALE_H
#define PROTOCOL_TALE_H

#include "protocol/standings.h"

#define TALE_SAMPLES 300 /* most points of a course */
#define TALE_FALLS   12  /* most falls that are named */

/* The score of a match of two, A's, after so many games. */
struct sample {
	int games;
	struct interval score;
	double llr;
};

/* The seconds of a player's moves at one number of the game's moves, of two in a row. */
struct pace {
	double low, median, high; /* the middle eight tenths */
	int moves;
};

/* The move of a lost game after which its loser expected the most less than before, or had lost. */
struct fall {
	int64_t game;
	int player, opponent;
	int move;             /* from 1 */
	double before, after; /* the loser's result as it expects it, -1 .. 1 */
};

/* What an opening has brought. */
struct opening_tale {
	char *moves; /* separated by blanks; NULL: it was not played */
	int games;
	double black; /* Black's points */
	double a;     /* of a match of two, A's */
};

struct tale {
	struct standings standings;
	struct sample *samples;
	int sample_count;
	struct pace *paces; /* see tale_pace */
	int pace_count;     /* pairs of moves */
	double *spent;      /* seconds of each player */
	struct fall *falls; /* the deepest first */
	int fall_count;
	struct opening_tale *openings; /* by number */
	int opening_count;             /* of the list, with 0 */
	int opening_moves;             /* most of any opening */
	int move_count;                /* of the longest game */
	struct tally black;            /* of all games */
	int64_t first, last;           /* when games ended; 0: unknown */
};

/* Reads a match. False: `why` says why not. Free it in both cases. */
bool tale_read(struct tale *, struct matches *, int match, char why[MATCHES_REASON_MAX]);
void tale_free(struct tale *);

/* Of a player's moves number 2 * pair and 2 * pair + 1, from 0. */
const struct pace *tale_pace(const struct tale *, int player, int pair);

#endif
