/* SPDX-License-Identifier: MIT */
#include "engine/base/system.h"

#include <emscripten/heap.h>
#include <emscripten/threading.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

int system_processors(void)
{
	return emscripten_has_threading_support() ? emscripten_num_logical_cores() : 1;
}

uint64_t system_peak_memory(void)
{
	return emscripten_get_heap_size();
}

const char *system_program(void)
{
	return "yomi";
}

char *system_program_path(void)
{
	return NULL;
}

/* --- blocks --- */

#define PAGE ((size_t)1 << 16) /* bytes */

void *block_create(size_t size)
{
	void *p;
	if (posix_memalign(&p, PAGE, size) != 0)
		return NULL;
	return memset(p, 0, size);
}

void block_destroy(void *p, size_t size)
{
	free(p);
}

void block_clear(void *p, size_t size, size_t used)
{
	memset(p, 0, used);
}

/* --- threads --- */

void thread_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t clock;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &clock);
	pthread_condattr_destroy(&clock);
}

void thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	struct timespec time = { until / 1000000000, (long)(until % 1000000000) };
	pthread_cond_timedwait(condition, mutex, &time);
}
