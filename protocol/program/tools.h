/* SPDX-License-Identifier: MIT
 *
 * Tools are programs of their own: `yomi match ...` starts `yomi-match ...`.
 */
#ifndef PROTOCOL_PROGRAM_TOOLS_H
#define PROTOCOL_PROGRAM_TOOLS_H

#include <stdbool.h>

/* Returns true if a tool has this name. */
bool tool_is(const char *name);

/* Replaces this process by the tool words[0] with the words after it. The tool is in the folder of this program,
 * else in $PATH. Returns the exit status after an error message if it cannot be started. */
int tool_start(char **words);

#endif
