/* SPDX-License-Identifier: MIT
 *
 * Othello on smaller boards, and the rules `anti`. The file othello.c has the standard rules on 8x8.
 */
#ifndef GAMES_OTHELLO_OTHELLO_VARIANT_H
#define GAMES_OTHELLO_OTHELLO_VARIANT_H

#include "engine/rules/game.h"

/* The standard rules on all boards, NULL-terminated: 8x8, 6x6, 4x4. */
extern const struct game *const othello_sizes[];

#endif
