/* SPDX-License-Identifier: MIT
 *
 * The command lines of tools: options of a table, then words. What is wrong ends the process with status 2, --help
 * with 0.
 */
#ifndef TOOLS_LIB_FLAGS_H
#define TOOLS_LIB_FLAGS_H

#include <stdbool.h>

#define FLAGS_EXIT_USAGE 2

/* An option; one of the pointers says where its value goes. */
struct flag {
	const char *name;
	const char *value; /* what stands for it in the help, NULL: it has none */
	const char *help;  /* lines of up to 80 letters */
	int *number;
	double *real;
	const char **text;
	bool *set;
	double least; /* of numbers */
};

struct flags {
	const char *tool, *words; /* as in the help */
	int words_min, words_max;
	const char *help; /* what the tool does, without a final newline */
	const struct flag *list;
	int count;
};

/* Takes the options; returns where the words begin, and sees that there are as many as there should be. */
int flags_read(const struct flags *, int argc, char **argv);

/* The words are wrong. */
_Noreturn void flags_refuse(const struct flags *);

#endif
