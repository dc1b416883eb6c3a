/* SPDX-License-Identifier: MIT
 *
 * The workers of this rank, rank 0's account of all workers, and the link of a process that is alone: a queue behind
 * one lock, and a descriptor that becomes readable when a worker asks.
 */
#include "tools/ranks/ranks.h"
#include "engine/base/stream.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/base/thread.h"
#include "engine/base/version.h"
#include "engine/search/clock.h"
#include "protocol/carriers/loop.h"
#include "tools/lib/message.h"
#include "tools/ranks/ranks_link.h"

#define PAUSE_MAX INT64_C(1000000000000) /* nanoseconds */

static const struct ranks_link *connected;

/* --- the link of a process that is alone --- */

/* A worker's question and the answer to it. */
struct ranks_place {
	bool asks, answered;
	struct packet packet; /* of the question, then of the answer */
	enum ranks_verdict verdict;
	int64_t came;
	pthread_cond_t changed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the places */
static struct ranks_place places[RANKS_WORKERS_MAX];
static struct channel arrived; /* rings when a worker asks */

static enum ranks_verdict queue_ask(int worker, struct packet question, struct packet *answer)
{
	struct ranks_place *p = &places[worker];
	pthread_mutex_lock(&lock);
	p->packet = question;
	p->came = clock_now();
	p->answered = false;
	p->asks = true;
	channel_ring(&arrived);
	while (!p->answered)
		pthread_cond_wait(&p->changed, &lock);
	*answer = p->packet;
	enum ranks_verdict verdict = p->verdict;
	pthread_mutex_unlock(&lock);
	return verdict;
}

/* Takes the question that has waited longest. */
static bool queue_take(struct question *q)
{
	struct ranks_place *first = NULL;
	pthread_mutex_lock(&lock);
	for (struct ranks_place *p = places; p < places + RANKS_WORKERS_MAX; p++)
		if (p->asks && (!first || p->came < first->came))
			first = p;
	if (first) {
		first->asks = false;
		*q = (struct question) { .worker = (int)(first - places), .packet = first->packet };
	}
	pthread_mutex_unlock(&lock);
	return first;
}

static bool queue_receive(int64_t deadline, intptr_t cancel, struct question *q)
{
	const intptr_t descriptors[] = { arrived.in, cancel };
	while (!queue_take(q)) {
		int64_t left = deadline == TIME_NEVER ? PAUSE_MAX : deadline - clock_now();
		if (left <= 0)
			return false;
		int pause = (int)((left < PAUSE_MAX ? left : PAUSE_MAX) / 1000000) + 1;
		unsigned ready = stream_wait(descriptors, cancel < 0 ? 1 : 2, pause);
		if (ready & 2)
			return false;
		if (ready)
			channel_hush(&arrived);
	}
	return true;
}

static void queue_answer(const struct question *q, struct packet answer, enum ranks_verdict verdict)
{
	struct ranks_place *p = &places[q->worker];
	pthread_mutex_lock(&lock);
	p->packet = answer;
	p->verdict = verdict;
	p->answered = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&lock);
}

static void queue_leave(void)
{
	for (int i = 0; i < RANKS_WORKERS_MAX; i++)
		pthread_cond_destroy(&places[i].changed);
	channel_close(&arrived);
}

static void queue_nothing(void)
{
}

static void queue_share(struct packet *p)
{
}

static const struct ranks_link queue = {
	.count = 1,
	.ask = queue_ask,
	.receive = queue_receive,
	.answer = queue_answer,
	.stop = queue_nothing,
	.dismiss = queue_nothing,
	.share = queue_share,
	.speak = queue_nothing,
	.leave = queue_leave,
};

static void queue_open(void)
{
	if (!channel_open(&arrived))
		message_exit_errno("make", "a channel");
	for (int i = 0; i < RANKS_WORKERS_MAX; i++)
		pthread_cond_init(&places[i].changed, NULL);
}

/* --- the ranks --- */

#ifndef YOMI_MPI

/* The programs with MPI lie in one of these folders, seen from the folder of those without. */
static const char *const folders[] = { "../mpi", "../lib/yomi-mpi" };

/* Returns how many processes a launcher has started: Open MPI's tells the number, Slurm's by another name. */
static int launched(void)
{
	const char *count = getenv("OMPI_COMM_WORLD_SIZE");
	if (!count && (getenv("PMIX_RANK") || getenv("PMI_RANK")))
		count = getenv("SLURM_NTASKS");
	return count ? atoi(count) : 1;
}

/* Returns true on the rank that speaks for all. */
static bool is_first(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	rank = rank ? rank : getenv("PMIX_RANK");
	rank = rank ? rank : getenv("PMI_RANK");
	return !rank || atoi(rank) == 0;
}

/* Joins no ranks. If a launcher has started several processes, each becomes the program with MPI instead. */
static const struct ranks_link *ranks_join(char **argv)
{
	if (launched() < 2)
		return NULL;
	char *own = system_program_path();
	putenv(xasprintf("%s=%s", RANKS_STARTER, version_text()));
	for (size_t i = 0; own && i < sizeof folders / sizeof *folders; i++) {
		char *path = xasprintf("%.*s%s/%s", (int)(path_last(own) - own), own, folders[i],
				       system_program());
		system_become(path, argv);
		free(path);
	}
	free(own);
	if (is_first())
		message("this program was built without MPI; build it with `make mpi`, or install "
			"yomi-mpi");
	exit(EXIT_USAGE);
}

#endif

void ranks_start(char **argv)
{
	connected = ranks_join(argv);
	if (connected)
		return;
	connected = &queue;
	queue_open();
}

int ranks_end(int status)
{
	connected->leave();
	return status;
}

int ranks_count(void)
{
	return connected->count;
}

int ranks_own(void)
{
	return connected->own;
}

bool ranks_works(void)
{
	return connected->own > 0 || connected->count == 1;
}

void ranks_share(struct packet *p)
{
	connected->share(p);
}

/* --- the workers of this rank --- */

struct ranks_worker {
	pthread_t thread;
	const struct ranks_job *job;
	void *arg;
	int number;
};

static void *run_worker(void *arg)
{
	struct ranks_worker *l = arg;
	l->job->work(l->arg, l->number);
	return NULL;
}

static struct ranks_worker *start_workers(const struct ranks_job *job, int count, void *arg)
{
	struct ranks_worker *workers = xcalloc((size_t)count, sizeof *workers);
	for (int i = 0; i < count; i++) {
		workers[i] = (struct ranks_worker) { .job = job, .arg = arg, .number = i };
		if ((errno = thread_start(&workers[i].thread, run_worker, &workers[i])) != 0)
			message_exit_errno("start", "a thread");
	}
	return workers;
}

static void join_workers(struct ranks_worker *workers, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
}

bool ranks_ask(int worker, struct packet question, struct packet *answer)
{
	if (connected->ask(worker, question, answer) == RANKS_GO_ON)
		return true;
	free(answer->bytes);
	return false;
}

/* --- rank 0 --- */

/* Rank 0's account of a job. */
static struct {
	const struct ranks_job *job;
	void *arg;
	int workers;         /* of each rank that works */
	bool *open;          /* by worker of all ranks: it waits for an answer */
	int64_t *since;      /* and has done so since this time */
	int64_t idle, start; /* time of answered waits, of the begin */
} account;

int ranks_workers(void)
{
	return account.workers * (connected->count > 1 ? connected->count - 1 : 1);
}

static int worker_index(const struct question *q)
{
	return (q->rank > 0 ? q->rank - 1 : 0) * account.workers + q->worker;
}

double ranks_idle(void)
{
	int64_t now = clock_now(), idle = account.idle;
	double whole = (double)(now - account.start) * ranks_workers();
	for (int i = 0; i < ranks_workers(); i++)
		if (account.open[i])
			idle += now - account.since[i];
	return whole > 0 ? (double)idle / whole : 0;
}

bool ranks_receive(int64_t deadline, intptr_t cancel, struct question *q)
{
	if (!connected->receive(deadline, cancel, q))
		return false;
	q->index = worker_index(q);
	account.since[q->index] = clock_now();
	account.open[q->index] = true;
	return true;
}

static void give_answer(const struct question *q, struct packet answer, enum ranks_verdict verdict)
{
	int i = worker_index(q);
	account.open[i] = false;
	account.idle += clock_now() - account.since[i];
	connected->answer(q, answer, verdict);
}

void ranks_answer(const struct question *q, struct packet answer)
{
	give_answer(q, answer, RANKS_GO_ON);
}

void ranks_stop(void)
{
	if (connected->count > 1)
		connected->stop();
	else if (account.job->stop)
		account.job->stop(account.arg);
}

/* Tells every worker that the job ends, those that still work when they ask next. */
static void end_workers(void)
{
	const struct packet nothing = { 0 };
	int left = ranks_workers();
	for (int i = 0; i < ranks_workers(); i++) {
		struct question q = { .rank = connected->count > 1 ? 1 + i / account.workers : 0,
				      .worker = i % account.workers };
		if (!account.open[i])
			continue;
		give_answer(&q, nothing, RANKS_END);
		left--;
	}
	for (struct question q; left > 0; left--) {
		ranks_receive(TIME_NEVER, -1, &q);
		free(q.packet.bytes);
		give_answer(&q, nothing, RANKS_END);
	}
}

static void ranks_serve(const struct ranks_job *job, int workers, void *arg)
{
	account.job = job;
	account.arg = arg;
	account.workers = workers;
	account.open = xcalloc((size_t)ranks_workers(), sizeof *account.open);
	account.since = xcalloc((size_t)ranks_workers(), sizeof *account.since);
	account.idle = 0;
	account.start = clock_now();
	job->serve(arg);
	end_workers();
	connected->dismiss();
	free(account.open);
	free(account.since);
}

void ranks_run(const struct ranks_job *job, int workers, void *arg)
{
	struct ranks_worker *started = NULL;
	int count = ranks_works() ? workers : 0;
	connected->speak();
	if (count)
		started = start_workers(job, count, arg);
	if (connected->own == 0)
		ranks_serve(job, workers, arg);
	else
		connected->obey(job, arg);
	join_workers(started, count);
}
