/* SPDX-License-Identifier: MIT
 *
 * The interface of a search. engine.c calls the first three functions in this order for every move:
 *
 *     prepare   lead thread, alone: allocates memory, keeps what is still useful of the last search
 *     work      all threads at once, until control_claim() returns 0; a worker that knows the answer
 *               earlier calls control_stop(). Fewer workers than task.threads may come; the lead
 *               must be able to do all the work
 *     report    lead thread: writes what was found; the first move of the line is the answer. Called
 *               after work, when the lead is alone, and also during work, from control_publish(), while
 *               the other workers go on
 *     look      after a search, any number of times: what it has kept about one position; may be missing
 *
 * work allocates no memory. Tree and tables together use task.memory bytes.
 */
#ifndef ENGINE_SEARCH_COMMON_ALGORITHM_H
#define ENGINE_SEARCH_COMMON_ALGORITHM_H

#include <stddef.h>

#include "engine/rules/game.h"
#include "engine/rules/record.h"
#include "engine/search/common/control.h"
#include "engine/search/common/options.h"
#include "engine/search/common/report.h"

/* The proof numbers of a question: for each side the least number of positions that must turn out well to settle it in
 * this side's favor. PROOF_NEVER: it is settled against this side, the other then has 0. Both 0: unknown. */
struct kept_numbers {
	uint64_t of[2]; /* indexed by side */
	bool stored; /* from the table; false: known without a search, or the first numbers of a position */
};

/* What a search has kept about one position. */
struct kept {
	struct kept_numbers at_least_draw, win; /* Black's result is at least a draw, is a win */
	uint64_t visits; /* of the tree of playouts; 0: the position is not in it */
	double value; /* mean result of the visits for Black, -1 .. 1, within the bounds; NAN: unknown */
	int lower, upper; /* proven bounds of Black's result */
};

/* The input of the search for one move. */
struct task {
	const struct record *record; /* searches record->now, which is not over */
	const struct options *options;
	size_t memory;           /* bytes for trees and tables */
	uint64_t seed;           /* worker w seeds its generator with seed + w */
	int threads;             /* workers that will call work(); worker 0 is the lead */
	struct control *control; /* already running: preparation uses the same budget */
	/* Candidate moves, legal and distinct. NULL: all moves. Everything reported, bounds included,
	 * then holds for the choice among these moves only. What a search keeps for later searches does
	 * not depend on them. */
	const struct move *only;
	int only_count;
	/* The value of every candidate move is wanted, not only the best one. Then no time is saved, not even if one move
	 * is possible. */
	bool values;
	/* A df-pn search that is prepared for the same task and can be queried (engine/search/proof/dfpn.h), or
	 * NULL. */
	void *prover;
};

/* Lists the candidate moves in the order of game_moves(), or counts them. Returns their number. */
int task_moves(const struct task *, struct move *);

/* Returns true if a candidate begins with the steps of the move. */
bool task_allows(const struct task *, struct move);

struct algorithm {
	const char *name, *help;
	bool uses_depth; /* options->depth is a limit of this search; it then needs no time limit */
	bool is_alone;   /* no book and no solver may choose moves for it */
	bool keeps;      /* later searches reuse what it has found */
	void *(*create)(void);
	void (*destroy)(void *);
	/* Forgets what searches have found, as if it were new, but keeps its memory for the next one: the system clears
	 * fresh memory, which takes longer than a short search. NULL: it keeps nothing that changes a search. */
	void (*forget)(void *);
	/* Returns false on error, with the reason in `why` (memory). The task, the record's moves and
	 * the options stay valid until the last work and report. */
	bool (*prepare)(void *, const struct task *, char why[REASON_MAX]);
	void (*work)(void *, int worker, struct control *);
	void (*report)(void *, struct report *);
	/* Between searches: adds what the search has kept about record->now, which is not over. NULL: it keeps
	 * nothing that a position can be looked up in. */
	void (*look)(const void *, const struct record *, struct kept *);
	/* How likely each of these moves of task->record->now seems without a search; all legal moves together have 1. Only
	 * mcts has it: levels search by mcts. */
	void (*priors)(const struct task *, const struct move *, int count, double *priors);
};

/* All searches, NULL-terminated (engine/search/algorithms.c). */
extern const struct algorithm *const algorithms[];

/* The searches. Each is in the file of its name. */
extern const struct algorithm algorithm_random, algorithm_montecarlo, algorithm_mcts,
	algorithm_negamax, algorithm_alphabeta_plain, algorithm_alphabeta, algorithm_pns,
	algorithm_dfpn, algorithm_dfpn_mcts, algorithm_union;

/* Limits the bounds of a position to lower .. upper. Bounds that are narrower already stay. */
static inline void kept_narrow(struct kept *k, int lower, int upper)
{
	k->lower = lower > k->lower ? lower : k->lower;
	k->upper = upper < k->upper ? upper : k->upper;
}

#endif
