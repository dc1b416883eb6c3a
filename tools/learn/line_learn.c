/* SPDX-License-Identifier: MIT */
#include "tools/learn/line_learn.h"

#include <string.h>

#define CHANNELS BOARD_NET_CHANNELS

/* The largest weight. */
#define MOST     ((float)BOARD_NET_CLIP / (BOARD_NET_UNIT * BOARD_NET_LINES_UNIT))

void line_learn_add(const struct line_slopes *s, int thread, int threads, line_table *gradient)
{
	for (int i = 0; i < s->count; i++)
		for (int d = 0; d < LINES_DIRECTIONS; d++) {
			int row = s->lines[i][d];
			if (row % threads != thread)
				continue;
			for (int k = 0; k < CHANNELS; k++)
				(*gradient)[row][k] += s->slope[i][k];
		}
}

void line_learn_step(const struct line_step *x)
{
	for (int row = x->thread; row < LINES_ROWS; row += x->threads)
		memset((*x->gradient)[row], 0, sizeof(*x->gradient)[row]);
	for (int i = 0; i < x->samples; i++)
		line_learn_add(&x->slopes[i], x->thread, x->threads, x->gradient);
	for (int row = x->thread; row < LINES_ROWS; row += x->threads)
		for (int k = 0; k < CHANNELS; k++)
			adam_step(&x->adam, &(*x->weights)[row][k], &(*x->first)[row][k],
				  &(*x->second)[row][k], (*x->gradient)[row][k] / (float)x->samples,
				  MOST);
}
