/* SPDX-License-Identifier: MIT */
#include "engine/base/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"

void thread_sleep(int64_t nanoseconds)
{
	const struct timespec time = { nanoseconds / 1000000000, (long)(nanoseconds % 1000000000) };
	nanosleep(&time, NULL);
}

/* One of several threads. */
struct thread_share {
	pthread_t thread;
	void (*run)(void *arg, int number);
	void *arg;
	int number;
};

static void *thread_run_share(void *arg)
{
	struct thread_share *s = arg;
	s->run(s->arg, s->number);
	return NULL;
}

void threads_run(int count, void (*run)(void *arg, int number), void *arg)
{
	struct thread_share *all = xcalloc((size_t)count, sizeof *all);
	for (int i = 0; i < count; i++) {
		all[i] = (struct thread_share) { .run = run, .arg = arg, .number = i };
		if ((errno = thread_start(&all[i].thread, thread_run_share, &all[i])) == 0)
			continue;
		fprintf(stderr, "%s: cannot start a thread: %s\n", system_program(),
			strerror(errno));
		exit(EXIT_FAILURE);
	}
	for (int i = 0; i < count; i++)
		pthread_join(all[i].thread, NULL);
	free(all);
}
