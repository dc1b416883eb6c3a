/* SPDX-License-Identifier: MIT */
#include "protocol/program/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"

#define LINK_MAX     4096 /* bytes of the path of this program */
#define EXIT_MISSING 127  /* exit status of shells for a command that is not found */

const struct tool *tool_find(const struct tool *table, const char *name)
{
	for (; table && table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

/* Returns the path of a file beside this program, or NULL if this program's path is unknown. */
static char *path_beside(const char *file)
{
	char path[LINK_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	path[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(path, '/');
	return slash ? xasprintf("%.*s/%s", (int)(slash - path), path, file) : NULL;
}

int tool_start(const char *name, const char *const *words)
{
	size_t count = 0;
	char *file = xasprintf("yomi-%s", name), *path = path_beside(file);
	while (words[count])
		count++;
	char **argv = xcalloc(count + 2, sizeof *argv);
	argv[0] = file;
	memcpy(argv + 1, words, count * sizeof *argv);
	if (path && access(path, F_OK) == 0)
		execv(path, argv);
	else
		execvp(file, argv);
	if (errno == ENOENT)
		fprintf(stderr,
			"yomi: %s is not installed; `make` builds it beside yomi, `make install` "
			"and the Debian package install it\n",
			file);
	else
		fprintf(stderr, "yomi: cannot start %s: %s\n", file, strerror(errno));
	free(path);
	free(file);
	free(argv);
	return EXIT_MISSING;
}
