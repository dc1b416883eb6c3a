/* SPDX-License-Identifier: MIT
 *
 * Perft of Tic-tac-toe, which can be counted completely, and the form of the table.
 */
#include <string.h>

#include "engine/rules/perft.h"
#include "tests/suite.h"
#include "tests/tested.h"

static const uint64_t sequences[10] = { 1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872 };

START_TEST(whole_tictactoe)
{
	struct state s;
	struct perft p;
	game_tictactoe.start(&game_tictactoe, &s);
	perft_count(&game_tictactoe, &s, 9, &p);
	uint64_t ended[3] = { 0, 0, 0 };
	for (int d = 0; d <= 9; d++) {
		ck_assert_uint_eq(p.length[d].moves, sequences[d]);
		for (int i = 0; i < 3; i++)
			ended[i] += p.length[d].ended[i];
		if (d > 0)
			ck_assert_uint_eq(perft_leaves(&game_tictactoe, &s, d), sequences[d]);
	}
	/* 255,168 complete games. */
	ck_assert_uint_eq(ended[0], 131184);
	ck_assert_uint_eq(ended[1], 46080);
	ck_assert_uint_eq(ended[2], 77904);
	ck_assert_uint_eq(p.length[5].ended[0], 1440);
	ck_assert_uint_eq(p.length[6].ended[2], 5328);
}
END_TEST

START_TEST(beyond_the_end)
{
	struct state s;
	struct perft p;
	game_tictactoe.start(&game_tictactoe, &s);
	perft_count(&game_tictactoe, &s, 12, &p);
	ck_assert_uint_eq(p.length[9].moves, 127872);
	ck_assert_uint_eq(p.length[10].moves, 0);
	ck_assert_uint_eq(p.length[12].moves, 0);
	ck_assert_uint_eq(perft_leaves(&game_tictactoe, &s, 10), 0);
}
END_TEST

START_TEST(from_positions)
{
	struct state s;
	struct perft p;
	/* X fills the last square: a draw. */
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "XOXXOOO.X", "X"));
	perft_count(&game_tictactoe, &s, 1, &p);
	ck_assert_uint_eq(p.length[1].moves, 1);
	ck_assert_uint_eq(p.length[1].ended[1], 1);
	/* Over before the first move. */
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "XXXOO....", "O"));
	perft_count(&game_tictactoe, &s, 2, &p);
	ck_assert_uint_eq(p.length[0].ended[0], 1);
	ck_assert_uint_eq(p.length[1].moves, 0);
	ck_assert_uint_eq(perft_leaves(&game_tictactoe, &s, 1), 0);
}
END_TEST

START_TEST(leaves_without_playing)
{
	for (int i = 0; tested_game(i); i++) {
		struct state s;
		struct perft p;
		tested_game(i)->start(tested_game(i), &s);
		perft_count(tested_game(i), &s, 2, &p);
		for (int d = 1; d <= 2; d++)
			ck_assert_uint_eq(perft_leaves(tested_game(i), &s, d), p.length[d].moves);
	}
}
END_TEST

START_TEST(table)
{
	static const char expected[] =
		"depth          moves          ended          black           draw          white"
		"            sum\n"
		"    1              3              0              0              0              0"
		"              3\n"
		"    2              6              0              0              0              0"
		"              6\n"
		"    3              4              2              0              0              2"
		"              6\n"
		"ended within 3 moves: 0/4/2";
	/* X to move, O threatens b3: it wins after c2 and c3, every other line is a draw. */
	struct state s;
	struct perft p;
	static char text[PERFT_TEXT_MAX];
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "XOXXO.O..", "X"));
	perft_count(&game_tictactoe, &s, 3, &p);
	ck_assert_int_eq(perft_format(&p, text), (int)strlen(text));
	ck_assert_str_eq(text, expected);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perft");
	TCase *cases = tcase_create("perft");
	tcase_add_test(cases, whole_tictactoe);
	tcase_add_test(cases, beyond_the_end);
	tcase_add_test(cases, from_positions);
	tcase_add_test(cases, leaves_without_playing);
	tcase_add_test(cases, table);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
