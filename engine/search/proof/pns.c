/* SPDX-License-Identifier: MIT
 *
 * Proof-number search, best first (Allis, van der Meulen and van den Herik, 1994). The tree is in memory. Each unit of
 * work expands the most proving leaf: the way down takes, at each node, the child with the smallest number of the side to
 * move. A node has the numbers of both questions of dfpn.c, so every expansion counts for both. The number of the side to
 * move is the minimum over the children, that of the other side their sum.
 *
 * The tree knows its paths. So a repetition is judged by the rules, with the record and the path, and a
 * proof needs no further care.
 *
 * Memory: one array of nodes. The children of a node are consecutive and stand behind it. If the array is full, what is
 * below settled nodes is dropped and the others move up (compact()). If that gives too little room, the search ends.
 *
 * Threads: the lead alone searches; other workers return at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/repetition.h"
#include "engine/rules/threats.h"
#include "engine/search/proof/dfpn_private.h"

#define LEVELS_MAX  512 /* most steps from the root; a longer path stays open */
#define WIN_PART    5 /* one unit of work in so many is for the question that is not about a win */
#define ROOM_PART   8 /* the search ends if dropping frees less than 1/n of the nodes */
#define ROOT        0u
#define NO_NODE     UINT32_MAX
#define LEAST_NODES (4 * GAME_STEPS_MAX)

struct pns_node {
	uint32_t parent, children; /* index of the first child, or NO_NODE */
	struct numbers numbers[QUESTIONS];
	uint16_t count;
	move_t step;
	bool begun; /* its children are further steps of a move */
	bool dead;  /* used by compact() */
};

struct pns {
	const struct task *task;
	struct pns_node *nodes;
	size_t bytes;
	uint32_t used, room; /* nodes */
	uint64_t expanded;
	bool has_final;        /* positions of the record may end the game */
	bool stuck[QUESTIONS]; /* the way down leads to a path that is too long */
	/* The way down: nodes and their states, from the root on, and the keys of positions where
	 * repetition matters. */
	int level;
	uint32_t path[LEVELS_MAX];
	struct state states[LEVELS_MAX];
	uint64_t keys[LEVELS_MAX];
	struct state next[GAME_STEPS_MAX]; /* the children of the leaf that is expanded */
};

static bool pns_is_resolved(const struct pns_node *n)
{
	return is_settled(n->numbers[DRAW_OR_BETTER]) && is_settled(n->numbers[WIN]);
}

/* --- memory --- */

/* Drops what is below resolved nodes, but for the steps of a move that has begun, and closes the gaps. Each
 * node stands behind its parent, so the parent has its new place already. */
static void compact(struct pns *p)
{
	uint32_t to = ROOT + 1;
	for (uint32_t from = ROOT; from < p->used; from++) {
		struct pns_node n = p->nodes[from];
		uint32_t at = from == ROOT ? ROOT : to;
		bool drops = n.dead || (pns_is_resolved(&n) && !n.begun);
		for (uint32_t i = 0; n.children != NO_NODE && i < n.count; i++) {
			p->nodes[n.children + i].parent = at;
			p->nodes[n.children + i].dead = drops;
		}
		if (n.dead)
			continue;
		if (drops) {
			n.children = NO_NODE;
			n.count = 0;
		}
		if (from != ROOT) {
			if (p->nodes[n.parent].children == from)
				p->nodes[n.parent].children = to;
			to++;
		}
		p->nodes[at] = n;
	}
	p->used = to;
	p->level = 0;
}

/* Makes room for the children of a node. Returns false if there is too little. */
static bool pns_make_room(struct pns *p)
{
	if (p->room - p->used >= GAME_STEPS_MAX)
		return true;
	compact(p);
	return p->room - p->used >= p->room / ROOM_PART + GAME_STEPS_MAX;
}

/* --- expansion --- */

static void init_node(struct pns_node *n, uint32_t parent, move_t step)
{
	*n = (struct pns_node) { .parent = parent, .children = NO_NODE, .step = step };
}

static void pns_settle(struct pns_node *n, int winner)
{
	for (int q = 0; q < QUESTIONS; q++)
		n->numbers[q] = settled_for(winner);
}

static void pns_set_result(struct pns_node *n, int score)
{
	for (int q = 0; q < QUESTIONS; q++)
		n->numbers[q] = final_numbers(score, (enum question)q);
}

/* Returns how often a position has occurred in the record and on the path. The root belongs to the record. */
static int occurrences(const struct pns *p, uint64_t key)
{
	int count = record_occurrences(p->task->record, key);
	for (int i = 1; key && i <= p->level; i++)
		count += p->keys[i] == key;
	return count;
}

/* The steps of the root's move up to the node at the end of the path. */
static struct move begun_move(const struct pns *p)
{
	struct move m = move_none();
	for (int i = 1; i <= p->level; i++)
		m = move_append(m, i - 1, p->nodes[p->path[i]].step);
	return m;
}

/* Sets up the child of the leaf that a step leads to, at p->next[index]. Returns false if the step is not to be looked at:
 * it is excluded or forbidden, or an earlier step leads to the same position. */
static bool pns_add_child(struct pns *p, struct pns_node *child, int index, move_t step)
{
	const struct game *g = p->task->record->game;
	const struct state *s = &p->states[p->level];
	struct state *next = &p->next[index];
	bool is_root_move = p->task->only && p->level == s->pending;
	if (is_root_move && !task_allows(p->task, move_append(begun_move(p), p->level, step)))
		return false;
	/* The first key is the root's, which the record knows. */
	bool repeated = repetition_forbids(g) &&
			record_repeats(p->task->record, s, step, p->keys + 1, p->level);
	if (repeated && !(g->repetition && g->repetition->draws))
		return false;
	init_node(child, p->path[p->level], step);
	*next = *s;
	g->play(g, next, step);
	for (int i = 0; s->pending && i < index; i++)
		if (state_equal(&p->next[i], next))
			return false;
	if (!next->over && repetition_limit(g))
		repeated = occurrences(p, repetition_key(g, next)) + 1 >= repetition_limit(g);
	if (repeated || next->over) {
		pns_set_result(child, repeated ? 0 : next->score);
		return true;
	}
	/* The steps of the root's move are always found: they are the answer. */
	bool may_win = !next->pending || p->level != s->pending;
	struct numbers n = initial_numbers(g, next, may_win, p->has_final);
	child->numbers[DRAW_OR_BETTER] = child->numbers[WIN] = n;
	return true;
}

/* Returns true if a side that moves to a node loses there. */
static bool is_lost(const struct pns_node *n, int side)
{
	return n->numbers[WIN].of[side] == NEVER && n->numbers[DRAW_OR_BETTER].of[side] == NEVER;
}

static bool pns_is_won(const struct pns_node *n, int side)
{
	return n->numbers[WIN].of[side] == 0 && n->numbers[DRAW_OR_BETTER].of[side] == 0;
}

/* Lists the steps of the leaf at the end of the path. *won: the only step listed wins by force. Settles the leaf if the
 * game knows its winner. */
static int pns_list_steps(struct pns *p, struct pns_node *leaf, move_t *steps, bool *won)
{
	const struct game *g = p->task->record->game;
	const struct state *s = &p->states[p->level];
	bool restricted = p->task->only && p->level == s->pending;
	/* A leaf below the root would be settled if its side won at once. */
	struct knowledge k = {
		.is_root = p->level == 0,
		.no_win = !restricted && g->threats && (p->level > 0 || !g->threats->wins(g, s)),
		.has_final = p->has_final,
		.forced = threats_work(g, p->task->options->forced),
	};
	int winner, count = proof_steps(g, s, k, steps, won, &winner);
	if (winner)
		pns_settle(leaf, winner > 0 ? BLACK : WHITE);
	/* The root shows all moves, also if each of them is known to lose. */
	return p->level > 0 || *won ? count : g->moves(g, s, steps);
}

/* Gives children to the leaf at the end of the path. There must be room. Below the root's move, lost steps are left out,
 * and a won one stands alone. */
static void pns_expand(struct pns *p)
{
	const struct state *s = &p->states[p->level];
	struct pns_node *leaf = &p->nodes[p->path[p->level]];
	const bool is_answer = p->level == s->pending;
	move_t steps[GAME_STEPS_MAX];
	bool won;
	int listed = pns_list_steps(p, leaf, steps, &won), count = 0;
	struct pns_node *children = &p->nodes[p->used];
	if (pns_is_resolved(leaf))
		return;
	for (int i = 0; i < listed; i++) {
		if (!pns_add_child(p, &children[count], count, steps[i]))
			continue;
		if (won)
			pns_settle(&children[count], s->side);
		if (!is_answer && is_lost(&children[count], s->side))
			continue;
		if (!is_answer && pns_is_won(&children[count], s->side)) {
			children[0] = children[count];
			count = 1;
			break;
		}
		count++;
	}
	if (count == 0) {
		pns_settle(leaf, s->side ^ 1);
		return;
	}
	leaf->children = p->used;
	leaf->count = (uint16_t)count;
	leaf->begun = s->pending > 0 || p->level == 0;
	p->used += (uint32_t)count;
}

/* --- the way down and up --- */

static uint32_t pns_add_numbers(uint32_t a, uint32_t b)
{
	if (a == NEVER || b == NEVER)
		return NEVER;
	return a < NEVER - 1 - b ? a + b : NEVER - 1;
}

/* Computes the numbers of a node from its children. Returns true if that changes them. */
static bool pns_update(struct pns *p, struct pns_node *n, int side)
{
	bool changed = false;
	for (int q = 0; q < QUESTIONS; q++) {
		struct numbers total;
		total.of[side] = NEVER;
		total.of[side ^ 1] = 0;
		for (uint32_t i = 0; i < n->count; i++) {
			struct numbers child = p->nodes[n->children + i].numbers[q];
			if (child.of[side] < total.of[side])
				total.of[side] = child.of[side];
			total.of[side ^ 1] = pns_add_numbers(total.of[side ^ 1],
							     child.of[side ^ 1]);
		}
		if (total.of[side] == 0)
			total.of[side ^ 1] = NEVER;
		else if (total.of[side] == NEVER)
			total.of[side ^ 1] = 0;
		changed |= memcmp(&total, &n->numbers[q], sizeof total) != 0;
		n->numbers[q] = total;
	}
	return changed;
}

/* Updates the nodes above the end of the path as far as they change. The path then ends where the next way
 * down begins. */
static void go_up(struct pns *p)
{
	struct pns_node *n = &p->nodes[p->path[p->level]];
	bool changed = n->children == NO_NODE || pns_update(p, n, p->states[p->level].side);
	while (p->level > 0 && changed) {
		p->level--;
		changed = pns_update(p, &p->nodes[p->path[p->level]], p->states[p->level].side);
	}
}

/* Extends the path to the most proving leaf. Returns false if the path is too long. */
static bool go_down(struct pns *p, enum question q)
{
	const struct game *g = p->task->record->game;
	for (;;) {
		const struct pns_node *n = &p->nodes[p->path[p->level]];
		const struct state *s = &p->states[p->level];
		if (n->children == NO_NODE)
			return true;
		if (p->level + 1 == LEVELS_MAX)
			return false;
		uint32_t best = n->children;
		for (uint32_t i = n->children; i < n->children + n->count; i++)
			if (p->nodes[i].numbers[q].of[s->side] <
			    p->nodes[best].numbers[q].of[s->side])
				best = i;
		struct state *next = &p->states[p->level + 1];
		*next = *s;
		g->play(g, next, p->nodes[best].step);
		p->path[++p->level] = best;
		if (repetition_forbids(g))
			p->keys[p->level] = g->repetition->key(g, next, MOVE_NONE);
		else if (repetition_limit(g))
			p->keys[p->level] = repetition_key(g, next);
	}
}

/* Chooses the question to work on. Most work is for the question whether the side to move wins, because a win ends the
 * search. */
static enum question choose_question(const struct pns *p)
{
	enum question win = win_question(p->task->record->now.side), other = win ^ 1;
	const struct pns_node *root = &p->nodes[ROOT];
	bool win_open = !is_settled(root->numbers[win]) && !p->stuck[win];
	bool other_open = !is_settled(root->numbers[other]) && !p->stuck[other];
	return win_open && (!other_open || p->expanded % WIN_PART) ? win : other;
}

/* Expands one leaf. Returns false if the search is over. */
static bool search_once(struct pns *p, enum question *last)
{
	const struct pns_node *root = &p->nodes[ROOT];
	enum question q = choose_question(p);
	if (is_settled(root->numbers[q]) || p->stuck[q] || !pns_make_room(p))
		return false;
	/* The way down begins anew where the other question has led elsewhere. */
	if (q != *last)
		p->level = 0;
	*last = q;
	if (!go_down(p, q)) {
		p->stuck[q] = true;
		p->level = 0;
		return true;
	}
	p->expanded++;
	pns_expand(p);
	go_up(p);
	return true;
}

static void pns_work(void *self, int worker, struct control *control)
{
	struct pns *p = self;
	enum question last = WIN;
	if (worker != 0)
		return;
	for (uint64_t batch; (batch = control_claim(control, WORK_BATCH)) > 0;) {
		for (; batch > 0 && !control_stopped(control); batch--) {
			if (search_once(p, &last))
				continue;
			control_stop(control);
			break;
		}
		control_refund(control, batch);
		control_publish(control);
	}
}

/* --- the report --- */

/* Returns the child whose numbers are best for `side`, which chooses at a node with children. */
static const struct pns_node *pns_best_child(const struct pns *p, const struct pns_node *n,
					     int side)
{
	const struct pns_node *best = &p->nodes[n->children];
	for (const struct pns_node *c = best; c < &p->nodes[n->children] + n->count; c++)
		if (numbers_rating(c->numbers, side, 0) > numbers_rating(best->numbers, side, 0))
			best = c;
	return best;
}

/* Appends the best whole moves below a node to a line. Returns its new length. */
static int pns_follow_line(const struct pns *p, const struct pns_node *n, struct state s,
			   struct move *line, int count, int max)
{
	struct move move = move_none();
	while (count < max && n->children != NO_NODE) {
		n = pns_best_child(p, n, s.side);
		move = move_append(move, s.pending, n->step);
		p->task->record->game->play(p->task->record->game, &s, n->step);
		if (s.pending)
			continue;
		line[count++] = move;
		move = move_none();
	}
	return count;
}

static void pns_set_bounds(const struct pns_node *n, int *lower, int *upper)
{
	const struct numbers *draw = &n->numbers[DRAW_OR_BETTER], *win = &n->numbers[WIN];
	*lower = win->of[BLACK] == 0 ? 1 : draw->of[BLACK] == 0 ? 0 : -1;
	*upper = draw->of[BLACK] == NEVER ? -1 : win->of[BLACK] == NEVER ? 0 : 1;
}

/* The moves of a report with their ratings. */
struct pns_rated {
	struct report *report;
	int best; /* the answer so far */
	double ratings[GAME_MOVES_MAX];
};

/* Lists the moves below a node, which begin with the steps in `begun`. */
static void pns_report_moves(const struct pns *p, const struct pns_node *n, const struct state *s,
			     struct move begun, struct pns_rated *out)
{
	int side = p->task->record->now.side;
	for (uint32_t i = 0; n->children != NO_NODE && i < n->count; i++) {
		const struct pns_node *child = &p->nodes[n->children + i];
		struct state next = *s;
		struct move move = move_append(begun, s->pending, child->step);
		p->task->record->game->play(p->task->record->game, &next, child->step);
		if (next.pending) {
			pns_report_moves(p, child, &next, move, out);
			continue;
		}
		int at = out->report->move_count;
		out->ratings[at] = numbers_rating(child->numbers, side, 0);
		if (out->ratings[at] > out->ratings[out->best])
			out->best = at;
		struct report_move *r = report_add(out->report, move);
		int lower, upper;
		pns_set_bounds(child, &lower, &upper);
		report_narrow(r, lower, upper);
		if (lower == upper)
			r->value = lower;
		struct move line[REPORT_LINE_MAX] = { move };
		report_set_line(out->report, r, line, NULL,
				pns_follow_line(p, child, next, line, 1, REPORT_LINE_MAX));
	}
}

/* The answer is the move with the best rating. Second steps are missing where none was looked at. */
static void pns_report(void *self, struct report *out)
{
	struct pns *p = self;
	const struct state *s = &p->task->record->now;
	const struct pns_node *root = &p->nodes[ROOT];
	struct numbers n = root->numbers[win_question(s->side)];
	struct pns_rated rated = { .report = out };
	pns_set_bounds(root, &out->lower, &out->upper);
	if (out->lower == out->upper)
		out->value = out->lower;
	out->nodes = p->expanded;
	out->fill = (double)p->used / p->room;
	pns_report_moves(p, root, s, move_none(), &rated);
	if (!out->move_count)
		return;
	out->proof = report_number(n.of[s->side]);
	out->disproof = report_number(n.of[s->side ^ 1]);
	report_settle(out, s->side);
	out->line_count = report_line(out, &out->moves[rated.best], out->line, NULL);
	report_sort(out, s->side, rated.ratings);
}

/* --- the other functions of struct algorithm --- */

static void *pns_create(void)
{
	return xcalloc(1, sizeof(struct pns));
}

static void pns_destroy(void *self)
{
	struct pns *p = self;
	block_destroy(p->nodes, p->bytes);
	free(p);
}

static bool pns_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct pns *p = self;
	size_t bytes = task->memory < LEAST_NODES * sizeof(struct pns_node)
			       ? LEAST_NODES * sizeof(struct pns_node)
			       : task->memory;
	size_t room = bytes / sizeof(struct pns_node);
	if (bytes != p->bytes) {
		block_destroy(p->nodes, p->bytes);
		p->nodes = block_create(bytes);
		p->bytes = p->nodes ? bytes : 0;
	}
	if (!p->nodes) {
		snprintf(why, REASON_MAX, "no memory for a tree of %zu bytes", bytes);
		return false;
	}
	p->task = task;
	p->has_final = record_final_positions(task->record) != 0;
	p->room = room < NO_NODE ? (uint32_t)room : NO_NODE;
	p->used = ROOT + 1;
	p->level = 0;
	p->expanded = 0;
	p->stuck[WIN] = p->stuck[DRAW_OR_BETTER] = false;
	p->path[0] = ROOT;
	p->states[0] = task->record->now;
	init_node(&p->nodes[ROOT], ROOT, MOVE_NONE);
	for (int q = 0; q < QUESTIONS; q++)
		p->nodes[ROOT].numbers[q] = (struct numbers) { { 1, 1 } };
	/* Spend no time on a forced move, unless its value is wanted. */
	if (task->control->deadline != TIME_NEVER && !task->values && task_moves(task, NULL) == 1)
		control_stop(task->control);
	return true;
}

const struct algorithm algorithm_pns = {
	.name = "pns",
	.help = "proof-number search, best first: a tree in memory",
	.create = pns_create,
	.destroy = pns_destroy,
	.prepare = pns_prepare,
	.work = pns_work,
	.report = pns_report,
};
