/* SPDX-License-Identifier: MIT
 *
 * The record of a game: its rules, the position it starts from and the whole moves made since. It
 * never rests between the two steps of a move. Searches are not told when it changes; they compare it
 * with what they searched last.
 *
 * A pass that a client left out, though the rules force it, is recorded as `implied` before the move
 * that caused it to be noticed; undo takes back both.
 */
#ifndef ENGINE_RECORD_H
#define ENGINE_RECORD_H

#include "engine/game.h"

struct record_move {
	struct move move; /* step[0] is MOVE_PASS for a pass after the end */
	uint8_t side;     /* who made it */
	bool implied;
};

struct record {
	const struct game *game;
	struct state start; /* where the moves begin */
	struct state now;   /* after all of them */
	struct record_move *moves;
	int count, room;
};

/* Begins a record at the game's normal start. */
void record_init(struct record *, const struct game *);
void record_free(struct record *);

/* Makes `to`, which is initialised, equal to `from`. */
void record_copy(struct record *to, const struct record *from);

/* Forgets all moves and begins again, at the normal start of `game` or at a position of the record's
 * own game. */
void record_restart(struct record *, const struct game *);
void record_setup(struct record *, const struct state *start);

/* Far more moves than a game can have. Passes after its end could go on for ever; no more of them than
 * this are recorded. */
#define RECORD_MAX 4096

/* Appends a move of the side to move: a legal one, or when the game is over MOVE_PASS by `side`. */
void record_play(struct record *, struct move);
void record_play_end_pass(struct record *, int side);

/* Makes it `side`'s turn: true if it is, or becomes so by an implied pass of the other side. Over:
 * true. Follow it by a move or by record_undo_implied. */
bool record_give_turn(struct record *, int side);

/* Takes back an implied pass that no move has followed. */
void record_undo_implied(struct record *);

/* Reads and plays a move of `side`, with implied passes. Refused: nothing has changed. */
enum move_check record_play_text(struct record *, int side, const char *text);

/* Takes back the last move and an implied pass before it; false if there is none. */
bool record_undo(struct record *);

/* The state before move `index`, 0 .. count. */
void record_state(const struct record *, int index, struct state *);

#endif
