/* SPDX-License-Identifier: MIT
 *
 * Games as files, in the formats of protocol/sgf.h and protocol/ggf.h. Only plain files are read and
 * written, symbolic links are followed; a file is written whole or not at all.
 */
#ifndef PROTOCOL_FILE_H
#define PROTOCOL_FILE_H

#include <stdio.h>

#include "engine/options.h"
#include "engine/record.h"

/* What a client is told that may not have any. */
#define FILE_NONE "files are not for clients here"

/* Writes what `print` prints of the record. A new file gets the mode that the process's mask leaves, one
 * that is there keeps its own. Refused: false, and what was there is still there. */
bool file_save(const char *path, void (*print)(FILE *, const struct record *),
	       const struct record *, char why[REASON_MAX]);

/* The same with a text. */
bool file_save_text(const char *path, const char *text, char why[REASON_MAX]);

/* The same with what `print` writes; it returns false, and sets errno, if it cannot. */
bool file_replace(const char *path, bool (*print)(FILE *, void *), void *arg, char why[REASON_MAX]);

/* Reads a game in either format into the record, which changes its game if need be, up to before move
 * `before`, counted from 1 (INT_MAX: all of it). True: `why` is empty, or says how a game in SGF was read
 * that does not name itself. Refused: false, nothing has changed. */
bool file_load(struct record *, const char *path, int before, char why[REASON_MAX]);

/* Reads a plain file of up to `max` bytes whole, NUL behind it; NULL: `why` says why not. The caller frees
 * it. */
char *file_read(const char *path, size_t max, char why[REASON_MAX]);

/* The same from a text. */
bool file_parse(struct record *, const char *text, int before, char why[REASON_MAX]);

#endif
