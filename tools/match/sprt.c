/* SPDX-License-Identifier: MIT */
#include "tools/match/sprt.h"

#include <math.h>

#include "tools/match/elo.h"

#define UNSEEN 1e-3 /* count of an outcome that did not occur */

bool sprt_is_sound(const struct sprt *t)
{
	return t->elo0 >= -SPRT_ELO_MAX && t->elo0 < t->elo1 && t->elo1 <= SPRT_ELO_MAX &&
	       t->alpha > 0 && t->alpha < 0.5 && t->beta > 0 && t->beta < 0.5;
}

struct sprt sprt_of_other(const struct sprt *t)
{
	return (struct sprt) { 0 - t->elo1, 0 - t->elo0, t->beta, t->alpha }; /* no -0 */
}

double sprt_lower(const struct sprt *t)
{
	return log(t->beta / (1 - t->alpha));
}

double sprt_upper(const struct sprt *t)
{
	return log((1 - t->beta) / t->alpha);
}

/* Finds x such that n[i] / (1 + x (i / last - score)) is proportional to the maximum likelihood
 * distribution with mean `score`. The mean rises as x falls, so bisection finds it. */
static double find_tilt(const double n[], int outcomes, double score)
{
	double low = -1 / (1 - score), high = 1 / score;
	for (int step = 0; step < 100; step++) {
		double x = (low + high) / 2, excess = 0;
		for (int i = 0; i < outcomes; i++) {
			double d = (double)i / (outcomes - 1) - score;
			excess += n[i] * d / (1 + x * d);
		}
		if (excess > 0)
			low = x;
		else
			high = x;
	}
	return (low + high) / 2;
}

double sprt_llr(const struct sprt *t, const int counts[], int outcomes)
{
	double n[SPRT_OUTCOMES], llr = 0;
	double scores[2] = { score_of_elo(t->elo0), score_of_elo(t->elo1) }, tilts[2];
	int all = 0;
	for (int i = 0; i < outcomes; i++) {
		all += counts[i];
		n[i] = counts[i] ? counts[i] : UNSEEN;
	}
	if (all == 0)
		return 0;
	for (int h = 0; h < 2; h++)
		tilts[h] = find_tilt(n, outcomes, scores[h]);
	for (int i = 0; i < outcomes; i++) {
		double share = (double)i / (outcomes - 1);
		llr += n[i] * (log1p(tilts[0] * (share - scores[0])) -
			       log1p(tilts[1] * (share - scores[1])));
	}
	return llr;
}
