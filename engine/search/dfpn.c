/* SPDX-License-Identifier: MIT
 *
 * Depth-first proof-number search (df-pn: Nagai, 2002) over steps, with the 1 + epsilon trick for
 * thresholds (Pawlewicz and Lew, 2007) and with weak proof numbers (Ueda, Hashimoto, Hashimoto and Iida,
 * 2008).
 *
 * Two yes-or-no questions distinguish wins, draws and losses: is Black's result at least a draw, and is it
 * a win? The questions do not depend on the side to move or on the root. So table entries stay true for
 * every later search.
 *
 * A question has two numbers, one per side: the least number of unexplored positions that must turn out
 * well for this side to settle the answer in its favor. (Black's number is the textbook's proof number,
 * White's is the disproof number.) The number of the side to move is the minimum over the children. The
 * number of the other side is the maximum over the children, plus 1 for each other child (the weak number;
 * a sum would count shared descendants many times). `side` of the state decides which rule holds, so a side
 * may make two steps in a row. There are no cycles: every step adds a stone, is a turn after a placement,
 * or is one of few passes.
 *
 * All workers search the same root and share one table without locks. A worker raises the numbers of the
 * positions on its path for the other workers, so they choose other positions. The table only saves work:
 * each position on a worker's path holds the numbers of its children, so the search continues if the table
 * has overwritten them.
 */
#include "engine/search/dfpn.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/memory.h"

enum question { DRAW_OR_BETTER, WIN }; /* of Black's result */

#define QUESTIONS   2
#define NUMBER_BITS 27
/* The answer is settled against this side; the other number is 0. */
#define NEVER       ((1u << NUMBER_BITS) - 1)

struct numbers {
	uint32_t of[2]; /* indexed by side; both 0: unknown */
};

static const struct numbers unlimited = { { NEVER, NEVER } };

static bool is_known(struct numbers n)
{
	return n.of[BLACK] || n.of[WHITE];
}

static bool is_settled(struct numbers n)
{
	return n.of[BLACK] == NEVER || n.of[WHITE] == NEVER;
}

static struct numbers settled_for(int side)
{
	struct numbers n;
	n.of[side] = 0;
	n.of[side ^ 1] = NEVER;
	return n;
}

/* The numbers at the end of a game. */
static struct numbers judge(int score, enum question q)
{
	return settled_for(score_sign(score) >= (q == WIN ? 1 : 0) ? BLACK : WHITE);
}

/* The question whether `side` wins. The other question is whether it does not lose. */
static enum question win_question(int side)
{
	return side == BLACK ? WIN : DRAW_OR_BETTER;
}

/* --- the transposition table ---
 *
 * A cell holds the exact position and a word for each question: its numbers, the side to move, the effort
 * (log2 of expanded nodes) and the age of the search that wrote it. The position is xored with a scrambled
 * copy of the words. A mix of words from two threads then matches no position (Hyatt and Mann, 2002). */

struct cell {
	_Atomic uint64_t key[2], word[QUESTIONS];
};
_Static_assert(sizeof(struct cell) == 32, "two cells fill a cache line");

#define BUCKET        2          /* cells per bucket */
#define BUCKETS_FIRST (1u << 15) /* buckets in use at first */
#define EFFORT_BITS   6
#define AGE_BITS      3
#define AGES          (1u << AGE_BITS)

struct table {
	struct cell *cells;
	size_t buckets, bytes;
	_Atomic size_t used;     /* buckets in use */
	const struct game *game; /* the game of the stored positions */
	unsigned age;            /* age of the words that this search writes */
};

static uint64_t word_pack(struct numbers n, unsigned effort, unsigned age, int side)
{
	return n.of[BLACK] | (uint64_t)n.of[WHITE] << NUMBER_BITS |
	       (uint64_t)effort << 2 * NUMBER_BITS |
	       (uint64_t)age << (2 * NUMBER_BITS + EFFORT_BITS) | (uint64_t)side << 63;
}

static struct numbers word_numbers(uint64_t word)
{
	return (struct numbers) { { word & NEVER, word >> NUMBER_BITS & NEVER } };
}

static unsigned word_effort(uint64_t word)
{
	return word >> 2 * NUMBER_BITS & ((1u << EFFORT_BITS) - 1);
}

static unsigned word_age(uint64_t word)
{
	return word >> (2 * NUMBER_BITS + EFFORT_BITS) & (AGES - 1);
}

static int word_side(uint64_t word)
{
	return (int)(word >> 63);
}

static uint64_t scramble(const uint64_t word[QUESTIONS])
{
	uint64_t h = word[0] * 0x9e3779b97f4a7c15u ^ rng_rotate(word[1], 32);
	return (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Linear hashing (Litwin, 1980): the hash selects a place below a power of 2. A place that is not in use
 * yet maps to the bucket without the highest bit. */
static struct cell *table_bucket(const struct table *t, const struct state *s)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	size_t mask = SIZE_MAX >> __builtin_clzll((used - 1) | 1);
	size_t place = s->hash & mask;
	return &t->cells[BUCKET * (place & mask >> (place >= used))];
}

/* Reads a cell. Returns true if it holds this position. */
static bool cell_read(const struct cell *c, const struct state *s, uint64_t word[QUESTIONS])
{
	for (int q = 0; q < QUESTIONS; q++)
		word[q] = atomic_load_explicit(&c->word[q], memory_order_relaxed);
	uint64_t mask = scramble(word);
	return (atomic_load_explicit(&c->key[0], memory_order_relaxed) ^ mask) == s->board[0] &&
	       (atomic_load_explicit(&c->key[1], memory_order_relaxed) ^ mask) == s->board[1] &&
	       word_side(word[0]) == s->side;
}

/* Reads the words of a position; all 0 if it is not in the table. */
static void table_read(const struct table *t, const struct state *s, uint64_t word[QUESTIONS])
{
	const struct cell *c = table_bucket(t, s);
	for (int i = 0; i < BUCKET; i++)
		if (cell_read(&c[i], s, word))
			return;
	memset(word, 0, QUESTIONS * sizeof *word);
}

/* Finds the numbers of a question. The other question may imply the answer: a win is at least a draw, and a
 * loss is no win. */
static struct numbers table_find(const struct table *t, const struct state *s, enum question q)
{
	uint64_t word[QUESTIONS];
	table_read(t, s, word);
	struct numbers other = word_numbers(word[q ^ 1]);
	return other.of[q == WIN ? BLACK : WHITE] == NEVER ? other : word_numbers(word[q]);
}

/* The replacement priority of a cell; 0 if an earlier search wrote it. */
static int cell_worth(const struct table *t, const uint64_t word[QUESTIONS])
{
	int worth = 0;
	for (int q = 0; q < QUESTIONS; q++) {
		int effort = 1 + (int)word_effort(word[q]);
		if (word_age(word[q]) == t->age && is_known(word_numbers(word[q])) &&
		    effort > worth)
			worth = effort;
	}
	return worth;
}

/* Stores the numbers of a question in the position's cell, or else replaces the cell with the lowest
 * priority. */
static void table_store(const struct table *t, const struct state *s, enum question q,
			struct numbers n, uint64_t nodes)
{
	struct cell *bucket = table_bucket(t, s), *worst = NULL;
	uint64_t word[QUESTIONS], kept[QUESTIONS] = { 0 };
	int least = 0;
	for (int i = 0; i < BUCKET; i++) {
		if (cell_read(&bucket[i], s, word)) {
			worst = &bucket[i];
			memcpy(kept, word, sizeof kept);
			break;
		}
		int worth = cell_worth(t, word);
		if (!worst || worth < least) {
			worst = &bucket[i];
			least = worth;
		}
	}
	unsigned effort = 63 - (unsigned)__builtin_clzll(nodes | 1);
	if (effort < word_effort(kept[q]))
		effort = word_effort(kept[q]);
	kept[q] = word_pack(n, effort, t->age, s->side);
	kept[q ^ 1] |= (uint64_t)s->side << 63;
	uint64_t mask = scramble(kept);
	for (int i = 0; i < 2; i++) {
		atomic_store_explicit(&worst->word[i], kept[i], memory_order_relaxed);
		atomic_store_explicit(&worst->key[i], s->board[i] ^ mask, memory_order_relaxed);
	}
}

/* Adds `more` buckets to those in use, up to all buckets. If a short search used the whole table at once,
 * fresh pages would cost more time than its nodes. Doubling would cost a long search as much at one moment.
 * Each new bucket takes over half of the positions of an old one; their entries are lost. */
static void table_grow(struct table *t, size_t more)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed), grown;
	do {
		size_t left = t->buckets - used;
		if (left == 0)
			return;
		grown = used + (more < left ? more : left);
	} while (!atomic_compare_exchange_weak_explicit(
		&t->used, &used, grown, memory_order_relaxed, memory_order_relaxed));
}

/* Prepares the table for a search. Keeps its entries if game and size are the same. Returns false if there
 * is no memory. */
static bool table_prepare(struct table *t, const struct game *game, size_t bytes)
{
	if (!t->cells || t->bytes != bytes || t->game != game) {
		block_destroy(t->cells, t->bytes);
		*t = (struct table) { .bytes = bytes, .game = game };
		t->buckets = bytes / (BUCKET * sizeof(struct cell));
		t->cells = block_create(bytes);
		table_grow(t, BUCKETS_FIRST);
	}
	t->age = (t->age + 1) % AGES;
	return t->cells != NULL;
}

/* Number of buckets that table_fill() samples to estimate the share of used cells. */
#define SAMPLE 512

static double table_fill(const struct table *t)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	size_t cells = BUCKET * (used < SAMPLE ? used : SAMPLE), full = 0;
	for (size_t i = 0; i < cells; i++)
		for (int q = 0; q < QUESTIONS; q++) {
			const struct cell *c = &t->cells[i];
			if (atomic_load_explicit(&c->word[q], memory_order_relaxed)) {
				full++;
				break;
			}
		}
	return (double)full / (double)cells * (double)used / (double)t->buckets;
}

/* --- the search --- */

/* Nodes that a worker spends on a question before it switches to the other one. The slice doubles each
 * time. The win question gets WIN_SLICES times as many, because a win ends the search. */
#define FIRST_SLICE 1024
#define WIN_SLICES  4

/* The search stays at a child until its number exceeds 1 + 1 / ROOM times the number of its best sibling. */
#define ROOM        16

/* Counters of the workers below a position, indexed by 16 bits of its hash. */
#define PLACES      (UINT16_MAX + 1)

enum answer { OPEN, YES, NO };

struct dfpn {
	const struct task *task;
	struct table table;
	_Atomic int answer[QUESTIONS]; /* enum answer, for the position to search */
	/* The move that settles a question in favor of the side to move. Only the worker that sets `claimed`
	 * writes it, before it publishes the answer. */
	struct move proof[QUESTIONS];
	atomic_bool claimed[QUESTIONS];
	_Atomic uint64_t nodes; /* without the running claim of each worker */
	/* Number of workers below the positions of a place. Different positions may share a place; the only
	 * effect is a detour. */
	_Atomic uint8_t inside[PLACES];
};

/* The data of one thread. */
struct worker {
	struct dfpn *shared;
	const struct game *game;
	struct control *control;
	bool leads, restricted; /* is the lead worker; some root moves are excluded */
	bool guest;             /* runs inside another search and claims no work */
	enum question question;
	uint64_t claim;     /* units of work claimed and not yet used */
	uint64_t nodes;     /* expanded */
	uint64_t counted;   /* nodes already added to dfpn.nodes */
	uint64_t slice_end; /* value of `nodes` at which to pause this question */
	bool paused;        /* pause this question: search() returns, its numbers are valid */
	bool over;          /* stop all questions */
	bool finishing;     /* the answer is known, find its move; ignores all limits */
	bool parts;         /* avoids the paths of other workers of this search */
	move_t best;        /* best step of the node that search() left last */
	move_t first; /* the step that leads from the position searched to the node being expanded */
	struct state children[GAME_STEPS_MAX]; /* of the node being expanded */
};

/* The children of a node on a worker's path, without those settled against its side to move. */
struct node {
	int count;
	move_t steps[GAME_STEPS_MAX];
	uint16_t places[GAME_STEPS_MAX]; /* of the children, indices into dfpn.inside */
	struct numbers children[GAME_STEPS_MAX];
};

static enum answer answer_of(const struct dfpn *d, enum question q)
{
	return (enum answer)atomic_load_explicit(&d->answer[q], memory_order_acquire);
}

static void count_nodes(struct worker *w)
{
	atomic_fetch_add_explicit(&w->shared->nodes, w->nodes - w->counted, memory_order_relaxed);
	w->counted = w->nodes;
}

static __attribute__((noinline)) void claim_nodes(struct worker *w)
{
	count_nodes(w);
	if (w->leads)
		control_publish(w->control);
	if (w->guest)
		w->claim = control_is_over(w->control) ? 0 : WORK_BATCH;
	else
		w->claim = control_claim(w->control, WORK_BATCH);
	w->over = w->claim == 0;
	table_grow(&w->shared->table, w->claim);
}

/* Counts a node before its expansion. Returns false if the question is answered, or if the slice or the
 * work is used up. */
static bool node_enter(struct worker *w)
{
	if (w->claim == 0 && !w->over)
		claim_nodes(w);
	if ((answer_of(w->shared, w->question) != OPEN && !w->guest) ||
	    (!w->finishing && (w->over || w->nodes == w->slice_end))) {
		w->paused = true;
		return false;
	}
	w->claim -= w->claim > 0;
	w->nodes++;
	return true;
}

/* Returns true if the other side would win at once if it were to move. */
static bool is_threatened(const struct game *g, const struct state *s)
{
	struct state other = *s;
	other.side ^= 1;
	return g->wins(&other);
}

/* Estimates the numbers of a position that is not in the table. If the side to move can win at once, or has
 * no safe step, both questions are settled. `may_win` false: the caller knows that it cannot win at once.
 * Otherwise the other side's number grows with the square of the number of steps; it is halved if the side
 * must parry a threat. A pending state gets 1 and 1. */
static struct numbers guess(const struct game *g, const struct state *s, bool may_win)
{
	move_t steps[GAME_STEPS_MAX];
	struct numbers n = { { 1, 1 } };
	if (may_win && g->wins && g->wins(s))
		return settled_for(s->side);
	if (s->pending)
		return n;
	bool parries = g->wins && is_threatened(g, s);
	uint32_t count = (uint32_t)(parries ? g->safe(s, steps) : g->moves(s, steps));
	if (count == 0)
		return settled_for(s->side ^ 1);
	n.of[s->side ^ 1] = count * count * (parries ? 1 : 2);
	return n;
}

/* Adds a child to a node of `side`, unless it is settled against `side`. If it is settled for `side`, it
 * becomes the only child, and the result is true. */
static bool node_add(struct node *node, const struct state *child, int side, move_t step,
		     struct numbers n)
{
	bool won = n.of[side] == 0;
	if (n.of[side] == NEVER)
		return false;
	if (won)
		node->count = 0;
	node->steps[node->count] = step;
	node->places[node->count] = (uint16_t)(child->hash >> 48);
	node->children[node->count++] = n;
	return won;
}

static bool is_among(const struct state *states, int count, const struct state *s)
{
	for (int i = 0; i < count; i++)
		if (state_equal(&states[i], s))
			return true;
	return false;
}

/* Returns true if moves are excluded at a node, `level` steps below the root. Its numbers are then valid in
 * this search only, so they must not be stored in the table or read from it. */
static bool is_restricted(const struct worker *w, const struct state *s, int level)
{
	return w->restricted && (level == 0 || (level == 1 && s->pending));
}

/* Removes the excluded steps of a restricted node. Returns the number of steps left. */
static int restrict_steps(const struct worker *w, int level, move_t *steps, int count)
{
	int left = 0;
	for (int i = 0; i < count; i++) {
		struct move move = { { steps[i], MOVE_NONE } };
		if (level)
			move = (struct move) { { w->first, steps[i] } };
		if (task_allows(w->shared->task, move))
			steps[left++] = steps[i];
	}
	return left;
}

/* Lists the children of a state with their numbers, from the rules, the table or guess(). */
static void node_expand(struct worker *w, const struct state *s, int level, struct node *node)
{
	const struct table *t = &w->shared->table;
	move_t steps[GAME_STEPS_MAX];
	int count, open = 0;
	node->count = 0;
	const bool restricted = is_restricted(w, s, level);
	/* True if the side to move is known not to win at once. Below the root such a win is already
	 * settled. */
	const bool calm = !restricted && w->game->wins && (level > 0 || !w->game->wins(s));
	if (calm && !s->pending)
		count = w->game->safe(s, steps);
	else
		count = w->game->moves(s, steps);
	if (restricted)
		count = restrict_steps(w, level, steps, count);
	for (int i = 0; i < count; i++) {
		struct state *child = &w->children[open];
		*child = *s;
		w->game->play(child, steps[i]);
		if (child->over) {
			if (node_add(node, child, s->side, steps[i],
				     judge(child->score, w->question)))
				return;
			continue;
		}
		/* Second steps may lead to equal positions: both turns of a symmetric quadrant. */
		if (s->pending && is_among(w->children, open, child))
			continue;
		__builtin_prefetch(table_bucket(t, child));
		steps[open++] = steps[i];
	}
	for (int i = 0; i < open; i++) {
		const struct state *child = &w->children[i];
		struct numbers known = table_find(t, child, w->question);
		if (restricted && child->pending)
			known = guess(w->game, child, false);
		else if (!is_known(known))
			known = guess(w->game, child, !(calm && child->pending));
		if (node_add(node, child, s->side, steps[i], known))
			return;
	}
}

/* The numbers of a node, computed from its children. */
struct total {
	int best;       /* the child to search */
	uint32_t least; /* number of the side to move: the minimum, NEVER without children */
	uint32_t next;  /* the minimum of the other children, with virtual numbers */
	uint32_t all;   /* number of the other side: weak sum over all children */
};

/* The part of the weak number that the children other than the maximum add. */
static uint32_t others(const struct node *node)
{
	return (uint32_t)node->count - 1;
}

/* The virtual number of a child (Kaneko, 2010): higher by 1 for each worker below it. So workers choose
 * different children only if these are almost equally good. */
static uint32_t seen(const struct worker *w, uint32_t number, unsigned place)
{
	if (!w->parts || number == 0 || number >= NEVER - UINT8_MAX)
		return number;
	return number + atomic_load_explicit(&w->shared->inside[place], memory_order_relaxed);
}

static void mark(const struct worker *w, unsigned place, int change)
{
	if (w->parts)
		atomic_fetch_add_explicit(&w->shared->inside[place], (uint8_t)change,
					  memory_order_relaxed);
}

static struct total node_total(const struct worker *w, const struct node *node, int side)
{
	struct total t = { .least = NEVER, .next = NEVER };
	uint32_t best = NEVER;
	for (int i = 0; i < node->count; i++) {
		uint32_t n = node->children[i].of[side], other = node->children[i].of[side ^ 1];
		if (other > t.all)
			t.all = other;
		if (n < t.least)
			t.least = n;
		n = seen(w, n, node->places[i]);
		if (n < best) {
			t.next = best;
			t.best = i;
			best = n;
		} else if (n < t.next) {
			t.next = n;
		}
	}
	if (t.least == 0)
		t.all = NEVER;
	else if (node->count)
		t.all = t.all + others(node) < NEVER ? t.all + others(node) : NEVER - 1;
	return t;
}

/* The limit for a number of a child. It is always above the number, so that the search makes progress. */
static uint32_t limit_below(uint32_t number, uint64_t limit)
{
	uint64_t higher = limit > number ? limit : (uint64_t)number + 1;
	return higher < NEVER ? (uint32_t)higher : NEVER;
}

/* Expands a node `level` steps below the root, which the caller has counted, and searches below it until
 * one of its numbers reaches the limit or the worker is paused. Stores its numbers in the table and returns
 * them. */
static struct numbers search(struct worker *w, const struct state *s, int level,
			     struct numbers limits)
{
	const uint64_t nodes = w->nodes;
	const int mine = s->side, yours = mine ^ 1;
	struct node node;
	struct numbers result;
	node_expand(w, s, level, &node);
	for (;;) {
		struct total t = node_total(w, &node, mine);
		result.of[mine] = t.least;
		result.of[yours] = t.all;
		w->best = node.count ? node.steps[t.best] : MOVE_NONE;
		if (node.count == 0 || w->paused || result.of[mine] >= limits.of[mine] ||
		    result.of[yours] >= limits.of[yours])
			break;

		struct numbers *child = &node.children[t.best], below;
		uint64_t room = (uint64_t)t.next + t.next / ROOM + 1;
		uint32_t rest = others(&node);
		below.of[mine] = limit_below(child->of[mine],
					     room < limits.of[mine] ? room : limits.of[mine]);
		below.of[yours] = limit_below(
			child->of[yours], limits.of[yours] > rest ? limits.of[yours] - rest : 0);

		struct state next = *s;
		w->game->play(&next, node.steps[t.best]);
		struct numbers known = { { 0, 0 } };
		if (level == 0)
			w->first = node.steps[t.best];
		if (!is_restricted(w, &next, level + 1))
			known = table_find(&w->shared->table, &next, w->question);
		if (is_known(known) &&
		    (known.of[mine] >= below.of[mine] || known.of[yours] >= below.of[yours]))
			*child = known;
		else if (node_enter(w)) {
			mark(w, node.places[t.best], 1);
			*child = search(w, &next, level + 1, below);
			mark(w, node.places[t.best], -1);
		}
		if (w->parts && level > 1) { /* another worker may have settled this node */
			known = table_find(&w->shared->table, s, w->question);
			if (is_settled(known))
				return known;
		}
		if (child->of[mine] == NEVER) {
			node.count--;
			node.steps[t.best] = node.steps[node.count];
			node.places[t.best] = node.places[node.count];
			*child = node.children[node.count];
		}
	}
	if (!is_restricted(w, s, level))
		table_store(&w->shared->table, s, w->question, result, w->nodes - nodes);
	return result;
}

/* Publishes an answer and what it implies. Stops the search if both questions are answered. */
static void settle(struct worker *w, enum question q, enum answer answer, struct move proof)
{
	struct dfpn *d = w->shared;
	if (!atomic_exchange_explicit(&d->claimed[q], true, memory_order_relaxed)) {
		d->proof[q] = proof;
		atomic_store_explicit(&d->answer[q], (int)answer, memory_order_release);
	}
	/* A win (WIN: YES) or a loss (DRAW_OR_BETTER: NO) also answers the other question. */
	if (answer == (q == WIN ? YES : NO) && answer_of(d, q) != OPEN)
		atomic_store_explicit(&d->answer[q ^ 1], (int)answer, memory_order_release);
	if (answer_of(d, q ^ 1) != OPEN)
		control_stop(w->control);
}

/* Searches a question from the root for a slice of nodes. */
static void ask(struct worker *w, enum question q)
{
	const struct state *s = &w->shared->task->record->now;
	w->question = q;
	w->paused = false;
	if (!node_enter(w))
		return;
	struct numbers n = search(w, s, 0, unlimited);
	if (!is_settled(n))
		return;
	struct move proof = { { MOVE_NONE, MOVE_NONE } };
	if (n.of[s->side] == 0) {
		struct state next = *s;
		proof.step[0] = w->best;
		w->game->play(&next, proof.step[0]);
		/* Find the second step: the table may know only that one exists. This usually takes one
		 * node. */
		w->finishing = true;
		w->paused = false;
		w->first = w->best;
		if (next.pending && node_enter(w) &&
		    search(w, &next, 1, unlimited).of[s->side] == 0)
			proof.step[1] = w->best;
		w->finishing = false;
	}
	settle(w, q, n.of[BLACK] == 0 ? YES : NO, proof);
}

static void work(void *self, int worker, struct control *control)
{
	struct dfpn *d = self;
	enum question win = win_question(d->task->record->now.side);
	struct worker w = {
		.shared = d,
		.game = d->task->record->game,
		.control = control,
		.leads = worker == 0,
		.restricted = d->task->only != NULL,
		.parts = d->task->threads > 1,
	};
	uint64_t slice = FIRST_SLICE;
	for (int turn = 0; !w.over; turn++) {
		enum question q = turn % 2 ? win ^ 1 : win;
		bool last = answer_of(d, q ^ 1) != OPEN;
		if (answer_of(d, q) != OPEN && last)
			break;
		w.slice_end = last ? UINT64_MAX : w.nodes + (q == win ? WIN_SLICES : 1) * slice;
		ask(&w, q);
		if (turn % 2)
			slice *= 2;
	}
	control_refund(control, w.claim);
	count_nodes(&w);
}

/* settle() publishes an implied answer after the answer that implies it, so this reads the implied one first:
 * DRAW_OR_BETTER before WIN for a win, WIN before DRAW_OR_BETTER for a loss. */
void dfpn_bounds(const void *self, int *lower, int *upper)
{
	const struct dfpn *d = self;
	enum answer draw = answer_of(d, DRAW_OR_BETTER), win = answer_of(d, WIN);
	*lower = win == YES ? 1 : draw == YES ? 0 : -1;
	*upper = answer_of(d, DRAW_OR_BETTER) == NO ? -1 : win == NO ? 0 : 1;
}

/* --- inside another search --- */

uint64_t dfpn_prove(void *self, const struct state *s, int side, uint64_t nodes,
		    struct control *control)
{
	struct dfpn *d = self;
	struct worker w;
	/* Do not clear `children`: clearing them would slow short searches. */
	memset(&w, 0, offsetof(struct worker, children));
	w.shared = d;
	w.game = d->task->record->game;
	w.control = control;
	w.guest = true;
	w.question = win_question(side);
	w.slice_end = nodes;
	if (!is_settled(table_find(&d->table, s, w.question)) && node_enter(&w))
		search(&w, s, 0, unlimited);
	count_nodes(&w);
	return w.nodes;
}

bool dfpn_find(const void *self, const struct state *s, int *lower, int *upper)
{
	const struct dfpn *d = self;
	bool known = false;
	/* guess() may settle both questions. Such positions are never stored. */
	struct numbers sight = { { 0, 0 } };
	if (!s->over)
		sight = guess(d->task->record->game, s, true);
	*lower = -1;
	*upper = 1;
	for (enum question q = DRAW_OR_BETTER; q <= WIN; q++) {
		struct numbers n = s->over             ? judge(s->score, q)
				   : is_settled(sight) ? sight
						       : table_find(&d->table, s, q);
		known |= is_known(n);
		if (n.of[WHITE] == NEVER)
			*lower = q == WIN ? 1 : 0;
		else if (n.of[BLACK] == NEVER && *upper == 1)
			*upper = q == WIN ? 0 : -1;
	}
	return known;
}

void dfpn_tell(void *self, const struct state *s, int result, uint64_t nodes)
{
	struct dfpn *d = self;
	for (enum question q = DRAW_OR_BETTER; q <= WIN; q++)
		table_store(&d->table, s, q, judge(result, q), nodes);
}

/* --- the report --- */

/* Ratings of moves: wins are above proven draws or better, then open moves, then losses. */
#define RATING_WIN  20.0 /* lowest rating of a proven win */
#define RATING_DRAW 10.0 /* lowest rating of a move proven not to lose; open: 0 (unknown) .. 2 */
#define RATING_LOSS (-100.0) /* lowest rating of a proven loss, all < 0 */

/* Rates a state for `side`, who made the move to it, by the table. The rating of an open state is the other
 * side's share of the numbers, summed over both questions. A lost state is rated by the effort of its
 * proof. */
static double rate(const struct table *t, const struct state *s, int side)
{
	uint64_t word[QUESTIONS];
	double open = 0, proven = 0;
	unsigned effort = 0;
	bool lost = false;
	table_read(t, s, word);
	for (int i = 0; i < QUESTIONS; i++) {
		enum question q = (enum question)i;
		bool wins = q == win_question(side);
		struct numbers n = s->over ? judge(s->score, q) : word_numbers(word[q]);
		if (!is_known(n))
			continue;
		effort += word_effort(word[q]);
		if (n.of[side] == 0)
			proven = wins ? RATING_WIN : proven == 0 ? RATING_DRAW : proven;
		lost |= n.of[side] == NEVER && !wins;
		open += (double)n.of[side ^ 1] / ((double)n.of[side] + n.of[side ^ 1]);
	}
	return lost ? RATING_LOSS + effort / 2.0 : proven + open;
}

/* Returns the move with the best rating, and that rating in *best. */
static struct move best_move(const struct dfpn *d, const struct state *s, const struct move *moves,
			     int n, double *best)
{
	struct move chosen = { { MOVE_NONE, MOVE_NONE } };
	*best = 2 * RATING_LOSS;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(d->task->record->game, &next, moves[i]);
		double rating = rate(&d->table, &next, s->side);
		if (rating > *best) {
			*best = rating;
			chosen = moves[i];
		}
	}
	return chosen;
}

/* Extends a line by best moves as far as the table has entries. Returns the new length. Stops after rating
 * *budget moves. */
static int follow_line(const struct dfpn *d, struct state s, struct move *line, int count, int max,
		       int *budget)
{
	struct move moves[GAME_MOVES_MAX];
	double rating;
	while (!s.over && count<max && * budget> 0) {
		int n = game_moves(d->task->record->game, &s, moves);
		line[count] = best_move(d, &s, moves, n, &rating);
		*budget -= n;
		if (rating == 0)
			break;
		game_play(d->task->record->game, &s, line[count++]);
	}
	return count;
}

static uint64_t told(uint32_t number)
{
	return number == NEVER ? PROOF_NEVER : number;
}

/* The proof numbers are those of the win question, computed from the children of the root. */
void dfpn_numbers(void *self, struct report *out)
{
	struct dfpn *d = self;
	const struct state *s = &d->task->record->now;
	out->nodes = atomic_load_explicit(&d->nodes, memory_order_relaxed);
	out->fill = table_fill(&d->table);
	if (out->nodes > 0) {
		struct worker w = {
			.shared = d,
			.game = d->task->record->game,
			.question = win_question(s->side),
			.restricted = d->task->only != NULL,
		};
		struct node node;
		node_expand(&w, s, 0, &node);
		struct total t = node_total(&w, &node, s->side);
		out->proof = told(t.least);
		out->disproof = told(t.all);
	}
	report_settle(out, s->side);
}

/* Most moves to rate for the lines of moves that are not played; takes less than a millisecond. */
#define LINES_BUDGET 4096

static void report_moves(const struct dfpn *d, const struct move *moves, int n, struct report *out)
{
	const struct game *g = d->task->record->game;
	const struct state *s = &d->task->record->now;
	double ratings[GAME_MOVES_MAX];
	int budget = LINES_BUDGET;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		int lower, upper;
		game_play(g, &next, moves[i]);
		bool answer = move_equal(moves[i], out->line[0]);
		if (!dfpn_find(d, &next, &lower, &upper) && !answer)
			continue;
		/* No move is better than its position, and the best move keeps the proven bounds. The table
		 * may have lost both facts. */
		if (s->side == BLACK ? upper > out->upper : answer && upper > out->upper)
			upper = out->upper;
		if (s->side == WHITE ? lower < out->lower : answer && lower < out->lower)
			lower = out->lower;
		ratings[out->move_count] = rate(&d->table, &next, s->side);
		struct report_move *r = report_add(out, moves[i]);
		r->lower = lower;
		r->upper = upper;
		if (lower == upper)
			r->value = lower;
	}
	report_sort(out, s->side, ratings);
	for (int i = 1; i < out->move_count; i++) {
		struct report_move *r = &out->moves[i];
		struct state next = *s;
		game_play(g, &next, r->move);
		r->line_count = follow_line(d, next, r->line, 1, REPORT_LINE_MAX, &budget);
	}
}

/* Finds a move that wins by the table or by guess(), whose results the table does not hold. */
static bool find_win(const struct dfpn *d, const struct state *s, const struct move *moves, int n,
		     struct move *win)
{
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		int lower, upper;
		game_play(d->task->record->game, &next, moves[i]);
		dfpn_find(d, &next, &lower, &upper);
		if (s->side == BLACK ? lower > 0 : upper < 0) {
			*win = moves[i];
			return true;
		}
	}
	return false;
}

/* The answer is the move with the best rating. If the table has lost the move of the proof, it is that
 * move. */
static void report(void *self, struct report *out)
{
	struct dfpn *d = self;
	const struct game *g = d->task->record->game;
	struct state s = d->task->record->now;
	struct move moves[GAME_MOVES_MAX];
	double rating;
	int budget = INT_MAX;

	dfpn_bounds(d, &out->lower, &out->upper);
	if (out->lower == out->upper)
		out->value = out->lower;
	dfpn_numbers(d, out);
	if (out->nodes == 0)
		return;
	int sure = s.side == BLACK ? out->lower
				   : -out->upper; /* the least proven result for the side to move */
	int n = task_moves(d->task, moves);
	out->line[0] = best_move(d, &s, moves, n, &rating);
	if (sure <= 0 && find_win(d, &s, moves, n, &out->line[0])) {
		out->lower = out->upper = s.side == BLACK ? 1 : -1;
		out->value = out->lower;
		report_settle(out, s.side);
	} else if (sure >= 0 && rating < (sure > 0 ? RATING_WIN : RATING_DRAW)) {
		enum question win = win_question(s.side);
		out->line[0] = d->proof[sure > 0 ? win : win ^ 1];
	}
	game_play(g, &s, out->line[0]);
	out->line_count = follow_line(d, s, out->line, 1, PV_MAX, &budget);
	report_moves(d, moves, n, out);
}

/* --- the other functions of struct algorithm --- */

static void *create(void)
{
	return xcalloc(1, sizeof(struct dfpn));
}

static void destroy(void *self)
{
	struct dfpn *d = self;
	block_destroy(d->table.cells, d->table.bytes);
	free(d);
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct dfpn *d = self;
	struct move moves[GAME_MOVES_MAX];
	d->task = task;
	for (int q = 0; q < QUESTIONS; q++)
		atomic_store_explicit(&d->answer[q], OPEN, memory_order_relaxed);
	for (int q = 0; q < QUESTIONS; q++)
		atomic_store_explicit(&d->claimed[q], false, memory_order_relaxed);
	atomic_store_explicit(&d->nodes, 0, memory_order_relaxed);
	/* Spend no time on a forced move. */
	if (task->control->deadline != TIME_NEVER && task_moves(task, moves) == 1)
		control_stop(task->control);
	if (table_prepare(&d->table, task->record->game, task->memory))
		return true;
	snprintf(why, REASON_MAX, "no memory for a table of %zu bytes", task->memory);
	return false;
}

const struct algorithm algorithm_dfpn = {
	.name = "dfpn",
	.help = "depth-first proof-number search: proves wins, draws and losses",
	.keeps = true,
	.create = create,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
