/* SPDX-License-Identifier: MIT
 *
 * Depth-first minimax with iterative deepening, in the three stages of a textbook:
 *
 *     negamax           visits every position down to the depth
 *     alphabeta-plain   prunes what cannot change the result (Knuth and Moore, 1975)
 *     alphabeta         adds a transposition table, move ordering, null windows (principal
 *                       variation search: Marsland and Campbell, 1982) and ProbCut (Buro, 1997)
 *
 * This file has the root: iterations, root moves, reports. alphabeta_search.c has the search below it.
 *
 * Invariant: at equal depth all three find the same value and the same move (the first of the best moves in
 * the order of game_moves()) if alphabeta runs without ProbCut. So a table entry is used only if a search of
 * exactly that depth would find the same. ProbCut needs a game with `deviation`. It prunes what a shallow
 * search predicts to be outside the window. The invariant then holds only for values that depend on finished
 * games alone.
 *
 * Depth counts whole moves without passes. No leaf is pending. Values are in hundredths of a point for the
 * side to move. The only negation is in descend() of alphabeta_search.c.
 *
 * Threads: the helpers of alphabeta search the same root and share only the table with the lead (lazy SMP).
 * The lead's result counts. The other two searches use the lead only.
 */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/eval.h"
#include "engine/search/alphabeta/alphabeta.h"

#define BUCKETS_FIRST 4096 /* buckets of the table in use at first */

/* --- the root --- */

/* Moves root move i to the front and keeps the order of the others. */
static void root_promote(struct alphabeta_worker *w, int i)
{
	struct root_move best = w->roots[i];
	memmove(w->roots + 1, w->roots, (size_t)i * sizeof best);
	w->roots[0] = best;
}

/* Stores the outcome of a root move: an exact value or an upper bound. */
static void root_note(struct root_move *m, struct alphabeta_outcome o, bool exact,
		      const struct line *line)
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

/* Searches a root move for a value above `low`. A `scout` search has a null window; it is repeated with the
 * whole window if the value is above it. Returns false if the worker was stopped before there was a value.
 * If it was stopped later, the value is a lower bound, which is above `low`, and the line is empty. */
static bool search_root_move(struct alphabeta_worker *w, struct root_move *m, int depth, int low,
			     bool scout, struct alphabeta_outcome *o, struct line *line)
{
	int side = w->shared->task->record->now.side, high = scout ? low + 1 : w->value_max;
	uint64_t nodes = w->nodes;
	*o = alphabeta_descend(w, side, m->move.step[0], &m->after, depth, low, high, line);
	if (w->stopped)
		return false;
	if (scout && o->value > low) {
		struct alphabeta_outcome exact = alphabeta_descend(
			w, side, m->move.step[0], &m->after, depth, low, w->value_max, line);
		if (w->stopped)
			line->count = 0;
		else
			*o = exact;
	}
	m->nodes += w->nodes - nodes;
	if (!w->stopped)
		root_note(m, *o, o->value > low || w->stage == NEGAMAX, line);
	return true;
}

/* Ends an iteration. Its result counts if it is complete or has searched the previous best move. */
static void end_iteration(struct alphabeta_worker *w, int depth)
{
	struct result *r = &w->current;
	struct alphabeta *a = w->shared;
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
	if (r->complete && a->completed && w == a->workers) {
		memcpy(a->completed, w->roots, (size_t)w->root_count * sizeof *w->roots);
		a->completed_count = w->root_count;
	}
}

/* Runs one iteration: searches the root moves to a depth. */
static void iterate(struct alphabeta_worker *w, int depth)
{
	bool values = w->shared->task->values;
	struct result *r = &w->current;
	int best = 0;
	*r = (struct result) {
		.outcome = { -w->value_max - 1, FINAL },
		.trust = FINAL,
		.index = -1,
		.depth = w->result.depth,
	};
	/* If all scores are requested, scores of different depths must not be mixed. */
	w->counts = w->result.index < 0;
	if (!alphabeta_enter(w))
		return;
	for (int i = 0; i < w->root_count && !w->stopped; i++) {
		struct root_move *m = &w->roots[i];
		struct alphabeta_outcome o;
		struct line line;
		/* Of moves with equal values the one with the smallest index is best. */
		int value_to_beat = r->outcome.value - (m->index < r->index);
		int low = values ? -w->value_max - 1 : value_to_beat;
		if (w->stage != NEGAMAX && low == w->value_max)
			continue;
		bool scout = w->stage == ALPHABETA && i > 0 && !values;
		if (!search_root_move(w, m, depth, low, scout, &o, &line))
			break;
		w->counts |= m->index == w->result.index && !values;
		r->trust = least_trust(r->trust, o.trust);
		/* A better move counts even if there was no time to find its exact value. */
		if (o.value > value_to_beat) {
			r->outcome = o;
			r->index = m->index;
			r->move = m->move;
			r->line = line;
			best = i;
		}
	}
	end_iteration(w, depth);
	if (w->stage == ALPHABETA)
		root_promote(w, best);
}

/* Returns true if deeper iterations cannot change the result. */
static bool result_is_final(const struct alphabeta_worker *w)
{
	const struct result *r = &w->result;
	bool is_extreme = abs(r->outcome.value) == w->value_max && !w->shared->task->values &&
			  !game_repeats(w->game);
	return r->complete && (r->trust == FINAL || is_extreme);
}

/* --- the functions of struct algorithm --- */

/* Sets the ProbCut level. Each level makes fewer errors than the one before. At level
 * PROBCUT_LEVELS ProbCut is off. */
static void set_level(struct alphabeta_worker *w, int level)
{
	w->level = level;
	w->confidence = w->shared->task->options->probcut * (1 + level / 2.0);
}

static void *alphabeta_create(enum stage stage)
{
	struct alphabeta *a = xcalloc(1, sizeof *a);
	a->stage = stage;
	return a;
}

static void *create_negamax(void)
{
	return alphabeta_create(NEGAMAX);
}

static void *create_alphabeta_plain(void)
{
	return alphabeta_create(ALPHABETA_PLAIN);
}

static void *create_alphabeta(void)
{
	return alphabeta_create(ALPHABETA);
}

/* Frees what a search of one task needs. */
static void alphabeta_free(struct alphabeta *a)
{
	free(a->workers);
	free(a->roots);
	free(a->completed);
	free(a->history);
}

static void alphabeta_destroy(void *self)
{
	struct alphabeta *a = self;
	table_close(&a->table);
	alphabeta_free(a);
	free(a);
}

static void alphabeta_forget(void *self)
{
	struct alphabeta *a = self;
	table_forget(&a->table);
}

static bool alphabeta_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct alphabeta *a = self;
	const struct game *game = task->record->game;
	const struct state *now = &task->record->now;
	size_t codes = (size_t)game->steps.codes;
	a->task = task;
	if (a->stage == ALPHABETA &&
	    !table_prepare(&a->table, game, task->memory, ALPHABETA_ENTRY_WORDS, BUCKETS_FIRST)) {
		snprintf(why, REASON_MAX, "no memory for a table of %zu bytes", task->memory);
		return false;
	}
	struct move *moves = xmalloc((size_t)game_moves_max(game) * sizeof *moves);
	int count = task_moves(task, moves);
	a->worker_count = a->stage == ALPHABETA ? task->threads : 1;
	atomic_store_explicit(&a->nodes, 0, memory_order_relaxed);
	alphabeta_free(a);
	a->completed = task->values ? xcalloc((size_t)count, sizeof *a->completed) : NULL;
	a->completed_count = 0;
	a->workers = xcalloc((size_t)a->worker_count, sizeof *a->workers);
	a->roots = xcalloc((size_t)a->worker_count * (size_t)count, sizeof *a->roots);
	a->history = xcalloc(2 * (size_t)a->worker_count * codes, sizeof *a->history);
	for (int i = 0; i < a->worker_count; i++) {
		struct alphabeta_worker *w = &a->workers[i];
		w->shared = a;
		w->game = game;
		w->stage = a->stage;
		w->value_max = 100 * game->score.most;
		w->forced_pass = game->steps.may_pass ? MOVE_NONE : game->steps.pass;
		w->result.index = -1;
		set_level(w, a->stage == ALPHABETA && game->eval && game->eval->deviation &&
					     task->options->probcut > 0
				     ? 0
				     : PROBCUT_LEVELS);
		for (size_t side = 0; side < 2; side++)
			w->history[side] = a->history + (2 * (size_t)i + side) * codes;
		w->roots = a->roots + i * count;
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
			record_end_repeated(task->record, &w->roots[j].after);
		}
	}
	free(moves);
	return true;
}

/* Puts one bucket of the table in use for each node that the workers have searched, if each has searched as
 * many nodes as the lead. The number is a power of 2, so that a search seldom moves entries. */
static void grow_table(struct alphabeta *a, uint64_t lead_nodes, struct control *control)
{
	uint64_t nodes = lead_nodes * (uint64_t)a->worker_count;
	size_t buckets = BUCKETS_FIRST;
	while (buckets < nodes && buckets <= a->table.buckets / 2)
		buckets *= 2;
	table_split(&a->table, buckets, control);
}

static void alphabeta_work(void *self, int worker, struct control *control)
{
	struct alphabeta *a = self;
	const struct options *o = a->task->options;
	if (worker >= a->worker_count)
		return;
	struct alphabeta_worker *w = &a->workers[worker];
	int most = alphabeta_depth_max(w->game);
	int limit = o->depth ? o->depth : w->game->steps.length;
	if (limit > most || limit == 0)
		limit = most;
	/* Spend no time on a forced move, unless its value is wanted. */
	if (w->root_count == 1 && control->deadline != TIME_NEVER && !a->task->values)
		limit = 1;
	w->control = control;
	/* Every other worker starts one iteration ahead of the lead. */
	for (int depth = 1 + (worker & 1); depth <= limit && !w->stopped;) {
		if (worker == 0 && w->stage == ALPHABETA)
			grow_table(a, w->nodes, control);
		iterate(w, depth);
		if (result_is_final(w))
			break;
		/* If the search has reached the end of all games, raise the ProbCut level instead of the
		 * depth. */
		if (w->result.complete && w->result.trust == PROBABLE && w->level < PROBCUT_LEVELS)
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
static int line_moves(const struct alphabeta_worker *w, struct move m, const struct line *line,
		      struct move *out, int max)
{
	struct state s = w->shared->task->record->now;
	int count = 0, used = 0;
	for (;;) {
		out[count++] = m;
		game_play(w->game, &s, m);
		if (count == max || used == line->count)
			return count;
		struct state next = s;
		for (int i = 0; i == 0 || next.pending; i++) {
			if (used == line->count)
				return count;
			m = move_append(m, i, line->steps[used++]);
			w->game->play(w->game, &next, m.step[i]);
		}
	}
}

/* Moves with exact values come first. Moves with a bound only keep the order of the search. */
static void alphabeta_report_moves(const struct alphabeta_worker *lead, int sign,
				   struct report *out)
{
	double ratings[GAME_MOVES_MAX];
	const struct alphabeta *a = lead->shared;
	const struct root_move *roots = a->completed_count ? a->completed : lead->roots;
	for (int i = 0; i < lead->root_count; i++) {
		const struct root_move *m = &roots[i];
		if (!m->known)
			continue;
		ratings[out->move_count] = m->exact ? m->value : -2.0 * lead->value_max;
		struct report_move *r = report_add(out, m->move);
		r->visits = m->nodes;
		report_narrow(r, sign > 0 ? m->least : -m->most, sign > 0 ? m->most : -m->least);
		if (r->lower == r->upper)
			r->value = r->lower;
		if (m->exact && !lead->game->score.speed &&
		    (lead->game->eval || m->least == m->most))
			r->score = game_points(lead->game, sign * m->value / 100.0);
		r->exact = m->exact && m->final && !lead->game->score.speed;
		struct move line[REPORT_LINE_MAX];
		report_set_line(out, r, line, NULL,
				line_moves(lead, m->move, &m->line, line, REPORT_LINE_MAX));
	}
	report_sort(out, sign > 0 ? BLACK : WHITE, ratings);
}

/* Reports the lead's result. It may be called while the search runs. Of the helpers it uses the count of
 * nodes only. */
static void alphabeta_report(void *self, struct report *out)
{
	struct alphabeta *a = self;
	const struct alphabeta_worker *lead = &a->workers[0];
	const struct result *r = lead->counts && lead->current.index >= 0 ? &lead->current
									  : &lead->result;
	out->nodes = atomic_load_explicit(&a->nodes, memory_order_relaxed);
	if (a->stage == ALPHABETA)
		out->fill = table_fill(&a->table);
	if (r->index < 0)
		return;
	int sign = side_sign(a->task->record->now.side);
	int value = r->outcome.value, result = score_sign(value);
	/* No evaluation is as large as the largest score: one move proves that win, and all moves that loss. */
	bool is_extreme = abs(value) == lead->value_max && r->outcome.trust == FINAL;
	bool exact = (r->complete && (r->trust == FINAL || is_extreme)) ||
		     (is_extreme && result > 0);
	out->line_count = line_moves(lead, r->move, &r->line, out->line, PV_MAX);
	out->depth = r->depth;
	if ((r->outcome.trust == FINAL && !lead->game->score.speed) || lead->game->eval)
		out->score = game_points(lead->game, sign * value / 100.0);
	/* One move proves a win. A draw or a loss is proven only by all moves. */
	if (exact || (result > 0 && r->outcome.trust == FINAL)) {
		out->lower = out->upper = sign * result;
		out->value = out->lower;
	}
	out->exact = exact && !lead->game->score.speed; /* it does not ask how soon */
	alphabeta_report_moves(lead, sign, out);
	/* A proof holds for the answer too, even if root_note() has not stored it yet. */
	if (out->lower == out->upper) {
		out->moves[0].lower = out->moves[0].upper = (int8_t)out->lower;
		out->moves[0].value = out->lower;
	}
}

const struct algorithm algorithm_negamax = {
	.name = "negamax",
	.help = "minimax of all positions down to a depth, without cutoffs",
	.uses_depth = true,
	.create = create_negamax,
	.destroy = alphabeta_destroy,
	.prepare = alphabeta_prepare,
	.work = alphabeta_work,
	.report = alphabeta_report,
};

const struct algorithm algorithm_alphabeta_plain = {
	.name = "alphabeta-plain",
	.help = "negamax with the cutoffs of alpha-beta and nothing else",
	.uses_depth = true,
	.create = create_alphabeta_plain,
	.destroy = alphabeta_destroy,
	.prepare = alphabeta_prepare,
	.work = alphabeta_work,
	.report = alphabeta_report,
};

const struct algorithm algorithm_alphabeta = {
	.name = "alphabeta",
	.help = "alpha-beta with transposition table, move ordering, null windows and probcut",
	.uses_depth = true,
	.keeps = true,
	.create = create_alphabeta,
	.destroy = alphabeta_destroy,
	.forget = alphabeta_forget,
	.prepare = alphabeta_prepare,
	.work = alphabeta_work,
	.report = alphabeta_report,
};
