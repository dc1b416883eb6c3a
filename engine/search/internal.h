/* SPDX-License-Identifier: MIT
 *
 * struct engine, and what the files that implement engine.h share. No other file includes this header.
 *
 *     engine.c   the life of a search: limits, threads, wake-ups, pondering
 *     choose.c   the choice of a move: level, book, solver, search
 *     exact.c    exact values: the game's solver, and proofs by search
 *
 * Unless said otherwise, the functions run on the lead thread of a search, and a `why` gets the reason
 * when they return false.
 */
#ifndef ENGINE_SEARCH_INTERNAL_H
#define ENGINE_SEARCH_INTERNAL_H

#include <pthread.h>

#include "engine/rules/solver.h"
#include "engine/search/engine.h"

struct engine {
	struct options options;
	const struct algorithm *algorithm; /* the last search that ran; NULL: none */
	void *self;                        /* state of the algorithm */
	void *block;                       /* memory of the game's solver, or NULL */
	size_t block_size;
	size_t memory; /* bytes given to algorithm and block together */
	uint64_t seed_stream;
	int64_t lag;         /* nanoseconds by which recent searches overran their deadlines */
	struct slots *slots; /* thread slots, or NULL */
	struct own_book *own_book; /* to play from, or NULL */
	struct control control;
	atomic_bool stopped; /* set by engine_stop */
	/* An earlier search ended by time or by engine_stop, so what it has kept depends on that
	 * moment. A search that seed and work limit must repeat must not use it. */
	bool timed;
	struct limits limits;             /* of the current search */
	struct move only[GAME_MOVES_MAX]; /* the array of limits.only */

	/* Used by choose_move: the result of the short search before the solver, and what the solver
	 * has proven without finding an answer. */
	struct report brief, proven;

	/* The line that the last search expected, and the position where it begins. */
	const struct game *expected_game; /* NULL: no line */
	struct state expected_from;
	struct move expected[PV_MAX];
	int expected_count;

	/* Used by engine_think: set before its thread starts, read after it is joined. */
	pthread_t lead;
	const struct record *record;
	void (*wake)(void *, enum wake); /* may be NULL */
	void *wake_arg;
	bool found;
	struct report report;
	bool is_open; /* the search that was collected last did not find the result */
	char why[REASON_MAX];

	/* Reports during engine_think. The lead writes `live` while `fresh` is false; the caller reads
	 * it while `fresh` is true. */
	atomic_bool fresh;
	struct report live;
	uint64_t told; /* the nodes of the last live report */
	/* What reports show while the solver or searches of child positions run. NULL: the report of
	 * the algorithm. */
	const struct report *partial;
	uint64_t
		spent; /* positions that the solver and earlier searches of this move have visited */
};

/* --- engine.c --- */

/* The work of all threads. Worker 0 is the lead. */
struct job {
	void (*work)(void *, int worker, struct control *);
	void *arg;
	struct control *control;
};

/* Runs a job on the calling thread and its helpers. Returns when all have ended. */
void engine_run_job(const struct job *, int threads);

/* Runs the search that the options or the limits select, with the memory that the solver's block leaves.
 * Returns false if the search cannot run. */
bool engine_run_search(struct engine *, const struct task *, struct report *, char why[REASON_MAX]);

/* Cuts a line of at most PV_MAX moves, whose first move is legal, before a move that repeats a position where that is
 * illegal, and behind the move that ends the game where repetition is a draw. */
void engine_cut_line(const struct record *, const struct move *line, int *count);

/* Forgets what searches have found. Frees the solver's block; the algorithm keeps its memory. */
void engine_forget(struct engine *);

/* Makes sure that the solver's block has at least `bytes`. The memory limit holds for all searches
 * together: a new block frees what the algorithm has kept. Returns false if the system refuses it. */
bool engine_take_block(struct engine *, size_t bytes);

/* Returns true if the solver's block leaves a search at least a third of `memory` bytes. */
bool engine_has_room(const struct engine *, size_t memory);

/* Returns true if neither book nor solver may choose the move of this record. */
bool engine_is_alone(const struct engine *, const struct record *);

/* --- choose.c --- */

/* Finds a move to play. The report has no line if there was no time to find one. */
bool choose_move(struct engine *, const struct task *, struct report *, char why[REASON_MAX]);

/* --- exact.c --- */

/* Finds the exact value of the position, and of its moves if task.values is set. */
bool prove_position(struct engine *, const struct task *, struct report *, char why[REASON_MAX]);

/* Time that the solver may take: a fraction of the time left, so that a search has the rest if the
 * solver does not finish. */
#define SOLVER_PART 0.75

/* The aim of the solver for a task: the scores of all moves are needed if they are wanted, or if legal moves are
 * excluded. A move that would repeat a position is not legal. */
enum solve_aim solver_aim(const struct task *);

/* Returns the seconds until the deadline, or INFINITY without one. */
double seconds_left(const struct control *);

/* Returns true if the game's solver may be used, knows earlier positions if they matter, fits the memory and should
 * finish within `limit` seconds. Sets the expected seconds and the bytes that it needs. */
bool solver_fits(const struct engine *, const struct task *, enum solve_aim, double limit,
		 double *seconds, size_t *bytes);

/* Runs the game's solver within `control`, in a block of `bytes` that is kept for later use. Returns true
 * if the report has the answer and lists all candidates. The answer of SOLVE_ALL is the score of every
 * move. Else it is the score or the result, or an estimate if a move must be played by a deadline. Returns
 * false without such an answer: control stopped it, or the system refused the memory. If it has proven
 * something, it writes that to `proven`, unless NULL, and to the report too if an exact value is wanted
 * (limits.prover). Otherwise both stay unchanged. */
bool solver_run(struct engine *, const struct task *, enum solve_aim, struct control *,
		size_t bytes, struct report *proven, struct report *);

#endif
