/* SPDX-License-Identifier: MIT */
#include "tools/solve/graph.h"

#include <stdlib.h>

#include "engine/base/memory.h"
#include "protocol/program/certificate.h"

#define NEVER DFPN_NEVER

/* An edge to a parent, in the list of a node. */
struct parent {
	uint32_t node, next;
};

/* An edge to a child. Children whose moves begin with the same step are neighbours and count as one branch, as in
 * df-pn, which counts steps. */
struct graph_edge {
	uint32_t node;
	move_t first;
};

struct graph_node {
	uint64_t stones[2];
	uint32_t efforts[2][2]; /* by the side that may win, and the side */
	uint32_t parents;       /* first of the list, GRAPH_NONE: none */
	uint32_t children;      /* index of the first */
	uint16_t child_count;   /* 0: a leaf */
	uint32_t jobs;          /* leases below */
	uint16_t owner;         /* rank that searched it or its first parent */
	uint8_t side;
	bool leased, queued;
	bool busy[2];
};

struct graph {
	const struct game *game;
	struct graph_node *nodes;
	struct parent *parents;
	struct graph_edge *children;
	uint32_t *slots; /* hash table of node numbers; GRAPH_NONE: free */
	uint32_t *queue; /* nodes whose numbers must be computed again */
	size_t node_count, node_room, parent_count, parent_room, child_count, child_room;
	size_t slot_count, queue_count, queue_room;
};

/* Makes room for one more element. */
static void *graph_make_room(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? *room + *room / 2 : 64;
	return xrealloc(array, *room * size);
}

/* --- finding nodes --- */

static bool is_key(const struct graph_node *n, const struct book_entry *key)
{
	return n->stones[0] == key->stones[0] && n->stones[1] == key->stones[1] &&
	       n->side == key->side;
}

static uint32_t *graph_find_slot(const struct graph *g, const struct book_entry *key)
{
	const struct state s = { .board = { key->stones[0], key->stones[1] }, .side = key->side };
	size_t at = state_hash(&s) & (g->slot_count - 1);
	while (g->slots[at] != GRAPH_NONE && !is_key(&g->nodes[g->slots[at]], key))
		at = (at + 1) & (g->slot_count - 1);
	return &g->slots[at];
}

static struct book_entry graph_key_of(const struct graph_node *n)
{
	return (struct book_entry) { .stones = { n->stones[0], n->stones[1] }, .side = n->side };
}

static void graph_grow_slots(struct graph *g)
{
	free(g->slots);
	g->slot_count = g->slot_count ? 2 * g->slot_count : 1 << 12;
	g->slots = xmalloc(g->slot_count * sizeof *g->slots);
	memset(g->slots, 0xff, g->slot_count * sizeof *g->slots);
	for (uint32_t i = 0; i < g->node_count; i++) {
		struct book_entry key = graph_key_of(&g->nodes[i]);
		*graph_find_slot(g, &key) = i;
	}
}

uint32_t graph_find(const struct graph *g, const struct state *s)
{
	int symmetry;
	struct book_entry key = book_key(g->game, s, &symmetry);
	return *graph_find_slot(g, &key);
}

struct book_entry graph_key(const struct graph *g, uint32_t node)
{
	return graph_key_of(&g->nodes[node]);
}

void graph_state(const struct graph *g, uint32_t node, struct state *s)
{
	struct book_entry key = graph_key_of(&g->nodes[node]);
	certificate_state(g->game, &key, s);
}

size_t graph_nodes(const struct graph *g)
{
	return g->node_count;
}

int graph_owner(const struct graph *g, uint32_t node)
{
	return g->nodes[node].owner;
}

void graph_set_owner(struct graph *g, uint32_t leaf, int rank)
{
	g->nodes[leaf].owner = (uint16_t)rank;
}

bool graph_is_leaf(const struct graph *g, uint32_t node)
{
	return g->nodes[node].child_count == 0;
}

uint32_t graph_effort(const struct graph *g, uint32_t node, int winner, int side)
{
	return g->nodes[node].efforts[winner][side];
}

/* --- numbers --- */

static bool graph_is_settled(const uint32_t efforts[2])
{
	return efforts[BLACK] == 0 || efforts[WHITE] == 0;
}

void graph_bounds(const struct graph *g, uint32_t node, int *lower, int *upper)
{
	const struct graph_node *n = &g->nodes[node];
	*lower = n->efforts[BLACK][BLACK] == 0 ? 1 : n->efforts[WHITE][BLACK] == 0 ? 0 : -1;
	*upper = n->efforts[WHITE][WHITE] == 0 ? -1 : n->efforts[BLACK][WHITE] == 0 ? 0 : 1;
}

static void graph_settle(uint32_t efforts[2], int side)
{
	efforts[side] = 0;
	efforts[side ^ 1] = NEVER;
}

/* A win of one side settles the question about the other side. */
static void graph_imply(uint32_t efforts[2][2])
{
	for (int w = BLACK; w <= WHITE; w++)
		if (efforts[w][w] == 0)
			graph_settle(efforts[w ^ 1], w);
}

/* A sum over branches while it is computed. */
struct sum {
	uint32_t least, all;      /* numbers of the side to move and of the other side */
	uint32_t branches;        /* open ones */
	uint32_t branch, members; /* the last branch: the other side's number, open children */
	bool busy;
};

static void close_branch(struct sum *sum)
{
	uint64_t number = (uint64_t)sum->branch + sum->members - 1;
	if (!sum->members)
		return;
	sum->branches++;
	number = number < NEVER ? number : NEVER - 1;
	sum->all = number > sum->all ? (uint32_t)number : sum->all;
	sum->branch = sum->members = 0;
}

/* Computes the numbers of a node from its children. Returns true if anything changed. */
static bool compute(const struct graph *g, struct graph_node *n, int winner)
{
	const int mine = n->side, yours = mine ^ 1;
	const struct graph_edge *children = &g->children[n->children];
	uint32_t *efforts = n->efforts[winner];
	const uint32_t old[2] = { efforts[BLACK], efforts[WHITE] };
	const bool was_busy = n->busy[winner];
	struct sum sum = { .least = NEVER, .busy = true };
	if (graph_is_settled(efforts))
		return false; /* a worker may have proven it before the children are */
	for (int i = 0; i < n->child_count; i++) {
		const struct graph_node *c = &g->nodes[children[i].node];
		const uint32_t *e = c->efforts[winner];
		if (i && children[i].first != children[i - 1].first)
			close_branch(&sum);
		if (e[mine] == NEVER)
			continue;
		sum.members++;
		sum.busy = sum.busy && c->busy[winner];
		sum.branch = e[yours] > sum.branch ? e[yours] : sum.branch;
		sum.least = e[mine] < sum.least ? e[mine] : sum.least;
	}
	close_branch(&sum);
	uint64_t all = (uint64_t)sum.all + (sum.branches ? sum.branches - 1 : 0);
	efforts[mine] = sum.least;
	efforts[yours] = sum.least == 0 ? NEVER : all < NEVER ? (uint32_t)all : NEVER - 1;
	n->busy[winner] = sum.busy;
	return efforts[BLACK] != old[BLACK] || efforts[WHITE] != old[WHITE] ||
	       n->busy[winner] != was_busy;
}

static void enqueue(struct graph *g, uint32_t node)
{
	if (g->nodes[node].queued)
		return;
	g->nodes[node].queued = true;
	g->queue = graph_make_room(g->queue, g->queue_count, &g->queue_room, sizeof *g->queue);
	g->queue[g->queue_count++] = node;
}

/* Announces that a node has changed. */
static void changed(struct graph *g, uint32_t node)
{
	for (uint32_t i = g->nodes[node].parents; i != GRAPH_NONE; i = g->parents[i].next)
		enqueue(g, g->parents[i].node);
}

/* Computes all numbers that depend on what has changed. No position repeats, so this ends. */
static void propagate(struct graph *g)
{
	for (size_t i = 0; i < g->queue_count; i++) {
		uint32_t at = g->queue[i];
		struct graph_node *n = &g->nodes[at];
		n->queued = false;
		bool black = compute(g, n, BLACK), white = compute(g, n, WHITE);
		graph_imply(n->efforts);
		if (black || white)
			changed(g, at);
	}
	g->queue_count = 0;
}

/* --- growth --- */

/* Sets the numbers of a new node. What a worker knows is better than an estimate. */
static void set_numbers(const struct graph *g, struct graph_node *n, const struct state *s,
			const struct graph_child *known)
{
	for (int w = BLACK; w <= WHITE; w++) {
		const uint32_t *e = known ? known->efforts[w] : NULL;
		if (e && (e[BLACK] || e[WHITE]) && !s->over)
			memcpy(n->efforts[w], e, sizeof n->efforts[w]);
		else
			dfpn_estimate(g->game, s, w, n->efforts[w]);
	}
	graph_imply(n->efforts);
}

/* Returns the node of a position, which is added unless it is there. */
static uint32_t graph_add_node(struct graph *g, const struct state *s,
			       const struct graph_child *known)
{
	int symmetry;
	struct book_entry key = book_key(g->game, s, &symmetry);
	uint32_t *slot = graph_find_slot(g, &key);
	if (*slot != GRAPH_NONE)
		return *slot;
	uint32_t number = *slot = (uint32_t)g->node_count;
	g->nodes = graph_make_room(g->nodes, g->node_count, &g->node_room, sizeof *g->nodes);
	struct graph_node *n = &g->nodes[g->node_count++];
	*n = (struct graph_node) {
		.stones = { key.stones[0], key.stones[1] },
		.side = key.side,
		.parents = GRAPH_NONE,
	};
	set_numbers(g, n, s, known);
	if (2 * g->node_count > g->slot_count)
		graph_grow_slots(g);
	return number;
}

/* Adds an edge unless there is one. */
static void add_edge(struct graph *g, uint32_t from, uint32_t to, move_t first)
{
	struct graph_node *n = &g->nodes[from];
	for (uint32_t i = g->nodes[to].parents; i != GRAPH_NONE; i = g->parents[i].next)
		if (g->parents[i].node == from)
			return;
	g->children = graph_make_room(g->children, g->child_count, &g->child_room,
				      sizeof *g->children);
	g->children[g->child_count++] = (struct graph_edge) { to, first };
	n->child_count++;
	g->parents = graph_make_room(g->parents, g->parent_count, &g->parent_room,
				     sizeof *g->parents);
	g->parents[g->parent_count] = (struct parent) { from, g->nodes[to].parents };
	g->nodes[to].parents = (uint32_t)g->parent_count++;
}

void graph_expand(struct graph *g, uint32_t leaf, const struct graph_child *known)
{
	struct move moves[GAME_MOVES_MAX];
	struct state s;
	graph_state(g, leaf, &s);
	int count = game_moves(g->game, &s, moves);
	g->nodes[leaf].children = (uint32_t)g->child_count;
	for (int i = 0; i < count; i++) {
		struct state next = s;
		game_play(g->game, &next, moves[i]);
		uint32_t to = graph_add_node(g, &next, known ? &known[i] : NULL);
		add_edge(g, leaf, to, moves[i].step[0]);
		if (!g->nodes[to].owner)
			g->nodes[to].owner = g->nodes[leaf].owner;
	}
	enqueue(g, leaf);
	propagate(g);
}

void graph_update(struct graph *g, uint32_t leaf, int lower, int upper, int winner,
		  const uint32_t efforts[2])
{
	struct graph_node *n = &g->nodes[leaf];
	if ((efforts[BLACK] || efforts[WHITE]) && !graph_is_settled(n->efforts[winner]))
		memcpy(n->efforts[winner], efforts, sizeof n->efforts[winner]);
	if (lower >= 0)
		graph_settle(n->efforts[WHITE], BLACK);
	if (upper <= 0)
		graph_settle(n->efforts[BLACK], WHITE);
	if (lower > 0)
		graph_settle(n->efforts[BLACK], BLACK);
	if (upper < 0)
		graph_settle(n->efforts[WHITE], WHITE);
	changed(g, leaf);
	propagate(g);
}

/* --- leases --- */

/* Marks or unmarks a path and its leaf. */
static void mark(struct graph *g, const struct graph_path *path, bool leased)
{
	uint32_t leaf = path->nodes[path->count - 1];
	struct graph_node *n = &g->nodes[leaf];
	for (int i = 0; i < path->count; i++)
		if (leased)
			g->nodes[path->nodes[i]].jobs++;
		else
			g->nodes[path->nodes[i]].jobs--;
	n->leased = n->busy[BLACK] = n->busy[WHITE] = leased;
	changed(g, leaf);
	propagate(g);
}

/* The free child to follow, GRAPH_NONE: there is none. Each job below a child makes it look harder by 1. */
static uint32_t graph_best_child(const struct graph *g, const struct graph_node *n, int winner)
{
	uint32_t best = GRAPH_NONE;
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < n->child_count; i++) {
		uint32_t at = g->children[n->children + (uint32_t)i].node;
		const struct graph_node *c = &g->nodes[at];
		uint64_t number = (uint64_t)c->efforts[winner][n->side] + c->jobs;
		if (c->busy[winner] || graph_is_settled(c->efforts[winner]) || number >= least)
			continue;
		least = number;
		best = at;
	}
	return best;
}

bool graph_lease(struct graph *g, int winner, struct graph_path *path)
{
	path->count = 0;
	if (graph_is_settled(g->nodes[0].efforts[winner]) || g->nodes[0].busy[winner])
		return false;
	for (uint32_t at = 0; at != GRAPH_NONE; at = graph_best_child(g, &g->nodes[at], winner)) {
		path->nodes[path->count++] = at;
		if (graph_is_leaf(g, at)) {
			mark(g, path, true);
			return true;
		}
	}
	return false;
}

void graph_release(struct graph *g, const struct graph_path *path)
{
	mark(g, path, false);
}

/* --- the graph --- */

struct graph *graph_create(const struct game *game, const struct state *root)
{
	struct graph *g = xcalloc(1, sizeof *g);
	g->game = game;
	graph_grow_slots(g);
	graph_add_node(g, root, NULL);
	return g;
}

void graph_destroy(struct graph *g)
{
	free(g->nodes);
	free(g->parents);
	free(g->children);
	free(g->slots);
	free(g->queue);
	free(g);
}
