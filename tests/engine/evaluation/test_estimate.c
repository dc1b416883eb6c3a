/* SPDX-License-Identifier: MIT
 *
 * Estimates by random games: exact where the games leave no choice, repeatable, and scores that follow the share of
 * the wins.
 */
#include <math.h>

#include "engine/evaluation/outlook.h"
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

/* The sign of a score by owners is that of the share, and a share near 0 or 1 leaves the score to the owners. */
START_TEST(test_owned_score)
{
	const struct estimate e = { .games = 256,
				    .score = -60,
				    .deviation = 18,
				    .least = -200,
				    .most = 200,
				    .share = 0.0004,
				    .is_owned = true };
	ck_assert(fabs(estimate_score(&e, 0.841345) - 18) < 1e-3);
	ck_assert(fabs(estimate_score(&e, 0.158655) + 18) < 1e-3);
	ck_assert(fabs(estimate_score(&e, 0.5)) < 1e-6);
	ck_assert(fabs(estimate_score(&e, 0.001) + 60) < 1e-6);
	double last = e.least;
	for (int i = 0; i <= 20; i++) {
		ck_assert(estimate_score(&e, i / 20.0) >= last);
		last = estimate_score(&e, i / 20.0);
	}
}
END_TEST

/* Where Go's network, which knows boards without handicap, contradicts itself, owners are those of random games. */
START_TEST(test_contradiction)
{
	static struct outlook o;
	const struct game *g = game_sized(game_find("go", NULL), 19, 19);
	char squares[19 * 19 + 1];
	struct state s;
	double sum = 0;
	for (int i = 0; i < 19 * 19; i++)
		squares[i] = i / 19 % 6 == 3 && i % 19 % 6 == 3 ? 'X' : '.';
	squares[19 * 19] = '\0';
	ck_assert_ptr_null(game_setup(g, &s, squares, "O"));
	outlook_init(&o, g, &s, UINT64_MAX, 7);
	for (int i = 0; i < 19 * 19; i++)
		sum += outlook_position(&o)->owner[i];
	ck_assert(sum > 0);
	/* To move is White, who wins with a small chance. */
	ck_assert(outlook_score(&o, NAN, 0.15) > 0 && outlook_score(&o, NAN, 0.85) < 0);
}
END_TEST

/* The moves that were asked for last are kept. Others are estimated anew, with the same result. */
START_TEST(test_outlook)
{
	enum { MOVES = OUTLOOK_MOVES + 2 };
	static struct outlook o;
	const struct game *g = &game_pentago;
	struct move moves[GAME_MOVES_MAX];
	double scores[MOVES];
	struct state s;
	g->start(g, &s);
	outlook_init(&o, g, &s, UINT64_MAX, 7);
	ck_assert_int_gt(game_moves(g, &s, moves), MOVES);
	for (int i = 0; i < MOVES; i++)
		scores[i] = outlook_after(&o, moves[i])->score;
	ck_assert_int_eq(o.count, OUTLOOK_MOVES);
	/* Moves 0 and 1 were left out; move 2 is the oldest, but not after this. */
	const struct estimate *kept = outlook_after(&o, moves[2]);
	ck_assert(outlook_after(&o, moves[0])->score == scores[0]);
	ck_assert_ptr_eq(outlook_after(&o, moves[2]), kept);
	for (int i = 0; i < MOVES; i++)
		ck_assert(outlook_after(&o, moves[i])->score == scores[i]);
	/* A known score counts. Pentago has no points, so nothing else tells one. */
	ck_assert(outlook_score(&o, 1, 0.5) == 1 && isnan(outlook_score(&o, NAN, 0.5)));
}
END_TEST

/* An estimate costs no more than the visits of the search, and nothing before it is asked for. */
START_TEST(test_short_outlook)
{
	static const struct {
		uint64_t visits;
		int games, after;
	} rows[] = { { 1, 16, 16 }, { 100, 100, 64 }, { 1000, 256, 64 }, { UINT64_MAX, 256, 64 } };
	static struct outlook o;
	struct move moves[GAME_MOVES_MAX];
	struct state s;
	game_othello.start(&game_othello, &s);
	game_moves(&game_othello, &s, moves);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		outlook_init(&o, &game_othello, &s, rows[i].visits, 7);
		ck_assert(!o.is_estimated);
		ck_assert_int_eq(outlook_position(&o)->games, rows[i].games);
		ck_assert_int_eq(outlook_after(&o, moves[0])->games, rows[i].after);
	}
}
END_TEST

/* In a game with points, the share of the wins tells the score that is not known, from the side to move. */
START_TEST(test_outlook_score)
{
	static struct outlook o;
	struct state s;
	game_othello.start(&game_othello, &s);
	outlook_init(&o, &game_othello, &s, UINT64_MAX, 7);
	ck_assert(outlook_score(&o, 3, 0.5) == 3 && outlook_score(NULL, 3, 0.5) == 3);
	ck_assert(isnan(outlook_score(NULL, NAN, 0.5)));
	ck_assert(fabs(outlook_score(&o, NAN, outlook_position(&o)->share) -
		       outlook_position(&o)->score) < 1e-6);
	o.now.side = WHITE;
	ck_assert(fabs(outlook_score(&o, NAN, 1 - outlook_position(&o)->share) -
		       outlook_position(&o)->score) < 1e-6);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("estimate");
	TCase *cases = tcase_create("estimate");
	tcase_add_test(cases, test_certain);
	tcase_add_test(cases, test_othello);
	tcase_add_test(cases, test_score);
	tcase_add_test(cases, test_owned_score);
	tcase_add_test(cases, test_contradiction);
	tcase_add_test(cases, test_outlook);
	tcase_add_test(cases, test_short_outlook);
	tcase_add_test(cases, test_outlook_score);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
