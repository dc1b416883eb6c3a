/* SPDX-License-Identifier: MIT
 *
 * What a worker (tools/ranks/ranks.h) of a tournament does: it tries the engines, and plays games with two engine processes of its
 * own, as rank 0 tells it (task.h).
 */
#ifndef TOOLS_MATCH_WORKER_H
#define TOOLS_MATCH_WORKER_H

#include "tools/match/players.h"

/* What the workers of this rank share. */
struct match_workers {
	const struct match_player *players;
	int player_count;
	struct terms terms;
	const char *stderr_file; /* of the engines, NULL: none */
	const char *error;       /* why this rank can play no games, or NULL */
	bool measures;           /* the trial measures this machine's speed */
};

/* Works until rank 0 has nothing more to do. */
void match_worker_run(const struct match_workers *, int worker);

#endif
