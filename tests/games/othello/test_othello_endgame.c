/* SPDX-License-Identifier: MIT
 *
 * Othello's exact endgame solver against a plain negamax, and the kernels against each other.
 */
#include "engine/rules/eval.h"
#include "engine/rules/solver.h"
#include "games/othello/othello_endgame.h"
#include "games/othello/othello_kernel.h"
#include "tests/games/solving.h"

static const struct game *const g = &game_othello;
static _Alignas(64) char memory[1 << 18];

/* --- positions --- */

static int empties(const struct state *s)
{
	return __builtin_popcountll(~(s->board[BLACK] | s->board[WHITE]));
}

/* Sets a position of a random game that is not over, with `count` empty squares. */
static void random_position(struct rng *rng, int count, struct state *s)
{
	do {
		g->start(g, s);
		while (!s->over && empties(s) > count) {
			move_t steps[GAME_STEPS_MAX];
			int n = g->moves(g, s, steps);
			g->play(g, s, steps[rng_below(rng, (uint32_t)n)]);
		}
	} while (s->over);
}

/* --- the plain search --- */

/* Returns the score for the side to move, with no pruning but cutoffs. */
static int negamax(uint64_t mine, uint64_t theirs, int alpha, int beta, bool passed)
{
	const struct othello_kernel *k = othello_kernel(KERNEL_PORTABLE);
	uint64_t moves = k->mobility(mine, theirs);
	int best = -65;
	if (!moves)
		return passed ? othello_score(mine, theirs)
			      : -negamax(theirs, mine, -beta, -alpha, true);
	for (; moves && best < beta; moves &= moves - 1) {
		uint64_t placed = moves & -moves, flips = k->flips(mine, theirs, placed);
		int score = -negamax(theirs ^ flips, mine ^ flips ^ placed, -beta,
				     best > alpha ? -best : -alpha, false);
		best = score > best ? score : best;
	}
	return best;
}

START_TEST(agrees_with_negamax)
{
	struct rng rng;
	uint64_t nodes = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < 10000; i++) {
		struct state s;
		random_position(&rng, 1 + i % 10, &s);
		uint64_t mine = s.board[s.side], theirs = s.board[s.side ^ 1];
		int exact = negamax(mine, theirs, -64, 64, false);
		ck_assert_int_eq(
			othello_solve(mine, theirs, -64, 64, memory, sizeof memory, &nodes), exact);
		int alpha = (int)rng_below(&rng, 128) - 64;
		int beta = alpha + 1 + (int)rng_below(&rng, (uint32_t)(64 - alpha));
		int score = othello_solve(mine, theirs, alpha, beta, memory, sizeof memory, &nodes);
		if (exact > alpha && exact < beta)
			ck_assert_int_eq(score, exact);
		else if (exact <= alpha)
			ck_assert(score >= exact && score <= alpha);
		else
			ck_assert(score <= exact && score >= beta);
	}
	ck_assert_uint_gt(nodes, 0);
}
END_TEST

static void same_moves(const struct othello_kernel *a, const struct othello_kernel *b,
		       uint64_t mine, uint64_t theirs)
{
	struct othello_child one[OTHELLO_MOVES_MAX], other[OTHELLO_MOVES_MAX];
	uint64_t moves = a->mobility(mine, theirs);
	int n = a->expand(mine, theirs, moves, one);
	ck_assert_int_eq(n, __builtin_popcountll(moves));
	ck_assert_int_eq(b->expand(mine, theirs, moves, other), n);
	for (int i = 0; i < n; i++) {
		ck_assert_uint_eq(one[i].mine, other[i].mine);
		ck_assert_uint_eq(one[i].theirs, other[i].theirs);
		ck_assert_uint_eq(one[i].moves, other[i].moves);
		ck_assert_uint_eq(one[i].moves, a->mobility(one[i].mine, one[i].theirs));
		ck_assert_int_eq(one[i].square, other[i].square);
		ck_assert_int_eq(one[i].rating, other[i].rating);
	}
}

START_TEST(evaluation_behind_moves)
{
	struct rng rng;
	rng_seed(&rng, 6);
	for (int i = 0; i < 1000; i++) {
		struct state s;
		random_position(&rng, 1 + i % 60, &s);
		for (uint64_t moves = s.board[2]; moves; moves &= moves - 1) {
			struct state next = s;
			int square = __builtin_ctzll(moves);
			g->play(g, &next, (move_t)square);
			uint64_t flips = s.board[s.side ^ 1] & next.board[s.side];
			ck_assert_int_eq(othello_eval_after(&s, square, flips),
					 g->eval->value(g, &next));
		}
	}
}
END_TEST

START_TEST(kernels_agree)
{
	const struct othello_kernel *first = othello_kernel(KERNEL_PORTABLE);
	struct rng rng;
	rng_seed(&rng, 2);
	for (int i = 0; i < 10000; i++) {
		struct state s;
		random_position(&rng, 1 + i % 9, &s);
		uint64_t mine = s.board[s.side], theirs = s.board[s.side ^ 1];
		int alpha = (int)rng_below(&rng, 128) - 64,
		    exact = negamax(mine, theirs, -64, 64, false);
		uint64_t moves = first->mobility(mine, theirs);
		struct othello_cell cells[2][16];
		struct othello_few few = { cells[0], 16, 0 };
		memset(cells, 0xa5, sizeof cells);
		int score = first->few(&few, mine, theirs, moves, alpha);
		ck_assert_int_eq(score > alpha, exact > alpha);
		ck_assert(score > alpha ? score <= exact : score >= exact);
		for (enum kernel k = KERNEL_AVX2; k <= kernel_best(); k++) {
			const struct othello_kernel *next = othello_kernel(k);
			struct othello_few other = { cells[1], 16, 0 };
			memset(cells[1], 0xa5, sizeof cells[1]);
			ck_assert_int_eq(next->few(&other, mine, theirs, moves, alpha), score);
			ck_assert_uint_eq(other.nodes, few.nodes);
			ck_assert_uint_eq(next->mobility(mine, theirs), moves);
			same_moves(first, next, mine, theirs);
			ck_assert_uint_eq(next->stable(mine, theirs), first->stable(mine, theirs));
		}
	}
}
END_TEST

/* --- the solver --- */

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

static void solve_all(const struct state *s, enum solve_aim aim, int threads, struct solution *out)
{
	struct control control;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once(solving(s, aim, threads, &control), out));
	ck_assert_uint_gt(control_work(&control), 0);
}

/* Returns Black's score under perfect play. */
static int score_of(const struct state *s)
{
	int sign = s->side == BLACK ? 1 : -1;
	uint64_t nodes = 0;
	return s->over ? s->score
		       : sign * othello_solve(s->board[s->side], s->board[s->side ^ 1], -64, 64,
					      memory, sizeof memory, &nodes);
}

/* A solution is true and complete for its aim. */
static void check_solution(const struct state *s, enum solve_aim aim, const struct solution *out)
{
	struct move moves[GAME_MOVES_MAX];
	int sign = s->side == BLACK ? 1 : -1, least = -64, most = -64, score = score_of(s);
	ck_assert_int_eq(out->count, game_moves(g, s, moves));
	for (int i = 0; i < out->count; i++) {
		struct state next = *s;
		ck_assert(move_equal(out->moves[i].move, moves[i]));
		game_play(g, &next, moves[i]);
		int exact = score_of(&next);
		ck_assert_int_le(out->moves[i].least, exact);
		ck_assert_int_ge(out->moves[i].most, exact);
		if (aim == SOLVE_ALL)
			ck_assert_int_eq(out->moves[i].least, out->moves[i].most);
		int low = sign > 0 ? out->moves[i].least : -out->moves[i].most;
		int high = sign > 0 ? out->moves[i].most : -out->moves[i].least;
		least = low > least ? low : least;
		most = high > most ? high : most;
	}
	if (aim == SOLVE_RESULT) {
		ck_assert_int_eq(score_sign(least), sign * score_sign(score));
		ck_assert_int_eq(score_sign(most), sign * score_sign(score));
	} else {
		ck_assert_int_eq(least, sign * score);
		ck_assert_int_eq(most, sign * score);
	}
}

/* A board that is set up may have more legal moves than any board of a game. */
START_TEST(many_moves)
{
	static const char board[] =
		".......X.OXO.O...OX.XXO..X..OXX..XO..XO..OX.XX...OXOOOO.........";
	static struct solution out;
	struct control control;
	struct state s;
	ck_assert_ptr_null(game_setup(g, &s, board, "X"));
	ck_assert_int_eq(__builtin_popcountll(s.board[2]), 35);
	control_init(&control, TIME_NEVER, 20000);
	solve_once(solving(&s, SOLVE_ALL, 1, &control), &out);
	ck_assert_uint_ge(control_work(&control), 20000);
	const struct othello_kernel *first = othello_kernel(KERNEL_PORTABLE);
	for (enum kernel k = KERNEL_AVX2; k <= kernel_best(); k++)
		same_moves(first, othello_kernel(k), s.board[BLACK], s.board[WHITE]);
}
END_TEST

START_TEST(solves)
{
	static struct solution out;
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 200; i++) {
		struct state s;
		random_position(&rng, 1 + i % 12, &s);
		for (int threads = 1; threads <= 2; threads++)
			for (int aim = SOLVE_RESULT; aim <= SOLVE_ALL; aim++) {
				solve_all(&s, (enum solve_aim)aim, threads, &out);
				check_solution(&s, (enum solve_aim)aim, &out);
			}
	}
}
END_TEST

/* Deep enough for threads to meet. */
START_TEST(threads_agree)
{
	static struct solution one, many;
	struct rng rng;
	rng_seed(&rng, 4);
	for (int i = 0; i < 6; i++) {
		struct state s;
		random_position(&rng, 14 + i % 3, &s);
		enum solve_aim aim = i % 2 ? SOLVE_SCORE : SOLVE_ALL;
		solve_all(&s, aim, 1, &one);
		check_solution(&s, aim, &one);
		solve_all(&s, aim, 4, &many);
		check_solution(&s, aim, &many);
	}
}
END_TEST

/* Estimates of the first phase are not reported as proven, whatever was solved before in the same block. */
START_TEST(proves_what_was_likely)
{
	static struct solution out;
	struct control control;
	struct state s[6];
	struct rng rng;
	rng_seed(&rng, 6);
	for (int i = 0; i < 6; i++)
		random_position(&rng, 16, &s[i]);
	struct solving v = solving(s, SOLVE_ALL, 1, &control);
	size_t bytes = solving_bytes(&v);
	void *block = solving_block(bytes);
	for (int i = 0; i < 6; i++) {
		v.state = &s[i];
		v.aim = (enum solve_aim)(i % (SOLVE_ALL + 1));
		ck_assert_uint_eq(solving_bytes(&v), bytes);
		control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
		ck_assert(solve_in(block, bytes, v, &out));
		check_solution(v.state, v.aim, &out);
	}
	solving_free(block);
}
END_TEST

/* Stopped halfway, the solver returns a probable best move and a good estimate of its score. */
START_TEST(likely)
{
	enum { POSITIONS = 16 };
	static struct solution out;
	struct control control;
	struct rng rng;
	int found = 0, error = 0, lost = 0;
	rng_seed(&rng, 8);
	for (int i = 0; i < POSITIONS; i++) {
		struct state s, next;
		random_position(&rng, 17, &s);
		control_init(&control, TIME_NEVER, 300000);
		solve_once(solving(&s, SOLVE_ESTIMATE, 1, &control), &out);
		if (out.estimated < 0)
			continue;
		next = s;
		game_play(g, &next, out.moves[out.estimated].move);
		int score = score_of(&s);
		error += abs(out.estimated_score - score);
		lost += abs(score_of(&next) - score);
		found++;
	}
	ck_assert_int_gt(found, POSITIONS / 2);
	ck_assert_int_lt(error, 4 * found);
	ck_assert_int_le(lost, found);
}
END_TEST

/* Far from the end, too, the solver watches its limits. */
START_TEST(ended_early)
{
	static struct solution out;
	struct control control;
	struct rng rng;
	struct state s;
	rng_seed(&rng, 7);
	random_position(&rng, 44, &s);
	control_init(&control, TIME_NEVER, 3000);
	ck_assert(!solve_once(solving(&s, SOLVE_RESULT, 1, &control), &out));
	ck_assert_uint_eq(control_work(&control), 3000);
}
END_TEST

/* A stopped solver gives no result, and what remains in the block does no harm. */
START_TEST(ended)
{
	static struct solution out;
	struct control control;
	struct state s;
	struct rng rng;
	rng_seed(&rng, 5);
	random_position(&rng, 18, &s);
	for (int threads = 1; threads <= 2; threads++) {
		control_init(&control, TIME_NEVER, 20000);
		ck_assert(!solve_once(solving(&s, SOLVE_SCORE, threads, &control), &out));
		ck_assert_uint_eq(control_work(&control), 20000);
		control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
		control_stop(&control);
		ck_assert(!solve_once(solving(&s, SOLVE_SCORE, threads, &control), &out));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("othello_endgame");
	TCase *tc = tcase_create("endgame");
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, agrees_with_negamax);
	tcase_add_test(native, kernels_agree);
	tcase_add_test(tc, evaluation_behind_moves);
	tcase_add_test(native, many_moves);
	tcase_add_test(native, solves);
	tcase_add_test(tc, threads_agree);
	tcase_add_test(tc, ended);
	tcase_add_test(tc, ended_early);
	tcase_add_test(tc, proves_what_was_likely);
	tcase_add_test(tc, likely);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
