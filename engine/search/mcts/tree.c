/* SPDX-License-Identifier: MIT */
#include "engine/search/mcts/tree.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define NO_PARENT         0          /* parent of a block that is not needed any more */
#define TO_END            UINT16_MAX /* block without nodes: the rest of the arena is unused */

/* Units passed in one slice: SLICE_UNITS, or 1/RESERVE_PART of the ring if that is less. A slice is due
 * when less than 1/RESERVE_PART of the ring is free: enough for what all workers add before they check
 * again. */
#define SLICE_UNITS       ((uint32_t)1 << 18)
#define RESERVE_PART      8
/* Units to pass per playout while there is enough room. */
#define UNITS_PER_PLAYOUT 64
/* A resolved node counts 1/n of its visits: it is not visited any more, and proving it again takes only
 * a part of them. */
#define PROVEN_PART       4

bool tree_prove(const struct tree *t, struct node *parent, int side)
{
	int count;
	struct node *children = children_of(t, parent, &count);
	uint8_t any = 0, all = LOWER_BITS | UPPER_BITS;
	if (count == 0)
		return false;
	for (int i = 0; i < count; i++) {
		if (is_banned(&children[i]))
			continue;
		/* This load and fetch_or are sequentially consistent: if two workers prove the last two
		 * children at the same time, one of them sees both. */
		uint8_t proof = atomic_load(&children[i].proof);
		any |= proof;
		all &= proof;
	}
	uint8_t bits = side == BLACK ? (any & LOWER_BITS) | (all & UPPER_BITS)
				     : (all & LOWER_BITS) | (any & UPPER_BITS);
	uint8_t old = atomic_fetch_or(&parent->proof, bits);
	for (int i = 0; i < count; i++)
		if (!is_banned(&children[i]) &&
		    cannot_gain(proof_of(&children[i]), old | bits, side))
			set_mean(&children[i], PRUNED, 0);
	return (old | bits) != old;
}

/* Returns the bytes of the proof numbers of so many units. */
static size_t numbers_size(uint32_t units)
{
	return (units / NODE_UNITS + 1) * sizeof(struct win_numbers);
}

static bool allocate(struct tree *t, uint32_t units, bool numbered)
{
	t->arena = block_create(units * sizeof(unit));
	t->units = units;
	if (!t->arena || !numbered)
		return t->arena;
	t->numbers = block_create(numbers_size(units));
	if (t->numbers)
		return true;
	block_destroy(t->arena, units * sizeof(unit));
	t->arena = NULL;
	return false;
}

/* Makes room to save what a search of a game changes at its root. What is saved stays. */
static void tree_reserve_saved(struct tree *t, const struct game *g)
{
	size_t nodes = tree_root_nodes(g);
	if (nodes <= t->saved_room)
		return;
	t->saved = xrealloc(t->saved, nodes * sizeof *t->saved);
	t->saved_room = nodes;
}

bool tree_open(struct tree *t, const struct game *g, size_t size, bool numbered)
{
	size_t for_unit = sizeof(unit) + (numbered ? sizeof(struct win_numbers) / NODE_UNITS : 0);
	size_t units = size / for_unit, fewest = FIRST_BLOCK + tree_root_units(g);
	units = units < fewest ? fewest : units;
	units = units > UINT32_MAX / 2 ? UINT32_MAX / 2 : units;
	if (t->arena && t->size == units * for_unit && numbered == !!t->numbers) {
		tree_reserve_saved(t, g);
		return true;
	}
	tree_close(t);
	if (!allocate(t, (uint32_t)units, numbered))
		return false;
	t->size = units * for_unit;
	tree_reserve_saved(t, g);
	return true;
}

void tree_close(struct tree *t)
{
	block_destroy(t->arena, t->units * sizeof(unit));
	block_destroy(t->numbers, t->numbers ? numbers_size(t->units) : 0);
	t->arena = NULL;
	t->numbers = NULL;
	t->size = 0;
	free(t->saved);
	t->saved = NULL;
	t->saved_room = 0;
	tree_forget(t);
}

void tree_forget(struct tree *t)
{
	t->game = NULL;
	t->saved_count = 0;
}

void tree_init_numbers(const struct tree *t, const struct node *n)
{
	struct win_numbers *numbers = numbers_of(t, n);
	atomic_store_explicit(&numbers->of[BLACK], 1, memory_order_relaxed);
	atomic_store_explicit(&numbers->of[WHITE], 1, memory_order_relaxed);
	atomic_store_explicit(&numbers->term, 0, memory_order_relaxed);
}

void tree_clear(struct tree *t, const struct game *game)
{
	memset(node_at(t, ORIGIN), 0, sizeof(struct node));
	if (t->numbers)
		tree_init_numbers(t, node_at(t, ORIGIN));
	atomic_store_explicit(&t->used, 0, memory_order_relaxed);
	t->first = FIRST_BLOCK;
	t->threshold = t->expansion;
	t->to_pass = 0;
	t->passed = t->kept = 0;
	t->garbage = 0;
	t->full = false;
	t->game = game;
	t->earlier = 0;
	t->origin = t->position;
	t->origin_past = t->past;
	t->root = ORIGIN;
}

/* Returns the child that a step leads to from the node `from` of state `s`, or 0. */
static uint32_t tree_descend(const struct tree *t, uint32_t from, const struct state *s,
			     move_t step)
{
	int count;
	struct node *children = children_of(t, node_at(t, from), &count);
	struct state wanted = *s;
	t->game->play(t->game, &wanted, step);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		if (step_of(&children[i]) != step && !s->pending)
			continue;
		t->game->play(t->game, &next, step_of(&children[i]));
		if (state_equal(&next, &wanted))
			return unit_of(t, &children[i]);
	}
	return 0;
}

/* Returns true if the record is at the origin before move `index`, where its state is `s`. */
static bool is_origin(const struct tree *t, const struct record *r, int index,
		      const struct state *s)
{
	return state_equal(s, &t->origin) && record_past(r, index) == t->origin_past;
}

uint32_t tree_find(const struct tree *t, const struct record *r)
{
	if (t->game != r->game)
		return 0;
	struct state s = r->start;
	uint32_t node = is_origin(t, r, 0, &s) ? ORIGIN : 0;
	for (int i = 0; i < r->count; i++) {
		struct move move = r->moves[i].move;
		if (move.step[0] == MOVE_PASS || !record_is_play(&r->moves[i])) {
			record_replay(r, i, &s);
			node = 0;
		} else {
			for (int j = 0; j < move_steps(move); j++) {
				node = node ? tree_descend(t, node, &s, move.step[j]) : 0;
				r->game->play(r->game, &s, move.step[j]);
			}
		}
		if (is_origin(t, r, i + 1, &s))
			node = ORIGIN;
	}
	return node;
}

void tree_save(struct tree *t, const struct node *n, bool restricted)
{
	t->saved[t->saved_count++] = (struct saved) {
		.node = unit_of(t, n),
		.stats = stats_of(n),
		.mean = atomic_load_explicit(&n->mean, memory_order_relaxed),
		.width = atomic_load_explicit(&n->width, memory_order_relaxed),
		.prior = prior_of(n),
		.best = best_of(n),
		.proof = proof_of(n),
		.restricted = restricted,
	};
}

void tree_end_search(struct tree *t)
{
	int side = t->position.side;
	for (int i = 0; i < t->saved_count; i++) {
		const struct saved *saved = &t->saved[i];
		struct node *n = node_at(t, saved->node);
		atomic_store_explicit(&n->stats, saved->stats, memory_order_relaxed);
		set_mean(n, saved->mean, saved->width);
		atomic_store_explicit(&n->prior, saved->prior, memory_order_relaxed);
		atomic_store_explicit(&n->best, saved->best, memory_order_relaxed);
		if (saved->restricted)
			atomic_store_explicit(&n->proof, saved->proof, memory_order_relaxed);
	}
	for (int i = t->saved_count - 1; i >= 0; i--)
		if (t->saved[i].restricted)
			tree_prove(t, node_at(t, t->saved[i].node), side);
	t->saved_count = 0;
	t->earlier += atomic_load_explicit(&t->playouts, memory_order_relaxed);
	atomic_store_explicit(&t->playouts, 0, memory_order_relaxed);
	t->slice_playouts = 0;
}

/* Allocates `need` consecutive units behind the last block of the ring. A block does not cross the end
 * of the arena; units left there are skipped. Returns 0 if there is no room. */
static uint32_t take_units(struct tree *t, uint32_t need)
{
	uint32_t used = atomic_load_explicit(&t->used, memory_order_relaxed), at, gap;
	do {
		at = t->first + used;
		at -= at >= t->units ? ring_units(t) : 0;
		gap = need > t->units - at ? t->units - at : 0;
		if (gap + need > ring_units(t) - used)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
		&t->used, &used, used + gap + need, memory_order_relaxed, memory_order_relaxed));
	if (gap == 0)
		return at;
	*block_at(t, at) = (struct block) { .parent = NO_PARENT, .count = TO_END };
	return (uint32_t)FIRST_BLOCK;
}

uint32_t tree_take_block(struct tree *t, const struct node *parent, int count, int pending)
{
	uint32_t block = take_units(t, (uint32_t)(BLOCK_UNITS + (size_t)count * NODE_UNITS));
	if (block)
		*block_at(t, block) = (struct block) {
			.parent = unit_of(t, parent),
			.count = (uint16_t)count,
			.pending = (uint8_t)(pending & 0x7f),
			.round = t->round,
		};
	return block;
}

uint64_t tree_threshold(const struct tree *t)
{
	uint32_t ring = ring_units(t), room = t->full ? ring : room_of(t) + t->garbage;
	int doublings = room < ring ? __builtin_clz(room | 1) - __builtin_clz(ring) : 0;
	return t->threshold << doublings;
}

/* --- garbage --- */

/* Makes the root the origin: everything outside its subtree is garbage. The threshold falls in proportion to
 * the size of the tree. */
static void make_root_origin(struct tree *t)
{
	struct node *root = node_at(t, t->root), *origin = node_at(t, ORIGIN);
	uint32_t block = atomic_load_explicit(&root->children, memory_order_relaxed);
	double share = (double)(visits_of(root) + 1) / (double)(visits_of(origin) + 1);
	/* More than 1 if an earlier search began at the root: it added no visits to the origin. */
	share = share < 1 ? share : 1;
	uint64_t lower = (uint64_t)((double)t->threshold * share);
	if (lower < t->threshold)
		t->threshold = lower > t->expansion ? lower : t->expansion;
	block_at(t, atomic_load_explicit(&origin->children, memory_order_relaxed))->parent =
		NO_PARENT;
	atomic_store_explicit(&root->children, NO_CHILDREN, memory_order_relaxed);
	memcpy(origin, root, sizeof *origin);
	if (t->numbers)
		*numbers_of(t, origin) = *numbers_of(t, root);
	atomic_store_explicit(&origin->children, block, memory_order_relaxed);
	if (block >= FIRST_BLOCK)
		block_at(t, block)->parent = ORIGIN;
	for (int i = 0; i < t->saved_count; i++)
		if (t->saved[i].node == t->root)
			t->saved[i].node = ORIGIN;
	t->root = ORIGIN;
	t->origin = t->position;
	t->origin_past = t->past;
	t->to_pass = atomic_load_explicit(&t->used, memory_order_relaxed);
	t->garbage = (uint32_t)((1 - share) * t->to_pass);
	t->passed = t->kept = 0;
	t->round++;
}

/* Returns the block that contains a node other than the origin. */
static struct block *block_of(const struct tree *t, uint32_t node)
{
	uint32_t place = place_of(node_at(t, node));
	return block_at(t, node - place * (uint32_t)NODE_UNITS - (uint32_t)BLOCK_UNITS);
}

/* Returns true if the nodes of a block are steps of whole moves at the root, which must be the origin. */
static bool is_at_root(const struct tree *t, const struct block *b)
{
	while (b->pending && b->parent != ORIGIN && b->parent != NO_PARENT)
		b = block_of(t, b->parent);
	return b->parent == ORIGIN;
}

/* Returns true if a block is outside the root's subtree. This also settles the blocks above it, so each
 * is checked once a round. */
static bool is_garbage(const struct tree *t, struct block *b)
{
	struct block *last = b;
	while (last->round != t->round && last->parent != NO_PARENT && last->parent != ORIGIN)
		last = block_of(t, last->parent);
	if (last->round != t->round || last->parent == NO_PARENT)
		last->garbage = last->parent == NO_PARENT;
	last->round = t->round;
	for (; b != last; b = block_of(t, b->parent)) {
		b->round = t->round;
		b->garbage = last->garbage;
	}
	return last->garbage;
}

/* Returns true if a block must be kept. Second steps are kept as long as their first steps, because
 * they are needed as soon as their first step is chosen. */
static bool is_needed(const struct tree *t, struct block *b)
{
	if (is_garbage(t, b))
		return false;
	const struct node *parent = node_at(t, b->parent);
	uint64_t worth = visits_of(parent) / (is_resolved(proof_of(parent)) ? PROVEN_PART : 1);
	return worth >= t->threshold || b->pending || b->parent == ORIGIN;
}

/* Updates the parent of the blocks below a block's nodes. `gone`: they have no parent any more. */
static void set_parents(struct tree *t, uint32_t block, bool gone)
{
	struct node *nodes = block_nodes(t, block);
	for (int i = 0, count = block_at(t, block)->count; i < count; i++) {
		uint32_t below = atomic_load_explicit(&nodes[i].children, memory_order_relaxed);
		if (below >= FIRST_BLOCK)
			block_at(t, below)->parent = gone ? NO_PARENT : unit_of(t, &nodes[i]);
	}
}

/* Moves the block that was the first behind the last. Its units must already be counted as free. */
static void move_block(struct tree *t, uint32_t from, uint32_t size)
{
	struct block header = *block_at(t, from);
	uint32_t to = take_units(t, size);
	assert(to); /* its old place is free at least */
	for (int i = 0; is_at_root(t, &header) && i < t->saved_count; i++)
		if (t->saved[i].node - from < size)
			t->saved[i].node += to - from;
	memmove(t->arena + to, t->arena + from, size * sizeof(unit));
	if (t->numbers)
		memmove(numbers_of(t, block_nodes(t, to)), numbers_of(t, block_nodes(t, from)),
			header.count * sizeof *t->numbers);
	atomic_store_explicit(&node_at(t, header.parent)->children, to, memory_order_relaxed);
	set_parents(t, to, false);
}

/* Passes the first block: moves or drops it. Returns its size in units. */
static uint32_t pass_block(struct tree *t)
{
	uint32_t from = t->first;
	bool needed = is_needed(t, block_at(t, from));
	struct block header = *block_at(t, from);
	uint32_t size = header.count == TO_END
				? t->units - from
				: (uint32_t)(BLOCK_UNITS + header.count * NODE_UNITS);
	t->first = from + size == t->units ? (uint32_t)FIRST_BLOCK : from + size;
	atomic_fetch_sub_explicit(&t->used, size, memory_order_relaxed);
	t->to_pass -= size;
	if (header.garbage)
		t->garbage -= size < t->garbage ? size : t->garbage;
	if (t->to_pass == 0)
		t->garbage = 0;
	t->passed += size;
	t->kept += needed ? size : 0;
	if (needed) {
		move_block(t, from, size);
	} else if (header.count != TO_END) {
		set_parents(t, from, true);
		if (header.parent != NO_PARENT)
			atomic_store_explicit(&node_at(t, header.parent)->children, NO_CHILDREN,
					      memory_order_relaxed);
	}
	return size;
}

/* The number of nodes with at least n visits is roughly proportional to 1/n. All blocks, except garbage
 * that is not known yet, belong to nodes above the threshold. So a threshold twice as high keeps half of
 * them. If the last round kept more than half, the threshold rises further. */
static void begin_round(struct tree *t)
{
	uint64_t least = t->threshold + t->threshold / 4 + 1;
	least = least < 2 * t->per_simulation ? 2 * t->per_simulation : least;
	t->threshold = t->passed ? 4 * t->threshold * t->kept / t->passed : 0;
	t->threshold = t->threshold < least        ? least
		       : t->threshold > VISITS_MAX ? VISITS_MAX
						   : t->threshold;
	t->to_pass = atomic_load_explicit(&t->used, memory_order_relaxed);
	t->passed = t->kept = 0;
	t->round++;
	t->full = true;
}

static uint32_t slice_units(const struct tree *t)
{
	uint32_t part = ring_units(t) / RESERVE_PART;
	return part < SLICE_UNITS ? part : SLICE_UNITS;
}

static void collect(struct tree *t, uint32_t slice)
{
	uint32_t left = atomic_load_explicit(&t->used, memory_order_relaxed);
	if (t->root != ORIGIN)
		make_root_origin(t);
	t->slice_playouts = atomic_load_explicit(&t->playouts, memory_order_relaxed);
	left = left < slice ? left : slice;
	while (left > 0) {
		if (t->to_pass == 0)
			begin_round(t);
		uint32_t size = pass_block(t);
		left -= size < left ? size : left;
	}
}

void tree_collect(struct tree *t)
{
	collect(t, SLICE_UNITS);
}

/* Returns true if a slice is due (see tree_is_due). */
static bool is_due(const struct tree *t)
{
	uint64_t playouts = atomic_load_explicit(&t->playouts, memory_order_relaxed) -
			    t->slice_playouts;
	return room_of(t) < ring_units(t) / RESERVE_PART ||
	       (t->garbage && playouts * UNITS_PER_PLAYOUT >= slice_units(t));
}

void tree_enter(struct tree *t)
{
	for (;;) {
		atomic_fetch_add(&t->inside, 1);
		if (!atomic_load(&t->collecting))
			return;
		atomic_fetch_sub(&t->inside, 1);
		while (atomic_load(&t->collecting))
			sched_yield();
	}
}

void tree_leave(struct tree *t)
{
	atomic_fetch_sub(&t->inside, 1);
}

bool tree_is_due(const struct tree *t)
{
	return atomic_load(&t->collecting) || is_due(t);
}

void tree_make_room(struct tree *t)
{
	tree_leave(t);
	if (!atomic_exchange(&t->collecting, true)) {
		while (atomic_load(&t->inside) > 0)
			sched_yield();
		if (is_due(t))
			collect(t, slice_units(t));
		atomic_store(&t->collecting, false);
	}
	tree_enter(t);
}
