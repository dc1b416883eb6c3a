/* SPDX-License-Identifier: MIT
 *
 * Sequential halving at the root (Karnin et al., 2013), with Gumbel noise (Danihelka et al., 2022): a few moves,
 * drawn without replacement by their priors, share the simulations. The worse half leaves, then the next, until two
 * are left. In expectation the move that wins is better than one drawn by the priors, however few the simulations are.
 *
 * Thread: the only worker.
 */
#include <math.h>

#include "engine/search/mcts/halving.h"
#include "engine/search/mcts/mcts.h"

/* Rates a child of the root by its noise, its prior and its value. */
static float mcts_halving_rate(const struct mcts *m, const struct node *child, int i, uint64_t most)
{
	return m->halving.start[i] + halving_weight(mean_of(child) - BIAS, most);
}

static uint64_t mcts_halving_most_visits(const struct node *children, int count)
{
	uint64_t most = 0;
	for (int i = 0; i < count; i++)
		most = visits_of(&children[i]) > most ? visits_of(&children[i]) : most;
	return most;
}

/* Sorts the candidates, the best first, by the given ratings, indexed by child. */
static void mcts_halving_sort(struct halving *h, const float *ratings)
{
	for (int i = 1; i < h->count; i++) {
		uint16_t moved = h->child[i];
		int to = i;
		for (; to > 0 && ratings[h->child[to - 1]] < ratings[moved]; to--)
			h->child[to] = h->child[to - 1];
		h->child[to] = moved;
	}
}

/* Sets how often each candidate is visited before the next halving: all parts get an equal number of simulations. */
static void begin_part(struct halving *h)
{
	uint64_t each = h->budget / (uint64_t)(h->parts * h->count);
	h->left = (each ? each : 1) * (uint64_t)h->count;
	h->at = 0;
}

void mcts_begin_halving(struct mcts *m, const struct node *children, int count, struct rng *rng)
{
	struct halving *h = &m->halving;
	h->count = 0;
	for (int i = 0; i < count; i++) {
		float chance = ((float)(rng_next(rng) >> 40) + 0.5f) / (1 << 24);
		h->start[i] = logf(prior_of(&children[i]) + 1e-9f) - logf(-logf(chance));
		if (!is_pruned(&children[i]))
			h->child[h->count++] = (uint16_t)i;
	}
	mcts_halving_sort(h, h->start);
	h->count = h->count < h->width ? h->count : h->width;
	h->parts = 1;
	while (1 << h->parts < h->count)
		h->parts++;
	if (h->count)
		begin_part(h);
}

/* Removes the worse half, but not the best two. */
static void halve(struct mcts *m, const struct node *children, int count)
{
	struct halving *h = &m->halving;
	float ratings[GAME_STEPS_MAX];
	uint64_t most = mcts_halving_most_visits(children, count);
	for (int i = 0; i < h->count; i++) {
		const struct node *child = &children[h->child[i]];
		ratings[h->child[i]] = is_pruned(child)
					       ? -INFINITY
					       : mcts_halving_rate(m, child, h->child[i], most);
	}
	mcts_halving_sort(h, ratings);
	if (h->count > 2)
		h->count = h->count / 2 < 2 ? 2 : h->count / 2;
	begin_part(h);
}

struct node *mcts_next_candidate(struct mcts *m, struct node *children, int count)
{
	struct halving *h = &m->halving;
	if (h->count && !h->left)
		halve(m, children, count);
	for (int i = 0; i < h->count; i++) {
		struct node *child = &children[h->child[h->at++ % h->count]];
		h->left -= h->left > 0;
		if (!is_pruned(child) && !is_banned(child))
			return child;
	}
	return NULL;
}

double mcts_rate_candidate(const struct mcts *m, const struct node *child)
{
	const struct halving *h = &m->halving;
	int count;
	const struct node *children = children_of(&m->tree, node_at(&m->tree, m->tree.root),
						  &count);
	int index = (int)(child - children);
	for (int i = 0; i < h->count; i++)
		if (h->child[i] == index)
			return (double)mcts_halving_rate(m, child, index,
							 mcts_halving_most_visits(children, count));
	return -1e6 + (double)visits_of(child);
}
