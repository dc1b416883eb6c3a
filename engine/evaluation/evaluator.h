/* SPDX-License-Identifier: MIT
 *
 * The evaluator of a tree search. It computes the expected result of a position and a prior for each step
 * (PUCT; Rosin, 2011; Silver et al., 2017), without playouts. It uses the game's network if there is one,
 * else the game's evaluation. With the evaluation, the value of a position is the best value one step
 * ahead, and the prior of a step is the softmax of its evaluation.
 */
#ifndef ENGINE_EVALUATION_EVALUATOR_H
#define ENGINE_EVALUATION_EVALUATOR_H

#include "engine/evaluation/net.h"

struct evaluator {
	const struct game *game;
	const struct net_table *net; /* NULL: use the evaluation */
};

/* Prepares an evaluator. Returns false if the game has no network and no usable evaluation. Evaluations do
 * not support pending states, so a game whose moves have two steps needs a network. */
bool evaluator_open(struct evaluator *, const struct game *);

/* Unpacks the game's evaluation or network. The first call takes about 30 milliseconds. Call it when the
 * game is chosen, so that no move pays for it. Any thread. */
void evaluator_get_ready(const struct game *);

/* The evaluation of a state and its steps. Values are Black's. */
struct evaluation {
	float value;                  /* the expected result, -1 .. 1 */
	float values[GAME_STEPS_MAX]; /* the same after each step; with a network, `value` */
	float priors[GAME_STEPS_MAX]; /* their sum is 1 */
};

/* Evaluates a state that is not over, and its legal steps. count <= GAME_STEPS_MAX. */
void evaluator_steps(const struct evaluator *, const struct state *, const move_t *steps, int count,
		     struct evaluation *);

/* Black's expected result, -1 .. 1, of a state that is not over. Faster than evaluator_steps(). With an
 * evaluation it is less exact, because it does not look one step ahead. */
float evaluator_state(const struct evaluator *, const struct state *);

/* Converts an expected result, -1 .. 1, to Black's expected margin in points. Returns NAN if the evaluator
 * is a network, which predicts results only. */
double evaluator_margin(const struct evaluator *, double value);

#endif
