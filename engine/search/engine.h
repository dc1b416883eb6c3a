/* SPDX-License-Identifier: MIT
 *
 * An engine: options, the search that they select, and its threads, which live exactly as long as a
 * search.
 *
 * One search runs at a time. While engine_think's search runs, record and options must not be changed.
 * Only engine_stop, engine_live and engine_collect may be called then. While engine_ponder's search
 * runs, only engine_stop and engine_end_pondering may be called.
 */
#ifndef ENGINE_SEARCH_ENGINE_H
#define ENGINE_SEARCH_ENGINE_H

#include "engine/search/common/algorithm.h"

struct engine;
struct own_book;

struct engine *engine_create(void);

/* Creates an engine for measurements: one thread, 64 MiB, seed 1, and a limit of `work` units per move
 * (0: no limit). With a limit it plays the same moves every time. */
struct engine *engine_create_fixed(const char *search, int64_t work);

void engine_destroy(struct engine *); /* must not be called while a search runs */

/* Makes the searches use thread slots that several engines share. The slots must outlive the engine.
 * NULL, the default: threads run without slots. Call it between searches. */
void engine_set_slots(struct engine *, struct slots *);

/* Makes the engine play from the user's own book (engine/rules/own_book.h) before the game's book, under the same conditions. The
 * book must outlive the engine; searches use it for the game whose file it read last. NULL, the default: it does not. Call it
 * between searches. */
void engine_set_own_book(struct engine *, struct own_book *);

/* Returns the options. They may be changed between searches. After changing the seed, call
 * engine_reseed. */
struct options *engine_options(struct engine *);

/* Restarts the stream of seeds from options->seed, or from a system random number if that is 0. Forgets
 * what earlier searches have found. Equal seeds and equal searches from here on give equal results. */
void engine_reseed(struct engine *);

struct limits {
	int64_t deadline; /* in the time of clock_now(), or TIME_NEVER */
	/* A later deadline, or 0. The search may use it if the game's solver should find the score by
	 * then, because later moves then need little time. */
	int64_t solve_by;
	uint64_t work_max; /* units of work, or WORK_NO_LIMIT */
	/* Fraction of the time and work limits that an unstable search may add. 0: none. */
	double extension;
	/* Nanoseconds between the reports of engine_think's search. 0: no reports. */
	int64_t interval;
	/* Candidate moves, legal and distinct. The array is copied. NULL: all moves. */
	const struct move *only;
	int only_count;
	/* Playing strength (engine/search/level.h). A weakened search need not answer with the best candidate.
	 * 0: full strength. */
	double level;
	/* The game's book may answer if the options allow it and work is not limited. */
	bool book;
	/* NULL: find a move to play. Otherwise: find an exact value with this search. The game's own
	 * solver is used too if it should finish in time or if scores count. The report then has
	 * bounds, which are equal if the value was found, and a move that keeps the value. */
	const struct algorithm *prover;
	/* The value of every candidate is wanted. If there is no limit, the search runs for as long as
	 * the game's own solver is expected to take, then the solver runs. */
	bool values;
	/* The search only fills tree and tables for later searches. Neither book nor solver answers. */
	bool ponders;
};

/* Returns the limits that options and clock set for a move whose search begins now. `budget`: nanoseconds
 * from now, or TIME_NEVER without a clock. */
struct limits engine_limits(const struct engine *, const struct game *, int64_t budget);

/* The same without a clock and at full strength, whatever the level. */
struct limits engine_full_limits(const struct engine *, const struct game *);

/* Estimates how many moves both sides still have to search: without the last ones if the game's solver finds them
 * instantly and the options allow it. */
int engine_unsolved(const struct engine *, const struct record *);

/* Searches record->now, which must not be over, on the calling thread and its helpers. Always finds
 * a legal move: a random one if the search had no time. Returns false on error, with the reason in
 * `why`. */
bool engine_search(struct engine *, const struct record *, const struct limits *, struct report *,
		   char why[REASON_MAX]);

/* Looks up what the last search has kept about record->now, which may be any position before or after the one that was
 * searched. A finished game is proven. Must not be called while a search runs. */
void engine_look(const struct engine *, const struct record *, struct kept *);

enum wake { WAKE_REPORT, WAKE_DONE };

/* Like engine_search, on a thread of its own. Calls `wake` on a thread of the search: with WAKE_REPORT when engine_live
 * has a report, and with WAKE_DONE, as its last action, when the search has ended. `wake` must not wait for the search. NULL:
 * there are no reports, and the caller waits in engine_collect. Returns false if the search could not start. */
bool engine_think(struct engine *, const struct record *, const struct limits *,
		  void (*wake)(void *arg, enum wake), void *arg, char why[REASON_MAX]);

/* Sets the report to what the running search has found so far. Call it after each WAKE_REPORT; the next one
 * comes only then. */
void engine_live(struct engine *, struct report *);

/* Asks a running search to end with the best move so far. Any thread. */
void engine_stop(struct engine *);

/* Joins the thread of engine_think. Returns the results as engine_search does. */
bool engine_collect(struct engine *, struct report *, char why[REASON_MAX]);

/* Ponders: searches the position of the opponent, on a thread of its own and without limits, so that
 * later searches find more in tree and tables. Call it after a move found by engine_think. Returns
 * false if it does not start: the options forbid it, it would be useless, or the engine shares thread
 * slots with others. */
bool engine_ponder(struct engine *, const struct record *);

/* Stops pondering, if it has not ended by itself, and waits for it: usually less than a millisecond. */
void engine_end_pondering(struct engine *);

#endif
