/* SPDX-License-Identifier: MIT
 * Depth-first proof-number search: proofs agree with plain minimax, moves keep what is proven, limits.
 */
#include <string.h>
#include <unistd.h>

#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;
static char why[REASON_MAX];

static void setup(void)
{
	fixture_create("dfpn");
	set_memory((size_t)4 << 20);
}

static void search(uint64_t nodes)
{
	search_within((struct limits) { .deadline = TIME_NEVER, .work_max = nodes }, &report);
}

/* Searches with a new table of `bytes` bytes, which may be less than the options allow. */
static void search_in(size_t bytes, uint64_t nodes)
{
	struct control control;
	struct task task = { .record = &record,
			     .options = engine_options(engine),
			     .memory = bytes,
			     .threads = 1,
			     .control = &control };
	void *self = algorithm_dfpn.create();
	control_init(&control, TIME_NEVER, nodes);
	report_clear(&report);
	ck_assert(algorithm_dfpn.prepare(self, &task, why));
	algorithm_dfpn.work(self, 0, &control);
	algorithm_dfpn.report(self, &report);
	algorithm_dfpn.destroy(self);
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
	/* Reserved work that was not done is returned. */
	if (nodes == WORK_NO_LIMIT)
		ck_assert_uint_eq(control_work(&control), report.nodes);
}

/* Solves a position and compares its result and that of the move with the truth. */
static void check_solved(const struct state *s, size_t memory)
{
	int truth = naive_result(record.game, s);
	record_setup(&record, s);
	if (memory)
		search_in(memory, WORK_NO_LIMIT);
	else
		search(WORK_NO_LIMIT);
	ck_assert_int_eq(report.lower, truth);
	ck_assert_int_eq(report.upper, truth);
	ck_assert_double_eq(report.value, truth);
	struct state next = *s;
	game_play(record.game, &next, report.line[0]);
	ck_assert_int_eq(naive_result(record.game, &next), truth);
}

START_TEST(start_of_tictactoe_is_a_draw)
{
	static const char *const threads[] = { "1", "2", "5" };
	set("threads", threads[_i]);
	search(WORK_NO_LIMIT);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
	ck_assert_double_eq(report.value, 0);
}
END_TEST

/* All positions of Tic-tac-toe, each once. */
static bool seen[2][1 << 18];
static int solved;

static void check_all_below(const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	bool *mark = &seen[s->side][s->board[BLACK] << 9 | s->board[WHITE]];
	if (*mark)
		return;
	*mark = true;
	solved++;
	if (s->over)
		return;
	check_solved(s, 0);
	int n = record.game->moves(record.game, s, steps);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		record.game->play(record.game, &next, steps[i]);
		check_all_below(&next);
	}
}

START_TEST(every_tictactoe_position)
{
	struct state s;
	record.game->start(record.game, &s);
	check_all_below(&s);
	ck_assert_int_eq(solved, 5478);
}
END_TEST

struct solving {
	const struct game *game;
	int empty, positions;
	const char *threads;
	size_t memory; /* table size in bytes, 0: that of the option */
};

/* 1 KiB is a table of 32 positions, 64 bytes of 2: they forget nearly everything. */
static const struct solving solvings[] = {
	{ &game_tictactoe, 9, 1, "1", 1024 },       { &game_tictactoe, 6, 100, "1", 64 },
	{ &game_othello, 8, 30, "1", 0 },           { &game_othello, 8, 40, "4", 0 },
	{ &game_othello, 7, 60, "1", 64 },          { &game_pentago, 5, 40, "1", 0 },
	{ &game_pentago, 5, 40, "4", 0 },           { &game_pentago, 5, 200, "1", 64 },
	{ &game_pentago_tajima, 5, 40, "1", 0 },    { &game_pentago_tajima, 5, 40, "1", 64 },
	{ &game_pentago_openspiel, 5, 40, "1", 0 }, { &game_pentago_openspiel, 5, 30, "4", 0 },
};

START_TEST(random_positions)
{
	const struct solving *c = &solvings[_i];
	struct rng rng;
	rng_seed(&rng, 17);
	set("threads", c->threads);
	record_restart(&record, c->game);
	for (int i = 0; i < c->positions; i++) {
		struct state s;
		naive_find_position(c->game, c->empty, &rng, &s);
		check_solved(&s, c->memory);
	}
}
END_TEST

/* A search that ends early claims less, but nothing false. */
START_TEST(bounds_hold_at_any_time)
{
	const struct solving *c = &solvings[_i];
	struct rng rng;
	rng_seed(&rng, 19);
	set("threads", c->threads);
	record_restart(&record, c->game);
	for (int i = 0; i < suite_times(c->positions / 4); i++) {
		struct state s;
		naive_find_position(c->game, c->empty, &rng, &s);
		int truth = naive_result(c->game, &s);
		record_setup(&record, &s);
		for (uint64_t nodes = 1; nodes < 500; nodes *= 3) {
			search(nodes);
			ck_assert_int_le(report.lower, truth);
			ck_assert_int_ge(report.upper, truth);
			struct state next = s;
			game_play(c->game, &next, report.line[0]);
			int result = naive_result(c->game, &next);
			if (s.side == BLACK)
				ck_assert_int_ge(result, report.lower);
			else
				ck_assert_int_le(result, report.upper);
		}
	}
}
END_TEST

/* A proof comes with its complete move, wherever the budget ends and even if the table has forgotten it. */
START_TEST(proof_comes_with_its_move)
{
	struct rng rng;
	rng_seed(&rng, 23);
	record_restart(&record, &game_pentago);
	for (int i = 0; i < 20; i++) {
		struct state s;
		naive_find_position(&game_pentago, 5, &rng, &s);
		record_setup(&record, &s);
		search_in(64, WORK_NO_LIMIT);
		uint64_t all = report.nodes;
		for (uint64_t back = 0; back < 60 && back < all; back++) {
			search_in(64, all - back);
			struct state next = s;
			game_play(&game_pentago, &next, report.line[0]);
			int result = naive_result(&game_pentago, &next);
			if (s.side == BLACK)
				ck_assert_int_ge(result, report.lower);
			else
				ck_assert_int_le(result, report.upper);
		}
	}
}
END_TEST

/* Othello positions with 14 empty squares, and Black's result from alpha-beta. */
static const struct {
	const char *squares;
	int result;
} forgotten[] = {
	{ "XO..OX...XOOOO..OXOOXXX.XOOXXXXXOOOOXOXX.XOOXX.XX.OOXXO.OOO.XO.O", -1 },
	{ "OX.OOO.X.O.XXOOOXXOXXXO.OOOOOOXOX.XOOX.XXOXOXO..X.XXXXO...XXX.OO", 1 },
	{ "O..OX.XXOXOXXXX.OO.OXOOOOOOXOO..OOXXXO..OOXOOX..OOOOXOX..OOOOOO.", -1 },
	{ "X.OOOOOOXXX.XXXXXXX.XXX.XOOXOXX.X.XOOX.X.XOOOXO..OO.XOOO.OXX.XO.", -1 },
};

/* The search is more than 1,000 times larger than its table, which holds the newest results. */
START_TEST(solves_though_it_forgets)
{
	const size_t cells = 32;
	record_restart(&record, &game_othello);
	set_position(forgotten[_i].squares, "X");
	search_in(32 * cells, WORK_NO_LIMIT);
	ck_assert_uint_ge(report.nodes, 1000 * cells);
	ck_assert_int_eq(report.lower, forgotten[_i].result);
	ck_assert_int_eq(report.upper, forgotten[_i].result);
}
END_TEST

/* Results in the table from other positions and searches are true wherever they are used. */
START_TEST(table_is_kept_between_moves)
{
	search(WORK_NO_LIMIT);
	uint64_t fresh = report.nodes;
	record_play(&record, report.line[0]);
	search(WORK_NO_LIMIT);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
	ck_assert_uint_lt(report.nodes, fresh / 2);
	/* The table is never used for another game. */
	record_restart(&record, &game_othello);
	search(500);
	ck_assert_uint_eq(report.nodes, 500);
	ck_assert_int_eq(report.lower, -1);
	ck_assert_int_eq(report.upper, 1);
}
END_TEST

/* Rule sets of one game share positions, but not results. */
START_TEST(table_is_not_kept_between_rules)
{
	struct rng rng;
	struct state standard, tajima;
	char text[POSITION_TEXT_MAX];
	int differing = 0;
	rng_seed(&rng, 29);
	for (int i = 0; i < 100; i++) {
		naive_find_position(&game_pentago, 4, &rng, &standard);
		game_position(&game_pentago, &standard, text);
		*strchr(text, ' ') = '\0';
		ck_assert_ptr_null(game_setup(&game_pentago_tajima, &tajima, text,
					      standard.side == BLACK ? "X" : "O"));
		if (tajima.over)
			continue;
		differing += naive_result(&game_pentago, &standard) !=
			     naive_result(&game_pentago_tajima, &tajima);
		record_restart(&record, &game_pentago);
		check_solved(&standard, 0);
		record_restart(&record, &game_pentago_tajima);
		check_solved(&tajima, 0);
	}
	ck_assert_int_gt(differing, 0);
}
END_TEST

START_TEST(work_limit_is_exact)
{
	static const uint64_t limits[] = { 1, 63, 1000, 12345 };
	set("threads", _i % 2 ? "4" : "1");
	record_restart(&record, &game_othello);
	search(limits[_i / 2]);
	ck_assert_uint_eq(report.nodes, limits[_i / 2]);
}
END_TEST

START_TEST(same_seed_same_search)
{
	check_repeats(setup, tested_game(_i), 5000);
}
END_TEST

START_TEST(refused_table_is_tried_again)
{
	check_refused_table_is_tried_again(&algorithm_dfpn);
}
END_TEST

START_TEST(no_budget_still_moves)
{
	struct limits limits = { .deadline = clock_now() - 1, .work_max = WORK_NO_LIMIT };
	ck_assert(engine_search(engine, &record, &limits, &report, why));
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
	ck_assert_uint_ge(report.nodes, 1);
	ck_assert_uint_le(report.nodes, 64);
}
END_TEST

START_TEST(stops_when_asked)
{
	set("threads", _i ? "3" : "1");
	record_restart(&record, &game_othello);
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	ck_assert(engine_think(engine, &record, &limits, NULL, NULL, why));
	usleep(20000);
	engine_stop(engine);
	ck_assert(engine_collect(engine, &report, why));
	ck_assert(game_is_legal(record.game, &record.now, report.line[0]));
	ck_assert_int_eq(report.upper - report.lower, 2);
}
END_TEST

/* A move that wins at once is played, even if the table does not hold it yet. */
START_TEST(wins_at_a_glance)
{
	struct rng rng;
	rng_seed(&rng, 6);
	record_restart(&record, tested_game(_i));
	for (int i = 0; i < suite_times(400); i++) {
		struct state s;
		naive_find_position(record.game, 6 + i % 10, &rng, &s);
		record_setup(&record, &s);
		search(1 + rng_below(&rng, 4));
	}
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (tested_game(game_count))
		game_count++;
	Suite *suite = suite_create("dfpn");
	TCase *cases = tcase_create("dfpn");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_loop_test(cases, start_of_tictactoe_is_a_draw, 0, 3);
	tcase_add_loop_test(cases, wins_at_a_glance, 0, game_count);
	tcase_add_test(cases, every_tictactoe_position);
	tcase_add_loop_test(native, random_positions, 0, (int)(sizeof solvings / sizeof *solvings));
	tcase_add_loop_test(cases, bounds_hold_at_any_time, 0,
			    (int)(sizeof solvings / sizeof *solvings));
	tcase_add_test(cases, proof_comes_with_its_move);
	tcase_add_loop_test(cases, solves_though_it_forgets, 0,
			    (int)(sizeof forgotten / sizeof *forgotten));
	tcase_add_test(cases, table_is_kept_between_moves);
	tcase_add_test(cases, table_is_not_kept_between_rules);
	tcase_add_loop_test(cases, work_limit_is_exact, 0, 8);
	tcase_add_loop_test(cases, same_seed_same_search, 0, game_count);
	tcase_add_test(cases, refused_table_is_tried_again);
	tcase_add_test(cases, no_budget_still_moves);
	tcase_add_loop_test(cases, stops_when_asked, 0, 2);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
