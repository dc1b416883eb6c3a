/* SPDX-License-Identifier: MIT
 *
 * The choice of a kernel, and the signature of the searches: with every kernel that this processor supports
 * it must equal the line of tests/engine/signature. After an intended change of the searches, update that
 * line with
 *
 *     make yomi && ./yomi bench --signature >tests/engine/signature
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/search/signature.h"
#include "tests/suite.h"

#define FILE_NAME "tests/engine/signature"

/* Signature of each kernel; empty on failure. */
static char lines[KERNELS][SIGNATURE_MAX];

/* Tables are built for one kernel only, so each kernel gets its own process, forked before this one has
 * tables. */
static void sign(enum kernel k)
{
	char why[REASON_MAX];
	int ends[2];
	if (pipe(ends) != 0)
		abort();
	pid_t child = fork();
	if (child == 0) {
		bool good = kernel_choose(k) && kernel_used() == k;
		games_init();
		good = good && signature_find(games, lines[k], why) &&
		       write(ends[1], lines[k], SIGNATURE_MAX) == SIGNATURE_MAX;
		_exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	int status;
	close(ends[1]);
	if (child < 0 || read(ends[0], lines[k], SIGNATURE_MAX) != SIGNATURE_MAX ||
	    waitpid(child, &status, 0) != child || status != 0)
		lines[k][0] = '\0';
	close(ends[0]);
}

static void sign_all(void)
{
	for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
		sign(k);
}

START_TEST(signature)
{
	char wanted[SIGNATURE_MAX] = "";
	/* With less memory searches differ from the file, but are equal with all kernels. */
	if (MEMORY_UNIT == (size_t)1 << 20) {
		FILE *f = fopen(FILE_NAME, "re");
		ck_assert_msg(f && fgets(wanted, sizeof wanted, f), "cannot read " FILE_NAME);
		fclose(f);
		wanted[strcspn(wanted, "\n")] = '\0';
	} else {
		strcpy(wanted, lines[KERNEL_PORTABLE]);
	}
	ck_assert_int_eq(strncmp(wanted, "signature ", 10), 0);
	for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
		ck_assert_msg(strcmp(lines[k], wanted) == 0,
			      "with the kernel %s it is\n%s\nand not\n%s\nIf searches were changed "
			      "on purpose, run: ./yomi bench --signature >" FILE_NAME,
			      kernel_names[k], lines[k], wanted);
}
END_TEST

START_TEST(choice)
{
	ck_assert_uint_eq(kernel_used(), kernel_best());
	for (enum kernel k = KERNEL_PORTABLE; k < KERNELS; k++) {
		enum kernel before = kernel_used();
		bool can = k <= kernel_best();
		ck_assert_int_eq(kernel_choose(k), can);
		ck_assert_uint_eq(kernel_used(), can ? k : before);
	}
	ck_assert(kernel_choose(KERNEL_AUTO));
	ck_assert_uint_eq(kernel_used(), kernel_best());
	ck_assert_ptr_null(kernel_names[KERNELS]);
}
END_TEST

int main(void)
{
	/* Before suite_run() makes the tables; not if the test is left out. */
	if (!getenv("CK_EXCLUDE_TAGS"))
		sign_all();
	Suite *suite = suite_create("kernel");
	TCase *cases = tcase_create("kernel"), *native = suite_native_case(suite);
	tcase_add_test(native, signature);
	tcase_add_test(cases, choice);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
