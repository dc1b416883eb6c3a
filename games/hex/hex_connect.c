/* SPDX-License-Identifier: MIT
 *
 * Exact knowledge of Hex on boards of up to 7x7: squares that do not matter, and virtual connections.
 *
 * A side's graph: its vertices are the empty squares and its two edges; two of them are neighbours if they touch
 * or if a chain of the side's stones touches both. The side wins if it joins its edges by vertices that it gets.
 *
 * Dead squares (Bjornsson, Hayward, Johanson and van Rijswijck, 2007): if all neighbours of a square are neighbours
 * of each other, no shortest join needs it. Its stone, of either colour, changes no result. A stone of a side on
 * `a` that makes `b` dead is at least as good as one on `b`. If this is true both ways, the side has captured both:
 * it answers one by the other. Captured squares count as its stones, whoever is to move.
 *
 * Virtual connections (Anshelevich, 2000): a full connection of two vertices or chains is a set of empty squares,
 * its carrier, in which a side can join them although the other side moves first; a half one if it moves first.
 * Two full ones with a common end and separate carriers make a full one if the end is a chain, and a half one if it
 * is an empty square (and-rule). Half ones with no common square make a full one (or-rule). A side with a full
 * connection of its edges has won; so has a side to move with a half one. Otherwise it must move into the carriers
 * of all of the other side's half connections of its edges. The lists are bounded, so a connection may be missed, but
 * all that are found are true.
 *
 * Any thread; no function allocates memory.
 */
#include "games/hex/hex_connect.h"

#include <string.h>

enum { ENDS_MAX = HEX_CONNECT_MAX * HEX_CONNECT_MAX + 2 };
enum { PAIRS = ENDS_MAX * (ENDS_MAX - 1) / 2 };
enum { FULL_MAX = 8, HALF_MAX = 16, QUEUE_MAX = 4096, UNIONS = 4 };

/* The edges of a side as vertices. Squares have the bits below. */
#define EDGE(K) (UINT64_C(1) << (62 + (K)))
#define EDGES   (EDGE(0) | EDGE(1))
#define BIT(SQ) (UINT64_C(1) << (SQ))
_Static_assert(HEX_CONNECT_MAX *HEX_CONNECT_MAX <= 62, "the edges have bits of their own");

/* --- graphs --- */

struct hex_connect_graph {
	uint64_t near[64]; /* the neighbours of a vertex; the edges are 62 and 63 */
};

static uint64_t hex_connect_spread(const struct hex_shape *shape, uint64_t set, uint64_t within)
{
	hex_grow(1, shape->size, shape, &set, &within);
	return set & within;
}

/* Makes all vertices of a set neighbours of each other. */
static void join_vertices(struct hex_connect_graph *g, uint64_t set)
{
	for (uint64_t left = set; left; left &= left - 1)
		g->near[__builtin_ctzll(left)] |= set;
}

static void make_graph(const struct hex_shape *shape, uint64_t own, uint64_t empty, int side,
		       struct hex_connect_graph *g)
{
	uint64_t stones = own;
	memset(g, 0, sizeof *g);
	for (uint64_t left = empty; left; left &= left - 1)
		g->near[__builtin_ctzll(left)] = hex_connect_spread(shape, left & -left, empty);
	for (int k = 0; k < 2; k++) {
		uint64_t edge = shape->edge[side][k][0], chain = edge & own;
		hex_fill(1, shape->size, shape, &chain, &own);
		stones &= ~chain;
		join_vertices(g,
			      hex_connect_spread(shape, chain, empty) | (edge & empty) | EDGE(k));
	}
	while (stones) {
		uint64_t chain = stones & -stones;
		hex_fill(1, shape->size, shape, &chain, &own);
		stones &= ~chain;
		join_vertices(g, hex_connect_spread(shape, chain, empty));
	}
}

/* Returns true if a vertex is dead in a graph after a stone of the graph's side on `own`, and one of the other side on
 * `other`; -1: none. */
static bool is_dead(const struct hex_connect_graph *g, int vertex, int own, int other)
{
	uint64_t gone = BIT(vertex), joined = 0, near = g->near[vertex];
	if (own >= 0) {
		joined = g->near[own];
		gone |= BIT(own);
		near |= joined >> vertex & 1 ? joined : 0;
	}
	if (other >= 0)
		gone |= BIT(other);
	near &= ~gone;
	if ((near & EDGES) == EDGES)
		return false;
	for (uint64_t left = near; left; left &= left - 1) {
		int at = __builtin_ctzll(left);
		uint64_t reach = g->near[at] | (joined >> at & 1 ? joined : 0);
		if (near & ~reach)
			return false;
	}
	return true;
}

/* --- squares that do not matter --- */

/* The position, with squares filled in. */
struct hex_connect_board {
	const struct hex_shape *shape;
	uint64_t own[2], empty;
	struct hex_connect_graph graph[2];
};

static void make_graphs(struct hex_connect_board *b)
{
	for (int side = BLACK; side <= WHITE; side++)
		make_graph(b->shape, b->own[side], b->empty, side, &b->graph[side]);
}

/* Fills a dead square, or two that a side has captured. Returns false if there are none. */
static bool fill_some(struct hex_connect_board *b)
{
	for (uint64_t left = b->empty; left; left &= left - 1) {
		int at = __builtin_ctzll(left);
		if (is_dead(&b->graph[BLACK], at, -1, -1) ||
		    is_dead(&b->graph[WHITE], at, -1, -1)) {
			b->empty ^= BIT(at);
			b->own[BLACK] |= BIT(at);
			return true;
		}
	}
	for (int side = BLACK; side <= WHITE; side++)
		for (uint64_t left = b->empty; left; left &= left - 1) {
			int at = __builtin_ctzll(left);
			uint64_t rest = b->graph[side].near[at] & b->empty &
					(left ^ (left & -left));
			for (; rest; rest &= rest - 1) {
				int to = __builtin_ctzll(rest);
				if (!is_dead(&b->graph[side], at, to, -1) ||
				    !is_dead(&b->graph[side], to, at, -1))
					continue;
				b->empty &= ~(BIT(at) | BIT(to));
				b->own[side] |= BIT(at) | BIT(to);
				return true;
			}
		}
	return false;
}

/* Removes squares on which a stone is no better than on another square of the set. */
static uint64_t drop_dominated(const struct hex_connect_board *b, int side, uint64_t set)
{
	for (uint64_t left = set; left; left &= left - 1) {
		int at = __builtin_ctzll(left);
		uint64_t near = (b->graph[side].near[at] | b->graph[side ^ 1].near[at]) & set;
		for (near &= ~BIT(at); near; near &= near - 1) {
			int better = __builtin_ctzll(near);
			if (is_dead(&b->graph[side], at, better, -1) ||
			    is_dead(&b->graph[side ^ 1], at, -1, better)) {
				set ^= BIT(at);
				break;
			}
		}
	}
	return set;
}

/* --- virtual connections --- */

struct full {
	uint8_t from, to;
	uint64_t carrier;
};

/* The ends are the edges, 0 and 1, then chains, then empty squares. */
struct hex_connect_search {
	int chains, ends;       /* the first end that is a square; their number */
	uint64_t bit[ENDS_MAX]; /* the square of an end, 0: an edge or a chain */
	uint8_t fulls[PAIRS], halves[PAIRS];
	uint64_t full[PAIRS][FULL_MAX], half[PAIRS][HALF_MAX];
	int head, tail;
	struct full queue[QUEUE_MAX]; /* found, not yet combined */
	bool wants_half; /* stop as soon as the edges have a half connection, or else a full one */
};

static int hex_connect_pair_of(int a, int b)
{
	return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

#define EDGE_PAIR 0 /* pair_of(0, 1) */

/* Removes the supersets of a carrier from a list. */
static uint8_t drop_supersets(uint64_t *list, uint8_t count, uint64_t carrier)
{
	uint8_t kept = 0;
	for (int i = 0; i < count; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a list has `count` entries */
		if (carrier & ~list[i])
			list[kept++] = list[i];
	return kept;
}

static bool has_subset(const uint64_t *list, int count, uint64_t carrier)
{
	for (int i = 0; i < count; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a list has `count` entries */
		if (!(list[i] & ~carrier))
			return true;
	return false;
}

static void add_full(struct hex_connect_search *v, int a, int b, uint64_t carrier)
{
	int p = hex_connect_pair_of(a, b);
	if (has_subset(v->full[p], v->fulls[p], carrier))
		return;
	v->fulls[p] = drop_supersets(v->full[p], v->fulls[p], carrier);
	v->halves[p] = drop_supersets(v->half[p], v->halves[p], carrier);
	if (v->fulls[p] == FULL_MAX || v->tail == QUEUE_MAX)
		return;
	v->full[p][v->fulls[p]++] = carrier;
	v->queue[v->tail++] = (struct full) { (uint8_t)a, (uint8_t)b, carrier };
}

/* The or-rule: looks for half connections among the first `count` ones that have no square in common with each other
 * and with a set, `common`. */
static void combine_halves(struct hex_connect_search *v, int a, int b, int count, uint64_t common,
			   uint64_t carrier, int depth)
{
	int p = hex_connect_pair_of(a, b);
	for (int i = count - 1; i >= 0; i--) {
		uint64_t rest = common & v->half[p][i];
		if (rest == common)
			continue;
		if (!rest)
			add_full(v, a, b, carrier | v->half[p][i]);
		else if (depth > 1)
			combine_halves(v, a, b, i, rest, carrier | v->half[p][i], depth - 1);
		/* A new full connection shortens the list. */
		if (i > v->halves[p])
			i = v->halves[p];
	}
}

static void add_half(struct hex_connect_search *v, int a, int b, uint64_t carrier)
{
	int p = hex_connect_pair_of(a, b);
	if (has_subset(v->full[p], v->fulls[p], carrier) ||
	    has_subset(v->half[p], v->halves[p], carrier))
		return;
	v->halves[p] = drop_supersets(v->half[p], v->halves[p], carrier);
	combine_halves(v, a, b, v->halves[p], carrier, carrier, UNIONS - 1);
	if (v->halves[p] < HALF_MAX)
		v->half[p][v->halves[p]++] = carrier;
}

/* The and-rule: combines a full connection of `end` and `middle` with all others of `middle`. */
static void combine_full(struct hex_connect_search *v, int end, int middle, uint64_t carrier)
{
	if (middle < 2)
		return;
	for (int to = 0; to < v->ends; to++) {
		if (to == end || to == middle || carrier & v->bit[to])
			continue;
		int p = hex_connect_pair_of(middle, to);
		for (int i = 0; i < v->fulls[p]; i++) {
			uint64_t other = v->full[p][i];
			if (other & (carrier | v->bit[end]))
				continue;
			if (v->bit[middle])
				add_half(v, end, to, carrier | other | v->bit[middle]);
			else
				add_full(v, end, to, carrier | other);
		}
	}
}

static bool is_done(const struct hex_connect_search *v)
{
	return v->fulls[EDGE_PAIR] || (v->wants_half && v->halves[EDGE_PAIR]);
}

/* Finds the connections of a side. */
static void find_connections(const struct hex_connect_board *b, int side, bool wants_half,
			     struct hex_connect_search *v)
{
	uint64_t stones = b->own[side], touched[ENDS_MAX] = { 0 };
	v->wants_half = wants_half;
	v->head = v->tail = v->ends = 0;
	memset(v->fulls, 0, sizeof v->fulls);
	memset(v->halves, 0, sizeof v->halves);
	for (int k = 0; k < 2; k++) {
		uint64_t chain = b->shape->edge[side][k][0] & stones;
		hex_fill(1, b->shape->size, b->shape, &chain, &b->own[side]);
		stones &= ~chain;
		v->bit[v->ends] = 0;
		touched[v->ends++] = (hex_connect_spread(b->shape, chain, b->empty) & b->empty) |
				     (b->shape->edge[side][k][0] & b->empty);
	}
	while (stones) {
		uint64_t chain = stones & -stones;
		hex_fill(1, b->shape->size, b->shape, &chain, &b->own[side]);
		stones &= ~chain;
		v->bit[v->ends] = 0;
		touched[v->ends++] = hex_connect_spread(b->shape, chain, b->empty);
	}
	v->chains = v->ends;
	for (uint64_t left = b->empty; left; left &= left - 1) {
		v->bit[v->ends] = left & -left;
		touched[v->ends++] = hex_connect_spread(b->shape, left & -left, b->empty);
	}
	for (int i = 0; i < v->ends; i++)
		for (int k = v->chains > i + 1 ? v->chains : i + 1; k < v->ends; k++)
			if (touched[i] & v->bit[k])
				add_full(v, i, k, 0);
	while (v->head < v->tail && !is_done(v)) {
		struct full f = v->queue[v->head++];
		combine_full(v, f.from, f.to, f.carrier);
		combine_full(v, f.to, f.from, f.carrier);
	}
}

/* --- the whole --- */

static bool hex_connect_joins(const struct hex_connect_board *b, int side)
{
	return hex_joins(1, b->shape->size, b->shape, &b->own[side], side);
}

int hex_must_play_steps(const struct state *s, move_t *out, int *winner)
{
	struct hex_connect_board b = { .shape = &hex_shapes[hex_size(s)] };
	struct hex_connect_search v;
	const int side = s->side;
	b.own[BLACK] = s->board[HEX_STONES(BLACK)];
	b.own[WHITE] = s->board[HEX_STONES(WHITE)];
	b.empty = b.shape->board[0] & ~(b.own[BLACK] | b.own[WHITE]);
	do
		make_graphs(&b);
	while (fill_some(&b));
	*winner = hex_connect_joins(&b, BLACK) ? 1 : hex_connect_joins(&b, WHITE) ? -1 : 0;
	if (*winner)
		return 0;
	find_connections(&b, side, true, &v);
	*winner = is_done(&v) ? side_sign(side) : 0;
	if (*winner)
		return 0;
	find_connections(&b, side ^ 1, false, &v);
	uint64_t steps = b.empty;
	for (int i = 0; i < v.halves[EDGE_PAIR]; i++)
		steps &= v.half[EDGE_PAIR][i];
	if (is_done(&v) || !steps) {
		*winner = -side_sign(side);
		return 0;
	}
	int count = 0;
	for (steps = drop_dominated(&b, side, steps); steps; steps &= steps - 1)
		out[count++] = (move_t)__builtin_ctzll(steps);
	return count;
}
