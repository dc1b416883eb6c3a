/* SPDX-License-Identifier: MIT */
#include "tools/book/results.h"

#include <string.h>

#include "tools/lib/message.h"

FILE *results_open(const char *path, void (*take)(void *arg, const char *line), void *arg)
{
	char line[256];
	bool torn = false;
	FILE *f = fopen(path, "a+");
	if (!f)
		message_exit_errno("write", path);
	rewind(f);
	while (fgets(line, sizeof line, f)) {
		char *end = strchr(line, '\n');
		torn = !end;
		if (end) {
			*end = '\0';
			take(arg, line);
		}
	}
	if (torn)
		fputs(" torn\n", f);
	return f;
}
