/* SPDX-License-Identifier: MIT */
#include "protocol/session/fifo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define ROOM_MIN 256
#define KEPT_MAX 65536 /* an empty fifo keeps so many bytes of room, for the next ones */

size_t fifo_length(const struct fifo *f)
{
	return f->end - f->start;
}

const char *fifo_bytes(const struct fifo *f)
{
	return fifo_length(f) ? f->bytes + f->start : "";
}

/* Makes room for `count` bytes at the end. Moves the bytes only if no more of them wait than were taken since the last
 * time, so that each is moved once on average. */
static void fifo_reserve(struct fifo *f, size_t count)
{
	size_t length = fifo_length(f);
	if (f->room - f->end >= count)
		return;
	if (f->room - length < count || length > f->start) {
		f->room = 2 * (length + count) + ROOM_MIN;
		char *bytes = xmalloc(f->room);
		if (length)
			memcpy(bytes, fifo_bytes(f), length);
		free(f->bytes);
		f->bytes = bytes;
	} else {
		memmove(f->bytes, fifo_bytes(f), length);
	}
	f->start = 0;
	f->end = length;
}

void fifo_add(struct fifo *f, const void *bytes, size_t count)
{
	if (!count)
		return;
	fifo_reserve(f, count);
	memcpy(f->bytes + f->end, bytes, count);
	f->end += count;
}

void fifo_clear(struct fifo *f)
{
	free(f->bytes);
	*f = (struct fifo) { 0 };
}

void fifo_drain(struct fifo *f, size_t count)
{
	assert(count <= fifo_length(f));
	f->start += count;
	if (f->start < f->end)
		return;
	f->start = f->end = 0;
	if (f->room > KEPT_MAX)
		fifo_clear(f);
}

char *fifo_take_line(struct fifo *f, char end, size_t *length)
{
	size_t waiting = fifo_length(f);
	const char *found = waiting ? memchr(fifo_bytes(f), end, waiting) : NULL;
	if (!found)
		return NULL;
	*length = (size_t)(found - fifo_bytes(f));
	char *line = xmalloc(*length + 1);
	memcpy(line, fifo_bytes(f), *length);
	line[*length] = '\0';
	fifo_drain(f, *length + 1);
	return line;
}
