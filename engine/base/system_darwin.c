/* SPDX-License-Identifier: MIT
 *
 * Written by the documentation of macOS; nobody has built it.
 */
#include "engine/base/system.h"

#include <mach-o/dyld.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

int system_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count < 1 ? 1 : (int)count;
}

#ifdef __aarch64__
/* All Apple processors have it. */
bool system_has_dotprod(void)
{
	return true;
}
#endif

uint64_t system_peak_memory(void)
{
	struct rusage usage = { 0 };
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss;
}

const char *system_program(void)
{
	return getprogname();
}

char *system_program_path(void)
{
	uint32_t size = 0;
	_NSGetExecutablePath(NULL, &size);
	char *path = xmalloc(size);
	if (_NSGetExecutablePath(path, &size) == 0)
		return path;
	free(path);
	return NULL;
}

/* --- blocks --- */

void *block_create(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void block_destroy(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

#define CLEARED_MAX ((size_t)1 << 22) /* bytes; more of them may not be used again */

void block_clear(void *p, size_t size, size_t used)
{
	/* madvise() would keep what was written. */
	if (used <= CLEARED_MAX || mmap(p, size, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) == MAP_FAILED)
		memset(p, 0, used);
}

/* --- conditions --- */

void thread_condition_init(pthread_cond_t *condition)
{
	pthread_cond_init(condition, NULL);
}

void thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t left = until - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
	if (left > 0)
		pthread_cond_timedwait_relative_np(
			condition, mutex,
			&(struct timespec) { left / 1000000000, (long)(left % 1000000000) });
}
