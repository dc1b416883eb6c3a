/* SPDX-License-Identifier: MIT
 *
 * An evaluator (engine/evaluation/evaluator.h) for boards of four quadrants, such as Pentago's: a small
 * neural network. It computes the expected result and a preference for each step (the prior of PUCT; Silver
 * et al., 2017). Each game has its own weights, made by tools/train.
 *
 * The input is the board in four parts, its quadrants. Each part is seen with the board rotated so that the
 * quadrant is at the top left. A board of at most nine squares is the first part; the others are then
 * empty. The *content* of a part is a number in base 3. Its digits are 0 for an empty square, 1 for a stone
 * of the side to choose, and 2 for a stone of the other side.
 *
 *     hidden layer    the sum of a vector for the content of each part, and a bias; clipped to
 *                     0 .. NET_CLIP. A vector has NET_PARTS blocks. Part p uses them rotated by p blocks.
 *                     So rotating the board rotates the blocks of the hidden layer and changes nothing else.
 *     second layer    NET_SECOND units, clipped in the same way
 *     heads           the value, and a preference for every step code. The content of the part where a
 *                     step is adds to the step's preference.
 *
 * The second layer and the heads have separate weights for each stage of the game, and for pending states.
 * The bias of the hidden layer differs for pending states only.
 *
 * All sums are sums of integers, so every processor gets the same result.
 */
#ifndef GAMES_PENTAGO_QUADRANT_NET_H
#define GAMES_PENTAGO_QUADRANT_NET_H

#include <stdatomic.h>

#include "engine/evaluation/evaluator.h"

#define NET_HIDDEN     512
#define NET_SECOND     32
#define NET_PARTS      4 /* also the number of blocks of the hidden layer */
#define NET_BLOCK      (NET_HIDDEN / NET_PARTS)
#define NET_PLACES     9  /* most squares of a part */
#define NET_LOCALS     12 /* room for the steps of a part: its squares, then other steps */
#define NET_CONTENTS   19683
#define NET_HEADS      64 /* the value, then the steps by code */
#define NET_STAGES     6

/* Weights are integers in fixed point. 1.0 is NET_UNIT in the hidden layer and in all activations,
 * NET_WEIGHT in the weights of the later layers, and NET_UNIT * NET_WEIGHT in sums of products and their
 * biases. */
#define NET_UNIT       256
#define NET_WEIGHT     512
#define NET_CLIP       2047 /* largest activation */
#define NET_DETAIL     8    /* unit of net_weights.details */
#define NET_PREFERENCE 128  /* unit of net_layers.preferences; 1.0 is NET_UNIT * NET_WEIGHT */
#define NET_LATER_CLIP 1023 /* largest weight of the later layers; prevents overflow of sums */
#define NET_FIRST_CLIP 700  /* largest weight of a stone, largest bias; prevents overflow of sums */

struct net_layers {
	/* Stored by pairs of hidden units, which one instruction multiplies and adds. Here and below the
	 * index [2] is 1 for pending states. */
	int16_t second[NET_STAGES][2][NET_HIDDEN / 2][NET_SECOND][2];
	int16_t hidden_bias[2][NET_BLOCK];
	int32_t second_bias[NET_STAGES][2][NET_SECOND];
	int16_t heads[NET_STAGES][2][NET_HEADS][NET_SECOND];
	int32_t head_bias[NET_STAGES][2][NET_HEADS];
	int16_t preferences[NET_CONTENTS][NET_LOCALS];
};

/* The content of a file (engine/evaluation/weights.h). The vector of a content is the sum of the vectors of its
 * stones, plus NET_DETAIL times its own details. */
struct net_weights {
	struct net_layers layers;
	int16_t stones[2][NET_PLACES][NET_HIDDEN]; /* own, other's */
	int8_t details[NET_CONTENTS][NET_HIDDEN];
};

/* Maps squares and steps to the parts of a board. */
struct net_shape {
	/* Indexed by step code. A square is its own step code. */
	uint8_t part[NET_HEADS], local[NET_HEADS];
	uint16_t power[NET_PLACES]; /* powers of 3 */
};

struct net_table;

/* Computes the second layer. Each kernel has its own function. */
typedef void net_run(const struct net_table *, const uint16_t content[NET_PARTS], int stage,
		     bool pending, int16_t out[NET_SECOND]);

/* An unpacked network. */
struct net_table {
	struct net_layers layers; /* at the start of a page */
	struct net_shape shape;
	net_run *run;
	_Alignas(64) int16_t vectors[NET_CONTENTS][NET_PARTS][NET_BLOCK];
};

/* A game's network. */
struct net {
	const void *file;
	_Atomic(struct net_table *) table; /* unpacked by the first net_open() */
};

/* The network that a game's evaluator uses. NULL if it uses none. */
struct net *net_of(const struct game *);

struct net_shape net_shape_of(const struct game *);

/* Computes the contents of the parts. `own` are the stones of the side to choose. */
void net_contents(const struct net_shape *, uint64_t own, uint64_t other,
		  uint16_t content[NET_PARTS]);

static inline int net_stage(int stones)
{
	int stage = stones / 3 - 1;
	return stage < 0 ? 0 : stage < NET_STAGES ? stage : NET_STAGES - 1;
}

/* Reads and writes a file of weights of this game. The caller frees the result. net_read() returns NULL if
 * the file is damaged or of another game. net_file() sets *size to the bytes of the file. */
struct net_weights *net_read(const struct game *, const void *file);
void *net_file(const struct game *, const struct net_weights *, size_t *size);

/* Returns the network of a game, or NULL if it has none. The first call unpacks it, which takes some
 * hundredths of a second. Any thread, at any time. */
const struct net_table *net_open(const struct game *);

/* Frees the unpacked network. No thread may be using it. */
void net_close(struct net *);

/* Evaluates a state that is not over. Returns the value for the side to choose; its tanh is the expected
 * result, -1 .. 1. Sets the preferences of `count` legal steps; their softmax are the priors. count 0:
 * `steps` and `preference` may be NULL. Any thread. */
float net_evaluate(const struct net_table *, const struct game *, const struct state *,
		   const move_t *steps, int count, float *preference);

/* The functions of the evaluator (engine/evaluation/evaluator.h). */
void net_get_ready(const struct evaluator *);
void net_steps(const struct evaluator *, const struct state *, const move_t *steps, int count,
	       struct evaluation *);
float net_state(const struct evaluator *, const struct state *);

/* The initializer of an evaluator with a struct net. */
#define NET_EVALUATOR(NET)                                                                         \
	{                                                                                          \
		.get_ready = net_get_ready, .steps = net_steps, .state = net_state, .data = (NET), \
	}

#endif
