/* SPDX-License-Identifier: MIT
 *
 * What a command that streams analysis was asked for; see analysis.c.
 */
#ifndef PROTOCOL_ANALYSIS_H
#define PROTOCOL_ANALYSIS_H

#include "engine/game.h"

struct analysis {
	int moves_min, moves_max;          /* to report; the second counts more */
	bool shows_root, shows_visits;     /* a summary of the position; visits along the lines */
	struct move moves[GAME_MOVES_MAX]; /* to choose from, */
	int move_count;                    /* 0: the game is over */
};

#endif
