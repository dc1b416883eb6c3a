/* SPDX-License-Identifier: MIT
 *
 * df-pn before UCT: division of the budget, source of the answer, knowledge of the result.
 */

#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("dfpn+mcts");
	set("memory", "8");
	set("early_stop", "0");
}

static void search(uint64_t units)
{
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = units }, &report);
}

/* Sets up a random position of Tic-tac-toe with this result for the side to move. */
static void position(int result, int empty)
{
	struct state s;
	struct rng rng;
	rng_seed(&rng, 3);
	do {
		naive_find_position(record.game, empty, &rng, &s);
	} while (naive_result(record.game, &s) != (s.side == BLACK ? result : -result));
	record_setup(&record, &s);
}

START_TEST(budget_is_split_by_units)
{
	set("threads", _i ? "4" : "1");
	record_restart(&record, &game_othello);
	set("split", "2");
	search(1001);
	ck_assert_uint_eq(report.nodes, 500);
	ck_assert_uint_eq(report.playouts, 501);
	set("split", "3");
	search(1001);
	ck_assert_uint_eq(report.nodes, 333);
	ck_assert_uint_eq(report.playouts, 668);
	ck_assert_int_eq(report.lower, -1);
	ck_assert_int_eq(report.upper, 1);
}
END_TEST

/* A proven win or draw is played at once. */
START_TEST(proof_ends_the_search)
{
	set("threads", _i ? "4" : "1");
	for (int result = 0; result <= 1; result++) {
		position(result, 5);
		search(100000);
		int sign = side_sign(record.now.side);
		ck_assert_int_eq(report.lower, sign * result);
		ck_assert_int_eq(report.upper, sign * result);
		ck_assert_double_eq(report.value, sign * result);
		ck_assert_uint_lt(report.nodes, 50000);
		ck_assert_uint_eq(report.playouts, 0);
		struct state next = record.now;
		game_play(record.game, &next, report.line[0]);
		ck_assert_int_eq(naive_result(record.game, &next), sign * result);
	}
}
END_TEST

START_TEST(lost_position_is_played_on)
{
	set("solver", "0");
	position(-1, 4);
	search(10000);
	int sign = side_sign(record.now.side);
	ck_assert_int_eq(report.lower, -sign);
	ck_assert_int_eq(report.upper, -sign);
	ck_assert_double_eq(report.value, -sign);
	ck_assert_uint_eq(report.nodes + report.playouts, 10000);
	ck_assert_uint_gt(report.playouts, 5000);
}
END_TEST

/* The proofs of both searches are reported and true. */
START_TEST(bounds_hold_at_any_time)
{
	struct rng rng;
	rng_seed(&rng, 23);
	record_restart(&record, &game_othello);
	for (int i = 0; i < 20; i++) {
		struct state s;
		naive_find_position(record.game, 8, &rng, &s);
		int truth = naive_result(record.game, &s);
		record_setup(&record, &s);
		for (uint64_t units = 1; units < 5000; units *= 4) {
			search(units);
			ck_assert_int_le(report.lower, truth);
			ck_assert_int_ge(report.upper, truth);
		}
	}
}
END_TEST

START_TEST(same_seed_same_search)
{
	check_repeats(setup, tested_game(_i), tested_work(tested_game(_i), 3000));
}
END_TEST

/* A value lies within df-pn's bounds whatever the playouts say, which search() checks. The answer is a move
 * known to keep what the two prove together. */
START_TEST(proofs_are_put_together)
{
	struct rng rng;
	rng_seed(&rng, 8);
	set("choice", "winrate");
	set("threads", "2");
	for (int i = 0; i < suite_times(4000); i++) {
		int known = -1;
		if (record.now.over)
			record_restart(&record, record.game);
		set("split", i % 2 ? "2" : "5");
		search(1 + rng_below(&rng, 1u << rng_below(&rng, 11)));
		int side = record.now.side;
		for (int j = 0; j < report.move_count; j++) {
			const struct report_move *m = &report.moves[j];
			int sure = side == BLACK ? m->lower : -m->upper;
			known = sure > known ? sure : known;
			if (j == 0 && report.lower != report.upper)
				break;
			ck_assert_int_eq(known, side == BLACK ? report.moves[0].lower
							      : -report.moves[0].upper);
		}
		record_play(&record, record_draw(&record, &rng));
	}
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (tested_game(game_count))
		game_count++;
	Suite *suite = suite_create("dfpn_mcts");
	TCase *cases = tcase_create("dfpn_mcts");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_loop_test(cases, budget_is_split_by_units, 0, 2);
	tcase_add_loop_test(cases, proof_ends_the_search, 0, 2);
	tcase_add_test(cases, lost_position_is_played_on);
	tcase_add_test(cases, bounds_hold_at_any_time);
	tcase_add_test(cases, proofs_are_put_together);
	tcase_add_loop_test(cases, same_seed_same_search, 0, game_count);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
