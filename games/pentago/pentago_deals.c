/* SPDX-License-Identifier: MIT */
#include "games/pentago/pentago_deals.h"

#include <string.h>

#define LINE  64 /* bytes of a cache line */
#define BATCH 32 /* deals computed together, a multiple of four */

static const plane none = { 0, 0 }, every_turning = { ~UINT64_C(0), ~UINT64_C(0) };

/* Turnings with an even sum r0 + r1 + r2. */
#define EVEN   UINT64_C(0x5a5aa5a55a5aa5a5)

#define INLINE static inline __attribute__((always_inline))

uint32_t pentago_choose[FREE_MAX + 2][FREE_MAX + 2];

/* --- sets --- */

uint32_t set_rank(uint32_t set)
{
	uint32_t rank = 0;
	for (int i = 1; set; set &= set - 1)
		rank += pentago_choose[__builtin_ctz(set)][i++];
	return rank;
}

uint32_t set_unrank(uint32_t rank, int size)
{
	uint32_t set = 0;
	int n = FREE_MAX;
	for (; size; size--) {
		while (pentago_choose[n][size] > rank)
			n--;
		rank -= pentago_choose[n][size];
		set |= 1u << n;
	}
	return set;
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
			while (n - p->sets[side][size] >= pentago_choose[p->free][size])
				size++;
			uint32_t rank = n - p->sets[side][size];
			set = set_unrank(rank, size);
			left = pentago_choose[p->free][size] - rank;
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

/* Writes the turnings where the mover fails, a few planes at a time. It is a macro because compilers do not
 * keep a vector in registers if it is wider than one register. A turn and its reverse differ by half a
 * circle, which maps the union of both to itself. So each set is united with itself turned by half, then
 * turned once. The order of the quadrants: 3, 2 (16 bits), 1 (4 of 16 bits), 0 (1 of 4 bits). */
#define FAILED(VECTOR, WIDTH, B, WON_COUNTS, OUT)                                                  \
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
INLINE void batch_failed(int width, const struct batch *b, bool won_counts, plane *out)
{
	if (width == 4)
		FAILED(planes4, 4, b, won_counts, out)
	else if (width == 2)
		FAILED(planes2, 2, b, won_counts, out)
	else
		FAILED(plane, 1, b, won_counts, out)
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

static plane *ring_block(const struct deals_task *t, const struct round *r, uint32_t block)
{
	size_t at = r->start + (size_t)block * r->deals;
	return t->ring + (at < t->plan.ring ? at : at - t->plan.ring);
}

/* A block to compute: its inputs from the sets with one more stone, indexed by the squares outside its own
 * set. */
struct pentago_deals_block {
	const plane *lines;
	const plane *more_lines[FREE_MAX];
	const plane *sources[FREE_MAX];
};

static void block_find(const struct deals_task *t, const struct round *r, uint32_t set,
		       uint32_t rank, struct pentago_deals_block *b)
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
		sum += pentago_choose[__builtin_ctz(rest)][++below + 1];
	below = 0;
	for (int i = 0; i < p->free; i++) {
		if (set >> i & 1) {
			below++;
			sum += pentago_choose[i][below] - pentago_choose[i][below + 1];
		} else {
			uint32_t with = sum + pentago_choose[i][below + 1];
			b->more_lines[n] = more + with * stride;
			b->sources[n++] = ring_block(t, r - 1, with);
		}
	}
}

/* Prefetches the deals from .. to-1 of each source of a block. */
static void block_prefetch(const struct pentago_deals_block *b, int squares, uint32_t from,
			   uint32_t to)
{
	size_t begin = from * sizeof(plane) / LINE * LINE, end = to * sizeof(plane) / LINE * LINE;
	for (int i = 0; i < squares; i++)
		for (size_t at = begin; at < end; at += LINE)
			__builtin_prefetch((const char *)b->sources[i] + at, 0, 2);
}

/* Fills the scratch for a block. */
INLINE void block_begin(const struct deals_task *t, enum rules rules, const struct round *r,
			uint32_t set, struct scratch *s, const struct pentago_deals_block *b)
{
	uint32_t label[FREE_MAX] = { 0 }, outside = ~set & ((1u << t->plan.free) - 1);
	int squares = t->plan.free - r->first, half = s->half;
	for (int i = 0; i < squares; i++, outside &= outside - 1)
		label[i] = (uint32_t)__builtin_ctz(outside);

	s->low[0] = s->high_deal[0] = s->high_middle[0] = 0;
	for (int i = 0; i < half; i++)
		for (uint32_t j = 0, bit = 1u << i; j < bit; j++)
			s->low[bit | j] = s->low[j] +
					  pentago_choose[label[i]][__builtin_popcount(j) + 1];
	for (uint32_t i = 1; i < 1u << (squares - half); i++) {
		uint32_t rest = i & (i - 1), at = label[half + __builtin_ctz(i)];
		int place = r->second - __builtin_popcount(rest); /* of the lowest element */
		s->high_deal[i] = place > 0 ? s->high_deal[rest] + pentago_choose[at][place] : 0;
		place++;
		s->high_middle[i] = place > 0 ? s->high_middle[rest] + pentago_choose[at][place]
					      : 0;
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
INLINE void middle_make(int width, const struct deals_task *t, enum rules rules, bool draws,
			const struct round *r, struct scratch *s,
			const struct pentago_deals_block *block,
			const struct pentago_deals_block *next, struct batch *b)
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
		batch_failed(width, b, draws || rules == TAJIMA, b->failed);
		for (uint32_t i = 0; i < count; i++)
			out[i].failed = b->failed[i];
	}
}

/* Computes the deals of a block. The second side moves, with odd turnings. `draws`: a draw is enough for
 * it. */
INLINE void deals_make(int width, const struct deals_task *t, enum rules rules, bool draws,
		       const struct round *r, struct scratch *s,
		       const struct pentago_deals_block *block, struct batch *b, plane *out)
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
			batch_failed(width, b, counts, out + from);
		} else {
			batch_failed(width, b, counts, b->failed);
			memcpy(out + from, b->failed, count * sizeof(plane));
		}
	}
}

/* Computes the blocks from .. to-1 of a slice. `draws`: a draw is enough for the first side. */
INLINE void blocks_make(int width, struct deals_task *t, enum rules rules, int round, bool draws,
			uint32_t from, uint32_t to)
{
	const struct round *r = &t->plan.round[round];
	struct scratch *s = &t->scratch;
	bool last = round == t->plan.rounds - 1;
	uint32_t set = set_unrank(from, r->first);
	struct pentago_deals_block blocks[2];
	struct batch batch;
	memset(&batch, 0, sizeof batch);
	block_find(t, r, set, from, &blocks[from % 2]);
	for (uint32_t i = from; i < to; i++) {
		struct pentago_deals_block *b = &blocks[i % 2], *next = NULL;
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

/* The inner loops of a kernel, with WIDTH planes in a register. A deal takes SECONDS at most. */
#define KERNEL(NAME, WIDTH, SECONDS, ATTRIBUTE)                                                    \
	__attribute__((ATTRIBUTE)) static void tables_##NAME(const struct plan *p, plane *tables,  \
							     uint32_t from, uint32_t to)           \
	{                                                                                          \
		if (p->rules == TAJIMA)                                                            \
			tables_fill(p, TAJIMA, tables, from, to);                                  \
		else                                                                               \
			tables_fill(p, STANDARD, tables, from, to);                                \
	}                                                                                          \
	__attribute__((ATTRIBUTE)) static void blocks_##NAME(struct deals_task *t, int round,      \
							     int pass, uint32_t from, uint32_t to) \
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

static const struct pentago_kernel *const kernels[KERNELS] = {
	[KERNEL_PORTABLE] = &kernel_portable,
#ifdef __x86_64__
	[KERNEL_AVX2] = &kernel_avx2,
	[KERNEL_AVX512] = &kernel_avx512,
#endif
};

const struct pentago_kernel *pentago_kernel(enum kernel k)
{
	return kernels[k];
}
