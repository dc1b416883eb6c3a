/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/outlook.h"

#include <math.h>
#include <string.h>

#include "engine/evaluation/evaluator.h"

#define GAMES         256 /* from the position */
#define GAMES_AFTER   64  /* from the position after a move */

/* Owners that give Black a share of the wins so far from the evaluator's value are wrong: they mislead where the games of the
 * training were other ones, with fewer stones of handicap or on another board. */
#define CONTRADICTION 0.5

/* Estimates a position by random games. Where the evaluator knows the owners of squares, they, the score and its deviation
 * come from it: random games fill what a player would know to be dead. Squares are taken to be independent. If the owners are
 * wrong, they are those of the random games, and the score is what the evaluator's value tells. */
static void estimate(const struct game *g, const struct state *s, int games, uint64_t seed,
		     struct estimate *out)
{
	struct evaluator e;
	double owner[GAME_SQUARES_MAX], variance = 1e-6, score = g->komi ? -g->komi(s) / 2.0 : 0;
	int count = g->rows * g->cols;
	estimate_position(g, s, games, seed, out);
	if (s->over || !evaluator_open(&e, g) || !evaluator_owners(&e, s, owner))
		return;
	for (int i = 0; i < count; i++) {
		score += owner[i];
		variance += 1 - owner[i] * owner[i];
	}
	double deviation = sqrt(variance), share = erfc(-score / deviation / sqrt(2)) / 2;
	double value = (1 + (double)evaluator_state(&e, s)) / 2;
	if (g->unit && fabs(share - value) > CONTRADICTION) {
		share = value;
		score = deviation * estimate_quantile(value);
	} else {
		memcpy(out->owner, owner, (size_t)count * sizeof *owner);
	}
	out->is_owned = true;
	out->score = score;
	out->deviation = deviation;
	out->share = share;
	out->least = fmin(out->least, score);
	out->most = fmax(out->most, score);
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
