/* SPDX-License-Identifier: MIT
 *
 * The choice of a move, choose_move(): from the book, from the game's solver if it should finish in time,
 * or by search. If several moves keep the result that the solver has proven, the search chooses among
 * them.
 */
#include <math.h>
#include <string.h>

#include "engine/rules/book.h"
#include "engine/rules/own_book.h"
#include "engine/rules/solver.h"
#include "engine/rules/tuning.h"
#include "engine/search/internal.h"
#include "engine/search/level.h"

/* --- books --- */

/* Completes a report of book moves, of which `chosen` is to be played. */
static void finish_book(const struct task *task, const struct report_move *chosen,
			const double *ratings, struct report *out)
{
	out->book = true;
	out->value = chosen->value;
	out->score = chosen->score;
	out->line[out->line_count++] = chosen->move;
	report_sort(out, task->record->now.side, ratings);
}

/* Answers with a move of the user's own book. It plays the moves after which games went at least even for the side to
 * move, in proportion to the number of games. Returns false if there is none. */
static bool find_in_own_book(const struct engine *e, const struct task *task, struct report *out)
{
	const struct record *r = task->record;
	struct move moves[GAME_MOVES_MAX];
	double ratings[GAME_MOVES_MAX];
	uint32_t weights[GAME_MOVES_MAX] = { 0 }, all = 0;
	if (!e->own_book)
		return false;
	int n = 0, count = record_moves(r, moves);
	report_clear(out);
	for (int i = 0; i < count; i++) {
		struct state after = r->now;
		struct own_games games;
		game_play(r->game, &after, moves[i]);
		if (!own_book_find(e->own_book, r->game, &after, &games))
			continue;
		double mean = own_games_mean(&games);
		if (side_sign(r->now.side) * mean < 0)
			continue;
		struct report_move *m = report_add(out, moves[i]);
		m->value = mean;
		if (r->game->score.unit && games.scored)
			m->score = games.score / games.scored;
		ratings[n] = side_sign(r->now.side) * mean;
		weights[n++] = (uint32_t)games.count;
		all += (uint32_t)games.count;
	}
	if (n == 0)
		return false;
	struct rng rng;
	rng_seed(&rng, task->seed);
	uint32_t ticket = rng_below(&rng, all);
	int chosen = 0;
	while (ticket >= weights[chosen])
		ticket -= weights[chosen++];
	finish_book(task, &out->moves[chosen], ratings, out);
	return true;
}

/* Answers with a random move of the game's book. Returns false if it has no move here. */
static bool find_in_game_book(const struct task *task, struct report *out)
{
	const struct game *g = task->record->game;
	struct book_move moves[BOOK_MOVES_MAX];
	double ratings[BOOK_MOVES_MAX];
	int side = task->record->now.side;
	int count = book_find(g, &task->record->now, moves);
	if (count == 0)
		return false;
	struct rng rng;
	rng_seed(&rng, task->seed);
	report_clear(out);
	for (int i = 0; i < count; i++) {
		struct report_move *m = report_add(out, moves[i].move);
		*(g->score.unit ? &m->score : &m->value) = moves[i].value;
		ratings[i] = side_sign(side) * moves[i].value;
	}
	finish_book(task, &out->moves[rng_below(&rng, (uint32_t)count)], ratings, out);
	return true;
}

/* Answers from the user's own book, else from the game's book. Returns false if no book may be used or has a move here. */
static bool find_in_book(const struct engine *e, const struct task *task, struct report *out)
{
	if (!e->limits.book || !e->options.book || task->only || engine_is_alone(e, task->record))
		return false;
	return find_in_own_book(e, task, out) || find_in_game_book(task, out);
}

/* --- the solver --- */

#define SOLVER_UNTIMED 1.0 /* most seconds for the solver if there is no deadline */
#define SOLVER_SURE    50  /* a solver that needs at most 1/n of its time is sure to finish */
#define BRIEF_WORK     64  /* units of work of the short search before the solver */
#define BRIEF_PART     8   /* that search gets at most 1/n of the time */
#define EQUALS_PART    4   /* the choice among equal moves gets 1/n of the time left */
#define ANALYSIS_MAX   1e6 /* most seconds of a search before the solver if there is no limit */

/* Searches briefly before the solver gets the rest of the time, so that there is a move to play if the
 * solver does not finish. Does nothing if the solver's block leaves the search no room. */
static void search_briefly(struct engine *e, const struct task *solving, struct report *brief)
{
	struct task task = *solving;
	struct control control;
	char why[REASON_MAX];
	if (!engine_has_room(e, task.memory))
		return;
	control_init_phase(&control, &e->control, BRIEF_PART);
	control.work_max = BRIEF_WORK;
	task.control = &control;
	task.threads = 1;
	if (!engine_run_search(e, &task, brief, why))
		brief->line_count = 0;
}

/* Returns true if no other move can be better than the report's answer. */
static bool choose_is_won(const struct task *task, const struct report *r)
{
	return r->line_count && !task->record->game->score.unit && !task->values &&
	       result_least(task->record->now.side, r->lower, r->upper) > 0;
}

/* Solves the position if that fits into a part of the time left: its score, or else its result, or else
 * an estimate. Computes the score of every move if legal moves are excluded or all scores are requested.
 * If the solver may fail, e->brief gets the result of a short search first. If it fails, e->proven gets what
 * it has proven. */
static bool choose_solve(struct engine *e, const struct task *task, struct report *out)
{
	struct control control;
	double seconds, left = seconds_left(&e->control);
	double limit = isinf(left) ? SOLVER_UNTIMED : SOLVER_PART * left;
	enum solve_aim aim = solver_aim(task);
	size_t bytes;
	bool fits = solver_fits(e, task, aim, limit, &seconds, &bytes);
	if (!fits && task->record->game->score.unit && e->limits.solve_by > e->control.deadline) {
		double longer = SOLVER_PART * (double)(e->limits.solve_by - clock_now()) / 1e9;
		fits = solver_fits(e, task, aim, longer, &seconds, &bytes);
		if (fits) {
			e->control.deadline = e->limits.solve_by;
			e->control.extension = 0; /* a move may take no longer than solve_by */
			limit = longer;
		}
	}
	enum solve_aim last = isinf(left) ? SOLVE_RESULT : SOLVE_ESTIMATE;
	while (!fits && aim <= SOLVE_SCORE && aim > last)
		fits = solver_fits(e, task, --aim, limit, &seconds, &bytes);
	if (!fits)
		return false;
	if (!isinf(left) && seconds > limit / SOLVER_SURE)
		search_briefly(e, task, &e->brief);
	if (choose_is_won(task, &e->brief)) {
		report_copy(out, &e->brief);
		return true;
	}
	control_init_phase(&control, &e->control, 1);
	control.deadline = control.start + (int64_t)(limit * 1e9);
	return solver_run(e, task, aim, &control, bytes, &e->proven, out);
}

/* Among the moves that keep the proven result, lets the search choose the hardest one for the opponent.
 * Does nothing if the score is known, for a win in a game without scores, or without a time limit. */
static void choose_among_equals(struct engine *e, const struct task *solving, struct report *solved)
{
	struct task among = *solving, *task = &among;
	struct move equals[GAME_MOVES_MAX];
	struct report found = { 0 };
	struct control control;
	char why[REASON_MAX];
	int side = task->record->now.side, count = 0;
	int sure = result_least(side, solved->lower, solved->upper);
	bool counts = task->record->game->score.unit;
	for (int i = 0; i < solved->move_count; i++) {
		const struct report_move *m = &solved->moves[i];
		if (result_least(side, m->lower, m->upper) == sure)
			equals[count++] = m->move;
	}
	if (!isnan(solved->score) || (sure > 0 && !counts) || count < 2 ||
	    e->control.deadline == TIME_NEVER)
		return;
	control_init_phase(&control, &e->control, EQUALS_PART);
	task->control = &control;
	task->only = equals;
	task->only_count = count;
	if (engine_run_search(e, task, &found, why) && found.line_count) {
		solved->line_count = found.line_count;
		memcpy(solved->line, found.line, (size_t)found.line_count * sizeof *found.line);
		solved->playouts = found.playouts;
		/* These include the solver's. */
		if (found.nodes)
			solved->nodes = found.nodes;
		solved->depth = found.depth;
		report_sort(solved, side, NULL);
	}
	report_free(&found);
}

/* For analysis without a limit: the search runs for as long as the solver is expected to take. Then the
 * solver runs until it is done or stopped. */
static bool search_then_solve(struct engine *e, const struct task *task, double seconds,
			      size_t bytes, struct report *out, char why[REASON_MAX])
{
	struct task first = *task;
	struct control control;
	control_init_phase(&control, &e->control, 1);
	control.deadline = control.start + (int64_t)(fmin(seconds, ANALYSIS_MAX) * 1e9);
	first.control = &control;
	if (!engine_run_search(e, &first, out, why))
		return false;
	/* A search that ended sooner has solved the position or has reached its depth limit. */
	if (clock_now() >= control.deadline && !control_is_over(&e->control))
		solver_run(e, task, SOLVE_ALL, &e->control, bytes, NULL, out);
	return true;
}

/* --- what an unfinished solver has proven --- */

/* Restricts the search to the moves that may still be best. The bounds of the choice among these are the
 * position's bounds. */
static void exclude_worse(struct engine *e, struct task *task, const struct report *proven)
{
	int side = task->record->now.side, sure = -1, count = 0;
	for (int i = 0; i < proven->move_count; i++) {
		const struct report_move *m = &proven->moves[i];
		int least = result_least(side, m->lower, m->upper);
		sure = least > sure ? least : sure;
	}
	for (int i = 0; i < proven->move_count; i++) {
		const struct report_move *m = &proven->moves[i];
		int least = result_least(side, m->lower, m->upper);
		if (result_most(side, m->lower, m->upper) > sure || (sure > -1 && least == sure))
			e->only[count++] = m->move;
	}
	if (count == 0)
		return;
	task->only = e->only;
	task->only_count = count;
}

/* Adds what is proven to a report, which may be empty. Its answer becomes a move that keeps the proven
 * bounds. */
static void add_proven(const struct task *task, const struct report *proven, struct report *out)
{
	int side = task->record->now.side;
	if (proven->move_count == 0)
		return;
	for (int i = 0; i < proven->move_count; i++) {
		const struct report_move *p = &proven->moves[i];
		int at = report_find(out, p->move);
		report_narrow(at < 0 ? report_add(out, p->move) : &out->moves[at], p->lower,
			      p->upper);
	}
	report_tighten(out, side);
	report_answer_best(out, side);
	if (out->proof || out->disproof)
		report_settle(out, side);
}

/* --- without time --- */

/* Limits of a search that has no time left. It must return something better than a random move. */
#define STOPPED_WORK 1024      /* playouts or nodes of a search that is stopped before it starts */
#define LATE_WORK    64        /* the same after the deadline; they take about a millisecond */
#define LATE_TIME    100000000 /* nanoseconds; so much is needed on a busy machine only */

/* Limits the task to one thread and so much work, which counts for less where a network evaluates. At most `most` units are
 * left. The search has a control of its own. */
static void shorten(struct task *task, struct control *control, int64_t work, uint64_t most)
{
	const struct game *g = task->record->game;
	uint64_t units = (uint64_t)(task->options->evaluator ? tuning_evaluator_work(g, work)
							     : work);
	control_init(control, clock_now() + LATE_TIME, units < most ? units : most);
	task->control = control;
	task->threads = 1;
}

/* Answers with the move that the last search expected here. Returns false if it did not expect this
 * position, or if the expected move is not a candidate. */
static bool answer_expected(const struct engine *e, const struct task *task, struct report *out)
{
	const struct record *r = task->record;
	struct state s = e->expected_from;
	int i = 0;
	if (e->expected_game != r->game)
		return false;
	for (; i < e->expected_count && !state_equal(&s, &r->now); i++)
		game_play(r->game, &s, e->expected[i]);
	if (i >= e->expected_count || !task_allows(task, e->expected[i]))
		return false;
	report_clear(out);
	out->line_count = e->expected_count - i;
	memcpy(out->line, e->expected + i, (size_t)out->line_count * sizeof *out->line);
	/* The position may have been reached in another way than the last search expected. */
	engine_cut_line(r, out->line, &out->line_count);
	report_sort(out, r->now.side, NULL);
	return true;
}

/* Answers if the search found nothing before the deadline, or because its helpers had claimed all work: with the
 * result of the short search before the solver, else with the move that the last search expected, else by a short
 * search. */
static bool answer_late(struct engine *e, const struct task *choice, struct report *out,
			char why[REASON_MAX])
{
	struct task task = *choice;
	struct control control;
	uint64_t nodes = out->nodes;
	if (e->brief.line_count && task_allows(&task, e->brief.line[0])) {
		report_copy(out, &e->brief);
		out->nodes += nodes;
		return true;
	}
	if (answer_expected(e, &task, out)) {
		out->nodes = nodes;
		return true;
	}
	e->spent = nodes;
	shorten(&task, &control, LATE_WORK, e->control.work_max - control_work(&e->control));
	return engine_run_search(e, &task, out, why);
}

/* --- the choice --- */

/* Finds a move by search, without the moves that the solver has excluded. */
static bool choose_by_search(struct engine *e, const struct task *choice, struct report *out,
			     char why[REASON_MAX])
{
	struct task task = *choice;
	struct control control;
	double seconds;
	size_t bytes;
	if (atomic_load_explicit(&e->stopped, memory_order_relaxed))
		shorten(&task, &control, STOPPED_WORK, e->control.work_max);
	else if (task.values && e->control.deadline == TIME_NEVER &&
		 solver_fits(e, &task, SOLVE_ALL, INFINITY, &seconds, &bytes))
		return search_then_solve(e, &task, seconds, bytes, out, why);
	if (!engine_run_search(e, &task, out, why))
		return false;
	return out->line_count || control_work(&e->control) >= e->control.work_max ||
	       answer_late(e, &task, out, why);
}

bool choose_move(struct engine *e, const struct task *choice, struct report *out,
		 char why[REASON_MAX])
{
	struct task task = *choice;
	e->brief.line_count = e->proven.move_count = 0;
	if (e->limits.level > 0) {
		/* A weakened search must not use what stronger searches have found, nor depend on the
		 * memory that they have left. */
		engine_forget(e);
		if (!choose_by_search(e, &task, out, why))
			return false;
		level_err(e->limits.level, &task, out);
		return true;
	}
	if (find_in_book(e, &task, out))
		return true;
	if (choose_solve(e, &task, out)) {
		choose_among_equals(e, &task, out);
		return true;
	}
	exclude_worse(e, &task, &e->proven);
	if (!choose_by_search(e, &task, out, why))
		return false;
	add_proven(&task, &e->proven, out);
	return true;
}
