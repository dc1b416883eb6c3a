/* SPDX-License-Identifier: MIT
 *
 * What the rules of Dots and boxes and their solver share. Lines are numbered in the order of their squares, row by row from
 * the top left.
 */
#ifndef GAMES_DOTS_DOTS_H
#define GAMES_DOTS_DOTS_H

#include "engine/rules/game.h"

#define DOTS_SIDE_MIN  2 /* boxes of a row */
#define DOTS_SIDE_MAX  5
#define DOTS_LINES(N)  (2 * (N) * ((N) + 1))
#define DOTS_LINES_MAX DOTS_LINES(DOTS_SIDE_MAX)

/* Words of struct state. board[0] and board[1] are the key: who has which box does not matter, only how many more Black has. */
enum { DOTS_DRAWN, DOTS_AHEAD, DOTS_BOXES };

#define DOTS_AHEAD_ZERO 64 /* board[DOTS_AHEAD] of equal numbers of boxes */

struct dots_shape {
	int lines;
	uint8_t square[DOTS_LINES_MAX];                                 /* row*cols+col of a line */
	int8_t line[(2 * DOTS_SIDE_MAX + 1) * (2 * DOTS_SIDE_MAX + 1)]; /* of a square, -1: none */
	/* The boxes beside each line, and the other lines of these boxes. A line on the border has one. */
	int count[DOTS_LINES_MAX];
	uint8_t box[DOTS_LINES_MAX][2];
	uint64_t others[DOTS_LINES_MAX][2];
};

/* The shape of a board of n*n boxes. dots_init() of the game must have run. */
const struct dots_shape *dots_shape(int n);

static inline int dots_ahead(const struct state *s)
{
	return (int)s->board[DOTS_AHEAD] - DOTS_AHEAD_ZERO;
}

extern const struct solver dots_solver;

#endif
