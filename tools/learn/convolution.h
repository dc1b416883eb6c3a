/* SPDX-License-Identifier: MIT
 *
 * The 3x3 convolutions of a network of any board in floating point: nearly all the time of its training is spent here.
 * They are compiled for each kernel (engine/base/kernel.h). Sums are in the order of taps, inputs and squares, but fused multiplications
 * round differently, so kernels differ in the last bits.
 *
 * A plane has the channels of each square. One square off the board follows each row, so all squares around a square have
 * places; off the board everything is 0. `pitch` is the number of places from row to row.
 */
#ifndef TOOLS_LEARN_CONVOLUTION_H
#define TOOLS_LEARN_CONVOLUTION_H

#include "engine/evaluation/board_net.h"

#define CONVOLUTION_TAPS 9 /* row by row from the upper left */
#define CONVOLUTION_TILE 8 /* places computed at a time, at most */

/* By tap, input and output. */
typedef float convolution_weights[CONVOLUTION_TAPS][BOARD_NET_CHANNELS][BOARD_NET_CHANNELS];
typedef float convolution_square[BOARD_NET_CHANNELS];

/* Computes `count` places from `out` on, from those around `in`: bias + the products of the first `inputs` channels and the
 * taps. May write up to CONVOLUTION_TILE - 1 more places. */
void convolution_run(const convolution_square *in, int inputs, const convolution_weights taps,
		     const float *bias, int pitch, int count, convolution_square *out);

/* Adds to `gradient` the products of the same places of `in` and of the slopes of the loss by their outputs. `inputs` is rounded up
 * to a multiple of CONVOLUTION_TILE. */
void convolution_learn(const convolution_square *in, int inputs, const convolution_square *slope,
		       int pitch, int count, convolution_weights gradient);

#endif
