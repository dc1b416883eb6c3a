/* SPDX-License-Identifier: MIT
 *
 * Df-pn inside UCT's tree: the work is divided as set, each uses the other's proofs, and proofs are true.
 */

#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("union");
	set("early_stop", "0");
}

static void search(uint64_t units)
{
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = units }, &report);
}

/* Df-pn gets the set number of nodes per simulation. */
START_TEST(work_is_divided)
{
	static const char *const shares[] = { "0", "0.25", "2" };
	record_restart(&record, &game_othello);
	set("proving", shares[_i]);
	search(20000);
	double due = 20000 * strtod(shares[_i], NULL);
	ck_assert_uint_eq(report.playouts, 20000);
	ck_assert(fabs((double)report.nodes - due) <= 0.5 * due);
}
END_TEST

/* The squares, the side to move, and the result for that side. */
static const struct {
	const char *squares, *side;
	int result;
} hard[] = {
	{ ".X.O...........O.X.XXO..X.O..OX...O.", "X", 1 },
	{ "O....O.X.XX.X..O.........O.X.....OX.", "O", -1 },
};

/* Proves what UCT alone does not prove in the same number of simulations, and knows both steps of a move
 * that keeps it. */
START_TEST(proves_more_than_mcts)
{
	for (int with = 0; with < 2; with++) {
		record_restart(&record, &game_pentago);
		set_position(hard[_i].squares, hard[_i].side);
		set("search", with ? "union" : "mcts");
		search(8000);
		ck_assert_int_eq(report.lower == report.upper, with);
	}
	int sign = side_sign(record.now.side);
	ck_assert_int_eq(report.lower, sign * hard[_i].result);
	record_play(&record, report.line[0]);
	if (record.now.over) {
		ck_assert_int_eq(score_sign(record.now.score), sign * hard[_i].result);
		return;
	}
	set("search", "dfpn");
	search(400000);
	ck_assert_int_eq(report.lower, sign * hard[_i].result);
	ck_assert_int_eq(report.upper, sign * hard[_i].result);
}
END_TEST

/* A game with one tree and one table throughout: proofs on the way are true, and a proven result is kept. */
START_TEST(proofs_hold_from_move_to_move)
{
	static const char *const threads[] = { "1", "3" };
	struct rng rng;
	rng_seed(&rng, 29);
	set("threads", threads[_i]);
	set("proving", "1");
	for (int g = 0; naive_game(g); g++) {
		int empty = naive_game(g) == &game_tictactoe ? 7
			    : naive_game(g) == &game_othello ? 9
							     : 5;
		int known = 0;
		record_restart(&record, naive_game(g));
		for (int i = 0; i < 10; i++) {
			struct state s;
			naive_find_position(naive_game(g), empty, &rng, &s);
			for (record_setup(&record, &s); !record.now.over;) {
				int truth = naive_result(naive_game(g), &record.now), sign;
				sign = side_sign(record.now.side);
				search(1000);
				ck_assert_int_le(report.lower, truth);
				ck_assert_int_ge(report.upper, truth);
				bool proven = report.lower == report.upper;
				known += proven;
				record_play(&record, report.line[0]);
				int after = record.now.over
						    ? score_sign(record.now.score)
						    : naive_result(naive_game(g), &record.now);
				if (proven)
					ck_assert_int_eq(sign * after, sign * truth);
			}
		}
		ck_assert_int_ge(known, 10);
	}
}
END_TEST

/* A draw that df-pn has proven in the middle of a move is played, whatever the playouts promise of other
 * moves. */
START_TEST(proven_draw_is_played)
{
	int draws = 0;
	record_restart(&record, &game_pentago_tajima);
	set_position("OX.XOXO....XXOXXO..X.OOOOOXOXXX.OX.O", "X");
	set("proving", "10");
	for (int seed = 664681; seed < 664721; seed++) {
		set_number("seed", (size_t)seed);
		engine_reseed(engine);
		search(1000);
		draws += report.lower == 0 && report.upper == 0;
	}
	ck_assert_int_ge(draws, 10);
}
END_TEST

START_TEST(same_seed_same_search)
{
	check_repeats(setup, tested_game(_i), tested_work(tested_game(_i), 5000));
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (tested_game(game_count))
		game_count++;
	Suite *suite = suite_create("union");
	TCase *cases = tcase_create("union");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, work_is_divided, 0, 3);
	tcase_add_loop_test(cases, proves_more_than_mcts, 0, (int)(sizeof hard / sizeof *hard));
	tcase_add_loop_test(cases, proofs_hold_from_move_to_move, 0, 2);
	tcase_add_test(cases, proven_draw_is_played);
	tcase_add_loop_test(cases, same_seed_same_search, 0, game_count);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
