/* SPDX-License-Identifier: MIT
 *
 * Depth-first minimax with iterative deepening, in the three stages of a textbook:
 *
 *     negamax           visits every position down to the depth
 *     alphabeta-plain   prunes what cannot change the result (Knuth and Moore, 1975)
 *     alphabeta         adds a transposition table, move ordering, null windows (principal
 *                       variation search: Marsland and Campbell, 1982) and ProbCut (Buro, 1997)
 *
 * Invariant: at equal depth all three find the same value and the same move (the first of the best moves in
 * the order of game_moves()) if alphabeta runs without ProbCut. So a table entry is used only if a search of
 * exactly that depth would find the same. ProbCut needs a game with `deviation`. It prunes what a shallow
 * search predicts to be outside the window. The invariant then holds only for values that depend on finished
 * games alone.
 *
 * Depth counts whole moves without passes. No leaf is pending. Values are in hundredths of a point for the
 * side to move. The only negation is in descend().
 *
 * Threads: the helpers of alphabeta search the same root and share only the table with the lead (lazy SMP).
 * The lead's result counts. The other two searches use the lead only.
 */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/algorithm.h"
#include "engine/memory.h"

#define DEPTH_MAX 255
#define BATCH     (4 * WORK_BATCH) /* a node takes little time */

/* What a value depends on. */
enum trust {
	GUESS,  /* evaluations of unfinished games */
	LIKELY, /* finished games and cutoffs by shallower searches */
	FINAL,  /* finished games only: deeper searches find the same value */
};

/* The outcome of a search: a value inside the window, or else a bound. */
struct outcome {
	int value;
	enum trust trust;
};

static enum trust least(enum trust a, enum trust b)
{
	return a < b ? a : b;
}

/* The principal variation, in steps. */
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
 * A cell holds the exact position. Each key word is xored with a scrambled copy of the data. A mix of words
 * from two threads then matches no position (Hyatt and Mann, 2002). */

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT = BOUND_LOWER | BOUND_UPPER };

struct entry {
	int16_t value;
	move_t step;
	uint8_t depth;
	uint8_t age;
	uint8_t bound;
	uint8_t white : 1, trust : 2; /* enum trust */
	uint8_t level : 2;            /* the worker's ProbCut level */
};
_Static_assert(sizeof(struct entry) == sizeof(uint64_t), "an entry is one atomic word");

struct cell {
	_Atomic uint64_t key[2], data;
};

#define BUCKET        2    /* cells per bucket */
#define BUCKETS_FIRST 4096 /* buckets in use at first */

struct table {
	struct cell *cells;
	size_t bytes, buckets;
	_Atomic size_t used;     /* buckets in use, a power of 2 */
	const struct game *game; /* the game of the stored positions */
	uint8_t age;             /* age of the entries that this search writes */
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

/* Reads a cell. Returns true if it holds this position. */
static bool cell_read(struct cell *c, const struct state *s, struct entry *e)
{
	uint64_t data = atomic_load_explicit(&c->data, memory_order_relaxed);
	uint64_t mask = scramble(data);
	memcpy(e, &data, sizeof data);
	return e->bound != BOUND_NONE && e->white == s->side &&
	       (atomic_load_explicit(&c->key[0], memory_order_relaxed) ^ mask) == s->board[0] &&
	       (atomic_load_explicit(&c->key[1], memory_order_relaxed) ^ mask) == s->board[1];
}

/* Finds the entry of a position. Returns false if there is none; *e is then empty, with step MOVE_NONE. */
static bool table_find(const struct table *t, const struct state *s, struct entry *e)
{
	struct cell *c = table_bucket(t, s);
	for (int i = 0; i < BUCKET; i++)
		if (cell_read(&c[i], s, e))
			return true;
	*e = (struct entry) { .step = MOVE_NONE };
	return false;
}

/* Stores an entry. It replaces the position's old entry, or else the least useful one of the bucket: one of
 * an earlier search, or the shallowest. */
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

/* Doubles the buckets in use. One more bit of the hash decides whether an entry stays in its bucket or
 * moves to the new twin. If control stops the search meanwhile, entries that should still move are lost. */
static void table_double(struct table *t, size_t used, struct control *control)
{
	for (size_t i = 0; i < BUCKET * used; i++) {
		struct cell *c = &t->cells[i], *twin = c + BUCKET * used;
		if (i % 4096 == 0 && control_is_over(control))
			break;
		uint64_t data = atomic_load_explicit(&c->data, memory_order_relaxed);
		struct state s;
		struct entry e;
		memcpy(&e, &data, sizeof data);
		s.side = e.white;
		for (int k = 0; k < 2; k++)
			s.board[k] = atomic_load_explicit(&c->key[k], memory_order_relaxed) ^
				     scramble(data);
		if (e.bound == BOUND_NONE || !(state_hash(&s) & used))
			continue;
		for (int k = 0; k < 2; k++)
			atomic_store_explicit(&twin->key[k], s.board[k] ^ scramble(data),
					      memory_order_relaxed);
		atomic_store_explicit(&twin->data, data, memory_order_relaxed);
		atomic_store_explicit(&c->data, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&t->used, 2 * used, memory_order_relaxed);
}

/* Doubles the buckets in use until there are `buckets` of them, or all. If a short search used the whole
 * table at once, fresh pages would cost more time than its nodes. */
static void table_grow(struct table *t, uint64_t buckets, struct control *control)
{
	size_t used = atomic_load_explicit(&t->used, memory_order_relaxed);
	for (; used < buckets && used <= t->buckets / 2; used *= 2)
		table_double(t, used, control);
}

/* Prepares the table for a search. Keeps its entries if game and size are the same. Returns false if there
 * is no memory. */
static bool table_prepare(struct table *t, const struct game *game, size_t bytes)
{
	if (!t->cells || t->bytes != bytes || t->game != game) {
		block_destroy(t->cells, t->bytes);
		*t = (struct table) { .bytes = bytes, .game = game };
		t->buckets = bytes / (BUCKET * sizeof(struct cell));
		size_t used = 1;
		while (used < BUCKETS_FIRST && used <= t->buckets / 2)
			used *= 2;
		atomic_init(&t->used, used);
		t->cells = block_create(bytes);
	}
	t->age++;
	return t->cells != NULL;
}

/* Number of buckets that table_fill() samples to estimate the share of used cells. */
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

#define LEVELS 3 /* number of ProbCut levels; ProbCut is off at level LEVELS */

enum stage { NEGAMAX, ALPHABETA_PLAIN, ALPHABETA };

struct root_move {
	struct move move;
	int index; /* in the order of game_moves() */
	struct state after;
	/* The last finding, for the side to move; initially all 0. */
	bool known, exact; /* has a value; it is exact, otherwise an upper bound */
	bool final;        /* trust is FINAL */
	int value;
	int least, most;  /* proven bounds of the result, -1 .. 1 */
	uint64_t nodes;   /* searched below the move */
	struct line line; /* after the move */
};

/* The result of iterative deepening so far. */
struct result {
	struct outcome outcome; /* the best move's, for the side to move */
	enum trust trust;       /* the least trust of all moves */
	bool complete;          /* all moves were searched */
	int index;              /* of the best move, -1: none */
	int depth;              /* of the last complete iteration */
	struct line line;       /* after the best move */
	struct move move;
};

/* The data of one thread. */
struct worker {
	struct alphabeta *shared;
	const struct game *game;
	struct control *control;
	enum stage stage;
	bool stopped;      /* control gave no work: every function returns, results are invalid */
	int value_max;     /* value of the largest win */
	int level;         /* ProbCut level, 0 .. LEVELS */
	double confidence; /* standard deviations at this level */
	uint64_t batch;    /* units of work claimed last */
	uint64_t claim;    /* the part of `batch` not yet used */
	uint64_t nodes;
	struct result result;
	struct result current; /* of the running iteration */
	bool counts;           /* `current` may replace `result` */
	int root_count;
	struct root_move roots[GAME_MOVES_MAX]; /* in the order of the next iteration */
	move_t killers[DEPTH_MAX + 1][2][2];    /* steps that caused a cutoff at [depth][pending] */
	int *history[2]; /* [side][step]: higher for frequent and deep cutoffs */
};

struct alphabeta {
	enum stage stage;
	const struct task *task;
	struct table table; /* used by alphabeta only */
	struct worker *workers;
	int worker_count;
	/* If all scores are requested: the lead's root moves after its last complete iteration, for
	 * reports. */
	struct root_move *whole;
	int whole_count; /* 0: no iteration is complete */
	int *history;
	_Atomic uint64_t nodes; /* of all workers, without the running claim of each */
};

/* Claims more work. Returns false if the search is over. */
static bool claim_nodes(struct worker *w)
{
	struct alphabeta *a = w->shared;
	atomic_fetch_add_explicit(&a->nodes, w->batch, memory_order_relaxed);
	if (w == a->workers)
		control_publish(w->control);
	w->claim = w->batch = control_claim(w->control, BATCH);
	w->stopped = w->claim == 0;
	return !w->stopped;
}

/* Counts a node. Returns false if the search is over. */
static bool node_enter(struct worker *w)
{
	if (w->claim == 0 && !claim_nodes(w))
		return false;
	w->claim--;
	w->nodes++;
	return true;
}

/* The value of a leaf for `side`: the final score or the evaluation. */
static struct outcome judge(const struct worker *w, const struct state *s, int side)
{
	int black = 0, most = w->value_max - 1;
	if (s->over) {
		black = 100 * s->score;
	} else if (w->game->eval) {
		int guess = w->game->eval(s);
		black = guess > most ? most : guess < -most ? -most : guess;
	}
	return (struct outcome) { side == BLACK ? black : -black, s->over ? FINAL : GUESS };
}

/* The outcome of a node. Only a finished game can have the largest value of a win or loss, so such a value
 * is FINAL. */
static struct outcome outcome_of(const struct worker *w, int value, enum trust trust)
{
	return (struct outcome) { value, abs(value) == w->value_max ? FINAL : trust };
}

/* Searches a position that is not over to a depth >= 1. A value inside alpha .. beta is exact; a value
 * outside is a bound. Sets the line of an exact value. If the worker is stopped, the result is invalid. */
static struct outcome search(struct worker *, const struct state *, int depth, int alpha, int beta,
			     struct line *);

/* Searches the position after a step. Depth, window and value refer to the position before it, in which
 * `side` is to move. */
static struct outcome descend(struct worker *w, int side, move_t step, const struct state *child,
			      int depth, int alpha, int beta, struct line *line)
{
	int rest = child->pending || step == w->game->pass ? depth : depth - 1;
	line->count = 0;
	if (!node_enter(w))
		return (struct outcome) { 0, GUESS };
	if (child->over || rest == 0)
		return judge(w, child, side);
	if (child->side == side)
		return search(w, child, rest, alpha, beta, line);
	struct outcome o = search(w, child, rest, -beta, -alpha, line);
	return (struct outcome) { -o.value, o.trust };
}

/* Negamax; with cutoffs, alpha-beta. */
static struct outcome search_plain(struct worker *w, const struct state *s, int depth, int alpha,
				   int beta, struct line *line)
{
	int best = -w->value_max - 1;
	enum trust trust = FINAL;
	move_t steps[GAME_STEPS_MAX];
	struct line rest;
	int n = w->game->moves(s, steps);
	for (int i = 0; i < n; i++) {
		struct state child = *s;
		w->game->play(&child, steps[i]);
		struct outcome o = descend(w, s->side, steps[i], &child, depth, alpha, beta, &rest);
		if (w->stopped)
			return o;
		trust = least(trust, o.trust);
		if (o.value > best) {
			best = o.value;
			line_join(line, steps[i], &rest);
		}
		if (w->stage == NEGAMAX)
			continue;
		if (best >= beta)
			return o;
		if (best > alpha)
			alpha = best;
	}
	return outcome_of(w, best, trust);
}

/* --- alphabeta --- */

#define PROBCUT_DEPTH 2   /* the least depth where ProbCut saves time */
#define PROBCUT_PART  0.6 /* part of the margin that the evaluation must exceed */

#define HISTORY_MAX   16384
#define ORDER_KILLER  (1 << 29)

#define LOOK_DEPTH    3   /* least depth for rating steps by the position after them */
#define LOOK_TABLE    4   /* least depth for also using the table in that rating */
#define LOOK_CHOICES  100 /* the rating drops by this much per choice of the other side */

/* A step to search. */
struct choice {
	int rating; /* the higher, the sooner */
	move_t step;
	uint8_t place; /* in the order of moves() */
};

/* Rates the steps of a node by killers and history. */
static void rate_by_history(const struct worker *w, const struct state *s, int depth,
			    struct choice *choices, int n)
{
	const move_t *killers = w->killers[depth][s->pending];
	const int *history = w->history[s->side];
	for (int i = 0; i < n; i++)
		choices[i].rating = choices[i].step == killers[0]   ? ORDER_KILLER + 1
				    : choices[i].step == killers[1] ? ORDER_KILLER
								    : history[choices[i].step];
}

/* Computes the positions after the steps of a node, and rates the steps by them: by the evaluation,
 * corrected by the bounds in the table, and by the number of choices for the other side. */
static void rate_by_look(const struct worker *w, const struct state *s, int depth,
			 struct choice *choices, int n, struct state *after)
{
	const struct table *table = &w->shared->table;
	move_t steps[GAME_STEPS_MAX];
	struct entry e;
	for (int i = 0; i < n; i++) {
		struct state *a = &after[choices[i].place];
		*a = *s;
		w->game->play(a, choices[i].step);
		__builtin_prefetch(table_bucket(table, a));
	}
	for (int i = 0; i < n; i++) {
		const struct state *a = &after[choices[i].place];
		int value = judge(w, a, a->side).value;
		if (depth >= LOOK_TABLE && table_find(table, a, &e) &&
		    (e.value > value ? e.bound & BOUND_LOWER : e.bound & BOUND_UPPER))
			value = e.value;
		choices[i].rating = a->side == s->side ? value : -value;
		if (!a->over && a->side != s->side)
			choices[i].rating -= LOOK_CHOICES * w->game->moves(a, steps);
	}
}

/* Swaps the choice with the best rating of choices[i..n-1] to index i. */
static void order_pick(struct choice *choices, int i, int n)
{
	int best = i, top = choices[i].rating;
	/* Conditional moves, because a branch would be unpredictable. */
	for (int j = i + 1; j < n; j++) {
		int rating = choices[j].rating;
		best = rating > top ? j : best;
		top = rating > top ? rating : top;
	}
	struct choice c = choices[best];
	choices[best] = choices[i];
	choices[i] = c;
}

/* Moves a history value towards +-HISTORY_MAX. */
static void history_add(int *value, int bonus)
{
	*value += bonus - *value * abs(bonus) / HISTORY_MAX;
}

/* Updates killers and history: choices[last] caused a cutoff, the choices before it did not. */
static void order_learn(struct worker *w, const struct state *s, int depth,
			const struct choice *choices, int last)
{
	move_t *killers = w->killers[depth][s->pending];
	int *history = w->history[s->side];
	int bonus = depth * depth < HISTORY_MAX / 4 ? depth * depth : HISTORY_MAX / 4;
	if (killers[0] != choices[last].step) {
		killers[1] = killers[0];
		killers[0] = choices[last].step;
	}
	history_add(&history[choices[last].step], bonus);
	for (int i = 0; i < last; i++)
		history_add(&history[choices[i].step], -bonus);
}

/* Returns true if an entry can replace a search of this depth with the null window above alpha. Without
 * ProbCut the entry must have exactly this depth; if it is FINAL, it may be shallower, because more depth
 * changes nothing. With ProbCut a deeper entry of the same or a higher level is also accepted. */
static bool entry_answers(const struct worker *w, struct entry e, int depth, int alpha)
{
	bool cuts = w->level < LEVELS;
	if (e.trust == FINAL ? !cuts && e.depth > depth
			     : e.level < w->level || (cuts ? e.depth < depth : e.depth != depth))
		return false;
	return e.value > alpha ? e.bound & BOUND_LOWER : e.bound & BOUND_UPPER;
}

/* The depth of the shallow search for a search of `depth` moves: about half, with the same parity, because
 * the side that moves last matters. */
static int probcut_depth(int depth)
{
	int half = (depth + 2) / 4 * 2 + depth % 2;
	return half < depth - 2 ? half : depth - 2;
}

/* Multi-ProbCut (Buro, 1997). Returns true if a shallow search predicts, with the worker's confidence, on
 * which side of the null window above alpha a search of `depth` moves would end. To save time it searches
 * only if the evaluation predicts the same by a part of the margin. */
static bool probcut(struct worker *w, const struct state *s, struct outcome guess, int depth,
		    int alpha, struct outcome *out)
{
	struct line rest;
	int shallow = probcut_depth(depth), deviation = w->game->deviation(s, shallow, depth);
	int margin = (int)(w->confidence * deviation);
	bool up = guess.value > alpha;
	int bound = up ? alpha + margin : alpha - margin;
	if (abs(bound) >= w->value_max - 1)
		return false;
	if (abs(guess.value - alpha) < PROBCUT_PART * margin)
		return false;
	*out = shallow ? search(w, s, shallow, bound, bound + 1, &rest) : guess;
	if (up != (out->value > bound))
		return false;
	*out = (struct outcome) { up ? alpha + 1 : alpha, out->trust == FINAL ? FINAL : LIKELY };
	return true;
}

/* Searches one move deep with game.best. Returns false if the game has none, or if the claimed work might
 * not suffice. */
static bool search_leaves(struct worker *w, const struct state *s, int beta, struct outcome *out)
{
	move_t *killer = &w->killers[1][0][0];
	struct best best = { .step = *killer };
	if (!w->game->best)
		return false;
	int count = w->game->best(s, beta, w->value_max - 1, (int)w->claim, &best);
	if (count == 0)
		return false;
	w->claim -= (uint64_t)count;
	w->nodes += (uint64_t)count;
	if (best.value >= beta)
		*killer = best.step;
	*out = outcome_of(w, best.value, best.final ? FINAL : GUESS);
	return true;
}

static struct outcome search_ordered(struct worker *w, const struct state *s, int depth, int alpha,
				     int beta, struct line *line)
{
	const struct game *g = w->game;
	/* At depth 1 a lookup costs more than it saves. */
	const struct table *table = depth > 1 ? &w->shared->table : NULL;
	const bool null = beta == alpha + 1, looks = g->deviation && depth >= LOOK_DEPTH;
	int best = -w->value_max - 1, low = alpha;
	enum trust trust = FINAL;
	move_t steps[GAME_STEPS_MAX], best_step = MOVE_NONE;
	struct choice choices[GAME_STEPS_MAX];
	struct state after[GAME_STEPS_MAX];
	struct line rest;
	struct outcome o;
	struct entry e = { .step = MOVE_NONE };
	/* A search of the steps would find the same, because all wins have the same value here. */
	if (g->wins && g->score_max == 1 && g->wins(s))
		return (struct outcome) { w->value_max, FINAL };
	if (depth == 1 && null && search_leaves(w, s, beta, &o))
		return o;
	const bool cuts = null && depth >= PROBCUT_DEPTH && w->level < LEVELS;
	struct outcome guess = { 0, GUESS };
	/* Evaluate while the prefetch of the table is under way. */
	if (cuts) {
		__builtin_prefetch(table_bucket(table, s));
		guess = judge(w, s, s->side);
	}
	/* An entry has no line, so the principal variation is searched without cutoffs by the table. */
	if (table && table_find(table, s, &e) && null && entry_answers(w, e, depth, alpha))
		return (struct outcome) { e.value, e.trust };
	if (cuts) {
		/* ProbCut levels exist only for games with `deviation`. */
		assert(table && g->deviation);
		if (probcut(w, s, guess, depth, alpha, &o) || w->stopped)
			return o;
		if (e.step == MOVE_NONE)
			table_find(table, s, &e);
	}
	/* The table's step comes first. The others are rated only if it causes no cutoff. */
	int n = g->moves(s, steps), rated = 0;
	for (int i = 0; i < n; i++) {
		choices[i] = (struct choice) { 0, steps[i], (uint8_t)i };
		if (steps[i] == e.step) {
			choices[i] = choices[0];
			choices[0] = (struct choice) { 0, steps[i], (uint8_t)i };
			rated = 1;
		}
	}
	for (int i = 0; i < n; i++) {
		if (i == rated && looks)
			rate_by_look(w, s, depth, choices + i, n - i, after);
		else if (i == rated)
			rate_by_history(w, s, depth, choices + i, n - i);
		if (i >= rated)
			order_pick(choices, i, n);
		move_t step = choices[i].step;
		struct state *child = &after[choices[i].place];
		if (i < rated || !looks) {
			*child = *s;
			g->play(child, step);
		}
		int high = i == 0 ? beta : low + 1;
		o = descend(w, s->side, step, child, depth, low, high, &rest);
		if (o.value >= high && high < beta && !w->stopped)
			o = descend(w, s->side, step, child, depth, low, beta, &rest);
		if (w->stopped)
			return o;
		trust = least(trust, o.trust);
		if (o.value > best) {
			best = o.value;
			best_step = step;
			if (best > low)
				line_join(line, step, &rest);
		}
		if (best >= beta) {
			trust = o.trust;
			order_learn(w, s, depth, choices, i);
			break;
		}
		if (best > low)
			low = best;
	}
	o = outcome_of(w, best, trust);
	if (table)
		table_store(table, s,
			    (struct entry) {
				    .value = (int16_t)best,
				    .step = best_step,
				    .depth = (uint8_t)depth,
				    .bound = best >= beta   ? BOUND_LOWER
					     : best > alpha ? BOUND_EXACT
							    : BOUND_UPPER,
				    .trust = o.trust & 3,
				    .level = (unsigned)w->level & 3,
			    });
	return o;
}

static struct outcome search(struct worker *w, const struct state *s, int depth, int alpha,
			     int beta, struct line *line)
{
	if (w->stage == ALPHABETA)
		return search_ordered(w, s, depth, alpha, beta, line);
	return search_plain(w, s, depth, alpha, beta, line);
}

/* --- the root --- */

/* Moves root move i to the front and keeps the order of the others. */
static void root_promote(struct worker *w, int i)
{
	struct root_move best = w->roots[i];
	memmove(w->roots + 1, w->roots, (size_t)i * sizeof best);
	w->roots[0] = best;
}

/* Stores the outcome of a root move: an exact value or an upper bound. */
static void root_note(struct root_move *m, struct outcome o, bool exact, const struct line *line)
{
	int result = score_sign(o.value);
	m->known = true;
	m->exact = exact;
	m->final = o.trust == FINAL;
	m->value = o.value;
	m->line = *line;
	if (m->final) {
		if (exact && m->least < result)
			m->least = result;
		if (m->most > result)
			m->most = result;
	}
}

/* Runs one iteration. The result of an unfinished iteration counts if it has searched the previous best
 * move. */
static void root_search(struct worker *w, int depth)
{
	int side = w->shared->task->record->now.side, best = 0;
	bool values = w->shared->task->values;
	struct result *r = &w->current;
	struct line rest;
	*r = (struct result) {
		.outcome = { -w->value_max - 1, FINAL },
		.trust = FINAL,
		.index = -1,
		.depth = w->result.depth,
	};
	/* If all scores are requested, scores of different depths must not be mixed. */
	w->counts = w->result.index < 0;
	if (!node_enter(w))
		return;
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->roots[i];
		/* Of moves with equal values the one with the smallest index is best. */
		int beat = r->outcome.value - (m->index < r->index);
		int low = values ? -w->value_max - 1 : beat;
		if (w->stage != NEGAMAX && low == w->value_max)
			continue;
		bool scout = w->stage == ALPHABETA && i > 0 && !values;
		int high = scout ? low + 1 : w->value_max;
		uint64_t nodes = w->nodes;
		struct outcome o = descend(w, side, m->move.step[0], &m->after, depth, low, high,
					   &rest);
		if (w->stopped)
			break;
		if (scout && o.value > low) {
			struct outcome exact = descend(w, side, m->move.step[0], &m->after, depth,
						       low, w->value_max, &rest);
			/* A better move counts even if there is no time to find its exact value. */
			if (w->stopped)
				rest.count = 0;
			else
				o = exact;
		}
		m->nodes += w->nodes - nodes;
		if (!w->stopped)
			root_note(m, o, o.value > low || w->stage == NEGAMAX, &rest);
		w->counts |= m->index == w->result.index && !values;
		r->trust = least(r->trust, o.trust);
		if (o.value > beat) {
			r->outcome = o;
			r->index = m->index;
			r->move = m->move;
			r->line = rest;
			best = i;
		}
		if (w->stopped)
			break;
	}
	r->complete = !w->stopped;
	if (r->complete) {
		r->depth = depth;
		w->counts = true; /* a largest win may have skipped the previous best move */
	}
	/* If every move has the largest loss, keep the previous best move: it resists longest. */
	if (r->complete && r->outcome.value == -w->value_max && w->result.index >= 0) {
		r->index = w->result.index;
		r->move = w->result.move;
		r->line = w->result.line;
	}
	if (r->index >= 0 && w->counts)
		w->result = *r;
	w->counts = false;
	if (r->complete && w->shared->whole && w == w->shared->workers) {
		memcpy(w->shared->whole, w->roots, (size_t)w->root_count * sizeof *w->roots);
		w->shared->whole_count = w->root_count;
	}
	if (w->stage == ALPHABETA)
		root_promote(w, best);
}

/* Returns true if deeper iterations cannot change the result. */
static bool result_is_final(const struct worker *w)
{
	const struct result *r = &w->result;
	bool beyond_all = abs(r->outcome.value) == w->value_max && !w->shared->task->values;
	return r->complete && (r->trust == FINAL || beyond_all);
}

/* --- the functions of struct algorithm --- */

/* Sets the ProbCut level. Each level makes fewer errors than the one before. At level LEVELS ProbCut is
 * off. */
static void set_level(struct worker *w, int level)
{
	w->level = level;
	w->confidence = w->shared->task->options->probcut * (1 + level / 2.0);
}

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
	free(a->whole);
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
	assert(100 * game->score_max < INT16_MAX);
	a->task = task;
	if (a->stage == ALPHABETA && !table_prepare(&a->table, game, task->memory)) {
		snprintf(why, REASON_MAX, "no memory for a table of %zu bytes", task->memory);
		return false;
	}
	a->worker_count = a->stage == ALPHABETA ? task->threads : 1;
	atomic_store_explicit(&a->nodes, 0, memory_order_relaxed);
	free(a->workers);
	free(a->whole);
	free(a->history);
	a->whole = task->values ? xcalloc((size_t)count, sizeof *a->whole) : NULL;
	a->whole_count = 0;
	a->workers = xcalloc((size_t)a->worker_count, sizeof *a->workers);
	a->history = xcalloc(2 * (size_t)a->worker_count * codes, sizeof *a->history);
	for (int i = 0; i < a->worker_count; i++) {
		struct worker *w = &a->workers[i];
		w->shared = a;
		w->game = game;
		w->stage = a->stage;
		w->value_max = 100 * game->score_max;
		w->result.index = -1;
		set_level(w, a->stage == ALPHABETA && game->deviation && task->options->probcut > 0
				     ? 0
				     : LEVELS);
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
	/* Spend no time on a forced move. */
	if (w->root_count == 1 && control->deadline != TIME_NEVER)
		limit = 1;
	w->control = control;
	/* Every other worker starts one iteration ahead of the lead. */
	for (int depth = 1 + (worker & 1); depth <= limit && !w->stopped;) {
		if (worker == 0 && w->stage == ALPHABETA)
			table_grow(&a->table, w->nodes * (uint64_t)a->worker_count, control);
		root_search(w, depth);
		if (result_is_final(w))
			break;
		/* If the search has reached the end of all games, raise the ProbCut level instead of the
		 * depth. */
		if (w->result.complete && w->result.trust == LIKELY && w->level < LEVELS)
			set_level(w, w->level + 1);
		else
			depth++;
	}
	control_refund(control, w->claim);
	atomic_fetch_add_explicit(&a->nodes, w->batch - w->claim, memory_order_relaxed);
	if (worker == 0)
		control_stop(control);
}

/* Converts a root move and the steps after it to whole moves. Returns their number. */
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

/* Moves with exact values come first. Moves with a bound only keep the order of the search. */
static void report_moves(const struct worker *lead, int sign, struct report *out)
{
	double ratings[GAME_MOVES_MAX];
	const struct alphabeta *a = lead->shared;
	const struct root_move *roots = a->whole_count ? a->whole : lead->roots;
	for (int i = 0; i < lead->root_count; i++) {
		const struct root_move *m = &roots[i];
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
			r->score = sign * m->value / 100.0;
		r->exact = m->exact && m->final;
		r->line_count = line_moves(lead, m->move, &m->line, r->line, REPORT_LINE_MAX);
	}
	report_sort(out, sign > 0 ? BLACK : WHITE, ratings);
}

/* Reports the lead's result. It may be called while the search runs. Of the helpers it uses the count of
 * nodes only. */
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
	int value = r->outcome.value, result = score_sign(value);
	bool exact = r->complete && r->trust == FINAL;
	out->line_count = line_moves(lead, r->move, &r->line, out->line, PV_MAX);
	out->depth = r->depth;
	if (r->outcome.trust == FINAL || lead->game->eval)
		out->score = sign * value / 100.0;
	/* One move proves a win. A draw or a loss is proven only by all moves. */
	if (exact || (result > 0 && r->outcome.trust == FINAL)) {
		out->lower = out->upper = sign * result;
		out->value = out->lower;
	}
	out->exact = exact;
	report_moves(lead, sign, out);
	/* A proof holds for the answer too, even if root_note() has not stored it yet. */
	if (out->lower == out->upper) {
		out->moves[0].lower = out->moves[0].upper = out->lower;
		out->moves[0].value = out->lower;
	}
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
	.help = "alpha-beta with transposition table, move ordering, null windows and probcut",
	.uses_depth = true,
	.keeps = true,
	.create = create_alphabeta,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
