/* SPDX-License-Identifier: MIT
 *
 * One layer of the network of board_net.h: a convolution of 3x3 squares by integers, compiled for each kernel. All kernels give
 * the same result.
 *
 * A plane has the activations of all squares, row by row. One square off the board follows each row; it stands for the
 * square after this row and for the one before the next. Rows of them precede the first row and follow the last one. A
 * layer computes BOARD_LAYER_TILE squares at a time, also those off the board; the caller sets these to 0.
 */
#ifndef ENGINE_EVALUATION_BOARD_LAYERS_H
#define ENGINE_EVALUATION_BOARD_LAYERS_H

#include "engine/evaluation/board_net.h"
#include "engine/kernel.h"

#define BOARD_LAYER_TILE   8
#define BOARD_LAYER_GROUPS (BOARD_NET_CHANNELS / 4) /* a product adds four channels */
#define BOARD_LAYER_WAVES  16                       /* frequencies of 4x4 squares */

/* Weights in the order in which a layer reads them. */
struct board_packed {
	_Alignas(64) int8_t weights[BOARD_NET_TAPS][BOARD_LAYER_GROUPS][BOARD_NET_CHANNELS][4];
	int8_t plain[BOARD_NET_TAPS][BOARD_NET_CHANNELS]
		    [BOARD_NET_CHANNELS]; /* the same by input and output */
	/* The weights of the nine taps, turned; by frequency, half of the outputs, pairs of inputs. */
	_Alignas(64) int16_t
		waves[BOARD_LAYER_WAVES][2][BOARD_NET_CHANNELS / 2][BOARD_NET_CHANNELS / 2][2];
	_Alignas(64) int32_t bias[BOARD_NET_CHANNELS];
	_Alignas(64) float scale[BOARD_NET_CHANNELS];
};

/* What a layer reads and writes. */
struct board_pass {
	const struct board_packed *layer;
	const uint8_t *in;  /* first square of the board */
	const uint8_t *add; /* to the output; NULL: nothing */
	uint8_t *out;
	int groups;       /* of the input's channels */
	int pitch, count; /* squares from row to row; from the first one to the last */
	_Alignas(64) int32_t bias[BOARD_NET_CHANNELS];
};

void board_layer_pack(const struct board_layer *, struct board_packed *);

typedef void board_layer_fn(const struct board_pass *);

/* The fastest layer of a kernel, which this processor must support. */
board_layer_fn *board_layer_of(enum kernel);

/* Writes the activations of `count` squares, each the sum of the rows of its lines. `place` says where each square is in `out`. */
typedef void board_lines_fn(const int8_t table[LINES_ROWS][BOARD_NET_CHANNELS],
			    const lines_of_square *lines, const uint16_t *place, int count,
			    uint8_t *out);
board_lines_fn *board_lines_of(enum kernel);

#endif
