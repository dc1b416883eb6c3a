/* SPDX-License-Identifier: MIT */
#include "protocol/program/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/base/utf8.h"

#define BLANKS " \t\r\v\f"

char *config_path(void)
{
	char *folder = system_folder(SYSTEM_CONFIG);
	char *path = folder ? xasprintf("%s/config", folder) : NULL;
	free(folder);
	return path;
}

char *config_read(const char *path, size_t *length)
{
	FILE *f = disk_open(path, "r");
	if (!f)
		return NULL;
	char *text = xmalloc(CONFIG_SIZE_MAX + 1);
	errno = 0;
	*length = fread(text, 1, CONFIG_SIZE_MAX + 1, f);
	int problem = ferror(f) ? errno : *length > CONFIG_SIZE_MAX ? EFBIG : 0;
	fclose(f);
	if (!problem) {
		text = xrealloc(text, *length + 1);
		text[*length] = '\0';
		return text;
	}
	free(text);
	errno = problem;
	return NULL;
}

/* Removes blanks at both ends and a comment. */
static char *trim(char *text)
{
	text += strspn(text, BLANKS);
	size_t n = 0;
	while (text[n] && !(text[n] == '#' && (!n || strchr(BLANKS, text[n - 1]))))
		n++;
	while (n && strchr(BLANKS, text[n - 1]))
		n--;
	text[n] = '\0';
	return text;
}

bool config_parse(char *text, size_t length, int *line, const char **why,
		  bool (*set)(void *arg, const char *name, const char *value), void *arg)
{
	char *end = text + length;
	text += utf8_mark(text, length);
	*line = 0;
	*why = NULL;
	for (char *next; text < end; text = next) {
		char *stop = memchr(text, '\n', (size_t)(end - text));
		next = stop ? stop + 1 : end;
		if (stop)
			*stop = '\0';
		++*line;
		if (memchr(text, '\0', (size_t)((stop ? stop : end) - text))) {
			*why = "this is not text";
			return false;
		}
		char *name = trim(text), *value = strchr(name, '=');
		if (!*name)
			continue;
		if (!value || value == name) {
			*why = "a line must be: name = value";
			return false;
		}
		*value++ = '\0';
		if (!set(arg, trim(name), trim(value)))
			return false;
	}
	return true;
}
