/* SPDX-License-Identifier: MIT */
#include "engine/base/system.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

int system_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
	return count < 1 ? 1 : count;
}

#ifdef __aarch64__
bool system_has_dotprod(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
}
#endif

uint64_t system_peak_memory(void)
{
	struct rusage usage = { 0 };
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

const char *system_program(void)
{
	return program_invocation_short_name;
}

char *system_program_path(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path);
	return length > 0 && length < PATH_MAX ? xstrndup(path, (size_t)length) : NULL;
}

/* --- blocks --- */

void *block_create(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	(void)madvise(p, size, MADV_HUGEPAGE);
	return p;
}

void block_destroy(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

#define CLEARED_MAX ((size_t)1 << 22) /* bytes; more of them may not be used again */

void block_clear(void *p, size_t size, size_t used)
{
	if (used <= CLEARED_MAX || madvise(p, size, MADV_DONTNEED) != 0)
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
