/* SPDX-License-Identifier: MIT
 *
 * The folder that stores the state of a training run between its rounds: data files that grow, a log with
 * one line per round, weights. All functions exit with a message on failure unless they say otherwise.
 */
#ifndef TOOLS_TRAIN_FOLDER_H
#define TOOLS_TRAIN_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#define FOLDER_PATH_MAX 4096

/* Creates the folder if it does not exist. */
void folder_make(const char *folder);

/* Writes FOLDER/NAME. A longer path is truncated. */
void folder_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX]);

/* Replaces a file atomically: a reader sees the old content or all of the new content. */
void folder_write(const char *path, const void *bytes, size_t size);

/* Opens a file for appending. */
FILE *folder_extend(const char *folder, const char *name);

void folder_append(const char *folder, const char *name, const void *bytes, size_t size);

/* Opens a file of items of `size` bytes for reading, and sets the number of items. Returns NULL if the file
 * cannot be opened. */
FILE *folder_open(const char *folder, const char *name, size_t size, size_t *count);

/* Returns the number of lines of a file, 0 if it cannot be opened. */
int folder_lines(const char *folder, const char *name);

#endif
