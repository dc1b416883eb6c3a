/* SPDX-License-Identifier: MIT
 *
 * Stones as sets, and which positions are mirror images of others: for books, learning and pages. Without it a game can
 * have no book, and no position stands for its images. Each part may be missing.
 */
#ifndef ENGINE_RULES_IMAGES_H
#define ENGINE_RULES_IMAGES_H

#include "engine/rules/game.h"

#define IMAGES_ALL     0xfeu /* the symmetries of a square board */
#define IMAGES_SQUARES 64    /* most squares of a game with `stones` */

struct images {
	/* The stones of Black and White as bit sets; bit row*cols+col, row 0 at the top. */
	void (*stones)(const struct game *, const struct state *, uint64_t set[2]);
	/* The symmetries of the rules: bit i is set for symmetry i, 1 .. 7. The bits of i say what it does:
	 * exchange rows and columns (4), then reverse the columns (2) and the rows (1). */
	unsigned symmetries;
	/* Maps a step by one of them. Required with `symmetries`. */
	move_t (*mirror)(const struct game *, move_t, int symmetry);
	/* The symmetry by which White's board looks like Black's, where the sides play in different directions; 0: none is
	 * needed. `mirror` maps it, too. */
	unsigned view;
};

/* The symmetries of a game's rules, 0 if it has none. */
static inline unsigned images_symmetries(const struct game *g)
{
	return g->images ? g->images->symmetries : 0;
}

/* The symmetry for White's view of a game's board, 0 if none is needed. */
static inline int images_view(const struct game *g)
{
	return g->images ? (int)g->images->view : 0;
}

/* Returns true if the stones of a game can be had as sets. */
static inline bool images_have_stones(const struct game *g)
{
	return g->images && g->images->stones;
}

/* `stones` of games whose board[BLACK] and board[WHITE] are these sets. */
void images_stones(const struct game *, const struct state *, uint64_t set[2]);

/* Maps a square by a symmetry, 0 .. 7, as `mirror` does. 0 is the identity. */
int images_mirror_square(const struct game *, int square, int symmetry);

/* `mirror` of games whose steps are their squares, and a pass or swap, whose code is rows*cols. */
move_t images_mirror_step(const struct game *, move_t, int symmetry);

#endif
