/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/board_layers.h"

#include <math.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INLINE     static inline __attribute__((always_inline))

#define CHANNELS   BOARD_NET_CHANNELS
#define WAVES      BOARD_LAYER_WAVES
#define TILE       BOARD_LAYER_TILE
#define AVX2_TILES 8 /* tiles of 2x2 squares at a time, by AVX2 */

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

void board_layer_pack(const struct board_layer *from, struct board_packed *to)
{
	memcpy(to->plain, from->weights, sizeof to->plain);
	memcpy(to->bias, from->bias, sizeof to->bias);
	memcpy(to->scale, from->scale, sizeof to->scale);
	for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
		for (int c = 0; c < CHANNELS; c++)
			for (int k = 0; k < CHANNELS; k++)
				to->weights[tap][c / 4][k][c % 4] = from->weights[tap][c][k];
	turn_weights(from, to);
}

/* --- the kernels --- */

KERNEL_UNWATCHED
static void layer_portable(const struct board_pass *p)
{
	for (int i = 0; i < p->count; i++) {
		int32_t sum[CHANNELS];
		memcpy(sum, p->bias, sizeof sum);
		for (int tap = 0; tap < 9; tap++) {
			const uint8_t *in = p->in +
					    (i + (tap / 3 - 1) * p->pitch + tap % 3 - 1) * CHANNELS;
			for (int c = 0; c < 4 * p->groups; c += 2) {
				const int8_t *v = p->layer->plain[tap][c], *w = v + CHANNELS;
				int16_t x = in[c], y = in[c + 1];
				/* Two products fit in 16 bits. */
				for (int k = 0; (x | y) && k < CHANNELS; k++)
					sum[k] += (int16_t)(x * v[k] + y * w[k]);
			}
		}
		for (int k = 0; k < CHANNELS; k++) {
			long x = lrintf((float)sum[k] * p->layer->scale[k]);
			x += p->add ? p->add[i * CHANNELS + k] : 0;
			p->out[i * CHANNELS + k] = (uint8_t)(x < 0                ? 0
							     : x > BOARD_NET_CLIP ? BOARD_NET_CLIP
										  : x);
		}
	}
}

#ifdef __x86_64__
INLINE KERNEL_UNWATCHED int32_t four_at(const uint8_t *bytes)
{
	int32_t four;
	memcpy(&four, bytes, sizeof four);
	return four;
}

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
AVX2_INLINE void turn_tile(const uint8_t *in, int pitch, struct waves *w, int tile)
{
	for (int half = 0; half < CHANNELS; half += HALF) {
		__m256i d[4][4];
		for (int row = 0; row < 4; row++) {
			for (int col = 0; col < 4; col++)
				d[row][col] = _mm256_cvtepu8_epi16(_mm_loadu_si128(
					(const __m128i *)(in + (row * pitch + col) * CHANNELS +
							  half)));
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
		__m256i m[4][2], x;
		for (int row = 0; row < 4; row++) {
			__m256i d[4];
			for (int col = 0; col < 4; col++)
				d[col] = _mm256_load_si256(
					(const __m256i *)w->sum[4 * row + col][tile] + k);
			turn_out(d[0], d[1], d[2], d[3], &m[row][0], &m[row][1]);
		}
		for (int col = 0; col < 2; col++) {
			turn_out(m[0][col], m[1][col], m[2][col], m[3][col], &sum[0][col][k], &x);
			sum[1][col][k] = x;
		}
	}
}

/* Writes the activations of the square at place `at`. `sum` is four times that of its products. */
AVX2_INLINE void finish_square(const struct board_pass *p, int at, const __m256i sum[4])
{
	__m256i x[4];
	for (int k = 0; k < 4; k++) {
		x[k] = _mm256_add_epi32(_mm256_srai_epi32(sum[k], 2),
					_mm256_load_si256((const __m256i *)p->bias + k));
		x[k] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(x[k]),
							_mm256_load_ps(p->layer->scale + 8 * k)));
		if (p->add)
			x[k] = _mm256_add_epi32(
				x[k], _mm256_cvtepu8_epi32(_mm_loadl_epi64(
					      (const __m128i *)(p->add + at * CHANNELS + 8 * k))));
		x[k] = _mm256_max_epi32(_mm256_min_epi32(x[k], _mm256_set1_epi32(BOARD_NET_CLIP)),
					_mm256_setzero_si256());
	}
	__m256i low = _mm256_packus_epi32(x[0], x[1]), high = _mm256_packus_epi32(x[2], x[3]);
	low = _mm256_permute4x64_epi64(low, 0xd8);
	high = _mm256_permute4x64_epi64(high, 0xd8);
	_mm256_storeu_si256((__m256i *)(p->out + at * CHANNELS),
			    _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xd8));
}

/* Minimal filtering (Winograd, 1980; Lavin and Gray, 2016): 16 products for 2x2 squares instead of 36. The turned weights
 * are four times as large as in the papers, so that all numbers are whole, and the sums are exact. */
AVX2 static void layer_avx2(const struct board_pass *p)
{
	const int across = p->pitch / 2, rows = (p->count + 1) / p->pitch,
		  tiles = (rows + 1) / 2 * across;
	struct waves w;
	for (int first = 0; first < tiles; first += AVX2_TILES) {
		int count = tiles - first < AVX2_TILES ? tiles - first : AVX2_TILES;
		int whole = (count + AT_A_TIME - 1) / AT_A_TIME * AT_A_TIME;
		for (int i = 0; i < whole; i++) {
			int tile = first + (i < count ? i : count - 1);
			int place = 2 * (tile / across) * p->pitch + 2 * (tile % across);
			turn_tile(p->in + (place - p->pitch - 1) * CHANNELS, p->pitch, &w, i);
		}
		add_waves(p->layer, 2 * p->groups, &w, whole);
		for (int i = 0; i < count; i++) {
			int row = 2 * ((first + i) / across), col = 2 * ((first + i) % across);
			__m256i sum[2][2][4];
			turn_back(&w, i, sum);
			for (int n = 0; n < 4; n++)
				if (row + n / 2 < rows)
					finish_square(p, (row + n / 2) * p->pitch + col + n % 2,
						      sum[n / 2][n % 2]);
		}
	}
}

#define TARGET_VNNI KERNEL_TARGET_AVX512 ",avx512vnni"

/* The layer with 512-bit registers. DOT adds the products of four activations and weights to each sum. */
#define LAYER_AVX512(NAME, TARGET, DOT)                                                            \
	KERNEL_UNWATCHED __attribute__((target(TARGET))) static void NAME(                         \
		const struct board_pass *p)                                                        \
	{                                                                                          \
		for (int first = 0; first < p->count; first += TILE) {                             \
			__m512i sum[TILE][2];                                                      \
			for (int i = 0; i < TILE; i++)                                             \
				for (int k = 0; k < 2; k++)                                        \
					sum[i][k] = _mm512_load_si512(p->bias + 16 * k);           \
			for (int tap = 0; tap < 9; tap++) {                                        \
				const uint8_t *in = p->in +                                        \
						    (first + (tap / 3 - 1) * p->pitch + tap % 3 -  \
						     1) * CHANNELS;                                \
				for (int g = 0; g < p->groups; g++) {                              \
					const __m512i a = _mm512_load_si512(                       \
							      p->layer->weights[tap][g]),          \
						      b = _mm512_load_si512(                       \
							      p->layer->weights[tap][g][16]);      \
					_Pragma("GCC unroll 8") for (int i = 0; i < TILE; i++)     \
					{                                                          \
						const __m512i x = _mm512_set1_epi32(               \
							four_at(in + i * CHANNELS + 4 * g));       \
						sum[i][0] = DOT(sum[i][0], x, a);                  \
						sum[i][1] = DOT(sum[i][1], x, b);                  \
					}                                                          \
				}                                                                  \
			}                                                                          \
			for (int i = 0; i < TILE; i++)                                             \
				for (int k = 0; k < 2; k++) {                                      \
					int at = (first + i) * CHANNELS + 16 * k;                  \
					__m512i x = _mm512_cvtps_epi32(_mm512_mul_ps(              \
						_mm512_cvtepi32_ps(sum[i][k]),                     \
						_mm512_load_ps(p->layer->scale + 16 * k)));        \
					if (p->add)                                                \
						x = _mm512_add_epi32(                              \
							x,                                         \
							_mm512_cvtepu8_epi32(_mm_loadu_si128(      \
								(const __m128i *)(p->add + at)))); \
					x = _mm512_max_epi32(                                      \
						_mm512_min_epi32(                                  \
							x, _mm512_set1_epi32(BOARD_NET_CLIP)),     \
						_mm512_setzero_si512());                           \
					_mm_storeu_si128((__m128i *)(p->out + at),                 \
							 _mm512_cvtepi32_epi8(x));                 \
				}                                                                  \
		}                                                                                  \
	}

#define DOT_PAIRS(SUM, X, W)                                                                       \
	_mm512_add_epi32(SUM, _mm512_madd_epi16(_mm512_maddubs_epi16(X, W), _mm512_set1_epi16(1)))

LAYER_AVX512(layer_avx512, KERNEL_TARGET_AVX512, DOT_PAIRS)
LAYER_AVX512(layer_vnni, TARGET_VNNI, _mm512_dpbusd_epi32)
#endif

/* --- lines --- */

INLINE KERNEL_UNWATCHED void add_lines(const int8_t table[LINES_ROWS][CHANNELS],
				       const lines_of_square *lines, const uint16_t *place,
				       int count, uint8_t *out)
{
	for (int i = 0; i < count; i++) {
		const int8_t *a = table[lines[i][0]], *b = table[lines[i][1]],
			     *c = table[lines[i][2]], *d = table[lines[i][3]];
		uint8_t *at = out + place[i] * CHANNELS;
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
			   const uint16_t *place, int count, uint8_t *out)
{
	add_lines(table, lines, place, count, out);
}

#ifdef __x86_64__
AVX2 static void lines_avx2(const int8_t table[LINES_ROWS][CHANNELS], const lines_of_square *lines,
			    const uint16_t *place, int count, uint8_t *out)
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
	(void)kernel;
	return lines_portable;
}

board_layer_fn *board_layer_of(enum kernel kernel)
{
#ifdef __x86_64__
	if (kernel == KERNEL_AVX512)
		return __builtin_cpu_supports("avx512vnni") ? layer_vnni : layer_avx512;
	if (kernel == KERNEL_AVX2)
		return layer_avx2;
#endif
	(void)kernel;
	return layer_portable;
}
