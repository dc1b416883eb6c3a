/* SPDX-License-Identifier: MIT
 *
 * Boards for people: the square of a move's stone, and its mark.
 */
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

/* In random games the square holds a stone of the mover, and was empty unless it was turned. */
START_TEST(stone_of_a_move)
{
	const struct game *g = games[_i];
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	int row, col, stones = 0;
	rng_seed(&rng, 1);
	for (int i = 0; i < 50; i++) {
		struct state s, before;
		g->start(&s);
		while (!s.over) {
			before = s;
			int side = s.side, n = game_moves(g, &s, moves);
			struct move m = moves[rng_below(&rng, (uint32_t)n)];
			game_play(g, &s, m);
			if (m.step[0] == g->pass) {
				ck_assert(!game_stone(g, &before, m, &row, &col));
				continue;
			}
			ck_assert(game_stone(g, &before, m, &row, &col));
			ck_assert_int_eq(g->at(&s, row, col), side == BLACK ? 'X' : 'O');
			if (m.step[1] == MOVE_NONE)
				ck_assert_int_eq(g->at(&before, row, col), '.');
			stones++;
		}
	}
	ck_assert_int_gt(stones, 200);
	ck_assert(!game_stone(g, &(struct state) { 0 }, move_single(MOVE_PASS), &row, &col));
}
END_TEST

/* A turn moves the stone: A1 with its quadrant turned clockwise ends in another corner of the quadrant. */
START_TEST(turned_stone)
{
	struct state start;
	struct move m;
	int row, col;
	game_pentago.start(&start);
	ck_assert_int_eq(game_parse(&game_pentago, &start, "a1t", &m), MOVE_OK);
	ck_assert(game_stone(&game_pentago, &start, m, &row, &col));
	struct state after = start;
	game_play(&game_pentago, &after, m);
	ck_assert_int_eq(game_pentago.at(&after, row, col), 'X');
	ck_assert(row + col == 2 && row != 1);
}
END_TEST

START_TEST(looks)
{
	static const struct {
		struct look look;
		const char *text;
	} rows[] = {
		{ { 0 },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 1 },
		  "   A B C\n 1 . . . 1\n 2 .(X)O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 2 },
		  "   A B C\n 1 . . . 1\n 2 . X(O)2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 2, .col = 0 },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3(.). . 3\n   A B C\nX (black) to move" },
		{ { .changed = { 0, 0, 2, 2 } },
		  "   A B C\n 1[. .]. 1\n 2[. X]O 2\n 3 . . . 3\n   A B C\nX (black) to move" },
		{ { .marked = true, .row = 1, .col = 1, .changed = { 1, 1, 2, 2 } },
		  "   A B C\n 1 . . . 1\n 2 .(X)O]2\n 3 .[. .]3\n   A B C\nX (black) to move" },
		{ { .note = "a note", .is_for_people = true },
		  "   A B C\n 1 . . . 1\n 2 . X O 2\n 3 . . . 3\n   A B C\na note\n"
		  "X (black) to move" },
		{ { .colors = true, .marked = true, .row = 1, .col = 2 },
		  "   A B C\n"
		  " 1\033[42;30m . . . \033[0m1\n"
		  " 2\033[42;30m . X(\033[97mO\033[30m)\033[0m2\n"
		  " 3\033[42;30m . . . \033[0m3\n"
		  "   A B C\nX (black) to move" },
	};
	struct state s;
	char text[BOARD_TEXT_MAX];
	ck_assert_ptr_null(game_setup(&game_tictactoe, &s, "....XO...", "X"));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		game_draw(&game_tictactoe, &s, &rows[i].look, text);
		ck_assert_str_eq(text, rows[i].text);
	}
	game_draw(&game_tictactoe, &s, NULL, text);
	ck_assert_str_eq(text, rows[0].text);
}
END_TEST

START_TEST(results_in_words)
{
	static const struct {
		const struct game *game;
		const char *squares, *side, *text;
	} rows[] = {
		{ &game_tictactoe, "XXXOO....", "O", "Black wins: three in a row" },
		{ &game_tictactoe, "XX.OOOX..", "X", "White wins: three in a row" },
		{ &game_tictactoe, "XOXXOOOXX", "O", "Draw" },
		{ &game_pentago, "OOOOO.XX....XXX.....................", "X",
		  "White wins: five in a row" },
		{ &game_othello, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOO",
		  "X", "Black wins 37 to 27" },
		{ &game_othello, "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO..",
		  "X", "White wins 64 to 0; empty squares count for the winner" },
	};
	struct state s;
	char text[RESULT_TEXT_MAX], board[BOARD_TEXT_MAX];
	const struct look look = { .is_for_people = true };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_ptr_null(game_setup(rows[i].game, &s, rows[i].squares, rows[i].side));
		ck_assert(s.over);
		game_result(rows[i].game, &s, text);
		ck_assert_str_eq(text, rows[i].text);
		game_draw(rows[i].game, &s, &look, board);
		ck_assert_str_eq(strrchr(board, '\n') + 1, text);
	}
}
END_TEST

/* The largest board with colours everywhere still fits. */
START_TEST(largest_drawing)
{
	struct look look = { .colors = true, .marked = true };
	struct state s;
	char text[BOARD_TEXT_MAX], squares[65];
	memset(squares, 'O', 64);
	squares[64] = '\0';
	ck_assert_ptr_null(game_setup(&game_othello, &s, squares, "X"));
	game_draw(&game_othello, &s, &look, text);
	ck_assert_ptr_nonnull(strstr(text, "O (white) has won by 64"));
}
END_TEST

int main(void)
{
	int count = 0;
	while (games[count])
		count++;
	Suite *suite = suite_create("game");
	TCase *cases = tcase_create("game");
	tcase_add_loop_test(cases, stone_of_a_move, 0, count);
	tcase_add_test(cases, turned_stone);
	tcase_add_test(cases, looks);
	tcase_add_test(cases, results_in_words);
	tcase_add_test(cases, largest_drawing);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
