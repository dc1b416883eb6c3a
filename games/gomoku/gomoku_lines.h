/* SPDX-License-Identifier: MIT
 *
 * The lines of a Gomoku board: what a stone of a side makes along a line. That depends on the four squares on each side of
 * it and, where six in a row do not win, also on whether the fifth ones have own stones. A table has the answer for each
 * content of these squares.
 *
 * Renju's forbidden squares follow from the lines of Black.
 */
#ifndef GAMES_GOMOKU_GOMOKU_LINES_H
#define GAMES_GOMOKU_GOMOKU_LINES_H

#include "games/gomoku/gomoku.h"

/* What a stone makes in one direction. The last two: only Black in Renju. */
enum gomoku_line {
	LINE_NONE,
	LINE_TWO,   /* one more stone makes an open three */
	LINE_THREE, /* one more stone makes an open four */
	LINE_FOUR,  /* one square completes five */
	LINE_OPEN_FOUR, /* two squares or more complete five; Black in Renju: both ends of four neighbours do */
	LINE_FIVE,
	LINE_TWO_FOURS, /* two squares complete five, each with another four */
	LINE_OVERLINE,  /* six or more */
};

/* Why Black may not place a stone on a square in Renju. */
enum gomoku_ban { BAN_NONE, BAN_OVERLINE, BAN_DOUBLE_FOUR, BAN_DOUBLE_THREE };

enum {
	GOMOKU_LINES = 2 * GOMOKU_SIZE_MAX - 1,
	GOMOKU_REACH = 4,     /* squares on each side that matter for a row of five */
	GOMOKU_FIRST_BIT = 5, /* of the first square of a line */
	GOMOKU_LINE_BITS = 3, /* of an enum gomoku_line */
	GOMOKU_LINE_SET = 7,
	GOMOKU_CONTENTS = 6561, /* contents of the eight squares near one: empty, own, blocked */
	GOMOKU_ENDS = 4,        /* own stones on the fifth squares: none, before, after, both */
	GOMOKU_STRIP = 2 * GOMOKU_REACH + 1,
};

/* The stones in each line of each direction; bit GOMOKU_FIRST_BIT + position. Direction 0 has the rows, the position is
 * the column. */
struct gomoku_lines {
	int size;
	enum gomoku_rules rules;
	uint32_t stones[2][GOMOKU_DIRECTIONS][GOMOKU_LINES];
};

/* What a stone makes, in the lowest bits, and above them, if it makes a LINE_FOUR, the place of the answer: its
 * distance + GOMOKU_REACH. Index: ends * GOMOKU_CONTENTS + contents. Where six in a row win the ends do not matter. */
struct gomoku_table {
	bool has_ends;
	uint8_t entries[GOMOKU_ENDS * GOMOKU_CONTENTS];
};

extern struct gomoku_table gomoku_at_least; /* five or more win */
extern struct gomoku_table gomoku_exactly;  /* exactly five win */
extern struct gomoku_table gomoku_renju;    /* Black in Renju */

/* The digits in base 3 of a strip of nine squares without its centre. */
extern uint16_t gomoku_digits[1 << GOMOKU_STRIP];

/* By size: the squares off the board, by direction and line, in the form of `stones`. */
extern uint32_t gomoku_walls[GOMOKU_SIZE_MAX + 1][GOMOKU_DIRECTIONS][GOMOKU_LINES];

/* The line of a square in a direction, and the square's position there. */
struct gomoku_place {
	uint8_t line, position;
};

extern struct gomoku_place gomoku_places[GOMOKU_SIZE_MAX + 1][GOMOKU_SQUARES_MAX]
					[GOMOKU_DIRECTIONS];

/* Fills the tables. Called once. */
void gomoku_lines_init(void);

/* Sets up the lines of a state. */
void gomoku_lines_set(struct gomoku_lines *, const struct state *);

/* Returns why Black may not place a stone on an empty square by the rules of Renju, or BAN_NONE. Five in a row is always
 * allowed. A three counts only if a stone that is allowed makes it a straight four (Renju International Federation,
 * rules of 1996, 9.3). The lines do not change. */
enum gomoku_ban gomoku_find_ban(struct gomoku_lines *, int step);

/* Returns true if a stone of a side on an empty square makes five that wins. */
bool gomoku_lines_makes_five(const struct gomoku_lines *, int side, int step);

/* The same by the lines alone: BAN_DOUBLE_THREE if there are two threes, which may not count. A stone of White never makes a
 * square suspect. */
enum gomoku_ban gomoku_suspect(const struct gomoku_lines *, int step);

static inline const struct gomoku_table *gomoku_table(enum gomoku_rules rules, int side)
{
	return rules == GOMOKU_STANDARD                 ? &gomoku_exactly
	       : rules == GOMOKU_RENJU && side == BLACK ? &gomoku_renju
							: &gomoku_at_least;
}

/* The distance of two steps that are neighbours in a direction. */
static inline int gomoku_stride(int size, int direction)
{
	const int strides[GOMOKU_DIRECTIONS] = { 1, size, size + 1, size - 1 };
	return strides[direction];
}

/* A line as a side sees it. */
struct gomoku_view {
	uint32_t own, blocked;
};

static inline struct gomoku_view gomoku_view(const struct gomoku_lines *l, int side, int d,
					     int line)
{
	return (struct gomoku_view) { l->stones[side][d][line],
				      l->stones[side ^ 1][d][line] |
					      gomoku_walls[l->size][d][line] };
}

/* What a stone of the side on an empty square of a line makes, with the place of the answer. */
static inline uint8_t gomoku_entry(const struct gomoku_table *table, bool has_ends,
				   struct gomoku_view v, int position)
{
	uint32_t own = v.own >> position, blocked = v.blocked >> position;
	int contents = gomoku_digits[own >> 1 & ((1 << GOMOKU_STRIP) - 1)] +
		       2 * gomoku_digits[blocked >> 1 & ((1 << GOMOKU_STRIP) - 1)];
	if (has_ends)
		contents += GOMOKU_CONTENTS * (int)((own & 1) | (own >> GOMOKU_STRIP & 2));
	return table->entries[contents];
}

/* Adds a stone, or removes it. */
static inline void gomoku_toggle(struct gomoku_lines *l, int side, int step)
{
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		struct gomoku_place p = gomoku_places[l->size][step][d];
		l->stones[side][d][p.line] ^= 1u << (GOMOKU_FIRST_BIT + p.position);
	}
}

#endif
