/* SPDX-License-Identifier: MIT
 *
 * Reports of searches about their moves, at the end and while they run: true, complete, in order, and
 * without effect on the search.
 */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "engine/rules/playouts.h"
#include "engine/rules/tuning.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
}

/* Returns the number of moves of the position. Moves that begin with one step and lead to one position
 * count once. */
static int count_of(const struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	struct state after[GAME_MOVES_MAX];
	int distinct = 0;
	ck_assert_int_gt(r->move_count, 0);
	int count = game_moves(record.game, &record.now, moves);
	for (int i = 0; i < count; i++) {
		bool seen = false;
		after[i] = record.now;
		game_play(record.game, &after[i], moves[i]);
		for (int j = 0; j < i; j++)
			seen |= moves[i].step[0] == moves[j].step[0] &&
				after[i].hash == after[j].hash;
		distinct += !seen;
	}
	return distinct;
}

static uint64_t visits_of(const struct report *r)
{
	uint64_t sum = 0;
	for (int i = 0; i < r->move_count; i++)
		sum += r->moves[i].visits;
	return sum;
}

static const struct report_move *find(const struct report *r, struct move move)
{
	for (int i = 0; i < r->move_count; i++)
		if (move_equal(r->moves[i].move, move))
			return &r->moves[i];
	return NULL;
}

static void search(uint64_t work)
{
	set_number("playouts", work);
	search_within(engine_limits(engine, record.game, TIME_NEVER), &report);
}

/* All scores must have one depth, so that the first is the best. */
static bool scores_descend;

static void check_scores(const struct report *r)
{
	int sign = record.now.side == BLACK ? 1 : -1;
	for (int i = 1; i < r->move_count; i++)
		if (!isnan(r->moves[i].score) && !isnan(r->moves[0].score))
			ck_assert_double_le(sign * r->moves[i].score, sign * r->moves[0].score);
}

/* The callback of engine_think: writes to a pipe what happened. */
static void write_wake(void *arg, enum wake what)
{
	const int *pipe_end = arg;
	char byte = (char)what;
	while (write(*pipe_end, &byte, 1) < 0 && errno == EINTR)
		;
}

/* Runs the search on its thread. If `interval` is 1, a report comes between any two claims. Returns the
 * number of reports. */
static int think(struct limits limits, int64_t interval)
{
	static struct report live;
	char why[REASON_MAX], byte;
	int wake[2], reports = 0;
	uint64_t playouts = 0, nodes = 0;
	ck_assert_int_eq(pipe(wake), 0);
	limits.interval = interval;
	ck_assert_msg(engine_think(engine, &record, &limits, write_wake, &wake[1], why), "%s", why);
	for (;;) {
		ck_assert_int_eq(read(wake[0], &byte, 1), 1);
		if (byte == WAKE_DONE)
			break;
		ck_assert_int_eq(byte, WAKE_REPORT);
		engine_live(engine, &live);
		check_report(&live);
		if (scores_descend)
			check_scores(&live);
		/* Counts never decrease. */
		ck_assert_uint_ge(live.playouts, playouts);
		ck_assert_uint_ge(live.nodes, nodes);
		playouts = live.playouts;
		nodes = live.nodes;
		reports++;
	}
	ck_assert(engine_collect(engine, &report, why));
	check_report(&report);
	ck_assert_uint_ge(report.playouts, playouts);
	ck_assert_uint_ge(report.nodes, nodes);
	close(wake[0]);
	close(wake[1]);
	return reports;
}

static void check_same(const struct report *a, const struct report *b)
{
	ck_assert_int_eq(a->line_count, b->line_count);
	for (int i = 0; i < a->line_count; i++)
		ck_assert(move_equal(a->line[i], b->line[i]));
	ck_assert(a->value == b->value || (isnan(a->value) && isnan(b->value)));
	ck_assert(a->score == b->score || (isnan(a->score) && isnan(b->score)));
	ck_assert(a->fill == b->fill || (isnan(a->fill) && isnan(b->fill)));
	ck_assert_uint_eq(a->playouts, b->playouts);
	ck_assert_uint_eq(a->nodes, b->nodes);
	ck_assert_int_eq(a->lower, b->lower);
	ck_assert_int_eq(a->upper, b->upper);
	ck_assert_int_eq(a->move_count, b->move_count);
	for (int i = 0; i < a->move_count; i++) {
		ck_assert(move_equal(a->moves[i].move, b->moves[i].move));
		ck_assert_uint_eq(a->moves[i].visits, b->moves[i].visits);
	}
}

/* A new start repeats a search, whatever memory earlier searches of this and another game have written. */
START_TEST(forgotten_searches_change_nothing)
{
	static struct report first;
	set("search", algorithms[_i]->name);
	for (int g = 0; g < 3; g++) {
		for (int round = 0; round < 2; round++) {
			struct limits limits = { .deadline = TIME_NEVER, .work_max = 1000 };
			engine_reseed(engine);
			record_restart(&record, tested_game(g));
			think(limits, 0);
			if (round)
				check_same(&first, &report);
			report_copy(&first, &report);
			limits.work_max = tested_work(record.game, 60000);
			think(limits, 0);
			record_restart(&record, tested_game(g + 1));
			think(limits, 0);
		}
	}
}
END_TEST

/* Two searches in a row, to cover what is kept between them. */
START_TEST(watching_changes_nothing)
{
	static struct report first[2];
	set("search", algorithms[_i]->name);
	for (int g = 0; tested_game(g); g++) {
		int reports = 0;
		for (int interval = 0; interval < 2; interval++) {
			engine_reseed(engine);
			record_restart(&record, tested_game(g));
			for (int i = 0; i < 2; i++) {
				struct limits limits = { .deadline = TIME_NEVER,
							 .work_max = tested_work(
								 record.game, suite_times(6000)) };
				reports += think(limits, interval);
				if (interval == 0)
					report_copy(&first[i], &report);
				else
					check_same(&first[i], &report);
				record_play(&record, report.line[0]);
			}
		}
		ck_assert(reports > 0 || algorithms[_i] == &algorithm_random);
	}
}
END_TEST

/* If the scores of all moves are requested, no report mixes two depths. */
START_TEST(watched_scores_descend)
{
	static const char *const searches[] = { "alphabeta", "negamax" };
	struct rng rng;
	rng_seed(&rng, 71);
	set("search", searches[_i]);
	scores_descend = true;
	int reports = 0;
	for (int i = 0; i < 20; i++) {
		struct limits limits = { .deadline = TIME_NEVER,
					 .work_max = 20000,
					 .values = true };
		record_restart(&record, &game_othello);
		for (int j = 0; j < i; j++)
			record_play(&record, record_draw(&record, &rng));
		reports += think(limits, 1);
	}
	scores_descend = false;
	ck_assert_int_gt(reports, 0);
}
END_TEST

START_TEST(watched_with_threads)
{
	set("search", algorithms[_i]->name);
	set("threads", "3");
	for (int g = 0; tested_game(g); g++) {
		const struct game *game = tested_game(g);
		struct limits limits = { .deadline = TIME_NEVER,
					 .work_max = tested_work(game, suite_times(8000)) };
		record_restart(&record, game);
		while (!record.now.over && record.count < suite_times(12)) {
			think(limits, 1);
			record_play(&record, report.line[0]);
			limits.work_max = tested_work(game, suite_times(500));
		}
	}
}
END_TEST

/* Order: the answer, then by proof, then by rating, then as added. */
START_TEST(sorts)
{
	static const struct {
		int lower, upper;
		double rating;
		int place;
	} rows[] = {
		{ -1, 1, 5, 3 }, { -1, -1, 9, 6 }, { 1, 1, 1, 1 },  { -1, 1, 7, 2 },
		{ -1, 0, 5, 4 }, { 0, 0, 2, 5 },   { -1, 1, 0, 0 }, { -1, -1, 8, 7 },
	};
	enum { ROWS = sizeof rows / sizeof rows[0] };
	for (int side = BLACK; side <= WHITE; side++) {
		double ratings[ROWS];
		report_clear(&report);
		for (int i = 0; i < ROWS; i++) {
			struct report_move *m = report_add(&report, move_single((move_t)i));
			report_narrow(m, side == BLACK ? rows[i].lower : -rows[i].upper,
				      side == BLACK ? rows[i].upper : -rows[i].lower);
			m->visits = (uint64_t)i;
			ratings[i] = rows[i].rating;
		}
		report.line_count = 20;
		for (int i = 0; i < 20; i++)
			report.line[i] = move_single((move_t)(6 + i));
		report_sort(&report, side, ratings);
		ck_assert_int_eq(report.move_count, ROWS);
		for (int i = 0; i < ROWS; i++) {
			const struct report_move *m = &report.moves[rows[i].place];
			ck_assert_int_eq(m->move.step[0], i);
			ck_assert_uint_eq(m->visits, (uint64_t)i);
			ck_assert_int_eq(m->line_count, rows[i].place ? 1 : REPORT_LINE_MAX);
		}
		struct move line[REPORT_LINE_MAX];
		report_line(&report, &report.moves[0], line, NULL);
		ck_assert_int_eq(line[15].step[0], 21);
		/* An answer that is not in the list. */
		report.line_count = 2;
		report.line[0] = move_single(77);
		ratings[0] = 0;
		report.move_count = 1;
		report_sort(&report, side, ratings);
		ck_assert_int_eq(report.move_count, 2);
		ck_assert_int_eq(report.moves[0].move.step[0], 77);
		ck_assert_int_eq(report.moves[0].line_count, 2);
		ck_assert_uint_eq(report.moves[0].visits, 0);
		ck_assert_int_eq(report.moves[1].move.step[0], 6);
	}
}
END_TEST

static struct move random_line_move(struct rng *rng)
{
	struct move m = move_none();
	int steps = 1 + (int)rng_below(rng, rng_below(rng, 2) ? MOVE_STEPS_MAX : 2);
	for (int i = 0; i < steps; i++)
		m.step[i] = (move_t)rng_below(rng, GAME_CODES_MAX);
	return m;
}

/* Lines of any moves come back as they were set, also from a copy and after later lines. Visits above 32 bits are capped. */
START_TEST(lines_come_back)
{
	enum { MOVES = 300 };
	static struct move lines[MOVES][REPORT_LINE_MAX];
	static uint64_t visits[MOVES][REPORT_LINE_MAX];
	static struct report copy;
	int counts[MOVES];
	struct rng rng;
	rng_seed(&rng, 5);
	report_clear(&report);
	for (int i = 0; i < MOVES; i++) {
		counts[i] = 1 + (int)rng_below(&rng, REPORT_LINE_MAX);
		for (int j = 0; j < counts[i]; j++) {
			lines[i][j] = random_line_move(&rng);
			visits[i][j] = rng_next(&rng) >> (32 + rng_below(&rng, 32));
		}
		report_set_line(&report, report_add(&report, lines[i][0]), lines[i],
				i % 3 ? visits[i] : NULL, counts[i]);
	}
	report_copy(&copy, &report);
	for (int i = 0; i < MOVES; i++) {
		struct move line[REPORT_LINE_MAX];
		uint64_t counted[REPORT_LINE_MAX];
		ck_assert_int_eq(report_line(&copy, &copy.moves[i], line, counted), counts[i]);
		for (int j = 0; j < counts[i]; j++) {
			ck_assert(move_equal(line[j], lines[i][j]));
			ck_assert_uint_eq(counted[j], i % 3 ? visits[i][j] : 0);
		}
	}
	struct move line[REPORT_LINE_MAX];
	uint64_t counted[REPORT_LINE_MAX], many[] = { UINT64_MAX };
	report_set_line(&copy, &copy.moves[7], lines[7], many, 1);
	ck_assert_int_eq(report_line(&copy, &copy.moves[7], line, counted), 1);
	ck_assert_uint_eq(counted[0], UINT32_MAX);
}
END_TEST

/* The bytes that report_copy() copies, for each 60 candidates. */
START_TEST(sixty_candidates_take_8_kb)
{
	set("search", "mcts");
	record_restart(&record, game_of_size(&game_hex, 11));
	think((struct limits) { .deadline = TIME_NEVER, .work_max = 20000 }, 0);
	size_t bytes = offsetof(struct report, line) +
		       (size_t)report.line_count * sizeof *report.line +
		       (size_t)report.move_count * sizeof *report.moves +
		       report.lines_used * sizeof *report.lines;
	ck_assert_int_ge(report.move_count, 60);
	ck_assert_uint_le(bytes * 60 / (size_t)report.move_count, 8192);
}
END_TEST

/* What is proven of moves limits the value of the position, for either side. */
START_TEST(value_keeps_to_proven_bounds)
{
	static const struct {
		int lower, upper; /* of both moves */
		double value, expected;
	} rows[] = {
		{ -1, 0, 0.25, 0 }, { -1, 0, -0.25, -0.25 }, { 0, 1, -0.25, 0 },  { 0, 0, NAN, 0 },
		{ 1, 1, 0.5, 1 },   { -1, 1, 0.25, 0.25 },   { -1, -1, NAN, -1 },
	};
	for (int side = BLACK; side <= WHITE; side++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			report_clear(&report);
			report.value = rows[i].value;
			for (int k = 0; k < 2; k++)
				report_narrow(report_add(&report, move_single((move_t)k)),
					      rows[i].lower, rows[i].upper);
			int open = report_tighten(&report, side);
			ck_assert_int_eq(open, rows[i].lower == rows[i].upper ? 0 : 2);
			ck_assert_double_eq(report.value, rows[i].expected);
		}
}
END_TEST

START_TEST(mcts_counts_all_visits)
{
	set("choice", "visits");
	set("solver", "0");
	set("early_stop", "0");
	for (int g = 0; tested_game(g); g++) {
		for (int threads = 1; threads <= 3; threads += 2) {
			uint64_t work = tested_work(tested_game(g), 5000);
			set_number("threads", (size_t)threads);
			set("reuse", "0");
			record_restart(&record, tested_game(g));
			search(work);
			int all = count_of(&report);
			/* With an evaluator, hints or RAVE most moves are not visited. */
			bool evaluated = tested_game(g)->evaluator;
			bool is_led = evaluated ||
				      (tested_game(g)->playouts &&
				       tested_game(g)->playouts->prior) ||
				      tuning_of(tested_game(g))->rave > 0;
			if (threads == 1 && !is_led)
				ck_assert_int_gt(report.move_count, all / 2);
			if (threads == 1 && all < 100 && !is_led)
				ck_assert_int_eq(report.move_count, all);
			/* With several threads some find the root without children and visit none. Virtual
			 * losses are all removed. */
			ck_assert_uint_le(visits_of(&report), work);
			for (int i = 0; i < report.move_count; i++)
				ck_assert_double_le(fabs(report.moves[i].value), 1);
			/* An evaluator evaluates a position before any step is visited. */
			if (threads == 1 && !evaluated)
				ck_assert_uint_eq(visits_of(&report), work);
			/* In order of visits, except the answer, which is chosen step by step in games of
			 * two steps. */
			for (int i = 2; i < report.move_count; i++)
				ck_assert_uint_le(report.moves[i].visits,
						  report.moves[i - 1].visits);
			if (report.moves[0].visits)
				ck_assert_double_eq(report.moves[0].value, report.value);
			/* Moves with many visits are searched deeply, unless the system has paused a thread
			 * just before. */
			if (threads == 1)
				ck_assert_int_ge(report.moves[0].line_count, 2);
		}
	}
}
END_TEST

/* After the work limit, a kept tree has more visits than this search. The list counts all of them. */
START_TEST(mcts_counts_kept_visits)
{
	set("solver", "0");
	set("early_stop", "0");
	record_restart(&record, &game_othello);
	search(5000);
	uint64_t before = find(&report, report.line[0])->visits;
	record_play(&record, report.line[0]);
	search(1000);
	/* Except the playouts from the time when the move was a leaf. */
	ck_assert_uint_le(visits_of(&report), before + 1000);
	ck_assert_uint_ge(visits_of(&report), before + 1000 - 5);
}
END_TEST

/* A proven search reports the true result of each move. */
START_TEST(proven_bounds_are_true)
{
	static const char *const provers[] = { "mcts", "negamax",   "alphabeta-plain", "alphabeta",
					       "dfpn", "dfpn+mcts", "union",           "pns" };
	struct rng rng;
	rng_seed(&rng, 31);
	set("search", provers[_i]);
	for (int g = 0; naive_game(g); g++) {
		int empty = naive_game(g) == &game_tictactoe ? 7
			    : naive_game(g) == &game_othello ? 8
							     : 4;
		int proven = 0;
		record_restart(&record, naive_game(g));
		for (int i = 0; i < 12; i++) {
			struct state s;
			naive_find_position(naive_game(g), empty, &rng, &s);
			record_setup(&record, &s);
			search(i % 3 == 0 ? 300 : i % 3 == 1 ? 3000 : 200000);
			for (int j = 0; j < report.move_count; j++) {
				const struct report_move *m = &report.moves[j];
				struct state next = s;
				game_play(naive_game(g), &next, m->move);
				int truth = naive_result(naive_game(g), &next);
				ck_assert_int_le(m->lower, truth);
				ck_assert_int_ge(m->upper, truth);
				proven += m->lower == m->upper;
			}
			/* The answer's bounds are as good as the root's. */
			int least = s.side == BLACK ? report.lower : -report.upper;
			const struct report_move *m = &report.moves[0];
			if (least > -1)
				ck_assert_int_ge(s.side == BLACK ? m->lower : -m->upper, least);
		}
		ck_assert_int_ge(proven, 6);
	}
}
END_TEST

/* Black is to move: first open, then won, or not won. */
START_TEST(dfpn_tells_proof_numbers)
{
	set("search", _i ? "dfpn+mcts" : "dfpn");
	record_restart(&record, &game_othello);
	search(2000);
	ck_assert_uint_gt(report.proof, 0);
	ck_assert_uint_gt(report.disproof, 0);
	ck_assert_uint_lt(report.proof, 1 << 20);
	ck_assert_uint_lt(report.disproof, 1 << 20);
	record_restart(&record, &game_tictactoe);
	search(100000);
	ck_assert(report.proof == PROOF_NEVER);
	ck_assert_uint_eq(report.disproof, 0);
	set_position("XX.OO....", "X");
	search(100000);
	ck_assert_uint_eq(report.proof, 0);
	ck_assert(report.disproof == PROOF_NEVER);
	/* For White, too, the proof is about a win of the side to move. */
	set_position("XX.OO...X", "O");
	search(100000);
	ck_assert_uint_eq(report.proof, 0);
	ck_assert(report.disproof == PROOF_NEVER);
	set("search", "mcts");
	search(1000);
	ck_assert_uint_eq(report.proof, 0);
	ck_assert_uint_eq(report.disproof, 0);
}
END_TEST

/* The reported fill of a tree or table grows with its content. Other searches report none. */
START_TEST(memory_fills)
{
	static const char *const tables[] = { "mcts", "alphabeta", "dfpn", "dfpn+mcts" };
	static const char *const plain[] = { "random", "montecarlo", "negamax", "alphabeta-plain" };
	record_restart(&record, &game_othello);
	set_memory((size_t)4 << 20);
	for (int i = 0; i < 4; i++) {
		set("search", plain[i]);
		search(100);
		ck_assert(isnan(report.fill));
		double last = 0;
		set("search", tables[i]);
		for (int j = 0; j < 3; j++) {
			static const uint64_t work[] = { 1000, 10000, 100000 };
			engine_reseed(engine);
			search(work[j]);
			ck_assert(report.fill >= last);
			ck_assert(report.fill <= 1);
			/* Builds with little memory fill it at once. */
			if (MEMORY_UNIT >= (size_t)1 << 20)
				ck_assert(report.fill > last);
			last = report.fill;
		}
	}
}
END_TEST

int main(void)
{
	int count = 0;
	while (algorithms[count])
		count++;
	Suite *suite = suite_create("report");
	TCase *cases = tcase_create("report");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_test(cases, sorts);
	tcase_add_test(cases, lines_come_back);
	tcase_add_test(cases, sixty_candidates_take_8_kb);
	tcase_add_test(cases, value_keeps_to_proven_bounds);
	tcase_add_loop_test(cases, watched_with_threads, 0, count);
	tcase_add_loop_test(native, forgotten_searches_change_nothing, 0, count);
	tcase_add_loop_test(native, watching_changes_nothing, 0, count);
	tcase_add_loop_test(native, watched_scores_descend, 0, 2);
	tcase_add_test(cases, mcts_counts_all_visits);
	tcase_add_test(cases, mcts_counts_kept_visits);
	tcase_add_loop_test(cases, proven_bounds_are_true, 0, 6);
	tcase_add_loop_test(cases, dfpn_tells_proof_numbers, 0, 2);
	tcase_add_test(cases, memory_fills);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
