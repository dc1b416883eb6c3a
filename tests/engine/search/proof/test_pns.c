/* SPDX-License-Identifier: MIT
 *
 * Best-first proof-number search: true results, its proof numbers, little memory, limits.
 */
#include "engine/search/proof/dfpn.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"

static struct report report;

static void setup(void)
{
	fixture_create("pns");
}

static void search(uint64_t nodes)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = nodes };
	search_within(limits, &report);
}

START_TEST(start_of_tictactoe_is_a_draw)
{
	set("threads", _i ? "4" : "1");
	search(100000);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_int_eq(report.upper, 0);
	ck_assert_uint_lt(report.nodes, 10000);
	/* A draw disproves a win of the side to move. */
	ck_assert_uint_eq(report.proof, PROOF_NEVER);
	ck_assert_uint_eq(report.disproof, 0);
}
END_TEST

/* The numbers of the root, counted by hand: after one expansion a win of Black needs one of its moves, and its
 * disproof all of them. */
START_TEST(numbers_of_one_expansion)
{
	uint32_t efforts[2], sum = 0, least = UINT32_MAX;
	struct move moves[GAME_MOVES_MAX];
	set_position("X...O....", "X");
	int count = game_moves(record.game, &record.now, moves);
	search(1);
	for (int i = 0; i < count; i++) {
		struct state next = record.now;
		game_play(record.game, &next, moves[i]);
		dfpn_estimate(record.game, &next, BLACK, efforts);
		sum += efforts[WHITE];
		least = efforts[BLACK] < least ? efforts[BLACK] : least;
	}
	ck_assert_uint_eq(report.nodes, 1);
	ck_assert_uint_eq(report.proof, least);
	ck_assert_uint_eq(report.disproof, sum);
}
END_TEST

START_TEST(work_limit_is_exact)
{
	search(777);
	ck_assert_uint_eq(report.nodes, 777);
}
END_TEST

/* Searches without the engine, whose memory is at least a MiB. */
static void search_in(size_t bytes, uint64_t nodes)
{
	struct control control;
	char why[REASON_MAX];
	struct task task = {
		.record = &record,
		.options = engine_options(engine),
		.memory = bytes,
		.threads = 1,
		.control = &control,
	};
	void *self = algorithm_pns.create();
	control_init(&control, TIME_NEVER, nodes);
	ck_assert(algorithm_pns.prepare(self, &task, why));
	algorithm_pns.work(self, 0, &control);
	report_clear(&report);
	algorithm_pns.report(self, &report);
	algorithm_pns.destroy(self);
	check_report(&report);
}

/* Where the tree has little room, what is below settled nodes is dropped: the results stay true. */
START_TEST(drops_what_is_settled)
{
	struct rng rng;
	int proven = 0;
	rng_seed(&rng, 7);
	for (int i = 0; i < 200; i++) {
		static const struct game *const played[] = { &game_tictactoe, &game_othello,
							     &game_pentago };
		static const int empty[] = { 8, 8, 3 };
		const struct game *game = played[i % 3];
		struct state s;
		if (!naive_position(game, empty[i % 3], &rng, &s))
			continue;
		record_restart(&record, game);
		record_setup(&record, &s);
		search_in(1, 300000);
		int value = naive_result(game, &s);
		ck_assert_int_le(report.lower, value);
		ck_assert_int_ge(report.upper, value);
		proven += report.lower == report.upper;
	}
	ck_assert_int_gt(proven, 20);
}
END_TEST

/* The steps of the root's moves are never dropped: the report has all moves, also where a first step is settled. */
START_TEST(keeps_the_moves)
{
	const size_t ample = (size_t)8 << 20, scarce = (size_t)96 << 10;
	struct rng rng;
	int dropped = 0;
	rng_seed(&rng, 8);
	for (int i = 0; i < 40; i++) {
		struct state s;
		if (!naive_position(&game_pentago, 9 + i % 8, &rng, &s))
			continue;
		record_restart(&record, &game_pentago);
		record_setup(&record, &s);
		search_in(ample, 2000);
		int count = report.move_count;
		double used = report.fill * (double)ample;
		search_in(scarce, 2000);
		ck_assert_int_eq(report.move_count, count);
		dropped += report.fill * (double)scarce < used / 2;
	}
	ck_assert_int_gt(dropped, 0);
}
END_TEST

/* The tree of Tic-tac-toe has more nodes than fit. */
START_TEST(proves_more_than_fits)
{
	search_in((size_t)512 << 10, 100000);
	ck_assert_int_eq(report.lower, report.upper);
	uint64_t nodes = report.nodes;
	search_in((size_t)160 << 10, 100000);
	ck_assert_int_eq(report.lower, report.upper);
	ck_assert_int_eq(report.lower, 0);
	ck_assert_uint_eq(report.nodes, nodes);
}
END_TEST

/* If dropping does not help, the search ends with what it has. */
START_TEST(full_tree_ends_the_search)
{
	record_restart(&record, &game_othello);
	search_in(1, 1000000);
	ck_assert_uint_lt(report.nodes, 10000);
	ck_assert_int_lt(report.lower, report.upper);
	ck_assert_double_gt(report.fill, 0.7);
	ck_assert_int_eq(report.move_count, 4);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pns");
	TCase *cases = tcase_create("pns");
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, start_of_tictactoe_is_a_draw, 0, 2);
	tcase_add_test(cases, numbers_of_one_expansion);
	tcase_add_test(cases, work_limit_is_exact);
	tcase_add_test(cases, drops_what_is_settled);
	tcase_add_test(cases, proves_more_than_fits);
	tcase_add_test(cases, keeps_the_moves);
	tcase_add_test(cases, full_tree_ends_the_search);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
