/* SPDX-License-Identifier: MIT
 *
 * Havannah's board for random games, threats and prior knowledge: the chains of stones and what they touch.
 *
 * A point is a number of the board with a border of one point around it (havannah_point). A point's six neighbours are
 * numbered clockwise from the one above; `near` has a bit for each neighbour with a stone of a side.
 *
 * Invariant: no side has won on a board. A stone that would win is tested first (havannah_wins), and the game is
 * over. That makes the test for a ring short: a stone closes a ring if two of the neighbouring groups, which other
 * points separate, belong to one chain, or if it is the sixth neighbour of an own stone.
 */
#ifndef GAMES_HAVANNAH_HAVANNAH_BOARD_H
#define GAMES_HAVANNAH_HAVANNAH_BOARD_H

#include "engine/rules/game.h"
#include "engine/rules/playouts.h"

#define HAVANNAH_BASE_MIN    4
#define HAVANNAH_BASE_MAX    10
#define HAVANNAH_SIDE(BASE)  (2 * (BASE)-1)
#define HAVANNAH_CELLS(BASE) (3 * (BASE) * ((BASE)-1) + 1)
#define HAVANNAH_SIDE_MAX    HAVANNAH_SIDE(HAVANNAH_BASE_MAX)
/* For all bases, so that the steps to neighbours are constants. */
#define HAVANNAH_STRIDE      (HAVANNAH_SIDE_MAX + 2)
#define HAVANNAH_POINTS      (HAVANNAH_STRIDE * HAVANNAH_STRIDE)
#define HAVANNAH_NEAR        6 /* neighbours of a point */
#define HAVANNAH_RING_MIN    6 /* stones of the smallest ring */
#define HAVANNAH_NEAR_SET    0x3fu

/* Rows and columns of the six neighbours, clockwise from the one above. */
static const int havannah_near_row[HAVANNAH_NEAR] = { -1, -1, 0, 1, 1, 0 };
static const int havannah_near_col[HAVANNAH_NEAR] = { 0, 1, 1, 0, -1, -1 };

/* The steps to the six neighbours. */
static const int havannah_near_step[HAVANNAH_NEAR] = { -HAVANNAH_STRIDE, 1 - HAVANNAH_STRIDE, 1,
						       HAVANNAH_STRIDE,  HAVANNAH_STRIDE - 1, -1 };

/* A point as a neighbour of its own neighbour number i: the bit of the opposite direction. */
static inline unsigned havannah_back(int i)
{
	return 1u << (i + HAVANNAH_NEAR / 2) % HAVANNAH_NEAR;
}

/* The contents of a point other than BLACK and WHITE. */
enum { HAVANNAH_EMPTY = 2, HAVANNAH_BORDER = 3 };

/* Bits of what a chain touches: six corners, six sides. */
#define HAVANNAH_CORNERS 0x03fu
#define HAVANNAH_SIDES   0xfc0u

struct havannah_board {
	int base, empties;
	uint8_t content[HAVANNAH_POINTS];
	uint8_t near[HAVANNAH_POINTS][2];
	/* Chains are trees: the root of each stands for it, and knows its size and what it touches. An empty point is the
	 * root of nothing. */
	uint16_t parent[HAVANNAH_POINTS], stones[HAVANNAH_POINTS], touched[HAVANNAH_POINTS];
	/* The empty points in any order, and the place of each in that list. */
	uint16_t empty[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)], place[HAVANNAH_POINTS];
};

/* Fills the tables. Called before any other function. */
void havannah_board_init(void);

/* Returns true if a square is on the board. */
static inline bool havannah_is_cell(int base, int row, int col)
{
	return row + col >= base - 1 && row + col <= 3 * (base - 1);
}

/* The point of a square, and the square, row*cols+col, of a point. */
static inline int havannah_point(int row, int col)
{
	return (row + 1) * HAVANNAH_STRIDE + col + 1;
}
int havannah_square(int base, int point);

/* Empties the board. */
void havannah_board_clear(struct havannah_board *, int base);

/* Returns true if a stone of a side on an empty point wins. */
bool havannah_wins(const struct havannah_board *, int point, int side);

/* Places a stone that does not win. */
void havannah_place(struct havannah_board *, int point, int side);

/* Finds the empty points where a side wins. Returns their number; stops after `most`. */
int havannah_find_wins(const struct havannah_board *, int side, int most, uint16_t *points);

/* Finds empty points where a side would win if it had a stone on `point`, which is empty and where it does not win. Returns
 * their number; stops after `most`. May miss the sixth stone around an own one. The board is
 * unchanged afterwards. */
int havannah_find_threats(struct havannah_board *, int point, int side, int most, uint16_t *points);

/* The root of a stone's chain. Most roots are at most three steps away: taking these always costs less than a wrong guess
 * of their number. */
static inline int havannah_chain(const struct havannah_board *b, int point)
{
	point = b->parent[b->parent[b->parent[point]]];
	while (__builtin_expect(b->parent[point] != point, false))
		point = b->parent[point];
	return point;
}

/* Lists the stones of a side. Returns their number. */
int havannah_list_stones(const struct havannah_board *, int side, uint16_t *points);

/* The distance of a point from the border; 0: it lies on it. */
int havannah_row(int base, int point);

/* The corners and sides that a point itself lies on, as bits. Returns true if a chain that touches `bits` has won. */
unsigned havannah_border(int base, int point);
bool havannah_is_won(unsigned bits);

/* The groups that a set of neighbours consists of, which other points separate, as a set with one neighbour of each; and
 * the neighbours between two others. */
unsigned havannah_groups(unsigned near);
unsigned havannah_inner(unsigned near);

/* Returns true if the other side's stone on `point` threatens to break a bridge of `side`: two of its chains, or one and
 * the border, have two common empty neighbours, and the stone has taken one. *answer is the other one. */
bool havannah_broken_bridge(const struct havannah_board *, int point, int side, struct rng *,
			    int *answer);

/* Plays a random game to its end, `side` first, and returns Black's result. All empty points are equally likely. The
 * trace gets the steps and owners unless it is NULL. The board is undefined afterwards. */
int havannah_playout(struct havannah_board *, int side, struct rng *, struct trace *);

/* The same, but each side wins if it can, blocks the wins that the other's last stone threatens, and keeps the bridges that
 * it would break. Rings that close late do not count. `last` is the point of the stone before, 0: none. */
int havannah_heavy(struct havannah_board *, int side, int last, struct rng *, struct trace *);

#endif
