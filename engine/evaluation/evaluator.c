/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/evaluator.h"

#include <assert.h>
#include <math.h>

/* SCALE: an evaluation of this many points is an expected result of tanh 1. TEMPERATURE: this many more
 * points make a step e times as likely. Both were fitted with games of Othello. */
#define SCALE       9.f
#define TEMPERATURE 5.f

/* Returns true if the first move of the game has one step. */
static bool has_single_steps(const struct game *g)
{
	struct state s;
	move_t steps[GAME_STEPS_MAX];
	g->start(&s);
	g->moves(&s, steps);
	g->play(&s, steps[0]);
	return !s.pending;
}

bool evaluator_open(struct evaluator *j, const struct game *g)
{
	j->game = g;
	j->net = net_open(g);
	return j->net || (g->eval && has_single_steps(g));
}

void evaluator_get_ready(const struct game *g)
{
	struct state s;
	g->start(&s);
	if (g->eval)
		g->eval(&s);
	net_open(g);
}

/* e to the x, with an error of at most 1e-6. The result is the same on every machine; that of a library may
 * differ. */
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

static float hyperbolic_tangent(float x)
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

static float sign_of(const struct state *s)
{
	return s->side == BLACK ? 1 : -1;
}

/* The evaluation of a state in points, Black's. A finished game counts as the largest win, a draw or the
 * largest loss. */
static float points_of(const struct game *g, const struct state *s)
{
	assert(!s->pending);
	return s->over ? (float)(score_sign(s->score) * g->score_max) : (float)g->eval(s) / 100;
}

void evaluator_steps(const struct evaluator *j, const struct state *s, const move_t *steps,
		     int count, struct evaluation *out)
{
	float sign = sign_of(s);
	if (j->net) {
		float value = net_evaluate(j->net, j->game, s, steps, count, out->priors);
		out->value = sign * hyperbolic_tangent(value);
		for (int i = 0; i < count; i++)
			out->values[i] = out->value;
	} else {
		float most = -INFINITY;
		for (int i = 0; i < count; i++) {
			struct state next = *s;
			j->game->play(&next, steps[i]);
			float points = points_of(j->game, &next);
			out->priors[i] = sign * points / TEMPERATURE;
			out->values[i] = hyperbolic_tangent(points / SCALE);
			most = sign * out->values[i] > most ? sign * out->values[i] : most;
		}
		out->value = sign * most;
	}
	softmax(out->priors, count);
}

float evaluator_state(const struct evaluator *j, const struct state *s)
{
	if (j->net)
		return sign_of(s) *
		       hyperbolic_tangent(net_evaluate(j->net, j->game, s, NULL, 0, NULL));
	return hyperbolic_tangent(points_of(j->game, s) / SCALE);
}

double evaluator_margin(const struct evaluator *j, double value)
{
	double most = j->game->score_max, margin = (double)SCALE * atanh(value);
	return j->net ? NAN : margin > most ? most : margin < -most ? -most : margin;
}
