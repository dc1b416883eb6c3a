/* SPDX-License-Identifier: MIT
 *
 * What the tree says: the move to play, whether more work can change it, and the report.
 *
 * The answer keeps the proven result of the root: a move with a better proven result comes before every move with a higher rating.
 *
 * Threads: only the lead calls these functions; the other workers may go on meanwhile. Each number is read
 * once, so that the numbers of a report fit together.
 */
#include <limits.h>
#include <math.h>

#include "engine/rules/playouts.h"
#include "engine/search/mcts/mcts.h"

#define CONFIDENCE 2     /* the lower confidence bound after one visit is this far below the mean */
#define UNKNOWN    (-10) /* below all values and their bounds */
#define TRIALS     64    /* playouts for each step that may complete a move without nodes */

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

/* Returns true if sequential halving chooses among the children of a node. */
static bool is_halved(const struct mcts *m, const struct node *n)
{
	return m->halving.count && n == node_at(&m->tree, m->tree.root);
}

/* Returns the least result of `side` by these bounds: -1 lost, 0 draw, 1 won. */
static int proven_result(uint8_t proof, int side)
{
	return result_least(side, lower_of(proof), upper_of(proof));
}

/* Returns the best result of `side` by these bounds. */
static int possible_result(uint8_t proof, int side)
{
	return result_most(side, lower_of(proof), upper_of(proof));
}

/* Returns the best result that `side` can reach at a node. `limit` is what the node above in the same
 * move allows, where df-pn may have proven more; 1 at a first step. */
static int limit_of(const struct mcts *m, const struct node *n, int side, int limit)
{
	int result = m->task->options->solver ? possible_result(proof_of(n), side) : 1;
	return result < limit ? result : limit;
}

/* Returns the child to play at a node where `side` can reach `limit` at most, or NULL without children.
 * First comes a child with a better proven result, so that the move keeps what is proven of the node; then
 * one that may gain more; then the one with the highest rating by `choice`. */
static struct node *mcts_choice_best_child(const struct mcts *m, const struct node *n, int side,
					   int limit, int choice)
{
	const bool solver = m->task->options->solver;
	int count, sign = side_sign(side);
	struct node *children = children_of(&m->tree, n, &count), *best = NULL;
	bool halved = is_halved(m, n);
	int best_least = 0, best_open = 0;
	double best_rating = 0;
	for (int i = 0; i < count; i++) {
		struct node *child = &children[i];
		if (is_banned(child))
			continue;
		uint8_t proof = solver ? proof_of(child) : 0;
		uint64_t stats = stats_of(child);
		int least = proven_result(proof, side), most = possible_result(proof, side);
		int open = (most < limit ? most : limit) > least;
		double rating = halved ? mcts_rate_candidate(m, child)
				       : rate_choice(choice, stats >> VISITS_SHIFT,
						     value_of(m, child, stats) * sign);
		/* Before they have visits, the network or evaluation knows which are better. */
		bool likelier = m->evaluates && rating == best_rating && best &&
				prior_of(child) > prior_of(best);
		bool better = least != best_least ? least > best_least
			      : open != best_open ? open > best_open
						  : rating > best_rating || likelier;
		if (best && !better)
			continue;
		best = child;
		best_least = least;
		best_open = open;
		best_rating = rating;
	}
	return best;
}

/* Returns true if the child to play at a node is the most visited one and stays so if the others get `left`
 * more visits. Checks all steps of a move. */
static bool mcts_choice_is_settled(const struct mcts *m, const struct node *n,
				   const struct state *s, int limit, uint64_t left)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	limit = limit_of(m, n, s->side, limit);
	struct node *best = mcts_choice_best_child(m, n, s->side, limit, CHOICE_VISITS);
	if (!best || best != mcts_choice_best_child(m, n, s->side, limit, m->task->options->choice))
		return false;
	for (int i = 0; i < count; i++)
		if (&children[i] != best && !is_banned(&children[i]) &&
		    visits_of(&children[i]) + left >= visits_of(best))
			return false;
	struct state next = *s;
	m->tree.game->play(m->tree.game, &next, step_of(best));
	return !next.pending || mcts_choice_is_settled(m, best, &next, limit, left);
}

bool mcts_is_settled(const struct mcts *m, uint64_t left)
{
	return !m->halving.count && mcts_choice_is_settled(m, node_at(&m->tree, m->tree.root),
							   &m->tree.position, 1, left);
}

bool mcts_is_unstable(const struct mcts *m)
{
	const struct node *n = node_at(&m->tree, m->tree.root), *best;
	struct state s = m->tree.position;
	int limit = 1;
	for (int i = 0; n && (i == 0 || s.pending); i++) {
		limit = limit_of(m, n, s.side, limit);
		best = mcts_choice_best_child(m, n, s.side, limit, CHOICE_VISITS);
		if (best != mcts_choice_best_child(m, n, s.side, limit, CHOICE_WINRATE))
			return true;
		if (best)
			m->tree.game->play(m->tree.game, &s, step_of(best));
		n = best;
	}
	return false;
}

/* --- report --- */

/* Returns the second step of a move whose first step has no children because the arena was full: the
 * step with the best result in a few playouts. */
static move_t playout_step(const struct mcts *m, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX], best = 0;
	int count = m->tree.game->moves(m->tree.game, s, steps), most = INT_MIN;
	struct rng rng;
	rng_seed(&rng, m->task->seed);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		int sum = 0;
		m->tree.game->play(m->tree.game, &next, steps[i]);
		for (int j = 0; j < TRIALS; j++)
			sum += score_sign(playout_uniform(m->tree.game, &next, &rng)) *
			       side_sign(s->side);
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

/* Plays the best move at the node *n. Sets *n to the node after it, or to NULL if the tree has none.
 * Returns false and plays nothing if the node has no children. */
static bool mcts_choice_choose_move(const struct mcts *m, const struct node **n, struct state *s,
				    struct move *move)
{
	int limit = 1;
	*move = move_none();
	for (int i = 0; i == 0 || s->pending; i++) {
		if (*n) {
			limit = limit_of(m, *n, s->side, limit);
			*n = mcts_choice_best_child(m, *n, s->side, limit,
						    m->task->options->choice);
		}
		if (!*n && i == 0)
			return false;
		move->step[i] = *n ? step_of(*n) : playout_step(m, s);
		m->tree.game->play(m->tree.game, s, move->step[i]);
	}
	return true;
}

/* Appends to a line the moves that the search expects from a node on, as far as it has visits. Returns
 * the new length of the line, at most `max`. `visits` may be NULL. */
static int mcts_choice_follow_line(const struct mcts *m, const struct node *n, struct state s,
				   int count, struct move *line, uint64_t *visits, int max)
{
	while (n && visits_of(n) && !s.over && count < max) {
		struct move move = move_none();
		int limit = 1;
		for (int i = 0; i == 0 || s.pending; i++) {
			limit = limit_of(m, n, s.side, limit);
			n = mcts_choice_best_child(m, n, s.side, limit, m->task->options->choice);
			if (!n)
				return count;
			move.step[i] = step_of(n);
			m->tree.game->play(m->tree.game, &s, step_of(n));
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
	int count, sign = side_sign(s->side);
	const struct node *children = children_of(&m->tree, n, &count);
	for (int i = 0; i < count; i++) {
		const struct node *child = &children[i];
		if (is_banned(child))
			continue;
		struct move move = first;
		struct state next = *s;
		move.step[s->pending] = step_of(child);
		m->tree.game->play(m->tree.game, &next, step_of(child));
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
		r->lower = (int8_t)lower_of(proof);
		r->upper = (int8_t)upper_of(proof);
		r->value = clamp_value(value_of(m, child, stats), proof);
		r->score = margin_of(m, r->value, proof);
		struct move line[REPORT_LINE_MAX] = { move };
		uint64_t visits[REPORT_LINE_MAX] = { r->visits };
		report_set_line(
			out, r, line, visits,
			mcts_choice_follow_line(m, child, next, 1, line, visits, REPORT_LINE_MAX));
		ratings[out->move_count - 1] = is_halved(m, n) ? mcts_rate_candidate(m, child)
							       : rate_choice(o->choice, r->visits,
									     sign * r->value);
	}
}

/* During work statistics and proofs keep changing. Each is read once here, so that the numbers fit
 * together. The root's proof is read first, because its children never know less than the root. */
void mcts_report(void *self, struct report *out)
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
	if (!mcts_choice_choose_move(m, &n, &s, &out->line[0]))
		return;
	out->line_count = mcts_choice_follow_line(m, n, s, 1, out->line, NULL, PV_MAX);
	/* The value is that of the answer. An answer without visits, after moves that lose, has none of its own. */
	if (!n || !visits_of(n))
		n = root;
	if (visits_of(n) || out->lower == out->upper)
		out->value = clamp_value(value_of(m, n, stats_of(n)), proof);
	out->score = margin_of(m, out->value, proof);
	report_children(m, root, &m->tree.position, move_none(), out, ratings);
	report_sort(out, m->tree.position.side, ratings);
}

/* Returns the proof of a node that holds with all moves of the last search's root. */
static uint8_t lasting_proof(const struct tree *t, const struct node *n)
{
	for (int i = 0; i < t->saved_count; i++)
		if (t->saved[i].node == unit_of(t, n) && t->saved[i].restricted)
			return t->saved[i].proof;
	return proof_of(n);
}

void mcts_look(const void *self, const struct record *r, struct kept *out)
{
	const struct mcts *m = self;
	uint32_t unit_index = tree_find(&m->tree, r);
	if (!unit_index)
		return;
	const struct node *n = node_at(&m->tree, unit_index);
	uint8_t proof = m->proven ? lasting_proof(&m->tree, n) : 0;
	out->visits = visits_of(n);
	kept_narrow(out, lower_of(proof), upper_of(proof));
	out->value = clamp_value(value_of(m, n, stats_of(n)),
				 proof_of_bounds(out->lower, out->upper));
}
