/* SPDX-License-Identifier: MIT */
#include "games/pentago/quadrant_net.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/evaluation/weights.h"
#include "engine/rules/images.h"

#define GROUP  64 /* pairs of units that are tested for zero together */
#define LEVEL  6  /* of zstd; 19 makes files a seventh smaller and takes fifty times as long */

/* --- evaluation, compiled once for each kernel --- */

#define INLINE static inline __attribute__((always_inline))

/* Adds the products of the hidden layer to the sums of the second layer. About two of three hidden units
 * are 0, so about half of the pairs are 0 and are left out. */
typedef void second_fn(const int16_t hidden[NET_HIDDEN],
		       const int16_t weights[NET_HIDDEN / 2][NET_SECOND][2],
		       int32_t sum[NET_SECOND]);

KERNEL_UNWATCHED
INLINE void run(const struct net_table *t, const uint16_t content[NET_PARTS], int stage,
		bool pending, int16_t out[NET_SECOND], second_fn *second)
{
	_Alignas(64) int16_t hidden[NET_HIDDEN];
	_Alignas(64) int32_t sum[NET_SECOND];
	const struct net_layers *l = &t->layers;
	const int16_t *bias = l->hidden_bias[pending];
	for (int block = 0; block < NET_PARTS; block++) {
		const int16_t *from[NET_PARTS];
		for (int part = 0; part < NET_PARTS; part++)
			from[part] = t->vectors[content[part]][(block + part) % NET_PARTS];
		for (int j = 0; j < NET_BLOCK; j++) {
			/* The sum fits in 16 bits. */
			int16_t x = (int16_t)(bias[j] + from[0][j] + from[1][j] + from[2][j] +
					      from[3][j]);
			x = x < 0 ? 0 : x;
			hidden[block * NET_BLOCK + j] = x > NET_CLIP ? NET_CLIP : x;
		}
	}
	memcpy(sum, l->second_bias[stage][pending], sizeof sum);
	second(hidden, l->second[stage][pending], sum);
	for (int k = 0; k < NET_SECOND; k++) {
		int32_t x = sum[k] < 0 ? 0 : sum[k] / NET_WEIGHT;
		out[k] = (int16_t)(x > NET_CLIP ? NET_CLIP : x);
	}
}

KERNEL_UNWATCHED
static inline void second_portable(const int16_t hidden[NET_HIDDEN],
				   const int16_t weights[NET_HIDDEN / 2][NET_SECOND][2],
				   int32_t sum[NET_SECOND])
{
	for (int i = 0; i < NET_HIDDEN / 2; i++) {
		int32_t a = hidden[2 * i], b = hidden[2 * i + 1];
		for (int k = 0; (a | b) && k < NET_SECOND; k++)
			sum[k] += a * weights[i][k][0] + b * weights[i][k][1];
	}
}

KERNEL_UNWATCHED
static void run_portable(const struct net_table *t, const uint16_t content[NET_PARTS], int stage,
			 bool pending, int16_t out[NET_SECOND])
{
	run(t, content, stage, pending, out, second_portable);
}

#ifdef __x86_64__
/* Two hidden units as one integer, to broadcast over a vector. */
KERNEL_UNWATCHED
static inline int32_t pair_at(const int16_t *hidden, int i)
{
	int32_t pair;
	memcpy(&pair, hidden + 2 * i, sizeof pair);
	return pair;
}

KERNEL_UNWATCHED
__attribute__((target(KERNEL_TARGET_AVX2))) static inline void
second_avx2(const int16_t hidden[NET_HIDDEN], const int16_t weights[NET_HIDDEN / 2][NET_SECOND][2],
	    int32_t sum[NET_SECOND])
{
	__m256i *sums = (__m256i *)sum, x[4];
	for (int k = 0; k < 4; k++)
		x[k] = _mm256_load_si256(sums + k);
	for (int first = 0; first < NET_HIDDEN / 2; first += GROUP) {
		uint64_t active = 0;
		for (int i = 0; i < GROUP; i += 8) {
			__m256i zeros = _mm256_cmpeq_epi32(
				_mm256_load_si256((const __m256i *)(hidden + 2 * (first + i))),
				_mm256_setzero_si256());
			int set = _mm256_movemask_ps(_mm256_castsi256_ps(zeros)) ^ 0xff;
			active |= (uint64_t)set << i;
		}
		for (; active; active &= active - 1) {
			int i = first + __builtin_ctzll(active);
			const __m256i *w = (const __m256i *)weights[i],
				      pair = _mm256_set1_epi32(pair_at(hidden, i));
			for (int k = 0; k < 4; k++)
				x[k] = _mm256_add_epi32(x[k], _mm256_madd_epi16(pair, w[k]));
		}
	}
	for (int k = 0; k < 4; k++)
		_mm256_store_si256(sums + k, x[k]);
}

KERNEL_UNWATCHED
__attribute__((target(KERNEL_TARGET_AVX2))) static void
quadrant_avx2(const struct net_table *t, const uint16_t content[NET_PARTS], int stage, bool pending,
	      int16_t out[NET_SECOND])
{
	run(t, content, stage, pending, out, second_avx2);
}

KERNEL_UNWATCHED
__attribute__((target(KERNEL_TARGET_AVX512))) static inline void
second_avx512(const int16_t hidden[NET_HIDDEN],
	      const int16_t weights[NET_HIDDEN / 2][NET_SECOND][2], int32_t sum[NET_SECOND])
{
	__m512i *sums = (__m512i *)sum, x = sums[0], y = sums[1];
	for (int first = 0; first < NET_HIDDEN / 2; first += GROUP) {
		uint64_t active = 0;
		for (int i = 0; i < GROUP; i += 16) {
			__m512i pairs = _mm512_load_si512(hidden + 2 * (first + i));
			active |= (uint64_t)_mm512_test_epi32_mask(pairs, pairs) << i;
		}
		for (; active; active &= active - 1) {
			int i = first + __builtin_ctzll(active);
			const __m512i *w = (const __m512i *)weights[i],
				      pair = _mm512_set1_epi32(pair_at(hidden, i));
			x = _mm512_add_epi32(x, _mm512_madd_epi16(pair, w[0]));
			y = _mm512_add_epi32(y, _mm512_madd_epi16(pair, w[1]));
		}
	}
	sums[0] = x;
	sums[1] = y;
}

KERNEL_UNWATCHED
__attribute__((target(KERNEL_TARGET_AVX512))) static void
quadrant_avx512(const struct net_table *t, const uint16_t content[NET_PARTS], int stage,
		bool pending, int16_t out[NET_SECOND])
{
	run(t, content, stage, pending, out, second_avx512);
}
#endif

static net_run *const runs[KERNELS] = {
	[KERNEL_PORTABLE] = run_portable,
#ifdef __x86_64__
	[KERNEL_AVX2] = quadrant_avx2,
	[KERNEL_AVX512] = quadrant_avx512,
#endif
};

KERNEL_UNWATCHED
static float head(const struct net_layers *l, int stage, bool pending, const int16_t in[NET_SECOND],
		  int i, int more)
{
	int32_t x = l->head_bias[stage][pending][i] + more * NET_PREFERENCE;
	for (int j = 0; j < NET_SECOND; j++)
		x += in[j] * l->heads[stage][pending][i][j];
	return (float)x / (NET_UNIT * NET_WEIGHT);
}

float net_evaluate(const struct net_table *t, const struct game *g, const struct state *s,
		   const move_t *steps, int count, float *preference)
{
	_Alignas(64) int16_t second[NET_SECOND];
	uint16_t content[NET_PARTS];
	uint64_t stones[2];
	g->images->stones(g, s, stones);
	int stage = net_stage(__builtin_popcountll(stones[0] | stones[1]));
	net_contents(&t->shape, stones[s->side], stones[s->side ^ 1], content);
	t->run(t, content, stage, s->pending, second);

	for (int i = 0; i < count; i++) {
		const int16_t *locals = t->layers.preferences[content[t->shape.part[steps[i]]]];
		preference[i] = head(&t->layers, stage, s->pending, second, 1 + steps[i],
				     locals[t->shape.local[steps[i]]]);
	}
	return head(&t->layers, stage, s->pending, second, 0, 0);
}

/* --- the parts of the board --- */

struct net_shape net_shape_of(const struct game *g)
{
	struct net_shape shape = { 0 };
	int squares = g->board.rows * g->board.cols, parts = squares <= NET_PLACES ? 1 : NET_PARTS;
	assert(g->board.rows == g->board.cols && g->steps.codes < NET_HEADS);
	int size = parts == 1 ? g->board.rows : g->board.rows / 2,
	    others = g->steps.codes - squares;
	assert(size * size * parts == squares);
	assert(others % parts == 0 && NET_PLACES + others / parts <= NET_LOCALS);
	for (int part = 0; part < parts; part++)
		for (int place = 0; place < size * size; place++) {
			int row = place / size, col = place % size;
			for (int turns = 0; turns < part; turns++) {
				int old = row;
				row = col;
				col = g->board.cols - 1 - old;
			}
			shape.part[row * g->board.cols + col] = (uint8_t)part;
			shape.local[row * g->board.cols + col] = (uint8_t)place;
		}
	for (int i = 0; i < others; i++) {
		int each = others / parts;
		shape.part[squares + i] = (uint8_t)(i / each);
		shape.local[squares + i] = (uint8_t)(NET_PLACES + i % each);
	}
	for (int i = 0, power = 1; i < NET_PLACES; i++, power *= 3)
		shape.power[i] = (uint16_t)power;
	return shape;
}

KERNEL_UNWATCHED
void net_contents(const struct net_shape *shape, uint64_t own, uint64_t other,
		  uint16_t content[NET_PARTS])
{
	memset(content, 0, NET_PARTS * sizeof *content);
	for (uint64_t set = own | other; set; set &= set - 1) {
		int square = __builtin_ctzll(set), digit = own >> square & 1 ? 1 : 2;
		uint16_t *c = &content[shape->part[square]];
		*c = (uint16_t)(*c + digit * shape->power[shape->local[square]]);
	}
}

/* --- files --- */

static struct weights_header quadrant_net_kind_of(const struct game *g)
{
	return (struct weights_header) {
		.magic = "yominet2",
		.shape = { (uint16_t)(g->board.rows * g->board.cols), (uint16_t)g->steps.codes },
	};
}

struct net_weights *net_read(const struct game *g, const void *file)
{
	struct weights_header kind = quadrant_net_kind_of(g);
	struct net_weights *w = xmalloc(sizeof *w);
	if (weights_read(file, &kind, w, sizeof *w))
		return w;
	free(w);
	return NULL;
}

void *net_file(const struct game *g, const struct net_weights *w, size_t *size)
{
	struct weights_header kind = quadrant_net_kind_of(g);
	return weights_file(&kind, w, sizeof *w, LEVEL, size);
}

/* --- unpacking --- */

/* Computes the vectors of all contents whose first `places` places are those of `content`. `vector` is the
 * sum of the vectors of the stones there. */
static void quadrant_net_spread(struct net_table *t, const struct net_weights *w, int places,
				int content, const int16_t *vector)
{
	if (places == NET_PLACES) {
		for (int j = 0; j < NET_HIDDEN; j++)
			(&t->vectors[content][0][0])[j] =
				(int16_t)(vector[j] + NET_DETAIL * w->details[content][j]);
		return;
	}
	quadrant_net_spread(t, w, places + 1, content, vector);
	for (int side = 0; side < 2; side++) {
		int16_t more[NET_HIDDEN];
		for (int j = 0; j < NET_HIDDEN; j++)
			more[j] = (int16_t)(vector[j] + w->stones[side][places][j]);
		quadrant_net_spread(t, w, places + 1, content + (1 + side) * t->shape.power[places],
				    more);
	}
}

static struct net_table *make_table(const struct game *g, const void *file)
{
	struct net_table *t = block_create(sizeof *t);
	struct net_weights *w = net_read(g, file);
	int16_t none[NET_HIDDEN] = { 0 };
	if (!t || !w)
		out_of_memory(); /* the file is part of the program, so memory is the only reason */
	t->layers = w->layers;
	t->shape = net_shape_of(g);
	quadrant_net_spread(t, w, 0, 0, none);
	free(w);
	t->run = runs[kernel_used()];
	return t;
}

const struct net_table *net_open(const struct game *g)
{
	static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
	struct net *net = net_of(g);
	if (!net)
		return NULL;
	struct net_table *t = atomic_load_explicit(&net->table, memory_order_acquire);
	if (t)
		return t;
	pthread_mutex_lock(&opening);
	t = atomic_load_explicit(&net->table, memory_order_relaxed);
	if (!t) {
		t = make_table(g, net->file);
		atomic_store_explicit(&net->table, t, memory_order_release);
	}
	pthread_mutex_unlock(&opening);
	return t;
}

void net_close(struct net *net)
{
	struct net_table *t = atomic_exchange(&net->table, NULL);
	if (t)
		block_destroy(t, sizeof *t);
}

/* --- the evaluator --- */

struct net *net_of(const struct game *g)
{
	return g->evaluator && g->evaluator->steps == net_steps ? g->evaluator->data : NULL;
}

void net_get_ready(const struct evaluator *e)
{
	net_open(e->game);
}

void net_steps(const struct evaluator *e, const struct state *s, const move_t *steps, int count,
	       struct evaluation *out)
{
	float value = net_evaluate(net_open(e->game), e->game, s, steps, count, out->priors);
	out->value = (float)side_sign(s->side) * evaluator_tanh(value);
	for (int i = 0; i < count; i++)
		out->values[i] = out->value;
}

float net_state(const struct evaluator *e, const struct state *s)
{
	float value = net_evaluate(net_open(e->game), e->game, s, NULL, 0, NULL);
	return (float)side_sign(s->side) * evaluator_tanh(value);
}
