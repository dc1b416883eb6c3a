/* SPDX-License-Identifier: MIT
 *
 * A line on stderr that tells how far a program is. On a terminal it is overwritten ten times a second; elsewhere a
 * line is added every half minute. One thread.
 */
#ifndef TOOLS_LIB_PROGRESS_H
#define TOOLS_LIB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_terminal; /* stderr is one */
	int64_t due;      /* time of the next line, in the time of clock_now() */
};

struct progress progress_start(void);

/* Shows a line, which has no newline. */
void progress_show(struct progress *, const char *line);

/* Removes the line from the terminal, so that other text can be printed. */
void progress_clear(const struct progress *);

#endif
