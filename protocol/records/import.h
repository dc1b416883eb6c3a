/* SPDX-License-Identifier: MIT
 *
 * The games of a text in any format. The text itself tells the format; the name of its file does not matter:
 *
 *     SGF and GGF     any number of games (protocol/records/sgf.h and ggf.h)
 *     WTHOR           Othello, as the files .wtb of the French federation have it, with boards of 8x8
 *     PSQ and rec     a game of Gomoku, as Piskvork saves it
 *     offsets         openings of Gomocup: "8,-3, 6,-4", columns and rows from the centre of the board, a game a line
 *     columns         Connect Four: "4455", the number of a column for each move, a game a line
 *     PGN             tags, then moves: [Black "Ann"] ... 1. F5 D6 2. C3 D3 34-30
 *     moves           in the notation of the game: "f5d6c3d3", "1. F5 D6 2. C3 D3"
 *
 * Moves may have blanks, commas and numbers between them, and a result or a value behind them. `--`, `ps` and `pa` are
 * passes; forced passes may be missing. Each line is a game, or all lines together are one: if only that makes all moves
 * legal, or if numbers go on from line to line; then only the last line has a result. Empty lines and lines that begin with
 * # are skipped.
 *
 * yomi's columns of Gomoku have no I, as in GTP. Most other programs count it, and write moves without blanks in lower
 * case. A letter that only one reading has tells which it is, also a move that is legal in only one; else the form
 * does. Texts may be in UTF-16.
 */
#ifndef PROTOCOL_RECORDS_IMPORT_H
#define PROTOCOL_RECORDS_IMPORT_H

#include "engine/rules/record.h"
#include "engine/search/common/options.h"
#include "protocol/records/sgf.h"

/* Whether the columns of moves of Gomoku skip the letter I. */
enum import_columns {
	COLUMNS_AUTO, /* the text tells */
	COLUMNS_NO_I,
	COLUMNS_WITH_I
};

/* Their names, NULL-terminated. */
extern const char *const import_columns[];

/* What a text may not say. */
struct import_wish {
	const struct game
		*game; /* of moves, and in SGF of games without a name; NULL: the first that fits */
	int columns;   /* enum import_columns */
	int before; /* ends games before this move, counted from 1; 0: reads all moves. SGF has all */
};

/* A game of a text. It is valid until the next one is read. */
struct imported {
	const char *sgf;       /* the game in SGF; NULL: it cannot be read */
	char where[32];        /* "line 12", "game 3" */
	char why[REASON_MAX];  /* if it cannot be read */
	char note[REASON_MAX]; /* else how it was read, if that is not clear */
};

/* What a record says about its game. */
struct import_about {
	struct sgf_property
		properties[SGF_PROPERTIES_MAX]; /* of the root, in SGF; values are allocated */
	int count;
	/* Of the record that was read. */
	uint64_t end; /* the hash of the last state of its whole game */
	int moves;    /* of the whole game */
};

void import_about_clear(struct import_about *);

/* Returns how many of the properties hold for a record that has come from the one that was read: all where that game ended, else
 * all but the result. */
int import_about_fits(const struct import_about *, const struct record *);

struct import;

/* Finds out the format of a text, which must stay until import_close(); `bytes` must end in a NUL that does not count. Returns
 * NULL with the reason in `why` if it is none of them; else `why` is empty or tells what was guessed. */
struct import *import_open(const char *bytes, size_t length, const struct import_wish *,
			   char why[REASON_MAX]);

/* Adds a note to those of a text, which may be empty. */
void import_add_note(char notes[REASON_MAX], const char *note);

/* The name of the format. */
const char *import_format(const struct import *);

/* Reads the next game. Returns NULL behind the last one. */
const struct imported *import_next(struct import *);

/* Reads on to the game of this number, counted from 1. Returns NULL with the reason in `why` if there are fewer. */
const struct imported *import_find(struct import *, int number, char why[REASON_MAX]);

void import_close(struct import *);

/* Reads one game into a record, whose game changes if the text names another. `number` counts from 1. The record's game is
 * that of texts without a name, in place of wish->game. `about`, which may be NULL, becomes what the record says. If it returns
 * false, `why` has the reason and nothing has changed; else it is empty or tells what was guessed. */
bool import_game(struct record *, const char *bytes, size_t length, const struct import_wish *,
		 int number, struct import_about *about, char why[REASON_MAX]);

/* Plays the moves of a text in the record's game, with passes and numbers as above. If it returns false, `why` has the reason and
 * the record has the moves before the wrong one. */
bool import_moves(struct record *, const char *text, char why[REASON_MAX]);

#endif
