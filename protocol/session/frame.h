/* SPDX-License-Identifier: MIT
 *
 * Pentago in GoGui's frame (protocol/records/frame_points.h), where a move is two plays: the placement and the
 * turn. The option `frame`, or `boardsize 8`, turns it on. This is the notation; the commands that differ are in
 * protocol/gtp/framed.c.
 *
 * Invariant: between commands the record holds whole moves only. A placement without its turn is kept in the
 * session.
 */
#ifndef PROTOCOL_SESSION_FRAME_H
#define PROTOCOL_SESSION_FRAME_H

#include "engine/rules/record.h"

struct notation;
struct session;

/* A pending placement: its turn has not been played. */
struct placement {
	move_t placed; /* MOVE_NONE: no placement is pending */
	move_t turn;   /* the turn found by the same search, or MOVE_NONE */
	int count;     /* moves and hash of the record; another record drops the placement */
	uint64_t hash;
};

extern const struct notation frame_notation;

/* Returns true if the session's game is played in the frame. */
bool frame_is_used(const struct session *);

/* Turns the frame on or off by the size of the board. Returns false if the game is never played in the frame, or
 * has no such size. */
bool frame_set_size(struct session *, int cols, int rows);

/* Drops the pending placement. Call it when a new game or position begins. */
void frame_forget(struct session *);

/* Returns true if a placement is pending. */
bool frame_is_placed(const struct session *);

/* Plays a point; or, unless a placement is pending, a whole move in the game's notation. */
enum move_check frame_play(struct session *, int side, const char *text);

/* Takes back the last play. Returns false if there is none. */
bool frame_undo(struct session *);

/* Returns 'X', 'O', '.', or '?' for a point that is not used. */
char frame_mark(const struct session *, int row, int col);

/* Writes a point of the frame, counted from the top left. */
void frame_write_point(int row, int col, char text[MOVE_TEXT_MAX]);

/* Writes the point of a turn, 0 .. FRAME_TURNS-1. Returns its sign. */
char frame_write_turn(const struct session *, int turn, char text[MOVE_TEXT_MAX]);

#endif
