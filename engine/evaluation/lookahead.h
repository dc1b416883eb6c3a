/* SPDX-License-Identifier: MIT
 *
 * An evaluator (evaluator.h) that uses the game's evaluation, game.eval. The value of a position is the best
 * value one step ahead, and the priors of the steps are the softmax of their evaluations. It is for games
 * whose moves have one step, or whose evaluation takes pending states.
 */
#ifndef ENGINE_EVALUATION_LOOKAHEAD_H
#define ENGINE_EVALUATION_LOOKAHEAD_H

#include "engine/evaluation/evaluator.h"

/* Constants of a game, in points. They are fitted to games. */
struct lookahead {
	float scale; /* an evaluation of `scale` points is an expected result of tanh(1) = 0.76 */
	float temperature; /* a step that is this much better has e times the prior */
};

void lookahead_steps(const struct evaluator *, const struct state *, const move_t *steps, int count,
		     struct evaluation *);
float lookahead_state(const struct evaluator *, const struct state *);
double lookahead_margin(const struct evaluator *, double value);

/* The initializer of an evaluator with the constants of a struct lookahead. */
#define LOOKAHEAD_EVALUATOR(CONSTANTS)                                                             \
	{                                                                                          \
		.steps = lookahead_steps, .state = lookahead_state, .margin = lookahead_margin,    \
		.looks_ahead = true, .at_once = true, .data = (CONSTANTS),                         \
	}

#endif
