/* SPDX-License-Identifier: MIT
 *
 * The tree of a Monte Carlo search: its nodes, and the memory that they lie in.
 *
 * That is one block, an arena of 8-byte units. The children of a node are one block of it: a header and then the
 * nodes, so that selection reads memory in a row. Parent and block know each other, so blocks can be moved and
 * dropped one by one.
 *
 * The blocks stand in a ring, and new ones come behind the last. When little room is left the first are passed: those
 * whose parents have had fewer visits than a bar, and those of parents that were dropped, make room; the others
 * move behind the last. What is dropped costs no more visits than the bar to be found again, and a leaf gets
 * children when it has had as many. The bar follows from how much of the last round was kept, so that
 * each round keeps about half of the tree, and the tree goes on growing where it is visited most. Rounds are
 * made in slices of some milliseconds, between which the search goes on; in a slice no worker is in the tree.
 *
 * All workers share the tree without locks. Statistics and proofs are atomics: visits and points change
 * together in one word, proofs only ever gain bits, a block is published by one release store.
 *
 * A node's own statistics and proof are what those above it choose by. A search that begins at the node gives
 * it visits which nobody above has chosen, and one of some moves only spreads them as it must: what that
 * changes at the root and next to it is saved, and put back before the next search. Below, everything stays true.
 */
#ifndef ENGINE_TREE_H
#define ENGINE_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game.h"
#include "engine/record.h"

/* Proven bounds of Black's result r, as bits so that proving is one fetch_or. */
enum { LOWER_DRAW = 1, LOWER_WIN = 2, UPPER_DRAW = 4, UPPER_LOSS = 8 };
#define LOWER_BITS  (LOWER_DRAW | LOWER_WIN)
#define UPPER_BITS  (UPPER_DRAW | UPPER_LOSS)

#define PROVEN_WIN  (LOWER_DRAW | LOWER_WIN)
#define PROVEN_DRAW (LOWER_DRAW | UPPER_DRAW)
#define PROVEN_LOSS (UPPER_DRAW | UPPER_LOSS)

struct node {
	/* Visits in the upper bits; in the lower ones the points of Black, WON for a win. */
	_Atomic uint64_t stats;
	/* What selection looks at, derived from stats: BIAS + the mean result -1 .. 1 of who chooses
	 * this node, or DEAD if it should not be visited any more, or BANNED if it must not be; and
	 * 1/sqrt(visits), or 0. With a judge prior/(1 + visits) instead. */
	_Atomic float mean, width;
	_Atomic uint32_t children; /* unit of the block of children, or NO_CHILDREN, or EXPANDING */
	/* Proven bounds, and in the upper bits how much df-pn has worked here. */
	_Atomic uint8_t proof;
	uint8_t count; /* of children */
	uint8_t step;  /* that leads here */
	uint8_t place; /* in its block */
	/* With a judge: how likely it is to be chosen; the result for Black that it expected here, or by
	 * minimax of what it expected below. With RAVE: how many playouts of the parent had the step sooner or
	 * later; their mean for Black. */
	_Atomic float prior, best;
};

struct block {
	uint32_t parent; /* unit of the node that these are the children of, or NO_PARENT */
	uint8_t count;   /* nodes that follow, or TO_END */
	bool second;     /* they are second steps of moves */
	/* The round in which it was last asked whether the block is below the root, and whether it was not. */
	uint8_t round;
	bool garbage;
};

typedef uint64_t unit;
#define NODE_UNITS  (sizeof(struct node) / sizeof(unit))
#define BLOCK_UNITS (sizeof(struct block) / sizeof(unit))
_Static_assert(sizeof(struct node) == NODE_UNITS * sizeof(unit), "nodes fill whole units");
_Static_assert(sizeof(struct block) == BLOCK_UNITS * sizeof(unit), "headers fill whole units");

enum { NO_CHILDREN, EXPANDING, ORIGIN = 2, FIRST_BLOCK = ORIGIN + NODE_UNITS };

/* Points of one visit: fine enough for what a judge says, which is rounded at random. */
#define DRAWN        4
#define WON          (2 * DRAWN)
#define VISITS_SHIFT 34
#define ONE_VISIT    ((uint64_t)1 << VISITS_SHIFT)
#define POINTS_SET   (ONE_VISIT - 1)
/* So many playouts in one tree end the search; half as many, and the next begins a new one. No node is visited
 * more often, so its statistics stay in range. */
#define VISITS_MAX   (((uint64_t)1 << 30) - (1 << 20))
/* With the bias all means but DEAD are positive: the bits of positive floats are ordered like integers. */
#define BIAS         4.0f
#define DEAD         (-1.0f)
#define BANNED       (-0.5f) /* as an integer the least: the dead come before it */

struct tree {
	unit *arena;
	size_t size;    /* bytes of the arena */
	uint32_t units; /* usable units */
	uint32_t first; /* unit of the first block in the ring */

	const struct game *game; /* NULL: there is no tree */
	struct state origin;     /* the position of the node at unit ORIGIN */
	uint32_t root;           /* the node searched, */
	struct state position;   /* and the position there */
	uint64_t earlier;        /* playouts of earlier searches in it */

	/* Visits that a leaf must have had to get children, and a node to keep them; at least `expansion`. A playout
	 * counts for so many `at_once`. */
	uint64_t bar, expansion, at_once;
	bool full; /* once; since then the bar rises */
	uint8_t round;
	uint32_t to_pass; /* units in this round, yet */
	uint32_t garbage; /* units of them that are above the root, about */
	/* Units of the round so far, and those kept. */
	uint64_t passed, kept;
	uint64_t paid; /* playouts when the last slice was passed */

	/* What to put back when this search is over, parents before their children. */
	int saved_count;
	struct saved {
		uint32_t node;
		uint64_t stats;
		float mean, width, prior, best;
		uint8_t proof;
		bool restricted; /* the proof too, because some of its children are banned */
	} saved[1 + GAME_STEPS_MAX + GAME_MOVES_MAX];

	/* What workers write stands apart in memory from what they all read. */
	char apart[64];
	_Atomic uint32_t used;   /* units of the ring, with those free at the end of the arena */
	_Atomic int inside;      /* workers in the tree */
	_Atomic bool collecting; /* or about to: none may enter */
	_Atomic uint64_t playouts;
};

static inline struct node *node_at(const struct tree *t, uint32_t unit_index)
{
	return (struct node *)(void *)(t->arena + unit_index);
}

static inline struct block *block_at(const struct tree *t, uint32_t unit_index)
{
	return (struct block *)(void *)(t->arena + unit_index);
}

static inline uint32_t unit_of(const struct tree *t, const struct node *n)
{
	return (uint32_t)((const unit *)(const void *)n - t->arena);
}

static inline struct node *block_nodes(const struct tree *t, uint32_t block)
{
	return node_at(t, block + (uint32_t)BLOCK_UNITS);
}

static inline struct node *children_of(const struct tree *t, const struct node *n, int *count)
{
	uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
	*count = block < FIRST_BLOCK ? 0 : n->count;
	return block < FIRST_BLOCK ? NULL : block_nodes(t, block);
}

/* --- nodes --- */

static inline uint64_t stats_of(const struct node *n)
{
	return atomic_load_explicit(&n->stats, memory_order_relaxed);
}

static inline uint64_t visits_of(const struct node *n)
{
	return stats_of(n) >> VISITS_SHIFT;
}

static inline float prior_of(const struct node *n)
{
	return atomic_load_explicit(&n->prior, memory_order_relaxed);
}

static inline float best_of(const struct node *n)
{
	return atomic_load_explicit(&n->best, memory_order_relaxed);
}

static inline uint8_t proof_of(const struct node *n)
{
	return atomic_load_explicit(&n->proof, memory_order_relaxed) & (LOWER_BITS | UPPER_BITS);
}

static inline void set_mean(struct node *n, float mean, float width)
{
	atomic_store_explicit(&n->mean, mean, memory_order_relaxed);
	atomic_store_explicit(&n->width, width, memory_order_relaxed);
}

static inline bool is_banned(const struct node *n)
{
	return atomic_load_explicit(&n->mean, memory_order_relaxed) == BANNED;
}

static inline bool is_resolved(uint8_t proof)
{
	return (proof & LOWER_WIN) || (proof & UPPER_LOSS) || (proof & PROVEN_DRAW) == PROVEN_DRAW;
}

static inline int lower_of(uint8_t proof)
{
	return proof & LOWER_WIN ? 1 : proof & LOWER_DRAW ? 0 : -1;
}

static inline int upper_of(uint8_t proof)
{
	return proof & UPPER_LOSS ? -1 : proof & UPPER_DRAW ? 0 : 1;
}

static inline uint8_t proof_of_bounds(int lower, int upper)
{
	return (uint8_t)((lower >= 0 ? LOWER_DRAW : 0) | (lower > 0 ? LOWER_WIN : 0) |
			 (upper <= 0 ? UPPER_DRAW : 0) | (upper < 0 ? UPPER_LOSS : 0));
}

static inline uint8_t proof_of_result(int result)
{
	return result > 0 ? PROVEN_WIN : result < 0 ? PROVEN_LOSS : PROVEN_DRAW;
}

/* Whether `side`, choosing at a node with proof `parent`, cannot gain by a child with proof `child`. */
static inline bool is_dead(uint8_t child, uint8_t parent, int side)
{
	if (side == BLACK)
		return (child & UPPER_LOSS) || ((child & UPPER_DRAW) && (parent & LOWER_DRAW));
	return (child & LOWER_WIN) || ((child & LOWER_DRAW) && (parent & UPPER_DRAW));
}

/* Adds what the children's proofs say of their parent, where `side` chooses; true if that is news. */
bool tree_prove(const struct tree *, struct node *parent, int side);

/* --- the tree --- */

/* Takes so many bytes, or a few more or less; what the tree was is lost if it had others. False: refused. */
bool tree_open(struct tree *, size_t size);
void tree_close(struct tree *);

/* A new tree, of the position to search. */
void tree_clear(struct tree *, const struct game *);

/* The node of the record's position, 0 if there is none: the record must pass through the origin, and the tree must
 * have grown along the moves made since. */
uint32_t tree_find(const struct tree *, const struct record *);

/* Notes what is to be put back of a node at the root or next to it. */
void tree_save(struct tree *, const struct node *, bool restricted);

/* Puts back what the last search has saved, and proves what its moves prove together with those that it left
 * out. Its playouts are earlier ones now. */
void tree_end_search(struct tree *);

/* --- its memory --- */

/* Units that the children of a node, and the whole moves of a position, take at most; these with what may stay free
 * before the end of the arena. */
#define TREE_BLOCK_UNITS (BLOCK_UNITS + NODE_UNITS * GAME_STEPS_MAX)
#define TREE_ROOT_UNITS                                                                            \
	(TREE_BLOCK_UNITS + GAME_STEPS_MAX * BLOCK_UNITS + NODE_UNITS * GAME_MOVES_MAX +           \
	 TREE_BLOCK_UNITS)

static inline uint32_t ring_units(const struct tree *t)
{
	return t->units - (uint32_t)FIRST_BLOCK;
}

static inline uint32_t room_of(const struct tree *t)
{
	return ring_units(t) - atomic_load_explicit(&t->used, memory_order_relaxed);
}

/* Takes room for the children of a node, which the caller fills and publishes; 0: there is none. */
uint32_t tree_take_block(struct tree *, const struct node *parent, int count, bool second);

/* Visits that a leaf must have had before it gets children. */
uint64_t tree_bar(const struct tree *);

/* Workers are in the tree while they hold nodes of it, and wait for nothing there. */
void tree_enter(struct tree *);
void tree_leave(struct tree *);

/* Whether garbage should be collected now, or another worker is about to: room is needed, or to be had and paid for
 * by playouts. */
bool tree_is_due(const struct tree *);

/* Leaves the tree, collects when all have left it, or waits while another worker does, and enters it. */
void tree_make_room(struct tree *);

/* Makes room at once, for a worker that is alone. */
void tree_collect(struct tree *);

#endif
