/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/outlook.h"

#include <math.h>

#include "engine/evaluation/evaluator.h"

#define GAMES       256 /* from the position */
#define GAMES_AFTER 64  /* from the position after a move */

/* Estimates a position by random games. Where the evaluator knows the owners of squares, they, the score and its deviation
 * come from it: random games fill what a player would know to be dead. Squares are taken to be independent. */
static void estimate(const struct game *g, const struct state *s, int games, uint64_t seed,
		     struct estimate *out)
{
	struct evaluator e;
	double variance = 1e-6;
	estimate_position(g, s, games, seed, out);
	if (s->over || !evaluator_open(&e, g) || !evaluator_owners(&e, s, out->owner))
		return;
	out->score = g->komi ? -g->komi(s) / 2.0 : 0;
	for (int i = 0; i < g->rows * g->cols; i++) {
		out->score += out->owner[i];
		variance += 1 - out->owner[i] * out->owner[i];
	}
	out->deviation = sqrt(variance);
	out->share = erfc(-out->score / out->deviation / sqrt(2)) / 2;
	out->least = fmin(out->least, out->score);
	out->most = fmax(out->most, out->score);
}

void outlook_init(struct outlook *o, const struct game *g, const struct state *now, uint64_t seed)
{
	o->game = g;
	o->now = *now;
	o->seed = seed;
	o->count = 0;
	o->questions = 0;
	estimate(g, now, GAMES, seed, &o->position);
}

/* Returns the place for one more move: a free one, or that of the move that was asked for longest ago. */
static int place_of_next(struct outlook *o)
{
	int oldest = 0;
	if (o->count < OUTLOOK_MOVES)
		return o->count++;
	for (int i = 1; i < OUTLOOK_MOVES; i++)
		oldest = o->used[i] < o->used[oldest] ? i : oldest;
	return oldest;
}

const struct estimate *outlook_after(struct outlook *o, struct move move)
{
	int i = 0;
	while (i < o->count && !move_equal(o->moves[i], move))
		i++;
	if (i == o->count) {
		struct state next = o->now;
		game_play(o->game, &next, move);
		i = place_of_next(o);
		estimate(o->game, &next, GAMES_AFTER, o->seed, &o->after[i]);
		o->moves[i] = move;
	}
	o->used[i] = ++o->questions;
	return &o->after[i];
}

double outlook_score(const struct outlook *o, double score, double share)
{
	if (!isnan(score) || !o || !o->game->unit)
		return score;
	return estimate_score(&o->position, o->now.side == BLACK ? share : 1 - share);
}
