/* SPDX-License-Identifier: MIT
 *
 * Proof numbers in the tree (PN-MCTS: Doe, Winands, Soemers and Browne, 2022; one number for each side: Kowalski,
 * Soemers, Kosakowski and Winands, 2025). A node has for each side the least number of leaves that must turn out well for
 * this side to prove its win. At a node where the side chooses it is the minimum over the children, elsewhere their
 * sum. Selection adds a term to the mean of a child: the smaller the number of the side that chooses, the larger the
 * term. So simulations prefer what is easy to prove.
 *
 * Bounds of the result come from the proofs of the tree, which know draws, and settle the numbers. The numbers
 * themselves prove nothing.
 *
 * Threads: workers may change the numbers of a node at the same time. A number is then old until one of them passes
 * the node again.
 */
#include <stdlib.h>

#include "engine/search/mcts/mcts.h"

#define VISITS_FOR_TERM 5 /* a node with fewer visits selects without the term, as in the papers */

/* Returns the number of a side at a node. Its proof comes before its number. */
static uint32_t number_of(const struct tree *t, const struct node *n, int side)
{
	uint8_t proof = proof_of(n);
	uint8_t win = side == BLACK ? LOWER_WIN : UPPER_LOSS;
	uint8_t none = side == BLACK ? UPPER_DRAW : LOWER_DRAW;
	if (proof & win)
		return 0;
	if (proof & none)
		return WIN_NEVER;
	return atomic_load_explicit(&numbers_of(t, n)->of[side], memory_order_relaxed);
}

/* Adds numbers. A sum that is too large for a number stays below WIN_NEVER, which would claim something. */
static uint32_t mcts_numbers_add_numbers(uint32_t a, uint32_t b)
{
	if (a == WIN_NEVER || b == WIN_NEVER)
		return WIN_NEVER;
	return a < WIN_NEVER - 1 - b ? a + b : WIN_NEVER - 1;
}

/* Sets a number of a node from its children. Returns true if that changes it. */
static bool mcts_numbers_set_number(const struct mcts *m, const struct node *n, int side,
				    bool chooses)
{
	int count;
	const struct node *children = children_of(&m->tree, n, &count);
	uint32_t least = WIN_NEVER, sum = 0;
	_Atomic uint32_t *number = &numbers_of(&m->tree, n)->of[side];
	for (int i = 0; i < count; i++) {
		if (is_banned(&children[i]))
			continue;
		uint32_t of_child = number_of(&m->tree, &children[i], side);
		least = of_child < least ? of_child : least;
		sum = mcts_numbers_add_numbers(sum, of_child);
	}
	uint32_t value = chooses ? least : sum;
	return atomic_exchange_explicit(number, value, memory_order_relaxed) != value;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Replaces sorted numbers by each different one once. Returns how many there are. */
static int drop_equal(uint32_t *sorted, int count)
{
	int kept = 0;
	for (int i = 0; i < count; i++)
		if (kept == 0 || sorted[i] != sorted[kept - 1])
			sorted[kept++] = sorted[i];
	return kept;
}

/* What all terms of a node's children are computed from. */
struct scale {
	int term;       /* enum pn_term */
	double largest; /* PN_MAX: the largest number, PN_SUM: the sum */
	int ranks;      /* PN_RANK: different numbers, in `sorted` */
	uint32_t *sorted;
};

static void init_scale(struct scale *s, int term, const uint32_t *numbers, int count)
{
	int open = 0;
	s->term = term;
	s->largest = 0;
	for (int i = 0; i < count; i++) {
		if (numbers[i] == WIN_NEVER)
			continue;
		s->sorted[open++] = numbers[i];
		if (term == PN_SUM)
			s->largest += numbers[i];
		else if (numbers[i] > s->largest)
			s->largest = numbers[i];
	}
	if (term == PN_RANK) {
		qsort(s->sorted, (size_t)open, sizeof *s->sorted, compare_numbers);
		s->ranks = drop_equal(s->sorted, open);
	}
}

/* Returns the term of a number, 0 (hardest to prove, or never) .. 1. */
static float term_of(const struct scale *s, uint32_t number)
{
	if (number == WIN_NEVER || s->largest <= 0)
		return 0;
	if (s->term != PN_RANK)
		return (float)(1 - number / s->largest);
	const uint32_t *at = bsearch(&number, s->sorted, (size_t)s->ranks, sizeof number,
				     compare_numbers);
	return 1 - (float)(at - s->sorted + 1) / (float)s->ranks;
}

/* Computes the terms of a node's children, and gives them to selection. `side` chooses there. */
static void set_terms(const struct mcts *m, const struct node *n, int side)
{
	int count;
	struct node *children = children_of(&m->tree, n, &count);
	uint32_t numbers[GAME_STEPS_MAX], sorted[GAME_STEPS_MAX];
	struct scale scale = { .sorted = sorted };
	for (int i = 0; i < count; i++)
		numbers[i] = number_of(&m->tree, &children[i], side);
	init_scale(&scale, m->pn_term, numbers, count);
	for (int i = 0; i < count; i++) {
		struct win_numbers *of_child = numbers_of(&m->tree, &children[i]);
		float term = m->pn * term_of(&scale, numbers[i]);
		uint64_t stats = stats_of(&children[i]);
		if (atomic_exchange_explicit(&of_child->term, term, memory_order_relaxed) == term)
			continue;
		if (stats >> VISITS_SHIFT && !is_banned(&children[i]) && !is_pruned(&children[i]))
			update_mean(m, &children[i], stats, side);
	}
}

bool mcts_update_numbers(const struct mcts *m, const struct node *n, int side)
{
	if (atomic_load_explicit(&n->children, memory_order_acquire) < FIRST_BLOCK)
		return true;
	bool changed = mcts_numbers_set_number(m, n, BLACK, side == BLACK);
	changed |= mcts_numbers_set_number(m, n, WHITE, side == WHITE);
	if (visits_of(n) >= VISITS_FOR_TERM)
		set_terms(m, n, side);
	return changed || is_resolved(proof_of(n));
}
