/* SPDX-License-Identifier: MIT
 *
 * An engine: options, the search they choose, and its threads, which live exactly as long as a search.
 * One search at a time. While engine_think runs, record and options must not be touched; engine_stop
 * and engine_live are the only calls allowed besides engine_collect, and while engine_ponder runs
 * engine_stop besides engine_end_pondering.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/algorithm.h"

struct engine;

struct engine *engine_create(void);
void engine_destroy(struct engine *); /* not while thinking */

/* Has its searches work on seats that it shares with other engines, and which outlive it; NULL, as at first:
 * they need none. Between searches. */
void engine_set_seats(struct engine *, struct seats *);

/* Its options, to read and, between searches, to change. A new seed calls engine_reseed. */
struct options *engine_options(struct engine *);

/* Begins the stream of seeds again from options->seed, or from the system if that is 0, and forgets what
 * earlier searches have found: equal seeds and searches from here on give equal results. */
void engine_reseed(struct engine *);

struct limits {
	int64_t deadline; /* of clock_now(), or TIME_NEVER */
	/* Later than that, or 0: until then it may take if the game's solver should find the score in that time, so that
	 * later moves take little. */
	int64_t solve_by;
	uint64_t work_max; /* units, or WORK_NO_LIMIT */
	/* By which part of deadline and work a search may go on that is not sure of its answer, 0: by none. */
	double longer;
	int64_t interval; /* nanoseconds between reports while engine_think's search runs, 0: none */
	/* The moves to choose from, legal and distinct, copied; NULL: all. */
	const struct move *only;
	int only_count;
	/* As the option: the search is weakened, so that it may miss the best of these moves; 0: it is not. */
	int level;
	/* The game's book may answer, if the options let it and work is not limited. */
	bool book;
	/* NULL: a move is wanted. Or an exact value is: by this search, and by the game's own solver where that
	 * should be done in time, or scores count. The report then has bounds, equal ones if the value was found, and
	 * a move that keeps it. */
	const struct algorithm *prover;
	/* What every move to choose from is worth is wanted, too. Without any limit the game's own solver then
	 * follows when the search has had as much time as it takes. */
	bool values;
	/* Nothing is wanted but what this search leaves to later ones: neither book nor solver answers. */
	bool ponders;
};

/* The plain limits that options and a clock's budget (nanoseconds from now, or TIME_NEVER for no clock) set
 * for one move of a game that begins now. */
struct limits engine_limits(const struct engine *, const struct game *, int64_t budget);

/* How many squares are to be filled by search: those that are free, but for the last ones where the game's solver does
 * that in no time to speak of and, by the options, may. */
int engine_unsolved(const struct engine *, const struct record *);

/* Searches record->now, which is not over, on the calling thread and its helpers. Always finds a legal
 * move: if the search had no time for one, a random one. False: `why` says what was refused. */
bool engine_search(struct engine *, const struct record *, const struct limits *, struct report *,
		   char why[REASON_MAX]);

enum wake { WAKE_REPORT = 'r', WAKE_DONE = 'd' };

/* The same on a thread of its own. It writes one byte to wake_fd when a report can be had from
 * engine_live, and, the last thing that it does, one when the search has ended. False: it has not begun. */
bool engine_think(struct engine *, const struct record *, const struct limits *, int wake_fd,
		  char why[REASON_MAX]);

/* After WAKE_REPORT: what the running search has found so far; the next report can then follow. */
void engine_live(struct engine *, struct report *);

/* Asks a running search to end with the best it has; async-signal-safe. */
void engine_stop(struct engine *);

/* Joins the thread of engine_think; results as engine_search gives them. */
bool engine_collect(struct engine *, struct report *, char why[REASON_MAX]);

/* Behind a move that engine_think has found: searches the position that the opponent now has, on a thread of its own
 * and without limits, for what later searches of this engine find in tree and tables. False: it does not, as it may
 * not, or it would be no use, or another engine that shares seats would miss the time. */
bool engine_ponder(struct engine *, const struct record *);

/* Ends that search, which may have ended by itself, and waits for it: usually less than a millisecond. */
void engine_end_pondering(struct engine *);

#endif
