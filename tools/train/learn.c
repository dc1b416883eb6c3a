/* SPDX-License-Identifier: MIT */
#include "tools/train/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "games/pentago/quadrant_net.h"
#include "tools/train/adam.h"

#define SQUARES_MAX 64
#define STEPS_MAX   128
#define DETAIL_CLIP INT8_MAX
#define STONES      (2 * NET_PLACES * NET_HIDDEN) /* number of stone weights */
#define SYMMETRIES  8
#define SHRINK      1e-5f /* weight decay */
#define RESULT_PART                                                                                \
	0.6f /* weight of the result in the value's target; the search's value has the rest */
#define PRIORS_PART 0.5f /* weight of the priors' error, relative to the value's */

/* One number per weight. Gradients and Adam's moments have the same layout. Every batch changes all of
 * these. */
struct learn_weights {
	float hidden_bias[2][NET_BLOCK], stones[2][NET_PLACES][NET_HIDDEN];
	float second[NET_STAGES][2][NET_SECOND][NET_HIDDEN];
	float second_bias[NET_STAGES][2][NET_SECOND];
	float heads[NET_STAGES][2][NET_HEADS][NET_SECOND], head_bias[NET_STAGES][2][NET_HEADS];
};
#define WEIGHTS (sizeof(struct learn_weights) / sizeof(float))

/* A batch changes these only for the contents that occur in it. */
struct content {
	float details[NET_HIDDEN], preferences[NET_LOCALS];
};
#define CONTENT (sizeof(struct content) / sizeof(float))

struct learner {
	char magic[8];
	uint32_t squares, steps; /* properties of the game */
	uint64_t taken;          /* training steps */
	struct rng rng;
	struct learn_weights weights, mean, square;
	struct content contents[NET_CONTENTS], content_mean[NET_CONTENTS],
		content_square[NET_CONTENTS];
	struct learn_weights gradient;
	struct content content_gradient[NET_CONTENTS];
	uint16_t seen[NET_CONTENTS]; /* contents that occur in the batch, each once */
	bool is_seen[NET_CONTENTS];
	int seen_count;
	const struct game *game;
	struct net_shape shape;
	uint8_t square_map[SYMMETRIES][SQUARES_MAX], step_map[SYMMETRIES][STEPS_MAX];
	int symmetries;
};
/* Size of the saved part: everything before the gradient. */
#define SAVED offsetof(struct learner, gradient)

struct learner *learner_create(const struct game *g, uint64_t seed)
{
	struct learner *l = xcalloc(1, sizeof *l);
	struct learn_weights *w = &l->weights;
	memcpy(l->magic, "yomilrn2", sizeof l->magic);
	l->game = g;
	l->shape = net_shape_of(g);
	l->squares = (uint32_t)(g->board.rows * g->board.cols);
	l->steps = (uint32_t)g->steps.codes;
	l->symmetries = images_symmetries(g) == IMAGES_ALL ? SYMMETRIES : 1;
	rng_seed(&l->rng, seed);
	for (int y = 0; y < l->symmetries; y++) {
		for (uint32_t i = 0; i < l->squares; i++)
			l->square_map[y][i] = (uint8_t)images_mirror_square(g, (int)i, y);
		for (uint32_t i = 0; i < l->steps; i++)
			l->step_map[y][i] = (uint8_t)(y ? g->images->mirror(g, (move_t)i, y) : i);
	}
	for (int i = 0; i < STONES; i++)
		(&w->stones[0][0][0])[i] = uniform(&l->rng) / 4;
	for (int i = 0; i < NET_SECOND; i++)
		for (int j = 0; j < NET_HIDDEN; j++)
			w->second[0][0][i][j] = uniform(&l->rng) * sqrtf(3.f / NET_HIDDEN);
	for (uint32_t i = 0; i <= l->steps; i++)
		for (int j = 0; j < NET_SECOND; j++)
			w->heads[0][0][i][j] = uniform(&l->rng) / 10;
	/* All stages start with equal weights. */
	for (int i = 1; i < 2 * NET_STAGES; i++) {
		memcpy(w->second[i / 2][i % 2], w->second[0][0], sizeof w->second[0][0]);
		memcpy(w->heads[i / 2][i % 2], w->heads[0][0], sizeof w->heads[0][0]);
	}
	return l;
}

void learner_destroy(struct learner *l)
{
	free(l);
}

/* A sample seen in one symmetry. */
struct learn_view {
	uint16_t content[NET_PARTS];
	int stage, count;
	bool pending;
	uint8_t steps[LEARN_STEPS_MAX];
	float share[LEARN_STEPS_MAX]; /* share of the visits */
};

static uint64_t map_set(const uint8_t *map, uint64_t set)
{
	uint64_t out = 0;
	for (; set; set &= set - 1)
		out |= UINT64_C(1) << map[__builtin_ctzll(set)];
	return out;
}

static void learn_look(const struct learner *l, const struct sample *s, int symmetry,
		       struct learn_view *v)
{
	float sum = 0;
	net_contents(&l->shape, map_set(l->square_map[symmetry], s->own),
		     map_set(l->square_map[symmetry], s->other), v->content);
	v->stage = net_stage(__builtin_popcountll(s->own | s->other));
	v->pending = s->pending;
	v->count = s->count;
	for (int i = 0; i < s->count; i++) {
		v->steps[i] = l->step_map[symmetry][s->steps[i].step];
		sum += v->share[i] = s->steps[i].weight;
	}
	for (int i = 0; i < s->count; i++)
		v->share[i] = sum > 0 ? v->share[i] / sum : 0;
}

/* The network's activations and outputs for a view. */
struct forward {
	float hidden[NET_HIDDEN], second[NET_SECOND], value;
	float prior[LEARN_STEPS_MAX];
};

/* Largest activation that the network's integers represent. */
#define ACTIVE_MOST ((float)NET_CLIP / NET_UNIT)

INLINE float active(float x)
{
	return x < 0 ? 0 : x > ACTIVE_MOST ? ACTIVE_MOST : x;
}

/* Returns true if the clipped activation has a slope at x. */
INLINE bool is_open(float x)
{
	return x > 0 && x < ACTIVE_MOST;
}

/* Adds a content's vector, rotated for its part, to the hidden layer. */
INLINE void add_vector(float *hidden, const float *vector, int part)
{
	for (int block = 0; block < NET_PARTS; block++) {
		const float *from = vector + (block + part) % NET_PARTS * NET_BLOCK;
		for (int j = 0; j < NET_BLOCK; j++)
			hidden[block * NET_BLOCK + j] += from[j];
	}
}

/* Adds the hidden layer's gradient to a vector's gradient, with the rotation undone. */
INLINE void take_vector(float *vector, const float *hidden, int part)
{
	for (int block = 0; block < NET_PARTS; block++) {
		float *to = vector + (block + part) % NET_PARTS * NET_BLOCK;
		for (int j = 0; j < NET_BLOCK; j++)
			to[j] += hidden[block * NET_BLOCK + j];
	}
}

INLINE float head_of(const struct learn_weights *w, const struct learn_view *v, const float *second,
		     int i)
{
	const float *head = w->heads[v->stage][v->pending][i];
	float x = w->head_bias[v->stage][v->pending][i];
	for (int j = 0; j < NET_SECOND; j++)
		x += head[j] * second[j];
	return x;
}

/* Returns the content of the part that a step is in. */
static inline size_t content_of(const struct learner *l, const struct learn_view *v, int step)
{
	return v->content[l->shape.part[step]];
}

FAST static void learn_run_forward(const struct learner *l, const struct learn_view *v,
				   struct forward *f)
{
	const struct learn_weights *w = &l->weights;
	for (int j = 0; j < NET_HIDDEN; j++)
		f->hidden[j] = w->hidden_bias[v->pending][j % NET_BLOCK];
	for (int part = 0; part < NET_PARTS; part++) {
		add_vector(f->hidden, l->contents[v->content[part]].details, part);
		for (int i = 0, rest = v->content[part]; rest; i++, rest /= 3)
			if (rest % 3)
				add_vector(f->hidden, w->stones[rest % 3 - 1][i], part);
	}
	for (int j = 0; j < NET_HIDDEN; j++)
		f->hidden[j] = active(f->hidden[j]);
	for (int k = 0; k < NET_SECOND; k++) {
		const float *second = w->second[v->stage][v->pending][k];
		float x = w->second_bias[v->stage][v->pending][k];
		for (int j = 0; j < NET_HIDDEN; j++)
			x += second[j] * f->hidden[j];
		f->second[k] = active(x);
	}
	f->value = tanhf(head_of(w, v, f->second, 0));
	float most = -1e9f, sum = 0;
	for (int i = 0; i < v->count; i++) {
		int step = v->steps[i];
		f->prior[i] = head_of(w, v, f->second, 1 + step) +
			      l->contents[content_of(l, v, step)].preferences[l->shape.local[step]];
		most = f->prior[i] > most ? f->prior[i] : most;
	}
	for (int i = 0; i < v->count; i++)
		sum += f->prior[i] = expf(f->prior[i] - most);
	for (int i = 0; i < v->count; i++)
		f->prior[i] /= sum;
}

INLINE void head_back(struct learner *l, const struct learn_view *v, const struct forward *f, int i,
		      float slope, float *second)
{
	const float *head = l->weights.heads[v->stage][v->pending][i];
	float *gradient = l->gradient.heads[v->stage][v->pending][i];
	l->gradient.head_bias[v->stage][v->pending][i] += slope;
	for (int j = 0; j < NET_SECOND; j++) {
		gradient[j] += slope * f->second[j];
		second[j] += slope * head[j];
	}
}

static void see(struct learner *l, uint16_t content)
{
	if (!l->is_seen[content])
		l->seen[l->seen_count++] = content;
	l->is_seen[content] = true;
}

/* Adds the gradient of one sample's error to the batch. */
FAST static void learn_run_backward(struct learner *l, const struct learn_view *v, float target,
				    const struct forward *f)
{
	const struct learn_weights *w = &l->weights;
	struct learn_weights *g = &l->gradient;
	float second[NET_SECOND] = { 0 }, hidden[NET_HIDDEN] = { 0 };
	for (int part = 0; part < NET_PARTS; part++)
		see(l, v->content[part]);
	head_back(l, v, f, 0, (f->value - target) * (1 - f->value * f->value), second);
	for (int i = 0; i < v->count; i++) {
		int step = v->steps[i];
		float x = PRIORS_PART * (f->prior[i] - v->share[i]);
		head_back(l, v, f, 1 + step, x, second);
		l->content_gradient[content_of(l, v, step)].preferences[l->shape.local[step]] += x;
	}
	for (int k = 0; k < NET_SECOND; k++) {
		if (!is_open(f->second[k]))
			continue;
		const float *weights = w->second[v->stage][v->pending][k];
		float *gradient = g->second[v->stage][v->pending][k];
		g->second_bias[v->stage][v->pending][k] += second[k];
		for (int j = 0; j < NET_HIDDEN; j++) {
			gradient[j] += second[k] * f->hidden[j];
			hidden[j] += second[k] * weights[j];
		}
	}
	for (int j = 0; j < NET_HIDDEN; j++)
		hidden[j] = is_open(f->hidden[j]) ? hidden[j] : 0;
	for (int j = 0; j < NET_HIDDEN; j++)
		g->hidden_bias[v->pending][j % NET_BLOCK] += hidden[j];
	for (int part = 0; part < NET_PARTS; part++) {
		take_vector(l->content_gradient[v->content[part]].details, hidden, part);
		for (int i = 0, rest = v->content[part]; rest; i++, rest /= 3)
			if (rest % 3)
				take_vector(g->stones[rest % 3 - 1][i], hidden, part);
	}
}

static float learn_target_of(const struct sample *s)
{
	return s->exact ? s->search : RESULT_PART * s->result + (1 - RESULT_PART) * s->search;
}

FAST static void learn_step_weights(const struct adam *adam, float *w, const float *gradient,
				    float *mean, float *square, size_t n, float most)
{
	for (size_t i = 0; i < n; i++)
		adam_step(adam, &w[i], &mean[i], &square[i],
			  gradient[i] / LEARN_BATCH + SHRINK * w[i], most);
}

/* Updates all weights. They stay in the range of the network's integers. */
static void learn_take_step(struct learner *l, double rate)
{
	const size_t later = offsetof(struct learn_weights, second) / sizeof(float);
	const struct adam adam = adam_begin(++l->taken, rate);
	float *w = (float *)&l->weights, *mean = (float *)&l->mean, *square = (float *)&l->square;
	const float *gradient = (const float *)&l->gradient;
	learn_step_weights(&adam, w, gradient, mean, square, later,
			   (float)NET_FIRST_CLIP / NET_UNIT);
	learn_step_weights(&adam, w + later, gradient + later, mean + later, square + later,
			   WEIGHTS - later, (float)NET_LATER_CLIP / NET_WEIGHT);
	for (; l->seen_count > 0; l->seen_count--) {
		size_t i = l->seen[l->seen_count - 1];
		learn_step_weights(&adam, (float *)&l->contents[i],
				   (float *)&l->content_gradient[i], (float *)&l->content_mean[i],
				   (float *)&l->content_square[i], CONTENT,
				   (float)DETAIL_CLIP * NET_DETAIL / NET_UNIT);
		memset(&l->content_gradient[i], 0, sizeof l->content_gradient[i]);
		l->is_seen[i] = false;
	}
}

void learner_train(struct learner *l, const struct sample *samples, size_t count, int steps,
		   double rate)
{
	for (int i = 0; i < steps; i++) {
		memset(&l->gradient, 0, sizeof l->gradient);
		for (int k = 0; k < LEARN_BATCH; k++) {
			const struct sample *s = &samples[rng_below(&l->rng, (uint32_t)count)];
			struct learn_view v;
			struct forward f;
			if (s->held)
				continue;
			learn_look(l, s, (int)rng_below(&l->rng, (uint32_t)l->symmetries), &v);
			learn_run_forward(l, &v, &f);
			learn_run_backward(l, &v, learn_target_of(s), &f);
		}
		learn_take_step(l, rate);
	}
}

struct learner_error learner_error(const struct learner *l, const struct sample *samples,
				   size_t count, size_t most)
{
	double squares = 0, entropy = 0;
	size_t n = 0;
	for (size_t i = count; i-- && n < most;) {
		const struct sample *s = &samples[i];
		struct learn_view v;
		struct forward f;
		if (!s->held)
			continue;
		learn_look(l, s, 0, &v);
		learn_run_forward(l, &v, &f);
		squares += (f.value - learn_target_of(s)) * (f.value - learn_target_of(s));
		for (int j = 0; j < v.count; j++)
			entropy -= v.share[j] * log(f.prior[j] + 1e-9);
		n++;
	}
	n = n ? n : 1;
	return (struct learner_error) { sqrt(squares / (double)n), entropy / (double)n };
}

static int16_t learn_whole(float x, int unit, int clip)
{
	long n = lrintf(x * (float)unit);
	return (int16_t)(n > clip ? clip : n < -clip ? -clip : n);
}

void *learner_net(const struct learner *l, size_t *size)
{
	const struct learn_weights *w = &l->weights;
	struct net_weights *out = xcalloc(1, sizeof *out);
	struct net_layers *layers = &out->layers;
	for (int p = 0; p < 2; p++)
		for (int j = 0; j < NET_BLOCK; j++)
			layers->hidden_bias[p][j] = learn_whole(w->hidden_bias[p][j], NET_UNIT,
								NET_FIRST_CLIP);
	for (int i = 0; i < STONES; i++)
		(&out->stones[0][0][0])[i] = learn_whole((&w->stones[0][0][0])[i], NET_UNIT,
							 NET_FIRST_CLIP);
	for (int i = 0; i < NET_CONTENTS; i++) {
		for (int j = 0; j < NET_HIDDEN; j++)
			out->details[i][j] = (int8_t)learn_whole(
				l->contents[i].details[j], NET_UNIT / NET_DETAIL, DETAIL_CLIP);
		for (int j = 0; j < NET_LOCALS; j++)
			layers->preferences[i][j] = learn_whole(
				l->contents[i].preferences[j],
				NET_UNIT * NET_WEIGHT / NET_PREFERENCE, INT16_MAX);
	}
	for (int i = 0; i < 2 * NET_STAGES; i++) {
		int stage = i / 2, p = i % 2;
		for (int k = 0; k < NET_SECOND; k++) {
			layers->second_bias[stage][p][k] = (int32_t)lrintf(
				w->second_bias[stage][p][k] * NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_HIDDEN; j++)
				layers->second[stage][p][j / 2][k][j % 2] = learn_whole(
					w->second[stage][p][k][j], NET_WEIGHT, NET_LATER_CLIP);
		}
		for (int k = 0; k < NET_HEADS; k++) {
			layers->head_bias[stage][p][k] = (int32_t)lrintf(w->head_bias[stage][p][k] *
									 NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_SECOND; j++)
				layers->heads[stage][p][k][j] = learn_whole(
					w->heads[stage][p][k][j], NET_WEIGHT, NET_LATER_CLIP);
		}
	}
	void *file = net_file(l->game, out, size);
	free(out);
	return file;
}

bool learner_take_net(struct learner *l, const void *net)
{
	struct net_weights *from = net_read(l->game, net);
	if (!from)
		return false;
	const struct net_layers *layers = &from->layers;
	struct learn_weights *w = &l->weights;
	for (int p = 0; p < 2; p++)
		for (int j = 0; j < NET_BLOCK; j++)
			w->hidden_bias[p][j] = (float)layers->hidden_bias[p][j] / NET_UNIT;
	for (int i = 0; i < STONES; i++)
		(&w->stones[0][0][0])[i] = (float)(&from->stones[0][0][0])[i] / NET_UNIT;
	for (int i = 0; i < NET_CONTENTS; i++) {
		for (int j = 0; j < NET_HIDDEN; j++)
			l->contents[i].details[j] = (float)(from->details[i][j] * NET_DETAIL) /
						    NET_UNIT;
		for (int j = 0; j < NET_LOCALS; j++)
			l->contents[i].preferences[j] = (float)(layers->preferences[i][j] *
								NET_PREFERENCE) /
							(NET_UNIT * NET_WEIGHT);
	}
	for (int i = 0; i < 2 * NET_STAGES; i++) {
		int stage = i / 2, p = i % 2;
		for (int k = 0; k < NET_SECOND; k++) {
			w->second_bias[stage][p][k] = (float)layers->second_bias[stage][p][k] /
						      (NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_HIDDEN; j++) {
				int16_t weight = layers->second[stage][p][j / 2][k][j % 2];
				w->second[stage][p][k][j] = (float)weight / NET_WEIGHT;
			}
		}
		for (int k = 0; k < NET_HEADS; k++) {
			w->head_bias[stage][p][k] = (float)layers->head_bias[stage][p][k] /
						    (NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_SECOND; j++)
				w->heads[stage][p][k][j] = (float)layers->heads[stage][p][k][j] /
							   NET_WEIGHT;
		}
	}
	free(from);
	return true;
}

struct packet learner_state(struct learner *l)
{
	return (struct packet) { l, SAVED };
}

bool learner_resume(struct learner *l, const void *state)
{
	const struct learner *saved = state;
	bool fits = memcmp(saved->magic, l->magic, sizeof l->magic) == 0 &&
		    saved->squares == l->squares && saved->steps == l->steps;
	if (fits)
		memcpy(l, saved, SAVED);
	return fits;
}
