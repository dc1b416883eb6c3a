/* SPDX-License-Identifier: MIT
 *
 * What the files of the Monte Carlo tree search share:
 *
 *     mcts.c            prepares a search, runs its workers; the method and its papers
 *     mcts_simulate.c   one simulation: selection, expansion, playout or evaluation, backup
 *     mcts_expand.c     the children of a leaf, and the root of a search
 *     mcts_halving.c    sequential halving at the root, for self-play
 *     mcts_numbers.c    proof numbers in the tree, for selection
 *     mcts_prover.c     df-pn inside the tree
 *     mcts_choice.c     the move to play, when to stop, the report
 *
 * The tree itself is in tree.h.
 */
#ifndef ENGINE_SEARCH_MCTS_MCTS_H
#define ENGINE_SEARCH_MCTS_MCTS_H

#include <math.h>

#include "engine/evaluation/evaluator.h"
#include "engine/rules/playouts.h"
#include "engine/search/common/algorithm.h"
#include "engine/search/mcts/tree.h"

/* A simulation goes on from the node with this index of its path only to complete a move. Games without a
 * longest length can reach it. */
#define LEAF_MAX     (GAME_LENGTH_MAX - 1)
#define PATH_MAX_LEN (LEAF_MAX + MOVE_STEPS_MAX + 1)

#define RAVE_BONUS   0.1f /* added to the RAVE mean of a step without visits */

#define LOG_SHIFT    17
#define LOG_ENTRIES  (32 << (23 - LOG_SHIFT))

/* Sequential halving at the root. */
struct halving {
	int width;       /* children that begin; 0: PUCT selects at the root, too */
	uint64_t budget; /* simulations of the search */
	int parts;       /* times that half of the candidates leave, at least 1 */
	uint64_t left;   /* simulations until the next time */
	/* The candidates: their indices among the root's children; the next one to visit. */
	int count, at;
	uint16_t child[GAME_STEPS_MAX];
	float start[GAME_STEPS_MAX]; /* of every child: the logarithm of its prior, plus noise */
};

struct mcts {
	/* sqrt(ln n) and 1/sqrt(n), indexed by the leading bits of n as a float: exact up to 127,
	 * within 1 % above. */
	float sqrt_log[LOG_ENTRIES], inverse_sqrt[LOG_ENTRIES];

	/* Of the tree: it contains proofs; it contains priors; those of the origin contain noise. */
	bool proven, evaluated, noisy;
	int termed; /* enum pn_term of its proof numbers */

	const struct task *task;
	float exploration; /* for results from -1 to 1 */
	float growth;      /* of it, with an evaluator */
	float first_play;  /* mean of an unvisited child, with BIAS (first play urgency) */
	bool evaluates;    /* `evaluator` values the leaves; otherwise playouts do */
	bool decisive;     /* in playouts a side that can win at once does so */
	bool heavy;        /* in playouts the sides often answer by good steps */
	bool prior;        /* RAVE's values begin with the game's prior knowledge */
	float rave;        /* visits at which RAVE weighs as much as the mean; 0: no RAVE */
	float minimax;     /* weight of `best` in what selection reads, 0 .. 1 */
	float pn;    /* weight of the term by proof numbers, for results from -1 to 1; 0: none */
	int pn_term; /* enum pn_term */
	int swap_at; /* moves from the root to the position where White may swap, 0 or 1; -1: none */
	bool lookahead;  /* a leaf is checked for an immediate win */
	bool has_final;  /* a position of the record ends the game when it occurs once more */
	int threat_work; /* work of the game's threat-space search at a node, 0: none */
	bool threats_at_leaves; /* leaves get that search, because an evaluation costs more */
	uint64_t threat_visits; /* otherwise a node gets it at so many visits */
	bool root_wins; /* the side to move at the root can win at once; no search is needed */
	void *prover;   /* df-pn, or NULL */
	double proving; /* df-pn nodes that a simulation pays for */
	struct evaluator evaluator;
	struct memo *memo; /* of its evaluations, or NULL */
	struct halving halving;
	int64_t started; /* clock_now() when the lead began to work; used by the lead */

	/* From here on the workers write. */
	struct tree tree;
	_Atomic int depth; /* whole moves to the deepest leaf */
};

/* The data of one thread. */
struct mcts_worker {
	struct rng rng;
	uint64_t expansion; /* visits that a leaf needs to get children */
	/* The path of the simulation: its nodes, the side that chose each, and the statistics that were
	 * added to it in advance (virtual loss) and are not yet replaced by results. */
	struct node *path[PATH_MAX_LEN];
	uint8_t chooser[PATH_MAX_LEN];
	uint64_t advance[PATH_MAX_LEN];
	uint64_t keys[PATH_MAX_LEN]; /* of the positions, where repetition is a draw */
	/* The first `contended` nodes of the path are contended. `batch_left` more simulations of the
	 * batch begin at the last of them. */
	int contended, batch_left;
	struct state state; /* the position there */
	int depth;          /* whole moves from the root to there */
	/* For RAVE: the first steps of each side's moves in the simulation. */
	struct trace trace;
	int last;       /* index of the path's last node when the simulation is over */
	bool proved;    /* there was a new proof at the end of the path */
	double credit;  /* df-pn nodes that this worker may still search */
	double run_due; /* df-pn runs when `credit` reaches this */
};

/* --- statistics of a node --- */

union float_bits {
	float value;
	int32_t bits;
};

/* The entry for n >= 1 in the tables of struct mcts. */
static inline int log_entry(uint32_t n)
{
	union float_bits u = { (float)n };
	return (u.bits - 0x3f800000) >> LOG_SHIFT;
}

static inline double mean_of_stats(uint64_t stats)
{
	double visits = (double)(stats >> VISITS_SHIFT);
	return visits > 0 ? (double)(stats & POINTS_SET) / (DRAWN * visits) - 1 : NAN;
}

/* Returns the value of a node for Black, as selection sees it. NAN: no visits. */
static inline double value_of(const struct mcts *m, const struct node *n, uint64_t stats)
{
	double mean = mean_of_stats(stats);
	return m->minimax > 0 ? mean + (double)m->minimax * ((double)best_of(n) - mean) : mean;
}

/* With an evaluator: sets what selection reads of an unvisited child. */
static inline void set_unvisited(struct node *n, int chooser)
{
	set_mean(n, BIAS + (float)side_sign(chooser) * best_of(n), prior_of(n));
}

/* With RAVE: the same, from its values. */
static inline void set_rave(struct node *n, int chooser)
{
	set_mean(n, BIAS + RAVE_BONUS + (float)side_sign(chooser) * best_of(n), 0);
}

/* The weight of RAVE's value beside the mean: near 1 after few visits, half at `rave` visits, then falling to 0,
 * because RAVE's value is biased. It must have been told by more than a few playouts, too (Gelly and Silver, 2011). */
static inline float rave_weight(const struct mcts *m, const struct node *n, uint32_t visits)
{
	float told = prior_of(n);
	return told / (told + (float)visits + told * (float)visits / m->rave);
}

/* Converts a value of Black, -1 .. 1, to points. Rounds at random, so that the mean is exact. */
static inline uint64_t points_of_value(float value, struct rng *rng)
{
	float exact = (value + 1) * DRAWN + (float)(rng_next(rng) >> 40) / (1 << 24);
	return exact < WON ? (uint64_t)exact : WON;
}

/* Derives what selection reads from a node's statistics. */
static inline void update_mean(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	uint32_t visits = (uint32_t)(stats >> VISITS_SHIFT);
	float mean = (float)(stats & POINTS_SET) / (DRAWN * (float)visits) - 1;
	float width = m->evaluates ? prior_of(n) / (float)(1 + visits)
				   : m->inverse_sqrt[log_entry(visits)];
	if (m->rave > 0 && prior_of(n) > 0)
		mean += rave_weight(m, n, visits) * (best_of(n) - mean);
	if (m->minimax > 0)
		mean += m->minimax * (best_of(n) - mean);
	mean = chooser == BLACK ? mean : -mean;
	if (m->pn > 0)
		mean += atomic_load_explicit(&numbers_of(&m->tree, n)->term, memory_order_relaxed);
	set_mean(n, BIAS + mean, width);
}

/* With RAVE: derives it again after a change of these values. */
static inline void update_rave(const struct mcts *m, struct node *n, int chooser)
{
	uint64_t stats = stats_of(n);
	if (stats >> VISITS_SHIFT)
		update_mean(m, n, stats, chooser);
	else
		set_rave(n, chooser);
}

/* --- mcts_simulate.c --- */

/* Runs one simulation from the root: 1 playout, or PLAYOUTS_BATCH batched playouts if `visits` says so. */
typedef void mcts_simulation(struct mcts *, struct mcts_worker *, uint64_t visits);

/* Returns the fastest variant of the simulation for this search. */
mcts_simulation *mcts_choose_simulation(const struct mcts *);

/* Ends a batch of simulations at contended nodes: replaces its virtual losses by its results. A worker must
 * do so before it leaves the tree. */
void mcts_end_batch(const struct mcts *, struct mcts_worker *);

/* --- mcts_halving.c --- */

/* Chooses the candidates among the root's new children. */
void mcts_begin_halving(struct mcts *, const struct node *children, int count, struct rng *);

/* Returns the child of the root that the next simulation visits. NULL: no candidate is worth a visit. */
struct node *mcts_next_candidate(struct mcts *, struct node *children, int count);

/* Rates a child of the root as the move to play; the highest rating wins. */
double mcts_rate_candidate(const struct mcts *, const struct node *child);

/* --- mcts_expand.c --- */

/* The repeat keys of the positions from the root to a leaf; without keys the game has none. */
struct history {
	const uint64_t *keys;
	int count;
	move_t last; /* the step that led to the leaf, or MOVE_NONE */
};

/* Creates the children of a leaf. Leaves out the steps that repeat a position of the record or of the history.
 * Returns false if another worker is doing that or if the arena is full.
 * With an evaluator, sets *value to the expected result for Black; also if the arena turns out to be full
 * after the evaluation. */
bool mcts_expand(struct mcts *, struct node *, const struct state *, const struct history *,
		 struct rng *, float *value);

/* Looks for a win by force at a node with children, and proves what it finds. Returns true if that proves something of
 * the node. */
bool mcts_look_for_force(struct mcts *, struct node *, const struct state *);

/* Prepares the root for a search. It gets at least the visits and proofs of its children, which may come
 * from an earlier search. Without candidate moves and wins at once it needs no room; otherwise the
 * arena must have tree_root_units(). */
void mcts_prepare_root(struct mcts *);

/* --- mcts_numbers.c --- */

/* Computes the proof numbers of a node from its children, and their terms. `side` chooses there. Returns true if the
 * numbers of the node above may change. */
bool mcts_update_numbers(const struct mcts *, const struct node *, int side);

/* --- mcts_prover.c --- */

/* Gives df-pn what a simulation has proven on its path, and lets df-pn do its share of the work. */
void mcts_prove_path(struct mcts *, struct mcts_worker *, uint64_t visits, struct control *);

/* --- mcts_choice.c --- */

/* Returns true if the move to play is the most visited one and stays so if the others get `left` more
 * visits. */
bool mcts_is_settled(const struct mcts *, uint64_t left);

/* Returns true if the most visited move is not the one with the best value: more work may change the
 * choice. */
bool mcts_is_unstable(const struct mcts *);

/* The functions `report` and `look` of algorithm_mcts. */
void mcts_report(void *self, struct report *);
void mcts_look(const void *self, const struct record *, struct kept *);

#endif
