/* SPDX-License-Identifier: MIT
 *
 * Boards of Go of up to 5x5 as sets of squares, for the solver: moves, area and points that are safe without a search.
 */
#ifndef GAMES_GO_GO_SMALL_H
#define GAMES_GO_GO_SMALL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/rules/game.h"

#define SMALL_SIDE_MAX 5
#define SMALL_SQUARES  (SMALL_SIDE_MAX * SMALL_SIDE_MAX)
#define SYMMETRIES     8
#define NONE           31 /* no square */

typedef uint32_t set_t; /* a set of squares, bit size*row+col */

/* A size of the board. */
struct shape {
	int size, squares;
	set_t all, first, last;    /* all squares, first and last column */
	set_t near[SMALL_SQUARES]; /* orthogonal neighbours */
	/* The images of the squares of two rows in all symmetries. */
	struct set_images {
		set_t set[SYMMETRIES];
	} images[(SMALL_SIDE_MAX + 1) / 2][1 << 2 * SMALL_SIDE_MAX];
};

struct position {
	set_t stones[2];
	uint8_t side, passes;
	uint8_t ko; /* the square that may not be played now, or NONE */
};

/* What a side gets whatever the other side does. */
struct safe {
	set_t points;
	set_t contested; /* regions where the other side may place a stone */
};

/* Fills the tables. Call it once, before any thread exists. */
void small_init(void);

/* A size, 2 .. SMALL_SIDE_MAX. */
const struct shape *small_shape(int size);

/* Plays on an empty square. Sets the position after it and the captured stones. Returns false if the move is suicide.
 * Positions may repeat: the caller checks that. */
bool small_play(const struct shape *, const struct position *, int square, struct position *after,
		set_t *dead);
struct position small_pass(const struct position *);

/* A side's area minus the other side's. */
int small_margin(const struct shape *, set_t own, set_t other);

/* Finds points that are safe for the side with the stones `own`. */
struct safe small_safe(const struct shape *, set_t own);

/* The stones of both sides in one number. */
static inline uint64_t small_board(const struct position *p)
{
	return (uint64_t)p->stones[BLACK] << 32 | p->stones[WHITE];
}

/* Without an instruction for it, which not all processors have. */
static inline int set_count(set_t set)
{
	set -= set >> 1 & 0x55555555;
	set = (set & 0x33333333) + (set >> 2 & 0x33333333);
	return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

static inline int set_first(set_t set)
{
	return __builtin_ctz(set);
}

/* The images of a set in all symmetries. */
static inline struct set_images set_images(const struct shape *shape, set_t set)
{
	struct set_images all = { { 0 } };
	set_t two_rows = (1u << 2 * shape->size) - 1;
	for (int i = 0; 2 * i < shape->size; i++) {
		const struct set_images *part =
			&shape->images[i][set >> 2 * i * shape->size & two_rows];
		for (int k = 0; k < SYMMETRIES; k++)
			all.set[k] |= part->set[k];
	}
	return all;
}

static inline set_t set_turned(const struct shape *shape, set_t set, int symmetry)
{
	set_t turned = 0, two_rows = (1u << 2 * shape->size) - 1;
	for (int i = 0; 2 * i < shape->size; i++)
		turned |= shape->images[i][set >> 2 * i * shape->size & two_rows].set[symmetry];
	return turned;
}

#endif
