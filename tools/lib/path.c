/* SPDX-License-Identifier: MIT */
#include "tools/lib/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/memory.h"

void path_make_folders(const char *path, mode_t mode)
{
	char *copy = xstrdup(path);
	for (char *slash = copy; *copy && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(copy, mode);
		*slash = '/';
	}
	free(copy);
}
