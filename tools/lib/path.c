/* SPDX-License-Identifier: MIT */
#include "tools/lib/path.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"

bool path_is_same(const char *a, const char *b)
{
	struct disk_file of_a, of_b;
	if (!disk_look(a, &of_a) || !disk_look(b, &of_b))
		return strcmp(a, b) == 0;
	return of_a.device == of_b.device && of_a.number == of_b.number;
}

void path_make_folders(const char *path, bool is_private)
{
	char *copy = xstrdup(path);
	for (char *end = copy + 1; *copy && *end; end++) {
		if (!path_is_slash(*end))
			continue;
		char slash = *end;
		*end = '\0';
		disk_make_folder(copy, is_private);
		*end = slash;
	}
	free(copy);
}
