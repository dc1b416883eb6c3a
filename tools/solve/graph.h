/* SPDX-License-Identifier: MIT
 *
 * The graph of positions that rank 0 grows: job-level proof-number search (Wu, Lin, Sun et al., 2013) with the weak
 * proof numbers of engine/search/proof/dfpn.c. A node is a position; its mirror images are the same node, and positions
 * that several moves lead to are merged. Workers search the leaves.
 *
 * There are two questions, one for each side: does it win? Both refused: the result is a draw. Each has two
 * numbers, one for each side: the effort with which this side settles the question in its favor (DFPN_NEVER: it
 * cannot).
 *
 * A leaf that a worker searches is leased. A node is busy for a question if all leaves below it that matter are
 * leased. So workers get different leaves.
 */
#ifndef TOOLS_SOLVE_GRAPH_H
#define TOOLS_SOLVE_GRAPH_H

#include <stddef.h>

#include "engine/rules/book.h"
#include "engine/search/proof/dfpn.h"

#define GRAPH_NONE UINT32_MAX

struct graph;

/* The nodes from the root to a leaf. */
struct graph_path {
	int count;
	uint32_t nodes[GAME_LENGTH_MAX + 1];
};

/* What a worker knows of the position after a move, by side that may win. Both efforts 0: nothing. */
struct graph_child {
	uint32_t efforts[2][2];
};

/* Starts with the root alone, as a leaf. The game has stones and no position can repeat. */
struct graph *graph_create(const struct game *, const struct state *root);
void graph_destroy(struct graph *);

/* The root is node 0. */
size_t graph_nodes(const struct graph *);

/* The node of a position, GRAPH_NONE if there is none; the position of a node in one of its mirror images. */
uint32_t graph_find(const struct graph *, const struct state *);
void graph_state(const struct graph *, uint32_t node, struct state *);
struct book_entry graph_key(const struct graph *, uint32_t node);

bool graph_is_leaf(const struct graph *, uint32_t node);
uint32_t graph_effort(const struct graph *, uint32_t node, int winner, int side);

/* Proven bounds of Black's result. */
void graph_bounds(const struct graph *, uint32_t node, int *lower, int *upper);

/* Leases the most promising free leaf for the question whether `winner` wins. Returns false if there is none. */
bool graph_lease(struct graph *, int winner, struct graph_path *);

/* The rank that has searched a position near this one, 0: none. */
int graph_owner(const struct graph *, uint32_t node);

/* Gives back the leaf of a path. */
void graph_release(struct graph *, const struct graph_path *);

/* Stores what a worker has proven of a leaf and how promising the leaf is now, if its numbers are not both 0. */
void graph_update(struct graph *, uint32_t leaf, int lower, int upper, int winner,
		  const uint32_t efforts[2]);

/* Tells which rank has searched a leaf. Its children will belong to it, too. */
void graph_set_owner(struct graph *, uint32_t leaf, int rank);

/* Expands a leaf. `known` has an element for each move of its graph_state(), in the order of game_moves(). */
void graph_expand(struct graph *, uint32_t leaf, const struct graph_child *known);

#endif
