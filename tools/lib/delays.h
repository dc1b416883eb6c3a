/* SPDX-License-Identifier: MIT
 *
 * Delays that have been measured, and what is said of them.
 */
#ifndef TOOLS_LIB_DELAYS_H
#define TOOLS_LIB_DELAYS_H

/* Milliseconds. */
struct delays {
	double *ms;
	int count, room;
};

void delays_add(struct delays *, double ms);
void delays_free(struct delays *);

/* The delay that a part of all, 0 .. 1, do not exceed; 0: there are none. */
double delays_quantile(struct delays *, double part);

/* Prints the heading of a table; and a line of it: how many there are and how many are above 0, the median, what 99 %
 * do not exceed, the worst. */
void delays_print_heading(void);
void delays_print(struct delays *, const char *label);

#endif
