/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/evaluator.h"

#include <assert.h>
#include <math.h>

#include "engine/evaluation/board_net.h"
#include "engine/rules/eval.h"
#include "engine/rules/network.h"

bool evaluator_open(struct evaluator *e, const struct game *g)
{
	const struct evaluator *loaded = board_net_loaded(g);
	if (!loaded && !g->evaluator)
		return false;
	*e = loaded ? *loaded : *g->evaluator;
	e->game = g;
	assert(e->steps && e->state);
	if (e->get_ready)
		e->get_ready(e);
	return true;
}

void evaluator_get_ready(const struct game *g)
{
	struct evaluator unused;
	struct state s;
	g->start(g, &s);
	if (g->eval)
		g->eval->value(g, &s);
	evaluator_open(&unused, g);
}

/* e to the x, -80 .. 80, with a relative error below 1e-5; below 4e-6 near 0. */
static float exponential(float x)
{
	union {
		int32_t bits;
		float value;
	} power;
	x = x < -80 ? -80 : x > 80 ? 80 : x;
	float y = x * 1.44269504f;
	int whole = (int)(y + 256.5f) - 256;
	float z = (y - (float)whole) * 0.69314718f;
	power.bits = (whole + 127) << 23;
	return power.value *
	       (1 + z * (1 + z * (0.5f + z * (1 / 6.f + z * (1 / 24.f + z * (1 / 120.f))))));
}

float evaluator_tanh(float x)
{
	return 1 - 2 / (exponential(2 * x) + 1);
}

static void softmax(float *x, int count)
{
	float most = -INFINITY, sum = 0;
	for (int i = 0; i < count; i++)
		most = x[i] > most ? x[i] : most;
	for (int i = 0; i < count; i++)
		sum += x[i] = exponential(x[i] - most);
	for (int i = 0; i < count; i++)
		x[i] /= sum;
}

void evaluator_steps(const struct evaluator *e, const struct state *s, const move_t *steps,
		     int count, struct evaluation *out)
{
	e->steps(e, s, steps, count, out);
	softmax(out->priors, count);
}

double evaluator_margin(const struct evaluator *e, double value)
{
	return e->margin ? e->margin(e, value) : NAN;
}

bool evaluator_owners(const struct evaluator *e, const struct state *s, int images,
		      double owners[GAME_SQUARES_MAX], float *value)
{
	if (!e->owners || !network_has_owners(e->game))
		return false;
	*value = e->owners(e, s, images, owners);
	return true;
}

/* Multiplies the prior of each move by those of its steps from step s->pending on. All moves begin with the steps that led to
 * the state. The sum of a state's priors is 1 in double precision, too. */
static void evaluator_multiply(const struct evaluator *e, const struct state *s,
			       const struct move *moves, int count, double *priors)
{
	struct evaluation found;
	move_t steps[GAME_STEPS_MAX];
	double sum = 0;
	int n = e->game->moves(e->game, s, steps), at = s->pending;
	evaluator_steps(e, s, steps, n, &found);
	for (int i = 0; i < n; i++)
		sum += (double)found.priors[i];
	for (int i = 0, end; i < count; i = end) {
		struct state next = *s;
		int step = 0;
		while (steps[step] != moves[i].step[at])
			step++;
		for (end = i; end < count && moves[end].step[at] == steps[step]; end++)
			priors[end] *= (double)found.priors[step] / sum;
		e->game->play(e->game, &next, steps[step]);
		if (next.pending)
			evaluator_multiply(e, &next, moves + i, end - i, priors + i);
	}
}

void evaluator_priors(const struct game *g, bool evaluates, const struct state *s,
		      const struct move *moves, int count, double *priors)
{
	struct evaluator e;
	bool has = evaluates && evaluator_open(&e, g);
	double first = has ? 1 : 1.0 / game_moves(g, s, NULL);
	for (int i = 0; i < count; i++)
		priors[i] = first;
	if (has)
		evaluator_multiply(&e, s, moves, count, priors);
}
