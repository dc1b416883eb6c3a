/* SPDX-License-Identifier: MIT
 *
 * Plots as SVG, inside a page or a file: an area with axes, and what is drawn in it by numbers. How it looks is a matter
 * of classes: series are s0, s1, ... Texts are the program's own, unless it is said that they are escaped.
 */
#ifndef PROTOCOL_PLOT_H
#define PROTOCOL_PLOT_H

#include <stdbool.h>
#include <stdio.h>

struct plot {
	FILE *out;
	bool alone;                      /* in a file of its own */
	double width, height;            /* of all, in units of the drawing */
	double left, right, top, bottom; /* of the area */
	double x_min, x_max, y_min, y_max;
};

/* Begins a figure with a caption, and an SVG that others know by `name`: the file it is saved as. `label` says
 * to those who do not see it what it shows. */
void plot_begin(struct plot *, FILE *, double height, const char *name, const char *caption,
		const char *label);
void plot_end(struct plot *);

/* The same for a file of its own, which brings its look. */
void plot_begin_file(struct plot *, FILE *, double height, const char *label);

/* Sets what the area shows, with ticks and names for both axes; a name NULL: that axis has none of these. Formats
 * are printf's for a double. */
void plot_axes(struct plot *, double x_min, double x_max, const char *x_name, double y_min,
	       double y_max, const char *y_name, const char *y_format);

/* Where a value lies. */
double plot_x(const struct plot *, double x);
double plot_y(const struct plot *, double y);

/* A line through points; a band between two lines; values outside the area are drawn at its edge, NAN breaks
 * nothing: the point is left out. */
void plot_line(struct plot *, const char *classes, const double *x, const double *y, int count);
void plot_band(struct plot *, const char *classes, const double *x, const double *low,
	       const double *high, int count);

/* A line all across, with words at its left end. */
void plot_rule(struct plot *, const char *classes, double y, const char *words);

/* A bar from the axis up, and what it says when it is pointed at. */
void plot_bar(struct plot *, const char *classes, double x_min, double x_max, double y,
	      const char *says);

/* Words at a point of the drawing; their anchor is "start", "middle" or "end". */
void plot_words(struct plot *, double x, double y, const char *anchor, const char *words);

/* What a series is called, in its colour above the area, from the right. */
void plot_key(struct plot *, const char *classes, int place, const char *words);

/* A distance between ticks, 1, 2 or 5 times a power of ten, that makes about so many of them. */
double plot_step(double range, int ticks);

#endif
