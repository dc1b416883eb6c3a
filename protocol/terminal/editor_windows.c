/* SPDX-License-Identifier: MIT
 *
 * The console edits lines and keeps their history for as long as it is open. A thread reads its lines, also while a command runs:
 * what is typed then is shown at once.
 */
#include "protocol/terminal/editor.h"

#include <windows.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/thread.h"
#include "protocol/carriers/loop.h"
#include "protocol/session/fifo.h"

#define LINE_MAX 8192 /* UTF-16 units of one read */
#define END_KEY  0x1a /* ^Z */

struct editor {
	struct fifo keys;
	char *line; /* returned by editor_take() */
	struct channel channel;
	pthread_mutex_t lock;
	/* With the lock. */
	struct fifo typed; /* what the thread has read */
	bool ended;
};

bool editor_is_possible(void)
{
	return true;
}

static void editor_put(struct editor *e, const char *bytes, size_t count, bool ends)
{
	pthread_mutex_lock(&e->lock);
	fifo_add(&e->typed, bytes, count);
	e->ended = ends;
	pthread_mutex_unlock(&e->lock);
	channel_ring(&e->channel);
}

/* Takes a part of a line, without its carriage return. ^Z at its beginning is the key for the end. */
static void editor_put_wide(struct editor *e, const WCHAR *wide, DWORD count)
{
	char bytes[3 * LINE_MAX];
	bool ends = wide[0] == END_KEY;
	int n = WideCharToMultiByte(CP_UTF8, 0, wide, (int)count, bytes, sizeof bytes, NULL, NULL);
	if (n >= 2 && bytes[n - 2] == '\r' && bytes[n - 1] == '\n')
		bytes[--n - 1] = '\n';
	if (ends)
		bytes[0] = EDITOR_END;
	editor_put(e, bytes, ends ? 1 : (size_t)n, false);
}

/* ^C gives an empty line at once; the console forgets what was typed of it. */
static void *read_console(void *arg)
{
	struct editor *e = arg;
	HANDLE console = GetStdHandle(STD_INPUT_HANDLE);
	WCHAR wide[LINE_MAX];
	DWORD n;
	for (SetLastError(0); ReadConsoleW(console, wide, LINE_MAX, &n, NULL); SetLastError(0))
		if (n)
			editor_put_wide(e, wide, n);
		else if (GetLastError() != ERROR_OPERATION_ABORTED)
			break;
	editor_put(e, "", 0, true);
	return NULL;
}

struct editor *editor_open(struct event_base *base, struct session *session, void (*erase)(void *),
			   void *arg)
{
	pthread_t reader;
	struct editor *e = xcalloc(1, sizeof *e);
	pthread_mutex_init(&e->lock, NULL);
	if (!channel_open(&e->channel))
		loop_die("no line editor");
	if (thread_start(&reader, read_console, e) != 0)
		loop_die("no thread for the line editor");
	pthread_detach(reader);
	return e;
}

/* The thread waits for a line until the process ends, so the editor stays. */
bool editor_close(struct editor *e)
{
	return true;
}

void editor_begin(struct editor *e)
{
	fputs(EDITOR_PROMPT, stdout);
	fflush(stdout);
}

void editor_end(struct editor *e)
{
}

/* Only the console knows. */
bool editor_is_empty(const struct editor *e)
{
	return true;
}

struct fifo *editor_keys(struct editor *e)
{
	return &e->keys;
}

intptr_t editor_input(const struct editor *e)
{
	return e->channel.in;
}

bool editor_read(struct editor *e)
{
	channel_hush(&e->channel);
	pthread_mutex_lock(&e->lock);
	bool ended = e->ended;
	fifo_add(&e->keys, fifo_bytes(&e->typed), fifo_length(&e->typed));
	fifo_clear(&e->typed);
	pthread_mutex_unlock(&e->lock);
	return !ended;
}

const char *editor_take(struct editor *e, size_t *length, bool *starved)
{
	size_t count;
	free(e->line);
	e->line = NULL;
	char *line = fifo_take_line(&e->keys, '\n', &count);
	if (line) {
		e->line = xasprintf("%s\n", line);
		*length = strlen(e->line);
	}
	*starved = !line;
	free(line);
	return e->line;
}
