/* SPDX-License-Identifier: MIT
 *
 * The lanes of this rank, rank 0's account of all lanes, and the link of a process that is alone: a queue behind
 * one lock, and a descriptor that becomes readable when a lane asks.
 */
#include "tools/lib/ranks.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/base/version.h"
#include "engine/search/clock.h"
#include "protocol/front/loop.h"
#include "tools/lib/message.h"
#include "tools/lib/ranks_link.h"

static const struct ranks_link *connected;

/* --- the link of a process that is alone --- */

/* A lane's question and the answer to it. */
struct ranks_place {
	bool asks, answered;
	struct packet packet; /* of the question, then of the answer */
	enum ranks_verdict verdict;
	int64_t came;
	pthread_cond_t changed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the places */
static struct ranks_place places[RANKS_LANES_MAX];
static int arrived = -1; /* eventfd */

static enum ranks_verdict queue_ask(int lane, struct packet question, struct packet *answer)
{
	struct ranks_place *p = &places[lane];
	pthread_mutex_lock(&lock);
	p->packet = question;
	p->came = clock_now();
	p->answered = false;
	p->asks = true;
	eventfd_write(arrived, 1);
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
	for (struct ranks_place *p = places; p < places + RANKS_LANES_MAX; p++)
		if (p->asks && (!first || p->came < first->came))
			first = p;
	if (first) {
		first->asks = false;
		*q = (struct question) { .lane = (int)(first - places), .packet = first->packet };
	}
	pthread_mutex_unlock(&lock);
	return first;
}

static bool queue_receive(int64_t deadline, int cancel_fd, struct question *q)
{
	struct pollfd fds[] = { { arrived, POLLIN, 0 }, { cancel_fd, POLLIN, 0 } };
	eventfd_t count;
	while (!queue_take(q)) {
		int64_t left = deadline - clock_now();
		struct timespec pause = { left / 1000000000, left % 1000000000 };
		if (left <= 0)
			return false;
		int ready = ppoll(fds, 2, deadline == TIME_NEVER ? NULL : &pause, NULL);
		if (ready > 0 && fds[1].revents)
			return false;
		if (ready > 0)
			eventfd_read(arrived, &count);
	}
	return true;
}

static void queue_answer(const struct question *q, struct packet answer, enum ranks_verdict verdict)
{
	struct ranks_place *p = &places[q->lane];
	pthread_mutex_lock(&lock);
	p->packet = answer;
	p->verdict = verdict;
	p->answered = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&lock);
}

static void queue_leave(void)
{
	for (int i = 0; i < RANKS_LANES_MAX; i++)
		pthread_cond_destroy(&places[i].changed);
	close(arrived);
}

static void queue_nothing(void)
{
}

static void queue_share(struct packet *p)
{
	(void)p;
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
	arrived = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (arrived < 0)
		message_exit_errno("make", "an eventfd");
	for (int i = 0; i < RANKS_LANES_MAX; i++)
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
	const char *name = program_invocation_short_name;
	char own[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	if (launched() < 2)
		return NULL;
	setenv(RANKS_STARTER, version_text(), 1);
	own[n > 0 ? n : 0] = '\0';
	*(strrchr(own, '/') ? strrchr(own, '/') : own) = '\0';
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		char *path = xasprintf("%s/%s/%s", own, folders[i], name);
		execv(path, argv);
		free(path);
	}
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

/* --- the lanes of this rank --- */

struct ranks_lane {
	pthread_t thread;
	const struct ranks_job *job;
	void *arg;
	int number;
};

static void *run_lane(void *arg)
{
	struct ranks_lane *l = arg;
	l->job->work(l->arg, l->number);
	return NULL;
}

static struct ranks_lane *start_lanes(const struct ranks_job *job, int count, void *arg)
{
	struct ranks_lane *lanes = xcalloc((size_t)count, sizeof *lanes);
	for (int i = 0; i < count; i++) {
		lanes[i] = (struct ranks_lane) { .job = job, .arg = arg, .number = i };
		if ((errno = thread_start(&lanes[i].thread, run_lane, &lanes[i])) != 0)
			message_exit_errno("start", "a thread");
	}
	return lanes;
}

static void join_lanes(struct ranks_lane *lanes, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(lanes[i].thread, NULL);
	free(lanes);
}

bool ranks_ask(int lane, struct packet question, struct packet *answer)
{
	if (connected->ask(lane, question, answer) == RANKS_GO_ON)
		return true;
	free(answer->bytes);
	return false;
}

/* --- rank 0 --- */

/* Rank 0's account of a job. */
static struct {
	const struct ranks_job *job;
	void *arg;
	int lanes;           /* of each rank that works */
	bool *open;          /* by lane of all ranks: it waits for an answer */
	int64_t *since;      /* and has done so since this time */
	int64_t idle, start; /* time of answered waits, of the begin */
} account;

int ranks_lanes(void)
{
	return account.lanes * (connected->count > 1 ? connected->count - 1 : 1);
}

static int lane_index(const struct question *q)
{
	return (q->rank > 0 ? q->rank - 1 : 0) * account.lanes + q->lane;
}

double ranks_idle(void)
{
	int64_t now = clock_now(), idle = account.idle;
	double whole = (double)(now - account.start) * ranks_lanes();
	for (int i = 0; i < ranks_lanes(); i++)
		if (account.open[i])
			idle += now - account.since[i];
	return whole > 0 ? (double)idle / whole : 0;
}

bool ranks_receive(int64_t deadline, int cancel_fd, struct question *q)
{
	if (!connected->receive(deadline, cancel_fd, q))
		return false;
	q->index = lane_index(q);
	account.since[q->index] = clock_now();
	account.open[q->index] = true;
	return true;
}

static void give_answer(const struct question *q, struct packet answer, enum ranks_verdict verdict)
{
	int i = lane_index(q);
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

/* Tells every lane that the job ends, those that still work when they ask next. */
static void end_lanes(void)
{
	const struct packet nothing = { 0 };
	int left = ranks_lanes();
	for (int i = 0; i < ranks_lanes(); i++) {
		struct question q = { .rank = connected->count > 1 ? 1 + i / account.lanes : 0,
				      .lane = i % account.lanes };
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

static void ranks_serve(const struct ranks_job *job, int lanes, void *arg)
{
	account.job = job;
	account.arg = arg;
	account.lanes = lanes;
	account.open = xcalloc((size_t)ranks_lanes(), sizeof *account.open);
	account.since = xcalloc((size_t)ranks_lanes(), sizeof *account.since);
	account.idle = 0;
	account.start = clock_now();
	job->serve(arg);
	end_lanes();
	connected->dismiss();
	free(account.open);
	free(account.since);
}

void ranks_run(const struct ranks_job *job, int lanes, void *arg)
{
	struct ranks_lane *started = NULL;
	int count = ranks_works() ? lanes : 0;
	connected->speak();
	if (count)
		started = start_lanes(job, count, arg);
	if (connected->own == 0)
		ranks_serve(job, lanes, arg);
	else
		connected->obey(job, arg);
	join_lanes(started, count);
}
