/* SPDX-License-Identifier: MIT */
#include "tools/lib/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "engine/net.h"

#define SQUARES_MAX 64
#define STEPS_MAX   128
#define SYMMETRIES  8
#define FIRST_DECAY 0.9 /* Adam's usual constants */
#define NEXT_DECAY  0.999
#define SHRINK      1e-5f /* weight decay */
/* How much the result counts beside what the search expected, and the priors beside the value. */
#define RESULT_PART 0.6f
#define PRIORS_PART 0.5f

/* One number a weight; gradients and Adam's moments have the same shape. */
struct weights {
	float first[2 * SQUARES_MAX + 1][NET_HIDDEN], bias_first[NET_HIDDEN];
	float second[NET_SECOND][NET_HIDDEN], bias_second[NET_SECOND];
	float head[1 + STEPS_MAX][NET_SECOND], bias_head[1 + STEPS_MAX];
};
#define WEIGHTS (sizeof(struct weights) / sizeof(float))

struct learner {
	char magic[8];
	uint32_t squares, steps; /* of the game */
	uint64_t taken;          /* training steps */
	struct rng rng;
	struct weights weights, mean, square;
	struct weights gradient;
	uint8_t square_map[SYMMETRIES][SQUARES_MAX], step_map[SYMMETRIES][STEPS_MAX];
	int symmetries;
};
/* What a file holds: all but the gradient and what create() makes. */
#define SAVED offsetof(struct learner, gradient)

static float uniform(struct rng *r)
{
	return (float)(rng_next(r) >> 40) / (1 << 23) - 1;
}

struct learner *learner_create(const struct game *g, uint64_t seed)
{
	struct learner *l = xcalloc(1, sizeof *l);
	struct weights *w = &l->weights;
	memcpy(l->magic, "yomilrn1", sizeof l->magic);
	l->squares = (uint32_t)(g->rows * g->cols);
	l->steps = (uint32_t)g->moves_max;
	l->symmetries = g->mirror ? SYMMETRIES : 1;
	rng_seed(&l->rng, seed);
	for (int y = 0; y < l->symmetries; y++) {
		for (uint32_t i = 0; i < l->squares; i++)
			l->square_map[y][i] = (uint8_t)game_mirror_square(g, (int)i, y);
		for (uint32_t i = 0; i < l->steps; i++)
			l->step_map[y][i] = (uint8_t)(y ? g->mirror((move_t)i, y) : i);
	}
	for (uint32_t i = 0; i <= 2 * l->squares; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			w->first[i][j] = uniform(&l->rng) / 4;
	for (int i = 0; i < NET_SECOND; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			w->second[i][j] = uniform(&l->rng) * sqrtf(3.f / NET_HIDDEN);
	for (uint32_t i = 0; i <= l->steps; i++)
		for (int j = 0; j < NET_SECOND; j++)
			w->head[i][j] = uniform(&l->rng) / 10;
	return l;
}

void learner_destroy(struct learner *l)
{
	free(l);
}

/* A sample as one symmetry shows it. */
struct view {
	uint64_t set[2];
	int count;
	uint8_t steps[GAME_STEPS_MAX];
	float share[GAME_STEPS_MAX]; /* of the visits */
};

static uint64_t map_set(const uint8_t *map, uint64_t set)
{
	uint64_t out = 0;
	for (; set; set &= set - 1)
		out |= UINT64_C(1) << map[__builtin_ctzll(set)];
	return out;
}

static void look(const struct learner *l, const struct sample *s, int symmetry, struct view *v)
{
	float sum = 0;
	v->set[0] = map_set(l->square_map[symmetry], s->own);
	v->set[1] = map_set(l->square_map[symmetry], s->other);
	v->count = s->count;
	for (int i = 0; i < s->count; i++) {
		v->steps[i] = l->step_map[symmetry][s->steps[i].step];
		sum += v->share[i] = s->steps[i].weight;
	}
	for (int i = 0; i < s->count; i++)
		v->share[i] = sum > 0 ? v->share[i] / sum : 0;
}

/* What the network makes of a view. */
struct forward {
	float hidden[NET_HIDDEN], second[NET_SECOND], value;
	float prior[GAME_STEPS_MAX];
};

/* ThreadSanitizer looks into the functions that choose a clone, and these run before it is ready. Clang knows no
 * `optimize`. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FAST                                                                                       \
	__attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), optimize("fast-math")))
#else
#define FAST
#endif

static inline float head_of(const struct weights *w, const float *second, int i)
{
	float x = w->bias_head[i];
	for (int j = 0; j < NET_SECOND; j++)
		x += w->head[i][j] * second[j];
	return x;
}

/* As far as the network's whole numbers reach. */
#define ACTIVE_MOST ((float)NET_CLIP / NET_UNIT)

static inline float active(float x)
{
	return x < 0 ? 0 : x > ACTIVE_MOST ? ACTIVE_MOST : x;
}

/* Whether a little more or less would change it. */
static inline bool is_open(float x)
{
	return x > 0 && x < ACTIVE_MOST;
}

FAST static void run_forward(const struct weights *w, const struct view *v, uint32_t squares,
			     bool pending, struct forward *f)
{
	memcpy(f->hidden, w->bias_first, sizeof f->hidden);
	for (uint32_t side = 0; side < 2; side++)
		for (uint64_t set = v->set[side]; set; set &= set - 1) {
			const float *row =
				w->first[side * squares + (uint32_t)__builtin_ctzll(set)];
			for (int j = 0; j < NET_HIDDEN; j++)
				f->hidden[j] += row[j];
		}
	for (int j = 0; pending && j < NET_HIDDEN; j++)
		f->hidden[j] += w->first[2 * squares][j];
	for (int j = 0; j < NET_HIDDEN; j++)
		f->hidden[j] = active(f->hidden[j]);
	for (int k = 0; k < NET_SECOND; k++) {
		float x = w->bias_second[k];
		for (int j = 0; j < NET_HIDDEN; j++)
			x += w->second[k][j] * f->hidden[j];
		f->second[k] = active(x);
	}
	f->value = tanhf(head_of(w, f->second, 0));
	float most = -1e9f, sum = 0;
	for (int i = 0; i < v->count; i++) {
		f->prior[i] = head_of(w, f->second, 1 + v->steps[i]);
		most = f->prior[i] > most ? f->prior[i] : most;
	}
	for (int i = 0; i < v->count; i++)
		sum += f->prior[i] = expf(f->prior[i] - most);
	for (int i = 0; i < v->count; i++)
		f->prior[i] /= sum;
}

static void head_back(struct weights *g, const struct weights *w, const struct forward *f, int i,
		      float slope, float *second)
{
	g->bias_head[i] += slope;
	for (int j = 0; j < NET_SECOND; j++) {
		g->head[i][j] += slope * f->second[j];
		second[j] += slope * w->head[i][j];
	}
}

/* Adds the gradient of one sample's error. */
FAST static void run_backward(const struct weights *w, const struct view *v, uint32_t squares,
			      bool pending, float target, const struct forward *f,
			      struct weights *g)
{
	float second[NET_SECOND] = { 0 }, hidden[NET_HIDDEN] = { 0 };
	head_back(g, w, f, 0, (f->value - target) * (1 - f->value * f->value), second);
	for (int i = 0; i < v->count; i++)
		head_back(g, w, f, 1 + v->steps[i], PRIORS_PART * (f->prior[i] - v->share[i]),
			  second);
	for (int k = 0; k < NET_SECOND; k++) {
		if (!is_open(f->second[k]))
			continue;
		g->bias_second[k] += second[k];
		for (int j = 0; j < NET_HIDDEN; j++) {
			g->second[k][j] += second[k] * f->hidden[j];
			hidden[j] += second[k] * w->second[k][j];
		}
	}
	for (int j = 0; j < NET_HIDDEN; j++) {
		hidden[j] = is_open(f->hidden[j]) ? hidden[j] : 0;
		g->bias_first[j] += hidden[j];
	}
	for (uint32_t side = 0; side < 2; side++)
		for (uint64_t set = v->set[side]; set; set &= set - 1) {
			float *row = g->first[side * squares + (uint32_t)__builtin_ctzll(set)];
			for (int j = 0; j < NET_HIDDEN; j++)
				row[j] += hidden[j];
		}
	for (int j = 0; pending && j < NET_HIDDEN; j++)
		g->first[2 * squares][j] += hidden[j];
}

static float target_of(const struct sample *s)
{
	return s->exact ? s->search : RESULT_PART * s->result + (1 - RESULT_PART) * s->search;
}

/* One step of Adam. */
FAST static void step_weights(float *w, const float *gradient, float *mean, float *square, size_t n,
			      float most, float rate, float mean_scale, float square_scale)
{
	for (size_t i = 0; i < n; i++) {
		float g = gradient[i] / LEARN_BATCH + SHRINK * w[i];
		mean[i] += (float)(1 - FIRST_DECAY) * (g - mean[i]);
		square[i] += (float)(1 - NEXT_DECAY) * (g * g - square[i]);
		w[i] -= rate * mean[i] * mean_scale / (sqrtf(square[i] * square_scale) + 1e-8f);
		w[i] = w[i] > most ? most : w[i] < -most ? -most : w[i];
	}
}

/* Weights stay in the range that the whole numbers of the network have. */
static void take_step(struct learner *l, double rate)
{
	const size_t parts[] = { 0, offsetof(struct weights, second) / sizeof(float), WEIGHTS };
	const float most[] = { (float)net_first_clip((int)l->squares) / NET_UNIT,
			       (float)NET_CLIP / NET_WEIGHT };
	double n = (double)++l->taken;
	for (int i = 0; i < 2; i++)
		step_weights((float *)&l->weights + parts[i],
			     (const float *)&l->gradient + parts[i], (float *)&l->mean + parts[i],
			     (float *)&l->square + parts[i], parts[i + 1] - parts[i], most[i],
			     (float)rate, (float)(1 / (1 - pow(FIRST_DECAY, n))),
			     (float)(1 / (1 - pow(NEXT_DECAY, n))));
}

void learner_train(struct learner *l, const struct sample *samples, size_t count, int steps,
		   double rate)
{
	for (int i = 0; i < steps; i++) {
		memset(&l->gradient, 0, sizeof l->gradient);
		for (int k = 0; k < LEARN_BATCH; k++) {
			const struct sample *s = &samples[rng_below(&l->rng, (uint32_t)count)];
			struct view v;
			struct forward f;
			if (s->held)
				continue;
			look(l, s, (int)rng_below(&l->rng, (uint32_t)l->symmetries), &v);
			run_forward(&l->weights, &v, l->squares, s->pending, &f);
			run_backward(&l->weights, &v, l->squares, s->pending, target_of(s), &f,
				     &l->gradient);
		}
		take_step(l, rate);
	}
}

struct learn_error learner_error(const struct learner *l, const struct sample *samples,
				 size_t count, size_t most)
{
	double squares = 0, entropy = 0;
	size_t n = 0;
	for (size_t i = count; i-- && n < most;) {
		const struct sample *s = &samples[i];
		struct view v;
		struct forward f;
		if (!s->held)
			continue;
		look(l, s, 0, &v);
		run_forward(&l->weights, &v, l->squares, s->pending, &f);
		squares += (f.value - target_of(s)) * (f.value - target_of(s));
		for (int j = 0; j < v.count; j++)
			entropy -= v.share[j] * log(f.prior[j] + 1e-9);
		n++;
	}
	n = n ? n : 1;
	return (struct learn_error) { sqrt(squares / (double)n), entropy / (double)n };
}

static int16_t whole(float x, int unit, int clip)
{
	long n = lrintf(x * (float)unit);
	return (int16_t)(n > clip ? clip : n < -clip ? -clip : n);
}

void *learner_net(const struct learner *l, size_t *size)
{
	const struct weights *w = &l->weights;
	int first_clip = net_first_clip((int)l->squares);
	*size = net_size((int)l->squares, (int)l->steps);
	struct net_header *header = xcalloc(1, *size);
	struct net_layers *layers = (void *)(header + 1);
	memcpy(header->magic, NET_MAGIC, sizeof header->magic);
	header->squares = (uint16_t)l->squares;
	header->steps = (uint16_t)l->steps;
	for (uint32_t i = 0; i <= 2 * l->squares; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			layers->first[i][j] = whole(w->first[i][j], NET_UNIT, first_clip);
	for (int j = 0; j < NET_HIDDEN; j++)
		layers->bias_first[j] = whole(w->bias_first[j], NET_UNIT, first_clip);
	for (int k = 0; k < NET_SECOND; k++) {
		layers->bias_second[k] = (int32_t)lrintf(w->bias_second[k] * NET_UNIT * NET_WEIGHT);
		for (int j = 0; j < NET_HIDDEN; j++)
			layers->second[k][j] = whole(w->second[k][j], NET_WEIGHT, NET_CLIP);
	}
	int16_t(*head)[NET_SECOND] = (void *)layers->first[2 * l->squares + 1];
	int32_t *bias = (void *)head[1 + l->steps];
	for (uint32_t i = 0; i <= l->steps; i++) {
		bias[i] = (int32_t)lrintf(w->bias_head[i] * NET_UNIT * NET_WEIGHT);
		for (int k = 0; k < NET_SECOND; k++)
			head[i][k] = whole(w->head[i][k], NET_WEIGHT, NET_CLIP);
	}
	header->checksum = net_checksum(header + 1, *size - sizeof *header);
	return header;
}

void learner_take_net(struct learner *l, const void *net)
{
	const struct net_header *header = net;
	const struct net_layers *layers = (const void *)(header + 1);
	struct weights *w = &l->weights;
	for (uint32_t i = 0; i <= 2 * l->squares; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			w->first[i][j] = (float)layers->first[i][j] / NET_UNIT;
	for (int j = 0; j < NET_HIDDEN; j++)
		w->bias_first[j] = (float)layers->bias_first[j] / NET_UNIT;
	for (int k = 0; k < NET_SECOND; k++) {
		w->bias_second[k] = (float)layers->bias_second[k] / (NET_UNIT * NET_WEIGHT);
		for (int j = 0; j < NET_HIDDEN; j++)
			w->second[k][j] = (float)layers->second[k][j] / NET_WEIGHT;
	}
	const int16_t(*head)[NET_SECOND] = (const void *)layers->first[2 * l->squares + 1];
	const int32_t *bias = (const void *)head[1 + l->steps];
	for (uint32_t i = 0; i <= l->steps; i++) {
		w->bias_head[i] = (float)bias[i] / (NET_UNIT * NET_WEIGHT);
		for (int k = 0; k < NET_SECOND; k++)
			w->head[i][k] = (float)head[i][k] / NET_WEIGHT;
	}
}

bool learner_save(const struct learner *l, const char *path)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool written = fwrite(l, SAVED, 1, f) == 1;
	return fclose(f) == 0 && written;
}

bool learner_load(struct learner *l, const char *path)
{
	struct learner *read = xmalloc(sizeof *read);
	FILE *f = fopen(path, "rb");
	bool fits = f && fread(read, SAVED, 1, f) == 1 &&
		    memcmp(read->magic, l->magic, sizeof l->magic) == 0 &&
		    read->squares == l->squares && read->steps == l->steps;
	if (fits)
		memcpy(l, read, SAVED);
	if (f)
		fclose(f);
	free(read);
	return fits;
}
