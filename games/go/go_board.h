/* SPDX-License-Identifier: MIT
 *
 * A fast board for random games of Go, for sizes 2 to 19. It has a border and counts the liberties of each
 * chain incrementally.
 */
#ifndef GAMES_GO_GO_BOARD_H
#define GAMES_GO_GO_BOARD_H

#include <stdint.h>

#include "engine/rules/game.h"
#include "engine/rules/playouts.h"

#define GO_SIZE_MIN    2
#define GO_SIZE_MAX    19
#define GO_SQUARES_MAX (GO_SIZE_MAX * GO_SIZE_MAX)
#define GO_SET_WORDS   6 /* of a set of squares, one bit each */
_Static_assert(GO_SQUARES_MAX <= 64 * GO_SET_WORDS, "every square has a bit");

/* A row has one border point, which also ends the row before it. */
#define GO_POINTS_MAX ((GO_SIZE_MAX + 2) * (GO_SIZE_MAX + 1) + 1)

/* The content of a point: BLACK, WHITE or one of these. */
enum { GO_EMPTY = 2, GO_BORDER = 3 };

struct go_point {
	uint8_t content;
	uint8_t unused;
	/* Orthogonal neighbours, four bits each: those of Black, of White, and all but the empty ones. The
	 * border counts as both colours. */
	uint16_t near;
	uint16_t chain; /* a point of the chain, which names it; 0: there is no stone */
	uint16_t next;  /* the next stone of the chain; the last one is followed by the first */
};

struct go_chain {
	/* Pairs of a stone of the chain and an empty neighbour. So a liberty counts as often as it has
	 * neighbours in the chain. 0: the chain has no liberty. */
	uint16_t liberties;
	uint16_t stones;
};

/* Only the points of the board's size are used and copied. */
struct go_board {
	struct go_point points[GO_POINTS_MAX];
	struct go_chain chains[GO_POINTS_MAX]; /* of the point that names the chain */
	uint16_t empty[GO_SQUARES_MAX];        /* the empty points in any order */
	int empties;
	int margin; /* Black's stones minus White's */
	int size;
	int ko; /* the point that may not be played now; 0: none */
};

/* The squares of a word of a set that are on a board of a size. */
static inline uint64_t go_board_word(int size, int word)
{
	int rest = size * size - 64 * word;
	return rest <= 0 ? 0 : rest < 64 ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
}

/* Fills the tables. Call it once, before any thread exists. */
void go_board_init(void);

/* Sets up stones. They are bit sets of squares, bit row * size + col; row 0 is the top row. Other bits are
 * ignored. Every chain must have a liberty. */
void go_board_set(struct go_board *, int size, const uint64_t black[GO_SET_WORDS],
		  const uint64_t white[GO_SET_WORDS]);

/* The point of a square of a board of this size; row 0 is the top row. */
static inline int go_point(int size, int row, int col)
{
	return (row + 1) * (size + 1) + col + 1;
}

/* Plays a random game to its end and returns Black's area minus White's.
 *
 * A side chooses uniformly among the points that are legal (no suicide, no simple ko) and do not fill one of
 * its own eyes. An eye of a side is an empty point whose orthogonal neighbours are all stones of this side,
 * and of whose diagonal neighbours at most one belongs to the other side, or none if the point lies at the
 * border. A side passes only if there is no such point. The game ends after two consecutive passes, of which
 * `passes` have been made, or after 3 * size * size moves, passes included. Then all stones stand. */
int go_board_playout(struct go_board *, int side, int passes, struct rng *);

/* Plays the same game and describes it; the trace has no passes. */
int go_board_trace(struct go_board *, int side, int passes, struct rng *, struct trace *);

/* Plays a random game in which a side answers the other one's last move on the board, if there is a point that does
 * so: it captures a chain that the move has left in atari, saves one of its own that the move has put into atari, or
 * plays next to the move where a shape of games/go/go_pattern.h fits. `last` is the point of the last move before the
 * game; 0: unknown. */
int go_board_heavy(struct go_board *, int side, int passes, int last, struct rng *, struct trace *);

/* What can be said of a move at a glance, as bits. */
enum {
	GO_MOVE_CAPTURES = 1,
	GO_MOVE_SAVES = 2,      /* a chain of its own leaves atari */
	GO_MOVE_SELF_ATARI = 4, /* its chain has one liberty, and it captures nothing */
	GO_MOVE_SHAPE = 8,      /* a shape of games/go/go_pattern.h */
	GO_MOVE_EYE = 16,       /* it fills an eye of its own side */
};
unsigned go_board_look(const struct go_board *, int point, int side);

/* Black's area minus White's: stones, and empty regions that only one side's stones touch. `owner`, if it is
 * not NULL, gets 1 for each square of Black, -1 for White, 0 for nobody; row 0 is the top row. */
int go_board_area(const struct go_board *, int8_t owner[GO_SQUARES_MAX]);

/* The liberties of the chain on each square, or `most` if it has more; 0 where no stone stands; row 0 is the top row. */
void go_board_liberties(const struct go_board *, int most, uint8_t liberties[GO_SQUARES_MAX]);

#endif
