/* SPDX-License-Identifier: MIT
 *
 * Wins of Gomoku by force: by continuous fours, and by continuous fours and threes (threat-space search: Allis,
 * van den Herik and Huntjens, 1993; the zones are those of lambda search: Thomsen, 2000). Whatever is found is proven.
 */
#ifndef GAMES_GOMOKU_GOMOKU_FORCE_H
#define GAMES_GOMOKU_GOMOKU_FORCE_H

#include "games/gomoku/gomoku.h"

/* `forced` of struct game. */
int gomoku_forced(const struct game *, const struct state *, int work, move_t *steps, bool *won);

/* Looks for a win of the side to move by fours alone, or by fours and threes, and places at most about `work` stones in
 * doing so. Returns its first step, or MOVE_NONE if none was found. Public for tests. */
move_t gomoku_fours(const struct state *, int work);
move_t gomoku_threes(const struct state *, int work);

#endif
