/* SPDX-License-Identifier: MIT
 *
 * The eight points around an empty one, and the shapes for which a move there is often good.
 */
#ifndef GAMES_GO_GO_PATTERN_H
#define GAMES_GO_GO_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#define GO_PATTERN_POINTS 8
#define GO_PATTERN_CODES  (1 << 2 * GO_PATTERN_POINTS)

/* Two bits for each point around, row by row from the top left: its content (games/go/go_board.h). */
extern uint64_t go_pattern_set[2][GO_PATTERN_CODES / 64];

/* Fills the table. Call it once, before any thread exists. */
void go_pattern_init(void);

/* Returns true if a move of the side in the middle of these points is often good. */
static inline bool go_pattern_has(int side, uint32_t code)
{
	return go_pattern_set[side][code / 64] >> code % 64 & 1;
}

#endif
