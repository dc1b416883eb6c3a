/* SPDX-License-Identifier: MIT
 *
 * A folder for each test: $D in the commands of the shell.
 */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/suite.h"

static char folder[96];

static inline void folder_create(void)
{
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(folder, sizeof folder, "%s/yomi-test-XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_int_lt(n, (int)sizeof folder);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("D", folder, 1);
}

static inline void folder_remove(void)
{
	ck_assert_int_eq(system("rm -rf \"$D\""), 0);
}

/* Returns the path of a file in the folder, valid until the fourth call after this one. */
static inline const char *folder_path(const char *name)
{
	static char paths[4][sizeof folder + 64];
	static int last;
	last = (last + 1) % 4;
	snprintf(paths[last], sizeof paths[last], "%s/%s", folder, name);
	return paths[last];
}

#endif
