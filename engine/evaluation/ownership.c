/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/ownership.h"

#include <string.h>

#include "engine/rules/square.h"

/* A chain whose squares belong to its color less than this is dead; more than this, alive. Between the two neither
 * side can count on it. */
#define DEAD_BELOW  (-0.2)
#define ALIVE_ABOVE 0.2

/* Labels the chain that contains a square. */
static void ownership_fill(const struct game *g, const struct state *s, int square, int label,
			   int *chain)
{
	int stack[GAME_SQUARES_MAX], depth = 0;
	char color = g->at(g, s, square / g->board.cols, square % g->board.cols);
	chain[square] = label;
	stack[depth++] = square;
	while (depth > 0) {
		int next[4], sides = square_neighbors(g, stack[--depth], next);
		for (int i = 0; i < sides; i++) {
			if (chain[next[i]] >= 0 ||
			    g->at(g, s, next[i] / g->board.cols, next[i] % g->board.cols) != color)
				continue;
			chain[next[i]] = label;
			stack[depth++] = next[i];
		}
	}
}

int ownership_chains(const struct game *g, const struct state *s, int chain[GAME_SQUARES_MAX])
{
	int count = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		chain[i] = -1;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (chain[i] < 0 && game_has_square(g, i) &&
		    g->at(g, s, i / g->board.cols, i % g->board.cols) != '.')
			ownership_fill(g, s, i, count++, chain);
	return count;
}

void ownership_fates(const struct game *g, const struct state *s,
		     const double owner[GAME_SQUARES_MAX], const int chain[GAME_SQUARES_MAX],
		     int count, enum fate fates[GAME_SQUARES_MAX])
{
	double sum[GAME_SQUARES_MAX] = { 0 };
	int size[GAME_SQUARES_MAX] = { 0 };
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		if (chain[i] < 0)
			continue;
		bool black = g->at(g, s, i / g->board.cols, i % g->board.cols) == 'X';
		sum[chain[i]] += black ? owner[i] : -owner[i];
		size[chain[i]]++;
	}
	for (int i = 0; i < count; i++) {
		double mean = sum[i] / size[i];
		fates[i] = mean < DEAD_BELOW    ? FATE_DEAD
			   : mean > ALIVE_ABOVE ? FATE_ALIVE
						: FATE_SEKI;
	}
}

/* Tells a region that contains a square which sides live beside it. */
static void fill_region(const struct game *g, const struct state *s, int square,
			const bool *is_open, bool *is_done, unsigned sides[GAME_SQUARES_MAX])
{
	int region[GAME_SQUARES_MAX], count = 0;
	unsigned beside = 0;
	is_done[square] = true;
	region[count++] = square;
	for (int i = 0; i < count; i++) {
		int next[4], neighbors = square_neighbors(g, region[i], next);
		for (int k = 0; k < neighbors; k++) {
			int at = next[k];
			if (!game_has_square(g, at))
				continue;
			if (!is_open[at])
				beside |= 1U << (g->at(g, s, at / g->board.cols,
						       at % g->board.cols) == 'X'
							 ? BLACK
							 : WHITE);
			else if (!is_done[at])
				region[count++] = at;
			is_done[at] = is_done[at] || is_open[at];
		}
	}
	for (int i = 0; i < count; i++)
		sides[region[i]] = beside ? beside : 1U << BLACK | 1U << WHITE;
}

void ownership_regions(const struct game *g, const struct state *s,
		       const int chain[GAME_SQUARES_MAX], const enum fate fates[GAME_SQUARES_MAX],
		       unsigned sides[GAME_SQUARES_MAX])
{
	bool is_open[GAME_SQUARES_MAX] = { false }, is_done[GAME_SQUARES_MAX] = { false };
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		is_open[i] = game_has_square(g, i) &&
			     (chain[i] < 0 || fates[chain[i]] == FATE_DEAD);
	memset(sides, 0, GAME_SQUARES_MAX * sizeof *sides);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (is_open[i] && !is_done[i])
			fill_region(g, s, i, is_open, is_done, sides);
}
