/* SPDX-License-Identifier: MIT
 *
 * Searches restricted to some moves: they answer with one of these, report the truth about them, and leave
 * nothing false for later searches.
 */
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;
static struct move only[GAME_MOVES_MAX];
static int only_count;

static void setup(void)
{
	fixture_create("mcts");
}

static bool is_only(struct move m)
{
	for (int i = 0; i < only_count; i++)
		if (move_equal(m, only[i]))
			return true;
	return only_count == 0;
}

/* Searches the moves in `only`, or all if there are none, with a work limit. */
static void search(uint64_t work)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = work,
				 .only = only_count ? only : NULL,
				 .only_count = only_count };
	search_within(limits, &report);
	for (int i = 0; i < report.move_count; i++)
		ck_assert(is_only(report.moves[i].move));
}

/* Selects about one of `share` moves, at least one; all if share is 0. */
static void choose(struct rng *rng, uint32_t share)
{
	struct move moves[GAME_MOVES_MAX];
	only_count = 0;
	if (share == 0)
		return;
	int n = game_moves(record.game, &record.now, moves);
	uint32_t sure = rng_below(rng, (uint32_t)n);
	for (uint32_t i = 0; i < (uint32_t)n; i++)
		if (i == sure || rng_below(rng, share) == 0)
			only[only_count++] = moves[i];
}

static void choose_square(move_t square)
{
	only[0] = move_single(square);
	only_count = 1;
}

/* Returns Black's true result for the selected moves. */
static int truth(void)
{
	struct move moves[GAME_MOVES_MAX];
	int n = game_moves(record.game, &record.now, moves), win = record.now.side ? -1 : 1;
	int best = -win;
	for (int i = 0; i < n; i++) {
		if (!is_only(moves[i]))
			continue;
		struct state next = record.now;
		game_play(record.game, &next, moves[i]);
		int result = naive_result(record.game, &next);
		best = result * win > best * win ? result : best;
	}
	return best;
}

/* From the start, where little is provable, with more or less work and memory. */
START_TEST(answers_are_among_them)
{
	struct rng rng;
	rng_seed(&rng, 41);
	set("search", algorithms[_i]->name);
	for (int g = 0; tested_game(g); g++) {
		for (int i = 0; i < 12; i++) {
			set("threads", i % 2 ? "3" : "1");
			if (i == 8)
				set("memory", "1");
			if (i % 4 == 0)
				record_restart(&record, tested_game(g));
			if (record.now.over)
				break;
			choose(&rng, 1 + rng_below(&rng, 12));
			search(i % 3 == 0 ? 1 : i % 3 == 1 ? 300 : 3000);
			ck_assert(is_only(report.line[0]));
			only_count = 0;
			search(200);
			record_play(&record, report.line[0]);
		}
		set_memory((size_t)8 << 20);
	}
}
END_TEST

/* Searches all and some moves of the same positions in turn, and of earlier and later positions, with one
 * engine: proofs are true, and enough work proves everything. */
static const char *const provers[] = { "mcts",      "alphabeta-plain", "alphabeta", "dfpn",
				       "dfpn+mcts", "union",           "pns" };

START_TEST(proofs_are_true)
{
	struct rng rng;
	rng_seed(&rng, 43);
	set("search", provers[_i]);
	for (int g = 0; naive_game(g); g++) {
		int empty = naive_game(g) == &game_tictactoe ? 7
			    : naive_game(g) == &game_othello ? 8
							     : 4;
		record_restart(&record, naive_game(g));
		for (int i = 0; i < 5; i++) {
			struct state s;
			naive_find_position(naive_game(g), empty, &rng, &s);
			record_setup(&record, &s);
			set("threads", i == 4 ? "3" : "1");
			for (int j = 0; j < 16; j++) {
				/* Forward in the game, then back. */
				if (j == 4 || j == 8)
					record_play(&record, record_draw(&record, &rng));
				if ((j == 10 || j == 13) && record.count)
					record_undo(&record);
				if (record.now.over)
					break;
				choose(&rng, j % 2 ? 0 : 1 + rng_below(&rng, 6));
				search(j % 5 == 4 ? 10000000 : 1 + rng_below(&rng, 400));
				int result = truth();
				ck_assert_int_le(report.lower, result);
				ck_assert_int_ge(report.upper, result);
				for (int k = 0; k < report.move_count; k++) {
					const struct report_move *m = &report.moves[k];
					struct state next = record.now;
					game_play(naive_game(g), &next, m->move);
					int value = naive_result(naive_game(g), &next);
					ck_assert_int_le(m->lower, value);
					ck_assert_int_ge(m->upper, value);
				}
				if (j % 5 == 4)
					ck_assert_int_eq(report.lower, report.upper);
			}
		}
	}
}
END_TEST

/* A search with a deadline spends no time on a move without a choice, but it does if its value is wanted. */
START_TEST(wanted_values_take_time)
{
	set("search", provers[_i]);
	choose_square(4);
	for (int wanted = 0; wanted < 2; wanted++) {
		struct limits limits = { .deadline = clock_now() + INT64_C(1000000000000),
					 .work_max = WORK_NO_LIMIT,
					 .only = only,
					 .only_count = 1,
					 .values = wanted };
		engine_reseed(engine);
		search_within(limits, &report);
		ck_assert_int_eq(report.line[0].step[0], 4);
		if (wanted)
			ck_assert(report.lower == 0 && report.upper == 0);
		else
			ck_assert_int_lt(report.lower, report.upper);
	}
}
END_TEST

/* A move that was long searched alone does not become the best by that. */
START_TEST(mcts_forgets_what_it_had_to_look_at)
{
	set("early_stop", "0");
	set("solver", "0");
	set_position("XX.OO....", "X");
	choose_square(8);
	search(20000);
	ck_assert_int_eq(report.move_count, 1);
	ck_assert_uint_eq(report.moves[0].visits, 20000);
	only_count = 0;
	search(1000);
	ck_assert_int_eq(report.line[0].step[0], 2);
	uint64_t visits = 0;
	for (int i = 0; i < report.move_count; i++)
		visits += report.moves[i].visits;
	ck_assert_uint_eq(visits, 1000);
	/* Visits from unrestricted search are kept and continue. */
	search(1000);
	choose_square(8);
	search(1000);
	only_count = 0;
	search(1000);
	visits = 0;
	for (int i = 0; i < report.move_count; i++)
		visits += report.moves[i].visits;
	ck_assert_uint_eq(visits, 3000);
}
END_TEST

/* But the tree below it is kept. */
START_TEST(mcts_keeps_what_it_found)
{
	record_restart(&record, &game_othello);
	search(300);
	int fresh = report.depth;
	engine_reseed(engine);
	only_count = game_moves(&game_othello, &record.now, only);
	only_count = 1;
	search(20000);
	only_count = 0;
	search(300);
	ck_assert_int_gt(report.depth, fresh + 1);
	ck_assert_uint_le(report.moves[0].visits, 300);
}
END_TEST

/* Nor does a move become the best because it was played, searched for long, and taken back. */
START_TEST(mcts_forgets_what_was_taken_back)
{
	set("early_stop", "0");
	set("solver", "0");
	set_position("XX.OO....", "X");
	search(100);
	record_play(&record, move_single(8));
	search(20000);
	record_undo(&record);
	search(1000);
	ck_assert_int_eq(report.line[0].step[0], 2);
	for (int i = 0; i < report.move_count; i++)
		if (report.moves[i].move.step[0] == 8)
			ck_assert_uint_lt(report.moves[i].visits, 200);
}
END_TEST

/* What is proven of a part of the moves is not told of the position. */
START_TEST(mcts_tells_no_partial_proof)
{
	struct kept kept;
	set_position("XX.OO....", "X");
	choose_square(8);
	search(20000);
	ck_assert_int_eq(report.upper, -1);
	engine_look(engine, &record, &kept);
	ck_assert_int_eq(kept.upper, 1);
	only_count = 0;
}
END_TEST

/* The winning move is excluded. The others do not win, although the position does, before and after. */
START_TEST(mcts_keeps_proofs_apart)
{
	set_position("XX.OO....", "X");
	search(10000);
	ck_assert_int_eq(report.lower, 1);
	only[0] = move_single(5);
	only[1] = move_single(8);
	only_count = 2;
	search(10000);
	int result = truth();
	ck_assert_int_lt(result, 1);
	ck_assert_int_eq(report.lower, result);
	ck_assert_int_eq(report.upper, result);
	ck_assert_int_eq(report.line[0].step[0], 5);
	only_count = 0;
	search(10000);
	ck_assert_int_eq(report.lower, 1);
	ck_assert_uint_eq(report.playouts, 0);
	/* The excluded and the other moves together prove the position. */
	set_position("XOXOO.X..", "X");
	for (int i = 0; i < 3; i++) {
		static const move_t left[] = { 5, 7, 8 };
		choose_square(left[i]);
		search(10000);
		ck_assert_int_eq(report.lower, truth());
		ck_assert_int_eq(report.upper, truth());
	}
	only_count = 0;
	search(10000);
	ck_assert_int_eq(report.lower, truth());
	ck_assert_uint_eq(report.playouts, 0);
}
END_TEST

/* Returns true and the only winning reply against the side to move, if it does not end the game. */
static bool find_only_win(const struct state *s, move_t *win)
{
	move_t steps[GAME_STEPS_MAX];
	int n = game_tictactoe.moves(&game_tictactoe, s, steps), wins = 0;
	bool over = false;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_tictactoe.play(&game_tictactoe, &next, steps[i]);
		if (naive_result(&game_tictactoe, &next) != side_sign(s->side))
			continue;
		*win = steps[i];
		over |= next.over;
		wins++;
	}
	return wins == 1 && !over;
}

/* Proofs of a position reach earlier positions when these are searched again: the one reply that refutes a
 * move is proven already there and would propagate nothing itself. */
START_TEST(mcts_takes_proofs_back)
{
	struct rng rng;
	rng_seed(&rng, 53);
	for (int tested = 0; tested < 20;) {
		struct state s;
		move_t steps[GAME_STEPS_MAX], win = 0;
		if (!naive_position(&game_tictactoe, 6, &rng, &s))
			continue;
		int n = game_tictactoe.moves(&game_tictactoe, &s, steps);
		for (int i = 0; i < n; i++) {
			struct state next = s;
			game_tictactoe.play(&game_tictactoe, &next, steps[i]);
			if (next.over || !find_only_win(&next, &win))
				continue;
			record_setup(&record, &s);
			only_count = 0;
			search(40);
			record_play(&record, move_single(steps[i]));
			search(1);
			record_play(&record, move_single(win));
			search(10000);
			ck_assert_int_eq(report.lower, report.upper);
			record_undo(&record);
			record_undo(&record);
			choose_square(steps[i]);
			search(10000);
			ck_assert_int_eq(report.lower, truth());
			ck_assert_int_eq(report.upper, truth());
			tested++;
		}
	}
}
END_TEST

START_TEST(same_seed_same_search)
{
	static struct report first;
	set("search", algorithms[_i]->name);
	for (int g = 0; tested_game(g); g++) {
		struct rng rng;
		rng_seed(&rng, 47);
		record_restart(&record, tested_game(g));
		choose(&rng, 3);
		for (int round = 0; round < 2; round++) {
			engine_reseed(engine);
			search(tested_work(record.game, 2000));
			if (round == 0)
				report_copy(&first, &report);
		}
		ck_assert(move_equal(first.line[0], report.line[0]));
		ck_assert_int_eq(first.move_count, report.move_count);
		for (int i = 0; i < report.move_count; i++)
			ck_assert_uint_eq(first.moves[i].visits, report.moves[i].visits);
	}
}
END_TEST

START_TEST(random_chooses_each)
{
	int seen[9] = { 0 };
	set("search", "random");
	only[0] = move_single(1);
	only[1] = move_single(7);
	only_count = 2;
	for (int i = 0; i < 200; i++) {
		search(1);
		seen[report.line[0].step[0]]++;
	}
	ck_assert_int_gt(seen[1], 60);
	ck_assert_int_gt(seen[7], 60);
	ck_assert_int_eq(seen[1] + seen[7], 200);
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("only");
	TCase *cases = tcase_create("only");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_loop_test(native, answers_are_among_them, 0, count);
	tcase_add_loop_test(native, proofs_are_true, 0, sizeof provers / sizeof provers[0]);
	tcase_add_loop_test(native, wanted_values_take_time, 0,
			    (int)(sizeof provers / sizeof *provers));
	tcase_add_test(cases, mcts_forgets_what_it_had_to_look_at);
	tcase_add_test(cases, mcts_keeps_what_it_found);
	tcase_add_test(cases, mcts_forgets_what_was_taken_back);
	tcase_add_test(cases, mcts_tells_no_partial_proof);
	tcase_add_test(cases, mcts_keeps_proofs_apart);
	tcase_add_test(cases, mcts_takes_proofs_back);
	tcase_add_loop_test(cases, same_seed_same_search, 0, count);
	tcase_add_test(cases, random_chooses_each);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
