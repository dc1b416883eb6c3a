/* SPDX-License-Identifier: MIT
 *
 * The names of squares, on boards of every shape, with both orders of rows and both alphabets.
 */
#include "engine/rules/square.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "tests/suite.h"

static void check_board(const struct game *g)
{
	char text[SQUARE_TEXT_MAX + 1];
	for (int row = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++) {
			int r, c;
			square_format(g, row, col, text);
			strcat(text, "x");
			const char *rest = square_parse(g, text, &r, &c);
			ck_assert_pstr_eq(rest, "x");
			ck_assert(r == row && c == col);
			text[0] = (char)tolower(text[0]);
			ck_assert_ptr_eq(square_parse(g, text, &r, &c), rest);
			ck_assert(r == row && c == col);
		}
}

START_TEST(every_square_round_trips)
{
	for (int rows = 1; rows <= 19; rows++)
		for (int cols = 1; cols <= 25; cols++)
			for (int kind = 0; kind < 4; kind++)
				check_board(&(struct game) { .board = { .rows = rows,
									.cols = cols,
									.goes_up = kind & 1,
									.skips_i = kind >> 1 } });
}
END_TEST

START_TEST(names)
{
	static const struct game down = { .board = { .rows = 6, .cols = 7 } };
	static const struct game up = {
		.board = { .rows = 19, .cols = 19, .goes_up = true, .skips_i = true }
	};
	static const struct {
		const struct game *game;
		int row, col;
		const char *name;
	} cases[] = {
		{ &down, 0, 0, "A1" }, { &down, 5, 6, "G6" }, { &up, 18, 0, "A1" },
		{ &up, 0, 18, "T19" }, { &up, 18, 8, "J1" },  { &up, 9, 7, "H10" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[SQUARE_TEXT_MAX];
		square_format(cases[i].game, cases[i].row, cases[i].col, text);
		ck_assert_str_eq(text, cases[i].name);
	}
}
END_TEST

START_TEST(what_is_no_square)
{
	static const struct game down = { .board = { .rows = 6, .cols = 7 } };
	static const struct game up = {
		.board = { .rows = 19, .cols = 19, .goes_up = true, .skips_i = true }
	};
	static const char *const off_down[] = { "",   "a",   "1",   "a0", "a01", "a7",
						"h1", "a10", "a-1", "@1", "[1" };
	static const char *const off_up[] = { "i1", "u1", "a20", "a0", "a100", "a191", "z9" };
	int row, col;
	for (size_t i = 0; i < sizeof off_down / sizeof *off_down; i++)
		ck_assert_ptr_null(square_parse(&down, off_down[i], &row, &col));
	for (size_t i = 0; i < sizeof off_up / sizeof *off_up; i++)
		ck_assert_ptr_null(square_parse(&up, off_up[i], &row, &col));
}
END_TEST

/* Other names for the same squares, there and back; a column I where the letters skip it is no square. */
START_TEST(other_names)
{
	static const struct game own = { .board = { .rows = 11, .cols = 11 } };
	static const struct game go = { .board = { .rows = 11, .cols = 11, .skips_i = true } };
	static const struct game up = {
		.board = { .rows = 11, .cols = 11, .skips_i = true, .goes_up = true }
	};
	static const struct {
		const struct game *from, *to;
		const char *text, *expected;
	} rows[] = {
		{ &own, &go, "H1", "H1" },     { &own, &go, "i11", "J11" },
		{ &own, &go, "J3K4", "K3L4" }, { &go, &own, "j11", "I11" },
		{ &go, &own, "i11", "?11" },   { &go, &own, "M1", "?1" },
		{ &own, &up, "K1", "L11" },    { &up, &own, "L11", "K1" },
		{ &own, &up, "PASS", "PASS" }, { &go, &own, "SWAP-PIECES", "SWAP-PIECES" },
		{ &own, &own, "i99", "i99" },  { &own, &up, "A1B1C1D1E1", "A11B11C11D11E11" },
		{ &own, &go, "", "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[MOVE_TEXT_MAX];
		square_rename(rows[i].from, rows[i].to, rows[i].text, text);
		ck_assert_str_eq(text, rows[i].expected);
	}
	/* A text that grows too long is cut. */
	char text[MOVE_TEXT_MAX], grows[MOVE_TEXT_MAX] = "";
	while (strlen(grows) + 2 < MOVE_TEXT_MAX)
		strcat(grows, "A1");
	square_rename(&own, &up, grows, text);
	ck_assert_uint_eq(strlen(text), MOVE_TEXT_MAX - 1);
}
END_TEST

/* The neighbours of a square are those one step away, and they are mutual. */
START_TEST(neighbors)
{
	for (int g = 0; games[g]; g++) {
		int cols = games[g]->board.cols, count = games[g]->board.rows * cols;
		for (int a = 0; a < count; a++) {
			int next[4], sides = square_neighbors(games[g], a, next), found = 0;
			for (int b = 0; b < count; b++) {
				int away = abs(a / cols - b / cols) + abs(a % cols - b % cols);
				bool is_next = false;
				for (int i = 0; i < sides; i++)
					is_next |= next[i] == b;
				if (is_next != (away == 1))
					ck_abort_msg("%s: %d and %d", games[g]->name, a, b);
				found += is_next;
			}
			if (found != sides)
				ck_abort_msg("%s: a neighbour of %d twice", games[g]->name, a);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("square");
	TCase *cases = tcase_create("square");
	tcase_add_test(suite_native_case(suite), every_square_round_trips);
	tcase_add_test(cases, names);
	tcase_add_test(cases, what_is_no_square);
	tcase_add_test(cases, other_names);
	tcase_add_test(cases, neighbors);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
