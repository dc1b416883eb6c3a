/* SPDX-License-Identifier: MIT
 *
 * The link between ranks over MPI. It is compiled only where MPI is asked for (`make mpi`).
 *
 * MPI has no wait that sleeps, so a rank looks now and then whether something has come. The pauses grow with the
 * time waited, up to PAUSE_MAX: short waits stay short, and long ones cost next to nothing. mpi_lock makes MPI's
 * calls one at a time. Collective calls are made where no worker runs.
 */
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "engine/search/clock.h"
#include "protocol/carriers/loop.h"
#include "tools/lib/message.h"
#include "tools/ranks/ranks_link.h"

#define HOST_MAX     64

#define PAUSE_MIN    50000    /* nanoseconds */
#define PAUSE_MAX    20000000 /* nanoseconds */
#define PAUSE_PART   8        /* a pause is 1/n of the time waited so far */

#define TAG_QUESTION 1
#define TAG_ORDER    2 /* from rank 0 to a main thread: one byte, enum order */
#define TAG_ANSWER   3 /* plus the worker */

enum order { ORDER_STOP, ORDER_DISMISS };

/* A message of questions and answers begins with this. */
struct envelope {
	int32_t worker;
	int32_t verdict; /* of an answer */
};

static struct ranks_link link_mpi;
static pthread_mutex_t mpi_lock = PTHREAD_MUTEX_INITIALIZER;

/* --- messages --- */

/* Sleeps until the next look. Returns false after the deadline, or if `cancel` is readable. */
static bool pause_since(int64_t start, int64_t deadline, intptr_t cancel)
{
	struct pollfd fd = { (int)cancel, POLLIN, 0 };
	int64_t now = clock_now(), n = (now - start) / PAUSE_PART;
	n = n < PAUSE_MIN ? PAUSE_MIN : n > PAUSE_MAX ? PAUSE_MAX : n;
	if (now >= deadline)
		return false;
	n = n < deadline - now ? n : deadline - now;
	return ppoll(&fd, 1, &(struct timespec) { 0, n }, NULL) <= 0;
}

/* Takes a message if one has come. Returns its sender, or -1. */
static int ranks_mpi_take(int from, int tag, struct packet *p)
{
	int there, size;
	MPI_Message message;
	MPI_Status status;
	pthread_mutex_lock(&mpi_lock);
	MPI_Improbe(from, tag, MPI_COMM_WORLD, &there, &message, &status);
	if (there) {
		MPI_Get_count(&status, MPI_BYTE, &size);
		*p = (struct packet) { xmalloc((size_t)size + 1), (size_t)size };
		MPI_Mrecv(p->bytes, size, MPI_BYTE, &message, &status);
	}
	pthread_mutex_unlock(&mpi_lock);
	return there ? status.MPI_SOURCE : -1;
}

/* Sleeps until MPI_Wait() will return at once. */
static void sleep_until_done(MPI_Request request)
{
	int64_t start = clock_now();
	for (int done = 0;;) {
		pthread_mutex_lock(&mpi_lock);
		MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
		pthread_mutex_unlock(&mpi_lock);
		if (done)
			return;
		pause_since(start, TIME_NEVER, -1);
	}
}

static void send_bytes(int to, int tag, const void *bytes, size_t size)
{
	MPI_Request request;
	pthread_mutex_lock(&mpi_lock);
	MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
	pthread_mutex_unlock(&mpi_lock);
	sleep_until_done(request);
	pthread_mutex_lock(&mpi_lock);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	pthread_mutex_unlock(&mpi_lock);
}

/* Sends a packet in its envelope and frees it. */
static void send_packet(int to, int tag, struct envelope e, struct packet p)
{
	char *bytes = xmalloc(sizeof e + p.size);
	memcpy(bytes, &e, sizeof e);
	if (p.size)
		memcpy(bytes + sizeof e, p.bytes, p.size);
	send_bytes(to, tag, bytes, sizeof e + p.size);
	free(bytes);
	free(p.bytes);
}

/* Takes a packet out of its envelope. */
static struct envelope unwrap(struct packet *p)
{
	struct envelope e;
	memcpy(&e, p->bytes, sizeof e);
	p->size -= sizeof e;
	memmove(p->bytes, (char *)p->bytes + sizeof e, p->size);
	return e;
}

/* --- the link --- */

static enum ranks_verdict ranks_mpi_ask(int worker, struct packet question, struct packet *answer)
{
	send_packet(0, TAG_QUESTION, (struct envelope) { worker, 0 }, question);
	int64_t start = clock_now();
	while (ranks_mpi_take(0, TAG_ANSWER + worker, answer) < 0)
		pause_since(start, TIME_NEVER, -1);
	return (enum ranks_verdict)unwrap(answer).verdict;
}

static bool ranks_mpi_receive(int64_t deadline, intptr_t cancel, struct question *q)
{
	int64_t start = clock_now();
	while ((q->rank = ranks_mpi_take(MPI_ANY_SOURCE, TAG_QUESTION, &q->packet)) < 0)
		if (!pause_since(start, deadline, cancel))
			return false;
	q->worker = unwrap(&q->packet).worker;
	return true;
}

static void ranks_mpi_answer(const struct question *q, struct packet p, enum ranks_verdict verdict)
{
	send_packet(q->rank, TAG_ANSWER + q->worker,
		    (struct envelope) { q->worker, (int32_t)verdict }, p);
}

static void ranks_mpi_give_order(enum order order)
{
	char byte = (char)order;
	for (int rank = 1; rank < link_mpi.count; rank++)
		send_bytes(rank, TAG_ORDER, &byte, 1);
}

static void ranks_mpi_stop(void)
{
	ranks_mpi_give_order(ORDER_STOP);
}

static void dismiss(void)
{
	ranks_mpi_give_order(ORDER_DISMISS);
}

static void obey(const struct ranks_job *job, void *arg)
{
	for (char order = ORDER_STOP; order != ORDER_DISMISS;) {
		struct packet p = { 0 };
		int64_t start = clock_now();
		while (ranks_mpi_take(0, TAG_ORDER, &p) < 0)
			pause_since(start, TIME_NEVER, -1);
		order = *(char *)p.bytes;
		free(p.bytes);
		if (order == ORDER_STOP && job->stop)
			job->stop(arg);
	}
}

static void share(struct packet *p)
{
	MPI_Request request;
	uint64_t size = p->size;
	MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
	sleep_until_done(request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (link_mpi.own)
		*p = (struct packet) { xmalloc(size + 1), size };
	MPI_Ibcast(p->bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
	sleep_until_done(request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* --- begin and end --- */

static int real_stderr = -1; /* while this rank is silent */

static void be_silent(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static void speak(void)
{
	if (real_stderr < 0)
		return;
	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	real_stderr = -1;
}

static bool joined;

static void ranks_mpi_leave(void)
{
	joined = false;
	MPI_Finalize();
}

/* This process exits without having left the job. */
static void on_early_exit(int status, void *arg)
{
	if (joined)
		MPI_Abort(MPI_COMM_WORLD, status);
}

/* Returns a hash of the arguments (FNV-1a). */
static uint64_t hash_arguments(char **argv)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (int i = 1; argv[0] && argv[i]; i++)
		for (const char *c = argv[i]; c == argv[i] || c[-1]; c++)
			hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns false after a message of rank 0 if a rank, or the program that has become this one, has another version
 * than rank 0, or other arguments: each rank makes its own settings of them. */
static bool is_one_job(char **argv)
{
	struct {
		char host[HOST_MAX], version[128];
		uint64_t arguments;
	} own = { 0 }, *all = xcalloc((size_t)link_mpi.count, sizeof own);
	const char *starter = getenv(RANKS_STARTER);
	int same = 1;
	gethostname(own.host, sizeof own.host - 1);
	snprintf(own.version, sizeof own.version, "%s", version_text());
	own.arguments = hash_arguments(argv);
	MPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
	for (int i = 1; link_mpi.own == 0 && same && i < link_mpi.count; i++) {
		same = strcmp(all[i].version, own.version) == 0;
		if (!same)
			message("rank %d on %s is version %s, but rank 0 on %s is version %s; "
				"install one version on all machines",
				i, all[i].host, all[i].version, own.host, own.version);
		else if (all[i].arguments != own.arguments)
			same = message("rank %d on %s has other arguments than rank 0 on %s; "
				       "start all ranks with the same ones",
				       i, all[i].host, own.host);
	}
	if (link_mpi.own == 0 && same && starter && strcmp(starter, own.version) != 0)
		same = message(
			"the program with MPI is version %s, but the one without it is "
			"version %s; run `make mpi`, or install the same version of yomi-mpi",
			own.version, starter);
	free(all);
	MPI_Bcast(&same, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return same;
}

/* Returns true if a launcher has started this process. Open MPI's names its ranks in the first variable, others,
 * such as Slurm's, in one of the next. */
static bool is_launched(void)
{
	return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static struct ranks_link link_mpi = {
	.ask = ranks_mpi_ask,
	.receive = ranks_mpi_receive,
	.answer = ranks_mpi_answer,
	.stop = ranks_mpi_stop,
	.dismiss = dismiss,
	.obey = obey,
	.share = share,
	.speak = speak,
	.leave = ranks_mpi_leave,
};

/* mpirun binds each rank to one processor or socket. Engines and workers need more, so that they may use all, unless
 * the user has asked to bind them. */
static void unbind(void)
{
	cpu_set_t every;
	if (!getenv("OMPI_MCA_orte_bound_at_launch") ||
	    getenv("OMPI_MCA_hwloc_base_binding_policy"))
		return;
	memset(&every, 0xff, sizeof every);
	sched_setaffinity(0, sizeof every, &every);
}

const struct ranks_link *ranks_join(char **argv)
{
	int level;
	if (!is_launched())
		return NULL;
	unbind();
	MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
	MPI_Comm_size(MPI_COMM_WORLD, &link_mpi.count);
	MPI_Comm_rank(MPI_COMM_WORLD, &link_mpi.own);
	joined = true;
	on_exit(on_early_exit, NULL);
	if (level < MPI_THREAD_SERIALIZED)
		message_exit("this MPI does not allow threads");
	if (!is_one_job(argv)) {
		ranks_mpi_leave();
		exit(EXIT_USAGE);
	}
	if (link_mpi.count == 1) {
		ranks_mpi_leave();
		return NULL;
	}
	if (link_mpi.own)
		be_silent();
	return &link_mpi;
}
