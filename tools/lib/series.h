/* SPDX-License-Identifier: MIT
 *
 * Numbers that have been measured one after the other, and what is said of them.
 */
#ifndef TOOLS_LIB_SERIES_H
#define TOOLS_LIB_SERIES_H

struct series {
	double *values;
	int count, room;
};

void series_add(struct series *, double value);
void series_free(struct series *);

/* The number that a part of all, 0 .. 1, do not exceed; 0: there are none. Sorts them. */
double series_quantile(struct series *, double part);

/* Of delays in milliseconds: prints the heading of a table; and a line of it: how many there are and how many are above
 * 0, the median, what 99 % do not exceed, the worst. */
void series_print_heading(void);
void series_print(struct series *, const char *label);

#endif
