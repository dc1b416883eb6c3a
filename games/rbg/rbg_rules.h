/* SPDX-License-Identifier: MIT
 *
 * The rules of a game from a text in the language Regular Boardgames (Kowalski, Mika, Sutowicz, Szykuła: "Regular Boardgames", AAAI
 * 2019): macros expanded, all names resolved. rbg_read() makes it, or says what is wrong and where.
 *
 * An expression is a tree of terms in one array. A power is written out: E^3 has three copies of E. Each term knows the place in the text
 * where it stands, so that later checks can show it.
 */
#ifndef GAMES_RBG_RBG_RULES_H
#define GAMES_RBG_RBG_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/rules/game.h"

#define RBG_PLAYERS        2
#define RBG_PIECES_MAX     64
#define RBG_VARIABLES_MAX  64 /* with the scores */
#define RBG_DIRECTIONS_MAX 64
#define RBG_TERMS_MAX      (1 << 20)

/* A place in the text: an offset in bytes, and the macro call that wrote it there, -1 if none did. */
struct rbg_place {
	int32_t offset, call;
};

enum rbg_kind {
	/* --- actions --- */
	RBG_SEQUENCE, /* the children in order; none: does nothing */
	RBG_CHOICE,   /* one of the children */
	RBG_REPEAT,   /* the child, any number of times */
	RBG_GO,       /* to the neighbour in direction `value` */
	RBG_ON,       /* the square has one of `pieces` */
	RBG_PUT,      /* piece `value` */
	RBG_SET,      /* variable `value` becomes the child, a number */
	RBG_COMPARE,  /* the two children, numbers, by `relation` */
	RBG_CAN,      /* the child can be done from here */
	RBG_CANNOT,   /* it cannot */
	RBG_TURN,     /* to player `value`, 0 or 1 in the order of the file, or RBG_KEEPER */
	RBG_WAIT,     /* does nothing, but belongs to the move */
	/* --- numbers --- */
	RBG_NUMBER,   /* `value` */
	RBG_VARIABLE, /* of variable `value` */
	RBG_COUNT,    /* the number of pieces `value` on the board */
	RBG_ADD,      /* the two children; also the next three */
	RBG_SUBTRACT,
	RBG_MULTIPLY,
	RBG_DIVIDE,
};

#define RBG_KEEPER (-1)

enum rbg_relation {
	RBG_EQUAL,
	RBG_NOT_EQUAL,
	RBG_LESS,
	RBG_LESS_OR_EQUAL,
	RBG_GREATER,
	RBG_GREATER_OR_EQUAL
};

struct rbg_term {
	uint8_t kind, relation;
	int32_t value;
	int32_t child, next; /* the first child and the next sibling, -1: none */
	uint64_t pieces;     /* bit i: piece i */
	struct rbg_place place;
};

struct rbg_variable {
	char *name;
	int32_t most; /* its largest value; the least one is 0 */
};

enum rbg_shape { RBG_RECTANGLE, RBG_HEXAGON, RBG_CUBOID, RBG_GRAPH };

/* A square, in the order of the file. */
struct rbg_square {
	char *name;   /* of a graph's vertex; else NULL */
	int piece;    /* at the start */
	int row, col; /* on yomi's board (engine/rules/board.h) */
};

struct rbg_rules {
	char *players[RBG_PLAYERS];
	int piece_count;
	char *pieces[RBG_PIECES_MAX];
	/* The scores of the players come first, in their order. */
	int variable_count;
	struct rbg_variable variables[RBG_VARIABLES_MAX];

	enum rbg_shape shape;
	int rows, cols; /* of yomi's board, which may have squares that are none of the game's */
	int block;      /* columns of a layer of a cuboid, whose layers lie side by side; else 0 */
	int square_count;
	struct rbg_square *squares;
	int direction_count;
	char *directions[RBG_DIRECTIONS_MAX];
	int16_t *neighbors; /* [direction * square_count + square]: a square, or -1 */

	int term_count;
	struct rbg_term *terms;
	int root;

	/* What comments `//yomi KEY: TEXT` say; NULL where they say nothing. Another one places the squares of a graph, the top left
	 * one at 1,1: `place: SQUARE=ROW,COLUMN ...`. */
	char *title;                    /* `title: TEXT` */
	char *guide;                    /* `guide: LINE` for each line; all end with a line feed */
	char letters[RBG_PIECES_MAX];   /* `letters: PIECE=LETTER ...`; 0: not said */
	int8_t owners[RBG_PIECES_MAX];  /* `owner: PIECE=PLAYER ...`; 2: `none`; -1: not said */
	char *pictures[RBG_PIECES_MAX]; /* `picture: PIECE=NAME ...` */

	struct rbg_source *source; /* the text, for messages about places */
};

/* Reads rules. `name` is the file's, for messages. Returns NULL and the reason, with file, line, column, the line itself and a caret, in
 * *error. Free with rbg_rules_free(). Any thread. */
struct rbg_rules *rbg_read(const char *name, const char *text, size_t length, struct text *error);
void rbg_rules_free(struct rbg_rules *);

/* Writes a message about a place in the form of rbg_read()'s. */
__attribute__((format(PRINTF, 4, 5))) void rbg_explain(const struct rbg_rules *, struct rbg_place,
						       struct text *error, const char *format, ...);

#endif
