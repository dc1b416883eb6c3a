/* SPDX-License-Identifier: MIT
 *
 * The life of one search. The lead thread prepares, starts the helpers, works with them, joins them and
 * reports. Meanwhile it shares only `control`, and `live` for reports, with the caller.
 *
 * If the game's own solver should finish in time it runs first. The search then chooses among the moves
 * that keep the position's value. If only that value is wanted, a search may run before the solver.
 */
#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/book.h"
#include "engine/memory.h"
#include "engine/slots.h"

#define LAG_MAX     50000000 /* nanoseconds */

/* Minimum effort for a search that is stopped before it starts. It must return something better than
 * a random move. */
#define BRIEF_WORK  1024
#define BRIEF_TIME  100000000 /* nanoseconds; usually about one millisecond is needed */

/* Work of the short search before the solver, and of the search after the deadline if nothing is known
 * of the position. */
#define GLANCE_WORK 64
#define GLANCE_PART 8 /* at most 1/n of the time */

struct engine {
	struct options options;
	const struct algorithm *algorithm; /* NULL before the first search */
	void *self;                        /* state of the algorithm */
	void *block;                       /* memory of the solver, or NULL */
	size_t block_size;
	size_t memory; /* bytes given to algorithm and block together */
	uint64_t seed_stream;
	int64_t lag;         /* nanoseconds by which recent searches overran their deadlines */
	struct slots *slots; /* thread slots, or NULL */
	struct control control;
	atomic_bool stopped; /* set by engine_stop */
	/* An earlier search ended by time or by engine_stop, so what it has kept depends on that
	 * moment. A search that seed and work limit must repeat must not use it. */
	bool timed;
	struct limits limits;             /* of the current search */
	struct move only[GAME_MOVES_MAX]; /* the array of limits.only */

	/* Result of the short search before the solver, and what the solver has proven if it did not
	 * answer. */
	struct report first, part;

	/* The line that the last search expected, and the position where it begins. */
	const struct game *expected_game; /* NULL: no line */
	struct state expected_from;
	struct move expected[PV_MAX];
	int expected_count;

	/* Used by engine_think: set before its thread starts, read after it is joined. */
	pthread_t lead;
	const struct record *record;
	int wake_fd;
	bool found;
	struct report report;
	char why[REASON_MAX];

	/* Reports during engine_think. The lead writes `live` while `fresh` is false; the caller reads
	 * it while `fresh` is true. */
	atomic_bool fresh;
	struct report live;
	/* Partial results of the exact solver or of searches of child positions. NULL if neither runs. */
	const struct report *partial;
};

/* The work of all threads. */
struct job {
	void (*work)(void *, int worker, struct control *);
	void *arg;
	struct control *control;
};

struct helper {
	pthread_t thread;
	const struct job *job;
	int worker;
};

struct engine *engine_create(void)
{
	struct engine *e = xcalloc(1, sizeof *e);
	options_init(&e->options);
	engine_reseed(e);
	return e;
}

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

/* Forgets what searches have found and frees its memory. */
static void forget(struct engine *e)
{
	e->expected_game = NULL;
	e->timed = false;
	drop_algorithm(e);
	drop_block(e);
}

void engine_destroy(struct engine *e)
{
	forget(e);
	free(e);
}

void engine_set_slots(struct engine *e, struct slots *slots)
{
	e->slots = slots;
}

struct options *engine_options(struct engine *e)
{
	return &e->options;
}

void engine_reseed(struct engine *e)
{
	struct timespec t;
	forget(e);
	e->seed_stream = (uint64_t)e->options.seed;
	if (e->seed_stream)
		return;
	if (getentropy(&e->seed_stream, sizeof e->seed_stream) == 0)
		return;
	clock_gettime(CLOCK_REALTIME, &t);
	e->seed_stream = (uint64_t)t.tv_nsec ^ ((uint64_t)t.tv_sec << 30) ^ (uint64_t)getpid();
}

static uint64_t smaller_limit(int64_t a, int64_t b)
{
	uint64_t x = a ? (uint64_t)a : WORK_NO_LIMIT, y = b ? (uint64_t)b : WORK_NO_LIMIT;
	return x < y ? x : y;
}

struct limits engine_limits(const struct engine *e, const struct game *game, int64_t budget)
{
	const struct options *o = &e->options;
	struct limits limits = {
		.deadline = TIME_NEVER,
		.work_max = smaller_limit(o->playouts, o->nodes),
		.level = o->level,
	};
	bool limited = limits.work_max != WORK_NO_LIMIT || o->level ||
		       (o->depth && algorithm_chosen(o, game)->uses_depth);
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

/* Sets e->algorithm to the search that is to run. */
static void choose_algorithm(struct engine *e, const struct game *game)
{
	const struct algorithm *chosen = e->limits.prover ? e->limits.prover
							  : algorithm_chosen(&e->options, game);
	if (chosen == e->algorithm)
		return;
	drop_algorithm(e);
	e->algorithm = chosen;
	e->self = chosen->create();
}

/* Does the part of one worker. Releases its thread slot afterwards. */
static void work(const struct job *job, int worker)
{
	job->work(job->arg, worker, job->control);
	slots_leave(job->control->slots);
}

static void *help(void *arg)
{
	struct helper *h = arg;
	work(h->job, h->worker);
	return NULL;
}

/* Runs a job on all threads, or on fewer if the system refuses some. Only the caller's thread receives
 * signals. The helpers start when the lead has its thread slot, because some searches find nothing
 * without the lead. */
static void run_workers(const struct job *job, int threads)
{
	struct control *control = job->control;
	if (control->slots && !slots_keep(control->slots, control))
		threads = 1;
	struct helper *helpers = xcalloc((size_t)threads, sizeof *helpers);
	sigset_t all, old;
	int started = 1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (; started < threads; started++) {
		struct helper *h = &helpers[started];
		h->job = job;
		h->worker = started;
		if (pthread_create(&h->thread, NULL, help, h) != 0)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	work(job, 0);
	for (int i = 1; i < started; i++)
		pthread_join(helpers[i].thread, NULL);
	free(helpers);
}

/* Takes the report of the search. It lists at least its answer. */
static void take_report(const struct engine *e, const struct record *record, struct report *out)
{
	report_init(out);
	e->algorithm->report(e->self, out);
	if (out->line_count && !out->move_count)
		report_sort(out, record->now.side, NULL);
}

/* --- the game's solver --- */

#define SOLVER_PART    0.75 /* fraction of the time left in which the solver must finish */
#define SOLVER_WATCHED 1.0  /* the same in seconds if there is no time limit */
#define TRIAL_MAX      1e6  /* most seconds of a search before the solver if there is no limit */
#define SCORE_LIKELY   1e3  /* rating of the estimated move: above all others */
#define PRACTICE_PART  4    /* 1/n of the time left is for the choice among equal moves */
#define SOLVER_SURE    50   /* a solver that needs at most 1/n of its time is sure to finish */

struct solving {
	const struct solver *solver;
	struct state state;
	enum solve_aim aim;
	void *block;
	size_t bytes;
	int threads;
};

static void work_solver(void *arg, int worker, struct control *control)
{
	struct solving *v = arg;
	v->solver->work(&v->state, v->aim, v->block, v->bytes, worker, v->threads, control);
}

/* Returns the seconds until the deadline, or INFINITY without one. */
static double time_left(const struct control *control)
{
	return control->deadline == TIME_NEVER ? INFINITY
					       : (double)(control->deadline - clock_now()) / 1e9;
}

/* Returns true if neither book nor solver may choose the move at this number of empty squares. This
 * holds under a limit of work or depth: machine speed and book must not change such a search. */
static bool is_alone_with(const struct engine *e, const struct game *game, uint64_t work_max,
			  int empty)
{
	const struct options *o = &e->options;
	const struct algorithm *chosen = algorithm_chosen(o, game);
	return chosen->is_alone || work_max != WORK_NO_LIMIT ||
	       (chosen->uses_depth && o->depth && o->depth < empty);
}

static bool search_is_alone(const struct engine *e, const struct record *record)
{
	return is_alone_with(e, record->game, e->control.work_max,
			     game_free(record->game, &record->now));
}

int engine_unsolved(const struct engine *e, const struct record *record)
{
	const struct options *o = &e->options;
	const struct game *g = record->game;
	int empty = game_free(g, &record->now), last = g->solver ? g->solver->quick : 0;
	last = last < empty ? last : empty;
	bool solves = o->exact && !o->level &&
		      !is_alone_with(e, g, smaller_limit(o->playouts, o->nodes), last);
	return solves ? empty - last : empty;
}

/* Returns true if the solver may be used and should finish within `limit` seconds and the memory. Sets
 * the expected seconds and the bytes that it needs. */
static bool solver_fits(const struct engine *e, const struct task *task, enum solve_aim aim,
			double limit, double *seconds, size_t *bytes)
{
	const struct solver *solver = task->record->game->solver;
	return solver && e->options.exact && e->control.work_max == WORK_NO_LIMIT &&
	       (e->limits.prover || !search_is_alone(e, task->record)) &&
	       solver->estimate(&task->record->now, aim, task->threads, seconds, bytes) &&
	       *bytes <= task->memory && *seconds < limit;
}

/* Makes the solver's memory available, at least `bytes`. The options' limit holds for all memory
 * together: what the algorithm has kept is freed, and the next search gets less. Returns false if the
 * system refuses the memory. */
static bool take_block(struct engine *e, size_t bytes)
{
	if (bytes <= e->block_size)
		return true;
	drop_algorithm(e);
	drop_block(e);
	e->block = block_create(bytes);
	e->block_size = e->block ? bytes : 0;
	return e->block;
}

/* Removes from a solution all moves that are not candidates. */
static void keep_choice(const struct task *task, struct solution *s)
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

/* Returns true if move `i` keeps the proven bounds of the position, which are bounds of Black's score. */
static bool keeps(const struct solution *s, int i, int side, int least, int most)
{
	return side == BLACK ? s->moves[i].least == least : s->moves[i].most == most;
}

/* Reports a solution. The answer is the solver's estimated move if it keeps the proven bounds of the
 * position, else the first move that does. */
static void report_solution(const struct task *task, const struct solution *s, struct report *out)
{
	double ratings[GAME_MOVES_MAX];
	int side = task->record->now.side, least, most;
	bool counts = task->record->game->unit;
	report_init(out);
	for (int i = 0; i < s->count; i++) {
		struct report_move *m = report_add(out, s->moves[i].move);
		m->lower = score_sign(s->moves[i].least);
		m->upper = score_sign(s->moves[i].most);
		m->exact = counts && s->moves[i].least == s->moves[i].most;
		if (m->exact)
			m->score = s->moves[i].least;
		if (m->lower == m->upper)
			m->value = m->lower;
		ratings[i] = side == BLACK ? s->moves[i].most : -s->moves[i].least;
	}
	solution_bounds(s, side, &least, &most);
	out->lower = score_sign(least);
	out->upper = score_sign(most);
	out->exact = counts && least == most;
	if (out->exact)
		out->score = least;
	if (out->lower == out->upper)
		out->value = out->lower;
	int best = s->estimated;
	if (best < 0 || !keeps(s, best, side, least, most))
		for (best = 0; !keeps(s, best, side, least, most);)
			best++;
	else if (!out->exact) {
		out->score = out->moves[best].score = s->estimated_score;
		out->depth = game_free(task->record->game, &task->record->now);
		ratings[best] = SCORE_LIKELY;
	}
	out->line[out->line_count++] = s->moves[best].move;
	report_sort(out, side, counts ? ratings : NULL);
}

/* Solves the position in a memory block of `bytes`. Returns true if `out` has the answer; it then lists
 * all candidates. Unless the scores of all moves are wanted, it is enough to know the winner, or to have
 * an estimate if a move must be played by a deadline. Returns false if `control` ended the solver before
 * that, if nothing is proven, or if the memory was refused. `out` then stays unchanged, but in the
 * search for an exact value it gets what is proven. `part` gets what is proven if there is no answer;
 * NULL: not wanted. The block is kept for later use. */
static bool run_solver_once(struct engine *e, const struct task *task, enum solve_aim aim,
			    struct control *control, size_t bytes, struct report *part,
			    struct report *out)
{
	if (!take_block(e, bytes))
		return false;
	struct solving v = {
		.solver = task->record->game->solver,
		.state = task->record->now,
		.aim = aim,
		.block = e->block,
		.bytes = e->block_size,
		.threads = task->threads,
	};
	struct solution solution;
	int least, most;
	memset(e->block, 0, bytes < SOLVER_CLEAR ? bytes : SOLVER_CLEAR);
	e->partial = out;
	run_workers(&(struct job) { work_solver, &v, control }, task->threads);
	e->partial = NULL;
	bool solved = v.solver->result(&v.state, e->block, &solution);
	keep_choice(task, &solution);
	if (!solution.count)
		return false;
	solution_bounds(&solution, v.state.side, &least, &most);
	solved |= aim != SOLVE_ALL && score_sign(least) == score_sign(most);
	/* An estimate gives a move to play, no more. Without a time limit a search finds a better one. */
	bool guesses = aim != SOLVE_ALL && !e->limits.prover && !out->line_count &&
		       e->control.deadline != TIME_NEVER;
	bool answers = solved || (guesses && solution.estimated >= 0);
	if (!answers && part)
		report_solution(task, &solution, part);
	if (!answers && (!e->limits.prover || out->lower == out->upper))
		return false;
	report_solution(task, &solution, out);
	out->nodes = control_work(control);
	return answers;
}

/* Like run_solver_once(). If the winner was wanted and is known, the solver goes on to the score in
 * what is left of the control's time. */
static bool run_solver(struct engine *e, const struct task *task, enum solve_aim aim,
		       struct control *control, size_t bytes, struct report *part,
		       struct report *out)
{
	double seconds;
	if (!run_solver_once(e, task, aim, control, bytes, part, out))
		return false;
	bool decided = out->lower == out->upper;
	if (aim == SOLVE_RESULT && decided &&
	    solver_fits(e, task, SOLVE_SCORE, INFINITY, &seconds, &bytes))
		run_solver_once(e, task, SOLVE_SCORE, control, bytes, NULL, out);
	return true;
}

/* --- levels --- */

#define LEVEL_WORK 200000 /* units of work at the highest level */
#define LEVEL_STEP 3      /* each level has n times the work of the one below */
#define LEVEL_EYES 10     /* probability to see a square: level/n */

static uint64_t level_work(int level)
{
	uint64_t work = LEVEL_WORK;
	for (int i = level; i < LEVEL_MAX; i++)
		work /= LEVEL_STEP;
	return work;
}

/* Restricts the search to the moves that a player of this level sees. Whole squares, that is first
 * steps, are seen or overlooked, because a move that must not be missed often has equally good ones on
 * the same square. */
static void overlook(struct engine *e, struct task *task)
{
	struct move moves[GAME_MOVES_MAX];
	struct rng rng;
	bool sees[GAME_MOVES_MAX] = { false }, is_blind = true;
	int count = task_moves(task, moves), seen = 0;
	rng_seed(&rng, ~task->seed);
	uint64_t eyes = rng_next(&rng);
	move_t sure = moves[rng_below(&rng, (uint32_t)count)].step[0];
	for (int i = 0; i < count; i++) {
		rng_seed(&rng, eyes + moves[i].step[0]);
		sees[i] = rng_below(&rng, LEVEL_EYES) < (uint32_t)e->limits.level;
		is_blind &= !sees[i];
	}
	for (int i = 0; i < count; i++)
		if (sees[i] || (is_blind && moves[i].step[0] == sure))
			e->only[seen++] = moves[i];
	task->only = e->only;
	task->only_count = seen;
}

/* --- the game's book --- */

/* Answers with a random move of the game's book. Returns false if the book may not be used or has no
 * move here. */
static bool find_in_book(const struct engine *e, const struct task *task, struct report *out)
{
	const struct game *g = task->record->game;
	struct book_move moves[BOOK_MOVES_MAX];
	double ratings[BOOK_MOVES_MAX];
	int side = task->record->now.side;
	if (!e->limits.book || !e->options.book || e->limits.level || task->only ||
	    search_is_alone(e, task->record))
		return false;
	int count = book_find(g, &task->record->now, moves);
	if (count == 0)
		return false;
	struct rng rng;
	rng_seed(&rng, task->seed);
	report_init(out);
	for (int i = 0; i < count; i++) {
		struct report_move *m = report_add(out, moves[i].move);
		*(g->unit ? &m->score : &m->value) = moves[i].value;
		ratings[i] = side == BLACK ? moves[i].value : -moves[i].value;
	}
	const struct report_move *chosen = &out->moves[rng_below(&rng, (uint32_t)count)];
	out->book = true;
	out->value = chosen->value;
	out->score = chosen->score;
	out->line[out->line_count++] = chosen->move;
	report_sort(out, side, ratings);
	return true;
}

/* --- bounds of moves --- */

/* Tightens the bounds of a position and of its moves by each other. Returns how many moves are still
 * open. */
static int tighten(struct report *r, int side)
{
	int open = 0, least = -1, most = -1;
	for (int i = 0; i < r->move_count; i++) {
		struct report_move *m = &r->moves[i];
		if (side == BLACK && m->upper > r->upper)
			m->upper = r->upper;
		if (side == WHITE && m->lower < r->lower)
			m->lower = r->lower;
		int low = side == BLACK ? m->lower : -m->upper;
		int high = side == BLACK ? m->upper : -m->lower;
		least = low > least ? low : least;
		most = high > most ? high : most;
		open += m->lower != m->upper;
		if (m->lower == m->upper)
			m->value = m->lower;
	}
	int lower = side == BLACK ? least : -most, upper = side == BLACK ? most : -least;
	r->lower = lower > r->lower ? lower : r->lower;
	r->upper = upper < r->upper ? upper : r->upper;
	return open;
}

/* Makes the answer the move with the best proven result for `side`. Among equal moves the present
 * answer stays. */
static void answer_best(struct report *r, int side)
{
	int best = 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i], *b = &r->moves[best];
		int more = side == BLACK ? m->lower - b->lower : b->upper - m->upper;
		bool answers = r->line_count && move_equal(m->move, r->line[0]);
		if (more > 0 || (more == 0 && answers))
			best = i;
	}
	if (!r->line_count || !move_equal(r->line[0], r->moves[best].move)) {
		r->line[0] = r->moves[best].move;
		r->line_count = 1;
	}
	report_sort(r, side, NULL);
}

/* --- a move to play --- */

/* Chooses and runs the search. The solver's block is kept if it leaves the search at least a third of
 * the memory. */
static bool run_algorithm(struct engine *e, const struct task *task, struct report *out,
			  char why[REASON_MAX])
{
	struct task own = *task;
	if (e->block_size > own.memory / 3 * 2)
		drop_block(e);
	own.memory -= e->block_size;
	choose_algorithm(e, own.record->game);
	assert(e->algorithm);
	if (!e->algorithm->prepare(e->self, &own, why))
		return false;
	run_workers(&(struct job) { e->algorithm->work, e->self, own.control }, own.threads);
	take_report(e, own.record, out);
	return true;
}

/* Returns the result that `side` is sure of: -1 lost, 0 draw, 1 won. */
static int surest(int side, int lower, int upper)
{
	return side == BLACK ? lower : -upper;
}

/* Searches briefly before the solver gets the rest of the time, so that there is a move to play if the
 * solver does not finish. Does nothing if the solver's block leaves the search no room. */
static void glance(struct engine *e, const struct task *solving, struct report *first)
{
	struct task task = *solving;
	struct control control;
	char why[REASON_MAX];
	if (e->block_size > task.memory / 3 * 2)
		return;
	control_init_phase(&control, &e->control, GLANCE_PART);
	control.work_max = GLANCE_WORK;
	task.control = &control;
	task.threads = 1;
	if (!run_algorithm(e, &task, first, why))
		first->line_count = 0;
}

/* Returns true if no other move can be better than a report's answer. */
static bool is_won(const struct task *task, const struct report *r)
{
	return r->line_count && !task->record->game->unit && !task->values &&
	       surest(task->record->now.side, r->lower, r->upper) > 0;
}

/* Solves the position if that fits into a part of the time left: its score, or else its winner, or else
 * an estimate. Computes the score of every move if moves are excluded or all scores are requested. If
 * the solver may fail to answer, `first` gets the result of a short search; `part` gets what the solver
 * has proven if it fails. */
static bool solve(struct engine *e, const struct task *task, struct report *first,
		  struct report *part, struct report *out)
{
	struct control control;
	double seconds, left = time_left(&e->control);
	double limit = isinf(left) ? SOLVER_WATCHED : SOLVER_PART * left;
	enum solve_aim aim = task->values || task->only ? SOLVE_ALL : SOLVE_SCORE;
	size_t bytes;
	bool fits = solver_fits(e, task, aim, limit, &seconds, &bytes);
	if (!fits && task->record->game->unit && e->limits.solve_by > e->control.deadline) {
		double longer = SOLVER_PART * (double)(e->limits.solve_by - clock_now()) / 1e9;
		fits = solver_fits(e, task, aim, longer, &seconds, &bytes);
		if (fits) {
			e->control.deadline = e->limits.solve_by;
			e->control.longer = 0; /* solve_by is all the time that a move may take */
			limit = longer;
		}
	}
	enum solve_aim last = isinf(left) ? SOLVE_RESULT : SOLVE_ESTIMATE;
	while (!fits && aim <= SOLVE_SCORE && aim > last)
		fits = solver_fits(e, task, --aim, limit, &seconds, &bytes);
	if (!fits)
		return false;
	if (!isinf(left) && seconds > limit / SOLVER_SURE)
		glance(e, task, first);
	if (is_won(task, first)) {
		*out = *first;
		return true;
	}
	control_init_phase(&control, &e->control, 1);
	control.deadline = control.start + (int64_t)(limit * 1e9);
	return run_solver(e, task, aim, &control, bytes, part, out);
}

/* Among the moves that keep the proven result, lets the search choose the hardest one for the opponent.
 * Does nothing if the score is known, for a win in a game without scores, or without a time
 * limit. */
static void choose_among_equals(struct engine *e, const struct task *solving, struct report *solved)
{
	struct task among = *solving, *task = &among;
	struct move equals[GAME_MOVES_MAX];
	struct report found;
	struct control control;
	char why[REASON_MAX];
	int side = task->record->now.side, count = 0;
	int sure = surest(side, solved->lower, solved->upper);
	bool counts = task->record->game->unit;
	for (int i = 0; i < solved->move_count; i++)
		if (surest(side, solved->moves[i].lower, solved->moves[i].upper) == sure)
			equals[count++] = solved->moves[i].move;
	if (!isnan(solved->score) || (sure > 0 && !counts) || count < 2 ||
	    e->control.deadline == TIME_NEVER)
		return;
	control_init_phase(&control, &e->control, PRACTICE_PART);
	task->control = &control;
	task->only = equals;
	task->only_count = count;
	if (!run_algorithm(e, task, &found, why) || found.line_count == 0)
		return;
	solved->line_count = found.line_count;
	memcpy(solved->line, found.line, sizeof found.line);
	solved->playouts = found.playouts;
	solved->nodes += found.nodes;
	solved->depth = found.depth;
	report_sort(solved, side, NULL);
}

/* For analysis without a limit: the search runs for as long as the solver is expected to take. Then the
 * solver runs until it is done or stopped. */
static bool search_then_solve(struct engine *e, const struct task *task, double seconds,
			      size_t bytes, struct report *out, char why[REASON_MAX])
{
	struct task first = *task;
	struct control control;
	control_init_phase(&control, &e->control, 1);
	control.deadline = control.start + (int64_t)(fmin(seconds, TRIAL_MAX) * 1e9);
	first.control = &control;
	if (!run_algorithm(e, &first, out, why))
		return false;
	/* A search that ended sooner has solved the position or has reached its depth limit. */
	if (clock_now() >= control.deadline && !control_is_over(&e->control))
		run_solver(e, task, SOLVE_ALL, &e->control, bytes, NULL, out);
	return true;
}

/* Restricts the search to the moves that may still be best by what the solver has proven. The bounds of
 * the choice among these are the position's bounds. */
static void heed(struct engine *e, struct task *task, const struct report *part)
{
	int side = task->record->now.side, sure = -1, count = 0;
	for (int i = 0; i < part->move_count; i++) {
		int s = surest(side, part->moves[i].lower, part->moves[i].upper);
		sure = s > sure ? s : sure;
	}
	for (int i = 0; i < part->move_count; i++) {
		const struct report_move *m = &part->moves[i];
		int hope = side == BLACK ? m->upper : -m->lower;
		if (hope > sure || (sure > -1 && surest(side, m->lower, m->upper) == sure))
			e->only[count++] = m->move;
	}
	if (count == 0)
		return;
	task->only = e->only;
	task->only_count = count;
}

/* Adds what the solver has proven to a report, which may be empty. Its answer becomes a move that keeps
 * this. */
static void learn_part(const struct task *task, const struct report *part, struct report *out)
{
	int side = task->record->now.side;
	if (part->move_count == 0)
		return;
	for (int i = 0; i < part->move_count; i++) {
		const struct report_move *p = &part->moves[i];
		int at = 0;
		while (at < out->move_count && !move_equal(out->moves[at].move, p->move))
			at++;
		struct report_move *m = at < out->move_count ? &out->moves[at]
							     : report_add(out, p->move);
		m->lower = p->lower > m->lower ? p->lower : m->lower;
		m->upper = p->upper < m->upper ? p->upper : m->upper;
	}
	tighten(out, side);
	answer_best(out, side);
	if (out->lower == out->upper)
		out->value = out->lower;
	if (out->proof || out->disproof)
		report_settle(out, side);
}

/* Returns true if a report's answer is a candidate. */
static bool answers(const struct task *task, const struct report *r)
{
	return r->line_count && task_allows(task, r->line[0]);
}

/* Answers with the move that the last search expected here. Returns false if it did not expect this
 * position, or if the expected move is not a candidate. */
static bool expect(const struct engine *e, const struct task *task, struct report *out)
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
	report_init(out);
	out->line_count = e->expected_count - i;
	memcpy(out->line, e->expected + i, (size_t)out->line_count * sizeof *out->line);
	report_sort(out, r->now.side, NULL);
	return true;
}

/* Answers if the search found nothing before the deadline: with the result of the short search before
 * the solver, else with the move that the last search expected, else with a short search after the
 * deadline. */
static bool answer_late(struct engine *e, const struct task *choice, const struct report *first,
			struct report *out, char why[REASON_MAX])
{
	struct task own = *choice, *task = &own;
	struct control brief;
	if (answers(task, first)) {
		*out = *first;
		return true;
	}
	if (expect(e, task, out))
		return true;
	control_init(&brief, clock_now() + BRIEF_TIME, GLANCE_WORK);
	task->control = &brief;
	task->threads = 1;
	return run_algorithm(e, task, out, why);
}

/* Finds a move to play. */
static bool choose(struct engine *e, const struct task *choice, struct report *out,
		   char why[REASON_MAX])
{
	struct task own = *choice, *task = &own;
	struct report *first = &e->first, *part = &e->part;
	struct control brief;
	double seconds;
	size_t bytes;
	first->line_count = part->move_count = 0;
	if (e->limits.level) {
		/* A weakened search must not use what stronger searches have found, nor depend on the
		 * memory that they have left. */
		forget(e);
		overlook(e, task);
	}
	if (find_in_book(e, task, out))
		return true;
	if (solve(e, task, first, part, out)) {
		choose_among_equals(e, task, out);
		return true;
	}
	heed(e, task, part);
	if (atomic_load_explicit(&e->stopped, memory_order_relaxed)) {
		control_init(&brief, clock_now() + BRIEF_TIME, BRIEF_WORK);
		task->control = &brief;
		task->threads = 1;
	} else if (task->values && e->control.deadline == TIME_NEVER &&
		   solver_fits(e, task, SOLVE_ALL, INFINITY, &seconds, &bytes)) {
		return search_then_solve(e, task, seconds, bytes, out, why);
	}
	if (!run_algorithm(e, task, out, why) ||
	    /* A work limit is exact: no second search. */
	    (!out->line_count && e->control.work_max == WORK_NO_LIMIT &&
	     !answer_late(e, task, first, out, why)))
		return false;
	learn_part(task, part, out);
	return true;
}

/* --- exact values --- */

#define TRIAL_PART 4 /* a search may run before the solver, for 1/n of the solver's time */

/* Searches the position of a record until its value is known or `limit` ends it. */
static bool prove_by_search(struct engine *e, const struct task *task, const struct record *record,
			    struct control *limit, struct report *out, char why[REASON_MAX])
{
	struct task inner = *task;
	struct control control;
	control_init_phase(&control, limit, 1);
	/* With a deadline of its own a search spends no time on an only move, but its value is wanted
	 * here. The deadlines of the outer controls still hold. */
	control.deadline = TIME_NEVER;
	inner.control = &control;
	inner.record = record;
	if (record != task->record) {
		inner.only = NULL;
		inner.only_count = 0;
		inner.values = false;
	}
	return run_algorithm(e, &inner, out, why);
}

/* Applies bounds of Black's result to all moves that lead to the position `behind`. */
static void learn_bounds(const struct task *task, struct report *r, const struct state *behind,
			 int lower, int upper)
{
	for (int i = 0; i < r->move_count; i++) {
		struct report_move *m = &r->moves[i];
		struct state next = task->record->now;
		game_play(task->record->game, &next, m->move);
		if (!state_equal(&next, behind))
			continue;
		m->lower = lower > m->lower ? lower : m->lower;
		m->upper = upper < m->upper ? upper : m->upper;
	}
}

/* Lists all candidates in the order of game_moves(), including those of which the search knows
 * nothing. */
static void list_moves(const struct task *task, struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	const struct report known = *r;
	int count = task_moves(task, moves);
	r->move_count = 0;
	for (int i = 0; i < count; i++) {
		struct report_move *m = report_add(r, moves[i]);
		for (int j = 0; j < known.move_count; j++)
			if (move_equal(known.moves[j].move, moves[i]))
				*m = known.moves[j];
	}
}

/* Searches the positions after the open moves. Each gets an equal share of the remaining time and work,
 * and again an equal share of what the others did not use. Returns false if a search could not run,
 * with the reason in `why`. */
static bool search_behind(struct engine *e, const struct task *task, struct report *out,
			  char why[REASON_MAX])
{
	bool limited = e->control.deadline != TIME_NEVER || e->control.work_max != WORK_NO_LIMIT;
	struct record behind;
	struct report found;
	struct control part;
	bool good = true;
	int side = task->record->now.side, open = tighten(out, side);
	record_init(&behind, task->record->game);
	do {
		for (int i = 0; i < out->move_count && good && !control_is_over(&e->control); i++) {
			struct report_move *m = &out->moves[i];
			struct state next = task->record->now;
			if (m->lower == m->upper)
				continue;
			game_play(behind.game, &next, m->move);
			found.lower = -1;
			found.upper = 1;
			record_setup(&behind, &next);
			control_init_phase(&part, &e->control, open);
			if (next.over)
				found.lower = found.upper = score_sign(next.score);
			else if (part.work_max == 0)
				control_stop(&e->control); /* too little is left to share */
			else
				good = prove_by_search(e, task, &behind, &part, &found, why);
			if (good)
				learn_bounds(task, out, &next, found.lower, found.upper);
			open = tighten(out, side);
		}
	} while (good && open && limited && !control_is_over(&e->control));
	record_free(&behind);
	return good;
}

/* Finds the values of all moves, after a search of the position itself. */
static bool prove_moves(struct engine *e, const struct task *task, struct report *out,
			char why[REASON_MAX])
{
	list_moves(task, out);
	e->partial = out;
	bool good = search_behind(e, task, out, why);
	e->partial = NULL;
	answer_best(out, task->record->now.side);
	return good;
}

/* Finds the exact value of the position, and of its moves if they are wanted. */
static bool prove(struct engine *e, const struct task *wanted, struct report *out,
		  char why[REASON_MAX])
{
	/* The depth limit holds for the choice of a move only. A search with a depth limit might never
	 * find a value. */
	struct options options = e->options;
	struct task own = *wanted, *task = &own;
	options.depth = 0;
	own.options = &options;
	double seconds;
	size_t bytes;
	struct control phase;
	enum solve_aim aim = task->values || task->only ? SOLVE_ALL : SOLVE_SCORE;
	double limit = SOLVER_PART * time_left(&e->control);
	bool counts = task->record->game->unit;
	bool fits = solver_fits(e, task, aim, limit, &seconds, &bytes);
	/* If scores count, no other search proves more in the time there is. */
	if (!fits && aim == SOLVE_SCORE)
		aim = SOLVE_RESULT;
	if (!fits)
		fits = solver_fits(e, task, aim, counts ? INFINITY : limit, &seconds, &bytes);
	if (fits && !task->values && !counts) {
		control_init_phase(&phase, &e->control, 1);
		phase.deadline = phase.start + (int64_t)(seconds / TRIAL_PART * 1e9);
		if (!prove_by_search(e, task, task->record, &phase, out, why))
			return false;
		if (out->lower == out->upper || control_is_over(&e->control))
			return true;
	}
	control_init_phase(&phase, &e->control, 1);
	if (fits &&
	    (run_solver(e, task, aim, &phase, bytes, NULL, out) || control_is_over(&e->control)))
		return true;
	if (!prove_by_search(e, task, task->record, &e->control, out, why))
		return false;
	if (task->values && !prove_moves(e, task, out, why))
		return false;
	out->nodes = control_work(&e->control);
	return true;
}

/* --- one search --- */

/* Returns true if only work or depth limits the search, so that a seed repeats it. */
static bool is_repeatable(const struct engine *e, const struct game *game)
{
	const struct options *o = &e->options;
	bool limited = e->control.work_max != WORK_NO_LIMIT ||
		       (o->depth && algorithm_chosen(o, game)->uses_depth);
	return limited && e->control.deadline == TIME_NEVER;
}

/* The body of engine_search and engine_think. `control` is initialised. */
static bool search(struct engine *e, const struct record *record, struct report *out,
		   char why[REASON_MAX])
{
	uint64_t seed = rng_split(&e->seed_stream);
	struct task task = {
		.record = record,
		.options = &e->options,
		.memory = (size_t)e->options.memory * MEMORY_UNIT,
		.seed = seed,
		.threads = e->options.threads,
		.control = &e->control,
		.only = e->limits.only,
		.only_count = e->limits.only_count,
		.values = e->limits.values,
	};
	struct move moves[GAME_MOVES_MAX];
	assert(!record->now.over);

	if (task.memory != e->memory ||
	    (e->timed && e->options.seed && is_repeatable(e, record->game))) {
		forget(e);
		e->memory = task.memory;
	}
	report_init(out);
	if (!(e->limits.ponders  ? run_algorithm
	      : e->limits.prover ? prove
				 : choose)(e, &task, out, why))
		return false;
	if (out->line_count == 0) {
		struct rng rng;
		rng_seed(&rng, seed);
		int n = task_moves(&task, moves);
		out->line[0] = moves[rng_below(&rng, (uint32_t)n)];
		out->line_count = 1;
		report_sort(out, record->now.side, NULL);
	}
	assert(game_is_legal(record->game, &record->now, out->line[0]));
	e->timed |= !e->limits.ponders && (!is_repeatable(e, record->game) ||
					   atomic_load_explicit(&e->stopped, memory_order_relaxed));
	e->expected_game = record->game;
	e->expected_from = record->now;
	e->expected_count = out->line_count;
	memcpy(e->expected, out->line, (size_t)out->line_count * sizeof *out->line);
	return true;
}

/* Learns from searches that reached their deadline how late they end on a loaded machine. The worst of
 * about the last hundred moves counts, because delays come in clusters. A single extreme is capped at
 * LAG_MAX. */
static void learn_lag(struct engine *e)
{
	int64_t late = e->control.deadline == TIME_NEVER ? -1 : clock_now() - e->control.deadline;
	if (late < 0)
		return;
	late = late < LAG_MAX ? late : LAG_MAX;
	e->lag -= e->lag / 64;
	e->lag = late > e->lag ? late : e->lag;
}

static void take_limits(struct engine *e, const struct limits *limits)
{
	uint64_t work = limits->level ? level_work(limits->level) : WORK_NO_LIMIT;
	control_init(&e->control, limits->deadline,
		     limits->work_max < work ? limits->work_max : work);
	atomic_store_explicit(&e->stopped, false, memory_order_relaxed);
	e->control.longer = limits->longer;
	e->control.slots = e->slots;
	e->limits = *limits;
	if (limits->only)
		e->limits.only = memcpy(e->only, limits->only,
					(size_t)limits->only_count * sizeof *e->only);
	else
		e->limits.only_count = 0;
}

bool engine_search(struct engine *e, const struct record *record, const struct limits *limits,
		   struct report *out, char why[REASON_MAX])
{
	take_limits(e, limits);
	bool found = search(e, record, out, why);
	learn_lag(e);
	return found;
}

static void wake(struct engine *e, enum wake what)
{
	char byte = (char)what;
	if (e->limits.ponders)
		return;
	while (write(e->wake_fd, &byte, 1) < 0 && errno == EINTR)
		;
}

/* control.publish: writes a report if the caller has taken the last one. */
static void publish(struct control *c)
{
	struct engine *e = (struct engine *)((char *)c - offsetof(struct engine, control));
	if (atomic_load_explicit(&e->fresh, memory_order_acquire))
		return;
	if (e->partial) {
		e->live = *e->partial;
		e->live.nodes = control_work(c);
		/* While child positions are searched one after the other, the moves are in the order of
		 * game_moves(). */
		if (e->limits.prover && e->live.move_count)
			answer_best(&e->live, e->record->now.side);
	} else {
		take_report(e, e->record, &e->live);
	}
	c->publish_at = clock_now() + e->limits.interval;
	atomic_store_explicit(&e->fresh, true, memory_order_release);
	wake(e, WAKE_REPORT);
}

void engine_live(struct engine *e, struct report *out)
{
	*out = e->live;
	atomic_store_explicit(&e->fresh, false, memory_order_release);
}

static void *lead(void *arg)
{
	struct engine *e = arg;
	e->found = search(e, e->record, &e->report, e->why);
	wake(e, WAKE_DONE);
	return NULL;
}

bool engine_think(struct engine *e, const struct record *record, const struct limits *limits,
		  int wake_fd, char why[REASON_MAX])
{
	sigset_t all, old;
	e->record = record;
	e->wake_fd = wake_fd;
	take_limits(e, limits);
	atomic_store_explicit(&e->fresh, false, memory_order_relaxed);
	if (e->limits.interval) {
		e->control.publish = publish;
		e->control.publish_at = clock_now() + e->limits.interval;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int error = pthread_create(&e->lead, NULL, lead, e);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
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
	*out = e->report;
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
	const struct report *last = &e->report;
	char why[REASON_MAX];
	return o->ponder && !o->level && !e->slots && !record->now.over &&
	       !game_must_pass(record->game, &record->now) &&
	       algorithm_chosen(o, record->game)->keeps && !last->book &&
	       last->lower != last->upper && engine_think(e, record, &limits, -1, why);
}

void engine_end_pondering(struct engine *e)
{
	engine_stop(e);
	pthread_join(e->lead, NULL);
}
