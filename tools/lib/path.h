/* SPDX-License-Identifier: MIT
 *
 * Paths of files that the tools write.
 */
#ifndef TOOLS_LIB_PATH_H
#define TOOLS_LIB_PATH_H

#include <sys/types.h>

/* Creates the folders of a path, without its last name, with these permissions. A failure shows when the path is used. */
void path_make_folders(const char *path, mode_t);

#endif
