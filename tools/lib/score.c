/* SPDX-License-Identifier: MIT
 *
 * The interval is Wilson's for as many independent games as would give the variance that is seen
 * between groups (the design effect of cluster samples; for pairs, the pentanomial variance). It stays
 * between 0 and 1. Where no variance is seen, a group counts as one game, which is careful.
 */
#include "tools/lib/score.h"

#include <math.h>

#define Z95 1.959964

struct interval score_interval(const struct group *groups, int count)
{
	double games = 0, points = 0, square = 0, n = 0;
	for (int i = 0; i < count; i++) {
		games += groups[i].games;
		points += groups[i].points;
		n += groups[i].games > 0;
	}
	if (games == 0)
		return (struct interval) { 0.5, 0, 1 };
	double p = points / games;
	for (int i = 0; i < count; i++) {
		double d = groups[i].points - p * groups[i].games;
		square += d * d;
	}
	double variance = n > 1 ? square / (games * games) * n / (n - 1) : 0;
	double m = variance > 0 && p > 0 && p < 1 ? p * (1 - p) / variance : n;
	double z2 = Z95 * Z95;
	double center = (p + z2 / (2 * m)) / (1 + z2 / m);
	double half = Z95 / (1 + z2 / m) * sqrt(p * (1 - p) / m + z2 / (4 * m * m));
	return (struct interval) { p, fmax(0, center - half), fmin(1, center + half) };
}

double score_elo(double score)
{
	return 400 * log10(score / (1 - score));
}
