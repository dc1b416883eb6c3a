/* SPDX-License-Identifier: MIT */
#include "engine/rules/words.h"

#include "engine/rules/square.h"

const char *words_ban(const struct game *g, const struct state *s, const char *text)
{
	int row, col;
	const char *rest = square_parse(g, text, &row, &col);
	return rest && !*rest ? words_ban_square(g, s, row * g->board.cols + col) : NULL;
}

const char *words_ban_square(const struct game *g, const struct state *s, int square)
{
	bool is_free = g->at(g, s, square / g->board.cols, square % g->board.cols) == '.';
	return g->words->ban && !s->over && is_free ? g->words->ban(g, s, (move_t)square) : NULL;
}
