/* SPDX-License-Identifier: MIT */
#include "tools/lib/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/memory.h"

bool path_is_same(const char *a, const char *b)
{
	struct stat of_a, of_b;
	if (stat(a, &of_a) != 0 || stat(b, &of_b) != 0)
		return strcmp(a, b) == 0;
	return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

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
