/* SPDX-License-Identifier: MIT
 *
 * Sizes of boards as text, and the sizes of each game.
 */
#include <string.h>

#include "games/games.h"
#include "protocol/session/size.h"
#include "tests/rectangle.h"
#include "tests/suite.h"

static const struct {
	const struct game *game;
	const char *text;
	int cols, rows; /* 0: there is no such size, -1: the text is malformed */
} texts[] = {
	{ &game_othello, "8", 8, 8 },
	{ &game_othello, "8x8", 8, 8 },
	{ &game_othello, "9", 0, 0 },
	{ &game_othello, "0", 0, 0 },
	{ &game_go, "19", 19, 19 },
	{ &game_go, "9X9", 9, 9 },
	{ &game_connectfour, "7x6", 7, 6 },
	{ &game_connectfour, "7", 0, 0 },
	{ &game_havannah, "8", 15, 15 },
	{ &game_havannah, "9", 17, 17 },
	{ &game_havannah, "9x9", 9, 9 },
	{ &game_havannah, "15", 0, 0 },
	{ &game_othello, "", -1, -1 },
	{ &game_othello, "x", -1, -1 },
	{ &game_othello, "8x", -1, -1 },
	{ &game_othello, "x8", -1, -1 },
	{ &game_othello, "8x8x8", -1, -1 },
	{ &game_othello, "8 8", -1, -1 },
	{ &game_othello, "-8", -1, -1 },
	{ &game_othello, "8.0", -1, -1 },
	{ &game_othello, "eight", -1, -1 },
	{ &game_othello, "000000000000000000000000000000000000000000008", -1, -1 },
};

START_TEST(sizes_are_read)
{
	const struct game *g = texts[_i].game;
	bool good = size_find(&g, texts[_i].text);
	ck_assert_int_eq(good, texts[_i].cols >= 0);
	if (good && texts[_i].cols == 0)
		ck_assert_ptr_null(g);
	else if (good)
		ck_assert(g && g->board.cols == texts[_i].cols && g->board.rows == texts[_i].rows);
}
END_TEST

START_TEST(sizes_are_written)
{
	char text[SIZE_TEXT_MAX];
	size_format(&game_othello, text);
	ck_assert_str_eq(text, "8");
	size_format(&rectangle, text);
	ck_assert_str_eq(text, "4x2");
	size_format(&game_havannah, text);
	ck_assert_str_eq(text, "8");
}
END_TEST

/* Every game is one of its own sizes, the first of which is the default. What is written can be read. */
START_TEST(sizes_of_each_game)
{
	const struct game *g = games[_i], *other;
	char text[SIZE_TEXT_MAX];
	int found = 0, i = 0;
	for (; (other = size_at(g, i)); i++) {
		found += other == g;
		ck_assert_str_eq(other->name, g->name);
		ck_assert_str_eq(other->rules, g->rules);
		size_format(other, text);
		const struct game *read = g;
		ck_assert(size_find(&read, text));
		ck_assert_ptr_eq(read, other);
	}
	ck_assert_int_eq(found, 1);
	ck_assert_int_eq(size_varies(g), i > 1);
	ck_assert_ptr_eq(size_at(g, 0), game_find(g->name, g->rules));
}
END_TEST

int main(void)
{
	int count = 0;
	while (games[count])
		count++;
	Suite *suite = suite_create("size");
	TCase *cases = tcase_create("size");
	tcase_add_loop_test(cases, sizes_are_read, 0, sizeof texts / sizeof texts[0]);
	tcase_add_test(cases, sizes_are_written);
	tcase_add_loop_test(cases, sizes_of_each_game, 0, count);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
