/* SPDX-License-Identifier: MIT */
#include "games/common/facts.h"

static void add_group(struct facts *all, enum fact_kind kind, int side, const int group[],
		      int count)
{
	struct fact *f = fact_add(all, kind, side);
	f->numbers[0] = count;
	for (int i = 0; i < count; i++)
		fact_square(all, f, group[i]);
}

/* A liberty of a group that has one. */
static move_t liberty_of(const struct grid *b, const int group[], int count)
{
	int near[8], last = -1;
	for (int i = 0; i < count; i++) {
		int n = grid_neighbors(b, group[i], false, near);
		for (int j = 0; j < n; j++)
			last = b->at[near[j]] == '.' ? near[j] : last;
	}
	return (move_t)last;
}

/* Returns true if the rules forbid the side to move to play on a group's only liberty: it would take back a ko. */
static bool is_ko(const struct grid *b, const struct state *s, const int group[], int count)
{
	return !game_is_legal(b->game, s, move_single(liberty_of(b, group, count)));
}

/* Adds every group of a side that one move can capture. */
static void add_in_atari(struct facts *all, const struct grid *b, const struct state *s, int side)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int group[GAME_SQUARES_MAX], liberties;
	for (int i = 0; i < b->game->board.rows * b->game->board.cols; i++) {
		int count = grid_next_group(b, seen, i, side, false, group, &liberties);
		if (count && liberties == 1 && (side == s->side || !is_ko(b, s, group, count)))
			add_group(all, FACT_IN_ATARI, side, group, count);
	}
}

/* Adds the stones of the other side that a move has removed. */
static void add_captures(struct facts *all, const struct grid *before, const struct grid *after,
			 int side)
{
	int taken[GAME_SQUARES_MAX], count = 0;
	for (int i = 0; i < before->game->board.rows * before->game->board.cols; i++)
		if (before->at[i] == grid_stone(side ^ 1) && after->at[i] == '.')
			taken[count++] = i;
	if (count)
		add_group(all, FACT_CAPTURES, side, taken, count);
}

/* Adds the groups beside the new stone that its side can capture next. */
static void add_atari(struct facts *all, const struct grid *after, int target, int side)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int group[GAME_SQUARES_MAX], near[8], liberties;
	int n = grid_neighbors(after, target, false, near);
	for (int i = 0; i < n; i++) {
		int count = grid_next_group(after, seen, near[i], side ^ 1, false, group,
					    &liberties);
		if (count && liberties == 1)
			add_group(all, FACT_ATARI, side, group, count);
	}
}

/* Adds the own groups that could be captured before the move and cannot after it. */
static void add_saves(struct facts *all, const struct grid *before, const struct grid *after,
		      int side)
{
	bool seen[GAME_SQUARES_MAX] = { false };
	int group[GAME_SQUARES_MAX], grown[GAME_SQUARES_MAX], liberties;
	for (int i = 0; i < before->game->board.rows * before->game->board.cols; i++) {
		int count = grid_next_group(before, seen, i, side, false, group, &liberties);
		if (!count || liberties != 1)
			continue;
		grid_group(after, i, false, grown, &liberties);
		if (liberties > 1)
			add_group(all, FACT_SAVES, side, group, count);
	}
}

/* Adds the group of the new stone if the other side can capture it at once. In a ko it cannot. */
static void add_self_atari(struct facts *all, const struct grid *after, const struct state *next,
			   int target)
{
	int group[GAME_SQUARES_MAX], liberties;
	int count = grid_group(after, target, false, group, &liberties);
	if (liberties != 1)
		return;
	if (!is_ko(after, next, group, count))
		add_group(all, FACT_SELF_ATARI, next->side ^ 1, group, count);
}

void go_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	int side = s->side, target = grid_target(g, s, m);
	grid_read(&before, g, s);
	if (m.step[0] == MOVE_NONE) {
		add_in_atari(all, &before, s, side);
		add_in_atari(all, &before, s, side ^ 1);
	}
	if (target < 0)
		return;
	game_play(g, &next, m);
	grid_read(&after, g, &next);
	if (after.at[target] == '.')
		return; /* suicide */
	add_captures(all, &before, &after, side);
	add_saves(all, &before, &after, side);
	add_atari(all, &after, target, side);
	add_self_atari(all, &after, &next, target);
	grid_add_joins(all, &before, target, side);
}
