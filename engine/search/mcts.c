/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006). Proven results are backed up as bounds
 * (MCTS-Solver, Winands, 2008, in the score-bounded form of Cazenave and Saffidine, 2010). If the game
 * has an evaluator, which is a network or an evaluation function, it evaluates the leaves, and PUCT
 * selects by its priors (Silver et al., 2017). Evaluations are also backed up by minimax, and selection
 * uses both values (implicit minimax backups, Lanctot et al., 2014). Without an evaluator UCB1 selects,
 * optionally with the results of all playouts that contain a step (RAVE, Gelly and Silver, 2007).
 *
 * All workers share the tree (engine/search/tree.h) without locks. On the way down a worker counts its visit
 * as a loss for the side that chose the node (virtual loss, Chaslot et al., 2008), so that the other
 * workers go elsewhere. At contended nodes it does so for a batch of simulations at once, which all
 * take that path. A leaf of the tree is never in the middle of a move, so the reported line consists of
 * whole moves.
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/evaluation/evaluator.h"
#include "engine/memory.h"
#include "engine/search/dfpn.h"
#include "engine/search/tree.h"

#define PATH_MAX_LEN 256
/* A node with this many simulations is contended. Updating it once per simulation would bounce its cache
 * line between cores. A worker selects its path through contended nodes for a batch of HANDFUL
 * simulations. It counts them as lost at once, so that the others go elsewhere, and adds their results
 * together. */
#define CROWD        256
#define HANDFUL      16
#define EVALUATED_BATCH                                                                            \
	16 /* units per claim with an evaluator, which may be slower than a playout */
#define ROUNDS_TO_SETTLE 16 /* claims between two checks whether the choice is settled */

#define NOISE_SHAPE      0.3f
#define RAVE_HOPE        0.1f /* added to the RAVE mean of a step without visits */

#define LOG_SHIFT        17
#define LOG_ENTRIES      (32 << (23 - LOG_SHIFT))

struct mcts {
	/* sqrt(ln n) and 1/sqrt(n), indexed by the leading bits of n as a float: exact up to 127,
	 * within 1 % above. */
	float sqrt_log[LOG_ENTRIES], inverse_sqrt[LOG_ENTRIES];

	/* Of the tree: it contains proofs; it contains priors; those of the origin contain noise. */
	bool proven, evaluated, noisy;

	const struct task *task;
	float exploration; /* for results from -1 to 1 */
	float first_play;  /* mean of an unvisited child, with BIAS */
	bool evaluates;    /* `evaluator` is used as evaluator */
	bool decisive;     /* in playouts a side that can win at once does so */
	float rave;        /* visits at which RAVE weighs as much as the mean; 0: no RAVE */
	float minimax;     /* weight of `best` in what selection reads, 0 .. 1 */
	bool looks;        /* a leaf is checked for an immediate win */
	bool wins;         /* the side to move at the root can win at once; no search is needed */
	void *prover;      /* df-pn, or NULL */
	struct evaluator evaluator;
	int64_t started; /* clock_now() when the lead began to work; used by the lead */

	/* From here on the workers write. */
	struct tree tree;
	_Atomic int depth; /* whole moves to the deepest leaf */
};

/* The data of one thread. */
struct worker {
	struct rng rng;
	uint64_t ripe; /* visits that a leaf needs to get children */
	/* The path of the simulation: its nodes, the side that chose each, and the statistics that were
	 * added to it in advance and are not yet replaced by results. */
	struct node *path[PATH_MAX_LEN];
	uint8_t chooser[PATH_MAX_LEN];
	uint64_t counted[PATH_MAX_LEN];
	/* The first `contended` nodes of the path are contended. `left` more simulations begin at the last
	 * of them. */
	int contended, left;
	struct state state; /* the position there */
	int depth;          /* whole moves from the root to there */
	int last;           /* index of the path's last node when the simulation is over */
	bool proved;        /* there was a new proof at the end of the path */
	double credit;      /* df-pn nodes that are due */
	double wanted;      /* df-pn runs when this many are due */
};

/* --- selection --- */

static uint64_t points_of_result(int result)
{
	return (uint64_t)(result + 1) * DRAWN;
}

static int sign_of_side(int side)
{
	return side == BLACK ? 1 : -1;
}

/* With an evaluator: sets what selection reads of an unvisited child. */
static void set_hope(struct node *n, int chooser)
{
	set_mean(n, BIAS + (chooser == BLACK ? best_of(n) : -best_of(n)), prior_of(n));
}

union float_bits {
	float value;
	int32_t bits;
};

/* The entry for n >= 1 in the tables of struct mcts. */
static int log_entry(uint32_t n)
{
	union float_bits u = { (float)n };
	return (u.bits - 0x3f800000) >> LOG_SHIFT;
}

/* Derives what selection reads from a node's statistics. */
static void refresh(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	uint32_t visits = (uint32_t)(stats >> VISITS_SHIFT);
	float mean = (float)(stats & POINTS_SET) / (DRAWN * (float)visits) - 1;
	float width = m->evaluates ? prior_of(n) / (float)(1 + visits)
				   : m->inverse_sqrt[log_entry(visits)];
	if (m->rave > 0 && prior_of(n) > 0)
		mean += sqrtf(m->rave / (3 * (float)visits + m->rave)) * (best_of(n) - mean);
	if (m->minimax > 0)
		mean += m->minimax * (best_of(n) - mean);
	set_mean(n, BIAS + (chooser == BLACK ? mean : -mean), width);
}

/* Returns the exploration factor of a parent. Selection multiplies it by each child's width. */
static inline float exploration_of(const struct mcts *m, const struct node *parent)
{
	uint32_t visits = (uint32_t)visits_of(parent);
	return m->evaluates ? m->exploration * sqrtf((float)(visits + 1))
			    : m->exploration * m->sqrt_log[log_entry(visits | 1)];
}

/* Returns the UCB1 or PUCT value of a child as an integer with the child's index in its lowest bits.
 * The index replaces bits that are far below the noise. */
static inline int32_t child_key(const struct node *child, float explore, int i)
{
	float mean = atomic_load_explicit(&child->mean, memory_order_relaxed);
	float width = atomic_load_explicit(&child->width, memory_order_relaxed);
	union float_bits u = { mean + explore * width };
	return (u.bits & ~(GAME_STEPS_MAX - 1)) | i;
}

/* Returns the child with the highest UCB1 or PUCT value. No branch depends on the values, because such
 * branches cannot be predicted. Two maxima are kept, because each comparison waits for the result of
 * the one before. */
static inline __attribute__((always_inline)) struct node *
select_child(const struct mcts *m, struct node *parent, uint32_t block)
{
	struct node *children = block_nodes(&m->tree, block);
	float explore = exploration_of(m, parent);
	int count = parent->count, i = count & 1;
	int32_t best = i ? child_key(children, explore, 0) : INT32_MIN, other = INT32_MIN;
	for (; i < count; i += 2) {
		int32_t a = child_key(&children[i], explore, i);
		int32_t b = child_key(&children[i + 1], explore, i + 1);
		best = a > best ? a : best;
		other = b > other ? b : other;
	}
	best = other > best ? other : best;
	return &children[best & (GAME_STEPS_MAX - 1)];
}

/* --- expansion --- */

/* The steps that can be chosen in a state. */
struct choices {
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint8_t proofs[GAME_STEPS_MAX];
	struct evaluation evaluation; /* all 0 without an evaluator */
};

/* Joins second steps that lead to the same position, such as turns of a symmetric quadrant: the first
 * one stands for all and gets their priors. Proves those that end the game. */
static void join_equal(const struct mcts *m, const struct state *s, struct choices *c)
{
	struct state next[GAME_STEPS_MAX];
	int count = 0;
	for (int i = 0; i < c->count; i++) {
		struct state *n = &next[count];
		int same = 0;
		*n = *s;
		m->tree.game->play(n, c->steps[i]);
		while (!state_equal(&next[same], n))
			same++;
		if (same < count) {
			c->evaluation.priors[same] += c->evaluation.priors[i];
			continue;
		}
		c->steps[count] = c->steps[i];
		c->evaluation.priors[count] = c->evaluation.priors[i];
		c->evaluation.values[count] = c->evaluation.values[i];
		c->proofs[count++] = n->over ? proof_of_result(score_sign(n->score)) : c->proofs[i];
	}
	c->count = count;
}

/* Proves those steps lost after which the other side wins at once. */
static void prove_lost(const struct mcts *m, const struct state *s, struct choices *c)
{
	move_t safe[GAME_STEPS_MAX];
	int count = m->tree.game->safe(s, safe);
	for (int i = 0, at = 0; i < c->count; i++) {
		bool is_safe = at < count && safe[at] == c->steps[i];
		at += is_safe;
		if (!is_safe)
			c->proofs[i] = proof_of_result(-sign_of_side(s->side));
	}
}

static void find_choices(const struct mcts *m, const struct state *s, struct choices *c)
{
	c->count = m->tree.game->moves(s, c->steps);
	memset(c->proofs, 0, (size_t)c->count);
	memset(c->evaluation.values, 0, (size_t)c->count * sizeof *c->evaluation.values);
	memset(c->evaluation.priors, 0, (size_t)c->count * sizeof *c->evaluation.priors);
	c->evaluation.value = 0;
	if (m->evaluates)
		evaluator_steps(&m->evaluator, s, c->steps, c->count, &c->evaluation);
	/* If the root does not win at once, no node with children below it does. */
	if (m->looks && !(m->wins && m->tree.game->wins(s)))
		prove_lost(m, s, c);
	if (s->pending)
		join_equal(m, s, c);
}

/* Mixes noise into the priors. Like that of a Dirichlet distribution it is near 0 for most steps. */
static void add_noise(struct choices *c, float share, struct rng *rng)
{
	float noise[GAME_STEPS_MAX], sum = 0;
	for (int i = 0; i < c->count; i++)
		sum += noise[i] = powf((float)(rng_next(rng) >> 40) / (1 << 24), 1 / NOISE_SHAPE);
	for (int i = 0; i < c->count; i++)
		c->evaluation.priors[i] = (1 - share) * c->evaluation.priors[i] +
					  share * noise[i] / sum;
}

/* Creates the children of a leaf. Returns false if another worker is doing that or if the arena is
 * full. With an evaluator, sets *value to the expected result for Black. *value is also set if the
 * arena turns out to be full after the evaluation. */
static bool expand(struct mcts *m, struct node *n, const struct state *s, struct rng *rng,
		   float *value)
{
	uint32_t expected = NO_CHILDREN;
	const bool solver = m->task->options->solver;
	struct choices c;
	if (room_of(&m->tree) < BLOCK_UNITS + NODE_UNITS * (size_t)m->tree.game->choices_max ||
	    !atomic_compare_exchange_strong_explicit(&n->children, &expected, EXPANDING,
						     memory_order_relaxed, memory_order_relaxed))
		return false;
	find_choices(m, s, &c);
	*value = c.evaluation.value;
	if (m->evaluates && m->task->options->noise > 0 && n == node_at(&m->tree, m->tree.root))
		add_noise(&c, (float)m->task->options->noise, rng);
	uint32_t block = tree_take_block(&m->tree, n, c.count, s->pending);
	if (!block) {
		atomic_store_explicit(&n->children, NO_CHILDREN, memory_order_relaxed);
		return false;
	}
	struct node *children = block_nodes(&m->tree, block);
	uint64_t random = rng_next(rng);
	for (int i = 0; i < c.count; i++) {
		/* The means of unvisited children differ slightly, so that they are tried in random
		 * order. */
		random = random * 6364136223846793005u + 1442695040888963407u;
		float jitter = m->first_play * (float)(random >> 40) * (0.001f / (1 << 24));
		struct node *child = &children[i];
		child->count = 0;
		child->step = (uint8_t)c.steps[i];
		child->place = (uint8_t)i;
		atomic_store_explicit(&child->prior, c.evaluation.priors[i], memory_order_relaxed);
		atomic_store_explicit(&child->best, c.evaluation.values[i], memory_order_relaxed);
		atomic_store_explicit(&child->stats, 0, memory_order_relaxed);
		if (m->evaluates)
			set_hope(child, s->side);
		else
			set_mean(child, m->first_play + jitter, 0);
		atomic_store_explicit(&child->children, NO_CHILDREN, memory_order_relaxed);
		atomic_store_explicit(&child->proof, solver ? c.proofs[i] : 0,
				      memory_order_relaxed);
	}
	n->count = (uint8_t)c.count;
	atomic_store_explicit(&n->children, block, memory_order_release);
	return true;
}

/* --- a simulation: down, an evaluation or playouts, and back up --- */

/* Sets a node's `best` to its proven result, or else to the best among its children, where `side`
 * chooses. Returns false if that changes nothing for the nodes above. If several workers do this at
 * once, one may overwrite what another has found, until the next change. */
static bool improve_node(const struct mcts *m, struct node *n, int side)
{
	int count;
	const struct node *children = children_of(&m->tree, n, &count);
	float sign = (float)sign_of_side(side), most = -INFINITY;
	for (int i = 0; i < count; i++) {
		float best = sign * best_of(&children[i]);
		most = best > most && !is_banned(&children[i]) ? best : most;
	}
	uint8_t proof = proof_of(n);
	float best = is_resolved(proof) ? (float)lower_of(proof) : sign * most;
	if (!count && !is_resolved(proof))
		return true;
	bool news = best != best_of(n);
	atomic_store_explicit(&n->best, best, memory_order_relaxed);
	return news;
}

/* Returns true if a resolved child proves something that its parent does not know. `side` chooses at
 * the parent. Only a child at which an earlier search began can do so: its parents were not on that
 * search's paths. */
static bool is_news(const struct node *child, const struct node *parent, int side)
{
	uint8_t bits = proof_of(child) & (side == BLACK ? LOWER_BITS : UPPER_BITS);
	return (bits & ~proof_of(parent)) ||
	       atomic_load_explicit(&child->mean, memory_order_relaxed) == DEAD;
}

/* Adds to the statistics of a node that all workers share. */
static void add_stats(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	stats += atomic_fetch_add_explicit(&n->stats, stats, memory_order_relaxed);
	if (atomic_load_explicit(&n->mean, memory_order_relaxed) != DEAD)
		refresh(m, n, stats, chooser);
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

static bool is_contended(const struct mcts *m, const struct node *n)
{
	return visits_of(n) >= CROWD * m->tree.at_once;
}

/* Ends a batch: replaces its virtual losses at the contended nodes by the results of its simulations. */
static void leave_contended(const struct mcts *m, struct worker *w)
{
	for (int i = 0; i < w->contended; i++)
		add_stats(m, w->path[i], -w->counted[i], w->chooser[i]);
	w->contended = w->left = 0;
}

/* Goes to the node where a simulation begins: the last contended node of the path, or the root. Begins
 * a new batch if necessary. Returns the node's index in the path. */
static int enter_contended(const struct mcts *m, struct worker *w, const bool solver)
{
	if (w->left > 0) {
		w->left--;
		return w->contended - 1;
	}
	leave_contended(m, w);
	w->state = m->tree.position;
	w->depth = 0;
	w->path[0] = node_at(&m->tree, m->tree.root);
	w->chooser[0] = w->state.side ^ 1;
	for (struct node *n = w->path[0]; is_contended(m, n); n = w->path[w->contended]) {
		int i = w->contended++;
		w->left = HANDFUL - 1;
		w->counted[i] = add_virtual_loss(m, n, w->chooser[i], HANDFUL * m->tree.at_once);
		uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
		if (w->state.over || block < FIRST_BLOCK || (solver && is_resolved(proof_of(n))))
			break;
		struct node *child = select_child(m, n, block);
		if (!is_contended(m, child))
			break;
		w->path[i + 1] = child;
		w->chooser[i + 1] = w->state.side;
		m->tree.game->play(&w->state, child->step);
		w->depth += !w->state.pending;
	}
	if (w->contended)
		return w->contended - 1;
	w->counted[0] = add_virtual_loss(m, w->path[0], w->chooser[0], 1);
	return 0;
}

/* Converts a value of Black, -1 .. 1, to points. Rounds at random, so that the mean is exact. */
static uint64_t points_of(float value, struct rng *rng)
{
	float exact = (value + 1) * DRAWN + (float)(rng_next(rng) >> 40) / (1 << 24);
	return exact < WON ? (uint64_t)exact : WON;
}

static double mean_of_stats(uint64_t stats)
{
	double visits = (double)(stats >> VISITS_SHIFT);
	return visits > 0 ? (double)(stats & POINTS_SET) / (DRAWN * visits) - 1 : NAN;
}

/* Returns the value of a node for Black, as selection sees it. NAN: no visits. */
static double value_of(const struct mcts *m, const struct node *n, uint64_t stats)
{
	double mean = mean_of_stats(stats);
	return m->minimax > 0 ? mean + (double)m->minimax * ((double)best_of(n) - mean) : mean;
}

/* Returns the bit of a step in a set of steps. Steps from 64 on have no bit. */
static uint64_t step_bit(int step)
{
	return step < 64 ? (uint64_t)1 << step : 0;
}

/* Plays random steps to the end of the game. In decisive playouts a side that can win at once does so
 * (Teytaud and Teytaud, 2010). Returns Black's result. Adds the first steps of each side's moves to
 * `made`. */
static int play_steps(const struct mcts *m, const struct state *start, struct rng *rng,
		      uint64_t made[2])
{
	const struct game *game = m->tree.game;
	struct state s = *start;
	move_t steps[GAME_STEPS_MAX];
	for (bool begun = false; !s.over; begun = true) {
		/* No immediate win is possible after a first step made here: the playout would
		 * have ended before that step. */
		if (m->decisive && !(begun && s.pending) && game->wins(&s))
			return sign_of_side(s.side);
		int count = game->moves(&s, steps);
		move_t step = steps[rng_below(rng, (uint32_t)count)];
		if (!s.pending)
			made[s.side] |= step_bit(step);
		game->play(&s, step);
	}
	return score_sign(s.score);
}

/* Adds a playout's result to the RAVE values of a node's children. `side` chooses at the node and made
 * the steps in `made`. */
static void update_rave(const struct mcts *m, struct node *n, int side, uint64_t made, float result)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		if (!(made & step_bit(child->step)))
			continue;
		float times = prior_of(child) + 1, mean = best_of(child);
		mean += (result - mean) / times;
		atomic_store_explicit(&child->prior, times, memory_order_relaxed);
		atomic_store_explicit(&child->best, mean, memory_order_relaxed);
		if (visits_of(child) == 0 && !is_banned(child) &&
		    atomic_load_explicit(&child->mean, memory_order_relaxed) != DEAD)
			set_mean(child, BIAS + RAVE_HOPE + (side == BLACK ? mean : -mean), 0);
	}
}

/* Plays a state out `count` times, 1 or GAME_PLAYOUTS. Returns the sum of Black's points. In decisive
 * playouts and with RAVE `count` must be 1; the first steps are then added to `made`. */
static uint64_t play_out(const struct mcts *m, const struct state *s, struct rng *rng,
			 uint64_t count, uint64_t made[2])
{
	const struct game *game = m->tree.game;
	uint64_t points = 0;
	int8_t scores[GAME_PLAYOUTS];
	if (m->decisive || m->rave > 0)
		return points_of_result(play_steps(m, s, rng, made));
	if (count < GAME_PLAYOUTS)
		return points_of_result(score_sign(game->playout(s, rng)));
	game->playouts(s, rng, scores);
	for (int i = 0; i < GAME_PLAYOUTS; i++)
		points += points_of_result(score_sign(scores[i]));
	return points;
}

/* One simulation: down the tree, a playout or GAME_PLAYOUTS batched playouts for as many visits, and
 * back up. Compiled four times: for one worker and for many, with and without proofs. */
static inline __attribute__((always_inline)) void
simulate(struct mcts *m, struct worker *w, const bool shared, const bool solver, uint64_t visits)
{
	const struct game *game = m->tree.game;
	struct node **path = w->path;
	uint8_t *chooser = w->chooser;
	uint64_t *counted = w->counted;
	int last = shared ? enter_contended(m, w, solver) : 0, depth = shared ? w->depth : 0;
	struct state s = shared ? w->state : m->tree.position;
	if (!shared) {
		path[0] = node_at(&m->tree, m->tree.root);
		chooser[0] = s.side ^ 1;
	}
	struct node *node = path[last];
	uint64_t points;   /* Black's points in this simulation */
	float value = NAN; /* expected result for Black; NAN: unknown */
	bool proved = false, improved = m->minimax > 0;
	uint64_t made[2] = { 0 }; /* first steps of each side in the simulation */

	for (;;) {
		if (s.over) {
			int result = score_sign(s.score);
			points = visits * points_of_result(result);
			if (solver && !is_resolved(proof_of(node))) {
				atomic_fetch_or(&node->proof, proof_of_result(result));
				proved = true;
			}
			break;
		}
		if (solver && is_resolved(proof_of(node))) {
			points = visits * points_of_result(lower_of(proof_of(node)));
			proved = last && is_news(node, path[last - 1], chooser[last]);
			if (shared)
				w->left = 0;
			break;
		}
		uint32_t block = atomic_load_explicit(&node->children, memory_order_acquire);
		if (block < FIRST_BLOCK) {
			uint64_t earlier = visits_of(node) - (shared && last >= w->contended);
			if (solver && m->looks && last && !s.pending && game->wins(&s)) {
				int result = sign_of_side(s.side);
				points = visits * points_of_result(result);
				atomic_fetch_or(&node->proof, proof_of_result(result));
				proved = true;
				break;
			}
			bool ripe = earlier >= w->ripe || !last || s.pending;
			bool grown = ripe && expand(m, node, &s, &w->rng, &value);
			/* expand() has proven the steps that end the game or lose at once. */
			if (solver && grown && (s.pending || m->looks))
				proved = tree_prove(&m->tree, node, s.side);
			/* A leaf that was evaluated before and gets children now is passed through: its
			 * value is counted already. */
			if (m->evaluates && !(grown && earlier)) {
				/* With several workers the mean contains virtual losses. */
				if (isnan(value))
					value = earlier && !shared
							? (float)mean_of_stats(stats_of(node))
							: evaluator_state(&m->evaluator, &s);
				points = points_of(value, &w->rng);
				break;
			}
			value = NAN;
			if (!grown) {
				points = play_out(m, &s, &w->rng, visits, made);
				break;
			}
			block = atomic_load_explicit(&node->children, memory_order_relaxed);
		}
		struct node *child = select_child(m, node, block);
		/* The child's children are read after play(). Fetch them meanwhile. */
		const char *next = (const char *)block_at(
			&m->tree, atomic_load_explicit(&child->children, memory_order_relaxed));
		__builtin_prefetch(next);
		last++;
		path[last] = node = child;
		chooser[last] = s.side;
		if (shared)
			counted[last] = add_virtual_loss(m, child, s.side, 1);
		game->play(&s, child->step);
		depth += !s.pending;
	}
	if (depth > atomic_load_explicit(&m->depth, memory_order_relaxed))
		atomic_store_explicit(&m->depth, depth, memory_order_relaxed);
	w->last = last;
	w->proved = proved;

	for (int i = last; i >= 0; i--) {
		node = path[i];
		if (solver) {
			if (proved && i < last)
				proved = tree_prove(&m->tree, node, chooser[i + 1]);
			uint8_t proof = proof_of(node);
			uint64_t least = visits * points_of_result(lower_of(proof));
			uint64_t most = visits * points_of_result(upper_of(proof));
			points = points < least ? least : points > most ? most : points;
		}
		if (m->rave > 0 && i < last && chooser[i] != chooser[i + 1]) {
			int side = chooser[i + 1];
			made[side] |= step_bit(path[i + 1]->step);
			update_rave(m, node, side, made[side], (float)points / DRAWN - 1);
		}
		if (improved)
			improved = improve_node(m, node, i < last ? chooser[i + 1] : s.side);
		uint64_t gained = visits * ONE_VISIT + points;
		if (solver && i && proof_of(node) &&
		    is_dead(proof_of(node), proof_of(path[i - 1]), chooser[i]))
			set_mean(node, DEAD, 0);
		if (!shared) {
			uint64_t stats = gained + stats_of(node);
			atomic_store_explicit(&node->stats, stats, memory_order_relaxed);
			if (!solver ||
			    atomic_load_explicit(&node->mean, memory_order_relaxed) != DEAD)
				refresh(m, node, stats, chooser[i]);
		} else if (i < w->contended) {
			counted[i] -= gained;
		} else {
			add_stats(m, node, gained - counted[i], chooser[i]);
		}
	}
}

static void simulate_alone(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, false, false, visits);
}

static void simulate_alone_proving(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, false, true, visits);
}

static void simulate_shared(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, true, false, visits);
}

static void simulate_shared_proving(struct mcts *m, struct worker *w, uint64_t visits)
{
	simulate(m, w, true, true, visits);
}

/* --- df-pn inside the tree ---
 *
 * With a prover every simulation adds some df-pn nodes to its worker's credit (option proving). The
 * credit is spent on the node of the path where df-pn has worked least in relation to the visits. Both
 * sides share results: df-pn's proofs enter the tree, and the tree's proofs enter df-pn's table. At the
 * root a proof for the side to move counts only if it is known which move it rests on.
 */

#define PROVE_LEAST  32 /* df-pn nodes of the first run at a tree node; each run doubles them */
/* Most df-pn nodes of a run: a few milliseconds, because the tree's garbage collection may have to wait
 * for it. */
#define PROVE_MOST   4096
#define PROVE_VISITS 8 /* visits that a node needs before df-pn works on it */
#define EFFORT_SHIFT 4
#define EFFORT_ONE   (1 << EFFORT_SHIFT)
#define EFFORT_MOST  12 /* after this many runs df-pn does not work here any more */
#define TOLD         15 /* df-pn's table knows the result of the node */

/* Returns how often df-pn has worked on a node, or TOLD. */
static int effort_of(const struct node *n)
{
	return atomic_load_explicit(&n->proof, memory_order_relaxed) >> EFFORT_SHIFT;
}

/* Returns the df-pn nodes of the next run at a node with this effort. */
static int prove_nodes(int effort)
{
	int nodes = PROVE_LEAST << effort;
	return nodes < PROVE_MOST ? nodes : PROVE_MOST;
}

static bool find_proof(const struct mcts *m, const struct state *s, uint8_t *proof)
{
	int lower, upper;
	if (!dfpn_find(m->prover, s, &lower, &upper))
		return false;
	*proof = proof_of_bounds(lower, upper);
	return *proof != 0;
}

/* Takes over what the table knows of a node's children, and proves what follows for the node. Returns
 * true if that is new. A child in the middle of a move that is good for its side must be proven by its
 * own children, because the side has to find them. */
static bool take_proofs(struct mcts *m, struct node *n, const struct state *s, struct rng *rng)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		uint8_t proof;
		struct state next = *s;
		if (is_banned(&children[i]) || is_resolved(proof_of(&children[i])))
			continue;
		m->tree.game->play(&next, children[i].step);
		if (next.over || !find_proof(m, &next, &proof))
			continue;
		if (next.pending) {
			float value;
			if (m->task->only)
				continue;
			if (proof & (s->side == BLACK ? LOWER_BITS : UPPER_BITS)) {
				expand(m, &children[i], &next, rng, &value);
				take_proofs(m, &children[i], &next, rng);
			}
			proof &= s->side == BLACK ? UPPER_BITS : LOWER_BITS;
		}
		atomic_fetch_or(&children[i].proof, proof);
	}
	return tree_prove(&m->tree, n, s->side);
}

/* Runs df-pn on the node path[at]. Proves that node and those above it. */
static void prove_node(struct mcts *m, struct worker *w, int at, const struct state *s,
		       struct control *control)
{
	struct node *n = w->path[at];
	int effort = effort_of(n);
	uint8_t proof = proof_of(n);
	double value = value_of(m, n, stats_of(n));
	int side = (proof & UPPER_DRAW)   ? WHITE
		   : (proof & LOWER_DRAW) ? BLACK
		   : value > 0            ? BLACK
					  : WHITE;
	uint64_t nodes = dfpn_prove(m->prover, s, side, (uint64_t)prove_nodes(effort), control);
	w->credit -= (double)nodes;
	if (nodes > 0 || !control_is_over(control))
		atomic_fetch_add_explicit(&n->proof, EFFORT_ONE, memory_order_relaxed);
	bool news = false;
	if (at && !s->pending && find_proof(m, s, &proof))
		news = proof & ~atomic_fetch_or(&n->proof, proof);
	if (!at || !is_resolved(proof_of(n)))
		news |= take_proofs(m, n, s, &w->rng);
	for (; news && at > 0; at--)
		news = tree_prove(&m->tree, w->path[at - 1], w->chooser[at]);
}

/* Tells df-pn what a simulation has proven on its path, and lets df-pn do its share of the work. */
static void prove_way(struct mcts *m, struct worker *w, uint64_t visits, struct control *control)
{
	struct state s = m->tree.position, best_state;
	double most = 0;
	int best = -1;
	w->credit += m->task->options->proving * (double)visits;
	if (w->credit < w->wanted && !w->proved)
		return;
	for (int i = 0; i <= w->last; i++) {
		struct node *n = w->path[i];
		if (i)
			m->tree.game->play(&s, n->step);
		if (s.over)
			break;
		if (is_resolved(proof_of(n))) {
			/* If some turns are excluded, a first step's proof holds for this search only. */
			if (i && effort_of(n) != TOLD && !(m->task->only && s.pending)) {
				atomic_fetch_or_explicit(&n->proof, TOLD << EFFORT_SHIFT,
							 memory_order_relaxed);
				dfpn_store_result(m->prover, &s, lower_of(proof_of(n)), visits_of(n));
			}
			break;
		}
		if (visits_of(n) < PROVE_VISITS * m->tree.at_once)
			break;
		double need = (double)visits_of(n) / (double)(1 << effort_of(n));
		if (need > most && effort_of(n) < EFFORT_MOST && !s.pending) {
			most = need;
			best = i;
			best_state = s;
		}
	}
	if (best < 0)
		return;
	w->wanted = prove_nodes(effort_of(w->path[best]));
	if (w->credit >= w->wanted)
		prove_node(m, w, best, &best_state, control);
}

/* --- the move to play, and when to stop --- */

#define CONFIDENCE 2     /* the lower confidence bound after one visit is this far below the mean */
#define UNKNOWN    (-10) /* below all values and their bounds */

/* Rates a child as a move to play; the highest rating wins. `value` is its mean for the side that
 * chooses. Visits are reliable but follow a change late. Means follow it early but are unreliable after
 * few visits. */
static double rate_choice(int choice, uint64_t visits, double value)
{
	if (choice == CHOICE_VISITS)
		return (double)visits;
	if (visits == 0)
		return UNKNOWN;
	return choice == CHOICE_LCB ? value - CONFIDENCE / sqrt((double)visits) : value;
}

/* Returns the result that `side` is sure of by these bounds: -1 lost, 0 draw, 1 won. */
static int surest(uint8_t proof, int side)
{
	return side == BLACK ? lower_of(proof) : -upper_of(proof);
}

/* Returns the best result that `side` can still reach by these bounds. */
static int hoped(uint8_t proof, int side)
{
	return side == BLACK ? upper_of(proof) : -lower_of(proof);
}

/* Returns the best result that `side` can reach at a node. `limit` is what the node above in the same
 * move allows, where df-pn may have proven more; 1 at a first step. */
static int limit_of(const struct mcts *m, const struct node *n, int side, int limit)
{
	int hope = m->task->options->solver ? hoped(proof_of(n), side) : 1;
	return hope < limit ? hope : limit;
}

/* Returns the child to play at a node where `side` can reach `limit` at most, or NULL without children.
 * First comes a child that is sure of more, so that the move keeps what is proven of the node; then one
 * that can still gain; then the one with the highest rating by `choice`. */
static struct node *best_child(const struct mcts *m, const struct node *n, int side, int limit,
			       int choice)
{
	const bool solver = m->task->options->solver;
	int count, sign = sign_of_side(side);
	struct node *children = children_of(&m->tree, n, &count), *best = NULL;
	int best_sure = 0, best_open = 0;
	double most = 0;
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		if (is_banned(child))
			continue;
		uint8_t proof = solver ? proof_of(child) : 0;
		uint64_t stats = stats_of(child);
		int sure = surest(proof, side), hope = hoped(proof, side);
		int open = (hope < limit ? hope : limit) > sure;
		double rating = rate_choice(choice, stats >> VISITS_SHIFT,
					    value_of(m, child, stats) * sign);
		bool better = sure != best_sure   ? sure > best_sure
			      : open != best_open ? open > best_open
						  : rating > most;
		if (best && !better)
			continue;
		best = child;
		best_sure = sure;
		best_open = open;
		most = rating;
	}
	return best;
}

/* Returns true if the child to play is the most visited one and stays so if the others get `left` more
 * visits. Checks both steps of a move. */
static bool is_settled(const struct mcts *m, const struct node *n, const struct state *s, int limit,
		       uint64_t left)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	limit = limit_of(m, n, s->side, limit);
	struct node *best = best_child(m, n, s->side, limit, CHOICE_VISITS);
	if (!best || best != best_child(m, n, s->side, limit, m->task->options->choice))
		return false;
	for (int i = 0; i < count; i++)
		if (&children[i] != best && !is_banned(&children[i]) &&
		    visits_of(&children[i]) + left >= visits_of(best))
			return false;
	struct state next = *s;
	m->tree.game->play(&next, best->step);
	return !next.pending || is_settled(m, best, &next, limit, left);
}

/* Returns true if the most visited move is not the one with the best value: more work may change the
 * choice. */
static bool is_unsure(const struct mcts *m)
{
	const struct node *n = node_at(&m->tree, m->tree.root), *best;
	struct state s = m->tree.position;
	int limit = 1;
	for (int i = 0; n && (i == 0 || s.pending); i++) {
		limit = limit_of(m, n, s.side, limit);
		best = best_child(m, n, s.side, limit, CHOICE_VISITS);
		if (best != best_child(m, n, s.side, limit, CHOICE_WINRATE))
			return true;
		if (best)
			m->tree.game->play(&s, best->step);
		n = best;
	}
	return false;
}

/* Returns how many visits the search can still make: exact under a work limit, an upper estimate under
 * a deadline. */
static uint64_t visits_left(struct mcts *m, const struct control *control)
{
	uint64_t left = VISITS_MAX;
	if (control->work_max != WORK_NO_LIMIT)
		left = control->work_max - control_work(control);
	if (control->deadline != TIME_NEVER) {
		int64_t now = clock_now(), used = now - m->started, rest = control->deadline - now;
		double playouts = (double)atomic_load_explicit(&m->tree.playouts,
							       memory_order_relaxed);
		double guess = 1.2 * playouts * (double)rest / (double)(used + 1);
		/* The first moments do not predict the speed to come. */
		if (used > rest / 8 && guess < (double)left)
			left = rest > 0 ? (uint64_t)guess : 0;
	}
	return left;
}

/* --- work --- */

/* Claims a batch. A worker that may have to wait for a thread slot leaves the tree first. */
static uint64_t claim(struct mcts *m, struct worker *w, struct control *control)
{
	if (control->slots) {
		leave_contended(m, w);
		tree_leave(&m->tree);
		bool has_slot = control_acquire_slot(control);
		tree_enter(&m->tree);
		if (!has_slot)
			return 0;
	}
	return control_claim_with_slot(control, m->evaluates ? EVALUATED_BATCH : WORK_BATCH);
}

static bool is_solved(const struct mcts *m)
{
	return m->task->options->solver && is_resolved(proof_of(node_at(&m->tree, m->tree.root)));
}

static void work(void *self, int worker, struct control *control)
{
	struct mcts *m = self;
	const struct options *o = m->task->options;
	void (*simulation)(struct mcts *, struct worker *, uint64_t visits) =
		m->task->threads > 1 ? (o->solver ? simulate_shared_proving : simulate_shared)
				     : (o->solver ? simulate_alone_proving : simulate_alone);
	struct worker w = { 0 };
	uint64_t batch;
	bool extended = false; /* because the answer was unstable */
	/* Without a limit there is no time to save: this is an analysis. */
	bool early = o->early_stop && o->choice != CHOICE_WINRATE &&
		     (control->deadline != TIME_NEVER || control->work_max != WORK_NO_LIMIT);
	rng_seed(&w.rng, m->task->seed + (uint64_t)worker);
	if (worker == 0)
		m->started = clock_now();
	tree_enter(&m->tree);
	for (int round = 1;; round++) {
		if (tree_is_due(&m->tree)) {
			leave_contended(m, &w);
			tree_make_room(&m->tree);
		}
		if (worker == 0)
			control_publish(control);
		if (is_solved(m) || m->tree.earlier + atomic_load_explicit(&m->tree.playouts,
									   memory_order_relaxed) >=
					    VISITS_MAX)
			control_stop(control);
		if (worker == 0 && o->extend && o->choice != CHOICE_WINRATE &&
		    control_may_extend(control) && is_unsure(m)) {
			control_extend(control);
			extended = true;
		}
		if (extended && !is_unsure(m))
			control_stop(control);
		if (!(batch = claim(m, &w, control)))
			break;
		uint64_t done = 0;
		/* An evaluation function valued the leaf when its parent got children. So the leaf
		 * needs one visit less. */
		w.ripe = tree_bar(&m->tree) - (m->evaluates && !m->evaluator.net);
		while (done < batch && !control_stopped(control) && !is_solved(m)) {
			uint64_t visits = batch - done < m->tree.at_once ? 1 : m->tree.at_once;
			simulation(m, &w, visits);
			done += visits;
			if (m->prover)
				prove_way(m, &w, visits, control);
		}
		control_refund(control, batch - done);
		atomic_fetch_add_explicit(&m->tree.playouts, done, memory_order_relaxed);
		if (worker == 0 && early && round % ROUNDS_TO_SETTLE == 0 &&
		    is_settled(m, node_at(&m->tree, m->tree.root), &m->tree.position, 1,
			       visits_left(m, control)))
			control_stop(control);
	}
	leave_contended(m, &w);
	tree_leave(&m->tree);
}

/* --- preparing the root --- */

static uint64_t children_stats(const struct mcts *m, const struct node *n)
{
	int count;
	const struct node *children = children_of(&m->tree, n, &count);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += is_banned(&children[i]) ? 0 : stats_of(&children[i]);
	return sum;
}

/* Of turns that lead to the same position the tree contains one. Renames it to one that is a candidate,
 * if there is one. */
static void rename_step(const struct mcts *m, struct node *child, const struct state *s,
			move_t first)
{
	struct state next = *s;
	m->tree.game->play(&next, child->step);
	for (int i = 0; i < m->task->only_count; i++) {
		struct move move = m->task->only[i];
		struct state other = *s;
		if (move.step[0] != first || move.step[1] == MOVE_NONE)
			continue;
		m->tree.game->play(&other, move.step[1]);
		if (state_equal(&next, &other))
			child->step = (uint8_t)move.step[1];
	}
}

/* Bans the steps at a node of the searched position that are not candidates. Recomputes its
 * statistics and proof from the others. `first` is the step that led here, or MOVE_NONE. The arena
 * must have room. */
static void restrict_node(struct mcts *m, struct node *n, const struct state *s, move_t first,
			  struct rng *rng)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	if (count == 0) {
		float value;
		expand(m, n, s, rng, &value);
		children = children_of(&m->tree, n, &count);
	}
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		struct move move = { { child->step, MOVE_NONE } };
		struct state next = *s;
		m->tree.game->play(&next, child->step);
		tree_save(&m->tree, child, next.pending);
		if (s->pending)
			rename_step(m, child, s, first);
		if (s->pending)
			move = (struct move) { { first, child->step } };
		if (!task_allows(m->task, move)) {
			set_mean(child, BANNED, 0);
			continue;
		}
		if (next.pending)
			restrict_node(m, child, &next, child->step, rng);
		/* Revive it if only excluded moves made it useless. */
		if (visits_of(child))
			refresh(m, child, stats_of(child), s->side);
		else if (atomic_load_explicit(&child->mean, memory_order_relaxed) != DEAD)
			continue;
		else if (m->evaluates)
			set_hope(child, s->side);
		else
			set_mean(child, m->first_play, 0);
	}
	atomic_store_explicit(&n->stats, children_stats(m, n), memory_order_relaxed);
	atomic_store_explicit(&n->proof, 0, memory_order_relaxed);
	tree_prove(&m->tree, n, s->side);
}

/* Gives children with proofs to the root and to the first steps of moves that win at once. Below the
 * root such nodes stay leaves. The arena must have room. */
static void expand_wins(struct mcts *m)
{
	struct node *root = node_at(&m->tree, m->tree.root);
	struct rng rng;
	float value;
	int count;
	rng_seed(&rng, m->task->seed);
	expand(m, root, &m->tree.position, &rng, &value);
	struct node *children = children_of(&m->tree, root, &count);
	for (int i = 0; i < count; i++) {
		struct state next = m->tree.position;
		m->tree.game->play(&next, children[i].step);
		if (next.over)
			atomic_fetch_or(&children[i].proof,
					proof_of_result(score_sign(next.score)));
		if (!next.pending || !m->tree.game->wins(&next))
			continue;
		expand(m, &children[i], &next, &rng, &value);
		tree_prove(&m->tree, &children[i], next.side);
	}
}

/* Prepares the root for this search. It gets at least the visits and proofs of its children, which may
 * come from an earlier search. */
static void prepare_root(struct mcts *m)
{
	struct node *root = node_at(&m->tree, m->tree.root);
	if (m->task->only) {
		struct rng rng;
		rng_seed(&rng, m->task->seed);
		tree_save(&m->tree, root, true);
		restrict_node(m, root, &m->tree.position, MOVE_NONE, &rng);
		return;
	}
	if (m->tree.root != ORIGIN)
		tree_save(&m->tree, root, false);
	/* What was proven of it as a leaf, by df-pn, or by children that have made room, its own steps must prove
	 * again: the answer rests on them. */
	atomic_store_explicit(&root->proof, 0, memory_order_relaxed);
	if (m->wins)
		expand_wins(m);
	uint64_t sum = children_stats(m, root);
	if (sum >> VISITS_SHIFT > visits_of(root))
		atomic_store_explicit(&root->stats, sum, memory_order_relaxed);
	tree_prove(&m->tree, root, m->tree.position.side);
}

static void start_afresh(struct mcts *m)
{
	tree_clear(&m->tree, m->task->record->game);
	m->proven = m->task->options->solver;
	m->evaluated = m->evaluates;
	m->noisy = m->evaluates && m->task->options->noise > 0;
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct mcts *m = self;
	assert(task->record->game->length_max < PATH_MAX_LEN);
	assert(task->record->game->moves_max <= UINT8_MAX + 1);
	if (!tree_open(&m->tree, task->memory)) {
		strcpy(why, "the memory for the tree was refused; lower the option memory");
		return false;
	}
	tree_end_search(&m->tree);
	m->task = task;
	m->tree.position = task->record->now;
	m->tree.expansion = (uint64_t)task->options->expansion;
	m->prover = task->options->solver ? task->prover : NULL;
	m->looks = task->options->solver && task->options->lookahead && task->record->game->wins;
	m->wins = m->looks && task->record->game->wins(&m->tree.position);
	m->evaluates = task->options->evaluator &&
		       evaluator_open(&m->evaluator, task->record->game);
	m->decisive = !m->evaluates && task->options->decisive && task->record->game->wins;
	m->rave = m->evaluates ? 0 : (float)task->options->rave;
	bool plain = !m->evaluates && !m->decisive && m->rave == 0;
	m->tree.at_once = plain && task->options->batch && task->record->game->playouts
				  ? GAME_PLAYOUTS
				  : 1;
	m->minimax = m->evaluates && !m->evaluator.net ? (float)task->options->minimax : 0;
	m->exploration = (float)(m->evaluates ? task->options->puct
					      : 2 * task->options->exploration);
	/* Unvisited children come first: above every mean with its exploration term, because
	 * sqrt(ln VISITS_MAX) < 5. */
	m->first_play = BIAS + (task->options->first_play > 1
					? 1 + 5 * m->exploration
					: (float)(2 * task->options->first_play - 1));
	atomic_store_explicit(&m->depth, 0, memory_order_relaxed);
	/* Each search needs new noise, and no other search may use it. */
	bool keep = task->options->reuse && m->proven == task->options->solver &&
		    m->evaluated == m->evaluates && !m->noisy &&
		    !(m->evaluates && task->options->noise > 0) && m->tree.earlier < VISITS_MAX / 2;
	m->tree.root = keep ? tree_find(&m->tree, task->record) : 0;
	if (!m->tree.root)
		start_afresh(m);
	else if (m->tree.root != ORIGIN && room_of(&m->tree) < ring_units(&m->tree) / 2)
		tree_collect(&m->tree);
	if (task->only || m->wins) {
		if (room_of(&m->tree) < TREE_ROOT_UNITS)
			tree_collect(&m->tree);
		if (room_of(&m->tree) < TREE_ROOT_UNITS)
			start_afresh(m);
	}
	prepare_root(m);
	return true;
}

/* --- report --- */

/* Returns the second step of a move whose first step has no children because the arena was full: the
 * step with the best result in a few playouts. */
static move_t guess_step(const struct mcts *m, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX], best = 0;
	int count = m->tree.game->moves(s, steps), most = INT_MIN;
	struct rng rng;
	rng_seed(&rng, m->task->seed);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		int sum = 0;
		m->tree.game->play(&next, steps[i]);
		for (int j = 0; j < 64; j++)
			sum += score_sign(m->tree.game->playout(&next, &rng)) *
			       sign_of_side(s->side);
		if (sum > most) {
			most = sum;
			best = steps[i];
		}
	}
	return best;
}

/* Clamps a mean to proven bounds. The playouts came before the proof, or there were none. */
static double clamp_value(double mean, uint8_t proof)
{
	int lower = lower_of(proof), upper = upper_of(proof);
	return lower == upper ? lower : mean < lower ? lower : mean > upper ? upper : mean;
}

/* Returns the margin for Black, in points, that a value stands for; NAN: unknown. That of a proven
 * result is unknown. */
static double margin_of(const struct mcts *m, double value, uint8_t proof)
{
	return m->evaluates && !is_resolved(proof) ? evaluator_margin(&m->evaluator, value) : NAN;
}

/* Plays the best move at the node *n. Sets *n to the node after it, or to NULL if the arena has none.
 * Returns false and plays nothing if the node has no children. */
static bool choose_move(const struct mcts *m, const struct node **n, struct state *s,
			struct move *move)
{
	int limit = 1;
	*move = move_single(MOVE_NONE);
	for (int i = 0; i == 0 || s->pending; i++) {
		if (*n) {
			limit = limit_of(m, *n, s->side, limit);
			*n = best_child(m, *n, s->side, limit, m->task->options->choice);
		}
		if (!*n && i == 0)
			return false;
		move->step[i] = *n ? (*n)->step : guess_step(m, s);
		m->tree.game->play(s, move->step[i]);
	}
	return true;
}

/* Appends to a line the moves that the search expects from a node on, as far as it has visits. Returns
 * the new length of the line, at most `max`. `visits` may be NULL. */
static int follow_line(const struct mcts *m, const struct node *n, struct state s, int count,
		       struct move *line, uint64_t *visits, int max)
{
	while (n && visits_of(n) && !s.over && count < max) {
		struct move move = move_single(MOVE_NONE);
		int limit = 1;
		for (int i = 0; i == 0 || s.pending; i++) {
			limit = limit_of(m, n, s.side, limit);
			n = best_child(m, n, s.side, limit, m->task->options->choice);
			if (!n)
				return count;
			move.step[i] = n->step;
			m->tree.game->play(&s, n->step);
		}
		uint64_t n_visits = visits_of(n);
		if (visits && n_visits)
			visits[count] = n_visits;
		if (n_visits)
			line[count++] = move;
	}
	return count;
}

/* Reports what is known of the moves that begin with `first` and lead to the children of a node. */
static void report_children(const struct mcts *m, const struct node *n, const struct state *s,
			    struct move first, struct report *out, double *ratings)
{
	const struct options *o = m->task->options;
	int count, sign = sign_of_side(s->side);
	const struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		const struct node *child = &children[i];
		if (is_banned(child))
			continue;
		struct move move = first;
		struct state next = *s;
		move.step[s->pending] = child->step;
		m->tree.game->play(&next, child->step);
		if (next.pending) {
			report_children(m, child, &next, move, out, ratings);
			continue;
		}
		uint64_t stats = stats_of(child);
		uint8_t proof = o->solver ? proof_of(child) : 0;
		if (stats == 0 && proof == 0)
			continue;
		struct report_move *r = report_add(out, move);
		r->visits = stats >> VISITS_SHIFT;
		r->lower = lower_of(proof);
		r->upper = upper_of(proof);
		r->value = clamp_value(value_of(m, child, stats), proof);
		r->score = margin_of(m, r->value, proof);
		r->line_visits[0] = r->visits;
		r->line_count = follow_line(m, child, next, 1, r->line, r->line_visits,
					    REPORT_LINE_MAX);
		ratings[out->move_count - 1] = rate_choice(o->choice, r->visits, sign * r->value);
	}
}

/* During work statistics and proofs keep changing. Each is read once here, so that the numbers fit
 * together. The root's proof is read first, because its children never know less than the root. */
static void report(void *self, struct report *out)
{
	struct mcts *m = self;
	struct state s = m->tree.position;
	const struct node *root = node_at(&m->tree, m->tree.root), *n = root;
	uint8_t proof = m->task->options->solver ? atomic_load(&root->proof) : 0;
	double ratings[GAME_MOVES_MAX];

	out->lower = lower_of(proof);
	out->upper = upper_of(proof);
	out->playouts = atomic_load_explicit(&m->tree.playouts, memory_order_relaxed);
	out->depth = atomic_load_explicit(&m->depth, memory_order_relaxed);
	out->fill = 1 - room_of(&m->tree) / (double)ring_units(&m->tree);
	if (!choose_move(m, &n, &s, &out->line[0]))
		return;
	out->line_count = follow_line(m, n, s, 1, out->line, NULL, PV_MAX);
	/* The value is that of the answer. */
	if (n && (visits_of(n) || out->lower == out->upper))
		out->value = clamp_value(value_of(m, n, stats_of(n)), proof);
	out->score = margin_of(m, out->value, proof);
	report_children(m, root, &m->tree.position, move_single(MOVE_NONE), out, ratings);
	report_sort(out, m->tree.position.side, ratings);
}

static void *create(void)
{
	struct mcts *m = xcalloc(1, sizeof *m);
	for (int i = 0; i < LOG_ENTRIES; i++) {
		union float_bits n = { .bits = (i << LOG_SHIFT) + 0x3f800000 };
		m->sqrt_log[i] = sqrtf(logf(n.value));
		m->inverse_sqrt[i] = 1 / sqrtf(n.value);
	}
	return m;
}

static void destroy(void *self)
{
	struct mcts *m = self;
	tree_close(&m->tree);
	free(m);
}

const struct algorithm algorithm_mcts = {
	.name = "mcts",
	.help = "UCT: Monte Carlo tree search with UCB1, proofs and a tree kept between moves",
	.keeps = true,
	.create = create,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
