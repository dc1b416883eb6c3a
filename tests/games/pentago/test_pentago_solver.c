/* SPDX-License-Identifier: MIT
 *
 * Pentago's exact solver: compared with a search by the plain rules and with itself one move later, and its
 * behaviour when it is stopped, with one worker or several.
 */
#include "engine/base/rng.h"
#include "engine/rules/solver.h"
#include "games/pentago/pentago_solver.h"
#include "tests/games/solving.h"

#define RULE_SETS   3
#define SQUARES_ALL 36

static const struct game *const rule_sets[RULE_SETS] = { &game_pentago, &game_pentago_tajima,
							 &game_pentago_openspiel };

/* --- positions --- */

/* Sets a position with X and O alternately on random squares. Returns false if the game is over there. */
static bool random_position(const struct game *g, int stones, struct rng *rng, struct state *s)
{
	char squares[SQUARES_ALL + 1];
	int order[SQUARES_ALL] = { 0 };
	memset(squares, '.', SQUARES_ALL);
	squares[SQUARES_ALL] = '\0';
	for (int i = 0; i < SQUARES_ALL; i++) {
		int j = (int)rng_below(rng, (uint32_t)i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	for (int i = 0; i < stones; i++)
		squares[order[i]] = i % 2 ? 'O' : 'X';
	ck_assert_ptr_null(game_setup(g, s, squares, stones % 2 ? "O" : "X"));
	return !s->over;
}

static void any_position(const struct game *g, int stones, struct rng *rng, struct state *s)
{
	while (!random_position(g, stones, rng, s))
		;
}

/* --- lines --- */

struct way {
	uint64_t five[2]; /* the lines of five in a line of six; or one line of five */
	int count;
};

/* Returns the largest number of lines that a set of at most 18 stones can add to those it has; any five of
 * a line count. */
static int most_lines(const struct way *ways, int n, uint64_t stones)
{
	if (n == 0)
		return 0;
	int most = most_lines(ways + 1, n - 1, stones);
	for (int i = 0; i < ways->count; i++)
		if (__builtin_popcountll(stones | ways->five[i]) <= 18) {
			int more = 1 + most_lines(ways + 1, n - 1, stones | ways->five[i]);
			most = more > most ? more : most;
		}
	return most;
}

/* The solver counts lines in three bits. */
START_TEST(line_numbers)
{
	static const int steps[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	struct way ways[18] = { 0 };
	int n = 0;
	for (int i = 0; i < 4 * SQUARES_ALL; i++) {
		int down = steps[i / SQUARES_ALL][0], right = steps[i / SQUARES_ALL][1];
		int row = i % SQUARES_ALL / 6, col = i % 6;
		if (row - down >= 0 && col - right >= 0 && col - right < 6)
			continue; /* not its first square */
		int length = 0;
		while (row + length * down < 6 && col + length * right < 6 &&
		       col + length * right >= 0)
			if (++length == 6)
				break;
		if (length < 5)
			continue;
		struct way *w = &ways[n++];
		for (; w->count <= length - 5; w->count++)
			for (int j = w->count; j < w->count + 5; j++)
				w->five[w->count] |= UINT64_C(1)
						     << (6 * (row + j * down) + col + j * right);
	}
	ck_assert_int_eq(n, 18);
	ck_assert_int_eq(most_lines(ways, n, 0), 6);
}
END_TEST

/* --- solving --- */

/* Only the workers first .. threads - 1 run; they must find everything nevertheless. */
static struct solving solving(const struct solver *solver, const struct state *s, int first,
			      int threads, struct control *control)
{
	return (struct solving) {
		.game = &game_pentago,
		.solver = solver,
		.state = s,
		.aim = (enum solve_aim)((first + threads) % (SOLVE_ALL + 1)),
		.first = first,
		.threads = threads,
		.control = control,
	};
}

/* Returns the solvers of the available kernels in turn. */
static const struct solver *solver_of(int n)
{
	return pentago_solver.with_kernel(KERNEL_PORTABLE + (enum kernel)n % kernel_best());
}

static void solve(const struct solver *solver, const struct state *s, int threads,
		  struct solution *out)
{
	struct control control;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once(solving(solver, s, 0, threads, &control), out));
}

/* --- a search over the rules --- */

#define MEMO 0x10000

struct memo {
	uint64_t board[2];
	int side, value, used;
};

static struct memo memo[MEMO];

/* Returns the value for the side to move. Stores the values of positions that are not pending. */
static int negamax(const struct game *g, const struct state *s)
{
	int sign = s->side == BLACK ? 1 : -1, best = -1;
	if (s->over)
		return sign * score_sign(s->score);
	struct memo *m = &memo[s->hash % MEMO];
	if (!s->pending && m->used && m->board[0] == s->board[0] && m->board[1] == s->board[1] &&
	    m->side == s->side)
		return m->value;
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	for (int i = 0; i < n && best < 1; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		int value = negamax(g, &next);
		value = next.side == s->side ? value : -value;
		best = value > best ? value : best;
	}
	if (!s->pending)
		*m = (struct memo) { { s->board[0], s->board[1] }, s->side, best, 1 };
	return best;
}

static int value_of_move(const struct game *g, const struct state *s, struct move move)
{
	struct state next = *s;
	game_play(g, &next, move);
	int value = negamax(g, &next);
	return next.side == BLACK ? value : -value;
}

/* Every legal move has its true value. */
START_TEST(searched)
{
	const struct game *g = rule_sets[_i];
	int values[3] = { 0 };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int n = 0; n < 260; n++) {
		struct state s;
		/* more positions if fewer squares are empty */
		int free_squares = n < 4 ? 8 : n < 20 ? 7 : n < 60 ? 6 : 1 + n % 5;
		any_position(g, SQUARES_ALL - free_squares, &rng, &s);
		memset(memo, 0, sizeof memo);
		struct solution found;
		struct move moves[GAME_MOVES_MAX];
		solve(solver_of(n), &s, 1 + n / 3 % 2, &found);
		int count = game_moves(g, &s, moves);
		ck_assert_int_eq(found.count, count);
		for (int i = 0; i < count; i++) {
			int value = value_of_move(g, &s, moves[i]);
			ck_assert(move_equal(found.moves[i].move, moves[i]));
			ck_assert_int_eq(found.moves[i].least, value);
			ck_assert_int_eq(found.moves[i].most, value);
			values[value + 1]++;
		}
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_gt(values[i], 100);
}
END_TEST

/* Returns Black's value of a position whose moves are all solved. */
static int value_of(const struct solution *s, int side)
{
	int sign = side == BLACK ? 1 : -1, best = -1;
	for (int i = 0; i < s->count; i++)
		best = sign * s->moves[i].least > best ? sign * s->moves[i].least : best;
	return sign * best;
}

/* In deeper positions a move's value is that of the resulting position; kernels and threads agree. */
START_TEST(one_move_on)
{
	const struct game *g = rule_sets[_i];
	struct rng rng;
	rng_seed(&rng, 2);
	for (int n = 0; n < 4; n++) {
		struct state s;
		struct solution found, again;
		any_position(g, 25 + n % 2, &rng, &s);
		solve(&pentago_solver, &s, 1, &found);
		for (int k = 0; k < (int)kernel_best(); k++) {
			solve(solver_of(k), &s, 1 + (n + k) % 4, &again);
			same_solution(&found, &again);
		}
		for (int i = (int)rng_below(&rng, 8); i < found.count; i += 8) {
			struct state next = s;
			game_play(g, &next, found.moves[i].move);
			int value = score_sign(next.score);
			if (!next.over) {
				solve(solver_of(i), &next, 1 + i % 2, &again);
				value = value_of(&again, next.side);
			}
			ck_assert_int_eq(found.moves[i].least, value);
			ck_assert_int_eq(found.moves[i].most, value);
		}
	}
}
END_TEST

/* Any worker can do all the work. */
START_TEST(company)
{
	struct rng rng;
	struct state s;
	struct solution alone, found;
	struct control control;
	rng_seed(&rng, 3);
	for (int stones = 25; stones < 36; stones++) {
		any_position(&game_pentago, stones, &rng, &s);
		solve(&pentago_solver, &s, 1, &alone);
		for (int first = 0; first < 4; first++) {
			control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
			ck_assert(solve_once(solving(&pentago_solver, &s, first, 4, &control),
					     &found));
			same_solution(&alone, &found);
		}
	}
}
END_TEST

START_TEST(ended)
{
	struct rng rng;
	struct state s;
	struct solution found;
	struct control control;
	rng_seed(&rng, 4);
	any_position(&game_pentago, 26, &rng, &s);
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once(solving(&pentago_solver, &s, 0, 1, &control), &found));
	uint64_t all = control_work(&control);
	for (int threads = 1; threads <= 3; threads += 2) {
		for (uint64_t part = 0; part < 8; part++) {
			control_init(&control, TIME_NEVER, all * part / 8);
			ck_assert(!solve_once(solving(&pentago_solver, &s, 0, threads, &control),
					      &found));
			ck_assert_uint_le(control_work(&control), all * part / 8);
		}
		control_init(&control, TIME_NEVER, all);
		ck_assert(solve_once(solving(&pentago_solver, &s, 0, threads, &control), &found));
		ck_assert_uint_eq(control_work(&control), all);
		control_init(&control, clock_now(), WORK_NO_LIMIT);
		ck_assert(!solve_once(solving(&pentago_solver, &s, 0, threads, &control), &found));
		control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
		control_stop(&control);
		ck_assert(!solve_once(solving(&pentago_solver, &s, 0, threads, &control), &found));
		ck_assert_uint_eq(control_work(&control), 0);
	}
}
END_TEST

/* The solver refuses positions that it cannot solve. Its estimate of the others grows with every empty square. */
START_TEST(estimates)
{
	const struct solver *solver = game_pentago.solver;
	struct rng rng;
	struct state s;
	double seconds, before = 0;
	size_t bytes, last = 0;
	rng_seed(&rng, 5);
	game_pentago.start(&game_pentago, &s);
	ck_assert(!solver->estimate(&game_pentago, &s, SOLVE_RESULT, 1, &seconds, &bytes));
	for (int stones = 35; stones >= 13; stones--) {
		any_position(&game_pentago, stones, &rng, &s);
		ck_assert(solver->estimate(&game_pentago, &s, SOLVE_RESULT, 1, &seconds, &bytes));
		ck_assert_uint_gt(bytes, last);
		ck_assert(seconds > before);
		last = bytes;
		before = seconds;
	}
	ck_assert_uint_lt(last, (size_t)64 << 30);
	any_position(&game_pentago, 12, &rng, &s);
	ck_assert(!solver->estimate(&game_pentago, &s, SOLVE_RESULT, 1, &seconds, &bytes));
	any_position(&game_pentago_openspiel, 30, &rng, &s);
	ck_assert(game_pentago_openspiel.solver->estimate(&game_pentago_openspiel, &s, SOLVE_RESULT,
							  1, &seconds, &bytes));
	move_t steps[GAME_STEPS_MAX];
	game_pentago_openspiel.moves(&game_pentago_openspiel, &s, steps);
	game_pentago_openspiel.play(&game_pentago_openspiel, &s, steps[0]);
	ck_assert(s.pending);
	ck_assert(!solver->estimate(&game_pentago, &s, SOLVE_RESULT, 1, &seconds, &bytes));
	while (!s.over) {
		game_pentago_openspiel.moves(&game_pentago_openspiel, &s, steps);
		game_pentago_openspiel.play(&game_pentago_openspiel, &s, steps[0]);
	}
	ck_assert(!solver->estimate(&game_pentago, &s, SOLVE_RESULT, 1, &seconds, &bytes));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pentago_solver");
	TCase *cases = tcase_create("pentago_solver");
	TCase *native = suite_native_case(suite);
	tcase_add_loop_test(native, searched, 0, RULE_SETS);
	tcase_add_loop_test(cases, one_move_on, 0, RULE_SETS);
	tcase_add_test(cases, line_numbers);
	tcase_add_test(cases, company);
	tcase_add_test(cases, ended);
	tcase_add_test(cases, estimates);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
