/* SPDX-License-Identifier: MIT
 *
 * For tests of a mode of the real program: the output of a command.
 */
#ifndef TESTS_PROTOCOL_PROGRAM_MODE_H
#define TESTS_PROTOCOL_PROGRAM_MODE_H

#include "tests/folder.h"
#include "tests/protocol/process.h"

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
