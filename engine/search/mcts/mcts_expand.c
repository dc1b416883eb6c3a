/* SPDX-License-Identifier: MIT
 *
 * Expansion: the children that a leaf of the tree gets, with priors, proofs and, for the first visits, means;
 * and the root of a search, where candidate moves may be restricted.
 *
 * Threads: one worker expands a leaf. It claims the leaf with a compare-and-swap and publishes the children
 * with one release store. The lead prepares the root alone.
 */
#include <math.h>
#include <string.h>

#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/search/mcts/mcts.h"

#define SWAP_PRIOR_MAX 0.75f /* largest prior of a swap */
#define NOISE_SHAPE    0.3f  /* parameter of the Dirichlet distribution that the noise resembles */

/* --- the children of a leaf --- */

/* The steps that can be chosen in a state. */
struct choices {
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint8_t proofs[GAME_STEPS_MAX];
	struct evaluation evaluation;           /* all 0 without an evaluator */
	struct prior knowledge[GAME_STEPS_MAX]; /* unset if there is none */
};

/* Joins second steps that lead to the same position, such as turns of a symmetric quadrant: the first
 * one stands for all and gets the sum of their priors. Proves those that end the game. */
static void join_equal(const struct mcts *m, const struct state *s, struct choices *c)
{
	struct state next[GAME_STEPS_MAX];
	int count = 0;
	for (int i = 0; i < c->count; i++) {
		struct state *n = &next[count];
		int same = 0;
		*n = *s;
		m->tree.game->play(m->tree.game, n, c->steps[i]);
		while (!state_equal(&next[same], n))
			same++;
		if (same < count) {
			c->evaluation.priors[same] += c->evaluation.priors[i];
			continue;
		}
		c->steps[count] = c->steps[i];
		c->knowledge[count] = c->knowledge[i];
		c->evaluation.priors[count] = c->evaluation.priors[i];
		c->evaluation.values[count] = c->evaluation.values[i];
		c->proofs[count++] = n->over ? proof_of_result(score_sign(n->score)) : c->proofs[i];
	}
	c->count = count;
}

/* Proves those steps lost that are missing in a list in the same order. */
static void prove_others_lost(const struct state *s, const move_t *safe, int count,
			      struct choices *c)
{
	for (int i = 0, at = 0; i < c->count; i++) {
		bool is_safe = at < count && safe[at] == c->steps[i];
		at += is_safe;
		if (!is_safe)
			c->proofs[i] = proof_of_result(-side_sign(s->side));
	}
}

/* Proves those steps lost after which the other side wins at once. */
static void prove_lost(const struct mcts *m, const struct state *s, struct choices *c)
{
	move_t safe[GAME_STEPS_MAX];
	int count = m->tree.game->threats->safe(m->tree.game, s, safe);
	prove_others_lost(s, safe, count, c);
}

/* Proves what the game's search for forced wins finds. Returns true if that is a win. */
static bool prove_threats(const struct mcts *m, const struct state *s, int work, struct choices *c)
{
	move_t steps[GAME_STEPS_MAX];
	bool won;
	int count = m->tree.game->threats->search(m->tree.game, s, work, steps, &won);
	if (!won)
		prove_others_lost(s, steps, count, c);
	for (int i = 0; won && i < c->count; i++)
		if (c->steps[i] == steps[0])
			c->proofs[i] = proof_of_result(side_sign(s->side));
	return won;
}

/* Lists the legal steps. */
static void mcts_expand_list_steps(const struct mcts *m, const struct state *s,
				   const struct history *history, struct choices *c)
{
	int count = 0;
	c->count = m->tree.game->moves(m->tree.game, s, c->steps);
	if (!repetition_forbids(m->tree.game))
		return;
	for (int i = 0; i < c->count; i++)
		if (!record_repeats(m->task->record, s, c->steps[i], history->keys, history->count))
			c->steps[count++] = c->steps[i];
	c->count = count;
}

/* Lists the steps of a state with their evaluations and proofs. */
static void find_choices(const struct mcts *m, const struct state *s, const struct history *history,
			 bool is_root, struct choices *c)
{
	int forced = is_root                ? m->threat_work * THREATS_ROOT
		     : m->threats_at_leaves ? m->threat_work
					    : 0;
	mcts_expand_list_steps(m, s, history, c);
	memset(c->proofs, 0, (size_t)c->count);
	memset(c->evaluation.values, 0, (size_t)c->count * sizeof *c->evaluation.values);
	memset(c->evaluation.priors, 0, (size_t)c->count * sizeof *c->evaluation.priors);
	c->evaluation.value = 0;
	if (m->prior)
		m->tree.game->playouts->prior(m->tree.game, s, history->last, c->steps, c->count,
					      c->knowledge);
	/* A won leaf needs no evaluation. The root does, because the winning step may be none of the candidates. */
	bool won = forced && prove_threats(m, s, forced, c);
	if (m->evaluates && (is_root || !won))
		evaluator_steps(&m->evaluator, s, c->steps, c->count, &c->evaluation);
	/* If the root does not win at once, no node with children below it does. A step that is not safe may still end the
	 * game by a repetition. */
	if (!forced && m->lookahead && !m->has_final &&
	    !(m->root_wins && m->tree.game->threats->wins(m->tree.game, s)))
		prove_lost(m, s, c);
	if (s->pending)
		join_equal(m, s, c);
}

/* Mixes noise into the priors, `share` of their sum. Like that of a Dirichlet distribution it is near 0 for
 * most steps. */
static void mcts_expand_add_noise(struct choices *c, float share, struct rng *rng)
{
	float noise[GAME_STEPS_MAX], sum = 0;
	for (int i = 0; i < c->count; i++)
		sum += noise[i] = powf((float)(rng_next(rng) >> 40) / (1 << 24), 1 / NOISE_SHAPE);
	for (int i = 0; i < c->count; i++)
		c->evaluation.priors[i] = (1 - share) * c->evaluation.priors[i] +
					  share * noise[i] / sum;
}

/* If White may swap, the best first move is not a strong one: prior knowledge says nothing of it. */
static void forget_first_moves(struct choices *c)
{
	memset(c->knowledge, 0, (size_t)c->count * sizeof *c->knowledge);
	for (int i = 0; i < c->count; i++)
		c->evaluation.priors[i] = 1 / (float)c->count;
}

/* A network may be sure that White must swap, and be wrong on boards that it has not learned. White's other moves need
 * priors that let the search find out. */
static void limit_swap(const struct game *g, struct choices *c)
{
	float *priors = c->evaluation.priors, others = 0;
	int at = -1;
	for (int i = 0; i < c->count; i++)
		if (c->steps[i] == swap_step(g))
			at = i;
		else
			others += priors[i];
	if (at < 0 || others <= 0 || priors[at] <= SWAP_PRIOR_MAX * (priors[at] + others))
		return;
	float scale = (1 - SWAP_PRIOR_MAX) * (priors[at] + others) / others;
	priors[at] = SWAP_PRIOR_MAX * (priors[at] + others);
	for (int i = 0; i < c->count; i++)
		if (i != at)
			priors[i] *= scale;
}

/* The steps have no visits yet. */
static void lower_unvisited(const struct mcts *m, struct choices *c, int side)
{
	float less = (float)side_sign(side) * m->evaluator.first_play;
	for (int i = 0; i < c->count; i++)
		c->evaluation.values[i] -= less;
}

/* Begins RAVE's values of a child. */
static void set_knowledge(struct node *child, struct prior known, int side)
{
	atomic_store_explicit(&child->prior, known.playouts, memory_order_relaxed);
	atomic_store_explicit(&child->best, (float)side_sign(side) * known.mean,
			      memory_order_relaxed);
	if (known.playouts > 0)
		set_rave(child, side);
}

/* Sets up a child without visits. */
static void init_child(const struct mcts *m, struct node *child, const struct choices *c, int i,
		       int side, float jitter)
{
	const bool solver = m->task->options->solver;
	set_step(child, c->steps[i], (uint32_t)i);
	atomic_store_explicit(&child->prior, c->evaluation.priors[i], memory_order_relaxed);
	atomic_store_explicit(&child->best, c->evaluation.values[i], memory_order_relaxed);
	atomic_store_explicit(&child->stats, 0, memory_order_relaxed);
	if (m->evaluates)
		set_unvisited(child, side);
	else
		set_mean(child, m->first_play + jitter, 0);
	if (m->prior)
		set_knowledge(child, c->knowledge[i], side);
	if (m->pn > 0)
		tree_init_numbers(&m->tree, child);
	atomic_store_explicit(&child->children, NO_CHILDREN, memory_order_relaxed);
	atomic_store_explicit(&child->proof, solver ? c->proofs[i] : 0, memory_order_relaxed);
}

bool mcts_expand(struct mcts *m, struct node *n, const struct state *s,
		 const struct history *history, struct rng *rng, float *value)
{
	uint32_t expected = NO_CHILDREN;
	struct choices c;
	if (room_of(&m->tree) < BLOCK_UNITS + NODE_UNITS * (size_t)m->tree.game->steps.choices ||
	    !atomic_compare_exchange_strong_explicit(&n->children, &expected, EXPANDING,
						     memory_order_relaxed, memory_order_relaxed))
		return false;
	const bool is_root = n == node_at(&m->tree, m->tree.root);
	find_choices(m, s, history, is_root, &c);
	if (is_root && m->swap_at == 1)
		forget_first_moves(&c);
	if (m->evaluates && m->swap_at >= 0)
		limit_swap(m->tree.game, &c);
	*value = c.evaluation.value;
	/* Noise is for trying steps out, so they are worth what the state is. */
	if (m->evaluates && m->task->options->noise > 0 && is_root)
		mcts_expand_add_noise(&c, (float)m->task->options->noise, rng);
	else if (m->evaluates)
		lower_unvisited(m, &c, s->side);
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
		init_child(m, &children[i], &c, i, s->side, jitter);
	}
	if (is_root && m->halving.width)
		mcts_begin_halving(m, children, c.count, rng);
	atomic_store_explicit(&n->children, block, memory_order_release);
	return true;
}

bool mcts_look_for_force(struct mcts *m, struct node *n, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	bool won;
	int count, at = 0,
		   listed = m->tree.game->threats->search(m->tree.game, s, m->threat_work, steps,
							  &won);
	struct node *children = children_of(&m->tree, n, &count);
	/* The children are in the order of the list. */
	for (int i = 0; i < count; i++) {
		bool is_listed = at < listed && steps[at] == step_of(&children[i]);
		at += is_listed;
		if (is_listed == won)
			atomic_fetch_or(
				&children[i].proof,
				proof_of_result(won ? side_sign(s->side) : -side_sign(s->side)));
	}
	return tree_prove(&m->tree, n, s->side);
}

/* --- the root of a search --- */

/* Sums the statistics of the children that are not banned. */
static uint64_t children_stats(const struct mcts *m, const struct node *n)
{
	int count;
	const struct node *children = children_of(&m->tree, n, &count);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += is_banned(&children[i]) ? 0 : stats_of(&children[i]);
	return sum;
}

/* The positions of the root's own move have no path above them. */
static const struct history no_history = { NULL, 0, MOVE_NONE };

/* Of turns that lead to the same position the tree contains one. Replaces its step by one that is a
 * candidate, if there is one. `begun` holds the steps before it. */
static void rename_step(const struct mcts *m, struct node *child, const struct state *s,
			struct move begun)
{
	struct state next = *s;
	m->tree.game->play(m->tree.game, &next, step_of(child));
	for (int i = 0; i < m->task->only_count; i++) {
		struct move move = m->task->only[i];
		struct state other = *s;
		if (move_steps(move) <= s->pending ||
		    memcmp(move.step, begun.step, s->pending * sizeof *move.step) != 0)
			continue;
		m->tree.game->play(m->tree.game, &other, move.step[s->pending]);
		if (state_equal(&next, &other))
			set_step(child, move.step[s->pending], place_of(child));
	}
}

/* Bans the steps at a node of the searched position that are not candidates. Recomputes its
 * statistics and proof from the others. `begun` holds the steps from the root to here. The arena must have
 * room. */
static void restrict_node(struct mcts *m, struct node *n, const struct state *s, struct move begun,
			  struct rng *rng)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	if (count == 0) {
		float value;
		mcts_expand(m, n, s, &no_history, rng, &value);
		children = children_of(&m->tree, n, &count);
	}
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		struct state next = *s;
		m->tree.game->play(m->tree.game, &next, step_of(child));
		tree_save(&m->tree, child, next.pending);
		if (s->pending)
			rename_step(m, child, s, begun);
		struct move move = move_append(begun, s->pending, step_of(child));
		if (!task_allows(m->task, move)) {
			set_mean(child, BANNED, 0);
			continue;
		}
		if (next.pending)
			restrict_node(m, child, &next, move, rng);
		/* The moves excluded now may be why it was pruned. */
		if (visits_of(child))
			update_mean(m, child, stats_of(child), s->side);
		else if (!is_pruned(child))
			continue;
		else if (m->evaluates)
			set_unvisited(child, s->side);
		else if (m->rave > 0 && prior_of(child) > 0)
			set_rave(child, s->side);
		else
			set_mean(child, m->first_play, 0);
	}
	atomic_store_explicit(&n->stats, children_stats(m, n), memory_order_relaxed);
	atomic_store_explicit(&n->proof, 0, memory_order_relaxed);
	tree_prove(&m->tree, n, s->side);
}

/* Gives children to the root, unless it has them. The arena must have room. The evaluation counts as a visit, as in a
 * simulation, so that a search without time for simulations knows the root's value. */
static void expand_root(struct mcts *m, struct rng *rng)
{
	struct node *root = node_at(&m->tree, m->tree.root);
	float value;
	rng_seed(rng, m->task->seed);
	if (mcts_expand(m, root, &m->tree.position, &no_history, rng, &value) && m->evaluates &&
	    !visits_of(root))
		atomic_store_explicit(&root->stats, ONE_VISIT + points_of_value(value, rng),
				      memory_order_relaxed);
}

/* Gives children with proofs to the root and to the first steps of moves that win at once. Below the
 * root such nodes stay leaves. The arena must have room. */
static void expand_wins(struct mcts *m)
{
	struct node *root = node_at(&m->tree, m->tree.root);
	struct rng rng;
	float value;
	int count;
	expand_root(m, &rng);
	struct node *children = children_of(&m->tree, root, &count);
	for (int i = 0; i < count; i++) {
		struct state next = m->tree.position;
		m->tree.game->play(m->tree.game, &next, step_of(&children[i]));
		if (next.over)
			atomic_fetch_or(&children[i].proof,
					proof_of_result(score_sign(next.score)));
		if (!next.pending || !m->tree.game->threats->wins(m->tree.game, &next))
			continue;
		mcts_expand(m, &children[i], &next, &no_history, &rng, &value);
		tree_prove(&m->tree, &children[i], next.side);
	}
}

void mcts_prepare_root(struct mcts *m)
{
	struct node *root = node_at(&m->tree, m->tree.root);
	struct rng rng;
	if (m->task->only) {
		rng_seed(&rng, m->task->seed);
		tree_save(&m->tree, root, true);
		restrict_node(m, root, &m->tree.position, move_none(), &rng);
		return;
	}
	if (m->tree.root != ORIGIN)
		tree_save(&m->tree, root, false);
	/* The answer rests on the root's own steps. So they must prove again what was proven of it as a leaf,
	 * by df-pn, or by children that were dropped since. */
	atomic_store_explicit(&root->proof, 0, memory_order_relaxed);
	/* If several workers began at a leaf, all would simulate it while one of them expands it. An analysis counts the
	 * simulations of moves. */
	if (m->root_wins)
		expand_wins(m);
	else if (m->task->threads > 1 || m->task->values)
		expand_root(m, &rng);
	uint64_t sum = children_stats(m, root);
	if (sum >> VISITS_SHIFT > visits_of(root))
		atomic_store_explicit(&root->stats, sum, memory_order_relaxed);
	tree_prove(&m->tree, root, m->tree.position.side);
}
