/* SPDX-License-Identifier: MIT
 *
 * Wins by force in Havannah: each stone of the attacker threatens to win with the next one, up to a stone that threatens
 * it twice.
 */
#ifndef GAMES_HAVANNAH_HAVANNAH_FORCE_H
#define GAMES_HAVANNAH_HAVANNAH_FORCE_H

#include "games/havannah/havannah_board.h"

#define HAVANNAH_FORCE_DEPTH 16 /* most stones of the attacker */

/* A win by force: the stones of the attacker up to the double threat. */
struct havannah_line {
	int count;
	uint16_t points[HAVANNAH_FORCE_DEPTH];
};

/* Looks for a win by force of `side`, which moves and cannot win at once, with about `work` positions. `must` is the only
 * point where the other side could win, 0: there is none. All that it finds is proven. */
bool havannah_find_force(struct havannah_board *, int side, int must, int work,
			 struct havannah_line *);

/* Returns true if the line still wins after a stone of the other side on an empty point, where it does not win. */
bool havannah_force_stands(const struct havannah_board *, int side, const struct havannah_line *,
			   int point);

#endif
