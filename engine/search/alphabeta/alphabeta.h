/* SPDX-License-Identifier: MIT
 *
 * What alphabeta.c (root moves, iterations, reports) and alphabeta_search.c (the search below a root move)
 * share. The searches themselves are described in alphabeta.c.
 */
#ifndef ENGINE_SEARCH_ALPHABETA_ALPHABETA_H
#define ENGINE_SEARCH_ALPHABETA_ALPHABETA_H

#include "engine/search/common/algorithm.h"
#include "engine/search/common/table.h"

#define ALPHABETA_DEPTH_MAX   255
#define ALPHABETA_ENTRY_WORDS 1 /* data words of a cell of the table */
#define PROBCUT_LEVELS        3 /* at this level ProbCut is off; the levels below prune, each less */

/* What a value depends on. */
enum trust {
	EVALUATED, /* evaluations of unfinished games */
	PROBABLE,  /* finished games and cutoffs by shallower searches */
	FINAL,     /* finished games only: deeper searches find the same value */
};

static inline enum trust least_trust(enum trust a, enum trust b)
{
	return a < b ? a : b;
}

/* The outcome of a search: a value inside the window, or else a bound. */
struct alphabeta_outcome {
	int value;
	enum trust trust;
};

#define LINE_STEPS_MAX (2 * PV_MAX)

/* The principal variation, in steps. */
struct line {
	int count;
	move_t steps[LINE_STEPS_MAX];
};

enum stage { NEGAMAX, ALPHABETA_PLAIN, ALPHABETA };

struct root_move {
	struct move move;
	int index; /* in the order of game_moves() */
	struct state after;
	/* The last outcome, for the side to move; initially all 0. */
	bool known, exact; /* has a value; it is exact, otherwise an upper bound */
	bool final;        /* trust is FINAL */
	int value;
	int least, most;  /* proven bounds of the result, -1 .. 1 */
	uint64_t nodes;   /* searched below the move */
	struct line line; /* after the move */
};

/* The result of iterative deepening so far. */
struct result {
	struct alphabeta_outcome outcome; /* the best move's, for the side to move */
	enum trust trust;                 /* the least trust of all moves */
	bool complete;                    /* all moves were searched */
	int index;                        /* of the best move, -1: none */
	int depth;                        /* of the last complete iteration */
	struct line line;                 /* after the best move */
	struct move move;
};

/* The data of one thread. */
struct alphabeta_worker {
	struct alphabeta *shared;
	const struct game *game;
	struct control *control;
	enum stage stage;
	bool stopped;       /* control gave no work: every function returns, results are invalid */
	int value_max;      /* value of the largest win */
	move_t forced_pass; /* it does not count as a move; MOVE_NONE: every pass is a move */
	int level;          /* ProbCut level, 0 .. PROBCUT_LEVELS */
	double confidence;  /* standard deviations at this level */
	uint64_t batch;     /* units of work claimed last */
	uint64_t claim;     /* the part of `batch` not yet used */
	uint64_t nodes;
	/* Where repetition is a draw: the keys of the positions from the root's child to the node. A pass adds to the
	 * path but not to the depth; two passes in a row repeat a position. */
	int path_length;
	uint64_t path[2 * ALPHABETA_DEPTH_MAX * MOVE_STEPS_MAX];
	struct result result;
	struct result current; /* of the running iteration */
	bool counts;           /* `current` may replace `result` */
	int root_count;
	struct root_move *roots; /* in the order of the next iteration */
	/* Killer moves: steps that caused a cutoff at [depth][pending]. */
	move_t killers[ALPHABETA_DEPTH_MAX + 1][MOVE_STEPS_MAX][2];
	int *history[2]; /* [side][step]: higher for frequent and deep cutoffs */
};

struct alphabeta {
	enum stage stage;
	const struct task *task;
	struct table table; /* used by alphabeta only */
	struct alphabeta_worker *workers;
	int worker_count;
	struct root_move *roots; /* of all workers */
	/* If all scores are requested: the lead's root moves after its last complete iteration, for
	 * reports. */
	struct root_move *completed;
	int completed_count; /* 0: no iteration is complete */
	int *history;
	_Atomic uint64_t nodes; /* of all workers, without the running claim of each */
};

/* The greatest depth whose search fits on a thread's stack. */
int alphabeta_depth_max(const struct game *);

/* Counts a node. Returns false if the search is over. */
bool alphabeta_enter(struct alphabeta_worker *);

/* Searches the position after a step to a depth >= 1, counted before the step. Window and value are those
 * of `side`, which made the step. A value inside alpha .. beta is exact; a value outside is a bound. Sets
 * the line of an exact value. If the worker is stopped, the result is invalid. */
struct alphabeta_outcome alphabeta_descend(struct alphabeta_worker *, int side, move_t step,
					   const struct state *child, int depth, int alpha,
					   int beta, struct line *);

#endif
