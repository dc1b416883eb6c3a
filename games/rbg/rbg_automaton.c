/* SPDX-License-Identifier: MIT
 *
 * Thompson's construction (Communications of the ACM 11, 1968), and the order of each program by the strongly connected components of its
 * nodes (Tarjan, 1972).
 */
#include "games/rbg/rbg_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define RBG_NODES_MAX  60000
#define RBG_OPS_MAX    2000000 /* of all programs */
#define RBG_WALKS_WORK INT64_C(400000000)

enum rbg_edge_kind {
	RBG_EDGE_FREE,
	RBG_EDGE_WALK, /* walk `value` */
	RBG_EDGE_ON,   /* term `value`; also the next one */
	RBG_EDGE_COMPARE,
	RBG_EDGE_CAN, /* pattern `value`; also the next one */
	RBG_EDGE_CANNOT,
	RBG_EDGE_MODIFIER, /* modifier `value` */
};

struct rbg_edge {
	uint8_t kind;
	int from, to;
	int value;
};

/* What is needed only while the automaton is made. */
struct rbg_builder {
	struct rbg_automaton *a;
	struct text *error;
	bool failed;
	int64_t budget;
	int node_count, edge_count, op_count;
	struct rbg_edge *edges;
	int *first,
		*order; /* edges by their `from`: order[first[node]] .. order[first[node + 1] - 1] */
	int *back_first, *back_order;
	int *program_of; /* node -> program, -1: none starts there */
	int *local;      /* node -> its set in the program made last, -1: none */
	bool in_pattern;
};

static void rbg_build_fail(struct rbg_builder *b, int term, const char *what)
{
	if (!b->failed)
		rbg_explain(b->a->rules, b->a->rules->terms[term].place, b->error, "%s", what);
	b->failed = true;
}

/* --- nodes and edges --- */

static int rbg_build_node(struct rbg_builder *b)
{
	return b->node_count++;
}

static void rbg_build_edge(struct rbg_builder *b, enum rbg_edge_kind kind, int from, int to,
			   int value)
{
	b->edges = xgrow(b->edges, (size_t)b->edge_count, sizeof *b->edges);
	b->edges[b->edge_count++] = (struct rbg_edge) { (uint8_t)kind, from, to, value };
}

static void rbg_build_term(struct rbg_builder *b, int term, int from, int to);

static void rbg_build_walk(struct rbg_builder *b, int first, int end, int from, int to)
{
	struct rbg_automaton *a = b->a;
	struct rbg_walk *r = rbg_walk_new(a->rules, first, end, &b->budget);
	a->walks = xgrow(a->walks, (size_t)a->walk_count, sizeof(void *));
	a->walks[a->walk_count] = r;
	rbg_build_edge(b, RBG_EDGE_WALK, from, to, a->walk_count++);
	if (b->budget < 0)
		rbg_build_fail(b, first, "walks over this board take too long from here on");
}

/* Children in a row; walks that follow each other are one. */
static void rbg_build_sequence(struct rbg_builder *b, int first, int from, int to)
{
	const struct rbg_rules *r = b->a->rules;
	for (int child = first; child >= 0 && !b->failed;) {
		bool is_walk = rbg_is_walk(r, child);
		int after = r->terms[child].next;
		while (is_walk && after >= 0 && rbg_is_walk(r, after))
			after = r->terms[after].next;
		int next = after < 0 ? to : rbg_build_node(b);
		if (is_walk)
			rbg_build_walk(b, child, after, from, next);
		else
			rbg_build_term(b, child, from, next);
		from = next;
		child = after;
	}
	if (first < 0)
		rbg_build_edge(b, RBG_EDGE_FREE, from, to, 0);
}

static void rbg_build_repeat(struct rbg_builder *b, int child, int from, int to)
{
	int middle = rbg_build_node(b);
	rbg_build_edge(b, RBG_EDGE_FREE, from, middle, 0);
	rbg_build_term(b, child, middle, middle);
	rbg_build_edge(b, RBG_EDGE_FREE, middle, to, 0);
}

/* A hash of what a term says, wherever it stands. */
static uint64_t rbg_term_hash(const struct rbg_rules *r, int term)
{
	const struct rbg_term *t = &r->terms[term];
	uint64_t hash = (uint64_t)t->kind * 0x9e3779b97f4a7c15u ^ t->relation;
	hash = (hash ^ (uint32_t)t->value) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 31 ^ t->pieces) * 0xc4ceb9fe1a85ec53u;
	for (int child = t->child; child >= 0; child = r->terms[child].next)
		hash = (hash ^ hash >> 29 ^ rbg_term_hash(r, child)) * 0x94d049bb133111ebu;
	return hash ^ hash >> 32;
}

/* Makes the nodes of a pattern. Returns its number. */
static int rbg_build_new_pattern(struct rbg_builder *b, int child, uint64_t hash)
{
	struct rbg_automaton *a = b->a;
	bool was_in_pattern = b->in_pattern;
	int start = rbg_build_node(b), end = rbg_build_node(b), pattern = a->pattern_count++;
	a->patterns = xgrow(a->patterns, (size_t)pattern, sizeof *a->patterns);
	a->patterns[pattern] = (struct rbg_pattern) { .hash = hash, .end = end, .program = start };
	b->in_pattern = true;
	rbg_build_term(b, child, start, end);
	b->in_pattern = was_in_pattern;
	return pattern;
}

static void rbg_build_pattern(struct rbg_builder *b, int term, int from, int to)
{
	const struct rbg_term *t = &b->a->rules->terms[term];
	uint64_t hash = rbg_term_hash(b->a->rules, t->child);
	int pattern = 0;
	while (pattern < b->a->pattern_count && b->a->patterns[pattern].hash != hash)
		pattern++;
	if (pattern == b->a->pattern_count)
		pattern = rbg_build_new_pattern(b, t->child, hash);
	rbg_build_edge(b, t->kind == RBG_CAN ? RBG_EDGE_CAN : RBG_EDGE_CANNOT, from, to, pattern);
}

static void rbg_build_modifier(struct rbg_builder *b, int term, int from, int to)
{
	struct rbg_automaton *a = b->a;
	const struct rbg_term *t = &a->rules->terms[term];
	if (a->modifier_count == RBG_MODIFIERS_MAX) {
		rbg_build_fail(b, term, "more than 16384 modifiers");
		return;
	}
	a->modifiers = xgrow(a->modifiers, (size_t)a->modifier_count, sizeof *a->modifiers);
	a->modifiers[a->modifier_count] = (struct rbg_modifier) { .kind = t->kind,
								  .value = t->value,
								  .term = term,
								  .program = to,
								  .in_pattern = b->in_pattern };
	rbg_build_edge(b, RBG_EDGE_MODIFIER, from, to, a->modifier_count++);
}

static void rbg_build_term(struct rbg_builder *b, int term, int from, int to)
{
	const struct rbg_rules *r = b->a->rules;
	const struct rbg_term *t = &r->terms[term];
	if (b->node_count > RBG_NODES_MAX)
		rbg_build_fail(b, term, "the rules are too long from here on");
	if (b->failed)
		return;
	switch (t->kind) {
	case RBG_SEQUENCE:
		rbg_build_sequence(b, t->child, from, to);
		break;
	case RBG_CHOICE:
		for (int child = t->child; child >= 0; child = r->terms[child].next)
			rbg_build_term(b, child, from, to);
		break;
	case RBG_REPEAT:
		if (rbg_is_walk(r, term))
			rbg_build_walk(b, term, t->next, from, to);
		else
			rbg_build_repeat(b, t->child, from, to);
		break;
	case RBG_GO:
		rbg_build_walk(b, term, t->next, from, to);
		break;
	case RBG_ON:
		rbg_build_edge(b, RBG_EDGE_ON, from, to, term);
		break;
	case RBG_COMPARE:
		rbg_build_edge(b, RBG_EDGE_COMPARE, from, to, term);
		break;
	case RBG_CAN:
	case RBG_CANNOT:
		if (rbg_is_walk(r, term))
			rbg_build_walk(b, term, t->next, from, to);
		else
			rbg_build_pattern(b, term, from, to);
		break;
	default:
		rbg_build_modifier(b, term, from, to);
	}
}

/* Sorts the edges by their start, or with `back` by their end. */
static void rbg_build_index(struct rbg_builder *b, bool back, int **first, int **order)
{
	int *f = *first = xcalloc((size_t)b->node_count + 2, sizeof *f);
	int *o = *order = xcalloc((size_t)b->edge_count + 1, sizeof *o);
	for (int i = 0; i < b->edge_count; i++)
		f[(back ? b->edges[i].to : b->edges[i].from) + 2]++;
	for (int node = 0; node < b->node_count; node++)
		f[node + 2] += f[node + 1];
	for (int i = 0; i < b->edge_count; i++)
		o[f[(back ? b->edges[i].to : b->edges[i].from) + 1]++] = i;
}

/* --- programs --- */

/* One walk over the nodes of a program: Tarjan's numbers, and the nodes of the components in reverse order. */
struct rbg_order {
	struct rbg_builder *b;
	const int *first, *edges;
	bool back;
	int count, done_count, stack_count;
	int *nodes;        /* by number of the first visit */
	int *number, *low; /* by node; number -1: not visited */
	int *stack, *done; /* nodes */
	int *component;    /* by node; -1: not done */
	int component_count;
};

static int rbg_order_target(const struct rbg_order *o, int i)
{
	const struct rbg_edge *e = &o->b->edges[o->edges[i]];
	return o->back ? e->from : e->to;
}

static bool rbg_order_follows(const struct rbg_order *o, int i)
{
	return o->b->edges[o->edges[i]].kind != RBG_EDGE_MODIFIER;
}

static void rbg_order_visit(struct rbg_order *o, int node)
{
	o->number[node] = o->low[node] = o->count;
	o->nodes[o->count++] = node;
	o->stack[o->stack_count++] = node;
	for (int i = o->first[node]; i < o->first[node + 1]; i++) {
		int to = rbg_order_target(o, i);
		if (!rbg_order_follows(o, i))
			continue;
		if (o->number[to] < 0)
			rbg_order_visit(o, to);
		if (o->component[to] < 0 && o->low[to] < o->low[node])
			o->low[node] = o->low[to];
	}
	if (o->low[node] != o->number[node])
		return;
	int last;
	do {
		last = o->stack[--o->stack_count];
		o->component[last] = o->component_count;
		o->done[o->done_count++] = last;
	} while (last != node);
	o->component_count++;
}

static struct rbg_op rbg_build_op(struct rbg_builder *b, const struct rbg_edge *e, bool back)
{
	static const uint8_t kinds[] = {
		[RBG_EDGE_FREE] = RBG_OP_COPY, [RBG_EDGE_WALK] = RBG_OP_WALK,
		[RBG_EDGE_ON] = RBG_OP_COPY,   [RBG_EDGE_COMPARE] = RBG_OP_COMPARE,
		[RBG_EDGE_CAN] = RBG_OP_CAN,   [RBG_EDGE_CANNOT] = RBG_OP_CANNOT,
	};
	struct rbg_op op = { .kind = kinds[e->kind],
			     .from = (uint16_t)b->local[back ? e->to : e->from],
			     .to = (uint16_t)b->local[back ? e->from : e->to],
			     .value = e->value };
	if (e->kind == RBG_EDGE_ON)
		op.after = b->a->rules->terms[e->value].pieces;
	if (e->kind != RBG_EDGE_WALK)
		return op;
	op.walk = b->a->walks[e->value];
	if (op.walk->stays)
		op.kind = RBG_OP_STAY;
	else if (back)
		op.kind = RBG_OP_BACK;
	return op;
}

static void rbg_build_add_op(struct rbg_builder *b, struct rbg_program *p, struct rbg_op op)
{
	p->ops = xgrow(p->ops, (size_t)p->op_count, sizeof *p->ops);
	p->ops[p->op_count++] = op;
	if (++b->op_count > RBG_OPS_MAX)
		rbg_build_fail(b, b->a->rules->root, "the rules are too long");
}

/* Adds the operations of the edges that leave a component's nodes, or stay in it. */
static void rbg_build_block(struct rbg_builder *b, struct rbg_order *o, struct rbg_program *p,
			    const int *nodes, int count, bool inside)
{
	struct rbg_block block = { .first = p->op_count, .repeats = inside };
	for (int k = count - 1; k >= 0; k--)
		for (int i = o->first[nodes[k]]; i < o->first[nodes[k] + 1]; i++) {
			int to = rbg_order_target(o, i);
			bool is_inside = o->component[to] == o->component[nodes[k]];
			if (rbg_order_follows(o, i) && is_inside == inside)
				rbg_build_add_op(b, p,
						 rbg_build_op(b, &b->edges[o->edges[i]], o->back));
		}
	block.count = p->op_count - block.first;
	if (!block.count)
		return;
	p->blocks = xgrow(p->blocks, (size_t)p->block_count, sizeof *p->blocks);
	p->blocks[p->block_count++] = block;
}

static void rbg_build_exits(struct rbg_builder *b, struct rbg_order *o, struct rbg_program *p)
{
	for (int k = 0; k < o->count && !o->back; k++)
		for (int i = o->first[o->nodes[k]]; i < o->first[o->nodes[k] + 1]; i++) {
			const struct rbg_edge *e = &b->edges[o->edges[i]];
			if (e->kind != RBG_EDGE_MODIFIER)
				continue;
			p->exits = xgrow(p->exits, (size_t)p->exit_count, sizeof *p->exits);
			p->exits[p->exit_count++] = (struct rbg_exit) { e->value,
									b->local[e->from] };
		}
}

static int rbg_exit_compare(const void *a, const void *b)
{
	return ((const struct rbg_exit *)a)->modifier - ((const struct rbg_exit *)b)->modifier;
}

/* Makes the program that starts at a node; with `back` it follows the edges backwards. Sets are numbered as the nodes are visited. */
static void rbg_build_program(struct rbg_builder *b, struct rbg_program *p, int node, bool back)
{
	const size_t n = (size_t)b->node_count;
	int *room = xmalloc(6 * n * sizeof *room);
	struct rbg_order o = { .b = b,
			       .first = back ? b->back_first : b->first,
			       .edges = back ? b->back_order : b->order,
			       .back = back,
			       .nodes = room,
			       .number = room + n,
			       .low = room + 2 * n,
			       .stack = room + 3 * n,
			       .done = room + 4 * n,
			       .component = room + 5 * n };
	memset(o.number, 0xff, n * sizeof *room);
	memset(o.component, 0xff, n * sizeof *room);
	rbg_order_visit(&o, node);
	memcpy(b->local, o.number, n * sizeof *room);
	*p = (struct rbg_program) { .node = node, .set_count = o.count, .end = -1 };
	for (int last = o.done_count; last > 0 && !b->failed;) {
		int first = last - 1;
		while (first > 0 && o.component[o.done[first - 1]] == o.component[o.done[last - 1]])
			first--;
		rbg_build_block(b, &o, p, &o.done[first], last - first, true);
		rbg_build_block(b, &o, p, &o.done[first], last - first, false);
		last = first;
	}
	rbg_build_exits(b, &o, p);
	if (p->exit_count)
		qsort(p->exits, (size_t)p->exit_count, sizeof *p->exits, rbg_exit_compare);
	free(room);
}

/* --- programs with fewer operations --- */

/* How often a set is read, and written; the first one and those that matter at the end count once more. */
static void rbg_fuse_count(const struct rbg_program *p, int *reads, int *writes)
{
	memset(reads, 0, (size_t)p->set_count * sizeof *reads);
	memset(writes, 0, (size_t)p->set_count * sizeof *writes);
	writes[0]++;
	for (int i = 0; i < p->op_count; i++) {
		reads[p->ops[i].from]++;
		writes[p->ops[i].to]++;
	}
	for (int i = 0; i < p->exit_count; i++)
		reads[p->exits[i].set] += 2;
	if (p->end >= 0)
		reads[p->end] += 2;
}

static bool rbg_fuse_filters(const struct rbg_op *op)
{
	return op->kind == RBG_OP_COPY && op->after && !op->before;
}

static bool rbg_fuse_moves(const struct rbg_op *op)
{
	return op->kind <= RBG_OP_STAY;
}

/* Makes the second of two operations do both, if it can. */
static bool rbg_fuse_pair(const struct rbg_op *first, struct rbg_op *second)
{
	struct rbg_op both = *first;
	if (rbg_fuse_moves(first) && !first->after && rbg_fuse_filters(second)) {
		both.after = second->after;
	} else if (rbg_fuse_filters(first) && rbg_fuse_moves(second) && !second->before) {
		both = *second;
		both.before = first->after;
	} else {
		return false;
	}
	both.from = first->from;
	both.to = second->to;
	*second = both;
	return true;
}

/* Takes operation `gone` out. */
static void rbg_fuse_remove(struct rbg_program *p, int gone)
{
	memmove(&p->ops[gone], &p->ops[gone + 1],
		(size_t)(p->op_count - gone - 1) * sizeof *p->ops);
	p->op_count--;
	for (int i = 0; i < p->block_count; i++) {
		struct rbg_block *block = &p->blocks[i];
		block->count -= gone >= block->first && gone < block->first + block->count;
		block->first -= gone < block->first;
	}
}

/* Joins a walk and a test for pieces where nothing else asks for what is between them. */
static void rbg_fuse(struct rbg_program *p)
{
	int *reads = xcalloc(2 * (size_t)p->set_count, sizeof *reads),
	    *writes = reads + p->set_count;
	rbg_fuse_count(p, reads, writes);
	for (int i = 0; i < p->op_count; i++) {
		int between = p->ops[i].from, first = 0;
		if (reads[between] != 1 || writes[between] != 1)
			continue;
		while (first < p->op_count && p->ops[first].to != between)
			first++;
		if (first == p->op_count || first == i ||
		    !rbg_fuse_pair(&p->ops[first], &p->ops[i]))
			continue;
		rbg_fuse_remove(p, first);
		i = -1;
		rbg_fuse_count(p, reads, writes);
	}
	free(reads);
}

/* Finds the blocks that are rays. */
static void rbg_fuse_find_rays(const struct rbg_automaton *a, struct rbg_program *p)
{
	for (int i = 0; i < p->block_count; i++) {
		struct rbg_block *block = &p->blocks[i];
		const struct rbg_op *op = &p->ops[block->first];
		block->is_ray = block->repeats && block->count == 1 && op->from == op->to &&
				op->kind == RBG_OP_WALK && op->walk->next;
	}
}

/* Numbers the sets anew that are still used. */
static void rbg_fuse_number(struct rbg_program *p)
{
	int *number = xcalloc((size_t)p->set_count, sizeof *number), count = 0;
	number[0] = 1;
	for (int i = 0; i < p->op_count; i++)
		number[p->ops[i].from] = number[p->ops[i].to] = 1;
	for (int i = 0; i < p->exit_count; i++)
		number[p->exits[i].set] = 1;
	if (p->end >= 0)
		number[p->end] = 1;
	for (int i = 0; i < p->set_count; i++)
		number[i] = number[i] ? count++ : -1;
	for (int i = 0; i < p->op_count; i++) {
		p->ops[i].from = (uint16_t)number[p->ops[i].from];
		p->ops[i].to = (uint16_t)number[p->ops[i].to];
	}
	for (int i = 0; i < p->exit_count; i++)
		p->exits[i].set = number[p->exits[i].set];
	p->end = p->end < 0 ? -1 : number[p->end];
	p->set_count = count;
	free(number);
}

/* --- all programs --- */

/* The number of the program that starts at a node. */
static int rbg_build_entry(struct rbg_builder *b, int node)
{
	struct rbg_automaton *a = b->a;
	if (b->program_of[node] >= 0)
		return b->program_of[node];
	a->programs = xgrow(a->programs, (size_t)a->program_count, sizeof *a->programs);
	b->program_of[node] = a->program_count;
	b->budget -= 8 * (int64_t)b->node_count;
	if (b->budget < 0)
		rbg_build_fail(b, a->rules->root, "the rules are too long");
	struct rbg_program *p = &a->programs[a->program_count];
	rbg_build_program(b, p, node, false);
	for (int i = 0; i < a->pattern_count; i++)
		if (b->local[a->patterns[i].end] >= 0)
			p->end = b->local[a->patterns[i].end];
	rbg_fuse(p);
	rbg_fuse_number(p);
	rbg_fuse_find_rays(a, p);
	return a->program_count++;
}

/* --- programs that always finish, in one way --- */

/* Returns true if a set gets the squares of the first one without a test. */
static bool rbg_program_is_sure(const struct rbg_program *p, int set)
{
	if (set == 0)
		return true;
	for (int i = 0; i < p->op_count; i++)
		if (p->ops[i].to == set && p->ops[i].kind == RBG_OP_COPY && p->ops[i].from < set &&
		    rbg_program_is_sure(p, p->ops[i].from))
			return true;
	return false;
}

static bool rbg_program_finishes(const struct rbg_automaton *a, const struct rbg_program *p)
{
	if (p->end >= 0 && rbg_program_is_sure(p, p->end))
		return true;
	for (int i = 0; i < p->exit_count; i++) {
		const struct rbg_modifier *m = &a->modifiers[p->exits[i].modifier];
		bool does = m->kind == RBG_TURN ||
			    (m->kind != RBG_SET && a->programs[m->program].finishes);
		if (does && rbg_program_is_sure(p, p->exits[i].set))
			return true;
	}
	return false;
}

static bool rbg_program_is_straight(const struct rbg_automaton *a, const struct rbg_program *p)
{
	if (p->exit_count != 1 || p->end >= 0 || !rbg_program_is_sure(p, p->exits->set))
		return false;
	const struct rbg_modifier *m = &a->modifiers[p->exits->modifier];
	return m->kind == RBG_TURN || (m->kind != RBG_SET && a->programs[m->program].is_straight);
}

static void rbg_automaton_find_finishes(struct rbg_automaton *a)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < a->program_count; i++) {
			struct rbg_program *p = &a->programs[i];
			bool finishes = rbg_program_finishes(a, p);
			bool is_straight = rbg_program_is_straight(a, p);
			changed |= finishes != p->finishes || is_straight != p->is_straight;
			p->finishes = finishes;
			p->is_straight = is_straight;
		}
	}
}

/* --- programs that may start on any square --- */

/* Follows the square of the start. Returns false if it is asked for, or kept by a modifier. `tracked` tells which sets have it; *grown
 * is set if there are more than before. */
static bool rbg_program_tracks(const struct rbg_automaton *a, const struct rbg_program *p,
			       bool *tracked, bool *grown)
{
	for (int i = 0; i < p->op_count; i++) {
		const struct rbg_op *op = &p->ops[i];
		bool is_walk = (op->kind == RBG_OP_WALK || op->kind == RBG_OP_STAY) && !op->before;
		if (!tracked[op->from] || (is_walk && (op->walk->is_full || op->walk->is_empty)))
			continue;
		bool is_test = op->kind == RBG_OP_CAN || op->kind == RBG_OP_CANNOT;
		if (op->before || op->after)
			return false;
		if (op->kind != RBG_OP_COPY && op->kind != RBG_OP_COMPARE &&
		    !(is_test && a->programs[a->patterns[op->value].program].anywhere))
			return false;
		*grown |= !tracked[op->to];
		tracked[op->to] = true;
	}
	for (int i = 0; i < p->exit_count; i++) {
		const struct rbg_modifier *m = &a->modifiers[p->exits[i].modifier];
		if (tracked[p->exits[i].set] && (m->kind == RBG_PUT || m->kind == RBG_WAIT ||
						 !a->programs[m->program].anywhere))
			return false;
	}
	return true;
}

static bool rbg_program_is_anywhere(const struct rbg_automaton *a, const struct rbg_program *p)
{
	bool *tracked = xcalloc((size_t)p->set_count, sizeof *tracked), grown = true,
	     anywhere = true;
	tracked[0] = true;
	while (anywhere && grown) {
		grown = false;
		anywhere = rbg_program_tracks(a, p, tracked, &grown);
	}
	free(tracked);
	return anywhere;
}

/* All programs are taken for such at first; those that are not are found one after the other. */
static void rbg_automaton_find_anywhere(struct rbg_automaton *a)
{
	for (int i = 0; i < a->program_count; i++)
		a->programs[i].anywhere = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < a->program_count; i++)
			if (a->programs[i].anywhere &&
			    !rbg_program_is_anywhere(a, &a->programs[i])) {
				a->programs[i].anywhere = false;
				changed = true;
			}
	}
}

/* --- all together --- */

static void rbg_build_programs(struct rbg_builder *b)
{
	struct rbg_automaton *a = b->a;
	rbg_build_index(b, false, &b->first, &b->order);
	rbg_build_index(b, true, &b->back_first, &b->back_order);
	b->program_of = xmalloc((size_t)b->node_count * sizeof *b->program_of);
	memset(b->program_of, 0xff, (size_t)b->node_count * sizeof *b->program_of);
	b->local = xcalloc((size_t)b->node_count, sizeof *b->local);
	a->start = rbg_build_entry(b, 0);
	for (int i = 0; i < a->modifier_count && !b->failed; i++)
		a->modifiers[i].program = rbg_build_entry(b, a->modifiers[i].program);
	for (int i = 0; i < a->pattern_count && !b->failed; i++) {
		struct rbg_pattern *p = &a->patterns[i];
		int start = p->program;
		p->program = rbg_build_entry(b, start);
		p->changes = a->programs[p->program].exit_count > 0;
		if (p->changes)
			continue;
		rbg_build_program(b, &p->backward, p->end, true);
		p->backward.end = b->local[start];
		rbg_fuse(&p->backward);
		rbg_fuse_number(&p->backward);
	}
}

struct rbg_automaton *rbg_automaton_new(const struct rbg_rules *r, struct text *error)
{
	struct rbg_automaton *a = xcalloc(1, sizeof *a);
	a->rules = r;
	a->squares = r->square_count;
	a->words = (a->squares + 63) / 64;
	struct rbg_builder b = { .a = a, .error = error, .budget = RBG_WALKS_WORK };
	int from = rbg_build_node(&b), to = rbg_build_node(&b);
	rbg_build_term(&b, r->root, from, to);
	if (!b.failed)
		rbg_build_programs(&b);
	if (!b.failed) {
		rbg_automaton_find_finishes(a);
		rbg_automaton_find_anywhere(a);
	}
	free(b.edges);
	free(b.first);
	free(b.order);
	free(b.back_first);
	free(b.back_order);
	free(b.program_of);
	free(b.local);
	if (!b.failed)
		return a;
	rbg_automaton_free(a);
	return NULL;
}

static void rbg_program_free(struct rbg_program *p)
{
	free(p->ops);
	free(p->blocks);
	free(p->exits);
}

void rbg_automaton_free(struct rbg_automaton *a)
{
	if (!a)
		return;
	for (int i = 0; i < a->walk_count; i++)
		rbg_walk_free(a->walks[i]);
	for (int i = 0; i < a->program_count; i++)
		rbg_program_free(&a->programs[i]);
	for (int i = 0; i < a->pattern_count; i++)
		rbg_program_free(&a->patterns[i].backward);
	free(a->walks);
	free(a->programs);
	free(a->modifiers);
	free(a->patterns);
	free(a);
}
