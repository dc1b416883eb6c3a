/* SPDX-License-Identifier: MIT */
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "tests/suite.h"

START_TEST(entropy)
{
	unsigned char a[256] = { 0 }, b[256] = { 0 };
	system_entropy(a, sizeof a);
	system_entropy(b, sizeof b);
	ck_assert_mem_ne(a, b, sizeof a);
	ck_assert_mem_ne(a, a + 128, 128);
}
END_TEST

START_TEST(resources)
{
	size_t size = (size_t)64 << 20;
	ck_assert_int_ge(system_processors(), 1);
	uint64_t before = system_peak_memory();
	ck_assert_uint_gt(before, 1 << 20);
	char *block = block_create(size);
	ck_assert_ptr_nonnull(block);
	memset(block, 1, size);
	ck_assert_uint_ge(system_peak_memory(), before + size / 2);
	/* A cleared block is zeroed, whether the system gets its memory back or not. */
	for (size_t used = size; used >= 1 << 20; used /= 4) {
		block_clear(block, size, used);
		for (size_t i = 0; i < used; i += 4000)
			ck_assert_int_eq(block[i], 0);
		memset(block, 1, used);
	}
	block_destroy(block, size);
	block_destroy(NULL, size);
}
END_TEST

START_TEST(program)
{
	char *path = system_program_path();
	ck_assert_str_eq(system_program(), "test_system");
	ck_assert(path_is_absolute(path));
	ck_assert_str_eq(path_last(path), "test_system");
	free(path);
}
END_TEST

static void expect_folder(enum system_folder folder, const char *expected)
{
	char *path = system_folder(folder);
	if (expected)
		ck_assert_str_eq(path, expected);
	else
		ck_assert_ptr_null(path);
	free(path);
}

START_TEST(folders)
{
	static const char *const variables[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME",
						 "XDG_STATE_HOME" };
	static const char *const at_home[] = { "/home/ann/.config/yomi",
					       "/home/ann/.local/share/yomi",
					       "/home/ann/.local/state/yomi" };
	enum system_folder folder = (enum system_folder)_i;
	setenv("HOME", "/home/ann", 1);
	ck_assert_str_eq(system_home(), "/home/ann");
	setenv(variables[folder], "/data", 1);
	expect_folder(folder, "/data/yomi");
	setenv(variables[folder], "data", 1);
	expect_folder(folder, at_home[folder]);
	setenv(variables[folder], "", 1);
	expect_folder(folder, at_home[folder]);
	unsetenv(variables[folder]);
	expect_folder(folder, at_home[folder]);
	setenv("HOME", "", 1);
	ck_assert_ptr_null(system_home());
	expect_folder(folder, NULL);
	unsetenv("HOME");
	expect_folder(folder, NULL);
}
END_TEST

START_TEST(paths)
{
	ck_assert(path_is_absolute("/"));
	ck_assert(!path_is_absolute(""));
	ck_assert(!path_is_absolute("a/b"));
	ck_assert_str_eq(path_last("/a/b.c"), "b.c");
	ck_assert_str_eq(path_last("a"), "a");
	ck_assert_str_eq(path_last("a/"), "");
	ck_assert_str_eq(path_last(""), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("system");
	TCase *cases = tcase_create("system"), *posix = suite_posix_case(suite);
	tcase_add_test(cases, entropy);
	tcase_add_test(cases, resources);
	tcase_add_test(posix, program);
	tcase_add_loop_test(posix, folders, 0, 3);
	tcase_add_test(posix, paths);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
