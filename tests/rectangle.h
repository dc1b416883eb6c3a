/* SPDX-License-Identifier: MIT
 *
 * A game on a rectangular board, for tests of code that must ask a game for its columns and rows: 4 columns, 2
 * rows; the sides place stones on empty squares in turn; the full board is a draw.
 */
#ifndef TESTS_RECTANGLE_H
#define TESTS_RECTANGLE_H

#include <string.h>

#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"

enum { RECTANGLE_COLS = 4, RECTANGLE_ROWS = 2, RECTANGLE_SQUARES = 8 };

static const struct game rectangle;

static uint64_t rectangle_stones(const struct state *s)
{
	return s->board[BLACK] | s->board[WHITE];
}

static void rectangle_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->hash = state_hash(s);
}

static void rectangle_set_over(struct state *s)
{
	s->over = rectangle_stones(s) == (1u << RECTANGLE_SQUARES) - 1;
	s->hash = state_hash(s);
}

static const char *rectangle_setup(const struct game *g, struct state *s, const char *squares,
				   int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < RECTANGLE_SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= 1u << i;
	s->side = (uint8_t)side;
	rectangle_set_over(s);
	return game_check_stones(s, side);
}

static int rectangle_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	for (int i = 0; i < RECTANGLE_SQUARES; i++)
		if (!(rectangle_stones(s) >> i & 1))
			out[n++] = (move_t)i;
	return n;
}

static void rectangle_play(const struct game *g, struct state *s, move_t step)
{
	s->board[s->side] |= 1u << step;
	s->side ^= 1;
	rectangle_set_over(s);
}

static int rectangle_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	return playout_generic(&rectangle, s, rng);
}

static char rectangle_at(const struct game *g, const struct state *s, int row, int col)
{
	int i = RECTANGLE_COLS * row + col;
	return s->board[BLACK] >> i & 1 ? 'X' : s->board[WHITE] >> i & 1 ? 'O' : '.';
}

static bool rectangle_valid(const struct game *g, const struct state *s)
{
	return !(s->board[BLACK] & s->board[WHITE]) && s->hash == state_hash(s);
}

static const struct game rectangle = {
	.name = "rectangle",
	.title = "Rectangle",
	.rules = "standard",
	.board = { .rows = RECTANGLE_ROWS, .cols = RECTANGLE_COLS },
	.steps = { .codes = RECTANGLE_SQUARES,
		   .choices = RECTANGLE_SQUARES,
		   .length = RECTANGLE_SQUARES,
		   .per_move = 1,
		   .pass = MOVE_NONE },
	.score = { .most = 1 },
	.start = rectangle_start,
	.setup = rectangle_setup,
	.moves = rectangle_moves,
	.play = rectangle_play,
	.parse = square_parse_step,
	.format = square_format_step,
	.at = rectangle_at,
	.valid = rectangle_valid,
	.words = &(const struct words) { .guide = "Fill the board.\n" },
	.playouts = &(const struct playouts) { .uniform = rectangle_playout },
	.tuning = &(const struct tuning) { .search = "mcts" },
};

#endif
