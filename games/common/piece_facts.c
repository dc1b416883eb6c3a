/* SPDX-License-Identifier: MIT
 *
 * Games of pieces that move and capture: Breakthrough, Knightthrough, Lines of Action, English draughts.
 */
#include <string.h>

#include "games/common/facts.h"

static void add_taken(struct facts *all, const struct state *s, int target)
{
	const struct game *g = all->game;
	if (g->at(g, s, target / g->board.cols, target % g->board.cols) == grid_stone(s->side ^ 1))
		fact_square(all, fact_add(all, FACT_TAKES, s->side), target);
}

/* Adds the piece that has moved, if the side to move in `next` can capture it. */
static void add_hanging(struct facts *all, const struct state *next, int target, int side)
{
	const struct game *g = all->game;
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(g, next, moves);
	for (int i = 0; i < n; i++) {
		if (grid_target(g, next, moves[i]) != target)
			continue;
		fact_square(all, fact_add(all, FACT_HANGS, side), target);
		return;
	}
}

/* --- Breakthrough, Knightthrough --- */

/* The moves that the foremost piece of a side needs at least. Black goes to the top row. */
static int race_moves(const struct grid *b, int side)
{
	const struct game *g = b->game;
	int rows = strcmp(g->name, "knightthrough") == 0 ? 2 : 1; /* that a move gains at most */
	for (int i = 0; i < g->board.rows; i++) {
		int row = side == BLACK ? i : g->board.rows - 1 - i;
		if (memchr(b->at + row * g->board.cols, grid_stone(side), (size_t)g->board.cols))
			return (i + rows - 1) / rows;
	}
	return g->board.rows;
}

static void add_race(struct facts *all, const struct grid *b, int side)
{
	struct fact *f = fact_add(all, FACT_RACE, side);
	f->numbers[0] = race_moves(b, side);
	f->numbers[1] = race_moves(b, side ^ 1);
}

void breakthrough_facts(const struct game *g, const struct state *s, struct move m,
			struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	int side = s->side;
	grid_read(&before, g, s);
	if (m.step[0] == MOVE_NONE) {
		add_race(all, &before, side);
		return;
	}
	int target = grid_target(g, s, m);
	game_play(g, &next, m);
	add_taken(all, s, target);
	if (next.over)
		return;
	add_hanging(all, &next, target, side);
	grid_read(&after, g, &next);
	if (race_moves(&after, side) < race_moves(&before, side) ||
	    race_moves(&after, side ^ 1) > race_moves(&before, side ^ 1))
		add_race(all, &after, side);
}

/* --- Lines of Action --- */

static int count_groups(const struct grid *b, int side)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int group[GAME_SQUARES_MAX], count = 0;
	for (int i = 0; i < b->game->board.rows * b->game->board.cols; i++)
		count += grid_next_group(b, seen, i, side, true, group, NULL) > 0;
	return count;
}

static void add_groups(struct facts *all, const struct grid *b, int side)
{
	struct fact *f = fact_add(all, FACT_GROUPS, side);
	f->numbers[0] = count_groups(b, side);
	f->numbers[1] = count_groups(b, side ^ 1);
}

void loa_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	int side = s->side, target = grid_target(g, s, m);
	grid_read(&before, g, s);
	if (m.step[0] == MOVE_NONE) {
		add_groups(all, &before, side);
		return;
	}
	if (target < 0)
		return;
	game_play(g, &next, m);
	add_taken(all, s, target);
	if (next.over)
		return;
	add_hanging(all, &next, target, side);
	grid_read(&after, g, &next);
	for (int i = 0; i < 2; i++) {
		if (count_groups(&after, side ^ i) == count_groups(&before, side ^ i))
			continue;
		add_groups(all, &after, side);
		return;
	}
}

/* --- English draughts --- */

/* Adds a fact for each piece of a side that a move takes from its square, unless it has been added before. */
static void add_captured(struct facts *all, enum fact_kind kind, int side,
			 const struct state *before, const struct state *after,
			 bool seen[GAME_SQUARES_MAX])
{
	const struct board *b = &all->game->board;
	for (int i = 0; i < b->rows * b->cols; i++) {
		char was = all->game->at(all->game, before, i / b->cols, i % b->cols);
		if (seen[i] || board_owner(b, was) != side_sign(before->side ^ 1) ||
		    all->game->at(all->game, after, i / b->cols, i % b->cols) != '.')
			continue;
		seen[i] = true;
		fact_square(all, fact_add(all, kind, side), i);
	}
}

void draughts_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	bool taken[GAME_SQUARES_MAX] = { false }, hangs[GAME_SQUARES_MAX] = { false };
	struct move moves[GAME_MOVES_MAX];
	struct state next = *s;
	if (m.step[0] == MOVE_NONE)
		return;
	game_play(g, &next, m);
	add_captured(all, FACT_TAKES, s->side, s, &next, taken);
	int n = next.over ? 0 : game_moves(g, &next, moves);
	for (int i = 0; i < n; i++) {
		struct state then = next;
		game_play(g, &then, moves[i]);
		add_captured(all, FACT_HANGS, s->side, &next, &then, hangs);
	}
}
