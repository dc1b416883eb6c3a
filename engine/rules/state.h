/* SPDX-License-Identifier: MIT
 *
 * Positions, steps and moves, as every game and every search sees them.
 *
 * A position is a value. struct state is copied by assignment; there is no unmake. A state has no history: where
 * repetition matters, the record knows the earlier positions (engine/rules/record.h).
 *
 * A *step* (move_t) is the unit that a search chooses. A *move* (struct move) is the one or more steps that
 * a side makes on its turn. Pentago has two: the placement, then the turn of a quadrant. Between the steps
 * `side` does not change and `pending` counts the steps made. Records, text, perft and SGF use whole moves.
 *
 * All scores are from Black's point of view. The functions are pure; any thread may call them.
 */
#ifndef ENGINE_RULES_STATE_H
#define ENGINE_RULES_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t move_t;

#define MOVE_NONE ((move_t)0xffff) /* no step: ends a move of fewer than MOVE_STEPS_MAX steps */
#define MOVE_PASS ((move_t)0xfffe) /* a pass after the end of the game; occurs in records only */
/* These occur in records only; no side makes them. */
#define MOVE_TURN ((move_t)0xfffd) /* the turn goes to the other side */
#define MOVE_SIDES                                                                                 \
	((move_t)0xfffc) /* the players exchange their colours, the stones stay: a swap of sides */
#define MOVE_SETUP ((move_t)0xfffb) /* a position is set up */

enum { BLACK, WHITE };

#define STATE_WORDS  16
#define STATE_SHORTS (4 * STATE_WORDS)

struct state {
	uint64_t hash;   /* state_hash() of this state, kept by play() */
	uint8_t side;    /* BLACK or WHITE: the side that chooses the next step */
	uint8_t over;    /* the game has ended; score is set */
	uint8_t pending; /* number of steps of an unfinished move */
	uint8_t stones;  /* private to the game, like board[2] and above */
	int16_t score;   /* when over: Black's margin, > 0 Black won, 0 a draw */
	/* Private to the game. board[0] and board[1] are the key of the position and of any pending steps:
	 * equal positions have equal words there, and other positions differ there or in `side`. A game whose
	 * positions fit stores them there exactly. A game with larger boards stores two independent hashes,
	 * which differ for all positions that will ever be met (Zobrist, 1970). */
	union {
		_Alignas(16) uint64_t board[STATE_WORDS];
		int16_t numbers[STATE_SHORTS];
	};
};
_Static_assert(sizeof(struct state) == 144, "copying a state must stay cheap");

#define MOVE_STEPS_MAX 24

struct move {
	move_t step[MOVE_STEPS_MAX]; /* MOVE_NONE after the last step */
};

/* MOVE_REPEATS: the game's rules allow the move, but it brings back an earlier position (engine/rules/record.h). */
enum move_check { MOVE_OK, MOVE_MALFORMED, MOVE_ILLEGAL, MOVE_REPEATS };

/* Returns true if a move belongs into a game that others have played, perhaps by another rule of ko. */
static inline bool move_check_follows(enum move_check check)
{
	return check == MOVE_OK || check == MOVE_REPEATS;
}

/* The hash of board[0], board[1] and side. play() must store it in state.hash. */
static inline uint64_t state_hash(const struct state *s)
{
	uint64_t h = (s->board[0] + s->side) * 0x9e3779b97f4a7c15u;
	h = (h ^ (h >> 29) ^ s->board[1]) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 32)) * 0x94d049bb133111ebu;
	return h ^ (h >> 31);
}

/* Returns true if two states of one game are the same position with the same pending step. */
static inline bool state_equal(const struct state *a, const struct state *b)
{
	return a->hash == b->hash && a->board[0] == b->board[0] && a->board[1] == b->board[1] &&
	       a->side == b->side;
}

/* 1 for Black, -1 for White: converts between Black's values and those of a side. */
static inline int side_sign(int side)
{
	return side == BLACK ? 1 : -1;
}

static inline int score_sign(int score)
{
	return (score > 0) - (score < 0);
}

/* Steps after the last one are equal, too. */
static inline bool move_equal(struct move a, struct move b)
{
	return a.step[0] == b.step[0] && memcmp(a.step, b.step, sizeof a.step) == 0;
}

static inline struct move move_none(void)
{
	struct move m;
	memset(&m, 0xff, sizeof m); /* MOVE_NONE */
	return m;
}

static inline struct move move_single(move_t step)
{
	struct move m = move_none();
	m.step[0] = step;
	return m;
}

/* A move of two steps; the second one may be MOVE_NONE. */
static inline struct move move_pair(move_t first, move_t second)
{
	struct move m = move_single(first);
	m.step[1] = second;
	return m;
}

/* The move of the first `count` steps of another one and a step after them. */
static inline struct move move_append(struct move m, int count, move_t step)
{
	m.step[count] = step;
	for (int i = count + 1; i < MOVE_STEPS_MAX; i++)
		m.step[i] = MOVE_NONE;
	return m;
}

/* The number of steps of a move. */
static inline int move_steps(struct move m)
{
	int count = 0;
	while (count < MOVE_STEPS_MAX && m.step[count] != MOVE_NONE)
		count++;
	return count;
}

#endif
