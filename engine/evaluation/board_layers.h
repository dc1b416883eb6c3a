/* SPDX-License-Identifier: MIT
 *
 * One layer of the network of board_net.h: a convolution of 3x3 squares by integers, compiled for each kernel. All kernels give
 * the same result.
 *
 * A plane has the activations of all squares, row by row. One square off the board follows each row; it stands for the
 * square after this row and for the one before the next. Rows of them precede the first row and follow the last one.
 * A layer writes the squares of the board only. The caller sets the others to 0 once.
 */
#ifndef ENGINE_EVALUATION_BOARD_LAYERS_H
#define ENGINE_EVALUATION_BOARD_LAYERS_H

#include "engine/base/kernel.h"
#include "engine/evaluation/board_net.h"

#define BOARD_LAYER_GROUPS (BOARD_NET_CHANNELS / 4) /* a product adds four channels */
#define BOARD_LAYER_WAVES  16                       /* frequencies of 4x4 squares */
#define BOARD_LAYER_RUN    14                       /* most squares in a run */
#define BOARD_PLANE_MAX    ((GAME_SIDE_MAX + 3) * (GAME_SIDE_MAX + 1) + 2) /* squares of a plane */

/* Weights in the order in which a layer reads them. */
struct board_packed {
	_Alignas(64) int8_t weights[BOARD_NET_TAPS][BOARD_LAYER_GROUPS][BOARD_NET_CHANNELS][4];
	/* The same by input and output. */
	int8_t plain[BOARD_NET_TAPS][BOARD_NET_CHANNELS][BOARD_NET_CHANNELS];
#ifdef __wasm_simd128__
	/* The same by pairs of inputs. */
	_Alignas(64) int16_t pairs[BOARD_NET_TAPS][BOARD_NET_CHANNELS / 2][BOARD_NET_CHANNELS][2];
#else
	/* The weights of the nine taps, turned; by frequency, half of the outputs, pairs of inputs. */
	_Alignas(64) int16_t
		waves[BOARD_LAYER_WAVES][2][BOARD_NET_CHANNELS / 2][BOARD_NET_CHANNELS / 2][2];
#endif
	_Alignas(64) int32_t bias[BOARD_NET_CHANNELS];
	_Alignas(64) float scale[BOARD_NET_CHANNELS];
};

/* Where the squares of a board are in a plane. */
struct board_shape {
	int pitch;    /* squares from row to row */
	int size;     /* squares of the plane */
	int on_board; /* squares of the board */
	int runs, tiles;
	uint16_t at[GAME_SQUARES_MAX]; /* each square, those off the board too */
	/* Each run is some squares of the board side by side, from place `at` on. Together they are the board. */
	struct {
		uint16_t at, length;
	} run[GAME_SQUARES_MAX];
	/* Each tile is 2x2 squares, the first one at place `at`. A bit of `on_board` for each, row by row, says whether it is on
	 * the board. The tiles cover the board. */
	struct {
		uint16_t at, on_board;
	} tile[(GAME_SIDE_MAX + 1) / 2 * (GAME_SIDE_MAX + 1) / 2];
};

/* `seen` is what board_net_look() saw. */
void board_shape_find(const struct game *, const uint8_t *seen, struct board_shape *);

/* The activations, and their sum over the board for each channel. */
struct board_plane {
	_Alignas(64) uint8_t at[BOARD_PLANE_MAX][BOARD_NET_CHANNELS];
	_Alignas(64) int32_t sum[BOARD_NET_CHANNELS];
};

/* What a layer reads and writes. */
struct board_pass {
	const struct board_shape *shape;
	const struct board_packed *layer;
	const struct board_plane *in, *add; /* `add`: to the output; NULL: nothing */
	struct board_plane *out;
	int groups;                                    /* of the input's channels */
	_Alignas(64) uint8_t mean[BOARD_NET_CHANNELS]; /* of the input over the board */
};

void board_layer_pack(const struct board_layer *, struct board_packed *);

typedef void board_layer_fn(const struct board_pass *);

/* The layers that this processor can run with this kernel. Number 0 is the fastest. Returns NULL if there is none of this number. */
board_layer_fn *board_layer_number(int number, enum kernel);

/* Writes the activations of `count` squares, each the sum of the rows of its lines. `place` says where each square is in `out`. */
typedef void board_lines_fn(const int8_t table[LINES_ROWS][BOARD_NET_CHANNELS],
			    const lines_of_square *lines, const uint16_t *place, int count,
			    struct board_plane *out);
board_lines_fn *board_lines_of(enum kernel);

#endif
