/* SPDX-License-Identifier: MIT */
#include "tools/book/builder.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/evaluation/weights.h"
#include "engine/rules/book.h"
#include "engine/rules/images.h"
#include "engine/search/engine.h"
#include "protocol/records/file.h"
#include "tools/book/results.h"
#include "tools/lib/message.h"

#define GROW_PART   8  /* a step adds about 1/n of the graph's size */
#define GROW_MOST   32 /* most nodes that a step adds */
#define OWN_MISTAKE 4  /* factor on mistakes of the side that follows the book */
#define LINE_EVERY  10 /* seconds between progress lines */
#define NONE        (-1)

/* A move of a node. If several moves lead to one position, only the first is listed. */
struct builder_child {
	struct move move;
	struct book_entry key; /* of the resulting position */
};

/* A position of the graph. */
struct builder_node {
	struct state state;
	struct book_entry key;
	struct builder_child *children;
	int child_count;
	int free;             /* empty squares; every child has fewer */
	bool searched;        /* `dropout` is known */
	int dropout;          /* index of a child; NONE: all children are nodes */
	double dropout_value; /* Black's, like all values */
	bool known;           /* `value` is valid: the node is searched, or the game is over */
	double value;
	double cost; /* of the cheapest path to this node, if one side follows the book */
	/* The cost of the cheapest path that goes on by the drop-out move, whichever side follows the book.
	 * INFINITY: there is no drop-out move. */
	double dropout_cost;
};

/* The result of a search. */
struct builder_result {
	struct book_entry key;  /* of the position searched */
	struct book_entry next; /* the position after the best move, and its value */
	uint64_t choice;        /* sum of the hashes of the positions to choose from */
	uint64_t work;
};

struct builder {
	struct book_settings settings;
	struct builder_node *nodes;
	size_t count;
	size_t first;  /* number of initial nodes */
	size_t *slots; /* hash table of node indices + 1; 0: empty */
	size_t slot_count;
	struct builder_result
		*results; /* results of earlier runs, in the order of compare_results */
	size_t result_count;
	FILE *journal;
	pthread_mutex_t lock; /* protects the journal */
	int64_t end, told;    /* end of the run; time of the last progress line */

	/* The nodes of one parallel search, and the index of the next one. */
	size_t *wanted, wanted_count;
	_Atomic size_t next;
};

/* --- the graph --- */

static uint64_t hash_key(const struct book_entry *key)
{
	return state_hash(
		&(struct state) { .board = { key->stones[0], key->stones[1] }, .side = key->side });
}

static size_t *builder_find_slot(const struct builder *b, const struct book_entry *key)
{
	size_t at = hash_key(key) & (b->slot_count - 1);
	while (b->slots[at] && book_compare(&b->nodes[b->slots[at] - 1].key, key) != 0)
		at = (at + 1) & (b->slot_count - 1);
	return &b->slots[at];
}

/* Returns the node of a child, NULL if it is none. */
static struct builder_node *child_node(const struct builder *b, const struct builder_child *a)
{
	size_t slot = *builder_find_slot(b, &a->key);
	return slot ? &b->nodes[slot - 1] : NULL;
}

static void builder_grow_slots(struct builder *b)
{
	free(b->slots);
	b->slot_count = b->slot_count ? 2 * b->slot_count : 1 << 12;
	b->slots = xcalloc(b->slot_count, sizeof *b->slots);
	for (size_t i = 0; i < b->count; i++)
		*builder_find_slot(b, &b->nodes[i].key) = i + 1;
}

void builder_play(const struct game *g, struct state *s, struct move move)
{
	game_play(g, s, move);
	while (game_must_pass(g, s))
		g->play(g, s, g->steps.pass);
}

static void list_children(const struct game *g, struct builder_node *p)
{
	struct move moves[GAME_MOVES_MAX];
	int n = p->state.over ? 0 : game_moves(g, &p->state, moves), symmetry;
	p->children = xcalloc((size_t)n + 1, sizeof *p->children);
	for (int i = 0; i < n; i++) {
		struct state next = p->state;
		bool listed = false;
		builder_play(g, &next, moves[i]);
		struct builder_child a = { moves[i], book_key(g, &next, &symmetry) };
		for (int k = 0; k < p->child_count && !listed; k++)
			listed = book_compare(&p->children[k].key, &a.key) == 0;
		if (!listed)
			p->children[p->child_count++] = a;
	}
}

/* Adds a node for a state unless there is one. */
static void builder_add_node(struct builder *b, const struct state *s)
{
	const struct game *g = b->settings.game;
	int symmetry;
	struct book_entry key = book_key(g, s, &symmetry);
	size_t *slot = builder_find_slot(b, &key);
	if (*slot)
		return;
	b->nodes = xgrow(b->nodes, b->count, sizeof *b->nodes);
	struct builder_node *p = &b->nodes[b->count++];
	*slot = b->count;
	*p = (struct builder_node) {
		.state = *s, .key = key, .free = game_free(g, s), .dropout = NONE
	};
	list_children(g, p);
	if (2 * b->count > b->slot_count)
		builder_grow_slots(b);
}

static void builder_add_child(struct builder *b, size_t from, const struct builder_child *a)
{
	struct state next = b->nodes[from].state;
	builder_play(b->settings.game, &next, a->move);
	builder_add_node(b, &next);
}

/* Adds the initial nodes: all positions within settings.depth moves of the start. */
static void add_first(struct builder *b)
{
	struct state s;
	builder_grow_slots(b);
	b->settings.game->start(b->settings.game, &s);
	builder_add_node(b, &s);
	size_t from = 0;
	for (int depth = 0; depth < b->settings.depth; depth++)
		for (size_t end = b->count; from < end; from++)
			for (int i = 0; i < b->nodes[from].child_count; i++)
				builder_add_child(b, from, &b->nodes[from].children[i]);
	b->first = b->count;
}

/* Returns the value of a child, from its node or from the search of the drop-out move; NAN: unknown. */
static double child_value(const struct builder *b, const struct builder_node *p, int child)
{
	const struct builder_node *next = child_node(b, &p->children[child]);
	if (next && next->known)
		return next->value;
	return child == p->dropout ? p->dropout_value : NAN;
}

static void update_value(const struct builder *b, struct builder_node *p)
{
	double best = -INFINITY;
	if (p->state.over)
		p->value = b->settings.game->score.unit ? p->state.score
							: score_sign(p->state.score);
	for (int i = 0; i < p->child_count; i++)
		best = fmax(best, side_sign(p->state.side) * child_value(b, p, i));
	/* Without the drop-out move, the best child may be missing. */
	if (!p->searched)
		best = -INFINITY;
	if (!p->state.over)
		p->value = side_sign(p->state.side) * best;
	p->known = p->state.over || best > -INFINITY;
}

/* Propagates values through the graph, from positions with few empty squares to the start. */
static void builder_back_up(struct builder *b)
{
	int most = b->nodes[0].free;
	for (int free = 0; free <= most; free++)
		for (size_t i = 0; i < b->count; i++)
			if (b->nodes[i].free == free)
				update_value(b, &b->nodes[i]);
}

/* Updates the costs of the paths that go on from a node, if side `follower` follows the book. */
static void builder_leave(const struct builder *b, struct builder_node *p, int follower)
{
	double factor = p->state.side == follower ? OWN_MISTAKE : 1;
	for (int i = 0; i < p->child_count; i++) {
		double value = child_value(b, p, i);
		struct builder_node *next = child_node(b, &p->children[i]);
		if (isnan(value))
			continue;
		double mistake = fmax(side_sign(p->state.side) * (p->value - value), 0);
		double cost = p->cost + b->settings.step + factor * mistake;
		if (next)
			next->cost = fmin(next->cost, cost);
		else
			p->dropout_cost = fmin(p->dropout_cost, cost);
	}
}

/* Computes the costs of all paths through the graph from its values. */
static void find_costs(struct builder *b)
{
	for (size_t i = 0; i < b->count; i++)
		b->nodes[i].dropout_cost = INFINITY;
	for (int follower = BLACK; follower <= WHITE; follower++) {
		for (size_t i = 0; i < b->count; i++)
			b->nodes[i].cost = i < b->first ? 0 : INFINITY;
		for (int free = b->nodes[0].free; free >= 0; free--)
			for (size_t i = 0; i < b->count; i++)
				if (b->nodes[i].free == free && b->nodes[i].known)
					builder_leave(b, &b->nodes[i], follower);
	}
}

/* --- journal --- */

static int compare_results(const void *a, const void *b)
{
	const struct builder_result *x = a, *y = b;
	int order = book_compare(&x->key, &y->key);
	if (order)
		return order;
	if (x->choice != y->choice)
		return x->choice < y->choice ? -1 : 1;
	return (x->work > y->work) - (x->work < y->work);
}

/* Adds a result of an earlier run. Returns false if the line has none. */
static bool builder_take_result(void *arg, const char *line)
{
	struct builder *b = arg;
	unsigned long long stones[4], choice, work;
	unsigned sides[2];
	float value;
	int end = 0;
	if (sscanf(line, "%llx %llx %u %llx %llu %llx %llx %u %f%n", &stones[0], &stones[1],
		   &sides[0], &choice, &work, &stones[2], &stones[3], &sides[1], &value,
		   &end) != 9 ||
	    line[end])
		return false;
	b->results = xgrow(b->results, b->result_count, sizeof *b->results);
	b->results[b->result_count++] = (struct builder_result) {
		.key = { { stones[0], stones[1] }, (uint8_t)sides[0] },
		.next = { { stones[2], stones[3] }, (uint8_t)sides[1], .value = value },
		.choice = choice,
		.work = work,
	};
	return true;
}

static void open_journal(struct builder *b)
{
	b->journal = results_open(b->settings.journal, "searches", b->settings.game,
				  builder_take_result, b);
	if (b->result_count)
		qsort(b->results, b->result_count, sizeof *b->results, compare_results);
}

static void builder_add_to_journal(struct builder *b, const struct builder_result *r)
{
	pthread_mutex_lock(&b->lock);
	fprintf(b->journal, "%llx %llx %u %llx %llu %llx %llx %u %.9g\n",
		(unsigned long long)r->key.stones[0], (unsigned long long)r->key.stones[1],
		r->key.side, (unsigned long long)r->choice, (unsigned long long)r->work,
		(unsigned long long)r->next.stones[0], (unsigned long long)r->next.stones[1],
		r->next.side, (double)r->next.value);
	if (fflush(b->journal) != 0 || ferror(b->journal))
		message_exit_errno("write", b->settings.journal);
	pthread_mutex_unlock(&b->lock);
}

/* --- searches --- */

/* A thread that searches. */
struct builder_searcher {
	struct engine *engine;
	struct record record;
	struct report report;
};

/* Lists the moves that may become a node's drop-out move, and sums the hashes of their positions. Returns their
 * number. */
static int list_choice(const struct builder *b, const struct builder_node *p,
		       struct move only[GAME_MOVES_MAX], uint64_t *sum)
{
	int count = 0;
	*sum = 0;
	for (int i = 0; i < p->child_count; i++) {
		if (child_node(b, &p->children[i]))
			continue;
		only[count++] = p->children[i].move;
		*sum += hash_key(&p->children[i].key);
	}
	return count;
}

/* Searches for the best of the moves `only` of a node. Stores its position and value in r->next. */
static void builder_search(const struct builder *b, struct builder_searcher *s,
			   const struct builder_node *p, const struct move *only, int count,
			   struct builder_result *r)
{
	struct limits limits = {
		.deadline = TIME_NEVER, .work_max = r->work, .only = only, .only_count = count
	};
	struct report *report = &s->report;
	char why[REASON_MAX] = "the search reports no value";
	int child = 0;
	engine_reseed(s->engine);
	record_setup(&s->record, &p->state);
	bool found = engine_search(s->engine, &s->record, &limits, report, why);
	double value = !found ? NAN : b->settings.game->score.unit ? report->score : report->value;
	if (isnan(value))
		message_exit("%s", why);
	while (!move_equal(p->children[child].move, report->line[0]))
		child++;
	r->next = p->children[child].key;
	r->next.value = (float)value;
}

/* Finds a node's drop-out move without changing the graph. Returns false if time is up. */
static bool find_dropout(struct builder *b, struct builder_searcher *s, struct builder_node *p)
{
	struct move only[GAME_MOVES_MAX];
	struct builder_result found = { .key = p->key, .work = (uint64_t)b->settings.work };
	int count = list_choice(b, p, only, &found.choice);
	const struct builder_result *earlier = b->result_count && count
						       ? bsearch(&found, b->results,
								 b->result_count, sizeof found,
								 compare_results)
						       : NULL;
	if (earlier) {
		found = *earlier;
	} else if (count) {
		if (clock_now() >= b->end)
			return false;
		builder_search(b, s, p, only, count, &found);
		builder_add_to_journal(b, &found);
	}
	p->dropout = NONE;
	for (int i = 0; i < p->child_count && count; i++)
		if (book_compare(&p->children[i].key, &found.next) == 0)
			p->dropout = i;
	p->dropout_value = (double)found.next.value;
	p->searched = true;
	return true;
}

static void search_wanted(void *arg, int number)
{
	struct builder *b = arg;
	struct builder_searcher *s = xcalloc(1, sizeof *s);
	s->engine = engine_create();
	struct options *o = engine_options(s->engine);
	o->threads = 1;
	o->memory = b->settings.memory;
	o->seed = 1;
	o->early_stop = false;
	record_init(&s->record, b->settings.game);
	for (bool busy = true; busy;) {
		size_t i = atomic_fetch_add(&b->next, 1);
		busy = i < b->wanted_count && find_dropout(b, s, &b->nodes[b->wanted[i]]);
	}
	record_free(&s->record);
	report_free(&s->report);
	engine_destroy(s->engine);
	free(s);
}

/* Returns true if a node must be searched: for the first time, or because its drop-out move now leads to a
 * node. */
static bool is_wanted(const struct builder *b, const struct builder_node *p)
{
	return !p->state.over &&
	       (!p->searched || (p->dropout != NONE && child_node(b, &p->children[p->dropout])));
}

/* Searches all nodes that need it, then updates values and costs. */
static void search_nodes(struct builder *b)
{
	b->wanted = xcalloc(b->count, sizeof *b->wanted);
	b->wanted_count = 0;
	atomic_store(&b->next, 0);
	for (size_t i = 0; i < b->count; i++)
		if (is_wanted(b, &b->nodes[i]))
			b->wanted[b->wanted_count++] = i;
	threads_run(b->settings.threads, search_wanted, b);
	free(b->wanted);
	builder_back_up(b);
	find_costs(b);
}

struct dropout {
	size_t node;
	double cost;
};

static int compare_dropouts(const void *a, const void *b)
{
	const struct dropout *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Plays the drop-out moves on the cheapest paths; the positions after them become nodes. Returns false if
 * there is none. */
static bool builder_grow(struct builder *b)
{
	struct dropout *dropouts = xcalloc(b->count, sizeof *dropouts);
	size_t count = 0, most = 1 + b->count / GROW_PART;
	for (size_t i = 0; i < b->count; i++)
		if (b->nodes[i].dropout_cost < INFINITY)
			dropouts[count++] = (struct dropout) { i, b->nodes[i].dropout_cost };
	qsort(dropouts, count, sizeof *dropouts, compare_dropouts);
	most = most < GROW_MOST ? most : GROW_MOST;
	count = count < most ? count : most;
	if (count && clock_now() >= b->told + INT64_C(1000000000) * LINE_EVERY) {
		printf("%zu positions, value of the start %.2f, cost of paths up to %.2f, %.0f s "
		       "left\n",
		       b->count, b->nodes[0].value, dropouts[count - 1].cost,
		       (double)(b->end - clock_now()) / 1e9);
		fflush(stdout);
		b->told = clock_now();
	}
	for (size_t i = 0; i < count; i++) {
		const struct builder_node *p = &b->nodes[dropouts[i].node];
		builder_add_child(b, dropouts[i].node, &p->children[p->dropout]);
	}
	free(dropouts);
	return count;
}

/* --- the book --- */

static int builder_compare_entries(const void *a, const void *b)
{
	const struct book_entry *x = a, *y = b;
	int order = book_compare(x, y), sign = side_sign(x->side);
	if (order)
		return order;
	if (x->value != y->value)
		return sign * (x->value < y->value ? 1 : -1);
	return (x->step[0] > y->step[0]) - (x->step[0] < y->step[0]);
}

static uint8_t builder_mirrored(const struct game *g, move_t step, int symmetry)
{
	if (step == MOVE_NONE)
		return UINT8_MAX;
	return (uint8_t)(symmetry ? g->images->mirror(g, step, symmetry) : step);
}

void builder_set_move(const struct game *g, struct book_entry *e, struct move move, int symmetry)
{
	for (int i = 0; i < 2; i++)
		e->step[i] = builder_mirrored(g, move.step[i], symmetry);
}

/* Returns true if the position after at least one of its moves has a value of its own. */
static bool is_inner(const struct builder *b, const struct builder_node *p)
{
	for (int i = 0; i < p->child_count; i++) {
		const struct builder_node *next = child_node(b, &p->children[i]);
		if (next && next->known)
			return p->known;
	}
	return false;
}

/* Adds the moves of a node that are nearly as good as the best. Returns their number. */
static uint32_t add_entries(const struct builder *b, const struct builder_node *p,
			    struct book_entry *out)
{
	const struct game *g = b->settings.game;
	uint32_t count = 0;
	int symmetry;
	book_key(g, &p->state, &symmetry);
	for (int i = 0; i < p->child_count && count < BOOK_MOVES_MAX; i++) {
		struct move move = p->children[i].move;
		double value = child_value(b, p, i);
		if (isnan(value) ||
		    side_sign(p->state.side) * (p->value - value) > b->settings.equal)
			continue;
		out[count] = p->key;
		builder_set_move(g, &out[count], move, symmetry);
		out[count++].value = (float)value;
	}
	return count;
}

struct book_file {
	struct book_header header;
	const struct book_entry *entries;
};

static bool print_book(FILE *f, void *arg)
{
	const struct book_file *b = arg;
	return fwrite(&b->header, sizeof b->header, 1, f) == 1 &&
	       fwrite(b->entries, sizeof *b->entries, b->header.count, f) == b->header.count;
}

void builder_write(const struct book_settings *settings, const struct book_entry *entries,
		   uint32_t count)
{
	struct book_file file = { .header = { .magic = "", .count = count }, .entries = entries };
	char why[REASON_MAX];
	memcpy(file.header.magic, BOOK_MAGIC, sizeof file.header.magic);
	file.header.checksum = checksum_of(entries, count * sizeof *entries);
	if (!file_replace(settings->output, print_book, &file, why))
		message_exit("%s", why);
}

static void write_book(const struct builder *b)
{
	struct book_entry *entries = xcalloc(b->count * BOOK_MOVES_MAX, sizeof *entries);
	uint32_t count = 0;
	size_t inner = 0;
	for (size_t i = 0; i < b->count; i++)
		if (is_inner(b, &b->nodes[i])) {
			count += add_entries(b, &b->nodes[i], entries + count);
			inner++;
		}
	qsort(entries, count, sizeof *entries, builder_compare_entries);
	builder_write(&b->settings, entries, count);
	printf("wrote %u moves of %zu positions (of %zu searched) to %s\n", count, inner, b->count,
	       b->settings.output);
	free(entries);
}

void builder_run(const struct book_settings *settings)
{
	struct builder b = { .settings = *settings, .lock = PTHREAD_MUTEX_INITIALIZER };
	b.told = clock_now();
	b.end = b.told + (int64_t)(settings->seconds * 1e9);
	open_journal(&b);
	add_first(&b);
	search_nodes(&b);
	while (b.count < (size_t)settings->positions && clock_now() < b.end && builder_grow(&b))
		search_nodes(&b);
	write_book(&b);
	fclose(b.journal);
	for (size_t i = 0; i < b.count; i++)
		free(b.nodes[i].children);
	free(b.nodes);
	free(b.slots);
	free(b.results);
}
