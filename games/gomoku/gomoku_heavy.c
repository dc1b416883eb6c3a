/* SPDX-License-Identifier: MIT
 *
 * In a heavy playout a side that can make five does so, and parries a five or an open four; otherwise it chooses at
 * random, with weights by what its stone makes there and by what the other side's stone would make. The playout ends as
 * soon as a side has five, or two ways to make it while the other side has none.
 */
#include "games/gomoku/gomoku_heavy.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/playouts.h"
#include "games/gomoku/gomoku_board.h"

/* --- playouts --- */

/* The weight of a square by what an own stone makes there, and by what a stone of the other side would make. */
static const uint16_t own_weights[KINDS] = {
	[KIND_TWO] = 2,          [KIND_TWO_TWOS] = 6, [KIND_THREE] = 14,
	[KIND_TWO_THREES] = 400, [KIND_FOUR] = 6,     [KIND_FOUR_THREE] = 2000,
};
static const uint16_t other_weights[KINDS] = {
	[KIND_TWO] = 1,          [KIND_TWO_TWOS] = 4, [KIND_THREE] = 8,
	[KIND_TWO_THREES] = 120, [KIND_FOUR] = 2,     [KIND_FOUR_THREE] = 300,
};

/* A random square of a kind for a side. */
static int gomoku_heavy_draw(const struct gomoku_board *b, int side, enum gomoku_kind kind,
			     struct rng *rng)
{
	int n = (int)rng_below(rng, b->counts[side][kind]);
	return bits_nth(b->sets[side][kind], n);
}

/* A random empty square. */
static int draw_any(const struct gomoku_board *b, struct rng *rng)
{
	const uint32_t count = (uint32_t)(b->size * b->size);
	for (int tries = 0; tries < 16; tries++) {
		int step = (int)rng_below(rng, count);
		if (!b->taken[step])
			return step;
	}
	int n = (int)rng_below(rng, (uint32_t)b->empty), step = 0;
	for (;; step++)
		if (!b->taken[step] && n-- == 0)
			return step;
}

/* Chooses by weight among the squares where either side makes something. */
static int draw_weighted(const struct gomoku_board *b, int side, struct rng *rng)
{
	uint32_t sum = 0;
	for (int kind = KIND_TWO; kind < KIND_OPEN_FOUR; kind++)
		sum += (uint32_t)own_weights[kind] * b->counts[side][kind] +
		       (uint32_t)other_weights[kind] * b->counts[side ^ 1][kind];
	if (!sum)
		return draw_any(b, rng);
	uint32_t at = rng_below(rng, sum);
	for (int kind = KIND_TWO; kind < KIND_OPEN_FOUR; kind++) {
		uint32_t own = (uint32_t)own_weights[kind] * b->counts[side][kind];
		uint32_t other = (uint32_t)other_weights[kind] * b->counts[side ^ 1][kind];
		if (at < own)
			return bits_nth(b->sets[side][kind], (int)(at / own_weights[kind]));
		at -= own;
		if (at < other)
			return bits_nth(b->sets[side ^ 1][kind], (int)(at / other_weights[kind]));
		at -= other;
	}
	abort(); /* the sum is that of the parts */
}

#define COUNTER 4 /* a side makes a four instead of parrying an open four once in n times */

/* Draws a step, if neither side is about to win. The rules may forbid it. */
static int draw_step(const struct gomoku_board *b, int side, struct rng *rng)
{
	const int other = side ^ 1;
	if (gomoku_count(b, other, KIND_FIVE))
		return gomoku_heavy_draw(b, other, KIND_FIVE, rng);
	if (gomoku_count(b, other, KIND_OPEN_FOUR)) {
		if (gomoku_count(b, side, KIND_FOUR_THREE))
			return gomoku_heavy_draw(b, side, KIND_FOUR_THREE, rng);
		if (gomoku_count(b, side, KIND_FOUR) && rng_below(rng, COUNTER) == 0)
			return gomoku_heavy_draw(b, side, KIND_FOUR, rng);
		return gomoku_heavy_draw(b, other, KIND_OPEN_FOUR, rng);
	}
	return draw_weighted(b, side, rng);
}

/* Returns the first square that a side may take, or -1. */
static int gomoku_heavy_first(struct gomoku_board *b, int side)
{
	for (int step = 0; step < b->size * b->size; step++)
		if (!b->taken[step] && gomoku_board_allows(b, side, step))
			return step;
	return -1;
}

#define REDRAWS 30 /* a side draws at most so often again, until the rules allow its step */

/* Chooses a step, if neither side is about to win. Returns -1 if the side may take no square. */
static int gomoku_heavy_choose(struct gomoku_board *b, int side, struct rng *rng)
{
	int step = draw_step(b, side, rng);
	for (int n = 0; !gomoku_board_allows(b, side, step); n++) {
		if (n == REDRAWS)
			return gomoku_heavy_first(b, side);
		step = draw_step(b, side, rng);
	}
	return step;
}

/* Returns 1 if the side to move wins, -1 if it cannot prevent the other side's five, else 0. */
static int gomoku_heavy_find_winner(struct gomoku_board *b, int side)
{
	if (gomoku_count(b, side, KIND_FIVE))
		return 1;
	int fives = gomoku_count(b, side ^ 1, KIND_FIVE);
	if (fives == 1 && !gomoku_board_allows(b, side, bits_first(b->sets[side ^ 1][KIND_FIVE])))
		return -1;
	if (fives)
		return fives > 1 ? -1 : 0;
	return gomoku_count(b, side, KIND_OPEN_FOUR) > 0;
}

static void note_owners(const struct gomoku_board *b, struct trace *trace)
{
	for (int row = 0; row < b->size; row++)
		for (int col = 0; col < b->size; col++) {
			uint32_t bit = 1u << (GOMOKU_FIRST_BIT + col);
			int step = row * b->size + col;
			trace->owner[step] = (int8_t)(!!(b->stones.stones[BLACK][0][row] & bit) -
						      !!(b->stones.stones[WHITE][0][row] & bit));
		}
}

int gomoku_heavy(const struct game *g, const struct state *s, move_t last, struct rng *rng,
		 struct trace *trace)
{
	struct gomoku_board b;
	int side = s->side, winner = 0;
	memset(trace->made, 0, sizeof trace->made);
	gomoku_board_set(&b, s, NULL);
	for (; b.empty && !(winner = gomoku_heavy_find_winner(&b, side)); side ^= 1) {
		int step = gomoku_heavy_choose(&b, side, rng);
		if (step < 0) {
			winner = -1;
			break;
		}
		bits_add(trace->made[side], step);
		gomoku_board_place(&b, side, step);
	}
	note_owners(&b, trace);
	return winner * side_sign(side);
}

/* --- prior knowledge --- */

#define HINT_PLAYOUTS 30

static const float own_means[KINDS] = {
	[KIND_NONE] = -0.4f,      [KIND_TWO] = -0.1f,       [KIND_TWO_TWOS] = 0.1f,
	[KIND_THREE] = 0.3f,      [KIND_TWO_THREES] = 0.7f, [KIND_FOUR] = 0.1f,
	[KIND_FOUR_THREE] = 0.8f, [KIND_OPEN_FOUR] = 0.95f, [KIND_FIVE] = 1,
	[KIND_DOUBTFUL] = 0.3f,
};
static const float other_means[KINDS] = {
	[KIND_NONE] = -0.4f,      [KIND_TWO] = -0.2f,       [KIND_TWO_TWOS] = 0,
	[KIND_THREE] = 0.1f,      [KIND_TWO_THREES] = 0.4f, [KIND_FOUR] = -0.1f,
	[KIND_FOUR_THREE] = 0.5f, [KIND_OPEN_FOUR] = 0.8f,  [KIND_FIVE] = 0.9f,
	[KIND_DOUBTFUL] = -0.4f,  [KIND_FORBIDDEN] = -0.4f,
};

/* Returns true if there is a stone within two squares. */
static bool gomoku_heavy_has_company(const struct gomoku_board *b, int step)
{
	int row = step / b->size, col = step % b->size;
	uint32_t near = 31u << (GOMOKU_FIRST_BIT + col - 2);
	for (int r = row < 2 ? 0 : row - 2; r <= row + 2 && r < b->size; r++)
		if ((b->stones.stones[BLACK][0][r] | b->stones.stones[WHITE][0][r]) & near)
			return true;
	return false;
}

/* On the empty board: the nearer to the centre the better. */
static float centre_mean(int size, int step)
{
	int rows = abs(2 * (step / size) - (size - 1)), cols = abs(2 * (step % size) - (size - 1));
	int away = rows > cols ? rows : cols;
	return 0.3f - 0.6f * (float)away / (float)size;
}

void gomoku_prior(const struct game *g, const struct state *s, move_t last, const move_t *steps,
		  int count, struct prior *out)
{
	struct gomoku_board b;
	const int side = s->side;
	gomoku_board_set(&b, s, NULL);
	for (int i = 0; i < count; i++) {
		int own = b.kinds[side][steps[i]], other = b.kinds[side ^ 1][steps[i]];
		float mean = own_means[own] > other_means[other] ? own_means[own]
								 : other_means[other];
		if (b.empty == b.size * b.size)
			mean = centre_mean(b.size, steps[i]);
		else if (!gomoku_heavy_has_company(&b, steps[i]))
			mean -= 0.4f;
		out[i] = (struct prior) { HINT_PLAYOUTS, mean };
	}
}
