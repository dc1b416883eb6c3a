/* SPDX-License-Identifier: MIT
 *
 * The exact solver of small boards of Go: known values, a plain search of all games with superko, earlier positions of
 * a game, and its behaviour when it is stopped, with one worker or several.
 */
#include <string.h>

#include "engine/rules/komi.h"
#include "engine/rules/record.h"
#include "engine/rules/repetition.h"
#include "engine/rules/solver.h"
#include "tests/games/solving.h"

static const struct game *table_of(int size)
{
	return game_sized(&game_go, size, size);
}

/* --- positions --- */

/* A random legal position without a past. */
static struct state random_position(const struct game *g, struct rng *rng)
{
	char squares[GAME_SQUARES_MAX + 1] = "";
	struct state s;
	do {
		uint32_t density = 2 + rng_below(rng, 3);
		for (int i = 0; i < g->board.rows * g->board.cols; i++)
			squares[i] = ".XO"[rng_below(rng, density) ? 1 + rng_below(rng, 2) : 0];
	} while (g->setup(g, &s, squares, (int)rng_below(rng, 2)));
	g->komi->set(g, &s, (int)rng_below(rng, 7) - 3);
	s.hash = state_hash(&s);
	return s;
}

/* Plays a random game of up to `moves` moves that is not over; a side seldom passes. */
static void random_game(struct record *r, const struct game *g, struct rng *rng, int moves)
{
	record_restart(r, g);
	record_set_komi(r, (int)rng_below(rng, 7) - 3);
	while (r->count < moves) {
		struct move list[GAME_MOVES_MAX];
		int n = record_moves(r, list);
		bool passes = n == 1 || rng_below(rng, 10) == 0;
		struct move m = list[passes ? n - 1 : (int)rng_below(rng, (uint32_t)n - 1)];
		struct state next = r->now;
		game_play(g, &next, m);
		if (next.over)
			return;
		record_play(r, m);
	}
}

/* --- solving --- */

static struct solving solving(const struct state *s, enum solve_aim aim, int threads,
			      struct control *control)
{
	return (struct solving) {
		.game = table_of(2),
		.solver = table_of(2)->solver,
		.state = s,
		.aim = aim,
		.threads = threads,
		.control = control,
	};
}

/* Solves the position of a record. */
static void solve(const struct record *r, enum solve_aim aim, int threads, struct solution *out)
{
	struct control control;
	struct solving v = solving(&r->now, aim, threads, &control);
	v.record = r;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once(v, out));
}

/* Solves a state without a past and returns Black's score. */
static int score_of(const struct game *g, const struct state *s)
{
	static struct solution found;
	struct record r;
	int least, most;
	record_init(&r, g);
	record_setup(&r, s);
	solve(&r, SOLVE_SCORE, 1, &found);
	solution_bounds(&found, s->side, &least, &most);
	ck_assert_int_eq(least, most);
	record_free(&r);
	return least;
}

static const int values[] = { [2] = 1, [3] = 9, [4] = 2 };

/* The values of the empty boards, with komi too (van der Werf, 2003). */
START_TEST(known_values)
{
	const struct game *g = table_of(_i);
	struct state s;
	g->start(g, &s);
	ck_assert_int_eq(score_of(g, &s), 2 * values[_i]);
	if (_i == 4)
		return;
	ck_assert(g->komi->set(g, &s, 3));
	ck_assert_int_eq(score_of(g, &s), 2 * values[_i] - 3);
}
END_TEST

/* Black's first move in the centre of 5x5 takes the whole board: with a komi of 24.5 points Black wins (van der Werf,
 * 2003). No run has finished, see games/README.md. The case runs only if it is named. */
START_TEST(centre)
{
	static struct solution found;
	const struct game *g = table_of(5);
	const size_t bytes = (size_t)4 << 30;
	struct control control;
	struct record r;
	int least, most;
	record_init(&r, g);
	ck_assert(record_set_komi(&r, 2 * 24 + 1));
	ck_assert_int_eq(record_play_text(&r, BLACK, "c3"), MOVE_OK);
	struct solving v = solving(&r.now, SOLVE_RESULT, 1, &control);
	v.record = &r;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	void *block = solving_block(bytes);
	ck_assert(solve_in(block, bytes, v, &found));
	solution_bounds(&found, WHITE, &least, &most);
	ck_assert_int_eq(least, 1);
	solving_free(block);
	record_free(&r);
}
END_TEST

/* --- a plain search of all games --- */

#define PLIES_MAX 512

struct plain {
	const struct game *game;
	uint64_t keys[PLIES_MAX]; /* of the positions so far */
	int nodes, nodes_max;     /* it gives up at so many */
};

static bool gives_up(const struct plain *p)
{
	return p->nodes >= p->nodes_max;
}

static bool occurred(const struct plain *p, int ply, uint64_t key)
{
	for (int i = 0; key && i < ply; i++)
		if (p->keys[i] == key)
			return true;
	return false;
}

/* Black's score by alpha-beta with superko; passes first. `ply` positions are in the path, the state among them. */
static int plain_score(struct plain *p, const struct state *s, int ply, int alpha, int beta)
{
	if (s->over)
		return s->score;
	if (++p->nodes >= p->nodes_max || ply == PLIES_MAX)
		p->nodes = p->nodes_max;
	move_t steps[GAME_STEPS_MAX];
	int n = p->game->moves(p->game, s, steps);
	for (int i = n - 1; i >= 0 && alpha < beta && !gives_up(p); i--) {
		struct state next = *s;
		if (occurred(p, ply, p->game->repetition->key(p->game, s, steps[i])))
			continue;
		p->game->play(p->game, &next, steps[i]);
		p->keys[ply] = p->game->repetition->key(p->game, &next, MOVE_NONE);
		int score = plain_score(p, &next, ply + 1, alpha, beta);
		if (s->side == BLACK)
			alpha = score > alpha ? score : alpha;
		else
			beta = score < beta ? score : beta;
	}
	return s->side == BLACK ? alpha : beta;
}

/* Compares the score of a record's position with a plain search of up to `nodes_max` positions, which knows the
 * record's earlier positions. Returns false if the plain search gives up. */
static bool check_plainly(const struct record *r, int score, int nodes_max)
{
	struct plain p = { .game = r->game, .nodes_max = nodes_max };
	struct state s = r->start;
	for (int i = 0; i <= r->count; i++) {
		p.keys[i] = r->game->repetition->key(r->game, &s, MOVE_NONE);
		if (i < r->count)
			record_replay(r, i, &s);
	}
	int found = plain_score(&p, &r->now, r->count + 1, score - 1, score + 1);
	ck_assert(gives_up(&p) || found == score);
	return !gives_up(&p);
}

/* Solves a record's position and compares its score. */
static bool check_score(const struct record *r, int nodes_max)
{
	static struct solution found;
	int least, most;
	solve(r, SOLVE_SCORE, 1, &found);
	solution_bounds(&found, r->now.side, &least, &most);
	ck_assert_int_eq(least, most);
	return check_plainly(r, least, nodes_max);
}

/* All positions of 2x2, also after a pass, as first ones of a game. */
START_TEST(all_positions)
{
	const struct game *g = table_of(2);
	struct record r;
	int compared = 0;
	record_init(&r, g);
	for (int code = 0; code < 2 * 2 * 81; code++) {
		char squares[5] = "";
		struct state s;
		for (int i = 0, rest = code / 4; i < 4; i++, rest /= 3)
			squares[i] = ".XO"[rest % 3];
		if (g->setup(g, &s, squares, code % 2))
			continue;
		if (code / 2 % 2)
			g->play(g, &s, g->steps.pass);
		record_setup(&r, &s);
		ck_assert(check_score(&r, 1000000));
		compared++;
	}
	ck_assert_int_eq(compared, 2 * 2 * 57);
	record_free(&r);
}
END_TEST

/* A plain search of 3x3 ends within this number of positions near the end of a game only. */
#define NODES_MAX     30000
#define GAMES         600
/* Under sanitizers there are fewer games. */
#define LEAST(number) (IS_SANITIZED ? (number) / 4 : (number))

/* Random positions, as first ones of a game. */
START_TEST(random_positions)
{
	const struct game *g = table_of(3);
	struct record r;
	struct rng rng;
	int compared = 0;
	rng_seed(&rng, 4);
	record_init(&r, g);
	for (int i = 0; i < suite_times(GAMES); i++) {
		struct state s = random_position(g, &rng);
		record_setup(&r, &s);
		compared += check_score(&r, NODES_MAX);
	}
	ck_assert_msg(compared > LEAST(30), "%d", compared);
	record_free(&r);
}
END_TEST

/* Positions of random games, with the earlier ones. */
START_TEST(positions_with_a_past)
{
	const struct game *g = table_of(_i);
	struct record r;
	struct rng rng;
	int compared = 0, matters = 0;
	rng_seed(&rng, 5);
	record_init(&r, g);
	for (int i = 0; i < suite_times(GAMES); i++) {
		static struct solution found;
		int least, most;
		random_game(&r, g, &rng, 1 + i % (_i == 2 ? 12 : 40));
		solve(&r, SOLVE_SCORE, 1, &found);
		solution_bounds(&found, r.now.side, &least, &most);
		ck_assert_int_eq(least, most);
		compared += check_plainly(&r, least, NODES_MAX);
		matters += score_of(g, &r.now) != least;
	}
	ck_assert_msg(compared > LEAST(100), "%d", compared);
	ck_assert_msg(matters > LEAST(10), "%d", matters);
	record_free(&r);
}
END_TEST

/* --- solutions --- */

/* Each move has the score of the position after it, with one earlier position more. */
START_TEST(one_move_on)
{
	static struct solution found, after;
	const struct game *g = table_of(_i);
	struct record r;
	struct rng rng;
	rng_seed(&rng, 6);
	record_init(&r, g);
	for (int i = 0; i < 40; i++) {
		struct move moves[GAME_MOVES_MAX];
		random_game(&r, g, &rng, i % 16);
		solve(&r, SOLVE_ALL, 1, &found);
		ck_assert_int_eq(found.count, record_moves(&r, moves));
		ck_assert_int_eq(found.estimated, -1);
		for (int k = 0; k < found.count; k++) {
			int least, most;
			ck_assert(move_equal(found.moves[k].move, moves[k]));
			ck_assert_int_eq(found.moves[k].least, found.moves[k].most);
			record_play(&r, moves[k]);
			if (r.now.over) {
				least = r.now.score;
			} else {
				solve(&r, SOLVE_SCORE, 1, &after);
				solution_bounds(&after, r.now.side, &least, &most);
				ck_assert_int_eq(least, most);
			}
			ck_assert_int_eq(found.moves[k].least, least);
			record_shorten(&r, r.count - 1);
		}
	}
	record_free(&r);
}
END_TEST

/* The result comes with bounds of one sign. */
START_TEST(results)
{
	static struct solution found;
	const struct game *g = table_of(3);
	struct record r;
	struct rng rng;
	rng_seed(&rng, 7);
	record_init(&r, g);
	for (int i = 0; i < 200; i++) {
		int least, most, score;
		struct state s = random_position(g, &rng);
		g->komi->set(g, &s, 2 * (int)rng_below(&rng, 9) - 8 + (int)rng_below(&rng, 2));
		s.hash = state_hash(&s);
		record_setup(&r, &s);
		solve(&r, SOLVE_RESULT, 1, &found);
		solution_bounds(&found, s.side, &least, &most);
		score = score_of(g, &s);
		ck_assert_int_eq(score_sign(least), score_sign(most));
		ck_assert(least <= score && score <= most);
	}
	record_free(&r);
}
END_TEST

/* Workers agree. Any worker can do all the work. */
START_TEST(company)
{
	static struct solution alone, found;
	struct control control;
	struct record r;
	struct rng rng;
	rng_seed(&rng, 8);
	record_init(&r, table_of(3));
	for (int i = 0; i < 16; i++) {
		random_game(&r, table_of(3), &rng, i);
		solve(&r, SOLVE_ALL, 1, &alone);
		for (int first = 0; first < 4; first++) {
			control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
			struct solving v = solving(&r.now, SOLVE_ALL, 4, &control);
			v.record = &r;
			v.first = first;
			ck_assert(solve_once(v, &found));
			same_solution(&alone, &found);
		}
	}
	record_free(&r);
}
END_TEST

/* A block can be used again, for any size, past and aim, whatever was in it. */
START_TEST(one_block)
{
	static struct solution fresh, again;
	const size_t bytes = (size_t)1 << 20;
	struct control control;
	struct record r;
	struct rng rng;
	void *block = solving_block(bytes);
	rng_seed(&rng, 9);
	record_init(&r, table_of(3));
	for (int i = 0; i < 200; i++) {
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_SCORE;
		random_game(&r, table_of(2 + i % 3 / 2), &rng, (int)rng_below(&rng, 20));
		struct solving v = solving(&r.now, aim, 1 + i % 2, &control);
		v.record = &r;
		control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
		ck_assert(solve_in(block, bytes, v, &again));
		solve(&r, SOLVE_ALL, 1, &fresh);
		if (aim == SOLVE_ALL) {
			same_solution(&fresh, &again);
			continue;
		}
		int least, most, score, same;
		solution_bounds(&again, r.now.side, &least, &most);
		solution_bounds(&fresh, r.now.side, &score, &same);
		ck_assert_int_eq(least, score);
		ck_assert_int_eq(most, score);
	}
	record_free(&r);
	solving_free(block);
}
END_TEST

/* A solver that is stopped claims only what is true, and no more than it may. */
START_TEST(stopped)
{
	static struct solution all, part;
	struct control control;
	struct record r;
	struct rng rng;
	int unfinished = 0;
	rng_seed(&rng, 10);
	record_init(&r, table_of(3));
	for (int i = 0; i < 30; i++) {
		enum solve_aim aim = i % 2 ? SOLVE_ALL : SOLVE_SCORE;
		uint64_t work = (uint64_t)10 << i % 10;
		random_game(&r, table_of(3), &rng, i % 6);
		solve(&r, SOLVE_ALL, 1, &all);
		control_init(&control, TIME_NEVER, work);
		struct solving v = solving(&r.now, aim, 1 + i % 3, &control);
		v.record = &r;
		bool solved = solve_once(v, &part);
		ck_assert_uint_le(control_work(&control), work);
		ck_assert_int_eq(part.count, all.count);
		for (int k = 0; k < part.count; k++) {
			ck_assert_int_le(part.moves[k].least, all.moves[k].least);
			ck_assert_int_ge(part.moves[k].most, all.moves[k].most);
		}
		unfinished += !solved;
	}
	ck_assert_int_gt(unfinished, 5);
	record_restart(&r, table_of(4));
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	control_stop(&control);
	ck_assert(!solve_once(solving(&r.now, SOLVE_ALL, 2, &control), &part));
	ck_assert_uint_eq(control_work(&control), 0);
	/* Stopped in the middle, with the work of a fraction of a second. */
	control_init(&control, TIME_NEVER, 100000);
	ck_assert(!solve_once(solving(&r.now, SOLVE_SCORE, 1, &control), &part));
	ck_assert_uint_eq(control_work(&control), 100000);
	record_free(&r);
}
END_TEST

/* There is room for 2,048 earlier positions. Passes count once. */
START_TEST(long_past)
{
	const struct game *g = table_of(4);
	const struct solver *solver = g->solver;
	struct rng rng;
	struct state s;
	void *block = solving_block(SOLVER_CLEAR);
	memset(block, 0, SOLVER_CLEAR);
	rng_seed(&rng, 11);
	for (int i = 0; i < 2048; i++) {
		s = random_position(g, &rng);
		ck_assert(solver->add_past(table_of(2), block, &s));
		ck_assert(solver->add_past(table_of(2), block, &s));
	}
	s = random_position(g, &rng);
	ck_assert(!solver->add_past(table_of(2), block, &s));
	solving_free(block);
}
END_TEST

/* The estimate grows with every empty point. Larger boards are refused, and early positions of 5x5. */
START_TEST(estimates)
{
	static const int most[] = { [2] = 4, [3] = 9, [4] = 16, [5] = 10 };
	char squares[GAME_SQUARES_MAX + 1];
	double before[SOLVE_ALL + 1] = { 0 };
	int size = _i;
	const struct game *g = table_of(size);
	const struct solver *solver = table_of(2)->solver;
	for (int empties = 2; empties <= size * size; empties++) {
		struct state s;
		double seconds, alone = 0;
		size_t bytes;
		memset(squares, '.', sizeof squares);
		for (int i = 0; i < size * size - empties; i++)
			squares[i] = 'X';
		squares[size * size] = '\0';
		ck_assert_ptr_null(g->setup(g, &s, squares, WHITE));
		ck_assert(!solver->estimate(table_of(2), &s, SOLVE_ESTIMATE, 1, &seconds, &bytes));
		for (enum solve_aim aim = SOLVE_RESULT; aim <= SOLVE_ALL; aim++) {
			bool solves = size <= 5 && empties <= most[size];
			ck_assert_int_eq(
				solver->estimate(table_of(2), &s, aim, 4, &seconds, &bytes),
				solves);
			if (!solves)
				continue;
			ck_assert(seconds > before[aim] && seconds >= alone);
			ck_assert_uint_le(bytes, (size_t)260 << 20);
			before[aim] = alone = seconds;
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go_solver");
	TCase *cases = tcase_create("go_solver");
	TCase *native = suite_native_case(suite);
	const char *named = getenv("CK_RUN_CASE");
	if (named && strcmp(named, "5x5") == 0) {
		TCase *centre_case = tcase_create("5x5");
		tcase_set_timeout(centre_case, 0);
		tcase_add_test(centre_case, centre);
		suite_add_tcase(suite, centre_case);
	}
	tcase_set_timeout(native, suite_is_long() ? 7200 : 600);
	tcase_add_loop_test(native, known_values, 2, IS_SANITIZED ? 4 : 5);
	tcase_add_test(native, all_positions);
	tcase_add_test(native, random_positions);
	tcase_add_loop_test(native, positions_with_a_past, 2, 4);
	tcase_add_loop_test(native, one_move_on, 2, 4);
	tcase_add_test(native, results);
	tcase_add_test(native, company);
	tcase_add_test(native, one_block);
	tcase_add_test(cases, stopped);
	tcase_add_test(cases, long_past);
	tcase_add_loop_test(cases, estimates, 2, 7);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
