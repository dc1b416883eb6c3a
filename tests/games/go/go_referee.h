/* SPDX-License-Identifier: MIT
 *
 * A plain, slow referee for Go that shares no code with the game.
 */
#ifndef TESTS_GAMES_GO_GO_REFEREE_H
#define TESTS_GAMES_GO_GO_REFEREE_H

#include <stdbool.h>
#include <string.h>

#include "engine/rules/game.h"

struct referee_board {
	int size;
	char at[GAME_SQUARES_MAX]; /* 'X', 'O' or '.'; index row*size+col, row 0 at the top */
};

struct referee {
	struct referee_board board;
	struct referee_board before; /* before the last move; size 0: unknown */
	int side, passes;
};

static const int referee_ways[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };

static inline char referee_mark(int side)
{
	return side == BLACK ? 'X' : 'O';
}

/* The content of a square, or a blank off the board. */
static inline char referee_at(const struct referee_board *b, int row, int col)
{
	bool inside = row >= 0 && row < b->size && col >= 0 && col < b->size;
	return inside ? b->at[b->size * row + col] : ' ';
}

/* Replaces the chain, or the empty region, of a square by another mark. Returns true if it touches `sought`. */
static inline bool referee_fill(struct referee_board *b, int row, int col, char mark, char sought)
{
	char from = referee_at(b, row, col);
	bool found = false;
	b->at[b->size * row + col] = mark;
	for (int i = 0; i < 4; i++) {
		int r = row + referee_ways[i][0], c = col + referee_ways[i][1];
		char next = referee_at(b, r, c);
		found |= next == sought;
		if (next == from)
			found |= referee_fill(b, r, c, mark, sought);
	}
	return found;
}

static inline bool referee_has_liberty(const struct referee_board *b, int row, int col)
{
	struct referee_board copy = *b;
	return referee_fill(&copy, row, col, '#', '.');
}

static inline bool referee_equal(const struct referee_board *a, const struct referee_board *b)
{
	return a->size == b->size && memcmp(a->at, b->at, (size_t)(a->size * a->size)) == 0;
}

/* The board after a stone on an empty square. Returns false if it is suicide. */
static inline bool referee_put(struct referee_board *b, int row, int col, int side)
{
	b->at[b->size * row + col] = referee_mark(side);
	for (int i = 0; i < 4; i++) {
		int r = row + referee_ways[i][0], c = col + referee_ways[i][1];
		if (referee_at(b, r, c) == referee_mark(side ^ 1) && !referee_has_liberty(b, r, c))
			referee_fill(b, r, c, '.', ' ');
	}
	return referee_has_liberty(b, row, col);
}

/* The simple ko forbids the board of two moves ago. */
static inline bool referee_is_legal(const struct referee *f, int row, int col)
{
	struct referee_board next = f->board;
	return referee_at(&next, row, col) == '.' && referee_put(&next, row, col, f->side) &&
	       !referee_equal(&next, &f->before);
}

static inline void referee_play(struct referee *f, int row, int col)
{
	f->before = f->board;
	referee_put(&f->board, row, col, f->side);
	f->side ^= 1;
	f->passes = 0;
}

static inline void referee_pass(struct referee *f)
{
	f->before.size = 0;
	f->side ^= 1;
	f->passes++;
}

/* Lists the legal squares, row*size+col. Returns their number. */
static inline int referee_moves(const struct referee *f, int squares[])
{
	int n = 0, size = f->board.size;
	for (int i = 0; i < size * size; i++)
		if (referee_is_legal(f, i / size, i % size))
			squares[n++] = i;
	return n;
}

/* Who owns a square: 1 Black, -1 White, 0 nobody. */
static inline int referee_owner(const struct referee_board *b, int row, int col)
{
	struct referee_board one = *b, other = *b;
	char mark = referee_at(b, row, col);
	if (mark != '.')
		return mark == 'X' ? 1 : -1;
	return (int)referee_fill(&one, row, col, '#', 'X') -
	       (int)referee_fill(&other, row, col, '#', 'O');
}

static inline int referee_margin(const struct referee_board *b)
{
	int margin = 0;
	for (int i = 0; i < b->size * b->size; i++)
		margin += referee_owner(b, i / b->size, i % b->size);
	return margin;
}

/* An empty square whose orthogonal neighbours are all stones of a side, with at most one diagonal neighbour of the
 * other side, or none if it lies at the edge. */
static inline bool referee_is_eye(const struct referee_board *b, int row, int col, int side)
{
	int enemies = 0, outside = 0;
	for (int i = 0; i < 4; i++) {
		char near = referee_at(b, row + referee_ways[i][0], col + referee_ways[i][1]);
		char across = referee_at(b, row + (i & 1 ? 1 : -1), col + (i & 2 ? 1 : -1));
		if (near != ' ' && near != referee_mark(side))
			return false;
		outside += across == ' ';
		enemies += across == referee_mark(side ^ 1);
	}
	return enemies <= (outside ? 0 : 1);
}

#endif
