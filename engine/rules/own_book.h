/* SPDX-License-Identifier: MIT
 *
 * The user's own book: for each game, rule set and board a text file with the games and lines that the user has added. It
 * tells how often a position was reached and how those games ended. Lookup is by position, so that transpositions and, in
 * games with `stones`, symmetries count together.
 *
 * A line of the file is MOVES, a tab, RESULT. Moves are in the notation of the game, with blanks between them; RESULT is
 * B+4 or W+2.5 (points), B+ or W+ (only the winner is known), 0 (a draw) or ? (unknown). Lines that begin with # and empty
 * lines are skipped. Every other line must be good: a file with a damaged line is refused, with the number of the line.
 *
 * NULL is an empty book. A book has no lock: one thread at a time may use it.
 */
#ifndef ENGINE_RULES_OWN_BOOK_H
#define ENGINE_RULES_OWN_BOOK_H

#include "engine/base/reason.h"
#include "engine/rules/record.h"

/* Positions after more moves of a line are not looked up: they belong to no opening. */
#define OWN_BOOK_DEPTH 40

/* How a game ended. */
struct own_result {
	bool known;
	int sign;     /* 1 Black won, 0 a draw, -1 White won */
	double score; /* Black's margin in points; NAN: unknown */
};

/* The games that reached a position. */
struct own_games {
	int count;
	/* Those that Black won, that White won, and draws; the others have no known result. */
	int black, white, draws;
	int scored;   /* those with a known score */
	double score; /* the sum of these scores */
};

struct own_book;

/* `folder` is where the files are; NULL: the system's folder for data. Never fails: a file that is missing is an empty book. */
struct own_book *own_book_create(const char *folder);
void own_book_destroy(struct own_book *); /* may be NULL */

/* The path of a game's file in a folder. The caller frees it. */
char *own_book_path(const char *folder, const struct game *);

/* Reads the file of a game, unless it is known already and has not changed. Returns false with the reason in `why` if it
 * cannot be read or has a damaged line; the book is then empty. It takes longer than a move may, so it is not for a
 * search. */
bool own_book_load(struct own_book *, const struct game *, char why[REASON_MAX]);

/* Finds the games that reached a state that is not pending. Returns false if there are none, or if the last file read is
 * that of another game. */
bool own_book_find(const struct own_book *, const struct game *, const struct state *,
		   struct own_games *);

/* Mean of the results for Black, -1 .. 1. Games without a known result count as draws. */
double own_games_mean(const struct own_games *);

/* Reads a result as files have it, also as SGF and GGF write it: B+R, Draw, +4.00. Unknown words are an unknown result. */
struct own_result own_result_read(const char *text);

/* Reads a line of a file into a record of its game, which is started again. Returns false with the reason in `why` if it is
 * damaged. */
bool own_book_read_line(struct record *, const char *line, struct own_result *,
			char why[REASON_MAX]);

/* Returns true if a line has moves: it is neither empty nor a comment. */
bool own_book_is_line(const char *line);

#endif
