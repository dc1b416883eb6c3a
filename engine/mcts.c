/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006) with proven results backed up as bounds
 * (Winands' MCTS-Solver, 2008, in the score-bounded form of Cazenave and Saffidine, 2010). Where the game
 * has a network or an evaluation, that judges the leaves and PUCT chooses by its priors (Silver et al., 2017);
 * evaluations are also backed up by minimax, and selection looks at both (implicit minimax backups,
 * Lanctot et al., 2014). Without one UCB1 chooses, and may look at all playouts that had a step (RAVE, Gelly and
 * Silver, 2007).
 *
 * All workers share the tree (engine/tree.h) without locks. A worker on its way down has already counted its
 * visit as lost for whoever chose it (virtual loss, Chaslot et al., 2008), which sends the others elsewhere; where the
 * tree is crowded it does so for a handful of simulations at once, and goes that way for all of them. A tree leaf never
 * rests in the middle of a move, so the line to answer with is made of whole moves.
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/dfpn.h"
#include "engine/judge.h"
#include "engine/memory.h"
#include "engine/tree.h"

#define PATH_MAX_LEN     256
/* Nodes that have had so many simulations are crowded: if workers went through them one simulation at a time, their
 * processors would pass them to and fro all the time. A worker chooses its way through them for a handful of
 * simulations, which it counts as lost at once, so that the others go elsewhere, and brings the results
 * together. */
#define CROWD            256
#define HANDFUL          16
#define JUDGED_BATCH     16 /* a claim with a judge, which may take longer than a playout */
#define ROUNDS_TO_SETTLE 16 /* claims between two looks whether the leader can still be caught */

#define NOISE_SHAPE      0.3f
#define RAVE_HOPE        0.1f /* what is added to the mean of playouts with a step that was not visited */

#define LOG_SHIFT        17
#define LOG_ENTRIES      (32 << (23 - LOG_SHIFT))

struct mcts {
	/* sqrt(ln n) and 1/sqrt(n) by the leading bits of n as a float: exact to 127, within 1 %
	 * beyond. */
	float sqrt_log[LOG_ENTRIES], inverse_sqrt[LOG_ENTRIES];

	/* Of the tree: with proofs in it; with priors; with noise in those of the origin. */
	bool proven, judged, noisy;

	const struct task *task;
	float exploration; /* for results from -1 to 1 */
	float first_play;  /* mean of an unvisited child, with its bias */
	bool judges;       /* by `judge` */
	bool decisive;     /* playouts win at once where a side can */
	float rave;        /* visits that weigh as much as all playouts with a step, or 0 */
	float minimax;     /* weight of a node's best in what selection looks at, 0 .. 1 */
	bool looks;        /* whether a leaf's side wins at once */
	bool wins;         /* the side at the root does; no search needs to find that out */
	void *prover;      /* df-pn; NULL: none */
	struct judge judge;
	int64_t started; /* when the lead began to work; the lead's */

	/* With what follows written by the workers. */
	struct tree tree;
	_Atomic int depth; /* whole moves to the deepest leaf */
};

/* One thread's. */
struct worker {
	struct rng rng;
	uint64_t ripe; /* visits that a leaf must have had to get children */
	/* The way of the simulation: its nodes, the side that chose each, and what that was given on the way
	 * down and has not yet earned. */
	struct node *path[PATH_MAX_LEN];
	uint8_t chooser[PATH_MAX_LEN];
	uint64_t counted[PATH_MAX_LEN];
	/* The first nodes of the way are crowded; that many simulations more begin at the last of these. */
	int crowd, left;
	struct state state; /* there */
	int depth;          /* whole moves to there */
	int last;           /* of the way, when the simulation is over */
	bool proved;        /* something on it */
	double credit;      /* df-pn's nodes that are due, */
	double wanted;      /* and how many of them it waits for */
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

/* With a judge: what selection looks at in an unvisited child. */
static void set_hope(struct node *n, int chooser)
{
	set_mean(n, BIAS + (chooser == BLACK ? best_of(n) : -best_of(n)), prior_of(n));
}

union float_bits {
	float value;
	int32_t bits;
};

/* The entry of n >= 1 in the tables of struct mcts. */
static int log_entry(uint32_t n)
{
	union float_bits u = { (float)n };
	return (u.bits - 0x3f800000) >> LOG_SHIFT;
}

/* Derives what selection looks at. */
static void refresh(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	uint32_t visits = (uint32_t)(stats >> VISITS_SHIFT);
	float mean = (float)(stats & POINTS_SET) / (DRAWN * (float)visits) - 1;
	float width = m->judges ? prior_of(n) / (float)(1 + visits)
				: m->inverse_sqrt[log_entry(visits)];
	if (m->rave > 0 && prior_of(n) > 0)
		mean += sqrtf(m->rave / (3 * (float)visits + m->rave)) * (best_of(n) - mean);
	if (m->minimax > 0)
		mean += m->minimax * (best_of(n) - mean);
	set_mean(n, BIAS + (chooser == BLACK ? mean : -mean), width);
}

/* What selection weighs the children's widths with: the exploration term of their parent. */
static inline float exploration_of(const struct mcts *m, const struct node *parent)
{
	uint32_t visits = (uint32_t)visits_of(parent);
	return m->judges ? m->exploration * sqrtf((float)(visits + 1))
			 : m->exploration * m->sqrt_log[log_entry(visits | 1)];
}

/* UCB1, or PUCT, of a child as an integer that ends in its index. The index takes the place of bits that are far
 * below the noise. */
static inline int32_t child_key(const struct node *child, float explore, int i)
{
	float mean = atomic_load_explicit(&child->mean, memory_order_relaxed);
	float width = atomic_load_explicit(&child->width, memory_order_relaxed);
	union float_bits u = { mean + explore * width };
	return (u.bits & ~(GAME_STEPS_MAX - 1)) | i;
}

/* The child that maximises UCB1. Without branches that depend on the values, which cannot be predicted;
 * by two maxima, as each has to wait for its last comparison. */
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

/* What can be chosen in a state. */
struct choices {
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint8_t proofs[GAME_STEPS_MAX];
	struct judgement judged; /* without a judge nothing */
};

/* Of second steps that lead to one position, such as turns of a quadrant that looks the same turned, the
 * first stands for all; those that end the game are proven. */
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
			c->judged.priors[same] += c->judged.priors[i];
			continue;
		}
		c->steps[count] = c->steps[i];
		c->judged.priors[count] = c->judged.priors[i];
		c->judged.values[count] = c->judged.values[i];
		c->proofs[count++] = n->over ? proof_of_result(score_sign(n->score)) : c->proofs[i];
	}
	c->count = count;
}

/* Proves those lost after which the other side wins at once. */
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
	memset(c->judged.values, 0, (size_t)c->count * sizeof *c->judged.values);
	memset(c->judged.priors, 0, (size_t)c->count * sizeof *c->judged.priors);
	c->judged.value = 0;
	if (m->judges)
		judge_steps(&m->judge, s, c->steps, c->count, &c->judged);
	/* Below a root that does not win at once no node with children does. */
	if (m->looks && !(m->wins && m->tree.game->wins(s)))
		prove_lost(m, s, c);
	if (s->pending)
		join_equal(m, s, c);
}

/* Mixes priors with noise like a Dirichlet distribution's: near 0 but for a few. */
static void add_noise(struct choices *c, float share, struct rng *rng)
{
	float noise[GAME_STEPS_MAX], sum = 0;
	for (int i = 0; i < c->count; i++)
		sum += noise[i] = powf((float)(rng_next(rng) >> 40) / (1 << 24), 1 / NOISE_SHAPE);
	for (int i = 0; i < c->count; i++)
		c->judged.priors[i] = (1 - share) * c->judged.priors[i] + share * noise[i] / sum;
}

/* Gives a leaf its children; false if another worker is at it or the arena is full. With a judge sets *value to
 * what it expects for Black, in the latter case too where it has been asked. */
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
	*value = c.judged.value;
	if (m->judges && m->task->options->noise > 0 && n == node_at(&m->tree, m->tree.root))
		add_noise(&c, (float)m->task->options->noise, rng);
	uint32_t block = tree_take_block(&m->tree, n, c.count, s->pending);
	if (!block) {
		atomic_store_explicit(&n->children, NO_CHILDREN, memory_order_relaxed);
		return false;
	}
	struct node *children = block_nodes(&m->tree, block);
	uint64_t random = rng_next(rng);
	for (int i = 0; i < c.count; i++) {
		/* Unvisited children differ by a little, so that they are tried in random order. */
		random = random * 6364136223846793005u + 1442695040888963407u;
		float jitter = m->first_play * (float)(random >> 40) * (0.001f / (1 << 24));
		struct node *child = &children[i];
		child->count = 0;
		child->step = (uint8_t)c.steps[i];
		child->place = (uint8_t)i;
		atomic_store_explicit(&child->prior, c.judged.priors[i], memory_order_relaxed);
		atomic_store_explicit(&child->best, c.judged.values[i], memory_order_relaxed);
		atomic_store_explicit(&child->stats, 0, memory_order_relaxed);
		if (m->judges)
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

/* --- a simulation: down, a judgement or playouts, and back up --- */

/* Makes a node's best what is proven of it, or else that of its children, where `side` chooses. False: it is
 * no news to the nodes above. Of workers that do so at once one may put back what another has found, until
 * there are news again. */
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

/* Whether a resolved child proves something that its parent, where `side` chooses, does not know. Only a child
 * that an earlier search began at can: its parents were not on that search's way. */
static bool is_news(const struct node *child, const struct node *parent, int side)
{
	uint8_t bits = proof_of(child) & (side == BLACK ? LOWER_BITS : UPPER_BITS);
	return (bits & ~proof_of(parent)) ||
	       atomic_load_explicit(&child->mean, memory_order_relaxed) == DEAD;
}

/* Adds to a node's statistics on behalf of all workers. */
static void add_stats(const struct mcts *m, struct node *n, uint64_t stats, int chooser)
{
	stats += atomic_fetch_add_explicit(&n->stats, stats, memory_order_relaxed);
	if (atomic_load_explicit(&n->mean, memory_order_relaxed) != DEAD)
		refresh(m, n, stats, chooser);
}

/* Counts visits as lost for who chose the node, or only as visits, like those before; returns what that added. */
static uint64_t add_virtual_loss(const struct mcts *m, struct node *n, int chooser, uint64_t visits)
{
	uint64_t stats = stats_of(n), earlier = stats >> VISITS_SHIFT;
	uint64_t points = visits * (chooser == BLACK ? 0 : WON);
	if (!m->task->options->virtual_loss)
		points = earlier ? (stats & POINTS_SET) * visits / earlier : visits * DRAWN;
	add_stats(m, n, visits * ONE_VISIT + points, chooser);
	return visits * ONE_VISIT + points;
}

static bool is_crowded(const struct mcts *m, const struct node *n)
{
	return visits_of(n) >= CROWD * m->tree.at_once;
}

/* Brings what the simulations have earned that began in the crowd. */
static void leave_crowd(const struct mcts *m, struct worker *w)
{
	for (int i = 0; i < w->crowd; i++)
		add_stats(m, w->path[i], -w->counted[i], w->chooser[i]);
	w->crowd = w->left = 0;
}

/* Goes to where a simulation begins, the last crowded node of a way, or the root; returns its place on the way. */
static int enter_crowd(const struct mcts *m, struct worker *w, const bool solver)
{
	if (w->left > 0) {
		w->left--;
		return w->crowd - 1;
	}
	leave_crowd(m, w);
	w->state = m->tree.position;
	w->depth = 0;
	w->path[0] = node_at(&m->tree, m->tree.root);
	w->chooser[0] = w->state.side ^ 1;
	for (struct node *n = w->path[0]; is_crowded(m, n); n = w->path[w->crowd]) {
		int i = w->crowd++;
		w->left = HANDFUL - 1;
		w->counted[i] = add_virtual_loss(m, n, w->chooser[i], HANDFUL * m->tree.at_once);
		uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
		if (w->state.over || block < FIRST_BLOCK || (solver && is_resolved(proof_of(n))))
			break;
		struct node *child = select_child(m, n, block);
		if (!is_crowded(m, child))
			break;
		w->path[i + 1] = child;
		w->chooser[i + 1] = w->state.side;
		m->tree.game->play(&w->state, child->step);
		w->depth += !w->state.pending;
	}
	if (w->crowd)
		return w->crowd - 1;
	w->counted[0] = add_virtual_loss(m, w->path[0], w->chooser[0], 1);
	return 0;
}

/* The points of a value -1 .. 1 of Black, rounded at random so that they are right on average. */
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

/* What a node is worth to Black, as selection sees it; NAN: it was not visited. */
static double value_of(const struct mcts *m, const struct node *n, uint64_t stats)
{
	double mean = mean_of_stats(stats);
	return m->minimax > 0 ? mean + (double)m->minimax * ((double)best_of(n) - mean) : mean;
}

/* A step in a set of those that a side has made. */
static uint64_t step_bit(int step)
{
	return step < 64 ? (uint64_t)1 << step : 0;
}

/* Plays random steps to the end, but where playouts are decisive wins at once where a side can (Teytaud and Teytaud,
 * 2010); returns Black's result, and adds to what each side has made the first steps of moves. */
static int play_steps(const struct mcts *m, const struct state *start, struct rng *rng,
		      uint64_t made[2])
{
	const struct game *game = m->tree.game;
	struct state s = *start;
	move_t steps[GAME_STEPS_MAX];
	for (bool begun = false; !s.over; begun = true) {
		/* A first step is not the winning one, or the move would not have been begun. */
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

/* Tells the children of a node, where `side` chooses, the result of a playout in which it made these steps. */
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

/* Black's points of so many playouts of a state; of a single one with RAVE also the steps made. */
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

/* One simulation: down the tree, a playout, or GAME_PLAYOUTS of them for as many visits, and back up. Compiled
 * once for one worker and once for many, with and without proofs. */
static inline __attribute__((always_inline)) void
simulate(struct mcts *m, struct worker *w, const bool shared, const bool solver, uint64_t visits)
{
	const struct game *game = m->tree.game;
	struct node **path = w->path;
	uint8_t *chooser = w->chooser;
	uint64_t *counted = w->counted;
	int last = shared ? enter_crowd(m, w, solver) : 0, depth = shared ? w->depth : 0;
	struct state s = shared ? w->state : m->tree.position;
	if (!shared) {
		path[0] = node_at(&m->tree, m->tree.root);
		chooser[0] = s.side ^ 1;
	}
	struct node *node = path[last];
	uint64_t points;   /* Black's of this simulation */
	float value = NAN; /* unknown */
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
			uint64_t earlier = visits_of(node) - (shared && last >= w->crowd);
			if (solver && m->looks && last && !s.pending && game->wins(&s)) {
				int result = sign_of_side(s.side);
				points = visits * points_of_result(result);
				atomic_fetch_or(&node->proof, proof_of_result(result));
				proved = true;
				break;
			}
			bool ripe = earlier >= w->ripe || !last || s.pending;
			bool grown = ripe && expand(m, node, &s, &w->rng, &value);
			/* Steps have come with the results of those that end the game, or lose at once. */
			if (solver && grown && (s.pending || m->looks))
				proved = tree_prove(&m->tree, node, s.side);
			/* A leaf that has been judged before and can grow is gone through: its value is
			 * no news. */
			if (m->judges && !(grown && earlier)) {
				/* Others' virtual losses say nothing of it. */
				if (isnan(value))
					value = earlier && !shared
							? (float)mean_of_stats(stats_of(node))
							: judge_state(&m->judge, &s);
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
		/* Its children are read next, after play(): let them come meanwhile. */
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
		} else if (i < w->crowd) {
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
 * With a prover every simulation is worth some nodes of df-pn, which go to the node of its way that df-pn
 * has worked on least for the visits that it has had. Results go both ways: what df-pn proves is proven in
 * the tree, and what the tree proves the table knows. At the root a proof for the side to move counts when it is
 * known which move it rests on. */

#define PROVE_LEAST  32   /* nodes at a time, at first; then twice as many, */
#define PROVE_MOST   4096 /* a few milliseconds, for which the tree's garbage may have to wait */
#define PROVE_VISITS 8    /* that a node must have had */
#define EFFORT_SHIFT 4
#define EFFORT_ONE   (1 << EFFORT_SHIFT)
#define EFFORT_MOST  12 /* df-pn has then done what it can here */
#define TOLD         15 /* the table knows the node's result */

/* How often df-pn has worked at a node, or TOLD. */
static int effort_of(const struct node *n)
{
	return atomic_load_explicit(&n->proof, memory_order_relaxed) >> EFFORT_SHIFT;
}

/* The next nodes of df-pn at a node where it has worked so often. */
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

/* Takes what the table knows of a node's children, and what follows for the node. True: that is news. Of a
 * child in the midst of a move that is good for its side its own children must say so, since the side has to
 * find them. */
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

/* Has df-pn work on the node at place `at` of a way, and proves it and those above it. */
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

/* Tells df-pn what a simulation has proven on its way, and gives it its share of the work. */
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
			/* A first step of which some turns are left out is proven for this search alone. */
			if (i && effort_of(n) != TOLD && !(m->task->only && s.pending)) {
				atomic_fetch_or_explicit(&n->proof, TOLD << EFFORT_SHIFT,
							 memory_order_relaxed);
				dfpn_tell(m->prover, &s, lower_of(proof_of(n)), visits_of(n));
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

#define CONFIDENCE 2     /* how far below its mean a value may be after one visit */
#define UNKNOWN    (-10) /* below all values and their bounds */

/* By what a child is chosen, the more the better, if it was visited so often and its mean is `value` for the side that
 * chooses: visits say what the search believes in, but late; means say it soon, but few visits say little. */
static double rate_choice(int choice, uint64_t visits, double value)
{
	if (choice == CHOICE_VISITS)
		return (double)visits;
	if (visits == 0)
		return UNKNOWN;
	return choice == CHOICE_LCB ? value - CONFIDENCE / sqrt((double)visits) : value;
}

/* How well `side` is sure to do with these bounds: -1 lost, 0 draw, 1 won. */
static int surest(uint8_t proof, int side)
{
	return side == BLACK ? lower_of(proof) : -upper_of(proof);
}

/* The most that `side` can still reach with these bounds. */
static int hoped(uint8_t proof, int side)
{
	return side == BLACK ? upper_of(proof) : -lower_of(proof);
}

/* The most that `side` can reach at a node; `limit` is what the node above in the same move allows, where df-pn
 * may have proven more, or 1. */
static int limit_of(const struct mcts *m, const struct node *n, int side, int limit)
{
	int hope = m->task->options->solver ? hoped(proof_of(n), side) : 1;
	return hope < limit ? hope : limit;
}

/* The child to play at a node where `side` can reach `limit` at most; NULL without children. A child that is sure of
 * more comes first, so that the move keeps what is proven of the node; then one that can still gain; then the one
 * with the highest rating by `choice`. */
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

/* Whether the child to play is the most visited one, and stays that if the others get `left` more visits, at both steps
 * of a move. */
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

/* Whether the most visited move is not the one of the best value, so that more work may choose another. */
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

/* Visits the search can still make; exact under a work limit, an upper guess under a deadline. */
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
		/* The first moments say little of the speed to come. */
		if (used > rest / 8 && guess < (double)left)
			left = rest > 0 ? (uint64_t)guess : 0;
	}
	return left;
}

/* --- work --- */

/* Claims a batch. Who may have to wait for a seat waits outside the tree. */
static uint64_t claim(struct mcts *m, struct worker *w, struct control *control)
{
	if (control->seats) {
		leave_crowd(m, w);
		tree_leave(&m->tree);
		bool seated = control_sit(control);
		tree_enter(&m->tree);
		if (!seated)
			return 0;
	}
	return control_claim_seated(control, m->judges ? JUDGED_BATCH : WORK_BATCH);
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
	bool extended = false; /* because the answer was in doubt */
	/* Without a limit there is nothing to save: somebody watches. */
	bool early = o->early_stop && o->choice != CHOICE_WINRATE &&
		     (control->deadline != TIME_NEVER || control->work_max != WORK_NO_LIMIT);
	rng_seed(&w.rng, m->task->seed + (uint64_t)worker);
	if (worker == 0)
		m->started = clock_now();
	tree_enter(&m->tree);
	for (int round = 1;; round++) {
		if (tree_is_due(&m->tree)) {
			leave_crowd(m, &w);
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
		/* An evaluation has said already, at the parent's, what a leaf's first visit would tell of it. */
		w.ripe = tree_bar(&m->tree) - (m->judges && !m->judge.net);
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
	leave_crowd(m, &w);
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

/* Of turns that lead to one position the tree has one: calls it by one of those to choose from, if any is. */
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

/* Bans the steps at a node of the position searched that are not among the moves to choose from, and makes
 * its statistics and proof those of the others. `first` is the step that led here, if one did. The arena
 * has room. */
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
		/* Alive again, if only the moves left out made it useless. */
		if (visits_of(child))
			refresh(m, child, stats_of(child), s->side);
		else if (atomic_load_explicit(&child->mean, memory_order_relaxed) != DEAD)
			continue;
		else if (m->judges)
			set_hope(child, s->side);
		else
			set_mean(child, m->first_play, 0);
	}
	atomic_store_explicit(&n->stats, children_stats(m, n), memory_order_relaxed);
	atomic_store_explicit(&n->proof, 0, memory_order_relaxed);
	tree_prove(&m->tree, n, s->side);
}

/* Gives the root, and the first steps of moves that win at once, their children with their proofs. As leaves
 * below the root such nodes get none. The arena has room. */
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

/* Makes the root ready for this search: it has at least its children's visits and proofs, which an earlier
 * search may have given them. */
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
	/* What it was proven as a leaf, or by df-pn, its own steps have to prove again. */
	if (m->prover || atomic_load_explicit(&root->children, memory_order_relaxed) == NO_CHILDREN)
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
	m->judged = m->judges;
	m->noisy = m->judges && m->task->options->noise > 0;
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
	m->judges = task->options->judge && judge_open(&m->judge, task->record->game);
	m->decisive = !m->judges && task->options->decisive && task->record->game->wins;
	m->rave = m->judges ? 0 : (float)task->options->rave;
	bool plain = !m->judges && !m->decisive && m->rave == 0;
	m->tree.at_once = plain && task->options->lanes && task->record->game->playouts
				  ? GAME_PLAYOUTS
				  : 1;
	m->minimax = m->judges && !m->judge.net ? (float)task->options->minimax : 0;
	m->exploration = (float)(m->judges ? task->options->puct : 2 * task->options->exploration);
	/* Tried first: above every mean with its exploration term, as sqrt(ln VISITS_MAX) < 5. */
	m->first_play = BIAS + (task->options->first_play > 1
					? 1 + 5 * m->exploration
					: (float)(2 * task->options->first_play - 1));
	atomic_store_explicit(&m->depth, 0, memory_order_relaxed);
	/* Noise is new for each search, and no other search should have it. */
	bool keep = task->options->reuse && m->proven == task->options->solver &&
		    m->judged == m->judges && !m->noisy &&
		    !(m->judges && task->options->noise > 0) && m->tree.earlier < VISITS_MAX / 2;
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

/* The second step of a move whose first step has no children, because the arena was full: the one that
 * a few playouts like best. */
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

/* A mean brought between proven bounds: the playouts came before the proof, or there were none. */
static double clamp_value(double mean, uint8_t proof)
{
	int lower = lower_of(proof), upper = upper_of(proof);
	return lower == upper ? lower : mean < lower ? lower : mean > upper ? upper : mean;
}

/* The margin for Black that a value stands for. That of a proven result is unknown. */
static double margin_of(const struct mcts *m, double value, uint8_t proof)
{
	return m->judges && !is_resolved(proof) ? judge_margin(&m->judge, value) : NAN;
}

/* Makes the move to play at a node and goes to the node behind it, NULL where the arena has none. False,
 * nothing is made: there are no children. */
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

/* Adds the moves to a line that the search expects from a node on, as far as it has been there. */
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

/* Adds what is known of the moves that begin with `first` and lead to the children of a node. */
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

/* In the midst of work statistics and proofs go on changing: what is read once here fits together, and the
 * root's proof comes first, since its children never know less than it. */
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
	/* The move's worth is the answer's. */
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
