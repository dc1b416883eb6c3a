/* SPDX-License-Identifier: MIT
 *
 * Evaluation by patterns of the board (Buro, "From simple features to sophisticated evaluation functions",
 * 1998): a shape is a list of squares. In each place that the symmetries of the board bring it to, what stands
 * on its squares is a number in base 3 with the digits 0, empty, 1, Black's, and -1, White's: its index, which changes
 * its sign when the colours are exchanged. A weight belongs to a shape, an index and a stage of the game; the sum over
 * all places is the expected final score.
 *
 * Weights are learned for the side to move, once for all symmetries of a shape: the *kinds*. A file
 * (engine/weights.h) holds these. Unpacked, every stage has a table with a weight for every index. A stage is
 * unpacked when a search first comes to it: all of them would take more time than a quick first move has.
 */
#ifndef ENGINE_PATTERN_H
#define ENGINE_PATTERN_H

#include <stdatomic.h>

#include "engine/game.h"

#define PATTERN_SQUARES_MAX 10 /* of a shape */
#define PATTERN_PLACES_MAX  44
#define PATTERN_STAGE       3 /* stones on the board that a stage lasts */
#define PATTERN_STONES_MAX  64
#define PATTERN_UNIT        256 /* weights: 1/n of a point */

struct pattern_shape {
	int count;
	uint8_t squares[PATTERN_SQUARES_MAX];
};

struct patterns {
	/* The game's: */
	const struct pattern_shape *shapes;
	int shape_count;
	const struct game *game;
	const void *file; /* the weights of the game, or NULL */

	/* Made by pattern_init: */
	int places;
	int stages;
	uint32_t size;                     /* indices of all shapes */
	uint8_t shape[PATTERN_PLACES_MAX]; /* of a place */
	/* Of the weight for index 0 of each place in a table. The places that are not in use share a weight behind all
	 * others, which is 0. */
	ptrdiff_t offset[PATTERN_PLACES_MAX];
	/* What a black stone on a square adds to the index of each place, and a white one takes off. */
	_Alignas(16) int16_t rows[64][PATTERN_PLACES_MAX];

	/* In use by the number of stones, which is quicker to look up than its stage: weights, NULL before the first use,
	 * and what is added for the side to move. */
	const int16_t *_Atomic weights[PATTERN_STONES_MAX + 1];
	int16_t bias[PATTERN_STONES_MAX + 1];
	struct pattern_source *source; /* what they are unpacked from; NULL before the first use */
};

/* Finds the places; before any thread exists. */
void pattern_init(struct patterns *);

/* The indices of all places of a board. */
void pattern_indices(const struct patterns *, const uint64_t stones[2],
		     int16_t out[PATTERN_PLACES_MAX]);

/* The kind of every index of all shapes, and how many kinds there are; the caller frees it. */
uint32_t *pattern_kinds(const struct patterns *, uint32_t *count);

/* Puts weights in use: of a file, or NULL: of none, so that every sum is 0. No search may run. False: the file is not of
 * this game or damaged. */
bool pattern_load(struct patterns *, const void *file);

/* Makes a file of weights in points, as the header tells them; the caller frees it. */
void *pattern_file(const struct patterns *, const float *weights, size_t *size);

/* The weights of a file in points, as pattern_file takes them; NULL: the file is not of this game or damaged. The caller
 * frees them. */
float *pattern_weights(const struct patterns *, const void *file);

/* The weights in use for a number of stones, of the game's own file at first; any thread may call it. */
const int16_t *pattern_unpack(struct patterns *, int stones);

/* Of loops over places, which ThreadSanitizer makes a hundred times slower: their callers are where it looks. */
#define PATTERN_LOOP __attribute__((no_sanitize("thread")))

/* Two sums, so that no addition waits for all before it. */
PATTERN_LOOP
static inline int pattern_sum(const struct patterns *p, const int16_t *weights,
			      const int16_t index[PATTERN_PLACES_MAX], int side)
{
	int even = 0, odd = 0;
	if (side == BLACK) {
#pragma GCC unroll 11
		for (int i = 0; i < PATTERN_PLACES_MAX; i += 2) {
			even += weights[p->offset[i] + index[i]];
			odd += weights[p->offset[i + 1] + index[i + 1]];
		}
	} else {
#pragma GCC unroll 11
		for (int i = 0; i < PATTERN_PLACES_MAX; i += 2) {
			even += weights[p->offset[i] - index[i]];
			odd += weights[p->offset[i + 1] - index[i + 1]];
		}
	}
	return even + odd;
}

/* Black's expected final score in hundredths of a point. */
static inline int pattern_score(struct patterns *p, const int16_t index[PATTERN_PLACES_MAX],
				int stones, int side)
{
	const int16_t *weights = atomic_load_explicit(&p->weights[stones], memory_order_acquire);
	if (__builtin_expect(!weights, 0))
		weights = pattern_unpack(p, stones);
	int score = (pattern_sum(p, weights, index, side) + p->bias[stones]) * 100 / PATTERN_UNIT;
	return side == BLACK ? score : -score;
}

#endif
