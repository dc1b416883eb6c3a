/* SPDX-License-Identifier: MIT
 *
 * The goal of capturing stones of Go: positions whose status is known, and small positions, with random games before
 * them, that a naive search of all sequences of moves solves, too.
 *
 * Most positions have a border of unconditionally alive stones, as problems in books have in effect.
 */
#include <string.h>

#include "engine/rules/goals.h"
#include "engine/rules/record.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "tests/suite.h"

#define WORK 3000000 /* nodes; no position here needs so many */

static struct engine *engine;
static struct record game, goal;

static void setup(void)
{
	engine = engine_create_fixed("dfpn", WORK);
	record_init(&game, &game_go);
	record_init(&goal, &game_go);
}

static void teardown(void)
{
	engine_destroy(engine);
	record_free(&game);
	record_free(&goal);
}

/* Sets the game to a position of Go. */
static void set_game(int size, const char *squares, int side)
{
	const struct game *g = game_sized(&game_go, size, size);
	struct state s;
	ck_assert_pstr_eq(g->setup(g, &s, squares, side), NULL);
	record_restart(&game, g);
	record_setup(&game, &s);
}

/* Makes the goal of the game's position, in exact rules if wanted. */
static void set_goal(int target, const int *area, int count, bool exact)
{
	struct state start, other;
	const char *why;
	const struct game *rules = game.game->goals->capture(game.game, &game.now, target, area,
							     count, &start, &why);
	ck_assert_ptr_nonnull(rules);
	ck_assert(rules->valid(rules, &start));
	if (exact && !start.over) {
		rules = rules->goals->decide(rules, &start, &other);
		start = other;
	}
	record_begin_goal(&goal, &game, rules, &start);
}

/* Solves the goal. Returns Black's result; it must be proven. */
static int solve(void)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK };
	static struct report report;
	char why[REASON_MAX];
	limits.prover = algorithm_prover(goal.game);
	if (goal.now.over)
		return score_sign(goal.now.score);
	ck_assert(engine_search(engine, &goal, &limits, &report, why));
	ck_assert_int_eq(report.lower, report.upper);
	ck_assert_int_ge(report.line_count, 1);
	ck_assert(record_is_legal(&goal, report.line[0]));
	return report.lower;
}

static bool is_captured(int target)
{
	int attacker = game.game->at(game.game, &game.now, target / game.game->board.cols,
				     target % game.game->board.cols) == 'X'
			       ? WHITE
			       : BLACK;
	return solve() == side_sign(attacker);
}

/* --- known positions --- */

enum status { ALIVE, UNSETTLED, DEAD };

/* A problem in the top left corner. O defends the first of its stones. The rest of the board is X's, with two eyes. */
static const struct problem {
	const char *name;
	enum status status;
	const char *rows[9];
} problems[] = {
	{ "straight three", UNSETTLED, { "...OX", "OOOOX" } },
	{ "straight three on the side", UNSETTLED, { "XOOOOOX", "XO...OX", "XOOOOOX" } },
	{ "straight four", ALIVE, { "....O", "OOOOO" } },
	{ "straight four in the middle", ALIVE, { "OOOOOOX", "O....OX", "OOOOOOX" } },
	{ "bent three", UNSETTLED, { "..OX", ".OOX", "OOX" } },
	{ "bent three in the middle", UNSETTLED, { "OOOOX", "O..OX", "O.OOX", "OOOX" } },
	{ "square four", DEAD, { "..OX", "..OX", "OOOX" } },
	{ "square four in the middle", DEAD, { "OOOOX", "O..OX", "O..OX", "OOOOX" } },
	{ "pyramid four", UNSETTLED, { "...O", "O.OO", "OOOX" } },
	{ "bulky five", UNSETTLED, { "..OX", "..OX", ".OOX", "OOXX" } },
	{ "bulky five in the middle", UNSETTLED, { "OOOOX", "O..OX", "O..OX", "O.OOX", "OOOX" } },
	{ "cross five", UNSETTLED, { "OOOOOX", "OO.OOX", "O...OX", "OO.OOX", "OOOOOX" } },
	{ "rabbity six", UNSETTLED, { "OOOOOX", "O..OOX", "O...OX", "OO.OOX", "OOOOOX" } },
	/* In the corner it lacks liberties. With one outside liberty the attacker captures in a ko. */
	{ "rectangular six, no outside liberty", UNSETTLED, { "...O", "...O", "OOOO" } },
	{ "rectangular six, one outside liberty", UNSETTLED, { "...O", "...O", "OOOO", ".XXX" } },
	{ "rectangular six, two outside liberties", ALIVE, { "...O", "...O", "OOOO", ".X.X" } },
	{ "rectangular six on the side", ALIVE, { "O...O", "O...O", "OOOOO" } },
	{ "six on the second line in the corner", DEAD, { "........X", "XOOOOOOX" } },
	{ "L group", DEAD, { "....X", "..OX", "..OX", ".OOX", ".XXX" } },
	{ "L group with a leg", UNSETTLED, { ".....X", "..OOX", "..OX", ".OOX", ".XXX" } },
	{ "L group with the other leg",
	  UNSETTLED,
	  { "....X", "..OX", "..OX", ".OOX", ".OX", ".XX" } },
	{ "L group with two legs", ALIVE, { ".....X", "..OOX", "..OX", ".OOX", ".OX", ".XX" } },
	{ "tripod group, no outside liberty",
	  UNSETTLED,
	  { "....X", "..OOX", ".OOX", ".OX", ".XX" } },
	{ "carpenter's square", ALIVE, { "...OX", "...OX", "...OX", "OOOOX" } },
	{ "carpenter's square without its corner stone",
	  UNSETTLED,
	  { "...OX", "...OX", "...OX", "OOOX" } },
	/* The defender cannot move. The attacker may start a ko at any time and takes first: it is captured, whose turn it
	 * may be. Under these rules the attacker must play that out; by Japanese rules it is dead as it stands. */
	{ "bent four in the corner", DEAD, { "XX.OX", "XOOOX", ".OX", "OO", "XX" } },
	{ "bent four in the corner, one outside liberty",
	  DEAD,
	  { "XX.OX", "XOOO.", ".OX", "OO", "XX" } },
	{ "two eyes", ALIVE, { ".O.OX", "OOOOX" } },
	/* Black's throw-in makes an eye false. */
	{ "throw-in", UNSETTLED, { ".O.OX", "OO.OX", "XXOXX", "XXXXX" } },
	{ "snapback", DEAD, { "XO..X", "XOOOX", "XXXXX" } },

	/* The slow ones. */
	{ "long L group", UNSETTLED, { "....X", "..OX", "..OX", "..OX", ".OOX", ".XXX" } },
	/* The attacker gets a ko, which the defender takes first. */
	{ "carpenter's square without its corner stone, two outside liberties",
	  ALIVE,
	  { "...O.", "...OX", "...OX", "OOOX", ".X" } },
};

#define PROBLEMS ((int)(sizeof problems / sizeof *problems))
#define SLOW     2 /* the last problems; only `make long` solves them */

/* Draws a problem on a board of `size`. Returns the target. */
static int draw(const struct problem *p, int size, char *squares)
{
	memset(squares, 'X', (size_t)(size * size));
	squares[size * size - 1] = squares[size * size - 3] = '.';
	squares[size * size] = '\0';
	for (int row = 0; p->rows[row]; row++)
		memcpy(squares + size * row, p->rows[row], strlen(p->rows[row]));
	return (int)(strchr(squares, 'O') - squares);
}

/* Returns true if the attacker captures when this side moves first. */
static bool is_expected(const struct problem *p, int side)
{
	return p->status == DEAD || (p->status == UNSETTLED && side == BLACK);
}

static void check_problem(const struct problem *p, int size)
{
	char squares[GAME_SQUARES_MAX + 1];
	int target = draw(p, size, squares);
	for (int side = BLACK; side <= WHITE; side++) {
		set_game(size, squares, side);
		set_goal(target, NULL, 0, false);
		ck_assert_msg(is_captured(target) == is_expected(p, side), "%s, %s to move",
			      p->name, side == BLACK ? "attacker" : "defender");
	}
}

START_TEST(test_problem)
{
	check_problem(&problems[_i], 9);
}
END_TEST

/* --- races --- */

/* Two chains without eyes have their own liberties and common ones, between groups that are alive. White's chain is the
 * target. Returns a stone of it. */
static int draw_race(int own, int others, int common, char squares[82])
{
	strcpy(squares, ".O.OOOOOO"
			"OOOOOOOOO"
			"OOOOOOOOO"
			"XXXXXXXXX"
			"OOOOOOOOO"
			"XXXXXXXXX"
			"XXXXXXXXX"
			"XXXXXXXXX"
			"X.X.XXXXX");
	for (int i = 0; i < common; i++) {
		memset(squares + 19 + 4 * i, 'X', 3);
		squares[29 + 4 * i] = '.';
	}
	for (int i = 0; i < others; i++)
		squares[18 + 4 * i] = '.';
	for (int i = 0; i < own; i++)
		squares[45 + 4 * i] = '.';
	return 36;
}

/* Without common liberties the chain with fewer liberties is captured, with equally many the one whose turn it is not.
 * With two common ones it takes one liberty more than that, else there is a seki. */
START_TEST(test_race)
{
	char squares[82];
	for (int side = BLACK; side <= WHITE; side++)
		for (int own = 0; own <= 3; own++)
			for (int others = 0; others <= 3; others++)
				for (int common = 0; common <= 2; common++) {
					int first = side == BLACK;
					int needed = own + (common == 2);
					if (!own + !others > 0 && !common)
						continue; /* a chain has no liberty */
					int target = draw_race(own, others, common, squares);
					set_game(9, squares, side);
					set_goal(target, NULL, 0, false);
					ck_assert_msg(is_captured(target) ==
							      (others + first > needed),
						      "%d own, %d others, %d common, side %d", own,
						      others, common, side);
				}
}
END_TEST

/* --- open boards --- */

static bool captures(int size, const char *squares, int side, const char *vertex)
{
	int row, col;
	set_game(size, squares, side);
	ck_assert_ptr_nonnull(square_parse(game.game, vertex, &row, &col));
	set_goal(row * size + col, NULL, 0, false);
	return is_captured(row * size + col);
}

START_TEST(test_ladder)
{
	const char *squares = "........."
			      "..XX....."
			      ".XO......"
			      "..X......"
			      "........."
			      "........."
			      "........."
			      "........."
			      ".........";
	ck_assert(captures(9, squares, BLACK, "C7"));
	ck_assert(captures(9, squares, WHITE, "C7"));
}
END_TEST

START_TEST(test_ladder_19)
{
	char squares[GAME_SQUARES_MAX + 1];
	memset(squares, '.', GAME_SQUARES_MAX);
	squares[GAME_SQUARES_MAX] = '\0';
	squares[2 * 19 + 2] = 'O';
	squares[19 + 2] = squares[19 + 3] = squares[2 * 19 + 1] = squares[3 * 19 + 2] = 'X';
	ck_assert(captures(19, squares, WHITE, "C17"));
}
END_TEST

/* The ladder runs into stones that are alive. Both sides play only near it. */
START_TEST(test_ladder_breaker)
{
	const char *squares = ".XX...."
			      "XO....."
			      ".X....."
			      "......."
			      "OOOOOOO"
			      "O.O.OOO"
			      "OOOOOOO";
	int near[12];
	for (int i = 0; i < 12; i++)
		near[i] = (1 + i / 4) * 7 + 1 + i % 4;
	ck_assert(captures(7, squares, BLACK, "B6"));
	set_game(7, squares, WHITE);
	set_goal(near[0], near, 12, false);
	ck_assert(!is_captured(near[0]));
}
END_TEST

START_TEST(test_net)
{
	const char *squares = "........."
			      "........."
			      "...X....."
			      "..XO....."
			      "...XX...."
			      "........."
			      "........."
			      "........."
			      ".........";
	ck_assert(captures(9, squares, BLACK, "D6"));
}
END_TEST

/* --- areas --- */

/* Both sides may play only on the chosen squares. */
START_TEST(test_area)
{
	const char *squares = "....O...."
			      "OOOOO...."
			      "XXXXX...."
			      "........."
			      "........."
			      "........."
			      "........."
			      "........."
			      ".........";
	const int whole[] = { 0, 1, 2, 3 }, part[] = { 0, 3 };
	move_t moves[GAME_STEPS_MAX];
	set_game(9, squares, BLACK);
	set_goal(4, whole, 4, false);
	ck_assert_int_eq(goal.game->moves(goal.game, &goal.now, moves), 5);
	ck_assert(!is_captured(4));
	set_goal(4, part, 2, false);
	ck_assert_int_eq(goal.game->moves(goal.game, &goal.now, moves), 3);
	ck_assert_int_eq(moves[0], 0);
	ck_assert_int_eq(moves[1], 3);
	ck_assert_int_eq(moves[2], goal.game->steps.pass);
	set_goal(4, part, 2, true);
	ck_assert_int_eq(goal.game->moves(goal.game, &goal.now, moves), 3);
}
END_TEST

START_TEST(test_refusals)
{
	char squares[GAME_SQUARES_MAX + 1];
	const int far[] = { 1, 19 * 19 - 1 };
	const char *why = NULL;
	struct state start;
	memset(squares, '.', GAME_SQUARES_MAX);
	squares[GAME_SQUARES_MAX] = '\0';
	squares[0] = 'O';
	set_game(19, squares, BLACK);
	ck_assert_ptr_null(
		game.game->goals->capture(game.game, &game.now, 5, NULL, 0, &start, &why));
	ck_assert_str_eq(why, "there is no stone on that square");
	ck_assert_ptr_null(
		game.game->goals->capture(game.game, &game.now, 0, far, 2, &start, &why));
	ck_assert_str_eq(why, "the area does not fit into a rectangle of 112 squares");
}
END_TEST

/* --- draws --- */

/* Ends the goal as a draw. */
static void play_draw(const struct game *g, struct state *s, move_t step)
{
	s->over = 1;
	s->score = 0;
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* A draw of the first search decides nothing: the engine solves the goal again in exact rules. */
START_TEST(test_draw)
{
	char squares[GAME_SQUARES_MAX + 1];
	int target = draw(&problems[0], 7, squares);
	for (int side = BLACK; side <= WHITE; side++) {
		struct game drawn;
		set_game(7, squares, side);
		set_goal(target, NULL, 0, false);
		ck_assert(goal.game->repetition && goal.game->repetition->draws);
		drawn = *goal.game;
		drawn.play = play_draw;
		goal.game = &drawn;
		ck_assert(is_captured(target) == (side == BLACK));
		drawn.goals = NULL;
		ck_assert_int_eq(solve(), 0);
	}
}
END_TEST

/* White's chain has one liberty, A1, but taking it would bring back the position at the start: a draw in the local rules,
 * illegal in the exact ones. */
START_TEST(test_illegal_capture)
{
	static const char *const moves[] = { "B1", "A2", "B2", "A1", "A2" };
	set_game(2, "..X.", WHITE);
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		struct move m;
		ck_assert(record_parse(&game, moves[i], &m) == MOVE_OK);
		record_play(&game, m);
	}
	for (int exact = 0; exact < 2; exact++) {
		set_goal(0, NULL, 0, exact);
		ck_assert(!is_captured(0));
	}
}
END_TEST

static const struct game *exact_rules;
static struct game elsewhere;

/* Only an eye of the attacker in the other corner, or a pass. */
static int moves_elsewhere(const struct game *g, const struct state *s, move_t *out)
{
	int corner = elsewhere.board.rows * elsewhere.board.cols - 1;
	bool is_empty = elsewhere.at(&elsewhere, s, elsewhere.board.rows - 1,
				     elsewhere.board.cols - 1) == '.';
	*out = (move_t)(is_empty ? corner : elsewhere.steps.pass);
	return 1;
}

static const struct game *decide_elsewhere(const struct game *g, const struct state *s,
					   struct state *exact)
{
	elsewhere = *exact_rules->goals->decide(exact_rules, s, exact);
	elsewhere.moves = moves_elsewhere;
	return &elsewhere;
}

/* The exact rules allow moves outside the area, which the goal does not. The answer is then a pass. */
START_TEST(test_answer_outside)
{
	char squares[GAME_SQUARES_MAX + 1];
	int target = draw(&problems[0], 7, squares);
	struct game drawn;
	set_game(7, squares, BLACK);
	set_goal(target, NULL, 0, false);
	exact_rules = goal.game;
	drawn = *goal.game;
	drawn.play = play_draw;
	drawn.goals = &(const struct goals) { .decide = decide_elsewhere };
	goal.game = &drawn;
	struct limits limits = { .deadline = TIME_NEVER,
				 .work_max = WORK,
				 .prover = algorithm_prover(goal.game) };
	static struct report report;
	char why[REASON_MAX];
	ck_assert(engine_search(engine, &goal, &limits, &report, why));
	ck_assert(report.lower == -1 && report.upper == -1);
	ck_assert(move_equal(report.line[0], move_single(goal.game->steps.pass)));
	for (int i = 0; i < report.move_count; i++)
		ck_assert(record_is_legal(&goal, report.moves[i].move));
}
END_TEST

/* --- the naive search --- */

#define PATH_LIMIT 4096

static uint64_t path[PATH_LIMIT]; /* the keys of all positions of the game and of the line */
static int budget;                /* positions */

enum truth { SAFE, CAPTURED, UNKNOWN };

static enum truth naive(const struct state *s, int length, int target, char stone)
{
	const struct game *g = game.game;
	move_t moves[GAME_STEPS_MAX];
	bool attacks = (s->side == BLACK) != (stone == 'X');
	enum truth wanted = attacks ? CAPTURED : SAFE;
	if (s->over)
		return SAFE;
	if (budget-- <= 0 || length == PATH_LIMIT)
		return UNKNOWN;
	int count = g->moves(g, s, moves);
	path[length++] = g->repetition->key(g, s, MOVE_NONE);
	/* The defender tries the pass first. */
	for (int k = 0; k < count; k++) {
		move_t step = moves[attacks ? k : count - 1 - k];
		struct state next = *s;
		uint64_t key = g->repetition->key(g, s, step);
		bool repeats = false;
		for (int i = 0; key && i < length; i++)
			repeats |= path[i] == key;
		if (repeats)
			continue;
		g->play(g, &next, step);
		enum truth t = g->at(g, &next, target / g->board.cols, target % g->board.cols) !=
					       stone
				       ? CAPTURED
				       : naive(&next, length, target, stone);
		if (t == wanted || t == UNKNOWN)
			return t;
	}
	return wanted == SAFE ? CAPTURED : SAFE;
}

/* A few random moves before the position. */
static void play_past(struct rng *rng)
{
	int count = (int)rng_below(rng, 5);
	for (int i = 0; i < count && !game.now.over; i++)
		record_play(&game, record_draw(&game, rng));
}

static enum truth truth_of(int target, char stone)
{
	struct state now = game.now, s;
	for (int i = 0; i < game.count; i++) {
		record_state(&game, i, &s);
		path[i] = game.game->repetition->key(game.game, &s, MOVE_NONE);
	}
	/* A pass before the position does not count. */
	if (game.count && game.moves[game.count - 1].move.step[0] == game.game->steps.pass)
		game.game->set_turn(game.game, &now, now.side);
	budget = 50000;
	return naive(&now, game.count, target, stone);
}

/* Replaces each '?' by an empty square or a stone. */
static void fill(char *squares, struct rng *rng, int empty, int black)
{
	for (; *squares; squares++)
		if (*squares == '?')
			*squares = rng_below(rng, 100) < (uint32_t)empty   ? '.'
				   : rng_below(rng, 100) < (uint32_t)black ? 'X'
									   : 'O';
}

/* Boards to fill: small ones, and a corner between living groups, where both sides can also play elsewhere. */
static const struct drawn_board {
	int size, empty, black, count;
	const char *squares;
} boards[] = {
	{ 4, 30, 50, 100, "????????????????" },
	{ 5, 20, 50, 40, "?????????????????????????" },
	{ 5, 25, 25, 40, "?????????????XXXXX.X.XXXX" },
	{ 7, 30, 12, 40, "??????????????XXXXXXXX.X.X.XXXXXXXXOOOOOOO.O.O.OO" },
};

/* Solves random positions in both rules. At least some positions of both results must be among them. */
START_TEST(test_random)
{
	const struct drawn_board *b = &boards[_i];
	int seen[2] = { 0, 0 }, count = suite_times(b->count), least = count < 40 ? 1 : 5;
	struct rng rng;
	rng_seed(&rng, 1 + (uint64_t)_i);
	while (seen[SAFE] + seen[CAPTURED] < count) {
		const struct game *g = game_sized(&game_go, b->size, b->size);
		char squares[GAME_SQUARES_MAX + 1];
		struct state s;
		strcpy(squares, b->squares);
		fill(squares, &rng, b->empty, b->black);
		if (g->setup(g, &s, squares, (int)rng_below(&rng, 2)))
			continue;
		set_game(b->size, squares, s.side);
		play_past(&rng);
		int target = (int)rng_below(&rng, (uint32_t)(b->size * b->size));
		char stone = g->at(g, &game.now, target / b->size, target % b->size);
		if (game.now.over || stone == '.' || b->squares[target] != '?')
			continue;
		enum truth truth = truth_of(target, stone);
		if (truth == UNKNOWN)
			continue;
		int expected = side_sign(stone == 'X') * (truth == SAFE ? -1 : 1);
		char text[POSITION_TEXT_MAX];
		game_position(g, &game.now, text);
		for (int exact = 0; exact < 2; exact++) {
			set_goal(target, NULL, 0, exact);
			ck_assert_msg(solve() == expected, "%s, square %d, rules %d", text, target,
				      exact);
		}
		seen[truth]++;
	}
	ck_assert_int_ge(seen[SAFE], least);
	ck_assert_int_ge(seen[CAPTURED], least);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go_capture");
	TCase *cases = tcase_create("goals");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_set_timeout(cases, 300);
	tcase_add_test(cases, test_race);
	tcase_add_test(cases, test_ladder);
	tcase_add_test(cases, test_ladder_breaker);
	tcase_add_test(cases, test_net);
	tcase_add_test(cases, test_area);
	tcase_add_test(cases, test_refusals);
	tcase_add_test(cases, test_draw);
	tcase_add_test(cases, test_illegal_capture);
	tcase_add_test(cases, test_answer_outside);
	suite_add_tcase(suite, cases);
	TCase *native = suite_native_case(suite);
	tcase_add_checked_fixture(native, setup, teardown);
	tcase_set_timeout(native, 300);
	tcase_add_loop_test(native, test_problem, 0, suite_is_long() ? PROBLEMS : PROBLEMS - SLOW);
	tcase_add_loop_test(native, test_random, 0, (int)(sizeof boards / sizeof *boards));
	tcase_add_test(native, test_ladder_19);
	return suite_run(suite);
}
