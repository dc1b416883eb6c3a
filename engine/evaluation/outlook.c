/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/outlook.h"

#include <math.h>
#include <string.h>

#include "engine/evaluation/evaluator.h"
#include "engine/rules/komi.h"

#define GAMES         256 /* at most from the position */
#define GAMES_AFTER   64  /* at most from the position after a move */
#define GAMES_LEAST   16
#define IMAGES        8 /* of the board, for owners; 1 for a search of less than GAMES_AFTER visits */

/* Owners that give Black a share of the wins so far from the evaluator's value are wrong: they mislead where the games of the
 * training were other ones, with fewer stones of handicap or on another board. */
#define CONTRADICTION 0.5

/* Estimates a position by the evaluator's owners, `owner`, and its value. Squares are taken to be independent. If the owners
 * are wrong, random games tell them, and the value tells the score. */
static void estimate_by_owners(const struct game *g, const struct state *s,
			       const double owner[GAME_SQUARES_MAX], float value, int games,
			       uint64_t seed, struct estimate *out)
{
	double variance = 1e-6, score = g->komi ? -g->komi->get(g, s) / 2.0 : 0;
	int count = g->board.rows * g->board.cols;
	double most = count + fabs(score);
	for (int i = 0; i < count; i++) {
		score += owner[i];
		variance += 1 - owner[i] * owner[i];
	}
	double deviation = sqrt(variance), share = erfc(-score / deviation / sqrt(2)) / 2;
	double expected = (1 + (double)value) / 2;
	if (g->score.unit && fabs(share - expected) > CONTRADICTION) {
		estimate_position(g, s, games, seed, out);
		share = expected;
		score = deviation * estimate_quantile(expected);
	} else {
		memcpy(out->owner, owner, (size_t)count * sizeof *owner);
	}
	out->games = games;
	out->is_owned = true;
	out->score = score;
	out->deviation = deviation;
	out->share = share;
	out->least = -most;
	out->most = most;
}

/* Estimates a position by its owners where the evaluator knows them: random games fill what a player would know to be dead.
 * Elsewhere by random games. */
static void outlook_estimate(const struct outlook *o, const struct state *s, int most,
			     struct estimate *out)
{
	struct evaluator e;
	double owner[GAME_SQUARES_MAX] = { 0 };
	float value;
	int games = o->games < most ? o->games : most;
	if (!s->over && evaluator_open(&e, o->game) &&
	    evaluator_owners(&e, s, o->games < GAMES_AFTER ? 1 : IMAGES, owner, &value))
		estimate_by_owners(o->game, s, owner, value, games, o->seed, out);
	else
		estimate_position(o->game, s, games, o->seed, out);
}

void outlook_init(struct outlook *o, const struct game *g, const struct state *now, uint64_t visits,
		  uint64_t seed)
{
	o->game = g;
	o->now = *now;
	o->seed = seed;
	o->games = visits < GAMES_LEAST ? GAMES_LEAST : visits < GAMES ? (int)visits : GAMES;
	o->is_estimated = false;
	o->count = 0;
	o->questions = 0;
}

const struct estimate *outlook_position(struct outlook *o)
{
	if (!o->is_estimated)
		outlook_estimate(o, &o->now, GAMES, &o->position);
	o->is_estimated = true;
	return &o->position;
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
		outlook_estimate(o, &next, GAMES_AFTER, &o->after[i]);
		o->moves[i] = move;
	}
	o->used[i] = ++o->questions;
	return &o->after[i];
}

double outlook_score(struct outlook *o, double score, double share)
{
	if (!isnan(score) || !o || !o->game->score.unit)
		return score;
	return estimate_score(outlook_position(o), o->now.side == BLACK ? share : 1 - share);
}
