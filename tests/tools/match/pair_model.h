/* SPDX-License-Identifier: MIT
 *
 * Random results of pairs of games, for simulations.
 */
#ifndef TESTS_TOOLS_MATCH_PAIR_MODEL_H
#define TESTS_TOOLS_MATCH_PAIR_MODEL_H

#include <math.h>

#include "engine/base/rng.h"
#include "tools/match/elo.h"

/* The two games of an opening: A is stronger by `elo`, the opening favours the first player by a random number of
 * Elo with this standard deviation, and a game is drawn if its result lies within `draw` Elo (P. V. Rao and L. L.
 * Kupper, "Ties in paired-comparison experiments", 1967). */
struct model {
	double elo, draw, spread;
	double below[5]; /* probability of fewer half points of A */
	double mean, normalised;
};

/* Probabilities that the first player wins (2), draws, loses at an advantage of `elo`. */
static inline void chances_of_game(double elo, double draw, double chances[3])
{
	chances[2] = score_of_elo(elo - draw);
	chances[0] = score_of_elo(-elo - draw);
	chances[1] = 1 - chances[0] - chances[2];
}

static inline void prepare_model(struct model *m)
{
	double chances[5] = { 0 }, all = 0, variance = 0, x[3], y[3];
	for (int i = -100; i <= 100; i++) {
		double normal = i / 25.0, weight = exp(-normal * normal / 2);
		chances_of_game(m->elo + normal * m->spread, m->draw, x);
		chances_of_game(m->elo - normal * m->spread, m->draw, y);
		for (int k = 0; k < 9; k++)
			chances[k / 3 + k % 3] += weight * x[k / 3] * y[k % 3];
		all += weight;
	}
	m->mean = 0;
	for (int i = 0; i < 5; i++) {
		m->below[i] = i ? m->below[i - 1] + chances[i - 1] / all : 0;
		m->mean += chances[i] / all * i / 4;
	}
	for (int i = 0; i < 5; i++)
		variance += chances[i] / all * (i / 4.0 - m->mean) * (i / 4.0 - m->mean);
	m->normalised = 800 / log(10) * (m->mean - 0.5) / sqrt(2 * variance);
}

static inline int points_of(const struct model *m, struct rng *rng)
{
	double u = (rng_below(rng, 1u << 30) + 0.5) / (1u << 30);
	int points = 4;
	while (u < m->below[points])
		points--;
	return points;
}

#endif
