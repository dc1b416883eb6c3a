/* SPDX-License-Identifier: MIT
 *
 * Exact values: the game's own solver, which choose.c uses too, and proofs by search.
 */
#include <math.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/goals.h"
#include "engine/rules/solver.h"
#include "engine/search/internal.h"

/* --- the game's solver --- */

#define RATING_ESTIMATED 1e3 /* of the estimated move: above all scores */

/* A run of the solver. */
struct exact_solving {
	const struct game *game; /* has a solver */
	struct state state;
	enum solve_aim aim;
	void *block;
	size_t bytes;
	int threads;
};

static void work_solver(void *arg, int worker, struct control *control)
{
	struct exact_solving *v = arg;
	v->game->solver->work(v->game, &v->state, v->aim, v->block, v->bytes, worker, v->threads,
			      control);
}

/* Returns true if earlier positions of the record matter to the solver. */
static bool has_past(const struct record *r)
{
	return game_repeats(r->game) && r->key_count > 1;
}

/* Tells the solver the earlier positions. Returns false if it has no room for them. */
static bool exact_add_past(const struct record *r, void *block)
{
	struct state s;
	int first = record_last_setup(r);
	record_state(r, first, &s);
	for (int i = first; i < r->count; record_replay(r, i++, &s))
		if (!r->game->solver->add_past(r->game, block, &s))
			return false;
	return true;
}

double seconds_left(const struct control *control)
{
	return control->deadline == TIME_NEVER ? INFINITY
					       : (double)(control->deadline - clock_now()) / 1e9;
}

bool solver_fits(const struct engine *e, const struct task *task, enum solve_aim aim, double limit,
		 double *seconds, size_t *bytes)
{
	const struct game *g = task->record->game;
	const struct solver *solver = g->solver;
	*bytes = task->memory;
	return solver && (!has_past(task->record) || solver->add_past) && e->options.exact &&
	       e->control.work_max == WORK_NO_LIMIT &&
	       (e->limits.prover || !engine_is_alone(e, task->record)) &&
	       solver->estimate(g, &task->record->now, aim, task->threads, seconds, bytes) &&
	       *bytes <= task->memory && *seconds < limit;
}

enum solve_aim solver_aim(const struct task *task)
{
	bool excludes = task->only && task->only_count < record_moves(task->record, NULL);
	return task->values || excludes ? SOLVE_ALL : SOLVE_SCORE;
}

/* Removes from a solution all moves that are not candidates. */
static void keep_candidates(const struct task *task, struct solution *s)
{
	int count = 0;
	if (!task->only)
		return;
	for (int i = 0; i < s->count; i++)
		if (task_allows(task, s->moves[i].move))
			s->moves[count++] = s->moves[i];
	s->count = count;
	s->estimated = -1;
}

/* Returns true if move `i` is proven as good as the position. `least` and `most` are the position's
 * bounds of Black's score. */
static bool keeps_bounds(const struct solution *s, int i, int side, int least, int most)
{
	return side == BLACK ? s->moves[i].least == least : s->moves[i].most == most;
}

/* Reports a solution. The answer is the solver's estimated move if it keeps the proven bounds of the
 * position, else the first move that does. */
static void report_solution(const struct task *task, const struct solution *s, struct report *out)
{
	double ratings[GAME_MOVES_MAX];
	int side = task->record->now.side, least, most;
	bool counts = game_counts(task->record->game);
	report_clear(out);
	for (int i = 0; i < s->count; i++) {
		struct report_move *m = report_add(out, s->moves[i].move);
		report_narrow(m, score_sign(s->moves[i].least), score_sign(s->moves[i].most));
		m->exact = counts && s->moves[i].least == s->moves[i].most;
		if (m->exact)
			m->score = game_points(task->record->game, s->moves[i].least);
		if (m->lower == m->upper)
			m->value = m->lower;
		ratings[i] = side == BLACK ? s->moves[i].most : -s->moves[i].least;
	}
	solution_bounds(s, side, &least, &most);
	out->lower = score_sign(least);
	out->upper = score_sign(most);
	out->exact = counts && least == most;
	if (out->exact)
		out->score = game_points(task->record->game, least);
	if (out->lower == out->upper)
		out->value = out->lower;
	int best = s->estimated;
	if (best < 0 || !keeps_bounds(s, best, side, least, most))
		for (best = 0; !keeps_bounds(s, best, side, least, most);)
			best++;
	else if (!out->exact) {
		out->score = out->moves[best].score = game_points(task->record->game,
								  s->estimated_score);
		out->depth = game_free(task->record->game, &task->record->now);
		ratings[best] = RATING_ESTIMATED;
	}
	out->line[out->line_count++] = s->moves[best].move;
	report_sort(out, side, counts ? ratings : NULL);
}

/* One run of the solver, for solver_run(). */
static bool exact_run_solver(struct engine *e, const struct task *task, enum solve_aim aim,
			     struct control *control, size_t bytes, struct report *proven,
			     struct report *out)
{
	if (!engine_take_block(e, bytes))
		return false;
	struct exact_solving v = {
		.game = task->record->game,
		.state = task->record->now,
		.aim = aim,
		.block = e->block,
		.bytes = e->block_size,
		.threads = task->threads,
	};
	struct solution solution;
	int least, most;
	solver_clear(v.game->solver, e->block, bytes);
	if (has_past(task->record) && !exact_add_past(task->record, e->block))
		return false;
	const uint64_t before = control_work(control);
	e->partial = out;
	engine_run_job(&(struct job) { work_solver, &v, control }, task->threads);
	e->partial = NULL;
	bool is_solved = v.game->solver->result(v.game, &v.state, e->block, &solution);
	keep_candidates(task, &solution);
	e->spent += control_work(control) - before;
	if (!solution.count)
		return false;
	solution_bounds(&solution, v.state.side, &least, &most);
	is_solved |= aim != SOLVE_ALL && score_sign(least) == score_sign(most);
	/* An estimate is enough to play a move. Without a time limit a search finds a better one. */
	bool takes_estimate = aim != SOLVE_ALL && !e->limits.prover && !out->line_count &&
			      e->control.deadline != TIME_NEVER;
	bool has_answer = is_solved || (takes_estimate && solution.estimated >= 0);
	if (!has_answer && proven)
		report_solution(task, &solution, proven);
	if (!has_answer && (!e->limits.prover || out->lower == out->upper))
		return false;
	report_solution(task, &solution, out);
	out->nodes = control_work(control);
	return has_answer;
}

bool solver_run(struct engine *e, const struct task *task, enum solve_aim aim,
		struct control *control, size_t bytes, struct report *proven, struct report *out)
{
	double seconds;
	if (!exact_run_solver(e, task, aim, control, bytes, proven, out))
		return false;
	/* With the result known, find the score in the time that is left. */
	if (aim == SOLVE_RESULT && out->lower == out->upper &&
	    solver_fits(e, task, SOLVE_SCORE, INFINITY, &seconds, &bytes))
		exact_run_solver(e, task, SOLVE_SCORE, control, bytes, NULL, out);
	return true;
}

/* --- proofs by search --- */

/* Searches the position of a record until its value is known or `limit` ends the search. */
static bool prove_by_search(struct engine *e, const struct task *task, const struct record *record,
			    struct control *limit, struct report *out, char why[REASON_MAX])
{
	struct task inner = *task;
	struct control control;
	control_init_phase(&control, limit, 1);
	/* A search with a deadline stops at once if there is only one move, but here its value is
	 * wanted. The deadlines of the outer controls still hold. */
	control.deadline = TIME_NEVER;
	inner.control = &control;
	inner.record = record;
	if (record != task->record) {
		inner.only = NULL;
		inner.only_count = 0;
		inner.values = false;
	}
	return engine_run_search(e, &inner, out, why);
}

/* Keeps the moves that the goal allows. If the answer is none of them, a pass stands for it. */
static void keep_legal(const struct record *goal, struct report *out)
{
	int count = 0;
	for (int i = 0; i < out->move_count; i++)
		if (record_is_legal(goal, out->moves[i].move))
			out->moves[count++] = out->moves[i];
	out->move_count = count;
	if (out->line_count && !record_is_legal(goal, out->line[0])) {
		out->line[0] = move_single(goal->game->steps.pass);
		out->line_count = 1;
	}
}

/* If the draw of a goal decides nothing, searches the goal again in rules that decide it. These may allow more
 * moves. */
static bool decide_draw(struct engine *e, const struct task *task, struct report *out,
			char why[REASON_MAX])
{
	const struct game *g = task->record->game;
	struct record record;
	struct state start;
	if (!(g->goals && g->goals->decide) || out->lower < 0 || out->upper > 0)
		return true;
	g = g->goals->decide(g, &task->record->now, &start);
	record_init(&record, g);
	record_begin_goal(&record, task->record, g, &start);
	bool good = prove_by_search(e, task, &record, &e->control, out, why);
	record_free(&record);
	if (good)
		keep_legal(task->record, out);
	return good;
}

/* Narrows the bounds of all moves that lead to the position `child`. */
static void narrow_moves(const struct task *task, struct report *r, const struct state *child,
			 int lower, int upper)
{
	for (int i = 0; i < r->move_count; i++) {
		struct state next = task->record->now;
		game_play(task->record->game, &next, r->moves[i].move);
		if (state_equal(&next, child))
			report_narrow(&r->moves[i], lower, upper);
	}
}

/* Lists all candidates in the order of game_moves(), including those of which the search knows
 * nothing. */
static void exact_list_moves(const struct task *task, struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	struct report known = { 0 };
	int count = task_moves(task, moves);
	report_copy(&known, r);
	r->move_count = 0;
	for (int i = 0; i < count; i++) {
		struct report_move *m = report_add(r, moves[i]);
		int at = report_find(&known, moves[i]);
		if (at >= 0)
			*m = known.moves[at];
	}
	report_free(&known);
}

/* Searches the positions after the open moves. Each gets an equal share of the remaining time and work.
 * What they leave is shared again, until all values are known or the limits are reached. Returns false if
 * a search could not run. */
static bool search_children(struct engine *e, const struct task *task, struct report *out,
			    char why[REASON_MAX])
{
	bool limited = e->control.deadline != TIME_NEVER || e->control.work_max != WORK_NO_LIMIT;
	struct record child;
	struct report found = { 0 };
	struct control share;
	bool good = true;
	int side = task->record->now.side, open = report_tighten(out, side);
	record_init(&child, task->record->game);
	do {
		for (int i = 0; i < out->move_count && good && !control_is_over(&e->control); i++) {
			struct report_move *m = &out->moves[i];
			struct state next = task->record->now;
			if (m->lower == m->upper)
				continue;
			game_play(task->record->game, &next, m->move);
			found.lower = -1;
			found.upper = 1;
			record_copy(&child, task->record);
			record_play(&child, m->move);
			control_init_phase(&share, &e->control, open);
			if (child.now.over)
				found.lower = found.upper = score_sign(child.now.score);
			else if (share.work_max == 0)
				control_stop(&e->control); /* too little is left to share */
			else
				good = prove_by_search(e, task, &child, &share, &found, why);
			if (good)
				narrow_moves(task, out, &next, found.lower, found.upper);
			open = report_tighten(out, side);
		}
	} while (good && open && limited && !control_is_over(&e->control));
	report_free(&found);
	record_free(&child);
	return good;
}

/* Finds the values of all moves, after a search of the position itself. */
static bool prove_moves(struct engine *e, const struct task *task, struct report *out,
			char why[REASON_MAX])
{
	exact_list_moves(task, out);
	e->partial = out;
	bool good = search_children(e, task, out, why);
	e->partial = NULL;
	report_answer_best(out, task->record->now.side);
	return good;
}

/* --- exact values --- */

#define TRIAL_PART 4 /* a search may run before the solver, for 1/n of the solver's time */

bool prove_position(struct engine *e, const struct task *wanted, struct report *out,
		    char why[REASON_MAX])
{
	/* The depth limit holds for the choice of a move only. With one, a search might never find the
	 * value. */
	struct options options = e->options;
	struct task own = *wanted, *task = &own;
	options.depth = 0;
	own.options = &options;
	double seconds;
	size_t bytes;
	struct control phase;
	enum solve_aim aim = solver_aim(task);
	double limit = SOLVER_PART * seconds_left(&e->control);
	bool counts = game_counts(task->record->game);
	bool fits = solver_fits(e, task, aim, limit, &seconds, &bytes);
	/* How soon a game of speed ends is asked together with who wins. */
	if (!fits && aim == SOLVE_SCORE && !task->record->game->score.speed)
		aim = SOLVE_RESULT;
	/* If scores count, no search proves more than the solver, however long that takes. */
	if (!fits)
		fits = solver_fits(e, task, aim, counts ? INFINITY : limit, &seconds, &bytes);
	/* If only the result counts, a search often proves a win before the solver would. */
	if (fits && !task->values && !counts) {
		control_init_phase(&phase, &e->control, 1);
		phase.deadline = phase.start + (int64_t)(seconds / TRIAL_PART * 1e9);
		if (!prove_by_search(e, task, task->record, &phase, out, why))
			return false;
		if (out->lower == out->upper || control_is_over(&e->control))
			return true;
	}
	control_init_phase(&phase, &e->control, 1);
	if (fits && solver_run(e, task, aim, &phase, bytes, NULL, out))
		return true;
	if (fits && control_is_over(&e->control)) {
		out->nodes = control_work(&e->control);
		return true;
	}
	if (!prove_by_search(e, task, task->record, &e->control, out, why) ||
	    !decide_draw(e, task, out, why))
		return false;
	if (task->values && !prove_moves(e, task, out, why))
		return false;
	out->nodes = control_work(&e->control);
	return true;
}
