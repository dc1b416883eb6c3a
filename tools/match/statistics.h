/* SPDX-License-Identifier: MIT
 *
 * The statistics of a match, computed from its standings. Every figure that `yomi match` and `yomi report` show comes
 * from here. Intervals are of 95 %. Pure functions.
 *
 * Clusters: games of equal openings are dependent, in whichever pairing and colour they were played, and form one
 * cluster. If all games have the same opening, such as the start of the game, nothing can be said about other
 * openings: each pair of games is a cluster, and intervals hold for that opening.
 */
#ifndef TOOLS_MATCH_STATISTICS_H
#define TOOLS_MATCH_STATISTICS_H

#include "tools/match/standings.h"

#define ANY (-1)

/* Which games, from whose point of view: of a player, or of whoever has the colour. */
struct view {
	int player;   /* ANY: the player of `color` */
	int opponent; /* ANY: all */
	int color;    /* of the player; ANY: both */
};

struct tally statistics_tally(const struct standings *, struct view);
struct interval statistics_score(const struct standings *, struct view);

/* Likelihood of superiority, 0 .. 1 (score_superiority). */
double statistics_superiority(const struct standings *, struct view);

/* Complete pairs of games: both games of an opening, with exchanged colours. A pair is decided if one player has more
 * points in it than the other. All are 0 if openings are not paired. */
struct pair_counts {
	int all, decided;
};
struct pair_counts statistics_pairs(const struct standings *, const struct pairing *);

/* A's normalised Elo, from complete pairs, or from single games if openings are not paired. */
struct interval statistics_normalised(const struct standings *, const struct pairing *);

/* Computes the Elo ratings of all players with their intervals (elo_ratings). The mean is 0. */
void statistics_ratings(const struct standings *, struct interval *);

#endif
