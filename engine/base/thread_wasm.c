/* SPDX-License-Identifier: MIT
 *
 * Threads of a program that has one. They replace those of the C library, which cannot be started. A thread runs as a whole, when
 * the loop lets it or when it is joined.
 */
#include "engine/base/thread_wasm.h"

#include <pthread.h>
#include <stdlib.h>

#include "engine/base/memory.h"

#ifdef __EMSCRIPTEN_PTHREADS__

bool thread_run_waiting(void)
{
	return false;
}

#else

struct thread_waiting {
	struct thread_waiting *next;
	void *(*run)(void *);
	void *arg;
};

static struct thread_waiting *first_waiting;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	struct thread_waiting *t = xcalloc(1, sizeof *t), **end = &first_waiting;
	while (*end)
		end = &(*end)->next;
	*t = (struct thread_waiting) { .run = run, .arg = arg };
	*end = t;
	*thread = (pthread_t)t;
	return 0;
}

/* Runs a thread unless it has run. */
static void thread_run_late(struct thread_waiting *t)
{
	struct thread_waiting **link = &first_waiting;
	while (*link && *link != t)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = t->next;
	t->run(t->arg);
}

int pthread_join(pthread_t thread, void **result)
{
	struct thread_waiting *t = (struct thread_waiting *)thread;
	thread_run_late(t);
	free(t);
	return 0;
}

bool thread_run_waiting(void)
{
	if (!first_waiting)
		return false;
	thread_run_late(first_waiting);
	return true;
}

#endif
