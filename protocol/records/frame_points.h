/* SPDX-License-Identifier: MIT
 *
 * GoGui has no moves of two parts. It shows Pentago's 6x6 board inside a frame, on a board of 8x8 points. A move
 * is two plays of one colour: the placement, and a point of the frame beside the quadrant to turn. `+` turns
 * the quadrant clockwise, `-` counterclockwise. The other points of the frame are not used.
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
 * Rows and columns of points count from 0 at the top left.
 */
#ifndef PROTOCOL_RECORDS_FRAME_POINTS_H
#define PROTOCOL_RECORDS_FRAME_POINTS_H

#include "engine/rules/game.h"

#define FRAME_SIZE  8 /* rows and columns */
#define FRAME_TURNS 8

/* Returns true if GoGui shows this game in the frame. The functions below are for such games. */
bool frame_fits(const struct game *);

/* Finds the point of a step: a placement or a turn. */
void frame_point(const struct game *, move_t step, int *row, int *col);

/* Returns the step at a point, or MOVE_NONE if the point is not used or off the board. */
move_t frame_step(const struct game *, int row, int col);

/* Returns true if the step is a turn. */
bool frame_is_turn(const struct game *, move_t step);

#endif
