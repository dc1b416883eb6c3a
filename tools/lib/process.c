/* SPDX-License-Identifier: MIT */
#include "tools/lib/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"

double process_memory(long pid, const char *name)
{
	char path[64], line[256];
	size_t length = strlen(name);
	double kib = 0;
	snprintf(path, sizeof path, "/proc/%ld/status", pid);
	FILE *f = disk_open(path, "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			kib = strtod(line + length + 1, NULL);
	if (f)
		fclose(f);
	return kib;
}
