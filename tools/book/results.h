/* SPDX-License-Identifier: MIT
 *
 * Files of search results, a line each. Each result is appended at once, so an interrupted run can continue.
 */
#ifndef TOOLS_BOOK_RESULTS_H
#define TOOLS_BOOK_RESULTS_H

#include <stdio.h>

/* Opens a file to append to, which need not exist, and calls `take` for each of its lines, without the newline. A last line
 * without a newline is of an interrupted run: it is not taken, and text is added to it so that no reader takes it for a result.
 * Exits with a message if the file cannot be opened. */
FILE *results_open(const char *path, void (*take)(void *arg, const char *line), void *arg);

#endif
