/* SPDX-License-Identifier: MIT
 *
 * Dots and boxes: the rules by example and by counts, and the solver against a plain search of all lines.
 */
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/perft.h"
#include "engine/rules/record.h"
#include "games/dots/dots.h"
#include "tests/games/solving.h"
#include "tests/suite.h"

static const struct game *dots_of(int n)
{
	return game_of_size(&game_dots, n);
}

/* Plays moves from the start. */
static struct state after(const struct game *g, const char *moves)
{
	struct record r;
	char *words = xstrdup(moves), *save;
	record_init(&r, g);
	for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		struct move m;
		ck_assert_msg(record_parse(&r, word, &m) == MOVE_OK, "%s", word);
		record_play(&r, m);
	}
	struct state s = r.now;
	record_free(&r);
	free(words);
	return s;
}

START_TEST(closing_a_box_moves_again)
{
	const struct game *g = dots_of(2);
	char text[POSITION_TEXT_MAX];
	struct state s = after(g, "b1 a2 c2");
	ck_assert_int_eq(s.side, WHITE);
	s = after(g, "b1 a2 c2 b3");
	ck_assert_int_eq(s.side, WHITE);
	game_position(g, &s, text);
	ck_assert_str_eq(text, ":L:.:LOL..:L:.:.....:.:.: O");
	/* One line closes two boxes. */
	s = after(g, "b1 a2 d1 e2 b3 d3 c2");
	ck_assert_int_eq(s.side, BLACK);
	game_position(g, &s, text);
	ck_assert_str_eq(text, ":L:L:LXLXL:L:L:.....:.:.: X");
}
END_TEST

static const struct {
	const char *moves, *result;
	int score;
} ended[] = {
	{ "b3 c4 a2 d1 c2 b1 b5 d3 a4 e4 d5 e2", "Draw", 0 },
	{ "c4 a2 d1 e4 b1 d3 c2 b3 a4 d5 e2 b5", "Black wins 3 to 1", 2 },
	{ "e4 b1 a2 d3 c2 a4 c4 e2 d1 b5 d5 b3", "White wins 3 to 1", -2 },
};

START_TEST(the_result_counts_boxes)
{
	const struct game *g = dots_of(2);
	char text[RESULT_TEXT_MAX];
	struct state s = after(g, ended[_i].moves);
	ck_assert(s.over);
	ck_assert_int_eq(s.score, ended[_i].score);
	game_result(g, &s, text);
	ck_assert_str_eq(text, ended[_i].result);
}
END_TEST

/* A game of n lines has n! orders. */
START_TEST(counts)
{
	for (int n = DOTS_SIDE_MIN; n <= DOTS_SIDE_MAX; n++) {
		const struct game *g = dots_of(n);
		struct state s;
		uint64_t expected = 1;
		g->start(g, &s);
		for (int depth = 1; depth <= 3; depth++) {
			move_t steps[GAME_STEPS_MAX];
			expected *= (uint64_t)(DOTS_LINES(n) - depth + 1);
			ck_assert_int_eq(g->moves(g, &s, steps), DOTS_LINES(n));
			ck_assert_uint_eq(perft_leaves(g, &s, depth), expected);
		}
	}
}
END_TEST

static const struct {
	const char *position, *why;
} refused[] = {
	{ ":L:.:L.L..:L:.:.....:.:.:",
	  "a box belongs to a side exactly if its four lines are drawn" },
	{ ":L:.:LXL..:.:.:.....:.:.:",
	  "a box belongs to a side exactly if its four lines are drawn" },
	{ ":X:.:..........:.....:.:.:", "the board has the wrong number of squares" },
	{ ":X:.:.....:.:.:.....:.:.:", "a stone lies on a line" },
	{ ":.:.:.L...:.:.:.....:.:.:", "a line lies in a box" },
	{ ":.:.:.Q...:.:.:.....:.:.:", "a square is the letter of a piece, or '.'" },
	{ "..:.:.....:.:.:.....:.:.:",
	  "':' stands for each square off the board, and only for these" },
};

START_TEST(bad_positions_are_refused)
{
	struct state s;
	ck_assert_pstr_eq(game_setup(dots_of(2), &s, refused[_i].position, "X"), refused[_i].why);
}
END_TEST

/* Black's final score by perfect play, by trying all lines. */
static int plain_value(const struct game *g, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps), best = -1000;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		g->play(g, &next, steps[i]);
		int value = side_sign(s->side) * (next.over ? next.score : plain_value(g, &next));
		best = value > best ? value : best;
	}
	return side_sign(s->side) * best;
}

static int solved_value(const struct game *g, const struct state *s)
{
	static struct solution found;
	struct control control;
	int least, most;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	ck_assert(solve_once((struct solving) { .game = g,
						.solver = g->solver,
						.state = s,
						.aim = SOLVE_ALL,
						.threads = 1 + s->side,
						.control = &control },
			     &found));
	solution_bounds(&found, s->side, &least, &most);
	ck_assert_int_eq(least, most);
	return least;
}

START_TEST(the_solver_knows_what_a_plain_search_finds)
{
	struct rng rng;
	rng_seed(&rng, 5);
	for (int round = 0; round < suite_times(200); round++) {
		const struct game *g = dots_of(DOTS_SIDE_MIN + round % 4);
		const int rest = 1 + round % 7;
		struct state s;
		g->start(g, &s);
		for (int left = g->steps.length; left > rest; left--) {
			move_t steps[GAME_STEPS_MAX];
			uint32_t n = (uint32_t)g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, n)]);
		}
		ck_assert_int_eq(solved_value(g, &s), plain_value(g, &s));
	}
}
END_TEST

/* Wilson 2002: the first player wins by 2 on 2x2 boxes and loses by 3 on 3x3. */
START_TEST(published_values)
{
	struct state s;
	dots_of(2)->start(dots_of(2), &s);
	ck_assert_int_eq(solved_value(dots_of(2), &s), 2);
	dots_of(3)->start(dots_of(3), &s);
	ck_assert_int_eq(solved_value(dots_of(3), &s), -3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dots");
	TCase *cases = tcase_create("dots");
	tcase_add_test(cases, closing_a_box_moves_again);
	tcase_add_loop_test(cases, the_result_counts_boxes, 0, sizeof ended / sizeof ended[0]);
	tcase_add_test(cases, counts);
	tcase_add_loop_test(cases, bad_positions_are_refused, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_test(cases, the_solver_knows_what_a_plain_search_finds);
	suite_add_tcase(suite, cases);
	TCase *native = suite_native_case(suite);
	tcase_add_test(native, published_values);
	return suite_run(suite);
}
