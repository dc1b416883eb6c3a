/* SPDX-License-Identifier: MIT */
#include "engine/base/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/memory.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

static int64_t disk_time(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void disk_describe(const struct stat *st, struct disk_file *file)
{
	*file = (struct disk_file) {
		.kind = S_ISREG(st->st_mode)   ? DISK_PLAIN
			: S_ISDIR(st->st_mode) ? DISK_FOLDER
					       : DISK_OTHER,
		.size = (uint64_t)st->st_size,
		.written = disk_time(st->st_mtim),
		.changed = disk_time(st->st_ctim),
		.device = (uint64_t)st->st_dev,
		.number = (uint64_t)st->st_ino,
	};
}

bool disk_look(const char *path, struct disk_file *file)
{
	struct stat st;
	*file = (struct disk_file) { 0 };
	if (stat(path, &st) != 0)
		return false;
	disk_describe(&st, file);
	return true;
}

FILE *disk_read(const char *path, struct disk_file *file, const char **reason)
{
	struct stat st;
	/* O_NONBLOCK: opening a pipe or a terminal would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	*file = (struct disk_file) { 0 };
	*reason = NULL;
	if (!f || fstat(fd, &st) != 0)
		*reason = strerror(errno);
	else
		disk_describe(&st, file);
	if (!*reason && file->kind != DISK_PLAIN)
		*reason = "it is not a regular file";
	if (!*reason)
		return f;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return NULL;
}

FILE *disk_open(const char *path, const char *mode)
{
	char closed[8];
	snprintf(closed, sizeof closed, "%se", mode);
	return fopen(path, closed);
}

char *disk_new_file(void)
{
	const char *folder = getenv("TMPDIR");
	char *path = xasprintf("%s/yomi-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);
	if (fd >= 0) {
		close(fd);
		return path;
	}
	free(path);
	return NULL;
}

bool disk_sync(FILE *f)
{
	return fflush(f) == 0 && !ferror(f) && fsync(fileno(f)) == 0;
}

bool disk_cut(FILE *f, uint64_t size)
{
	return fflush(f) == 0 && ftruncate(fileno(f), (off_t)size) == 0;
}

/* --- folders --- */

bool disk_make_folder(const char *path, bool is_private)
{
	return mkdir(path, is_private ? 0700 : 0777) == 0 || errno == EEXIST;
}

bool disk_list(const char *path, void (*take)(void *arg, const char *name), void *arg)
{
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			take(arg, entry->d_name);
	return folder && closedir(folder) == 0;
}

bool disk_touch(const char *path)
{
	return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

/* --- locks --- */

bool disk_lock(FILE *f, bool waits)
{
	return flock(fileno(f), LOCK_EX | (waits ? 0 : LOCK_NB)) == 0 || errno != EWOULDBLOCK;
}

static struct flock disk_part(int part, short type)
{
	return (struct flock) { .l_type = type, .l_whence = SEEK_SET, .l_start = part, .l_len = 1 };
}

bool disk_lock_part(FILE *f, int part)
{
	struct flock l = disk_part(part, F_WRLCK);
	return fcntl(fileno(f), F_SETLK, &l) == 0 || (errno != EACCES && errno != EAGAIN);
}

void disk_unlock_part(FILE *f, int part)
{
	struct flock l = disk_part(part, F_UNLCK);
	fcntl(fileno(f), F_SETLK, &l);
}

bool disk_is_part_locked(FILE *f, int part)
{
	struct flock l = disk_part(part, F_WRLCK);
	return fcntl(fileno(f), F_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

/* --- drafts --- */

/* Sets the path to write to (`path` itself if nothing exists there) and its mode. Returns NULL on failure, with the reason. */
static const char *draft_target(struct disk_draft *d, const char *path)
{
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	d->mode = 0666 & ~mask;
	if (lstat(path, &st) < 0 && errno == ENOENT) {
		d->target = xstrdup(path);
		return NULL;
	}
	if (stat(path, &st) < 0 || (S_ISREG(st.st_mode) && access(path, W_OK) < 0))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file";
	d->mode = st.st_mode & 07777;
	d->target = realpath(path, NULL);
	return d->target ? NULL : strerror(errno);
}

/* Opens an empty draft. Returns NULL on failure. */
static FILE *draft_create(const char *path)
{
	struct stat opened, named;
	for (;;) {
		int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
		if (fd < 0)
			return NULL;
		flock(fd, LOCK_EX);
		/* Who had the lock has renamed or removed what was opened. */
		bool is_named = fstat(fd, &opened) == 0 && stat(path, &named) == 0 &&
				opened.st_ino == named.st_ino;
		if (is_named && ftruncate(fd, 0) == 0)
			return fdopen(fd, "w");
		close(fd);
		if (is_named)
			return NULL;
	}
}

bool disk_draft_open(struct disk_draft *d, const char *path, const char **reason)
{
	*d = (struct disk_draft) { 0 };
	*reason = draft_target(d, path);
	if (*reason)
		return false;
	d->path = xasprintf("%s" DISK_DRAFT, d->target);
	d->file = draft_create(d->path);
	if (!d->file)
		*reason = strerror(errno);
	return d->file;
}

bool disk_draft_finish(struct disk_draft *d)
{
	if (fflush(d->file) != 0 || fchmod(fileno(d->file), d->mode) != 0 || !disk_sync(d->file) ||
	    rename(d->path, d->target) != 0)
		return false;
	free(d->path);
	d->path = NULL;
	return true;
}

void disk_draft_close(struct disk_draft *d)
{
	/* It is removed while its lock is held. */
	if (d->file && d->path)
		unlink(d->path);
	if (d->file)
		fclose(d->file);
	free(d->path);
	free(d->target);
}
