/* SPDX-License-Identifier: MIT
 *
 * What the games of a match add up to: per pairing of two players, and per player. Games are added in the
 * order in which they ended, so that whoever adds them again comes to the same decision of the test.
 *
 * Players are the engines of a match; they have numbers of their own, from 0, in the order in which they are
 * first named, and letters for people.
 */
#ifndef PROTOCOL_STANDINGS_H
#define PROTOCOL_STANDINGS_H

#include "protocol/matches.h"

/* Won, drawn and lost games, the index is points in halves. */
struct tally {
	int games[3];
};

enum verdict { VERDICT_OPEN, VERDICT_ELO0, VERDICT_ELO1 };

struct pairing {
	int players[2];        /* A and B, A the lower number */
	struct tally tally[2]; /* A's, by A's colour */
	struct group *groups;  /* A's points, by opening */
	unsigned char *played; /* by opening: bits of A's colours */
	int forfeits[2];       /* of A and B */
	int openings;          /* of groups and played, the highest played and 1 */
	/* Whole pairs, or single games where openings are not played twice, by A's points in halves. */
	int outcomes[SPRT_OUTCOMES];
	double llr; /* of the match's test, 0 without one */
	enum verdict verdict;
	int decided; /* games after which it was, 0: it is open */
};

struct standing {
	int engine;            /* number in the matches */
	struct tally tally[2]; /* by colour */
	int ends[END_COUNT];   /* how games were lost */
	double *seconds;       /* of every move, in no order that matters */
	int moves, room;
};

struct standings {
	bool paired;
	const struct sprt *test; /* NULL: none */
	struct standing *players;
	struct pairing *pairings;
	int player_count, pairing_count, games;
};

/* The match outlives the standings. */
void standings_init(struct standings *, const struct match *);
void standings_free(struct standings *);

/* The number of an engine's player, which becomes one; -1: no more can take part. */
int standings_player(struct standings *, int engine);

/* The pairing of two players, NULL: they have not met. */
const struct pairing *standings_find(const struct standings *, int a, int b);

#define LABEL_MAX 4

/* A player's letter, and beyond Z two. */
const char *player_label(int player, char label[LABEL_MAX]);

/* Adds a game, whose moves count for the times. False: it has too many players. */
bool standings_add(struct standings *, const struct match_game *);

/* The same with all games of a match; engines that are no players yet become ones in the order of their numbers.
 * False: `why` says why not. */
bool standings_read(struct standings *, struct matches *, int match, enum match_parts,
		    char why[MATCHES_REASON_MAX]);

/* Games of a tally; all of both colours together. */
int tally_games(const struct tally *);
struct tally tally_sum(const struct tally tally[2]);

/* Whether A had this colour in an opening already. */
bool pairing_has(const struct pairing *, int opening, int color);

/* A's score. */
struct interval pairing_score(const struct pairing *);

/* A player's score against all others, and the games it has forfeited. */
struct interval standing_score(const struct standings *, int player);
int standing_forfeits(const struct standing *);

/* The median of a player's moves' seconds, and the longest; NAN without moves. */
double standing_median(const struct standing *);
double standing_longest(const struct standing *);

/* The Elo of all players, the mean of all at 0, with intervals. */
void standings_ratings(const struct standings *, struct interval *);

#endif
