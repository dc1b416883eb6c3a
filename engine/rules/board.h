/* SPDX-License-Identifier: MIT
 *
 * The board of a game: its squares, their names, the pieces on them, and how people see it. Row 0 is the top row. A square
 * has the number row*cols+col. The content of a square is a letter: that of a piece, '.' if it is empty, ':' if it is not
 * on the board. The functions are pure; any thread may call them.
 */
#ifndef ENGINE_RULES_BOARD_H
#define ENGINE_RULES_BOARD_H

#include "engine/rules/state.h"

struct game;

/* A rectangle of the board. */
struct area {
	int row, col;   /* its top left square */
	int rows, cols; /* 0 rows: there is none */
};

#define PIECE_NEUTRAL 2 /* the side of a piece that belongs to nobody */

/* What may stand on a square. */
struct piece {
	char letter;      /* in position text; no letter is that of two pieces */
	int side;         /* BLACK, WHITE or PIECE_NEUTRAL */
	const char *name; /* for people, lower case: "king" */
};

/* A line between two squares. */
struct link {
	uint16_t from, to;
};

enum board_kind {
	BOARD_SQUARES,       /* stones lie between the lines */
	BOARD_INTERSECTIONS, /* lines run through all points; stones lie where they cross */
	BOARD_HOLES,         /* stones lie in holes; there are no lines */
	/* Stones lie in hexagons. Each row is half a hexagon further right than the row above it, so the neighbours of
	 * (row, col) are the four orthogonal squares, (row-1, col+1) and (row+1, col-1). */
	BOARD_HEXAGONS,
	/* Lines between dots. A square with an even row and an even column is a dot, with two odd ones a box between four
	 * lines; all others are lines. */
	BOARD_DOTS,
	BOARD_GRAPH, /* places, and the lines between them that `links` names */
};

enum board_color { BOARD_GREEN, BOARD_WOOD, BOARD_PAPER, BOARD_BLUE };

struct board {
	int rows, cols;
	/* The number that players call the size of the board, different in each size; 0: they name rows and columns, and
	 * clients the longer side. */
	int size;
	/* Returns true if a square of the rectangle is on the board. NULL: all are. */
	bool (*on_board)(const struct game *, int row, int col);
	/* Returns true if a square lies beside the board and holds a piece that is not on it yet, or no more. NULL: none does. */
	bool (*in_hand)(const struct game *, int row, int col);
	/* The pieces; one with the letter '\0' ends them. NULL: stones, X of Black and O of White. */
	const struct piece *pieces;

	/* --- names of squares and moves (engine/rules/square.h) --- */

	/* The name of a square on the board: a capital letter, then capital letters or digits. NULL: the letter of its column
	 * and the number of its row. */
	const char *(*name)(const struct game *, int row, int col);
	bool goes_up; /* row 1 of the notation is the bottom row; otherwise it is the top row */
	bool skips_i; /* the letters of columns skip I, as Go's do */
	/* Capital letters of the turns in the text of a move; letter i is step rows*cols + i. Each area, in a
	 * corner of the board, has two: first counter-clockwise. NULL: no turns. */
	const char *turns;
	/* Describes the second step of a move for people. Returns a text such as "turned the top left quadrant
	 * clockwise" and the area that the step changed. NULL: moves have one step. */
	const char *(*describe)(const struct game *, move_t step, struct area *);

	/* --- how pages draw it and take moves. All zero: squares on green. No rule depends on it. --- */

	enum board_kind kind;
	enum board_color color;
	bool pen; /* the sides write X and O instead of placing stones; people call them so */
	/* A stone falls down its column: any square of a column stands for the only move there. */
	bool falls;
	/* Black joins the top and the bottom side of a rhombus of hexagons, White the left and the right one: the sides
	 * have these colours. */
	bool joins;
	const struct link *links; /* of a graph; one from a square to itself ends them */
	/* The size of the blocks that gaps separate; 0: there are no gaps. */
	int block_rows, block_cols;
	/* Returns true if the board has a dot there. With intersections that is the point itself, with squares
	 * the top left corner of the square. Boards of holes have none. NULL: there are no dots. */
	bool (*dot)(const struct game *, int row, int col);
};

/* The pieces of a board: its own, or stones. */
const struct piece *board_pieces(const struct board *);

/* Who has what stands on a square: 1 Black, -1 White, 0 nobody. */
int board_owner(const struct board *, char content);

/* The letter of the first piece of a side. */
char board_stone(const struct board *, int side);

#endif
