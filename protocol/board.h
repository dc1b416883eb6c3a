/* SPDX-License-Identifier: MIT
 *
 * The board as a client sees it and plays on it. It is the record's own, but for Pentago in GoGui, which
 * knows no moves of two parts: there the option `frame` lays the 6x6 board into one of 8x8, and a move is
 * two plays of one colour, the placement and a point of the frame beside the quadrant to turn. `+`
 * turns it clockwise, `-` the other way; all other points of the frame are removed.
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
 * The record never rests inside a move: a placement whose turn is to come waits in the session, as long
 * as the record stays as it was.
 */
#ifndef PROTOCOL_BOARD_H
#define PROTOCOL_BOARD_H

#include "engine/game.h"

struct session;

/* A placement that waits for its turn. */
struct board {
	move_t placed; /* MOVE_NONE: none does */
	move_t turn;   /* the one that was found together with it, or MOVE_NONE */
	int count;     /* the record's moves and position when it was placed */
	uint64_t hash;
};

#define BOARD_FRAME      8   /* rows and columns of the frame */
#define BOARD_TURNS      8   /* points that turn quadrants */
#define BOARD_TURN_FIRST 'S' /* the game's letter of turn 0; the others follow it */

/* Whether the frame is there; whether a placement waits. Forgets that placement. */
bool board_is_framed(const struct session *);
bool board_is_placed(const struct session *);
void board_forget(struct session *);

/* Takes the size that a client asks for, which puts Pentago's frame there or removes it. False: it is
 * none of this game's. */
bool board_set_size(struct session *, int cols, int rows);

/* What is seen: how many rows and columns; 'X', 'O', '.' or '?' (removed) at a place, rows counted from
 * the top of GoGui's board, which is the row of the highest number; the position, with a waiting
 * placement made; a diagram for people, as game_draw makes it. */
int board_size(const struct session *);
char board_at(const struct session *, int row, int col);
struct state board_state(const struct session *);
void board_draw(const struct session *, char text[BOARD_TEXT_MAX]);

/* Reads a square, not a point of the frame; counted row by row from the top left of the game's board.
 * False: it is none. */
bool board_square(const struct session *, const char *text, int *square);

/* Reads and plays a move of `side`, or in the frame a part of one. Refused: nothing has changed. */
enum move_check board_play_text(struct session *, int side, const char *text);

/* Takes back the last move, or in the frame the last part; false: there is nothing. */
bool board_undo(struct session *);

/* The legal whole moves, those that a waiting placement begins if there is one; returns how many. The
 * game is not over. */
int board_moves(const struct session *, struct move out[GAME_MOVES_MAX]);

/* Writes what can be played to the reply, separated by blanks. The game is not over. */
void board_print_moves(const struct session *);

/* The whole move of a waiting placement that was found with its turn; false: it was not. */
bool board_known_move(const struct session *, struct move *);

/* Plays a legal move that was found: in the frame the part that is due. */
void board_play_found(struct session *, struct move);

/* Writes a legal move as `play` takes it: in the frame the part that is due. */
void board_format(const struct session *, struct move, char text[MOVE_TEXT_MAX]);

/* Writes the point that a client's board has for step n of a move that is legal in this state, or PASS.
 * Without a frame that is the point of step 0. */
void board_point(const struct session *, const struct state *, struct move, int n,
		 char text[MOVE_TEXT_MAX]);

/* The point of the frame that stands for a turn, 0 .. BOARD_TURNS-1; returns its sign. */
char board_turn_point(int turn, char text[MOVE_TEXT_MAX]);

#endif
