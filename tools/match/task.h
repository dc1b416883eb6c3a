/* SPDX-License-Identifier: MIT
 *
 * What rank 0 and the workers of a tournament tell each other (tools/ranks/ranks.h). A worker begins with "ready". It
 * gets a task: to try all engines, or to play a game. It reports what came of it and gets the next task.
 */
#ifndef TOOLS_MATCH_TASK_H
#define TOOLS_MATCH_TASK_H

#include "tools/lib/openings.h"
#include "tools/match/database.h"
#include "tools/ranks/ranks.h"

struct match_task {
	bool trial;        /* of all engines; else a game: */
	int number;        /* in the schedule */
	int a, b;          /* player numbers */
	int color;         /* A's */
	uint32_t seeds[2]; /* of A and B */
	double scale;      /* of times */
	struct opening opening;
};

enum outcome_kind { OUTCOME_READY, OUTCOME_TRIED, OUTCOME_PLAYED, OUTCOME_CANCELLED };

struct match_outcome {
	enum outcome_kind kind;

	/* Tried. */
	const char *host; /* name of the machine */
	double speed;     /* of the machine, in random games a second; 0: not measured */
	const char *
		error; /* why an engine cannot be used, "" if the trial was cancelled; NULL: all can */
	char **versions; /* of the players' engines */
	int version_count;

	/* Played: opening, engines and time of the end are rank 0's to fill in. */
	int number;
	struct match_game game;
	struct match_move *moves; /* those of a game that has been read; notes lie in the packet */
};

struct packet task_pack(const struct match_task *);

/* Reads a task. The opening's moves are allocated. Returns false if the bytes are no task. */
bool task_unpack(struct packet, struct match_task *);

struct packet outcome_pack(const struct match_outcome *);

/* Reads an outcome. Texts lie in the packet; call outcome_free(). Returns false if
 * the bytes are no outcome. */
bool outcome_unpack(struct packet, struct match_outcome *);
void outcome_free(struct match_outcome *);

#endif
