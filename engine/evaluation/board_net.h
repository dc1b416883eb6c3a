/* SPDX-License-Identifier: MIT
 *
 * An evaluator (engine/evaluation/evaluator.h) for boards of any size: a residual network of convolutions (He et al., 2016;
 * Silver et al., 2017). One network serves all sizes of a game. tools/train makes it.
 *
 * The board is seen by the side to choose. Where the sides play in different directions, images.view says how White sees it.
 *
 *     input     for each square: own stone, other stone, square of the board, signs of the game (network.planes)
 *     lines     if the game has lines (game.lines): for each square the sum of the table's rows of its four lines (lines.h),
 *               added to the output of the first layer
 *     layers    a convolution of 3x3 squares, then `blocks` pairs of them. A pair adds its input to its output.
 *               Each layer also sees the mean of its input over the board (as in KataGo; Wu, 2020).
 *     policy    for each square a preference of each way to play there; for a pass or a swap one from the value's layer
 *     value     the mean and the maximum over the board, a layer of BOARD_NET_HEAD units, and the value
 *     owners    for each square whose it is at the end, if the game has owners (network.owners)
 *
 * Activations are 7 bits, weights 8 bits. Sums are sums of integers. Each is multiplied by one number and rounded once. So
 * every processor gets the same result.
 */
#ifndef ENGINE_EVALUATION_BOARD_NET_H
#define ENGINE_EVALUATION_BOARD_NET_H

#include <stdatomic.h>

#include "engine/base/kernel.h"
#include "engine/evaluation/evaluator.h"
#include "engine/evaluation/lines.h"
#include "engine/rules/network.h"
#include "engine/search/common/options.h"

#define BOARD_NET_CHANNELS    32
#define BOARD_NET_INPUTS      (3 + NETWORK_PLANES) /* channels of the input */
#define BOARD_NET_BLOCKS      8                    /* most blocks */
#define BOARD_NET_LAYERS      (1 + 2 * BOARD_NET_BLOCKS)
#define BOARD_NET_TAPS        10 /* the squares of 3x3, row by row, then the mean */
#define BOARD_NET_WAYS        8  /* most ways to play at a square */
#define BOARD_NET_HEAD        32 /* units of the value's layer */
#define BOARD_NET_POOLED      (2 * BOARD_NET_CHANNELS)

/* 1.0 in activations; their largest value; 1.0 in the weights of the heads, and their largest value. */
#define BOARD_NET_UNIT        32
#define BOARD_NET_CLIP        127
#define BOARD_NET_HEAD_UNIT   512
#define BOARD_NET_HEAD_CLIP   2047
/* Largest bias. The sums stay exact as floating-point numbers. */
#define BOARD_NET_BIAS_CLIP   (1 << 22)

/* Units of the pooled activations, relative to BOARD_NET_UNIT, and of the value's layer. */
#define BOARD_NET_POOLED_UNIT 128
#define BOARD_NET_HIDDEN_UNIT 1024

/* The unit of the lines' table, relative to BOARD_NET_UNIT. */
#define BOARD_NET_LINES_UNIT  4

/* A layer. Its output is round((sum of products + bias) * scale). */
struct board_layer {
	/* [tap][input][output] */
	int8_t weights[BOARD_NET_TAPS][BOARD_NET_CHANNELS][BOARD_NET_CHANNELS];
	int32_t bias[BOARD_NET_CHANNELS];
	float scale[BOARD_NET_CHANNELS];
};

struct board_heads {
	int16_t policy[BOARD_NET_WAYS][BOARD_NET_CHANNELS];
	int16_t hidden[BOARD_NET_HEAD][BOARD_NET_POOLED];
	int16_t value[BOARD_NET_HEAD], other[BOARD_NET_HEAD]; /* `other`: of a pass or a swap */
	int32_t policy_bias[BOARD_NET_WAYS], hidden_bias[BOARD_NET_HEAD], value_bias, other_bias;
};

struct board_owners {
	int16_t weights[BOARD_NET_CHANNELS];
	int32_t bias;
};

/* The content of a file (engine/evaluation/weights.h). */
struct board_weights {
	int32_t blocks;
	struct board_heads heads;
	struct board_layer layers[BOARD_NET_LAYERS];
	struct board_owners owners; /* not in the file of a game without owners and lines */
	int8_t lines[LINES_ROWS][BOARD_NET_CHANNELS]; /* not in the file of a game without lines */
};

struct board_table;

/* A game's network; all its sizes share it. */
struct board_net {
	const void *file;
	/* The game that the file names, if rule sets that differ only in their notation share it; NULL: that of the evaluator. */
	const struct game *game;
	_Atomic(struct board_table *) table; /* unpacked by the first evaluation */
};

/* Returns true if the network can learn the game: it has network.place, or moves have one step, whose code is ways * square +
 * way, and at most one code more, of a pass or a swap. Sets the ways. */
bool board_net_fits(const struct game *, int *ways);

/* Returns the square of a step, row by row, and sets its way; for a pass or a swap the number of squares. `ways` are those of
 * board_net_fits(). */
static inline int board_net_place(const struct game *g, int ways, move_t step, int *way)
{
	if (g->network && g->network->place)
		return g->network->place(g, step, way);
	*way = step % ways;
	return step / ways;
}

/* What the network sees of a state: for each square, row by row, a bit for each channel of the input. These are the first
 * ones, and then those of network.planes. A square off the board has none. */
enum { BOARD_NET_OWN = 1, BOARD_NET_OTHER = 2, BOARD_NET_SQUARE = 4, BOARD_NET_SIGN = 8 };
void board_net_look(const struct game *, const struct state *, uint8_t seen[GAME_SQUARES_MAX]);

/* The step code that the network sees: that of White is mapped by images.view. */
move_t board_net_step(const struct game *, int side, move_t step);

/* Reads and writes a file of weights of this game. The caller frees the result. board_net_read() returns NULL if the file
 * is damaged or of another game. board_net_file() sets *size to the bytes of the file. */
struct board_weights *board_net_read(const struct game *, const void *file);
void *board_net_file(const struct game *, const struct board_weights *, size_t *size);

/* Reads the weights of this game from a file by its path, of any size of its board. The caller frees them. Returns NULL with
 * a reason that names the file. */
struct board_weights *board_net_read_file(const struct game *, const char *path,
					  char why[REASON_MAX]);

/* Evaluates what board_net_look() saw. Returns the value for the side to choose; its tanh is the expected result, -1 .. 1.
 * `steps` are step codes that the network sees. Sets their preferences; and the owners of the squares, 1 the side to
 * choose, -1 the other side, unless they are NULL. Any thread. `kernel`: KERNEL_AUTO, or one that
 * this processor must support, for checks. */
float board_net_evaluate(const struct board_table *, const struct game *, enum kernel,
			 const uint8_t *seen, const move_t *steps, int count, float *preference,
			 float *owners);

/* Unpacks weights, or those of the network. The caller of board_table_create() frees the table. */
struct board_table *board_table_create(const struct board_weights *);
void board_table_destroy(struct board_table *);
const struct board_table *board_net_open(const struct game *, struct board_net *);

/* The network that is the game's own evaluator, or NULL. */
const struct board_net *board_net_of(const struct game *);

/* Frees the unpacked network. No thread may be using it. */
void board_net_close(struct board_net *);

/* Reads the network of one of the games from a file. From now on evaluator_open() gives it for all sizes of this game.
 * Returns false, with a reason that names the file, if there is none. Call it at most once, before any thread exists. */
bool board_net_load(const char *path, const struct game *const *games, char why[REASON_MAX]);

/* The evaluator of such a network for this game, or NULL. */
const struct evaluator *board_net_loaded(const struct game *);

/* The functions of the evaluator. */
void board_net_get_ready(const struct evaluator *);
void board_net_steps(const struct evaluator *, const struct state *, const move_t *steps, int count,
		     struct evaluation *);
float board_net_state(const struct evaluator *, const struct state *);
float board_net_owners(const struct evaluator *, const struct state *, int images,
		       double owners[GAME_SQUARES_MAX]);

#define BOARD_NET_PUCT_GROWTH 0.7f /* `tools/experiments puct` measures it in nine games */
#define BOARD_NET_FIRST_PLAY  0.3f
#define BOARD_NET_COST        16 /* game.evaluator_cost */

/* The initializer of an evaluator with a struct board_net. */
#define BOARD_NET_EVALUATOR(NET)                                                                   \
	{                                                                                          \
		.get_ready = board_net_get_ready, .steps = board_net_steps,                        \
		.state = board_net_state, .owners = board_net_owners,                              \
		.puct_growth = BOARD_NET_PUCT_GROWTH, .first_play = BOARD_NET_FIRST_PLAY,          \
		.at_once = true, .remembers = true, .data = (NET),                                 \
	}

#endif
