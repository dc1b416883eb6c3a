/* SPDX-License-Identifier: MIT
 *
 * The config file: lines `name = value`. Blank lines are ignored. A `#` at the beginning of a word starts a
 * comment. The caller interprets the names.
 */
#ifndef PROTOCOL_PROGRAM_CONFIG_H
#define PROTOCOL_PROGRAM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#define CONFIG_SIZE_MAX ((size_t)1 << 20) /* bytes */

/* Returns the path of the user's config file: $XDG_CONFIG_HOME/yomi/config, or ~/.config/yomi/config.
 * NULL if neither directory is known. The caller frees it. */
char *config_path(void);

/* Reads a whole file. The caller frees the text. Returns NULL with errno on failure; EFBIG if the file
 * is larger than CONFIG_SIZE_MAX. */
char *config_read(const char *path, size_t *length);

/* Splits the text, which must end in a NUL, in place and calls `set` with each name and value. *line is the
 * current line, from 1. Returns false if a line is malformed (*why has the error) or if `set` returned
 * false. */
bool config_parse(char *text, size_t length, int *line, const char **why,
		  bool (*set)(void *arg, const char *name, const char *value), void *arg);

#endif
