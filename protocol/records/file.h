/* SPDX-License-Identifier: MIT
 *
 * Files. Only plain files are read and written.
 * Symbolic links are followed. A file is written whole or not at all. A file that begins as a zstd frame is
 * unpacked when it is read.
 */
#ifndef PROTOCOL_RECORDS_FILE_H
#define PROTOCOL_RECORDS_FILE_H

#include <stdio.h>

#include "engine/rules/record.h"
#include "engine/search/common/options.h"
#include "protocol/records/import.h"

/* The error for a client without access to files. */
#define FILE_NONE "files are not for clients here"

/* Writes a file. A new file gets its mode from the umask; an existing file keeps its mode.
 * Returns false with the reason in `why` on failure; an existing file is then unchanged. */
bool file_save(const char *path, const void *bytes, size_t size, char why[REASON_MAX]);
bool file_save_text(const char *path, const char *text, char why[REASON_MAX]);

/* The same for the output of `print`, which returns false and sets errno on failure. */
bool file_replace(const char *path, bool (*print)(FILE *, void *), void *arg, char why[REASON_MAX]);

/* Returns true if a file could be written there now: its folder takes new files, and `path` names nothing or a plain file that may
 * be written. Otherwise the reason is in `why`. */
bool file_may_save(const char *path, char why[REASON_MAX]);

/* Reads a game of a file of at most 16 MiB, as import_game() does. */
bool file_load(struct record *, const char *path, const struct import_wish *, int number,
	       struct import_about *, char why[REASON_MAX]);

/* Reads a whole plain file, unpacks it if it is packed, and appends a NUL. The caller frees the result.
 * Returns NULL with the reason in `why` on failure, also if the file or its unpacked text has more than `max`
 * bytes, or if the unpacked text has more than 256 MiB. */
char *file_read(const char *path, size_t max, char why[REASON_MAX]);

/* The same, and sets *length: the file may have NULs. */
char *file_read_bytes(const char *path, size_t max, size_t *length, char why[REASON_MAX]);

#define FILE_MAGIC 4 /* number of first bytes that identify a compressed file */

/* Returns true if a file that begins with these bytes is compressed with zstd. */
bool file_is_packed(const void *bytes, size_t n);

#endif
