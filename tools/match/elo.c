/* SPDX-License-Identifier: MIT
 *
 * Intervals: Wilson's ("Probable inference, the law of succession, and statistical inference", 1927) for the
 * number of independent games that would give the variance observed between groups (the design effect of
 * cluster samples; for pairs, the pentanomial variance). It stays between 0 and 1. If no variance is observed,
 * a group counts as one game, which is conservative. Few groups give a poor estimate of their variance, so the
 * quantile is that of Student's distribution with one degree of freedom less than there are groups: it is valid
 * for any number of groups, even if their variances differ (R. Ibragimov and U. K. Mueller, "t-statistic based
 * correlation and heterogeneity robust inference", 2010). One group gives no information. If all games are lost
 * or all are won, nothing of the variance is known. The bound is then that of as many trials as there are groups
 * (C. J. Clopper and E. S. Pearson, 1934): a group of a better player loses all its games less often, however its
 * results are distributed. Simulated coverage of 25 and more pairs is 94 to 96 %, that of fewer pairs 94 to 100 %
 * (tests/tools/match/test_elo.c).
 *
 * Superiority: Student's distribution function at the statistic that the interval inverts, at a score of 0.5. With
 * a flat prior it is the probability that A is stronger.
 *
 * Normalised Elo: (score - 1/2) / (standard deviation of a game), times 800 / ln 10 (M. Van den Bergh, "Normalized
 * Elo"). A pair's deviation times the root of 2 stands for that of a game. Its variance is the sum over clusters of
 * the squared influence of their results on mean and deviation (the delta method).
 *
 * Ratings: they maximise the likelihood of the model of R. A. Bradley and M. E. Terry ("Rank analysis of
 * incomplete block designs", 1952), by Newton's method. A draw is half a win. Every player gets one more drawn
 * game against a player rated 0, so that the maximum exists. The variance of ratings is the sandwich estimator
 * over clusters (K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized linear models",
 * 1986), but at least that of independent games: results that are nearly all equal hardly vary. Their intervals
 * use Student's quantile as well.
 */
#include "tools/match/elo.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define Z95     1.959964
#define TAIL    0.025
#define NATURAL (400 / 2.302585092994046) /* Elo per unit of natural rating: odds of e : 1 */

/* Returns the 97.5 % quantile of Student's distribution with `freedom` degrees of freedom: from a table, or by
 * the asymptotic expansion (Abramowitz and Stegun, 26.7.5). */
static double student(int freedom)
{
	static const double few[] = { 12.706, 4.303, 3.182, 2.776, 2.571,
				      2.447,  2.365, 2.306, 2.262, 2.228 };
	double z = Z95, n = freedom;
	assert(freedom >= 1);
	if (freedom <= 10)
		return few[freedom - 1];
	return z + (z * z * z + z) / (4 * n) +
	       (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

/* Student's distribution function, by the finite series (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
static double student_below(double t, int freedom)
{
	double angle = atan(t / sqrt(freedom)), cosine = cos(angle), term, sum = 0;
	bool odd = freedom % 2;
	term = odd ? cosine : 1;
	for (int k = odd ? 1 : 0; k < freedom - 1; k += 2) {
		sum += term;
		term *= cosine * cosine * (k + 1) / (k + 2);
	}
	sum *= sin(angle);
	return odd ? 0.5 + (angle + sum) / M_PI : 0.5 + sum / 2;
}

/* What groups say of a score: its mean, and the number of independent games that give the variance between the
 * groups. */
struct evidence {
	double mean, games;
	int groups; /* with games */
};

static struct evidence elo_weigh(const struct group *groups, int count)
{
	struct evidence e = { .mean = 0.5 };
	double games = 0, points = 0, square = 0;
	for (int i = 0; i < count; i++) {
		games += groups[i].games;
		points += groups[i].points;
		e.groups += groups[i].games > 0;
	}
	if (games == 0)
		return e;
	double p = e.mean = points / games;
	for (int i = 0; i < count; i++) {
		double d = groups[i].points - p * groups[i].games;
		square += d * d;
	}
	e.games = e.groups;
	if (square > 0 && p > 0 && p < 1 && e.groups > 1)
		e.games = p * (1 - p) * games * games * (e.groups - 1) / (square * e.groups);
	return e;
}

struct interval score_interval(const struct group *groups, int count)
{
	struct evidence e = elo_weigh(groups, count);
	if (e.groups < 2)
		return (struct interval) { e.mean, 0, 1 };
	if (e.mean == 0 || e.mean == 1) {
		double far = 1 - pow(TAIL, 1.0 / e.groups);
		return (struct interval) { e.mean, fmin(e.mean, 1 - far), fmax(e.mean, far) };
	}
	double p = e.mean, m = e.games, t = student(e.groups - 1), t2 = t * t;
	double center = (p + t2 / (2 * m)) / (1 + t2 / m);
	double half = t / (1 + t2 / m) * sqrt(p * (1 - p) / m + t2 / (4 * m * m));
	return (struct interval) { p, fmax(0, center - half), fmin(1, center + half) };
}

double score_superiority(const struct group *groups, int count)
{
	struct evidence e = elo_weigh(groups, count);
	if (e.groups < 2)
		return 0.5;
	return student_below(2 * (e.mean - 0.5) * sqrt(e.games), e.groups - 1);
}

double elo_of_score(double score)
{
	return 400 * log10(score / (1 - score));
}

double score_of_elo(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

struct interval elo_interval(const struct interval *s)
{
	return (struct interval) { elo_of_score(s->mean), elo_of_score(s->low),
				   elo_of_score(s->high) };
}

bool elo_is_known(const struct interval *elo)
{
	return isfinite(elo->mean) && elo->high - elo->low <= ELO_WIDTH_MAX;
}

const char *elo_unknown(const struct interval *elo)
{
	return isnan(elo->mean)   ? "too few different results"
	       : isinf(elo->mean) ? "all games have one result"
				  : "too few openings or games";
}

/* Mean and standard deviation of outcomes as shares of the points. */
struct elo_spread {
	double mean, deviation;
	int last; /* half points of a won outcome */
};

/* Adds the squares of the influence of each cluster's outcomes on mean / deviation. Returns the number of clusters
 * that have outcomes. */
static int add_influence(const struct unit *list, int count, const struct elo_spread *s,
			 double *square)
{
	int clusters = 0, found = 0;
	for (int i = 0; i < count; i++)
		clusters = list[i].cluster >= clusters ? list[i].cluster + 1 : clusters;
	double *influence = xcalloc((size_t)clusters + 1, sizeof *influence);
	bool *seen = xcalloc((size_t)clusters + 1, sizeof *seen);
	for (int i = 0; i < count; i++) {
		double z = ((double)list[i].points / s->last - s->mean) / s->deviation;
		influence[list[i].cluster] += z - (s->mean - 0.5) / s->deviation / 2 * (z * z - 1);
		found += !seen[list[i].cluster];
		seen[list[i].cluster] = true;
	}
	for (int i = 0; i < clusters; i++)
		*square += influence[i] * influence[i];
	free(influence);
	free(seen);
	return found;
}

struct interval elo_normalised(const struct unit *list, int count, int games)
{
	struct elo_spread s = { .last = 2 * games };
	int counts[5] = { 0 }, most = 0;
	double variance = 0, square = 0, scale = 2 * NATURAL / sqrt(games);
	for (int i = 0; i < count; i++)
		counts[list[i].points]++;
	for (int i = 0; i <= s.last; i++) {
		most = counts[i] > most ? counts[i] : most;
		s.mean += (double)i / s.last * counts[i] / count;
	}
	if (count - most < NORMALISED_MIN)
		return (struct interval) { NAN, NAN, NAN };
	for (int i = 0; i <= s.last; i++)
		variance += counts[i] * pow((double)i / s.last - s.mean, 2) / count;
	s.deviation = sqrt(variance);
	int clusters = add_influence(list, count, &s, &square);
	if (clusters < 2)
		return (struct interval) { NAN, NAN, NAN };
	double elo = scale * (s.mean - 0.5) / s.deviation;
	double half = scale * student(clusters - 1) * sqrt(square * clusters / (clusters - 1)) /
		      count;
	return (struct interval) { elo, elo - half, elo + half };
}

/* --- ratings --- */

#define ROUNDS 100

/* Allocates a matrix of zeros with one row per player. */
static double *make_rows(int players, int columns)
{
	return xcalloc((size_t)players * (size_t)columns, sizeof(double));
}

/* Inverts a symmetric, positive definite matrix in place. */
static void invert(double *m, int n)
{
	for (int k = 0; k < n; k++) {
		double pivot = 1 / m[k * n + k];
		m[k * n + k] = 1;
		for (int j = 0; j < n; j++)
			m[k * n + j] *= pivot;
		for (int i = 0; i < n; i++) {
			double factor = m[i * n + k];
			if (i == k)
				continue;
			m[i * n + k] = 0;
			for (int j = 0; j < n; j++)
				m[i * n + j] -= factor * m[k * n + j];
		}
	}
}

static double expected(double a, double b)
{
	return 1 / (1 + exp(b - a));
}

/* Computes the gradient of the log-likelihood at natural ratings `r`, and the inverse of its negative
 * Hessian. */
static void find_slope(const struct meeting *meetings, int count, int n, const double *r,
		       double *slope, double *inverse)
{
	memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
	for (int i = 0; i < n; i++) {
		double p = expected(r[i], 0);
		slope[i] = 0.5 - p;
		inverse[i * n + i] = p * (1 - p);
	}
	for (int k = 0; k < count; k++) {
		const struct meeting *m = &meetings[k];
		double p = expected(r[m->a], r[m->b]), bend = m->games * p * (1 - p);
		slope[m->a] += m->points - m->games * p;
		slope[m->b] -= m->points - m->games * p;
		inverse[m->a * n + m->a] += bend;
		inverse[m->b * n + m->b] += bend;
		inverse[m->a * n + m->b] -= bend;
		inverse[m->b * n + m->a] -= bend;
	}
	invert(inverse, n);
}

/* Newton's method. Steps are limited, because the likelihood is nearly flat far from its maximum. */
static void maximise(const struct meeting *meetings, int count, int n, double *r, double *inverse)
{
	double *slope = make_rows(n, 1), longest = 1;
	for (int round = 0; round < ROUNDS && longest > 1e-9; round++) {
		find_slope(meetings, count, n, r, slope, inverse);
		longest = 0;
		for (int i = 0; i < n; i++) {
			double step = 0;
			for (int j = 0; j < n; j++)
				step += inverse[i * n + j] * slope[j];
			step = fmax(-1, fmin(1, step));
			r[i] += step;
			longest = fmax(longest, fabs(step));
		}
	}
	free(slope);
}

/* The players who have games. The mean of ratings is theirs. */
struct elo_rated {
	const bool *has_games;
	int players, count; /* all, and those with games */
};

static double elo_mean_of(const struct elo_rated *rated, const double *values)
{
	double sum = 0;
	for (int i = 0; i < rated->players; i++)
		sum += rated->has_games[i] ? values[i] : 0;
	return rated->count ? sum / rated->count : 0;
}

/* Adds, for each rating, the squares of each cluster's influence on its distance from the mean rating.
 * Returns the number of clusters. */
static int add_clusters(const struct meeting *meetings, int count, const struct elo_rated *rated,
			const double *r, const double *inverse, double *variance)
{
	int clusters = 0, found = 0, n = rated->players;
	for (int k = 0; k < count; k++)
		if (meetings[k].cluster >= clusters)
			clusters = meetings[k].cluster + 1;
	double *surprise = make_rows(clusters, n);
	bool *seen = xcalloc((size_t)clusters + 1, sizeof *seen);
	for (int k = 0; k < count; k++) {
		const struct meeting *m = &meetings[k];
		double d = m->points - m->games * expected(r[m->a], r[m->b]);
		surprise[m->cluster * n + m->a] += d;
		surprise[m->cluster * n + m->b] -= d;
		found += !seen[m->cluster];
		seen[m->cluster] = true;
	}
	double *moved = make_rows(n, 1);
	for (int c = 0; c < clusters; c++) {
		for (int i = 0; i < n; i++) {
			moved[i] = 0;
			for (int j = 0; j < n; j++)
				moved[i] += inverse[i * n + j] * surprise[c * n + j];
		}
		double mean = elo_mean_of(rated, moved);
		for (int i = 0; i < n; i++)
			variance[i] += (moved[i] - mean) * (moved[i] - mean);
	}
	free(moved);
	free(seen);
	free(surprise);
	return found;
}

/* Returns the variance of r[i] minus the mean rating if all games were independent. */
static double plain_variance(const double *inverse, const struct elo_rated *rated, int i)
{
	int n = rated->players;
	double *rows = make_rows(n, 1);
	for (int j = 0; j < n; j++)
		rows[j] = elo_mean_of(rated, inverse + j * n);
	double variance = inverse[i * n + i] - 2 * rows[i] + elo_mean_of(rated, rows);
	free(rows);
	return variance;
}

void elo_ratings(const struct meeting *meetings, int count, int players, struct interval *ratings)
{
	int n = players;
	double *r = make_rows(n, 1), *variance = make_rows(n, 1), *inverse = make_rows(n, n);
	bool *has_games = xcalloc((size_t)n, sizeof *has_games);
	struct elo_rated rated = { has_games, n, 0 };
	for (int k = 0; k < count; k++)
		has_games[meetings[k].a] = has_games[meetings[k].b] = true;
	for (int i = 0; i < n; i++)
		rated.count += has_games[i];
	maximise(meetings, count, n, r, inverse);
	int clusters = add_clusters(meetings, count, &rated, r, inverse, variance);
	double mean = elo_mean_of(&rated, r);
	for (int i = 0; i < n; i++) {
		double half = INFINITY;
		if (has_games[i] && clusters > 1)
			half = student(clusters - 1) *
			       sqrt(fmax(variance[i] * clusters / (clusters - 1),
					 plain_variance(inverse, &rated, i)));
		double elo = has_games[i] ? NATURAL * (r[i] - mean) : 0;
		ratings[i] = (struct interval) { elo, elo - NATURAL * half, elo + NATURAL * half };
	}
	free(has_games);
	free(inverse);
	free(variance);
	free(r);
}
