/* SPDX-License-Identifier: MIT */
#include "protocol/katago/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/thread.h"
#include "engine/rules/playouts.h"
#include "engine/search/common/slots.h"
#include "engine/search/engine.h"
#include "protocol/katago/answer.h"

/* If the client lets so many bytes wait, reports during a search are dropped. Last answers never are. */
#define BACKLOG_MAX ((size_t)1 << 20)

struct pool_worker {
	struct pool *pool;
	pthread_t thread;
	struct engine *engine;
	struct record record;   /* the position of the job */
	struct report report;   /* the last one */
	struct outlook outlook; /* of the position, if the game has traces of playouts */

	/* Protected by the pool's lock. */
	struct katago_job *job; /* NULL: idle */
	bool thinks;            /* the engine runs a search */
	bool reports;           /* engine_live has a report */
	pthread_cond_t woken;   /* one of these two has changed */
};

struct pool {
	struct outbox *outbox;
	struct options options;
	struct slots *slots;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* jobs were added, or `ends` was set */

	/* Protected by the lock, also the workers' fields and the counts of jobs in queries. */
	bool ends;
	struct katago_job *waiting; /* a list in the order of arrival */
	struct katago_job **last;   /* the link at its end */
	int count;                  /* jobs in the list */
	int busy;                   /* workers with a job */

	int worker_count, started; /* workers wanted, workers that run */
	struct pool_worker workers[];
};

/* --- the jobs that wait; called with the lock --- */

/* Takes the job to which a link of the list points. */
static struct katago_job *take_at(struct pool *p, struct katago_job **link)
{
	struct katago_job *job = *link;
	*link = job->next;
	if (p->last == &job->next)
		p->last = link;
	p->count--;
	return job;
}

/* Takes the job to do next. There must be one. */
static struct katago_job *take_next(struct pool *p)
{
	struct katago_job **best = &p->waiting;
	for (struct katago_job **link = best; *link; link = &(*link)->next)
		if ((*link)->priority > (*best)->priority)
			best = link;
	return take_at(p, best);
}

/* --- a job --- */

/* Threads for a search that begins now: all if it is alone, one if there are many. */
static int thread_share(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	int jobs = p->busy + p->count;
	pthread_mutex_unlock(&p->lock);
	int share = p->options.threads / (jobs < p->worker_count ? jobs : p->worker_count);
	return share ? share : 1;
}

/* Gives the engine the options of the query. Searches begin afresh, so that answers do not depend on the queries
 * before. */
static void set_options(struct pool_worker *w, const struct query *q)
{
	struct options *o = engine_options(w->engine);
	int threads = thread_share(w->pool);
	*o = q->settings.options;
	o->memory = w->pool->options.memory / w->pool->worker_count;
	o->memory += o->memory == 0;
	o->threads = threads < o->threads ? threads : o->threads;
	o->level = o->elo = 0;
	o->ponder = false;
	engine_reseed(w->engine);
}

/* The interval of the engine's reports is the shorter one of the query's two. */
static int64_t interval_of(const struct query *q)
{
	double interval = q->every;
	if (q->first > 0 && (q->first < interval || interval == 0))
		interval = q->first;
	return (int64_t)(interval * 1e9);
}

static struct limits pool_limits_of(const struct pool_worker *w, const struct query *q)
{
	const struct query_settings *s = &q->settings;
	int64_t budget = s->seconds > 0 && s->seconds < 1e9 ? (int64_t)(s->seconds * 1e9)
							    : TIME_NEVER;
	struct limits limits = { .deadline = budget == TIME_NEVER ? TIME_NEVER
								  : clock_now() + budget,
				 .work_max = (uint64_t)s->visits };
	if (!s->visits)
		limits = engine_limits(w->engine, w->record.game, budget);
	limits.interval = interval_of(q);
	limits.values = true;
	return limits;
}

/* The callback of engine_think, on a thread of the search. */
static void pool_wake(void *arg, enum wake what)
{
	struct pool_worker *w = arg;
	pthread_mutex_lock(&w->pool->lock);
	if (what == WAKE_DONE)
		w->thinks = false;
	else
		w->reports = true;
	pthread_cond_signal(&w->woken);
	pthread_mutex_unlock(&w->pool->lock);
}

/* Starts the search unless the job was stopped. Returns false, with the reason in `why` if it failed. */
static bool start_search(struct pool_worker *w, const struct limits *limits, char why[REASON_MAX])
{
	struct pool *p = w->pool;
	*why = '\0';
	pthread_mutex_lock(&p->lock);
	w->thinks = !w->job->stopped &&
		    engine_think(w->engine, &w->record, limits, pool_wake, w, why);
	bool started = w->thinks;
	pthread_mutex_unlock(&p->lock);
	return started;
}

/* Waits for a report of the search. Returns false if it has ended. */
static bool wait_for_report(struct pool_worker *w)
{
	pthread_mutex_lock(&w->pool->lock);
	while (w->thinks && !w->reports)
		pthread_cond_wait(&w->woken, &w->pool->lock);
	bool reports = w->reports;
	w->reports = false;
	pthread_mutex_unlock(&w->pool->lock);
	return reports;
}

static char *pool_describe(struct pool_worker *w, bool live)
{
	struct outlook *outlook = w->record.game->playouts && w->record.game->playouts->trace
					  ? &w->outlook
					  : NULL;
	return answer_report(w->job, &w->record, outlook, &w->report, live);
}

/* Answers reports until the search has ended. */
static void follow_search(struct pool_worker *w)
{
	struct pool *p = w->pool;
	const struct query *q = w->job->query;
	int64_t every = (int64_t)(q->every * 1e9), slack = interval_of(q) / 4;
	int64_t due = clock_now() + (q->first > 0 ? (int64_t)(q->first * 1e9) : every);
	while (wait_for_report(w)) {
		engine_live(w->engine, &w->report);
		int64_t time = clock_now();
		/* The engine's interval began a little earlier than this one. */
		if (time + slack < due || outbox_length(p->outbox) > BACKLOG_MAX)
			continue;
		char *line = pool_describe(w, true);
		if (!line)
			continue;
		outbox_add(p->outbox, line);
		due = every <= 0 ? TIME_NEVER : due + every > time ? due + every : time + every;
	}
}

/* Returns the last answer of a job. */
static char *search_job(struct pool_worker *w)
{
	const struct katago_job *job = w->job;
	const struct game *g = w->record.game;
	struct move all[GAME_MOVES_MAX], only[GAME_MOVES_MAX];
	char why[REASON_MAX];
	set_options(w, job->query);
	struct limits limits = pool_limits_of(w, job->query);
	int count = record_moves(&w->record, all);
	limits.only_count = job_moves(job, &w->record, all, count, only);
	limits.only = limits.only_count < count ? only : NULL;
	if (limits.only_count == 0)
		return answer_nothing(job);
	if (g->playouts && g->playouts->trace)
		outlook_init(&w->outlook, g, &w->record.now, limits.work_max,
			     (uint64_t)job->query->settings.options.seed);
	if (!start_search(w, &limits, why))
		return *why ? answer_failure(job, why) : answer_nothing(job);
	follow_search(w);
	if (!engine_collect(w->engine, &w->report, why))
		return answer_failure(job, why);
	char *line = pool_describe(w, false);
	return line ? line : answer_nothing(job);
}

static void do_job(struct pool_worker *w)
{
	job_record(w->job, &w->record);
	outbox_add(w->pool->outbox,
		   w->record.now.over ? answer_end(w->job, &w->record) : search_job(w));
	record_free(&w->record);
}

static void *pool_work(void *arg)
{
	struct pool_worker *w = arg;
	struct pool *p = w->pool;
	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->ends && !p->waiting)
			pthread_cond_wait(&p->changed, &p->lock);
		if (p->ends)
			break;
		w->job = take_next(p);
		p->busy++;
		pthread_mutex_unlock(&p->lock);
		do_job(w);
		pthread_mutex_lock(&p->lock);
		job_free(w->job);
		w->job = NULL;
		p->busy--;
		channel_ring(outbox_channel(p->outbox));
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* --- the pool --- */

static void worker_free(struct pool_worker *w)
{
	pthread_cond_destroy(&w->woken);
	report_free(&w->report);
	engine_destroy(w->engine);
}

static bool worker_start(struct pool *p, struct pool_worker *w)
{
	w->pool = p;
	pthread_cond_init(&w->woken, NULL);
	w->engine = engine_create();
	engine_set_slots(w->engine, p->slots);
	int error = thread_start(&w->thread, pool_work, w);
	if (!error)
		return true;
	worker_free(w);
	errno = error;
	return false;
}

struct pool *pool_create(int workers, const struct options *options, struct outbox *outbox)
{
	struct pool *p = xcalloc(1, sizeof *p + (size_t)workers * sizeof *p->workers);
	p->outbox = outbox;
	p->options = *options;
	p->slots = slots_create(options->threads);
	p->worker_count = workers;
	p->last = &p->waiting;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	/* Each worker has its share of the memory, also if the system refuses some of them. */
	while (p->started < workers && worker_start(p, &p->workers[p->started]))
		p->started++;
	if (p->started)
		return p;
	int error = errno;
	pool_destroy(p);
	errno = error;
	return NULL;
}

/* Called with the lock. */
static void stop_worker(struct pool_worker *w)
{
	if (!w->job)
		return;
	w->job->stopped = true;
	if (w->thinks)
		engine_stop(w->engine);
}

void pool_destroy(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->ends = true;
	for (int i = 0; i < p->started; i++)
		stop_worker(&p->workers[i]);
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < p->started; i++) {
		pthread_join(p->workers[i].thread, NULL);
		worker_free(&p->workers[i]);
	}
	while (p->waiting)
		job_free(take_at(p, &p->waiting));
	slots_destroy(p->slots);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void pool_add(struct pool *p, struct katago_job *jobs)
{
	pthread_mutex_lock(&p->lock);
	*p->last = jobs;
	for (; jobs; jobs = jobs->next) {
		p->last = &jobs->next;
		p->count++;
	}
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static bool is_meant(const struct katago_job *job, const char *id, const json_t *turns)
{
	bool has_turn = !turns;
	for (size_t i = 0; i < json_array_size(turns); i++)
		has_turn |= json_integer_value(json_array_get(turns, i)) == job->turn;
	return has_turn && (!id || strcmp(job->query->id, id) == 0);
}

void pool_stop(struct pool *p, const char *id, const json_t *turns)
{
	pthread_mutex_lock(&p->lock);
	for (struct katago_job **link = &p->waiting; *link;) {
		if (!is_meant(*link, id, turns)) {
			link = &(*link)->next;
			continue;
		}
		struct katago_job *job = take_at(p, link);
		outbox_add(p->outbox, answer_nothing(job));
		job_free(job);
	}
	for (int i = 0; i < p->started; i++)
		if (p->workers[i].job && is_meant(p->workers[i].job, id, turns))
			stop_worker(&p->workers[i]);
	pthread_mutex_unlock(&p->lock);
}

bool pool_is_idle(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	bool idle = !p->waiting && !p->busy;
	pthread_mutex_unlock(&p->lock);
	return idle;
}
