/* SPDX-License-Identifier: MIT */
#include "tools/learn/quadrant_learn.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/board_net.h"
#include "games/pentago/quadrant_net.h"
#include "tools/learn/adam.h"

#define DETAIL_CLIP INT8_MAX
#define STONES      (2 * NET_PLACES * NET_HIDDEN) /* number of stone weights */
#define SHRINK      1e-5f                         /* weight decay */
#define RESULT_PART                                                                                \
	0.6f /* weight of the result in the value's target; the search's value has the rest */
#define PRIORS_PART 0.5f /* weight of the priors' error, relative to the value's */

/* One number per weight. Gradients and Adam's moments have the same layout. Every batch changes all of
 * these. */
struct quadrant_learn_weights {
	float hidden_bias[2][NET_BLOCK], stones[2][NET_PLACES][NET_HIDDEN];
	float second[NET_STAGES][2][NET_SECOND][NET_HIDDEN];
	float second_bias[NET_STAGES][2][NET_SECOND];
	float heads[NET_STAGES][2][NET_HEADS][NET_SECOND], head_bias[NET_STAGES][2][NET_HEADS];
};
#define WEIGHTS (sizeof(struct quadrant_learn_weights) / sizeof(float))

/* A batch changes these only for the contents that occur in it. */
struct content {
	float details[NET_HIDDEN], preferences[NET_LOCALS];
};
#define CONTENT (sizeof(struct content) / sizeof(float))

struct quadrant_learner {
	char magic[8];
	uint32_t squares, steps; /* properties of the game */
	uint64_t taken;          /* training steps */
	struct rng rng;
	struct quadrant_learn_weights weights, mean, square;
	struct content contents[NET_CONTENTS], content_mean[NET_CONTENTS],
		content_square[NET_CONTENTS];
	struct quadrant_learn_weights gradient;
	struct content content_gradient[NET_CONTENTS];
	uint16_t seen[NET_CONTENTS]; /* contents that occur in the batch, each once */
	bool is_seen[NET_CONTENTS];
	int seen_count;
	const struct game *game;
	struct net_shape shape;
	struct learner_symmetries symmetries;
};
/* Size of the saved part: everything before the gradient. */
#define SAVED offsetof(struct quadrant_learner, gradient)

static void *quadrant_learner_create(const struct game *g, int blocks, uint64_t seed, int threads)
{
	struct quadrant_learner *l = xcalloc(1, sizeof *l);
	struct quadrant_learn_weights *w = &l->weights;
	memcpy(l->magic, "yomilrn2", sizeof l->magic);
	l->game = g;
	l->shape = net_shape_of(g);
	l->squares = (uint32_t)(g->board.rows * g->board.cols);
	l->steps = (uint32_t)g->steps.codes;
	learner_find_symmetries(&l->symmetries, g);
	rng_seed(&l->rng, seed);
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

static void quadrant_learner_destroy(void *learner)
{
	free(learner);
}

/* A sample seen in one symmetry. */
struct quadrant_learn_view {
	uint16_t content[NET_PARTS];
	int stage, count;
	bool pending;
	uint16_t steps[NET_HEADS];
	float share[NET_HEADS]; /* of the visits */
};

static void quadrant_learn_look(const struct quadrant_learner *l, const struct sample *s,
				int symmetry, struct quadrant_learn_view *v)
{
	uint64_t own = 0, other = 0;
	for (uint32_t i = 0; i < l->squares; i++) {
		uint64_t square = UINT64_C(1) << l->symmetries.square[symmetry][i];
		own |= s->bytes[i] & BOARD_NET_OWN ? square : 0;
		other |= s->bytes[i] & BOARD_NET_OTHER ? square : 0;
	}
	net_contents(&l->shape, own, other, v->content);
	v->stage = net_stage(__builtin_popcountll(own | other));
	v->pending = s->pending;
	v->count = sample_steps(l->game, s, l->symmetries.code[symmetry], v->steps, v->share);
}

/* The network's activations and outputs for a view. */
struct forward {
	float hidden[NET_HIDDEN], second[NET_SECOND], value;
	float prior[NET_HEADS];
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

INLINE float head_of(const struct quadrant_learn_weights *w, const struct quadrant_learn_view *v,
		     const float *second, int i)
{
	const float *head = w->heads[v->stage][v->pending][i];
	float x = w->head_bias[v->stage][v->pending][i];
	for (int j = 0; j < NET_SECOND; j++)
		x += head[j] * second[j];
	return x;
}

/* Returns the content of the part that a step is in. */
static inline size_t content_of(const struct quadrant_learner *l,
				const struct quadrant_learn_view *v, int step)
{
	return v->content[l->shape.part[step]];
}

INLINE void quadrant_learn_run_forward_body(const struct quadrant_learner *l,
					    const struct quadrant_learn_view *v, struct forward *f)
{
	const struct quadrant_learn_weights *w = &l->weights;
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
FAST(quadrant_learn_run_forward,
     (const struct quadrant_learner *l, const struct quadrant_learn_view *v, struct forward *f),
     (l, v, f))

INLINE void head_back(struct quadrant_learner *l, const struct quadrant_learn_view *v,
		      const struct forward *f, int i, float slope, float *second)
{
	const float *head = l->weights.heads[v->stage][v->pending][i];
	float *gradient = l->gradient.heads[v->stage][v->pending][i];
	l->gradient.head_bias[v->stage][v->pending][i] += slope;
	for (int j = 0; j < NET_SECOND; j++) {
		gradient[j] += slope * f->second[j];
		second[j] += slope * head[j];
	}
}

static void see(struct quadrant_learner *l, uint16_t content)
{
	if (!l->is_seen[content])
		l->seen[l->seen_count++] = content;
	l->is_seen[content] = true;
}

/* Adds the gradient of one sample's error to the batch. */
INLINE void quadrant_learn_run_backward_body(struct quadrant_learner *l,
					     const struct quadrant_learn_view *v, float target,
					     const struct forward *f)
{
	const struct quadrant_learn_weights *w = &l->weights;
	struct quadrant_learn_weights *g = &l->gradient;
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
FAST(quadrant_learn_run_backward,
     (struct quadrant_learner * l, const struct quadrant_learn_view *v, float target,
      const struct forward *f),
     (l, v, target, f))

INLINE void quadrant_learn_step_weights_body(const struct adam *adam, float *w,
					     const float *gradient, float *mean, float *square,
					     size_t n, float most)
{
	for (size_t i = 0; i < n; i++)
		adam_step(adam, &w[i], &mean[i], &square[i],
			  gradient[i] / LEARN_BATCH + SHRINK * w[i], most);
}
FAST(quadrant_learn_step_weights,
     (const struct adam *adam, float *w, const float *gradient, float *mean, float *square,
      size_t n, float most),
     (adam, w, gradient, mean, square, n, most))

/* Updates all weights. They stay in the range of the network's integers. */
static void quadrant_learn_take_step(struct quadrant_learner *l, double rate)
{
	const size_t later = offsetof(struct quadrant_learn_weights, second) / sizeof(float);
	const struct adam adam = adam_begin(++l->taken, rate);
	float *w = (float *)&l->weights, *mean = (float *)&l->mean, *square = (float *)&l->square;
	const float *gradient = (const float *)&l->gradient;
	quadrant_learn_step_weights(&adam, w, gradient, mean, square, later,
				    (float)NET_FIRST_CLIP / NET_UNIT);
	quadrant_learn_step_weights(&adam, w + later, gradient + later, mean + later,
				    square + later, WEIGHTS - later,
				    (float)NET_LATER_CLIP / NET_WEIGHT);
	for (; l->seen_count > 0; l->seen_count--) {
		size_t i = l->seen[l->seen_count - 1];
		quadrant_learn_step_weights(
			&adam, (float *)&l->contents[i], (float *)&l->content_gradient[i],
			(float *)&l->content_mean[i], (float *)&l->content_square[i], CONTENT,
			(float)DETAIL_CLIP * NET_DETAIL / NET_UNIT);
		memset(&l->content_gradient[i], 0, sizeof l->content_gradient[i]);
		l->is_seen[i] = false;
	}
}

static void quadrant_learner_train(void *learner, const void *samples, size_t count, int steps,
				   double rate)
{
	struct quadrant_learner *l = learner;
	size_t size = sample_size(l->game);
	for (int i = 0; i < steps; i++) {
		memset(&l->gradient, 0, sizeof l->gradient);
		for (int k = 0; k < LEARN_BATCH; k++) {
			size_t at = rng_below(&l->rng, (uint32_t)count) * size;
			const struct sample *s = (const void *)((const char *)samples + at);
			struct quadrant_learn_view v;
			struct forward f;
			if (s->held)
				continue;
			quadrant_learn_look(
				l, s, (int)rng_below(&l->rng, (uint32_t)l->symmetries.count), &v);
			quadrant_learn_run_forward(l, &v, &f);
			quadrant_learn_run_backward(l, &v, sample_target(s, RESULT_PART), &f);
		}
		quadrant_learn_take_step(l, rate);
	}
}

static struct learner_error quadrant_learner_guess(void *learner, const struct sample *s)
{
	const struct quadrant_learner *l = learner;
	struct quadrant_learn_view v;
	struct forward f;
	quadrant_learn_look(l, s, 0, &v);
	quadrant_learn_run_forward(l, &v, &f);
	return (struct learner_error) { (double)(f.value - sample_target(s, RESULT_PART)),
					learner_policy_loss(v.share, f.prior, v.count) };
}

static struct packet quadrant_learner_file(const void *learner)
{
	const struct quadrant_learner *l = learner;
	struct packet file;
	const struct quadrant_learn_weights *w = &l->weights;
	struct net_weights *out = xcalloc(1, sizeof *out);
	struct net_layers *layers = &out->layers;
	for (int p = 0; p < 2; p++)
		for (int j = 0; j < NET_BLOCK; j++)
			layers->hidden_bias[p][j] = (int16_t)learner_whole(
				w->hidden_bias[p][j], NET_UNIT, NET_FIRST_CLIP);
	for (int i = 0; i < STONES; i++)
		(&out->stones[0][0][0])[i] = (int16_t)learner_whole((&w->stones[0][0][0])[i],
								    NET_UNIT, NET_FIRST_CLIP);
	for (int i = 0; i < NET_CONTENTS; i++) {
		for (int j = 0; j < NET_HIDDEN; j++)
			out->details[i][j] = (int8_t)learner_whole(l->contents[i].details[j],
								   (float)NET_UNIT / NET_DETAIL,
								   DETAIL_CLIP);
		for (int j = 0; j < NET_LOCALS; j++)
			layers->preferences[i][j] = (int16_t)learner_whole(
				l->contents[i].preferences[j],
				(float)NET_UNIT * NET_WEIGHT / NET_PREFERENCE, INT16_MAX);
	}
	for (int i = 0; i < 2 * NET_STAGES; i++) {
		int stage = i / 2, p = i % 2;
		for (int k = 0; k < NET_SECOND; k++) {
			layers->second_bias[stage][p][k] = (int32_t)lrintf(
				w->second_bias[stage][p][k] * NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_HIDDEN; j++)
				layers->second[stage][p][j / 2][k][j % 2] = (int16_t)learner_whole(
					w->second[stage][p][k][j], NET_WEIGHT, NET_LATER_CLIP);
		}
		for (int k = 0; k < NET_HEADS; k++) {
			layers->head_bias[stage][p][k] = (int32_t)lrintf(w->head_bias[stage][p][k] *
									 NET_UNIT * NET_WEIGHT);
			for (int j = 0; j < NET_SECOND; j++)
				layers->heads[stage][p][k][j] = (int16_t)learner_whole(
					w->heads[stage][p][k][j], NET_WEIGHT, NET_LATER_CLIP);
		}
	}
	file.bytes = net_file(l->game, out, &file.size);
	free(out);
	return file;
}

bool quadrant_learner_take(struct quadrant_learner *l, const void *net)
{
	struct net_weights *from = net_read(l->game, net);
	if (!from)
		return false;
	const struct net_layers *layers = &from->layers;
	struct quadrant_learn_weights *w = &l->weights;
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

static struct packet quadrant_learner_state(void *learner)
{
	return (struct packet) { learner, SAVED };
}

static bool quadrant_learner_resume(void *learner, const void *state)
{
	struct quadrant_learner *l = learner;
	const struct quadrant_learner *saved = state;
	bool fits = memcmp(saved->magic, l->magic, sizeof l->magic) == 0 &&
		    saved->squares == l->squares && saved->steps == l->steps;
	if (fits)
		memcpy(l, saved, SAVED);
	return fits;
}

const struct learner_kind quadrant_learner_kind = {
	.create = quadrant_learner_create,
	.destroy = quadrant_learner_destroy,
	.train = quadrant_learner_train,
	.guess = quadrant_learner_guess,
	.file = quadrant_learner_file,
	.state = quadrant_learner_state,
	.resume = quadrant_learner_resume,
};
