/* SPDX-License-Identifier: MIT
 *
 * A client has a bufferevent, its wire, and as long as it is served a session. Sessions tell of changes
 * from within their own functions, so all that follows is done later, in settle():
 *
 *     wire -> session   a piece at a time, while the session takes input, so that clients take turns
 *     session -> wire   while the wire is short; the rest waits in the session, which then runs nothing
 *     session over      destroyed; the wire is closed when its last bytes are out and the client has
 *                       seen them, or it would lose them to what it has sent since
 *
 * A client that sends no more may still read, or be gone: TCP does not tell. While it is thought for,
 * a byte of urgent data asks: a client that reads does not see it, one that has gone resets the
 * connection. A client that reads late may find such bytes among its answers, so they are line feeds, and
 * are sent between answers only; an answer that streams asks by itself.
 */
#include "protocol/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "engine/memory.h"
#include "engine/options.h"
#include "engine/seats.h"
#include "protocol/loop.h"
#include "protocol/session.h"

#define PIECE_MAX    4096      /* bytes that a session takes before others have their turn */
#define WIRE_OUT_MAX (1 << 16) /* bytes beyond which a session's output waits in the session */
#define LEAVING_MAX  64        /* clients that are being sent away; more are dropped */
#define ADDRESS_MAX  64        /* longest address with its port and NUL */

static const struct timeval now = { 0 };
static const struct timeval look_interval = { .tv_usec = 250000 };
static const struct timeval leave_time = { .tv_sec = 2 };
static const struct timeval retry_interval = { .tv_sec = 1 };

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

struct client {
	LIST_ENTRY(client) entry;
	struct server *server;
	struct bufferevent *wire;
	struct session *session; /* NULL: it is being sent away */
	struct event *change;    /* calls settle() */
	struct event *clock; /* looks whether it is still there, or has had time enough to leave */
	int number;
	bool begun; /* has sent something */
	bool ended; /* sends no more */
	bool shut;  /* is sent no more */
};

struct server {
	struct loop loop;
	const struct start *start;
	const struct listening *setting;
	struct options options; /* every client's first ones */
	struct seats *seats;    /* so many as its threads: what all clients' searches share */
	struct evconnlistener *listener;
	struct event *retry;
	LIST_HEAD(client_list, client) clients;
	int served, leaving; /* clients with and without a session */
	int number;          /* of the last one */
};

__attribute__((format(printf, 2, 3))) static void note(const struct server *v, const char *format,
						       ...)
{
	char line[PIPE_BUF];
	va_list args;
	if (!v->options.verbose)
		return;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	session_stderr(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void client_free(struct client *c)
{
	struct server *v = c->server;
	*(c->session ? &v->served : &v->leaving) -= 1;
	if (c->session)
		session_destroy(c->session);
	LIST_REMOVE(c, entry);
	event_free(c->change);
	event_free(c->clock);
	bufferevent_free(c->wire);
	note(v, "client %d has left\n", c->number);
	if (event_pending(v->retry, EV_TIMEOUT, NULL)) /* its descriptors are free */
		event_add(v->retry, &now);
	free(c);
}

/* Ends the service; `why` is a last answer, or NULL. */
static void send_away(struct client *c, const char *why)
{
	struct server *v = c->server;
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

/* Nobody reads what this client would be sent. */
static void lose(struct client *c)
{
	bufferevent_disable(c->wire, EV_READ | EV_WRITE);
	c->ended = c->shut = true;
	if (c->session)
		session_lose_reader(c->session); /* it is over when its search has ended */
	event_add(c->change, &now);
}

/* A browser's request: any page can make a browser send one here, with commands in it. */
static bool is_http(struct evbuffer *in)
{
	char start[16] = "";
	evbuffer_copyout(in, start, sizeof start - 1);
	size_t n = strspn(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	return n && strncmp(start + n, " /", 2) == 0;
}

/* Returns whether it is still served. */
static bool take_input(struct client *c)
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
	if (n > 0)
		session_input(c->session, bytes, (size_t)n);
	else if (c->ended)
		session_input_end(c->session);
	return true;
}

/* Passes on what has come and what is to go, and begins and ends what follows from that. */
static void settle(int fd, short what, void *arg)
{
	struct client *c = arg;
	struct session *s = c->session;
	struct evbuffer *out = bufferevent_get_output(c->wire);
	(void)fd;
	(void)what;
	if (!s) {
		struct evbuffer *in = bufferevent_get_input(c->wire);
		evbuffer_drain(in, evbuffer_get_length(in));
		if (evbuffer_get_length(out) == 0 && !c->shut) {
			shutdown(bufferevent_getfd(c->wire), SHUT_WR);
			c->shut = true;
		}
		if (c->ended && c->shut)
			client_free(c);
		else if (!c->ended)
			bufferevent_enable(c->wire, EV_READ);
		return;
	}
	if (evbuffer_get_length(session_output(s)) && evbuffer_get_length(out) < WIRE_OUT_MAX) {
		evbuffer_remove_buffer(session_output(s), out, WIRE_OUT_MAX);
		session_resume(s);
	}
	if (!take_input(c))
		return;
	/* What was read is used up before more is read. */
	bool reads = !c->ended && session_takes_input(s) &&
		     evbuffer_get_length(bufferevent_get_input(c->wire)) == 0;
	if (reads)
		bufferevent_enable(c->wire, EV_READ);
	else
		bufferevent_disable(c->wire, EV_READ);
	if (reads || !session_is_thinking(s)) /* else the wire tells nothing */
		event_del(c->clock);
	else if (!event_pending(c->clock, EV_TIMEOUT, NULL))
		event_add(c->clock, &look_interval);
	if (session_is_over(s) && (c->shut || evbuffer_get_length(out) == 0))
		send_away(c, NULL);
}

/* session_setup.changed */
static void on_change(void *arg)
{
	struct client *c = arg;
	event_add(c->change, &now);
}

/* session_setup.note */
static void on_note(void *arg, const char *line, size_t length)
{
	struct client *c = arg;
	note(c->server, "client %d: %.*s", c->number, (int)length, line);
}

/* Whether all that has been said is on its way, and no answer has only begun. */
static bool is_between_answers(const struct client *c)
{
	return !session_is_streaming(c->session) &&
	       evbuffer_get_length(session_output(c->session)) == 0 &&
	       evbuffer_get_length(bufferevent_get_output(c->wire)) == 0;
}

static void on_clock(int fd, short what, void *arg)
{
	struct client *c = arg;
	struct pollfd p = { .fd = bufferevent_getfd(c->wire) };
	(void)fd;
	(void)what;
	if (!c->session) {
		client_free(c);
		return;
	}
	if (c->ended && !c->shut && is_between_answers(c))
		send(p.fd, "\n", 1, MSG_OOB | MSG_DONTWAIT | MSG_NOSIGNAL);
	if (!c->shut && poll(&p, 1, 0) == 1)
		lose(c);
	else
		on_change(c);
}

static void on_wire(struct bufferevent *wire, void *arg)
{
	(void)wire;
	on_change(arg);
}

static void on_event(struct bufferevent *wire, short what, void *arg)
{
	struct client *c = arg;
	struct session *s = c->session;
	char why[64];
	(void)wire;
	if (what & BEV_EVENT_EOF) {
		c->ended = true;
		on_change(c);
	} else if (!(what & BEV_EVENT_TIMEOUT) || (what & BEV_EVENT_WRITING)) {
		lose(c);
	} else if (session_is_thinking(s) || evbuffer_get_length(session_output(s))) {
		on_change(c); /* it is not the client who is late */
	} else {
		snprintf(why, sizeof why, "idle for %d seconds", c->server->setting->idle);
		send_away(c, why);
	}
}

/* Writes the address as it is given to --listen. */
static void address_format(const union address *a, char text[ADDRESS_MAX])
{
	char host[INET6_ADDRSTRLEN] = "";
	bool is_six = a->any.sa_family == AF_INET6;
	if (is_six)
		inet_ntop(AF_INET6, &a->six.sin6_addr, host, sizeof host);
	else
		inet_ntop(AF_INET, &a->four.sin_addr, host, sizeof host);
	snprintf(text, ADDRESS_MAX, is_six ? "[%s]:%d" : "%s:%d", host,
		 ntohs(is_six ? a->six.sin6_port : a->four.sin_port));
}

static bool is_loopback(const union address *a)
{
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->six.sin6_addr);
	return ntohl(a->four.sin_addr.s_addr) >> 24 == 127;
}

/* Answers go out as they are made; a host that has vanished is noticed within two minutes. */
static void tune(int fd)
{
	int on = 1, idle = 60, interval = 15, count = 4;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

/* NULL: the system has no descriptors left. */
static struct session *client_session(struct client *c)
{
	struct server *v = c->server;
	struct session *s = session_create(&(struct session_setup) {
		.base = v->loop.base,
		.game = v->start->game,
		.options = &v->options,
		.protocol = v->start->protocol,
		.log = v->loop.log,
		.number = c->number,
		.line_max = (size_t)v->setting->line_max,
		.queue_max = (size_t)v->setting->line_max,
		.remote = true,
		.no_files = !v->setting->files,
		.changed = on_change,
		.note = on_note,
		.arg = c,
	});
	if (s)
		engine_set_seats(s->engine, v->seats);
	return s;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
		      int length, void *arg)
{
	struct server *v = arg;
	struct timeval idle = { .tv_sec = v->setting->idle };
	union address from = { 0 };
	char text[ADDRESS_MAX], why[64];
	(void)listener;
	struct bufferevent *wire = v->leaving < LEAVING_MAX
					   ? bufferevent_socket_new(v->loop.base, fd,
								    BEV_OPT_CLOSE_ON_FREE)
					   : NULL;
	if (!wire) {
		evutil_closesocket(fd);
		return;
	}
	struct client *c = xcalloc(1, sizeof *c);
	*c = (struct client) { .server = v, .wire = wire, .number = ++v->number };
	c->change = evtimer_new(v->loop.base, settle, c);
	c->clock = evtimer_new(v->loop.base, on_clock, c);
	LIST_INSERT_HEAD(&v->clients, c, entry);
	tune(fd);
	bufferevent_setcb(wire, on_wire, on_wire, on_event, c);
	bufferevent_setwatermark(wire, EV_WRITE, WIRE_OUT_MAX / 4, 0);
	memcpy(&from, address, (size_t)length < sizeof from ? (size_t)length : sizeof from);
	address_format(&from, text);
	note(v, "client %d comes from %s\n", c->number, text);
	bool has_room = v->served < v->setting->clients;
	if (has_room)
		c->session = client_session(c);
	*(c->session ? &v->served : &v->leaving) += 1;
	if (c->session) {
		if (idle.tv_sec)
			bufferevent_set_timeouts(wire, &idle, &idle);
		on_change(c);
	} else if (has_room) {
		send_away(c, "no descriptors left for another client");
	} else {
		snprintf(why, sizeof why, "too many clients, the limit is %d", v->setting->clients);
		send_away(c, why);
	}
}

/* No descriptors or memory for a client that wants in: it waits. */
static void on_refused(struct evconnlistener *listener, void *arg)
{
	struct server *v = arg;
	note(v, "no client can be accepted: %s\n", strerror(EVUTIL_SOCKET_ERROR()));
	evconnlistener_disable(listener);
	event_add(v->retry, &retry_interval);
}

static void on_retry(int fd, short what, void *arg)
{
	struct server *v = arg;
	(void)fd;
	(void)what;
	evconnlistener_enable(v->listener);
}

/* Reads the address; false after complaining. */
static bool read_address(const struct listening *setting, union address *out, int *length)
{
	char text[ADDRESS_MAX];
	const char *given = setting->address;
	bool is_port = *given && !given[strspn(given, "0123456789")];
	int n = snprintf(text, sizeof text, "%s%s", is_port ? "127.0.0.1:" : "", given);
	*length = sizeof *out;
	/* libevent reads no port 0, but takes it where there is none. */
	if (n > 2 && n < (int)sizeof text && strcmp(text + n - 2, ":0") == 0)
		text[n - 2] = '\0';
	if (n >= (int)sizeof text || evutil_parse_sockaddr_port(text, &out->any, length) != 0) {
		fprintf(stderr, "yomi: %s is no address: 127.0.0.1:PORT, [::1]:PORT or PORT\n",
			given);
		return false;
	}
	if (!setting->anywhere && !is_loopback(out)) {
		fprintf(stderr,
			"yomi: %s can be reached from other machines; if that is wanted, add "
			"--listen-anywhere\n",
			given);
		return false;
	}
	return true;
}

/* Begins to listen; false after complaining. */
static bool listen_open(struct server *v, const union address *address, int length)
{
	union address bound = { 0 };
	socklen_t bound_length = sizeof bound;
	char text[ADDRESS_MAX];
	v->listener = evconnlistener_new_bind(v->loop.base, on_accept, v,
					      LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC |
						      LEV_OPT_REUSEABLE,
					      -1, &address->any, length);
	if (!v->listener) {
		fprintf(stderr, "yomi: cannot listen on %s: %s\n", v->setting->address,
			strerror(errno));
		return false;
	}
	evconnlistener_set_error_cb(v->listener, on_refused);
	getsockname(evconnlistener_get_fd(v->listener), &bound.any, &bound_length);
	address_format(&bound, text);
	fprintf(stderr, "yomi: listening on %s\n", text);
	return true;
}

int listen_run(const struct start *start, const struct listening *setting)
{
	struct server v = { .start = start, .setting = setting, .options = *start->options };
	union address address = { 0 };
	int length;
	if (!read_address(setting, &address, &length))
		return 2;
	int status = loop_open(&v.loop, start, NULL, NULL);
	if (status)
		return status;
	v.options.memory /= setting->clients;
	v.options.memory += v.options.memory == 0;
	v.seats = seats_create(v.options.threads);
	v.retry = evtimer_new(v.loop.base, on_retry, &v);
	LIST_INIT(&v.clients);
	if (listen_open(&v, &address, length)) {
		event_base_dispatch(v.loop.base);
		for (struct client *c = LIST_FIRST(&v.clients), *next; c; c = next) {
			next = LIST_NEXT(c, entry);
			client_free(c);
		}
		evconnlistener_free(v.listener);
	} else {
		status = 1;
	}
	seats_destroy(v.seats);
	event_free(v.retry);
	loop_close(&v.loop);
	return status;
}
