/* SPDX-License-Identifier: MIT
 *
 * What a value weighs beside a prior in sequential halving (mcts_halving.c). The learner's targets use the same numbers
 * (tools/train/trainer.c).
 */
#ifndef ENGINE_SEARCH_MCTS_HALVING_H
#define ENGINE_SEARCH_MCTS_HALVING_H

#include <stdint.h>

/* The more a move was searched, the more its value weighs; this many visits come first. */
#define HALVING_FIRST 50
/* By visit, for values from -1 to 1 (half of the paper's, whose values are from 0 to 1). */
#define HALVING_SCALE 0.5f

/* What a value, -1 .. 1, adds to the logarithm of a prior. `most`: visits of the most visited move. */
static inline float halving_weight(float value, uint64_t most)
{
	return (float)(HALVING_FIRST + most) * HALVING_SCALE * value;
}

#endif
