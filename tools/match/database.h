/* SPDX-License-Identifier: MIT
 *
 * The database of matches. One sqlite file holds the games of any number of engines in any number of
 * matches. A match has a game, its rules, the size of the board, komi, and the terms of play. Its games name
 * the engines.
 *
 * Invariant: a game is written whole, in one transaction, after it has ended. The file stays consistent if
 * its writer is killed, and other processes can read it meanwhile. One process writes at a time. Files are
 * not trusted: everything read is checked.
 *
 * Functions that can fail write a reason that names the file. One thread at a time may use a database.
 */
#ifndef TOOLS_MATCH_DATABASE_H
#define TOOLS_MATCH_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/rules/game.h"
#include "tools/match/sprt.h"

#define DATABASE_REASON_MAX 512
#define OPENING_MAX         1000000 /* largest number of an opening */

/* How a game ended. All after END_RESIGN are forfeits. */
enum end {
	END_OVER, /* by the rules */
	END_RESIGN,
	END_TIME,    /* the clock ran out */
	END_ILLEGAL, /* an illegal move */
	END_GARBAGE, /* an answer that is not GTP, or an unreadable move */
	END_REFUSED, /* an error without a reason in GTP or the rules */
	END_HUNG,
	END_DIED,
	END_COUNT
};
extern const char *const end_names[END_COUNT];

/* Finds the end with this name. Returns false if there is none. */
bool end_find(const char *name, enum end *);

/* Unknown texts are empty. */
struct match_engine {
	const char *name;    /* unique */
	const char *command; /* starts the engine */
	const char *version; /* as the engine reports it */
};

struct match {
	const struct game *game;
	const char *
		terms; /* name and terms of play; in the database also size and komi, if the game has
			    * several */
	bool paired;   /* each opening is played twice, with colours swapped */
	bool tested;   /* has a sequential test: */
	struct sprt sprt;
	int komi; /* half points; 0 if the game has no komi */
};

/* Sets the position in which every game of a match starts. */
void match_position(const struct match *, struct state *);

/* The komi of a game that nobody has set, in half points; 0 if the game has none. */
int match_usual_komi(const struct game *);

struct match_move {
	char text[MOVE_TEXT_MAX]; /* legal, as game_format writes it */
	double seconds;           /* NAN: unknown, or not chosen by the engine */
	double value; /* the engine's evaluation: Black's result, -1 .. 1; NAN: unknown */
	char *note;   /* the engine's comment on the move, or NULL */
};

struct match_game {
	int64_t id;     /* in the order of their ends; set by reading */
	int opening;    /* from 1; unique for two engines and their colours */
	int engines[2]; /* Black's and White's, indices of database_engine */
	int points;     /* Black's, in half points: 0, 1, 2 */
	enum end end;
	const char *detail; /* the score, or the error */
	int opening_moves;  /* number of opening moves at the beginning of `moves` */
	bool seeded;
	uint32_t seeds[2]; /* Black's and White's */
	int64_t ended;     /* seconds since 1970, 0: unknown */
	const struct match_move *moves;
	int count;
};

/* A machine that has played games of a match. */
struct match_node {
	const char *name;
	double speed; /* random games a second, of one thread; above 0 */
};

struct database;

/* Opens a database for writing and creates it if it does not exist. Path NULL: a database in memory. Returns
 * NULL with the reason in `why` on failure. */
struct database *database_open(const char *path, char why[DATABASE_REASON_MAX]);

/* Returns true if a file begins as a database. */
bool database_is(const char *path);

/* Opens an existing database for reading. */
struct database *database_read(const char *path, char why[DATABASE_REASON_MAX]);

void database_close(struct database *);

/* Return the i-th engine, the i-th match; NULL after the last. */
const struct match_engine *database_engine(const struct database *, int i);
const struct match *database_match(const struct database *, int i);

/* Return the index of this engine or match, and add it if it is new. -1 with the reason in `why` on failure.
 * An engine's name stands for one command. Matches are equal if game, size, komi, terms and `paired` are. The
 * engine's version is stored if none is known yet. A match's test replaces the stored one. */
int database_add_engine(struct database *, const struct match_engine *,
			char why[DATABASE_REASON_MAX]);
int database_add_match(struct database *, const struct match *, char why[DATABASE_REASON_MAX]);

/* Writes a game. Returns false with the reason in `why` if it was not written. */
bool database_add_game(struct database *, int match, const struct match_game *,
		       char why[DATABASE_REASON_MAX]);

/* Looks for a game of the match with these engines and colours, and this opening or any. PRESENCE_SAME: its moves are the same.
 * PRESENCE_OTHER: they differ. */
enum presence { PRESENCE_NONE, PRESENCE_SAME, PRESENCE_OTHER, PRESENCE_FAILED };
enum presence database_find_game(struct database *, int match, const struct match_game *,
				 bool any_opening, char why[DATABASE_REASON_MAX]);

/* Returns the highest opening number of the match's games, 0 without games, -1 if reading failed. */
int database_last_opening(struct database *, int match, char why[DATABASE_REASON_MAX]);

/* Adds a machine to a match. The speed of one that is known stays as it is. Returns false with the reason in `why`
 * on failure. */
bool database_add_node(struct database *, int match, const struct match_node *,
		       char why[DATABASE_REASON_MAX]);

/* Calls `take` with the machines of a match in the order in which they were added, until it returns false. Returns
 * false if reading failed. */
bool database_nodes(struct database *, int match,
		    bool (*take)(void *arg, const struct match_node *), void *arg,
		    char why[DATABASE_REASON_MAX]);

/* The parts of a game to read. */
enum match_parts {
	PARTS_RESULT, /* everything but the moves */
	PARTS_TIMES,  /* everything but the notes of the moves */
	PARTS_ALL
};

/* Calls `take` with the games of a match in the order of their ends, until it returns false. Texts and moves
 * are valid only during the call. Returns false if reading failed. */
bool database_games(struct database *, int match, enum match_parts,
		    bool (*take)(void *arg, const struct match_game *), void *arg,
		    char why[DATABASE_REASON_MAX]);

#endif
