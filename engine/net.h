/* SPDX-License-Identifier: MIT
 *
 * A small neural network that judges positions: the expected result, and how likely each step is the one
 * to choose (the prior of PUCT; Silver et al., 2017). Its weights are the game's, made by tools/train.
 *
 * It sees the board in four parts, its quadrants, each turned as the board has to be for it to be the top left
 * one; a board of no more than nine squares is the first part, and the others are empty. What stands on a part
 * is its *content*, a number in base 3 with the digits 0, empty, 1, of who chooses, and 2, of the other.
 *
 *     hidden layer    a vector for each content, and a bias, which pending states have of their own; clipped at
 *                     0 and above. The vectors are of four blocks, which for the next part go one place on:
 *                     turning the board turns the blocks, and nothing else changes.
 *     second layer    NET_SECOND, likewise clipped
 *     value, and a preference for every step code; to a step's is added what the content of its part has for it
 *
 * All but the vectors is there for every stage of the game, and again for pending states.
 *
 * All sums are of integers, so that every processor finds the same.
 */
#ifndef ENGINE_NET_H
#define ENGINE_NET_H

#include <stdatomic.h>

#include "engine/game.h"

#define NET_HIDDEN     512
#define NET_SECOND     32
#define NET_PARTS      4 /* and blocks of the hidden layer */
#define NET_BLOCK      (NET_HIDDEN / NET_PARTS)
#define NET_PLACES     9  /* squares of a part */
#define NET_LOCALS     12 /* steps of a part, rounded up: on its squares, then others */
#define NET_CONTENTS   19683
#define NET_HEADS      64 /* the value, then steps by their codes */
#define NET_STAGES     6

/* Weights are whole numbers. Of the hidden layer and of all activations NET_UNIT is 1.0, of the later
 * layers NET_WEIGHT; sums of products, and their biases, have NET_UNIT * NET_WEIGHT as 1.0. */
#define NET_UNIT       256
#define NET_WEIGHT     512
#define NET_CLIP       2047 /* largest activation */
#define NET_DETAIL     8    /* a content's own part of its vector counts by so many units, */
#define NET_PREFERENCE 128  /* and what it has for steps by so many of NET_UNIT * NET_WEIGHT */
#define NET_LATER_CLIP 1023 /* largest weight of the later layers: no sum overflows */
#define NET_FIRST_CLIP 700  /* largest weight of a stone, largest bias: no sum overflows */

struct net_layers {
	/* By pairs of hidden units, which processors multiply and add at once. [1] is of pending states, as
	 * below. */
	int16_t second[NET_STAGES][2][NET_HIDDEN / 2][NET_SECOND][2];
	int16_t hidden_bias[2][NET_BLOCK];
	int32_t second_bias[NET_STAGES][2][NET_SECOND];
	int16_t heads[NET_STAGES][2][NET_HEADS][NET_SECOND];
	int32_t head_bias[NET_STAGES][2][NET_HEADS];
	int16_t preferences[NET_CONTENTS][NET_LOCALS];
};

/* What a file (engine/weights.h) holds. The vector of a content is the sum of its stones' and of its own. */
struct net_weights {
	struct net_layers layers;
	int16_t stones[2][NET_PLACES][NET_HIDDEN]; /* of who chooses, of the other */
	int8_t details[NET_CONTENTS][NET_HIDDEN];
};

/* Where squares and steps are in the parts of a board. */
struct net_shape {
	uint8_t part[NET_HEADS], local[NET_HEADS]; /* of a step; a square is the step there */
	uint16_t power[NET_PLACES];                /* of 3 */
};

struct net_table;

/* Computes the second layer. Each kernel has its own. */
typedef void net_run(const struct net_table *, const uint16_t content[NET_PARTS], int stage,
		     bool pending, int16_t out[NET_SECOND]);

/* A network as it is used. */
struct net_table {
	struct net_layers layers; /* begins a page */
	struct net_shape shape;
	net_run *run;
	_Alignas(64) int16_t vectors[NET_CONTENTS][NET_PARTS][NET_BLOCK];
};

/* A game's network. */
struct net {
	const void *file;
	_Atomic(struct net_table *) table; /* made when it is first asked for */
};

struct net_shape net_shape_of(const struct game *);

/* The contents of the parts; own are the stones of who chooses. */
void net_contents(const struct net_shape *, uint64_t own, uint64_t other,
		  uint16_t content[NET_PARTS]);

static inline int net_stage(int stones)
{
	int stage = stones / 3 - 1;
	return stage < 0 ? 0 : stage < NET_STAGES ? stage : NET_STAGES - 1;
}

/* Reads and writes a file of the game's; the caller frees what is returned. NULL: it is not good. */
struct net_weights *net_read(const struct game *, const void *file);
void *net_file(const struct game *, const struct net_weights *, size_t *size);

/* The network of a game, made ready when it is first asked for, in some hundredths of a second; threads may ask
 * at a time. NULL: it has none. */
const struct net_table *net_open(const struct game *);

/* Frees what net_open has made. Nobody may use it then. */
void net_close(struct net *);

/* Looks at a state that is not over, of which these are the legal steps: returns what it expects for who
 * chooses, before a tanh makes it a result from -1 to 1, and sets the steps' preferences, before a softmax
 * makes them priors. */
float net_judge(const struct net_table *, const struct game *, const struct state *,
		const move_t *steps, int count, float *preference);

#endif
