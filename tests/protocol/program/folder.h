/* SPDX-License-Identifier: MIT
 *
 * For tests of a mode of the real program: a folder for each test, $F in the shell's commands, and the output of a
 * command.
 */
#ifndef TESTS_PROTOCOL_PROGRAM_FOLDER_H
#define TESTS_PROTOCOL_PROGRAM_FOLDER_H

#include "tests/protocol/process.h"

static char folder[64];

static inline void folder_create(void)
{
	snprintf(folder, sizeof folder, "/tmp/yomi-mode-XXXXXX");
	ck_assert(mkdtemp(folder));
	setenv("F", folder, 1);
}

static inline void folder_remove(void)
{
	ck_assert_int_eq(system("rm -r \"$F\""), 0);
}

/* Runs a command, which must exit with this status. The caller frees the output. */
static inline char *run(const char *command, int expected)
{
	int status;
	char *text = process_shell(command, &status);
	ck_assert_msg(status == expected, "%s: status %d, %s", command, status, text);
	return text;
}

static inline void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "'%s' is missing in: %s", wanted, text);
}

#endif
