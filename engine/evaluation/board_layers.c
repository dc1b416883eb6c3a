/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/board_layers.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/base/system.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif
/* Until its version 16 clang has dot products only for a processor that is given to it. */
#if defined __aarch64__ &&                                                                         \
	(defined __ARM_FEATURE_DOTPROD || !defined __clang__ || __clang_major__ >= 16)
#include <arm_neon.h>
#define HAS_DOTPROD
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#define INLINE     static inline __attribute__((always_inline))

#define CHANNELS   BOARD_NET_CHANNELS
#define GROUPS     BOARD_LAYER_GROUPS
#define WAVES      BOARD_LAYER_WAVES
#define RUN        BOARD_LAYER_RUN
#define MEAN       9 /* the tap of the mean */
#define AVX2_TILES 8 /* tiles of 2x2 squares at a time, by AVX2 */

/* --- shapes --- */

/* Adds `count` squares of the board side by side, in runs of about the same length. */
KERNEL_UNWATCHED static void add_runs(struct board_shape *s, int at, int count)
{
	int runs = (count + BOARD_LAYER_RUN - 1) / BOARD_LAYER_RUN;
	for (; runs; runs--) {
		int length = count / runs;
		s->run[s->runs].at = (uint16_t)at;
		s->run[s->runs++].length = (uint16_t)length;
		at += length;
		count -= length;
	}
}

KERNEL_UNWATCHED
void board_shape_find(const struct game *g, const uint8_t *seen, struct board_shape *s)
{
	uint8_t tiles[(GAME_SIDE_MAX + 1) / 2][(GAME_SIDE_MAX + 1) / 2] = { { 0 } };
	*s = (struct board_shape) { .pitch = g->board.cols + 1 };
	s->size = (g->board.rows + 3) * s->pitch + 2;
	for (int row = 0, i = 0; row < g->board.rows; row++) {
		int at = (row + 1) * s->pitch + 1, length = 0;
		for (int col = 0; col < g->board.cols; col++, i++, at++) {
			s->at[i] = (uint16_t)at;
			if (seen[i]) {
				tiles[row / 2][col / 2] |= (uint8_t)(1
								     << (2 * (row % 2) + col % 2));
				s->on_board++;
				length++;
				continue;
			}
			add_runs(s, at - length, length);
			length = 0;
		}
		add_runs(s, at - length, length);
	}
	for (int row = 0; row < g->board.rows; row += 2)
		for (int col = 0; col < g->board.cols; col += 2)
			if (tiles[row / 2][col / 2]) {
				s->tile[s->tiles].at = s->at[row * g->board.cols + col];
				s->tile[s->tiles++].on_board = tiles[row / 2][col / 2];
			}
}

/* --- packing --- */

#ifdef __wasm_simd128__
static void pair_weights(const struct board_layer *from, struct board_packed *to)
{
	for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
		for (int c = 0; c < CHANNELS; c++)
			for (int k = 0; k < CHANNELS; k++)
				to->pairs[tap][c / 2][k][c % 2] = from->weights[tap][c][k];
}
#else
/* 2Gg for one line of three weights. */
static void turn_line(const int g[3], int out[4])
{
	out[0] = 2 * g[0];
	out[1] = g[0] + g[1] + g[2];
	out[2] = g[0] - g[1] + g[2];
	out[3] = 2 * g[2];
}

/* The weights of the nine taps by frequency, for minimal filtering. */
static void turn_weights(const struct board_layer *from, struct board_packed *to)
{
	for (int c = 0; c < CHANNELS; c++)
		for (int k = 0; k < CHANNELS; k++) {
			int rows[3][4], columns[4][4];
			for (int row = 0; row < 3; row++) {
				int g[3];
				for (int col = 0; col < 3; col++)
					g[col] = from->weights[3 * row + col][c][k];
				turn_line(g, rows[row]);
			}
			for (int col = 0; col < 4; col++) {
				int g[3] = { rows[0][col], rows[1][col], rows[2][col] };
				turn_line(g, columns[col]);
			}
			for (int f = 0; f < WAVES; f++)
				to->waves[f][2 * k / CHANNELS][c / 2][k % (CHANNELS / 2)][c % 2] =
					(int16_t)columns[f % 4][f / 4];
		}
}

#endif

void board_layer_pack(const struct board_layer *from, struct board_packed *to)
{
	memcpy(to->plain, from->weights, sizeof to->plain);
	memcpy(to->bias, from->bias, sizeof to->bias);
	memcpy(to->scale, from->scale, sizeof to->scale);
	for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
		for (int c = 0; c < CHANNELS; c++)
			for (int k = 0; k < CHANNELS; k++)
				to->weights[tap][c / 4][k][c % 4] = from->weights[tap][c][k];
#ifdef __wasm_simd128__
	pair_weights(from, to);
#else
	turn_weights(from, to);
#endif
}

/* --- the kernels --- */

/* The sums before the first square: the bias, and the products of the mean. */
INLINE KERNEL_UNWATCHED void begin_sums(const struct board_pass *p, int32_t sum[CHANNELS])
{
	memcpy(sum, p->layer->bias, CHANNELS * sizeof *sum);
	for (int c = 0; c < 4 * p->groups; c++)
		for (int k = 0; p->mean[c] && k < CHANNELS; k++)
			sum[k] += p->mean[c] * p->layer->plain[MEAN][c][k];
}

KERNEL_UNWATCHED
static void layer_portable(const struct board_pass *p)
{
	const struct board_shape *s = p->shape;
	int32_t begin[CHANNELS], total[CHANNELS] = { 0 };
	begin_sums(p, begin);
	for (int run = 0; run < s->runs; run++)
		for (int i = s->run[run].at; i < s->run[run].at + s->run[run].length; i++) {
			int32_t sum[CHANNELS];
			memcpy(sum, begin, sizeof sum);
			for (int tap = 0; tap < MEAN; tap++) {
				const uint8_t *in =
					p->in->at[i + (tap / 3 - 1) * s->pitch + tap % 3 - 1];
				for (int c = 0; c < 4 * p->groups; c += 2) {
					const int8_t *v = p->layer->plain[tap][c],
						     *w = v + CHANNELS;
					int16_t x = in[c], y = in[c + 1];
					/* Two products fit in 16 bits. */
					for (int k = 0; (x | y) && k < CHANNELS; k++)
						sum[k] += (int16_t)(x * v[k] + y * w[k]);
				}
			}
			for (int k = 0; k < CHANNELS; k++) {
				long x = lrintf((float)sum[k] * p->layer->scale[k]);
				x += p->add ? p->add->at[i][k] : 0;
				x = x < 0 ? 0 : x > BOARD_NET_CLIP ? BOARD_NET_CLIP : x;
				p->out->at[i][k] = (uint8_t)x;
				total[k] += (int32_t)x;
			}
		}
	memcpy(p->out->sum, total, sizeof total);
}

#if defined __x86_64__ || defined HAS_DOTPROD
INLINE KERNEL_UNWATCHED int32_t four_at(const uint8_t *bytes)
{
	int32_t four;
	memcpy(&four, bytes, sizeof four);
	return four;
}
#endif

#ifdef __x86_64__
#define AVX2 __attribute__((target(KERNEL_TARGET_AVX2))) KERNEL_UNWATCHED
#define AVX2_INLINE                                                                                \
	static inline __attribute__((always_inline, target(KERNEL_TARGET_AVX2))) KERNEL_UNWATCHED
#define HALF      (CHANNELS / 2)
#define AT_A_TIME 4 /* tiles whose sums are in registers */

/* The activations around the 2x2 squares of some tiles, and the sums of their products, by frequency. */
struct waves {
	_Alignas(32) int16_t in[WAVES][AVX2_TILES][CHANNELS];
	_Alignas(32) int32_t sum[WAVES][AVX2_TILES][CHANNELS];
};

/* B'd for one line of four squares. */
AVX2_INLINE void turn_in(__m256i *a, __m256i *b, __m256i *c, __m256i *d)
{
	__m256i first = *a, second = *b, third = *c, fourth = *d;
	*a = _mm256_sub_epi16(first, third);
	*b = _mm256_add_epi16(second, third);
	*c = _mm256_sub_epi16(third, second);
	*d = _mm256_sub_epi16(second, fourth);
}

/* Turns the 4x4 squares from `in` on. */
AVX2_INLINE void turn_tile(const uint8_t (*in)[CHANNELS], int pitch, struct waves *w, int tile)
{
	for (int half = 0; half < CHANNELS; half += HALF) {
		__m256i d[4][4];
		for (int row = 0; row < 4; row++) {
			for (int col = 0; col < 4; col++)
				d[row][col] = _mm256_cvtepu8_epi16(_mm_loadu_si128(
					(const __m128i *)(in[row * pitch + col] + half)));
			turn_in(&d[row][0], &d[row][1], &d[row][2], &d[row][3]);
		}
		for (int col = 0; col < 4; col++) {
			turn_in(&d[0][col], &d[1][col], &d[2][col], &d[3][col]);
			for (int row = 0; row < 4; row++)
				_mm256_store_si256((__m256i *)(w->in[4 * row + col][tile] + half),
						   d[row][col]);
		}
	}
}

/* Sums the products of the first `pairs` pairs of channels for `tiles` tiles, frequency by frequency: the weights of one stay
 * in the nearest cache. */
AVX2_INLINE void add_waves(const struct board_packed *layer, int pairs, struct waves *w, int tiles)
{
	for (int f = 0; f < WAVES; f++)
		for (int half = 0; half < 2; half++)
			for (int first = 0; first < tiles; first += AT_A_TIME) {
				__m256i sum[AT_A_TIME][2];
				for (int i = 0; i < AT_A_TIME; i++)
					sum[i][0] = sum[i][1] = _mm256_setzero_si256();
				for (int pair = 0; pair < pairs; pair++) {
					const __m256i *v = (const __m256i *)
								   layer->waves[f][half][pair];
					const __m256i a = _mm256_load_si256(v),
						      b = _mm256_load_si256(v + 1);
					for (int i = 0; i < AT_A_TIME; i++) {
						int32_t two;
						memcpy(&two, &w->in[f][first + i][2 * pair],
						       sizeof two);
						const __m256i x = _mm256_set1_epi32(two);
						sum[i][0] = _mm256_add_epi32(
							sum[i][0], _mm256_madd_epi16(x, a));
						sum[i][1] = _mm256_add_epi32(
							sum[i][1], _mm256_madd_epi16(x, b));
					}
				}
				for (int i = 0; i < AT_A_TIME; i++)
					for (int k = 0; k < 2; k++)
						_mm256_store_si256(
							(__m256i *)(w->sum[f][first + i] +
								    HALF * half + 8 * k),
							sum[i][k]);
			}
}

/* A'm for one line of four sums. */
AVX2_INLINE void turn_out(__m256i a, __m256i b, __m256i c, __m256i d, __m256i *first,
			  __m256i *second)
{
	*first = _mm256_add_epi32(a, _mm256_add_epi32(b, c));
	*second = _mm256_sub_epi32(b, _mm256_add_epi32(c, d));
}

/* Turns the sums of a tile back into those of its 2x2 squares. */
AVX2_INLINE void turn_back(const struct waves *w, int tile, __m256i sum[2][2][4])
{
	for (int k = 0; k < 4; k++) {
		__m256i m[4][2], x, y;
		for (int row = 0; row < 4; row++) {
			__m256i d[4];
			for (int col = 0; col < 4; col++)
				d[col] = _mm256_load_si256(
					(const __m256i *)w->sum[4 * row + col][tile] + k);
			turn_out(d[0], d[1], d[2], d[3], &m[row][0], &m[row][1]);
		}
		for (int col = 0; col < 2; col++) {
			turn_out(m[0][col], m[1][col], m[2][col], m[3][col], &x, &y);
			sum[0][col][k] = _mm256_srai_epi32(x, 2);
			sum[1][col][k] = _mm256_srai_epi32(y, 2);
		}
	}
}

/* Writes the activations of the square at place `at`, and adds them to the total. `sum` is that of its products. */
AVX2_INLINE void finish_square(const struct board_pass *p, int at, const int32_t begin[CHANNELS],
			       const __m256i sum[4], __m256i total[4])
{
	__m256i x[4];
	for (int k = 0; k < 4; k++) {
		x[k] = _mm256_add_epi32(sum[k], _mm256_load_si256((const __m256i *)begin + k));
		x[k] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(x[k]),
							_mm256_load_ps(p->layer->scale + 8 * k)));
		if (p->add)
			x[k] = _mm256_add_epi32(
				x[k], _mm256_cvtepu8_epi32(_mm_loadl_epi64(
					      (const __m128i *)(p->add->at[at] + 8 * k))));
		x[k] = _mm256_max_epi32(_mm256_min_epi32(x[k], _mm256_set1_epi32(BOARD_NET_CLIP)),
					_mm256_setzero_si256());
		total[k] = _mm256_add_epi32(total[k], x[k]);
	}
	__m256i low = _mm256_packus_epi32(x[0], x[1]), high = _mm256_packus_epi32(x[2], x[3]);
	low = _mm256_permute4x64_epi64(low, 0xd8);
	high = _mm256_permute4x64_epi64(high, 0xd8);
	_mm256_store_si256((__m256i *)p->out->at[at],
			   _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xd8));
}

/* Minimal filtering (Winograd, 1980; Lavin and Gray, 2016): 16 products for 2x2 squares instead of 36. The turned weights
 * are four times as large as in the papers, so that all numbers are whole, and the sums are exact. */
AVX2 static void layer_avx2(const struct board_pass *p)
{
	const struct board_shape *s = p->shape;
	_Alignas(32) int32_t begin[CHANNELS];
	__m256i total[4];
	struct waves w;
	begin_sums(p, begin);
	for (int k = 0; k < 4; k++)
		total[k] = _mm256_setzero_si256();
	for (int first = 0; first < s->tiles; first += AVX2_TILES) {
		int count = s->tiles - first < AVX2_TILES ? s->tiles - first : AVX2_TILES;
		int whole = (count + AT_A_TIME - 1) / AT_A_TIME * AT_A_TIME;
		for (int i = 0; i < whole; i++) {
			int tile = first + (i < count ? i : count - 1);
			turn_tile(p->in->at + s->tile[tile].at - s->pitch - 1, s->pitch, &w, i);
		}
		add_waves(p->layer, 2 * p->groups, &w, whole);
		for (int i = 0; i < count; i++) {
			__m256i sum[2][2][4];
			turn_back(&w, i, sum);
			for (int n = 0; n < 4; n++)
				if (s->tile[first + i].on_board >> n & 1)
					finish_square(
						p, s->tile[first + i].at + n / 2 * s->pitch + n % 2,
						begin, sum[n / 2][n % 2], total);
		}
	}
	for (int k = 0; k < 4; k++)
		_mm256_store_si256((__m256i *)p->out->sum + k, total[k]);
}

/* --- layers of runs ---
 *
 * The sums of a run are in registers. They begin with 0, because gcc copies them from register to register in the inner loop
 * if they begin with the same numbers. */

#define TARGET_AVXVNNI KERNEL_TARGET_AVX2 ",avxvnni"
#define AVXVNNI        __attribute__((target(TARGET_AVXVNNI))) KERNEL_UNWATCHED
#define AVXVNNI_RUN    3 /* squares at a time */

static inline __attribute__((always_inline)) AVXVNNI void run_avxvnni(const struct board_pass *p,
								      int at, int count,
								      const int32_t begin[CHANNELS],
								      __m256i total[4])
{
	__m256i sum[AVXVNNI_RUN][4];
	_Pragma("GCC unroll 3") for (int i = 0; i < count; i++)
	{
		for (int k = 0; k < 4; k++)
			sum[i][k] = _mm256_setzero_si256();
	}
	for (int tap = 0; tap < MEAN; tap++) {
		const uint8_t(*in)[CHANNELS] = p->in->at + at + (tap / 3 - 1) * p->shape->pitch +
					       tap % 3 - 1;
		for (int g = 0; g < p->groups; g++) {
			const __m256i *w = (const __m256i *)p->layer->weights[tap][g];
			_Pragma("GCC unroll 3") for (int i = 0; i < count; i++)
			{
				const __m256i x = _mm256_set1_epi32(four_at(in[i] + 4 * g));
				for (int k = 0; k < 4; k++)
					sum[i][k] = _mm256_dpbusd_avx_epi32(sum[i][k], x, w[k]);
			}
		}
	}
	_Pragma("GCC unroll 3") for (int i = 0; i < count; i++)
		finish_square(p, at + i, begin, sum[i], total);
}

/* For processors that have these instructions, but no 512-bit registers. */
AVXVNNI static void layer_avxvnni(const struct board_pass *p)
{
	const struct board_shape *s = p->shape;
	_Alignas(32) int32_t begin[CHANNELS];
	__m256i total[4];
	begin_sums(p, begin);
	for (int k = 0; k < 4; k++)
		total[k] = _mm256_setzero_si256();
	for (int i = 0; i < s->runs; i++)
		for (int at = s->run[i].at, left = s->run[i].length; left > 0;) {
			int count = left == 4 ? 2 : left < AVXVNNI_RUN ? left : AVXVNNI_RUN;
			if (count == 1)
				run_avxvnni(p, at, 1, begin, total);
			else if (count == 2)
				run_avxvnni(p, at, 2, begin, total);
			else
				run_avxvnni(p, at, AVXVNNI_RUN, begin, total);
			at += count;
			left -= count;
		}
	for (int k = 0; k < 4; k++)
		_mm256_store_si256((__m256i *)p->out->sum + k, total[k]);
}

/* Half of the channels of the square at place `at`, as finish_square() does. */
static inline __attribute__((always_inline, target(KERNEL_TARGET_AVX512))) KERNEL_UNWATCHED void
finish_half(const struct board_pass *p, int at, int half, __m512i sum, __m512i *total)
{
	__m512i x = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(sum),
						     _mm512_load_ps(p->layer->scale + 16 * half)));
	if (p->add)
		x = _mm512_add_epi32(x, _mm512_cvtepu8_epi32(_mm_load_si128(
						(const __m128i *)p->add->at[at] + half)));
	x = _mm512_max_epi32(_mm512_min_epi32(x, _mm512_set1_epi32(BOARD_NET_CLIP)),
			     _mm512_setzero_si512());
	*total = _mm512_add_epi32(*total, x);
	_mm_store_si128((__m128i *)p->out->at[at] + half, _mm512_cvtepi32_epi8(x));
}

/* The layer with 512-bit registers, a run at a time. DOT adds the products of four activations and weights to each sum. */
#define LAYER_AVX512(NAME, TARGET, DOT)                                                            \
	static inline __attribute__((always_inline, target(TARGET)))                               \
	KERNEL_UNWATCHED void NAME##_add(__m512i sum[][2], const uint8_t(*in)[CHANNELS],           \
					 int count, const int8_t weights[GROUPS][CHANNELS][4],     \
					 int groups)                                               \
	{                                                                                          \
		for (int g = 0; g < groups; g++) {                                                 \
			const __m512i a = _mm512_load_si512(weights[g]),                           \
				      b = _mm512_load_si512(weights[g][16]);                       \
			_Pragma("GCC unroll 14") for (int i = 0; i < count; i++)                   \
			{                                                                          \
				const __m512i x = _mm512_set1_epi32(four_at(in[i] + 4 * g));       \
				sum[i][0] = DOT(sum[i][0], x, a);                                  \
				sum[i][1] = DOT(sum[i][1], x, b);                                  \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static inline __attribute__((always_inline, target(TARGET)))                               \
	KERNEL_UNWATCHED void NAME##_run(const struct board_pass *p, int at, int count,            \
					 const __m512i begin[2], __m512i total[2])                 \
	{                                                                                          \
		__m512i sum[RUN][2];                                                               \
		_Pragma("GCC unroll 14") for (int i = 0; i < count; i++)                           \
			sum[i][0] = sum[i][1] = _mm512_setzero_si512();                            \
		for (int tap = 0; tap < MEAN; tap++)                                               \
			NAME##_add(sum,                                                            \
				   p->in->at + at + (tap / 3 - 1) * p->shape->pitch + tap % 3 - 1, \
				   count, p->layer->weights[tap], p->groups);                      \
		_Pragma("GCC unroll 14") for (int i = 0; i < count; i++)                           \
		{                                                                                  \
			for (int k = 0; k < 2; k++)                                                \
				finish_half(p, at + i, k, _mm512_add_epi32(sum[i][k], begin[k]),   \
					    total + k);                                            \
		}                                                                                  \
	}                                                                                          \
	__attribute__((target(TARGET))) KERNEL_UNWATCHED static void NAME(                         \
		const struct board_pass *p)                                                        \
	{                                                                                          \
		const struct board_shape *s = p->shape;                                            \
		__m512i begin[1][2], total[2];                                                     \
		for (int k = 0; k < 2; k++) {                                                      \
			begin[0][k] = _mm512_load_si512(p->layer->bias + 16 * k);                  \
			total[k] = _mm512_setzero_si512();                                         \
		}                                                                                  \
		NAME##_add(begin, &p->mean, 1, p->layer->weights[MEAN], p->groups);                \
		for (int i = 0; i < s->runs; i++)                                                  \
			switch (s->run[i].length) {                                                \
				EACH_LENGTH(NAME##_run);                                           \
			}                                                                          \
		for (int k = 0; k < 2; k++)                                                        \
			_mm512_store_si512(p->out->sum + 16 * k, total[k]);                        \
	}

/* Each length of a run has code of its own. */
#define LENGTH(F, N)                                                                               \
	case N:                                                                                    \
		F(p, s->run[i].at, N, begin[0], total);                                            \
		break
#define EACH_LENGTH(F)                                                                             \
	LENGTH(F, 1);                                                                              \
	LENGTH(F, 2);                                                                              \
	LENGTH(F, 3);                                                                              \
	LENGTH(F, 4);                                                                              \
	LENGTH(F, 5);                                                                              \
	LENGTH(F, 6);                                                                              \
	LENGTH(F, 7);                                                                              \
	LENGTH(F, 8);                                                                              \
	LENGTH(F, 9);                                                                              \
	LENGTH(F, 10);                                                                             \
	LENGTH(F, 11);                                                                             \
	LENGTH(F, 12);                                                                             \
	LENGTH(F, 13);                                                                             \
	LENGTH(F, RUN);

#define DOT_PAIRS(SUM, X, W)                                                                       \
	_mm512_add_epi32(SUM, _mm512_madd_epi16(_mm512_maddubs_epi16(X, W), _mm512_set1_epi16(1)))

LAYER_AVX512(layer_avx512, KERNEL_TARGET_AVX512, DOT_PAIRS)
LAYER_AVX512(layer_vnni, KERNEL_TARGET_AVX512 ",avx512vnni", _mm512_dpbusd_epi32)
#endif

#ifdef HAS_DOTPROD
#define TARGET_DOTPROD __attribute__((target("arch=armv8.2-a+dotprod"))) KERNEL_UNWATCHED
#define DOTPROD_INLINE static inline __attribute__((always_inline)) TARGET_DOTPROD
#define DOTPROD_RUN    3              /* squares at a time */
#define DOTPROD_SUMS   (CHANNELS / 4) /* registers for the channels of a square */

/* Four channels of the square at place `at`, as finish_square() does. */
DOTPROD_INLINE int32x4_t finish_dotprod(const struct board_pass *p, int at, int k, int32x4_t x)
{
	x = vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(x), vld1q_f32(p->layer->scale + 4 * k)));
	if (p->add) {
		uint8x8_t four = vcreate_u8((uint32_t)four_at(p->add->at[at] + 4 * k));
		x = vaddq_s32(x, vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(four)))));
	}
	return vmaxq_s32(vminq_s32(x, vdupq_n_s32(BOARD_NET_CLIP)), vdupq_n_s32(0));
}

DOTPROD_INLINE void run_dotprod(const struct board_pass *p, int at, int count,
				const int32_t begin[CHANNELS], int32x4_t total[DOTPROD_SUMS])
{
	int32x4_t sum[DOTPROD_RUN][DOTPROD_SUMS];
	for (int i = 0; i < count; i++)
		for (int k = 0; k < DOTPROD_SUMS; k++)
			sum[i][k] = vld1q_s32(begin + 4 * k);
	for (int tap = 0; tap < MEAN; tap++) {
		const uint8_t(*in)[CHANNELS] = p->in->at + at + (tap / 3 - 1) * p->shape->pitch +
					       tap % 3 - 1;
		for (int g = 0; g < p->groups; g++) {
			int8x16_t x[DOTPROD_RUN];
			/* Activations end at BOARD_NET_CLIP: they are signed bytes, too. */
			for (int i = 0; i < count; i++)
				x[i] = vreinterpretq_s8_s32(vdupq_n_s32(four_at(in[i] + 4 * g)));
			for (int k = 0; k < DOTPROD_SUMS; k++) {
				int8x16_t w = vld1q_s8(p->layer->weights[tap][g][4 * k]);
				for (int i = 0; i < count; i++)
					sum[i][k] = vdotq_s32(sum[i][k], x[i], w);
			}
		}
	}
	for (int i = 0; i < count; i++)
		for (int k = 0; k < DOTPROD_SUMS; k += 2) {
			int32x4_t a = finish_dotprod(p, at + i, k, sum[i][k]),
				  b = finish_dotprod(p, at + i, k + 1, sum[i][k + 1]);
			total[k] = vaddq_s32(total[k], a);
			total[k + 1] = vaddq_s32(total[k + 1], b);
			vst1_u8(p->out->at[at + i] + 4 * k,
				vqmovun_s16(vcombine_s16(vmovn_s32(a), vmovn_s32(b))));
		}
}

TARGET_DOTPROD static void layer_dotprod(const struct board_pass *p)
{
	const struct board_shape *s = p->shape;
	int32_t begin[CHANNELS];
	int32x4_t total[DOTPROD_SUMS];
	begin_sums(p, begin);
	for (int k = 0; k < DOTPROD_SUMS; k++)
		total[k] = vdupq_n_s32(0);
	for (int i = 0; i < s->runs; i++) {
		int at = s->run[i].at, end = at + s->run[i].length;
		for (; at + DOTPROD_RUN <= end; at += DOTPROD_RUN)
			run_dotprod(p, at, DOTPROD_RUN, begin, total);
		for (; at < end; at++)
			run_dotprod(p, at, 1, begin, total);
	}
	for (int k = 0; k < DOTPROD_SUMS; k++)
		vst1q_s32(p->out->sum + 4 * k, total[k]);
}
#endif

#ifdef __wasm_simd128__
/* Three squares by half of the channels: on x86 twelve sums, three inputs and the weights fill the registers. */
#define WASM_RUN  3
#define WASM_SUMS (CHANNELS / 8) /* registers for half of the channels of a square */

/* Four channels of the square at place `at`, as finish_square() does. */
INLINE v128_t finish_wasm(const struct board_pass *p, int at, int k, v128_t x)
{
	x = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(x), wasm_v128_load(p->layer->scale + 4 * k));
	x = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x));
	if (p->add)
		x = wasm_i32x4_add(x, wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(
					      wasm_v128_load32_zero(p->add->at[at] + 4 * k))));
	return wasm_i32x4_max(wasm_i32x4_min(x, wasm_i32x4_splat(BOARD_NET_CLIP)),
			      wasm_i32x4_splat(0));
}

/* The channels from 4 * `first` on of `count` squares. */
INLINE void run_wasm(const struct board_pass *p, int at, int count, int first,
		     const int32_t begin[CHANNELS], v128_t total[2 * WASM_SUMS])
{
	v128_t sum[WASM_RUN][WASM_SUMS];
	for (int i = 0; i < count; i++)
		for (int k = 0; k < WASM_SUMS; k++)
			sum[i][k] = wasm_v128_load(begin + 4 * (first + k));
	for (int tap = 0; tap < MEAN; tap++) {
		const uint8_t(*in)[CHANNELS] = p->in->at + at + (tap / 3 - 1) * p->shape->pitch +
					       tap % 3 - 1;
		for (int pair = 0; pair < 2 * p->groups; pair++) {
			v128_t x[WASM_RUN];
			for (int i = 0; i < count; i++)
				x[i] = wasm_i32x4_splat(in[i][2 * pair] | in[i][2 * pair + 1]
										  << 16);
			for (int k = 0; k < WASM_SUMS; k++) {
				v128_t w = wasm_v128_load(
					p->layer->pairs[tap][pair][4 * (first + k)]);
				for (int i = 0; i < count; i++)
					sum[i][k] = wasm_i32x4_add(sum[i][k],
								   wasm_i32x4_dot_i16x8(x[i], w));
			}
		}
	}
	for (int i = 0; i < count; i++)
		for (int k = 0; k < WASM_SUMS; k += 2) {
			v128_t a = finish_wasm(p, at + i, first + k, sum[i][k]),
			       b = finish_wasm(p, at + i, first + k + 1, sum[i][k + 1]);
			total[first + k] = wasm_i32x4_add(total[first + k], a);
			total[first + k + 1] = wasm_i32x4_add(total[first + k + 1], b);
			a = wasm_i16x8_narrow_i32x4(a, b);
			wasm_v128_store64_lane(p->out->at[at + i] + 4 * (first + k),
					       wasm_u8x16_narrow_i16x8(a, a), 0);
		}
}

static void layer_wasm(const struct board_pass *p)
{
	const struct board_shape *s = p->shape;
	int32_t begin[CHANNELS];
	v128_t total[2 * WASM_SUMS];
	begin_sums(p, begin);
	for (int k = 0; k < 2 * WASM_SUMS; k++)
		total[k] = wasm_i32x4_splat(0);
	for (int i = 0; i < s->runs; i++) {
		int at = s->run[i].at, end = at + s->run[i].length;
		for (; at + WASM_RUN <= end; at += WASM_RUN)
			for (int first = 0; first < 2 * WASM_SUMS; first += WASM_SUMS)
				run_wasm(p, at, WASM_RUN, first, begin, total);
		for (; at < end; at++)
			for (int first = 0; first < 2 * WASM_SUMS; first += WASM_SUMS)
				run_wasm(p, at, 1, first, begin, total);
	}
	for (int k = 0; k < 2 * WASM_SUMS; k++)
		wasm_v128_store(p->out->sum + 4 * k, total[k]);
}
#endif

/* --- the layers that there are --- */

#ifdef __x86_64__
/* Asks the processor once: in a virtual machine that takes longer than a network. */
static bool has_avxvnni(void)
{
	static atomic_int answer; /* 0: not asked yet, 1: no, 2: yes */
	unsigned eax, ebx, ecx, edx;
	int known = atomic_load_explicit(&answer, memory_order_relaxed);
	if (!known) {
		known = __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax >> 4 & 1) ? 2 : 1;
		atomic_store_explicit(&answer, known, memory_order_relaxed);
	}
	return known == 2;
}
#endif

board_layer_fn *board_layer_number(int number, enum kernel kernel)
{
#ifdef __x86_64__
	const struct {
		board_layer_fn *run;
		bool runs;
	} layers[] = {
		{ layer_vnni, kernel >= KERNEL_AVX512 && __builtin_cpu_supports("avx512vnni") },
		{ layer_avx512, kernel >= KERNEL_AVX512 },
		{ layer_avxvnni, kernel >= KERNEL_AVX2 && has_avxvnni() },
		{ layer_avx2, kernel >= KERNEL_AVX2 },
	};
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
		if (layers[i].runs && number-- == 0)
			return layers[i].run;
#elif defined HAS_DOTPROD
	if (system_has_dotprod() && number-- == 0)
		return layer_dotprod;
#elif defined __wasm_simd128__
	if (number-- == 0)
		return layer_wasm;
#endif
	return number == 0 ? layer_portable : NULL;
}

/* --- lines --- */

INLINE KERNEL_UNWATCHED void add_lines(const int8_t table[LINES_ROWS][CHANNELS],
				       const lines_of_square *lines, const uint16_t *place,
				       int count, struct board_plane *out)
{
	for (int i = 0; i < count; i++) {
		const int8_t *a = table[lines[i][0]], *b = table[lines[i][1]],
			     *c = table[lines[i][2]], *d = table[lines[i][3]];
		uint8_t *at = out->at[place[i]];
		for (int k = 0; k < CHANNELS; k++) {
			int16_t sum = (int16_t)(a[k] + b[k] + c[k] + d[k]);
			sum = (int16_t)(sum < 0 ? 0
						: (sum + BOARD_NET_LINES_UNIT / 2) /
							  BOARD_NET_LINES_UNIT);
			at[k] = (uint8_t)(sum > BOARD_NET_CLIP ? BOARD_NET_CLIP : sum);
		}
	}
}

KERNEL_UNWATCHED
static void lines_portable(const int8_t table[LINES_ROWS][CHANNELS], const lines_of_square *lines,
			   const uint16_t *place, int count, struct board_plane *out)
{
	add_lines(table, lines, place, count, out);
}

#ifdef __x86_64__
AVX2 static void lines_avx2(const int8_t table[LINES_ROWS][CHANNELS], const lines_of_square *lines,
			    const uint16_t *place, int count, struct board_plane *out)
{
	add_lines(table, lines, place, count, out);
}
#endif

board_lines_fn *board_lines_of(enum kernel kernel)
{
#ifdef __x86_64__
	if (kernel == KERNEL_AVX2 || kernel == KERNEL_AVX512)
		return lines_avx2;
#endif
	return lines_portable;
}
