/* SPDX-License-Identifier: MIT
 *
 * A client has a bufferevent (its wire) and, while it is served, a session. Sessions report changes from
 * within their own functions, so the work is done later, in settle():
 *
 *     wire -> session   one piece at a time while the session takes input, so that clients take turns
 *     session -> wire   while little is queued on the wire; the rest waits in the session, which then runs
 *                       nothing
 *     session over      it is destroyed; the wire is closed after its last bytes are sent and the client has
 *                       closed its side, because closing with unread input would discard those bytes
 *
 * A client that has closed its sending side may still read, or may be gone: TCP does not tell. While a
 * search runs for it, one byte of urgent data is sent as a probe: a reading client does not see it, and the
 * system of a client that is gone resets the connection. A client that reads late may find these bytes
 * among its answers, so they are line feeds and are sent only between answers. A streamed answer is its own
 * probe.
 */
#include "protocol/carriers/listen.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/carriers/server.h"
#include "protocol/carriers/socket.h"
#include "protocol/session/fifo.h"
#include "protocol/session/session.h"

#define PIECE_MAX    4096      /* bytes that a session takes before the next one's turn */
#define WIRE_OUT_MAX (1 << 16) /* bytes on the wire above which output waits in the session */
#define LEAVING_MAX  64        /* clients being disconnected; more are dropped at once */

static const struct timeval now = { 0 };
static const struct timeval look_interval = { .tv_usec = 250000 };
static const struct timeval leave_time = { .tv_sec = 2 };
static const struct timeval retry_interval = { .tv_sec = 1 };

struct listen_client {
	struct listen_client *next, **link; /* in the list of clients */
	struct service *service;
	struct bufferevent *wire;
	struct session *session; /* NULL: it is being disconnected */
	struct event *change;    /* calls settle() */
	struct event *clock;     /* checks that it is still there; limits the time to disconnect */
	int number;
	bool begun; /* it has sent a byte */
	bool asked; /* it has sent a whole line */
	bool ended; /* its sending side is closed */
	bool shut;  /* our sending side is closed */
};

struct service {
	struct server server;
	struct event *retry;
	struct listen_client *clients;
	int served, leaving; /* clients with and without a session */
};

static void client_free(struct listen_client *c)
{
	struct service *v = c->service;
	*(c->session ? &v->served : &v->leaving) -= 1;
	if (c->session)
		session_destroy(c->session);
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	event_free(c->change);
	event_free(c->clock);
	bufferevent_free(c->wire);
	server_note(&v->server, "client %d has left\n", c->number);
	if (event_pending(v->retry, EV_TIMEOUT, NULL)) /* its descriptors are free now */
		event_add(v->retry, &now);
	free(c);
}

/* Disconnects a client. `why` is a last answer, or NULL. */
static void send_away(struct listen_client *c, const char *why)
{
	struct service *v = c->service;
	if (c->session) {
		session_destroy(c->session);
		v->served--;
		v->leaving++;
	}
	c->session = NULL;
	if (why)
		evbuffer_add_printf(bufferevent_get_output(c->wire), "? %s\n\n", why);
	bufferevent_set_timeouts(c->wire, NULL, NULL);
	event_add(c->clock, &leave_time);
	event_add(c->change, &now);
}

/* Handles a client that has stopped reading. */
static void listen_lose(struct listen_client *c)
{
	bufferevent_disable(c->wire, EV_READ | EV_WRITE);
	c->ended = c->shut = true;
	if (c->session)
		session_lose_reader(c->session); /* it is over after its search ends */
	event_add(c->change, &now);
}

/* Returns true for an HTTP request. Any web page can make a browser send one here, with commands in it. */
static bool is_http(struct evbuffer *in)
{
	char start[16] = "";
	evbuffer_copyout(in, start, sizeof start - 1);
	size_t n = strspn(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	return n && strncmp(start + n, " /", 2) == 0;
}

/* Passes one piece of input to the session. Returns true if the client is still served. */
static bool take_input(struct listen_client *c)
{
	struct evbuffer *in = bufferevent_get_input(c->wire);
	char bytes[PIECE_MAX];
	if (!c->begun && evbuffer_get_length(in)) {
		c->begun = true;
		if (is_http(in)) {
			send_away(c, "this is GTP, not HTTP");
			return false;
		}
	}
	if (!session_takes_input(c->session))
		return true;
	int n = evbuffer_remove(in, bytes, sizeof bytes);
	c->asked |= n > 0 && memchr(bytes, '\n', (size_t)n);
	if (n > 0)
		session_input(c->session, bytes, (size_t)n);
	else if (c->ended)
		session_input_end(c->session);
	return true;
}

/* Moves input and output, then enables reading, starts the clock, or disconnects, as the new state needs. */
static void listen_settle(evutil_socket_t fd, short what, void *arg)
{
	struct listen_client *c = arg;
	struct session *s = c->session;
	struct evbuffer *out = bufferevent_get_output(c->wire);
	if (!s) {
		struct evbuffer *in = bufferevent_get_input(c->wire);
		evbuffer_drain(in, evbuffer_get_length(in));
		if (evbuffer_get_length(out) == 0 && !c->shut) {
			socket_shut(bufferevent_getfd(c->wire));
			c->shut = true;
		}
		if (c->ended && c->shut)
			client_free(c);
		else if (!c->ended)
			bufferevent_enable(c->wire, EV_READ);
		return;
	}
	struct fifo *from = session_output(s);
	size_t length = fifo_length(from);
	if (length && evbuffer_get_length(out) < WIRE_OUT_MAX) {
		length = length < WIRE_OUT_MAX ? length : WIRE_OUT_MAX;
		evbuffer_add(out, fifo_bytes(from), length);
		fifo_drain(from, length);
		session_resume(s);
	}
	if (!take_input(c))
		return;
	/* Read more only after all input is used. */
	bool reads = !c->ended && session_takes_input(s) &&
		     evbuffer_get_length(bufferevent_get_input(c->wire)) == 0;
	if (reads)
		bufferevent_enable(c->wire, EV_READ);
	else
		bufferevent_disable(c->wire, EV_READ);
	if (reads ||
	    !session_is_thinking(s)) /* otherwise only a probe tells whether the client is there */
		event_del(c->clock);
	else if (!event_pending(c->clock, EV_TIMEOUT, NULL))
		event_add(c->clock, &look_interval);
	if (session_is_over(s) && (c->shut || evbuffer_get_length(out) == 0))
		send_away(c, NULL);
}

/* session_setup.changed */
static void listen_on_change(void *arg)
{
	struct listen_client *c = arg;
	event_add(c->change, &now);
}

/* session_setup.note */
static void listen_on_note(void *arg, const char *line, size_t length)
{
	struct listen_client *c = arg;
	server_note(&c->service->server, "client %d: %.*s", c->number, (int)length, line);
}

/* Returns true if all output is sent and no streamed answer is open. */
static bool is_between_answers(const struct listen_client *c)
{
	return !session_is_streaming(c->session) && fifo_length(session_output(c->session)) == 0 &&
	       evbuffer_get_length(bufferevent_get_output(c->wire)) == 0;
}

static void on_clock(evutil_socket_t fd, short what, void *arg)
{
	struct listen_client *c = arg;
	evutil_socket_t wire = bufferevent_getfd(c->wire);
	if (!c->session) {
		client_free(c);
		return;
	}
	if (c->ended && !c->shut && is_between_answers(c))
		socket_probe(wire, '\n');
	if (!c->shut && socket_is_broken(wire))
		listen_lose(c);
	else
		listen_on_change(c);
}

static void on_wire(struct bufferevent *wire, void *arg)
{
	listen_on_change(arg);
}

static void on_event(struct bufferevent *wire, short what, void *arg)
{
	struct listen_client *c = arg;
	struct session *s = c->session;
	char why[64];
	if (what & BEV_EVENT_EOF) {
		c->ended = true;
		listen_on_change(c);
	} else if (!(what & BEV_EVENT_TIMEOUT) || (what & BEV_EVENT_WRITING)) {
		listen_lose(c);
	} else if (session_is_thinking(s) || fifo_length(session_output(s))) {
		listen_on_change(c); /* the client waits for us */
	} else {
		snprintf(why, sizeof why, "idle for %d seconds", c->service->server.setting->idle);
		send_away(c, why);
	}
}

/* Returns NULL if the system has no file descriptors left. */
static struct session *client_session(struct listen_client *c)
{
	struct server *v = &c->service->server;
	return server_session(v, c->number,
			      &(struct session_setup) {
				      .protocols = v->start->protocols,
				      .line_max = (size_t)v->setting->line_max,
				      .changed = listen_on_change,
				      .note = listen_on_note,
				      .arg = c,
			      });
}

/* Returns the first of the clients that have not sent a line yet, NULL if all have. */
static struct listen_client *find_silent(struct service *v)
{
	struct listen_client *first = NULL;
	for (struct listen_client *c = v->clients; c; c = c->next)
		if (c->session && !c->asked)
			first = c;
	return first;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
		      int length, void *arg)
{
	struct service *v = arg;
	const struct serving *setting = v->server.setting;
	struct timeval idle = { .tv_sec = setting->idle };
	union address from = { 0 };
	char text[ADDRESS_MAX], why[64];
	struct bufferevent *wire = v->leaving < LEAVING_MAX
					   ? bufferevent_socket_new(v->server.loop.base, fd,
								    BEV_OPT_CLOSE_ON_FREE)
					   : NULL;
	if (!wire) {
		evutil_closesocket(fd);
		return;
	}
	struct listen_client *c = xcalloc(1, sizeof *c);
	*c = (struct listen_client) { .service = v, .wire = wire, .number = ++v->server.number };
	c->change = evtimer_new(v->server.loop.base, listen_settle, c);
	c->clock = evtimer_new(v->server.loop.base, on_clock, c);
	struct listen_client *silent = v->served == setting->clients ? find_silent(v) : NULL;
	if (silent)
		send_away(silent, "another client needs this place");
	c->next = v->clients;
	c->link = &v->clients;
	if (c->next)
		c->next->link = &c->next;
	v->clients = c;
	bufferevent_setcb(wire, on_wire, on_wire, on_event, c);
	bufferevent_setwatermark(wire, EV_WRITE, WIRE_OUT_MAX / 4, 0);
	memcpy(&from, address, (size_t)length < sizeof from ? (size_t)length : sizeof from);
	address_format(&from, text);
	server_note(&v->server, "client %d has connected from %s\n", c->number, text);
	bool has_room = v->served < setting->clients;
	if (has_room)
		c->session = client_session(c);
	*(c->session ? &v->served : &v->leaving) += 1;
	if (c->session) {
		if (idle.tv_sec)
			bufferevent_set_timeouts(wire, &idle, &idle);
		listen_on_change(c);
	} else if (has_room) {
		send_away(c, "no descriptors left for another client");
	} else {
		snprintf(why, sizeof why, "too many clients, the limit is %d", setting->clients);
		send_away(c, why);
	}
}

/* No file descriptors or memory for a new client: it waits until on_retry(). */
static void listen_on_refused(struct evconnlistener *listener, void *arg)
{
	struct service *v = arg;
	server_note(&v->server, "no client can be accepted: %s\n", strerror(EVUTIL_SOCKET_ERROR()));
	evconnlistener_disable(listener);
	event_add(v->retry, &retry_interval);
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	struct service *v = arg;
	evconnlistener_enable(v->server.listener);
}

int listen_run(const struct start *start, const struct serving *setting)
{
	struct service v = { 0 };
	char text[ADDRESS_MAX];
	int status = server_open(&v.server, start, setting);
	if (status)
		return status;
	v.retry = evtimer_new(v.server.loop.base, on_retry, &v);
	evconnlistener_set_error_cb(v.server.listener, listen_on_refused);
	evconnlistener_set_cb(v.server.listener, on_accept, &v);
	address_format(&v.server.bound, text);
	fprintf(stderr, "yomi: listening on %s\n", text);
	event_base_dispatch(v.server.loop.base);
	while (v.clients)
		client_free(v.clients);
	event_free(v.retry);
	return server_close(&v.server);
}
