/* SPDX-License-Identifier: MIT
 *
 * Paths of files that the tools write.
 */
#ifndef TOOLS_LIB_PATH_H
#define TOOLS_LIB_PATH_H

#include <stdbool.h>

/* Returns true if two paths name the same existing file, or are equal. */
bool path_is_same(const char *, const char *);

/* Creates the folders of a path, without its last name, for this user alone if they are private. A failure shows when the path is
 * used. */
void path_make_folders(const char *path, bool is_private);

#endif
