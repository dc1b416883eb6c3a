/* SPDX-License-Identifier: MIT */
#include "tools/lib/delays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/memory.h"

void delays_add(struct delays *d, double ms)
{
	if (d->count == d->room) {
		d->room = d->room ? 2 * d->room : 1024;
		d->ms = xrealloc(d->ms, (size_t)d->room * sizeof *d->ms);
	}
	d->ms[d->count++] = ms;
}

void delays_free(struct delays *d)
{
	free(d->ms);
}

static int compare_ms(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double delays_quantile(struct delays *d, double part)
{
	if (d->count == 0)
		return 0;
	qsort(d->ms, (size_t)d->count, sizeof *d->ms, compare_ms);
	int i = (int)ceil(part * d->count) - 1;
	return d->ms[i < 0 ? 0 : i];
}

void delays_print_heading(void)
{
	printf("%-8s %6s %6s  %9s %9s %9s\n", "", "count", "late", "median", "99 %", "worst");
}

void delays_print(struct delays *d, const char *label)
{
	int late = 0;
	for (int i = 0; i < d->count; i++)
		late += d->ms[i] > 0;
	printf("%-8s %6d %6d  %+9.2f %+9.2f %+9.2f\n", label, d->count, late,
	       delays_quantile(d, 0.5), delays_quantile(d, 0.99), delays_quantile(d, 1));
}
