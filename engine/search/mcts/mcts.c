/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006). Proven results are backed up as bounds
 * (MCTS-Solver, Winands, 2008, in the score-bounded form of Cazenave and Saffidine, 2010). If the game
 * has an evaluator, which is a network or an evaluation function, it evaluates the leaves, and PUCT
 * selects by its priors (Silver et al., 2017). Evaluations are also backed up by minimax, and selection
 * uses both values (implicit minimax backups, Lanctot et al., 2014). Without an evaluator UCB1 selects, in some
 * games with the results of all playouts that contain a step (RAVE, Gelly and Silver, 2007).
 *
 * This file prepares a search and runs its workers. mcts.h lists the other files.
 *
 * Invariant: a leaf of the tree is never in the middle of a move, so the reported line consists of whole
 * moves.
 *
 * Threads: all workers share the tree without locks (tree.h, mcts_simulate.c).
 */
#include "engine/search/mcts/mcts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/memo.h"
#include "engine/rules/playouts.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"

#define EVALUATED_BATCH  16  /* units per claim with a fast evaluator */
#define BATCH_SQUARES    64  /* squares up to which a playout takes little time */
#define EXPLORATION      0.5 /* the constant of UCB1 where the game has none of its own */
#define PUCT             1.2 /* the constant of PUCT */
#define MEMO_PART        16  /* one part in so many of the memory remembers evaluations */
#define PROVING          0.3 /* df-pn nodes per simulation where the game has no number of its own */
#define THREAT_VISITS    16  /* visits at which a node is worth a search for wins by force */
#define ROUNDS_TO_SETTLE 16  /* claims between two checks whether the choice is settled */

/* --- preparing a search --- */

/* The value of an option, or the game's own. */
static double own_value(double option, double game)
{
	return option < 0 ? game : option;
}

/* Returns the number of moves from a position to the one where White may swap: 0 or 1, -1 if there is none. */
static int moves_to_swap(const struct game *game, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	struct state next = *s;
	if (!game->swap || s->over)
		return -1;
	if (game_can_swap(game, s))
		return 0;
	game->moves(game, s, steps);
	game->play(game, &next, steps[0]);
	return game_can_swap(game, &next) ? 1 : -1;
}

/* Derives what the search does from the task and its options. */
static void set_method(struct mcts *m, const struct task *task)
{
	const struct options *o = task->options;
	const struct game *game = task->record->game;
	m->task = task;
	/* Where repetition matters, a proof in the tree depends on its path, and df-pn knows no path. */
	m->prover = o->solver && !game_repeats(game) ? task->prover : NULL;
	m->lookahead = o->solver && o->lookahead && game->threats;
	m->has_final = record_final_positions(task->record) != 0;
	m->threat_work = m->lookahead ? threats_work(game, o->forced) : 0;
	m->threat_visits = THREAT_VISITS;
	if (m->threat_work && game->threats->visits)
		m->threat_visits = (uint64_t)game->threats->visits;
	m->root_wins = m->lookahead && game->threats->wins(game, &task->record->now);
	m->evaluates = o->evaluator && evaluator_open(&m->evaluator, game);
	m->evaluator.memo = m->memo;
	m->threats_at_leaves = m->threat_work && m->evaluates && m->evaluator.remembers;
	m->decisive = !m->evaluates && o->decisive && game->threats;
	m->heavy = !m->evaluates && o->heavy && game->playouts && game->playouts->heavy;
	m->rave = m->evaluates || game->steps.codes > TRACE_CODES
			  ? 0
			  : (float)own_value(o->rave, tuning_of(game)->rave);
	m->prior = m->rave > 0 && o->prior && game->playouts && game->playouts->prior;
	m->swap_at = m->rave > 0 || m->evaluates ? moves_to_swap(game, &task->record->now) : -1;
	m->minimax = m->evaluates && m->evaluator.looks_ahead ? (float)o->minimax : 0;
	/* The terms need proofs. Options are for results from 0 to 1. */
	m->pn = o->solver ? 2 * (float)o->pn : 0;
	m->pn_term = o->pn_term;
	m->exploration = (float)(m->evaluates ? own_value(o->puct, PUCT)
					      : 2 * own_value(o->exploration,
							      tuning_of(game)->exploration > 0
								      ? tuning_of(game)->exploration
								      : EXPLORATION));
	m->growth = m->evaluates
			    ? (float)own_value(o->puct_growth, (double)m->evaluator.puct_growth)
			    : 0;
	/* Unvisited children come first: above every mean with its terms, because
	 * sqrt(ln VISITS_MAX) < 5. */
	m->first_play = BIAS + (o->first_play > 1 ? 1 + m->pn + 5 * m->exploration
						  : (float)(2 * o->first_play - 1));
	/* With several workers, the candidates would need locks. */
	m->halving.count = 0;
	m->halving.budget = task->control->work_max;
	m->halving.width = m->evaluates && task->threads == 1 && m->halving.budget != WORK_NO_LIMIT
				   ? o->gumbel
				   : 0;
	bool plain = !m->evaluates && !m->decisive && !m->heavy && m->rave == 0;
	m->tree.per_simulation = plain && o->batch && game->playouts && game->playouts->batch
					 ? PLAYOUTS_BATCH
					 : 1;
	m->tree.position = task->record->now;
	m->tree.past = record_past(task->record, task->record->count);
	int expansion = o->expansion ? o->expansion : m->evaluates ? 1 : tuning_of(game)->expansion;
	m->tree.expansion = (uint64_t)(expansion ? expansion : 1);
	m->proving = own_value(o->proving,
			       tuning_of(game)->proving > 0 ? tuning_of(game)->proving : PROVING);
}

/* Noise is drawn anew for each search. */
static bool has_noise(const struct mcts *m)
{
	return (m->evaluates && m->task->options->noise > 0) || m->halving.width;
}

/* Returns true if this search can continue the tree: the tree contains what the search needs, its
 * statistics have room, and neither uses noise. */
static bool may_reuse(const struct mcts *m)
{
	const struct options *o = m->task->options;
	return o->reuse && m->proven == o->solver && m->evaluated == m->evaluates && !m->noisy &&
	       !has_noise(m) && m->termed == m->pn_term && m->tree.earlier < VISITS_MAX / 2;
}

static void begin_tree(struct mcts *m)
{
	tree_clear(&m->tree, m->task->record->game);
	m->proven = m->task->options->solver;
	m->evaluated = m->evaluates;
	m->noisy = has_noise(m);
	m->termed = m->pn_term;
}

/* Opens the tree and the memo of the evaluator's evaluations, which share the memory. Returns false if it is refused. */
static bool open_memory(struct mcts *m, const struct task *task)
{
	const struct options *o = task->options;
	const struct game *game = task->record->game;
	struct evaluator e;
	bool remembers = o->evaluator && evaluator_open(&e, game) && e.remembers;
	size_t for_memo = remembers ? task->memory / MEMO_PART : 0;
	return memo_open(&m->memo, for_memo, game->steps.choices) &&
	       tree_open(&m->tree, game, task->memory - for_memo, o->solver && o->pn > 0);
}

static bool mcts_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct mcts *m = self;
	struct tree *t = &m->tree;
	if (!open_memory(m, task)) {
		strcpy(why, "the memory for the tree was refused; lower the option memory");
		return false;
	}
	tree_end_search(t);
	set_method(m, task);
	atomic_store_explicit(&m->depth, 0, memory_order_relaxed);
	t->root = may_reuse(m) ? tree_find(t, task->record) : 0;
	if (!t->root)
		begin_tree(m);
	else if (t->root != ORIGIN && room_of(t) < ring_units(t) / 2)
		tree_collect(t);
	if (task->only || m->root_wins) {
		if (room_of(t) < tree_root_units(t->game))
			tree_collect(t);
		if (room_of(t) < tree_root_units(t->game))
			begin_tree(m);
	}
	mcts_prepare_root(m);
	return true;
}

/* --- work --- */

static uint64_t playouts_of(const struct mcts *m)
{
	return atomic_load_explicit(&m->tree.playouts, memory_order_relaxed);
}

/* Returns how many visits the search can still make: exact under a work limit, an upper estimate under
 * a deadline. */
static uint64_t visits_left(const struct mcts *m, const struct control *control)
{
	uint64_t left = VISITS_MAX;
	if (control->work_max != WORK_NO_LIMIT)
		left = control->work_max - control_work(control);
	if (control->deadline != TIME_NEVER) {
		int64_t now = clock_now(), used = now - m->started, rest = control->deadline - now;
		double visits = 1.2 * (double)playouts_of(m) * (double)rest / (double)(used + 1);
		/* The first part of a search is too short to predict its speed. */
		if (used > rest / 8 && visits < (double)left)
			left = rest > 0 ? (uint64_t)visits : 0;
	}
	return left;
}

/* The units of a claim, which should take less than some milliseconds: no worker looks at the clock before its claim is
 * done. The same number always, so that a search with a limit of work can be repeated. */
static uint64_t claim_size(const struct mcts *m)
{
	const struct game *g = m->task->record->game;
	uint64_t squares = (uint64_t)(g->board.rows * g->board.cols);
	if (m->evaluates)
		return (uint64_t)tuning_evaluator_work(g, EVALUATED_BATCH);
	return squares <= BATCH_SQUARES ? WORK_BATCH : WORK_BATCH * BATCH_SQUARES / squares;
}

/* Claims a batch. A worker that may have to wait for a thread slot leaves the tree first. */
static uint64_t mcts_claim(struct mcts *m, struct mcts_worker *w, struct control *control)
{
	if (control->slots) {
		mcts_end_batch(m, w);
		tree_leave(&m->tree);
		bool has_slot = control_acquire_slot(control);
		tree_enter(&m->tree);
		if (!has_slot)
			return 0;
	}
	return control_claim_with_slot(control, claim_size(m));
}

static bool mcts_is_solved(const struct mcts *m)
{
	return m->task->options->solver && is_resolved(proof_of(node_at(&m->tree, m->tree.root)));
}

/* Returns true if the tree can count no more visits. */
static bool mcts_is_full(const struct mcts *m)
{
	return m->tree.earlier + playouts_of(m) >= VISITS_MAX;
}

/* Runs simulations for a claimed batch of playouts. */
static void run_batch(struct mcts *m, struct mcts_worker *w, mcts_simulation *simulate,
		      uint64_t batch, struct control *control)
{
	const uint64_t per_simulation = m->tree.per_simulation;
	uint64_t done = 0;
	w->expansion = tree_threshold(&m->tree) - (m->evaluates && m->evaluator.at_once);
	while (done < batch && !control_stopped(control) && !mcts_is_solved(m)) {
		uint64_t visits = batch - done < per_simulation ? 1 : per_simulation;
		simulate(m, w, visits);
		done += visits;
		if (m->prover)
			mcts_prove_path(m, w, visits, control);
	}
	control_refund(control, batch - done);
	atomic_fetch_add_explicit(&m->tree.playouts, done, memory_order_relaxed);
}

/* Extends the search if it is near its limits and unstable. Then stops it as soon as it is stable. */
static void extend(const struct mcts *m, struct control *control, bool *extended)
{
	if (control_may_extend(control) && mcts_is_unstable(m)) {
		control_extend(control);
		*extended = true;
	}
	if (*extended && !mcts_is_unstable(m))
		control_stop(control);
}

static void mcts_work(void *self, int worker, struct control *control)
{
	struct mcts *m = self;
	const struct options *o = m->task->options;
	const bool leads = worker == 0, stoppable = o->choice != CHOICE_WINRATE;
	/* Where values are wanted, or there is no limit, no time is saved: this is an analysis. */
	const bool stops_early = o->early_stop && stoppable && !m->task->values &&
				 (control->deadline != TIME_NEVER ||
				  control->work_max != WORK_NO_LIMIT);
	mcts_simulation *simulate = mcts_choose_simulation(m);
	struct mcts_worker w = { 0 };
	bool extended = false;
	rng_seed(&w.rng, m->task->seed + (uint64_t)worker);
	if (leads)
		m->started = clock_now();
	tree_enter(&m->tree);
	for (int round = 1;; round++) {
		if (tree_is_due(&m->tree)) {
			mcts_end_batch(m, &w);
			tree_make_room(&m->tree);
		}
		if (leads)
			control_publish(control);
		if (mcts_is_solved(m) || mcts_is_full(m))
			control_stop(control);
		if (leads && o->extend && stoppable)
			extend(m, control, &extended);
		uint64_t batch = mcts_claim(m, &w, control);
		if (batch == 0)
			break;
		run_batch(m, &w, simulate, batch, control);
		if (leads && stops_early && round % ROUNDS_TO_SETTLE == 0 &&
		    mcts_is_settled(m, visits_left(m, control)))
			control_stop(control);
	}
	mcts_end_batch(m, &w);
	tree_leave(&m->tree);
}

/* --- the other functions of struct algorithm --- */

static void *mcts_create(void)
{
	struct mcts *m = xcalloc(1, sizeof *m);
	for (int i = 0; i < LOG_ENTRIES; i++) {
		union float_bits n = { .bits = (i << LOG_SHIFT) + 0x3f800000 };
		m->sqrt_log[i] = sqrtf(logf(n.value));
		m->inverse_sqrt[i] = 1 / sqrtf(n.value);
	}
	return m;
}

static void mcts_destroy(void *self)
{
	struct mcts *m = self;
	tree_close(&m->tree);
	memo_close(m->memo);
	free(m);
}

/* The memo stays: what a network says of a position does not change. */
static void mcts_forget(void *self)
{
	struct mcts *m = self;
	tree_forget(&m->tree);
}

static void priors(const struct task *task, const struct move *moves, int count, double *priors)
{
	evaluator_priors(task->record->game, task->options->evaluator, &task->record->now, moves,
			 count, priors);
}

const struct algorithm algorithm_mcts = {
	.name = "mcts",
	.help = "UCT: Monte Carlo tree search with UCB1, proofs and a tree kept between moves",
	.keeps = true,
	.create = mcts_create,
	.destroy = mcts_destroy,
	.forget = mcts_forget,
	.prepare = mcts_prepare,
	.work = mcts_work,
	.report = mcts_report,
	.look = mcts_look,
	.priors = priors,
};
