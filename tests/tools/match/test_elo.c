/* SPDX-License-Identifier: MIT
 *
 * Statistics of scores: intervals, superiority, Elo, the sequential test, ratings.
 */
#include <math.h>

#include "tests/suite.h"
#include "tests/tools/match/pair_model.h"
#include "tools/match/elo.h"
#include "tools/match/sprt.h"

static void check_interval(const struct group *groups, int count, double mean, double low,
			   double high)
{
	struct interval s = score_interval(groups, count);
	ck_assert_double_eq_tol(s.mean, mean, 1e-4);
	ck_assert_double_eq_tol(s.low, low, 1e-4);
	ck_assert_double_eq_tol(s.high, high, 1e-4);
}

/* Wilson's interval of p over m games, by hand, with Student's quantile t for one degree of freedom less
 * than groups: center (p + t^2/2m) / (1 + t^2/m), half width t sqrt(p(1-p)/m + t^2/4m^2) / (1 + t^2/m). */
START_TEST(intervals)
{
	struct group groups[20];
	for (int i = 0; i < 20; i++)
		groups[i] = (struct group) { 1, i < 10 };
	/* 10 of 20 single games: variance 5/400 * 20/19, so m = 0.25 / (5/380) = 19; t = 2.0930:
	 * center 0.5, half width 2.0930 sqrt(0.0131579 + 0.0030336) / 1.230562 = 0.216427. */
	check_interval(groups, 20, 0.5, 0.283573, 0.716427);
	/* Pairs that are always shared show no variance: m = 10 pairs, t = 2.262: half width 2.262
	 * sqrt(0.025 + 0.0127916) / 1.511664 = 0.290894. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 2, 1 };
	check_interval(groups, 10, 0.5, 0.209106, 0.790894);
	/* 5 pairs won, 5 lost: as 9 games. sum of squares 10, variance 10/400 * 10/9, m = 9,
	 * half width 2.262 sqrt(0.0277778 + 0.0157921) / 1.568516 = 0.301021. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 2, i < 5 ? 2 : 0 };
	check_interval(groups, 10, 0.5, 0.198979, 0.801021);
	/* All of 10 won, none of two pairs: the bound is the root of 0.025. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 1, 1 };
	check_interval(groups, 10, 1, 0.691503, 1);
	const struct group lost[] = { { 2, 0 }, { 2, 0 } };
	check_interval(lost, 2, 0, 0, 0.841886);
	check_interval(groups, 1, 1, 0, 1);
	check_interval(groups, 0, 0.5, 0, 1);
	groups[3] = (struct group) { 0, 0 };
	check_interval(groups + 3, 1, 0.5, 0, 1);
}
END_TEST

/* Likelihoods of superiority: Student's distribution function, by numerical integration elsewhere. */
START_TEST(superiority)
{
	static const int pairs[5] = { 1, 1, 3, 3, 2 };
	struct group groups[20];
	int n = 0;
	for (int i = 0; i < 20; i++)
		groups[i] = (struct group) { 1, i < 15 };
	/* m = 19 and t = 0.5 sqrt(19), 19 degrees of freedom. */
	ck_assert_double_eq_tol(score_superiority(groups, 20), 0.978957, 1e-5);
	for (int i = 0; i < 20; i++)
		groups[i].points = 1 - groups[i].points;
	ck_assert_double_eq_tol(score_superiority(groups, 20), 1 - 0.978957, 1e-5);
	for (int points = 0; points < 5; points++)
		for (int i = 0; i < pairs[points]; i++)
			groups[n++] = (struct group) { 2, points / 2.0 };
	ck_assert_double_eq_tol(score_superiority(groups, 10), 0.823606, 1e-5);
	/* Two groups: half of a right angle. */
	groups[0] = (struct group) { 1, 1 };
	groups[1] = (struct group) { 1, 0 };
	ck_assert_double_eq_tol(score_superiority(groups, 2), 0.5, 1e-9);
	ck_assert_double_eq_tol(score_superiority(groups, 1), 0.5, 1e-9);
	ck_assert_double_eq_tol(score_superiority(groups, 0), 0.5, 1e-9);
}
END_TEST

static struct interval normalised(const int counts[], int played, bool one_cluster)
{
	struct unit list[100];
	int n = 0;
	for (int points = 0; points <= 2 * played; points++)
		for (int k = 0; k < counts[points]; k++, n++)
			list[n] = (struct unit) { points, one_cluster ? 0 : n };
	return elo_normalised(list, n, played);
}

START_TEST(normalised_by_hand)
{
	/* 60 of 80 games won: 0.25 / 0.433013 deviations, times 347.4356. Influences 0.7698 of a won and -2.3094 of a
	 * lost game, squares 142.2222: half width 347.4356 * 1.9905 sqrt(142.2222 * 80 / 79) / 80. */
	struct interval single = normalised((const int[]) { 20, 0, 60 }, 1, false);
	ck_assert_double_eq_tol(single.mean, 200.5917, 1e-3);
	ck_assert_double_eq_tol(single.high - single.mean, 103.74, 0.05);
	/* Computed by another program. */
	struct interval pairs = normalised((const int[]) { 4, 4, 12, 12, 8 }, 2, false);
	ck_assert_double_eq_tol(pairs.mean, 81.8914, 1e-3);
	ck_assert_double_eq_tol(pairs.mean - pairs.low, 86.90, 0.05);
	/* Nothing is known of outcomes that hardly vary, or are of one opening. */
	ck_assert(isnan(normalised((const int[]) { 19, 0, 50, 0, 0 }, 2, false).mean));
	ck_assert(!isnan(normalised((const int[]) { 20, 0, 50, 0, 0 }, 2, false).mean));
	ck_assert(isnan(normalised((const int[]) { 20, 0, 20, 0, 0 }, 2, true).mean));
	ck_assert(isnan(normalised((const int[]) { 0, 0, 0 }, 1, false).mean));
}
END_TEST

/* --- coverage --- */

enum { ROUNDS = 4000, PAIRS_MAX = 200 };

/* The share of rounds, in percent, whose intervals hold the truth: of the score, and of normalised Elo where it is
 * known, which is 95 if it is known in less than half of them. */
struct covered {
	double score, normalised;
};

static struct covered simulate(const struct model *m, int pairs, struct rng *rng)
{
	struct group groups[PAIRS_MAX];
	struct unit list[PAIRS_MAX];
	int held = 0, held_normalised = 0, known = 0;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < pairs; i++) {
			int points = points_of(m, rng);
			groups[i] = (struct group) { 2, points / 2.0 };
			list[i] = (struct unit) { points, i };
		}
		struct interval s = score_interval(groups, pairs),
				n = elo_normalised(list, pairs, 2);
		held += s.low <= m->mean + 1e-9 && m->mean - 1e-9 <= s.high;
		known += !isnan(n.mean);
		held_normalised += n.low <= m->normalised + 1e-9 && m->normalised - 1e-9 <= n.high;
		/* One rule says who is stronger. */
		ck_assert_int_eq(s.low > 0.5 + 1e-6,
				 score_superiority(groups, pairs) > 0.975 + 1e-6);
	}
	return (struct covered) { 100.0 * held / ROUNDS,
				  known < ROUNDS / 2 ? 95 : 100.0 * held_normalised / known };
}

/* Intervals hold the truth 95 times of 100, at all draw rates and effects of openings: within 1.5 if there are as
 * many pairs as in published matches, and not less with few pairs, where the results are too coarse for equality. */
START_TEST(coverage)
{
	static const double elos[] = { 0, 100, 250 }, draws[] = { 0, 100, 300 },
			    spreads[] = { 0, 200, 600 };
	static const int sizes[] = { 2, 3, 5, 10, 25, 50, 100, PAIRS_MAX };
	struct rng rng = { 0 };
	rng_seed(&rng, 13);
	for (size_t k = 0; k < 27; k++)
		for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
			struct model m = {
				elos[k / 9], draws[k / 3 % 3], spreads[k % 3], { 0 }, 0, 0
			};
			prepare_model(&m);
			struct covered c = simulate(&m, sizes[n], &rng);
			bool many = sizes[n] >= 25;
			ck_assert_msg(c.score >= (many ? 93.5 : 93) && (!many || c.score <= 96.5),
				      "Elo %g, draws %g, spread %g, %d pairs: %.1f %%", m.elo,
				      m.draw, m.spread, sizes[n], c.score);
			ck_assert_msg(sizes[n] < 50 || (c.normalised >= 93 &&
							(sizes[n] < 100 || c.normalised <= 96.5)),
				      "normalised, Elo %g, draws %g, spread %g, %d pairs: %.1f %%",
				      m.elo, m.draw, m.spread, sizes[n], c.normalised);
		}
}
END_TEST

/* Same for the ratings of three players: each opening is played by all pairs. */
START_TEST(coverage_of_ratings)
{
	enum { RATED = 1000, OPENINGS = 20 };
	static const struct model models[] = { { .draw = 100 }, { .spread = 600 } };
	static const int openings[] = { 2, 3, 5, 20 };
	struct rng rng = { 0 };
	struct meeting meetings[3 * OPENINGS];
	struct interval r[3];
	rng_seed(&rng, 17);
	for (size_t k = 0; k < 2; k++)
		for (size_t n = 0; n < sizeof openings / sizeof *openings; n++) {
			struct model m = models[k];
			int held = 0;
			prepare_model(&m);
			for (int round = 0; round < RATED; round++) {
				/* All players are of even strength, so all are rated 0. */
				for (int i = 0; i < 3 * openings[n]; i++) {
					int points = points_of(&m, &rng);
					bool turned = rng_below(&rng, 2);
					meetings[i] = (struct meeting) {
						i % 3, (i + 1) % 3, i / 3, 2,
						(turned ? 4 - points : points) / 2.0
					};
				}
				elo_ratings(meetings, 3 * openings[n], 3, r);
				for (int i = 0; i < 3; i++)
					held += r[i].low <= 0 && 0 <= r[i].high;
			}
			ck_assert_msg(held >= 0.93 * 3 * RATED, "model %zu, %d openings: %.1f %%",
				      k, openings[n], 100.0 * held / 3 / RATED);
		}
}
END_TEST

/* Same for players of uneven strength, whose games nearly always have one result. The intervals must not shrink to what
 * those few results vary. Those too wide to be shown do not count. */
START_TEST(coverage_of_uneven_ratings)
{
	enum { RATED = 300, OPENINGS = 100 };
	static const double elos[][3] = { { 300, 300, -600 }, { 600, 0, -600 }, { 400, 0, -400 } };
	static const int openings[] = { 5, 10, 25, 50, OPENINGS };
	struct rng rng = { 0 };
	struct meeting meetings[3 * OPENINGS];
	struct interval r[3];
	rng_seed(&rng, 19);
	for (size_t k = 0; k < 3; k++)
		for (size_t n = 0; n < sizeof openings / sizeof *openings; n++) {
			int held[3] = { 0 }, known[3] = { 0 };
			for (int round = 0; round < RATED; round++) {
				for (int i = 0; i < 3 * openings[n]; i++) {
					struct meeting *m = &meetings[i];
					*m = (struct meeting) { i % 3, (i + 1) % 3, i / 3, 2, 0 };
					double p = score_of_elo(elos[k][m->a] - elos[k][m->b]);
					for (int game = 0; game < 2; game++)
						m->points += rng_below(&rng, 1000000) < p * 1e6;
				}
				elo_ratings(meetings, 3 * openings[n], 3, r);
				for (int i = 0; i < 3; i++) {
					bool shown = elo_is_known(&r[i]);
					known[i] += shown;
					held[i] += shown && r[i].low <= elos[k][i] &&
						   elos[k][i] <= r[i].high;
				}
			}
			for (int i = 0; i < 3; i++)
				ck_assert_msg(held[i] >= 0.87 * known[i],
					      "Elo %g of case %zu, %d openings: %d of %d",
					      elos[k][i], k, openings[n], held[i], known[i]);
		}
}
END_TEST

/* Two openings, or only wins, give no Elo. A hundred openings do. */
START_TEST(elo_that_is_known)
{
	struct group groups[100];
	for (int i = 0; i < 100; i++)
		groups[i] = (struct group) { 2, i % 3 ? 1 : 2 };
	for (int count = 0; count <= 100; count += count < 2 ? 1 : 98) {
		struct interval s = score_interval(groups, count), elo = elo_interval(&s);
		ck_assert_int_eq(elo_is_known(&elo), count == 100);
	}
	for (int i = 0; i < 100; i++)
		groups[i] = (struct group) { 2, 2 };
	struct interval s = score_interval(groups, 100), elo = elo_interval(&s);
	ck_assert(!elo_is_known(&elo));
}
END_TEST

START_TEST(elo)
{
	ck_assert_double_eq_tol(elo_of_score(0.5), 0, 1e-9);
	ck_assert_double_eq_tol(elo_of_score(0.75), 190.8485, 1e-3); /* 400 log10 3 */
	ck_assert_double_eq_tol(elo_of_score(1 / 11.0), -400, 1e-9);
	ck_assert(isinf(elo_of_score(1)) && elo_of_score(1) > 0);
	ck_assert(isinf(elo_of_score(0)) && elo_of_score(0) < 0);
}
END_TEST

START_TEST(elo_and_back)
{
	for (int gap = -800; gap <= 800; gap += 50)
		ck_assert_double_eq_tol(elo_of_score(score_of_elo(gap)), gap, 1e-6);
	ck_assert_double_eq_tol(score_of_elo(190.8485), 0.75, 1e-6);
}
END_TEST

START_TEST(unsound_tests)
{
	static const struct sprt good[] = { { 0, 5, 0.05, 0.05 }, { -3, -1, 0.4, 0.01 } };
	static const struct sprt bad[] = {
		{ 5, 5, 0.05, 0.05 }, { 5, 0, 0.05, 0.05 }, { 0, 5, 0, 0.05 },
		{ 0, 5, 0.05, 0.5 },  { 0, 5, -1, 0.05 },   { 0, 5000, 0.05, 0.05 },
		{ NAN, 5, 0.1, 0.1 }, { 0, 5, 0.1, NAN },
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ck_assert(sprt_is_sound(&good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert(!sprt_is_sound(&bad[i]));
}
END_TEST

START_TEST(test_bounds)
{
	const struct sprt usual = { 0, 5, 0.05, 0.05 }, careful = { 0, 5, 0.01, 0.1 };
	/* ln 19, and ln 90, ln (10 / 99). */
	ck_assert_double_eq_tol(sprt_upper(&usual), 2.944439, 1e-6);
	ck_assert_double_eq_tol(sprt_lower(&usual), -2.944439, 1e-6);
	ck_assert_double_eq_tol(sprt_upper(&careful), 4.499810, 1e-6);
	ck_assert_double_eq_tol(sprt_lower(&careful), -2.292535, 1e-6);
}
END_TEST

static double llr(double elo0, double elo1, const int counts[], int outcomes)
{
	const struct sprt t = { elo0, elo1, 0.05, 0.05 };
	return sprt_llr(&t, counts, outcomes);
}

/* If pairs are won or lost as a whole, it is Wald's test of a coin: won ln(s1/s0) + lost ln((1-s1)/(1-s0)),
 * with s0 = 0.5, s1 = 1 / (1 + 10^-0.25) = 0.640065. Outcomes that did not occur add a little. */
START_TEST(test_of_a_coin)
{
	const int coin[] = { 100, 0, 0, 0, 200 }, won[] = { 0, 0, 0, 0, 20 },
		  single[] = { 100, 0, 200 };
	ck_assert_double_eq_tol(llr(0, 100, coin, 5), 16.523863, 1e-3);
	ck_assert_double_eq_tol(llr(0, 100, single, 3), 16.523863, 1e-3);
	/* 20 ln (0.571463 / 0.5). */
	ck_assert_double_eq_tol(llr(0, 50, won, 5), 2.671837, 1e-3);
	ck_assert_double_eq(llr(0, 50, (const int[5]) { 0 }, 5), 0);
	/* With exchanged hypotheses it has the opposite sign. */
	ck_assert_double_eq_tol(llr(100, 0, coin, 5), -llr(0, 100, coin, 5), 1e-9);
}
END_TEST

/* Normal approximation for many games: (s1 - s0) (2 m - s0 - s1) n / (2 v), with mean m and variance v of a
 * pair's share. */
static double normal_llr(double elo0, double elo1, const int counts[], int outcomes)
{
	double s0 = score_of_elo(elo0), s1 = score_of_elo(elo1), n = 0, m = 0, v = 0;
	for (int i = 0; i < outcomes; i++) {
		n += counts[i];
		m += counts[i] * (double)i / (outcomes - 1);
	}
	m /= n;
	for (int i = 0; i < outcomes; i++)
		v += counts[i] * pow((double)i / (outcomes - 1) - m, 2) / n;
	return (s1 - s0) * (2 * m - s0 - s1) * n / (2 * v);
}

START_TEST(test_of_pairs)
{
	static const int few[] = { 10, 20, 40, 25, 15 }, many[] = { 3789, 8766, 13456, 9010, 4023 };
	static const int single[] = { 30, 40, 60 };
	/* Computed by another program, which finds both distributions and checks their means. */
	ck_assert_double_eq_tol(llr(0, 5, few, 5), 0.293286, 1e-5);
	ck_assert_double_eq_tol(llr(-1, 3, many, 5), 8.935654, 1e-5);
	ck_assert_double_eq_tol(llr(0, 20, single, 3), 2.192128, 1e-5);
	ck_assert_double_eq_tol(llr(-1, 3, many, 5), normal_llr(-1, 3, many, 5), 0.01);
	/* Pairs vary less than independent games, so they give more information. */
	ck_assert_double_gt(llr(0, 10, (const int[]) { 0, 10, 60, 30, 0 }, 5),
			    llr(0, 10, (const int[]) { 40, 100, 60 }, 3));
}
END_TEST

/* The extra drawn game against a player rated 0 counts: r solves 15.5 = 20 / (1 + e^-2r) + 1 / (1 + e^-r),
 * which is 0.532123 or 92.44 Elo. */
START_TEST(rating_of_two)
{
	struct interval r[2];
	struct meeting m[20];
	for (int i = 0; i < 20; i++)
		m[i] = (struct meeting) { 0, 1, i, 1, i < 15 };
	elo_ratings(m, 20, 2, r);
	ck_assert_double_eq_tol(r[0].mean, 92.4392, 0.01);
	ck_assert_double_eq_tol(r[1].mean, -r[0].mean, 1e-6);
	ck_assert_double_eq_tol(r[0].high - r[0].mean, r[0].mean - r[0].low, 1e-6);
	/* A thousand games, half of them won: a standard error of half of 173.72 / sqrt(1000 / 4) Elo. */
	struct meeting *many = calloc(1000, sizeof *many);
	for (int i = 0; i < 1000; i++)
		many[i] = (struct meeting) { 0, 1, i, 1, i % 2 };
	elo_ratings(many, 1000, 2, r);
	ck_assert_double_eq_tol(r[0].mean, 0, 1e-6);
	ck_assert_double_eq_tol(r[0].high, 10.77, 0.1);
	/* As pairs that are always shared they show no variance, so that of independent games is used. */
	for (int i = 0; i < 1000; i++)
		many[i].cluster = i / 2;
	elo_ratings(many, 1000, 2, r);
	ck_assert_double_eq_tol(r[0].high, 10.77, 0.1);
	/* Pairs that are won or lost as a whole have twice the variance. */
	for (int i = 0; i < 1000; i++)
		many[i].points = i / 2 % 2;
	elo_ratings(many, 1000, 2, r);
	ck_assert_double_eq_tol(r[0].high, 10.77 * sqrt(2), 0.15);
	free(many);
}
END_TEST

START_TEST(ratings_of_many)
{
	struct interval r[4];
	struct meeting m[300];
	int n = 0;
	/* Player 0 is 100 Elo above 1, which is 100 above 2. 2 has not met 0, and 3 has not played. */
	for (int i = 0; i < 150; i++) {
		m[n++] = (struct meeting) { 0, 1, i, 1000,
					    1000 * score_of_elo(100) + i % 2 * 20 - 10 };
		m[n++] = (struct meeting) { 2, 1, i, 1000, 1000 * score_of_elo(-100) };
	}
	elo_ratings(m, n, 4, r);
	ck_assert_double_eq_tol(r[0].mean - r[1].mean, 100, 0.1);
	ck_assert_double_eq_tol(r[1].mean - r[2].mean, 100, 0.1);
	ck_assert_double_eq(r[3].mean, 0);
	ck_assert(isinf(r[3].high) && r[3].low < 0);
	ck_assert_double_lt(r[0].high - r[0].mean, 2);
	/* With only wins the rating is finite. */
	elo_ratings(&(struct meeting) { 0, 1, 0, 10, 10 }, 1, 2, r);
	ck_assert(isfinite(r[0].mean) && r[0].mean > 100);
	ck_assert(r[0].low < r[0].mean);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("elo");
	TCase *scores = tcase_create("scores");
	tcase_add_test(scores, intervals);
	tcase_add_test(scores, superiority);
	tcase_add_test(scores, normalised_by_hand);
	tcase_add_test(scores, coverage);
	tcase_add_test(scores, coverage_of_ratings);
	tcase_add_test(scores, coverage_of_uneven_ratings);
	tcase_add_test(scores, elo_that_is_known);
	tcase_add_test(scores, elo);
	tcase_add_test(scores, elo_and_back);
	tcase_add_test(scores, unsound_tests);
	tcase_add_test(scores, test_bounds);
	tcase_add_test(scores, test_of_a_coin);
	tcase_add_test(scores, test_of_pairs);
	tcase_add_test(scores, rating_of_two);
	tcase_add_test(scores, ratings_of_many);
	suite_add_tcase(suite, scores);
	return suite_run(suite);
}
