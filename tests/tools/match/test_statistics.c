/* SPDX-License-Identifier: MIT
 *
 * The statistics of a match: clusters of games with equal openings, and the figures that `yomi match` and `yomi report`
 * print, which are computed here a second time, from the tables of the database and by other formulas. Also the quantiles
 * of delays.
 */
#include <sqlite3.h>

#include "tests/suite.h"
#include "tests/tools/games_of.h"
#include "tests/tools/match/pair_model.h"
#include "tools/lib/series.h"
#include "tools/match/statistics.h"

/* --- clusters --- */

enum { ROUNDS = 1000, OPENINGS = 20, TIMES = 5 };

/* Adds a pair of games of an opening number and its moves ("": none). */
static void add_pair(struct standings *s, int number, const char *moves, int points)
{
	struct match_move move = { .seconds = NAN };
	int first = points > 2 ? 2 : points > 0 ? 1 : 0;
	snprintf(move.text, sizeof move.text, "%s", moves);
	for (int color = 0; color < 2; color++) {
		int own = color == 0 ? first : points - first;
		struct match_game g = { .opening = number,
					.engines = { color, !color },
					.points = color == 0 ? own : 2 - own,
					.moves = &move,
					.count = *moves != 0,
					.opening_moves = *moves != 0 };
		ck_assert(standings_add(s, &g));
	}
}

/* Plays OPENINGS openings, TIMES times each. In half of all possible openings A is much stronger than in the others.
 * Returns the share of intervals, in percent, that hold A's score over all openings. */
static double coverage_of(bool tells_moves)
{
	const struct match match = { .game = game_find("tictactoe", NULL), .paired = true };
	struct model kinds[2] = { { .elo = -60, .draw = 100 }, { .elo = 160, .draw = 100 } };
	struct rng rng = { 0 };
	int held = 0;
	rng_seed(&rng, 5);
	for (int i = 0; i < 2; i++)
		prepare_model(&kinds[i]);
	double truth = (kinds[0].mean + kinds[1].mean) / 2;
	for (int round = 0; round < ROUNDS; round++) {
		struct standings s;
		standings_init(&s, &match);
		for (int opening = 0; opening < OPENINGS; opening++) {
			const struct model *kind = &kinds[rng_below(&rng, 2)];
			char moves[16] = "";
			if (tells_moves)
				snprintf(moves, sizeof moves, "m%d", opening);
			for (int i = 0; i < TIMES; i++)
				add_pair(&s, 1 + opening + i * OPENINGS, moves,
					 points_of(kind, &rng));
		}
		struct interval score = statistics_score(&s, (struct view) { 0, 1, ANY });
		held += score.low <= truth && truth <= score.high;
		standings_free(&s);
	}
	return 100.0 * held / ROUNDS;
}

/* Games of equal openings are dependent, also if the openings have several numbers. Without this the intervals would be
 * too narrow. */
START_TEST(equal_openings_are_one_cluster)
{
	double known = coverage_of(true), unknown = coverage_of(false);
	ck_assert_msg(known >= 93.5 && known <= 96.5, "%.1f %%", known);
	ck_assert_msg(unknown < 90, "%.1f %%", unknown);
}
END_TEST

/* Two openings, however often they are played, say nearly nothing about others; one opening stands for itself. */
START_TEST(few_openings)
{
	const struct match match = { .game = game_find("tictactoe", NULL), .paired = true };
	const struct view a = { 0, 1, ANY };
	for (int openings = 1; openings <= 2; openings++) {
		struct standings s;
		standings_init(&s, &match);
		for (int i = 0; i < 100; i++)
			add_pair(&s, 1 + i, i % openings ? "a" : "b", i % openings ? 3 : 2 + i % 2);
		struct interval score = statistics_score(&s, a), elo = elo_interval(&score);
		ck_assert_int_eq(s.different, openings);
		ck_assert_int_eq(elo_is_known(&elo), openings == 1);
		ck_assert_int_eq(statistics_pairs(&s, &s.pairings[0]).all, 100);
		standings_free(&s);
	}
}
END_TEST

START_TEST(views_of_games)
{
	const struct match match = { .game = game_find("tictactoe", NULL), .paired = true };
	struct standings s;
	standings_init(&s, &match);
	add_pair(&s, 1, "a", 4);
	add_pair(&s, 2, "b", 1);
	add_pair(&s, 3, "c", 2);
	/* A won 1, drew 1 and drew 1 as Black; won 1, lost 1 and drew 1 as White. */
	static const struct {
		struct view view;
		int lost, drawn, won;
	} cases[] = {
		{ { 0, 1, ANY }, 1, 3, 2 },       { { 0, ANY, BLACK }, 0, 2, 1 },
		{ { 0, 1, WHITE }, 1, 1, 1 },     { { 1, ANY, ANY }, 2, 3, 1 },
		{ { 1, 0, WHITE }, 1, 2, 0 },     { { ANY, ANY, BLACK }, 1, 3, 2 },
		{ { ANY, ANY, WHITE }, 2, 3, 1 }, { { 0, 0, ANY }, 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tally t = statistics_tally(&s, cases[i].view);
		ck_assert_int_eq(t.games[0], cases[i].lost);
		ck_assert_int_eq(t.games[1], cases[i].drawn);
		ck_assert_int_eq(t.games[2], cases[i].won);
	}
	struct pair_counts n = statistics_pairs(&s, &s.pairings[0]);
	ck_assert(n.all == 3 && n.decided == 2);
	double own = statistics_superiority(&s, (struct view) { 0, 1, ANY }),
	       other = statistics_superiority(&s, (struct view) { 1, 0, ANY });
	ck_assert_double_eq_tol(own + other, 1, 1e-12);
	standings_free(&s);
}
END_TEST

/* --- a second computation --- */

enum { PAIRS_MAX = 200 };

/* What the tables of a database say of its only match. A is engine 1. */
struct recount {
	int games[2][3]; /* by A's colour and half points */
	int pairs;
	int points[PAIRS_MAX],
		cluster[PAIRS_MAX]; /* of pairs: half points, first pair with this opening */
};

static void recount(struct recount *r, const char *path)
{
	sqlite3 *db;
	sqlite3_stmt *s;
	char openings[PAIRS_MAX][64];
	*r = (struct recount) { 0 };
	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	sqlite3_prepare_v2(db,
			   "SELECT black <> 1, CASE black WHEN 1 THEN points ELSE 2 - points END, "
			   "count(*) FROM game GROUP BY 1, 2",
			   -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW)
		r->games[sqlite3_column_int(s, 0)][sqlite3_column_int(s, 1)] = sqlite3_column_int(
			s, 2);
	sqlite3_finalize(s);
	sqlite3_prepare_v2(db,
			   "SELECT half_points, (SELECT group_concat(move, ' ') FROM (SELECT move "
			   "FROM move WHERE "
			   "game = first AND number <= (SELECT opening_moves FROM game WHERE id = "
			   "first) ORDER BY "
			   "number)) FROM (SELECT opening, min(id) AS first, sum(CASE black WHEN 1 "
			   "THEN points ELSE "
			   "2 - points END) AS half_points FROM game GROUP BY opening HAVING "
			   "count(*) = 2) ORDER BY "
			   "opening",
			   -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW) {
		int n = r->pairs++;
		ck_assert_int_lt(n, PAIRS_MAX);
		r->points[n] = sqlite3_column_int(s, 0);
		snprintf(openings[n], sizeof openings[n], "%s",
			 (const char *)sqlite3_column_text(s, 1));
		while (strcmp(openings[r->cluster[n]], openings[n]) != 0)
			r->cluster[n]++;
	}
	sqlite3_finalize(s);
	sqlite3_close(db);
}

/* Student's distribution function by Simpson's rule. */
static double student(double t, int freedom)
{
	enum { STEPS = 2000 };
	double sum = 0, n = freedom;
	for (int i = 0; i <= STEPS; i++) {
		double x = t * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
		sum += weight * pow(1 + x * x / n, -(n + 1) / 2);
	}
	return 0.5 +
	       sum * t / STEPS / 3 * exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(n * M_PI);
}

static double student_quantile(int freedom)
{
	double low = 0, high = 100;
	while (high - low > 1e-9) {
		double middle = (low + high) / 2;
		*(student(middle, freedom) < 0.975 ? &low : &high) = middle;
	}
	return low;
}

/* The variance of the mean of weighted values, by cluster: the sum of the squared sums of their influences, which sum to
 * 0. */
static double clustered(const struct recount *r, const double influence[], int *clusters)
{
	double sums[PAIRS_MAX] = { 0 }, square = 0;
	bool seen[PAIRS_MAX] = { false };
	*clusters = 0;
	for (int i = 0; i < r->pairs; i++) {
		sums[r->cluster[i]] += influence[i];
		*clusters += !seen[r->cluster[i]];
		seen[r->cluster[i]] = true;
	}
	for (int i = 0; i < r->pairs; i++)
		square += sums[i] * sums[i];
	return square / r->pairs / r->pairs * *clusters / (*clusters - 1);
}

/* (mean - 1/2) / deviation of the pairs if pair `heavy` counts `more` times more; -1: none. */
static double standardised(const struct recount *r, int heavy, double more)
{
	double all = 0, sum = 0, square = 0;
	for (int i = 0; i < r->pairs; i++) {
		double weight = i == heavy ? 1 + more : 1, x = r->points[i] / 4.0;
		all += weight;
		sum += weight * x;
		square += weight * x * x;
	}
	return (sum / all - 0.5) / sqrt(square / all - sum / all * sum / all);
}

/* Finds the score on one side of p at which (p - score) is t standard errors; they change with the score as those of
 * games do. */
static double end_of(double p, double end, double t, double variance)
{
	double inner = p, outer = end;
	for (int i = 0; i < 100; i++) {
		double x = (inner + outer) / 2;
		double error = sqrt(variance * x * (1 - x) / (p * (1 - p)));
		*(fabs(p - x) < t * error ? &inner : &outer) = x;
	}
	return inner;
}

static const char *line_of(const char *text, const char *start)
{
	const char *line = strstr(text, start);
	ck_assert_msg(line, "no %s in %s", start, text);
	return line + strlen(start);
}

static void check_lines(const char *said, const struct recount *r)
{
	double p = 0, influence[PAIRS_MAX], low, high, mean, share, half;
	int played, won, drawn, lost, clusters, counts[5] = { 0 }, decided, all;
	for (int i = 0; i < r->pairs; i++) {
		p += r->points[i] / 4.0 / r->pairs;
		counts[r->points[i]]++;
	}
	for (int i = 0; i < r->pairs; i++)
		influence[i] = r->points[i] / 4.0 - p;
	double variance = clustered(r, influence, &clusters), t = student_quantile(clusters - 1);
	double least = end_of(p, 0, t, variance), most = end_of(p, 1, t, variance);
	ck_assert_int_eq(sscanf(line_of(said, "\nA  "), "%d %d %d %d %lf %% %lf .. %lf", &played,
				&won, &drawn, &lost, &mean, &low, &high),
			 7);
	ck_assert_int_eq(played, 2 * r->pairs);
	ck_assert_int_eq(won, r->games[BLACK][2] + r->games[WHITE][2]);
	ck_assert_int_eq(drawn, r->games[BLACK][1] + r->games[WHITE][1]);
	ck_assert_double_eq_tol(mean, 100 * p, 0.051);
	ck_assert_double_eq_tol(low, 100 * least, 0.06);
	ck_assert_double_eq_tol(high, 100 * most, 0.06);
	for (int color = 0; color < 2; color++) {
		const int *own = r->games[color];
		ck_assert_int_eq(sscanf(line_of(said, color ? "A as white" : "A as black"),
					"%d %d %d %d", &played, &won, &drawn, &lost),
				 4);
		ck_assert(won == own[2] && drawn == own[1] && lost == own[0]);
	}
	ck_assert_int_eq(
		sscanf(line_of(said, "\nblack  "), "%d %d %d %d", &played, &won, &drawn, &lost), 4);
	ck_assert_int_eq(won, r->games[BLACK][2] + r->games[WHITE][0]);
	ck_assert_int_eq(sscanf(line_of(said, "Elo of A "), "%lf, 95 %% interval %lf .. %lf", &mean,
				&low, &high),
			 3);
	ck_assert_double_eq_tol(mean, 400 * log10(p / (1 - p)), 0.51);
	ck_assert_double_eq_tol(low, 400 * log10(least / (1 - least)), 1);
	ck_assert_double_eq_tol(high, 400 * log10(most / (1 - most)), 1);
	/* The influence of a pair is what the figure gains if the pair counts a little more. */
	for (int i = 0; i < r->pairs; i++)
		influence[i] = (standardised(r, i, 1e-5) - standardised(r, i, -1e-5)) / 2e-5 *
			       r->pairs;
	double unit = 800 / log(10) / sqrt(2);
	half = unit * t * sqrt(clustered(r, influence, &clusters));
	ck_assert_int_eq(sscanf(line_of(said, "normalised Elo "), "%lf, 95 %% interval %lf .. %lf",
				&mean, &low, &high),
			 3);
	ck_assert_double_eq_tol(mean, unit * standardised(r, -1, 0), 0.51);
	ck_assert_double_eq_tol(high - low, 2 * half, 1.2);
	ck_assert_int_eq(sscanf(line_of(said, "superiority "), "%lf", &share), 1);
	ck_assert_double_eq_tol(
		share,
		100 * student((p - 0.5) / sqrt(variance * 0.25 / (p * (1 - p))), clusters - 1),
		0.06);
	int read = sscanf(line_of(said, "points of A "),
			  "0: %d, 0.5: %d, 1: %d, 1.5: %d, 2: %d; decided %d of %d", &played, &won,
			  &drawn, &lost, &clusters, &decided, &all);
	ck_assert_int_eq(read, 7);
	ck_assert(played == counts[0] && won == counts[1] && drawn == counts[2] &&
		  lost == counts[3] && clusters == counts[4]);
	ck_assert_int_eq(all, r->pairs);
	ck_assert_int_eq(decided, r->pairs - counts[2]);
}

/* Twelve openings of Tic-tac-toe, played several times. */
START_TEST(summary_agrees_with_the_database)
{
	static const char openings[] = "a1 b2\na1 c3\nb2 a1\nb1 a3\nc3 a2\na2 c1\n"
				       "b2 b1\nc1 a3\nb3 b1\na3 b2\nc2 c1\na1 b3\n";
	for (int seed = 1; seed <= suite_times(2); seed++) {
		char command[1024];
		struct recount r;
		write_file(folder_path("openings"), openings, sizeof openings - 1);
		snprintf(command, sizeof command,
			 "rm -f '%s'; $YOMI match --game=tictactoe --games=200 --openings='%s' "
			 "--seed=%d "
			 "--output='%s' 'a: $YOMI --threads=1 --search=mcts --guided=0 "
			 "--playouts=%d' "
			 "'b: $YOMI --threads=1 --search=mcts --guided=0 --playouts=30' "
			 "2>/dev/null >'%s'",
			 folder_path("db"), folder_path("openings"), seed, folder_path("db"),
			 40 + 20 * seed, folder_path("out"));
		ck_assert_int_eq(system(command), 0);
		char *said = text_of_file(folder_path("out"));
		recount(&r, folder_path("db"));
		ck_assert_int_eq(r.pairs, 100);
		ck_assert_ptr_nonnull(strstr(said, "\nopenings       12 different\n"));
		check_lines(said, &r);
		free(said);
	}
}
END_TEST

/* --- quantiles --- */

/* The quantile is the least value that is not exceeded by the part, whatever the order of the values. */
START_TEST(quantiles)
{
	static const double parts[] = { 0, 0.25, 0.5, 0.75, 1 };
	struct rng rng;
	rng_seed(&rng, 1);
	struct series none = { 0 };
	ck_assert_double_eq(series_quantile(&none, 0.5), 0);
	for (int count = 1; count <= 12; count++) {
		struct series s = { 0 };
		for (int i = 0; i < count; i++)
			series_add(&s, rng_below(&rng, 8));
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
			double found = series_quantile(&s, parts[k]), lesser = 0, others = 0;
			bool has = false;
			for (int i = 0; i < count; i++) {
				has |= s.values[i] == found;
				lesser += s.values[i] < found;
				others += s.values[i] <= found;
			}
			ck_assert(has && others >= parts[k] * count);
			ck_assert(lesser == 0 || lesser < parts[k] * count);
		}
		series_free(&s);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("statistics");
	TCase *clusters = tcase_create("clusters"), *figures = tcase_create("figures");
	TCase *series = tcase_create("series");
	tcase_add_test(series, quantiles);
	suite_add_tcase(suite, series);
	tcase_add_test(clusters, equal_openings_are_one_cluster);
	tcase_add_test(clusters, few_openings);
	tcase_add_test(clusters, views_of_games);
	suite_add_tcase(suite, clusters);
	tcase_add_checked_fixture(figures, folder_create, folder_remove);
	tcase_add_test(figures, summary_agrees_with_the_database);
	suite_add_tcase(suite, figures);
	return suite_run(suite);
}
