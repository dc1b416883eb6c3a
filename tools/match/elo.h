/* SPDX-License-Identifier: MIT
 *
 * Statistics of results: scores with confidence intervals, likelihoods of superiority, differences in Elo,
 * normalised Elo, and Elo ratings of many players. A score is the share of points won, 0 .. 1; a draw is half a point. All intervals are of 95 %.
 * Pure functions.
 */
#ifndef TOOLS_MATCH_ELO_H
#define TOOLS_MATCH_ELO_H

#include <stdbool.h>

/* A cluster of dependent games: those of one opening. */
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

/* Returns the likelihood of superiority: the probability that the true score is above 0.5 (0 .. 1). It is above
 * 0.975 if and only if the low end of the interval is above 0.5. 0.5 if fewer than two groups have games. */
double score_superiority(const struct group *, int count);

/* Convert a score to a difference in Elo by the logistic model (infinite at 0 and 1), and back. */
double elo_of_score(double score);
double score_of_elo(double elo);

/* Converts an interval of scores to Elo. */
struct interval elo_interval(const struct interval *score);

#define ELO_WIDTH_MAX 1000

/* Returns true if an interval in Elo is finite and at most ELO_WIDTH_MAX wide. */
bool elo_is_known(const struct interval *elo);

/* Says why an interval in Elo is not known. */
const char *elo_unknown(const struct interval *elo);

/* What is counted as one result: a pair of games with exchanged colours, or a single game. */
struct unit {
	int points;  /* half points: 0 .. 2 of a game, 0 .. 4 of a pair */
	int cluster; /* from 0; those of one opening are dependent */
};

/* Fewer outcomes that differ from the most common one say too little about the standard deviation. */
#define NORMALISED_MIN 20

/* Returns the normalised Elo of `count` outcomes of `games` games each (1 or 2), with its interval: how many standard
 * deviations of a game the score is above one half, scaled so that it is about the Elo of independent games without
 * draws. NAN in all members if they are of one cluster, or if fewer than NORMALISED_MIN differ from the most common
 * outcome. */
struct interval elo_normalised(const struct unit *, int count, int games);

/* --- ratings --- */

/* Score of player `a` against player `b` in one cluster of dependent games (those of one opening). Clusters
 * are numbered from 0. */
struct meeting {
	int a, b, cluster;
	int games;
	double points; /* of a */
};

#define RATING_PLAYERS_MAX 100

/* Rates `players` players by all their meetings, which have games, on one Elo scale. The mean of those who have met is 0.
 * Intervals are infinite if all meetings are of one cluster. A player without games gets rating 0 and an infinite
 * interval. */
void elo_ratings(const struct meeting *, int count, int players, struct interval *ratings);

#endif
