/* SPDX-License-Identifier: MIT
 *
 * A slot of a tournament: tries the engines, and plays games with two engine processes of its own, as rank 0
 * tells it (task.h). It is what a lane does (tools/lib/ranks.h).
 */
#ifndef TOOLS_MATCH_SLOT_H
#define TOOLS_MATCH_SLOT_H

#include "tools/match/players.h"

/* What the slots of this rank share. */
struct match_slots {
	const struct match_player *players;
	int player_count;
	struct terms terms;
	const char *stderr_file; /* of the engines, NULL: none */
	const char *error;       /* why this rank can play no games, or NULL */
	bool measures;           /* the trial measures this machine's speed */
};

/* Works until rank 0 has nothing more to do. */
void slot_run(const struct match_slots *, int lane);

#endif
