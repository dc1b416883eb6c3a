/* SPDX-License-Identifier: MIT
 *
 * The tree of a Monte Carlo search: its nodes and their memory.
 *
 * The memory is one arena of 8-byte units. The children of a node form one block: a header, then the
 * nodes, so that selection reads consecutive memory. Parent and block refer to each other, so each
 * block can be moved or dropped alone.
 *
 * The blocks form a ring; new blocks are appended behind the last. When little room is left, garbage is
 * collected: the blocks at the front are passed one by one. A passed block is dropped if its parent has
 * fewer visits than the threshold, or was dropped itself. All others move behind the last block.
 * A dropped block costs at most `threshold` visits to build again, and a leaf gets children after as many
 * visits. A round passes every block once. The threshold follows from the share that the last round kept, so
 * that each round keeps about half of the tree, and the tree keeps growing where it is visited most. A
 * round runs in slices of some milliseconds. The search goes on between slices; during a slice no
 * worker is in the tree.
 *
 * All workers share the tree without locks. Statistics and proofs are atomic: visits and points change
 * together in one word, proofs only gain bits, and one release store publishes a block.
 *
 * A parent selects by the statistics and proofs of its children. A search that begins at a node gives it
 * visits that its parent has not selected. A search of some moves only distributes visits differently. So
 * what a search changes at its root and at the root's moves is saved, and put back before the next search.
 * Everything below stays valid.
 */
#ifndef ENGINE_SEARCH_MCTS_TREE_H
#define ENGINE_SEARCH_MCTS_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/rules/game.h"
#include "engine/rules/record.h"

/* Proven bounds of Black's result r, as bits, so that one fetch_or adds a proof. */
enum { LOWER_DRAW = 1, LOWER_WIN = 2, UPPER_DRAW = 4, UPPER_LOSS = 8 };
#define LOWER_BITS  (LOWER_DRAW | LOWER_WIN)
#define UPPER_BITS  (UPPER_DRAW | UPPER_LOSS)

#define PROVEN_WIN  (LOWER_DRAW | LOWER_WIN)
#define PROVEN_DRAW (LOWER_DRAW | UPPER_DRAW)
#define PROVEN_LOSS (UPPER_DRAW | UPPER_LOSS)

struct node {
	/* Visits in the upper bits. In the lower bits Black's points, WON for a win. */
	_Atomic uint64_t stats;
	/* What selection reads, derived from stats. `mean`: BIAS + the mean result, -1 .. 1, of the
	 * side that chooses this node; PRUNED if visiting it is useless; BANNED if it must not be
	 * visited. `width`: 1/sqrt(visits), or 0 without visits; with an evaluator prior/(1 + visits). */
	_Atomic float mean, width;
	_Atomic uint32_t children; /* unit of the block of children, or NO_CHILDREN or EXPANDING */
	/* Proven bounds. In the upper bits: how much df-pn has worked here. */
	_Atomic uint8_t proof;
	/* The step that leads here is in the lower bits of `step`. The node's index in its block has the
	 * bits above it, and `place` as its upper bits: step_of(), place_of(). They never change while other
	 * workers see the node. */
	uint8_t place;
	uint16_t step;
	/* With an evaluator: `prior` is the probability to be chosen, `best` the expected result for
	 * Black, evaluated here or backed up by minimax from below. With RAVE: `prior` is the number of
	 * the parent's playouts in which the step was made, sooner or later, and `best` their mean for
	 * Black. */
	_Atomic float prior, best;
};

/* Proof numbers of a node, one for each side: the least number of leaves that must turn out well for the side to prove
 * its win. They guide selection and prove nothing. */
#define WIN_NEVER UINT32_MAX /* this side cannot win */
struct win_numbers {
	_Atomic uint32_t of[2]; /* indexed by side */
	_Atomic float term; /* what selection adds to the mean of the side that chooses this node */
};

struct block {
	uint32_t parent; /* unit of the parent node, or NO_PARENT */
	uint16_t count;  /* number of nodes that follow, or TO_END */
	/* The round in which `garbage` was last set, and whether the block was outside the root's
	 * subtree. */
	uint8_t round;
	uint8_t garbage : 1;
	uint8_t pending : 7; /* steps of the same move before these nodes */
};

typedef uint64_t unit;
#define NODE_UNITS  (sizeof(struct node) / sizeof(unit))
#define BLOCK_UNITS (sizeof(struct block) / sizeof(unit))
_Static_assert(sizeof(struct node) == 32, "two nodes fill a cache line");
_Static_assert(sizeof(struct node) == NODE_UNITS * sizeof(unit), "nodes fill whole units");
_Static_assert(sizeof(struct block) == BLOCK_UNITS * sizeof(unit), "headers fill whole units");

enum { NO_CHILDREN, EXPANDING, ORIGIN = 2, FIRST_BLOCK = ORIGIN + NODE_UNITS };

/* Points of one visit. The resolution is enough for an evaluator's value, which is rounded at random. */
#define DRAWN        4
#define WON          (2 * DRAWN)
#define VISITS_SHIFT 34
#define ONE_VISIT    ((uint64_t)1 << VISITS_SHIFT)
#define POINTS_SET   (ONE_VISIT - 1)
/* This many playouts in one tree end the search. After half as many, the next search begins a new tree.
 * No node is visited more often, so its statistics do not overflow. */
#define VISITS_MAX   (((uint64_t)1 << 30) - (1 << 20))
/* With the bias all means but PRUNED and BANNED are positive. The bits of positive floats are ordered
 * like integers. */
#define BIAS         4.0f
#define PRUNED       (-1.0f)
#define BANNED       (-0.5f) /* smallest as an integer: below PRUNED */

struct tree {
	unit *arena;
	/* NULL, or those of the node at unit u at index u / NODE_UNITS. */
	struct win_numbers *numbers;
	size_t size;    /* bytes of both */
	uint32_t units; /* usable units */
	uint32_t first; /* unit of the first block in the ring */

	const struct game *game; /* NULL: there is no tree */
	struct state origin;     /* the position of the node at unit ORIGIN */
	uint32_t root;           /* the node that is searched */
	struct state position;   /* the position there */
	/* Hashes of the positions up to the origin and up to the root (record_past()). The children of a node
	 * depend on them. */
	uint64_t origin_past, past;
	uint64_t earlier; /* playouts of earlier searches in this tree */

	/* `threshold`: visits that a leaf needs to get children, and a node to keep them; at least
	 * `expansion`. One simulation counts as `per_simulation` playouts. */
	uint64_t threshold, expansion, per_simulation;
	bool full; /* the tree was full once; from then on the threshold rises */
	uint8_t round;
	uint32_t to_pass; /* units left to pass in this round */
	uint32_t garbage; /* units among them outside the root's subtree, estimated */
	/* Units passed so far in this round, and units kept. */
	uint64_t passed, kept;
	uint64_t slice_playouts; /* number of playouts at the last slice */

	/* What to put back when this search is over. Parents come before their children. */
	int saved_count;
	struct saved {
		uint32_t node;
		uint64_t stats;
		float mean, width, prior, best;
		uint8_t proof;
		bool restricted; /* the proof is put back too, because some children are banned */
	} * saved;
	size_t saved_room; /* at least tree_root_nodes() */

	/* What workers write is on other cache lines than what all of them read. */
	char padding[64];
	_Atomic uint32_t used;   /* units of the ring, with those skipped at the arena's end */
	_Atomic int inside;      /* number of workers in the tree */
	_Atomic bool collecting; /* a worker collects garbage or is about to: no worker may enter */
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

/* Only in trees with proof numbers. Nodes do not overlap, so no two of them have the same index. */
static inline struct win_numbers *numbers_of(const struct tree *t, const struct node *n)
{
	return &t->numbers[unit_of(t, n) / NODE_UNITS];
}

static inline struct node *block_nodes(const struct tree *t, uint32_t block)
{
	return node_at(t, block + (uint32_t)BLOCK_UNITS);
}

static inline struct node *children_of(const struct tree *t, const struct node *n, int *count)
{
	uint32_t block = atomic_load_explicit(&n->children, memory_order_acquire);
	*count = block < FIRST_BLOCK ? 0 : block_at(t, block)->count;
	return block < FIRST_BLOCK ? NULL : block_nodes(t, block);
}

/* --- nodes --- */

#define STEP_BITS  14
#define PLACE_BITS (16 - STEP_BITS) /* in node.step */
_Static_assert(GAME_CODES_MAX <= 1 << STEP_BITS, "a node has room for every step");
_Static_assert(GAME_STEPS_MAX <= 256 << PLACE_BITS, "a node has room for every index");

static inline move_t step_of(const struct node *n)
{
	return n->step & ((1 << STEP_BITS) - 1);
}

static inline uint32_t place_of(const struct node *n)
{
	return (uint32_t)n->place << PLACE_BITS | n->step >> STEP_BITS;
}

static inline void set_step(struct node *n, move_t step, uint32_t place)
{
	n->step = (uint16_t)(step | place << STEP_BITS);
	n->place = (uint8_t)(place >> PLACE_BITS);
}

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

static inline float mean_of(const struct node *n)
{
	return atomic_load_explicit(&n->mean, memory_order_relaxed);
}

static inline bool is_banned(const struct node *n)
{
	return mean_of(n) == BANNED;
}

static inline bool is_pruned(const struct node *n)
{
	return mean_of(n) == PRUNED;
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

/* Returns true if `side`, which chooses at a node with proof `parent`, cannot gain by a child with
 * proof `child`. */
static inline bool cannot_gain(uint8_t child, uint8_t parent, int side)
{
	if (side == BLACK)
		return (child & UPPER_LOSS) || ((child & UPPER_DRAW) && (parent & LOWER_DRAW));
	return (child & LOWER_WIN) || ((child & LOWER_DRAW) && (parent & UPPER_DRAW));
}

/* Adds to the parent what its children's proofs imply. `side` chooses there. Returns true if that
 * proves something new. */
bool tree_prove(const struct tree *, struct node *parent, int side);

/* --- the tree --- */

/* Allocates about `size` bytes for trees of a game, `numbered`: with room for proof numbers. The old tree is lost if it had a
 * different size or kind. Returns false if the system refuses the memory. */
bool tree_open(struct tree *, const struct game *, size_t size, bool numbered);
void tree_close(struct tree *);

/* Forgets the tree. tree_find() then finds nothing. */
void tree_forget(struct tree *);

/* Gives a node the proof numbers of a leaf. */
void tree_init_numbers(const struct tree *, const struct node *);

/* Starts a new tree at the position to search. */
void tree_clear(struct tree *, const struct game *);

/* Finds the node of the record's position. Returns 0 if there is none. The record must pass through the
 * origin, with the same earlier positions if positions may not repeat, and the tree must contain the moves
 * made since. */
uint32_t tree_find(const struct tree *, const struct record *);

/* Saves the values of the root, or of a node of one of its moves. tree_end_search() puts them back. */
void tree_save(struct tree *, const struct node *, bool restricted);

/* Puts back what the last search has saved, and proves again with all moves, banned ones included. Adds
 * the search's playouts to the earlier ones. */
void tree_end_search(struct tree *);

/* --- its memory --- */

/* Most nodes of the steps of all whole moves of a position, with its own. */
static inline size_t tree_root_nodes(const struct game *g)
{
	return 1 + (size_t)g->steps.per_move * (size_t)game_moves_max(g);
}

/* Most units for these nodes, including those that may be skipped at the end of the arena. */
static inline size_t tree_root_units(const struct game *g)
{
	return tree_root_nodes(g) * (BLOCK_UNITS + NODE_UNITS) + BLOCK_UNITS +
	       NODE_UNITS * (size_t)g->steps.choices;
}

static inline uint32_t ring_units(const struct tree *t)
{
	return t->units - (uint32_t)FIRST_BLOCK;
}

static inline uint32_t room_of(const struct tree *t)
{
	return ring_units(t) - atomic_load_explicit(&t->used, memory_order_relaxed);
}

/* Allocates a block for the children of a node, with `pending` steps of the same move before them. The caller
 * fills and publishes it. Returns 0 if there is no room. */
uint32_t tree_take_block(struct tree *, const struct node *parent, int count, int pending);

/* Returns the visits that a leaf needs before it gets children. */
uint64_t tree_threshold(const struct tree *);

/* A worker is in the tree while it holds nodes of it. It must not wait for anything there. */
void tree_enter(struct tree *);
void tree_leave(struct tree *);

/* Returns true if garbage should be collected now, or if another worker is about to collect. It is due
 * if little room is left, or if there is garbage and enough playouts have been done since the last
 * slice. */
bool tree_is_due(const struct tree *);

/* Leaves the tree and enters it again. In between it waits until all have left and collects, or it
 * waits while another worker collects. */
void tree_make_room(struct tree *);

/* Collects at once. Only for a worker that is alone. */
void tree_collect(struct tree *);

#endif
