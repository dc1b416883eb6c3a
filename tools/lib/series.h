/* SPDX-License-Identifier: MIT
 *
 * A series of measured numbers and its statistics.
 */
#ifndef TOOLS_LIB_SERIES_H
#define TOOLS_LIB_SERIES_H

struct series {
	double *values;
	int count;
};

void series_add(struct series *, double value);
void series_free(struct series *);

/* Orders doubles, for qsort(). */
int series_compare(const void *, const void *);

/* Returns the quantile at `part` (0 .. 1): the least value that this fraction of the values does not
 * exceed; 0 if there are none. Sorts the values. */
double series_quantile(struct series *, double part);

/* Prints a table of delays in milliseconds: its heading, or one line with the number of delays, how many
 * are above 0, the median, the 99 % quantile and the maximum. */
void series_print_heading(void);
void series_print(struct series *, const char *label);

#endif
