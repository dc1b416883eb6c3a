/* SPDX-License-Identifier: MIT */
#include "tools/learn/board_learn.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/rules/network.h"
#include "tools/learn/convolution.h"
#include "tools/learn/line_learn.h"

#define CHANNELS BOARD_NET_CHANNELS
#define SLICES   16    /* parts of a batch, each with its own gradient */
#define SHRINK   1e-4f /* weight decay */
#define RESULT_PART                                                                                \
	0.5f /* weight of the result in the value's target; the search's value has the rest */
#define OWNER_PART  1.0f /* weight of the loss of the owners, relative to the value's */

/* Largest activation that the network's integers represent; largest weight of the heads. */
#define ACTIVE_MOST ((float)BOARD_NET_CLIP / BOARD_NET_UNIT)
#define HEAD_MOST   ((float)BOARD_NET_HEAD_CLIP / BOARD_NET_HEAD_UNIT)

#define PLANE_MAX   ((GAME_SIDE_MAX + 2) * (GAME_SIDE_MAX + 1) + 2 + CONVOLUTION_TILE)

typedef convolution_square plane[PLANE_MAX];

struct layer {
	float bias[CHANNELS];
	float weights[BOARD_NET_TAPS][CHANNELS][CHANNELS]; /* [tap][input][output] */
};

/* Gradients and Adam's moments have the same layout. Only the layers of the learner's blocks are used. */
struct board_learn_weights {
	float policy[BOARD_NET_WAYS][CHANNELS], policy_bias[BOARD_NET_WAYS];
	float hidden[BOARD_NET_HEAD][BOARD_NET_POOLED], hidden_bias[BOARD_NET_HEAD];
	float value[BOARD_NET_HEAD], value_bias, other[BOARD_NET_HEAD], other_bias;
	float owner[CHANNELS], owner_bias;
	struct layer layers[BOARD_NET_LAYERS];
};
#define HEADS (offsetof(struct board_learn_weights, layers) / sizeof(float))

/* What a thread computes one sample with. */
struct workspace {
	plane out[BOARD_NET_LAYERS + 1];        /* the input, then the output of each layer */
	float mean[BOARD_NET_LAYERS][CHANNELS]; /* of each layer's input */
	float pooled[BOARD_NET_POOLED], hidden[BOARD_NET_HEAD];
	int most[CHANNELS]; /* the place of each channel's maximum */
	plane lines;        /* added to the output of the first layer */
	float value, preference[GAME_CODES_MAX];
	float owner[GAME_SQUARES_MAX]; /* of the squares of a view: what is expected */
	plane slope[3];                /* of the loss by activations */
};

struct board_learner {
	char magic[8];
	uint32_t squares, codes, blocks;
	uint64_t taken; /* optimizer steps */
	struct rng rng;
	struct board_learn_weights weights, first, second; /* Adam's moments */
	line_table lines[3]; /* the same of the lines; only a game with lines saves them */
	/* Not saved: */
	line_table line_gradient;
	struct line_slopes *slopes; /* of a batch's samples; NULL: the game has no lines */
	struct board_learn_weights gradient[SLICES];
	struct layer
		turned[BOARD_NET_LAYERS]; /* by output, with opposite taps: carries slopes back */
	const struct game *game;
	int ways, layers, threads, pitch, begin, count;
	uint16_t place[GAME_SQUARES_MAX];
	struct learner_symmetries symmetries;
	struct workspace *work[SLICES]; /* of each thread */
};
/* Size of the saved part of a game with lines: everything before the gradients. */
#define SAVED offsetof(struct board_learner, line_gradient)

/* Number of weights in use. */
static size_t weight_count(const struct board_learner *l)
{
	return HEADS + (size_t)l->layers * (sizeof(struct layer) / sizeof(float));
}

static void randomize(struct board_learner *l)
{
	struct board_learn_weights *w = &l->weights;
	for (int i = 0; i < l->layers; i++) {
		int inputs = i ? CHANNELS : BOARD_NET_INPUTS;
		/* The second layer of a block adds little at first. */
		float most = sqrtf(6.f / (float)(9 * inputs)) * (i && i % 2 == 0 ? 0.3f : 1);
		for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
			for (int c = 0; c < inputs; c++)
				for (int k = 0; k < CHANNELS; k++)
					w->layers[i].weights[tap][c][k] = most * uniform(&l->rng);
	}
	for (int i = 0; i < l->ways; i++)
		for (int k = 0; k < CHANNELS; k++)
			w->policy[i][k] = uniform(&l->rng) / 20;
	for (int i = 0; i < BOARD_NET_HEAD; i++) {
		for (int k = 0; k < BOARD_NET_POOLED; k++)
			w->hidden[i][k] = uniform(&l->rng) * sqrtf(6.f / BOARD_NET_POOLED);
		w->value[i] = uniform(&l->rng) / 10;
		w->other[i] = uniform(&l->rng) / 20;
	}
	for (int k = 0; k < CHANNELS; k++)
		w->owner[k] = uniform(&l->rng) / 20;
	for (int i = 0; i < LINES_ROWS; i++)
		for (int k = 0; k < CHANNELS; k++)
			l->lines[0][i][k] = LINE_FIRST;
}

static void *board_learner_create(const struct game *g, int blocks, uint64_t seed, int threads)
{
	struct board_learner *l = xcalloc(1, sizeof *l);
	memcpy(l->magic, "yomibln3", sizeof l->magic);
	l->game = g;
	l->squares = (uint32_t)(g->board.rows * g->board.cols);
	l->codes = (uint32_t)g->steps.codes;
	l->blocks = (uint32_t)blocks;
	l->layers = 1 + 2 * blocks;
	l->threads = threads < 1 ? 1 : threads > SLICES ? SLICES : threads;
	l->pitch = g->board.cols + 1;
	l->begin = l->pitch + 1;
	l->count = (g->board.rows - 1) * l->pitch + g->board.cols;
	if (!board_net_fits(g, &l->ways))
		abort();
	for (int i = 0; i < (int)l->squares; i++)
		l->place[i] = (uint16_t)(l->begin + i / g->board.cols * l->pitch +
					 i % g->board.cols);
	learner_find_symmetries(&l->symmetries, g);
	for (int i = 0; i < l->threads; i++)
		l->work[i] = xcalloc(1, sizeof *l->work[i]);
	if (network_has_lines(g))
		l->slopes = xcalloc(LEARN_BATCH, sizeof *l->slopes);
	rng_seed(&l->rng, seed);
	randomize(l);
	return l;
}

static void board_learner_destroy(void *learner)
{
	struct board_learner *l = learner;
	if (!l)
		return;
	for (int i = 0; i < l->threads; i++)
		free(l->work[i]);
	free(l->slopes);
	free(l);
}

/* --- one sample --- */

/* The squares of a sample, in a symmetry. */
struct board_learn_view {
	const struct sample *sample;
	int on_board, symmetry, count;
	uint16_t place[GAME_SQUARES_MAX];        /* of the squares on the board */
	uint16_t code[GAME_CODES_MAX];           /* of the legal steps */
	float share[GAME_CODES_MAX];             /* of the visits */
	uint8_t owner[GAME_SQUARES_MAX];         /* of the squares on the board, as in the sample */
	lines_of_square lines[GAME_SQUARES_MAX]; /* of the squares on the board */
	bool off[PLANE_MAX];
};

/* Finds the lines of the squares on the board. */
static void board_learn_look_along(const struct board_learner *l, const struct sample *s,
				   const uint16_t *square_map, struct board_learn_view *v)
{
	uint8_t seen[GAME_SQUARES_MAX];
	lines_of_square lines[GAME_SQUARES_MAX];
	int n = 0;
	for (int i = 0; i < (int)l->squares; i++)
		seen[square_map[i]] = s->bytes[i];
	lines_find(l->game, seen, lines);
	for (int i = 0; i < (int)l->squares; i++)
		if (s->bytes[i])
			memcpy(v->lines[n++], lines[square_map[i]], sizeof *lines);
}

static void board_learn_look(const struct board_learner *l, const struct sample *s, int symmetry,
			     struct board_learn_view *v, plane in)
{
	const uint16_t *squares = l->symmetries.square[symmetry];
	const uint8_t *owner = network_has_owners(l->game) ? s->bytes + l->squares + l->codes
							   : NULL;
	memset(in, 0, (size_t)(l->count + 2 * l->begin + CONVOLUTION_TILE) * sizeof in[0]);
	v->sample = s;
	v->on_board = 0;
	memset(v->off, 1, sizeof v->off);
	for (int i = 0; i < (int)l->squares; i++) {
		int place = l->place[squares[i]];
		if (!s->bytes[i])
			continue;
		v->off[place] = false;
		v->owner[v->on_board] = owner ? owner[i] : 0;
		v->place[v->on_board++] = (uint16_t)place;
		for (int c = 0; c < BOARD_NET_INPUTS; c++)
			in[place][c] = (float)(s->bytes[i] >> c & 1);
	}
	assert(v->on_board > 0);
	if (network_has_lines(l->game))
		board_learn_look_along(l, s, squares, v);
	v->count = sample_steps(l->game, s, l->symmetries.code[symmetry], v->code, v->share);
}

INLINE float clipped(float x)
{
	return x < 0 ? 0 : x > ACTIVE_MOST ? ACTIVE_MOST : x;
}

/* Runs a layer. `add` is added to its output; NULL: nothing. */
INLINE void run_layer(const struct board_learner *l, const struct board_learn_view *v,
		      const struct layer *layer, plane in, int inputs, plane add,
		      float mean[CHANNELS], plane out)
{
	float bias[CHANNELS];
	memset(mean, 0, CHANNELS * sizeof *mean);
	for (int i = 0; i < v->on_board; i++)
		for (int k = 0; k < CHANNELS; k++)
			mean[k] += in[v->place[i]][k];
	memcpy(bias, layer->bias, sizeof bias);
	for (int c = 0; c < inputs; c++) {
		mean[c] /= (float)v->on_board;
		for (int k = 0; k < CHANNELS; k++)
			bias[k] += mean[c] * layer->weights[9][c][k];
	}
	convolution_run((const convolution_square *)in + l->begin, inputs, layer->weights, bias,
			l->pitch, l->count, out + l->begin);
	for (int i = l->begin; i < l->begin + l->count + CONVOLUTION_TILE; i++)
		for (int k = 0; k < CHANNELS; k++)
			out[i][k] = v->off[i] ? 0 : clipped(out[i][k] + (add ? add[i][k] : 0));
}

INLINE void run_lines(const line_table *table, const struct board_learn_view *v, plane out)
{
	for (int i = 0; i < v->on_board; i++)
		for (int k = 0; k < CHANNELS; k++) {
			float sum = 0;
			for (int d = 0; d < LINES_DIRECTIONS; d++)
				sum += (*table)[v->lines[i][d]][k];
			out[v->place[i]][k] = clipped(sum);
		}
}

INLINE void board_learn_run_forward_body(const struct board_learner *l,
					 const struct board_learn_view *v, struct workspace *w)
{
	const struct board_learn_weights *x = &l->weights;
	if (network_has_lines(l->game))
		run_lines(&l->lines[0], v, w->lines);
	for (int i = 0; i < l->layers; i++)
		if (i == 0)
			run_layer(l, v, &x->layers[0], w->out[0], BOARD_NET_INPUTS,
				  network_has_lines(l->game) ? w->lines : NULL, w->mean[0],
				  w->out[1]);
		else
			run_layer(l, v, &x->layers[i], w->out[i], CHANNELS,
				  i % 2 == 0 ? w->out[i - 1] : NULL, w->mean[i], w->out[i + 1]);
	plane *last = &w->out[l->layers];
	for (int k = 0; k < CHANNELS; k++)
		w->pooled[k] = 0, w->most[k] = v->place[0];
	for (int i = 0; i < v->on_board; i++)
		for (int k = 0; k < CHANNELS; k++) {
			float y = (*last)[v->place[i]][k];
			w->pooled[k] += y / (float)v->on_board;
			w->most[k] = y > (*last)[w->most[k]][k] ? v->place[i] : w->most[k];
		}
	for (int k = 0; k < CHANNELS; k++)
		w->pooled[CHANNELS + k] = (*last)[w->most[k]][k];
	float value = x->value_bias, other = x->other_bias;
	for (int i = 0; i < BOARD_NET_HEAD; i++) {
		float y = x->hidden_bias[i];
		for (int k = 0; k < BOARD_NET_POOLED; k++)
			y += x->hidden[i][k] * w->pooled[k];
		w->hidden[i] = y > 0 ? y : 0;
		value += x->value[i] * w->hidden[i];
		other += x->other[i] * w->hidden[i];
	}
	w->value = tanhf(value);
	float top = -1e9f, sum = 0;
	for (int i = 0; i < v->count; i++) {
		int way, square = board_net_place(l->game, l->ways, v->code[i], &way);
		float y = other;
		if (square < (int)l->squares) {
			const float *at = (*last)[l->place[square]];
			y = x->policy_bias[way];
			for (int k = 0; k < CHANNELS; k++)
				y += x->policy[way][k] * at[k];
		}
		w->preference[i] = y;
		top = y > top ? y : top;
	}
	for (int i = 0; i < v->count; i++)
		sum += w->preference[i] = expf(w->preference[i] - top);
	for (int i = 0; i < v->count; i++)
		w->preference[i] /= sum;
	for (int i = 0; i < v->on_board; i++) {
		float y = x->owner_bias;
		for (int k = 0; v->owner[i] && k < CHANNELS; k++)
			y += x->owner[k] * (*last)[v->place[i]][k];
		w->owner[i] = v->owner[i] ? tanhf(y) : 0;
	}
}
FAST(board_learn_run_forward,
     (const struct board_learner *l, const struct board_learn_view *v, struct workspace *w),
     (l, v, w))

/* The owner of a square as a number: -1 the other side, 1 the side that chose. */
static float board_learn_owner_of(const struct board_learn_view *v, int i)
{
	return (float)v->owner[i] - 2;
}

/* Carries the slopes of a layer's output back to its input, and adds its gradient. `slope` is 0 where the output is
 * clipped. */
INLINE void back_layer(const struct board_learner *l, const struct board_learn_view *v, int i,
		       plane in, int inputs, const float mean[CHANNELS], plane slope,
		       struct layer *gradient, plane back)
{
	float sum[CHANNELS] = { 0 };
	for (int n = 0; n < v->on_board; n++)
		for (int k = 0; k < CHANNELS; k++)
			sum[k] += slope[v->place[n]][k];
	for (int k = 0; k < CHANNELS; k++)
		gradient->bias[k] += sum[k];
	for (int c = 0; c < inputs; c++)
		for (int k = 0; k < CHANNELS; k++)
			gradient->weights[9][c][k] += mean[c] * sum[k];
	convolution_learn((const convolution_square *)in + l->begin, inputs,
			  (const convolution_square *)slope + l->begin, l->pitch, l->count,
			  gradient->weights);
	if (!back)
		return;
	float share[CHANNELS] = { 0 };
	for (int k = 0; k < CHANNELS; k++)
		for (int c = 0; c < CHANNELS; c++)
			share[c] += l->turned[i].weights[9][k][c] * sum[k] / (float)v->on_board;
	convolution_run((const convolution_square *)slope + l->begin, CHANNELS,
			l->turned[i].weights, share, l->pitch, l->count, back + l->begin);
}

/* Sets slopes to 0 where an output is clipped or off the board. */
INLINE void mask(const struct board_learner *l, const struct board_learn_view *v, plane out,
		 plane slope)
{
	for (int i = l->begin; i < l->begin + l->count + CONVOLUTION_TILE; i++)
		for (int k = 0; k < CHANNELS; k++)
			slope[i][k] = !v->off[i] && out[i][k] > 0 && out[i][k] < ACTIVE_MOST
					      ? slope[i][k]
					      : 0;
}

/* What a sample leaves for the gradient of the lines. `slope` is that of the first layer's output. */
INLINE void leave_lines(const struct board_learn_view *v, plane lines, plane slope,
			struct line_slopes *out)
{
	out->count = v->on_board;
	memcpy(out->lines, v->lines, (size_t)v->on_board * sizeof *out->lines);
	for (int i = 0; i < v->on_board; i++)
		for (int k = 0; k < CHANNELS; k++) {
			float y = lines[v->place[i]][k];
			out->slope[i][k] = y > 0 && y < ACTIVE_MOST ? slope[v->place[i]][k] : 0;
		}
}

/* Adds the gradient of one sample's loss. `lines` is NULL if the game has none. */
INLINE void board_learn_run_backward_body(const struct board_learner *l,
					  const struct board_learn_view *v, struct workspace *w,
					  struct board_learn_weights *g, struct line_slopes *lines)
{
	const struct board_learn_weights *x = &l->weights;
	float value = w->value - sample_target(v->sample, RESULT_PART), other = 0,
	      pooled[BOARD_NET_POOLED] = { 0 };
	size_t size = (size_t)(l->count + 2 * l->begin + CONVOLUTION_TILE) * sizeof w->slope[0][0];
	plane *last = &w->out[l->layers], *slope = &w->slope[0], *middle = &w->slope[1],
	      *back = &w->slope[2];
	for (int i = 0; i < 3; i++)
		memset(w->slope[i], 0, size);
	for (int i = 0; i < v->count; i++) {
		int way, square = board_net_place(l->game, l->ways, v->code[i], &way);
		float d = w->preference[i] - v->share[i];
		if (square >= (int)l->squares) {
			other += d;
			continue;
		}
		int place = l->place[square];
		g->policy_bias[way] += d;
		for (int k = 0; k < CHANNELS; k++) {
			g->policy[way][k] += d * (*last)[place][k];
			(*slope)[place][k] += d * x->policy[way][k];
		}
	}
	g->value_bias += value;
	g->other_bias += other;
	for (int i = 0; i < BOARD_NET_HEAD; i++) {
		g->value[i] += value * w->hidden[i];
		g->other[i] += other * w->hidden[i];
		float d = w->hidden[i] > 0 ? value * x->value[i] + other * x->other[i] : 0;
		g->hidden_bias[i] += d;
		for (int k = 0; k < BOARD_NET_POOLED; k++) {
			g->hidden[i][k] += d * w->pooled[k];
			pooled[k] += d * x->hidden[i][k];
		}
	}
	for (int i = 0; i < v->on_board; i++) {
		float d = v->owner[i] ? w->owner[i] - board_learn_owner_of(v, i) : 0;
		d *= OWNER_PART / (float)v->on_board;
		g->owner_bias += d;
		for (int k = 0; k < CHANNELS; k++) {
			g->owner[k] += d * (*last)[v->place[i]][k];
			(*slope)[v->place[i]][k] += pooled[k] / (float)v->on_board +
						    d * x->owner[k];
		}
	}
	for (int k = 0; k < CHANNELS; k++)
		(*slope)[w->most[k]][k] += pooled[CHANNELS + k];
	for (int b = (int)l->blocks - 1; b >= 0; b--) {
		int one = 1 + 2 * b, two = one + 1;
		mask(l, v, w->out[two + 1], *slope);
		back_layer(l, v, two, w->out[two], CHANNELS, w->mean[two], *slope, &g->layers[two],
			   *middle);
		mask(l, v, w->out[one + 1], *middle);
		back_layer(l, v, one, w->out[one], CHANNELS, w->mean[one], *middle, &g->layers[one],
			   *back);
		for (int i = 0; i < v->on_board; i++)
			for (int k = 0; k < CHANNELS; k++)
				(*slope)[v->place[i]][k] += (*back)[v->place[i]][k];
	}
	mask(l, v, w->out[1], *slope);
	if (lines)
		leave_lines(v, w->lines, *slope, lines);
	back_layer(l, v, 0, w->out[0], BOARD_NET_INPUTS, w->mean[0], *slope, &g->layers[0], NULL);
}
FAST(board_learn_run_backward,
     (const struct board_learner *l, const struct board_learn_view *v, struct workspace *w,
      struct board_learn_weights *g, struct line_slopes *lines),
     (l, v, w, g, lines))

/* --- batches --- */

static void turn_layers(struct board_learner *l)
{
	for (int i = 1; i < l->layers; i++)
		for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
			for (int c = 0; c < CHANNELS; c++)
				for (int k = 0; k < CHANNELS; k++)
					l->turned[i].weights[tap < 9 ? 8 - tap : tap][k][c] =
						l->weights.layers[i].weights[tap][c][k];
}

INLINE void board_learn_step_weights_body(struct board_learner *l, size_t from, size_t to,
					  float most, const struct adam *adam)
{
	float *w = (float *)&l->weights, *first = (float *)&l->first, *second = (float *)&l->second;
	for (size_t i = from; i < to; i++) {
		float g = SHRINK * w[i];
		for (int s = 0; s < SLICES; s++)
			g += ((const float *)&l->gradient[s])[i] / LEARN_BATCH;
		adam_step(adam, &w[i], &first[i], &second[i], g, most);
	}
}
FAST(board_learn_step_weights,
     (struct board_learner * l, size_t from, size_t to, float most, const struct adam *adam),
     (l, from, to, most, adam))

/* The part of a thread in an optimizer step. `taken` counts the steps, this one included. */
static void board_learn_take_step(struct board_learner *l, int thread, uint64_t taken, double rate)
{
	const struct adam adam = adam_begin(taken, rate);
	if (l->slopes)
		line_learn_step(&(struct line_step) { .weights = &l->lines[0],
						      .first = &l->lines[1],
						      .second = &l->lines[2],
						      .gradient = &l->line_gradient,
						      .slopes = l->slopes,
						      .samples = LEARN_BATCH,
						      .thread = thread,
						      .threads = l->threads,
						      .adam = adam });
	if (thread > 0)
		return;
	l->taken = taken;
	board_learn_step_weights(l, 0, HEADS, HEAD_MOST, &adam);
	board_learn_step_weights(l, HEADS, weight_count(l), 100, &adam);
	turn_layers(l);
}

/* What the threads of a training share. The first one draws the samples and takes the steps, but each
 * steps with its own rows of the lines. */
struct board_learn_job {
	struct board_learner *learner;
	const char *samples;
	size_t count, size;
	int steps;
	uint64_t taken; /* before them */
	double rate;
	pthread_barrier_t barrier;
	struct {
		size_t sample;
		uint8_t symmetry;
	} batch[LEARN_BATCH];
};

static void learn_slice(struct board_learn_job *x, int slice, struct workspace *w)
{
	struct board_learner *l = x->learner;
	struct board_learn_view v;
	memset(&l->gradient[slice], 0, weight_count(l) * sizeof(float));
	for (int i = slice; i < LEARN_BATCH; i += SLICES) {
		const void *sample = x->samples + x->batch[i].sample * x->size;
		struct line_slopes *lines = l->slopes ? &l->slopes[i] : NULL;
		if (lines)
			lines->count = 0;
		if (((const struct sample *)sample)->held)
			continue;
		board_learn_look(l, sample, x->batch[i].symmetry, &v, w->out[0]);
		board_learn_run_forward(l, &v, w);
		board_learn_run_backward(l, &v, w, &l->gradient[slice], lines);
	}
}

static void board_learn_run_thread(void *arg, int number)
{
	struct board_learn_job *x = arg;
	struct board_learner *l = x->learner;
	for (int step = 0; step < x->steps; step++) {
		for (int i = 0; number == 0 && i < LEARN_BATCH; i++) {
			x->batch[i].sample = (size_t)(rng_next(&l->rng) % x->count);
			x->batch[i].symmetry = (uint8_t)rng_below(&l->rng,
								  (uint32_t)l->symmetries.count);
		}
		pthread_barrier_wait(&x->barrier);
		for (int slice = number; slice < SLICES; slice += l->threads)
			learn_slice(x, slice, l->work[number]);
		pthread_barrier_wait(&x->barrier);
		board_learn_take_step(l, number, x->taken + (uint64_t)step + 1, x->rate);
	}
}

static void board_learner_train(void *learner, const void *samples, size_t count, int steps,
				double rate)
{
	struct board_learner *l = learner;
	struct board_learn_job x = { .learner = l,
				     .samples = samples,
				     .count = count,
				     .size = sample_size(l->game),
				     .steps = steps,
				     .taken = l->taken,
				     .rate = rate };
	if (!count)
		return;
	pthread_barrier_init(&x.barrier, NULL, (unsigned)l->threads);
	turn_layers(l);
	threads_run(l->threads, board_learn_run_thread, &x);
	pthread_barrier_destroy(&x.barrier);
}

/* The cross-entropy of a number from -1 to 1, seen as a chance. Its slope by the head's output is the error. */
static double chance_loss(double expected, double target)
{
	double p = (1 + expected) / 2, q = (1 + target) / 2;
	return -(q * log(p + 1e-12) + (1 - q) * log(1 - p + 1e-12));
}

static double owner_loss(const struct board_learn_view *v, const struct workspace *w)
{
	double loss = 0;
	for (int i = 0; i < v->on_board; i++)
		if (v->owner[i])
			loss += chance_loss((double)w->owner[i],
					    (double)board_learn_owner_of(v, i));
	return OWNER_PART * loss / v->on_board;
}

static struct learner_error board_learner_guess(void *learner, const struct sample *s)
{
	struct board_learner *l = learner;
	struct workspace *w = l->work[0];
	struct board_learn_view v;
	board_learn_look(l, s, 0, &v, w->out[0]);
	board_learn_run_forward(l, &v, w);
	return (struct learner_error) { (double)(w->value - sample_target(s, RESULT_PART)),
					learner_policy_loss(v.share, w->preference, v.count) };
}

size_t board_learner_gradient(struct board_learner *l, const struct sample *s, bool of_lines,
			      float **weights, float *gradient, double *loss)
{
	struct workspace *w = l->work[0];
	struct board_learn_view v;
	size_t count = of_lines ? LINES_ROWS * CHANNELS : weight_count(l);
	*weights = of_lines ? l->lines[0][0] : (float *)&l->weights;
	turn_layers(l);
	board_learn_look(l, s, 0, &v, w->out[0]);
	board_learn_run_forward(l, &v, w);
	*loss = learner_policy_loss(v.share, w->preference, v.count) +
		chance_loss((double)w->value, (double)sample_target(s, RESULT_PART)) +
		owner_loss(&v, w);
	if (gradient) {
		memset(&l->gradient[0], 0, sizeof l->gradient[0]);
		board_learn_run_backward(l, &v, w, &l->gradient[0], l->slopes);
		if (of_lines)
			line_learn_add(l->slopes, 0, 1,
				       memset(gradient, 0, count * sizeof *gradient));
		else
			memcpy(gradient, &l->gradient[0], count * sizeof *gradient);
	}
	return count;
}

/* --- the network in integers --- */

/* Units of the biases. */
#define POLICY_UNIT ((float)(BOARD_NET_HEAD_UNIT * BOARD_NET_UNIT))
#define HIDDEN_UNIT (POLICY_UNIT * BOARD_NET_POOLED_UNIT)
#define LINE_UNIT   ((float)(BOARD_NET_LINES_UNIT * BOARD_NET_UNIT))
#define VALUE_UNIT  ((float)(BOARD_NET_HEAD_UNIT * BOARD_NET_HIDDEN_UNIT))

static void round_layer(const struct layer *from, struct board_layer *to)
{
	for (int k = 0; k < CHANNELS; k++) {
		float most = 1e-6f;
		for (int i = 0; i < BOARD_NET_TAPS * CHANNELS; i++)
			most = fmaxf(most, fabsf(from->weights[i / CHANNELS][i % CHANNELS][k]));
		float unit = BOARD_NET_CLIP / most;
		for (int i = 0; i < BOARD_NET_TAPS * CHANNELS; i++)
			to->weights[i / CHANNELS][i % CHANNELS][k] = (int8_t)learner_whole(
				from->weights[i / CHANNELS][i % CHANNELS][k], unit, BOARD_NET_CLIP);
		to->bias[k] = learner_whole(from->bias[k], unit * BOARD_NET_UNIT,
					    BOARD_NET_BIAS_CLIP);
		to->scale[k] = 1 / unit;
	}
}

static void round_head(const float *from, int16_t *to, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (int16_t)learner_whole(from[i], BOARD_NET_HEAD_UNIT, BOARD_NET_HEAD_CLIP);
}

struct board_weights *board_learner_weights(const struct board_learner *l)
{
	const struct board_learn_weights *w = &l->weights;
	struct board_weights *out = xcalloc(1, sizeof *out);
	struct board_heads *h = &out->heads;
	out->blocks = (int32_t)l->blocks;
	for (int i = 0; i < l->layers; i++)
		round_layer(&w->layers[i], &out->layers[i]);
	round_head(w->policy[0], h->policy[0], BOARD_NET_WAYS * CHANNELS);
	round_head(w->hidden[0], h->hidden[0], (size_t)BOARD_NET_HEAD * BOARD_NET_POOLED);
	round_head(w->value, h->value, BOARD_NET_HEAD);
	round_head(w->other, h->other, BOARD_NET_HEAD);
	round_head(w->owner, out->owners.weights, CHANNELS);
	for (int i = 0; i < LINES_ROWS; i++)
		for (int k = 0; k < CHANNELS; k++)
			out->lines[i][k] = (int8_t)learner_whole(l->lines[0][i][k], LINE_UNIT,
								 BOARD_NET_CLIP);
	out->owners.bias = learner_whole(w->owner_bias, POLICY_UNIT, BOARD_NET_BIAS_CLIP);
	for (int i = 0; i < BOARD_NET_WAYS; i++)
		h->policy_bias[i] = learner_whole(w->policy_bias[i], POLICY_UNIT,
						  BOARD_NET_BIAS_CLIP);
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		h->hidden_bias[i] = learner_whole(w->hidden_bias[i], HIDDEN_UNIT,
						  BOARD_NET_BIAS_CLIP);
	h->value_bias = learner_whole(w->value_bias, VALUE_UNIT, INT32_MAX / 4);
	h->other_bias = learner_whole(w->other_bias, VALUE_UNIT, INT32_MAX / 4);
	return out;
}

static void take_layer(const struct board_layer *from, struct layer *to)
{
	for (int k = 0; k < CHANNELS; k++) {
		for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
			for (int c = 0; c < CHANNELS; c++)
				to->weights[tap][c][k] = from->scale[k] *
							 (float)from->weights[tap][c][k];
		to->bias[k] = from->scale[k] * (float)from->bias[k] / BOARD_NET_UNIT;
	}
}

static void take_head(const int16_t *from, float *to, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (float)from[i] / BOARD_NET_HEAD_UNIT;
}

bool board_learner_take(struct board_learner *l, const struct board_weights *from)
{
	struct board_learn_weights *w = &l->weights;
	const struct board_heads *h = &from->heads;
	if (from->blocks > (int)l->blocks)
		return false;
	for (int i = 0; i < 1 + 2 * from->blocks; i++)
		take_layer(&from->layers[i], &w->layers[i]);
	take_head(h->policy[0], w->policy[0], BOARD_NET_WAYS * CHANNELS);
	take_head(h->hidden[0], w->hidden[0], (size_t)BOARD_NET_HEAD * BOARD_NET_POOLED);
	take_head(h->value, w->value, BOARD_NET_HEAD);
	take_head(h->other, w->other, BOARD_NET_HEAD);
	take_head(from->owners.weights, w->owner, CHANNELS);
	for (int i = 0; i < LINES_ROWS; i++)
		for (int k = 0; k < CHANNELS; k++)
			l->lines[0][i][k] = (float)from->lines[i][k] / LINE_UNIT;
	w->owner_bias = (float)from->owners.bias / POLICY_UNIT;
	for (int i = 0; i < BOARD_NET_WAYS; i++)
		w->policy_bias[i] = (float)h->policy_bias[i] / POLICY_UNIT;
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		w->hidden_bias[i] = (float)h->hidden_bias[i] / HIDDEN_UNIT;
	w->value_bias = (float)h->value_bias / VALUE_UNIT;
	w->other_bias = (float)h->other_bias / VALUE_UNIT;
	return true;
}

/* --- its state --- */

static size_t saved_size(const struct board_learner *l)
{
	return l->slopes ? SAVED : offsetof(struct board_learner, lines);
}

static struct packet board_learner_file(const void *learner)
{
	const struct board_learner *l = learner;
	struct packet file;
	struct board_weights *w = board_learner_weights(l);
	file.bytes = board_net_file(l->game, w, &file.size);
	free(w);
	return file;
}

static struct packet board_learner_state(void *learner)
{
	struct board_learner *l = learner;
	return (struct packet) { l, saved_size(l) };
}

static bool board_learner_resume(void *learner, const void *state)
{
	struct board_learner *l = learner;
	const struct board_learner *saved = state;
	bool fits = memcmp(saved->magic, l->magic, sizeof l->magic) == 0 &&
		    saved->squares == l->squares && saved->codes == l->codes &&
		    saved->blocks == l->blocks;
	if (fits)
		memcpy(l, saved, saved_size(l));
	return fits;
}

const struct learner_kind board_learner_kind = {
	.create = board_learner_create,
	.destroy = board_learner_destroy,
	.train = board_learner_train,
	.guess = board_learner_guess,
	.file = board_learner_file,
	.state = board_learner_state,
	.resume = board_learner_resume,
};
