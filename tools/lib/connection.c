/* SPDX-License-Identifier: MIT */
#include "tools/lib/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"
#include "tools/lib/connection_private.h"

#define PIECE_MAX   65536
#define END_SECONDS 10 /* that a killed process may take to end */

void connection_init(struct connection *c, intptr_t to, intptr_t from)
{
	*c = (struct connection) { .to = to, .from = from, .cancel = -1 };
}

static bool connection_is_kept(const struct connection *c, char byte)
{
	switch (c->cleaning) {
	case CLEAN_RETURNS:
		return byte != '\r';
	case CLEAN_CONTROLS:
		return byte == '\n' || ((unsigned char)byte >= ' ' && byte != 127);
	case CLEAN_NOTHING:
		break;
	}
	return true;
}

/* Reads once. Returns false at the end of input. */
static bool read_more(struct connection *c)
{
	if (c->at == c->length)
		c->at = c->length = 0;
	if (c->room < c->length + PIECE_MAX + 1) {
		c->room = 2 * c->room + PIECE_MAX + 1;
		c->input = xrealloc(c->input, c->room);
	}
	int n = connection_read(c, c->input + c->length, PIECE_MAX);
	if (n < 0)
		return true;
	size_t length = c->length;
	for (int i = 0; i < n; i++) {
		char byte = c->input[length + (size_t)i];
		if (c->cleaning == CLEAN_CONTROLS && byte == '\t')
			byte = ' ';
		if (connection_is_kept(c, byte))
			c->input[c->length++] = byte;
	}
	c->input[c->length] = '\0';
	return n > 0;
}

bool connection_send(struct connection *c, const char *bytes, size_t n, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	bool is_open = true; /* the other side has not closed its output */
	while (n) {
		int written = connection_write(c, bytes, n);
		if (written < 0)
			return false;
		bytes += written;
		n -= (size_t)written;
		if (written)
			continue;
		bool is_readable = is_open;
		enum received received = connection_wait_for(c, true, &is_readable, deadline);
		if (received != RECEIVED_TEXT) {
			errno = received == RECEIVED_CANCELLED ? ECANCELED : ETIMEDOUT;
			return false;
		}
		if (is_readable)
			is_open = read_more(c);
	}
	return true;
}

bool connection_is_readable(struct connection *c, double seconds)
{
	bool is_readable = true;
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	return connection_wait_for(c, false, &is_readable, deadline) == RECEIVED_TEXT;
}

bool connection_is_cancelled(const struct connection *c, double seconds)
{
	bool is_readable = false;
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	return c->cancel >= 0 &&
	       connection_wait_for(c, false, &is_readable, deadline) == RECEIVED_CANCELLED;
}

enum received connection_receive_more(struct connection *c, int64_t deadline)
{
	bool is_readable = true;
	if (c->from < 0)
		return RECEIVED_END;
	enum received received = connection_wait_for(c, false, &is_readable, deadline);
	return received == RECEIVED_TEXT && !read_more(c) ? RECEIVED_END : received;
}

enum received connection_receive(struct connection *c, double seconds, char **text)
{
	return connection_receive_to(c, "\n\n", seconds, text);
}

/* Returns the first of these bytes from `seen` on where `end` begins, or NULL. */
static char *connection_find(char *bytes, size_t seen, size_t count, const char *end)
{
	size_t length = strlen(end);
	for (; seen + length <= count; seen++) {
		char *first = memchr(bytes + seen, *end, count - seen - length + 1);
		if (!first || memcmp(first, end, length) == 0)
			return first;
		seen = (size_t)(first - bytes);
	}
	return NULL;
}

enum received connection_receive_to(struct connection *c, const char *end, double seconds,
				    char **text)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	static char nothing[1];
	size_t seen = 0, length = strlen(end);
	*text = nothing;
	for (;;) {
		size_t n = c->length - c->at;
		char *from = n ? c->input + c->at : NULL;
		char *found = connection_find(from, seen, n, end);
		if (found) {
			*found = '\0';
			*text = from;
			c->at += (size_t)(found - from) + length;
			return RECEIVED_TEXT;
		}
		seen = n >= length ? n - length + 1 : 0;
		enum received received = connection_receive_more(c, deadline);
		if (received == RECEIVED_TEXT)
			continue;
		if (received == RECEIVED_END) {
			if (c->length > c->at)
				*text = c->input + c->at;
			c->at = c->length;
		}
		return received;
	}
}

void connection_close(struct connection *c)
{
	if (c->to >= 0 && c->to != c->from)
		connection_drop(c->to);
	if (c->from >= 0)
		connection_drop(c->from);
	c->to = c->from = -1;
	free(c->input);
	c->input = NULL;
	c->at = c->length = c->room = 0;
}

int connection_finish(struct connection *c, double seconds)
{
	int status = -1;
	connection_close(c);
	if (!c->pid)
		return status;
	status = connection_wait(c, seconds);
	if (status < 0 && c->pid) {
		connection_kill(c);
		status = connection_wait(c, END_SECONDS);
	}
	return status;
}

void connection_free(struct connection *c)
{
	connection_finish(c, 0);
}
