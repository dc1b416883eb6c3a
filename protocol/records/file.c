/* SPDX-License-Identifier: MIT */
#include "protocol/records/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "engine/base/disk.h"
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

bool file_replace(const char *path, bool (*print)(FILE *, void *), void *arg, char why[REASON_MAX])
{
	struct disk_draft d;
	const char *reason;
	bool done = disk_draft_open(&d, path, &reason);
	if (done && !(done = print(d.file, arg) && disk_draft_finish(&d)))
		reason = strerror(errno);
	if (!done)
		file_refuse(why, "write", path, reason);
	disk_draft_close(&d);
	return done;
}

struct file_bytes {
	const void *bytes;
	size_t size;
};

static bool file_print_bytes(FILE *f, void *arg)
{
	const struct file_bytes *b = arg;
	return fwrite(b->bytes, 1, b->size, f) == b->size;
}

bool file_save(const char *path, const void *bytes, size_t size, char why[REASON_MAX])
{
	return file_replace(path, file_print_bytes, &(struct file_bytes) { bytes, size }, why);
}

bool file_save_text(const char *path, const char *text, char why[REASON_MAX])
{
	return file_save(path, text, strlen(text), why);
}

bool file_may_save(const char *path, char why[REASON_MAX])
{
	struct disk_draft d;
	const char *reason;
	bool may = disk_draft_open(&d, path, &reason) || file_refuse(why, "write", path, reason);
	disk_draft_close(&d);
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

char *file_read_bytes(const char *path, size_t max, size_t *length, char why[REASON_MAX])
{
	struct disk_file about;
	const char *reason;
	char *text = NULL;
	FILE *f = disk_read(path, &about, &reason);
	*length = 0;
	if (f && about.size > max)
		reason = "it is too large";
	if (!reason) {
		text = xmalloc((size_t)about.size + 1);
		*length = fread(text, 1, (size_t)about.size, f);
		text[*length] = '\0';
		reason = ferror(f) ? strerror(errno) : NULL;
	}
	if (!reason && file_is_packed(text, *length)) {
		char *packed = text;
		text = file_unpack(packed, length, max < UNPACKED_MAX ? max : UNPACKED_MAX,
				   &reason);
		free(packed);
	} else if (reason) {
		free(text);
		text = NULL;
	}
	if (reason)
		file_refuse(why, "read", path, reason);
	if (f)
		fclose(f);
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
