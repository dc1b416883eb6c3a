/* SPDX-License-Identifier: MIT */
#include "protocol/carriers/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"

void loop_init(void)
{
	event_set_mem_functions(xmalloc, xrealloc, free);
	json_set_alloc_funcs(xmalloc, free);
}

/* --- what sessions need --- */

struct session_events {
	struct session *session;
	struct channel channel;
	struct event *woken, *later, *again;
};

static void on_woken(evutil_socket_t fd, short what, void *arg)
{
	const struct session_events *e = arg;
	channel_hush(&e->channel);
	session_on_woken(e->session);
}

static void on_later(evutil_socket_t fd, short what, void *arg)
{
	const struct session_events *e = arg;
	session_on_later(e->session);
}

static void on_again(evutil_socket_t fd, short what, void *arg)
{
	const struct session_events *e = arg;
	session_on_again(e->session);
}

static void *events_open(void *base, struct session *session)
{
	struct channel channel;
	if (!channel_open(&channel))
		return NULL;
	struct session_events *e = xcalloc(1, sizeof *e);
	*e = (struct session_events) {
		.session = session,
		.channel = channel,
		.woken = event_new(base, (evutil_socket_t)channel.in, EV_READ | EV_PERSIST,
				   on_woken, e),
		.later = evtimer_new(base, on_later, e),
		.again = event_new(base, -1, EV_PERSIST, on_again, e),
	};
	event_add(e->woken, NULL);
	return e;
}

static void events_close(void *arg)
{
	struct session_events *e = arg;
	event_free(e->woken);
	event_free(e->later);
	event_free(e->again);
	channel_close(&e->channel);
	free(e);
}

static void events_wake(void *arg)
{
	const struct session_events *e = arg;
	channel_ring(&e->channel);
}

static void events_later(void *arg, bool on)
{
	const struct session_events *e = arg;
	if (on)
		event_add(e->later, &(struct timeval) { 0 });
	else
		event_del(e->later);
}

static void events_again(void *arg, int64_t interval)
{
	const struct session_events *e = arg;
	struct timeval time = { (long)(interval / 1000000000),
				(long)(interval % 1000000000 / 1000) };
	if (interval)
		event_add(e->again, &time);
	else
		event_del(e->again);
}

const struct session_loop loop_of_events = {
	events_open, events_close, events_wake, events_later, events_again,
};

/* --- the loop --- */

/* Creates a base without epoll, which does not accept plain files and /dev/null. It has no locks, because only this thread
 * uses it. */
static struct event_base *base_create(void)
{
	struct event_config *config = event_config_new();
	event_config_avoid_method(config, "epoll");
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	struct event_base *base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

static void loop_on_stopped(evutil_socket_t fd, short what, void *arg)
{
	struct loop *l = arg;
	channel_hush(&l->stops);
	unsigned stops = stops_take();
	bool ends = stops & STOP_END;
	if (stops & STOP_INTERRUPT)
		ends |= !l->interrupted || !l->interrupted(l->arg);
	if (ends)
		event_base_loopbreak(l->base);
}

int loop_open(struct loop *l, const struct start *start, bool (*interrupted)(void *), void *arg)
{
	*l = (struct loop) { .base = base_create(), .interrupted = interrupted, .arg = arg };
	if (!l->base || !channel_open(&l->stops)) {
		fprintf(stderr, "yomi: cannot create the event loop: %s\n", strerror(errno));
		return 1;
	}
	if (start->log && !(l->log = disk_open(start->log, "a"))) {
		fprintf(stderr, "yomi: cannot write %s: %s\n", start->log, strerror(errno));
		channel_close(&l->stops);
		event_base_free(l->base);
		return EXIT_USAGE;
	}
	if (l->log)
		setvbuf(l->log, NULL, _IOLBF, 0);
	stream_ignore_broken_pipes();
	l->stopped = event_new(l->base, (evutil_socket_t)l->stops.in, EV_READ | EV_PERSIST,
			       loop_on_stopped, l);
	event_add(l->stopped, NULL);
	stops_watch(&l->stops);
	return 0;
}

void loop_die(const char *what)
{
	fprintf(stderr, "yomi: %s: %s\n", what, strerror(errno));
	exit(1);
}

int loop_close(struct loop *l)
{
	stops_watch(NULL);
	event_free(l->stopped);
	channel_close(&l->stops);
	event_base_free(l->base);
	if (!l->log)
		return 0;
	/* If the stream has an error, a session has reported it already. */
	bool failed = ferror(l->log);
	if (fclose(l->log) != 0 && !failed) {
		fprintf(stderr, "yomi: cannot write the log: %s\n", strerror(errno));
		failed = true;
	}
	return failed ? EXIT_FAILURE : 0;
}
