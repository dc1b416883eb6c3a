/* SPDX-License-Identifier: MIT
 *
 * The first look of a network (board_net.h) at games of lines: for each square the stones of the four lines through it, as far
 * as LINES_ARM squares on both sides. Each such pattern has a row of weights in a table. The same pattern from the other end
 * has the same row, and all four directions share the table. So one look-up sees as far as four convolutions of 3x3 squares.
 * Rapfi, a strong Gomoku program, looks at lines so, too (its mix networks).
 *
 * An arm is a number for the squares on one side: the way down a tree with three children, empty, own stone, other stone. It
 * ends at the border.
 */
#ifndef ENGINE_EVALUATION_LINES_H
#define ENGINE_EVALUATION_LINES_H

#include <stdint.h>

#include "engine/rules/game.h"

#define LINES_DIRECTIONS 4
#define LINES_ARM        4
#define LINES_ARMS       121 /* 1 + 3 + 9 + 27 + 81 */
#define LINES_PAIRS      (LINES_ARMS * (LINES_ARMS + 1) / 2)
#define LINES_ROWS       (3 * LINES_PAIRS)

/* The numbers of the table's rows of a square. */
typedef uint16_t lines_of_square[LINES_DIRECTIONS];

/* Sets the rows of each square. `seen` is what board_net_look() saw of the squares, row by row. Any thread. */
void lines_find(const struct game *, const uint8_t *seen, lines_of_square *lines);

#endif
