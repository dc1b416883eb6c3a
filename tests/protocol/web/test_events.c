/* SPDX-License-Identifier: MIT
 *
 * Answers as server-sent events: one line of data each, in JSON and valid UTF-8 for any bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/utf8.h"
#include "protocol/gtp/gtp.h"
#include "protocol/web/events.h"
#include "tests/suite.h"

static void check(char *event, const char *wanted)
{
	ck_assert_str_eq(event, wanted);
	free(event);
}

START_TEST(answers)
{
	check(events_answer(true, 12, "D3"),
	      "event: answer\ndata: {\"id\":12,\"ok\":true,\"text\":\"D3\"}\n\n");
	check(events_answer(false, GTP_ID_NONE, "illegal move"),
	      "event: answer\ndata: {\"id\":null,\"ok\":false,\"text\":\"illegal move\"}\n\n");
	check(events_answer(true, 0, ""),
	      "event: answer\ndata: {\"id\":0,\"ok\":true,\"text\":\"\"}\n\n");
	check(events_answer(true, 1, "\n\n  A\n\n 1\t.\n"),
	      "event: answer\ndata: {\"id\":1,\"ok\":true,\"text\":\"  A\\n\\n 1\\t.\"}\n\n");
	check(events_answer(true, 1, "\"\\\r\x1b"),
	      "event: answer\ndata: {\"id\":1,\"ok\":true,\"text\":\"\\\"\\\\\\r\\u001B\"}\n\n");
}
END_TEST

START_TEST(lines)
{
	check(events_lines(3, "{\"a\":1}\n"),
	      "event: line\ndata: {\"id\":3,\"text\":\"{\\\"a\\\":1}\"}\n\n");
	check(events_lines(3, "a\n\nb"), "event: line\ndata: {\"id\":3,\"text\":\"a\"}\n\n"
					 "event: line\ndata: {\"id\":3,\"text\":\"b\"}\n\n");
	check(events_lines(3, ""), "");
	check(events_lines(3, "\n"), "");
}
END_TEST

#define R "\xef\xbf\xbd"

/* First and last characters of each length, their neighbours out of range, and truncated characters. */
static const struct {
	const char *bytes, *text;
} texts[] = {
	{ "\x7f", "\x7f" },
	{ "\xc2\x80", "\xc2\x80" },
	{ "\xdf\xbf", "\xdf\xbf" },
	{ "\xe0\xa0\x80", "\xe0\xa0\x80" },
	{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
	{ "\xee\x80\x80", "\xee\x80\x80" },
	{ "\xef\xbf\xbf", "\xef\xbf\xbf" },
	{ "\xf0\x90\x80\x80", "\xf0\x90\x80\x80" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
	{ "\x80", R },
	{ "\xc1\xbf", R R },
	{ "\xe0\x9f\xbf", R R R },
	{ "\xed\xa0\x80", R R R },
	{ "\xf0\x8f\xbf\xbf", R R R R },
	{ "\xf4\x90\x80\x80", R R R R },
	{ "\xf5\x80", R R },
	{ "\xff", R },
	{ "\xe3\x81", R R },
	{ "\xf0\x9f\x98", R R R },
	{ "\xe3\x81z", R R "z" },
	{ "a\xc3", "a" R },
	{ "\xe8\xaa\xad\xe3", "\xe8\xaa\xad" R },
};

START_TEST(utf8)
{
	char wanted[128];
	snprintf(wanted, sizeof wanted, "event: line\ndata: {\"id\":1,\"text\":\"%s\"}\n\n",
		 texts[_i].text);
	check(events_lines(1, texts[_i].bytes), wanted);
}
END_TEST

START_TEST(latin_1)
{
	char *text = utf8_convert("M\xfcller \xe9");
	ck_assert_str_eq(text, "M\xc3\xbcller \xc3\xa9");
	free(text);
	text = utf8_convert("M\xc3\xbcller");
	ck_assert_str_eq(text, "M\xc3\xbcller");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("events");
	TCase *cases = tcase_create("events");
	tcase_add_test(cases, answers);
	tcase_add_test(cases, lines);
	tcase_add_test(cases, latin_1);
	tcase_add_loop_test(cases, utf8, 0, sizeof texts / sizeof texts[0]);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
