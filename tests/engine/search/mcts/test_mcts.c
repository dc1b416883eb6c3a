/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo tree search: proofs, limits, the tree kept between moves, memory, evaluation by a network or
 * a function.
 */
#include <math.h>
#include <string.h>

#include "engine/evaluation/evaluator.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
}

static void play(const char *text)
{
	ck_assert_int_eq(record_play_text(&record, record.now.side, text), MOVE_OK);
}

static void search(uint64_t playouts)
{
	set_number("playouts", playouts);
	search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
}

static uint64_t visits_of_all(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < report.move_count; i++)
		sum += report.moves[i].visits;
	return sum;
}

START_TEST(start_of_tictactoe_is_proven_a_draw)
{
	static const char *const threads[] = { "1", "4" };
	set("threads", threads[_i]);
	set("playouts", _i ? "0" : "100000"); /* threads that wait for another one play on */
	search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
	ck_assert_double_eq(report.value, 0);
	ck_assert(_i || report.playouts < 100000);
	/* The line is a complete game that ends in a draw. */
	struct state s = record.now;
	for (int i = 0; i < report.line_count; i++)
		game_play(record.game, &s, report.line[i]);
	ck_assert(s.over);
	ck_assert_int_eq(s.score, 0);
}
END_TEST

/* A move that is proven to lose is not played while another may be better, however often it was visited before. */
START_TEST(plays_no_proven_loss)
{
	static const struct game *const played[] = { &game_tictactoe, &game_connectfour,
						     &game_breakthrough };
	static const int empty[] = { 6, 16, 40 };
	struct rng rng;
	int seen = 0;
	rng_seed(&rng, 4);
	for (int i = 0; i < 300; i++) {
		struct state s;
		if (!naive_position(played[i % 3], empty[i % 3], &rng, &s))
			continue;
		record_restart(&record, played[i % 3]);
		record_setup(&record, &s);
		int most = -1;
		search(20 + rng_below(&rng, 300));
		for (int k = 0; k < report.move_count; k++) {
			const struct report_move *m = &report.moves[k];
			int best = result_most(s.side, m->lower, m->upper);
			most = best > most ? best : most;
			seen += best < 0;
		}
		const struct report_move *answer = &report.moves[0];
		ck_assert(result_most(s.side, answer->lower, answer->upper) >= 0 || most < 0);
	}
	ck_assert_int_gt(seen, 100);
}
END_TEST

START_TEST(proves_wins_and_losses)
{
	set_position("XX.OO....", "X");
	search(10000);
	ck_assert_int_eq(report.lower, 1);
	ck_assert_int_eq(report.line[0].step[0], 2);
	/* White has two threats: every move of Black loses. */
	set_position("O.OXX.O.X", "X");
	search(10000);
	ck_assert_int_eq(report.lower, 1); /* Black wins at once instead */
	set_position("OX.X.X.OO", "X");
	search(10000);
	ck_assert_int_eq(report.lower, report.upper);
}
END_TEST

START_TEST(work_limit_is_exact)
{
	set("early_stop", "0");
	set("solver", "0");
	set("threads", _i ? "4" : "1");
	search(12345);
	ck_assert_uint_eq(report.playouts, 12345);
	search(1);
	ck_assert_uint_eq(report.playouts, 1);
}
END_TEST

START_TEST(same_seed_same_search)
{
	static struct report first;
	uint64_t playouts = tested_work(tested_game(_i), 3000);
	record_restart(&record, tested_game(_i));
	set("reuse", "0");
	search(playouts);
	report_copy(&first, &report);
	engine_reseed(engine);
	search(playouts);
	ck_assert_int_eq(report.line_count, first.line_count);
	for (int i = 0; i < first.line_count; i++)
		ck_assert(move_equal(report.line[i], first.line[i]));
	ck_assert(report.value == first.value || isnan(report.value));
}
END_TEST

/* After a reseed everything repeats, whatever was searched before. */
START_TEST(same_seed_same_game)
{
	struct move game[9];
	for (int round = 0; round < 2; round++) {
		record_restart(&record, &game_tictactoe);
		engine_reseed(engine);
		set("solver", "0");
		for (int i = 0; !record.now.over; i++) {
			search(30);
			if (round == 0)
				game[i] = report.line[0];
			ck_assert(move_equal(game[i], report.line[0]));
			record_play(&record, report.line[0]);
		}
	}
}
END_TEST

/* With any exploration: with the maximum of first_play, no move is tried twice before all were tried once. */
START_TEST(unvisited_moves_come_first)
{
	record_restart(&record, &game_othello);
	set("evaluator", "0");
	set("exploration", "100");
	set("early_stop", "0");
	search(1000);
	ck_assert_int_lt(report.depth, 10);
}
END_TEST

/* A search without proofs ignores a proven tree. */
START_TEST(proofs_off_means_off)
{
	search(100000);
	ck_assert_int_eq(report.lower, report.upper);
	set("solver", "0");
	set("early_stop", "0");
	search(500);
	ck_assert_uint_eq(report.playouts, 500);
	ck_assert_int_lt(report.lower, report.upper);
}
END_TEST

START_TEST(tree_is_kept_and_found_again)
{
	/* With a proven tree no position below needs a simulation. */
	search(100000);
	play("b2");
	search(100000);
	play("a1");
	search(100000);
	uint64_t fresh = report.playouts;
	record_undo(&record);
	record_undo(&record);
	play("b2");
	play("a1");
	search(100000);
	ck_assert_uint_eq(report.playouts, 0);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
	/* The same position by another order of moves is in the same tree. */
	record_restart(&record, &game_tictactoe);
	search(100000);
	ck_assert_uint_eq(report.playouts, 0);
	/* Without reuse it must be searched again. */
	set("reuse", "0");
	search(100000);
	ck_assert_uint_gt(report.playouts, fresh);
	/* The tree is never used for another game. */
	set("reuse", "1");
	record_restart(&record, tested_game(0));
	search(500);
	ck_assert_uint_eq(report.playouts, 500);
}
END_TEST

/* Whole games with a tree that overflows repeatedly: moves are legal throughout, and the kept tree is
 * consistent (the search's own asserts and the sanitizers check its counts). */
START_TEST(games_in_little_memory)
{
	const struct game *g = tested_game(_i);
	uint64_t playouts = tested_work(g, suite_times(4000));
	record_restart(&record, g);
	set("memory", "1");
	set("threads", "2");
	for (int move = 0; !record.now.over; move++) {
		search(move % 3 ? playouts : 20);
		record_play(&record, report.line[0]);
	}
}
END_TEST

/* A full tree frees nodes and continues to grow. */
START_TEST(full_tree_grows_on)
{
	static const char *const threads[] = { "1", "4" };
	record_restart(&record, &game_pentago);
	set("early_stop", "0");
	set_memory((size_t)1 << 20);
	set("threads", "1");
	search(1000); /* so that no thread waits for another one to expand the root */
	set("threads", threads[_i]);
	search(20000);
	ck_assert_int_gt(report.line_count, 1);
	ck_assert_double_le(report.fill, 1);
	/* Two moves later the tree is still there. */
	record_play(&record, report.line[0]);
	record_play(&record, report.line[1]);
	search(1);
	ck_assert_uint_gt(visits_of_all(), 1);
}
END_TEST

/* A tree too small for a proof finds it by freeing nodes that are no longer needed. With several workers,
 * every claim at any time is true. */
START_TEST(little_tree_proves_what_a_big_one_does)
{
	char moves[] = "a6z b4w a5s e1s f6z d5z e5v f4y e3x f4y e6z a4x a3s b5t b3u", *rest = moves;
	record_restart(&record, &game_pentago);
	for (char *move; (move = strtok_r(rest, " ", &rest));)
		play(move);
	set("early_stop", "0");
	set_memory((size_t)64 << 20);
	search(100000);
	int value = report.lower;
	ck_assert_int_eq(report.upper, value);
	ck_assert_uint_gt(report.playouts, 10000);
	set("threads", _i ? "4" : "1");
	set_memory((size_t)3 << 20);
	search(_i ? 30000 : 200000);
	ck_assert_int_le(report.lower, value);
	ck_assert_int_ge(report.upper, value);
	if (_i == 0)
		ck_assert_int_eq(report.lower, report.upper);
}
END_TEST

/* A tree that is full repeatedly keeps the restriction to some moves. */
START_TEST(full_tree_keeps_the_choice)
{
	struct move moves[GAME_MOVES_MAX];
	struct limits limits = { .deadline = TIME_NEVER, .work_max = 20000 };
	record_restart(&record, &game_pentago);
	set("early_stop", "0");
	set("evaluator", "0");
	set_memory((size_t)1 << 20);
	search(3000);
	record_play(&record, report.line[0]);
	game_moves(record.game, &record.now, moves);
	limits.only = moves;
	limits.only_count = 20;
	search_within(limits, &report);
	for (int i = 0; i < report.move_count; i++) {
		bool among = false;
		for (int j = 0; j < limits.only_count; j++)
			among |= move_equal(report.moves[i].move, moves[j]);
		ck_assert(among);
	}
	search(20000);
	ck_assert_int_gt(report.move_count, limits.only_count);
}
END_TEST

START_TEST(no_budget_still_moves)
{
	char why[REASON_MAX];
	struct limits limits = { .deadline = clock_now() - 1, .work_max = WORK_NO_LIMIT };
	ck_assert(engine_search(engine, &record, &limits, &report, why));
	ck_assert_uint_ge(report.playouts, 1);
	ck_assert_uint_le(report.playouts, 64);
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
}
END_TEST

/* By visits: the lower bounds of equally good moves may still change places. */
START_TEST(early_stop_keeps_the_choice)
{
	const struct game *g = tested_game(_i);
	uint64_t playouts = tested_work(g, suite_times(20000));
	struct move chosen;
	record_restart(&record, g);
	set("choice", "visits");
	set("solver", "0");
	set("reuse", "0");
	set("early_stop", "0");
	search(playouts);
	chosen = report.line[0];
	engine_reseed(engine);
	set("early_stop", "1");
	search(playouts);
	ck_assert(move_equal(chosen, report.line[0]));
}
END_TEST

/* No other move has more visits, or a better mean, or, with lcb, both. */
START_TEST(choice_is_of_what_it_says)
{
	static const char *const choices[] = { "visits", "winrate", "lcb" };
	int other_choices[2] = {
		0
	}; /* where visits and where winrate choose differently from lcb */
	record_restart(&record, &game_othello);
	set("solver", "0");
	set("reuse", "0");
	set("early_stop", "0");
	set("evaluator", "0");
	for (int seed = 1; seed <= 20; seed++) {
		struct move chosen[3];
		double sign = side_sign(record.now.side);
		for (int i = 0; i < 3; i++) {
			engine_options(engine)->seed = seed;
			engine_reseed(engine);
			set("choice", choices[i]);
			search(300);
			const struct report_move *best = &report.moves[0];
			chosen[i] = report.line[0];
			ck_assert(move_equal(chosen[i], best->move));
			for (int k = 1; k < report.move_count; k++) {
				const struct report_move *other = &report.moves[k];
				bool more = other->visits > best->visits;
				bool better = sign * other->value > sign * best->value;
				ck_assert(!(i == 0 ? more : i == 1 ? better : more && better));
			}
		}
		for (int i = 0; i < 2; i++)
			other_choices[i] += !move_equal(chosen[2], chosen[i]);
		record_play(&record, chosen[0]);
	}
	ck_assert_int_gt(other_choices[0], 0);
	ck_assert_int_gt(other_choices[1], 0);
}
END_TEST

/* The virtual losses or visits of running simulations are removed when these end. */
START_TEST(what_was_under_way_is_taken_back)
{
	record_restart(&record, &game_othello);
	set("virtual_loss", _i ? "1" : "0");
	set("threads", "1");
	set("evaluator", "0");
	set("heavy", "0");
	set("solver", "0");
	set("early_stop", "0");
	search(1000);
	/* While a thread expands the root, playouts of the others are counted at the root only. Here it is
	 * expanded already. */
	uint64_t before = visits_of_all();
	set("threads", "4");
	search(20000);
	ck_assert_uint_eq(visits_of_all(), before + report.playouts);
	/* A move with few visits may have any value. */
	for (int i = 0; i < report.move_count; i++)
		ck_assert(report.moves[i].visits < 1000 || fabs(report.moves[i].value) < 0.3);
}
END_TEST

/* If the most visited move does not have the best value, a search continues up to its limit, or until both
 * agree. */
START_TEST(doubtful_move_takes_longer)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = 800, .extension = 0.25 };
	int usual = 0, longer = 0, longest = 0;
	record_restart(&record, _i ? &game_pentago : &game_othello);
	set("choice", "visits");
	set("early_stop", "0");
	set("solver", "0");
	set("reuse", "0");
	while (!record.now.over) {
		search_within(limits, &report);
		const struct report_move *best = report.moves;
		double sign = side_sign(record.now.side);
		for (int j = 1; j < report.move_count; j++)
			if (sign * report.moves[j].value > sign * best->value)
				best = &report.moves[j];
		ck_assert_uint_ge(report.playouts, 700);
		ck_assert_uint_le(report.playouts, 1000);
		if (report.playouts > 800 && report.playouts < 1000 && !_i)
			ck_assert_ptr_eq(best, report.moves);
		usual += report.playouts <= 800;
		longer += report.playouts > 800;
		longest += report.playouts == 1000;
		record_play(&record, report.line[0]);
	}
	ck_assert_int_gt(usual, longer);
	ck_assert_int_gt(longer, 0);
	ck_assert_int_gt(longest, 0);
	set("extend", "0");
	record_restart(&record, record.game);
	for (int i = 0; i < 10; i++) {
		search_within(limits, &report);
		ck_assert_uint_eq(report.playouts, 800);
		record_play(&record, report.line[0]);
	}
}
END_TEST

START_TEST(memory_refused_is_an_answer)
{
	char why[REASON_MAX] = "";
	if (MEMORY_UNIT < ((size_t)1 << 20))
		return;
	set("memory", "1048576"); /* 1 TiB */
	struct limits limits = { .deadline = TIME_NEVER, .work_max = 10 };
	bool found = engine_search(engine, &record, &limits, &report, why);
	ck_assert(found || why[0]);
	set_memory((size_t)8 << 20);
	search(100);
}
END_TEST

START_TEST(refused_tree_is_tried_again)
{
	check_refused_table_is_tried_again(&algorithm_mcts);
}
END_TEST

/* --- with an evaluator --- */

static const struct game *const evaluated_games[] = { &game_pentago, &game_othello };

/* Noise in the priors belongs to one search: no other search uses its tree. */
START_TEST(noise_is_not_kept)
{
	static const char *const noises[] = { "0", "0", "0.25", "0.25", "0", "0" };
	static const bool keeps[] = { false, true, false, false, false, true };
	record_restart(&record, &game_pentago);
	set("early_stop", "0");
	for (int i = 0; i < 6; i++) {
		set("noise", noises[i]);
		search(300);
		ck_assert_uint_eq(report.playouts, 300);
		ck_assert_int_eq(visits_of_all() > 300, keeps[i]);
	}
}
END_TEST

/* Sequential halving visits as many moves as it begins with; half of the visits go to the last two. Which moves these are
 * depends on the seed; the tree is not kept. Without a limit of playouts or with two threads there is none. */
START_TEST(halving_visits_few_moves)
{
	bool chosen[GAME_CODES_MAX] = { false };
	int kinds = 0;
	record_restart(&record, &game_go);
	set("early_stop", "0");
	set("gumbel", "4");
	for (int seed = 1; seed <= 8; seed++) {
		engine_options(engine)->seed = seed;
		engine_reseed(engine);
		search(65);
		ck_assert_int_eq(report.move_count, 4);
		ck_assert_uint_eq(report.playouts, 65);
		ck_assert_uint_eq(visits_of_all(), 64);
		for (int i = 0; i < 4; i++)
			ck_assert_uint_eq(report.moves[i].visits, i < 2 ? 24 : 8);
		kinds += !chosen[report.line[0].step[0]];
		chosen[report.line[0].step[0]] = true;
	}
	ck_assert_int_gt(kinds, 1);
	/* With several threads the noise chooses no moves. One thread has expanded the root before. */
	set("gumbel", "0");
	search(1);
	set("gumbel", "4");
	set("threads", "2");
	search(300);
	ck_assert_int_gt(report.move_count, 4);
}
END_TEST

/* Moves that are proven lost get no visits, whatever the noise says: White must answer in column D. */
START_TEST(halving_leaves_lost_moves_out)
{
	set("gumbel", "2");
	record_restart(&record, &game_connectfour);
	for (const char *c = "DADAD"; *c; c++)
		play((char[]) { *c, '\0' });
	for (int seed = 1; seed <= 8; seed++) {
		engine_options(engine)->seed = seed;
		engine_reseed(engine);
		search(20);
		for (int i = 0; i < report.move_count; i++)
			ck_assert(i == 0 ? report.moves[i].upper == 1 : !report.moves[i].visits);
		play("D");
		ck_assert(move_equal(record.moves[5].move, report.line[0]));
		record_undo(&record);
	}
}
END_TEST

/* The evaluator (option `evaluator`) and the weight of the priors are options of a search. A tree is kept only
 * if they are unchanged. */
START_TEST(tree_is_of_its_evaluator)
{
	static const char *const nets[] = { "1", "0", "0", "1", "1" };
	static const bool keeps[] = { false, false, true, false, true };
	record_restart(&record, evaluated_games[_i]);
	for (int i = 0; i < 5; i++) {
		set("evaluator", nets[i]);
		search(300);
		ck_assert_int_eq(visits_of_all() > 300, keeps[i]);
	}
	set("puct", "3");
	search(300);
	ck_assert_uint_gt(visits_of_all(), 300);
}
END_TEST

/* Returns the share of the most visited move. */
static double greatest_share(void)
{
	uint64_t most = 0;
	for (int i = 0; i < report.move_count; i++)
		most = report.moves[i].visits > most ? report.moves[i].visits : most;
	return (double)most / (double)visits_of_all();
}

/* The more the constant of PUCT grows, the more the other moves are visited. */
START_TEST(exploration_grows_with_visits)
{
	static const char *const growths[] = { "0", "2", "20" };
	double shares[3];
	set("solver", "0");
	set("reuse", "0");
	set("early_stop", "0");
	record_restart(&record, evaluated_games[_i]);
	for (int i = 0; i < 3; i++) {
		set("puct_growth", growths[i]);
		search(2000);
		shares[i] = greatest_share();
	}
	ck_assert_msg(shares[0] > shares[1] && shares[1] > shares[2], "%g %g %g", shares[0],
		      shares[1], shares[2]);
}
END_TEST

/* A search that is stopped at once knows only the priors of the root's moves. */
START_TEST(first_simulation_chooses_by_priors)
{
	const struct game *g = tested_game(_i);
	struct move moves[GAME_MOVES_MAX];
	double priors[GAME_MOVES_MAX], most = 0, chosen = 0;
	/* Priors say nothing of a move that White may swap. */
	if (!tuning_of(g)->evaluator_cost || g->swap)
		return;
	record_restart(&record, g);
	search(1);
	int count = record_moves(&record, moves);
	evaluator_priors(g, true, &record.now, moves, count, priors);
	for (int i = 0; i < count; i++) {
		most = priors[i] > most ? priors[i] : most;
		chosen = move_equal(moves[i], report.line[0]) ? priors[i] : chosen;
	}
	ck_assert_msg(most > 1.0 / count && chosen == most, "%s %s: %g, not %g", g->name, g->rules,
		      chosen, most);
}
END_TEST

/* With pure minimax, a move visited once has the best evaluation one step further; after two visits, one of
 * these is the best of those after it. The margin is that of the value. */
START_TEST(evaluations_are_backed_up)
{
	struct evaluator evaluator;
	int once = 0, twice = 0;
	ck_assert(evaluator_open(&evaluator, &game_othello));
	record_restart(&record, &game_othello);
	set("minimax", "1");
	set("puct", "5");
	set("solver", "0");
	for (int n = 0; n < 30; n++) {
		search(20);
		for (int i = 0; i < report.move_count; i++) {
			struct evaluation all, behind;
			const struct report_move *r = &report.moves[i];
			struct state s = record.now;
			move_t steps[GAME_STEPS_MAX];
			game_play(record.game, &s, r->move);
			float sign = (float)side_sign(s.side);
			int count = record.game->moves(record.game, &s, steps);
			evaluator_steps(&evaluator, &s, steps, count, &all);
			ck_assert_double_eq(r->score, evaluator_margin(&evaluator, r->value));
			if (r->visits == 1) {
				ck_assert_double_eq(r->value, all.value);
				once++;
			}
			bool found = r->visits != 2;
			for (int j = 0; j < count && !found; j++) {
				struct state next = s;
				move_t more[GAME_STEPS_MAX];
				float most = -1;
				record.game->play(record.game, &next, steps[j]);
				evaluator_steps(&evaluator, &next, more,
						record.game->moves(record.game, &next, more),
						&behind);
				for (int k = 0; k < count; k++) {
					float value = sign *
						      (k == j ? behind.value : all.values[k]);
					most = value > most ? value : most;
				}
				found = r->value == (double)(sign * most);
			}
			ck_assert(found);
			twice += r->visits == 2;
		}
		set("reuse", "0");
		record_play(&record, report.line[0]);
	}
	ck_assert_int_gt(once, 20);
	ck_assert_int_gt(twice, 20);
}
END_TEST

/* The evaluation wins games from random positions. */
START_TEST(evaluation_beats_playouts)
{
	struct rng rng;
	int points = 0;
	rng_seed(&rng, 13);
	for (int game = 0; game < 20; game++) {
		record_restart(&record, &game_othello);
		for (int i = 0; i < 6; i++)
			record_play(&record, record_draw(&record, &rng));
		int evaluating = game & 1;
		while (!record.now.over) {
			set("evaluator", record.now.side == evaluating ? "1" : "0");
			search(100);
			record_play(&record, report.line[0]);
		}
		points += score_sign(record.now.score) == side_sign(evaluating);
	}
	ck_assert_int_ge(points, 18);
}
END_TEST

/* Decisive playouts beat others. */
START_TEST(decisive_playouts_beat_others)
{
	int points = 0;
	set("evaluator", "0");
	set("lookahead", "0");
	for (int game = 0; game < 16; game++) {
		int decisive = game & 1;
		record_restart(&record, &game_pentago);
		while (!record.now.over) {
			set("decisive", record.now.side == decisive ? "1" : "0");
			search(150);
			record_play(&record, report.line[0]);
		}
		points += score_sign(record.now.score) * side_sign(decisive);
	}
	ck_assert_int_ge(points, 6);
}
END_TEST

/* With RAVE, each playout informs all of its steps: some moves are tried again before all are tried, and
 * the tree is deeper. */
START_TEST(rave_tries_good_steps_again)
{
	static struct report tried;
	record_restart(&record, _i ? &game_pentago : &game_othello);
	play(_i ? "b2s" : "f5");
	play(_i ? "e5s" : "d6");
	set("evaluator", "0");
	set("batch", "0");
	set("heavy", "0");
	set("decisive", "0");
	set("reuse", "0");
	search(3000);
	report_copy(&tried, &report);
	set("rave", "1000");
	search(3000);
	ck_assert_int_gt(report.depth, tried.depth);
	ck_assert_int_lt(report.move_count, tried.move_count);
	ck_assert_uint_gt(report.moves[0].visits, tried.moves[0].visits);
}
END_TEST

static const struct {
	const char *game, *opening;
	int side; /* rows and columns of the board */
	bool swaps;
} openings[] = {
	{ "hex", "e5", 9, true },      { "hex", "a1", 9, false },      { "hex", "b1", 9, false },
	{ "havannah", "e5", 9, true }, { "havannah", "a5", 9, false }, { "hex", "e4", 5, false },
	{ "hex", "f5", 6, false },
};

/* White takes over a strong first move, and leaves a weak one, also on small boards, where the network's prior is nearly
 * 1 for the swap. The swap of the strong one needs few playouts. */
START_TEST(swaps_after_a_strong_first_move)
{
	const struct game *g = game_sized(game_find(openings[_i].game, NULL), openings[_i].side,
					  openings[_i].side);
	record_restart(&record, g);
	set_memory((size_t)64 << 20);
	play(openings[_i].opening);
	search(2000);
	ck_assert_int_eq(report.line[0].step[0] == swap_step(g), openings[_i].swaps);
}
END_TEST

/* Black's first move is one that the swap makes neither good nor bad. */
START_TEST(first_move_is_balanced)
{
	record_restart(&record, game_sized(game_find("hex", NULL), 9, 9));
	set_memory((size_t)64 << 20);
	search(2000);
	ck_assert_double_lt(fabs(report.value), 0.06);
	/* Without the swap the first move is an advantage. */
	record_set_swap(&record, false);
	search(2000);
	ck_assert_double_gt(report.value, 0.1);
}
END_TEST

/* Priors also guide a search of some moves only: not every move is tried. */
START_TEST(priors_choose_among_some)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = 30 };
	struct move moves[GAME_MOVES_MAX];
	record_restart(&record, &game_pentago);
	play("b2s");
	limits.only = moves;
	limits.only_count = game_moves(record.game, &record.now, moves) - 1;
	search_within(limits, &report);
	ck_assert_int_lt(report.move_count, 30);
	ck_assert_uint_gt(report.moves[0].visits, 2);
}
END_TEST

/* With lookahead, wins are found without visits, and all winning moves are reported. So does a tree that
 * held the position only as a proven leaf. */
START_TEST(looks_at_wins)
{
	struct rng rng;
	int won = 0;
	rng_seed(&rng, 12);
	set("early_stop", "0");
	for (int n = 0; n < 200; n++) {
		struct move moves[GAME_MOVES_MAX];
		record_restart(&record, &game_pentago);
		for (int i = 0; i < 18 && !record.now.over; i++)
			record_play(&record, record_draw(&record, &rng));
		if (record.now.over || !game_pentago.threats->wins(&game_pentago, &record.now))
			continue;
		int side = record.now.side, sign = side_sign(side), wins = 0, reported = 0;
		struct limits limits = { .deadline = TIME_NEVER, .work_max = 60000 };
		int count = game_moves(&game_pentago, &record.now, moves);
		for (int i = 0; i < count; i++) {
			struct state next = record.now;
			game_play(&game_pentago, &next, moves[i]);
			wins += next.over && score_sign(next.score) == sign;
		}
		set("lookahead", "1");
		search_within(limits, &report);
		ck_assert_uint_eq(report.playouts, 0);
		ck_assert_int_eq(sign * report.lower, 1);
		for (int i = 0; i < report.move_count; i++)
			reported += sign * report.moves[i].value == 1;
		/* Of several turns that lead to one position only one is reported. */
		ck_assert_int_ge(reported, 1);
		ck_assert_int_le(reported, wins);
		set("lookahead", "0");
		set("reuse", "0");
		search_within(limits, &report);
		ck_assert_uint_gt(report.playouts, 0);
		ck_assert_int_eq(sign * report.lower, 1);
		set("reuse", "1");
		set("lookahead", "1");
		/* Without lookahead too, a tree that held the position as a proven leaf finds its moves. */
		struct move blunder = record.moves[record.count - 1].move;
		set("evaluator", "0");
		record_undo(&record);
		search_within(limits, &report);
		record_play(&record, blunder);
		set("lookahead", "0");
		search_within(limits, &report);
		ck_assert_int_eq(sign * report.lower, 1);
		struct state next = record.now;
		game_play(&game_pentago, &next, report.line[0]);
		ck_assert_int_eq(sign * score_sign(next.score), 1);
		set("evaluator", "1");
		won++;
	}
	ck_assert_int_gt(won, 20);
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (tested_game(game_count))
		game_count++;
	Suite *suite = suite_create("mcts");
	TCase *cases = tcase_create("mcts");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_loop_test(cases, start_of_tictactoe_is_proven_a_draw, 0, 2);
	tcase_add_test(cases, plays_no_proven_loss);
	tcase_add_test(cases, proves_wins_and_losses);
	tcase_add_loop_test(cases, work_limit_is_exact, 0, 2);
	tcase_add_loop_test(cases, same_seed_same_search, 0, game_count);
	tcase_add_test(cases, same_seed_same_game);
	tcase_add_test(cases, unvisited_moves_come_first);
	tcase_add_test(cases, proofs_off_means_off);
	tcase_add_test(cases, tree_is_kept_and_found_again);
	tcase_add_loop_test(cases, games_in_little_memory, 0, game_count);
	tcase_add_loop_test(cases, full_tree_grows_on, 0, 2);
	tcase_add_loop_test(cases, little_tree_proves_what_a_big_one_does, 0, 2);
	tcase_add_test(cases, full_tree_keeps_the_choice);
	tcase_add_test(cases, no_budget_still_moves);
	tcase_add_loop_test(cases, early_stop_keeps_the_choice, 0, game_count);
	tcase_add_test(cases, choice_is_of_what_it_says);
	tcase_add_loop_test(cases, what_was_under_way_is_taken_back, 0, 2);
	tcase_add_loop_test(cases, doubtful_move_takes_longer, 0, 2);
	tcase_add_test(cases, memory_refused_is_an_answer);
	tcase_add_test(cases, refused_tree_is_tried_again);
	tcase_add_test(cases, noise_is_not_kept);
	tcase_add_test(cases, halving_visits_few_moves);
	tcase_add_test(cases, halving_leaves_lost_moves_out);
	tcase_add_loop_test(cases, tree_is_of_its_evaluator, 0, 2);
	tcase_add_loop_test(cases, exploration_grows_with_visits, 0, 2);
	tcase_add_loop_test(cases, first_simulation_chooses_by_priors, 0, game_count);
	tcase_add_test(native, decisive_playouts_beat_others);
	tcase_add_loop_test(cases, rave_tries_good_steps_again, 0, 2);
	tcase_add_loop_test(native, swaps_after_a_strong_first_move, 0,
			    sizeof openings / sizeof *openings);
	tcase_add_test(native, first_move_is_balanced);
	tcase_add_test(cases, priors_choose_among_some);
	tcase_add_test(cases, evaluations_are_backed_up);
	tcase_add_test(native, evaluation_beats_playouts);
	tcase_add_test(native, looks_at_wins);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
