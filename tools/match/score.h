/* SPDX-License-Identifier: MIT
 *
 * Statistics of results: confidence intervals, Elo, a sequential probability ratio test (SPRT), ratings. Pure
 * functions. A score is the share of points won, 0 .. 1; a draw is half a point.
 */
#ifndef TOOLS_MATCH_SCORE_H
#define TOOLS_MATCH_SCORE_H

#include <stdbool.h>

/* Dependent games: the two of one opening. */
struct group {
	int games;
	double points;
};

struct interval {
	double mean, low, high;
};

/* Returns the score over all groups with its 95 % interval. Ignores groups without games. The interval is
 * 0 .. 1 if fewer than two groups have games. */
struct interval score_interval(const struct group *, int count);

/* Convert a score to a difference in Elo (infinite at 0 and 1), and back. */
double score_elo(double score);
double score_of_elo(double elo);

/* Converts an interval of scores to Elo. */
struct interval score_elo_interval(const struct interval *score);

#define ELO_WIDTH_MAX 1000

/* Returns true if an interval in Elo is finite and at most ELO_WIDTH_MAX wide. */
bool elo_is_known(const struct interval *elo);

/* --- the sequential test --- */

/* The hypotheses: one player is stronger by `elo0`, or by `elo1` (logistic Elo). `alpha` is the probability
 * of accepting elo1 if elo0 is true, `beta` that of accepting elo0 if elo1 is true. */
struct sprt {
	double elo0, elo1, alpha, beta;
};

/* Returns true if the test is valid: elo0 < elo1, both within reason, alpha and beta below 0.5. */
bool sprt_is_sound(const struct sprt *);

/* Bounds of the log-likelihood ratio: the test accepts elo0 below the lower, elo1 above the upper one. */
double sprt_lower(const struct sprt *);
double sprt_upper(const struct sprt *);

#define SPRT_OUTCOMES 5 /* of a pair of games: 0, 1/2 .. 2 points */

/* Returns the log-likelihood ratio of elo1 to elo0, 0 without games. counts[i] is the number of groups that
 * scored i / (outcomes - 1) of their points. `outcomes` is 5 for pairs of games, 3 for single games. */
double sprt_llr(const struct sprt *, const int counts[], int outcomes);

/* --- ratings --- */

/* Score of player `a` against player `b` in one cluster of dependent games (those of one opening). Clusters
 * are numbered from 0. */
struct meeting {
	int a, b, cluster;
	int games;
	double points; /* of a */
};

#define RATING_PLAYERS_MAX 100

/* Rates `players` players by all their meetings on one Elo scale with mean 0, with 95 % intervals. Intervals
 * are infinite if all meetings are of one cluster. A player without games gets rating 0 and an infinite
 * interval. */
void score_ratings(const struct meeting *, int count, int players, struct interval *ratings);

#endif
