/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/estimate.h"

#include "engine/rules/playouts.h"

#include <math.h>
#include <string.h>

void estimate_position(const struct game *g, const struct state *s, int games, uint64_t seed,
		       struct estimate *out)
{
	struct trace trace;
	struct rng rng;
	double sum = 0, squares = 0, wins = 0;
	int count = g->board.rows * g->board.cols;
	rng_seed(&rng, seed);
	memset(out, 0, sizeof *out);
	out->least = INFINITY;
	out->most = -INFINITY;
	for (int i = 0; i < games; i++) {
		int result = playout_trace(g, s, &rng, &trace);
		double score = game_points(g, result);
		sum += score;
		squares += score * score;
		out->least = fmin(out->least, score);
		out->most = fmax(out->most, score);
		wins += (1 + score_sign(result)) / 2.0;
		for (int j = 0; j < count; j++)
			out->owner[j] += trace.owner[j];
	}
	for (int j = 0; j < count; j++)
		out->owner[j] /= games;
	out->games = games;
	out->score = sum / games;
	out->deviation = sqrt(fmax(0, squares / games - out->score * out->score));
	out->share = wins / games;
}

/* The share of a normal distribution below x, less `share`. */
static double estimate_excess(double x, double share)
{
	return erfc(-x / sqrt(2)) / 2 - share;
}

/* Bisection comes so near that three steps of Newton's method reach 1e-8. */
double estimate_quantile(double share)
{
	double low = -8, high = 8;
	for (int i = 0; i < 8; i++) {
		double middle = (low + high) / 2;
		if (estimate_excess(middle, share) < 0)
			low = middle;
		else
			high = middle;
	}
	for (int i = 0; i < 3; i++)
		low -= estimate_excess(low, share) * sqrt(2 * acos(-1)) * exp(low * low / 2);
	return low;
}

/* From this many deviations on, owners count besides the share of the wins; one deviation farther they count alone. */
#define DECIDED 1.5

/* Returns the deviations from 0 at which the score lies, if it should be `wanted` and the owners say `owned`. */
static double decided(double wanted, double owned)
{
	double trust = fmax(0, fmin(1, fabs(wanted) - DECIDED));
	bool is_more = wanted * owned > 0 && fabs(owned) > fabs(wanted);
	return is_more ? wanted + trust * (owned - wanted) : wanted;
}

double estimate_score(const struct estimate *e, double share)
{
	/* As close to 0 and 1 as so many games can tell. */
	double least = 0.5 / e->games, most = 1 - least;
	double wanted = estimate_quantile(fmax(least, fmin(most, share))), score;
	if (e->is_owned) {
		score = e->deviation * decided(wanted, e->score / e->deviation);
	} else {
		double now = estimate_quantile(fmax(least, fmin(most, e->share)));
		score = e->score + e->deviation * (wanted - now);
	}
	return fmax(e->least, fmin(e->most, score));
}
