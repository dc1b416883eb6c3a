/* SPDX-License-Identifier: MIT
 *
 * The results of a match: a file of one line a game, written as games end, and what they add up to. The
 * file is text: a line that identifies the match, a line that names the columns, then the games in the
 * order in which they ended, their fields separated by tabs.
 */
#ifndef TOOLS_LIB_RESULTS_H
#define TOOLS_LIB_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/score.h"

#define RESULTS_GAMES_MAX  100000
#define RESULTS_REASON_MAX 256

/* How a game came to its end. All behind END_RESIGN are forfeits. */
enum end {
	END_OVER, /* by the rules */
	END_RESIGN,
	END_TIME,    /* the clock ran out */
	END_ILLEGAL, /* an illegal move */
	END_GARBAGE, /* an answer that is none, a move that cannot be read */
	END_REFUSED, /* an error where GTP or the rules leave no reason for one */
	END_HUNG,
	END_DIED,
	END_COUNT
};

struct result {
	int game;    /* from 1 */
	int opening; /* from 1 */
	int color;   /* A's, BLACK or WHITE */
	int points;  /* A's, in halves: 0, 1, 2 */
	enum end end;
	const char *detail;     /* the score, or what went wrong */
	const char *moves;      /* separated by blanks, the opening's included */
	const char *seconds[2]; /* A's and B's: one number a move they chose, separated by blanks */
	const char *seeds;
};

struct results;

/* Opens the results of the match that `title` (one line) identifies, those of earlier runs included,
 * and keeps others from writing to the same file. `path` NULL: results are counted, not written.
 * NULL: `why` says why. */
struct results *results_open(const char *path, const char *title, char why[RESULTS_REASON_MAX]);

/* Opens the results of any match, to read. */
struct results *results_read(const char *path, char why[RESULTS_REASON_MAX]);

/* False: what was added could not be written to the end. */
bool results_close(struct results *);

/* Writes and counts a game; false: it could not be written. */
bool results_add(struct results *, const struct result *);

bool results_has(const struct results *, int game);
int results_games(const struct results *);

/* A's won, drawn and lost games. */
void results_count(const struct results *, int *won, int *drawn, int *lost);
struct interval results_interval(const struct results *);

/* For people: scores, interval, Elo, forfeits, times. */
void results_summary(const struct results *, FILE *);

/* For programs, one line: games, won, drawn, lost, score, low and high end of its interval, forfeits
 * of A, of B, separated by blanks. */
void results_line(const struct results *, FILE *);

#endif
