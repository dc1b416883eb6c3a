/* SPDX-License-Identifier: MIT
 *
 * A query of KataGo's analysis protocol: positions of one game, and what to find out about them. Each position is
 * a job.
 */
#ifndef PROTOCOL_KATAGO_QUERY_H
#define PROTOCOL_KATAGO_QUERY_H

#include <jansson.h>

#include "engine/rules/record.h"
#include "engine/search/common/options.h"

/* The side from whose point of view the values of an answer are. */
enum perspective { AS_BLACK, AS_WHITE, AS_SIDE_TO_MOVE };

/* Settings of a query that overrideSettings and --override-config may change. */
struct query_settings {
	struct options options;
	int64_t visits; /* most units of work for a position, 0: as the options say */
	double seconds; /* most time for a position, 0: no limit besides `visits` and the options */
	int64_t line_max; /* most moves of a line */
	enum perspective perspective;
};

/* A query. It does not change once it is read. */
struct query {
	char *id;
	struct query_settings settings;
	struct record record; /* with all moves */
	double every,
		first; /* seconds between reports during a search, and until the first; 0: none */
	/* What answers include. */
	bool ownership, moves_ownership, policy, line_visits, no_result;
	json_t *avoided, *allowed; /* the fields avoidMoves and allowMoves, or NULL */
	int jobs;                  /* jobs that are not freed; not for several threads at once */
};

/* A position to analyse. */
struct katago_job {
	struct query *query;
	int turn;         /* its number in the query */
	int count;        /* moves of the query's record before it */
	int64_t priority; /* the highest goes first */
	bool stopped;     /* the client no longer needs the result */
	struct katago_job *next;
};

/* Sets a setting of KataGo or an option of the engine. Returns false, with the reason in `why`, if the value is
 * refused; *known tells if there is such a setting. */
bool query_set(struct query_settings *, const char *name, const char *value, bool *known,
	       char why[REASON_MAX]);

/* Reads a query for `game` or its sizes and rules. Returns its jobs in the order of their turns, or NULL after an
 * error. Appends errors and warnings, as objects of the protocol, to `messages`. The id must be a string. */
struct katago_job *query_read(const struct game *, const struct query_settings *, const json_t *,
			      json_t *messages);

/* Frees a job, and its query after the last one. */
void job_free(struct katago_job *);

/* Initializes a record with the position of the job. If passes have ended the game, it goes on. */
void job_record(const struct katago_job *, struct record *);

/* Lists the moves that the query lets the side to move choose, from `all` legal moves of the position. Returns
 * their number. */
int job_moves(const struct katago_job *, const struct record *, const struct move *all, int count,
	      struct move out[GAME_MOVES_MAX]);

#endif
