/* SPDX-License-Identifier: MIT
 *
 * What analysis tells about a move or a position, from the point of view of one side. Pure functions, any
 * thread.
 */
#ifndef PROTOCOL_GTP_FINDING_H
#define PROTOCOL_GTP_FINDING_H

#include <stdint.h>

/* Evaluation of a move, or of the position. */
struct finding {
	uint64_t visits;
	double value, score; /* Black's, NAN: unknown */
	int lower, upper;    /* bounds of Black's result */
	const char *proof;   /* proven result for the side: win, draw, loss; or NULL */
	double winrate,
		lcb; /* the side's, 0 .. 1: expected share of the points, lower confidence bound */
};

/* Sets proof, winrate and lcb for a side. `unknown` is Black's value if the finding has neither value nor
 * score. */
void finding_rate(struct finding *, int side, double unknown);

#endif
