/* SPDX-License-Identifier: MIT
 *
 * A small neural network that judges positions: the expected result, and how likely each step is the one
 * to choose (the prior of PUCT; Silver et al., 2017). Its weights are the game's, made by tools/train.
 *
 *     stones of who chooses, the other's, pending    2 * squares + 1 bits
 *     hidden layer    NET_HIDDEN, clipped at 0 and above
 *     second layer    NET_SECOND, likewise
 *     value, and a preference for every step code    1 + moves_max
 *
 * All sums are of integers, so that every processor finds the same.
 */
#ifndef ENGINE_NET_H
#define ENGINE_NET_H

#include "engine/game.h"

#define NET_HIDDEN 256
#define NET_SECOND 32

/* Weights are whole numbers. Of the first layer and of all activations NET_UNIT is 1.0, of the other
 * layers NET_WEIGHT; sums of products, and their biases, have NET_UNIT * NET_WEIGHT as 1.0. */
#define NET_UNIT   256
#define NET_WEIGHT 512
#define NET_CLIP   2047 /* largest activation, and largest weight of the later layers */

/* Largest weight of the first layer: no sum of all squares, pending and a bias overflows. */
static inline int net_first_clip(int squares)
{
	return INT16_MAX / (squares + 2);
}

struct net_layers {
	int32_t bias_second[NET_SECOND];
	int16_t second[NET_SECOND][NET_HIDDEN];
	int16_t bias_first[NET_HIDDEN];
	int16_t first[][NET_HIDDEN]; /* squares of who chooses, of the other, pending */
	/* then int16_t heads[1 + moves_max][NET_SECOND], the value first, and int32_t biases of them */
};

/* What a file of weights begins with; layers follow. */
struct net_header {
	char magic[8];     /* NET_MAGIC, without its NUL */
	uint32_t checksum; /* net_checksum() of what follows the header */
	uint16_t squares, steps;
	uint8_t unused[48];
};
_Static_assert(sizeof(struct net_header) == 64, "layers stay aligned");
#define NET_MAGIC "yominet1"

struct net {
	const struct net_layers *layers;
	const int16_t (*heads)[NET_SECOND];
	const int32_t *head_bias;
	int squares;
	void (*hidden)(const struct net_layers *, const uint64_t set[2], int squares, bool pending,
		       int16_t out[NET_SECOND]);
};

uint32_t net_checksum(const void *bytes, size_t);

/* Bytes of a file of weights for a game with so many squares and step codes. */
size_t net_size(int squares, int steps);

/* Finds a game's network. False: it has none. */
bool net_open(struct net *, const struct game *);

/* Looks at a state that is not over, of which these are the legal steps: returns what it expects for who
 * chooses, before a tanh makes it a result from -1 to 1, and sets the steps' preferences, before a softmax
 * makes them priors. */
float net_judge(const struct net *, const struct game *, const struct state *, const move_t *steps,
		int count, float *preference);

#endif
