/* SPDX-License-Identifier: MIT
 *
 * Pentago in GoGui's frame (protocol/records/frame_points.h), where a move is two plays: the placement and the
 * turn. The option `frame`, or `boardsize 8`, turns it on. All that differs from other sessions is here: a
 * notation, which also replaces some commands.
 *
 * Invariant: between commands the record holds whole moves only. A placement without its turn is kept in the
 * session.
 */
#ifndef PROTOCOL_GTP_FRAME_H
#define PROTOCOL_GTP_FRAME_H

#include "engine/rules/game.h"

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

#endif
