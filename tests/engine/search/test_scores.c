/* SPDX-License-Identifier: MIT
 *
 * What the engine asks of a solver of scores, and what it makes of the answers. The game is Othello with a
 * solver that finds no more than it is asked for and records what it was asked.
 */
#include <string.h>

#include "engine/rules/solver.h"
#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"

static struct report report;

static void setup(void)
{
	fixture_create("mcts");
	record_restart(&record, games[0]);
	set("memory", "16");
}

/* --- the solver --- */

static struct {
	double seconds[SOLVE_ALL + 1]; /* its estimate of the time */
	bool fails[SOLVE_ALL + 1];
	bool knows;    /* it proves something although it fails */
	int estimated; /* index of the move that it returns as its estimate; -1: none */
	bool waits;    /* a call that fails uses all of its time */
	bool late;     /* after a call that fails, its time is over, */
	bool too_late; /* and that of the whole move */
	int lies;      /* false results: 1 every other move wins, -1 all lose */
	int asked[SOLVE_ALL + 1];
	bool met_own;     /* its memory still held what it had left there */
	double extension; /* control.extension of the search that called it */
} scorer;

#define ESTIMATED_SCORE 3 /* odd, so never a true score */

struct scorer_block {
	union {
		struct {
			bool solved;
			struct solution found;
		};
		char clear[SOLVER_CLEAR];
	};
	uint64_t own;
};

static bool scorer_estimate(const struct game *g, const struct state *s, enum solve_aim aim,
			    int threads, double *seconds, size_t *bytes)
{
	*seconds = scorer.seconds[aim];
	*bytes = sizeof(struct scorer_block);
	return true;
}

static void scorer_work(const struct game *g, const struct state *s, enum solve_aim aim,
			void *memory, size_t bytes, int worker, int threads,
			struct control *control)
{
	struct scorer_block *b = memory;
	struct move moves[GAME_MOVES_MAX];
	int side = s->side, sign = side_sign(side), best = -64;
	ck_assert(!b->solved);
	scorer.asked[aim]++;
	scorer.met_own = b->own == UINT64_MAX;
	b->own = UINT64_MAX;
	scorer.extension = (control->outer ? control->outer : control)->extension;
	control_claim(control, 1);
	b->found.count = game_moves(&game_othello, s, moves);
	for (int i = 0; i < b->found.count; i++) {
		struct state next = *s;
		game_play(&game_othello, &next, moves[i]);
		int score = sign * naive_score(&game_othello, &next), least = score, most = score;
		/* Only one best move is sought. For the others it is enough that they are no better. */
		if (aim == SOLVE_RESULT)
			least = score > 0 ? 1
				: score   ? -64
					  : 0,
			most = score > 0 ? 64
			       : score   ? -1
					 : 0;
		if (aim == SOLVE_RESULT && scorer.lies) {
			least = scorer.lies > 0 && i % 2 ? 1 : -64;
			most = least > 0 ? 64 : -1;
		}
		if (aim == SOLVE_SCORE && score <= best)
			least = -64, most = best;
		best = score > best ? score : best;
		b->found.moves[i].move = moves[i];
		b->found.moves[i].least = (int8_t)(side == BLACK ? least : -most);
		b->found.moves[i].most = (int8_t)(side == BLACK ? most : -least);
	}
	b->found.estimated = scorer.estimated;
	b->found.estimated_score = ESTIMATED_SCORE;
	b->solved = aim != SOLVE_ESTIMATE && !scorer.fails[aim];
	for (int i = 0; !b->solved && !scorer.knows && i < b->found.count; i++) {
		b->found.moves[i].least = -64;
		b->found.moves[i].most = 64;
	}
	if (!b->solved && !scorer.knows && scorer.estimated < 0)
		b->found.count = 0;
	while (!b->solved && scorer.waits && control_claim(control, 1))
		;
	if (!b->solved && scorer.late) {
		control->deadline = clock_now();
		control->outer->deadline = clock_now() + (scorer.too_late ? 0 : 20000000);
	}
}

static bool scorer_result(const struct game *g, const struct state *s, const void *memory,
			  struct solution *out)
{
	const struct scorer_block *b = memory;
	*out = b->found;
	return b->solved;
}

static const struct solver score_solver = { scorer_estimate, scorer_work, scorer_result };
static struct game scored;

/* Sets up a position with `empty` empty squares and a choice of moves. */
static void scored_position(int empty, struct rng *rng)
{
	move_t steps[GAME_STEPS_MAX];
	struct state s;
	scored = game_othello;
	scored.solver = &score_solver;
	do
		naive_find_position(&scored, empty, rng, &s);
	while (scored.moves(&scored, &s, steps) < 2);
	record_restart(&record, &scored);
	record_setup(&record, &s);
	memset(&scorer, 0, sizeof scorer);
	scorer.seconds[SOLVE_ESTIMATE] = 100;
	scorer.estimated = -1;
	set("exact", "1");
	set_memory((size_t)1 << 20);
}

static struct limits in_time(double seconds)
{
	return (struct limits) { .deadline = clock_now() + (int64_t)(1e9 * seconds),
				 .work_max = WORK_NO_LIMIT };
}

static int mover(int score)
{
	return side_sign(record.now.side) * score;
}

static int score_behind(struct move m)
{
	struct state next = record.now;
	game_play(&scored, &next, m);
	return mover(naive_score(&scored, &next));
}

/* Checks that the reported scores and results are true. */
static void check_scores(void)
{
	int score = naive_score(&scored, &record.now);
	ck_assert_int_ge(score_sign(score), report.lower);
	ck_assert_int_le(score_sign(score), report.upper);
	ck_assert(!report.exact || report.score == score);
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		int behind = mover(score_behind(m->move));
		ck_assert_int_ge(score_sign(behind), m->lower);
		ck_assert_int_le(score_sign(behind), m->upper);
		ck_assert(!m->exact || m->score == behind);
	}
}

/* --- the tests --- */

/* If a solver takes all the time and fails, a short search came before it. */
START_TEST(solver_leaves_a_searched_move)
{
	struct rng rng;
	rng_seed(&rng, 61);
	scored_position(8, &rng);
	set("search", "montecarlo");
	scorer.seconds[SOLVE_SCORE] = 10;
	scorer.fails[SOLVE_SCORE] = scorer.late = scorer.too_late = true;
	search_within(in_time(100), &report);
	ck_assert_int_ge(scorer.asked[SOLVE_SCORE], 1);
	ck_assert_uint_ge(report.playouts, 1);
	ck_assert_uint_le(report.playouts, 64);
}
END_TEST

/* The proofs of a solver that fails are kept, whether or not the search has time. */
START_TEST(solver_leaves_what_it_has_proven)
{
	struct rng rng;
	rng_seed(&rng, 62);
	for (int i = 0; i < 20; i++) {
		scored_position(7, &rng);
		set("search", "montecarlo");
		scorer.seconds[SOLVE_SCORE] = 10;
		scorer.fails[SOLVE_SCORE] = scorer.knows = scorer.late = true;
		scorer.too_late = i % 2;
		search_within(in_time(100), &report);
		ck_assert_int_ge(scorer.asked[SOLVE_SCORE], 1);
		check_scores();
		int result = score_sign(mover(naive_score(&scored, &record.now)));
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), result);
	}
}
END_TEST

/* If there is time for the score, its move is played. Otherwise the result is solved, and if the score does
 * not follow in the remaining time, the search chooses among the moves that keep the result. Otherwise the
 * search decides alone. */
START_TEST(scores_come_first)
{
	struct rng rng;
	rng_seed(&rng, 31);
	for (int n = 0; n < 60; n++) {
		scored_position(2 + n % 5, &rng);
		int score = mover(naive_score(&scored, &record.now));
		scorer.seconds[SOLVE_ALL] = 100;
		set("search", "mcts");
		search_within(in_time(100), &report);
		check_scores();
		ck_assert(report.exact);
		ck_assert_int_eq(score_behind(report.line[0]), score);
		ck_assert_uint_eq(report.playouts, 0);

		scorer.seconds[SOLVE_SCORE] = 100;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert(report.exact);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 1);

		scorer.fails[SOLVE_SCORE] = true;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 3);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 2);

		scorer.seconds[SOLVE_RESULT] = 100;
		search_within(in_time(100), &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 3);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 2);
	}
}
END_TEST

/* If nothing is proven in time, the solver's estimate (SOLVE_ESTIMATE) replaces a search. Requests for a
 * proof or for all scores never get an estimate. */
START_TEST(estimate_replaces_search)
{
	enum { UNSOLVED, NO_TIME, PROOF, ALL, CASES };
	struct rng rng;
	rng_seed(&rng, 39);
	for (int n = 0; n < 80; n++) {
		struct move moves[GAME_MOVES_MAX];
		int kind = n % CASES;
		scored_position(3 + n % 5, &rng);
		struct limits limits = in_time(kind == ALL ? 0.05 : 100);
		int count = game_moves(&scored, &record.now, moves);
		scorer.estimated = count - 1;
		scorer.knows = n & CASES;
		if (kind == UNSOLVED || kind == ALL) {
			scorer.fails[SOLVE_SCORE] = scorer.fails[SOLVE_ALL] = true;
		} else {
			scorer.seconds[SOLVE_SCORE] = scorer.seconds[SOLVE_RESULT] = 200;
			scorer.seconds[SOLVE_ESTIMATE] = 0;
		}
		if (kind == PROOF)
			limits.prover = &algorithm_dfpn;
		limits.values = kind == ALL;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_ESTIMATE], kind == NO_TIME);
		if (kind == PROOF || kind == ALL) {
			ck_assert(report.score != ESTIMATED_SCORE);
			continue;
		}
		/* Proofs made by then override the estimate. */
		if (report.score == ESTIMATED_SCORE) {
			ck_assert(move_equal(report.line[0], moves[count - 1]));
			ck_assert(move_equal(report.moves[0].move, moves[count - 1]));
			ck_assert(!report.exact);
			ck_assert_uint_eq(report.playouts, 0);
			ck_assert_int_eq(report.depth, game_free(&scored, &record.now));
		} else {
			ck_assert(scorer.knows);
		}
		ck_assert_int_ge(score_sign(naive_score(&scored, &record.now)), report.lower);
		ck_assert_int_le(score_sign(naive_score(&scored, &record.now)), report.upper);
	}
}
END_TEST

/* Among moves that keep a proven result, the estimated one is played if it is one of them. */
START_TEST(estimate_among_results)
{
	struct rng rng;
	int estimated = 0, others = 0;
	rng_seed(&rng, 40);
	for (int n = 0; n < 40; n++) {
		struct move moves[GAME_MOVES_MAX];
		scored_position(3 + n % 4, &rng);
		int count = game_moves(&scored, &record.now, moves);
		scorer.seconds[SOLVE_SCORE] = 100;
		scorer.fails[SOLVE_SCORE] = true;
		scorer.estimated = n % count;
		int score = mover(naive_score(&scored, &record.now));
		bool keeps = score_sign(score_behind(moves[n % count])) == score_sign(score);
		search_within(in_time(100), &report);
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));
		if (keeps) {
			ck_assert(move_equal(report.line[0], moves[n % count]));
			ck_assert_uint_eq(report.playouts, 0);
		}
		estimated += keeps;
		others += !keeps;
	}
	ck_assert_int_gt(estimated, 3);
	ck_assert_int_gt(others, 3);
}
END_TEST

/* Only scores may use the extra time of limits.solve_by. */
START_TEST(scores_are_worth_more_time)
{
	static const struct {
		double score, all, result; /* seconds */
		bool values, is_asked;
	} rows[] = {
		{ 20, 100, 100, false, true },  { 20, 100, 100, true, false },
		{ 100, 20, 100, true, true },   { 31, 100, 100, false, false },
		{ 100, 100, 20, false, false },
	};
	struct rng rng;
	rng_seed(&rng, 37);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct limits limits = in_time(10);
		scored_position(4, &rng);
		scorer.seconds[SOLVE_SCORE] = rows[i].score;
		scorer.seconds[SOLVE_ALL] = rows[i].all;
		scorer.seconds[SOLVE_RESULT] = rows[i].result;
		limits.values = rows[i].values;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE] + scorer.asked[SOLVE_ALL], 0);
		limits.solve_by = limits.deadline + INT64_C(30000000000);
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE] + scorer.asked[SOLVE_ALL],
				 rows[i].is_asked);
		ck_assert_int_eq(scorer.asked[SOLVE_RESULT], 0);
	}
}
END_TEST

/* If the solver fails early, the search gets a part of the extra time. If it runs to its limit without a result, it
 * has used up the extra time. */
START_TEST(longer_time_is_kept)
{
	struct rng rng;
	rng_seed(&rng, 38);
	scored_position(4, &rng);
	set("search", "mcts");
	set("solver", "0");
	set("early_stop", "0");
	scorer.seconds[SOLVE_SCORE] = 0.1;
	scorer.fails[SOLVE_SCORE] = scorer.waits = true;
	struct limits limits = in_time(0.1);
	limits.solve_by = limits.deadline + 300000000;
	search_within(limits, &report);
	ck_assert_int_ge(clock_now(), limits.solve_by);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
	ck_assert_uint_gt(report.playouts, 0);
}
END_TEST

/* A search that got extra time because of the solver gets no more for doubt. */
START_TEST(more_time_is_given_once)
{
	struct rng rng;
	rng_seed(&rng, 39);
	for (int moved = 0; moved < 2; moved++) {
		scored_position(4, &rng);
		scorer.seconds[SOLVE_SCORE] = moved ? 20 : 1;
		struct limits limits = in_time(10);
		limits.solve_by = limits.deadline + INT64_C(30000000000);
		limits.extension = 0.5;
		search_within(limits, &report);
		ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
		ck_assert(scorer.extension == (moved ? 0 : 0.5));
	}
}
END_TEST

/* The solver's results are believed: the search chooses among winning moves, or among all moves if all
 * lose. */
START_TEST(search_chooses_among_results)
{
	struct rng rng;
	int searched[2] = { 0 };
	rng_seed(&rng, 36);
	for (int n = 0; n < 40; n++) {
		struct move moves[GAME_MOVES_MAX];
		bool wins = n % 2;
		int at = 0;
		scored_position(3 + n % 4, &rng);
		int count = game_moves(&scored, &record.now, moves);
		scorer.seconds[SOLVE_SCORE] = 100;
		scorer.fails[SOLVE_SCORE] = true;
		scorer.lies = wins ? 1 : -1;
		search_within(in_time(100), &report);
		while (!move_equal(moves[at], report.line[0]))
			at++;
		ck_assert_int_eq(mover(report.lower), scorer.lies);
		ck_assert_int_eq(mover(report.upper), scorer.lies);
		ck_assert(!wins || at % 2);
		/* With one winning move there is no choice. */
		ck_assert(wins && count < 4 ? report.playouts == 0 : true);
		searched[wins] += report.playouts > 0;
	}
	ck_assert_int_gt(searched[0], 5);
	ck_assert_int_gt(searched[1], 5);
}
END_TEST

/* The solver is not used with a depth limit, nor for random moves. */
START_TEST(searches_alone)
{
	struct rng rng;
	rng_seed(&rng, 37);
	scored_position(5, &rng);
	set("search", "random");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 0);
	set("search", "alphabeta");
	set("depth", "4");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 0);
	set("depth", "5");
	search_within(in_time(100), &report);
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
}
END_TEST

/* All scores are computed if they are requested or if moves are excluded. */
START_TEST(all_scores_where_wanted)
{
	struct rng rng;
	rng_seed(&rng, 32);
	for (int n = 0; n < 20; n++) {
		struct move moves[GAME_MOVES_MAX];
		struct limits limits = in_time(100);
		scored_position(2 + n % 5, &rng);
		int count = game_moves(&scored, &record.now, moves);
		limits.values = true;
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(report.move_count, count);
		for (int i = 0; i < count; i++) {
			ck_assert(report.moves[i].exact);
			if (i)
				ck_assert(mover((int)report.moves[i].score) <=
					  mover((int)report.moves[i - 1].score));
		}
		limits.values = false;
		limits.only = moves;
		limits.only_count = count - 1;
		search_within(limits, &report);
		ck_assert_int_eq(report.move_count, count - 1);
		ck_assert(report.exact);
		int best = -64;
		for (int i = 0; i < count - 1; i++)
			best = score_behind(moves[i]) > best ? score_behind(moves[i]) : best;
		ck_assert(mover((int)report.score) == best);
		ck_assert_int_eq(score_behind(report.line[0]), best);
		ck_assert_int_eq(scorer.asked[SOLVE_ALL], 2);
	}
}
END_TEST

/* What the solver does not finish is searched. The solver finds its own memory again. */
START_TEST(unsolved_is_searched)
{
	struct rng rng;
	rng_seed(&rng, 33);
	scored_position(6, &rng);
	scorer.fails[SOLVE_SCORE] = true;
	search_within(in_time(0.1), &report);
	check_scores();
	ck_assert_int_eq(scorer.asked[SOLVE_SCORE], 1);
	ck_assert(!scorer.met_own);
	ck_assert_uint_gt(report.playouts, 0);
	scorer.fails[SOLVE_SCORE] = false;
	search_within(in_time(100), &report);
	ck_assert(report.exact);
	ck_assert(scorer.met_own);
}
END_TEST

/* If the result is proven by then, a move that keeps it is played. The report of an exact value includes
 * what is known. */
START_TEST(unsolved_but_decided)
{
	struct rng rng;
	rng_seed(&rng, 35);
	for (int n = 0; n < 20; n++) {
		struct limits limits = in_time(100);
		scored_position(2 + n % 5, &rng);
		int score = mover(naive_score(&scored, &record.now));
		scorer.fails[SOLVE_RESULT] = scorer.knows = true;
		scorer.seconds[SOLVE_SCORE] = 100;
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(report.lower, report.upper);
		ck_assert_int_eq(score_sign(score_behind(report.line[0])), score_sign(score));

		scorer.fails[SOLVE_ALL] = true;
		limits.values = true;
		limits.prover = &algorithm_dfpn;
		limits.deadline = in_time(0.02).deadline;
		scorer.waits = true;
		search_within(limits, &report);
		check_scores();
		for (int i = 0; i < report.move_count; i++)
			ck_assert(report.moves[i].exact);
	}
}
END_TEST

/* An analysis without end shows a search while the solver works, unless that is very short. */
START_TEST(watched)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .values = true };
	struct rng rng;
	rng_seed(&rng, 34);
	/* A search that does not end on its own. */
	set("search", "montecarlo");
	scored_position(6, &rng);
	for (int i = 0; i < 2; i++) {
		scorer.seconds[SOLVE_ALL] = i ? 1.01 : 0.99;
		int64_t start = clock_now();
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(scorer.asked[SOLVE_ALL], i + 1);
		ck_assert(report.exact);
		if (i)
			ck_assert_int_ge(clock_now() - start, 1000000000);
	}
}
END_TEST

/* If the solver fails in an analysis without end, what it has proven is reported. The search then does not see
 * the moves that are proven worse, but the report lists them. */
START_TEST(watched_and_proven)
{
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .values = true };
	struct rng rng;
	int worse = 0;
	rng_seed(&rng, 63);
	set("search", "montecarlo");
	for (int n = 0; n < 12; n++) {
		struct move moves[GAME_MOVES_MAX];
		scored_position(4 + n % 4, &rng);
		scorer.seconds[SOLVE_ALL] = 0.01;
		scorer.fails[SOLVE_ALL] = scorer.knows = true;
		search_within(limits, &report);
		check_scores();
		ck_assert_int_eq(report.move_count, game_moves(&scored, &record.now, moves));
		ck_assert_int_eq(report.lower, report.upper);
		for (int i = 0; i < report.move_count; i++) {
			ck_assert_int_eq(report.moves[i].lower, report.moves[i].upper);
			worse += report.moves[i].lower != report.lower;
		}
	}
	ck_assert_int_gt(worse, 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scores");
	TCase *cases = tcase_create("scores");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_test(cases, solver_leaves_a_searched_move);
	tcase_add_test(cases, solver_leaves_what_it_has_proven);
	tcase_add_test(cases, scores_come_first);
	tcase_add_test(cases, estimate_replaces_search);
	tcase_add_test(cases, estimate_among_results);
	tcase_add_test(cases, scores_are_worth_more_time);
	tcase_add_test(cases, longer_time_is_kept);
	tcase_add_test(cases, more_time_is_given_once);
	tcase_add_test(cases, search_chooses_among_results);
	tcase_add_test(cases, searches_alone);
	tcase_add_test(cases, all_scores_where_wanted);
	tcase_add_test(cases, unsolved_is_searched);
	tcase_add_test(cases, unsolved_but_decided);
	tcase_add_test(cases, watched);
	tcase_add_test(cases, watched_and_proven);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
