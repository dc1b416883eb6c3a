/* SPDX-License-Identifier: MIT
 *
 * Hex and Havannah: games of connection on hexagons.
 */
#include <string.h>

#include "engine/rules/swap.h"
#include "games/common/facts.h"

#define UNREACHED 10000 /* more than any distance */

/* Bridges: a stone two steps away, and the two squares between, as rows and columns. */
static const int bridges[6][3][2] = {
	{ { -2, 1 }, { -1, 0 }, { -1, 1 } }, { { -1, 2 }, { -1, 1 }, { 0, 1 } },
	{ { 1, 1 }, { 0, 1 }, { 1, 0 } },    { { 2, -1 }, { 1, 0 }, { 1, -1 } },
	{ { 1, -2 }, { 1, -1 }, { 0, -1 } }, { { -1, -1 }, { 0, -1 }, { -1, 0 } },
};

/* The content of the square that lies a step away, or ':' off the board. */
static char connection_look(const struct grid *b, int square, const int step[2])
{
	const struct game *g = b->game;
	int row = square / g->board.cols + step[0], col = square % g->board.cols + step[1];
	if (row < 0 || row >= g->board.rows || col < 0 || col >= g->board.cols)
		return ':';
	return b->at[row * g->board.cols + col];
}

/* Adds the stones to which the new stone makes bridges: both squares between are empty. */
static void add_bridges(struct facts *all, const struct grid *after, int target, int side)
{
	struct fact *f = NULL;
	for (int i = 0; i < 6; i++) {
		const int(*step)[2] = bridges[i];
		if (connection_look(after, target, step[0]) != grid_stone(side) ||
		    connection_look(after, target, step[1]) != '.' ||
		    connection_look(after, target, step[2]) != '.')
			continue;
		f = f ? f : fact_add(all, FACT_BRIDGE, side);
		fact_square(all, f, target + step[0][0] * all->game->board.cols + step[0][1]);
	}
}

/* --- Hex --- */

/* The least number of stones that join a side's edges if the other side only passes: the shortest path, where own stones
 * cost nothing (Dijkstra, 1959, with two lengths). */
static int connection_distance(const struct grid *b, int side)
{
	const struct game *g = b->game;
	int cost[GAME_SQUARES_MAX], now[2 * GAME_SQUARES_MAX], next[2 * GAME_SQUARES_MAX];
	int now_count = 0, next_count = 0, near[8], squares = g->board.rows * g->board.cols;
	for (int i = 0; i < squares; i++) {
		bool begins = side == BLACK ? i / g->board.cols == 0 : i % g->board.cols == 0;
		cost[i] = !begins || b->at[i] == grid_stone(side ^ 1) ? UNREACHED : b->at[i] == '.';
		if (cost[i] == 0)
			now[now_count++] = i;
		else if (cost[i] == 1)
			next[next_count++] = i;
	}
	for (int least = 0; now_count || next_count; least++) {
		for (int i = 0; i < now_count; i++) {
			int at = now[i];
			if (cost[at] != least)
				continue;
			if (side == BLACK ? at / g->board.cols == g->board.rows - 1
					  : at % g->board.cols == g->board.cols - 1)
				return least;
			int n = grid_neighbors(b, at, false, near);
			for (int j = 0; j < n; j++) {
				int to = near[j], step = b->at[to] == '.';
				if (b->at[to] == grid_stone(side ^ 1) || cost[to] <= least + step)
					continue;
				cost[to] = least + step;
				if (step)
					next[next_count++] = to;
				else
					now[now_count++] = to;
			}
		}
		memcpy(now, next, sizeof now);
		now_count = next_count;
		next_count = 0;
	}
	return UNREACHED;
}

static void add_needs(struct facts *all, const struct grid *b, int side)
{
	struct fact *f = fact_add(all, FACT_NEEDS, side);
	f->numbers[0] = connection_distance(b, side);
	f->numbers[1] = connection_distance(b, side ^ 1);
}

void hex_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	int side = s->side;
	grid_read(&before, g, s);
	if (m.step[0] == MOVE_NONE) {
		add_needs(all, &before, side);
		return;
	}
	if (m.step[0] == swap_step(g))
		return;
	game_play(g, &next, m);
	if (next.over)
		return;
	int target = grid_target(g, s, m);
	grid_read(&after, g, &next);
	grid_add_joins(all, &before, target, side);
	add_bridges(all, &after, target, side);
	add_needs(all, &after, side);
	int other[2] = { connection_distance(&before, side ^ 1),
			 connection_distance(&after, side ^ 1) };
	if (other[1] <= other[0])
		return;
	struct fact *f = fact_add(all, FACT_BLOCKS, side);
	f->numbers[0] = other[1];
	f->numbers[1] = other[0];
}

/* --- Havannah --- */

/* Counts the edges and corners that a group reaches. Corners belong to no edge. */
static void count_reached(const struct grid *b, int square, int reached[2])
{
	const struct game *g = b->game;
	int group[GAME_SQUARES_MAX], base = (g->board.rows + 1) / 2;
	unsigned edges = 0;
	int count = grid_group(b, square, false, group, NULL);
	reached[0] = reached[1] = 0;
	for (int i = 0; i < count; i++) {
		int row = group[i] / g->board.cols, col = group[i] % g->board.cols;
		const bool on[] = { row == 0,
				    row == g->board.rows - 1,
				    col == 0,
				    col == g->board.cols - 1,
				    row + col == base - 1,
				    row + col == 3 * (base - 1) };
		unsigned touches = 0;
		for (unsigned edge = 0; edge < sizeof on / sizeof on[0]; edge++)
			touches |= (unsigned)on[edge] << edge;
		if (__builtin_popcount(touches) > 1)
			reached[1]++;
		else
			edges |= touches;
	}
	reached[0] = __builtin_popcount(edges);
}

/* Adds what the chain of the new stone reaches, if it reaches more than each chain that it joins did. */
static void add_reaches(struct facts *all, const struct grid *before, const struct grid *after,
			int target, int side)
{
	int near[8], most = 0, reached[2];
	int n = grid_neighbors(before, target, false, near);
	for (int i = 0; i < n; i++) {
		if (before->at[near[i]] != grid_stone(side))
			continue;
		count_reached(before, near[i], reached);
		most = reached[0] + reached[1] > most ? reached[0] + reached[1] : most;
	}
	count_reached(after, target, reached);
	if (reached[0] + reached[1] <= most)
		return;
	struct fact *f = fact_add(all, FACT_REACHES, side);
	f->numbers[0] = reached[0];
	f->numbers[1] = reached[1];
}

void havannah_facts(const struct game *g, const struct state *s, struct move m, struct facts *all)
{
	struct grid before, after;
	struct state next = *s;
	if (m.step[0] == MOVE_NONE || m.step[0] == swap_step(g))
		return;
	game_play(g, &next, m);
	int target = grid_target(g, s, m);
	if (next.over || target < 0)
		return;
	grid_read(&before, g, s);
	grid_read(&after, g, &next);
	add_reaches(all, &before, &after, target, s->side);
	grid_add_joins(all, &before, target, s->side);
	add_bridges(all, &after, target, s->side);
}
