/* SPDX-License-Identifier: MIT
 *
 * Facts about a position, or about a move in it, that people can check on the board: threats, captures, corners,
 * groups. Every fact is true by the rules or proven; none is an opinion of a search. A fact has a stable key for
 * programs and an English sentence for people. The functions are pure; any thread may call them.
 */
#ifndef ENGINE_RULES_FACT_H
#define ENGINE_RULES_FACT_H

#include "engine/rules/game.h"

/* The keys, in the order of the table in fact.c. */
enum fact_kind {
	/* of every game */
	FACT_WIN,
	FACT_DRAW,
	FACT_LOSS,
	FACT_MISSES,
	FACT_ALLOWS,
	FACT_STOPS,
	FACT_THREAT,
	FACT_DOUBLE,
	FACT_FORCED,
	FACT_DECIDED,
	FACT_CAN_WIN,
	FACT_CAN_FORCE,
	FACT_PASS,
	FACT_ONLY,
	/* rows of stones */
	FACT_ROW,
	/* Othello */
	FACT_CORNER,
	FACT_OPENS_CORNER,
	FACT_CORNER_FREE,
	FACT_STABLE,
	FACT_MOBILITY,
	/* captures of stones: Go */
	FACT_CAPTURES,
	FACT_ATARI,
	FACT_SAVES,
	FACT_SELF_ATARI,
	FACT_IN_ATARI,
	FACT_JOINS,
	/* connection: Hex, Havannah */
	FACT_BRIDGE,
	FACT_NEEDS,
	FACT_BLOCKS,
	FACT_REACHES,
	/* pieces that move: Breakthrough, Lines of Action */
	FACT_TAKES,
	FACT_HANGS,
	FACT_RACE,
	FACT_GROUPS,
	FACT_KINDS,
};

#define FACT_NAMES_MAX 12 /* most names kept; a fact counts the others */

struct fact {
	enum fact_kind kind;
	int side;       /* BLACK or WHITE: the side that the sentence is about */
	int numbers[2]; /* that the sentence names */
	int count;      /* names in all; the first FACT_NAMES_MAX are kept */
	/* The squares that the fact is about, row*cols+col; -1: a move without a square. */
	int16_t squares[FACT_NAMES_MAX];
	/* Their names, or the texts of moves to them: "C3", "A2B3", "C3T". */
	char names[FACT_NAMES_MAX][MOVE_TEXT_MAX];
};

#define FACTS_MAX 16

struct facts {
	const struct game *game;
	int count;
	struct fact list[FACTS_MAX];
};

/* Adds a fact without names; the numbers are 0. If there is no room the fact is lost: the pointer is then to a place that
 * nobody reads. */
struct fact *fact_add(struct facts *, enum fact_kind, int side);

/* Adds a square to a fact of the list. */
void fact_square(struct facts *, struct fact *, int square);

/* Finds the facts of a legal move: the reasons for and against it. The state must be neither over nor pending. */
void facts_of_move(struct facts *, const struct game *, const struct state *, struct move);

/* Finds the facts of a position, for both sides. The same holds for the state. */
void facts_of_position(struct facts *, const struct game *, const struct state *);

/* Returns true if a move has such a fact. */
bool facts_have(const struct facts *, enum fact_kind);

/* The name of a kind for programs: "double_threat". */
const char *fact_key(enum fact_kind);

/* 1 if such a fact speaks for a move, -1 against it, 0 neither. */
int fact_tone(enum fact_kind);

#define FACT_TEXT_MAX 320

/* Writes a sentence without its full stop: "White can then win at once with C3". */
void fact_text(const struct game *, const struct fact *, char text[FACT_TEXT_MAX]);

/* --- the board as characters, for the functions of games --- */

/* The squares of a position as game.at() tells them, row*cols+col. */
struct grid {
	const struct game *game;
	char at[GAME_SQUARES_MAX];
};

void grid_read(struct grid *, const struct game *, const struct state *);

static inline char grid_stone(int side)
{
	return side == BLACK ? 'X' : 'O';
}

/* Writes the neighbours of a square on the board: 4, on hexagons 6, with `diagonal` 8. Returns their number. */
int grid_neighbors(const struct grid *, int square, bool diagonal, int out[8]);

/* Lists the group of equal stones around a square and, in `liberties` unless that is NULL, the number of its empty
 * neighbours. Returns the number of its squares. */
int grid_group(const struct grid *, int square, bool diagonal, int out[GAME_SQUARES_MAX],
	       int *liberties);

/* The same for a square of a side whose group has not been seen yet; then marks the group as seen. Else returns 0. */
int grid_next_group(const struct grid *, bool seen[GAME_SQUARES_MAX], int square, int side,
		    bool diagonal, int out[GAME_SQUARES_MAX], int *liberties);

/* Adds the fact that a new stone on `target` joins groups of its side, if it does. */
void grid_add_joins(struct facts *, const struct grid *before, int target, int side);

/* The square where the stone of a move lies after it, -1 for a pass or MOVE_NONE. */
int grid_target(const struct game *, const struct state *, struct move);

#endif
