/* SPDX-License-Identifier: MIT */
#include "protocol/program/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/memory.h"

#define LINK_MAX  4096 /* bytes of the path of this program */
#define EXIT_MISS 127  /* exit status of shells for a command that is not found */

static const char *const tools[] = { "match", "report", "train", "book", NULL };

bool tool_is(const char *name)
{
	for (int i = 0; tools[i]; i++)
		if (strcmp(tools[i], name) == 0)
			return true;
	return false;
}

int tool_start(char **words)
{
	char folder[LINK_MAX];
	const char *name = words[0];
	ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
	folder[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(folder, '/');
	if (slash) {
		*slash = '\0';
		words[0] = xasprintf("%s/yomi-%s", folder, name);
		execv(words[0], words);
		free(words[0]);
	}
	words[0] = xasprintf("yomi-%s", name);
	execvp(words[0], words);
	fprintf(stderr, "yomi: cannot start %s: %s\n", words[0], strerror(errno));
	free(words[0]);
	return EXIT_MISS;
}
