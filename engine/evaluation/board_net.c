/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/board_net.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "engine/evaluation/memo.h"
#include "engine/evaluation/weights.h"
#include "engine/kernel.h"
#include "engine/memory.h"

#define INLINE     static inline __attribute__((always_inline))

#define CHANNELS   BOARD_NET_CHANNELS
#define GROUPS     (CHANNELS / 4) /* a product adds four channels */
#define WAVES      16             /* frequencies of 4x4 squares */
#define LEVEL      19             /* of zstd */

/* A plane has the activations of all squares, row by row. One square off the board follows each row; it stands for the
 * square after this row and for the one before the next. Rows of them precede the first row and follow the last one. A
 * layer computes TILE squares at a time, also those off the board, and then sets these to 0. */
#define TILE       8
#define AVX2_TILES 8 /* tiles of 2x2 squares at a time, by AVX2 */
#define PLANE_MAX  ((GAME_SIDE_MAX + 3) * (GAME_SIDE_MAX + 1) + 2 + TILE)

/* Weights in the order in which a layer reads them. */
struct packed_layer {
	_Alignas(64) int8_t weights[BOARD_NET_TAPS][GROUPS][CHANNELS][4];
	int8_t plain[BOARD_NET_TAPS][CHANNELS][CHANNELS]; /* the same by input and output */
	/* The weights of the nine taps, turned; by frequency, half of the outputs, pairs of inputs. */
	_Alignas(64) int16_t waves[WAVES][2][CHANNELS / 2][CHANNELS / 2][2];
	_Alignas(64) int32_t bias[CHANNELS];
	_Alignas(64) float scale[CHANNELS];
};

struct board_table {
	struct packed_layer layers[BOARD_NET_LAYERS];
	struct board_heads heads;
	struct board_owners owners;
	int blocks;
	uint64_t number; /* no other table has it */
};

/* What a layer reads and writes. */
struct pass {
	const struct packed_layer *layer;
	const uint8_t *in;  /* first square of the board */
	const uint8_t *add; /* to the output; NULL: nothing */
	uint8_t *out;
	int groups;       /* of the input's channels */
	int pitch, count; /* squares from row to row; from the first one to the last */
	_Alignas(64) int32_t bias[CHANNELS];
};

/* --- layers, compiled for each kernel --- */

typedef void layer_fn(const struct pass *);

KERNEL_UNWATCHED
static void layer_portable(const struct pass *p)
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
AVX2_INLINE void add_waves(const struct packed_layer *layer, int pairs, struct waves *w, int tiles)
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
AVX2_INLINE void finish_square(const struct pass *p, int at, const __m256i sum[4])
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
AVX2 static void layer_avx2(const struct pass *p)
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
	KERNEL_UNWATCHED __attribute__((target(TARGET))) static void NAME(const struct pass *p)    \
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

static layer_fn *layer_of(enum kernel kernel)
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

/* --- evaluation --- */

/* The squares of a board in a plane. */
struct shape {
	int pitch, first,
		count; /* squares from row to row; the first square of the board; squares from it to the last one */
	int squares, on_board;
	uint16_t at[GAME_SQUARES_MAX]; /* place of each square in the plane */
	uint8_t off[PLANE_MAX];        /* places that are not on the board, counted from `first` */
};

KERNEL_UNWATCHED
static void find_shape(const struct game *g, const uint8_t *seen, struct shape *s)
{
	s->pitch = g->cols + 1;
	s->first = s->pitch + 1;
	s->count = (g->rows - 1) * s->pitch + g->cols;
	s->squares = g->rows * g->cols;
	s->on_board = 0;
	memset(s->off, 1, (size_t)(s->count + TILE));
	for (int row = 0, i = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++, i++) {
			int place = row * s->pitch + col;
			s->at[i] = (uint16_t)(s->first + place);
			s->off[place] = !seen[i];
			s->on_board += seen[i] != 0;
		}
}

/* Sets the squares off the board to 0. The sums over the board are those over the plane then. */
KERNEL_UNWATCHED
static void clean(const struct shape *s, uint8_t *plane)
{
	for (int i = 0; i < s->count + TILE; i++)
		if (s->off[i])
			memset(plane + (s->first + i) * CHANNELS, 0, CHANNELS);
}

KERNEL_UNWATCHED
static void sum_plane(const struct shape *s, const uint8_t *plane, int32_t sum[CHANNELS])
{
	memset(sum, 0, CHANNELS * sizeof *sum);
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < CHANNELS; k++)
			sum[k] += plane[(s->first + i) * CHANNELS + k];
}

KERNEL_UNWATCHED
static void run_layer(const struct shape *s, layer_fn *run, const struct packed_layer *layer,
		      int groups, const uint8_t *in, const uint8_t *add, uint8_t *out)
{
	int32_t sum[CHANNELS];
	struct pass p = { .layer = layer,
			  .in = in + s->first * CHANNELS,
			  .add = add ? add + s->first * CHANNELS : NULL,
			  .out = out + s->first * CHANNELS,
			  .groups = groups,
			  .pitch = s->pitch,
			  .count = s->count };
	sum_plane(s, in, sum);
	memcpy(p.bias, layer->bias, sizeof p.bias);
	for (int c = 0; c < 4 * groups; c++) {
		int32_t mean = (2 * sum[c] + s->on_board) / (2 * s->on_board);
		for (int k = 0; mean && k < CHANNELS; k++)
			p.bias[k] += mean * layer->plain[9][c][k];
	}
	run(&p);
	clean(s, out);
}

/* The mean and the maximum of each channel. */
KERNEL_UNWATCHED
static void pool(const struct shape *s, const uint8_t *plane, int16_t pooled[BOARD_NET_POOLED])
{
	int32_t sum[CHANNELS];
	uint8_t most[CHANNELS] = { 0 };
	sum_plane(s, plane, sum);
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < CHANNELS; k++) {
			uint8_t x = plane[(s->first + i) * CHANNELS + k];
			most[k] = x > most[k] ? x : most[k];
		}
	for (int k = 0; k < CHANNELS; k++) {
		pooled[k] = (int16_t)((sum[k] * BOARD_NET_POOLED_UNIT + s->on_board / 2) /
				      s->on_board);
		pooled[CHANNELS + k] = (int16_t)(most[k] * BOARD_NET_POOLED_UNIT);
	}
}

/* The sums of these heads fit in 32 bits: see BOARD_NET_HEAD_CLIP. */
KERNEL_UNWATCHED
static void run_hidden(const struct board_heads *h, const int16_t pooled[BOARD_NET_POOLED],
		       int16_t hidden[BOARD_NET_HEAD])
{
	const int32_t unit = BOARD_NET_HEAD_UNIT * BOARD_NET_POOLED_UNIT * BOARD_NET_UNIT /
			     BOARD_NET_HIDDEN_UNIT;
	for (int i = 0; i < BOARD_NET_HEAD; i++) {
		int32_t sum = h->hidden_bias[i];
		for (int k = 0; k < BOARD_NET_POOLED; k++)
			sum += h->hidden[i][k] * pooled[k];
		sum = sum < 0 ? 0 : sum / unit;
		hidden[i] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum);
	}
}

KERNEL_UNWATCHED
static float run_head(const int16_t *weights, int32_t bias, const int16_t hidden[BOARD_NET_HEAD])
{
	int64_t sum = bias;
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		sum += (int32_t)weights[i] * hidden[i];
	return (float)sum / (BOARD_NET_HEAD_UNIT * BOARD_NET_HIDDEN_UNIT);
}

/* What a head says of a square. */
KERNEL_UNWATCHED
static float run_square_head(const int16_t weights[CHANNELS], int32_t sum,
			     const uint8_t at[CHANNELS])
{
	for (int k = 0; k < CHANNELS; k++)
		sum += at[k] * weights[k];
	return (float)sum / (BOARD_NET_UNIT * BOARD_NET_HEAD_UNIT);
}

KERNEL_UNWATCHED
float board_net_evaluate(const struct board_table *t, const struct game *g, enum kernel kernel,
			 const uint8_t *seen, const move_t *steps, int count, float *preference,
			 float *owners)
{
	_Alignas(64) uint8_t planes[3][PLANE_MAX * CHANNELS];
	struct shape s;
	uint8_t *x = planes[0], *y = planes[1], *z = planes[2];
	layer_fn *run = layer_of(kernel == KERNEL_AUTO ? kernel_used() : kernel);
	find_shape(g, seen, &s);
	assert(s.on_board > 0);
	size_t size = (size_t)(s.count + 2 * s.first + s.pitch + TILE) * CHANNELS;
	assert(size <= sizeof *planes);
	for (int i = 0; i < 3; i++)
		memset(planes[i], 0, size);
	for (int i = 0; i < s.squares; i++)
		for (int c = 0; c < BOARD_NET_INPUTS; c++)
			y[s.at[i] * CHANNELS + c] = seen[i] >> c & 1 ? BOARD_NET_UNIT : 0;
	run_layer(&s, run, &t->layers[0], BOARD_NET_INPUTS / 4, y, NULL, x);
	for (int b = 0; b < t->blocks; b++) {
		run_layer(&s, run, &t->layers[1 + 2 * b], GROUPS, x, NULL, y);
		run_layer(&s, run, &t->layers[2 + 2 * b], GROUPS, y, x, z);
		uint8_t *old = x;
		x = z;
		z = old;
	}

	int16_t pooled[BOARD_NET_POOLED], hidden[BOARD_NET_HEAD];
	const struct board_heads *h = &t->heads;
	int ways = g->moves_max / s.squares;
	pool(&s, x, pooled);
	run_hidden(h, pooled, hidden);
	for (int i = 0; i < count; i++) {
		int square = steps[i] / ways, way = steps[i] % ways;
		if (square >= s.squares) {
			preference[i] = run_head(h->other, h->other_bias, hidden);
			continue;
		}
		preference[i] = run_square_head(h->policy[way], h->policy_bias[way],
						x + s.at[square] * CHANNELS);
	}
	for (int i = 0; owners && i < s.squares; i++)
		owners[i] = evaluator_tanh(
			run_square_head(t->owners.weights, t->owners.bias, x + s.at[i] * CHANNELS));
	return run_head(h->value, h->value_bias, hidden);
}

/* --- what the network sees --- */

bool board_net_fits(const struct game *g, int *ways)
{
	int squares = g->rows * g->cols;
	*ways = g->moves_max / squares;
	return g->steps_max == 1 && *ways <= BOARD_NET_WAYS && g->moves_max % squares <= 1;
}

void board_net_look(const struct game *g, const struct state *s, uint8_t seen[GAME_SQUARES_MAX])
{
	const char own = s->side == BLACK ? 'X' : 'O';
	int view = s->side == BLACK ? 0 : (int)g->view;
	uint8_t signs[GAME_SQUARES_MAX] = { 0 };
	if (g->signs)
		g->signs(s, signs);
	for (int row = 0, i = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++, i++) {
			char c = g->at(s, row, col);
			int stone = c == '.' ? 0 : c == own ? BOARD_NET_OWN : BOARD_NET_OTHER;
			int bits = c == ':' ? 0
					    : stone | BOARD_NET_SQUARE | signs[i] * BOARD_NET_SIGN;
			seen[view ? game_mirror_square(g, i, view) : i] = (uint8_t)bits;
		}
}

move_t board_net_step(const struct game *g, int side, move_t step)
{
	return side == BLACK || !g->view ? step : g->mirror(g, step, (int)g->view);
}

/* --- files --- */

/* All sizes of a game have one network. */
static struct weights_header kind_of(const struct game *g)
{
	struct weights_header kind = { .magic = "yomibrd1" };
	uint32_t name = checksum_of(g->name, strlen(g->name)),
		 rules = checksum_of(g->rules, strlen(g->rules));
	int ways;
	board_net_fits(g, &ways);
	kind.shape[0] = (uint16_t)ways;
	kind.shape[1] = BOARD_NET_CHANNELS;
	memcpy(kind.shape + 2, &name, sizeof name);
	memcpy(kind.shape + 4, &rules, sizeof rules);
	return kind;
}

static size_t size_of_file(const struct game *g)
{
	return g->owners ? sizeof(struct board_weights) : offsetof(struct board_weights, owners);
}

static bool is_within(const int16_t *weights, size_t count, int most)
{
	for (size_t i = 0; i < count; i++)
		if (weights[i] > most || weights[i] < -most)
			return false;
	return true;
}

/* Returns true if no sum of the network can overflow. */
static bool is_valid(const struct board_weights *w)
{
	const struct board_heads *h = &w->heads;
	bool valid = w->blocks >= 0 && w->blocks <= BOARD_NET_BLOCKS;
	valid = valid && is_within(h->policy[0], BOARD_NET_WAYS * CHANNELS, BOARD_NET_HEAD_CLIP) &&
		is_within(h->hidden[0], (size_t)BOARD_NET_HEAD * BOARD_NET_POOLED,
			  BOARD_NET_HEAD_CLIP);
	valid = valid && is_within(w->owners.weights, CHANNELS, BOARD_NET_HEAD_CLIP) &&
		abs(w->owners.bias) <= BOARD_NET_BIAS_CLIP;
	for (int i = 0; i < BOARD_NET_WAYS; i++)
		valid = valid && abs(h->policy_bias[i]) <= BOARD_NET_BIAS_CLIP;
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		valid = valid && abs(h->hidden_bias[i]) <= BOARD_NET_BIAS_CLIP;
	for (int i = 0; valid && i < 1 + 2 * w->blocks; i++)
		for (int k = 0; k < CHANNELS; k++)
			valid = valid && abs(w->layers[i].bias[k]) <= BOARD_NET_BIAS_CLIP &&
				w->layers[i].scale[k] >= 0 && w->layers[i].scale[k] <= 1;
	return valid;
}

struct board_weights *board_net_read(const struct game *g, const void *file)
{
	struct weights_header kind = kind_of(g);
	struct board_weights *w = xcalloc(1, sizeof *w);
	if (weights_read(file, &kind, w, size_of_file(g)) && is_valid(w))
		return w;
	free(w);
	return NULL;
}

void *board_net_file(const struct game *g, const struct board_weights *w, size_t *size)
{
	struct weights_header kind = kind_of(g);
	return weights_file(&kind, w, size_of_file(g), LEVEL, size);
}

/* --- unpacking --- */

/* 2Gg for one line of three weights. */
static void turn_line(const int g[3], int out[4])
{
	out[0] = 2 * g[0];
	out[1] = g[0] + g[1] + g[2];
	out[2] = g[0] - g[1] + g[2];
	out[3] = 2 * g[2];
}

/* The weights of the nine taps by frequency, for minimal filtering. */
static void turn_weights(const struct board_layer *from, struct packed_layer *to)
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

struct board_table *board_table_create(const struct board_weights *w)
{
	static atomic_uint_fast64_t last;
	struct board_table *t = block_create(sizeof *t);
	if (!t)
		out_of_memory();
	t->number = 1 + atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
	t->heads = w->heads;
	t->owners = w->owners;
	t->blocks = w->blocks;
	for (int i = 0; i < 1 + 2 * w->blocks; i++) {
		const struct board_layer *from = &w->layers[i];
		struct packed_layer *to = &t->layers[i];
		memcpy(to->plain, from->weights, sizeof to->plain);
		memcpy(to->bias, from->bias, sizeof to->bias);
		memcpy(to->scale, from->scale, sizeof to->scale);
		for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
			for (int c = 0; c < CHANNELS; c++)
				for (int k = 0; k < CHANNELS; k++)
					to->weights[tap][c / 4][k][c % 4] =
						from->weights[tap][c][k];
		turn_weights(from, to);
	}
	return t;
}

void board_table_destroy(struct board_table *t)
{
	block_destroy(t, sizeof *t);
}

const struct board_table *board_net_open(const struct game *g, struct board_net *net)
{
	static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
	struct board_table *t = atomic_load_explicit(&net->table, memory_order_acquire);
	if (t)
		return t;
	pthread_mutex_lock(&opening);
	t = atomic_load_explicit(&net->table, memory_order_relaxed);
	if (!t) {
		const struct game *learned = net->game ? net->game : g;
		struct board_weights *w = board_net_read(learned, net->file);
		/* The file is part of the program or has been read before, so this is a mistake in a game's table. */
		if (!w) {
			fprintf(stderr, "yomi: the network is not one of %s, %s\n", learned->name,
				learned->rules);
			abort();
		}
		t = board_table_create(w);
		free(w);
		atomic_store_explicit(&net->table, t, memory_order_release);
	}
	pthread_mutex_unlock(&opening);
	return t;
}

const struct board_net *board_net_of(const struct game *g)
{
	return g->evaluator && g->evaluator->steps == board_net_steps ? g->evaluator->data : NULL;
}

void board_net_close(struct board_net *net)
{
	struct board_table *t = atomic_exchange(&net->table, NULL);
	if (t)
		board_table_destroy(t);
}

/* --- the evaluator --- */

void board_net_get_ready(const struct evaluator *e)
{
	board_net_open(e->game, e->data);
}

static float evaluate(const struct evaluator *e, const struct state *s, const move_t *steps,
		      int count, float *preference)
{
	uint8_t seen[GAME_SQUARES_MAX] = { 0 };
	move_t codes[GAME_STEPS_MAX];
	board_net_look(e->game, s, seen);
	for (int i = 0; i < count; i++)
		codes[i] = board_net_step(e->game, s->side, steps[i]);
	float value = board_net_evaluate(board_net_open(e->game, e->data), e->game, KERNEL_AUTO,
					 seen, codes, count, preference, NULL);
	return (float)side_sign(s->side) * evaluator_tanh(value);
}

void board_net_steps(const struct evaluator *e, const struct state *s, const move_t *steps,
		     int count, struct evaluation *out)
{
	const struct game *g = e->game;
	const struct board_table *t = board_net_open(g, e->data);
	uint64_t weights = (t->number * (GAME_SIDE_MAX + 1) + (uint64_t)g->rows) *
				   (GAME_SIDE_MAX + 1) +
			   (uint64_t)g->cols;
	uint64_t key = e->memo ? memo_key(weights, s, steps, count) : 0;
	if (e->memo && memo_recall(e->memo, key, count, out))
		return;
	out->value = evaluate(e, s, steps, count, out->priors);
	for (int i = 0; i < count; i++)
		out->values[i] = out->value;
	if (e->memo)
		memo_keep(e->memo, key, count, out);
}

float board_net_state(const struct evaluator *e, const struct state *s)
{
	return evaluate(e, s, NULL, 0, NULL);
}

/* The mean of what the network says of the board and of its mirror images. */
void board_net_owners(const struct evaluator *e, const struct state *s,
		      double owners[GAME_SQUARES_MAX])
{
	const struct game *g = e->game;
	const struct board_table *t = board_net_open(g, e->data);
	uint8_t seen[GAME_SQUARES_MAX] = { 0 }, turned[GAME_SQUARES_MAX] = { 0 };
	float found[GAME_SQUARES_MAX] = { 0 };
	int squares = g->rows * g->cols, view = s->side == BLACK ? 0 : (int)g->view;
	int place[GAME_SQUARES_MAX] = { 0 }, images = 0;
	board_net_look(g, s, seen);
	memset(owners, 0, (size_t)squares * sizeof *owners);
	for (int symmetry = 0; symmetry < 8; symmetry++) {
		if (symmetry && !(g->symmetries >> symmetry & 1))
			continue;
		images++;
		for (int i = 0; i < squares; i++) {
			int at = view ? game_mirror_square(g, i, view) : i;
			place[i] = symmetry ? game_mirror_square(g, at, symmetry) : at;
			turned[place[i]] = seen[at];
		}
		board_net_evaluate(t, g, KERNEL_AUTO, turned, NULL, 0, NULL, found);
		for (int i = 0; i < squares; i++)
			owners[i] += (double)found[place[i]];
	}
	for (int i = 0; i < squares; i++)
		owners[i] *= (double)side_sign(s->side) / images;
}

/* --- networks of users --- */

#define FILE_MAX (1 << 24) /* most bytes that are read of a file */

static const struct game *loaded_game; /* NULL: none */
static struct board_net loaded_net;
static const struct evaluator loaded = BOARD_NET_EVALUATOR(&loaded_net);

static void refuse_file(const char *path, char why[REASON_MAX])
{
	snprintf(why, REASON_MAX, "%s is not a network that yomi train has made, or it is damaged",
		 path);
}

/* Reads a file that has as many bytes as it says. The caller frees it. */
static char *read_file(const char *path, char why[REASON_MAX])
{
	size_t size = 0;
	char *file = NULL;
	FILE *text = NULL, *f = fopen(path, "rb");
	if (!f) {
		snprintf(why, REASON_MAX, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	text = text_open(&file, &size);
	for (int c, n = 0; n < FILE_MAX && (c = getc(f)) != EOF; n++)
		putc(c, text);
	fclose(f);
	fclose(text);
	if (weights_are_whole(file, size))
		return file;
	refuse_file(path, why);
	free(file);
	return NULL;
}

struct board_weights *board_net_read_file(const struct game *g, const char *path,
					  char why[REASON_MAX])
{
	char *file = read_file(path, why);
	struct board_weights *w = file ? board_net_read(g, file) : NULL;
	if (file && !w)
		snprintf(why, REASON_MAX, "%s is not a network of %s, or it is damaged", path,
			 g->name);
	free(file);
	return w;
}

bool board_net_load(const char *path, const struct game *const *games, char why[REASON_MAX])
{
	char *file = read_file(path, why);
	if (!file)
		return false;
	loaded_game = NULL;
	for (int i = 0; games[i] && !loaded_game; i++) {
		int ways;
		struct board_weights *w = board_net_fits(games[i], &ways)
						  ? board_net_read(games[i], file)
						  : NULL;
		loaded_game = w ? games[i] : NULL;
		free(w);
	}
	if (!loaded_game) {
		refuse_file(path, why);
		free(file);
		return false;
	}
	loaded_net.file = file;
	return true;
}

const struct evaluator *board_net_loaded(const struct game *g)
{
	return loaded_game && strcmp(loaded_game->name, g->name) == 0 &&
			       strcmp(loaded_game->rules, g->rules) == 0
		       ? &loaded
		       : NULL;
}
