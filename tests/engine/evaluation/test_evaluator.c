/* SPDX-License-Identifier: MIT
 *
 * Evaluators (engine/evaluation/evaluator.h): a network or an evaluation function, compared with plain arithmetic.
 */
#include <math.h>

#include "engine/evaluation/board_net.h"
#include "engine/rules/eval.h"
#include "games/pentago/quadrant_net.h"
#include "tests/suite.h"
#include "tests/tested.h"

#define POSITIONS 200

/* Sets a position after some random steps that is not over, and pending where the game allows it. */
static void random_state(const struct game *g, struct rng *rng, struct state *s)
{
	do {
		move_t steps[GAME_STEPS_MAX];
		g->start(g, s);
		for (uint32_t n = rng_below(rng, (uint32_t)g->board.rows * (uint32_t)g->board.cols);
		     n && !s->over; n--)
			g->play(g, s, steps[rng_below(rng, (uint32_t)g->moves(g, s, steps))]);
	} while (s->over);
}

/* An evaluator returns a result and a distribution, from the network if there is one. */
START_TEST(says_results_and_priors)
{
	struct rng rng;
	rng_seed(&rng, 81);
	for (int i = 0; tested_game(i); i++) {
		const struct game *g = tested_game(i);
		struct evaluator evaluator;
		const struct net_table *net = net_open(g);
		bool evaluates = evaluator_open(&evaluator, g);
		ck_assert_int_eq(evaluates, g->evaluator != NULL);
		if (!evaluates)
			continue;
		bool is_net = net || evaluator.steps == board_net_steps;
		ck_assert_int_eq(evaluator.looks_ahead, !is_net);
		for (int n = 0; n < POSITIONS; n++) {
			struct state s;
			struct evaluation out;
			move_t steps[GAME_STEPS_MAX];
			double sum = 0;
			random_state(g, &rng, &s);
			int count = g->moves(g, &s, steps);
			evaluator_steps(&evaluator, &s, steps, count, &out);
			for (int j = 0; j < count; j++) {
				ck_assert_float_ge(out.priors[j], 0);
				ck_assert_float_le(fabsf(out.values[j]), 1);
				sum += out.priors[j];
			}
			ck_assert_double_eq_tol(sum, 1, 1e-4);
			if (!net)
				continue;
			float preferences[GAME_STEPS_MAX];
			float value = net_evaluate(net, g, &s, steps, count, preferences);
			double expected = (s.side == BLACK ? 1 : -1) * tanh((double)value);
			ck_assert_double_eq_tol(out.value, expected, 1e-5);
			ck_assert_float_eq(out.value, evaluator_state(&evaluator, &s));
			for (int j = 0; j < count; j++) {
				ck_assert_float_eq(out.values[j], out.value);
				ck_assert_double_eq_tol(
					log((double)(out.priors[j] / out.priors[0])),
					(double)(preferences[j] - preferences[0]), 1e-3);
			}
		}
	}
}
END_TEST

/* An evaluation function is called one step ahead: the position has the value of its best step, and the
 * priors are in the order of the evaluations. A finished game has its result. */
START_TEST(evaluation_looks_one_step_ahead)
{
	const struct game *g = &game_othello;
	struct evaluator evaluator;
	struct rng rng;
	int ended = 0;
	rng_seed(&rng, 82);
	ck_assert(evaluator_open(&evaluator, g));
	for (int n = 0; n < 20 * POSITIONS; n++) {
		struct state s;
		struct evaluation out;
		move_t steps[GAME_STEPS_MAX];
		float worth[GAME_STEPS_MAX], best = -INFINITY;
		random_state(g, &rng, &s);
		int count = g->moves(g, &s, steps);
		float sign = s.side == BLACK ? 1 : -1;
		evaluator_steps(&evaluator, &s, steps, count, &out);
		for (int j = 0; j < count; j++) {
			struct state next = s;
			g->play(g, &next, steps[j]);
			int points = next.over ? 6400 * score_sign(next.score)
					       : g->eval->value(g, &next);
			worth[j] = sign * (float)points;
			best = sign * out.values[j] > best ? sign * out.values[j] : best;
			if (!next.over) {
				ck_assert_float_eq(out.values[j],
						   evaluator_state(&evaluator, &next));
				/* Within the range in which the value is exact. */
				if (abs(points) < 2000)
					ck_assert_double_eq_tol(
						evaluator_margin(&evaluator, (double)out.values[j]),
						points / 100., 0.01);
			} else {
				ck_assert_float_eq_tol(out.values[j], (float)score_sign(next.score),
						       1e-3f);
				ended++;
			}
			for (int k = 0; k < j; k++)
				if (worth[k] > worth[j])
					ck_assert_float_ge(out.priors[k], out.priors[j]);
		}
		ck_assert_float_eq(out.value, sign * best);
	}
	ck_assert_int_gt(ended, 50);
	ck_assert_double_eq(evaluator_margin(&evaluator, 1), 64);
	ck_assert_double_eq(evaluator_margin(&evaluator, -1), -64);
}
END_TEST

START_TEST(networks_know_no_margin)
{
	struct game without = game_pentago;
	struct evaluator evaluator;
	without.evaluator = NULL;
	ck_assert(!evaluator_open(&evaluator, &without));
	ck_assert(evaluator_open(&evaluator, &game_pentago));
	ck_assert(isnan(evaluator_margin(&evaluator, 0.5)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("evaluator");
	TCase *cases = tcase_create("evaluator");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, says_results_and_priors);
	tcase_add_test(cases, evaluation_looks_one_step_ahead);
	tcase_add_test(cases, networks_know_no_margin);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
