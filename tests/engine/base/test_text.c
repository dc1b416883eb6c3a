/* SPDX-License-Identifier: MIT */
#include "engine/base/text.h"
#include "tests/suite.h"

static struct text text;

static void expect(const char *bytes)
{
	ck_assert_str_eq(text.bytes, bytes);
	ck_assert_uint_eq(text.length, strlen(bytes));
	ck_assert_uint_lt(text.length, text.room);
}

static void teardown(void)
{
	text_free(&text);
	ck_assert_ptr_null(text.bytes);
	ck_assert_uint_eq(text.length + text.room, 0);
}

START_TEST(parts)
{
	text_puts(&text, "");
	expect("");
	text_puts(&text, "ab");
	text_putc(&text, 'c');
	text_write(&text, "def", 2);
	text_printf(&text, "%d%s", 5, "");
	expect("abcde5");
	text_clear(&text);
	expect("");
	text_printf(&text, "%s", "again");
	expect("again");
}
END_TEST

/* Writes lines of each length at each length of the text, so that some just fit and some just do not. */
START_TEST(growth)
{
	char line[301], all[sizeof line * sizeof line];
	size_t length = 0;
	memset(line, 'x', sizeof line);
	for (int n = 0; n < (int)sizeof line; n++) {
		text_printf(&text, "%.*s", n, line);
		memset(all + length, 'x', (size_t)n);
		all[length += (size_t)n] = '\0';
		expect(all);
	}
	text_free(&text);
	for (int n = 0; n < (int)sizeof line; n++) {
		text_free(&text);
		text_write(&text, line, (size_t)n);
		text_printf(&text, "%.*s", _i, line);
		ck_assert_uint_eq(text.length, (size_t)(n + _i));
		ck_assert_uint_eq(strspn(text.bytes, "x"), text.length);
	}
}
END_TEST

START_TEST(lines)
{
	static const char bytes[] = "one\n\ntw\0o\nthree";
	FILE *f = tmpfile();
	ck_assert(f && fwrite(bytes, sizeof bytes - 1, 1, f) == 1);
	rewind(f);
	ck_assert(text_read_line(&text, f));
	expect("one\n");
	ck_assert(text_read_line(&text, f));
	expect("\n");
	ck_assert(text_read_line(&text, f));
	ck_assert_uint_eq(text.length, 5);
	ck_assert_mem_eq(text.bytes, "tw\0o\n", 6);
	ck_assert(text_read_line(&text, f));
	expect("three");
	ck_assert(!text_read_line(&text, f));
	fclose(f);
}
END_TEST

START_TEST(strings)
{
	char bytes[] = "a b,c ", *rest = bytes;
	ck_assert_str_eq(text_cut(&rest, ", "), "a");
	ck_assert_str_eq(text_cut(&rest, ", "), "b");
	ck_assert_str_eq(text_cut(&rest, ","), "c ");
	ck_assert_ptr_null(text_cut(&rest, ","));
	ck_assert(text_has_part("FoxwQ", "foxwq"));
	ck_assert(text_has_part("a LittleGolem b", "littlegolem"));
	ck_assert(!text_has_part("littlegole", "littlegolem"));
	ck_assert(!text_has_part("", "a"));
}
END_TEST

START_TEST(nul_bytes)
{
	text_write(&text, "a\0b", 3);
	text_putc(&text, '\0');
	text_puts(&text, "c");
	ck_assert_uint_eq(text.length, 5);
	ck_assert_mem_eq(text.bytes, "a\0b\0c", 6);
}
END_TEST

START_TEST(ends)
{
	char *taken = text_take(&text), read[8] = "";
	ck_assert_str_eq(taken, "");
	free(taken);
	text_puts(&text, "taken");
	taken = text_take(&text);
	ck_assert_str_eq(taken, "taken");
	ck_assert_ptr_null(text.bytes);
	free(taken);

	FILE *f = tmpfile();
	ck_assert_ptr_nonnull(f);
	text_send(&text, f);
	text_puts(&text, "sent");
	text_send(&text, f);
	ck_assert_ptr_null(text.bytes);
	rewind(f);
	ck_assert_uint_eq(fread(read, 1, sizeof read - 1, f), 4);
	ck_assert_str_eq(read, "sent");
	fclose(f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *cases = tcase_create("text");
	tcase_add_checked_fixture(cases, NULL, teardown);
	tcase_add_test(cases, parts);
	tcase_add_loop_test(cases, growth, 0, 130);
	tcase_add_test(cases, lines);
	tcase_add_test(cases, strings);
	tcase_add_test(cases, nul_bytes);
	tcase_add_test(cases, ends);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
