/* SPDX-License-Identifier: MIT
 *
 * The text of GTP: cleaning, words and ids, numbers, the frame of an answer.
 */
#include "protocol/gtp/gtp.h"

#include <string.h>

#include "tests/rectangle.h"
#include "tests/suite.h"

static char buffer[256];

/* Cleans a copy of `length` bytes, which may hold NULs, in `buffer`. */
static enum line_kind clean_bytes(const char *bytes, size_t length)
{
	memcpy(buffer, bytes, length);
	buffer[length] = 'x'; /* the byte after the line is overwritten, not read */
	return gtp_clean(buffer, length);
}

static enum line_kind clean(const char *line)
{
	return clean_bytes(line, strlen(line));
}

START_TEST(lines_are_cleaned)
{
	static const struct {
		const char *line, *clean;
	} rows[] = {
		{ "name", "name" },
		{ "\t 3\tname\t", "  3 name" },
		{ "name\r", "name" },
		{ "na\x01me\x7f", "name" },
		{ "\x1b\x02 4 name", " 4 name" },
		{ "17 name # comment", "17 name " },
		{ "18 name#comment # more", "18 name" },
		{ "19 20 # comment", "19 20 " },
		{ "21", "21" },
		{ "echo caf\xc3\xa9", "echo caf\xc3\xa9" },
		{ "\xef\xbb\xbf"
		  "1 name\r",
		  "1 name" },
		{ "\xef\xbb", "\xef\xbb" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_int_eq(clean(rows[i].line), LINE_COMMAND);
		ck_assert_str_eq(buffer, rows[i].clean);
	}
	ck_assert_int_eq(clean_bytes("na\0me\0", 6), LINE_COMMAND);
	ck_assert_str_eq(buffer, "name");
}
END_TEST

START_TEST(lines_without_command)
{
	static const char *const blank[] = {
		"",
		"   ",
		"\t",
		"\r",
		"# hello",
		"   # x",
		"#",
		"\x01\x02",
		"\xef\xbb\xbf",
		"\xef\xbb\xbf# x",
		"# interrupt now",
		"#interrupter",
		"12 # hello",
		" 12# interrupt",
	};
	for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++)
		ck_assert_int_eq(clean(blank[i]), LINE_BLANK);
	ck_assert_int_eq(clean_bytes("\0\0", 2), LINE_BLANK);
	ck_assert_int_eq(clean("# interrupt"), LINE_INTERRUPT);
	ck_assert_int_eq(clean(" #\tinterrupt \r"), LINE_INTERRUPT);
	ck_assert_int_eq(clean("name # interrupt"), LINE_COMMAND);
}
END_TEST

START_TEST(ids_and_words)
{
	static const struct {
		const char *line;
		int id, count;
		const char *first;
	} rows[] = {
		{ "name", GTP_ID_NONE, 1, "name" },
		{ "  3   name   ", 3, 1, "name" },
		{ "0 play b d3", 0, 3, "play" },
		{ "2147483647 name", 2147483647, 1, "name" },
		{ "2147483648 name", GTP_ID_NONE, 2, "2147483648" },
		{ "99999999999999999999 name", GTP_ID_NONE, 2, "99999999999999999999" },
		{ "-1 name", GTP_ID_NONE, 2, "-1" },
		{ "12", 12, 0, NULL },
		{ "7 8 9", 7, 2, "8" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gtp_command c;
		strcpy(buffer, rows[i].line);
		gtp_parse(&c, buffer);
		ck_assert_int_eq(c.id, rows[i].id);
		ck_assert_int_eq(c.count, rows[i].count);
		if (rows[i].first)
			ck_assert_str_eq(c.words[0], rows[i].first);
		gtp_command_free(&c);
	}
}
END_TEST

START_TEST(answers_are_framed)
{
	static const struct {
		bool success;
		int id;
		const char *text, *answer;
	} rows[] = {
		{ true, GTP_ID_NONE, "2", "= 2\n\n" },
		{ true, 17, "2", "=17 2\n\n" },
		{ true, GTP_ID_NONE, "", "=\n\n" },
		{ true, 0, "", "=0\n\n" },
		{ false, 2147483647, "unknown command", "?2147483647 unknown command\n\n" },
		{ true, GTP_ID_NONE, "a\nb\n", "= a\nb\n\n" },
		{ true, GTP_ID_NONE, "\n a\n\n\nb\n\n", "= \n a\nb\n\n" },
		{ true, GTP_ID_NONE, "a\rb\x01\tc\x7f", "= ab\tc\n\n" },
		{ true, GTP_ID_NONE, "\n\r\n", "= \n\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *answer = gtp_answer(rows[i].success, rows[i].id, rows[i].text);
		ck_assert_str_eq(answer, rows[i].answer);
		free(answer);
	}
}
END_TEST

START_TEST(numbers_and_colors)
{
	static const char *const no_ints[] = { "",   "-1", "+1", "1.5",
					       "x8", "8x", " 8", "99999999999999999999" };
	static const char *const no_reals[] = { "",     "nan", "inf", "1e999", "0x10",
						"1.5x", "-",   "e5",  "1e",    "infinity" };
	int n;
	double x;
	ck_assert(line_int("2147483647", &n) && n == 2147483647);
	ck_assert(line_int("007", &n) && n == 7);
	ck_assert(line_real("-3", &x) && x == -3);
	ck_assert(line_real("1.25", &x) && x == 1.25);
	ck_assert(line_real("1e3", &x) && x == 1000);
	for (size_t i = 0; i < sizeof no_ints / sizeof no_ints[0]; i++)
		ck_assert_msg(!line_int(no_ints[i], &n), "'%s'", no_ints[i]);
	for (size_t i = 0; i < sizeof no_reals / sizeof no_reals[0]; i++)
		ck_assert_msg(!line_real(no_reals[i], &x), "'%s'", no_reals[i]);
	ck_assert(line_color("b", &n) && n == BLACK);
	ck_assert(line_color("BLACK", &n) && n == BLACK);
	ck_assert(line_color("White", &n) && n == WHITE);
	ck_assert(line_color("W", &n) && n == WHITE);
	ck_assert(!line_color("blue", &n) && !line_color("", &n) && !line_color("bl", &n));
}
END_TEST

START_TEST(sizes)
{
	char text[GTP_SIZE_MAX];
	gtp_size(&game_othello, text);
	ck_assert_str_eq(text, "8");
	gtp_size(&rectangle, text);
	ck_assert_str_eq(text, "4 2");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gtp");
	TCase *cases = tcase_create("gtp");
	tcase_add_test(cases, lines_are_cleaned);
	tcase_add_test(cases, lines_without_command);
	tcase_add_test(cases, ids_and_words);
	tcase_add_test(cases, answers_are_framed);
	tcase_add_test(cases, numbers_and_colors);
	tcase_add_test(cases, sizes);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
