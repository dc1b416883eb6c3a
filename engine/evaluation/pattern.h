/* SPDX-License-Identifier: MIT
 *
 * Evaluation by patterns of the board (Buro, "From simple features to sophisticated evaluation functions",
 * 1998). A *shape* is a list of squares. The symmetries of the board move it to several *places*. The
 * *index* of a place is a number in base 3 with one digit per square: 0 empty, 1 Black, -1 White.
 * Exchanging the colors changes its sign. A weight belongs to a shape, an index and a stage of the game.
 * The sum of the weights of all places is the expected final score.
 *
 * Weights are learned for the side to move. Indices that are equal by a symmetry of the shape share a
 * weight: they are of one *kind*. A file (engine/evaluation/weights.h) holds a weight for each kind and stage.
 * Unpacked, every stage has a table with a weight for every index. The first evaluation in a stage unpacks
 * it, because unpacking all stages would take longer than a quick first move.
 */
#ifndef ENGINE_EVALUATION_PATTERN_H
#define ENGINE_EVALUATION_PATTERN_H

#include <stdatomic.h>

#include "engine/base/kernel.h"
#include "engine/rules/game.h"

#define PATTERN_SQUARES_MAX 10 /* of a shape */
#define PATTERN_PLACES_MAX  44
#define PATTERN_STAGE       3 /* number of stones in a stage */
#define PATTERN_STONES_MAX  64
#define PATTERN_UNIT        256 /* 1.0 point in the fixed-point weights */

struct pattern_shape {
	int count;
	uint8_t squares[PATTERN_SQUARES_MAX];
};

struct patterns {
	/* Set by the game: */
	const struct pattern_shape *shapes;
	int shape_count;
	const struct game *game;
	const void *file; /* the weights of the game, or NULL */

	/* Set by pattern_init: */
	int places;
	int stages;
	uint32_t size;                     /* number of indices of all shapes */
	uint8_t shape[PATTERN_PLACES_MAX]; /* of a place */
	/* Offset in a table of the weight for index 0 of each place. Unused places share the weight after all
	 * others, which is 0. */
	ptrdiff_t offset[PATTERN_PLACES_MAX];
	/* What a black stone on a square adds to the index of each place. A white stone subtracts it. */
	_Alignas(16) int16_t rows[64][PATTERN_PLACES_MAX];

	/* Indexed by the number of stones, which is faster than by stage. The table of weights, NULL before
	 * its first use; and a bias for the side to move. */
	const int16_t *_Atomic weights[PATTERN_STONES_MAX + 1];
	int16_t bias[PATTERN_STONES_MAX + 1];
	struct pattern_source *source; /* the packed weights; NULL before the first use */
};

/* Finds the places of all shapes. Call it once, before any thread exists. */
void pattern_init(struct patterns *);

/* Computes the indices of all places. stones[BLACK] and stones[WHITE] are sets of squares. */
void pattern_indices(const struct patterns *, const uint64_t stones[2],
		     int16_t out[PATTERN_PLACES_MAX]);

/* Returns the kind of every index of all shapes, and sets *count to the number of kinds. The caller frees
 * the result. */
uint32_t *pattern_kinds(const struct patterns *, uint32_t *count);

/* Replaces the weights by those of a file. NULL: all weights become 0. No search may be running. Returns
 * false and changes no weight if the file is damaged or of another game. */
bool pattern_load(struct patterns *, const void *file);

/* Makes a file of weights, given in points: one for each number of stones, 0 .. squares, then one for each
 * kind, stage by stage. Sets *size to its bytes. The caller frees the result. */
void *pattern_file(const struct patterns *, const float *weights, size_t *size);

/* Returns the weights of a file in points, in the order of pattern_file(). file NULL: zeros. Returns NULL
 * if the file is damaged or of another game. The caller frees the result. */
float *pattern_weights(const struct patterns *, const void *file);

/* Returns the table of weights for a number of stones; unpacks it if needed. Loads the game's own file if
 * no file was loaded. Any thread. */
const int16_t *pattern_unpack(struct patterns *, int stones);

/* The sum of the weights of all places. Two partial sums shorten the chain of dependent additions. */
KERNEL_UNWATCHED
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
