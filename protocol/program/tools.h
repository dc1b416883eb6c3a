/* SPDX-License-Identifier: MIT
 *
 * Tools are programs of their own: `yomi match ...` starts `yomi-match ...`.
 */
#ifndef PROTOCOL_PROGRAM_TOOLS_H
#define PROTOCOL_PROGRAM_TOOLS_H

#include <stdbool.h>

struct tool {
	const char *name; /* without "yomi-"; NULL ends a table */
	const char *help; /* one line */
};

/* This program holds the tools: under the name of a tool it is that tool. */
extern bool tools_inside;

/* Returns the tool with this name. NULL if there is none, or no table. */
const struct tool *tool_find(const struct tool *table, const char *name);

/* Replaces this process by the tool `name` with the words, which end with NULL. The tool is in this
 * program, else in its folder, else in $PATH. Returns the exit status after an error message if it cannot be started. */
int tool_start(const char *name, const char *const *words);

#endif
