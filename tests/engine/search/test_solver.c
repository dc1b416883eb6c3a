/* SPDX-License-Identifier: MIT
 *
 * The exact solvers of the games in the engine: true values of all moves, memory, repeatability, stops.
 */
#include <string.h>
#include <unistd.h>

#include "engine/rules/solver.h"
#include "engine/rules/threats.h"
#include "engine/search/algorithms.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;
static char why[REASON_MAX];

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, tested_game(0));
	set("memory", "16");
}

/* Sets up a random position with `empty` empty squares. */
static void free_position(const struct game *g, int empty, struct rng *rng)
{
	struct state s;
	naive_find_position(g, empty, rng, &s);
	record_restart(&record, g);
	record_setup(&record, &s);
}

static void set_memory_anew(size_t bytes)
{
	set_memory(bytes);
	engine_reseed(engine);
}

/* Sets up a position with `stones` stones on random squares that is not over, in a game with a solver. */
static void random_position(const struct game *g, int stones, struct rng *rng)
{
	char squares[65];
	int order[64] = { 0 }, all = g->board.rows * g->board.cols;
	record_restart(&record, g);
	do {
		memset(squares, '.', (size_t)all);
		squares[all] = '\0';
		for (int i = 0; i < all; i++) {
			int j = (int)rng_below(rng, (uint32_t)i + 1);
			order[i] = order[j];
			order[j] = i;
		}
		for (int i = 0; i < stones; i++)
			squares[order[i]] = i % 2 ? 'O' : 'X';
		set_position(squares, stones % 2 ? "O" : "X");
	} while (record.now.over);
}

static void solve_alone(struct solution *out)
{
	const struct solver *solver = record.game->solver;
	struct control control;
	double seconds;
	size_t bytes;
	ck_assert(solver->estimate(record.game, &record.now, SOLVE_ALL, 1, &seconds, &bytes));
	void *block = block_create(bytes);
	ck_assert_ptr_nonnull(block);
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	solver->work(record.game, &record.now, SOLVE_ALL, block, bytes, 0, 1, &control);
	ck_assert(solver->result(record.game, &record.now, block, out));
	block_destroy(block, bytes);
}

static int value_of(const struct solution *s, struct move move)
{
	for (int i = 0; i < s->count; i++)
		if (move_equal(s->moves[i].move, move))
			return score_sign(s->moves[i].least);
	ck_abort_msg("a move that the solver does not know");
	return 0;
}

static int value_of_position(const struct solution *s)
{
	int least, most;
	solution_bounds(s, record.now.side, &least, &most);
	ck_assert_int_eq(least, most);
	return score_sign(least);
}

/* Checks that the report has exactly these moves with their values, and that the answer is the best of
 * them. */
static void check_solved(const struct solution *s, const struct move *moves, int count)
{
	int sign = side_sign(record.now.side), best = -1;
	check_report(&report);
	ck_assert_int_eq(report.move_count, count);
	for (int i = 0; i < count; i++) {
		int value = sign * value_of(s, moves[i]);
		best = value > best ? value : best;
	}
	for (int i = 0; i < count; i++) {
		const struct report_move *m = &report.moves[i];
		int listed = 0;
		for (int j = 0; j < count; j++)
			listed += move_equal(moves[j], m->move);
		ck_assert_int_eq(listed, 1);
		ck_assert_int_eq(m->lower, value_of(s, m->move));
		ck_assert_int_eq(m->upper, m->lower);
		ck_assert(m->value == m->lower);
	}
	ck_assert_int_eq(report.lower, sign * best);
	ck_assert_int_eq(report.upper, sign * best);
	ck_assert(report.value == sign * best);
	ck_assert_int_eq(value_of(s, report.line[0]), sign * best);
}

/* All moves get their values on request, also if some are excluded, even the best ones. */
START_TEST(solver_takes_over)
{
	struct rng rng;
	int wins = 0, others = 0;
	rng_seed(&rng, 21);
	set("exact", "1");
	set_memory((size_t)16 << 20);
	for (int g = 0; tested_game(g); g++) {
		for (int n = 0; tested_game(g)->solver && n < 12; n++) {
			struct limits limits = { .deadline = TIME_NEVER,
						 .work_max = WORK_NO_LIMIT,
						 .values = true };
			struct move moves[GAME_MOVES_MAX], worse[GAME_MOVES_MAX];
			struct solution s;
			int count = 0, value;
			set("threads", n % 2 ? "1" : "3");
			free_position(tested_game(g), 2 + n % 9, &rng);
			solve_alone(&s);
			value = value_of_position(&s);
			int all = game_moves(record.game, &record.now, moves);
			search_within(limits, &report);
			check_solved(&s, moves, all);
			ck_assert_uint_eq(report.playouts, 0);
			for (int i = 0; i < all; i++)
				if (score_sign(s.moves[i].least) != value)
					worse[count++] = moves[i];
			wins += value == (side_sign(record.now.side));
			others += count > 0;
			if (!count)
				continue;
			limits.only = worse;
			limits.only_count = count;
			search_within(limits, &report);
			check_solved(&s, worse, count);
		}
	}
	ck_assert_int_gt(wins, 5);
	ck_assert_int_gt(others, 5);
}
END_TEST

/* With a clock, the search chooses among the moves that keep the value, unless it is a win. Under a work
 * limit, or if requested, it works alone. */
START_TEST(solver_lets_search_choose)
{
	struct rng rng;
	int chosen = 0;
	rng_seed(&rng, 22);
	set_memory((size_t)16 << 20);
	for (int n = 0; n < 80; n++) {
		struct limits limits = { .work_max = WORK_NO_LIMIT };
		struct move moves[GAME_MOVES_MAX];
		struct solution s;
		set("search", n % 4 ? "mcts" : "dfpn+mcts");
		set("exact", "1");
		random_position(&game_pentago, 31 + n % 4, &rng);
		solve_alone(&s);
		int all = game_moves(record.game, &record.now, moves);
		limits.deadline = clock_now() + INT64_C(20000000000);
		search_within(limits, &report);
		check_solved(&s, moves, all);
		chosen += report.playouts > 0;
		if (value_of_position(&s) == (side_sign(record.now.side)))
			ck_assert_uint_eq(report.playouts, 0);

		set("search", "mcts");
		limits.work_max = 100000;
		engine_reseed(engine);
		search_within(limits, &report);
		bool seen = game_pentago.threats->wins(&game_pentago,
						       &record.now); /* without a search */
		ck_assert_int_eq(report.playouts > 0, !seen);
		set("exact", "0");
		engine_reseed(engine);
		limits.work_max = WORK_NO_LIMIT;
		search_within(limits, &report);
		ck_assert_int_eq(report.playouts > 0, !seen);
	}
	ck_assert_int_gt(chosen, 2);
}
END_TEST

/* Returns the size of the address space in use in bytes; 0: unknown. */
static size_t addresses(void)
{
	size_t pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%zu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The stack grows with the deepest call and never shrinks; a test that counts addresses lets it grow before. */
static __attribute__((noinline)) void grow_stack(void)
{
	volatile char room[1 << 20];
	for (size_t i = 0; i < sizeof room; i += 1024)
		room[i] = 0;
}

/* Sanitizers allocate memory of their own while the search runs. */
#define SANITIZER_MEMORY (IS_SANITIZED ? (size_t)1 << 30 : 0)

/* The solver's memory and the tree together stay within the option, whichever is allocated first, and also
 * after the option changes. */
START_TEST(solver_keeps_to_memory)
{
	struct limits watched = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct limits limited = { .deadline = TIME_NEVER, .work_max = 2000 };
	struct rlimit usual, tight;
	struct rng rng;
	double seconds;
	size_t bytes;
	rng_seed(&rng, 23);
	set("exact", "1");
	/* Avoid a win for White, the side to move, because the search would find it, too. With more empty
	 * squares a slow machine would not solve it in time; with fewer, the block would be too small. */
	struct solution s;
	do {
		random_position(&game_pentago, 23, &rng);
		solve_alone(&s);
	} while (value_of_position(&s) == -1);
	ck_assert(game_pentago.solver->estimate(record.game, &record.now, SOLVE_ALL, 1, &seconds,
						&bytes));
	/* The block is smaller than half of the memory, so it is kept. */
	size_t memory = 2 * bytes + MEMORY_UNIT + ((size_t)1 << 20);
	set_memory_anew((size_t)1 << 20);
	search_within(limited, &report);
	grow_stack();
	size_t before = addresses();
	set_memory_anew(memory);
	search_within(limited, &report);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &usual), 0);
	tight = (struct rlimit) { before + memory + SANITIZER_MEMORY, usual.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &tight), 0);
	search_within(watched, &report);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &usual), 0);
	ck_assert_int_eq(report.lower, report.upper);
	ck_assert_uint_gt(report.nodes, limited.work_max);

	/* Now a block exists, and the memory is smaller than it. */
	set_memory((size_t)1 << 20);
	search_within(limited, &report);
	ck_assert_uint_le(addresses(), before);
}
END_TEST

/* Searches repeat with their seed after any use of the solver: they get its memory back. */
START_TEST(seed_repeats_after_the_solver)
{
	/* With values the solver's time has no limit. */
	struct limits watched = { .deadline = TIME_NEVER,
				  .work_max = WORK_NO_LIMIT,
				  .values = true };
	struct limits limited = { .deadline = TIME_NEVER, .work_max = 5000 };
	static struct report first;
	struct rng rng;
	double seconds;
	size_t bytes;
	rng_seed(&rng, 24);
	set("exact", "1");
	random_position(&game_pentago, 23, &rng);
	ck_assert(game_pentago.solver->estimate(record.game, &record.now, SOLVE_ALL, 1, &seconds,
						&bytes));
	/* The block could be kept, but half of the memory is too small for the search's tree. */
	set_memory(2 * bytes);
	for (int round = 0; round < 2; round++) {
		if (round)
			search_within(watched, &report);
		struct record solved = record;
		record_init(&record, &game_pentago);
		engine_reseed(engine);
		search_within(limited, &report);
		record_free(&record);
		record = solved;
		if (!round)
			report_copy(&first, &report);
	}
	ck_assert(first.fill == report.fill);
	ck_assert(first.value == report.value);
	ck_assert_int_eq(first.move_count, report.move_count);
	for (int i = 0; i < first.move_count; i++)
		ck_assert_uint_eq(first.moves[i].visits, report.moves[i].visits);
}
END_TEST

/* After a stopped solver a short search gives the answer. */
START_TEST(stopped_solver_leaves_a_search)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct rng rng;
	rng_seed(&rng, 24);
	set("exact", "1");
	set_memory_anew((size_t)256 << 20);
	random_position(&game_pentago, 20, &rng);
	ck_assert(engine_think(engine, &record, &limits, NULL, NULL, why));
	engine_stop(engine);
	ck_assert(engine_collect(engine, &report, why));
	check_report(&report);
	ck_assert(report.playouts > 0 || report.lower == report.upper);
}
END_TEST

/* Go's solver knows the earlier positions: it plays whole games, and each move keeps the score. */
START_TEST(solver_knows_the_past)
{
	const struct limits genmove = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	const struct limits prover = { .deadline = TIME_NEVER,
				       .work_max = WORK_NO_LIMIT,
				       .prover = algorithm_find("dfpn") };
	const int size = _i;
	const double value = size == 2 ? 1 : 9;
	set("exact", "1");
	set_memory((size_t)64 << 20);
	record_restart(&record, game_sized(&game_go, size, size));
	while (!record.now.over) {
		search_within(size == 2 ? genmove : prover, &report);
		ck_assert_uint_eq(report.playouts, 0);
		ck_assert(report.exact);
		ck_assert(report.score == value);
		record_play(&record, report.line[0]);
	}
	ck_assert_int_gt(record.count, 4);
	ck_assert(game_points(record.game, record.now.score) == value);
}
END_TEST

/* Moves that would repeat a position of the record are no candidates. They are no reason to find all scores. */
START_TEST(solver_excludes_repeats)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .prover = algorithm_find("dfpn") };
	const struct game *g = game_sized(&game_go, 2, 2);
	struct rng rng;
	int positions = 0, open = 0;
	rng_seed(&rng, 22);
	set("exact", "1");
	set_memory((size_t)64 << 20);
	record_restart(&record, g);
	while (positions < 20) {
		struct move moves[GAME_MOVES_MAX];
		int n = record_moves(&record, moves);
		if (n < game_moves(g, &record.now, moves)) {
			search_within(limits, &report);
			ck_assert(report.exact);
			ck_assert_int_eq(report.move_count, n);
			for (int i = 0; i < n; i++) {
				ck_assert(record_is_legal(&record, report.moves[i].move));
				open += !report.moves[i].exact;
			}
			positions++;
		}
		record_moves(&record, moves);
		record_play(&record, moves[rng_below(&rng, (uint32_t)n)]);
		if (record.now.over)
			record_restart(&record, g);
	}
	ck_assert_int_gt(open, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solver");
	TCase *cases = tcase_create("solver");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_test(cases, solver_takes_over);
	tcase_add_test(cases, solver_lets_search_choose);
	tcase_add_test(native, solver_keeps_to_memory);
	tcase_add_test(cases, seed_repeats_after_the_solver);
	tcase_add_test(cases, stopped_solver_leaves_a_search);
	tcase_add_loop_test(cases, solver_knows_the_past, 2, 4);
	tcase_add_test(cases, solver_excludes_repeats);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
