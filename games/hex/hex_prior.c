/* SPDX-License-Identifier: MIT
 *
 * Hints of Hex: the squares that matter most, by electric currents (Anshelevich, 2000).
 *
 * A side's circuit joins its two edges, one at voltage 1, the other at 0. Its stones conduct well, empty squares less,
 * stones of the other side not at all. Two squares have a link if they touch, and also if they form a bridge: two empty
 * squares touch both. A square that carries much of the current of both sides matters to both.
 *
 * Floats are added in the same order on all machines, so all is equal everywhere. Any thread; no function allocates
 * memory.
 */
#include <math.h>

#include "engine/base/bits.h"
#include "engine/rules/playouts.h"
#include "games/hex/hex.h"

#define STONE         4.0f /* conductance of a stone or an edge; that of an empty square is 1 */
#define ROUNDS        20   /* of relaxation; even */
#define HINT_PLAYOUTS 40
#define SHARE_SCALE   1.5f /* added to the mean of the square with the most current */
#define SHARE_BASE    (-1.0f)
#define VALUE_SCALE   0.5f
#define SAVE_BONUS    0.3f /* of a square that saves a bridge */
#define MEAN_MAX      0.95f

/* The cells of a circuit are the squares with two more rows above and below. Each row has two more columns. The first of
 * them is right of the board, the second one left of the next row. */
#define STRIDE_MAX    (HEX_SIZE_MAX + 2)
#define CELLS_MAX     ((HEX_SIZE_MAX + 4) * STRIDE_MAX)

struct circuit {
	int n, stride;
	int near[HEX_RING], bridge[HEX_RING]; /* offsets of neighbours and of bridges */
	float empty[CELLS_MAX];               /* 1: an empty square, 0: any other cell */
	float weight[CELLS_MAX];              /* conductance */
	float fixed[CELLS_MAX];               /* of an edge: weight * voltage */
	float factor[CELLS_MAX];         /* weight divided by the conductance of the cell's links */
	float link[HEX_RING][CELLS_MAX]; /* 1: the cell has a bridge in this direction */
	/* weight * voltage of a cell, before and after a round */
	float now[CELLS_MAX], next[CELLS_MAX];
};

static inline int hex_prior_cell_of(const struct circuit *c, int row, int col)
{
	return (row + 2) * c->stride + col;
}

static void init_circuit(struct circuit *c, int n)
{
	const int stride = n + 2;
	const int near[HEX_RING] = { -stride, 1 - stride, 1, stride, stride - 1, -1 };
	c->n = n;
	c->stride = stride;
	for (int k = 0; k < HEX_RING; k++) {
		c->near[k] = near[k];
		c->bridge[k] = near[k] + near[(k + 1) % HEX_RING];
	}
}

static void set_edge(struct circuit *c, int cell, float voltage)
{
	c->weight[cell] = STONE;
	c->fixed[cell] = c->now[cell] = c->next[cell] = STONE * voltage;
}

/* Begins with voltages that fall evenly from edge to edge. */
static void place_stones(struct circuit *c, const uint64_t *own, const uint64_t *other, int side)
{
	const int n = c->n;
	memset(c->empty, 0, sizeof c->empty);
	memset(c->weight, 0, sizeof c->weight);
	memset(c->fixed, 0, sizeof c->fixed);
	memset(c->factor, 0, sizeof c->factor);
	memset(c->now, 0, sizeof c->now);
	memset(c->next, 0, sizeof c->next);
	for (int square = 0; square < n * n; square++) {
		int row = square / n, col = square % n, i = hex_prior_cell_of(c, row, col);
		int depth = side == BLACK ? row : col;
		c->weight[i] = bits_has(own, square) ? STONE : bits_has(other, square) ? 0 : 1;
		c->empty[i] = c->weight[i] == 1;
		c->now[i] = c->weight[i] * (1 - (float)(depth + 1) / (float)(n + 1));
	}
	for (int k = 0; k <= n; k++) {
		set_edge(c,
			 side == BLACK ? hex_prior_cell_of(c, -1, k) : hex_prior_cell_of(c, k, -1),
			 1);
		set_edge(c,
			 side == BLACK ? hex_prior_cell_of(c, n, k - 1)
				       : hex_prior_cell_of(c, k - 1, n),
			 0);
	}
}

static void place_links(struct circuit *c)
{
	for (int row = 0; row < c->n; row++)
		for (int col = 0; col < c->n; col++) {
			int i = hex_prior_cell_of(c, row, col);
			float sum = 0;
			for (int k = 0; k < HEX_RING; k++) {
				c->link[k][i] = c->empty[i + c->near[k]] *
						c->empty[i + c->near[(k + 1) % HEX_RING]];
				sum += c->weight[i + c->near[k]] +
				       c->link[k][i] * c->weight[i + c->bridge[k]];
			}
			c->factor[i] = sum > 0 ? c->weight[i] / sum : 0;
		}
}

/* A round of Jacobi's method: the voltage of a cell becomes the mean voltage of the cells to which it has links, by their
 * conductance. Edges keep `fixed`, because their factor is 0. */
static void relax(const struct circuit *c, const float *restrict now, float *restrict next)
{
	const int first = hex_prior_cell_of(c, 0, 0), last = hex_prior_cell_of(c, c->n - 1, c->n);
	for (int i = first; i < last; i++) {
		float sum = 0;
		for (int k = 0; k < HEX_RING; k++)
			sum += now[i + c->near[k]] + c->link[k][i] * now[i + c->bridge[k]];
		next[i] = c->fixed[i] + c->factor[i] * sum;
	}
}

/* Twice the current into an empty square, whose weight is 1. */
static float current_at(const struct circuit *c, int i)
{
	float sum = 0, voltage = c->now[i];
	for (int k = 0; k < HEX_RING; k++) {
		int near = i + c->near[k], bridge = i + c->bridge[k];
		sum += fabsf(c->now[near] - c->weight[near] * voltage) +
		       c->link[k][i] * fabsf(c->now[bridge] - c->weight[bridge] * voltage);
	}
	return sum;
}

/* Adds the share of a side's current that each empty square carries. Returns a measure of the whole current. */
static float hex_prior_solve(struct circuit *c, const struct state *s, int side, float *shares)
{
	const int n = c->n;
	float total = 1e-6f;
	place_stones(c, &s->board[HEX_STONES(side)], &s->board[HEX_STONES(side ^ 1)], side);
	place_links(c);
	for (int i = 0; i < ROUNDS; i += 2) {
		relax(c, c->now, c->next);
		relax(c, c->next, c->now);
	}
	for (int k = 0; k < n; k++) {
		int i = side == BLACK ? hex_prior_cell_of(c, 0, k) : hex_prior_cell_of(c, k, 0);
		total += 2 * STONE * (c->weight[i] - c->now[i]);
	}
	for (int square = 0; square < n * n; square++) {
		int i = hex_prior_cell_of(c, square / n, square % n);
		if (c->empty[i] > 0)
			shares[square] += current_at(c, i) / total;
	}
	return total;
}

void hex_prior(const struct game *g, const struct state *s, move_t last, const move_t *steps,
	       int count, struct prior *out)
{
	const int n = hex_size(s);
	float shares[HEX_SQUARES_MAX] = { 0 }, most = 1e-6f, currents[2];
	uint64_t saves[HEX_WORDS_MAX];
	struct circuit c;
	memset(c.link, 0, sizeof c.link);
	init_circuit(&c, n);
	for (int side = BLACK; side <= WHITE; side++)
		currents[side] = hex_prior_solve(&c, s, side, shares);
	for (int square = 0; square < n * n; square++)
		most = shares[square] > most ? shares[square] : most;
	hex_find_saves(s, last, saves);
	float lead = (currents[s->side] - currents[s->side ^ 1]) /
		     (currents[BLACK] + currents[WHITE]);
	for (int i = 0; i < count; i++) {
		float mean = VALUE_SCALE * lead;
		if (steps[i] < n * n) {
			mean += SHARE_SCALE * shares[steps[i]] / most + SHARE_BASE;
			mean += bits_has(saves, steps[i]) ? SAVE_BONUS : 0;
		}
		out[i] = (struct prior) { HINT_PLAYOUTS, fminf(MEAN_MAX, fmaxf(-MEAN_MAX, mean)) };
	}
}
