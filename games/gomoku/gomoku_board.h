/* SPDX-License-Identifier: MIT
 *
 * A board of Gomoku for heavy playouts, prior knowledge and searches of threats. It knows at any time what a stone of either
 * side on each empty square would make: five, four, an open three. A move updates only the squares near it.
 *
 * In Renju a square that Black may not take has KIND_FORBIDDEN if its lines alone tell, else KIND_DOUBTFUL. Only
 * gomoku_board_kind() and gomoku_board_allows() look further.
 *
 * A board belongs to one thread.
 */
#ifndef GAMES_GOMOKU_GOMOKU_BOARD_H
#define GAMES_GOMOKU_GOMOKU_BOARD_H

#include "games/gomoku/gomoku_lines.h"

/* What a stone makes in all directions together. The order is that of the values for playouts. */
enum gomoku_kind {
	KIND_NONE,
	KIND_TWO,
	KIND_TWO_TWOS,
	KIND_THREE,
	KIND_TWO_THREES,
	KIND_FOUR, /* the other side must answer on one square */
	KIND_FOUR_THREE,
	KIND_OPEN_FOUR, /* an open four, or two fours: one answer is not enough */
	KIND_FIVE,
	/* Only Black in Renju. */
	KIND_DOUBTFUL, /* two threes or more: forbidden if at least two of them can become a straight four */
	KIND_FORBIDDEN, /* an overline, or two fours */
	KINDS
};

/* What a square made before a change. */
struct gomoku_change {
	uint16_t step, lines;
	uint8_t side;
};

/* A stone changes at most what both sides make on its own square and on ten squares in each direction. */
enum { GOMOKU_CHANGES = GOMOKU_SQUARES_MAX * 2 * (1 + 10 * GOMOKU_DIRECTIONS) };

/* All changes since a search began: `before[i]` of them by the first i stones. */
struct gomoku_changes {
	int stones, count;
	int before[GOMOKU_SQUARES_MAX];
	struct gomoku_change list[GOMOKU_CHANGES];
};

struct gomoku_board {
	struct gomoku_lines stones;        /* by line */
	int size, empty;                   /* empty: the number of empty squares */
	const uint8_t *kind_of[2];         /* by side: the kind of a stone by its lines */
	uint8_t taken[GOMOKU_SQUARES_MAX]; /* 0: the square is empty */
	/* For a stone of a side on an empty square: what it makes in each direction, three bits each; together. */
	uint16_t lines[2][GOMOKU_SQUARES_MAX];
	uint8_t kinds[2][GOMOKU_SQUARES_MAX];
	/* The squares of each kind but KIND_NONE, as sets of steps, and their numbers. */
	uint64_t sets[2][KINDS][GOMOKU_WORDS];
	uint16_t counts[2][KINDS];
	struct gomoku_changes *changes; /* NULL: stones cannot be taken back */
};

/* Fills the tables. Called once. */
void gomoku_board_init(void);

/* Sets up the board of a state. `changes` as in the board. */
void gomoku_board_set(struct gomoku_board *, const struct state *, struct gomoku_changes *);

/* Places a stone on an empty square, or takes the last stone back. */
void gomoku_board_place(struct gomoku_board *, int side, int step);
void gomoku_board_remove(struct gomoku_board *, int side, int step);

/* What a stone makes, without doubts: a doubtful square is forbidden, or has the kind of its best line. */
enum gomoku_kind gomoku_board_kind(struct gomoku_board *, int side, int step);

/* Returns true if the rules allow a stone of the side on an empty square. */
static inline bool gomoku_board_allows(struct gomoku_board *b, int side, int step)
{
	return b->kinds[side][step] < KIND_DOUBTFUL ||
	       gomoku_board_kind(b, side, step) != KIND_FORBIDDEN;
}

/* Returns the square where the other side must answer a stone that makes a four, in the direction where it does. The
 * stone must make one LINE_FOUR and no better line. */
int gomoku_board_answer(const struct gomoku_board *, int side, int step);

static inline int gomoku_count(const struct gomoku_board *b, int side, enum gomoku_kind kind)
{
	return b->counts[side][kind];
}

#endif
