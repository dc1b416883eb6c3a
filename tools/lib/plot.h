/* SPDX-License-Identifier: MIT
 *
 * Plots as SVG, in a page or in a file of their own: a plot area with axes, and series of data. CSS classes
 * (series: s0, s1, ...) set the style. Texts must come from the program itself, unless a function says that
 * it escapes them.
 */
#ifndef TOOLS_LIB_PLOT_H
#define TOOLS_LIB_PLOT_H

#include <stdbool.h>

#include "engine/base/text.h"

struct plot {
	struct text *out;
	bool alone;                      /* the plot is a file of its own */
	double width, height;            /* of the whole drawing, in its units */
	double left, right, top, bottom; /* edges of the plot area */
	double x_min, x_max, y_min, y_max;
};

/* Begins a figure with a caption and an SVG. `name` is the file name for saving it. `label` describes the
 * plot for screen readers. */
void plot_begin(struct plot *, struct text *, double height, const char *name, const char *caption,
		const char *label);
void plot_end(struct plot *);

/* The same for a file of its own, with its style sheet. */
void plot_begin_file(struct plot *, struct text *, double height, const char *label);

/* Sets the ranges of the plot area and draws ticks and names of both axes. Name NULL: an axis without ticks
 * and name. `y_format` is a printf format for a double. */
void plot_axes(struct plot *, double x_min, double x_max, const char *x_name, double y_min,
	       double y_max, const char *y_name, const char *y_format);

/* Coordinates of a value in the drawing. */
double plot_x(const struct plot *, double x);
double plot_y(const struct plot *, double y);

/* Draw a line through points, a band between two lines. Values outside the area are drawn at its edge. NAN
 * points are left out; the line goes on. */
void plot_line(struct plot *, const char *classes, const double *x, const double *y, int count);
void plot_band(struct plot *, const char *classes, const double *x, const double *low,
	       const double *high, int count);

/* A horizontal line across the area, with text at its left end. */
void plot_rule(struct plot *, const char *classes, double y, const char *words);

/* A bar that starts at the axis; `says` is its tooltip. */
void plot_bar(struct plot *, const char *classes, double x_min, double x_max, double y,
	      const char *says);

/* Text at a point of the drawing; `anchor` is "start", "middle" or "end". */
void plot_words(struct plot *, double x, double y, const char *anchor, const char *words);

/* The name of a series in its colour, above the area. Places count from the right. */
void plot_key(struct plot *, const char *classes, int place, const char *words);

/* Returns a distance between ticks for about `ticks` ticks: 1, 2 or 5 times a power of ten. */
double plot_step(double range, int ticks);

#endif
