/* SPDX-License-Identifier: MIT
 *
 * The depth-first searches: true results, equal moves of all three, exact limits, prompt stops.
 */
#include <math.h>
#include <stdio.h>

#include "tests/engine/fixture.h"
#include "tests/engine/naive.h"
#include "tests/tested.h"

static const char *const searches[] = { "negamax", "alphabeta-plain", "alphabeta" };

static void setup(void)
{
	fixture_create("alphabeta");
	set("memory", "4");
	set("probcut", "0");
}

static struct report think(int64_t deadline, uint64_t work_max)
{
	static struct report r;
	search_within((struct limits) { .deadline = deadline, .work_max = work_max }, &r);
	return r;
}

static struct report think_depth(int depth)
{
	set_number("depth", (size_t)depth);
	return think(TIME_NEVER, WORK_NO_LIMIT);
}

/* Searches to the end of the game. */
static struct report solve(void)
{
	struct report r = think_depth(0);
	ck_assert_int_eq(r.lower, r.upper);
	ck_assert_double_eq(r.value, r.lower);
	/* In games of speed it finds the result only. */
	ck_assert(!isnan(r.score) == !record.game->score.speed);
	ck_assert(isnan(r.score) || r.lower == score_sign((int)r.score));
	return r;
}

/* Sets up a position of a random game with at most `empty` empty squares. */
static void random_position(const struct game *game, int empty, struct rng *rng)
{
	struct state s;
	naive_find_position(game, empty, rng, &s);
	record_restart(&record, game);
	record_setup(&record, &s);
}

/* Returns Black's true score, by a search of every line to its end. */
static int minimax(const struct game *game, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	if (s->over)
		return s->score;
	int n = game->moves(game, s, steps), best = s->side == BLACK ? -INT16_MAX : INT16_MAX;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game->play(game, &next, steps[i]);
		int score = minimax(game, &next);
		if (s->side == BLACK ? score > best : score < best)
			best = score;
	}
	return best;
}

/* Solves the record's position and compares its score, and the score of the move, with minimax. */
static void check_solved(int score)
{
	struct report r = solve();
	struct state next = record.now;
	game_play(record.game, &next, r.line[0]);
	ck_assert_double_eq(record.game->score.speed ? r.lower : r.score, score);
	ck_assert_int_eq(minimax(record.game, &next), score);
}

START_TEST(tictactoe_is_a_draw)
{
	uint64_t nodes = UINT64_MAX;
	for (int i = 0; i < 3; i++) {
		set("search", searches[i]);
		struct report r = solve();
		ck_assert_int_eq(r.lower, 0);
		ck_assert_int_eq(r.line[0].step[0], 0);
		ck_assert_int_le(r.depth, 9);
		ck_assert_uint_lt(r.nodes, nodes);
		nodes = r.nodes;
	}
}
END_TEST

/* Solves every position that can be reached from `s`, once. */
static int solve_all(const struct state *s, bool seen[2][512][512])
{
	move_t steps[GAME_STEPS_MAX];
	bool *known = &seen[s->side][s->board[0]][s->board[1]];
	if (*known)
		return 0;
	*known = true;
	if (s->over)
		return 1;
	record_setup(&record, s);
	check_solved(minimax(&game_tictactoe, s));
	int n = game_tictactoe.moves(&game_tictactoe, s, steps), count = 1;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_tictactoe.play(&game_tictactoe, &next, steps[i]);
		count += solve_all(&next, seen);
	}
	return count;
}

START_TEST(every_tictactoe_position)
{
	static bool seen[2][512][512];
	struct state s;
	game_tictactoe.start(&game_tictactoe, &s);
	ck_assert_int_eq(solve_all(&s, seen), 5478);
}
END_TEST

/* All moves of O lose. The block at C1 loses last, because X must first make a fork. */
START_TEST(losers_resist_longest)
{
	for (int i = 0; i < 3; i++) {
		set("search", searches[i]);
		set_position("XO..X....", "O");
		struct report r = solve();
		ck_assert_int_eq(r.lower, 1);
		ck_assert_int_eq(r.line[0].step[0], 8);
	}
}
END_TEST

static void check_same(const struct report *a, const struct report *b)
{
	ck_assert(move_equal(a->line[0], b->line[0]));
	ck_assert_int_eq(a->depth, b->depth);
	ck_assert_int_eq(a->lower, b->lower);
	ck_assert_int_eq(a->upper, b->upper);
	ck_assert(a->score == b->score || (isnan(a->score) && isnan(b->score)));
}

/* Invariant: at equal depth all three choose the same move and score, each with fewer nodes than the one
 * before. Without an evaluation a table hardly improves the order of the moves; in one game it may then cost a little. */
START_TEST(one_move_for_all_three)
{
	struct rng rng;
	uint64_t all[3] = { 0 };
	rng_seed(&rng, 3);
	/* Every change of search allocates the table anew, and new memory is slow. */
	set_memory((size_t)1 << 20);
	for (int i = 0; tested_game(i); i++) {
		uint32_t squares = (uint32_t)(tested_game(i)->board.rows *
					      tested_game(i)->board.cols);
		uint64_t total[3] = { 0 };
		for (int n = 0; n < 60; n++) {
			random_position(tested_game(i), 1 + (int)rng_below(&rng, squares), &rng);
			struct move moves[GAME_MOVES_MAX];
			int choices = game_moves(tested_game(i), &record.now, moves), depth = 1;
			for (int size = choices; depth < 5 && size * choices < 500000; depth++)
				size *= choices;
			/* The shallower search comes later: it must ignore the deeper results in the table. */
			static struct report found[3][5];
			for (int k = 0; k < 3; k++) {
				set("search", searches[k]);
				for (int d = depth - 1; d >= 0; d--) {
					found[k][d] = think_depth(d + 1);
					total[k] += found[k][d].nodes;
					check_same(&found[0][d], &found[k][d]);
				}
			}
		}
		ck_assert_uint_gt(total[0], total[1]);
		ck_assert_uint_gt(total[1] + total[1] / 50, total[2]);
		for (int k = 0; k < 3; k++)
			all[k] += total[k];
	}
	ck_assert_uint_gt(all[1], all[2]);
}
END_TEST

/* Same for many positions of Othello, at one depth each. */
START_TEST(a_thousand_positions)
{
	static struct report negamax[1000];
	const int count = suite_is_long() ? 1000 : suite_times(1000);
	record_restart(&record, &game_othello);
	for (int k = 0; k < 3; k++) {
		struct rng rng;
		rng_seed(&rng, 8);
		set("search", searches[k]);
		for (int i = 0; i < count; i++) {
			random_position(&game_othello, 1 + (int)rng_below(&rng, 60), &rng);
			struct report r = think_depth(2 + i % 3);
			if (k == 0)
				negamax[i] = r;
			check_same(&negamax[i], &r);
		}
	}
}
END_TEST

/* Probcut prunes, but a search to the end still proves its result. */
START_TEST(probcut)
{
	struct rng rng;
	rng_seed(&rng, 9);
	for (int i = 0; i < 20; i++) {
		random_position(&game_othello, i < 10 ? 10 : 30, &rng);
		set("probcut", "0");
		struct report all = i < 10 ? solve() : think_depth(7);
		set("probcut", "1");
		if (i < 10) {
			struct report r = solve();
			ck_assert_double_eq(r.score, all.score);
			ck_assert(r.exact);
		} else {
			ck_assert_uint_lt(think_depth(7).nodes, all.nodes / 2);
		}
	}
}
END_TEST

/* Small enough for minimax. */
static int endgame(const struct game *game)
{
	return game == &game_tictactoe ? 7 : game == &game_othello ? 9 : 3;
}

START_TEST(endgames_are_exact)
{
	struct rng rng;
	rng_seed(&rng, 4);
	for (int i = 0; naive_game(i); i++) {
		for (int n = 0; n < 20; n++) {
			random_position(naive_game(i), endgame(naive_game(i)), &rng);
			int score = minimax(naive_game(i), &record.now);
			for (int k = 1; k < 3; k++) {
				set("search", searches[k]);
				set("threads", "1");
				check_solved(score);
			}
			set("threads", "4");
			check_solved(score);
		}
	}
}
END_TEST

/* If the values of all moves are requested, each move has its own, the best first. */
START_TEST(every_move)
{
	struct rng rng;
	rng_seed(&rng, 7);
	for (int i = 0; naive_game(i); i++) {
		for (int n = 0; n < 20; n++) {
			static struct report r;
			random_position(naive_game(i), endgame(naive_game(i)) - 2, &rng);
			set("search", searches[n % 3]);
			set("threads", n % 2 ? "4" : "1");
			search_within((struct limits) { .deadline = TIME_NEVER,
							.work_max = WORK_NO_LIMIT,
							.values = true },
				      &r);
			int count = game_moves(naive_game(i), &record.now,
					       (struct move[GAME_MOVES_MAX]) { 0 });
			ck_assert_int_eq(r.move_count, count);
			for (int j = 0; j < count; j++) {
				const struct report_move *m = &r.moves[j];
				struct state next = record.now;
				game_play(naive_game(i), &next, m->move);
				if (naive_game(i)->score.speed) {
					ck_assert(!m->exact && m->lower == m->upper);
					ck_assert_int_eq(m->lower,
							 naive_result(naive_game(i), &next));
					continue;
				}
				ck_assert(m->exact);
				ck_assert_int_eq((int)m->score, naive_score(naive_game(i), &next));
				ck_assert(j == 0 || record.now.side == BLACK
						  ? j == 0 || m->score <= m[-1].score
						  : m->score >= m[-1].score);
			}
		}
	}
}
END_TEST

START_TEST(threads_find_the_same)
{
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; tested_game(i); i++) {
		int squares = tested_game(i)->board.rows * tested_game(i)->board.cols;
		for (int n = 0; n < 10; n++) {
			random_position(tested_game(i), squares / 2, &rng);
			int depth = game_moves(tested_game(i), &record.now,
					       (struct move[GAME_MOVES_MAX]) { 0 }) > 50
					    ? 2
					    : 5;
			set("threads", "1");
			struct report one = think_depth(depth);
			set("threads", "4");
			struct report four = think_depth(depth);
			check_same(&one, &four);
		}
	}
}
END_TEST

START_TEST(fewer_nodes_in_othello)
{
	uint64_t nodes[3];
	record_restart(&record, &game_othello);
	for (int k = 0; k < 3; k++) {
		set("search", searches[k]);
		nodes[k] = think_depth(5).nodes;
	}
	ck_assert_uint_gt(nodes[0], nodes[1]);
	ck_assert_uint_gt(nodes[1], nodes[2]);
}
END_TEST

/* Iterations of 1 .. depth moves. Each visits all positions at that distance; in Pentago also those between
 * the two steps of a move, except at the root. */
START_TEST(depth_counts_moves)
{
	set("search", "negamax");
	record_restart(&record, &game_othello);
	struct report r = think_depth(4);
	ck_assert_uint_eq(r.nodes, 4 * 1 + 4 * 4 + 3 * 12 + 2 * 56 + 244);
	ck_assert_int_eq(r.line_count, 4);
	record_restart(&record, &game_pentago);
	r = think_depth(2);
	ck_assert_uint_eq(r.nodes, 2 * 1 + 2 * 288 + 288 * (35 + 35 * 8));
	ck_assert_int_eq(r.line_count, 2);
}
END_TEST

/* An iteration that ends before it reaches the previous best move changes nothing. */
START_TEST(unfinished_iterations)
{
	struct rng rng;
	rng_seed(&rng, 7);
	set("search", "negamax");
	for (int tested = 0; tested < 10;) {
		struct move moves[GAME_MOVES_MAX];
		random_position(&game_othello, 40, &rng);
		int n = game_moves(&game_othello, &record.now, moves);
		struct report full = think_depth(3);
		if (n < 8 || !move_equal(full.line[0], moves[n - 1]))
			continue;
		set_number("depth", 0);
		struct report more = think(TIME_NEVER, 3 * full.nodes);
		ck_assert_int_eq(more.depth, 3);
		check_same(&full, &more);
		tested++;
	}
}
END_TEST

/* Reserved work that is not used is returned. */
START_TEST(work_is_what_was_visited)
{
	struct control control;
	static struct report r;
	char why[REASON_MAX];
	struct task task = { .record = &record,
			     .options = engine_options(engine),
			     .memory = 1 << 20,
			     .threads = 1,
			     .control = &control };
	void *self = algorithm_alphabeta.create();
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(algorithm_alphabeta.prepare(self, &task, why));
	algorithm_alphabeta.work(self, 0, &control);
	report_clear(&r);
	algorithm_alphabeta.report(self, &r);
	ck_assert_uint_eq(control_work(&control), r.nodes);
	ck_assert(control_stopped(&control));
	algorithm_alphabeta.destroy(self);
}
END_TEST

START_TEST(refused_table_is_tried_again)
{
	check_refused_table_is_tried_again(&algorithm_alphabeta);
}
END_TEST

START_TEST(work_limit_is_exact)
{
	for (int i = 0; i < 3; i++) {
		set("search", searches[i]);
		for (uint64_t work = 1; work < 2000; work = 2 * work + 1)
			ck_assert_uint_eq(think(TIME_NEVER, work).nodes, work);
	}
	set("threads", "4");
	ck_assert_uint_eq(think(TIME_NEVER, 1000).nodes, 1000);
}
END_TEST

/* Without time it still does the minimum search that justifies a move. */
START_TEST(no_time)
{
	for (int i = 0; i < 3; i++) {
		set("search", searches[i]);
		engine_reseed(engine);
		struct report r = think(clock_now(), WORK_NO_LIMIT);
		ck_assert_uint_ge(r.nodes, 1);
		ck_assert_uint_le(r.nodes, 64);
		ck_assert_int_ge(r.line_count, 1);
	}
}
END_TEST

START_TEST(stops_when_asked)
{
	char why[REASON_MAX];
	static struct report r;
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	record_restart(&record, &game_othello);
	set("threads", "2");
	for (int i = 0; i < 3; i++) {
		set("search", searches[i]);
		ck_assert(engine_think(engine, &record, &limits, NULL, NULL, why));
		engine_stop(engine);
		ck_assert(engine_collect(engine, &r, why));
		ck_assert(game_is_legal(record.game, &record.now, r.line[0]));
	}
}
END_TEST

/* A forced move takes no time, even with an hour on the clock. */
START_TEST(forced_moves_take_no_time)
{
	struct rng rng;
	rng_seed(&rng, 6);
	do
		random_position(&game_othello, 24, &rng);
	while (!game_must_pass(&game_othello, &record.now));
	struct report r = think(clock_now() + 3600 * (int64_t)1000000000, WORK_NO_LIMIT);
	ck_assert_int_eq(r.depth, 1);
	ck_assert_uint_lt(r.nodes, 100);
}
END_TEST

START_TEST(same_again)
{
	static struct report r[2];
	for (int i = 0; i < 2; i++) {
		fixture_destroy();
		setup();
		r[i] = think(TIME_NEVER, 1500);
	}
	ck_assert_int_eq(r[0].line_count, r[1].line_count);
	ck_assert(move_equal(r[0].line[0], r[1].line[0]));
	ck_assert_int_eq(r[0].depth, r[1].depth);
}
END_TEST

/* After any amount of search, the bounds proven for the position are proven for the chosen move. */
START_TEST(answer_has_the_proof)
{
	struct rng rng;
	rng_seed(&rng, 9);
	int proven = 0;
	set("search", searches[_i]);
	for (int i = 0; i < suite_times(2000); i++) {
		random_position(&game_tictactoe, 1 + i % 7, &rng);
		struct report r = think(TIME_NEVER, 1 + rng_below(&rng, 40));
		if (r.lower != r.upper)
			continue;
		ck_assert_int_eq(r.moves[0].lower, r.lower);
		ck_assert_int_eq(r.moves[0].upper, r.upper);
		proven++;
	}
	ck_assert_int_gt(proven, suite_times(200));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("alphabeta");
	TCase *cases = tcase_create("alphabeta");
	TCase *native = suite_native_case(suite);
	tcase_set_timeout(cases, 300);
	tcase_set_timeout(native, 300);
	tcase_add_checked_fixture(cases, setup, fixture_destroy);
	tcase_add_checked_fixture(native, setup, fixture_destroy);
	tcase_add_test(cases, tictactoe_is_a_draw);
	tcase_add_test(cases, every_tictactoe_position);
	tcase_add_test(cases, losers_resist_longest);
	tcase_add_test(native, one_move_for_all_three);
	tcase_add_test(native, a_thousand_positions);
	tcase_add_test(cases, probcut);
	tcase_add_loop_test(cases, answer_has_the_proof, 0, 3);
	tcase_add_test(cases, endgames_are_exact);
	tcase_add_test(cases, every_move);
	tcase_add_test(cases, threads_find_the_same);
	tcase_add_test(cases, fewer_nodes_in_othello);
	tcase_add_test(cases, depth_counts_moves);
	tcase_add_test(cases, unfinished_iterations);
	tcase_add_test(cases, work_is_what_was_visited);
	tcase_add_test(cases, refused_table_is_tried_again);
	tcase_add_test(cases, work_limit_is_exact);
	tcase_add_test(cases, no_time);
	tcase_add_test(cases, stops_when_asked);
	tcase_add_test(cases, forced_moves_take_no_time);
	tcase_add_test(cases, same_again);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
