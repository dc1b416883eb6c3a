/* SPDX-License-Identifier: MIT */
#include "engine/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"

#define ROOM_MIN 64 /* bytes; most lines fit */

/* Makes room for `count` bytes and a NUL. */
static void text_reserve(struct text *t, size_t count)
{
	if (t->room - t->length > count)
		return;
	t->room = 2 * (t->length + count) + ROOM_MIN;
	t->bytes = xrealloc(t->bytes, t->room);
}

void text_printf(struct text *t, const char *format, ...)
{
	va_list args;
	text_reserve(t, 0);
	va_start(args, format);
	int count = vsnprintf(t->bytes + t->length, t->room - t->length, format, args);
	va_end(args);
	if (count < 0)
		out_of_memory();
	if (t->room - t->length <= (size_t)count) {
		text_reserve(t, (size_t)count);
		va_start(args, format);
		vsnprintf(t->bytes + t->length, (size_t)count + 1, format, args);
		va_end(args);
	}
	t->length += (size_t)count;
}

void text_puts(struct text *t, const char *string)
{
	text_write(t, string, strlen(string));
}

void text_putc(struct text *t, char c)
{
	text_write(t, &c, 1);
}

void text_write(struct text *t, const void *bytes, size_t count)
{
	text_reserve(t, count);
	if (count)
		memcpy(t->bytes + t->length, bytes, count);
	t->length += count;
	t->bytes[t->length] = '\0';
}

void text_clear(struct text *t)
{
	t->length = 0;
	text_write(t, NULL, 0);
}

void text_free(struct text *t)
{
	free(t->bytes);
	*t = (struct text) { 0 };
}

char *text_take(struct text *t)
{
	text_write(t, NULL, 0);
	char *bytes = t->bytes;
	*t = (struct text) { 0 };
	return bytes;
}

void text_send(struct text *t, FILE *f)
{
	if (t->length)
		fwrite(t->bytes, 1, t->length, f);
	text_free(t);
}

bool text_read_line(struct text *t, FILE *f)
{
	int c;
	text_clear(t);
	do {
		if ((c = getc(f)) == EOF)
			break;
		text_putc(t, (char)c);
	} while (c != '\n');
	return t->length;
}

char *text_cut(char **rest, const char *characters)
{
	char *part = *rest;
	if (!part)
		return NULL;
	char *end = part + strcspn(part, characters);
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return part;
}

bool text_has_part(const char *string, const char *part)
{
	size_t length = strlen(part);
	for (; *string; string++)
		if (strncasecmp(string, part, length) == 0)
			return true;
	return false;
}
