/* SPDX-License-Identifier: MIT
 *
 * What results say of strength: intervals, Elo, a sequential test, ratings. Pure functions. A score is a share
 * of the points, 0 to 1, a draw being half a point.
 */
#ifndef PROTOCOL_SCORE_H
#define PROTOCOL_SCORE_H

#include <stdbool.h>

/* Games that are not independent of each other: the two of one opening. */
struct group {
	int games;
	double points;
};

struct interval {
	double mean, low, high;
};

/* The score over all groups and its 95 % interval. Groups without games do not count; without any games,
 * or with one group of them, the interval is 0 to 1. */
struct interval score_interval(const struct group *, int count);

/* The difference in Elo that a score stands for, infinite at 0 and 1; and back. */
double score_elo(double score);
double score_of_elo(double elo);

/* The same of a score's interval. */
struct interval score_elo_interval(const struct interval *score);

#define ELO_WIDTH_MAX 1000

/* Whether an interval in Elo is worth telling: finite, and no wider than ELO_WIDTH_MAX. */
bool elo_is_known(const struct interval *elo);

/* --- the sequential test --- */

/* Whether one player is stronger than another by `elo1` rather than by `elo0` (logistic Elo), with chances
 * `alpha` of accepting elo1 where elo0 holds, and `beta` of accepting elo0 where elo1 does. */
struct sprt {
	double elo0, elo1, alpha, beta;
};

/* Whether it can decide anything: elo0 is the lower one, neither absurd, and the chances are below a half. */
bool sprt_is_sound(const struct sprt *);

/* The log-likelihood ratio below which elo0 is accepted, above which elo1. */
double sprt_lower(const struct sprt *);
double sprt_upper(const struct sprt *);

#define SPRT_OUTCOMES 5 /* of a pair of games: 0, 1/2 .. 2 points */

/* The log-likelihood ratio of elo1 to elo0. counts[i] groups have scored i / (outcomes - 1) of their points:
 * of pairs there are five outcomes, of single games three. 0 where nothing was played. */
double sprt_llr(const struct sprt *, const int counts[], int outcomes);

/* --- ratings --- */

/* What player `a` scored against player `b` in a cluster of games that are not independent of each other
 * (those of one opening), numbered from 0. */
struct meeting {
	int a, b, cluster;
	int games;
	double points; /* of a */
};

#define RATING_PLAYERS_MAX 100

/* Rates `players` players on one Elo scale, the mean of all at 0, by all their meetings, with 95 %
 * intervals, which are endless if all meetings are of one cluster. A player without games is rated 0, with an
 * endless interval. */
void score_ratings(const struct meeting *, int count, int players, struct interval *ratings);

#endif
