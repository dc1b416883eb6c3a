/* SPDX-License-Identifier: MIT
 *
 * A position of a game from rules as text, and what can be done in it. The board is kept as one set of squares for each piece, so that a
 * test for pieces is a test of words.
 *
 * One thread at a time may use a machine. All that a move does is noted and can be taken back.
 */
#ifndef GAMES_RBG_RBG_MACHINE_H
#define GAMES_RBG_RBG_MACHINE_H

#include "games/rbg/rbg_automaton.h"

#define RBG_DEPTH_MAX                                                                              \
	1000 /* most modifiers of a move, with those of patterns that are tried in it */

/* A modifier and its square. */
struct rbg_act {
	uint16_t modifier, square;
};

/* Where a game stands: the turn has been given, or a move is unfinished. */
struct rbg_point {
	int program;
	int square;
	int player; /* 0 or 1, RBG_KEEPER */
};

struct rbg_change;
struct rbg_group;

/* Whether a pattern could be done from a square in the position of that version. */
struct rbg_tried {
	uint64_t version;
	int16_t square;
	bool can;
};

struct rbg_machine {
	const struct rbg_automaton *a;
	struct rbg_point point;
	uint8_t at[GAME_SQUARES_MAX]; /* the piece on each square */
	int32_t variables[RBG_VARIABLES_MAX];
	uint64_t *pieces; /* [piece * words] */

	/* The position's number: it changes with each change, and comes back when that is taken back. */
	uint64_t version, last_version;
	uint64_t *known_version; /* by pattern: the version for which `known` has its squares */
	uint64_t *known;         /* [pattern * words] */
	struct rbg_tried *tried; /* by pattern: the square that was tried last */

	struct rbg_change *changes;
	int change_count;
	uint64_t *room; /* for sets; used from the bottom */
	size_t room_used, room_size;
	/* For random moves: the modifiers before the one that a group makes, and its squares. */
	struct rbg_group *groups;
	struct rbg_act *group_acts;
	uint64_t *group_sets; /* [group * words] */
	int group_count, group_room, group_act_count, group_act_room;
	int move_count; /* of all groups */
	/* The number of operations that may still be done; < 0: the last question was given up, and its answer may lack moves. */
	int64_t work;
};

struct rbg_machine *rbg_machine_new(const struct rbg_automaton *);
void rbg_machine_free(struct rbg_machine *);

/* Sets up the pieces that the file begins with, and all variables to 0. It is the keeper's turn. */
void rbg_machine_start(struct rbg_machine *);

/* Takes all pieces off the board, which must then be put on every square. */
void rbg_machine_clear(struct rbg_machine *);

/* Puts a piece without noting the change. */
void rbg_machine_put(struct rbg_machine *, int square, int piece);

/* Plays the keeper's moves. Returns false if the game is over: the keeper has no move, or goes on for ever. */
bool rbg_machine_keep(struct rbg_machine *);

/* Calls `take` with each modifier that can come next in a move and can be continued to its end, in the order of the rules; stops if it
 * returns true, and returns that. */
bool rbg_machine_next(struct rbg_machine *, bool (*take)(void *arg, struct rbg_act), void *arg);

/* Returns true if there is such a modifier. */
bool rbg_machine_can_move(struct rbg_machine *);

/* If only one modifier can come next, whether its move has an end or not, sets it and returns true. */
bool rbg_machine_only(struct rbg_machine *, struct rbg_act *);

/* Makes a modifier that can come next. Returns true if it gave the turn. */
bool rbg_machine_make(struct rbg_machine *, struct rbg_act);

/* Makes a random whole move, each being equally likely. Returns false if there is none. */
bool rbg_machine_random(struct rbg_machine *, struct rng *);

/* Calls `take` with each whole move as its modifiers. Stops if it returns true. */
bool rbg_machine_moves(struct rbg_machine *,
		       bool (*take)(void *arg, const struct rbg_act *acts, int count), void *arg);

#endif
