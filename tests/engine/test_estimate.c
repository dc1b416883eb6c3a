/* SPDX-License-Identifier: MIT
 *
 * Estimates by random games: exact where the games leave no choice, repeatable, and scores that follow the share of
 * the wins.
 */
#include <math.h>

#include "engine/estimate.h"
#include "tests/suite.h"

/* One square is empty: all games are equal. */
START_TEST(test_certain)
{
	struct state s;
	struct estimate e;
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "XOXXOOO.X", "X"));
	estimate_position(&game_tictactoe, &s, 10, 1, &e);
	ck_assert(e.score == 0 && e.deviation == 0 && e.share == 0.5);
	ck_assert(e.least == 0 && e.most == 0);
	for (int i = 0; i < 9; i++)
		ck_assert(e.owner[i] == ("XOXXOOOXX"[i] == 'X' ? 1 : -1));
	/* Nothing lies beyond the scores of the games. */
	ck_assert(estimate_score(&e, 1) == 0);
	ck_assert(estimate_score(&e, 0) == 0);
}
END_TEST

START_TEST(test_othello)
{
	const struct game *g = &game_othello;
	struct state s;
	struct estimate e, same, other;
	g->start(g, &s);
	estimate_position(g, &s, 500, 7, &e);
	estimate_position(g, &s, 500, 7, &same);
	estimate_position(g, &s, 500, 8, &other);
	ck_assert_mem_eq(&e, &same, sizeof e);
	ck_assert(e.score != other.score);
	ck_assert(e.games == 500);
	ck_assert(e.least >= -64 && e.least < -20 && e.most > 20 && e.most <= 64);
	ck_assert(e.deviation > 10 && e.deviation < 30);
	ck_assert(e.share > 0.4 && e.share < 0.6);
	double sum = 0;
	for (int i = 0; i < 64; i++) {
		ck_assert(fabs(e.owner[i]) < 0.6);
		sum += e.owner[i];
	}
	/* The owners make up the score, but for games that end with empty squares. */
	ck_assert(fabs(sum - e.score) < 3);
}
END_TEST

START_TEST(test_score)
{
	const struct game *g = &game_othello;
	struct state s;
	struct estimate e;
	g->start(g, &s);
	estimate_position(g, &s, 500, 7, &e);
	ck_assert(fabs(estimate_score(&e, e.share) - e.score) < 1e-6);
	double last = e.least;
	for (int i = 0; i <= 20; i++) {
		double score = estimate_score(&e, i / 20.0);
		ck_assert(score >= last && score <= e.most);
		last = score;
	}
	/* A standard deviation more, as in the tables of the normal distribution. */
	e.share = 0.5;
	ck_assert(fabs(estimate_score(&e, 0.841345) - e.score - e.deviation) < 1e-3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("estimate");
	TCase *cases = tcase_create("estimate");
	tcase_add_test(cases, test_certain);
	tcase_add_test(cases, test_othello);
	tcase_add_test(cases, test_score);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
