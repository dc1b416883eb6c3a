/* SPDX-License-Identifier: MIT
 *
 * Files of search results, a line each. Each result is appended at once, so an interrupted run can continue. The first line says
 * whose results they are; files of earlier versions lack it.
 */
#ifndef TOOLS_BOOK_RESULTS_H
#define TOOLS_BOOK_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/rules/game.h"

/* Opens a file to append to, which need not exist, and calls `take` for each of its results, without the newline. `take` returns
 * false if a line is none. `kind` is a word for what the results are. A last line without a newline is of an interrupted run:
 * it is not taken, and text is added to it so that no reader takes it for a result. Exits with a message if the file cannot be
 * opened or has anything else; it is then unchanged. */
FILE *results_open(const char *path, const char *kind, const struct game *,
		   bool (*take)(void *arg, const char *line), void *arg);

#endif
