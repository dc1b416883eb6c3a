/* SPDX-License-Identifier: MIT
 *
 * Searches for exact values: true, complete with enough work, with less work never more than proven, and
 * equal from the game's own solver and from any search.
 */
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
}

/* Returns the number of empty squares at which minimax can search every move. */
static int empty_in(const struct game *game)
{
	return game == &game_tictactoe ? 7 : game == &game_othello ? 7 : 4;
}

static void set_random(const struct game *game, struct rng *rng)
{
	struct state s;
	naive_find_position(game, empty_in(game), rng, &s);
	record_restart(&record, game);
	record_setup(&record, &s);
}

/* Finds the values of all moves, or of those in `only`. */
static void prove(const struct algorithm *prover, uint64_t work, const struct move *only, int count)
{
	search_within((struct limits) { .deadline = TIME_NEVER,
					.work_max = work,
					.only = only,
					.only_count = count,
					.prover = prover,
					.values = true },
		      &report);
}

static int truth_behind(struct move m)
{
	struct state next = record.now;
	game_play(record.game, &next, m);
	return naive_result(record.game, &next);
}

/* Checks that the bounds of all `count` moves are true and that no move is known to be better than the
 * answer. Returns the number of moves whose value is not known. */
static int check_truth(int count)
{
	int sign = side_sign(record.now.side), best = -1, open = 0;
	int surest = -1,
	    highest = -1; /* the best guaranteed and the best possible result of the moves */
	ck_assert_int_eq(report.move_count, count);
	for (int i = 0; i < count; i++) {
		const struct report_move *m = &report.moves[i];
		int truth = truth_behind(m->move), least = sign > 0 ? m->lower : -m->upper;
		int most = sign > 0 ? m->upper : -m->lower;
		ck_assert_int_ge(truth, m->lower);
		ck_assert_int_le(truth, m->upper);
		best = sign * truth > best ? sign * truth : best;
		surest = least > surest ? least : surest;
		highest = most > highest ? most : highest;
		open += m->lower < m->upper;
	}
	ck_assert_int_ge(sign * best, report.lower);
	ck_assert_int_le(sign * best, report.upper);
	ck_assert_int_ge(sign > 0 ? report.lower : -report.upper, surest);
	ck_assert_int_eq(sign > 0 ? report.upper : -report.lower, highest);
	ck_assert_int_eq(sign > 0 ? report.moves[0].lower : -report.moves[0].upper, surest);
	return open;
}

/* With work limits, which exclude the game's solver; with more and more work. */
static const struct algorithm *const provers[] = { &algorithm_dfpn, &algorithm_alphabeta,
						   &algorithm_mcts };

START_TEST(values_are_true)
{
	struct rng rng;
	rng_seed(&rng, 51);
	for (int g = 0; naive_game(g); g++) {
		for (int i = 0; i < 6; i++) {
			struct move moves[GAME_MOVES_MAX];
			set_random(naive_game(g), &rng);
			set("threads", i == 5 ? "3" : "1");
			int count = game_moves(record.game, &record.now, moves), open = 1;
			for (uint64_t work = 1; open; work *= 16) {
				ck_assert_uint_lt(work, (uint64_t)1 << 40);
				prove(provers[_i], work, NULL, 0);
				open = check_truth(count);
				ck_assert_uint_le(report.nodes, work);
			}
			ck_assert_int_eq(report.lower, report.upper);
			/* Only the first ones and the last one. */
			moves[2] = moves[count - 1];
			count = count < 3 ? count : 3;
			prove(provers[_i], (uint64_t)1 << 40, moves, count);
			ck_assert_int_eq(check_truth(count), 0);
		}
	}
}
END_TEST

/* The value of a forced move needs a search, even with a deadline. */
START_TEST(forced_move)
{
	struct limits limits = { .work_max = WORK_NO_LIMIT, .prover = &algorithm_dfpn };
	set_position("XOXXOOOX.", "X");
	limits.deadline = clock_now() + (int64_t)60e9;
	search_within(limits, &report);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
}
END_TEST

/* The solver of a game and a search agree. Without limits the search ends only when everything is known. */
START_TEST(solver_agrees)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .prover = &algorithm_dfpn };
	struct rng rng;
	rng_seed(&rng, 53);
	set_memory((size_t)64 << 20);
	for (int g = 0; naive_game(g); g++) {
		for (int i = 0; naive_game(g)->solver && i < 8; i++) {
			struct state s;
			static struct report by_solver;
			naive_find_position(naive_game(g), 8, &rng, &s);
			record_restart(&record, naive_game(g));
			record_setup(&record, &s);
			set("exact", "1");
			limits.values = true;
			search_within(limits, &by_solver);
			/* Only the value; a search may come first. */
			limits.values = false;
			search_within(limits, &report);
			ck_assert_int_eq(report.lower, by_solver.lower);
			ck_assert_int_eq(report.upper, by_solver.upper);
			set("exact", "0");
			limits.values = true;
			search_within(limits, &report);
			ck_assert_int_eq(report.move_count, by_solver.move_count);
			for (int j = 0; j < report.move_count; j++) {
				const struct report_move *m = &report.moves[j];
				int k = 0;
				while (!move_equal(by_solver.moves[k].move, m->move))
					k++;
				ck_assert_int_eq(m->lower, m->upper);
				ck_assert_int_eq(m->lower, by_solver.moves[k].lower);
			}
		}
	}
}
END_TEST

START_TEST(is_reproducible)
{
	static struct report again;
	struct rng rng;
	rng_seed(&rng, 57);
	for (int g = 0; tested_game(g); g++) {
		set_random(tested_game(g), &rng);
		engine_reseed(engine);
		prove(&algorithm_dfpn, 500, NULL, 0);
		report_copy(&again, &report);
		engine_reseed(engine);
		prove(&algorithm_dfpn, 500, NULL, 0);
		ck_assert_uint_eq(report.nodes, again.nodes);
		for (int i = 0; i < report.move_count; i++) {
			ck_assert(move_equal(report.moves[i].move, again.moves[i].move));
			ck_assert_int_eq(report.moves[i].lower, again.moves[i].lower);
			ck_assert_int_eq(report.moves[i].upper, again.moves[i].upper);
		}
	}
}
END_TEST

/* A search for a move is unaffected by an earlier one for values. */
START_TEST(moves_are_searched_as_before)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = 500 };
	prove(&algorithm_dfpn, 500, NULL, 0);
	search_within(limits, &report);
	ck_assert_uint_eq(report.playouts, 500);
}
END_TEST

/* The depth limit of moves does not limit searches for values. */
START_TEST(depth_is_no_limit)
{
	struct rng rng;
	rng_seed(&rng, 4);
	set("depth", "1");
	for (int i = 0; i < 20; i++) {
		struct move moves[GAME_MOVES_MAX];
		set_random(_i ? &game_othello : &game_tictactoe, &rng);
		int count = game_moves(record.game, &record.now, moves);
		prove(&algorithm_alphabeta, 1000000, NULL, 0);
		ck_assert_int_eq(check_truth(count), 0);
	}
	ck_assert_int_eq(engine_options(engine)->depth, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("prove");
	TCase *cases = tcase_create("prove");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, values_are_true, 0, sizeof provers / sizeof provers[0]);
	tcase_add_loop_test(cases, depth_is_no_limit, 0, 2);
	tcase_add_test(cases, forced_move);
	tcase_add_test(cases, solver_agrees);
	tcase_add_test(cases, is_reproducible);
	tcase_add_test(cases, moves_are_searched_as_before);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
