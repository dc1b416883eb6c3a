/* SPDX-License-Identifier: MIT */
#include "engine/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

__attribute__((noreturn)) void out_of_memory(void)
{
	char text[] = ": out of memory\n";
	struct iovec parts[] = {
		{ program_invocation_short_name, strlen(program_invocation_short_name) },
		{ text, strlen(text) },
	};
	/* writev() and _exit() need no memory and no lock that another thread may hold. */
	(void)!writev(STDERR_FILENO, parts, 2);
	_exit(EXIT_FAILURE);
}

static void *checked(void *p)
{
	if (!p)
		out_of_memory();
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

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xstrndup(const char *text, size_t length)
{
	return checked(strndup(text, length));
}

char *xvasprintf(const char *format, va_list args)
{
	char *text;
	return checked(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = xvasprintf(format, args);
	va_end(args);
	return text;
}

/* --- streams --- */

struct text {
	char **bytes;
	size_t *length, room;
};

static ssize_t text_write(void *cookie, const char *bytes, size_t count)
{
	struct text *t = cookie;
	size_t length = *t->length + count;
	if (length >= t->room) {
		t->room = 2 * length + 1;
		*t->bytes = xrealloc(*t->bytes, t->room);
	}
	memcpy(*t->bytes + *t->length, bytes, count);
	(*t->bytes)[length] = '\0';
	*t->length = length;
	return (ssize_t)count;
}

static int text_end(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *text_open(char **bytes, size_t *length)
{
	static const cookie_io_functions_t functions = { .write = text_write, .close = text_end };
	struct text *t = xmalloc(sizeof *t);
	*t = (struct text) { bytes, length, 1 };
	*bytes = xcalloc(1, 1);
	*length = 0;
	return checked(fopencookie(t, "w", functions));
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
