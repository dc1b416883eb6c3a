/* SPDX-License-Identifier: MIT
 *
 * Depth-first minimax with iterative deepening, in the three stages that textbooks teach:
 *
 *     negamax           visits every position down to the depth
 *     alphabeta-plain   leaves out what cannot change the result (Knuth and Moore, 1975)
 *     alphabeta         adds a transposition table, move ordering and null windows (principal
 *                       variation search: Marsland and Campbell, 1982)
 *
 * At equal depth all three find the same value and the same move, the first of the best in the
 * order of game_moves(). So the table answers only what a search of just that depth would find.
 *
 * Depth counts whole moves; no leaf lies between the two steps of one. Values are hundredths of a
 * point for the side to move, and the only negation is in descend(). A finished game is worth more
 * than any guess: a value of VALUE_WON or more proves a win, whatever lies beyond the depth.
 *
 * Threads: alphabeta's helpers search the same root and speak to the lead through the table alone
 * (lazy SMP); the lead's result counts. The other two searches are the lead's alone.
 */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/memory.h"

#define VALUE_WON 20000 /* a won game: this and its margin; all guesses are smaller */
#define DEPTH_MAX 255

/* What a search knows of a position: a value, or a bound of it if that is outside the window. */
struct outcome {
	int value;
	bool final; /* no guess is in it: deeper searches find the same */
};

/* The steps that lead to a value. */
struct line {
	int count;
	move_t steps[2 * PV_MAX];
};

static void line_join(struct line *line, move_t step, const struct line *rest)
{
	int n = rest->count < 2 * PV_MAX ? rest->count : 2 * PV_MAX - 1;
	line->steps[0] = step;
	memcpy(line->steps + 1, rest->steps, (size_t)n * sizeof(move_t));
	line->count = n + 1;
}

/* --- the transposition table ---
 *
 * Cells hold the exact position, each key word xored with a scrambled copy of the data: words that
 * two threads wrote at once do not fit together and are not found (Hyatt and Mann, 2002). */

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct entry {
	int16_t value;
	move_t step;
	uint8_t depth;
	uint8_t age;
	uint8_t bound;
	bool white : 1, final : 1;
};
_Static_assert(sizeof(struct entry) == sizeof(uint64_t), "an entry is one atomic word");

struct cell {
	_Atomic uint64_t key[2], data;
};

#define BUCKET        2    /* cells where a position can be */
#define BUCKETS_FIRST 4096 /* buckets in use at first */

struct table {
	struct cell *cells;
	size_t bytes, buckets;
	_Atomic size_t used;     /* buckets in use, a power of 2 */
	const struct game *game; /* whose positions it holds */
	uint8_t age;             /* of this search's entries */
};

static struct cell *table_bucket(const struct table *t, const struct state *s)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	return &t->cells[BUCKET * (s->hash & (used - 1))];
}

static uint64_t scramble(uint64_t data)
{
	return data * 0x9e3779b97f4a7c15u;
}

/* Reads a cell; returns whether it holds this position. */
static bool cell_read(struct cell *c, const struct state *s, struct entry *e)
{
	uint64_t data = atomic_load_explicit(&c->data, memory_order_relaxed);
	uint64_t mask = scramble(data);
	memcpy(e, &data, sizeof data);
	return e->bound != BOUND_NONE && e->white == s->side &&
	       (atomic_load_explicit(&c->key[0], memory_order_relaxed) ^ mask) == s->board[0] &&
	       (atomic_load_explicit(&c->key[1], memory_order_relaxed) ^ mask) == s->board[1];
}

/* Finds what is known of a position; else leaves only e->step undone: MOVE_NONE. */
static bool table_find(const struct table *t, const struct state *s, struct entry *e)
{
	struct cell *c = table_bucket(t, s);
	for (int i = 0; i < BUCKET; i++)
		if (cell_read(&c[i], s, e))
			return true;
	*e = (struct entry) { .step = MOVE_NONE };
	return false;
}

/* Stores an entry in place of this position's old one, or of the least useful in the bucket: an
 * earlier search's, or the shallowest. */
static void table_store(const struct table *t, const struct state *s, struct entry e)
{
	struct cell *c = table_bucket(t, s), *worst = NULL;
	int least = INT_MAX;
	for (int i = 0; i < BUCKET; i++) {
		struct entry old;
		bool same = cell_read(&c[i], s, &old);
		int worth = same ? -1 : old.age == t->age ? 1 + old.depth : 0;
		if (worth < least) {
			least = worth;
			worst = &c[i];
		}
	}
	e.age = t->age;
	e.white = s->side == WHITE;
	uint64_t data;
	memcpy(&data, &e, sizeof data);
	atomic_store_explicit(&worst->data, data, memory_order_relaxed);
	for (int i = 0; i < 2; i++)
		atomic_store_explicit(&worst->key[i], s->board[i] ^ scramble(data),
				      memory_order_relaxed);
}

/* Takes so many buckets into use, if there are so many. A table in use as a whole from the start would
 * cost a short search more time for fresh pages than for all its nodes. A doubling moves the places
 * of half the positions; their old entries are lost. */
static void table_grow(struct table *t, uint64_t buckets)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	while (used < buckets && used <= t->buckets / 2)
		used *= 2;
	atomic_store_explicit(&t->used, used, memory_order_relaxed);
}

/* Makes the table ready for a search; keeps what it holds of the same game. */
static bool table_prepare(struct table *t, const struct game *game, size_t bytes)
{
	if (!t->cells || t->bytes != bytes || t->game != game) {
		block_destroy(t->cells, t->bytes);
		*t = (struct table) { .bytes = bytes, .game = game };
		t->buckets = bytes / (BUCKET * sizeof(struct cell));
		atomic_init(&t->used, 1);
		table_grow(t, BUCKETS_FIRST);
		t->cells = block_create(bytes);
	}
	t->age++;
	return t->cells != NULL;
}

/* About the share of all cells that hold something, from those of so many buckets. */
#define SAMPLE 512

static double table_fill(const struct table *t)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	size_t cells = BUCKET * (used < SAMPLE ? used : SAMPLE), full = 0;
	for (size_t i = 0; i < cells; i++)
		full += atomic_load_explicit(&t->cells[i].data, memory_order_relaxed) != 0;
	return (double)full / (double)cells * (double)used / (double)t->buckets;
}

/* --- workers --- */

enum stage { NEGAMAX, ALPHABETA_PLAIN, ALPHABETA };

struct root_move {
	struct move move;
	int index; /* in the order of game_moves() */
	struct state after;
	/* What was found last, for the side to move; all of it 0 at first. */
	bool known, exact; /* a value, or else no more than an upper bound of it */
	bool final;        /* no guess is in it */
	int value;
	int least, most;  /* proven bounds of the result, -1 .. 1 */
	uint64_t nodes;   /* spent on it */
	struct line line; /* behind the move */
};

/* What deepening has found so far. */
struct result {
	struct outcome outcome; /* for the side to move */
	bool complete;          /* all moves were searched, not only the best of them */
	int index;              /* the best move's, -1 none */
	int depth;              /* of the last complete iteration */
	struct line line;       /* behind the best move */
	struct move move;
};

/* One thread's. */
struct worker {
	struct alphabeta *shared;
	const struct game *game;
	struct control *control;
	enum stage stage;
	bool stopped;   /* control gave nothing: everything returns at once, results do not count */
	int value_max;  /* the most that a game can be won by */
	uint64_t batch; /* units of work claimed last */
	uint64_t claim; /* those not yet used */
	uint64_t nodes;
	struct result result;
	struct result current; /* of the iteration that runs */
	bool counts;           /* that may take the place of the result */
	int root_count;
	struct root_move roots[GAME_MOVES_MAX]; /* in the order of the next iteration */
	move_t killers[DEPTH_MAX + 1][2][2];    /* steps that cut off at [depth][pending] */
	int *history[2];                        /* [side][step]: how often and deep it cut off */
};

struct alphabeta {
	enum stage stage;
	const struct task *task;
	struct table table; /* alphabeta's only */
	struct worker *workers;
	int worker_count;
	int *history;
	_Atomic uint64_t nodes; /* of all workers, but for the last claim of each */
};

/* Gets more work; false: the search is over. */
static bool claim_nodes(struct worker *w)
{
	struct alphabeta *a = w->shared;
	atomic_fetch_add_explicit(&a->nodes, w->batch, memory_order_relaxed);
	if (w == a->workers)
		control_publish(w->control);
	w->claim = w->batch = control_claim(w->control, WORK_BATCH);
	w->stopped = w->claim == 0;
	return !w->stopped;
}

/* Counts the node that a search enters; false: the search is over. */
static bool node_enter(struct worker *w)
{
	if (w->claim == 0 && !claim_nodes(w))
		return false;
	w->claim--;
	w->nodes++;
	return true;
}

static struct outcome leaf_value(const struct game *g, const struct state *s)
{
	int black = 0;
	if (s->over) {
		black = score_sign(s->score) * VALUE_WON + 100 * s->score;
	} else if (g->eval) {
		int guess = g->eval(s), most = VALUE_WON - 1;
		black = guess > most ? most : guess < -most ? -most : guess;
	}
	return (struct outcome) { s->side == BLACK ? black : -black, s->over };
}

/* Searches a position so many moves deep. A value inside alpha..beta is exact, one outside a bound.
 * Leaves the line of an exact value. When the worker is stopped the result means nothing. */
static struct outcome search(struct worker *, const struct state *, int depth, int alpha, int beta,
			     struct line *);

/* Searches the position behind a step of `side`. Depth and window belong to the position before it,
 * and so does the value. */
static struct outcome descend(struct worker *w, int side, const struct state *child, int depth,
			      int alpha, int beta, struct line *line)
{
	int rest = child->pending ? depth : depth - 1;
	if (child->side == side)
		return search(w, child, rest, alpha, beta, line);
	struct outcome o = search(w, child, rest, -beta, -alpha, line);
	return (struct outcome) { -o.value, o.final };
}

/* Negamax, or with cut-offs alpha-beta. */
static struct outcome search_plain(struct worker *w, const struct state *s, int depth, int alpha,
				   int beta, struct line *line)
{
	struct outcome best = { -w->value_max - 1, true };
	move_t steps[GAME_STEPS_MAX];
	struct line rest;
	line->count = 0;
	if (!node_enter(w))
		return best;
	if (s->over || depth == 0)
		return leaf_value(w->game, s);
	int n = w->game->moves(s, steps);
	for (int i = 0; i < n; i++) {
		struct state child = *s;
		w->game->play(&child, steps[i]);
		struct outcome o = descend(w, s->side, &child, depth, alpha, beta, &rest);
		if (w->stopped)
			return best;
		best.final &= o.final;
		if (o.value > best.value) {
			best.value = o.value;
			line_join(line, steps[i], &rest);
		}
		if (w->stage == NEGAMAX)
			continue;
		if (best.value >= beta)
			return (struct outcome) { best.value, o.final };
		if (best.value > alpha)
			alpha = best.value;
	}
	return best;
}

/* --- alphabeta --- */

#define HISTORY_MAX  16384
#define ORDER_TABLE  (1 << 30)
#define ORDER_KILLER (1 << 29)

/* Rates the steps of a node: the higher, the sooner. */
static void order_rate(const struct worker *w, const struct state *s, int depth, move_t table_step,
		       const move_t *steps, int n, int *rating)
{
	const move_t *killers = w->killers[depth][s->pending];
	const int *history = w->history[s->side];
	for (int i = 0; i < n; i++)
		rating[i] = steps[i] == table_step   ? ORDER_TABLE
			    : steps[i] == killers[0] ? ORDER_KILLER + 1
			    : steps[i] == killers[1] ? ORDER_KILLER
						     : history[steps[i]];
}

/* Brings the best rated of steps[i..n-1] to place i. */
static void order_pick(move_t *steps, int *rating, int i, int n)
{
	int best = i;
	for (int j = i + 1; j < n; j++)
		if (rating[j] > rating[best])
			best = j;
	move_t step = steps[best];
	int rate = rating[best];
	steps[best] = steps[i];
	rating[best] = rating[i];
	steps[i] = step;
	rating[i] = rate;
}

/* Moves a history value towards +-HISTORY_MAX. */
static void history_add(int *value, int bonus)
{
	*value += bonus - *value * abs(bonus) / HISTORY_MAX;
}

/* Remembers that the last of these steps cut off, and those searched before it did not. */
static void order_learn(struct worker *w, const struct state *s, int depth, const move_t *steps,
			int last)
{
	move_t *killers = w->killers[depth][s->pending];
	int *history = w->history[s->side];
	int bonus = depth * depth < HISTORY_MAX / 4 ? depth * depth : HISTORY_MAX / 4;
	if (killers[0] != steps[last]) {
		killers[1] = killers[0];
		killers[0] = steps[last];
	}
	history_add(&history[steps[last]], bonus);
	for (int i = 0; i < last; i++)
		history_add(&history[steps[i]], -bonus);
}

/* Whether an entry tells what a search of this depth and window would find: one of just this depth,
 * or a shallower one that met no guesses, so that more depth changes nothing. */
static bool entry_answers(struct entry e, int depth, int alpha, int beta)
{
	if (e.depth != depth && !(e.final && e.depth < depth))
		return false;
	return e.bound == BOUND_EXACT || (e.bound == BOUND_LOWER && e.value >= beta) ||
	       (e.bound == BOUND_UPPER && e.value <= alpha);
}

static struct outcome search_ordered(struct worker *w, const struct state *s, int depth, int alpha,
				     int beta, struct line *line)
{
	/* Next to the leaves a look-up costs more than it saves. */
	const struct table *table = depth > 1 ? &w->shared->table : NULL;
	struct outcome best = { -w->value_max - 1, true };
	int rating[GAME_STEPS_MAX], low = alpha;
	move_t steps[GAME_STEPS_MAX], best_step = MOVE_NONE;
	struct line rest;
	struct entry e = { .step = MOVE_NONE };
	line->count = 0;
	if (!node_enter(w))
		return best;
	if (s->over || depth == 0)
		return leaf_value(w->game, s);
	/* What its steps would say, too, where all wins are equal. */
	if (w->game->wins && w->game->score_max == 1 && w->game->wins(s))
		return (struct outcome) { w->value_max, true };
	/* An answer has no line, so the principal variation is searched without them. */
	if (table && table_find(table, s, &e) && beta == alpha + 1 &&
	    entry_answers(e, depth, alpha, beta))
		return (struct outcome) { e.value, e.final };
	int n = w->game->moves(s, steps);
	order_rate(w, s, depth, e.step, steps, n, rating);
	for (int i = 0; i < n; i++) {
		order_pick(steps, rating, i, n);
		struct state child = *s;
		w->game->play(&child, steps[i]);
		int high = i == 0 ? beta : low + 1;
		struct outcome o = descend(w, s->side, &child, depth, low, high, &rest);
		if (o.value >= high && high < beta && !w->stopped)
			o = descend(w, s->side, &child, depth, low, beta, &rest);
		if (w->stopped)
			return best;
		best.final &= o.final;
		if (o.value > best.value) {
			best.value = o.value;
			best_step = steps[i];
			if (o.value > low)
				line_join(line, steps[i], &rest);
		}
		if (o.value >= beta) {
			best.final = o.final;
			order_learn(w, s, depth, steps, i);
			break;
		}
		if (o.value > low)
			low = o.value;
	}
	if (!table)
		return best;
	e.value = (int16_t)best.value;
	e.step = best_step;
	e.depth = (uint8_t)depth;
	e.bound = best.value >= beta ? BOUND_LOWER : best.value > alpha ? BOUND_EXACT : BOUND_UPPER;
	e.final = best.final;
	table_store(table, s, e);
	return best;
}

static struct outcome search(struct worker *w, const struct state *s, int depth, int alpha,
			     int beta, struct line *line)
{
	if (w->stage == ALPHABETA)
		return search_ordered(w, s, depth, alpha, beta, line);
	return search_plain(w, s, depth, alpha, beta, line);
}

/* --- the root --- */

/* Puts root move i first, the others behind it as they were. */
static void root_promote(struct worker *w, int i)
{
	struct root_move best = w->roots[i];
	memmove(w->roots + 1, w->roots, (size_t)i * sizeof best);
	w->roots[0] = best;
}

/* Notes what a search of a root move has found: its value, or an upper bound. */
static void root_note(struct root_move *m, struct outcome o, bool exact, const struct line *line)
{
	int won = o.value >= VALUE_WON, lost = o.value <= -VALUE_WON;
	m->known = true;
	m->exact = exact;
	m->final = o.final;
	m->value = o.value;
	m->line = *line;
	if (won || lost || o.final) {
		if (exact && m->least < won - lost)
			m->least = won - lost;
		if (m->most > won - lost)
			m->most = won - lost;
	}
}

/* One iteration. What an unfinished one has found counts too, if the move that was best before is
 * among those it has searched. */
static void root_search(struct worker *w, int depth)
{
	int side = w->shared->task->record->now.side, best = 0;
	bool values = w->shared->task->values;
	struct result *r = &w->current;
	struct line rest;
	*r = (struct result) {
		.outcome = { -w->value_max - 1, true },
		.index = -1,
		.depth = w->result.depth,
	};
	w->counts = w->result.index < 0;
	if (!node_enter(w))
		return;
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->roots[i];
		/* Of equal moves the one with the smallest index is best. */
		int beat = r->outcome.value - (m->index < r->index);
		int low = values ? -w->value_max - 1 : beat;
		if (w->stage != NEGAMAX && low == w->value_max)
			continue;
		bool scout = w->stage == ALPHABETA && i > 0 && !values;
		int high = scout ? low + 1 : w->value_max;
		uint64_t nodes = w->nodes;
		struct outcome o = descend(w, side, &m->after, depth, low, high, &rest);
		if (scout && o.value > low && !w->stopped)
			o = descend(w, side, &m->after, depth, low, w->value_max, &rest);
		m->nodes += w->nodes - nodes;
		if (w->stopped)
			break;
		root_note(m, o, o.value > low || w->stage == NEGAMAX, &rest);
		w->counts |= m->index == w->result.index;
		r->outcome.final &= o.final;
		if (o.value > beat) {
			r->outcome.value = o.value;
			r->index = m->index;
			r->move = m->move;
			r->line = rest;
			best = i;
		}
	}
	r->complete = !w->stopped;
	if (r->complete) {
		r->depth = depth;
		w->counts = true; /* a sure win may have come before the move that was best */
	}
	/* When every move loses by the most, the one that looked best before holds out longest. */
	if (r->complete && r->outcome.value == -w->value_max && w->result.index >= 0) {
		r->index = w->result.index;
		r->move = w->result.move;
		r->line = w->result.line;
	}
	if (r->index >= 0 && w->counts)
		w->result = *r;
	w->counts = false;
	if (w->stage == ALPHABETA)
		root_promote(w, best);
}

/* Whether deeper iterations could find nothing else. */
static bool result_is_final(const struct worker *w)
{
	const struct result *r = &w->result;
	bool beyond_all = abs(r->outcome.value) == w->value_max && !w->shared->task->values;
	return r->complete && (r->outcome.final || beyond_all);
}

/* --- the verbs --- */

static void *create(enum stage stage)
{
	struct alphabeta *a = xcalloc(1, sizeof *a);
	a->stage = stage;
	return a;
}

static void *create_negamax(void)
{
	return create(NEGAMAX);
}

static void *create_alphabeta_plain(void)
{
	return create(ALPHABETA_PLAIN);
}

static void *create_alphabeta(void)
{
	return create(ALPHABETA);
}

static void destroy(void *self)
{
	struct alphabeta *a = self;
	block_destroy(a->table.cells, a->table.bytes);
	free(a->workers);
	free(a->history);
	free(a);
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct alphabeta *a = self;
	const struct game *game = task->record->game;
	const struct state *now = &task->record->now;
	struct move moves[GAME_MOVES_MAX];
	int count = task_moves(task, moves);
	size_t codes = (size_t)game->moves_max;
	assert(VALUE_WON + 100 * game->score_max < INT16_MAX);
	a->task = task;
	if (a->stage == ALPHABETA && !table_prepare(&a->table, game, task->memory)) {
		snprintf(why, REASON_MAX, "no memory for a table of %zu bytes", task->memory);
		return false;
	}
	a->worker_count = a->stage == ALPHABETA ? task->threads : 1;
	atomic_store_explicit(&a->nodes, 0, memory_order_relaxed);
	free(a->workers);
	free(a->history);
	a->workers = xcalloc((size_t)a->worker_count, sizeof *a->workers);
	a->history = xcalloc(2 * (size_t)a->worker_count * codes, sizeof *a->history);
	for (int i = 0; i < a->worker_count; i++) {
		struct worker *w = &a->workers[i];
		w->shared = a;
		w->game = game;
		w->stage = a->stage;
		w->value_max = VALUE_WON + 100 * game->score_max;
		w->result.index = -1;
		for (size_t side = 0; side < 2; side++)
			w->history[side] = a->history + (2 * (size_t)i + side) * codes;
		w->root_count = count;
		for (int j = 0; j < count; j++) {
			w->roots[j] = (struct root_move) {
				.move = moves[j],
				.index = j,
				.after = *now,
				.least = -1,
				.most = 1,
			};
			game_play(game, &w->roots[j].after, moves[j]);
		}
	}
	return true;
}

static void work(void *self, int worker, struct control *control)
{
	struct alphabeta *a = self;
	const struct options *o = a->task->options;
	if (worker >= a->worker_count)
		return;
	struct worker *w = &a->workers[worker];
	int limit = o->depth ? o->depth : w->game->length_max;
	if (limit > DEPTH_MAX)
		limit = DEPTH_MAX;
	/* A forced move is worth no time. */
	if (w->root_count == 1 && control->deadline != TIME_NEVER)
		limit = 1;
	w->control = control;
	/* Half of the helpers are an iteration ahead of the lead. */
	for (int depth = 1 + (worker & 1); depth <= limit && !w->stopped; depth++) {
		if (worker == 0 && w->stage == ALPHABETA)
			table_grow(&a->table, w->nodes * (uint64_t)a->worker_count);
		root_search(w, depth);
		if (result_is_final(w))
			break;
	}
	control_refund(control, w->claim);
	atomic_fetch_add_explicit(&a->nodes, w->batch - w->claim, memory_order_relaxed);
	if (worker == 0)
		control_stop(control);
}

/* Makes whole moves of a root move and the steps behind it. */
static int line_moves(const struct worker *w, struct move m, const struct line *line,
		      struct move *out, int max)
{
	struct state s = w->shared->task->record->now;
	int count = 0, used = 0;
	for (;;) {
		out[count++] = m;
		game_play(w->game, &s, m);
		if (count == max || used == line->count)
			return count;
		m = move_single(line->steps[used++]);
		struct state next = s;
		w->game->play(&next, m.step[0]);
		if (!next.pending)
			continue;
		if (used == line->count)
			return count;
		m.step[1] = line->steps[used++];
	}
}

/* Points of a value for a side: the margin of a finished game, or a guess. */
static double score_of(int value, int sign)
{
	int won = value >= VALUE_WON, lost = value <= -VALUE_WON;
	return sign * (value + (lost - won) * VALUE_WON) / 100.0;
}

/* Exact values first; what has only a bound stays in the order in which it is searched. */
static void report_moves(const struct worker *lead, int sign, struct report *out)
{
	double ratings[GAME_MOVES_MAX];
	for (int i = 0; i < lead->root_count; i++) {
		const struct root_move *m = &lead->roots[i];
		if (!m->known)
			continue;
		ratings[out->move_count] = m->exact ? m->value : -2.0 * lead->value_max;
		struct report_move *r = report_add(out, m->move);
		r->visits = m->nodes;
		r->lower = sign > 0 ? m->least : -m->most;
		r->upper = sign > 0 ? m->most : -m->least;
		if (r->lower == r->upper)
			r->value = r->lower;
		if (m->exact && (lead->game->eval || m->least == m->most))
			r->score = score_of(m->value, sign);
		r->exact = m->exact && m->final;
		r->line_count = line_moves(lead, m->move, &m->line, r->line, REPORT_LINE_MAX);
	}
	report_sort(out, sign > 0 ? BLACK : WHITE, ratings);
}

/* In the midst of work the lead's: the others are known by their count of nodes alone. */
static void report(void *self, struct report *out)
{
	struct alphabeta *a = self;
	const struct worker *lead = &a->workers[0];
	const struct result *r = lead->counts && lead->current.index >= 0 ? &lead->current
									  : &lead->result;
	out->nodes = atomic_load_explicit(&a->nodes, memory_order_relaxed);
	if (a->stage == ALPHABETA)
		out->fill = table_fill(&a->table);
	if (r->index < 0)
		return;
	int sign = a->task->record->now.side == BLACK ? 1 : -1;
	int value = r->outcome.value, won = value >= VALUE_WON, lost = value <= -VALUE_WON;
	out->line_count = line_moves(lead, r->move, &r->line, out->line, PV_MAX);
	out->depth = r->depth;
	if (won || lost || r->outcome.final || lead->game->eval)
		out->score = score_of(value, sign);
	/* One move proves a win, only all of them a draw or a loss. */
	if (won || (r->complete && (lost || r->outcome.final))) {
		out->lower = out->upper = sign * (won - lost);
		out->value = out->lower;
	}
	out->exact = r->complete && r->outcome.final;
	report_moves(lead, sign, out);
}

const struct algorithm algorithm_negamax = {
	.name = "negamax",
	.help = "every position to a depth, the textbook way",
	.uses_depth = true,
	.create = create_negamax,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};

const struct algorithm algorithm_alphabeta_plain = {
	.name = "alphabeta-plain",
	.help = "negamax with the cut-offs of alpha-beta, no more",
	.uses_depth = true,
	.create = create_alphabeta_plain,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};

const struct algorithm algorithm_alphabeta = {
	.name = "alphabeta",
	.help = "alpha-beta with transposition table, move ordering and null windows",
	.uses_depth = true,
	.create = create_alphabeta,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
