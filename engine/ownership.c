/* SPDX-License-Identifier: MIT */
#include "engine/ownership.h"

#include <string.h>

/* A chain whose squares belong to its color less than this is dead; more than this, alive. Between the two neither
 * side can count on it. */
#define DEAD_BELOW  (-0.2f)
#define ALIVE_ABOVE 0.2f

void ownership_estimate(const struct game *g, const struct state *s, int count, uint64_t seed,
			float owner[GAME_SQUARES_MAX])
{
	const int squares = g->rows * g->cols;
	int sum[GAME_SQUARES_MAX] = { 0 };
	struct trace trace;
	struct rng rng;
	rng_seed(&rng, seed);
	for (int game = 0; game < count; game++) {
		game_trace(g, s, &rng, &trace);
		for (int i = 0; i < squares; i++)
			sum[i] += trace.owner[i];
	}
	for (int i = 0; i < squares; i++)
		owner[i] = (float)sum[i] / (float)count;
}

/* Labels the chain that contains a square. */
static void fill(const struct game *g, const struct state *s, int square, int label, int *chain)
{
	static const int steps[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
	int stack[GAME_SQUARES_MAX], depth = 0;
	char color = g->at(s, square / g->cols, square % g->cols);
	chain[square] = label;
	stack[depth++] = square;
	while (depth > 0) {
		int row = stack[--depth] / g->cols, col = stack[depth] % g->cols;
		for (int i = 0; i < 4; i++) {
			int r = row + steps[i][0], c = col + steps[i][1], next = r * g->cols + c;
			if (r < 0 || r >= g->rows || c < 0 || c >= g->cols || chain[next] >= 0 ||
			    g->at(s, r, c) != color)
				continue;
			chain[next] = label;
			stack[depth++] = next;
		}
	}
}

int ownership_chains(const struct game *g, const struct state *s, int chain[GAME_SQUARES_MAX])
{
	int count = 0;
	for (int i = 0; i < g->rows * g->cols; i++)
		chain[i] = -1;
	for (int i = 0; i < g->rows * g->cols; i++)
		if (chain[i] < 0 && g->at(s, i / g->cols, i % g->cols) != '.')
			fill(g, s, i, count++, chain);
	return count;
}

void ownership_fates(const struct game *g, const struct state *s,
		     const float owner[GAME_SQUARES_MAX], const int chain[GAME_SQUARES_MAX],
		     int count, enum fate fates[GAME_SQUARES_MAX])
{
	float sum[GAME_SQUARES_MAX] = { 0 };
	int size[GAME_SQUARES_MAX] = { 0 };
	for (int i = 0; i < g->rows * g->cols; i++) {
		if (chain[i] < 0)
			continue;
		bool black = g->at(s, i / g->cols, i % g->cols) == 'X';
		sum[chain[i]] += black ? owner[i] : -owner[i];
		size[chain[i]]++;
	}
	for (int i = 0; i < count; i++) {
		float mean = sum[i] / (float)size[i];
		fates[i] = mean < DEAD_BELOW    ? FATE_DEAD
			   : mean > ALIVE_ABOVE ? FATE_ALIVE
						: FATE_SEKI;
	}
}
