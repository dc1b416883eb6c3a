/* SPDX-License-Identifier: MIT
 *
 * The board of a game: its squares, their names, and how people see it. Row 0 is the top row. A square has the number
 * row*cols+col.
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

enum board_kind {
	BOARD_SQUARES,       /* stones lie between the lines */
	BOARD_INTERSECTIONS, /* lines run through all points; stones lie where they cross */
	BOARD_HOLES,         /* stones lie in holes; there are no lines */
	/* Stones lie in hexagons. Each row is half a hexagon further right than the row above it, so the neighbours of
	 * (row, col) are the four orthogonal squares, (row-1, col+1) and (row+1, col-1). */
	BOARD_HEXAGONS,
};

enum board_color { BOARD_GREEN, BOARD_WOOD, BOARD_PAPER, BOARD_BLUE };

struct board {
	int rows, cols;
	int size; /* the number that players call the size of the board; 0: they name rows and columns */
	/* Returns true if a square of the rectangle is on the board. NULL: all are. */
	bool (*on_board)(const struct game *, int row, int col);

	/* --- names of squares and moves (engine/rules/square.h) --- */

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
	/* The size of the blocks that gaps separate; 0: there are no gaps. */
	int block_rows, block_cols;
	/* Returns true if the board has a dot there. With intersections that is the point itself, with squares
	 * the top left corner of the square. Boards of holes have none. NULL: there are no dots. */
	bool (*dot)(const struct game *, int row, int col);
};

#endif
