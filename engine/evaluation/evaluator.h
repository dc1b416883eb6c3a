/* SPDX-License-Identifier: MIT
 *
 * The evaluator of a tree search. It computes the expected result of a position and a prior for each step
 * (PUCT; Rosin, 2011; Silver et al., 2017), without playouts.
 *
 * A game names its evaluator in game.evaluator. There are three kinds: lookahead.h uses the game's evaluation,
 * games/pentago/quadrant_net.h and board_net.h use neural networks.
 */
#ifndef ENGINE_EVALUATION_EVALUATOR_H
#define ENGINE_EVALUATION_EVALUATOR_H

#include "engine/rules/game.h"

/* The evaluation of a state and its steps. Values are Black's. */
struct evaluation {
	float value;                  /* the expected result, -1 .. 1 */
	float values[GAME_STEPS_MAX]; /* the same after each step */
	float priors[GAME_STEPS_MAX]; /* their sum is 1 */
};

struct memo;

/* The scale of visits on which the constant of PUCT grows. */
#define PUCT_VISITS 500

/* Any thread may call these functions. States are not over. */
struct evaluator {
	/* Unpacks the weights, if that takes time. May be called again. NULL: nothing to unpack. */
	void (*get_ready)(const struct evaluator *);
	/* Evaluates a state and its legal steps. Sets `priors` to logits; evaluator_steps() converts them
	 * by softmax. */
	void (*steps)(const struct evaluator *, const struct state *, const move_t *steps,
		      int count, struct evaluation *);
	/* Black's expected result, -1 .. 1. */
	float (*state)(const struct evaluator *, const struct state *);
	/* The expected owner of each square at the end, row by row: 1 Black, -1 White, as the mean of at most `images` mirror
	 * images. Returns what state() does. NULL, or a game without network.owners: owners are unknown. */
	float (*owners)(const struct evaluator *, const struct state *, int images,
			double owners[GAME_SQUARES_MAX]);
	/* Converts an expected result to Black's expected margin in points. NULL: it is unknown. */
	double (*margin)(const struct evaluator *, double value);
	/* The constant of PUCT grows with a node's visits, by this times ln(1 + visits / PUCT_VISITS). */
	float puct_growth;
	/* A step without visits is worth so much less than the state to the side that chooses, because most steps are worse
	 * than the best one. Values are from -1 to 1. */
	float first_play;
	/* steps() evaluates the state after each step. Otherwise all values of an evaluation are equal. */
	bool looks_ahead;
	/* steps() costs hardly more than state(), so mcts gives a leaf its children at the first visit. */
	bool at_once;
	/* steps() takes so long that it should remember what it has evaluated, in `memo`. */
	bool remembers;
	void *data;              /* private to the functions */
	const struct game *game; /* set by evaluator_open() */
	struct memo *memo;       /* engine/evaluation/memo.h; set by the search; NULL: none */
};

/* Makes a copy of the game's evaluator that is ready for use: that of the file of board_net_load(), or else the game's own.
 * Returns false if the game has none. */
bool evaluator_open(struct evaluator *, const struct game *);

/* Unpacks the weights of the game's evaluation and evaluator. The first call takes about 30 milliseconds. Call
 * it when the game is chosen, so that no move pays for it. Any thread. */
void evaluator_get_ready(const struct game *);

/* Evaluates a state that is not over, and its legal steps. count <= GAME_STEPS_MAX. */
void evaluator_steps(const struct evaluator *, const struct state *, const move_t *steps, int count,
		     struct evaluation *);

/* Black's expected result, -1 .. 1, of a state that is not over. Faster than evaluator_steps(). If the
 * evaluator looks ahead, this value is less exact: it comes from the state itself. */
static inline float evaluator_state(const struct evaluator *e, const struct state *s)
{
	return e->state(e, s);
}

/* Converts an expected result, -1 .. 1, to Black's expected margin in points. Returns NAN if the evaluator
 * predicts results only. */
double evaluator_margin(const struct evaluator *, double value);

/* Sets the expected owner of each square at the end, 1 Black to -1 White, as the mean of at most `images` mirror images of
 * the board, 1 to 8. Each costs an evaluation. Sets *value to Black's expected result, too. The state must not be over.
 * Returns false if owners are unknown. */
bool evaluator_owners(const struct evaluator *, const struct state *, int images,
		      double owners[GAME_SQUARES_MAX], float *value);

/* Sets the prior of each of these legal moves, which are in the order of game_moves(): how likely the game's evaluator thinks
 * it is that the move is chosen. The state must not be over. Without an evaluator, or if `evaluates` is
 * false, all legal moves have equal priors. */
void evaluator_priors(const struct game *, bool evaluates, const struct state *,
		      const struct move *moves, int count, double *priors);

/* The hyperbolic tangent, for evaluators. It is the same on every machine; that of a library may differ. */
float evaluator_tanh(float);

#endif
