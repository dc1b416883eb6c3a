/* SPDX-License-Identifier: MIT
 *
 * Connect Four's exact solver: compared with a plain search, with itself one move later and with known values,
 * and its behaviour when it is stopped, with one worker or several.
 */
#include "engine/rng.h"
#include "games/connectfour.h"
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
			g->play(s, steps[rng_below(rng, (uint32_t)g->moves(s, steps))]);
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

/* Returns Black's score of a position with at most 16 empty squares. It sees threats, nothing else. */
static int plain_score(const struct state *s, int alpha, int beta)
{
	move_t steps[GAME_STEPS_MAX];
	int sign = side_sign(s->side), best = -1;
	if (s->over)
		return s->score;
	if (g->wins(s))
		return sign;
	int n = g->safe(s, steps);
	for (int i = 0; i < n && best < beta; i++) {
		struct state next = *s;
		g->play(&next, steps[i]);
		int score = sign * plain_score(&next, -beta, -(best > alpha ? best : alpha));
		best = score > best ? score : best;
	}
	return sign * best;
}

/* --- solving --- */

static struct solving solving(const struct state *s, enum solve_aim aim, int threads,
			      struct control *control)
{
	return (struct solving) {
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
		return s->score;
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
	int least, most, sign = side_sign(s->side), best = -1;
	bool has_best = false;
	ck_assert_int_eq(out->count, game_moves(g, s, moves));
	ck_assert_int_eq(out->estimated, -1);
	solution_bounds(out, s->side, &least, &most);
	ck_assert_int_eq(least, most);
	for (int i = 0; i < out->count; i++) {
		struct state next = *s;
		ck_assert(move_equal(out->moves[i].move, moves[i]));
		game_play(g, &next, moves[i]);
		int exact = score(&next);
		best = sign * exact > best ? sign * exact : best;
		ck_assert_int_le(out->moves[i].least, exact);
		ck_assert_int_ge(out->moves[i].most, exact);
		has_best |= out->moves[i].least == out->moves[i].most && exact == least;
		if (aim == SOLVE_ALL)
			ck_assert_int_eq(out->moves[i].least, out->moves[i].most);
	}
	ck_assert_int_eq(sign * best, least);
	ck_assert(has_best);
}

static int plainly(const struct state *s)
{
	return plain_score(s, -1, 1);
}

START_TEST(agrees_with_plain_search)
{
	struct rng rng;
	int results[3] = { 0 };
	rng_seed(&rng, 1);
	for (int i = 0; i < 1200; i++) {
		struct state s;
		struct solution solution;
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_RESULT;
		random_position(&rng, 1 + i % 15, &s);
		solve(&s, aim, 1, &solution);
		check_solution(&s, aim, &solution, plainly);
		results[plainly(&s) + 1]++;
	}
	ck_assert_int_gt(results[0], 100);
	ck_assert_int_gt(results[1], 100);
	ck_assert_int_gt(results[2], 100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("connectfour_solver");
	TCase *cases = tcase_create("connectfour_solver");
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, agrees_with_plain_search);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
