/* SPDX-License-Identifier: MIT */
#include "engine/rules/images.h"

void images_stones(const struct game *g, const struct state *s, uint64_t set[2])
{
	set[BLACK] = s->board[BLACK];
	set[WHITE] = s->board[WHITE];
}

int images_mirror_square(const struct game *g, int square, int symmetry)
{
	int row = square / g->board.cols, col = square % g->board.cols;
	if (symmetry & 4) {
		int swap = row;
		row = col;
		col = swap;
	}
	row = symmetry & 1 ? g->board.rows - 1 - row : row;
	col = symmetry & 2 ? g->board.cols - 1 - col : col;
	return row * g->board.cols + col;
}

move_t images_mirror_step(const struct game *g, move_t step, int symmetry)
{
	return step < g->board.rows * g->board.cols
		       ? (move_t)images_mirror_square(g, step, symmetry)
		       : step;
}
