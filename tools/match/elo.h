/* SPDX-License-Identifier: MIT
 *
 * Statistics of results: scores with confidence intervals, differences in Elo, and Elo ratings of many
 * players. A score is the share of points won, 0 .. 1; a draw is half a point. All intervals are of 95 %.
 * Pure functions.
 */
#ifndef TOOLS_MATCH_ELO_H
#define TOOLS_MATCH_ELO_H

#include <stdbool.h>

/* Dependent games: the two of one opening. */
struct group {
	int games;
	double points;
};

struct interval {
	double mean, low, high;
};

/* Returns the score over all groups with its interval. Ignores groups without games. The interval is
 * 0 .. 1 if fewer than two groups have games. */
struct interval score_interval(const struct group *, int count);

/* Convert a score to a difference in Elo by the logistic model (infinite at 0 and 1), and back. */
double elo_of_score(double score);
double score_of_elo(double elo);

/* Converts an interval of scores to Elo. */
struct interval elo_interval(const struct interval *score);

#define ELO_WIDTH_MAX 1000

/* Returns true if an interval in Elo is finite and at most ELO_WIDTH_MAX wide. */
bool elo_is_known(const struct interval *elo);

/* --- ratings --- */

/* Score of player `a` against player `b` in one cluster of dependent games (those of one opening). Clusters
 * are numbered from 0. */
struct meeting {
	int a, b, cluster;
	int games;
	double points; /* of a */
};

#define RATING_PLAYERS_MAX 100

/* Rates `players` players by all their meetings on one Elo scale with mean 0. Intervals are infinite if all
 * meetings are of one cluster. A player without games gets rating 0 and an infinite interval. */
void elo_ratings(const struct meeting *, int count, int players, struct interval *ratings);

#endif
