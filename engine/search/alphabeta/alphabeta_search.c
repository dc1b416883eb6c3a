/* SPDX-License-Identifier: MIT
 *
 * The recursive search of negamax, alphabeta-plain and alphabeta, below the root. Depth, values and the
 * three stages are explained in alphabeta.c.
 *
 * The stage `alphabeta` orders the steps of a node: first the step in the transposition table, then the
 * others by the positions after them (far from the leaves, in games with ProbCut) or by killer moves and
 * history (elsewhere; Schaeffer, 1989).
 *
 * Threads: every worker searches with its own killers and history. Only the table is shared.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/repetition.h"
#include "engine/rules/threats.h"
#include "engine/search/alphabeta/alphabeta.h"

#define BATCH         (4 * WORK_BATCH) /* a node takes little time */

#define PROBCUT_DEPTH 2   /* the least depth where ProbCut saves time */
#define PROBCUT_PART  0.6 /* part of the margin that the evaluation must exceed */

#define STACK_BYTES   ((size_t)6 << 20) /* of positions on a thread's stack, at most */

#define CHOICES_FEW   64 /* arrays of this size serve most games */

#define HISTORY_MAX   16384
#define ORDER_KILLER  (1 << 29) /* rating of a killer move: above all history values */

#define AHEAD_DEPTH   3   /* least depth for rating steps by the position after them */
#define AHEAD_TABLE   4   /* least depth for also using the table in that rating */
#define AHEAD_CHOICES 100 /* the rating drops by this much per choice of the other side */

/* --- entries of the transposition table --- */

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT = BOUND_LOWER | BOUND_UPPER };

struct alphabeta_entry {
	int value;
	move_t step;
	uint8_t depth;
	uint8_t bound; /* enum bound */
	uint8_t trust; /* enum trust */
	uint8_t level; /* the worker's ProbCut level */
};

static const struct alphabeta_entry no_entry = { .step = MOVE_NONE };

#define VALUE_BITS 20
_Static_assert(100 * GAME_SCORE_MAX < 1 << (VALUE_BITS - 1), "an entry holds every value");

/* The data word, from the lowest bit: age (8 bits), bound (2), trust (2), value (20), step (16), depth (8), level (2). */
static uint64_t entry_pack(struct alphabeta_entry e, unsigned age)
{
	uint32_t low = (uint8_t)age | (uint32_t)e.bound << 8 | (uint32_t)e.trust << 10 |
		       (uint32_t)e.value << (32 - VALUE_BITS);
	uint32_t high = e.step | (uint32_t)e.depth << 16 | (uint32_t)e.level << 24;
	return (uint64_t)high << 32 | low;
}

static struct alphabeta_entry entry_unpack(uint64_t data)
{
	uint32_t low = (uint32_t)data, high = (uint32_t)(data >> 32);
	return (struct alphabeta_entry) {
		.value = (int32_t)low >> (32 - VALUE_BITS),
		.step = (move_t)high,
		.depth = (uint8_t)(high >> 16),
		.bound = low >> 8 & 3,
		.trust = low >> 10 & 3,
		.level = high >> 24 & 3,
	};
}

static uint8_t entry_age(uint64_t data)
{
	return (uint8_t)data;
}

static void entry_prefetch(const struct table *t, const struct state *s)
{
	__builtin_prefetch(table_bucket(t, ALPHABETA_ENTRY_WORDS, s));
}

/* Finds the entry of a position. Returns false if there is none; *e is then empty, with step MOVE_NONE. */
static bool alphabeta_entry_find(const struct table *t, const struct state *s,
				 struct alphabeta_entry *e)
{
	uint64_t data;
	bool found = table_find(t, ALPHABETA_ENTRY_WORDS, s, &data);
	*e = found ? entry_unpack(data) : no_entry;
	return found;
}

/* What an entry is worth: 0 if an earlier search wrote it, else more for more depth. */
static inline int alphabeta_entry_worth(const struct table *t, const uint64_t *data)
{
	return entry_age(*data) == (uint8_t)t->age ? 1 + entry_unpack(*data).depth : 0;
}

static void entry_store(const struct table *t, const struct state *s, struct alphabeta_entry e)
{
	uint64_t data;
	_Atomic uint64_t *cell = table_place(t, ALPHABETA_ENTRY_WORDS, s, alphabeta_entry_worth,
					     &data);
	data = entry_pack(e, t->age);
	table_store(cell, ALPHABETA_ENTRY_WORDS, s, &data);
}

/* Returns true if an entry can replace a search of this depth with the null window above alpha. Without
 * ProbCut the entry must have exactly this depth; if it is FINAL, it may be shallower, because more depth
 * changes nothing. With ProbCut a deeper entry of the same or a higher level is also accepted. */
static bool entry_answers(const struct alphabeta_worker *w, struct alphabeta_entry e, int depth,
			  int alpha)
{
	bool prunes = w->level < PROBCUT_LEVELS;
	if (e.trust == FINAL ? !prunes && e.depth > depth
			     : e.level < w->level || (prunes ? e.depth < depth : e.depth != depth))
		return false;
	return e.value > alpha ? e.bound & BOUND_LOWER : e.bound & BOUND_UPPER;
}

/* --- nodes --- */

/* Claims more work. Returns false if the search is over. */
static bool alphabeta_claim_nodes(struct alphabeta_worker *w)
{
	struct alphabeta *a = w->shared;
	atomic_fetch_add_explicit(&a->nodes, w->batch, memory_order_relaxed);
	if (w == a->workers)
		control_publish(w->control);
	w->claim = w->batch = control_claim(w->control, BATCH);
	w->stopped = w->claim == 0;
	return !w->stopped;
}

static inline bool alphabeta_node_enter(struct alphabeta_worker *w)
{
	if (w->claim == 0 && !alphabeta_claim_nodes(w))
		return false;
	w->claim--;
	w->nodes++;
	return true;
}

bool alphabeta_enter(struct alphabeta_worker *w)
{
	return alphabeta_node_enter(w);
}

/* What the value of a node depends on. Where repetition matters no value is FINAL: the search ignores that positions
 * may not repeat, and a draw by repetition belongs to a path, not to a position. */
static enum trust trust_of(const struct alphabeta_worker *w, bool is_final)
{
	return is_final && !game_repeats(w->game) ? FINAL : EVALUATED;
}

/* The value of a leaf for `side`: the final score or the evaluation. */
static struct alphabeta_outcome alphabeta_evaluate(const struct alphabeta_worker *w,
						   const struct state *s, int side)
{
	int value = 0, most = w->value_max - 1;
	if (s->over) {
		value = 100 * s->score;
	} else if (w->game->eval) {
		value = w->game->eval->value(w->game, s);
		value = value > most ? most : value < -most ? -most : value;
	}
	return (struct alphabeta_outcome) { side_sign(side) * value, trust_of(w, s->over) };
}

/* A step to search. */
struct alphabeta_choice {
	int rating; /* the higher, the sooner */
	move_t step;
	uint16_t place; /* in the order of moves() */
};

/* A frame of search_ordered() has a position and a choice for each step. */
int alphabeta_depth_max(const struct game *g)
{
	size_t choices = (size_t)(g->steps.choices > CHOICES_FEW ? g->steps.choices : CHOICES_FEW);
	size_t frame = choices * (sizeof(struct state) + sizeof(struct alphabeta_choice));
	size_t depth = STACK_BYTES / (frame * ((size_t)g->steps.per_move));
	return depth < ALPHABETA_DEPTH_MAX ? (int)depth : ALPHABETA_DEPTH_MAX;
}

/* The outcome of a node. Only a finished game can have the largest value of a win or loss, so such a value
 * is as reliable as a finished game. */
static struct alphabeta_outcome outcome_of(const struct alphabeta_worker *w, int value,
					   enum trust trust)
{
	return (struct alphabeta_outcome) { value, abs(value) == w->value_max ? trust_of(w, true)
									      : trust };
}

/* Sets a line to a step and the line after it. */
static void line_join(struct line *line, move_t step, const struct line *rest)
{
	int n = rest->count < LINE_STEPS_MAX ? rest->count : LINE_STEPS_MAX - 1;
	line->steps[0] = step;
	memcpy(line->steps + 1, rest->steps, (size_t)n * sizeof(move_t));
	line->count = n + 1;
}

/* Searches a position that is not over to a depth >= 1, as alphabeta_descend() does, for the side to move. */
static struct alphabeta_outcome alphabeta_search(struct alphabeta_worker *, const struct state *,
						 int depth, int alpha, int beta, struct line *);

/* Where repetition is a draw: returns true if a position has occurred on the path or in the record. Else it is added to
 * the path. */
static bool alphabeta_repeats(struct alphabeta_worker *w, const struct state *s)
{
	uint64_t key = repetition_key(w->game, s);
	for (int i = 0; key && i < w->path_length; i++)
		if (w->path[i] == key)
			return true;
	w->path[w->path_length] = key;
	return record_occurrences(w->shared->task->record, key) > 0;
}

static struct alphabeta_outcome alphabeta_search_descend(struct alphabeta_worker *w, int side,
							 move_t step, const struct state *child,
							 int depth, int alpha, int beta,
							 struct line *line)
{
	int rest = child->pending || step == w->forced_pass ? depth : depth - 1;
	line->count = 0;
	if (!alphabeta_node_enter(w))
		return (struct alphabeta_outcome) { 0, EVALUATED };
	if (child->over || rest == 0)
		return alphabeta_evaluate(w, child, side);
	if (repetition_limit(w->game) && alphabeta_repeats(w, child))
		return (struct alphabeta_outcome) { 0, EVALUATED };
	w->path_length++;
	if (child->side == side) {
		struct alphabeta_outcome same = alphabeta_search(w, child, rest, alpha, beta, line);
		w->path_length--;
		return same;
	}
	struct alphabeta_outcome o = alphabeta_search(w, child, rest, -beta, -alpha, line);
	w->path_length--;
	return (struct alphabeta_outcome) { -o.value, o.trust };
}

struct alphabeta_outcome alphabeta_descend(struct alphabeta_worker *w, int side, move_t step,
					   const struct state *child, int depth, int alpha,
					   int beta, struct line *line)
{
	return alphabeta_search_descend(w, side, step, child, depth, alpha, beta, line);
}

/* Negamax; with cutoffs, alpha-beta. */
static struct alphabeta_outcome search_plain(struct alphabeta_worker *w, const struct state *s,
					     int depth, int alpha, int beta, struct line *line)
{
	int best = -w->value_max - 1;
	enum trust trust = FINAL;
	move_t steps[GAME_STEPS_MAX];
	struct line rest;
	int n = w->game->moves(w->game, s, steps);
	for (int i = 0; i < n; i++) {
		struct state child = *s;
		w->game->play(w->game, &child, steps[i]);
		struct alphabeta_outcome o = alphabeta_search_descend(w, s->side, steps[i], &child,
								      depth, alpha, beta, &rest);
		if (w->stopped)
			return o;
		trust = least_trust(trust, o.trust);
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

/* --- move ordering --- */

/* Lists the steps of a state, with the table's step first. Returns their number, and sets *rated to 1 if the
 * table's step is among them, else to 0. */
static int list_choices(const struct game *g, const struct state *s, move_t table_step,
			struct alphabeta_choice *choices, int *rated)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps);
	*rated = 0;
	for (int i = 0; i < n; i++) {
		choices[i] = (struct alphabeta_choice) { 0, steps[i], (uint16_t)i };
		if (steps[i] == table_step) {
			choices[i] = choices[0];
			choices[0] = (struct alphabeta_choice) { 0, steps[i], (uint16_t)i };
			*rated = 1;
		}
	}
	return n;
}

/* Rates the steps of a node by killer moves and history. */
static void rate_by_history(const struct alphabeta_worker *w, const struct state *s, int depth,
			    struct alphabeta_choice *choices, int n)
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
static void rate_by_position(const struct alphabeta_worker *w, const struct state *s, int depth,
			     struct alphabeta_choice *choices, int n, struct state *after)
{
	const struct table *table = &w->shared->table;
	move_t steps[GAME_STEPS_MAX];
	struct alphabeta_entry e;
	for (int i = 0; i < n; i++) {
		struct state *a = &after[choices[i].place];
		*a = *s;
		w->game->play(w->game, a, choices[i].step);
		entry_prefetch(table, a);
	}
	for (int i = 0; i < n; i++) {
		const struct state *a = &after[choices[i].place];
		int value = alphabeta_evaluate(w, a, a->side).value;
		if (depth >= AHEAD_TABLE && alphabeta_entry_find(table, a, &e) &&
		    (e.value > value ? e.bound & BOUND_LOWER : e.bound & BOUND_UPPER))
			value = e.value;
		choices[i].rating = a->side == s->side ? value : -value;
		if (!a->over && a->side != s->side)
			choices[i].rating -= AHEAD_CHOICES * w->game->moves(w->game, a, steps);
	}
}

/* Swaps the choice with the best rating of choices[i..n-1] to index i. */
static void order_pick(struct alphabeta_choice *choices, int i, int n)
{
	int best = i, top = choices[i].rating;
	/* Conditional moves, because a branch would be unpredictable. */
	for (int j = i + 1; j < n; j++) {
		int rating = choices[j].rating;
		best = rating > top ? j : best;
		top = rating > top ? rating : top;
	}
	struct alphabeta_choice c = choices[best];
	choices[best] = choices[i];
	choices[i] = c;
}

/* Moves a history value towards +-HISTORY_MAX. */
static void history_add(int *value, int bonus)
{
	*value += bonus - *value * abs(bonus) / HISTORY_MAX;
}

/* Updates killers and history: choices[last] caused a cutoff, the choices before it did not. */
static void order_update(struct alphabeta_worker *w, const struct state *s, int depth,
			 const struct alphabeta_choice *choices, int last)
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

/* --- alphabeta --- */

/* The depth of the shallow search for a search of `depth` moves: about half, with the same parity, because
 * the side that moves last matters. */
static int probcut_depth(int depth)
{
	int half = (depth + 2) / 4 * 2 + depth % 2;
	return half < depth - 2 ? half : depth - 2;
}

/* Multi-ProbCut (Buro, 1997). Returns true if a shallow search predicts, with the worker's confidence, on
 * which side of the null window above alpha a search of `depth` moves would end. To save time it searches
 * only if the static evaluation predicts the same by a part of the margin. */
static bool probcut(struct alphabeta_worker *w, const struct state *s,
		    struct alphabeta_outcome evaluation, int depth, int alpha,
		    struct alphabeta_outcome *out)
{
	struct line rest;
	int shallow = probcut_depth(depth),
	    deviation = w->game->eval->deviation(w->game, s, shallow, depth);
	int margin = (int)(w->confidence * deviation);
	bool up = evaluation.value > alpha;
	int bound = up ? alpha + margin : alpha - margin;
	if (abs(bound) >= w->value_max - 1)
		return false;
	if (abs(evaluation.value - alpha) < PROBCUT_PART * margin)
		return false;
	*out = shallow ? alphabeta_search(w, s, shallow, bound, bound + 1, &rest) : evaluation;
	if (up != (out->value > bound))
		return false;
	*out = (struct alphabeta_outcome) { up ? alpha + 1 : alpha,
					    out->trust == FINAL ? FINAL : PROBABLE };
	return true;
}

/* Searches one move deep with game.best. Returns false if the game has none, or if the claimed work might
 * not suffice. */
static bool search_leaves(struct alphabeta_worker *w, const struct state *s, int beta,
			  struct alphabeta_outcome *out)
{
	move_t *killer = &w->killers[1][0][0];
	struct best best = { .step = *killer };
	if (!(w->game->eval && w->game->eval->best))
		return false;
	int count = w->game->eval->best(w->game, s, beta, w->value_max - 1, (int)w->claim, &best);
	if (count == 0)
		return false;
	w->claim -= (uint64_t)count;
	w->nodes += (uint64_t)count;
	if (best.value >= beta)
		*killer = best.step;
	*out = outcome_of(w, best.value, trust_of(w, best.final));
	return true;
}

/* Returns true if the outcome of a node needs no search of all its steps: the rules, the table or ProbCut
 * give it, or the worker is stopped. Otherwise sets *e to the node's entry. */
static inline bool cut_early(struct alphabeta_worker *w, const struct state *s, int depth,
			     int alpha, int beta, struct alphabeta_entry *e,
			     struct alphabeta_outcome *out)
{
	const struct game *g = w->game;
	const struct table *table = &w->shared->table;
	const bool null = beta == alpha + 1;
	const bool prunes = null && depth >= PROBCUT_DEPTH && w->level < PROBCUT_LEVELS;
	struct alphabeta_outcome evaluation = { 0, EVALUATED };
	*e = no_entry;
	/* A search of the steps would find the same, because all wins have the same value here. */
	if (g->threats && g->score.most == 1 && g->threats->wins(g, s)) {
		*out = (struct alphabeta_outcome) { w->value_max, trust_of(w, true) };
		return true;
	}
	/* At depth 1 a lookup costs more than it saves. */
	if (depth == 1)
		return null && search_leaves(w, s, beta, out);
	/* Evaluate while the prefetch of the table is under way. */
	if (prunes) {
		entry_prefetch(table, s);
		evaluation = alphabeta_evaluate(w, s, s->side);
	}
	/* An entry has no line, so the principal variation is searched without cutoffs by the table. */
	if (alphabeta_entry_find(table, s, e) && null && entry_answers(w, *e, depth, alpha)) {
		*out = (struct alphabeta_outcome) { e->value, e->trust };
		return true;
	}
	if (!prunes)
		return false;
	/* ProbCut levels exist only for games with `deviation`. */
	assert(g->eval && g->eval->deviation);
	if (probcut(w, s, evaluation, depth, alpha, out) || w->stopped)
		return true;
	if (e->step == MOVE_NONE)
		alphabeta_entry_find(table, s, e);
	return false;
}

/* Searches a step: the first of a node with the whole window, the others with a null window, and again if
 * they turn out to be better (principal variation search). */
static inline struct alphabeta_outcome search_step(struct alphabeta_worker *w,
						   const struct state *s, move_t step,
						   const struct state *child, int depth, bool first,
						   int low, int beta, struct line *rest)
{
	int high = first ? beta : low + 1;
	struct alphabeta_outcome o = alphabeta_search_descend(w, s->side, step, child, depth, low,
							      high, rest);
	if (o.value >= high && high < beta && !w->stopped)
		o = alphabeta_search_descend(w, s->side, step, child, depth, low, beta, rest);
	return o;
}

/* The body of search_ordered(). The arrays have room for all steps of a state. */
static inline __attribute__((always_inline)) struct alphabeta_outcome
search_with(struct alphabeta_worker *w, const struct state *s, int depth, int alpha, int beta,
	    struct line *line, struct alphabeta_choice *choices, struct state *after)
{
	const bool looks_ahead = w->game->eval && w->game->eval->deviation && depth >= AHEAD_DEPTH;
	int best = -w->value_max - 1, low = alpha, rated;
	enum trust trust = FINAL;
	move_t best_step = MOVE_NONE;
	struct line rest;
	struct alphabeta_outcome o;
	struct alphabeta_entry e;
	if (cut_early(w, s, depth, alpha, beta, &e, &o))
		return o;
	/* The table's step comes first. The others are rated only if it causes no cutoff. */
	int n = list_choices(w->game, s, e.step, choices, &rated);
	for (int i = 0; i < n; i++) {
		if (i == rated && looks_ahead)
			rate_by_position(w, s, depth, choices + i, n - i, after);
		else if (i == rated)
			rate_by_history(w, s, depth, choices + i, n - i);
		if (i >= rated)
			order_pick(choices, i, n);
		move_t step = choices[i].step;
		struct state *child = &after[choices[i].place];
		if (i < rated || !looks_ahead) {
			*child = *s;
			w->game->play(w->game, child, step);
		}
		o = search_step(w, s, step, child, depth, i == 0, low, beta, &rest);
		if (w->stopped)
			return o;
		trust = least_trust(trust, o.trust);
		if (o.value > best) {
			best = o.value;
			best_step = step;
			if (best > low)
				line_join(line, step, &rest);
		}
		if (best >= beta) {
			trust = o.trust;
			order_update(w, s, depth, choices, i);
			break;
		}
		if (best > low)
			low = best;
	}
	o = outcome_of(w, best, trust);
	if (depth > 1)
		entry_store(&w->shared->table, s,
			    (struct alphabeta_entry) {
				    .value = best,
				    .step = best_step,
				    .depth = (uint8_t)depth,
				    .bound = best >= beta   ? BOUND_LOWER
					     : best > alpha ? BOUND_EXACT
							    : BOUND_UPPER,
				    .trust = (uint8_t)o.trust,
				    .level = (uint8_t)w->level,
			    });
	return o;
}

/* For games with few choices. Arrays of fixed size are quicker. */
static struct alphabeta_outcome search_few(struct alphabeta_worker *w, const struct state *s,
					   int depth, int alpha, int beta, struct line *line)
{
	struct alphabeta_choice choices[CHOICES_FEW];
	struct state after[CHOICES_FEW];
	return search_with(w, s, depth, alpha, beta, line, choices, after);
}

static struct alphabeta_outcome search_many(struct alphabeta_worker *w, const struct state *s,
					    int depth, int alpha, int beta, struct line *line)
{
	struct alphabeta_choice choices[w->game->steps.choices];
	struct state after[w->game->steps.choices];
	return search_with(w, s, depth, alpha, beta, line, choices, after);
}

static struct alphabeta_outcome search_ordered(struct alphabeta_worker *w, const struct state *s,
					       int depth, int alpha, int beta, struct line *line)
{
	if (w->game->steps.choices <= CHOICES_FEW)
		return search_few(w, s, depth, alpha, beta, line);
	return search_many(w, s, depth, alpha, beta, line);
}

static struct alphabeta_outcome alphabeta_search(struct alphabeta_worker *w, const struct state *s,
						 int depth, int alpha, int beta, struct line *line)
{
	if (w->stage == ALPHABETA)
		return search_ordered(w, s, depth, alpha, beta, line);
	return search_plain(w, s, depth, alpha, beta, line);
}
