/* SPDX-License-Identifier: MIT
 *
 * What is known of a position or a move, in numbers and words. Pure functions, any thread.
 */
#ifndef PROTOCOL_SESSION_WORTH_H
#define PROTOCOL_SESSION_WORTH_H

#include "engine/base/text.h"
#include "engine/search/common/algorithm.h"

/* All are Black's. */
struct worth {
	double value, score; /* as in struct report */
	int lower, upper;
	bool exact;
};

struct worth worth_of_report(const struct report *);
struct worth worth_of_move(const struct report_move *);
struct worth worth_of_end(const struct game *, const struct state *); /* the state is over */

/* Returns true if there is a value, a score or a proven result. */
bool worth_is_known(const struct worth *);

/* Black's expected share of the points, 0 .. 1. NAN: unknown. */
double worth_share(const struct worth *);

/* Returns Black's value, -1 .. 1: `value`, or an estimate from `score`, or `unknown` if both are NAN. */
double worth_guess(double value, double score, double unknown);

/* Converts a value of Black's, -1 .. 1, to a side's share of the points, 0 .. 1. */
double worth_side_share(int side, double value);

/* What analysis tells a side. */
struct rating {
	uint64_t visits;
	struct worth worth;
	const char *proof;   /* the proven result: win, draw, loss; or NULL */
	double winrate, lcb; /* 0 .. 1: expected share of the points, lower confidence bound */
};

/* `unknown` is Black's value if there is neither value nor score. */
struct rating worth_rate(const struct worth *, uint64_t visits, int side, double unknown);

/* Narrows the bounds of a position in which `side` may choose a position of the second worth. */
void worth_at_least(struct worth *, int side, const struct worth *);

/* Describes bounds of Black's result (-1, 0, 1): "white wins", "black does not lose"; "" if they say
 * nothing. For people (game not NULL) the sides are Black and White, or X and O in games that are written with a pen. */
const char *worth_result(const struct game *, int lower, int upper);

/* The value for `side` of bounds of Black's result: "win", "draw or loss", "unknown". */
const char *worth_value(int side, int lower, int upper);

/* Writes what a side may expect: the result if it is proven, "Black wins by 4 discs with best play", or an estimate,
 * "win rate 62 %, about 3 discs ahead". In games of speed "in 7 moves", from this state on. */
void worth_print(const struct worth *, const struct game *, const struct state *, int side,
		 struct text *);

#endif
