/* SPDX-License-Identifier: MIT
 *
 * What Tab may insert at a terminal: the commands, and the arguments that their usage texts name, such as COLOR
 * and MOVE.
 */
#ifndef PROTOCOL_TERMINAL_COMPLETION_H
#define PROTOCOL_TERMINAL_COMPLETION_H

#include <stdbool.h>

struct session;

struct completion {
	char **names; /* distinct; each begins with what was typed */
	int count;
	bool is_file; /* a file name belongs there instead */
};

/* Finds the names that a word may become. `words`: the words before it; `typed`: what is typed of it. Letters of
 * moves get the case of `typed`. The completion must be all zero. completion_free() frees the names. */
void completion_find(struct completion *, const struct session *, int count,
		     const char *const *words, const char *typed);
void completion_free(struct completion *);

#endif
