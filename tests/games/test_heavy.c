/* SPDX-License-Identifier: MIT
 *
 * Guided playouts of Othello and Tic-tac-toe: the steps that their sides make, and the results that they return.
 */
#include <string.h>

#include "engine/rules/playouts.h"
#include "tests/suite.h"

#define GAMES 300

static struct state set_up(const struct game *g, const char *squares, int side)
{
	struct state s;
	ck_assert_ptr_null(g->setup(g, &s, squares, side));
	return s;
}

/* Returns in how many of GAMES playouts a side is the first to make one of these steps. Checks each result by the owners of
 * the squares. */
static int count_made(const struct game *g, const struct state *s, int side, uint64_t steps)
{
	struct rng rng;
	int times = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < GAMES; i++) {
		struct trace trace;
		int score = g->playouts->heavy(g, s, MOVE_NONE, &rng, &trace), black = 0, white = 0;
		for (int k = 0; k < g->board.rows * g->board.cols; k++) {
			black += trace.owner[k] > 0;
			white += trace.owner[k] < 0;
		}
		if (g == &game_othello)
			ck_assert_int_eq(score, black > white   ? 64 - 2 * white
						: black < white ? 2 * black - 64
								: 0);
		else
			ck_assert(score >= -1 && score <= 1);
		times += (trace.made[side][0] & steps) != 0;
	}
	return times;
}

/* Black can take A1 by capturing B1. */
START_TEST(othello_takes_a_corner)
{
	struct state s = set_up(&game_othello,
				".OX....."
				"........"
				"........"
				"...OX..."
				"...XO..."
				"........"
				"........"
				"........",
				BLACK);
	ck_assert_int_eq(count_made(&game_othello, &s, BLACK, 1), GAMES);
	/* White cannot go there at once, and often not later. */
	ck_assert_int_lt(count_made(&game_othello, &s, WHITE, 1), GAMES / 10);
}
END_TEST

/* White has two moves, B2 next to a corner and one in the middle: it takes the other one. */
START_TEST(othello_stays_away_from_corners)
{
	struct state s = set_up(&game_othello,
				"........"
				"........"
				"..X....."
				"...O...."
				"........"
				"....OX.."
				"........"
				"........",
				WHITE);
	move_t steps[GAME_STEPS_MAX];
	struct trace trace;
	struct rng rng;
	rng_seed(&rng, 5);
	ck_assert_int_eq(game_othello.moves(&game_othello, &s, steps), 2);
	ck_assert_int_eq(steps[0], 9);
	for (int i = 0; i < GAMES; i++) {
		game_othello.playouts->heavy(&game_othello, &s, MOVE_NONE, &rng, &trace);
		ck_assert(trace.made[WHITE][0] >> steps[1] & 1);
	}
}
END_TEST

START_TEST(tictactoe_wins_and_blocks)
{
	/* Black wins by C1, whatever else there is. */
	struct state s = set_up(&game_tictactoe, "XX.OO....", BLACK);
	ck_assert_int_eq(count_made(&game_tictactoe, &s, BLACK, 1 << 2), GAMES);
	/* White has nothing to win, and blocks. */
	s = set_up(&game_tictactoe, "XX.O.....", WHITE);
	ck_assert_int_eq(count_made(&game_tictactoe, &s, WHITE, 1 << 2), GAMES);
	/* White prefers its own win. */
	s = set_up(&game_tictactoe, "XX.OO...X", WHITE);
	ck_assert_int_eq(count_made(&game_tictactoe, &s, WHITE, 1 << 5), GAMES);
	ck_assert_int_eq(count_made(&game_tictactoe, &s, WHITE, 1 << 2), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heavy");
	TCase *cases = tcase_create("heavy");
	tcase_add_test(cases, othello_takes_a_corner);
	tcase_add_test(cases, othello_stays_away_from_corners);
	tcase_add_test(cases, tictactoe_wins_and_blocks);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
