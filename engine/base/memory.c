/* SPDX-License-Identifier: MIT */
#include "engine/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void *xgrow(void *list, size_t count, size_t size)
{
	/* The room is the least power of two above the number of items. */
	return count & (count - 1) ? list : xrealloc(list, (count ? 2 * count : 1) * size);
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xstrndup(const char *text, size_t length)
{
	const char *end = memchr(text, '\0', length);
	length = end ? (size_t)(end - text) : length;
	char *copy = xmalloc(length + 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *xvasprintf(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text)
		out_of_memory();
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = xvasprintf(format, args);
	va_end(args);
	return text;
}
