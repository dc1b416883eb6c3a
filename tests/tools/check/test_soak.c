/* SPDX-License-Identifier: MIT
 *
 * The soak tool: a few games without errors, and faulty engines that it must notice. Times are not checked.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/folder.h"

#define GAMES "--seed=3 --time=2 --late=1000000 --growth=0 "

/* Runs the tool with arguments for the shell. Returns its exit status. Its output goes to $D/out. */
static int soak(const char *arguments)
{
	char command[256];
	snprintf(command, sizeof command, "exec $YOMI_BUILD/tools/soak %s >$D/out 2>&1", arguments);
	int status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool says(const char *text)
{
	setenv("T", text, 1);
	return system("grep -qF -- \"$T\" $D/out") == 0;
}

START_TEST(all_is_well)
{
	ck_assert_int_eq(soak(GAMES "--games=8 $YOMI"), 0);
	ck_assert(says("10 passed, 0 failed"));
	ck_assert(says("8 games in"));
}
END_TEST

/* Filters for the answers of the real program over pipes, and the expected messages. The program keeps the process id of the
 * filter's shell, which gogui-sigint tells. */
static const struct {
	const char *filter, *said;
} wrong[] = {
	{ "s/^\\(=[0-9]* [XO.]*\\) X$/\\1 O/", " O' instead of '" },    /* the side to move */
	{ "s/^\\(=[0-9]* 2\\)$/\\10/", "'20' instead of '2'" },         /* an answer of a flood */
	{ "s/^=\\([0-9]*\\)7/=\\18/", "instead of an answer =" },       /* a number */
	{ "s/^\\(=[0-9]* \\)[A-F][1-6]\\([S-Z]*\\)$/\\1A9\\2/", "A9" }, /* a move */
	{ "/^=[0-9]* [BW]+/s/+/+1/", "instead of '" },                  /* a score */
};

START_TEST(wrong_answers)
{
	char path[128];
	snprintf(path, sizeof path, "%s/engine", folder);
	FILE *f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	fprintf(f,
		"#!/bin/sh\ncase $* in *--listen*) exec $YOMI \"$@\" ;; esac\n"
		"mkfifo $D/pipe.$$; sed -u '%s' <$D/pipe.$$ & exec $YOMI \"$@\" >$D/pipe.$$\n",
		wrong[_i].filter);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(chmod(path, 0700), 0);
	ck_assert_int_eq(soak(GAMES "--games=4 $D/engine"), 1);
	ck_assert_msg(says(wrong[_i].said), "'%s' is not said", wrong[_i].said);
	ck_assert(!says(" 0 failed"));
}
END_TEST

START_TEST(engines_that_are_none)
{
	ck_assert_int_eq(soak(GAMES "$D/no_such"), 2);
	ck_assert_int_eq(soak(GAMES "/bin/true"), 2);
}
END_TEST

START_TEST(mistakes)
{
	static const char *const rows[] = { "--games", "--games=x", "--time=0", "--no_such=1",
					    "a b" };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_int_eq(soak(rows[i]), 2);
		ck_assert(says("see soak --help"));
	}
	ck_assert_int_eq(soak("--help"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("soak");
	TCase *cases = tcase_create("soak"), *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_checked_fixture(native, folder_create, folder_remove);
	/* `make soak` plays with a sanitized engine. */
	tcase_add_test(native, all_is_well);
	tcase_add_loop_test(native, wrong_answers, 0, sizeof wrong / sizeof wrong[0]);
	tcase_add_test(cases, engines_that_are_none);
	tcase_add_test(cases, mistakes);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
