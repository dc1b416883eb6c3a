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
#include <string.h>

#include "engine/rules/game.h"
#include "engine/rules/record.h"
#include "engine/search/common/control.h"
#include "engine/search/common/options.h"

#define PV_MAX          64

#define REPORT_LINE_MAX 16 /* most moves in the line of one candidate move */

#define PROOF_NEVER     UINT64_MAX /* as a proof number: cannot be proven */

/* What is known of one candidate move of the searched position. */
struct report_move {
	struct move move;
	int line_count; /* moves in `line`; the first is `move` */
	struct move line[REPORT_LINE_MAX];
	/* Visits after each move of the line, part of `visits`. 0: unknown. */
	uint64_t line_visits[REPORT_LINE_MAX];
	/* Playouts or nodes spent on this move. With a reused tree this includes earlier searches. */
	uint64_t visits;
	double value; /* as in struct report, after this move */
	double score;
	int lower, upper; /* proven bounds of Black's result after this move */
	bool exact;       /* the score is proven too */
};

struct report {
	/* Moves in `line`. 0: the search has found nothing, because it had no time. */
	int line_count;
	/* Principal variation: whole moves, each legal after the one before. */
	struct move line[PV_MAX];
	double value;     /* expected result for Black, -1 .. 1 (draw 0); NAN: unknown */
	double score;     /* expected margin for Black in points; NAN: unknown */
	int lower, upper; /* proven bounds of Black's result: -1 lost, 0 draw, 1 won */
	bool exact;       /* the score is proven too: it is that of perfect play */
	bool book;        /* the move is from the opening book; there was no search */
	int depth; /* moves looked ahead: deepest finished iteration, or deepest leaf of the tree */
	uint64_t playouts; /* of this search */
	uint64_t nodes; /* of this search: positions visited; 0 if the search does not count them */
	double fill;    /* share of the tree's or table's memory in use, 0 .. 1; NAN: unknown */
	/* Proof numbers of the root, for a win of the side to move. Proven: 0 and PROOF_NEVER.
	 * Disproven: PROOF_NEVER and 0. Both 0: the search has none. */
	uint64_t proof, disproof;
	/* The candidate moves that the search knows something about. line[0] comes first. The others
	 * are sorted for the side to move: proven wins, open moves, proven losses, and the best first
	 * in each group. */
	int move_count;
	struct report_move moves[GAME_MOVES_MAX];
};

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

/* Lists the candidate moves that the record allows, in the order of game_moves(). Returns their number. */
int task_moves(const struct task *, struct move out[GAME_MOVES_MAX]);

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

/* Adds a move with unknown value. Its line is the move alone. */
struct report_move *report_add(struct report *, struct move);

/* Returns the index of a move in the report, or -1 if it is missing. */
int report_find(const struct report *, struct move);

/* Limits the bounds of a move to lower .. upper. Bounds that are narrower already stay. */
void report_narrow(struct report_move *, int lower, int upper);

/* Narrows the bounds of the position by those of its moves, and theirs by the position's. The value then lies within
 * them. All candidates must be listed. Returns the number of open moves, whose bounds differ. */
int report_tighten(struct report *, int side);

/* Makes the answer the move with the best proven result for `side`. Among equal moves the present answer
 * stays. The report must list a move. */
void report_answer_best(struct report *, int side);

/* Sets the proof numbers if the bounds prove or disprove a win of `side`, which is to move. */
void report_settle(struct report *, int side);

/* Sorts the moves as struct report promises, for `side` to move. Moves that proofs do not separate are
 * sorted by their ratings, highest first (NULL: all equal). Equal ratings keep the order in which the moves
 * were added. Call it after all moves are added and line[0] is set. The move line[0] is added if it is
 * missing, and gets the report's line. */
void report_sort(struct report *, int side, const double *ratings);

/* Black's result is between `lower` and `upper`. Return the worst and the best result that this leaves to
 * `side`: -1 lost, 0 draw, 1 won. */
static inline int result_least(int side, int lower, int upper)
{
	return side == BLACK ? lower : -upper;
}

static inline int result_most(int side, int lower, int upper)
{
	return side == BLACK ? upper : -lower;
}

/* Limits the bounds of a position to lower .. upper. Bounds that are narrower already stay. */
static inline void kept_narrow(struct kept *k, int lower, int upper)
{
	k->lower = lower > k->lower ? lower : k->lower;
	k->upper = upper < k->upper ? upper : k->upper;
}

/* Makes an empty report: all bounds open, values unknown. */
static inline void report_init(struct report *r)
{
	memset(r, 0, offsetof(struct report, moves));
	r->value = r->score = r->fill = __builtin_nan("");
	r->lower = -1;
	r->upper = 1;
}

/* Copies a report. Moves that it does not list, most of its 160 KB, stay as they were. */
static inline void report_copy(struct report *to, const struct report *from)
{
	memcpy(to, from,
	       offsetof(struct report, moves) + (size_t)from->move_count * sizeof *from->moves);
}

#endif
