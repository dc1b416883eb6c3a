/* SPDX-License-Identifier: MIT
 *
 * A tab is the game of one page: a session, and the response that streams its answers while the page is
 * open. settle() passes on output of the session later and only whole events, so that no event is cut if
 * the connection ends. Further events wait in the session until these are sent. Meanwhile the session drops
 * reports, but never answers, and runs nothing if many events wait.
 *
 *     no page    no search runs, lines wait; after `idle` seconds, or when another game needs its slot, the
 *                tab is dropped
 *     page       the page reads, or the connection ends; a reader that takes nothing for STALL_MAX seconds
 *                counts as gone
 *
 * Three kinds of clients are not trusted. Other programs and users of this machine can connect as to any
 * socket; ids of games are too long to guess. Pages of other sites can send many requests through a
 * browser; Origin and Sec-Fetch-Site tell them. Such pages can also lead a host name of theirs here (DNS
 * rebinding); Host tells them, since it must be an IP address or `localhost`.
 *
 * evhttp has no limit on connections. It requests each bufferevent from us, so connections are counted
 * there. A bufferevent that evhttp has freed has no callbacks any more: that tells the end of a connection.
 *
 * The timeout of evhttp restarts with each byte, so a client could keep a connection for ever. A connection
 * must therefore send its first whole request within REQUEST_MAX seconds, and each later one within
 * SILENCE_MAX. If all connections are in use, a new one replaces the one with the oldest request. Streams
 * are exempt from both: there is at most one a game, so they never use all connections.
 */
#include "protocol/web/web.h"

#include <assert.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "protocol/carriers/socket.h"
#include "protocol/session/fifo.h"
#include "protocol/session/protocol.h"
#include "protocol/session/session.h"
#include "protocol/web/assets.h"
#include "protocol/web/events.h"

#define ID_BYTES    16
#define ID_LENGTH   (2 * ID_BYTES)

#define HEADERS_MAX (1 << 14) /* bytes of a request's headers */
#define BODY_MAX    (1 << 16) /* bytes of a request's lines */
#define BODY_READ                                                                                  \
	(1 << 18) /* longer bodies up to this are read and refused by us, larger ones by libevent */
#define INPUT_MAX          (HEADERS_MAX + BODY_READ) /* unread bytes of a connection */

#define ANSWERS_MAX        (1 << 22) /* bytes of the answers to one request */
#define SENT_MAX           (1 << 16) /* bytes in the send buffer of a stream: more would be old */
#define REQUEST_MAX        5  /* seconds in which a new connection must send a whole request */
#define SILENCE_MAX        60 /* maximum seconds between requests of a connection */
#define STALL_MAX          30 /* maximum seconds in which a page reads nothing */
#define BEAT               60 /* ticks between keep-alive comments on a stream */

/* Maximum connections at once. Browsers open up to six; a page needs two of them. */
#define CONNECTIONS(games) (4 * (games) + 32)

/* Requests a second on average, and in a burst. */
#define LINES_RATE         100
#define LINES_BURST        300
#define GAMES_RATE         10
#define GAMES_BURST        50
#define RETRY_AFTER        "1" /* seconds after which a rate allows requests again */

/* Pages of one browser. It has six connections to a server: one more is needed for the requests of all pages. */
#define PAGES_MAX          5
#define BROWSER            "yomi-browser=" /* the cookie with a browser's name */

static const struct timeval now = { 0 };
static const struct timeval tick = { .tv_usec = 250000 };

/* Token bucket that limits a rate. */
struct web_bucket {
	double level;
	int64_t filled; /* clock_now() */
};

struct tab {
	struct tab *next, **link; /* in the list of tabs */
	struct web *web;
	char id[ID_LENGTH + 1];
	int number;
	struct session *session;
	struct evhttp_request *events; /* the streamed response, NULL: no page */
	bool sending;                  /* part of it is not sent yet */
	struct evhttp_request *asked;  /* waits for all answers at once (POST /ask), or NULL */
	struct text answers;           /* of that request so far */
	struct event *change;          /* calls settle() */
	struct web_bucket lines;
	int64_t left; /* without a page: clock_now() when the page left */
};

struct web_connection {
	struct bufferevent *wire;
	int64_t heard;  /* clock_now() of its last whole request, or of its start */
	bool requested; /* it has sent a whole request */
	bool streams;   /* it carries a tab's events */
};

struct web {
	struct server server;
	struct evhttp *http;
	struct event *housekeeping;
	struct tab *tabs;
	struct web_bucket games;
	int tab_count;
	int ticks; /* of housekeeping */
	struct web_connection connections[CONNECTIONS(SERVER_CLIENTS_MAX)];
	int connection_count, connections_max;
};

static bool bucket_take(struct web_bucket *b, double rate, double burst)
{
	int64_t time = clock_now();
	b->level = b->filled ? b->level + rate * (double)(time - b->filled) / 1e9 : burst;
	b->level = b->level < burst ? b->level : burst;
	b->filled = time;
	if (b->level < 1)
		return false;
	b->level--;
	return true;
}

/* --- replies --- */

/* Headers of every reply: only our scripts and styles are loaded, nothing from other hosts; no site may
 * frame or read us. */
static const char *const common_headers[][2] = {
	{ "Content-Security-Policy",
	  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "
	  "'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
};

static void add_header(struct evhttp_request *req, const char *name, const char *value)
{
	evhttp_add_header(evhttp_request_get_output_headers(req), name, value);
}

static void add_common_headers(struct evhttp_request *req, const char *type, const char *cache)
{
	for (size_t i = 0; i < sizeof common_headers / sizeof common_headers[0]; i++)
		add_header(req, common_headers[i][0], common_headers[i][1]);
	if (type)
		add_header(req, "Content-Type", type);
	add_header(req, "Cache-Control", cache);
}

static void reply(struct evhttp_request *req, int code, const char *json)
{
	struct evbuffer *body = evbuffer_new();
	evbuffer_add_printf(body, "%s", json);
	add_common_headers(req, *json ? "application/json" : NULL, "no-store");
	evhttp_send_reply(req, code, NULL, body);
	evbuffer_free(body);
}

static void reply_error(struct evhttp_request *req, int code, const char *text)
{
	char json[128];
	snprintf(json, sizeof json, "{\"error\":\"%s\"}", text);
	reply(req, code, json);
}

/* Refuses a request above a rate. */
static void reply_often(struct evhttp_request *req, const char *text)
{
	add_header(req, "Retry-After", RETRY_AFTER);
	reply_error(req, 429, text);
}

/* Returns true if the client reads gzip: Accept-Encoding names it, and not with a weight of zero. */
static bool reads_gzip(struct evkeyvalq *asked)
{
	const char *codings = evhttp_find_header(asked, "Accept-Encoding");
	const char *gzip = codings ? codings : "";
	while (*gzip && strncasecmp(gzip, "gzip", 4) != 0)
		gzip++;
	if (!*gzip)
		return false;
	const char *weight = gzip + strcspn(gzip, ",=");
	return *weight != '=' || strtod(weight + 1, NULL) > 0;
}

/* Not every system has <sys/queue.h>, whose lists libevent uses. */
static struct evkeyval *first_header(struct evhttp_request *req)
{
	return evhttp_request_get_input_headers(req)->tqh_first;
}

/* Returns the value of a header, NULL if it is missing or occurs more than once. */
static const char *header(struct evhttp_request *req, const char *name)
{
	const char *value = NULL;
	for (struct evkeyval *h = first_header(req); h; h = h->next.tqe_next) {
		if (strcasecmp(h->key, name) != 0)
			continue;
		if (value)
			return NULL;
		value = h->value;
	}
	return value;
}

static void make_id(char id[ID_LENGTH + 1])
{
	unsigned char bytes[ID_BYTES];
	system_entropy(bytes, sizeof bytes);
	for (int i = 0; i < ID_BYTES; i++)
		sprintf(id + 2 * i, "%02x", bytes[i]);
}

/* Reads the random name that the server gave to the browser of a request. Returns false if there is none. */
static bool read_browser(struct evhttp_request *req, char id[ID_LENGTH + 1])
{
	const char *cookies = header(req, "Cookie"),
		   *at = cookies ? strstr(cookies, BROWSER) : NULL;
	if (!at || strspn(at += strlen(BROWSER), "0123456789abcdef") < ID_LENGTH)
		return false;
	snprintf(id, ID_LENGTH + 1, "%s", at);
	return true;
}

/* Names a browser that has no name, so that its pages can be counted. */
static void name_browser(struct evhttp_request *req)
{
	char id[ID_LENGTH + 1], cookie[sizeof BROWSER + ID_LENGTH + 64];
	if (read_browser(req, id))
		return;
	make_id(id);
	snprintf(cookie, sizeof cookie, BROWSER "%s; HttpOnly; SameSite=Strict; Path=/", id);
	add_header(req, "Set-Cookie", cookie);
}

static void reply_asset(struct evhttp_request *req, const struct asset *a)
{
	struct evkeyvalq *asked = evhttp_request_get_input_headers(req);
	const char *known = evhttp_find_header(asked, "If-None-Match");
	struct evbuffer *body = evbuffer_new();
	const void *bytes = a->data;
	size_t size = asset_size(a);
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	char tag[32], length[32];
	for (const char *c = a->data; c < a->end; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	add_common_headers(req, a->type, "no-cache");
	add_header(req, "Vary", "Accept-Encoding");
	bool packed = reads_gzip(asked);
	if (packed)
		bytes = asset_gzip(a, &size);
	snprintf(tag, sizeof tag, "\"%016llx%s\"", (unsigned long long)hash, packed ? "-gzip" : "");
	snprintf(length, sizeof length, "%zu", size);
	bool is_known = known && strcmp(known, tag) == 0;
	add_header(req, "ETag", tag);
	if (packed && !is_known)
		add_header(req, "Content-Encoding", "gzip");
	if (!is_known && evhttp_request_get_command(req) == EVHTTP_REQ_GET)
		evbuffer_add_reference(body, bytes, size, NULL, NULL);
	else if (!is_known)
		add_header(req, "Content-Length", length);
	evhttp_send_reply(req, is_known ? 304 : 200, NULL, body);
	evbuffer_free(body);
}

/* The connection of a request. */
static struct web_connection *connection_of(struct web *w, struct evhttp_request *req)
{
	struct bufferevent *wire = evhttp_connection_get_bufferevent(
		evhttp_request_get_connection(req));
	struct web_connection *c = w->connections;
	while (c->wire != wire)
		c++;
	return c;
}

/* --- a tab --- */

/* Ends the stream. The connection is closed after all output is sent. */
static void end_events(struct tab *t)
{
	struct evhttp_request *req = t->events;
	t->events = NULL;
	t->sending = false;
	t->left = clock_now();
	connection_of(t->web, req)->streams = false;
	evhttp_connection_set_closecb(evhttp_request_get_connection(req), NULL, NULL);
	evhttp_send_reply_end(req);
}

/* Gives a request for all answers back its connection. */
static struct evhttp_request *take_asked(struct tab *t)
{
	struct evhttp_request *req = t->asked;
	struct evhttp_connection *connection = evhttp_request_get_connection(req);
	t->asked = NULL;
	if (connection) {
		connection_of(t->web, req)->streams = false;
		evhttp_connection_set_closecb(connection, NULL, NULL);
		evhttp_connection_set_timeout(connection, SILENCE_MAX);
	}
	return req;
}

static void tab_free(struct tab *t)
{
	if (t->events)
		end_events(t);
	if (t->asked)
		reply_error(take_asked(t), 503, "the request was ended");
	text_free(&t->answers);
	session_destroy(t->session);
	event_free(t->change);
	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	t->web->tab_count--;
	server_note(&t->web->server, "game %d has ended\n", t->number);
	free(t);
}

/* session_setup.changed */
static void web_on_change(void *arg)
{
	struct tab *t = arg;
	event_add(t->change, &now);
}

static void on_sent(struct evhttp_connection *connection, void *arg)
{
	struct tab *t = arg;
	t->sending = false;
	web_on_change(t);
}

/* Streams whole events. */
static void send_events(struct tab *t, const char *bytes, size_t count)
{
	struct evbuffer *events = evbuffer_new();
	evbuffer_add(events, bytes, count);
	t->sending = true;
	evhttp_send_reply_chunk_with_cb(t->events, events, on_sent, t);
	evbuffer_free(events);
}

static void web_send_text(struct tab *t, const char *text)
{
	send_events(t, text, strlen(text));
}

/* Keeps the session's output for a request that waits for all answers, and replies when they are complete. */
static void settle_asked(struct tab *t)
{
	struct fifo *out = session_output(t->session);
	text_write(&t->answers, fifo_bytes(out), fifo_length(out));
	fifo_clear(out);
	session_resume(t->session);
	if (t->answers.length > ANSWERS_MAX) {
		reply_error(take_asked(t), 413, "the answers are too long");
		tab_free(t);
	} else if (session_is_over(t->session)) {
		char *json = events_collect(t->answers.bytes);
		reply(take_asked(t), 200, json);
		free(json);
		tab_free(t);
	}
}

/* Sends the session's output; frees the tab if the session is over. */
static void web_settle(evutil_socket_t fd, short what, void *arg)
{
	struct tab *t = arg;
	if (t->asked) {
		settle_asked(t);
		return;
	}
	struct fifo *out = session_output(t->session);
	if (t->events && !t->sending && fifo_length(out)) {
		send_events(t, fifo_bytes(out), fifo_length(out));
		fifo_clear(out);
		session_resume(t->session);
	}
	if (session_is_over(t->session))
		tab_free(t);
}

/* The page is gone, or does not read. */
static void on_gone(struct evhttp_connection *connection, void *arg)
{
	struct tab *t = arg;
	struct evhttp_request *req = t->events;
	t->events = NULL;
	t->sending = false;
	t->left = clock_now();
	evhttp_send_reply_end(req); /* frees it, for its connection has left it */
	session_set_reader(t->session, false);
}

/* The client of a request for all answers is gone. */
static void on_asked_gone(struct evhttp_connection *connection, void *arg)
{
	struct tab *t = arg;
	struct evhttp_request *req = t->asked;
	t->asked = NULL;
	evhttp_send_reply(req, 503, NULL, NULL); /* frees it, for its connection has left it */
	tab_free(t);
}

/* session_setup.note */
static void web_on_note(void *arg, const char *line, size_t length)
{
	struct tab *t = arg;
	server_note(&t->web->server, "game %d: %.*s", t->number, (int)length, line);
}

/* Returns NULL if the system has no file descriptors left. */
static struct tab *tab_create(struct web *w)
{
	struct tab *t = xcalloc(1, sizeof *t);
	*t = (struct tab) { .web = w, .number = ++w->server.number, .left = clock_now() };
	t->session = server_session(&w->server, t->number,
				    &(struct session_setup) {
					    .protocols = protocols_events,
					    .line_max = BODY_MAX,
					    .changed = web_on_change,
					    .note = web_on_note,
					    .arg = t,
				    });
	if (!t->session) {
		free(t);
		return NULL;
	}
	make_id(t->id);
	t->change = evtimer_new(w->server.loop.base, web_settle, t);
	session_set_reader(t->session, false);
	t->next = w->tabs;
	t->link = &w->tabs;
	if (t->next)
		t->next->link = &t->next;
	w->tabs = t;
	w->tab_count++;
	server_note(&w->server, "game %d begins\n", t->number);
	return t;
}

static struct tab *tab_find(struct web *w, const char *id)
{
	for (struct tab *t = w->tabs; t; t = t->next)
		if (strncmp(t->id, id, ID_LENGTH) == 0)
			return t;
	return NULL;
}

/* Returns the tab that has been without a page for longest, NULL if all have one. */
static struct tab *tab_abandoned(struct web *w)
{
	struct tab *oldest = NULL;
	for (struct tab *t = w->tabs; t; t = t->next)
		if (!t->events && !t->asked && (!oldest || t->left < oldest->left))
			oldest = t;
	return oldest;
}

/* --- requests --- */

/* Returns true if the browser of a request has as many streams as leave it one connection: the requests of one more page
 * would wait for ever, and those of the others with them. Clients without cookies have no such limit. */
static bool has_many_pages(struct web *w, struct evhttp_request *req)
{
	char own[ID_LENGTH + 1], other[ID_LENGTH + 1];
	int pages = 0;
	if (!read_browser(req, own))
		return false;
	for (struct tab *t = w->tabs; t; t = t->next)
		pages += t->events && read_browser(t->events, other) && strcmp(own, other) == 0;
	return pages >= PAGES_MAX;
}

/* Makes room for a game and creates it. Returns NULL after an error reply. */
static struct tab *open_tab(struct web *w, struct evhttp_request *req)
{
	struct tab *abandoned = tab_abandoned(w);
	bool is_full = w->tab_count >= w->server.setting->clients;
	if (has_many_pages(w, req)) {
		reply_error(req, 503, "this browser has five pages of yomi open: close one");
		return NULL;
	}
	if (!bucket_take(&w->games, GAMES_RATE, GAMES_BURST)) {
		reply_often(req, "too many new games");
		return NULL;
	}
	if (is_full && !abandoned) {
		reply_error(req, 503, "too many games: close one that is open in another tab");
		return NULL;
	}
	if (is_full)
		tab_free(abandoned);
	struct tab *t = tab_create(w);
	if (!t)
		reply_error(req, 503, "no descriptors left for another game");
	return t;
}

static void make_game(struct web *w, struct tab *none, struct evhttp_request *req)
{
	char json[ID_LENGTH + 16];
	struct tab *t = open_tab(w, req);
	if (!t)
		return;
	snprintf(json, sizeof json, "{\"game\":\"%s\"}", t->id);
	reply(req, 201, json);
}

/* Notices if the client of a request closes its connection before the reply, for which both may wait as long as it takes.
 * evhttp reads on only when it writes; what arrives meanwhile waits. */
static void watch_for_end(struct evhttp_request *req)
{
	struct bufferevent *wire = evhttp_connection_get_bufferevent(
		evhttp_request_get_connection(req));
	bufferevent_data_cb on_write;
	bufferevent_event_cb on_event;
	void *arg;
	bufferevent_getcb(wire, NULL, &on_write, &on_event, &arg);
	bufferevent_setcb(wire, NULL, on_write, on_event, arg);
	bufferevent_set_timeouts(wire, NULL, NULL);
	bufferevent_enable(wire, EV_READ);
}

/* Runs lines in a game of their own and replies with all answers. */
static void web_ask(struct web *w, struct tab *none, struct evhttp_request *req)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(req);
	size_t length = evbuffer_get_length(body);
	if (length > BODY_MAX) {
		reply_error(req, 413, "too many lines at once");
		return;
	}
	struct tab *t = open_tab(w, req);
	if (!t)
		return;
	t->asked = req;
	connection_of(w, req)->streams = true; /* it may be silent while yomi thinks */
	evhttp_connection_set_closecb(evhttp_request_get_connection(req), on_asked_gone, t);
	watch_for_end(req);
	session_set_reader(t->session, true);
	if (length)
		session_input(t->session, (const char *)evbuffer_pullup(body, -1), length);
	session_input_end(t->session);
	web_on_change(t);
}

static void web_take_lines(struct web *w, struct tab *t, struct evhttp_request *req)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(req);
	size_t length = evbuffer_get_length(body);
	if (length > BODY_MAX) {
		reply_error(req, 413, "too many lines at once");
	} else if (!bucket_take(&t->lines, LINES_RATE, LINES_BURST)) {
		reply_often(req, "too many requests");
	} else if (!session_takes_input(t->session)) {
		reply_error(req, 503, "too many commands wait");
	} else {
		const char *lines = (const char *)evbuffer_pullup(body, -1);
		reply(req, 204, "");
		if (length)
			session_input(t->session, lines, length);
		/* The end of a request also ends its last line. */
		if (!length || lines[length - 1] != '\n')
			session_input(t->session, "\n", 1);
	}
}

static void stream_events(struct web *w, struct tab *t, struct evhttp_request *req)
{
	struct evhttp_connection *connection = evhttp_request_get_connection(req);
	struct bufferevent *wire = evhttp_connection_get_bufferevent(connection);
	struct timeval stall = { .tv_sec = STALL_MAX };
	if (!t->events && has_many_pages(w, req)) {
		reply_error(req, 503, "this browser has five pages of yomi open: close one");
		return;
	}
	if (t->events) {
		/* The page has reconnected, or is open twice: the newer connection gets the stream. */
		web_send_text(t, "event: taken\ndata: {}\n\n");
		end_events(t);
	}
	add_common_headers(req, "text/event-stream", "no-store");
	add_header(req, "Connection", "close");
	socket_limit_unsent(bufferevent_getfd(wire), SENT_MAX);
	bufferevent_set_timeouts(wire, NULL, &stall);
	evhttp_connection_set_closecb(connection, on_gone, t);
	evhttp_send_reply_start(req, 200, "OK");
	t->events = req;
	connection_of(w, req)->streams = true;
	session_set_reader(t->session, true);
}

static void end_game(struct web *w, struct tab *t, struct evhttp_request *req)
{
	reply(req, 204, "");
	tab_free(t);
}

/* Requests other than for the page's files. `path` follows the game's id if `of_game`. */
static const struct action {
	const char *path;
	bool of_game;
	enum evhttp_cmd_type method;
	const char *allowed; /* all methods of the path */
	void (*take)(struct web *, struct tab *, struct evhttp_request *);
} actions[] = {
	{ "/game", false, EVHTTP_REQ_POST, "POST", make_game },
	{ "/ask", false, EVHTTP_REQ_POST, "POST", web_ask },
	{ "", true, EVHTTP_REQ_POST, "POST, DELETE", web_take_lines },
	{ "", true, EVHTTP_REQ_DELETE, "POST, DELETE", end_game },
	{ "/events", true, EVHTTP_REQ_GET, "GET", stream_events },
	{ "/end", true, EVHTTP_REQ_POST, "POST", end_game },
};

static void reply_method(struct evhttp_request *req, const char *allowed)
{
	add_header(req, "Allow", allowed);
	reply_error(req, 405, "this method is not allowed for this address");
}

static void take_action(struct web *w, struct evhttp_request *req, const char *path)
{
	static const char prefix[] = "/game/";
	size_t prefix_length = sizeof prefix - 1;
	bool of_game = strncmp(path, prefix, prefix_length) == 0;
	struct tab *t = NULL;
	const char *allowed = NULL;
	if (of_game) {
		path += prefix_length;
		t = strnlen(path, ID_LENGTH) == ID_LENGTH ? tab_find(w, path) : NULL;
		path += t ? ID_LENGTH : 0;
	}
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
		const struct action *a = &actions[i];
		if (a->of_game != of_game || of_game != (t != NULL) || strcmp(path, a->path) != 0)
			continue;
		if (a->method == evhttp_request_get_command(req)) {
			a->take(w, t, req);
			return;
		}
		allowed = a->allowed;
	}
	if (allowed)
		reply_method(req, allowed);
	else
		reply_error(req, 404,
			    of_game && !t ? "there is no such game" : "there is nothing here");
}

/* The characters of a header's name (RFC 9110, 5.6.2). */
#define TOKEN                                                                                      \
	"!#$%&'*+-.^_`|~0123456789"                                                                \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Returns true if there is no doubt where a request ends (RFC 9112, 5 and 6.3). Otherwise a server between the client and us
 * may take a part of its body for another request. */
static bool is_well_framed(struct evhttp_request *req)
{
	int lengths = 0;
	for (struct evkeyval *h = first_header(req); h; h = h->next.tqe_next) {
		bool is_length = strcasecmp(h->key, "Content-Length") == 0;
		bool is_coding = strcasecmp(h->key, "Transfer-Encoding") == 0;
		if (!*h->key || h->key[strspn(h->key, TOKEN)] || strchr(h->value, '\r'))
			return false;
		if (is_length && (!*h->value || h->value[strspn(h->value, "0123456789")]))
			return false;
		if (is_coding && (strcasecmp(h->value, "chunked") != 0 || req->minor == 0))
			return false;
		lengths += is_length || is_coding;
	}
	return lengths <= 1;
}

/* Returns true if Host is an IP address (a loopback one, unless `anywhere`) or `localhost`: anybody can
 * make other names lead here. Any port is allowed, because ports may be forwarded. */
static bool is_our_host(const struct web *w, const char *host)
{
	static const char name[] = "localhost";
	union address a = { 0 };
	int length;
	size_t n = sizeof name - 1;
	if (strncasecmp(host, name, n) == 0 && (!host[n] || host[n] == ':'))
		return true;
	return address_parse(&a, &length, host) &&
	       (w->server.setting->anywhere || address_is_loopback(&a));
}

static bool has_header(struct evhttp_request *req, const char *name, const char *value)
{
	const char *found = header(req, name);
	return found && strcmp(found, value) == 0;
}

/* Returns true if the request comes from our own page, from the user, or not from a browser. Other sites
 * may only link to us. */
static bool is_our_origin(struct evhttp_request *req, const char *host)
{
	struct evkeyvalq *headers = evhttp_request_get_input_headers(req);
	const char *origin = header(req, "Origin");
	if (evhttp_find_header(headers, "Origin") &&
	    (!origin || strncmp(origin, "http://", 7) != 0 || strcasecmp(origin + 7, host) != 0))
		return false;
	return !evhttp_find_header(headers, "Sec-Fetch-Site") ||
	       has_header(req, "Sec-Fetch-Site", "same-origin") ||
	       has_header(req, "Sec-Fetch-Site", "none") ||
	       (evhttp_request_get_command(req) == EVHTTP_REQ_GET &&
		has_header(req, "Sec-Fetch-Dest", "document"));
}

static void on_request(struct evhttp_request *req, void *arg)
{
	struct web *w = arg;
	const char *host = header(req, "Host"), *uri = evhttp_request_get_uri(req);
	const struct asset *a;
	struct web_connection *c = connection_of(w, req);
	char path[64];
	c->heard = clock_now();
	c->requested = true;
	if (!is_well_framed(req)) {
		add_header(req, "Connection", "close");
		reply_error(req, 400, "the headers leave in doubt where the request ends");
		return;
	}
	if (!host || !is_our_host(w, host)) {
		reply_error(req, 403, "open this server by its IP address or as localhost");
		return;
	}
	if (!is_our_origin(req, host)) {
		reply_error(req, 403, "only this server's own page may send requests");
		return;
	}
	snprintf(path, sizeof path, "%.*s", (int)strcspn(uri, "?"), uri);
	a = path[0] == '/' ? asset_find(path[1] ? path + 1 : "index.html") : NULL;
	enum evhttp_cmd_type method = evhttp_request_get_command(req);
	if (!a) {
		take_action(w, req, path);
	} else if (method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD) {
		if (path[1] == '\0')
			name_browser(req);
		reply_asset(req, a);
	} else {
		reply_method(req, "GET, HEAD");
	}
}

/* --- connections --- */

/* Removes ended connections from the list and accepts new ones again. */
static void count_connections(struct web *w)
{
	int kept = 0;
	for (int i = 0; i < w->connection_count; i++) {
		bufferevent_event_cb callback;
		bufferevent_getcb(w->connections[i].wire, NULL, NULL, &callback, NULL);
		if (callback)
			w->connections[kept++] = w->connections[i];
		else
			bufferevent_decref(w->connections[i].wire);
	}
	w->connection_count = kept;
	evconnlistener_enable(w->server.listener);
}

/* Ends a connection in the way of an evhttp timeout. */
static void web_drop(struct web_connection *c)
{
	bufferevent_trigger_event(c->wire, BEV_EVENT_READING | BEV_EVENT_TIMEOUT, 0);
}

/* Ends the connection with the oldest request. */
static void web_make_room(struct web *w)
{
	struct web_connection *oldest = NULL;
	for (int i = 0; i < w->connection_count; i++) {
		struct web_connection *c = &w->connections[i];
		if (!c->streams && (!oldest || c->heard < oldest->heard))
			oldest = c;
	}
	if (oldest)
		web_drop(oldest);
}

/* Ends connections that sent no request in time. evhttp's own timeout covers those with unsent output. */
static void drop_late(struct web *w)
{
	int64_t time = clock_now();
	for (int i = 0; i < w->connection_count; i++) {
		struct web_connection *c = &w->connections[i];
		int64_t limit = c->requested ? SILENCE_MAX : REQUEST_MAX;
		if (!c->streams && time - c->heard >= limit * 1000000000 &&
		    evbuffer_get_length(bufferevent_get_output(c->wire)) == 0)
			web_drop(c);
	}
}

/* Callback of evhttp: creates the bufferevent of the next connection. */
static struct bufferevent *on_connection(struct event_base *base, void *arg)
{
	struct web *w = arg;
	/* Close the descriptor with the bufferevent, not earlier: another connection could reuse its
	 * number. */
	struct bufferevent *b = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (!b)
		loop_die("no connection");
	bufferevent_setwatermark(b, EV_READ, 0, INPUT_MAX);
	bufferevent_incref(b);
	count_connections(w);
	if (w->connection_count == w->connections_max) {
		web_make_room(w);
		count_connections(w);
	}
	assert(w->connection_count < w->connections_max);
	w->connections[w->connection_count++] = (struct web_connection) { .wire = b,
									  .heard = clock_now() };
	return b;
}

/* No file descriptors for a connection: it waits until count_connections(). The argument belongs to
 * evhttp. */
static void web_on_refused(struct evconnlistener *listener, void *arg)
{
	evconnlistener_disable(listener);
}

static void web_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct web *w = arg;
	int64_t idle = (int64_t)w->server.setting->idle * 1000000000, time = clock_now();
	drop_late(w);
	count_connections(w);
	w->ticks++;
	for (struct tab *t = w->tabs, *next; t; t = next) {
		next = t->next;
		if (t->events && !t->sending && w->ticks % BEAT == 0)
			web_send_text(t, ":\n\n");
		else if (!t->events && !t->asked && idle && time - t->left >= idle)
			tab_free(t);
	}
}

/* --- the server --- */

int web_open(struct web **out, const struct start *start, const struct serving *serving)
{
	struct web *w = xcalloc(1, sizeof *w);
	int status = server_open(&w->server, start, serving);
	if (status) {
		free(w);
		return status;
	}
	w->connections_max = CONNECTIONS(serving->clients);
	w->http = evhttp_new(w->server.loop.base);
	w->housekeeping = event_new(w->server.loop.base, -1, EV_PERSIST, web_on_tick, w);
	if (!w->http || !w->housekeeping)
		loop_die("cannot create the web server");
	event_add(w->housekeeping, &tick);
	evhttp_set_max_headers_size(w->http, HEADERS_MAX);
	evhttp_set_max_body_size(w->http, BODY_READ);
	evhttp_set_timeout(w->http, SILENCE_MAX);
	/* Allow all methods here: on_request() refuses them. */
	evhttp_set_allowed_methods(w->http, UINT16_MAX);
	evhttp_set_bevcb(w->http, on_connection, w);
	evhttp_set_gencb(w->http, on_request, w);
	evconnlistener_set_error_cb(w->server.listener, web_on_refused);
	if (!evhttp_bind_listener(w->http, w->server.listener))
		loop_die("cannot create the web server");
	*out = w;
	return 0;
}

int web_close(struct web *w)
{
	while (w->tabs)
		tab_free(w->tabs);
	evhttp_free(w->http); /* also frees the listener */
	w->server.listener = NULL;
	for (int i = 0; i < w->connection_count; i++)
		bufferevent_decref(w->connections[i].wire);
	event_free(w->housekeeping);
	int status = server_close(&w->server);
	free(w);
	return status;
}

struct server *web_server(struct web *w)
{
	return &w->server;
}

/* Prints the URL at which a browser on this machine reaches a listening address. */
static void print_place(union address a)
{
	char text[ADDRESS_MAX];
	if (a.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&a.six.sin6_addr))
		a.six.sin6_addr = in6addr_loopback;
	else if (a.any.sa_family == AF_INET && a.four.sin_addr.s_addr == INADDR_ANY)
		a.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address_format(&a, text);
	printf("http://%s/\n", text);
	fflush(stdout);
}

int web_run(const struct start *start, const struct serving *serving)
{
	struct web *w;
	int status = web_open(&w, start, serving);
	if (status)
		return status;
	print_place(w->server.bound);
	event_base_dispatch(w->server.loop.base);
	return web_close(w);
}
