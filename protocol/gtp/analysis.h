/* SPDX-License-Identifier: MIT
 *
 * The request of a command that streams analysis; see analysis.c.
 */
#ifndef PROTOCOL_GTP_ANALYSIS_H
#define PROTOCOL_GTP_ANALYSIS_H

#include <stdbool.h>

#include "engine/rules/game.h"

struct session;

struct analysis {
	int moves_min, moves_max;      /* number of moves to report; moves_max takes precedence */
	bool shows_root, shows_visits; /* report the root position; visits along each line */
	/* Report the owners of the squares at the end: from the position; from the positions after the moves. */
	bool shows_owners, shows_moves_owners;
	struct move moves[GAME_MOVES_MAX]; /* allowed moves */
	double priors[GAME_MOVES_MAX]; /* how likely the evaluator thinks their next plays are */
	int move_count;                /* 0: the game is over */
};

/* Returns true if the running command streams analysis in this form. People see it as a table instead, which
 * the terminal draws. */
bool analysis_is_running(const struct session *);

#endif
