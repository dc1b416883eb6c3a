/* SPDX-License-Identifier: MIT
 *
 * Exact knowledge of Hex on small boards: who wins, or which moves can matter.
 */
#ifndef GAMES_HEX_HEX_CONNECT_H
#define GAMES_HEX_HEX_CONNECT_H

#include "games/hex/hex.h"

enum { HEX_CONNECT_MAX = 7 }; /* the largest size */

/* See must_play in engine/rules/proofs.h. For Hex on boards of at most HEX_CONNECT_MAX squares a side. */
int hex_must_play_steps(const struct state *, move_t *out, int *winner);

#endif
