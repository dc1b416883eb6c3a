/* SPDX-License-Identifier: MIT
 *
 * Records as SGF (FF[4]). Othello is GM[2]: points are two letters counted from the top left, a pass is an
 * empty value. Lines of Action is GM[9] with moves in its own notation. SGF has no GM number for most other
 * games, so GN names game and rules, and moves use the game's notation: `GN[yomi pentago standard]`, `B[c3t]`.
 * AB, AW, AE and PL in the root set up a start position other than the normal one. A record does not hold players or dates. Properties of a move give
 * the engine's report: V is its value for Black, C its comment, and YT, a property of our own, its time in
 * seconds.
 *
 * Programs for Go write other games too, without GM or as GM[1], on a board of SZ rows. Their points are two
 * letters, and most of them have row 1 at the bottom, so that D3 is B[df] on 8x8. Pentago has two plays a
 * move, in the frame of protocol/records/frame_points.h. The caller gives the game of such a record; if AP names a
 * program that is not known for other games, GM[1] is Go whatever game runs. The reader tries both
 * row orders and takes the one that makes all moves legal. If both do, rows count from the bottom if AP names
 * GoGui (or one of its tools), gomill or yomi (without GM[1]), else from the top.
 *
 * Pure functions of text, any thread.
 */
#ifndef PROTOCOL_RECORDS_SGF_H
#define PROTOCOL_RECORDS_SGF_H

#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/common/options.h"

/* Writes the record, without blank lines. */
void sgf_print(struct text *, const struct record *);

/* The same in the form that GoGui reads and writes; GN names the game, and in Havannah the base. */
void sgf_print_gogui(struct text *, const struct record *);

/* Writes the root of a game that begins at the normal start, without the closing bracket: "(;FF[4]...". The moves may
 * follow with variations. */
void sgf_print_start(struct text *, const struct game *);

/* Writes a legal move as a node with a comment: ";B[f5]C[...]". */
void sgf_print_node(struct text *, const struct game *, const struct state *, struct move,
		    const char *comment);

/* A property of the root: name in capital letters, value without escapes. */
struct sgf_property {
	const char *name, *value;
};
#define SGF_PROPERTIES_MAX 64

/* An engine's report of a move. */
struct sgf_note {
	double value, seconds; /* NAN: unknown */
	const char *text;      /* NULL: none */
};

/* As sgf_print, with more root properties. A given RE replaces the record's own. Properties of the format,
 * of the game or its start, and moves, are ignored. Equal names in a row are one property with several
 * values. `notes` is NULL or has one note a move. */
void sgf_print_with(struct text *, const struct record *, const struct sgf_property *, int count,
		    const struct sgf_note *);

/* Reads the main line of the first game into the record, and changes the record's game if the text names
 * another. A text that names no game is read as the record's game. Stops before move `before`, counted from
 * 1 (INT_MAX: reads all moves). If it returns true, `why` is empty or tells how a text without a game's
 * name was read. If it returns false, `why` has the reason and nothing has changed. */
bool sgf_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

/* The same for all moves, and calls `take` with each value of each property of the main line. `moves` is
 * the number of moves up to and including that node, 0 at the root. A text that names no game, or only GM[1], is read as
 * `given`, which is a game that somebody has asked for; if that is NULL, as the first game that fits. */
bool sgf_parse_with(struct record *, const struct game *given, const char *text,
		    void (*take)(void *arg, int moves, const char *name, const char *value),
		    void *arg, char why[REASON_MAX]);

/* What a review adds to a move of a record. */
struct sgf_annotation {
	const char *comment; /* added behind a comment that is there; NULL: none */
	const char *mark;    /* a property: "BM[1]"; left out if the move has a mark; NULL: none */
	/* A better line instead of the move, its first comment, and its first mark. */
	const struct move *line;
	int line_count; /* 0: none */
	const char *line_comment, *line_mark;
};

/* Adds annotations to the main line of the first game of a text, and leaves all other bytes as they are. There is one for
 * each entry of the record's `moves`, which must be those of the text. Points are written in the form that the text has. The
 * caller frees the text. Returns NULL with the reason in `why` if the text is not that game. */
char *sgf_annotate(const char *text, const struct record *, const struct sgf_annotation *,
		   char why[REASON_MAX]);

/* Writes the result of a finished game in the form of RE: B+2, W+1, W+3.5, 0. */
#define SGF_RESULT_MAX 16
void sgf_result(const struct game *, const struct state *, char text[SGF_RESULT_MAX]);

/* Calls `take` with each line of the first game of a text, from the root to an end, as a game without variations. The main
 * line comes first. A line that the text does not end has no end, either. */
void sgf_lines(const char *text, void (*take)(void *arg, const char *line), void *arg);

/* Copies the first game of a text, of `length` bytes, and says in YC what the columns of points with letter and number are:
 * with-i or no-i. Only Gomoku's have such a choice. The caller frees the copy. */
char *sgf_with_columns(const char *text, size_t length, const char *columns);

/* Returns the number of bytes up to the end of the first game of a collection, 0 without a game. */
size_t sgf_length(const char *text);

#endif
