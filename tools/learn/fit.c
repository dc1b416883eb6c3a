/* SPDX-License-Identifier: MIT */
#include "tools/learn/fit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

#define SQUARES_MAX 64
#define RATE_LAST   0.0003f
#define MARGIN      1 /* a stage also learns from positions with this many stones more or fewer */

struct fit {
	const struct patterns *patterns;
	uint32_t *kinds; /* kind of every index */
	uint32_t kind_count;
	size_t count;
	float *weights; /* in the layout of a file */
	uint64_t seed;
};

struct fit *fit_create(const struct patterns *p, uint64_t seed)
{
	struct fit *f = xcalloc(1, sizeof *f);
	f->patterns = p;
	f->kinds = pattern_kinds(p, &f->kind_count);
	f->count = (size_t)(p->game->board.rows * p->game->board.cols + 1) +
		   (size_t)p->stages * f->kind_count;
	f->weights = xcalloc(f->count, sizeof *f->weights);
	f->seed = seed;
	return f;
}

void fit_destroy(struct fit *f)
{
	free(f->kinds);
	free(f->weights);
	free(f);
}

float *fit_weights(struct fit *f, size_t *count)
{
	*count = f->count;
	return f->weights;
}

static int fit_stones_of(const struct example *e)
{
	return __builtin_popcountll(e->own | e->other);
}

/* Finds the kind of each pattern place in an example. */
static void find_kinds(const struct fit *f, const struct example *e,
		       uint32_t out[PATTERN_PLACES_MAX])
{
	const struct patterns *p = f->patterns;
	int16_t index[PATTERN_PLACES_MAX];
	pattern_indices(p, (uint64_t[2]) { e->own, e->other }, index);
	for (int i = 0; i < p->places; i++)
		out[i] = f->kinds[p->offset[i] + index[i]];
}

static float *fit_stage_weights(const struct fit *f, int stage)
{
	const struct game *g = f->patterns->game;
	return f->weights + g->board.rows * g->board.cols + 1 + (size_t)stage * f->kind_count;
}

/* What the threads share. */
struct fit_job {
	struct fit *fit;
	const struct example *examples;
	size_t count;
	int epochs;
	float rate;
	atomic_int next;             /* stage */
	float bias[SQUARES_MAX + 1]; /* of the stages that were learned */
};

struct fit_sample {
	float target;
	uint8_t stones, own; /* own: belongs to the stage itself */
	uint32_t kinds[PATTERN_PLACES_MAX];
};

static void learn_stage(struct fit_job *c, int stage)
{
	struct fit *f = c->fit;
	const int places = f->patterns->places, low = PATTERN_STAGE * stage - MARGIN,
		  high = PATTERN_STAGE * (stage + 1) + MARGIN;
	float *w = fit_stage_weights(f, stage);
	struct fit_sample *samples = NULL;
	size_t count = 0;
	struct rng rng;
	rng_seed(&rng, f->seed + (uint64_t)stage);
	for (size_t i = 0; i < c->count; i++) {
		const struct example *e = &c->examples[i];
		int stones = fit_stones_of(e);
		if (stones < low || stones >= high || e->held)
			continue;
		samples = xgrow(samples, count, sizeof *samples);
		/* Shuffle: insert at a random index and move the sample there to the end. */
		size_t at = rng_next(&rng) % (count + 1);
		samples[count] = samples[at];
		samples[at] = (struct fit_sample) { .target = e->target / 100.0f,
						    .stones = (uint8_t)stones,
						    .own = stones / PATTERN_STAGE == stage };
		find_kinds(f, e, samples[at].kinds);
		count++;
	}
	float bias[SQUARES_MAX + 1];
	for (int i = 0; i <= SQUARES_MAX; i++)
		bias[i] = f->weights[i];
	float rate = c->rate, last = rate < RATE_LAST ? rate : RATE_LAST;
	float slower = powf(last / rate, 1.0f / (float)(c->epochs > 1 ? c->epochs - 1 : 1));
	for (int epoch = 0; epoch < c->epochs; epoch++, rate *= slower) {
		for (size_t i = 0; i < count; i++) {
			const struct fit_sample *l = &samples[i];
			float sum = bias[l->stones];
			for (int k = 0; k < places; k++)
				sum += w[l->kinds[k]];
			float step = rate * (l->target - sum);
			bias[l->stones] += step;
			for (int k = 0; k < places; k++)
				w[l->kinds[k]] += step;
		}
	}
	for (int i = 0; i < PATTERN_STAGE && PATTERN_STAGE * stage + i <= SQUARES_MAX; i++)
		c->bias[PATTERN_STAGE * stage + i] = bias[PATTERN_STAGE * stage + i];
	free(samples);
}

static void fit_learn_stages(void *arg, int number)
{
	struct fit_job *c = arg;
	for (int stage; (stage = atomic_fetch_add(&c->next, 1)) < c->fit->patterns->stages;)
		learn_stage(c, stage);
}

void fit_learn(struct fit *f, const struct example *examples, size_t count, int epochs, float rate,
	       int threads)
{
	struct fit_job job = { f, examples, count, epochs, rate };
	const struct game *g = f->patterns->game;
	f->seed++;
	memcpy(job.bias, f->weights,
	       (size_t)(g->board.rows * g->board.cols + 1) * sizeof *job.bias);
	threads_run(threads, fit_learn_stages, &job);
	memcpy(f->weights, job.bias,
	       (size_t)(g->board.rows * g->board.cols + 1) * sizeof *job.bias);
}

double fit_error(const struct fit *f, const struct example *examples, size_t count,
		 double by_stones[65])
{
	double sum[SQUARES_MAX + 1] = { 0 }, all = 0;
	size_t n[SQUARES_MAX + 1] = { 0 }, total = 0;
	for (size_t i = 0; i < count; i++) {
		const struct example *e = &examples[i];
		uint32_t kinds[PATTERN_PLACES_MAX];
		int stones = fit_stones_of(e);
		if (!e->held)
			continue;
		const float *w = fit_stage_weights(f, stones / PATTERN_STAGE);
		float guess = f->weights[stones];
		find_kinds(f, e, kinds);
		for (int k = 0; k < f->patterns->places; k++)
			guess += w[kinds[k]];
		float most = (float)f->patterns->game->score.most;
		guess = guess > most ? most : guess < -most ? -most : guess;
		double error = guess - e->target / 100.0;
		sum[stones] += error * error;
		n[stones]++;
	}
	for (int i = 0; i <= SQUARES_MAX; i++) {
		by_stones[i] = n[i] ? sqrt(sum[i] / (double)n[i]) : -1;
		all += sum[i];
		total += n[i];
	}
	return total ? sqrt(all / (double)total) : 0;
}
