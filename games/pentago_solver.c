/* SPDX-License-Identifier: MIT
 *
 * Solves Pentago endgames by retrograde analysis in memory (after Irving, "Pentago is a first player win").
 *
 * A *deal* stands for a position in all its 4^4 turnings. So turning a quadrant does not change the empty
 * squares of a deal. Below a root with f empty squares a deal is a pair of disjoint sets of them: A, the
 * new stones of the side to move at the root (the first side), and B, those of the other (second) side. The
 * number of moves determines the parity of the turns, so 128 turnings are possible. A *plane* has a bit for
 * each.
 *
 * A *pass* answers one yes-or-no question for all deals: first, does the first side win; then, does it get
 * at least a draw. Slice j holds the deals with j+1 stones of the first side and j of the second side,
 * which is to move. A plane marks the turnings where the first side reaches the goal of the pass. Slice j
 * is computed from slice j+1, one *block* of equal A after another. The deals (A, B+y) between the two
 * slices need only the blocks A+x. They stay in the worker's cache and are never written to memory. Both
 * kinds of step are the same:
 *
 *     reached = won now | not lost now & (a stone that wins | turned(OR of the children's planes))
 *
 * where turned() applies every single turn to a set of turnings. The moves of the root are slice 0.
 *
 * Sets are numbered in colexicographic order. So the blocks of the old slice become unused in their order
 * while the blocks of the new slice are computed in theirs. The new slice overwrites the unused part of the
 * old one. The memory is a ring that is little larger than the largest slice.
 *
 * Workers claim the chunks of a phase (the line tables, then the slices of each pass) from a counter. A
 * phase starts when all chunks of the previous phase are done. No worker waits for one that never started.
 */
#include "games/pentago_solver.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/control.h"
#include "games/games.h"

#define FREE_MAX   23 /* most empty squares; more would need more than BYTES_MAX */
#define SETS_MAX   12 /* most stones that one side adds */
#define BYTES_MAX  ((size_t)64 << 30)
#define PASSES     2
#define PHASES_MAX (1 + PASSES * SETS_MAX)
#define ALIGN      64
#define LINE       64 /* bytes of a cache line */
#define BATCH      32 /* deals computed together, a multiple of four */

/* Bit r0 + 4 r1 + 16 r2 of word h: quadrant i is turned clockwise r_i times; r3 is 2h or 2h+1, by the
 * parity of the turns. */
typedef uint64_t plane __attribute__((vector_size(16), may_alias));
typedef uint64_t planes2 __attribute__((vector_size(32), may_alias, aligned(16)));
typedef uint64_t planes4 __attribute__((vector_size(64), may_alias, aligned(16)));

static const plane none = { 0, 0 }, every_turning = { ~UINT64_C(0), ~UINT64_C(0) };

/* Turnings with an even sum r0 + r1 + r2. */
#define EVEN       UINT64_C(0x5a5aa5a55a5aa5a5)

/* The line table of a set of one side's stones: a plane per parity with the turnings that have a line of
 * five. For TAJIMA it is the number of lines, in three bits: 18 stones have at most six lines. */
#define PARITIES   2
#define COUNT_BITS 3

#define INLINE     static inline __attribute__((always_inline))

static uint32_t choose[FREE_MAX + 2][FREE_MAX + 2]; /* [n][k], 0 for k > n */

struct round {
	int first, second;      /* stones in the deals of this slice */
	uint32_t blocks;        /* sets of the first side */
	uint32_t deals;         /* per block */
	uint32_t middle;        /* deals between a block and the previous slice, 0: none */
	uint32_t source;        /* deals per block of the previous slice, 0: no previous slice */
	uint32_t chunk, chunks; /* blocks per chunk, number of chunks */
	size_t lead;            /* planes from the start of the slice to that of the previous one */
	size_t start;           /* position in the ring, in planes */
};

/* Everything that depends on the state and the number of threads only. Each worker has its own copy. */
struct plan {
	enum rules rules;
	int free;
	int threads;
	uint64_t stones[2]; /* of the root: the side to move, the other side */
	uint64_t free_bit[FREE_MAX];
	int rounds; /* number of slices; round 0 is the last slice */
	struct round round[SETS_MAX];
	uint32_t sets[2][SETS_MAX + 2]; /* index of the first set of each size */
	uint32_t sets_end[2];
	uint32_t chunks; /* of the line tables */
	int stride;      /* planes per set in the line tables */
	size_t ring;     /* capacity in planes, without room for a block across its end */
	size_t tables_at, scratch_at, scratch_size, ring_at, bytes;
	double work; /* units, all passes */
};

#define SETS_CHUNK 256

struct counter {
	_Alignas(ALIGN) _Atomic uint32_t next;
	_Atomic uint32_t done;
};

/* The progress of a worker: phase+1 in the upper half; in the lower half a chunk, at most the one in work. */
struct worker {
	_Alignas(ALIGN) _Atomic uint64_t at;
};

/* At the start of the memory. The `workers` follow. */
struct shared {
	struct counter phase[PHASES_MAX];
	_Alignas(ALIGN) atomic_bool solved;
	plane first_move[PASSES][FREE_MAX];
};

/* A deal between two slices: the turnings where the first side fails, and where the second side's new stone
 * wins. */
struct middle {
	plane failed, placed;
};

/* The lower and the upper half of a set of squares. */
struct halves {
	uint16_t low, high;
};

/* The private data of a worker. In a block the second side's sets are sets of the squares outside A, which
 * are renumbered from 0. There is an edge for each square outside both sets. */
struct scratch {
	int prepared; /* the round whose tables are here, or -1 */
	int half;     /* squares in the lower half */
	struct halves *middle_sets, *deal_sets;
	uint32_t *middle_edges; /* byte offset in a source << 8 | index of the source */
	uint32_t *deal_edges;   /* index of a deal between the slices */

	/* For a block: the number of a set is the sum of the values of its halves. */
	uint32_t *low, *high_middle, *high_deal;
	/* For a block: the turnings where the first side wins with a stone outside a half. */
	plane *low_wins, *high_wins;
	struct middle *middle;
};

struct task {
	struct plan plan;
	struct shared *shared;
	struct worker *workers;
	plane *tables, *ring;
	struct scratch scratch;
	int worker;
	struct control *control;
};

struct pentago_kernel {
	double seconds; /* per deal, at most */
	void (*tables)(const struct plan *, plane *tables, uint32_t from, uint32_t to);
	void (*blocks)(struct task *, int round, int pass, uint32_t from, uint32_t to);
};

/* --- sets --- */

static uint32_t set_rank(uint32_t set)
{
	uint32_t rank = 0;
	for (int i = 1; set; set &= set - 1)
		rank += choose[__builtin_ctz(set)][i++];
	return rank;
}

static uint32_t set_unrank(uint32_t rank, int size)
{
	uint32_t set = 0;
	int n = FREE_MAX;
	for (; size; size--) {
		while (choose[n][size] > rank)
			n--;
		rank -= choose[n][size];
		set |= 1u << n;
	}
	return set;
}

/* The next set of the same size. */
static inline uint32_t set_next(uint32_t set)
{
	if (!set)
		return 0;
	uint32_t low = set & -set, up = set + low;
	return up | ((set ^ up) >> (2 + __builtin_ctz(low)));
}

/* The number of sets with one more element that are no longer needed when all sets before `rank` are done. */
static uint32_t sets_dead(uint32_t rank, int size, int of)
{
	if (rank >= choose[of][size])
		return choose[of][size + 1];
	uint32_t dead = 0;
	uint32_t set = set_unrank(rank, size);
	for (int i = 1; set; set &= set - 1)
		dead += choose[__builtin_ctz(set)][++i];
	return dead;
}

/* --- lines --- */

/* Computes the line table of a set of stones in all turnings: for each bit, a plane per parity. */
INLINE void lines_turned(enum rules rules, uint64_t board, plane *out)
{
	uint32_t part[LANES][TURNED_MAX], low[16], high[16];
	for (int q = 0; q < LANES; q++)
		for (int times = 0; times < TURNED_MAX; times++)
			part[q][times] = pentago_possible[q][(uint32_t)times * LANE_SETS +
							     (board >> 16 * q & 0x1ff)];
	for (int i = 0; i < 16; i++) {
		low[i] = part[0][i % 4] & part[1][i / 4];
		high[i] = part[2][i % 4] & part[3][i / 4];
	}
	uint32_t bits[COUNT_BITS][16] = { 0 };
	for (int j = 0; j < 16; j++) {
		if (!low[j])
			continue;
		for (int i = 0; i < 16; i++) {
			uint32_t lines = low[j] & high[i];
			if (rules != TAJIMA) {
				bits[0][i] |= (uint32_t)(lines != 0) << j;
				continue;
			}
			uint32_t n = ((lines | lines >> SIXES) & SIXES_SET) |
				     (lines >> 2 * SIXES << SIXES);
			n = (n & 0x15555) + (n >> 1 & 0x15555);
			n = (n & 0x13333) + (n >> 2 & 0x13333);
			n = (n & 0xf0f) + (n >> 4 & 0xf0f) + (n >> 16);
			n = n + (n >> 8);
			for (int b = 0; b < COUNT_BITS; b++)
				bits[b][i] |= (n >> b & 1) << j;
		}
	}
	for (int b = 0; b < (rules == TAJIMA ? COUNT_BITS : 1); b++) {
		uint64_t word[TURNED_MAX];
		for (int i = 0; i < TURNED_MAX; i++)
			word[i] = bits[b][4 * i] | bits[b][4 * i + 1] << 16 |
				  (uint64_t)bits[b][4 * i + 2] << 32 |
				  (uint64_t)bits[b][4 * i + 3] << 48;
		out[PARITIES * b] = (plane) { (word[0] & EVEN) | (word[1] & ~EVEN),
					      (word[2] & EVEN) | (word[3] & ~EVEN) };
		out[PARITIES * b + 1] = (plane) { (word[0] & ~EVEN) | (word[1] & EVEN),
						  (word[2] & ~EVEN) | (word[3] & EVEN) };
	}
}

/* Fills the line tables of the sets numbered from .. to-1. */
INLINE void tables_fill(const struct plan *p, enum rules rules, plane *tables, uint32_t from,
			uint32_t to)
{
	int side = from >= p->sets_end[0], size = 0;
	uint32_t set = 0, left = 0;
	for (uint32_t n = from; n < to; n++) {
		if (n == p->sets_end[0]) {
			side = 1;
			size = 0;
			left = 0;
		}
		if (left == 0) {
			while (n - p->sets[side][size] >= choose[p->free][size])
				size++;
			uint32_t rank = n - p->sets[side][size];
			set = set_unrank(rank, size);
			left = choose[p->free][size] - rank;
		}
		uint64_t board = p->stones[side];
		for (uint32_t rest = set; rest; rest &= rest - 1)
			board |= p->free_bit[__builtin_ctz(rest)];
		lines_turned(rules, board, tables + (size_t)n * (size_t)p->stride);
		set = set_next(set);
		left--;
	}
}

/* --- deals --- */

/* The inputs for computing the answers of some deals. */
struct batch {
	_Alignas(ALIGN) plane children[BATCH]; /* where the mover reaches its goal in a child */
	_Alignas(ALIGN) plane wins[BATCH];     /* where a stone wins at once */
	_Alignas(ALIGN) plane lost[BATCH], won[BATCH]; /* by the lines on the board */
	_Alignas(ALIGN) plane failed[BATCH];
};

#define SWAPPED_4(W) __builtin_shufflevector(W, W, 1, 0, 3, 2, 5, 4, 7, 6)
#define SWAPPED_2(W) __builtin_shufflevector(W, W, 1, 0, 3, 2)
#define SWAPPED_1(W) __builtin_shufflevector(W, W, 1, 0)

/* A macro, because compilers do not keep a vector in registers if it is wider than these. A turn and its
 * reverse differ by half a circle, which maps the union of both to itself. So unite a set with itself
 * turned by half, then turn it once. The order of the quadrants: 3, 2 (16 bits), 1 (4 of 16 bits), 0 (1 of
 * 4 bits). */
#define JUDGE(VECTOR, WIDTH, B, WON_COUNTS, OUT)                                                   \
	for (size_t i_ = 0; i_ < BATCH; i_ += (WIDTH)) {                                           \
		VECTOR w_ = *(const VECTOR *)&(B)->children[i_], half_;                            \
		VECTOR out_ = *(const VECTOR *)&(B)->wins[i_] | w_ | SWAPPED_##WIDTH(w_);          \
		half_ = w_ | w_ << 32 | w_ >> 32;                                                  \
		out_ |= half_ << 16 | half_ >> 48;                                                 \
		half_ = w_ | (w_ << 8 & 0xff00ff00ff00ff00) | (w_ >> 8 & 0x00ff00ff00ff00ff);      \
		out_ |= (half_ << 4 & 0xf0f0f0f0f0f0f0f0) | (half_ >> 4 & 0x0f0f0f0f0f0f0f0f);     \
		half_ = w_ | (w_ << 2 & 0xcccccccccccccccc) | (w_ >> 2 & 0x3333333333333333);      \
		out_ |= (half_ << 1 & 0xaaaaaaaaaaaaaaaa) | (half_ >> 1 & 0x5555555555555555);     \
		out_ &= ~*(const VECTOR *)&(B)->lost[i_];                                          \
		if (WON_COUNTS)                                                                    \
			out_ |= *(const VECTOR *)&(B)->won[i_];                                    \
		*(VECTOR *)&(OUT)[i_] = ~out_;                                                     \
	}

/* Computes the turnings where the mover fails to reach its goal. `won_counts`: the goal is reached where
 * `won` is set, even if `lost` is set too. `width`: planes per register. */
INLINE void batch_judge(int width, const struct batch *b, bool won_counts, plane *out)
{
	if (width == 4)
		JUDGE(planes4, 4, b, won_counts, out)
	else if (width == 2)
		JUDGE(planes2, 2, b, won_counts, out)
	else
		JUDGE(plane, 1, b, won_counts, out)
}

/* The turnings where side `a` has a line. TAJIMA: where it has more lines than side `b`. */
INLINE plane lines_beat(enum rules rules, const plane *a, const plane *b)
{
	if (rules != TAJIMA)
		return a[0];
	plane more = a[0] & ~b[0];
	for (int i = PARITIES; i < PARITIES * COUNT_BITS; i += PARITIES)
		more = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & more);
	return more;
}

static plane *ring_block(const struct task *t, const struct round *r, uint32_t block)
{
	size_t at = r->start + (size_t)block * r->deals;
	return t->ring + (at < t->plan.ring ? at : at - t->plan.ring);
}

/* A block to compute: its inputs from the sets with one more stone, indexed by the squares outside its own
 * set. */
struct block {
	const plane *lines;
	const plane *more_lines[FREE_MAX];
	const plane *sources[FREE_MAX];
};

static void block_find(const struct task *t, const struct round *r, uint32_t set, uint32_t rank,
		       struct block *b)
{
	const struct plan *p = &t->plan;
	size_t stride = (size_t)p->stride;
	const plane *more = t->tables + (size_t)p->sets[0][r->first + 1] * stride;
	b->lines = t->tables + (size_t)(p->sets[0][r->first] + rank) * stride;
	if (!r->source)
		return;
	/* An element's part of the number of the set with one more element. It is unchanged if the new
	 * element is above it. */
	uint32_t sum = 0;
	int below = 0, n = 0;
	for (uint32_t rest = set; rest; rest &= rest - 1)
		sum += choose[__builtin_ctz(rest)][++below + 1];
	below = 0;
	for (int i = 0; i < p->free; i++) {
		if (set >> i & 1) {
			below++;
			sum += choose[i][below] - choose[i][below + 1];
		} else {
			uint32_t with = sum + choose[i][below + 1];
			b->more_lines[n] = more + with * stride;
			b->sources[n++] = ring_block(t, r - 1, with);
		}
	}
}

/* Prefetches the deals from .. to-1 of each source of a block. */
static void block_prefetch(const struct block *b, int squares, uint32_t from, uint32_t to)
{
	size_t begin = from * sizeof(plane) / LINE * LINE, end = to * sizeof(plane) / LINE * LINE;
	for (int i = 0; i < squares; i++)
		for (size_t at = begin; at < end; at += LINE)
			__builtin_prefetch((const char *)b->sources[i] + at, 0, 2);
}

/* Fills the scratch for a block. */
INLINE void block_begin(const struct task *t, enum rules rules, const struct round *r, uint32_t set,
			struct scratch *s, const struct block *b)
{
	uint32_t label[FREE_MAX] = { 0 }, outside = ~set & ((1u << t->plan.free) - 1);
	int squares = t->plan.free - r->first, half = s->half;
	for (int i = 0; i < squares; i++, outside &= outside - 1)
		label[i] = (uint32_t)__builtin_ctz(outside);

	s->low[0] = s->high_deal[0] = s->high_middle[0] = 0;
	for (int i = 0; i < half; i++)
		for (uint32_t j = 0, bit = 1u << i; j < bit; j++)
			s->low[bit | j] = s->low[j] + choose[label[i]][__builtin_popcount(j) + 1];
	for (uint32_t i = 1; i < 1u << (squares - half); i++) {
		uint32_t rest = i & (i - 1), at = label[half + __builtin_ctz(i)];
		int place = r->second - __builtin_popcount(rest); /* of the lowest element */
		s->high_deal[i] = place > 0 ? s->high_deal[rest] + choose[at][place] : 0;
		place++;
		s->high_middle[i] = place > 0 ? s->high_middle[rest] + choose[at][place] : 0;
	}

	if (rules == OPENSPIEL || !r->source)
		return;
	/* Indexed by the squares of the half in the set, and filled from the end by the squares outside. */
	plane *low_wins = s->low_wins + (1u << half) - 1;
	plane *high_wins = s->high_wins + (1u << (squares - half)) - 1;
	*low_wins = *high_wins = none;
	for (int i = 0; i < squares; i++) {
		plane *wins = i < half ? low_wins : high_wins, win = b->more_lines[i][0];
		if (rules == TAJIMA) { /* a stone only adds lines */
			win = none;
			for (int j = 0; j < PARITIES * COUNT_BITS; j += PARITIES)
				win |= b->more_lines[i][j] ^ b->lines[j];
		}
		ptrdiff_t bit = (ptrdiff_t)1 << (i < half ? i : i - half);
		for (ptrdiff_t j = 0; j < bit; j++)
			wins[-(bit | j)] = wins[-j] | win;
	}
}

INLINE void middle_gather_by(int edges, const uint32_t *edge, const plane *const *sources,
			     uint32_t count, plane *children)
{
	for (uint32_t i = 0; i < count; i++) {
		plane any = none;
		for (int e = 0; e < edges; e++, edge++)
			any |= *(const plane *)((const char *)sources[*edge & 0xff] + (*edge >> 8));
		children[i] = any;
	}
}

INLINE void deal_gather_by(int edges, int width, const uint32_t *edge, const struct middle *middle,
			   uint32_t count, plane *children, plane *wins)
{
	for (uint32_t i = 0; i < count; i++) {
		if (width > 1) {
			planes2 any = { 0 };
			for (int e = 0; e < edges; e++, edge++)
				any |= *(const planes2 *)&middle[*edge];
			children[i] = __builtin_shufflevector(any, any, 0, 1);
			wins[i] = __builtin_shufflevector(any, any, 2, 3);
		} else {
			plane any = none, win = none;
			for (int e = 0; e < edges; e++, edge++) {
				any |= middle[*edge].failed;
				win |= middle[*edge].placed;
			}
			children[i] = any;
			wins[i] = win;
		}
	}
}

/* Calls FUNCTION(n, ...) with a constant for common n, so that the compiler unrolls its loop. */
#define UNROLLED(N, FUNCTION, ...)                                                                 \
	((N) == 1   ? FUNCTION(1, __VA_ARGS__)                                                     \
	 : (N) == 2 ? FUNCTION(2, __VA_ARGS__)                                                     \
	 : (N) == 3 ? FUNCTION(3, __VA_ARGS__)                                                     \
	 : (N) == 4 ? FUNCTION(4, __VA_ARGS__)                                                     \
	 : (N) == 5 ? FUNCTION(5, __VA_ARGS__)                                                     \
	 : (N) == 6 ? FUNCTION(6, __VA_ARGS__)                                                     \
	 : (N) == 7 ? FUNCTION(7, __VA_ARGS__)                                                     \
	 : (N) == 8 ? FUNCTION(8, __VA_ARGS__)                                                     \
	 : (N) == 9 ? FUNCTION(9, __VA_ARGS__)                                                     \
		    : FUNCTION(N, __VA_ARGS__))

/* The union of each deal's children, in the blocks of A with one more stone. */
INLINE void middle_gather(int edges, const uint32_t *edge, const plane *const *sources,
			  uint32_t count, plane *children)
{
	UNROLLED(edges, middle_gather_by, edge, sources, count, children);
}

/* The union of each deal's children between the slices, and the union of the turnings where their new
 * stones win. */
INLINE void deal_gather(int width, int edges, const uint32_t *edge, const struct middle *middle,
			uint32_t count, plane *children, plane *wins)
{
	UNROLLED(edges, deal_gather_by, width, edge, middle, count, children, wins);
}

/* Computes the deals between the slices. The first side moves, with even turnings. `draws`: a draw is
 * enough for it. */
INLINE void middle_make(int width, const struct task *t, enum rules rules, bool draws,
			const struct round *r, struct scratch *s, const struct block *block,
			const struct block *next, struct batch *b)
{
	int squares = t->plan.free - r->first, edges = squares - r->second - 1;
	size_t stride = (size_t)(PARITIES * (rules == TAJIMA ? COUNT_BITS : 1));
	const plane *table = t->tables + (size_t)t->plan.sets[1][r->second + 1] * stride;
	for (int i = 0; i < BATCH; i++)
		b->won[i] = block->lines[0];
	for (uint32_t from = 0; from < r->middle; from += BATCH) {
		uint32_t count = r->middle - from < BATCH ? r->middle - from : BATCH;
		const struct halves *set = s->middle_sets + from;
		struct middle *out = s->middle + from;
		if (next)
			block_prefetch(
				next, squares, (uint32_t)((uint64_t)from * r->source / r->middle),
				(uint32_t)((uint64_t)(from + count) * r->source / r->middle));
		middle_gather(edges, s->middle_edges + (size_t)from * (size_t)edges, block->sources,
			      count, b->children);
		for (uint32_t i = 0; i < count; i++, set++) {
			size_t rank = s->low[set->low] + s->high_middle[set->high];
			const plane *lines = table + rank * stride;
			b->lost[i] = lines_beat(rules, lines, block->lines);
			out[i].placed = lines_beat(rules, lines + 1, block->lines + 1);
			if (rules == TAJIMA)
				b->won[i] = lines_beat(rules, block->lines, lines);
			if (edges == 0)
				b->wins[i] = draws ? every_turning : b->won[i];
			else if (rules == OPENSPIEL)
				b->wins[i] = b->won[i];
			else
				b->wins[i] = s->low_wins[set->low] | s->high_wins[set->high];
		}
		batch_judge(width, b, draws || rules == TAJIMA, b->failed);
		for (uint32_t i = 0; i < count; i++)
			out[i].failed = b->failed[i];
	}
}

/* Computes the deals of a block. The second side moves, with odd turnings. `draws`: a draw is enough for
 * it. */
INLINE void deals_make(int width, const struct task *t, enum rules rules, bool draws,
		       const struct round *r, struct scratch *s, const struct block *block,
		       struct batch *b, plane *out)
{
	int edges = t->plan.free - r->first - r->second;
	size_t stride = (size_t)(PARITIES * (rules == TAJIMA ? COUNT_BITS : 1));
	const plane *table = t->tables + (size_t)t->plan.sets[1][r->second] * stride + 1;
	const plane *mine = block->lines + 1;
	for (int i = 0; i < BATCH; i++)
		b->lost[i] = mine[0];
	for (uint32_t from = 0; from < r->deals; from += BATCH) {
		uint32_t count = r->deals - from < BATCH ? r->deals - from : BATCH;
		const struct halves *set = s->deal_sets + from;
		deal_gather(width, edges, s->deal_edges + (size_t)from * (size_t)edges, s->middle,
			    count, b->children, b->wins);
		for (uint32_t i = 0; i < count; i++, set++) {
			if (rules == STANDARD && !draws && edges > 0)
				break; /* then only the stones that win count */
			size_t rank = s->low[set->low] + s->high_deal[set->high];
			const plane *lines = table + rank * stride;
			b->won[i] = lines_beat(rules, lines, mine);
			if (rules == TAJIMA)
				b->lost[i] = lines_beat(rules, mine, lines);
			if (edges == 0)
				b->wins[i] = draws ? every_turning : b->won[i];
			else if (rules == OPENSPIEL)
				b->wins[i] = b->won[i];
		}
		bool counts = draws || rules == TAJIMA;
		if (count == BATCH) {
			batch_judge(width, b, counts, out + from);
		} else {
			batch_judge(width, b, counts, b->failed);
			memcpy(out + from, b->failed, count * sizeof(plane));
		}
	}
}

/* Computes the blocks from .. to-1 of a slice. `draws`: a draw is enough for the first side. */
INLINE void blocks_make(int width, struct task *t, enum rules rules, int round, bool draws,
			uint32_t from, uint32_t to)
{
	const struct round *r = &t->plan.round[round];
	struct scratch *s = &t->scratch;
	bool last = round == t->plan.rounds - 1;
	uint32_t set = set_unrank(from, r->first);
	struct block blocks[2];
	struct batch batch;
	memset(&batch, 0, sizeof batch);
	block_find(t, r, set, from, &blocks[from % 2]);
	for (uint32_t i = from; i < to; i++) {
		struct block *b = &blocks[i % 2], *next = NULL;
		uint32_t next_set = set_next(set);
		block_begin(t, rules, r, set, s, b);
		if (i + 1 < to) {
			next = &blocks[(i + 1) % 2];
			block_find(t, r, next_set, i + 1, next);
		}
		middle_make(width, t, rules, draws, r, s, b, r->source ? next : NULL, &batch);
		deals_make(width, t, rules, !draws, r, s, b, &batch,
			   last ? &t->shared->first_move[draws][i] : ring_block(t, r, i));
		set = next_set;
	}
}

#define KERNEL(NAME, WIDTH, SECONDS, ATTRIBUTE)                                                    \
	__attribute__((ATTRIBUTE)) static void tables_##NAME(const struct plan *p, plane *tables,  \
							     uint32_t from, uint32_t to)           \
	{                                                                                          \
		if (p->rules == TAJIMA)                                                            \
			tables_fill(p, TAJIMA, tables, from, to);                                  \
		else                                                                               \
			tables_fill(p, STANDARD, tables, from, to);                                \
	}                                                                                          \
	__attribute__((ATTRIBUTE)) static void blocks_##NAME(struct task *t, int round, int pass,  \
							     uint32_t from, uint32_t to)           \
	{                                                                                          \
		switch (t->plan.rules) {                                                           \
		case STANDARD:                                                                     \
			blocks_make(WIDTH, t, STANDARD, round, pass != 0, from, to);               \
			break;                                                                     \
		case TAJIMA:                                                                       \
			blocks_make(WIDTH, t, TAJIMA, round, pass != 0, from, to);                 \
			break;                                                                     \
		case OPENSPIEL:                                                                    \
			blocks_make(WIDTH, t, OPENSPIEL, round, pass != 0, from, to);              \
			break;                                                                     \
		}                                                                                  \
	}                                                                                          \
	static const struct pentago_kernel kernel_##NAME = { SECONDS, tables_##NAME,               \
							     blocks_##NAME };

KERNEL(portable, 1, 12e-9, )
#ifdef __x86_64__
KERNEL(avx2, 2, 8e-9, target(KERNEL_TARGET_AVX2))
KERNEL(avx512, 4, 7e-9, target(KERNEL_TARGET_AVX512))
#endif

/* --- the plan --- */

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Lays out the scratch memory and returns its size. memory NULL: only computes the size. */
static size_t scratch_lay(const struct plan *p, struct scratch *s, char *memory)
{
	size_t middle = 0, deals = 0, middle_edges = 0, deal_edges = 0, at = 0;
	for (int i = 0; i < p->rounds; i++) {
		const struct round *r = &p->round[i];
		size_t edges = (size_t)(p->free - r->first - r->second);
		middle = r->middle > middle ? r->middle : middle;
		deals = r->deals > deals ? r->deals : deals;
		if (r->deals * edges > deal_edges)
			deal_edges = r->deals * edges;
		if (edges > 0 && r->middle * (edges - 1) > middle_edges)
			middle_edges = r->middle * (edges - 1);
	}
	size_t halves = (size_t)1 << p->free / 2;
#define LAY(FIELD, COUNT)                                                                          \
	do {                                                                                       \
		if (memory)                                                                        \
			s->FIELD = (void *)(memory + at);                                          \
		at += aligned((COUNT) * sizeof *s->FIELD);                                         \
	} while (0)
	LAY(middle_sets, middle);
	LAY(deal_sets, deals);
	LAY(middle_edges, middle_edges);
	LAY(deal_edges, deal_edges);
	LAY(low, halves);
	LAY(high_middle, halves);
	LAY(high_deal, halves);
	LAY(low_wins, halves);
	LAY(high_wins, halves);
	LAY(middle, middle);
#undef LAY
	if (memory)
		s->prepared = -1;
	return at;
}

/* Deals per chunk. A large chunk keeps the blocks that its sources share in the worker's cache. It must
 * still take well under a millisecond. */
#define CHUNK_DEALS 32768
#define SHARES      8 /* least chunks of a slice per thread, if it has enough blocks */
#define LEAD_GROUPS 1024
#define AHEAD       2 /* chunks per thread that may be computed ahead of a late one */

/* Returns true if a chunk may be written when `done` chunks are done: it overwrites only planes of the
 * previous slice that no other block needs. */
static bool may_begin(const struct plan *p, const struct round *r, uint32_t chunk, uint32_t done)
{
	if (!r->source)
		return true;
	uint32_t end = (chunk + 1) * r->chunk;
	if (end > r->blocks)
		end = r->blocks;
	return (size_t)end * r->deals <=
	       r->lead + (size_t)sets_dead(done * r->chunk, r->first, p->free) * r->source;
}

/* The distance in planes by which a slice must start before the previous one, so that a worker never waits
 * for chunks more than `ahead` before its own. The numbers of computed and unused planes only grow, so it
 * checks chunks in groups. This is fast; the result is too large by at most a thousandth of the slice. */
static size_t round_lead(const struct plan *p, const struct round *r, uint32_t ahead)
{
	size_t lead = 0;
	uint32_t group = r->chunks / LEAD_GROUPS + 1;
	for (uint32_t i = 0; i < r->chunks; i += group) {
		uint64_t end = (uint64_t)(i + group) * r->chunk;
		uint32_t done = i > ahead ? i - ahead : 0;
		if (end > r->blocks)
			end = r->blocks;
		size_t made = (size_t)end * r->deals;
		size_t dead = (size_t)sets_dead(done * r->chunk, r->first, p->free) * r->source;
		if (made > dead && made - dead > lead)
			lead = made - dead;
	}
	return lead;
}

static bool plan_make(struct plan *p, const struct state *s, int threads)
{
	memset(p, 0, sizeof *p);
	uint64_t black = s->board[BLACK] & FULL, white = s->board[WHITE];
	uint64_t empty = FULL & ~(black | white);
	p->rules = (enum rules)s->board[RULES];
	p->threads = threads;
	p->free = __builtin_popcountll(empty);
	if (s->over || s->pending || p->free > FREE_MAX)
		return false;
	p->stones[0] = s->side == BLACK ? black : white;
	p->stones[1] = s->side == BLACK ? white : black;
	for (int i = 0; i < p->free; i++, empty &= empty - 1)
		p->free_bit[i] = empty & -empty;
	p->rounds = (p->free + 1) / 2;
	p->stride = PARITIES * (p->rules == TAJIMA ? COUNT_BITS : 1);

	uint32_t sets = 0;
	for (int side = 0; side < 2; side++) {
		int most = side == 0 ? p->rounds : p->free / 2;
		for (int size = 0; size <= most; size++) {
			p->sets[side][size] = sets;
			sets += choose[p->free][size];
		}
		p->sets_end[side] = sets;
	}
	p->chunks = (sets + SETS_CHUNK - 1) / SETS_CHUNK;
	p->work = sets;

	size_t start = 0, across = 0;
	for (int i = 0; i < p->rounds; i++) {
		struct round *r = &p->round[i];
		int n = p->rounds - 1 - i, squares = p->free - n - 1;
		r->first = n + 1;
		r->second = n;
		r->blocks = choose[p->free][n + 1];
		r->deals = choose[squares][n];
		r->middle = squares > n ? choose[squares][n + 1] : 0;
		r->source = i > 0 ? p->round[i - 1].deals : 0;
		uint32_t deals = r->middle + r->deals;
		uint32_t share = r->blocks / (uint32_t)(SHARES * threads);
		r->chunk = CHUNK_DEALS / deals < share ? CHUNK_DEALS / deals : share;
		r->chunk += r->chunk == 0;
		r->chunks = (r->blocks + r->chunk - 1) / r->chunk;
		p->work += (double)r->blocks * deals * PASSES;
		if (i == p->rounds - 1)
			break; /* its slice has its own memory */
		size_t before = i > 0 ? (size_t)p->round[i - 1].blocks * r->source : 0;
		r->lead = i > 0 ? round_lead(p, r, threads > 1 ? (uint32_t)(AHEAD * threads) : 0)
				: (size_t)r->blocks * r->deals;
		if (r->lead + before > p->ring)
			p->ring = r->lead + before;
		if (r->deals > across)
			across = r->deals;
	}
	for (int i = 0; i < p->rounds - 1; i++) {
		struct round *r = &p->round[i];
		start = (start + p->ring - (i > 0 ? r->lead : 0)) % p->ring;
		r->start = start;
	}

	size_t at = aligned(sizeof(struct shared)) + (size_t)threads * sizeof(struct worker);
	p->tables_at = at;
	at += aligned((size_t)sets * (size_t)p->stride * sizeof(plane));
	p->scratch_at = at;
	struct scratch unused;
	p->scratch_size = scratch_lay(p, &unused, NULL);
	at += p->scratch_size * (size_t)threads;
	p->ring_at = at;
	at += (p->ring + across) * sizeof(plane);
	p->bytes = at;
	return at <= BYTES_MAX;
}

/* --- work --- */

static struct halves halves_of(uint32_t set, int half)
{
	return (struct halves) { (uint16_t)(set & ((1u << half) - 1)), (uint16_t)(set >> half) };
}

/* Fills the worker's tables for a round. */
static void scratch_prepare(struct task *t, int round)
{
	const struct round *r = &t->plan.round[round];
	struct scratch *s = &t->scratch;
	if (s->prepared == round)
		return;
	s->prepared = round;
	int squares = t->plan.free - r->first;
	s->half = (squares + 1) / 2;
	uint32_t every = (1u << squares) - 1, set = (1u << r->second) - 1, *edge = s->deal_edges;
	for (uint32_t i = 0; i < r->deals; i++, set = set_next(set)) {
		s->deal_sets[i] = halves_of(set, s->half);
		for (uint32_t rest = every & ~set; rest; rest &= rest - 1)
			*edge++ = set_rank(set | (rest & -rest));
	}
	edge = s->middle_edges;
	set = (1u << (r->second + 1)) - 1;
	for (uint32_t i = 0; i < r->middle; i++, set = set_next(set)) {
		s->middle_sets[i] = halves_of(set, s->half);
		for (uint32_t rest = every & ~set; rest; rest &= rest - 1) {
			uint32_t below = (rest & -rest) - 1;
			uint32_t closed = (set & below) | (set >> 1 & ~below);
			*edge++ = set_rank(closed) * (uint32_t)sizeof(plane) << 8 |
				  (uint32_t)__builtin_ctz(rest);
		}
	}
}

/* A lower bound of the number of finished chunks at the start of the phase: all before `own`, and before
 * every chunk that a worker holds. */
static uint32_t chunks_done(const struct task *t, uint32_t phase, uint32_t own)
{
	uint32_t done = own;
	for (int i = 0; i < t->plan.threads; i++) {
		uint64_t at = atomic_load(&t->workers[i].at);
		if (at >> 32 == phase + 1 && (uint32_t)at < done)
			done = (uint32_t)at;
	}
	return done;
}

/* Waits for a condition that other workers make true. Returns false if the search was stopped. */
#define WAIT_UNTIL(T, CONDITION)                                                                   \
	while (!(CONDITION)) {                                                                     \
		if (control_stopped((T)->control))                                                 \
			return false;                                                              \
		sched_yield();                                                                     \
	}

/* Works on a phase until it is done. Returns false if the search was stopped. */
static bool phase_work(struct task *t, const struct pentago_kernel *k, uint32_t phase)
{
	const struct plan *p = &t->plan;
	struct counter *counter = &t->shared->phase[phase];
	int pass = phase ? ((int)phase - 1) / p->rounds : 0;
	int round = phase ? ((int)phase - 1) % p->rounds : 0;
	const struct round *r = &p->round[round];
	uint32_t chunks = phase ? r->chunks : p->chunks;
	uint32_t size = phase ? r->chunk : SETS_CHUNK, end = phase ? r->blocks : p->sets_end[1];
	_Atomic uint64_t *at = &t->workers[t->worker].at;
	for (;;) {
		/* A worker with a chunk has a thread slot. So workers that wait in their slots for the
		 * chunk wait for a running worker. */
		atomic_store(at, 0);
		if (t->worker == 0)
			control_publish(t->control);
		if (!control_acquire_slot(t->control))
			return false;
		atomic_store(at, (uint64_t)(phase + 1) << 32 | atomic_load(&counter->next));
		uint32_t chunk = atomic_fetch_add(&counter->next, 1);
		if (chunk >= chunks)
			break;
		atomic_store(at, (uint64_t)(phase + 1) << 32 | chunk);
		uint32_t from = chunk * size, to = end - from < size ? end : from + size;
		uint64_t want = (uint64_t)(to - from) * (phase ? r->middle + r->deals : 1);
		uint64_t got = control_claim_with_slot(t->control, want);
		if (got < want) {
			control_refund(t->control, got);
			control_stop(t->control);
			return false;
		}
		if (phase) {
			scratch_prepare(t, round);
			if (round < p->rounds - 1)
				WAIT_UNTIL(t, may_begin(p, r, chunk, chunks_done(t, phase, chunk)))
			k->blocks(t, round, pass != 0, from, to);
		} else {
			k->tables(p, t->tables, from, to);
		}
		atomic_fetch_add(&counter->done, 1);
	}
	atomic_store(at, 0);
	WAIT_UNTIL(t, atomic_load(&counter->done) == chunks)
	return true;
}

static void work(const struct state *s, void *block, int worker, int threads,
		 struct control *control, const struct pentago_kernel *k)
{
	struct task t = { .worker = worker, .control = control };
	if (!plan_make(&t.plan, s, threads))
		return;
	_Static_assert(sizeof(struct shared) + 256 * sizeof(struct worker) <= SOLVER_CLEAR, "");
	char *memory = block;
	t.shared = block;
	t.workers = (struct worker *)(memory + aligned(sizeof(struct shared)));
	t.tables = (plane *)(memory + t.plan.tables_at);
	t.ring = (plane *)(memory + t.plan.ring_at);
	scratch_lay(&t.plan, &t.scratch,
		    memory + t.plan.scratch_at + (size_t)worker * t.plan.scratch_size);
	for (uint32_t phase = 0; phase < (uint32_t)(1 + PASSES * t.plan.rounds); phase++)
		if (!phase_work(&t, k, phase)) {
			atomic_store(&t.workers[worker].at, 0);
			return;
		}
	atomic_store(&t.shared->solved, true);
}

/* --- the solver ---
 *
 * It finds the results of all moves for every aim. */

#define SECONDS_A_BYTE 2e-9 /* time per byte of fresh memory */
#define QUICK          15   /* empty squares; takes some hundredths of a second */
#define TAJIMA_TIMES   1.5  /* factor for comparing numbers of lines */

static bool estimate(const struct state *s, int threads, const struct pentago_kernel *k,
		     double *seconds, size_t *bytes)
{
	struct plan p;
	if (!plan_make(&p, s, threads))
		return false;
	double deals = p.work * k->seconds * (p.rules == TAJIMA ? TAJIMA_TIMES : 1);
	*seconds = deals / threads + (double)p.bytes * SECONDS_A_BYTE;
	*bytes = p.bytes;
	return true;
}

/* Returns true if the set contains the turning after one turn from the root. */
static bool after_turn(plane set, int turn)
{
	int quadrant = turn / 2, times = pentago_quarters(turn);
	if (quadrant == 3)
		return set[times / 2] & 1;
	return set[0] >> (times << 2 * quadrant) & 1;
}

static bool result(const struct state *s, const void *block, struct solution *out)
{
	const struct shared *shared = block;
	out->count = 0;
	out->estimated = -1;
	if (!atomic_load(&shared->solved))
		return false;
	uint64_t empty = FULL & ~(s->board[BLACK] | s->board[WHITE]);
	struct move moves[GAME_MOVES_MAX];
	int sign = s->side == BLACK ? 1 : -1;
	out->count = game_moves(&game_pentago, s, moves);
	for (int i = 0; i < out->count; i++) {
		struct state next = *s;
		game_pentago.play(&next, moves[i].step[0]);
		int value;
		if (next.over) {
			value = next.score;
		} else {
			uint64_t stone = FULL & ((next.board[BLACK] | next.board[WHITE]) & empty);
			int at = __builtin_popcountll(empty & (stone - 1));
			int turn = moves[i].step[1] - SQUARES;
			value = after_turn(shared->first_move[0][at], turn) +
				after_turn(shared->first_move[1][at], turn) - 1;
			value *= sign;
		}
		out->moves[i].move = moves[i];
		out->moves[i].least = out->moves[i].most = (int8_t)value;
	}
	return true;
}

static const struct pentago_kernel *used;

/* A solver with one kernel. */
#define SOLVER(SCOPE, NAME, KERNEL)                                                                \
	static bool estimate_##NAME(const struct state *s, enum solve_aim aim, int threads,        \
				    double *seconds, size_t *bytes)                                \
	{                                                                                          \
		(void)aim;                                                                         \
		return estimate(s, threads, KERNEL, seconds, bytes);                               \
	}                                                                                          \
	static void work_##NAME(const struct state *s, enum solve_aim aim, void *block,            \
				size_t bytes, int worker, int threads, struct control *control)    \
	{                                                                                          \
		(void)aim;                                                                         \
		(void)bytes;                                                                       \
		work(s, block, worker, threads, control, KERNEL);                                  \
	}                                                                                          \
	SCOPE const struct solver NAME = { estimate_##NAME, work_##NAME, result, QUICK };

SOLVER(, pentago_solver, used)
SOLVER(static, solver_portable, &kernel_portable)
#ifdef __x86_64__
SOLVER(static, solver_avx2, &kernel_avx2)
SOLVER(static, solver_avx512, &kernel_avx512)
#endif

static const struct {
	const struct pentago_kernel *kernel;
	const struct solver *solver;
} kernels[KERNELS] = {
	[KERNEL_PORTABLE] = { &kernel_portable, &solver_portable },
#ifdef __x86_64__
	[KERNEL_AVX2] = { &kernel_avx2, &solver_avx2 },
	[KERNEL_AVX512] = { &kernel_avx512, &solver_avx512 },
#endif
};

const struct solver *pentago_solver_of(enum kernel k)
{
	return kernels[k].solver;
}

void pentago_solver_init(void)
{
	for (int n = 0; n < FREE_MAX + 2; n++)
		for (int k = 0; k < FREE_MAX + 2; k++)
			choose[n][k] = k == 0   ? 1
				       : n == 0 ? 0
						: choose[n - 1][k - 1] + choose[n - 1][k];
	used = kernels[kernel_used()].kernel;
}
