/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/pattern.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/weights.h"
#include "engine/rules/images.h"

#define SYMMETRIES 8
#define LEVEL      19 /* of zstd */

static uint32_t power(int n)
{
	uint32_t x = 1;
	while (n--)
		x *= 3;
	return x;
}

static uint64_t shape_set(const struct pattern_shape *s)
{
	uint64_t set = 0;
	for (int i = 0; i < s->count; i++)
		set |= UINT64_C(1) << s->squares[i];
	return set;
}

static struct pattern_shape pattern_mirrored(const struct game *g, const struct pattern_shape *s,
					     int symmetry)
{
	struct pattern_shape out = { .count = s->count };
	for (int i = 0; i < s->count; i++)
		out.squares[i] = (uint8_t)images_mirror_square(g, s->squares[i], symmetry);
	return out;
}

void pattern_init(struct patterns *p)
{
	p->stages = p->game->board.rows * p->game->board.cols / PATTERN_STAGE + 1;
	assert(p->game->board.rows * p->game->board.cols <= PATTERN_STONES_MAX);
	for (int i = 0; i < p->shape_count; i++) {
		uint64_t seen[SYMMETRIES] = { 0 };
		int places = 0;
		for (int y = 0; y < SYMMETRIES; y++) {
			struct pattern_shape s = pattern_mirrored(p->game, &p->shapes[i], y);
			bool is_new = true;
			for (int j = 0; j < places; j++)
				is_new &= seen[j] != shape_set(&s);
			if (!is_new)
				continue;
			assert(p->places < PATTERN_PLACES_MAX);
			for (int k = 0; k < s.count; k++)
				p->rows[s.squares[k]][p->places] = (int16_t)power(k);
			p->shape[p->places] = (uint8_t)i;
			p->offset[p->places++] = p->size + power(s.count) / 2;
			seen[places++] = shape_set(&s);
		}
		p->size += power(p->shapes[i].count);
	}
	for (int i = p->places; i < PATTERN_PLACES_MAX; i++)
		p->offset[i] = p->size;
}

KERNEL_UNWATCHED
void pattern_indices(const struct patterns *p, const uint64_t stones[2],
		     int16_t out[PATTERN_PLACES_MAX])
{
	memset(out, 0, PATTERN_PLACES_MAX * sizeof *out);
	for (int side = 0; side < 2; side++)
		for (uint64_t set = stones[side]; set; set &= set - 1) {
			const int16_t *row = p->rows[__builtin_ctzll(set)];
			for (int i = 0; i < PATTERN_PLACES_MAX; i++)
				out[i] = (int16_t)(out[i] + (side == BLACK ? row[i] : -row[i]));
		}
}

/* Finds the new place value of each digit of an index when a symmetry maps the shape to itself. Returns
 * false if the symmetry maps it elsewhere. */
static bool find_exchange(const struct game *g, const struct pattern_shape *s, int symmetry,
			  uint32_t place[PATTERN_SQUARES_MAX])
{
	struct pattern_shape m = pattern_mirrored(g, s, symmetry);
	if (shape_set(&m) != shape_set(s))
		return false;
	for (int i = 0; i < s->count; i++)
		for (int j = 0; j < s->count; j++)
			if (m.squares[i] == s->squares[j])
				place[i] = power(j);
	return true;
}

/* Maps the order of a file to indices. A file counts in base 3 with the digits 0 empty, 1 Black, 2 White. */
static int32_t *file_order(void)
{
	uint32_t count = power(PATTERN_SQUARES_MAX);
	int32_t *out = xcalloc(count, sizeof *out);
	for (uint32_t i = 1; i < count; i++)
		out[i] = 3 * out[i / 3] + (i % 3 == 2 ? -1 : (int32_t)(i % 3));
	return out;
}

uint32_t *pattern_kinds(const struct patterns *p, uint32_t *count)
{
	uint32_t *kinds = xmalloc(p->size * sizeof *kinds), base = 0;
	int32_t *order = file_order();
	*count = 0;
	for (int i = 0; i < p->shape_count; i++) {
		const struct pattern_shape *s = &p->shapes[i];
		uint32_t place[SYMMETRIES][PATTERN_SQUARES_MAX], size = power(s->count);
		int symmetries = 0;
		for (int y = 1; y < SYMMETRIES; y++)
			symmetries += find_exchange(p->game, s, y, place[symmetries]);
		uint32_t *kind = kinds + base + size / 2;
		for (uint32_t index = 0; index < size; index++) {
			uint32_t first = index;
			for (int y = 0; y < symmetries; y++) {
				uint32_t other = 0, rest = index;
				for (int k = 0; k < s->count; k++, rest /= 3)
					other += rest % 3 * place[y][k];
				first = other < first ? other : first;
			}
			kind[order[index]] = first < index ? kind[order[first]] : (*count)++;
		}
		base += size;
	}
	free(order);
	return kinds;
}

/* --- files --- */

/* The count of weights in a file: one for each number of stones, 0 .. squares; then one for each kind,
 * stage by stage. */
static size_t raw_count(const struct patterns *p, uint32_t kinds)
{
	return (size_t)(p->game->board.rows * p->game->board.cols + 1) + (size_t)p->stages * kinds;
}

static struct weights_header pattern_kind_of(const struct patterns *p, uint32_t kinds)
{
	return (struct weights_header) {
		.magic = "yomipat1",
		.shape = { (uint16_t)kinds, (uint16_t)(kinds >> 16),
			   (uint16_t)(p->game->board.rows * p->game->board.cols),
			   (uint16_t)p->stages },
	};
}

/* Returns the weights of a file; file NULL: zeros. Returns NULL if the file is damaged or of another game. */
static int16_t *read_raw(const struct patterns *p, const void *file, uint32_t kinds)
{
	struct weights_header kind = pattern_kind_of(p, kinds);
	size_t n = raw_count(p, kinds);
	int16_t *raw = xcalloc(n, sizeof *raw);
	if (!file || weights_read(file, &kind, raw, n * sizeof *raw))
		return raw;
	free(raw);
	return NULL;
}

float *pattern_weights(const struct patterns *p, const void *file)
{
	uint32_t count;
	free(pattern_kinds(p, &count));
	int16_t *raw = read_raw(p, file, count);
	if (!raw)
		return NULL;
	float *weights = xmalloc(raw_count(p, count) * sizeof *weights);
	for (size_t i = 0; i < raw_count(p, count); i++)
		weights[i] = (float)raw[i] / PATTERN_UNIT;
	free(raw);
	return weights;
}

/* --- unpacking --- */

struct pattern_source {
	int16_t *raw; /* the content of a file */
	uint32_t count, *kinds;
	int16_t *unpacked; /* room for all stages; huge pages make lookups faster */
};

/* Size of a stage's table: its weights and the 0 after them, rounded up to whole cache lines. */
static size_t pattern_stage_weights(const struct patterns *p)
{
	return ((size_t)p->size + 32) / 32 * 32;
}

static struct pattern_source *source_create(const struct patterns *p)
{
	struct pattern_source *source = xcalloc(1, sizeof *source);
	source->kinds = pattern_kinds(p, &source->count);
	source->unpacked = block_create((size_t)p->stages * pattern_stage_weights(p) *
					sizeof *source->unpacked);
	if (!source->unpacked)
		out_of_memory();
	return source;
}

bool pattern_load(struct patterns *p, const void *file)
{
	int squares = p->game->board.rows * p->game->board.cols;
	if (!p->source)
		p->source = source_create(p);
	int16_t *raw = read_raw(p, file, p->source->count);
	if (!raw)
		return false;
	free(p->source->raw);
	p->source->raw = raw;
	for (int i = 0; i <= squares; i++)
		atomic_store(&p->weights[i], NULL);
	memcpy(p->bias, raw, ((size_t)squares + 1) * sizeof *raw);
	return true;
}

/* Fills the table of a stage. */
static const int16_t *pattern_spread(const struct patterns *p, int stage)
{
	int squares = p->game->board.rows * p->game->board.cols;
	const struct pattern_source *source = p->source;
	const int16_t *raw = source->raw + squares + 1 + (size_t)stage * source->count;
	int16_t *weights = source->unpacked + (size_t)stage * pattern_stage_weights(p);
	for (uint32_t i = 0; i < p->size; i++)
		weights[i] = raw[source->kinds[i]];
	return weights;
}

const int16_t *pattern_unpack(struct patterns *p, int stones)
{
	static pthread_mutex_t unpacking = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&unpacking);
	const int16_t *weights = atomic_load_explicit(&p->weights[stones], memory_order_relaxed);
	if (!weights) {
		if (!(p->source && p->source->raw) && !pattern_load(p, p->file))
			out_of_memory(); /* the file is part of the program, so memory is the only reason */
		int stage = stones / PATTERN_STAGE, first = PATTERN_STAGE * stage;
		weights = pattern_spread(p, stage);
		for (int i = first; i < first + PATTERN_STAGE && i <= PATTERN_STONES_MAX; i++)
			atomic_store_explicit(&p->weights[i], weights, memory_order_release);
	}
	pthread_mutex_unlock(&unpacking);
	return weights;
}

void *pattern_file(const struct patterns *p, const float *weights, size_t *size)
{
	uint32_t count;
	free(pattern_kinds(p, &count));
	size_t n = raw_count(p, count);
	int16_t *raw = xmalloc(n * sizeof *raw);
	for (size_t i = 0; i < n; i++) {
		float x = weights[i] * PATTERN_UNIT;
		raw[i] = (int16_t)lrintf(x > INT16_MAX    ? INT16_MAX
					 : x < -INT16_MAX ? -INT16_MAX
							  : x);
	}
	struct weights_header kind = pattern_kind_of(p, count);
	void *file = weights_file(&kind, raw, n * sizeof *raw, LEVEL, size);
	free(raw);
	return file;
}
