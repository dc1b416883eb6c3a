/* SPDX-License-Identifier: MIT
 *
 * Connect Four's exact solver: compared with a plain search, with itself one move later and with known values,
 * and its behaviour when it is stopped, with one worker or several.
 */
#include "engine/base/rng.h"
#include "engine/rules/solver.h"
#include "games/connectfour/connectfour.h"
#include "tests/games/solving.h"

static const struct game *const g = &game_connectfour;

/* --- positions --- */

/* Sets a position of a random game that is not over, with `count` empty squares. */
static void random_position(struct rng *rng, int count, struct state *s)
{
	do {
		g->start(g, s);
		while (!s->over && game_free(g, s) > count) {
			move_t steps[GAME_STEPS_MAX];
			g->play(g, s, steps[rng_below(rng, (uint32_t)g->moves(g, s, steps))]);
		}
	} while (s->over);
}

/* Sets the position after moves, each a column. */
static void position_after(const char *columns, struct state *s)
{
	g->start(g, s);
	for (; *columns; columns++) {
		char text[] = { *columns, '\0' };
		struct move m;
		ck_assert_int_eq(game_parse(g, s, text, &m), MOVE_OK);
		game_play(g, s, m);
	}
}

/* --- the plain search --- */

/* Returns the score of a position with at most 16 empty squares for the side to move, if it is between alpha and beta, else a
 * bound on that side. It knows the rules, nothing else. */
static int plain_score(const struct state *s, int alpha, int beta)
{
	move_t steps[GAME_STEPS_MAX];
	int best = -C4_SCORE_MAX;
	if (s->over)
		return side_sign(s->side) * game_worth(g, s);
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n && best < beta; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		int score = -plain_score(&next, -beta, -(best > alpha ? best : alpha));
		best = score > best ? score : best;
	}
	return best;
}

/* --- solving --- */

static struct solving solving(const struct state *s, enum solve_aim aim, int threads,
			      struct control *control)
{
	return (struct solving) {
		.game = g,
		.solver = g->solver,
		.state = s,
		.aim = aim,
		.threads = threads,
		.control = control,
	};
}

static void solve(const struct state *s, enum solve_aim aim, int threads, struct solution *out)
{
	struct control control;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once(solving(s, aim, threads, &control), out));
}

/* Returns Black's score by the solver. */
static int score_of(const struct state *s)
{
	struct solution solution;
	int least, most;
	if (s->over)
		return game_worth(g, s);
	solve(s, SOLVE_SCORE, 1, &solution);
	solution_bounds(&solution, s->side, &least, &most);
	ck_assert_int_eq(least, most);
	return least;
}

/* A solution is true and complete for its aim. */
static void check_solution(const struct state *s, enum solve_aim aim, const struct solution *out,
			   int (*score)(const struct state *))
{
	struct move moves[GAME_MOVES_MAX];
	int least, most, sign = side_sign(s->side), best = -C4_SCORE_MAX;
	bool has_best = false;
	ck_assert_int_eq(out->count, game_moves(g, s, moves));
	ck_assert_int_eq(out->estimated, -1);
	solution_bounds(out, s->side, &least, &most);
	if (aim == SOLVE_RESULT)
		ck_assert_int_eq(score_sign(least), score_sign(most));
	else
		ck_assert_int_eq(least, most);
	for (int i = 0; i < out->count; i++) {
		struct state next = *s;
		ck_assert(move_equal(out->moves[i].move, moves[i]));
		game_play(g, &next, moves[i]);
		int exact = score(&next);
		best = sign * exact > best ? sign * exact : best;
		ck_assert_int_le(out->moves[i].least, exact);
		ck_assert_int_ge(out->moves[i].most, exact);
		int sure = sign > 0 ? out->moves[i].least : -out->moves[i].most;
		int known = sign > 0 ? least : -most;
		has_best |= sure == known && sign * exact >= known;
		if (aim == SOLVE_ALL)
			ck_assert_int_eq(out->moves[i].least, out->moves[i].most);
	}
	ck_assert_int_le(least, sign * best);
	ck_assert_int_ge(most, sign * best);
	ck_assert(has_best);
}

static int plainly(const struct state *s)
{
	return side_sign(s->side) * plain_score(s, -C4_SCORE_MAX, C4_SCORE_MAX);
}

START_TEST(agrees_with_plain_search)
{
	struct rng rng;
	int results[3] = { 0 };
	rng_seed(&rng, 1);
	for (int i = 0; i < 1200; i++) {
		struct state s;
		struct solution solution;
		enum solve_aim aim = (enum solve_aim)(SOLVE_RESULT + i % 3);
		random_position(&rng, 1 + i / 3 % 13, &s);
		solve(&s, aim, 1, &solution);
		check_solution(&s, aim, &solution, plainly);
		results[score_sign(plainly(&s)) + 1]++;
	}
	ck_assert_int_gt(results[0], 100);
	ck_assert_int_gt(results[1], 100);
	ck_assert_int_gt(results[2], 100);
}
END_TEST

/* In earlier positions a move's score is that of the position after it. */
START_TEST(one_move_on)
{
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < 40; i++) {
		struct state s;
		struct solution solution;
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_SCORE;
		random_position(&rng, 20 + i % 7, &s);
		solve(&s, aim, 1, &solution);
		check_solution(&s, aim, &solution, score_of);
	}
}
END_TEST

/* Workers agree. Any worker can do all the work. */
START_TEST(company)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 24; i++) {
		struct state s;
		struct solution alone, found;
		struct control control;
		random_position(&rng, 16 + i % 12, &s);
		solve(&s, SOLVE_ALL, 1, &alone);
		for (int first = 0; first < 4; first++) {
			control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
			struct solving v = solving(&s, SOLVE_ALL, 4, &control);
			v.first = first;
			ck_assert(solve_once(v, &found));
			same_solution(&alone, &found);
		}
	}
}
END_TEST

/* A block can be used again, for any position and aim, whatever was in it. */
START_TEST(one_block)
{
	struct rng rng;
	struct state s;
	struct control control;
	rng_seed(&rng, 4);
	g->start(g, &s);
	struct solving v = solving(&s, SOLVE_ALL, 2, &control);
	size_t bytes = solving_bytes(&v) / 32;
	void *block = solving_block(bytes);
	for (int i = 0; i < 60; i++) {
		struct solution fresh, again;
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_SCORE;
		random_position(&rng, 8 + i % 16, &s);
		v = solving(&s, aim, 1 + i % 2, &control);
		control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
		ck_assert_uint_le(solving_bytes(&v), bytes);
		ck_assert(solve_in(block, bytes, v, &again));
		solve(&s, SOLVE_ALL, 1, &fresh);
		if (aim == SOLVE_ALL) {
			same_solution(&fresh, &again);
			continue;
		}
		int least, most, score, same;
		solution_bounds(&again, s.side, &least, &most);
		solution_bounds(&fresh, s.side, &score, &same);
		ck_assert_int_eq(least, score);
		ck_assert_int_eq(most, score);
	}
	solving_free(block);
}
END_TEST

/* A solver that is stopped claims only what is true, and no more than it may. */
START_TEST(stopped)
{
	struct rng rng;
	struct control control;
	int unfinished = 0;
	rng_seed(&rng, 5);
	for (int i = 0; i < 30; i++) {
		struct state s;
		struct solution all, part;
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_SCORE;
		uint64_t work = (uint64_t)100 << i % 10;
		random_position(&rng, 28, &s);
		solve(&s, SOLVE_ALL, 1, &all);
		control_init(&control, TIME_NEVER, work);
		bool solved = solve_once(solving(&s, aim, 1 + i % 3, &control), &part);
		ck_assert_uint_le(control_work(&control), work);
		for (int k = 0; k < part.count; k++) {
			ck_assert_int_le(part.moves[k].least, all.moves[k].least);
			ck_assert_int_ge(part.moves[k].most, all.moves[k].most);
		}
		unfinished += !solved;
	}
	ck_assert_int_gt(unfinished, 5);
	struct state s;
	struct solution found;
	random_position(&rng, 30, &s);
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	control_stop(&control);
	ck_assert(!solve_once(solving(&s, SOLVE_ALL, 2, &control), &found));
	/* Each worker visits the moves of the root and their answers before it asks. */
	ck_assert_uint_lt(control_work(&control), 2 * 8 * 7);
}
END_TEST

/* Black's scores after moves in these columns, found by a plain search with a table. */
static const struct {
	const char *columns;
	int score;
} known[] = {
	{ "cegegaecbgabc", -4 }, { "ddfffaceagfce", -4 }, { "cadaaecdagaae", 2 },
	{ "abeeccdfdadde", 3 },  { "gfabdbbgabcac", 0 },  { "fdegeeecefffd", 0 },
	{ "aacagdgggcgbfe", 0 }, { "dbcbdeecefcdee", 6 }, { "gbfebdccedacaf", -4 },
	{ "cadgfeaabcceeb", 3 }, { "cbabegcccefdfd", 0 }, { "ggadfddebdcgbd", -4 },
};

START_TEST(known_scores)
{
	struct state s;
	position_after(known[_i].columns, &s);
	ck_assert_int_eq(score_of(&s), known[_i].score);
}
END_TEST

/* The estimate grows with every empty square and supports all positions. */
START_TEST(estimates)
{
	struct rng rng;
	double before[SOLVE_ALL + 1] = { 0 };
	size_t bytes_before = 0;
	rng_seed(&rng, 6);
	for (int empties = 1; empties <= 42; empties++)
		for (enum solve_aim aim = SOLVE_RESULT; aim <= SOLVE_ALL; aim++) {
			struct state s;
			double seconds, more;
			size_t bytes = SIZE_MAX, least = 1;
			random_position(&rng, empties, &s);
			ck_assert(g->solver->estimate(g, &s, aim, 1, &seconds, &bytes));
			ck_assert(g->solver->estimate(g, &s, aim, 4, &more, &bytes));
			ck_assert(more <= seconds + 1e-3); /* each thread needs memory */
			ck_assert_uint_ge(bytes, bytes_before);
			ck_assert_uint_le(bytes, (size_t)160 << 20);
			ck_assert(!g->solver->estimate(g, &s, SOLVE_ESTIMATE, 1, &more, &bytes));
			ck_assert(seconds >= before[aim]);
			before[aim] = seconds;
			/* With less memory it asks for no more than it gets, or for little. */
			ck_assert(g->solver->estimate(g, &s, aim, 1, &seconds, &least));
			ck_assert_uint_lt(least, (size_t)1 << 20);
			least = (size_t)3 << 20;
			ck_assert(g->solver->estimate(g, &s, aim, 1, &seconds, &least));
			ck_assert_uint_le(least, (size_t)3 << 20);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("connectfour_solver");
	TCase *cases = tcase_create("connectfour_solver");
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, agrees_with_plain_search);
	tcase_add_test(native, one_move_on);
	tcase_add_test(native, company);
	tcase_add_test(native, one_block);
	tcase_add_test(cases, stopped);
	tcase_add_loop_test(native, known_scores, 0, (int)(sizeof known / sizeof known[0]));
	tcase_add_test(cases, estimates);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
