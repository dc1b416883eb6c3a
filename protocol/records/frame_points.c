/* SPDX-License-Identifier: MIT */
#include "protocol/records/frame_points.h"

#include <string.h>

/* The points of the turns. Clockwise around the board, the `-` of each quadrant comes before its `+`, so that
 * the layout is the same in every rotation of the board. */
static const struct {
	int row, col;
} turn_points[FRAME_TURNS] = { { 2, 0 }, { 0, 2 }, { 0, 5 }, { 2, 7 },
			       { 5, 7 }, { 7, 5 }, { 7, 2 }, { 5, 0 } };

bool frame_fits(const struct game *g)
{
	return g->board.turns && strlen(g->board.turns) == FRAME_TURNS &&
	       g->board.rows == FRAME_SIZE - 2 && g->board.cols == FRAME_SIZE - 2;
}

bool frame_is_turn(const struct game *g, move_t step)
{
	return step >= g->board.rows * g->board.cols && step < g->steps.codes;
}

void frame_point(const struct game *g, move_t step, int *row, int *col)
{
	bool is_turn = frame_is_turn(g, step);
	int turn = step - g->board.rows * g->board.cols;
	*row = is_turn ? turn_points[turn].row : step / g->board.cols + 1;
	*col = is_turn ? turn_points[turn].col : step % g->board.cols + 1;
}

move_t frame_step(const struct game *g, int row, int col)
{
	if (row >= 1 && row <= g->board.rows && col >= 1 && col <= g->board.cols)
		return (move_t)(g->board.cols * (row - 1) + col - 1);
	for (int i = 0; i < FRAME_TURNS; i++)
		if (turn_points[i].row == row && turn_points[i].col == col)
			return (move_t)(g->board.rows * g->board.cols + i);
	return MOVE_NONE;
}
