/* SPDX-License-Identifier: MIT
 *
 * Config files: their lines, where they are searched for, and suggestions for mistyped names.
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/rng.h"
#include "engine/base/suggestion.h"
#include "protocol/program/config.h"
#include "tests/suite.h"

struct heard {
	char text[256];
	const char *refused; /* a name that is refused, or NULL */
};

static bool hear(void *arg, const char *name, const char *value)
{
	struct heard *h = arg;
	size_t n = strlen(h->text);
	snprintf(h->text + n, sizeof h->text - n, "%s=%s;", name, value);
	return !h->refused || strcmp(name, h->refused) != 0;
}

static const struct {
	const char *text, *heard;
	int line; /* line with an error; 0: none */
} files[] = {
	{ "", "", 0 },
	{ "\n\n \t\n", "", 0 },
	{ "a = 1\nb=2", "a=1;b=2;", 0 },
	{ "  a\t=\t1  \r\n", "a=1;", 0 },
	{ "# a = 1\n\t# b = 2\na = 3 # why\n", "a=3;", 0 },
	{ "a = x#1\na = #1\na=1\t#2\n", "a=x#1;a=;a=1;", 0 },
	{ "a = b = c\na =   two words \n", "a=b = c;a=two words;", 0 },
	{ "a =\n", "a=;", 0 },
	{ "a = 1\n\nb\n", "a=1;", 3 },
	{ "= 1\n", "", 1 },
	{ "a = 1 \n # \n = \nb = 1", "a=1;", 3 },
	{ "a = 1\nno = 2\nb = 3\n", "a=1;no=2;", 2 },
	{ "\xef\xbb\xbf"
	  "a = 1\n",
	  "a=1;", 0 },
};

START_TEST(lines)
{
	struct heard h = { .refused = "no" };
	const char *why;
	int line;
	char *text = strdup(files[_i].text);
	bool good = config_parse(text, strlen(text), &line, &why, hear, &h);
	ck_assert_str_eq(h.text, files[_i].heard);
	ck_assert_int_eq(good, files[_i].line == 0);
	if (!good)
		ck_assert_int_eq(line, files[_i].line);
	/* Who has refused knows why. */
	ck_assert_int_eq(why != NULL, !good && !strstr(files[_i].heard, "no="));
	free(text);
}
END_TEST

START_TEST(no_text)
{
	char text[] = "a = 1\nb = \0 2\nc = 3\n";
	struct heard h = { 0 };
	const char *why;
	int line;
	ck_assert(!config_parse(text, sizeof text - 1, &line, &why, hear, &h));
	ck_assert_str_eq(h.text, "a=1;");
	ck_assert_int_eq(line, 2);
	ck_assert_ptr_nonnull(why);
}
END_TEST

static void check_trimmed(const char *text)
{
	static const char blanks[] = " \t\r\n";
	size_t n = strlen(text);
	ck_assert(!n || (!strchr(blanks, text[0]) && !strchr(blanks, text[n - 1])));
	ck_assert_ptr_null(strchr(text, '\n'));
	ck_assert_int_ne(text[0], '#');
}

static bool check_pair(void *arg, const char *name, const char *value)
{
	(void)arg;
	check_trimmed(name);
	check_trimmed(value);
	ck_assert_ptr_null(strchr(name, '='));
	return true;
}

START_TEST(arbitrary_bytes)
{
	static const char letters[] = "ab=#\n\n \t\r";
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 20000; i++) {
		char text[65];
		const char *why;
		int line;
		size_t length = rng_below(&rng, sizeof text);
		for (size_t j = 0; j < length; j++)
			text[j] = letters[rng_below(&rng, sizeof letters)];
		text[length] = '\0';
		config_parse(text, length, &line, &why, check_pair, NULL);
	}
}
END_TEST

START_TEST(places)
{
	static const struct {
		const char *xdg, *home, *path;
	} cases[] = {
		{ "/x", "/h", "/x/yomi/config" },
		{ NULL, "/h", "/h/.config/yomi/config" },
		{ "", "/h", "/h/.config/yomi/config" },
		{ "rel", "/h", "/h/.config/yomi/config" },
		{ NULL, NULL, NULL },
		{ "rel", "", NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsetenv("XDG_CONFIG_HOME");
		unsetenv("HOME");
		if (cases[i].xdg)
			setenv("XDG_CONFIG_HOME", cases[i].xdg, 1);
		if (cases[i].home)
			setenv("HOME", cases[i].home, 1);
		char *path = config_path();
		if (cases[i].path)
			ck_assert_str_eq(path, cases[i].path);
		else
			ck_assert_ptr_null(path);
		free(path);
	}
}
END_TEST

START_TEST(near_misses)
{
	static const char *const names[] = { "threads",    "time", "game", "gtp",
					     "early_stop", "seed", NULL };
	static const struct {
		const char *word, *meant;
	} cases[] = {
		{ "thread", "threads" },
		{ "thraeds", "threads" },
		{ "tmie", "time" },
		{ "early-stop", "early_stop" },
		{ "early", "early_stop" },
		{ "gmae", "game" },
		{ "gt", "gtp" },
		{ "sead", "seed" },
		{ "x", NULL },
		{ "", NULL },
		{ "playouts", NULL },
		{ "seldom", NULL },
		{ "threadsthreadsthreadsthreadsthreadsthreads", NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct suggestion guess;
		suggestion_begin(&guess, cases[i].word);
		for (int j = 0; names[j]; j++)
			suggestion_consider(&guess, names[j]);
		if (cases[i].meant)
			ck_assert_str_eq(guess.best, cases[i].meant);
		else
			ck_assert_msg(!guess.best, "%s: %s", cases[i].word, guess.best);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("config");
	TCase *cases = tcase_create("config");
	tcase_add_loop_test(cases, lines, 0, sizeof files / sizeof files[0]);
	tcase_add_test(cases, no_text);
	tcase_add_test(cases, arbitrary_bytes);
	tcase_add_test(cases, places);
	tcase_add_test(cases, near_misses);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
