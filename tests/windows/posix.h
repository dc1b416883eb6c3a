/* SPDX-License-Identifier: MIT
 *
 * What the tests of engine/ and games/ use of POSIX and MinGW has not. The compiler includes it before each of them.
 */
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdlib.h>

#define _SC_PAGESIZE 0
#define RLIMIT_AS    0

static inline int setenv(const char *name, const char *value, int replaces)
{
	return replaces || !getenv(name) ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
	return _putenv_s(name, "");
}

static inline int pipe(int ends[2])
{
	return _pipe(ends, 4096, _O_BINARY);
}

/* _aligned_free() frees the memory. */
static inline int posix_memalign(void **memory, size_t alignment, size_t size)
{
	*memory = _aligned_malloc(size, alignment);
	return *memory ? 0 : ENOMEM;
}

static inline long sysconf(int name)
{
	return 4096;
}

/* There is no limit. */
struct rlimit {
	size_t rlim_cur, rlim_max;
};

static inline int getrlimit(int resource, struct rlimit *limit)
{
	*limit = (struct rlimit) { SIZE_MAX, SIZE_MAX };
	return 0;
}

static inline int setrlimit(int resource, const struct rlimit *limit)
{
	return 0;
}

#endif
