/* SPDX-License-Identifier: MIT
 *
 * Bytes that any client sends to the web server over one connection. `@@` stands for the id of a game that a
 * page has open. For every input the page's stream has whole events only, replies are well-formed, and the
 * next client is served.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <unistd.h>

#include "protocol/gtp/commands.h"
#include "protocol/program/tables.h"
#include "protocol/web/web.h"
#include "tests/fuzz/fuzz.h"

#define PLAYOUTS      24
#define SEARCH_TIME   0.004 /* seconds */
#define PIECE_LENGTHS 37
#define PATIENCE      5 /* milliseconds to wait for more events of the page's game */
#define QUIET         4 /* polls in a row without new output */
#define ID_LENGTH     32
#define HOST          "Host: 127.0.0.1\r\n"

struct wire {
	int fd;
	char *text; /* output so far */
	size_t length;
	FILE *heard;
	bool ended;
};

static struct event_base *base;

static void wire_open(struct wire *w, const struct server *v)
{
	struct linger reset = { .l_onoff = 1 };
	*w = (struct wire) { .fd = socket(AF_INET, SOCK_STREAM, 0) };
	/* The fuzzer's timer may interrupt the call; try again. */
	int failed = connect(w->fd, &v->bound.any, sizeof v->bound.four) < 0 && errno != EINTR;
	assert(!failed);
	/* Close without TIME_WAIT; otherwise the fuzzer would run out of ports. */
	setsockopt(w->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	w->heard = open_memstream(&w->text, &w->length);
	assert(w->heard);
}

static void wire_close(struct wire *w)
{
	fclose(w->heard);
	free(w->text);
	close(w->fd);
}

/* Runs the loop once and reads what has arrived. */
static void wire_hear(struct wire *w)
{
	char bytes[4096];
	ssize_t n;
	event_base_loop(base, EVLOOP_NONBLOCK);
	while ((n = recv(w->fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
		fwrite(bytes, 1, (size_t)n, w->heard);
	w->ended |= n == 0 || (errno != EAGAIN && errno != EINTR);
	fflush(w->heard);
}

static void wire_tell(struct wire *w, const char *bytes, size_t n)
{
	while (n && !w->ended) {
		ssize_t sent = send(w->fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent > 0) {
			bytes += sent;
			n -= (size_t)sent;
		} else if (errno != EAGAIN && errno != EINTR) {
			return;
		}
		wire_hear(w);
	}
}

/* Reads until the server, which runs on this thread only, sends nothing more. */
static void wire_finish(struct wire *w)
{
	size_t before;
	do {
		before = w->length;
		for (int i = 0; i < QUIET && w->length == before; i++)
			wire_hear(w);
	} while (w->length > before && !w->ended);
}

/* Sends a valid request. Returns the status. */
static int ask(const struct server *v, const char *request, char id[ID_LENGTH + 1])
{
	struct wire w;
	int status = 0;
	wire_open(&w, v);
	wire_tell(&w, request, strlen(request));
	while (w.length == 0 && !w.ended)
		wire_hear(&w);
	wire_finish(&w);
	sscanf(w.text, "HTTP/1.1 %d", &status);
	const char *game = strstr(w.text, "{\"game\":\"");
	if (id && game)
		snprintf(id, ID_LENGTH + 1, "%s", game + 9);
	wire_close(&w);
	return status;
}

/* The input with the game's id filled in. The caller frees it. */
static char *name_game(const char *input, size_t size, const char *id, size_t *length)
{
	char *text;
	FILE *f = open_memstream(&text, length);
	assert(f);
	for (size_t i = 0; i < size; i++) {
		bool is_name = i + 1 < size && input[i] == '@' && input[i + 1] == '@';
		fwrite(is_name ? id : input + i, 1, is_name ? ID_LENGTH : 1, f);
		i += is_name;
	}
	fclose(f);
	return text;
}

/* Joins the chunks of a body, as far as it has arrived. */
static char *join_chunks(char *body, size_t length)
{
	char *to = body, *end = body + length, *at = body;
	for (char *line; (line = memchr(at, '\n', (size_t)(end - at)));) {
		size_t n = strtoul(at, NULL, 16);
		at = line + 1;
		if (n == 0 || n + 2 > (size_t)(end - at))
			break;
		assert(at[n] == '\r' && at[n + 1] == '\n');
		memmove(to, at, n);
		to += n;
		at += n + 2;
	}
	*to = '\0';
	return body;
}

/* Checks that each event is whole and holds valid JSON. */
static void check_events(char *text, size_t length)
{
	char *body = strstr(text, "\r\n\r\n");
	if (!body)
		return;
	assert(strncmp(text, "HTTP/1.1 200 ", 13) == 0);
	body += 4;
	char *at = join_chunks(body, length - (size_t)(body - text));
	for (char *end; *at; at = end + 2) {
		char name[16], *data = strstr(at, "\ndata: ");
		end = strstr(at, "\n\n");
		assert(end);
		*end = '\0';
		if (*at == ':')
			continue;
		int fields = sscanf(at, "event: %15s", name);
		assert(fields == 1 && data);
		json_t *told = json_loads(data + 7, 0, NULL);
		bool is_taken = strcmp(name, "taken") == 0;
		assert(json_is_object(told));
		assert(is_taken || json_is_string(json_object_get(told, "text")));
		assert(is_taken || strcmp(name, "line") == 0 ||
		       (strcmp(name, "answer") == 0 &&
			json_is_boolean(json_object_get(told, "ok"))));
		json_decref(told);
	}
}

static const struct options *small_options(void)
{
	static struct options options;
	options_init(&options);
	options.threads = options.memory = 1;
	options.playouts = PLAYOUTS;
	options.time = SEARCH_TIME;
	options.seed = 1;
	return &options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct serving serving = { .address = "127.0.0.1:0", .clients = 2 };
	struct start start = { .game = games[0], .options = small_options() };
	struct web *web;
	struct wire page, wire;
	char id[ID_LENGTH + 1] = "", request[256];
	char *input = fuzz_text(data, size);
	size_t length, piece = 1 + size % PIECE_LENGTHS;
	commands_use(tables_commands);
	int status = web_open(&web, &start, &serving);
	assert(status == 0);
	const struct server *v = web_server(web);
	base = v->loop.base;

	status = ask(v, "POST /game HTTP/1.1\r\n" HOST "\r\n", id);
	assert(status == 201 && strlen(id) == ID_LENGTH);
	wire_open(&page, v);
	snprintf(request, sizeof request, "GET /game/%s/events HTTP/1.1\r\n" HOST "\r\n", id);
	wire_tell(&page, request, strlen(request));
	while (page.length == 0 && !page.ended)
		wire_hear(&page);

	char *text = name_game(input, size, id, &length), *at = text;
	wire_open(&wire, v);
	for (size_t n; length; at += n, length -= n) {
		n = length < piece * piece ? length : piece * piece;
		wire_tell(&wire, at, n);
		wire_hear(&page);
	}
	wire_finish(&wire);
	assert(wire.length == 0 || strncmp(wire.text, "HTTP/", 5) == 0);
	for (int i = 0; i < PATIENCE && !page.ended; i++) {
		poll(NULL, 0, 1);
		wire_hear(&page);
	}
	check_events(page.text, page.length);
	wire_close(&wire);
	wire_close(&page);
	status = ask(v, "GET / HTTP/1.1\r\n" HOST "\r\n", NULL);
	assert(status == 200);
	snprintf(request, sizeof request, "DELETE /game/%s HTTP/1.1\r\n" HOST "\r\n", id);
	status = ask(v, request, NULL);
	assert(status == 204 || status == 404);
	web_close(web);
	free(text);
	free(input);
	return 0;
}
