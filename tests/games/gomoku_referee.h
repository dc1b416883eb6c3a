/* SPDX-License-Identifier: MIT
 *
 * A plain, slow referee of Gomoku, which shares no code with the game.
 */
#ifndef TESTS_GAMES_GOMOKU_REFEREE_H
#define TESTS_GAMES_GOMOKU_REFEREE_H

#include <string.h>

#include "engine/game.h"

struct referee {
	int size, stones;
	bool exact; /* exactly five win */
	char at[GAME_SQUARES_MAX];
	int side, score;
	bool over;
};

static inline void referee_start(struct referee *r, int size, bool exact)
{
	memset(r, 0, sizeof *r);
	r->size = size;
	r->exact = exact;
	memset(r->at, '.', sizeof r->at);
}

static inline bool referee_has(const struct referee *r, char colour, int row, int col)
{
	return row >= 0 && row < r->size && col >= 0 && col < r->size &&
	       r->at[row * r->size + col] == colour;
}

/* The length of the row through a stone, in the direction and against it. */
static inline int referee_row(const struct referee *r, int square, int down, int right)
{
	int row = square / r->size, col = square % r->size, n = 1;
	char colour = r->at[square];
	for (int i = 1; referee_has(r, colour, row + i * down, col + i * right); i++)
		n++;
	for (int i = 1; referee_has(r, colour, row - i * down, col - i * right); i++)
		n++;
	return n;
}

static inline bool referee_wins_by(const struct referee *r, int square)
{
	static const int directions[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	for (int d = 0; d < 4; d++) {
		int n = referee_row(r, square, directions[d][0], directions[d][1]);
		if (n == 5 || (n > 5 && !r->exact))
			return true;
	}
	return false;
}

/* Returns true if a stone of a side on an empty square would win. */
static inline bool referee_wins_at(const struct referee *r, int side, int square)
{
	struct referee next = *r;
	if (r->at[square] != '.')
		return false;
	next.at[square] = "XO"[side];
	return referee_wins_by(&next, square);
}

static inline bool referee_has_won(const struct referee *r, int side)
{
	for (int i = 0; i < r->size * r->size; i++)
		if (r->at[i] == "XO"[side] && referee_wins_by(r, i))
			return true;
	return false;
}

static inline void referee_play(struct referee *r, int square)
{
	r->at[square] = "XO"[r->side];
	r->stones++;
	if (referee_wins_by(r, square))
		r->score = side_sign(r->side);
	r->over = r->score || r->stones == r->size * r->size;
	r->side ^= 1;
}

#endif
