/* SPDX-License-Identifier: MIT */
#include "tools/ranks/ranks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/search/clock.h"
#include "tests/suite.h"

#define WORKERS 5
#define JOBS    1000

/* A job: the workers square the numbers that rank 0 hands out. */
struct squares {
	int next, open;
	bool done[JOBS];
	long sum;
	_Atomic int ended, stopped;
};

static struct packet packet_of(const int *numbers, int count)
{
	struct packet p = { xmalloc((size_t)count * sizeof *numbers),
			    (size_t)count * sizeof *numbers };
	memcpy(p.bytes, numbers, p.size);
	return p;
}

static void square(void *arg, int worker)
{
	struct squares *s = arg;
	struct packet answer, question = { 0 };
	while (ranks_ask(worker, question, &answer)) {
		int n = *(int *)answer.bytes;
		question = packet_of((int[]) { n, n * n }, 2);
		free(answer.bytes);
	}
	atomic_fetch_add(&s->ended, 1);
}

/* Takes results and hands out jobs until all are done. Workers without work wait. */
static void hand_out(void *arg)
{
	struct squares *s = arg;
	struct question q;
	while ((s->next < JOBS || s->open > 0) && ranks_receive(TIME_NEVER, -1, &q)) {
		const int *result = q.packet.bytes;
		ck_assert_int_eq(q.rank, 0);
		ck_assert(q.worker >= 0 && q.worker < WORKERS);
		if (q.packet.size) {
			ck_assert_int_eq(result[1], result[0] * result[0]);
			ck_assert(!s->done[result[0]]);
			s->done[result[0]] = true;
			s->sum += result[1];
			s->open--;
		}
		free(q.packet.bytes);
		if (s->next == JOBS)
			continue;
		ranks_answer(&q, packet_of(&s->next, 1));
		s->next++;
		s->open++;
	}
	double idle = ranks_idle();
	ck_assert(idle >= 0 && idle <= 1);
}

START_TEST(work)
{
	const struct ranks_job job = { .work = square, .serve = hand_out };
	ranks_start(NULL);
	ck_assert_int_eq(ranks_count(), 1);
	ck_assert_int_eq(ranks_own(), 0);
	ck_assert(ranks_works());
	for (int round = 0; round < 3; round++) {
		struct squares s = { 0 };
		ranks_run(&job, WORKERS, &s);
		ck_assert_int_eq(s.sum, 332833500L);
		ck_assert_int_eq(s.ended, WORKERS);
	}
	ck_assert_int_eq(ranks_end(3), 3);
}
END_TEST

static void note_stop(void *arg)
{
	atomic_fetch_add(&((struct squares *)arg)->stopped, 1);
}

/* Nobody asks any more: a wait ends at its deadline, or when its descriptor is readable. */
static void wait_in_vain(void *arg)
{
	struct question q[WORKERS + 1];
	int ends[2];
	(void)arg;
	int64_t begin = clock_now();
	for (int i = 0; i < WORKERS; i++)
		ck_assert(ranks_receive(TIME_NEVER, -1, &q[i]));
	ck_assert_int_eq(ranks_workers(), WORKERS);
	/* They wait for longer than it took until they asked, so they were idle for most of the time. */
	int64_t now = clock_now();
	ck_assert(!ranks_receive(now + 20000000 + 2 * (now - begin), -1, &q[WORKERS]));
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], "", 1), 1);
	ck_assert(!ranks_receive(TIME_NEVER, ends[0], &q[WORKERS]));
	ck_assert(ranks_idle() > 0.5);
	close(ends[0]);
	close(ends[1]);
	ranks_stop();
}

START_TEST(waits)
{
	const struct ranks_job job = { square, wait_in_vain, note_stop };
	struct squares s = { 0 };
	ranks_start(NULL);
	ranks_run(&job, WORKERS, &s);
	ck_assert_int_eq(s.ended, WORKERS);
	ck_assert_int_eq(s.stopped, 1);
	ranks_end(0);
}
END_TEST

/* What is shared is what there was. */
START_TEST(sharing)
{
	int number = 42;
	struct packet p = packet_of(&number, 1);
	ranks_start(NULL);
	ranks_share(&p);
	ck_assert_uint_eq(p.size, sizeof number);
	ck_assert_int_eq(*(int *)p.bytes, 42);
	free(p.bytes);
	ranks_end(0);
}
END_TEST

/* A launcher has started several processes, but there is no program with MPI. */
START_TEST(without_mpi)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
		ranks_start((char *[]) { "test", NULL });
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ranks");
	TCase *cases = tcase_create("ranks");
	tcase_add_test(cases, work);
	tcase_add_test(cases, waits);
	tcase_add_test(cases, sharing);
	tcase_add_test(cases, without_mpi);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
