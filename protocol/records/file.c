/* SPDX-License-Identifier: MIT
 *
 * A file is written to a temporary file beside the target, and renamed to it after fsync.
 */
#include "protocol/records/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "engine/base/memory.h"

#define FILE_GAME_MAX ((size_t)1 << 24)
#define UNPACKED_MIN  ((size_t)1 << 16)
#define UNPACKED_MAX  ((size_t)1 << 28) /* a small file may hold any amount */

static bool file_refuse(char why[REASON_MAX], const char *doing, const char *path,
			const char *reason)
{
	snprintf(why, REASON_MAX, "cannot %s %.80s: %.50s", doing, path, reason);
	return false;
}

/* Returns the path to write to, after symbolic links (`path` if nothing exists there), and its mode.
 * Returns NULL on failure, with the reason in *reason or else in errno. The caller frees the path. */
static char *find_target(const char *path, mode_t *mode, const char **reason)
{
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	*mode = 0666 & ~mask;
	*reason = NULL;
	if (lstat(path, &st) < 0 && errno == ENOENT)
		return xstrdup(path);
	if (stat(path, &st) < 0 || (S_ISREG(st.st_mode) && access(path, W_OK) < 0))
		*reason = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*reason = "it is not a regular file";
	*mode = st.st_mode & 07777;
	return *reason ? NULL : realpath(path, NULL);
}

/* What takes the place of a file when it is written. */
struct file_draft {
	char *target, *path; /* the draft is beside the target; NULL on failure */
	mode_t mode;
	int fd; /* -1 on failure */
};

/* Creates an empty draft for a file. Returns false with the reason in `why` if that fails. Call draft_free() in any case. */
static bool draft_create(struct file_draft *d, const char *path, char why[REASON_MAX])
{
	const char *reason;
	*d = (struct file_draft) { .fd = -1 };
	d->target = find_target(path, &d->mode, &reason);
	if (d->target) {
		d->path = xasprintf("%s.XXXXXX", d->target);
		d->fd = mkstemp(d->path);
	}
	return d->fd >= 0 || file_refuse(why, "write", path, reason ? reason : strerror(errno));
}

static void draft_free(struct file_draft *d)
{
	free(d->path);
	free(d->target);
}

bool file_replace(const char *path, bool (*print)(FILE *, void *), void *arg, char why[REASON_MAX])
{
	struct file_draft d;
	bool done = draft_create(&d, path, why);
	FILE *f = done ? fdopen(d.fd, "w") : NULL;
	if (f) {
		done = print(f, arg) && fflush(f) == 0 && !ferror(f) && fchmod(d.fd, d.mode) == 0 &&
		       fsync(d.fd) == 0;
		done = fclose(f) == 0 && done && rename(d.path, d.target) == 0;
	}
	if (d.fd >= 0 && (!f || !done)) {
		done = file_refuse(why, "write", path, strerror(errno));
		unlink(d.path);
	}
	draft_free(&d);
	return done;
}

static bool file_print_text(FILE *f, void *text)
{
	return fputs(text, f) != EOF;
}

bool file_save_text(const char *path, const char *text, char why[REASON_MAX])
{
	return file_replace(path, file_print_text, (void *)text, why);
}

bool file_may_save(const char *path, char why[REASON_MAX])
{
	struct file_draft d;
	bool may = draft_create(&d, path, why);
	if (may) {
		close(d.fd);
		unlink(d.path);
	}
	draft_free(&d);
	return may;
}

bool file_is_packed(const void *bytes, size_t n)
{
	static const unsigned char magic[FILE_MAGIC] = { 0x28, 0xb5, 0x2f, 0xfd };
	return n >= FILE_MAGIC && memcmp(bytes, magic, FILE_MAGIC) == 0;
}

/* Unpacks zstd frames of *length bytes to a text of at most `max` bytes and a NUL. Sets *length. Returns NULL with the reason in
 * *reason on failure. */
static char *file_unpack(const void *packed, size_t *length, size_t max, const char **reason)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = { packed, *length, 0 };
	ZSTD_outBuffer out = { NULL, 0, 0 };
	size_t missing; /* 0 at the end of a frame */
	*reason = context ? NULL : "there is too little memory";
	while (!*reason) {
		if (out.pos == out.size) {
			out.size = out.size < max / 2 ? 2 * out.size + UNPACKED_MIN : max + 1;
			out.dst = xrealloc(out.dst, out.size + 1);
		}
		missing = ZSTD_decompressStream(context, &out, &in);
		bool all = in.pos == in.size && out.pos < out.size;
		if (ZSTD_isError(missing) || (all && missing))
			*reason = "its compressed data is damaged or cut off";
		else if (out.pos > max)
			*reason = "it is too large when unpacked";
		else if (all)
			break;
	}
	ZSTD_freeDCtx(context);
	char *text = out.dst;
	if (*reason) {
		free(text);
		return NULL;
	}
	text[out.pos] = '\0';
	*length = out.pos;
	return xrealloc(text, out.pos + 1);
}

/* Reads `size` bytes, or up to the end of the file, and appends a NUL. Sets *length. Returns NULL with errno set on
 * failure. */
static char *read_bytes(int fd, size_t size, size_t *length)
{
	ssize_t n = 0;
	char *bytes = xmalloc(size + 1);
	*length = 0;
	while (*length < size && (n = read(fd, bytes + *length, size - *length)) > 0)
		*length += (size_t)n;
	bytes[*length] = '\0';
	if (n >= 0)
		return bytes;
	free(bytes);
	return NULL;
}

char *file_read_bytes(const char *path, size_t max, size_t *length, char why[REASON_MAX])
{
	struct stat st = { 0 };
	/* O_NONBLOCK: opening a pipe or a terminal would block the loop. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const char *reason = NULL;
	char *text = NULL;
	*length = 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		reason = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		reason = "it is not a regular file";
	else if ((uintmax_t)st.st_size > max)
		reason = "it is too large";
	else
		text = read_bytes(fd, (size_t)st.st_size, length);
	if (!text && !reason)
		reason = strerror(errno);
	if (text && file_is_packed(text, *length)) {
		char *packed = text;
		text = file_unpack(packed, length, max < UNPACKED_MAX ? max : UNPACKED_MAX,
				   &reason);
		free(packed);
	}
	if (reason)
		file_refuse(why, "read", path, reason);
	if (fd >= 0)
		close(fd);
	return text;
}

char *file_read(const char *path, size_t max, char why[REASON_MAX])
{
	size_t length;
	return file_read_bytes(path, max, &length, why);
}

bool file_load(struct record *record, const char *path, const struct import_wish *wish, int number,
	       struct import_about *about, char why[REASON_MAX])
{
	size_t length;
	char *bytes = file_read_bytes(path, FILE_GAME_MAX, &length, why);
	bool done = bytes && import_game(record, bytes, length, wish, number, about, why);
	free(bytes);
	return done;
}
