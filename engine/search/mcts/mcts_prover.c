/* SPDX-License-Identifier: MIT
 *
 * Df-pn inside the tree. With a prover every simulation adds some df-pn nodes to its worker's credit (option
 * proving). The credit is spent on the node of the path where df-pn has worked least in relation to the
 * visits. Both sides share results: df-pn's proofs enter the tree, and the tree's proofs enter df-pn's table.
 * At the root a proof for the side to move counts only if it is known which move it rests on.
 *
 * Threads: every worker runs its own df-pn searches. A proof is never taken back, so the order does not matter.
 */
#include "engine/search/mcts/mcts.h"
#include "engine/search/proof/dfpn.h"

#define PROVE_LEAST  32 /* df-pn nodes of the first run at a tree node; each run doubles them */
/* Most df-pn nodes of a run: a few milliseconds, because the tree's garbage collection may have to wait
 * for it. */
#define PROVE_MOST   4096
#define PROVE_VISITS 8 /* visits that a node needs before df-pn works on it */
#define EFFORT_SHIFT 4
#define EFFORT_ONE   (1 << EFFORT_SHIFT)
#define EFFORT_MOST  12 /* after this many runs df-pn does not work here any more */
#define IN_TABLE     15 /* df-pn's table knows the result of the node */

/* Returns how often df-pn has worked on a node, or IN_TABLE. */
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

/* Finds what df-pn has proven of a state. Returns false if that is nothing. */
static bool find_proof(const struct mcts *m, const struct state *s, uint8_t *proof)
{
	int lower, upper;
	if (!dfpn_find(m->prover, s, &lower, &upper))
		return false;
	*proof = proof_of_bounds(lower, upper);
	return *proof != 0;
}

/* Copies what df-pn has proven of a node's children, and proves what follows for the node. Returns true if
 * that is new. A first step is not proven good for its side by df-pn's table. Its own children must prove
 * it, because the side needs the second step too. */
static bool copy_proofs(struct mcts *m, struct node *n, const struct state *s, struct rng *rng)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		uint8_t proof;
		struct state next = *s;
		if (is_banned(&children[i]) || is_resolved(proof_of(&children[i])))
			continue;
		m->tree.game->play(m->tree.game, &next, step_of(&children[i]));
		if (next.over || !find_proof(m, &next, &proof))
			continue;
		if (next.pending) {
			float value;
			if (m->task->only)
				continue;
			if (proof & (s->side == BLACK ? LOWER_BITS : UPPER_BITS)) {
				mcts_expand(m, &children[i], &next,
					    &(struct history) { .last = MOVE_NONE }, rng, &value);
				copy_proofs(m, &children[i], &next, rng);
			}
			proof &= s->side == BLACK ? UPPER_BITS : LOWER_BITS;
		}
		atomic_fetch_or(&children[i].proof, proof);
	}
	return tree_prove(&m->tree, n, s->side);
}

/* Runs df-pn on the node path[at]. Proves that node and those above it. */
static void prove_node(struct mcts *m, struct mcts_worker *w, int at, const struct state *s,
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
	bool changed = false;
	if (at && !s->pending && find_proof(m, s, &proof))
		changed = proof & ~atomic_fetch_or(&n->proof, proof);
	if (!at || !is_resolved(proof_of(n)))
		changed |= copy_proofs(m, n, s, &w->rng);
	for (; changed && at > 0; at--)
		changed = tree_prove(&m->tree, w->path[at - 1], w->chooser[at]);
}

/* Stores a node's result in df-pn's table, once. If some second steps are excluded, a first step's proof
 * holds for this search only. */
static void store_result(const struct mcts *m, struct node *n, const struct state *s)
{
	if (effort_of(n) == IN_TABLE || (m->task->only && s->pending))
		return;
	atomic_fetch_or_explicit(&n->proof, IN_TABLE << EFFORT_SHIFT, memory_order_relaxed);
	int result = lower_of(proof_of(n));
	dfpn_store_bounds(m->prover, s, result, result, visits_of(n));
}

void mcts_prove_path(struct mcts *m, struct mcts_worker *w, uint64_t visits,
		     struct control *control)
{
	struct state s = m->tree.position, best_state;
	double most = 0;
	int best = -1;
	w->credit += m->proving * (double)visits;
	if (w->credit < w->run_due && !w->proved)
		return;
	for (int i = 0; i <= w->last; i++) {
		struct node *n = w->path[i];
		if (i)
			m->tree.game->play(m->tree.game, &s, step_of(n));
		if (s.over)
			break;
		if (is_resolved(proof_of(n))) {
			if (i)
				store_result(m, n, &s);
			break;
		}
		if (visits_of(n) < PROVE_VISITS * m->tree.per_simulation)
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
	w->run_due = prove_nodes(effort_of(w->path[best]));
	if (w->credit >= w->run_due)
		prove_node(m, w, best, &best_state, control);
}
