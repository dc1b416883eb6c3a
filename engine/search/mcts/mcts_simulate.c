/* SPDX-License-Identifier: MIT
 *
 * One simulation of the Monte Carlo tree search: selection goes down to a leaf, expansion gives the leaf
 * children, a playout or the evaluator values it, and backup adds the value to all nodes of the path.
 *
 * Threads: all workers do this at once, without locks. On the way down a worker counts its visit as a loss
 * for the side that chose the node (virtual loss, Chaslot et al., 2008), so that the other workers go
 * elsewhere. Nodes that many simulations pass are contended: updating them once per simulation would
 * bounce their cache lines between cores. A worker selects its path through them for a batch of
 * simulations, counts them as lost at once, and adds their results together.
 *
 * Invariant: after a simulation, or at the end of its batch, every virtual loss is replaced by a result.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/search/mcts/mcts.h"

#define CONTENDED_VISITS  256 /* a node with this many simulations is contended */
#define BATCH_SIMULATIONS 16
#define CHILDREN_FEW      64 /* a smaller index replaces fewer bits of a selection key */
#define CHILDREN_USUAL    512

/* The functions of a simulation are compiled into each of its four variants: for one worker and for many
 * (`shared`), without and with proofs (`solver`). */
#define INLINE            static inline __attribute__((always_inline))

/* A simulation that is under way. */
struct simulation {
	uint64_t visits;   /* what it counts as: its number of playouts */
	uint64_t points;   /* Black's points in all of them, once it has reached its end */
	struct node *node; /* the last one of the path */
	int last;          /* its index in the path */
	int depth;         /* whole moves from the root to it */
	bool proved;       /* there is a new proof at the node */
	int grown; /* nodes of the path up to the first that has got children; 0: none has */
};

/* `over` of a simulation's state that repeats a position of the path or of the record. It counts as a draw, but proves
 * nothing. */
#define REPEATED 2

static uint64_t points_of_result(int result)
{
	return (uint64_t)(result + 1) * DRAWN;
}

/* --- selection --- */

/* Returns the exploration factor of a parent. Selection multiplies it by each child's width. With few visits priors
 * decide; with many, more moves deserve a look, so the constant of PUCT may grow (Silver et al., 2018). */
static inline float exploration_of(const struct mcts *m, const struct node *parent)
{
	uint32_t visits = (uint32_t)visits_of(parent);
	if (!m->evaluates)
		return m->exploration * m->sqrt_log[log_entry(visits | 1)];
	float constant = m->exploration;
	if (m->growth > 0)
		constant += m->growth * logf(1 + (float)visits / PUCT_VISITS);
	return constant * sqrtf((float)(visits + 1));
}

/* Returns the UCB1 or PUCT value of a child as an integer with the child's index in its lowest bits.
 * The index replaces bits that are far below the noise. */
static inline int32_t child_key(const struct node *child, float explore, int32_t mask, int i)
{
	float width = atomic_load_explicit(&child->width, memory_order_relaxed);
	union float_bits u = { mean_of(child) + explore * width };
	return (u.bits & ~mask) | i;
}

/* Returns the child with the highest UCB1 or PUCT value. `mask` has the bits of an index. No branch depends on
 * the values, because such branches cannot be predicted. Two maxima are kept, because each comparison waits
 * for the result of the one before. */
INLINE struct node *select_among(struct node *children, int count, float explore,
				 const int32_t mask)
{
	int i = count & 1;
	int32_t best = i ? child_key(children, explore, mask, 0) : INT32_MIN, other = INT32_MIN;
	for (; i < count; i += 2) {
		int32_t a = child_key(&children[i], explore, mask, i);
		int32_t b = child_key(&children[i + 1], explore, mask, i + 1);
		best = a > best ? a : best;
		other = b > other ? b : other;
	}
	best = other > best ? other : best;
	return &children[best & mask];
}

INLINE struct node *select_child(const struct mcts *m, struct node *parent, uint32_t block)
{
	struct node *children = block_nodes(&m->tree, block);
	float explore = exploration_of(m, parent);
	int count = block_at(&m->tree, block)->count;
	if (count <= CHILDREN_FEW)
		return select_among(children, count, explore, CHILDREN_FEW - 1);
	if (count <= CHILDREN_USUAL)
		return select_among(children, count, explore, CHILDREN_USUAL - 1);
	return select_among(children, count, explore, GAME_STEPS_MAX - 1);
}

/* Adds to the statistics of a node that all workers share. */
static void add_stats(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	stats += atomic_fetch_add_explicit(&n->stats, stats, memory_order_relaxed);
	if (!is_pruned(n))
		update_mean(m, n, stats, chooser);
}

/* Adds visits as losses for the side that chose the node. Without the option virtual_loss it adds them
 * at the node's present mean instead, or as draws if it has no visits. Returns what it added. */
static uint64_t add_virtual_loss(const struct mcts *m, struct node *n, int chooser, uint64_t visits)
{
	uint64_t stats = stats_of(n), earlier = stats >> VISITS_SHIFT;
	uint64_t points = visits * (chooser == BLACK ? 0 : WON);
	if (!m->task->options->virtual_loss)
		points = earlier ? (stats & POINTS_SET) * visits / earlier : visits * DRAWN;
	add_stats(m, n, visits * ONE_VISIT + points, chooser);
	return visits * ONE_VISIT + points;
}

/* Where repetition is a draw: ends the simulation in a state at index `at` of the path if its position has occurred. A
 * side that can win can do so without a repetition, so one step back is worth no more than a draw. */
static void note_position(const struct mcts *m, struct mcts_worker *w, int at, struct state *s)
{
	const struct record *r = m->task->record;
	uint64_t key = w->keys[at] = repetition_key(m->tree.game, s);
	if (s->over || !key)
		return;
	int occurred = record_occurrences(r, key);
	bool repeats = occurred > 0;
	/* The root belongs to the record. */
	for (int i = 1; i < at && !repeats; i++)
		repeats = w->keys[i] == key;
	if (!repeats)
		return;
	s->over = occurred + 1 >= repetition_limit(m->tree.game) ? true : REPEATED;
	s->score = 0;
}

static bool is_contended(const struct mcts *m, const struct node *n)
{
	return visits_of(n) >= CONTENDED_VISITS * m->tree.per_simulation;
}

void mcts_end_batch(const struct mcts *m, struct mcts_worker *w)
{
	for (int i = 0; i < w->contended; i++)
		add_stats(m, w->path[i], -w->advance[i], w->chooser[i]);
	w->contended = w->batch_left = 0;
}

/* Goes to the node where a simulation begins: the last contended node of the path, or the root. Begins
 * a new batch if necessary. Returns the node's index in the path. */
static int enter_batch(const struct mcts *m, struct mcts_worker *w, const bool solver)
{
	const uint64_t visits = BATCH_SIMULATIONS * m->tree.per_simulation;
	if (w->batch_left > 0) {
		w->batch_left--;
		return w->contended - 1;
	}
	mcts_end_batch(m, w);
	w->state = m->tree.position;
	w->depth = 0;
	w->path[0] = node_at(&m->tree, m->tree.root);
	w->chooser[0] = w->state.side ^ 1;
	for (struct node *n = w->path[0]; is_contended(m, n); n = w->path[w->contended]) {
		int i = w->contended++;
		w->batch_left = BATCH_SIMULATIONS - 1;
		w->advance[i] = add_virtual_loss(m, n, w->chooser[i], visits);
		uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
		if (w->state.over || block < FIRST_BLOCK || i >= LEAF_MAX ||
		    (solver && is_resolved(proof_of(n))))
			break;
		struct node *child = select_child(m, n, block);
		if (!is_contended(m, child))
			break;
		w->path[i + 1] = child;
		w->chooser[i + 1] = w->state.side;
		m->tree.game->play(m->tree.game, &w->state, step_of(child));
		if (repetition_limit(m->tree.game))
			note_position(m, w, i + 1, &w->state);
		w->depth += !w->state.pending;
	}
	if (w->contended)
		return w->contended - 1;
	w->advance[0] = add_virtual_loss(m, w->path[0], w->chooser[0], 1);
	return 0;
}

/* Goes down to the best child, with its virtual loss if others must see it, and plays its step. */
INLINE void descend(struct mcts *m, struct mcts_worker *w, struct simulation *sim, struct state *s,
		    uint32_t block, const bool shared)
{
	struct node *child = NULL;
	if (!shared && !sim->last && m->halving.count)
		child = mcts_next_candidate(m, block_nodes(&m->tree, block),
					    block_at(&m->tree, block)->count);
	if (!child)
		child = select_child(m, sim->node, block);
	/* The child's children are read after play(). Fetch them meanwhile. */
	const char *next = (const char *)block_at(
		&m->tree, atomic_load_explicit(&child->children, memory_order_relaxed));
	__builtin_prefetch(next);
	sim->last++;
	sim->node = w->path[sim->last] = child;
	w->chooser[sim->last] = s->side;
	if (shared)
		w->advance[sim->last] = add_virtual_loss(m, child, s->side, 1);
	m->tree.game->play(m->tree.game, s, step_of(child));
	if (repetition_limit(m->tree.game))
		note_position(m, w, sim->last, s);
	sim->depth += !s->pending;
}

/* --- playouts --- */

/* Adds a step to those of a side. The step is earlier than all steps in the sets, so the other side was not the
 * first to make it. */
static void add_made(struct trace *trace, int side, move_t step)
{
	bits_add(trace->made[side], step);
	trace->made[side ^ 1][step / 64] &= ~((uint64_t)1 << step % 64);
}

/* Plays random steps to the end of the game. In decisive playouts a side that can win at once does so
 * (Teytaud and Teytaud, 2010). Returns Black's result. Adds the first steps of each side's moves to the
 * trace, unless it is NULL. */
INLINE int play_steps(const struct mcts *m, const struct state *start, struct rng *rng,
		      struct trace *trace)
{
	const struct game *game = m->tree.game;
	struct state s = *start;
	move_t steps[GAME_STEPS_MAX];
	int left = repetition_limit(game) ? PLAYOUT_STEPS : INT_MAX;
	for (bool begun = false; !s.over && left; begun = true, left--) {
		/* No immediate win is possible after a first step made here: the playout would
		 * have ended before that step. */
		if (m->decisive && !(begun && s.pending) && game->threats->wins(game, &s))
			return side_sign(s.side);
		int count = game->moves(game, &s, steps);
		move_t step = steps[rng_below(rng, (uint32_t)count)];
		if (trace && !s.pending && !bits_has(trace->made[s.side ^ 1], step))
			bits_add(trace->made[s.side], step);
		game->play(game, &s, step);
	}
	return score_sign(s.score); /* 0 if it is not over */
}

/* Plays a state out `count` times, 1 or PLAYOUTS_BATCH. `last` is the step that led to it, or MOVE_NONE. Returns the
 * sum of Black's points. In decisive and heavy playouts and with RAVE `count` must be 1; the trace then gets the
 * steps made. */
static uint64_t mcts_simulate_play_out(const struct mcts *m, const struct state *s, move_t last,
				       struct rng *rng, uint64_t count, struct trace *trace)
{
	const struct game *game = m->tree.game;
	uint64_t points = 0;
	int8_t scores[PLAYOUTS_BATCH];
	if (m->heavy)
		return points_of_result(
			score_sign(game->playouts->heavy(game, s, last, rng, trace)));
	if (m->rave > 0 && game->playouts && game->playouts->trace && !m->decisive)
		return points_of_result(score_sign(game->playouts->trace(game, s, rng, trace)));
	if (m->rave > 0)
		return points_of_result(play_steps(m, s, rng, trace));
	if (m->decisive)
		return points_of_result(play_steps(m, s, rng, NULL));
	if (count < PLAYOUTS_BATCH || !game->playouts)
		return points_of_result(score_sign(playout_uniform(game, s, rng)));
	game->playouts->batch(game, s, rng, scores);
	for (int i = 0; i < PLAYOUTS_BATCH; i++)
		points += points_of_result(score_sign(scores[i]));
	return points;
}

/* --- expansion and evaluation --- */

/* Ends the simulation with a proven result of its node. */
INLINE void end_proven(struct simulation *sim, int result)
{
	sim->points = sim->visits * points_of_result(result);
}

/* Creates the children of a leaf. Where positions may not repeat, finds the positions on the path by playing it
 * again: that costs less than to note them in every simulation. */
static bool expand_leaf(struct mcts *m, struct mcts_worker *w, const struct simulation *sim,
			const struct state *s, float *value)
{
	const struct game *game = m->tree.game;
	uint64_t keys[PATH_MAX_LEN];
	struct history history = { keys, 0, sim->last ? step_of(sim->node) : MOVE_NONE };
	struct state passed = m->tree.position;
	for (int i = 0; repetition_forbids(game) && i <= sim->last; i++) {
		if (i > 0)
			game->play(game, &passed, step_of(w->path[i]));
		keys[history.count++] = game->repetition->key(game, &passed, MOVE_NONE);
	}
	return mcts_expand(m, sim->node, s, &history, &w->rng, value);
}

/* The result of a leaf that is known without a search: 1, -1, or 0 for none. */
INLINE int known_result(const struct game *game, const struct state *s)
{
	if (game->threats->wins(game, s))
		return side_sign(s->side);
	return game->threats && game->threats->decided ? game->threats->decided(game, s) : 0;
}

/* Expands a leaf that has enough visits. Ends the simulation with the value of the leaf and returns true.
 * Returns false if the simulation must go on to the new children. */
INLINE bool end_at_leaf(struct mcts *m, struct mcts_worker *w, struct simulation *sim,
			const struct state *s, const bool shared, const bool solver)
{
	struct node *leaf = sim->node;
	uint64_t earlier = visits_of(leaf) - (shared && sim->last >= w->contended);
	float value = NAN; /* expected result for Black; NAN: unknown */
	/* An earlier visit has looked already. It may not have finished, but an expansion needs the answer. */
	bool is_due = (earlier >= w->expansion && sim->last < LEAF_MAX) || !sim->last || s->pending;
	if (solver && m->lookahead && sim->last && !s->pending && (is_due || !earlier)) {
		int result = known_result(m->tree.game, s);
		if (result) {
			end_proven(sim, result);
			atomic_fetch_or(&leaf->proof, proof_of_result(result));
			sim->proved = true;
			return true;
		}
	}
	bool expanded = is_due && expand_leaf(m, w, sim, s, &value);
	if (expanded && !sim->grown)
		sim->grown = sim->last + 1;
	/* The expansion has proven the steps that end the game or lose at once. */
	if (solver && expanded && (s->pending || m->lookahead))
		sim->proved = tree_prove(&m->tree, leaf, s->side);
	if (!m->evaluates) {
		if (!expanded)
			sim->points = mcts_simulate_play_out(m, s,
							     sim->last ? step_of(leaf) : MOVE_NONE,
							     &w->rng, sim->visits, &w->trace);
		return !expanded;
	}
	if (sim->proved && is_resolved(proof_of(leaf))) {
		end_proven(sim, lower_of(proof_of(leaf)));
		return true;
	}
	/* The value of a leaf with visits is counted already. */
	if (expanded && earlier)
		return false;
	/* With several workers the mean contains virtual losses. */
	if (isnan(value))
		value = earlier && !shared ? (float)mean_of_stats(stats_of(leaf))
					   : evaluator_state(&m->evaluator, s);
	sim->points = points_of_value(value, &w->rng);
	return true;
}

/* The visits at which a node is searched for wins by force. Only nodes with children are: a leaf that memory keeps
 * without children for longer is searched later. */
static uint64_t threat_visits(const struct mcts *m, const struct mcts_worker *w)
{
	return m->threat_visits > w->expansion ? m->threat_visits : w->expansion + 1;
}

/* Returns true if a resolved child proves something that its parent does not know. `side` chooses at
 * the parent. Only a child at which an earlier search began can do so: its parents were not on that
 * search's paths. */
static bool proves_parent(const struct node *child, const struct node *parent, int side)
{
	uint8_t bits = proof_of(child) & (side == BLACK ? LOWER_BITS : UPPER_BITS);
	return (bits & ~proof_of(parent)) || is_pruned(child);
}

/* Ends the simulation at its node and returns true: the game is over there, the result is proven, or the
 * node is a leaf. Otherwise returns false and sets *block to the node's children. */
INLINE bool end_at_node(struct mcts *m, struct mcts_worker *w, struct simulation *sim,
			const struct state *s, uint32_t *block, const bool shared,
			const bool solver)
{
	struct node *n = sim->node;
	if (s->over) {
		int result = score_sign(s->score);
		end_proven(sim, result);
		if (solver && s->over != REPEATED && !is_resolved(proof_of(n))) {
			atomic_fetch_or(&n->proof, proof_of_result(result));
			sim->proved = true;
		}
		return true;
	}
	if (solver && is_resolved(proof_of(n))) {
		end_proven(sim, lower_of(proof_of(n)));
		sim->proved = sim->last &&
			      proves_parent(n, w->path[sim->last - 1], w->chooser[sim->last]);
		if (shared)
			w->batch_left = 0;
		return true;
	}
	*block = atomic_load_explicit(&n->children, memory_order_acquire);
	/* An earlier search may have begun below, so this one may come to the end of its path first. */
	if (*block >= FIRST_BLOCK && (sim->last < LEAF_MAX || s->pending)) {
		if (!solver || !m->threat_work || m->threats_at_leaves ||
		    visits_of(n) != threat_visits(m, w) || !sim->last)
			return false;
		sim->proved = mcts_look_for_force(m, n, s);
		if (!is_resolved(proof_of(n)))
			return false;
		end_proven(sim, lower_of(proof_of(n)));
		return true;
	}
	if (end_at_leaf(m, w, sim, s, shared, solver))
		return true;
	*block = atomic_load_explicit(&n->children, memory_order_relaxed);
	return false;
}

/* --- backup --- */

/* Sets a node's `best` to its proven result, or else to the best among its children, where `side`
 * chooses (implicit minimax backup). Returns false if that changes nothing for the nodes above. If several
 * workers do this at once, one may overwrite what another has found, until the next change. */
static bool back_up_minimax(const struct mcts *m, struct node *n, int side)
{
	int count;
	const struct node *children = children_of(&m->tree, n, &count);
	float sign = (float)side_sign(side), most = -INFINITY;
	for (int i = 0; i < count; i++) {
		float best = sign * best_of(&children[i]);
		most = best > most && !is_banned(&children[i]) ? best : most;
	}
	uint8_t proof = proof_of(n);
	float best = is_resolved(proof) ? (float)lower_of(proof) : sign * most;
	if (!count && !is_resolved(proof))
		return true;
	bool changed = best != best_of(n);
	atomic_store_explicit(&n->best, best, memory_order_relaxed);
	return changed;
}

/* Adds a playout's result to the RAVE values of a child. `side` chooses it. */
INLINE void add_rave(const struct mcts *m, struct node *child, int side, float result)
{
	float times = prior_of(child) + 1, mean = best_of(child);
	mean += (result - mean) / times;
	atomic_store_explicit(&child->prior, times, memory_order_relaxed);
	atomic_store_explicit(&child->best, mean, memory_order_relaxed);
	if (!is_banned(child) && !is_pruned(child))
		update_rave(m, child, side);
}

/* Adds a playout's result to the RAVE values of a node's children. `side` chooses at the node and made
 * the steps in `made`. About half of the children have such a step; which ones cannot be predicted, so they are listed
 * first, without a branch. */
static void back_up_rave(const struct mcts *m, struct node *n, int side, const uint64_t *made,
			 float result)
{
	int count, found = 0;
	uint16_t list[GAME_STEPS_MAX];
	struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		list[found] = (uint16_t)i;
		found += bits_has(made, step_of(&children[i]));
	}
	for (int i = 0; i < found; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): `found` entries are set */
		add_rave(m, &children[list[i]], side, result);
}

#define SWAP_TOLD 50 /* visits of the best other move that count for the swap */

/* A swap gives White what Black has. So its value is that of White's best other move, negated. Selection begins with this
 * value and replaces it by that of the swap's own playouts. `side` may swap at the node. */
static void rate_swap(const struct mcts *m, struct node *n, int side)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count), *swap = NULL;
	uint64_t most = 0;
	for (int i = 0; i < count; i++) {
		uint64_t stats = stats_of(&children[i]);
		if (step_of(&children[i]) == swap_step(m->tree.game))
			swap = &children[i];
		else if (stats >> VISITS_SHIFT > most >> VISITS_SHIFT)
			most = stats;
	}
	if (!swap || !most || is_banned(swap) || is_pruned(swap))
		return;
	atomic_store_explicit(&swap->prior, fminf(SWAP_TOLD, (float)(most >> VISITS_SHIFT)),
			      memory_order_relaxed);
	atomic_store_explicit(&swap->best, -(float)mean_of_stats(most), memory_order_relaxed);
	update_rave(m, swap, side);
}

/* Returns points within the proven bounds of a node. */
INLINE uint64_t clamp_points(uint64_t points, uint64_t visits, uint8_t proof)
{
	uint64_t least = visits * points_of_result(lower_of(proof));
	uint64_t most = visits * points_of_result(upper_of(proof));
	return points < least ? least : points > most ? most : points;
}

/* Adds the simulation's statistics to the node at index i of its path, instead of its virtual loss. */
INLINE void add_result(const struct mcts *m, struct mcts_worker *w, int i, uint64_t gained,
		       const bool shared, const bool solver)
{
	struct node *n = w->path[i];
	if (!shared) {
		uint64_t stats = gained + stats_of(n);
		atomic_store_explicit(&n->stats, stats, memory_order_relaxed);
		if (!solver || !is_pruned(n))
			update_mean(m, n, stats, w->chooser[i]);
	} else if (i < w->contended) {
		w->advance[i] -= gained;
	} else {
		add_stats(m, n, gained - w->advance[i], w->chooser[i]);
	}
}

/* Backs up the simulation's points and proofs from the end of its path to the root. `side` is to move at
 * the end. */
INLINE void back_up(const struct mcts *m, struct mcts_worker *w, const struct simulation *sim,
		    int side, const bool shared, const bool solver)
{
	const uint8_t *chooser = w->chooser;
	uint64_t points = sim->points;
	bool proved = sim->proved, improved = m->minimax > 0;
	bool renumbered = m->pn > 0 && (sim->grown || proved);
	for (int i = sim->last; i >= 0; i--) {
		struct node *n = w->path[i];
		int mover = i < sim->last ? chooser[i + 1] : side;
		if (solver) {
			if (proved && i < sim->last)
				proved = tree_prove(&m->tree, n, mover);
			points = clamp_points(points, sim->visits, proof_of(n));
		}
		/* Before the swap a step is not worth what it is worth later in the playout. */
		if (m->rave > 0 && i >= m->swap_at && i < sim->last && chooser[i] != mover) {
			add_made(&w->trace, mover, step_of(w->path[i + 1]));
			back_up_rave(m, n, mover, w->trace.made[mover], (float)points / DRAWN - 1);
			if (i == m->swap_at)
				rate_swap(m, n, mover);
		}
		if (improved)
			improved = back_up_minimax(m, n, mover);
		if (solver && i && proof_of(n) &&
		    cannot_gain(proof_of(n), proof_of(w->path[i - 1]), chooser[i]))
			set_mean(n, PRUNED, 0);
		/* Several steps of a move may have got children at once. */
		if (renumbered || (m->pn > 0 && sim->grown && i + 1 >= sim->grown))
			renumbered = mcts_update_numbers(m, n, mover);
		add_result(m, w, i, sim->visits * ONE_VISIT + points, shared, solver);
	}
}

/* --- the simulation --- */

INLINE void simulate(struct mcts *m, struct mcts_worker *w, uint64_t visits, const bool shared,
		     const bool solver)
{
	struct simulation sim = { .visits = visits };
	uint32_t block;
	if (shared) {
		sim.last = enter_batch(m, w, solver);
		sim.depth = w->depth;
	} else {
		w->path[0] = node_at(&m->tree, m->tree.root);
		w->chooser[0] = m->tree.position.side ^ 1;
	}
	struct state s = shared ? w->state : m->tree.position;
	sim.node = w->path[sim.last];
	if (m->rave > 0)
		memset(w->trace.made, 0, sizeof w->trace.made);
	while (!end_at_node(m, w, &sim, &s, &block, shared, solver))
		descend(m, w, &sim, &s, block, shared);
	if (sim.depth > atomic_load_explicit(&m->depth, memory_order_relaxed))
		atomic_store_explicit(&m->depth, sim.depth, memory_order_relaxed);
	w->last = sim.last;
	w->proved = sim.proved;
	back_up(m, w, &sim, s.side, shared, solver);
}

static void simulate_alone(struct mcts *m, struct mcts_worker *w, uint64_t visits)
{
	simulate(m, w, visits, false, false);
}

static void simulate_alone_proving(struct mcts *m, struct mcts_worker *w, uint64_t visits)
{
	simulate(m, w, visits, false, true);
}

static void simulate_shared(struct mcts *m, struct mcts_worker *w, uint64_t visits)
{
	simulate(m, w, visits, true, false);
}

static void simulate_shared_proving(struct mcts *m, struct mcts_worker *w, uint64_t visits)
{
	simulate(m, w, visits, true, true);
}

mcts_simulation *mcts_choose_simulation(const struct mcts *m)
{
	const bool solver = m->task->options->solver;
	if (m->task->threads > 1)
		return solver ? simulate_shared_proving : simulate_shared;
	return solver ? simulate_alone_proving : simulate_alone;
}
