/* SPDX-License-Identifier: MIT
 *
 * What a score says of strength: intervals and Elo. Pure functions. A score is a share of the points,
 * 0 to 1, a draw being half a point.
 */
#ifndef TOOLS_LIB_SCORE_H
#define TOOLS_LIB_SCORE_H

/* Games that are not independent of each other: the two of one opening. */
struct group {
	int games;
	double points;
};

struct interval {
	double mean, low, high;
};

/* The score over all groups and its 95 % interval. Groups without games do not count; without any games
 * the interval is 0 to 1. */
struct interval score_interval(const struct group *, int count);

/* The difference in Elo that a score stands for, infinite at 0 and 1. */
double score_elo(double score);

#endif
