/* SPDX-License-Identifier: MIT
 *
 * The request of a command that streams analysis; see analysis.c.
 */
#ifndef PROTOCOL_GTP_ANALYSIS_H
#define PROTOCOL_GTP_ANALYSIS_H

#include "engine/game.h"

struct analysis {
	int moves_min, moves_max;      /* number of moves to report; moves_max takes precedence */
	bool shows_root, shows_visits; /* report the root position; visits along each line */
	struct move moves[GAME_MOVES_MAX]; /* allowed moves */
	int move_count;                    /* 0: the game is over */
};

#endif
