/* SPDX-License-Identifier: MIT
 *
 * A search is a value behind five verbs. engine.c calls them in this order, for every move:
 *
 *     prepare   lead thread, alone: take memory, keep what is still useful of the last search
 *     work      every thread at once, until control_claim() gives nothing; whoever knows the answer
 *               earlier calls control_stop(). Fewer workers than task.threads may come: the lead
 *               alone must do
 *     report    lead thread: what was found; the first move of the line is the answer. Alone again
 *               after work, but also in the midst of it, from control_publish(), while the other
 *               workers work on
 *
 * No allocation inside work. Tree and tables together hold task.memory.
 */
#ifndef ENGINE_ALGORITHM_H
#define ENGINE_ALGORITHM_H

#include "engine/control.h"
#include "engine/game.h"
#include "engine/options.h"
#include "engine/record.h"

#define PV_MAX          64

#define REPORT_LINE_MAX 16 /* moves of a line that begins with one of the moves to choose from */

#define PROOF_NEVER     UINT64_MAX /* a proof number: it cannot be proven */

/* What is known of one move of the searched position. */
struct report_move {
	struct move move;
	int line_count; /* moves in `line`, of which the first is `move` */
	struct move line[REPORT_LINE_MAX];
	/* Of `visits` those after so many moves of the line; 0: unknown. */
	uint64_t line_visits[REPORT_LINE_MAX];
	/* Playouts or nodes spent on it; of a kept tree also those of earlier searches. */
	uint64_t visits;
	double value; /* as in struct report, after this move */
	double score;
	int lower, upper; /* proven bounds of Black's result after this move */
	bool exact;       /* the score is proven, too */
};

struct report {
	int line_count; /* moves in `line`, 0: the search has found nothing (it had no time) */
	struct move
		line[PV_MAX]; /* principal variation of whole moves, legal one after the other */
	double value;         /* expected result for Black, -1 .. 1 (draw 0); NAN: unknown */
	double score;         /* expected margin for Black in points; NAN: unknown */
	int lower, upper;     /* proven bounds of Black's result: -1 lost, 0 draw, 1 won */
	bool exact;           /* the score is proven, too: that of perfect play */
	bool book;            /* from the book of openings, without a search */
	int depth; /* moves looked ahead: deepest finished iteration, or deepest tree leaf */
	uint64_t playouts; /* of this search */
	uint64_t nodes;    /* of this search: positions visited by the searches that count them */
	double fill;       /* share of the tree's or table's memory in use, 0 .. 1; NAN: unknown */
	/* The root's numbers for the side to move to win: 0 and PROOF_NEVER when it is proven, the
	 * other way round when it is disproven; both 0: the search has none. */
	uint64_t proof, disproof;
	/* What the search knows of the moves to choose from: first line[0], then the others, the best for
	 * the side to move first: proven wins, open moves, proven losses. Moves of which it knows nothing
	 * are missing. */
	int move_count;
	struct report_move moves[GAME_MOVES_MAX];
};

/* What a search of one move is given. */
struct task {
	const struct record *record; /* its `now` is searched: not over */
	const struct options *options;
	size_t memory;           /* bytes for trees and tables */
	uint64_t seed;           /* of this search: worker w seeds its generator with seed + w */
	int threads;             /* workers that will call work(), numbered from 0, the lead */
	struct control *control; /* running already: preparing takes from the same budget */
	/* The moves to choose from, legal and distinct; NULL: all. Everything that is reported, bounds
	 * too, is then of the choice from these; what a search keeps for later ones is not. */
	const struct move *only;
	int only_count;
	/* What all these are worth is wanted, not only the best of them. */
	bool values;
	/* A df-pn search that is prepared for the same task and may be asked (engine/dfpn.h); NULL: none. */
	void *prover;
};

/* Lists the moves to choose from in the order of game_moves(); returns how many. */
int task_moves(const struct task *, struct move out[GAME_MOVES_MAX]);

/* Whether a move is one to choose from; or, with MOVE_NONE for its second step, begins one. */
bool task_allows(const struct task *, struct move);

struct algorithm {
	const char *name, *help;
	bool uses_depth; /* options->depth is a limit, so that no time limit is needed */
	bool is_alone;   /* neither a book nor a solver may choose moves for it */
	bool keeps;      /* what it has found helps its later searches */
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

/* By its name; NULL: there is none. */
const struct algorithm *algorithm_find(const char *name);

/* What the option `search` says for a game. */
const struct algorithm *algorithm_chosen(const struct options *, const struct game *);

/* The search that proves positions of a game best: scores where they count, else results. */
const struct algorithm *algorithm_prover(const struct game *);

/* The searches; each stands in the file of its name. */
extern const struct algorithm algorithm_random, algorithm_montecarlo, algorithm_mcts,
	algorithm_negamax, algorithm_alphabeta_plain, algorithm_alphabeta, algorithm_dfpn,
	algorithm_dfpn_mcts, algorithm_union;

/* Adds a move of which nothing is known yet; its line is the move alone. */
struct report_move *report_add(struct report *, struct move);

/* Has the numbers say what the bounds prove of a win of `side`, to move. */
void report_settle(struct report *, int side);

/* Brings the moves into the order that struct report promises, for `side` to move; those that proofs do
 * not tell apart by their ratings (NULL: all equal), the higher the sooner, of equal ones as they were
 * added. The moves are complete before and line[0] is set; its move gets that line, and is added if it is not there. */
void report_sort(struct report *, int side, const double *ratings);

/* A report that knows nothing. */
static inline void report_init(struct report *r)
{
	*r = (struct report) {
		.value = __builtin_nan(""),
		.score = __builtin_nan(""),
		.lower = -1,
		.upper = 1,
		.fill = __builtin_nan(""),
	};
}

#endif
