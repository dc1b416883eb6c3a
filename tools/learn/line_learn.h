/* SPDX-License-Identifier: MIT
 *
 * Trains the table of lines of engine/evaluation/board_net.h in floating point. The gradient of a batch touches few rows many
 * times. So the samples leave their slopes here, and then each thread adds those of its own rows, always in the order of the
 * samples. The number of threads changes nothing.
 */
#ifndef TOOLS_LEARN_LINE_LEARN_H
#define TOOLS_LEARN_LINE_LEARN_H

#include "engine/evaluation/board_net.h"
#include "tools/learn/adam.h"

/* All weights at first, so that most activations are positive and learn. */
#define LINE_FIRST 0.0625f

typedef float line_table[LINES_ROWS][BOARD_NET_CHANNELS];

/* What a sample leaves: the lines of its squares, and the slopes of the loss by the squares' sums. */
struct line_slopes {
	int count; /* squares */
	lines_of_square lines[GAME_SQUARES_MAX];
	float slope[GAME_SQUARES_MAX][BOARD_NET_CHANNELS];
};

/* Adds a sample's slopes to a gradient, but only to the rows whose number divided by `threads` has the rest `thread`. */
void line_learn_add(const struct line_slopes *, int thread, int threads, line_table *gradient);

/* A part of an optimizer step: that with the rows whose number divided by `threads` has the rest `thread`. `gradient` is
 * overwritten. */
struct line_step {
	line_table *weights, *first, *second, *gradient; /* first, second: Adam's moments */
	const struct line_slopes *slopes;
	int samples;
	int thread, threads;
	struct adam adam;
};
void line_learn_step(const struct line_step *);

#endif
