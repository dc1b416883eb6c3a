/* SPDX-License-Identifier: MIT */
#include "protocol/program/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"

#define EXIT_MISSING 127 /* exit status of shells for a command that is not found */

bool tools_inside;

const struct tool *tool_find(const struct tool *table, const char *name)
{
	for (; table && table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

int tool_start(const char *name, const char *const *words)
{
	size_t count = 0;
	char *file = xasprintf("yomi-%s", name), *own = system_program_path();
	while (words[count])
		count++;
	char **argv = xcalloc(count + 2, sizeof *argv);
	argv[0] = file;
	memcpy(argv + 1, words, count * sizeof *argv);
	errno = ENOENT;
	if (own) {
		char *beside = xasprintf("%.*s%s", (int)(path_last(own) - own), own, file);
		system_become(tools_inside ? own : beside, argv);
		free(beside);
	}
	if (!tools_inside && errno == ENOENT)
		system_become(file, argv);
	if (errno == ENOENT)
		fprintf(stderr,
			"yomi: %s is not installed; `make` builds it beside yomi, `make install` "
			"and the Debian package install it\n",
			file);
	else
		fprintf(stderr, "yomi: cannot start %s: %s\n", file, strerror(errno));
	free(own);
	free(file);
	free(argv);
	return EXIT_MISSING;
}
