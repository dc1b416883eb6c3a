/* SPDX-License-Identifier: MIT
 *
 * The life of one search. The lead thread prepares, starts the helpers, works with them, joins them and
 * reports; nothing but `control` is shared with the caller meanwhile.
 */
#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"

#define LAG_MAX 50000000 /* nanoseconds */

struct engine {
	struct options options;
	const struct algorithm *algorithm; /* NULL before the first search */
	void *self;                        /* the algorithm's */
	uint64_t seed_stream;
	int64_t lag; /* nanoseconds that searches have lately ended behind their deadlines */
	struct control control;

	/* engine_think's: set before its thread starts, read after it is joined. */
	pthread_t lead;
	const struct record *record;
	int wake_fd;
	bool found;
	struct report report;
	char why[REASON_MAX];
};

struct helper {
	pthread_t thread;
	struct engine *engine;
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

void engine_destroy(struct engine *e)
{
	drop_algorithm(e);
	free(e);
}

struct options *engine_options(struct engine *e)
{
	return &e->options;
}

void engine_reseed(struct engine *e)
{
	struct timespec t;
	drop_algorithm(e);
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

struct limits engine_limits(const struct engine *e, int64_t budget)
{
	const struct options *o = &e->options;
	struct limits limits = { TIME_NEVER, smaller_limit(o->playouts, o->nodes) };
	bool limited = limits.work_max != WORK_NO_LIMIT ||
		       (o->depth && algorithms[o->search]->uses_depth);
	if (budget == TIME_NEVER && !limited)
		budget = (int64_t)(o->time * 1e9);
	if (budget != TIME_NEVER) {
		int64_t margin = (int64_t)o->margin * 1000000;
		margin = margin > e->lag ? margin : e->lag;
		budget -= margin < budget / 2 ? margin : budget / 2;
		/* Even without time a millisecond of search is worth more than a random move. */
		limits.deadline = clock_now() + (budget > 1000000 ? budget : 1000000);
	}
	return limits;
}

/* Makes e->algorithm the one that the options choose. */
static void choose_algorithm(struct engine *e)
{
	const struct algorithm *chosen = algorithms[e->options.search];
	if (chosen == e->algorithm)
		return;
	drop_algorithm(e);
	e->algorithm = chosen;
	e->self = chosen->create();
}

static void *help(void *arg)
{
	struct helper *h = arg;
	h->engine->algorithm->work(h->engine->self, h->worker, &h->engine->control);
	return NULL;
}

/* Runs work() on all threads; fewer if the system refuses some. Signals stay the caller's. */
static void run_workers(struct engine *e, int threads)
{
	struct helper *helpers = xcalloc((size_t)threads, sizeof *helpers);
	sigset_t all, old;
	int started = 1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (; started < threads; started++) {
		struct helper *h = &helpers[started];
		h->engine = e;
		h->worker = started;
		if (pthread_create(&h->thread, NULL, help, h) != 0)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	e->algorithm->work(e->self, 0, &e->control);
	for (int i = 1; i < started; i++)
		pthread_join(helpers[i].thread, NULL);
	free(helpers);
}

/* The body of both engine_search and engine_think; control is initialised. */
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
	};
	struct move moves[GAME_MOVES_MAX];
	assert(!record->now.over);

	report_init(out);
	choose_algorithm(e);
	if (!e->algorithm->prepare(e->self, &task, why))
		return false;
	run_workers(e, task.threads);
	e->algorithm->report(e->self, out);
	if (out->line_count == 0) {
		struct rng rng;
		rng_seed(&rng, seed);
		int n = game_moves(record->game, &record->now, moves);
		out->line[0] = moves[rng_below(&rng, (uint32_t)n)];
		out->line_count = 1;
	}
	assert(game_is_legal(record->game, &record->now, out->line[0]));
	return true;
}

/* Learns from a search that ran into its deadline how late a loaded machine lets it end. The worst of
 * about the last hundred moves counts, as bad luck comes in crowds; a freak is cut off. */
static void learn_lag(struct engine *e)
{
	int64_t late = e->control.deadline == TIME_NEVER ? -1 : clock_now() - e->control.deadline;
	if (late < 0)
		return;
	late = late < LAG_MAX ? late : LAG_MAX;
	e->lag -= e->lag / 64;
	e->lag = late > e->lag ? late : e->lag;
}

bool engine_search(struct engine *e, const struct record *record, const struct limits *limits,
		   struct report *out, char why[REASON_MAX])
{
	control_init(&e->control, limits->deadline, limits->work_max);
	bool found = search(e, record, out, why);
	learn_lag(e);
	return found;
}

static void *lead(void *arg)
{
	struct engine *e = arg;
	e->found = search(e, e->record, &e->report, e->why);
	while (write(e->wake_fd, "", 1) < 0 && errno == EINTR)
		;
	return NULL;
}

bool engine_think(struct engine *e, const struct record *record, const struct limits *limits,
		  int wake_fd, char why[REASON_MAX])
{
	sigset_t all, old;
	e->record = record;
	e->wake_fd = wake_fd;
	control_init(&e->control, limits->deadline, limits->work_max);
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
