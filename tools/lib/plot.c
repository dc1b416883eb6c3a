/* SPDX-License-Identifier: MIT */
#include "tools/lib/plot.h"

#include <math.h>

#define WIDTH  560
#define LEFT   58
#define RIGHT  14
#define TOP    26
#define BOTTOM 44
#define TICKS  5

static struct plot plot_of(struct text *out, double height)
{
	return (struct plot) {
		.out = out,
		.width = WIDTH,
		.height = height,
		.left = LEFT,
		.right = WIDTH - RIGHT,
		.top = TOP,
		.bottom = height - BOTTOM,
	};
}

void plot_begin(struct plot *p, struct text *out, double height, const char *name,
		const char *caption, const char *label)
{
	*p = plot_of(out, height);
	text_printf(out,
		    "<figure class=\"plot\"><figcaption><h3>%s</h3><button type=\"button\" "
		    "class=\"save\" data-name=\"%s\">Save SVG</button></figcaption>\n"
		    "<svg viewBox=\"0 0 %d %g\" role=\"img\" aria-label=\"%s\">\n",
		    caption, name, WIDTH, height, label);
}

void plot_begin_file(struct plot *p, struct text *out, double height, const char *label)
{
	*p = plot_of(out, height);
	p->alone = true;
	text_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%g\" role=\"img\" "
		"aria-label=\"%s\">\n"
		"<style>svg { background: #fff } text { font: 13px system-ui, sans-serif; fill: "
		"#555 } .grid { stroke: #ddd } .axis { stroke: #999 } .line { fill: none; "
		"stroke-width: 2.4 } .key { font-weight: 700 } .line.s0 { stroke: #1f6a4f } "
		".key.s0 { fill: #1f6a4f } .line.s1 { stroke: #c2571a } .key.s1 { fill: #c2571a "
		"}</style>\n",
		WIDTH, height, label);
}

void plot_end(struct plot *p)
{
	text_puts(p->out, p->alone ? "</svg>\n" : "</svg></figure>\n");
}

double plot_x(const struct plot *p, double x)
{
	double share = (fmax(p->x_min, fmin(p->x_max, x)) - p->x_min) / (p->x_max - p->x_min);
	return p->left + share * (p->right - p->left);
}

double plot_y(const struct plot *p, double y)
{
	double share = (fmax(p->y_min, fmin(p->y_max, y)) - p->y_min) / (p->y_max - p->y_min);
	return p->bottom - share * (p->bottom - p->top);
}

double plot_step(double range, int ticks)
{
	double rough = range / ticks, power = pow(10, floor(log10(rough))), share = rough / power;
	return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

void plot_words(struct plot *p, double x, double y, const char *anchor, const char *words)
{
	text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
		    anchor, words);
}

static void draw_line(struct plot *p, const char *classes, double x1, double y1, double x2,
		      double y2)
{
	text_printf(p->out,
		    "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		    classes, x1, y1, x2, y2);
}

/* Ticks are multiples of the step. Returns the first one not before `min` and sets the number up to `max`. */
static double first_tick(double min, double max, double step, int *count)
{
	double first = ceil(min / step - 1e-9);
	*count = (int)(floor(max / step + 1e-9) - first) + 1;
	return first * step;
}

/* Formats a tick with a typographic minus sign. */
static void format_tick(char *text, size_t size, const char *format, double value, double step)
{
	if (fabs(value) < step * 1e-6)
		snprintf(text, size, "0");
	else
		snprintf(text, size, value < 0 ? "\xe2\x88\x92%g" : format, fabs(value));
}

void plot_axes(struct plot *p, double x_min, double x_max, const char *x_name, double y_min,
	       double y_max, const char *y_name, const char *y_format)
{
	char text[32];
	p->x_min = x_min;
	p->x_max = x_max > x_min ? x_max : x_min + 1;
	p->y_min = y_min;
	p->y_max = y_max > y_min ? y_max : y_min + 1;
	int count;
	double step = plot_step(p->y_max - p->y_min, TICKS);
	double first = first_tick(p->y_min, p->y_max, step, &count);
	for (int i = 0; y_name && i < count; i++) {
		double y = plot_y(p, first + i * step);
		draw_line(p, "grid", p->left, y, p->right, y);
		format_tick(text, sizeof text, y_format, first + i * step, step);
		plot_words(p, p->left - 7, y + 4.5, "end", text);
	}
	draw_line(p, "axis", p->left, p->bottom, p->right, p->bottom);
	step = fmax(1, plot_step(p->x_max - p->x_min, TICKS + 2));
	first = first_tick(p->x_min, p->x_max, step, &count);
	for (int i = 0; x_name && i < count; i++) {
		double x = plot_x(p, first + i * step);
		draw_line(p, "axis", x, p->bottom, x, p->bottom + 4);
		format_tick(text, sizeof text, "%g", first + i * step, step);
		plot_words(p, x, p->bottom + 19, "middle", text);
	}
	if (x_name)
		text_printf(p->out,
			    "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" "
			    "text-anchor=\"end\">%s</text>\n",
			    p->right, p->height - 6, x_name);
	if (y_name)
		text_printf(p->out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			    p->left, p->top - 10, y_name);
}

/* Adds points to an open path, without those whose y is NAN. Returns the number of points of the path. */
static int add_points(const struct plot *p, const double *x, const double *y, int from, int to,
		      int have)
{
	int step = from < to ? 1 : -1;
	for (int i = from; i != to; i += step) {
		if (isnan(y[i]))
			continue;
		text_printf(p->out, "%s%.1f %.1f", have++ ? "L" : "M", plot_x(p, x[i]),
			    plot_y(p, y[i]));
	}
	return have;
}

void plot_line(struct plot *p, const char *classes, const double *x, const double *y, int count)
{
	text_printf(p->out, "<path class=\"line %s\" d=\"", classes);
	add_points(p, x, y, 0, count, 0);
	text_puts(p->out, "\"/>\n");
}

void plot_band(struct plot *p, const char *classes, const double *x, const double *low,
	       const double *high, int count)
{
	text_printf(p->out, "<path class=\"band %s\" d=\"", classes);
	int have = add_points(p, x, high, 0, count, 0);
	add_points(p, x, low, count - 1, -1, have);
	text_puts(p->out, have ? "Z\"/>\n" : "\"/>\n");
}

void plot_rule(struct plot *p, const char *classes, double y, const char *words)
{
	draw_line(p, classes, p->left, plot_y(p, y), p->right, plot_y(p, y));
	plot_words(p, p->left + 6, plot_y(p, y) - 6, "start", words);
}

void plot_bar(struct plot *p, const char *classes, double x_min, double x_max, double y,
	      const char *says)
{
	double left = plot_x(p, x_min), top = plot_y(p, y);
	text_printf(p->out,
		    "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		    "rx=\"2\"><title>%s</title></rect>\n",
		    classes, left, top, plot_x(p, x_max) - left, p->bottom - top, says);
}

void plot_key(struct plot *p, const char *classes, int place, const char *words)
{
	text_printf(p->out,
		    "<text class=\"key %s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
		    classes, p->right - place * 22, p->top - 10, words);
}
