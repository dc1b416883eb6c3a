/* SPDX-License-Identifier: MIT */
#include "engine/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

static void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1));
}

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
