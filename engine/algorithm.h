/* SPDX-License-Identifier: MIT
 *
 * A search is a value behind five verbs. engine.c calls them in this order, for every move:
 *
 *     prepare   lead thread, alone: take memory, keep what is still useful of the last search
 *     work      every thread at once, until control_claim() gives nothing; whoever knows the answer
 *               earlier calls control_stop(). Fewer workers than task.threads may come: the lead
 *               alone must do
 *     report    lead thread, alone again: what was found; the first move of the line is the answer
 *
 * No allocation inside work. Tree and tables together hold task.memory.
 */
#ifndef ENGINE_ALGORITHM_H
#define ENGINE_ALGORITHM_H

#include "engine/control.h"
#include "engine/game.h"
#include "engine/options.h"
#include "engine/record.h"

#define PV_MAX 64

struct report {
	int line_count; /* moves in `line`, 0: the search has found nothing (it had no time) */
	struct move
		line[PV_MAX]; /* principal variation of whole moves, legal one after the other */
	double value;         /* expected result for Black, -1 .. 1 (draw 0); NAN: unknown */
	double score;         /* expected margin for Black in points; NAN: unknown */
	int lower, upper;     /* proven bounds of Black's result: -1 lost, 0 draw, 1 won */
	int depth; /* moves looked ahead: deepest finished iteration, or deepest tree leaf */
	uint64_t playouts; /* of this search */
	uint64_t nodes;    /* of this search: positions visited by the searches that count them */
};

/* What a search of one move is given. */
struct task {
	const struct record *record; /* its `now` is searched: not over */
	const struct options *options;
	size_t memory;           /* bytes for trees and tables */
	uint64_t seed;           /* of this search: worker w seeds its generator with seed + w */
	int threads;             /* workers that will call work(), numbered from 0, the lead */
	struct control *control; /* running already: preparing takes from the same budget */
};

struct algorithm {
	const char *name, *help;
	bool uses_depth; /* options->depth is a limit, so that no time limit is needed */
	void *(*create)(void);
	void (*destroy)(void *);
	/* False: `why` says why not (memory). The task outlives work and report; the record's moves
	 * and the options do too. */
	bool (*prepare)(void *, const struct task *, char why[REASON_MAX]);
	void (*work)(void *, int worker, struct control *);
	void (*report)(void *, struct report *);
};

/* Every search, NULL-terminated. */
extern const struct algorithm *const algorithms[];

/* The searches; each stands in the file of its name. */
extern const struct algorithm algorithm_random, algorithm_montecarlo, algorithm_mcts,
	algorithm_negamax, algorithm_alphabeta_plain, algorithm_alphabeta, algorithm_dfpn,
	algorithm_dfpn_mcts;

/* A report that knows nothing. */
static inline void report_init(struct report *r)
{
	*r = (struct report) {
		.value = __builtin_nan(""), .score = __builtin_nan(""), .lower = -1, .upper = 1
	};
}

#endif
