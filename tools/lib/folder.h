/* SPDX-License-Identifier: MIT
 *
 * The folder in which learning keeps what the next run goes on from: items that are added to a file, a log of a line a
 * round, weights. A failure ends the process with a message.
 */
#ifndef TOOLS_LIB_FOLDER_H
#define TOOLS_LIB_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#define FOLDER_PATH_MAX 4096

/* "train: cannot WHAT PATH: REASON", the reason by errno. */
_Noreturn void folder_fail(const char *what, const char *path);

/* Makes the folder if it is not there. */
void folder_make(const char *folder);

void folder_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX]);

/* Writes a file anew; whoever reads it finds the old one or all of the new one. */
void folder_write(const char *path, const void *bytes, size_t size);

/* Opens a file to be written to behind what is in it. */
FILE *folder_extend(const char *folder, const char *name);

void folder_append(const char *folder, const char *name, const void *bytes, size_t size);

/* Opens a file of items of a size to be read, and says how many are in it; NULL: it is not there. */
FILE *folder_open(const char *folder, const char *name, size_t size, size_t *count);

/* How many lines a file has; 0 where there is none. */
int folder_lines(const char *folder, const char *name);

#endif
