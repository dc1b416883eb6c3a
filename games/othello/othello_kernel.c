/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of Othello boards, line by line. Parallel prefix fills find the legal moves. A fill
 * spreads the mover's discs along a line over adjacent discs of the opponent; three doubling steps reach
 * all six. The mover can play on an empty square one step further. The flips of a move are found on the
 * rays from its square. Up a ray, the nearest square without a disc of the opponent is the lowest bit; down
 * a ray, it is the highest bit. If the mover has a disc there, all discs between are flipped.
 *
 * There are four lines through a square. Portable C handles them one by one, the vector code four at a
 * time. The vector code is written once, with GCC's vector types, and compiled for AVX2 and AVX-512.
 * AVX-512 merges pairs of and/or, broadcasts faster and counts leading zeros.
 */
#include "games/othello/othello_kernel.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "engine/base/bits.h"
#include "engine/search/common/cell.h"

#define ALL          UINT64_C(0xffffffffffffffff)
/* Columns B-G. Lines that change columns end at A and H. */
#define INNER        UINT64_C(0x7e7e7e7e7e7e7e7e)
#define TOP          UINT64_C(0x8000000000000000)

/* Number of steps that add neighbors to the stable discs. A fixed number finds almost all of them and needs
 * no unpredictable branch. */
#define STABLE_STEPS 6

/* --- tables --- */

enum { LINES = 4 };
static const uint8_t steps[LINES] = { 1, 7, 8, 9 };

/* For each direction: the squares that are not the first of a line, and those that are not the last. The
 * first square of a line has the lowest bit. */
#define NOT_A UINT64_C(0xfefefefefefefefe)
#define NOT_H UINT64_C(0x7f7f7f7f7f7f7f7f)
#define NOT_1 UINT64_C(0xffffffffffffff00)
#define NOT_8 UINT64_C(0x00ffffffffffffff)
static const uint64_t not_first[LINES] = { NOT_A, NOT_1 &NOT_H, NOT_1, NOT_1 &NOT_A };
static const uint64_t not_last[LINES] = { NOT_H, NOT_8 &NOT_A, NOT_8, NOT_8 &NOT_H };

/* The squares on each line from each square: up to higher bits, down to lower bits. */
static struct rays {
	_Alignas(32) uint64_t up[LINES], down[LINES];
} rays[64];

/* Number of discs that a move on the last empty square of a line of eight flips: [place][the mover's
 * discs]. */
static uint8_t last_flips[8][256];

/* Twice the same number, for all lengths: [length - 1][place][the mover's discs without the empty square].
 * The low byte is for the mover, the next byte for the other side, which has all other squares. */
static uint16_t last_turned[8][8][128];

/* For each square: the other squares of each line, and the row of last_turned for it. */
static struct last {
	_Alignas(64) uint64_t line[LINES];
	const uint16_t *turned[LINES];
} last[64];

/* The squares that touch a square. */
static uint64_t near[64];

/* The squares of the quadrant of a square. */
static uint64_t quadrant[64];

/* The highest bit of a set. */
static inline uint64_t highest(uint64_t set)
{
	return TOP >> __builtin_clzll(set | 1) & set;
}

static void rays_fill(int square)
{
	for (int i = 0; i < LINES; i++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int across = steps[i] == 8 ? 0 : steps[i] == 7 ? -sign : sign;
			int down = steps[i] == 1 ? 0 : sign;
			uint64_t set = 0;
			int col = square % 8 + across, row = square / 8 + down;
			for (; col >= 0 && col < 8 && row >= 0 && row < 8;
			     col += across, row += down)
				set |= UINT64_C(1) << (8 * row + col);
			*(sign > 0 ? &rays[square].up[i] : &rays[square].down[i]) = set;
			near[square] |= sign > 0 ? set & -set : highest(set);
		}
}

static unsigned last_flips_of(int length, int place, unsigned mine)
{
	int count = 0;
	for (int sign = -1; sign <= 1; sign += 2)
		for (int i = place + sign; i >= 0 && i < length; i += sign)
			if (mine >> i & 1) {
				count += sign * (i - place) - 1;
				break;
			}
	return (unsigned)count;
}

static void last_fill(int length, int place)
{
	unsigned gap = 1u << place;
	for (unsigned number = 0; number < 1u << (length - 1); number++) {
		unsigned mine = (number & (gap - 1)) | (number & -gap) << 1;
		unsigned flips = last_flips_of(length, place, mine),
			 other = last_flips_of(length, place, ~mine & ~gap);
		last_turned[length - 1][place][number] = (uint16_t)(2 * flips | other << 9);
		if (length == 8)
			last_flips[place][mine] = (uint8_t)flips;
	}
}

void othello_kernel_init(void)
{
	for (int length = 1; length <= 8; length++)
		for (int place = 0; place < length; place++)
			last_fill(length, place);
	for (int square = 0; square < 64; square++) {
		rays_fill(square);
		quadrant[square] = UINT64_C(0x0f0f0f0f) << (square & 36);
		for (int i = 0; i < LINES; i++) {
			uint64_t down = rays[square].down[i], line = down | rays[square].up[i];
			last[square].line[i] = line;
			last[square].turned[i] =
				last_turned[__builtin_popcountll(line)][__builtin_popcountll(down)];
		}
	}
}

/* Number of discs that a move on the last empty square turns. A multiplication gathers the discs of a
 * column or a diagonal in the top byte. A shorter diagonal leaves zeros there, which count as no discs of
 * the mover. */
static inline int count_last(uint64_t mine, int square)
{
	const uint64_t column = UINT64_C(0x0101010101010101);
	const uint64_t *line = last[square].line;
	const uint8_t *by_column = last_flips[square & 7];
	return by_column[mine >> (square & 56) & 0xff] +
	       by_column[(mine & line[1]) * column >> 56] +
	       by_column[(mine & line[3]) * column >> 56] +
	       last_flips[square >> 3]
			 [(mine >> (square & 7) & column) * UINT64_C(0x0102040810204080) >> 56];
}

/* The same as last_turned, summed over all lines. */
static inline int count_turned(uint64_t mine, int square)
{
	uint64_t theirs = ~mine & ~(UINT64_C(1) << square);
	return 2 * count_last(mine, square) | count_last(theirs, square) << 9;
}

/* --- the table of positions with few empty squares --- */

#define LOOK_MIN       9 /* least number of empty squares to look up all children before the search */
#define SORT_MIN       7 /* least number to sort all moves; below, only the best comes first */
#define NO_SQUARE      64

/* The least alpha for counting stable discs with n empty squares. They rarely cause a cutoff, and even less
 * often below it. */
#define STABLE_FROM(n) (2 * (n)-8)

/* Searches a fixed number of empty squares; `moves` are the legal moves. */
typedef int few_search(struct othello_few *few, uint64_t mine, uint64_t theirs, uint64_t moves,
		       int alpha);

static inline struct othello_cell *few_cell(const struct othello_few *few, uint64_t mine,
					    uint64_t theirs)
{
	uint64_t h = (mine * UINT64_C(0x9e3779b97f4a7c15) + theirs) * UINT64_C(0xbf58476d1ce4e5b9);
	return &few->cells[(h >> 32) * few->count >> 32];
}

static inline struct othello_known cell_find(const struct othello_cell *c, uint64_t mine,
					     uint64_t theirs)
{
	struct othello_known known;
	memcpy(&known, &c->data, sizeof known);
	if ((c->mine ^ cell_mask(&c->data, 1)) == mine && c->theirs == theirs)
		return known;
	return (struct othello_known) { .least = -64, .most = 64, .square = NO_SQUARE };
}

/* Adds a bound and the move that caused it to the known bounds of a position, and overwrites the cell. */
static inline void cell_store(struct othello_cell *c, uint64_t mine, uint64_t theirs,
			      struct othello_known known, int score, int alpha, int square)
{
	if (score > alpha)
		known.least = (int8_t)score;
	else
		known.most = (int8_t)score;
	if (score > alpha || known.square == NO_SQUARE)
		known.square = (uint8_t)square;
	memcpy(&c->data, &known, sizeof known);
	c->mine = mine ^ cell_mask(&c->data, 1);
	c->theirs = theirs;
}

/* Makes the compiler forget that it has two sets in vectors. Vector registers do not survive a call, and
 * saving them costs more than broadcasting the sets again. */
#define REFETCH(a, b) __asm__("" : "+r"(a), "+r"(b))

/* --- portable --- */

static inline uint64_t fill_up(uint64_t set, uint64_t over, int step)
{
	set |= over & set << step;
	over &= over << step;
	set |= over & set << 2 * step;
	over &= over << 2 * step;
	return set | (over & set << 4 * step);
}

static inline uint64_t fill_down(uint64_t set, uint64_t over, int step)
{
	set |= over & set >> step;
	over &= over >> step;
	set |= over & set >> 2 * step;
	over &= over >> 2 * step;
	return set | (over & set >> 4 * step);
}

static inline uint64_t mobility_line(uint64_t mine, uint64_t over, int step)
{
	return (fill_up(mine, over, step) & over) << step |
	       (fill_down(mine, over, step) & over) >> step;
}

static uint64_t mobility_portable(uint64_t mine, uint64_t theirs)
{
	uint64_t inner = theirs & INNER;
	return (mobility_line(mine, inner, 1) | mobility_line(mine, inner, 7) |
		mobility_line(mine, theirs, 8) | mobility_line(mine, inner, 9)) &
	       ~(mine | theirs);
}

static uint64_t flips_portable(uint64_t mine, uint64_t theirs, uint64_t placed)
{
	const struct rays *r = &rays[__builtin_ctzll(placed)];
	uint64_t flips = 0;
	for (int i = 0; i < LINES; i++) {
		uint64_t end = r->up[i] & ~theirs;
		end &= -end & mine;
		flips |= r->up[i] & (end - (end != 0));
		end = r->down[i] & ~theirs;
		end = highest(end) & mine;
		flips |= r->down[i] & -(end << 1);
	}
	return flips;
}

static uint64_t stable_portable(uint64_t mine, uint64_t theirs)
{
	uint64_t empty = ~(mine | theirs), settled[LINES], set = mine;
	for (int i = 0; i < LINES; i++) {
		uint64_t up = empty, down = empty;
		for (int j = 0; j < 7; j++) {
			up |= up << steps[i] & not_first[i];
			down |= down >> steps[i] & not_last[i];
		}
		settled[i] = ~(up | down) | ~not_first[i] | ~not_last[i];
		set &= settled[i];
	}
	for (int i = 0; i < STABLE_STEPS; i++) {
		uint64_t next = mine;
		for (int j = 0; j < LINES; j++)
			next &= settled[j] | set << steps[j] | set >> steps[j];
		set = next;
	}
	return set;
}

static int playout_portable(uint64_t mine, uint64_t theirs, struct rng *rng)
{
	int sign = 1;
	for (bool passed = false;; sign = -sign) {
		uint64_t moves = mobility_portable(mine, theirs);
		if (moves) {
			uint32_t n = (uint32_t)__builtin_popcountll(moves);
			uint64_t placed = bits_lowest(moves, rng_below(rng, n));
			uint64_t flips = flips_portable(mine, theirs, placed);
			mine |= placed | flips;
			theirs ^= flips;
		} else if (passed) {
			return sign * othello_score(mine, theirs);
		}
		passed = !moves;
		uint64_t next = theirs;
		theirs = mine;
		mine = next;
	}
}

#define TARGET
#define INLINED                     static inline __attribute__((always_inline))
#define KERNEL(name)                name##_portable
#define LANES                       2
#define NTH_BIT(set, n)             bits_lowest(set, n)
#define FLIPS(mine, theirs, square) flips_portable(mine, theirs, UINT64_C(1) << (square))
#define MOBILITY(mine, theirs)      mobility_portable(mine, theirs)
#define TURNED(mine, square)        count_turned(mine, square)
#define STABLE(mine, theirs)        stable_portable(mine, theirs)
#include "games/othello/othello_few.h"
#include "games/othello/othello_lanes.h"
#undef TARGET
#undef INLINED
#undef KERNEL
#undef LANES
#undef NTH_BIT
#undef FLIPS
#undef MOBILITY
#undef TURNED
#undef STABLE

static const struct othello_kernel portable = {
	.mobility = mobility_portable,
	.flips = flips_portable,
	.expand = expand_portable,
	.stable = stable_portable,
	.playout = playout_portable,
	.playouts = playouts_portable,
	.few = few_portable,
};

#ifdef __x86_64__

/* --- four lines at a time --- */

/* A function inlined into a function for AVX-512 is compiled for AVX-512. */
#define INLINE        static inline __attribute__((always_inline, target(KERNEL_TARGET_AVX2)))
#define INLINE_AVX512 static inline __attribute__((always_inline, target(KERNEL_TARGET_AVX512)))

typedef uint64_t vector __attribute__((vector_size(32)));

static const vector step = { 1, 7, 8, 9 };
static const vector inside = { INNER, INNER, ALL, INNER };

/* The opponent's discs, and runs of two and of four of them that end on a square. */
struct runs {
	vector one, two_up, four_up, two_down, four_down;
};

INLINE vector splat(uint64_t x)
{
	return (vector) { x, x, x, x };
}

/* The union of the four sets, in every element. */
INLINE vector unite(vector v)
{
	v |= (vector)_mm256_permute4x64_epi64((__m256i)v, 0x4e);
	return v | (vector)_mm256_shuffle_epi32((__m256i)v, 0x4e);
}

/* The union of the four sets. */
INLINE uint64_t union_of(vector v)
{
	__m128i pair = _mm256_castsi256_si128((__m256i)v) | _mm256_extracti128_si256((__m256i)v, 1);
	return (uint64_t)_mm_cvtsi128_si64(pair | _mm_unpackhi_epi64(pair, pair));
}

/* The intersection of the four sets, in every element. */
INLINE vector meet(vector v)
{
	v &= (vector)_mm256_permute4x64_epi64((__m256i)v, 0x4e);
	return v & (vector)_mm256_shuffle_epi32((__m256i)v, 0x4e);
}

INLINE struct runs runs_of(vector theirs)
{
	struct runs r = { .one = theirs & inside };
	r.two_up = r.one & r.one << step;
	r.four_up = r.two_up & r.two_up << 2 * step;
	r.two_down = r.one & r.one >> step;
	r.four_down = r.two_down & r.two_down >> 2 * step;
	return r;
}

INLINE vector vector_fill_up(vector set, struct runs over)
{
	set |= over.one & set << step;
	set |= over.two_up & set << 2 * step;
	return set | (over.four_up & set << 4 * step);
}

INLINE vector vector_fill_down(vector set, struct runs over)
{
	set |= over.one & set >> step;
	set |= over.two_down & set >> 2 * step;
	return set | (over.four_down & set >> 4 * step);
}

/* The squares next to two fills, the occupied ones included. */
INLINE uint64_t vector_beyond(vector up, vector down, struct runs over)
{
	return union_of((up & over.one) << step | (down & over.one) >> step);
}

INLINE vector vector_flips(vector up, vector down, vector placed, struct runs over)
{
	return unite((up & vector_fill_down(placed, over)) | (down & vector_fill_up(placed, over)));
}

INLINE uint64_t mobility_vector(uint64_t mine, uint64_t theirs)
{
	struct runs over = runs_of(splat(theirs));
	vector from = splat(mine);
	return vector_beyond(vector_fill_up(from, over), vector_fill_down(from, over), over) &
	       ~(mine | theirs);
}

/* The union of the discs between a square and the ends of its rays, up and down. An end is one bit, or 0
 * for none. */
INLINE uint64_t flips_between(const struct rays *r, vector up_end, vector down_end)
{
	const vector *up = (const vector *)r->up, *down = (const vector *)r->down;
	vector none = (vector)(up_end == 0), above = -(down_end + down_end);
	return union_of((*up & (up_end - 1) & ~none) | (*down & above));
}

INLINE uint64_t flips_at_avx2(uint64_t mine_set, uint64_t theirs_set, int square)
{
	const struct rays *r = &rays[square];
	vector mine = splat(mine_set), theirs = splat(theirs_set);
	vector up = *(const vector *)r->up & ~theirs, down = *(const vector *)r->down & ~theirs;
	/* The squares of the set, and all squares below them on their lines. */
	vector fill = down | down >> step;
	fill |= fill >> 2 * step;
	fill |= fill >> 4 * step;
	return flips_between(r, up & -up & mine, down & ~(fill >> step) & mine);
}

/* The same as count_turned. Processors with AVX-512 have a fast pext. */
INLINE_AVX512 int turned_avx512(uint64_t mine, int square)
{
	const struct last *l = &last[square];
	return l->turned[0][_pext_u64(mine, l->line[0])] +
	       l->turned[1][_pext_u64(mine, l->line[1])] +
	       l->turned[2][_pext_u64(mine, l->line[2])] +
	       l->turned[3][_pext_u64(mine, l->line[3])];
}

INLINE_AVX512 uint64_t flips_at_avx512(uint64_t mine_set, uint64_t theirs_set, int square)
{
	const struct rays *r = &rays[square];
	vector mine = splat(mine_set), theirs = splat(theirs_set);
	vector up = *(const vector *)r->up & ~theirs, down = *(const vector *)r->down & ~theirs;
	__m256i zeros = _mm256_lzcnt_epi64((__m256i)down);
	vector highest = (vector)_mm256_srlv_epi64((__m256i)splat(TOP), zeros);
	return flips_between(r, up & -up & mine, highest & mine);
}

/* The same as mobility_vector, for all eight directions at once. Rotations wrap around to squares where no
 * line continues. */
INLINE_AVX512 uint64_t mobility_wide(uint64_t mine, uint64_t theirs)
{
	const __m512i by = _mm512_setr_epi64(1, 7, 8, 9, 63, 57, 56, 55);
	const __m512i by_two = _mm512_setr_epi64(2, 14, 16, 18, 62, 50, 48, 46);
	const __m512i by_four = _mm512_setr_epi64(4, 28, 32, 36, 60, 36, 32, 28);
	const uint64_t rows = NOT_1 & NOT_8;
	const __m512i within = _mm512_setr_epi64((long long)INNER, (long long)(INNER & rows),
						 (long long)rows, (long long)(INNER & rows),
						 (long long)INNER, (long long)(INNER & rows),
						 (long long)rows, (long long)(INNER & rows));
	__m512i set = _mm512_set1_epi64((long long)mine),
		over = _mm512_set1_epi64((long long)theirs) & within;
	__m512i two = over & _mm512_rolv_epi64(over, by),
		four = two & _mm512_rolv_epi64(two, by_two);
	set |= over & _mm512_rolv_epi64(set, by);
	set |= two & _mm512_rolv_epi64(set, by_two);
	set |= four & _mm512_rolv_epi64(set, by_four);
	set = _mm512_rolv_epi64(set & over, by);
	return union_of((vector)(_mm512_castsi512_si256(set) | _mm512_extracti64x4_epi64(set, 1))) &
	       ~(mine | theirs);
}

INLINE uint64_t stable_vector(uint64_t mine, uint64_t theirs)
{
	const vector not_first_of = { NOT_A, NOT_1 & NOT_H, NOT_1, NOT_1 & NOT_A };
	const vector not_last_of = { NOT_H, NOT_8 & NOT_A, NOT_8, NOT_8 & NOT_H };
	vector up = splat(~(mine | theirs)), down = up, to_up = not_first_of, to_down = not_last_of;
	for (uint64_t i = 1; i <= 4; i *= 2) {
		up |= to_up & up << i * step;
		to_up &= to_up << i * step;
		down |= to_down & down >> i * step;
		to_down &= to_down >> i * step;
	}
	vector settled = ~(up | down) | ~(not_first_of & not_last_of);
	vector own = splat(mine), set = own & meet(settled);
	for (int i = 0; i < STABLE_STEPS; i++)
		set = own & meet(settled | set << step | set >> step);
	return set[0];
}

/* The n-th lowest bit of a set. */
INLINE uint64_t nth_bit_vector(uint64_t set, uint32_t n)
{
	return _pdep_u64(UINT64_C(1) << n, set);
}

/* The same as playout_portable. The discs stay in vectors, and one fill of the mover's is used twice. */
INLINE int playout_vector(uint64_t mine_set, uint64_t theirs_set, struct rng *rng)
{
	vector mine = splat(mine_set), theirs = splat(theirs_set);
	uint64_t empty = ~(mine_set | theirs_set);
	int sign = 1;
	for (bool passed = false;; sign = -sign) {
		struct runs over = runs_of(theirs);
		vector up = vector_fill_up(mine, over), down = vector_fill_down(mine, over);
		uint64_t moves = vector_beyond(up, down, over) & empty;
		if (moves) {
			uint32_t n = (uint32_t)__builtin_popcountll(moves);
			uint64_t placed = nth_bit_vector(moves, rng_below(rng, n));
			vector flips = vector_flips(up, down, splat(placed), over);
			mine |= splat(placed) | flips;
			theirs ^= flips;
			empty ^= placed;
		} else if (passed) {
			return sign * othello_score(mine[0], theirs[0]);
		}
		passed = !moves;
		vector next = theirs;
		theirs = mine;
		mine = next;
	}
}

/* One kernel of the vector code, for processors with all of `features`. */
#define VECTOR_KERNEL(kernel, features)                                                            \
	__attribute__((target(features))) static uint64_t mobility_##kernel(uint64_t mine,         \
									    uint64_t theirs)       \
	{                                                                                          \
		return mobility_vector(mine, theirs);                                              \
	}                                                                                          \
	__attribute__((target(features))) static uint64_t flips_##kernel(                          \
		uint64_t mine, uint64_t theirs, uint64_t placed)                                   \
	{                                                                                          \
		return flips_at_##kernel(mine, theirs, __builtin_ctzll(placed));                   \
	}                                                                                          \
	__attribute__((target(features))) static uint64_t stable_##kernel(uint64_t mine,           \
									  uint64_t theirs)         \
	{                                                                                          \
		return stable_vector(mine, theirs);                                                \
	}                                                                                          \
	__attribute__((target(features))) static int playout_##kernel(                             \
		uint64_t mine, uint64_t theirs, struct rng *rng)                                   \
	{                                                                                          \
		return playout_vector(mine, theirs, rng);                                          \
	}

VECTOR_KERNEL(avx2, KERNEL_TARGET_AVX2)
VECTOR_KERNEL(avx512, KERNEL_TARGET_AVX512)

#define STABLE(mine, theirs)        stable_vector(mine, theirs)

#define NTH_BIT(set, n)             nth_bit_vector(set, n)

#define TARGET                      __attribute__((target(KERNEL_TARGET_AVX2)))
#define INLINED                     INLINE
#define KERNEL(name)                name##_avx2
#define LANES                       4
#define FLIPS(mine, theirs, square) flips_at_avx2(mine, theirs, square)
#define MOBILITY(mine, theirs)      mobility_vector(mine, theirs)
#define TURNED(mine, square)        count_turned(mine, square)
#include "games/othello/othello_few.h"
#include "games/othello/othello_lanes.h"
#undef TARGET
#undef INLINED
#undef KERNEL
#undef LANES
#undef FLIPS
#undef MOBILITY
#undef TURNED

#define TARGET                      __attribute__((target(KERNEL_TARGET_AVX512)))
#define INLINED                     INLINE_AVX512
#define KERNEL(name)                name##_avx512
#define LANES                       8
#define FLIPS(mine, theirs, square) flips_at_avx512(mine, theirs, square)
#define MOBILITY(mine, theirs)      mobility_wide(mine, theirs)
#define TURNED(mine, square)        turned_avx512(mine, square)
#include "games/othello/othello_few.h"
#include "games/othello/othello_lanes.h"

#define TABLE(kernel)                                                                              \
	static const struct othello_kernel kernel = {                                              \
		.mobility = mobility_##kernel,                                                     \
		.flips = flips_##kernel,                                                           \
		.expand = expand_##kernel,                                                         \
		.stable = stable_##kernel,                                                         \
		.playout = playout_##kernel,                                                       \
		.playouts = playouts_##kernel,                                                     \
		.few = few_##kernel,                                                               \
	};

TABLE(avx2)
TABLE(avx512)

#endif

static const struct othello_kernel *const kernels[KERNELS] = {
	[KERNEL_PORTABLE] = &portable,
#ifdef __x86_64__
	[KERNEL_AVX2] = &avx2,
	[KERNEL_AVX512] = &avx512,
#endif
};

const struct othello_kernel *othello_kernel(enum kernel k)
{
	return kernels[k];
}
