/* SPDX-License-Identifier: MIT */
#include "tools/train/folder.h"

#include <errno.h>
#include <sys/stat.h>

#include "tools/lib/message.h"

void folder_make(const char *folder)
{
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		message_exit_errno("make", folder);
}

void folder_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX])
{
	snprintf(out, FOLDER_PATH_MAX, "%s/%s", folder, name);
}

void folder_write(const char *path, const void *bytes, size_t size)
{
	char draft[FOLDER_PATH_MAX + 8];
	snprintf(draft, sizeof draft, "%s.new", path);
	FILE *f = fopen(draft, "wb");
	if (!f || fwrite(bytes, size, 1, f) != 1 || fclose(f) != 0 || rename(draft, path) != 0)
		message_exit_errno("write", path);
}

FILE *folder_extend(const char *folder, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_path(folder, name, path);
	FILE *f = fopen(path, "ab");
	if (!f)
		message_exit_errno("write", path);
	return f;
}

void folder_append(const char *folder, const char *name, const void *bytes, size_t size)
{
	FILE *f = folder_extend(folder, name);
	if (fwrite(bytes, size, 1, f) != 1 || fclose(f) != 0)
		message_exit_errno("write", name);
}

FILE *folder_open(const char *folder, const char *name, size_t size, size_t *count)
{
	char path[FOLDER_PATH_MAX];
	struct stat info;
	folder_path(folder, name, path);
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	if (fstat(fileno(f), &info) != 0)
		message_exit_errno("read", path);
	*count = (size_t)info.st_size / size;
	return f;
}

int folder_lines(const char *folder, const char *name)
{
	size_t bytes;
	int lines = 0;
	FILE *f = folder_open(folder, name, 1, &bytes);
	if (!f)
		return 0;
	for (int c; (c = fgetc(f)) != EOF;)
		lines += c == '\n';
	fclose(f);
	return lines;
}
