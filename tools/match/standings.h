/* SPDX-License-Identifier: MIT
 *
 * Totals of the games of a match: per pairing of two players, and per player. Games must be added in the
 * order in which they ended, so that adding them again gives the same decision of the test.
 *
 * Openings are equal if their moves are. Those of games that were read without moves have no moves.
 *
 * Players are the engines of a match. They are numbered from 0 in the order in which they first occur, and
 * have letters as labels.
 */
#ifndef TOOLS_MATCH_STANDINGS_H
#define TOOLS_MATCH_STANDINGS_H

#include "tools/lib/keys.h"
#include "tools/lib/series.h"
#include "tools/match/database.h"
#include "tools/match/elo.h"

/* Lost, drawn and won games: the index is the score in half points. */
struct tally {
	int games[3];
};

/* The games of one opening number: A's half points plus 1, by A's colour; 0: not played. */
struct standings_pair {
	unsigned char played[2];
};

/* The opening moves of one or more opening numbers: a short list of openings is played several times. */
struct opening_moves {
	char *text; /* separated by blanks; "" without opening moves */
	int number; /* the first opening number that has them */
};

enum verdict { VERDICT_OPEN, VERDICT_ELO0, VERDICT_ELO1 };

struct pairing {
	int players[2];               /* A and B; A has the lower number */
	struct tally tally[2];        /* A's results, by A's colour */
	struct standings_pair *pairs; /* by opening number */
	int openings;                 /* length of pairs: above the highest opening number played */
	int forfeits[2];              /* of A and B */
	/* Number of complete pairs (single games if openings are not paired), by A's score in half points. */
	int outcomes[SPRT_OUTCOMES];
	double llr; /* log-likelihood ratio of the match's test, 0 without a test */
	enum verdict verdict;
	int decided; /* number of games at the decision, 0: open */
};

struct standing {
	int engine;            /* index of database_engine */
	struct tally tally[2]; /* by colour */
	int ends[END_COUNT];   /* ends of its lost games */
	struct series seconds; /* of every move, in any order */
};

struct standings {
	bool paired;
	const struct sprt *test; /* NULL: none */
	struct standing *players;
	struct pairing *pairings;
	int player_count, pairing_count, games;
	struct opening_moves **sorted; /* different openings, by their text */
	struct opening_moves **of;     /* by opening number; NULL: not played */
	int different, numbers;        /* lengths of the two */
	struct keys seen;              /* hashes of the moves of all games */
	int equal_games;               /* games whose moves an earlier game has */
};

/* The match must outlive the standings. */
void standings_init(struct standings *, const struct match *);
void standings_free(struct standings *);

/* Returns the player number of an engine, and adds it as a player if it is new. -1: too many players. */
int standings_player(struct standings *, int engine);

/* Returns the pairing of two players, NULL if they have not met. */
const struct pairing *standings_find(const struct standings *, int a, int b);

#define LABEL_MAX 4

/* Writes a player's label: one letter, two after Z. */
const char *player_label(int player, char label[LABEL_MAX]);

/* Adds a game and the times of its moves. Returns false if there are too many players. */
bool standings_add(struct standings *, const struct match_game *);

/* The same for all games of a match. New engines become players in the order of their numbers. Returns
 * false with the reason in `why` on failure. */
bool standings_read(struct standings *, struct database *, int match, enum match_parts,
		    char why[DATABASE_REASON_MAX]);

/* Return the number of games of a tally; its points; its score, 0 without games; the tally of both colours. */
int tally_games(const struct tally *);
double tally_points(const struct tally *);
double tally_score(const struct tally *);
struct tally tally_sum(const struct tally tally[2]);

/* Returns true if A has played the opening with this colour. */
bool pairing_has(const struct pairing *, int opening, int color);

/* Returns a pair's half points of A, -1 if a game of it is missing. */
int pair_points(const struct standings_pair *);

/* Returns the number of games that a player forfeited. */
int standing_forfeits(const struct standing *);

/* Return the median and the maximum of the seconds of a player's moves, NAN without moves. */
double standing_median(const struct standing *);
double standing_longest(const struct standing *);

#endif
