/* SPDX-License-Identifier: MIT
 *
 * Records as SGF (FF[4]). Othello is GM[2] with points of two letters from the top left and an
 * empty value for a pass; the other games have no number there, so GN names game and rules, and
 * moves are in our notation: `GN[yomi pentago standard]`, `B[c3t]`. A position that is not the normal
 * start is set up by AB, AW, AE and PL in the root. A record does not know who played it, or when. What an
 * engine tells of its move stands behind it: V, the value it expects, Black's; YT, a property of our own, the
 * seconds it took; C, its words.
 *
 * Programs for Go write other games too, without GM or as GM[1], on a board of SZ rows. Their points are two
 * letters, and most of them have row 1 at the bottom, so that D3 is B[df] on 8x8; Pentago has two plays a
 * move, on the frame of protocol/board.h. Such a game is read as one of a game that is given, the way up
 * that makes all moves legal. If both ways do, rows count from the bottom if AP names GoGui (or one of its
 * tools), gomill or yomi, else from the top.
 *
 * Pure functions of text, any thread.
 */
#ifndef PROTOCOL_SGF_H
#define PROTOCOL_SGF_H

#include <stdio.h>

#include "engine/options.h"
#include "engine/record.h"

/* Writes the record, without blank lines. */
void sgf_print(FILE *, const struct record *);

/* The same as GoGui reads and writes it; GN names the game. */
void sgf_print_gogui(FILE *, const struct record *);

/* A property of the root: its name in large letters, its value as it is meant, without escapes. */
struct sgf_property {
	const char *name, *value;
};
#define SGF_PROPERTIES_MAX 64

/* What is told of a move. */
struct sgf_note {
	double value, seconds; /* NAN: unknown */
	const char *text;      /* NULL: none */
};

/* The same with more properties, which take the place of what the record itself would tell. Those that say
 * which game this is, or where it begins, are left out. Equal names in a row are one property with several
 * values. Notes: NULL, or one a move. */
void sgf_print_with(FILE *, const struct record *, const struct sgf_property *, int count,
		    const struct sgf_note *);

/* Reads the main line of the first game into the record, which changes its game if the text names another;
 * stops before move `before`, counted from 1 (INT_MAX: at the end). True: `why` is empty, or says how a game
 * was read that names none. Refused: false, nothing has changed. */
bool sgf_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

/* The same, giving all properties of the main line to `take`, a value at a time: the record has `moves`
 * moves with that node's own, none at the root. A text that names no game is read as `given`, or if that is
 * NULL as the first game that fits. */
bool sgf_parse_with(struct record *, const struct game *given, const char *text,
		    void (*take)(void *arg, int moves, const char *name, const char *value),
		    void *arg, char why[REASON_MAX]);

/* The result of a game that is over, as RE has it: B+2, W+1, 0. */
#define SGF_RESULT_MAX 16
void sgf_result(const struct state *, char text[SGF_RESULT_MAX]);

/* The bytes up to behind the first game of a collection, 0: there is none. */
size_t sgf_length(const char *text);

#endif
