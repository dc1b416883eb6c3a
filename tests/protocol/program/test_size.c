/* SPDX-License-Identifier: MIT
 *
 * Sizes of boards as text, and the sizes of each game.
 */
#include <string.h>

#include "games/games.h"
#include "protocol/program/size.h"
#include "tests/rectangle.h"
#include "tests/suite.h"

static const struct {
	const char *text;
	int cols, rows; /* 0: malformed */
} texts[] = {
	{ "8", 8, 8 },     { "19", 19, 19 },
	{ "7x6", 7, 6 },   { "7X6", 7, 6 },
	{ "9x9", 9, 9 },   { "0", 0, 0 },
	{ "", 0, 0 },      { "x", 0, 0 },
	{ "8x", 0, 0 },    { "x8", 0, 0 },
	{ "8x8x8", 0, 0 }, { "8 8", 0, 0 },
	{ "-8", 0, 0 },    { "8.0", 0, 0 },
	{ "eight", 0, 0 }, { "000000000000000000000000000000000000000000008", 0, 0 },
};

START_TEST(sizes_are_read)
{
	int cols = 0, rows = 0;
	bool good = size_parse(texts[_i].text, &cols, &rows);
	if (texts[_i].cols || strcmp(texts[_i].text, "0") == 0)
		ck_assert(good && cols == texts[_i].cols && rows == texts[_i].rows);
	else
		ck_assert(!good);
}
END_TEST

START_TEST(sizes_are_written)
{
	char text[SIZE_TEXT_MAX];
	size_format(&game_othello, text);
	ck_assert_str_eq(text, "8");
	size_format(&rectangle, text);
	ck_assert_str_eq(text, "4x2");
}
END_TEST

/* Every game is one of its own sizes, the first of which is the default. What is written can be read. */
START_TEST(sizes_of_each_game)
{
	const struct game *g = games[_i], *other;
	char text[SIZE_TEXT_MAX];
	int cols, rows, found = 0, i = 0;
	for (; (other = size_at(g, i)); i++) {
		found += other == g;
		ck_assert_str_eq(other->name, g->name);
		ck_assert_str_eq(other->rules, g->rules);
		size_format(other, text);
		ck_assert(size_parse(text, &cols, &rows));
		ck_assert_ptr_eq(game_sized(g, rows, cols), other);
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
