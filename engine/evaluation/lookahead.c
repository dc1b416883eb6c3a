/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/lookahead.h"

#include "engine/rules/eval.h"

#include <assert.h>
#include <math.h>

/* The evaluation of a state in points, Black's. A finished game counts as the largest win, a draw or the
 * largest loss. */
static float points_of(const struct game *g, const struct state *s)
{
	assert(!s->pending || g->eval->pending);
	return s->over ? (float)(score_sign(s->score) * g->score.most)
		       : (float)g->eval->value(g, s) / 100;
}

void lookahead_steps(const struct evaluator *e, const struct state *s, const move_t *steps,
		     int count, struct evaluation *out)
{
	const struct lookahead *c = e->data;
	float sign = (float)side_sign(s->side), most = -INFINITY;
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		e->game->play(e->game, &next, steps[i]);
		float points = points_of(e->game, &next);
		out->priors[i] = sign * points / c->temperature;
		out->values[i] = evaluator_tanh(points / c->scale);
		most = sign * out->values[i] > most ? sign * out->values[i] : most;
	}
	out->value = sign * most;
}

float lookahead_state(const struct evaluator *e, const struct state *s)
{
	const struct lookahead *c = e->data;
	return evaluator_tanh(points_of(e->game, s) / c->scale);
}

double lookahead_margin(const struct evaluator *e, double value)
{
	const struct lookahead *c = e->data;
	double most = e->game->score.most, margin = (double)c->scale * atanh(value);
	return margin > most ? most : margin < -most ? -most : margin;
}
