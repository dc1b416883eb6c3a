/* SPDX-License-Identifier: MIT */
#include "engine/estimate.h"

#include <math.h>
#include <string.h>

void estimate_position(const struct game *g, const struct state *s, int games, uint64_t seed,
		       struct estimate *out)
{
	struct trace trace;
	struct rng rng;
	double sum = 0, squares = 0, wins = 0;
	int count = g->rows * g->cols;
	rng_seed(&rng, seed);
	memset(out, 0, sizeof *out);
	out->least = INFINITY;
	out->most = -INFINITY;
	for (int i = 0; i < games; i++) {
		int result = game_trace(g, s, &rng, &trace);
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

/* The argument at which the standard normal distribution has the value `share`. */
static double normal_quantile(double share)
{
	double low = -8, high = 8;
	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;
		if (erfc(-middle / sqrt(2)) / 2 < share)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double estimate_score(const struct estimate *e, double share)
{
	/* As close to 0 and 1 as so many games can tell. */
	double least = 0.5 / e->games, most = 1 - least;
	double now = fmax(least, fmin(most, e->share)), wanted = fmax(least, fmin(most, share));
	double score = e->score + e->deviation * (normal_quantile(wanted) - normal_quantile(now));
	return fmax(e->least, fmin(e->most, score));
}
