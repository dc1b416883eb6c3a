/* SPDX-License-Identifier: MIT
 *
 * Each test program is one Check suite: its main() returns suite_run() of it. Check prints the final line
 * and honours CK_FORK, CK_RUN_CASE, CK_EXCLUDE_TAGS and CK_VERBOSITY.
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/system.h"
#include "games/games.h"
#include "tests/assertion.h"

/* Sanitizers make programs slow and need more memory than ulimits would allow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

/* Adds a test case that `make` asan, tsan, tiny and valgrind skip: its tests repeat one thing so often that they would take
 * minutes while other tests cover the same code, they play whole games to measure strength, or they measure the memory of the
 * process. */
static inline TCase *suite_native_case(Suite *suite)
{
	TCase *cases = tcase_create("native");
	tcase_set_tags(cases, "native");
	suite_add_tcase(suite, cases);
	return cases;
}

/* Adds a test case that `make tsan` skips: in its tests no threads meet that do not meet in others. */
static inline TCase *suite_alone_case(Suite *suite)
{
	TCase *cases = tcase_create("alone");
	tcase_set_tags(cases, "alone");
	suite_add_tcase(suite, cases);
	return cases;
}

/* Adds a test case that `make check-windows` skips: its tests need a system that is like POSIX. */
static inline TCase *suite_posix_case(Suite *suite)
{
	TCase *cases = tcase_create("posix");
	tcase_set_tags(cases, "posix");
	suite_add_tcase(suite, cases);
	return cases;
}

/* Returns true in `make long`, for tests that take minutes. */
static inline bool suite_is_long(void)
{
	return getenv("YOMI_LONG");
}

/* How often a test should repeat one thing: ten times as often in `make long`, a quarter as often under sanitizers and
 * valgrind, which make it slow. */
static inline int suite_times(int number)
{
	if (suite_is_long())
		return 10 * number;
	return IS_SANITIZED || getenv("YOMI_SLOW") ? (number + 3) / 4 : number;
}

/* Sets what `make check` sets, for a test program that is run alone: the folder of the programs, which is above this one's
 * `tests`, the time limit of a test, and that the user's own files are not read. */
__attribute__((constructor)) static void suite_set_up(void)
{
	char *path = system_program_path(), *end = path ? strstr(path, "/tests/") : NULL;
	setenv("CK_DEFAULT_TIMEOUT", "300", 0);
	if (end && !getenv("YOMI_BUILD")) {
		char yomi[PATH_MAX];
		*end = '\0';
		snprintf(yomi, sizeof yomi, "%s/yomi", path);
		setenv("YOMI_BUILD", path, 1);
		setenv("YOMI", yomi, 0);
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
		setenv("XDG_DATA_HOME", "/nonexistent", 1);
	}
	free(path);
}

static inline int suite_run(Suite *suite)
{
	games_init();
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
