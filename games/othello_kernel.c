/* SPDX-License-Identifier: MIT
 *
 * Othello boards by parallel prefix fills. A fill spreads a set of squares along a line over adjoining
 * discs of the opponent; three doubling steps reach all six. From it follow both questions:
 *
 *     the mover can play on an empty square one step beyond the fill of its discs
 *     a disc flips if on some line both the mover's discs and the placed one, from the other
 *     side, have filled it
 *
 * Four lines go each way. Portable C takes them one by one. The vector code takes four at a time; it is
 * written once, in GCC's vector types, and compiled for AVX2 and for AVX-512, which merges the and/or
 * pairs and broadcasts faster.
 */
#include "games/othello_kernel.h"

#include <stdbool.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define ALL   UINT64_C(0xffffffffffffffff)
#define INNER UINT64_C(0x7e7e7e7e7e7e7e7e) /* a line that changes columns ends at the edge ones */

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

static inline uint64_t flips_line(uint64_t mine, uint64_t over, uint64_t placed, int step)
{
	return (fill_up(mine, over, step) & fill_down(placed, over, step)) |
	       (fill_down(mine, over, step) & fill_up(placed, over, step));
}

static uint64_t flips_portable(uint64_t mine, uint64_t theirs, uint64_t placed)
{
	uint64_t inner = theirs & INNER;
	return flips_line(mine, inner, placed, 1) | flips_line(mine, inner, placed, 7) |
	       flips_line(mine, theirs, placed, 8) | flips_line(mine, inner, placed, 9);
}

/* The n-th lowest bit of a set. */
static inline uint64_t nth_bit(uint64_t set, uint32_t n)
{
	while (n--)
		set &= set - 1;
	return set & -set;
}

static int playout_portable(uint64_t mine, uint64_t theirs, struct rng *rng)
{
	int sign = 1;
	for (bool passed = false;; sign = -sign) {
		uint64_t moves = mobility_portable(mine, theirs);
		if (moves) {
			uint32_t n = (uint32_t)__builtin_popcountll(moves);
			uint64_t placed = nth_bit(moves, rng_below(rng, n));
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

static const struct othello_kernel portable = {
	.name = "portable",
	.mobility = mobility_portable,
	.flips = flips_portable,
	.playout = playout_portable,
};

#ifdef __x86_64__

/* --- four lines at a time --- */

#define AVX2   "avx2,bmi,bmi2,popcnt"
#define AVX512 AVX2 ",avx512f,avx512vl,avx512dq"

/* What is inlined into a function for AVX-512 is compiled for AVX-512. */
#define INLINE static inline __attribute__((always_inline, target(AVX2)))

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

/* The union of the four sets, in every place. */
INLINE vector unite(vector v)
{
	v |= (vector)_mm256_permute4x64_epi64((__m256i)v, 0x4e);
	return v | (vector)_mm256_shuffle_epi32((__m256i)v, 0x4e);
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
	return unite((up & over.one) << step | (down & over.one) >> step)[0];
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

INLINE uint64_t flips_vector(uint64_t mine, uint64_t theirs, uint64_t placed)
{
	struct runs over = runs_of(splat(theirs));
	vector from = splat(mine);
	return vector_flips(vector_fill_up(from, over), vector_fill_down(from, over), splat(placed),
			    over)[0];
}

/* The n-th lowest bit of a set. */
INLINE uint64_t nth_bit_vector(uint64_t set, uint32_t n)
{
	return _pdep_u64(UINT64_C(1) << n, set);
}

/* As playout_portable; the discs stay in vectors, and one fill of the mover's serves twice. */
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

/* One kernel of the vector code, for processors that have all of `features`. */
#define VECTOR_KERNEL(kernel, features)                                                            \
	__attribute__((target(features))) static uint64_t mobility_##kernel(uint64_t mine,         \
									    uint64_t theirs)       \
	{                                                                                          \
		return mobility_vector(mine, theirs);                                              \
	}                                                                                          \
	__attribute__((target(features))) static uint64_t flips_##kernel(                          \
		uint64_t mine, uint64_t theirs, uint64_t placed)                                   \
	{                                                                                          \
		return flips_vector(mine, theirs, placed);                                         \
	}                                                                                          \
	__attribute__((target(features))) static int playout_##kernel(                             \
		uint64_t mine, uint64_t theirs, struct rng *rng)                                   \
	{                                                                                          \
		return playout_vector(mine, theirs, rng);                                          \
	}                                                                                          \
	static const struct othello_kernel kernel = {                                              \
		.name = #kernel,                                                                   \
		.mobility = mobility_##kernel,                                                     \
		.flips = flips_##kernel,                                                           \
		.playout = playout_##kernel,                                                       \
	};

VECTOR_KERNEL(avx2, AVX2)
VECTOR_KERNEL(avx512, AVX512)

int othello_kernels(const struct othello_kernel *out[OTHELLO_KERNELS_MAX])
{
	int n = 0;
	bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
			__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
	if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512dq"))
		out[n++] = &avx512;
	if (has_avx2)
		out[n++] = &avx2;
	out[n++] = &portable;
	return n;
}

#else

int othello_kernels(const struct othello_kernel *out[OTHELLO_KERNELS_MAX])
{
	out[0] = &portable;
	return 1;
}

#endif
