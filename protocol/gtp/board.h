/* SPDX-License-Identifier: MIT
 *
 * The board as a client sees it. It equals the board of the record, except for Pentago in GoGui. GoGui has
 * no moves of two parts, so the option `frame` puts the 6x6 board inside an 8x8 board. A move is then two
 * plays of one colour: the placement, and a point of the frame beside the quadrant to turn. `+` turns the
 * quadrant clockwise, `-` counterclockwise. The other points of the frame are removed.
 *
 *         A B C D E F G H
 *       8     +     -     8
 *       7   . . . . . .   7    row 1 of the game, which counts from the top
 *       6 - . . . . . . + 6
 *       5   . . . . . .   5
 *       4   . . . . . .   4
 *       3 + . . . . . . - 3
 *       2   . . . . . .   2
 *       1     -     +     1
 *
 * Invariant: between commands the record holds whole moves only. A placement without its turn is kept in
 * the session, and is valid only while the record is unchanged.
 */
#ifndef PROTOCOL_GTP_BOARD_H
#define PROTOCOL_GTP_BOARD_H

#include "engine/game.h"

struct session;

/* A pending placement: its turn has not been played. */
struct board {
	move_t placed; /* MOVE_NONE: no placement is pending */
	move_t turn;   /* the turn found by the same search, or MOVE_NONE */
	int count;     /* moves and hash of the record when it was placed */
	uint64_t hash;
};

#define BOARD_FRAME      8   /* rows and columns of the frame */
#define BOARD_TURNS      8   /* points of the frame that turn quadrants */
#define BOARD_TURN_FIRST 'S' /* letter of turn 0; the other turns use the next letters */

/* Returns true if the frame is used. */
bool board_is_framed(const struct session *);
/* Returns true if a placement is pending. */
bool board_is_placed(const struct session *);
/* Drops the pending placement. */
void board_forget(struct session *);

/* Sets the board size. For Pentago this turns the frame on or off. Returns false if the game has no such
 * size. */
bool board_set_size(struct session *, int cols, int rows);

/* Number of rows, and of columns, of the visible board. */
int board_size(const struct session *);
/* Returns 'X', 'O', '.' or '?' (removed). Row 0 is the top row of GoGui's board, which has the highest
 * number. */
char board_at(const struct session *, int row, int col);
/* The position after the pending placement, if there is one. */
struct state board_state(const struct session *);
/* Writes a diagram in the form of game_draw. */
void board_draw(const struct session *, char text[BOARD_TEXT_MAX]);

/* Reads a square of the game's board. Squares count row by row from the top left. Returns false for any
 * other text, also for a point of the frame. */
bool board_square(const struct session *, const char *text, int *square);

/* Reads and plays a move of `side`, or with the frame one part of it. Changes nothing unless it returns
 * MOVE_OK. */
enum move_check board_play_text(struct session *, int side, const char *text);

/* Takes back the last move, or with the frame its last part. Returns false if there is none. */
bool board_undo(struct session *);

/* Writes the legal whole moves and returns their number. If a placement is pending, only the moves that
 * begin with it. The game must not be over. */
int board_moves(const struct session *, struct move out[GAME_MOVES_MAX]);

/* Writes the legal plays to the reply, separated by blanks. The game must not be over. */
void board_print_moves(const struct session *);

/* Returns the whole move if the pending placement was found together with its turn, else false. */
bool board_known_move(const struct session *, struct move *);

/* Plays a legal move found by a search. With the frame: the next part of it. */
void board_play_found(struct session *, struct move);

/* Writes a legal move in the notation of `play`. With the frame: the next part of it. */
void board_format(const struct session *, struct move, char text[MOVE_TEXT_MAX]);

/* Writes the point on the client's board for step n of a legal move in this state, or PASS. Without the
 * frame it is always the point of step 0. */
void board_point(const struct session *, const struct state *, struct move, int n,
		 char text[MOVE_TEXT_MAX]);

/* Writes the point of the frame for a turn, 0 .. BOARD_TURNS-1. Returns its sign, '+' or '-'. */
char board_turn_point(int turn, char text[MOVE_TEXT_MAX]);

#endif
