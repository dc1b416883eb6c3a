/* SPDX-License-Identifier: MIT */
#include "tools/lib/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"

void series_add(struct series *s, double value)
{
	s->values = xgrow(s->values, (size_t)s->count, sizeof *s->values);
	s->values[s->count++] = value;
}

void series_free(struct series *s)
{
	free(s->values);
}

int series_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double series_quantile(struct series *s, double part)
{
	if (s->count == 0)
		return 0;
	qsort(s->values, (size_t)s->count, sizeof *s->values, series_compare);
	int i = (int)ceil(part * s->count) - 1;
	return s->values[i < 0 ? 0 : i];
}

void series_print_heading(void)
{
	printf("%-8s %6s %6s  %9s %9s %9s\n", "", "count", "late", "median", "99 %", "worst");
}

void series_print(struct series *s, const char *label)
{
	int late = 0;
	for (int i = 0; i < s->count; i++)
		late += s->values[i] > 0;
	printf("%-8s %6d %6d  %+9.2f %+9.2f %+9.2f\n", label, s->count, late,
	       series_quantile(s, 0.5), series_quantile(s, 0.99), series_quantile(s, 1));
}
