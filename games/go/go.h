/* SPDX-License-Identifier: MIT
 *
 * The parts of a state of Go, for the files of the game.
 */
#ifndef GAMES_GO_GO_H
#define GAMES_GO_GO_H

#include "games/go/go_board.h"

/* board[] begins with two keys. Then follow the stones of Black and White: bit size*row+col of the board from the
 * top left. The highest bits of the last word of Black have the size, the number of passes and the ko, those of White
 * have komi. state.stones has the rules. */
#define GO_STONES(SIDE) (2 + GO_SET_WORDS * (SIDE)) /* index in board[] */
#define GO_NUMBERS      (GO_STONES(BLACK) + GO_SET_WORDS - 1)
#define GO_KOMI         (GO_STONES(WHITE) + GO_SET_WORDS - 1)
_Static_assert(GO_STONES(2) <= STATE_WORDS, "a state holds a board");

#define GO_KO_SHIFT   48
#define GO_KO_SET     (UINT64_C(0x1ff) << GO_KO_SHIFT)
#define GO_PASS_SHIFT 57
#define GO_PASS_SET   (UINT64_C(3) << GO_PASS_SHIFT)
#define GO_SIZE_SHIFT 59
#define GO_KOMI_SHIFT 48
#define GO_KOMI_SET   (UINT64_C(0xffff) << GO_KOMI_SHIFT)
#define GO_LAST_SET   ((UINT64_C(1) << GO_KO_SHIFT) - 1) /* the squares of the last word */
_Static_assert(GO_SQUARES_MAX - 64 * (GO_SET_WORDS - 1) <= GO_KO_SHIFT,
	       "the numbers have bits of their own");

#define GO_NO_SQUARE 0x1ff

/* What a step may not do, or may do, beside the rules that all tables share. Without the first two: positional superko. */
enum {
	GO_SITUATIONAL =
		1, /* a step may not bring back an earlier position with the same side to move */
	GO_SIMPLE = 2, /* a step may bring back any position; one that occurs too often is a draw */
	GO_SUICIDE = 4, /* a step may capture its own chain if that has several stones */
};

static inline int go_size(const struct state *s)
{
	return (int)(s->board[GO_NUMBERS] >> GO_SIZE_SHIFT);
}

/* Consecutive passes so far, 0 .. 2. */
static inline int go_passes(const struct state *s)
{
	return (int)((s->board[GO_NUMBERS] & GO_PASS_SET) >> GO_PASS_SHIFT);
}

/* The square that may not be played now, or GO_NO_SQUARE. */
static inline int go_ko(const struct state *s)
{
	return (int)((s->board[GO_NUMBERS] & GO_KO_SET) >> GO_KO_SHIFT);
}

/* In half points. */
static inline int go_get_komi(const struct game *g, const struct state *s)
{
	return (int16_t)(s->board[GO_KOMI] >> GO_KOMI_SHIFT);
}

/* Sets komi with its share of the key, but not the state's hash. Goals keep a number of their own there. */
void go_set_number(const struct game *, struct state *, int number);

/* The squares of a set and their neighbours on a board of a size. */
void go_spread(int size, const uint64_t set[GO_SET_WORDS], uint64_t out[GO_SET_WORDS]);

#endif
