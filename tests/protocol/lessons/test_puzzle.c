/* SPDX-License-Identifier: MIT
 *
 * Puzzles: exhaustive searches and Go's solver confirm their results and the number of moves.
 */
#include "protocol/lessons/puzzle.h"

#include <string.h>

#include "engine/search/algorithms.h"
#include "games/games.h"
#include "tests/suite.h"

#define NODES    20000
#define GO_GAMES 20
#define FREE_MAX 12 /* empty squares of positions that plain searches solve */

static char why[REASON_MAX];

/* The result of perfect play for Black, by a plain search. Only for positions that are nearly full. */
static int solve(const struct game *g, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return score_sign(s->score);
	int n = game_moves(g, s, moves), best = -side_sign(s->side);
	for (int i = 0; i < n && best != side_sign(s->side); i++) {
		struct state after = *s;
		game_play(g, &after, moves[i]);
		int value = solve(g, &after);
		best = side_sign(s->side) * value > side_sign(s->side) * best ? value : best;
	}
	return best;
}

/* The number of own moves of `side` until it has won, by a plain search; 99: it does not win. */
static int count_to_win(const struct game *g, const struct state *s, int side)
{
	struct move moves[GAME_MOVES_MAX];
	if (s->over)
		return side_sign(side) * s->score > 0 ? 0 : 99;
	int n = game_moves(g, s, moves), best = s->side == side ? 99 : 0;
	for (int i = 0; i < n; i++) {
		struct state after = *s;
		game_play(g, &after, moves[i]);
		int count = count_to_win(g, &after, side) + (s->side == side);
		count = count > 99 ? 99 : count;
		if (s->side == side ? count < best : count > best)
			best = count;
	}
	return best;
}

static void check_puzzle(const struct puzzle *p)
{
	struct move moves[GAME_MOVES_MAX];
	const struct game *g = p->game;
	struct state s = p->state;
	int side = s.side, n = game_moves(g, &s, moves), keeping = 0;
	ck_assert_int_eq(solve(g, &s), p->is_win ? side_sign(side) : 0);
	for (int i = 0; i < n; i++) {
		struct state after = s;
		game_play(g, &after, moves[i]);
		if (side_sign(side) * solve(g, &after) < p->is_win)
			continue;
		keeping++;
		ck_assert(move_equal(moves[i], p->line[0]));
	}
	ck_assert_int_eq(keeping, 1);
	if (p->moves)
		ck_assert_int_eq(p->moves, count_to_win(g, &s, side));
	for (int i = 0; i < p->line_count; i++) {
		ck_assert(game_is_legal(g, &s, p->line[i]));
		game_play(g, &s, p->line[i]);
	}
	if (p->moves)
		ck_assert(s.over && side_sign(side) * s.score > 0 &&
			  p->line_count <= 2 * p->moves - 1);
}

struct found {
	int count;
	const struct record *record;
};

static bool take(void *arg, const struct puzzle *p, int index)
{
	struct found *f = arg;
	struct state s;
	record_state(f->record, index, &s);
	ck_assert(state_equal(&s, &p->state));
	if (game_free(p->game, &p->state) > FREE_MAX)
		return false;
	check_puzzle(p);
	f->count++;
	return true;
}

/* The same seeds give the same puzzles. */
static void search_games(const struct game *g, int games_count)
{
	struct engine *e = engine_create_fixed("auto", 0);
	struct found found = { 0 };
	struct record r;
	struct rng rng;
	rng_seed(&rng, 4);
	record_init(&r, g);
	found.record = &r;
	for (int i = 0; i < games_count; i++) {
		ck_assert(puzzle_play(e, &r, &rng, why));
		ck_assert(r.now.over);
		ck_assert(puzzle_search(e, &r, NODES, take, &found, why));
	}
	ck_assert_int_gt(found.count, 0);
	record_free(&r);
	engine_destroy(e);
}

START_TEST(tictactoe)
{
	search_games(&game_tictactoe, 10);
}
END_TEST

START_TEST(connectfour)
{
	search_games(&game_connectfour, 20);
}
END_TEST

/* Go's solver knows the values of all moves when a game begins with the puzzle, and the line is legal in that game. */
static bool take_go(void *arg, const struct puzzle *p, int index)
{
	int *found = arg, side = p->state.side, keeping = 0;
	struct engine *e = engine_create_fixed("auto", 0);
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK_NO_LIMIT,
				 .prover = algorithm_prover(p->game),
				 .values = true };
	struct report report = { 0 };
	struct record r;
	(void)index;
	record_init(&r, p->game);
	record_setup(&r, &p->state);
	ck_assert(engine_search(e, &r, &limits, &report, why));
	for (int i = 0; i < report.move_count; i++) {
		const struct report_move *m = &report.moves[i];
		ck_assert_int_eq(m->lower, m->upper);
		if (side_sign(side) * m->lower < p->is_win)
			continue;
		keeping++;
		ck_assert(move_equal(m->move, p->line[0]));
	}
	ck_assert_int_eq(keeping, 1);
	ck_assert_int_eq(p->moves, 0);
	for (int i = 0; i < p->line_count; i++) {
		ck_assert(record_is_legal(&r, p->line[i]));
		record_play(&r, p->line[i]);
	}
	++*found;
	report_free(&report);
	record_free(&r);
	engine_destroy(e);
	return true;
}

/* Repetitions that the games before a puzzle forbid are allowed in the puzzle, and those that it makes itself are not. */
START_TEST(go)
{
	struct engine *e = engine_create_fixed("auto", 0);
	struct record r;
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 1);
	record_init(&r, game_sized(game_find("go", NULL), 4, 4));
	for (int i = 0; i < GO_GAMES; i++) {
		ck_assert(puzzle_play(e, &r, &rng, why));
		ck_assert(puzzle_search(e, &r, NODES, take_go, &found, why));
	}
	ck_assert_int_gt(found, 1);
	record_free(&r);
	engine_destroy(e);
}
END_TEST

static const struct {
	const struct game *game;
	const char *board, *side;
	enum puzzle_answer answer;
	const char *task, *move;
} known[] = {
	/* Two moves win; a win at once; a threat to stop; only losses. */
	{ &game_tictactoe, "X.....O..", "X", PUZZLE_NONE, NULL, NULL },
	{ &game_tictactoe, "XX.OO....", "X", PUZZLE_NONE, NULL, NULL },
	{ &game_tictactoe, "XX..O....", "O", PUZZLE_NONE, NULL, NULL },
	{ &game_tictactoe, "........X", "O", PUZZLE_FOUND, "O to play and draw", "B2" },
	{ &game_connectfour, "...X.....XO.....OO.XX..OO.OX.XOX.XOOXXXOXO", "O", PUZZLE_FOUND,
	  "White to play and win in 2", "B3" },
};

START_TEST(positions)
{
	struct engine *e = engine_create_fixed("auto", 0);
	struct record r;
	struct state s;
	struct puzzle *p = calloc(1, sizeof *p);
	char text[PUZZLE_TASK_MAX], move[MOVE_TEXT_MAX];
	record_init(&r, known[_i].game);
	ck_assert(!game_setup(r.game, &s, known[_i].board, known[_i].side));
	record_setup(&r, &s);
	ck_assert_int_eq(puzzle_find(p, e, known[_i].game, &s, NODES, why), known[_i].answer);
	if (known[_i].task) {
		puzzle_task(p, text);
		ck_assert_str_eq(text, known[_i].task);
		game_format(p->game, &p->state, p->line[0], move);
		ck_assert_str_eq(move, known[_i].move);
	}
	free(p);
	record_free(&r);
	engine_destroy(e);
}
END_TEST

/* The number of moves of known positions; no win; too little work. */
START_TEST(mates)
{
	struct state s;
	struct move line[2 * MATE_MAX];
	int count;
	ck_assert(!game_setup(&game_tictactoe, &s, "XX.OO....", "X"));
	ck_assert_int_eq(mate_find(&game_tictactoe, &s, move_none(), 1000, line, &count), 1);
	ck_assert_int_eq(count, 1);
	ck_assert(!game_setup(&game_tictactoe, &s, "X.....O..", "X"));
	ck_assert_int_eq(mate_find(&game_tictactoe, &s, move_none(), 100000, line, &count), 3);
	ck_assert_int_eq(count, 5);
	ck_assert_int_eq(mate_find(&game_tictactoe, &s, move_none(), 3, line, &count), 0);
	ck_assert(!game_setup(&game_tictactoe, &s, "........X", "O"));
	ck_assert_int_eq(mate_find(&game_tictactoe, &s, move_none(), 1000000, line, &count), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("puzzle");
	TCase *all = tcase_create("puzzle");
	tcase_add_test(all, tictactoe);
	tcase_add_test(all, connectfour);
	tcase_add_test(all, go);
	tcase_add_loop_test(all, positions, 0, (int)(sizeof known / sizeof known[0]));
	tcase_add_test(all, mates);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
