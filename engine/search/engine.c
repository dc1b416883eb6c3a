/* SPDX-License-Identifier: MIT
 *
 * The life of a search. The lead thread prepares it, starts the helpers, works with them, joins them and
 * takes the report. Meanwhile it shares only `control`, and `live` for reports, with the caller.
 */
#include "engine/search/engine.h"
#include "engine/search/algorithms.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/base/thread.h"
#include "engine/rules/repetition.h"
#include "engine/rules/solver.h"
#include "engine/rules/tuning.h"
#include "engine/search/common/slots.h"
#include "engine/search/internal.h"
#include "engine/search/level.h"

/* --- memory kept between searches --- */

static void drop_algorithm(struct engine *e)
{
	if (e->algorithm)
		e->algorithm->destroy(e->self);
	e->algorithm = NULL;
}

static void drop_block(struct engine *e)
{
	block_destroy(e->block, e->block_size);
	e->block = NULL;
	e->block_size = 0;
}

void engine_forget(struct engine *e)
{
	e->expected_game = NULL;
	e->timed = false;
	if (e->algorithm && e->algorithm->forget)
		e->algorithm->forget(e->self);
	drop_block(e);
}

bool engine_take_block(struct engine *e, size_t bytes)
{
	if (bytes <= e->block_size)
		return true;
	drop_algorithm(e);
	drop_block(e);
	e->block = block_create(bytes);
	e->block_size = e->block ? bytes : 0;
	return e->block;
}

bool engine_has_room(const struct engine *e, size_t memory)
{
	return e->block_size <= memory / 3 * 2;
}

/* --- the engine --- */

struct engine *engine_create(void)
{
	struct engine *e = xcalloc(1, sizeof *e);
	options_init(&e->options);
	engine_reseed(e);
	return e;
}

struct engine *engine_create_fixed(const char *search, int64_t work)
{
	struct engine *e = engine_create();
	struct options *o = &e->options;
	options_set(o, "search", search);
	o->threads = 1;
	o->memory = 64;
	o->seed = 1;
	o->playouts = work;
	engine_reseed(e);
	return e;
}

void engine_destroy(struct engine *e)
{
	drop_algorithm(e);
	drop_block(e);
	struct report *const reports[] = { &e->brief, &e->proven, &e->report, &e->live };
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
		report_free(reports[i]);
	free(e);
}

void engine_set_slots(struct engine *e, struct slots *slots)
{
	e->slots = slots;
}

void engine_set_own_book(struct engine *e, struct own_book *book)
{
	e->own_book = book;
}

struct options *engine_options(struct engine *e)
{
	return &e->options;
}

void engine_reseed(struct engine *e)
{
	engine_forget(e);
	e->seed_stream = (uint64_t)e->options.seed;
	if (!e->seed_stream)
		system_entropy(&e->seed_stream, sizeof e->seed_stream);
}

/* --- limits --- */

/* Returns the smaller of two work limits of the options, where 0 means no limit. */
static uint64_t smaller_limit(int64_t a, int64_t b)
{
	uint64_t x = a ? (uint64_t)a : WORK_NO_LIMIT, y = b ? (uint64_t)b : WORK_NO_LIMIT;
	return x < y ? x : y;
}

/* Returns true if the option `depth` limits the search. */
static bool has_depth_limit(const struct options *o, const struct game *game)
{
	return o->depth && algorithm_chosen(o, game)->uses_depth;
}

static struct limits limits_at(const struct engine *e, const struct game *game, int64_t budget,
			       double level)
{
	const struct options *o = &e->options;
	struct limits limits = {
		.deadline = TIME_NEVER,
		.work_max = smaller_limit(o->playouts, o->nodes),
		.level = level,
	};
	bool limited = limits.work_max != WORK_NO_LIMIT || limits.level > 0 ||
		       has_depth_limit(o, game);
	if (budget == TIME_NEVER && !limited)
		budget = (int64_t)(o->time * 1e9);
	if (budget != TIME_NEVER) {
		int64_t margin = (int64_t)o->margin * 1000000;
		margin = margin > e->lag ? margin : e->lag;
		budget -= margin < budget / 2 ? margin : budget / 2;
		/* Even without time, a millisecond of search is better than a random move. */
		limits.deadline = clock_now() + (budget > 1000000 ? budget : 1000000);
	}
	return limits;
}

struct limits engine_limits(const struct engine *e, const struct game *game, int64_t budget)
{
	return limits_at(e, game, budget, level_wanted(&e->options, game));
}

struct limits engine_full_limits(const struct engine *e, const struct game *game)
{
	return limits_at(e, game, TIME_NEVER, 0);
}

/* Returns true if neither book nor solver may choose the move at this number of empty squares. They may not
 * under a limit of work or depth, because the move must not depend on the speed of the machine. A depth
 * limit does not count if it reaches the end of the game. */
static bool is_alone_with(const struct engine *e, const struct game *game, uint64_t work_max,
			  int empty)
{
	const struct options *o = &e->options;
	return algorithm_chosen(o, game)->is_alone || work_max != WORK_NO_LIMIT ||
	       (has_depth_limit(o, game) && o->depth < empty);
}

bool engine_is_alone(const struct engine *e, const struct record *record)
{
	return is_alone_with(e, record->game, e->control.work_max,
			     game_free(record->game, &record->now));
}

/* Estimates how many more moves both sides will make. A game that has lasted half of its usual length or longer is expected
 * to last half of it once more, however long it has become: some games are many times as long as others. */
static int moves_left(const struct record *r)
{
	const struct game *g = r->game;
	int empty = game_free(g, &r->now), half = tuning_of(g)->usual_length / 2;
	if (!tuning_of(g)->usual_length)
		return empty;
	if (g->steps.frees_squares)
		return tuning_of(g)->usual_length - r->count > half
			       ? tuning_of(g)->usual_length - r->count
			       : half;
	int stones = -empty;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		stones += game_has_square(g, i);
	int left = tuning_of(g)->usual_length - stones > half ? tuning_of(g)->usual_length - stones
							      : half;
	return left < empty ? left : empty;
}

int engine_unsolved(const struct engine *e, const struct record *record)
{
	const struct options *o = &e->options;
	const struct game *g = record->game;
	int empty = moves_left(record), last = g->solver ? g->solver->quick : 0;
	last = last < empty ? last : empty;
	bool solves = o->exact && level_wanted(o, g) <= 0 &&
		      !is_alone_with(e, g, smaller_limit(o->playouts, o->nodes), last);
	return solves ? empty - last : empty;
}

/* Returns true if work or depth limits the search, and no deadline has done so yet: a seed repeats it. Where all values
 * are wanted, no search asks how near its deadline is. */
static bool is_repeatable(const struct engine *e, const struct game *game)
{
	const struct control *c = &e->control;
	bool limited = c->work_max != WORK_NO_LIMIT || has_depth_limit(&e->options, game);
	return limited &&
	       (c->deadline == TIME_NEVER || (e->limits.values && clock_now() < c->deadline));
}

static void take_limits(struct engine *e, const struct game *g, const struct limits *limits)
{
	uint64_t work = limits->level > 0 ? level_work(&e->options, g, limits->level)
					  : WORK_NO_LIMIT;
	control_init(&e->control, limits->deadline,
		     limits->work_max < work ? limits->work_max : work);
	atomic_store_explicit(&e->stopped, false, memory_order_relaxed);
	e->control.extension = limits->extension;
	e->control.slots = e->slots;
	e->limits = *limits;
	if (limits->only)
		e->limits.only = memcpy(e->only, limits->only,
					(size_t)limits->only_count * sizeof *e->only);
	else
		e->limits.only_count = 0;
}

#define LAG_MAX    50000000 /* nanoseconds */
#define LAG_MEMORY 64       /* each late move shortens the lag by 1/n */

/* Learns how long after their deadlines searches end on this machine. About the worst of the last hundred
 * moves counts, because delays come in clusters. */
static void learn_lag(struct engine *e)
{
	int64_t late = e->control.deadline == TIME_NEVER ? -1 : clock_now() - e->control.deadline;
	if (late < 0)
		return;
	late = late < LAG_MAX ? late : LAG_MAX;
	e->lag -= e->lag / LAG_MEMORY;
	e->lag = late > e->lag ? late : e->lag;
}

/* --- threads --- */

struct helper {
	pthread_t thread;
	const struct job *job;
	int worker;
};

/* Does the part of one worker. Releases its thread slot afterwards. */
static void engine_work(const struct job *job, int worker)
{
	job->work(job->arg, worker, job->control);
	slots_leave(job->control->slots);
}

static void *help(void *arg)
{
	struct helper *h = arg;
	engine_work(h->job, h->worker);
	return NULL;
}

/* Runs on fewer threads if the system refuses some. The helpers start when the lead has its thread slot, because
 * some searches find nothing without the lead. */
void engine_run_job(const struct job *job, int threads)
{
	struct control *control = job->control;
	if (control->slots && !slots_keep(control->slots, control))
		threads = 1;
	struct helper *helpers = xcalloc((size_t)threads, sizeof *helpers);
	int started = 1;
	for (; started < threads; started++) {
		struct helper *h = &helpers[started];
		h->job = job;
		h->worker = started;
		if (thread_start(&h->thread, help, h) != 0)
			break;
	}
	engine_work(job, 0);
	for (int i = 1; i < started; i++)
		pthread_join(helpers[i].thread, NULL);
	free(helpers);
}

/* Cuts a line of at most PV_MAX moves before the first move that repeats a position. Its first move is legal. */
static void cut_repeats(const struct record *r, const struct move *line, int *count)
{
	uint64_t keys[PV_MAX];
	struct state s = r->now;
	for (int i = 0; i < *count; i++) {
		bool repeats = false;
		keys[i] = r->game->repetition->key(r->game, &s, line[i].step[0]);
		for (int j = 0; j < i && keys[i]; j++)
			repeats |= keys[j] == keys[i];
		if (repeats || record_has_key(r, keys[i]))
			*count = i;
		else
			game_play(r->game, &s, line[i]);
	}
}

/* Where repetition is a draw: cuts a line behind the move that ends the game. */
static void cut_after_draw(const struct record *r, const struct move *line, int *count)
{
	uint64_t keys[PV_MAX];
	struct state s = r->now;
	for (int i = 0; i < *count; i++) {
		game_play(r->game, &s, line[i]);
		keys[i] = repetition_key(r->game, &s);
		int occurred = record_occurrences(r, keys[i]);
		for (int j = 0; j <= i; j++)
			occurred += keys[j] == keys[i];
		if (occurred >= repetition_limit(r->game))
			*count = i + 1;
	}
}

void engine_cut_line(const struct record *r, const struct move *line, int *count)
{
	if (repetition_forbids(r->game))
		cut_repeats(r, line, count);
	else if (game_repeats(r->game))
		cut_after_draw(r, line, count);
}

/* Takes the report of the search. It lists at least its answer. */
static void engine_take_report(const struct engine *e, const struct record *record,
			       struct report *out)
{
	report_clear(out);
	e->algorithm->report(e->self, out);
	if (out->nodes)
		out->nodes += e->spent;
	if (out->line_count && !out->move_count)
		report_sort(out, record->now.side, NULL);
	/* Some searches find lines without regard to the positions before. */
	engine_cut_line(record, out->line, &out->line_count);
	for (int i = 0; i < out->move_count && game_repeats(record->game); i++) {
		struct move line[REPORT_LINE_MAX];
		int count = report_line(out, &out->moves[i], line, NULL);
		engine_cut_line(record, line, &count);
		out->moves[i].line_count = (uint8_t)count;
	}
}

/* Makes the selected search e->algorithm. */
static void select_algorithm(struct engine *e, const struct game *game)
{
	const struct algorithm *chosen = e->limits.prover ? e->limits.prover
					 : e->limits.level > 0
						 ? &algorithm_mcts
						 : algorithm_chosen(&e->options, game);
	if (chosen == e->algorithm)
		return;
	drop_algorithm(e);
	e->algorithm = chosen;
	e->self = chosen->create();
}

bool engine_run_search(struct engine *e, const struct task *task, struct report *out,
		       char why[REASON_MAX])
{
	struct task own = *task;
	if (!engine_has_room(e, own.memory))
		drop_block(e);
	own.memory -= e->block_size;
	select_algorithm(e, own.record->game);
	assert(e->algorithm);
	if (!e->algorithm->prepare(e->self, &own, why))
		return false;
	engine_run_job(&(struct job) { e->algorithm->work, e->self, own.control }, own.threads);
	engine_take_report(e, own.record, out);
	return true;
}

/* --- one search --- */

/* Answers with a random candidate. */
static void answer_randomly(const struct task *task, struct report *out)
{
	struct move moves[GAME_MOVES_MAX];
	struct rng rng;
	rng_seed(&rng, task->seed);
	int n = task_moves(task, moves);
	out->line[0] = moves[rng_below(&rng, (uint32_t)n)];
	out->line_count = 1;
	report_sort(out, task->record->now.side, NULL);
}

/* Keeps the line of a report for choose_move, should the next search have no time. */
static void keep_line(struct engine *e, const struct record *record, const struct report *r)
{
	e->expected_game = record->game;
	e->expected_from = record->now;
	e->expected_count = r->line_count;
	memcpy(e->expected, r->line, (size_t)r->line_count * sizeof *r->line);
}

/* Where positions may not repeat, restricts the search to the moves that the record allows. */
static void exclude_repeats(struct engine *e, struct task *task)
{
	const struct record *r = task->record;
	if (task->only || !repetition_forbids(r->game))
		return;
	int count = record_moves(r, e->only);
	if (count == game_moves(r->game, &r->now, NULL))
		return;
	task->only = e->only;
	task->only_count = count;
}

/* The body of engine_search and engine_think, after take_limits(). */
static bool engine_search_body(struct engine *e, const struct record *record, struct report *out,
			       char why[REASON_MAX])
{
	struct task task = {
		.record = record,
		.options = &e->options,
		.memory = (size_t)e->options.memory * MEMORY_UNIT,
		.seed = rng_split(&e->seed_stream),
		.threads = e->options.threads,
		.control = &e->control,
		.only = e->limits.only,
		.only_count = e->limits.only_count,
		.values = e->limits.values,
	};
	assert(!record->now.over);
	exclude_repeats(e, &task);

	if (task.memory != e->memory ||
	    (e->timed && e->options.seed && is_repeatable(e, record->game))) {
		engine_forget(e);
		e->memory = task.memory;
	}
	report_clear(out);
	e->spent = 0;
	if (e->limits.level > 0 && !level_reaches(record->game, e->options.elo, why))
		return false;
	if (!(e->limits.ponders  ? engine_run_search
	      : e->limits.prover ? prove_position
				 : choose_move)(e, &task, out, why))
		return false;
	if (out->line_count == 0)
		answer_randomly(&task, out);
	assert(record_is_legal(record, out->line[0]));
	e->timed |= !e->limits.ponders && (!is_repeatable(e, record->game) ||
					   atomic_load_explicit(&e->stopped, memory_order_relaxed));
	keep_line(e, record, out);
	return true;
}

bool engine_search(struct engine *e, const struct record *record, const struct limits *limits,
		   struct report *out, char why[REASON_MAX])
{
	take_limits(e, record->game, limits);
	bool found = engine_search_body(e, record, out, why);
	learn_lag(e);
	return found;
}

/* The numbers of a question that is answered. */
static struct kept_numbers answered(bool yes)
{
	struct kept_numbers n = { .stored = false };
	n.of[yes ? WHITE : BLACK] = PROOF_NEVER;
	return n;
}

void engine_look(const struct engine *e, const struct record *r, struct kept *out)
{
	*out = (struct kept) { .value = NAN, .lower = -1, .upper = 1 };
	if (r->now.over) {
		out->lower = out->upper = score_sign(r->now.score);
		out->at_least_draw = answered(out->lower >= 0);
		out->win = answered(out->lower > 0);
	} else if (e->algorithm && e->algorithm->look) {
		e->algorithm->look(e->self, r, out);
	}
	if (out->lower == out->upper)
		out->value = out->lower;
}

/* --- a search on a thread of its own --- */

/* control.publish: writes a report if the caller has taken the last one. */
static void publish(struct control *c)
{
	struct engine *e = (struct engine *)((char *)c - offsetof(struct engine, control));
	if (atomic_load_explicit(&e->fresh, memory_order_acquire))
		return;
	if (e->partial) {
		/* Claims count before they are used. */
		uint64_t claimed = control_work(c),
			 ahead = (uint64_t)e->options.threads * SOLVER_CLAIM;
		uint64_t used = claimed > ahead ? claimed - ahead : 0;
		report_copy(&e->live, e->partial);
		e->live.nodes = used > e->told ? used : e->told;
		/* While child positions are searched one after the other, the moves are in the order of
		 * game_moves(). */
		if (e->limits.prover && e->live.move_count)
			report_answer_best(&e->live, e->record->now.side);
	} else {
		engine_take_report(e, e->record, &e->live);
	}
	e->told = e->live.nodes;
	c->publish_at = clock_now() + e->limits.interval;
	atomic_store_explicit(&e->fresh, true, memory_order_release);
	e->wake(e->wake_arg, WAKE_REPORT);
}

void engine_live(struct engine *e, struct report *out)
{
	report_swap(out, &e->live);
	atomic_store_explicit(&e->fresh, false, memory_order_release);
}

static void *engine_lead(void *arg)
{
	struct engine *e = arg;
	e->found = engine_search_body(e, e->record, &e->report, e->why);
	if (e->wake)
		e->wake(e->wake_arg, WAKE_DONE);
	return NULL;
}

bool engine_think(struct engine *e, const struct record *record, const struct limits *limits,
		  void (*wake)(void *, enum wake), void *arg, char why[REASON_MAX])
{
	e->record = record;
	e->wake = wake;
	e->wake_arg = arg;
	take_limits(e, record->game, limits);
	atomic_store_explicit(&e->fresh, false, memory_order_relaxed);
	e->told = 0;
	if (e->limits.interval) {
		e->control.publish = publish;
		e->control.publish_at = clock_now() + e->limits.interval;
	}
	int error = thread_start(&e->lead, engine_lead, e);
	if (error)
		snprintf(why, REASON_MAX, "no thread for the search: %s", strerror(error));
	return error == 0;
}

void engine_stop(struct engine *e)
{
	atomic_store_explicit(&e->stopped, true, memory_order_relaxed);
	control_stop(&e->control);
}

bool engine_collect(struct engine *e, struct report *out, char why[REASON_MAX])
{
	pthread_join(e->lead, NULL);
	learn_lag(e);
	report_swap(out, &e->report);
	e->is_open = !out->book && out->lower != out->upper;
	memcpy(why, e->why, REASON_MAX);
	return e->found;
}

bool engine_ponder(struct engine *e, const struct record *record)
{
	const struct options *o = &e->options;
	const struct limits limits = {
		.deadline = TIME_NEVER,
		.work_max = WORK_NO_LIMIT,
		.ponders = true,
	};
	char why[REASON_MAX];
	return o->ponder && level_wanted(o, record->game) <= 0 && !e->slots && !record->now.over &&
	       !game_must_pass(record->game, &record->now) &&
	       algorithm_chosen(o, record->game)->keeps && e->is_open &&
	       engine_think(e, record, &limits, NULL, NULL, why);
}

void engine_end_pondering(struct engine *e)
{
	engine_stop(e);
	pthread_join(e->lead, NULL);
}
