/* SPDX-License-Identifier: MIT
 *
 * What a search can know of a position without playing it out: the expected result, and how likely each step is
 * the one to choose (the prior of PUCT; Rosin, 2011; Silver et al., 2017). The game's network says both. Where there is none
 * the game's evaluation does: a position is worth the best that it says of those one step further, and the
 * better a step is by that the likelier it is.
 */
#ifndef ENGINE_JUDGE_H
#define ENGINE_JUDGE_H

#include "engine/net.h"

struct judge {
	const struct game *game;
	const struct net_table *net; /* NULL: by the evaluation */
};

/* False: the game has no network, and no evaluation or, as that knows no pending states, moves of two steps. */
bool judge_open(struct judge *, const struct game *);

/* What a judge says of a state and of its steps, Black's. */
struct judgement {
	float value; /* the expected result, -1 .. 1 */
	float values
		[GAME_STEPS_MAX]; /* likewise behind each step; the network knows only its own */
	float priors[GAME_STEPS_MAX]; /* they add up to 1 */
};

/* Judges a state that is not over, of which these are the legal steps. */
void judge_steps(const struct judge *, const struct state *, const move_t *steps, int count,
		 struct judgement *);

/* Black's expected result, -1 .. 1, of a state that is not over. Quicker, and with an evaluation less exact, as it
 * does not look one step ahead. */
float judge_state(const struct judge *, const struct state *);

/* Black's expected margin, in points, where it expects this result; NAN: it knows results only. */
double judge_margin(const struct judge *, double value);

#endif
