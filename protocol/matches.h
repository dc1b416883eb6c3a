/* SPDX-License-Identifier: MIT
 *
 * The database of matches: one sqlite file holds the games of any number of engines, in any number of
 * matches. A match is what its games have in common: the game, its rules, and the terms they were played
 * on; who took part shows in its games.
 *
 * A game is written whole, in one transaction, when it has ended. So a file is right whenever its writer is
 * killed, and others can read it meanwhile; one process writes at a time. What is read is checked: a file
 * may come from a stranger.
 *
 * Functions that can fail say why in words that name the file. One thread at a time uses a database.
 */
#ifndef PROTOCOL_MATCHES_H
#define PROTOCOL_MATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game.h"
#include "protocol/score.h"

#define MATCHES_REASON_MAX 512

/* How a game came to its end. All behind END_RESIGN are forfeits. */
enum end {
	END_OVER, /* by the rules */
	END_RESIGN,
	END_TIME,    /* the clock ran out */
	END_ILLEGAL, /* an illegal move */
	END_GARBAGE, /* an answer that is none, a move that cannot be read */
	END_REFUSED, /* an error where GTP or the rules leave no reason for one */
	END_HUNG,
	END_DIED,
	END_COUNT
};
extern const char *const end_names[END_COUNT];

/* The end of a name; false: there is none of that name. */
bool end_find(const char *name, enum end *);

/* Texts that are not known are empty. */
struct match_engine {
	const char *name;    /* no two have the same */
	const char *command; /* that starts it */
	const char *version; /* what it says of itself */
};

struct match {
	const struct game *game;
	const char *terms; /* what it was played on, and its name */
	bool paired;       /* each opening is played twice, with colours exchanged */
	bool tested;       /* by this test: */
	struct sprt sprt;
};

struct match_move {
	char text[MOVE_TEXT_MAX]; /* legal, as game_format writes it */
	double seconds;           /* NAN: unknown, or the engine did not choose it */
	double value;             /* what it expected then: Black's result, -1 .. 1; NAN: unknown */
	char *note;               /* what it said of the move, or NULL */
};

struct match_game {
	int64_t id;     /* in the order in which they ended; set when it is read */
	int opening;    /* from 1; each is played once by the same engines with the same colours */
	int engines[2]; /* Black's and White's, numbers of matches_engine_at */
	int points;     /* Black's, in halves: 0, 1, 2 */
	enum end end;
	const char *detail; /* the score, or what went wrong */
	int opening_moves;  /* the first of the moves, which nobody chose */
	bool seeded;
	uint32_t seeds[2]; /* Black's and White's */
	int64_t ended;     /* seconds since 1970, 0: unknown */
	const struct match_move *moves;
	int count;
};

struct matches;

/* Opens a database to write to, making it if there is none; NULL as a path is one in memory. NULL: `why`
 * says why not. */
struct matches *matches_open(const char *path, char why[MATCHES_REASON_MAX]);

/* Opens one to read. */
struct matches *matches_read(const char *path, char why[MATCHES_REASON_MAX]);

void matches_close(struct matches *);

/* The i-th engine, match; NULL behind the last. */
const struct match_engine *matches_engine_at(const struct matches *, int i);
const struct match *matches_at(const struct matches *, int i);

/* The number of an engine or match like this one, which is added if there is none; -1: `why` says why
 * not. A name stands for one command; matches are alike that are so in game, rules, terms and pairs. An
 * engine's version is written if none is known; a match's test takes the place of an earlier one. */
int matches_engine(struct matches *, const struct match_engine *, char why[MATCHES_REASON_MAX]);
int matches_match(struct matches *, const struct match *, char why[MATCHES_REASON_MAX]);

/* Writes a game; false: it was not written. */
bool matches_add(struct matches *, int match, const struct match_game *,
		 char why[MATCHES_REASON_MAX]);

/* Whether the match has a game of this opening and these engines with these colours, and its moves. */
enum presence { PRESENCE_NONE, PRESENCE_SAME, PRESENCE_OTHER, PRESENCE_FAILED };
enum presence matches_presence(struct matches *, int match, const struct match_game *,
			       char why[MATCHES_REASON_MAX]);

/* The highest opening of a match's games, 0: there are none; -1: reading failed. */
int matches_last_opening(struct matches *, int match, char why[MATCHES_REASON_MAX]);

/* What of a game is wanted when it is read. */
enum match_parts {
	PARTS_RESULT, /* all but the moves */
	PARTS_TIMES,  /* the moves, too, but no notes */
	PARTS_ALL
};

/* Gives the games of a match to `take`, in the order in which they ended, until it returns false. Texts and
 * moves are valid during the call. False: reading failed. */
bool matches_games(struct matches *, int match, enum match_parts,
		   bool (*take)(void *arg, const struct match_game *), void *arg,
		   char why[MATCHES_REASON_MAX]);

#endif
