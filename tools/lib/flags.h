/* SPDX-License-Identifier: MIT
 *
 * Command lines of the tools: options from a table, then words. A wrong command line exits with status 2,
 * --help with status 0.
 */
#ifndef TOOLS_LIB_FLAGS_H
#define TOOLS_LIB_FLAGS_H

#include <stdbool.h>

#define FLAGS_EXIT_USAGE 2

/* An option. Exactly one of the pointers is set; it receives the value. */
struct flag {
	const char *name;
	const char
		*value;   /* placeholder for the value in the help; NULL: the option has no value */
	const char *help; /* lines of up to 80 characters */
	int *number;
	double *real;
	const char **text;
	bool *set;
	double least; /* minimum of a number */
};

struct flags {
	const char *tool, *words; /* as shown in the help */
	int words_min, words_max;
	const char *help; /* what the tool does; no final newline */
	const struct flag *list;
	int count;
};

/* Reads the options and checks the number of words. Returns the index of the first word in argv. */
int flags_read(const struct flags *, int argc, char **argv);

/* Prints the expected usage and exits with status 2. */
_Noreturn void flags_refuse(const struct flags *);

#endif
