/* SPDX-License-Identifier: MIT */
#include "games/common/facts.h"

#define WAYS 8

static const int way_rows[WAYS] = { 0, 1, 1, 1, 0, -1, -1, -1 };
static const int way_cols[WAYS] = { 1, 1, 0, -1, -1, -1, 0, 1 };

/* The next square in a direction, or -1 behind the edge. */
static int othello_facts_step(const struct game *g, int square, int way)
{
	int row = square / g->board.cols + way_rows[way],
	    col = square % g->board.cols + way_cols[way];
	return row >= 0 && row < g->board.rows && col >= 0 && col < g->board.cols
		       ? row * g->board.cols + col
		       : -1;
}

/* Returns true if a disc of the side on this square turns others. */
static bool othello_facts_is_legal(const struct grid *b, int square, int side)
{
	char own = grid_stone(side), other = grid_stone(side ^ 1);
	for (int way = 0; way < WAYS && b->at[square] == '.'; way++) {
		int at = othello_facts_step(b->game, square, way), count = 0;
		for (; at >= 0 && b->at[at] == other; count++)
			at = othello_facts_step(b->game, at, way);
		if (count && at >= 0 && b->at[at] == own)
			return true;
	}
	return false;
}

static int othello_facts_count_moves(const struct grid *b, int side)
{
	int count = 0;
	for (int i = 0; i < b->game->board.rows * b->game->board.cols; i++)
		count += othello_facts_is_legal(b, i, side);
	return count;
}

/* Returns true if no move can turn a disc along a line: the line has no empty square, or beside the disc is the edge or a
 * stable disc of the same colour. */
static bool othello_facts_is_held(const struct grid *b, const bool stable[], int square, int way)
{
	bool is_full = true;
	for (int back = 0; back < WAYS; back += WAYS / 2) {
		int next = othello_facts_step(b->game, square, way + back);
		if (next < 0 || (stable[next] && b->at[next] == b->at[square]))
			return true;
		for (; next >= 0 && is_full; next = othello_facts_step(b->game, next, way + back))
			is_full = b->at[next] != '.';
	}
	return is_full;
}

/* Counts discs that can never be turned. There may be more of them. */
static void count_stable(const struct grid *b, int counts[2])
{
	bool stable[GAME_SQUARES_MAX] = { false }, grows = true;
	counts[BLACK] = counts[WHITE] = 0;
	while (grows) {
		grows = false;
		for (int i = 0; i < b->game->board.rows * b->game->board.cols; i++) {
			int way = 0;
			if (stable[i] || b->at[i] == '.')
				continue;
			while (way < WAYS / 2 && othello_facts_is_held(b, stable, i, way))
				way++;
			if (way < WAYS / 2)
				continue;
			stable[i] = grows = true;
			counts[b->at[i] == 'X' ? BLACK : WHITE]++;
		}
	}
}

static void list_corners(const struct game *g, int corners[4])
{
	int last = (g->board.rows - 1) * g->board.cols;
	corners[0] = 0;
	corners[1] = g->board.cols - 1;
	corners[2] = last;
	corners[3] = last + g->board.cols - 1;
}

/* Adds the corners that `side` can take now, but not those that it could take in `before` (NULL: none). */
static void add_corners(struct facts *all, const struct grid *b, const struct grid *before,
			int side, enum fact_kind kind, int about)
{
	struct fact *f = NULL;
	int corners[4];
	list_corners(b->game, corners);
	for (int i = 0; i < 4; i++) {
		if (!othello_facts_is_legal(b, corners[i], side) ||
		    (before && othello_facts_is_legal(before, corners[i], side)))
			continue;
		f = f ? f : fact_add(all, kind, about);
		fact_square(all, f, corners[i]);
	}
}

/* Adds the numbers of a side's moves and of the other side's. */
static void add_mobility(struct facts *all, const struct grid *b, int side)
{
	struct fact *f = fact_add(all, FACT_MOBILITY, side);
	f->numbers[0] = othello_facts_count_moves(b, side);
	f->numbers[1] = othello_facts_count_moves(b, side ^ 1);
}

static void add_stable(struct facts *all, const int counts[2], int side)
{
	struct fact *f = fact_add(all, FACT_STABLE, side);
	f->numbers[0] = counts[side];
	f->numbers[1] = counts[side ^ 1];
}

static void othello_facts_add_position(struct facts *all, const struct grid *b, int side)
{
	int counts[2];
	count_stable(b, counts);
	for (int i = 0; i < 2; i++)
		add_corners(all, b, NULL, side ^ i, FACT_CORNER_FREE, side ^ i);
	add_mobility(all, b, side);
	if (counts[BLACK] + counts[WHITE])
		add_stable(all, counts, side);
}

void othello_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	int corners[4], old[2], new[2], side = s->side, target = grid_target(g, s, m);
	grid_read(&before, g, s);
	if (m.step[0] == MOVE_NONE) {
		othello_facts_add_position(all, &before, side);
		return;
	}
	if (target < 0)
		return;
	game_play(g, &next, m);
	grid_read(&after, g, &next);
	list_corners(g, corners);
	for (int i = 0; i < 4; i++)
		if (target == corners[i])
			fact_square(all, fact_add(all, FACT_CORNER, side), target);
	if (next.over)
		return;
	add_corners(all, &after, &before, side ^ 1, FACT_OPENS_CORNER, side);
	count_stable(&before, old);
	count_stable(&after, new);
	if (new[side] > old[side])
		add_stable(all, new, side);
	add_mobility(all, &after, side ^ 1);
}
