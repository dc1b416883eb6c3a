/* SPDX-License-Identifier: MIT
 *
 * Othello's exact endgame: principal variation search, nearly all of it in null windows, with a table of
 * proven bounds. Nothing is guessed: every bound is a proof.
 */
#include "games/othello_endgame.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "engine/game.h"
#include "games/othello_kernel.h"

#define SCORE_MAX 64

static const struct othello_kernel *kernel;

void othello_endgame_init(void)
{
	const struct othello_kernel *usable[OTHELLO_KERNELS_MAX];
	othello_kernels(usable);
	kernel = usable[0];
}

/* --- the table ---
 *
 * Cells hold the exact position, each key word xored with a scrambled copy of the data: words that two
 * threads wrote at once, or that were never written, do not fit together and are not found (Hyatt and
 * Mann, 2002). */

#define NO_SQUARE 64

/* Proven bounds of the score for the side to move, the move that was best, and how much work they took. */
struct entry {
	int8_t least, most;
	uint8_t square, other; /* and the one that was best before */
	uint8_t work;
	uint8_t unused[3];
};
_Static_assert(sizeof(struct entry) == sizeof(uint64_t), "an entry is one atomic word");

struct cell {
	_Atomic uint64_t key[2], data;
};

#define BUCKET 2

struct bucket {
	struct cell cells[BUCKET];
	uint64_t unused[2];
};
_Static_assert(sizeof(struct bucket) == 64, "a bucket is a line of the cache");

struct table {
	struct bucket *buckets;
	int shift; /* of a hash, to the number of a bucket */
};

static struct table table_of(void *memory, size_t bytes)
{
	size_t count = bytes / sizeof(struct bucket);
	return (struct table) { memory, __builtin_clzll(count) + 1 };
}

static inline struct bucket *table_bucket(const struct table *t, uint64_t mine, uint64_t theirs)
{
	uint64_t h = mine * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 32 ^ theirs) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
	return &t->buckets[h >> t->shift];
}

static inline uint64_t scramble(uint64_t data)
{
	return data * UINT64_C(0x9e3779b97f4a7c15);
}

static inline bool cell_read(struct cell *c, uint64_t mine, uint64_t theirs, struct entry *e)
{
	uint64_t data = atomic_load_explicit(&c->data, memory_order_relaxed);
	uint64_t mask = scramble(data);
	memcpy(e, &data, sizeof data);
	return (atomic_load_explicit(&c->key[0], memory_order_relaxed) ^ mask) == mine &&
	       (atomic_load_explicit(&c->key[1], memory_order_relaxed) ^ mask) == theirs;
}

/* What is known of a position. */
static inline struct entry bucket_find(struct bucket *b, uint64_t mine, uint64_t theirs)
{
	struct entry e;
	for (int i = 0; i < BUCKET; i++)
		if (cell_read(&b->cells[i], mine, theirs, &e))
			return e;
	return (struct entry) { -SCORE_MAX, SCORE_MAX, NO_SQUARE, NO_SQUARE, 0, { 0 } };
}

/* Adds a bound and a move to what is known of a position, in place of its old entry or of the one that took
 * the least work. */
static void bucket_store(struct bucket *b, uint64_t mine, uint64_t theirs, int score, int alpha,
			 int beta, int square, uint64_t nodes)
{
	struct cell *worst = NULL;
	struct entry e = { -SCORE_MAX, SCORE_MAX, NO_SQUARE, NO_SQUARE, 0, { 0 } };
	int least = 256;
	for (int i = 0; i < BUCKET; i++) {
		struct entry old;
		if (cell_read(&b->cells[i], mine, theirs, &old)) {
			worst = &b->cells[i];
			e = old;
			break;
		}
		if (old.work < least) {
			least = old.work;
			worst = &b->cells[i];
		}
	}
	if (score < beta && score < e.most)
		e.most = (int8_t)score;
	if (score > alpha && score > e.least)
		e.least = (int8_t)score;
	if (score > alpha && square != e.square) {
		e.other = e.square;
		e.square = (uint8_t)square;
	} else if (e.square == NO_SQUARE) {
		e.square = (uint8_t)square;
	}
	int work = 64 - __builtin_clzll(nodes | 1);
	e.work = (uint8_t)(work > e.work ? work : e.work);
	uint64_t data;
	memcpy(&data, &e, sizeof data);
	atomic_store_explicit(&worst->data, data, memory_order_relaxed);
	atomic_store_explicit(&worst->key[0], mine ^ scramble(data), memory_order_relaxed);
	atomic_store_explicit(&worst->key[1], theirs ^ scramble(data), memory_order_relaxed);
}

/* --- search --- */

#define FEW       6
#define MOVES_MAX 34

struct worker {
	struct table table;
	uint64_t nodes;
};

#define CORNERS UINT64_C(0x8100000000000081)

/* A move and the position behind it, in which the other side has `mine`. */
struct child {
	uint64_t mine, theirs;
	int square;
	int rating; /* the more, the sooner */
};

static const uint64_t quadrants[4] = {
	UINT64_C(0x000000000f0f0f0f),
	UINT64_C(0x00000000f0f0f0f0),
	UINT64_C(0x0f0f0f0f00000000),
	UINT64_C(0xf0f0f0f000000000),
};

static inline uint64_t odd_quadrants(uint64_t empty)
{
	uint64_t odd = 0;
	for (int i = 0; i < 4; i++)
		odd |= __builtin_popcountll(empty & quadrants[i]) & 1 ? quadrants[i] : 0;
	return odd;
}

/* Brings the best of list[0..n-1] to the front. */
static inline void bring_best(struct child *list, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (list[i].rating > list[best].rating)
			best = i;
	struct child c = list[best];
	list[best] = list[0];
	list[0] = c;
}

/* Lists the moves; returns how many. */
static int expand(uint64_t mine, uint64_t theirs, uint64_t moves, const struct entry *known,
		  struct child *list)
{
	uint64_t odd = odd_quadrants(~(mine | theirs));
	int n = 0;
	for (; moves; moves &= moves - 1) {
		struct child *c = &list[n++];
		uint64_t placed = moves & -moves, flips = kernel->flips(mine, theirs, placed);
		c->square = __builtin_ctzll(placed);
		c->mine = theirs ^ flips;
		c->theirs = mine ^ flips ^ placed;
		uint64_t replies = kernel->mobility(c->mine, c->theirs);
		c->rating = -8 * (__builtin_popcountll(replies) +
				  __builtin_popcountll(replies & CORNERS)) +
			    (placed & odd ? 4 : 0) + (placed & CORNERS ? 8 : 0);
		if (c->square == known->square)
			c->rating += 1 << 20;
		else if (c->square == known->other)
			c->rating += 1 << 19;
	}
	return n;
}

static int search(struct worker *w, uint64_t mine, uint64_t theirs, int alpha, int n)
{
	if (n <= FEW)
		return kernel->few(mine, theirs, alpha, &w->nodes);
	uint64_t before = w->nodes++;
	uint64_t moves = kernel->mobility(mine, theirs);
	if (!moves)
		return kernel->mobility(theirs, mine) ? -search(w, theirs, mine, ~alpha, n)
						      : othello_score(mine, theirs);
	if (alpha >= 2 * n) {
		int most = SCORE_MAX - 2 * __builtin_popcountll(kernel->stable(theirs, mine));
		if (most <= alpha)
			return most;
	}
	struct bucket *b = table_bucket(&w->table, mine, theirs);
	struct entry known = bucket_find(b, mine, theirs);
	if (known.least > alpha)
		return known.least;
	if (known.most <= alpha)
		return known.most;
	struct child list[MOVES_MAX];
	int count = expand(mine, theirs, moves, &known, list);
	int best = -SCORE_MAX - 1, square = NO_SQUARE;
	for (int i = 0; i < count; i++) {
		bring_best(list + i, count - i);
		int score = -search(w, list[i].mine, list[i].theirs, ~alpha, n - 1);
		if (score > best) {
			best = score;
			square = list[i].square;
			if (score > alpha)
				break;
		}
	}
	bucket_store(b, mine, theirs, best, alpha, alpha + 1, square, w->nodes - before);
	return best;
}

static int search_pv(struct worker *w, uint64_t mine, uint64_t theirs, int alpha, int beta, int n)
{
	if (beta == alpha + 1)
		return search(w, mine, theirs, alpha, n);
	if (n <= FEW) {
		int least = -SCORE_MAX, most = SCORE_MAX;
		while (least < most && least < beta && most > alpha) {
			int low = least > alpha ? least : alpha, high = most < beta ? most : beta;
			int middle = (low + high) / 2 - ((low + high) % 2 < 0);
			int score = kernel->few(mine, theirs, middle, &w->nodes);
			if (score > middle)
				least = score;
			else
				most = score;
		}
		return least >= beta ? least : most;
	}
	uint64_t before = w->nodes++;
	uint64_t moves = kernel->mobility(mine, theirs);
	if (!moves)
		return kernel->mobility(theirs, mine)
			       ? -search_pv(w, theirs, mine, -beta, -alpha, n)
			       : othello_score(mine, theirs);
	struct bucket *b = table_bucket(&w->table, mine, theirs);
	struct entry known = bucket_find(b, mine, theirs);
	if (known.least >= beta || known.least == known.most)
		return known.least;
	if (known.most <= alpha)
		return known.most;
	struct child list[MOVES_MAX];
	int count = expand(mine, theirs, moves, &known, list);
	int best = -SCORE_MAX - 1, square = NO_SQUARE;
	for (int i = 0; i < count; i++) {
		bring_best(list + i, count - i);
		int low = best > alpha ? best : alpha, score = beta;
		if (i)
			score = -search(w, list[i].mine, list[i].theirs, ~low, n - 1);
		if (i == 0 || (score > low && score < beta))
			score = -search_pv(w, list[i].mine, list[i].theirs, -beta, -low, n - 1);
		if (score > best) {
			best = score;
			square = list[i].square;
			if (score >= beta)
				break;
		}
	}
	bucket_store(b, mine, theirs, best, alpha, beta, square, w->nodes - before);
	return best;
}

int othello_solve(uint64_t mine, uint64_t theirs, int alpha, int beta, void *memory, size_t bytes,
		  uint64_t *nodes)
{
	struct worker w = { .table = table_of(memory, bytes) };
	int n = __builtin_popcountll(~(mine | theirs));
	int score = search_pv(&w, mine, theirs, alpha, beta, n);
	*nodes += w.nodes;
	return score;
}
