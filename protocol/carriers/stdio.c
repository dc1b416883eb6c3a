/* SPDX-License-Identifier: MIT */
#include "protocol/carriers/stdio.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/carriers/loop.h"
#include "protocol/session/fifo.h"
#include "protocol/session/session.h"

#define READ_MAX 65536

struct carrier {
	struct loop loop;
	struct session *session;
	struct event *readable, *writable;
	struct event *tick; /* checks that the output still has a reader */
	bool failed;        /* a write failed, but not because the reader is gone */
};

/* session_setup.changed: enables the events that the session needs, or ends the loop. */
static void stdio_update(void *arg)
{
	struct carrier *c = arg;
	struct session *s = c->session;
	struct timeval quarter = { 0, 250000 };
	if (session_takes_input(s))
		event_add(c->readable, NULL);
	else
		event_del(c->readable);
	if (fifo_length(session_output(s)))
		event_add(c->writable, NULL);
	else
		event_del(c->writable);
	if (session_has_ended_input(s) && session_is_thinking(s))
		event_add(c->tick, &quarter);
	else
		event_del(c->tick);
	if (session_is_over(s))
		event_base_loopbreak(c->loop.base);
}

static void stdio_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct carrier *c = arg;
	char bytes[READ_MAX];
	int n = stream_read(bytes, sizeof bytes);
	if (n > 0)
		session_input(c->session, bytes, (size_t)n);
	else if (n == 0)
		session_input_end(c->session);
}

static void stdio_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct carrier *c = arg;
	struct fifo *out = session_output(c->session);
	int n = stream_write(fifo_bytes(out), fifo_length(out));
	if (n >= 0) {
		fifo_drain(out, (size_t)n);
		session_resume(c->session);
		return;
	}
	/* It is not an error if the reader is gone. */
	c->failed = n == STREAM_FAILED;
	if (c->failed)
		fprintf(stderr, "yomi: the output could not be written: %s\n", strerror(errno));
	session_lose_reader(c->session);
}

static void stdio_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct carrier *c = arg;
	if (stream_is_lost())
		session_lose_reader(c->session);
	else
		stdio_update(c);
}

/* struct loop: interrupted */
static bool stdio_interrupt(void *arg)
{
	struct carrier *c = arg;
	return session_interrupt(c->session);
}

int stdio_run(const struct start *start)
{
	struct carrier c = { 0 };
	int status = loop_open(&c.loop, start, stdio_interrupt, &c);
	if (status)
		return status;
	if (!stream_open())
		loop_die("no input and output");
	c.readable = event_new(c.loop.base, (evutil_socket_t)stream_input(), EV_READ | EV_PERSIST,
			       stdio_on_readable, &c);
	c.writable = event_new(c.loop.base, (evutil_socket_t)stream_output(), EV_WRITE | EV_PERSIST,
			       stdio_on_writable, &c);
	c.tick = event_new(c.loop.base, -1, 0, stdio_on_tick, &c);
	c.session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = c.loop.base,
		.game = start->game,
		.options = start->options,
		.settings = start->settings,
		.own_book = start->own_book,
		.protocols = start->protocols,
		.log = c.loop.log,
		.line_max = SESSION_LINE_MAX,
		.queue_max = SESSION_QUEUE_MAX,
		.marks = start->colors,
		.colors = start->colors,
		.changed = stdio_update,
		.arg = &c,
	});
	if (!c.session)
		loop_die("no session");
	stdio_update(&c);
	if (start->commands)
		session_input(c.session, start->commands, strlen(start->commands));
	event_base_dispatch(c.loop.base);
	event_free(c.readable);
	event_free(c.writable);
	event_free(c.tick);
	stream_close(session_is_over(c.session));
	session_destroy(c.session);
	status = loop_close(&c.loop);
	return c.failed ? EXIT_FAILURE : status;
}
