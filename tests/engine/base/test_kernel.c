/* SPDX-License-Identifier: MIT
 *
 * The choice of a kernel, and the signatures of the games: with every kernel that this processor supports they must equal the
 * lines of tests/engine/signatures. After an intended change of a search, write the lines anew with
 *
 *     make yomi && ./yomi bench --signature >tests/engine/signatures
 *
 * A game without a line is only compared between the kernels.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/search/signature.h"
#include "tests/suite.h"

#define FILE_NAME "tests/engine/signatures"
#define ROWS      128

/* A line for each game, or an empty one where a search failed. */
struct signatures {
	char line[ROWS][SIGNATURE_MAX];
};

static struct signatures found[KERNELS];

static void sign_games(int out)
{
	static struct signatures s;
	char why[REASON_MAX];
	games_init();
	for (int i = 0; games[i] && i < ROWS; i++)
		if (!signature_find(games[i], s.line[i], why))
			s.line[i][0] = '\0';
	const char *bytes = (const char *)&s;
	for (size_t n = 0; n < sizeof s;) {
		ssize_t written = write(out, bytes + n, sizeof s - n);
		if (written <= 0)
			_exit(EXIT_FAILURE);
		n += (size_t)written;
	}
}

/* Tables are built for one kernel only, so each kernel gets its own process, forked before this one has
 * tables. */
static void sign(enum kernel k)
{
	int ends[2];
	if (pipe(ends) != 0)
		abort();
	pid_t child = fork();
	if (child == 0) {
		if (!kernel_choose(k) || kernel_used() != k)
			_exit(EXIT_FAILURE);
		sign_games(ends[1]);
		_exit(EXIT_SUCCESS);
	}
	int status;
	close(ends[1]);
	FILE *in = fdopen(ends[0], "r");
	if (child < 0 || !in || fread(&found[k], sizeof found[k], 1, in) != 1 ||
	    waitpid(child, &status, 0) != child || status != 0)
		memset(&found[k], 0, sizeof found[k]);
	if (in)
		fclose(in);
}

static void sign_all(void)
{
	for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
		sign(k);
}

/* Finds the line of the file that begins like a signature up to its numbers. Returns false if there is none. */
static bool read_wanted(const char *line, char wanted[SIGNATURE_MAX])
{
	size_t head = strlen(line) - strlen("123456 0123456789abcdef");
	FILE *f = fopen(FILE_NAME, "re");
	bool is_there = false;
	ck_assert_msg(f, "cannot read " FILE_NAME);
	while (!is_there && fgets(wanted, SIGNATURE_MAX, f))
		is_there = strncmp(wanted, line, head) == 0;
	fclose(f);
	wanted[strcspn(wanted, "\n")] = '\0';
	return is_there;
}

START_TEST(signature)
{
	for (int i = 0; games[i]; i++) {
		char wanted[SIGNATURE_MAX], *first = found[KERNEL_PORTABLE].line[i];
		ck_assert_int_lt(i, ROWS);
		ck_assert_msg(*first, "%s: a search failed", games[i]->name);
		/* With less memory searches differ from the file, but are equal with all kernels. */
		if (MEMORY_UNIT != (size_t)1 << 20 || !read_wanted(first, wanted))
			strcpy(wanted, first);
		for (enum kernel k = KERNEL_PORTABLE; k <= kernel_best(); k++)
			ck_assert_msg(strcmp(found[k].line[i], wanted) == 0,
				      "with the kernel %s it is\n%s\nand not\n%s\nIf searches were "
				      "changed "
				      "on purpose, run: ./yomi bench --signature >" FILE_NAME,
				      kernel_names[k], found[k].line[i], wanted);
	}
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
