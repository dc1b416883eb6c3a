/* SPDX-License-Identifier: MIT
 *
 * The config file: lines `name = value`; blank ones, and what is behind a `#` that begins a word, are
 * comments. What the names mean is the caller's.
 */
#ifndef PROTOCOL_CONFIG_H
#define PROTOCOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#define CONFIG_SIZE_MAX ((size_t)1 << 20) /* bytes */

/* The user's own: $XDG_CONFIG_HOME/yomi/config, or ~/.config/yomi/config. NULL: there is no such
 * place. The caller frees it. */
char *config_path(void);

/* Reads a file whole; the caller frees the text. NULL: errno says why not, EFBIG above
 * CONFIG_SIZE_MAX. */
char *config_read(const char *path, size_t *length);

/* Cuts the text, which ends in a NUL, and calls `set` with each name and value. *line is the line, from
 * 1, at which it is. False: the line is none of the kind, *why, or `set` has returned false. */
bool config_parse(char *text, size_t length, int *line, const char **why,
		  bool (*set)(void *arg, const char *name, const char *value), void *arg);

#endif
