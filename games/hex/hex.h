/* SPDX-License-Identifier: MIT
 *
 * The board of Hex, which the rules, the random games and the exact knowledge share.
 *
 * A set of squares has bit size*row+col of as many words as the board needs. Row 0 is the top row. Black
 * joins the first row and the last one, White the first column and the last one. The neighbours of a square
 * in circular order: above, above to the right, right, below, below to the left, left.
 *
 * The functions that take `words` and `n` (the size) are compiled for constants: HEX_CALL.
 */
#ifndef GAMES_HEX_HEX_H
#define GAMES_HEX_HEX_H

#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/game.h"
#include "engine/rules/playouts.h"

enum { HEX_SIZE_MIN = 3, HEX_SIZE_MAX = 19, HEX_SIZE_DEFAULT = 11 };
enum { HEX_SQUARES_MAX = HEX_SIZE_MAX * HEX_SIZE_MAX, HEX_WORDS_MAX = 6, HEX_RING = 6 };

/* board[] begins with two keys. Then follow the stones of Black and White. */
#define HEX_STONES(SIDE) (2 + HEX_WORDS_MAX * (SIDE))
_Static_assert(HEX_STONES(2) <= STATE_WORDS, "a state holds a board");
_Static_assert(HEX_SQUARES_MAX <= 64 * HEX_WORDS_MAX, "a set holds a board");

/* `stones` of a state: the size, the rules, whether the second player may still swap. */
#define HEX_SIZE_SET 0x1f
#define HEX_REX      0x20
#define HEX_SWAP     0x40

#define HEX_OFF      UINT16_MAX /* no square: beyond the border */

/* What is known of a size. */
struct hex_shape {
	int size, words;
	uint64_t board[HEX_WORDS_MAX];            /* all squares */
	uint64_t not_left[HEX_WORDS_MAX];         /* squares outside the first column */
	uint64_t not_right[HEX_WORDS_MAX];        /* squares outside the last column */
	uint64_t edge[2][2][HEX_WORDS_MAX];       /* of each side: the squares at its two edges */
	uint16_t near[HEX_SQUARES_MAX][HEX_RING]; /* the neighbours of a square, or HEX_OFF */
	uint8_t beyond[2][HEX_SQUARES_MAX]; /* bits of those neighbours that are a side's edges */
};

extern struct hex_shape hex_shapes[HEX_SIZE_MAX + 1];

static inline int hex_size(const struct state *s)
{
	return s->stones & HEX_SIZE_SET;
}

#define HEX_INLINE static inline __attribute__((always_inline))

/* Calls a function with constant sizes: the default size, boards of one word, of two, of three, and any others. */
#define HEX_CALL(FUNCTION, SIZE, ...)                                                              \
	((SIZE) == 11   ? FUNCTION(2, 11, __VA_ARGS__)                                             \
	 : (SIZE) <= 8  ? FUNCTION(1, (SIZE), __VA_ARGS__)                                         \
	 : (SIZE) <= 11 ? FUNCTION(2, (SIZE), __VA_ARGS__)                                         \
	 : (SIZE) <= 13 ? FUNCTION(3, (SIZE), __VA_ARGS__)                                         \
			: FUNCTION(HEX_WORDS_MAX, (SIZE), __VA_ARGS__))

/* Adds to a set the neighbours of its squares that are in `within`. Returns true if it has grown. */
HEX_INLINE bool hex_grow(const int words, const int n, const struct hex_shape *shape, uint64_t *set,
			 const uint64_t *within)
{
	uint64_t left[HEX_WORDS_MAX], right[HEX_WORDS_MAX], grown = 0;
	uint64_t low[HEX_WORDS_MAX], high[HEX_WORDS_MAX];
	for (int i = 0; i < words; i++) {
		left[i] = set[i] & shape->not_left[i];
		right[i] = set[i] & shape->not_right[i];
	}
	/* Below a square are the one straight below it, and that one's left neighbour. */
	for (int i = 0; i < words; i++) {
		low[i] = bits_up(set, i, 1) | left[i];
		high[i] = bits_down(set, i, 1, words) | right[i];
	}
	for (int i = 0; i < words; i++) {
		uint64_t more = (bits_up(right, i, 1) | bits_down(left, i, 1, words) |
				 bits_up(low, i, n - 1) | bits_down(high, i, n - 1, words)) &
				within[i] & ~set[i];
		set[i] |= more;
		grown |= more;
	}
	return grown;
}

/* Adds to a set all squares of `within` that touch it directly or by others of `within`. */
HEX_INLINE void hex_fill(const int words, const int n, const struct hex_shape *shape, uint64_t *set,
			 const uint64_t *within)
{
	while (hex_grow(words, n, shape, set, within))
		continue;
}

HEX_INLINE bool hex_meets(const int words, const uint64_t *a, const uint64_t *b)
{
	uint64_t common = 0;
	for (int i = 0; i < words; i++)
		common |= a[i] & b[i];
	return common;
}

/* Returns true if `own` joins the edges of `side`. */
HEX_INLINE bool hex_joins(const int words, const int n, const struct hex_shape *shape,
			  const uint64_t *own, int side)
{
	uint64_t set[HEX_WORDS_MAX];
	const uint64_t *start = shape->edge[side][0], *end = shape->edge[side][1];
	for (int i = 0; i < words; i++)
		set[i] = own[i] & start[i];
	do {
		if (hex_meets(words, set, end))
			return true;
	} while (hex_grow(words, n, shape, set, own));
	return false;
}

/* --- hex_playout.c: games that fill the board --- */

/* Fills the empty squares at random, as if both sides moved in turn, and looks once who has joined his edges. Returns
 * 1: Black, -1: White. Each way to fill the board is equally likely. */
int hex_playout(const struct game *, const struct state *, struct rng *);

/* The same, and describes the game. */
int hex_trace(const struct game *, const struct state *, struct rng *, struct trace *);

/* A game in which a side saves a bridge that the other side's last stone has cut into. */
int hex_heavy(const struct game *, const struct state *, move_t last, struct rng *, struct trace *);

/* Finds the squares that save a bridge of the side to move after the other side's step `last`; MOVE_NONE: none. */
void hex_find_saves(const struct state *, move_t last, uint64_t saves[HEX_WORDS_MAX]);

/* Efforts to win by the results of random games; the state seeds them. See struct game. */
void hex_first_numbers(const struct game *, const struct state *, uint32_t efforts[2]);

void hex_playout_init(void);

/* --- hex_prior.c: prior knowledge by electric currents --- */

void hex_prior(const struct game *, const struct state *, move_t last, const move_t *steps,
	       int count, struct prior *out);

#endif
