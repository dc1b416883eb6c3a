/* SPDX-License-Identifier: MIT
 *
 * How fast a side wins against every defence: "in three moves". An exhaustive search of growing depth; `wins` and `safe` of
 * the game cut it short. It knows no earlier positions: a fastest win does not repeat one. Any thread.
 */
#ifndef PROTOCOL_LESSONS_MATE_H
#define PROTOCOL_LESSONS_MATE_H

#include "engine/rules/game.h"

#define MATE_MAX 8 /* most moves of the winner */

/* Returns the least number of own moves, 1 .. MATE_MAX, with which the side to move wins whatever the other side does, and
 * writes a line: the winner's fastest moves and the longest defence. It has *count <= 2 * MATE_MAX moves. `first` is the only
 * move that may win, or move_none(). Returns 0 if there is no such win, if it takes more than `work` positions, or if sides
 * may pass (game.may_pass). The state must be neither over nor pending. */
int mate_find(const struct game *, const struct state *, struct move first, int64_t work,
	      struct move line[2 * MATE_MAX], int *count);

#endif
