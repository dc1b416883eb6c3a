/* SPDX-License-Identifier: MIT
 *
 * latency and web: how late answers come when every processor is busy. A witness (tools/check/witness.h) measures how late short
 * sleeps end meanwhile: that part of the lateness is the machine's.
 *
 * latency lets an engine play against itself with a fixed time per move, while threads keep the processors busy.
 *
 * web opens more pages of `yomi web` than there are processors. Each page has a thread that reads its reports and at intervals
 * sends its game a command, which ends the analysis. The main thread requests a file of the page.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/thread.h"
#include "engine/search/common/control.h"
#include "tools/check/witness.h"
#include "tools/lib/client.h"
#include "tools/lib/message.h"
#include "tools/lib/process.h"
#include "tools/measuring/measuring.h"

#define PATIENCE      60.0 /* seconds */
#define GOAL_PART     0.99
#define GOAL_MS       20.0
#define GAME_MOVES    30 /* of a game of latency: the last moves need little thinking */
#define PROBE_SECONDS 0.01
#define ANALYSIS      0.5 /* seconds */
#define HOST          "Host: 127.0.0.1\r\n"

static atomic_bool done;

/* Prints the lateness of the machine, and whether the goal is met. Returns the exit status. */
static int delays_end(const char *goal, bool met)
{
	series_print(witness_delays(), "sleeps");
	witness_free();
	printf("goal (%s): %s\n", goal, met ? "met" : "missed");
	return met ? 0 : 1;
}

/* --- latency --- */

static void *latency_burn(void *arg)
{
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		;
	return arg;
}

/* Lets the engine make `count` moves. Passes are played but not counted. */
static bool latency_play(struct client *c, int count, double seconds, struct series *delays)
{
	for (int side = 0, in_game = 0, passes = 2; delays->count < count; side ^= 1, in_game++) {
		if (passes == 2 || in_game == GAME_MOVES) {
			if (!client_tell(c, PATIENCE, "clear_board"))
				return false;
			side = in_game = passes = 0;
		}
		int64_t start = clock_now();
		if (!client_tell(c, PATIENCE, side ? "genmove white" : "genmove black"))
			return false;
		double used = clock_since(start);
		passes = strcasecmp(c->text, "pass") == 0 ? passes + 1 : 0;
		if (passes == 0)
			series_add(delays, (used - seconds) * 1e3);
	}
	return true;
}

int latency_run(const struct arguments *a)
{
	const struct measuring *flags = a->values;
	struct client c = { 0 };
	struct series moves = { 0 };
	pthread_t burners[BURNERS_MAX];
	int started = 0;
	char command[64];
	stream_ignore_broken_pipes();
	client_start(&c, a->count ? a->words[0] : "./yomi --book=0", stderr, -1);
	snprintf(command, sizeof command, "set_time %g", flags->time);
	witness_start(clock_now(), 1, 0);
	while (started < flags->burners && thread_start(&burners[started], latency_burn, NULL) == 0)
		started++;
	bool good = started == flags->burners && client_tell(&c, PATIENCE, command) &&
		    latency_play(&c, flags->moves, flags->time, &moves);
	atomic_store(&done, true);
	while (started)
		pthread_join(burners[--started], NULL);
	witness_stop();
	client_quit(&c);
	if (!good)
		return EXIT_USAGE;
	printf("%g s a move, milliseconds behind time\n", flags->time);
	series_print_heading();
	series_print(&moves, "moves");
	bool met = series_quantile(&moves, GOAL_PART) <= 0 && series_quantile(&moves, 1) <= GOAL_MS;
	series_free(&moves);
	return delays_end("99 % in time, none later than 20 ms", met);
}

/* --- web --- */

struct delays_page {
	pthread_t thread;
	const char *game;
	struct connection lines, events;
	char path[48]; /* of the game */
	double work;   /* playouts and nodes of all its analyses */
	struct series delays;
	bool good;
};

/* Sends a request and receives the reply. Returns false if it has another status. */
static bool delays_ask(struct connection *c, const char *request, const char *status, char **body)
{
	char *head;
	int64_t deadline = clock_now() + (int64_t)(PATIENCE * 1e9);
	if (!connection_send(c, request, strlen(request), PATIENCE) ||
	    connection_receive_to(c, "\r\n\r\n", PATIENCE, &head) != RECEIVED_TEXT ||
	    !strstr(head, status))
		return false;
	const char *size = strstr(head, "\r\nContent-Length: ");
	size_t length = size ? strtoul(size + 18, NULL, 10) : 0;
	while (c->length - c->at < length)
		if (connection_receive_more(c, deadline) != RECEIVED_TEXT)
			return false;
	*body = c->input + c->at;
	c->at += length;
	return true;
}

/* Sends a GTP line. Returns false on failure. */
static bool delays_say(struct delays_page *p, const char *line)
{
	char *body,
		*request = xasprintf("POST %s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n\r\n%s",
				     p->path, strlen(line), line);
	bool good = delays_ask(&p->lines, request, "HTTP/1.1 204", &body);
	free(request);
	return good;
}

static bool delays_open(struct delays_page *p, int port)
{
	char *body, request[128], id[33];
	if (!connection_open(&p->lines, port) || !connection_open(&p->events, port) ||
	    !delays_ask(&p->lines, "POST /game HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n",
			"HTTP/1.1 201", &body) ||
	    sscanf(body, " {\"game\":\"%32[0-9a-f]", id) != 1)
		return false;
	snprintf(p->path, sizeof p->path, "/game/%s", id);
	snprintf(request, sizeof request, "GET %s/events HTTP/1.1\r\n" HOST "\r\n", p->path);
	return delays_ask(&p->events, request, "HTTP/1.1 200", &body);
}

/* Returns the number after the last occurrence of a name in reports; 0 if there is none. */
static double delays_last(const char *text, const char *name)
{
	double last = 0;
	for (; (text = strstr(text, name)); text += strlen(name))
		last = atof(text + strlen(name));
	return last;
}

/* The thread of a page. */
static void *delays_analyse(void *page)
{
	struct delays_page *p = page;
	struct connection *events = &p->events;
	char line[64], *text;
	snprintf(line, sizeof line, "1 set_game %s", p->game);
	p->good = delays_say(p, line) && connection_receive_to(events, "\"id\":1,\"ok\"", PATIENCE,
							       &text) == RECEIVED_TEXT;
	while (p->good && !atomic_load(&done)) {
		p->good = delays_say(p, "2 yomi-analyze");
		connection_receive_to(events, "\"id\":2,\"ok\"", ANALYSIS, &text);
		int64_t start = clock_now();
		p->good = p->good && delays_say(p, "3 name") &&
			  connection_receive_to(events, "\"id\":3,\"ok\"", PATIENCE, &text) ==
				  RECEIVED_TEXT;
		series_add(&p->delays, clock_since(start) * 1e3);
		p->work += delays_last(text, "\\\"playouts\\\":") +
			   delays_last(text, "\\\"nodes\\\":");
	}
	return NULL;
}

/* Requests a file repeatedly. */
static bool delays_probe(int port, int seconds, struct series *delays)
{
	struct connection c;
	char *body;
	bool good = connection_open(&c, port);
	for (int64_t begin = clock_now(); good && clock_since(begin) < seconds;) {
		thread_sleep((int64_t)(PROBE_SECONDS * 1e9));
		int64_t start = clock_now();
		good = delays_ask(&c, "GET /text.js HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200",
				  &body);
		series_add(delays, clock_since(start) * 1e3);
	}
	connection_free(&c);
	return good;
}

/* Measures with all pages open. Returns false on failure. */
static bool delays_measure(struct delays_page *pages, int count, int port, int seconds,
			   struct series *files, struct series *commands)
{
	bool good = true;
	int started = 0;
	for (int i = 0; i < count && good; i++) {
		pages[i].game = i % 2 ? "pentago" : "othello";
		good = delays_open(&pages[i], port);
	}
	witness_start(clock_now(), 1, 0);
	while (good && started < count &&
	       thread_start(&pages[started].thread, delays_analyse, &pages[started]) == 0)
		started++;
	good = started == count && delays_probe(port, seconds, files);
	atomic_store(&done, true);
	witness_stop();
	for (struct delays_page *p = pages; p < pages + started; p++) {
		pthread_join(p->thread, NULL);
		good = good && p->good;
		for (int i = 0; i < p->delays.count; i++)
			series_add(commands, p->delays.values[i]);
		series_free(&p->delays);
		connection_free(&p->lines);
		connection_free(&p->events);
	}
	return good;
}

int web_latency_run(const struct arguments *a)
{
	static struct delays_page pages[PAGES_MAX];
	const struct measuring *flags = a->values;
	struct series files = { 0 }, commands = { 0 };
	struct connection server;
	char clients[16], *line;
	int port;
	snprintf(clients, sizeof clients, "%d", flags->pages);
	stream_ignore_broken_pipes();
	const char *const argv[] = { a->count ? a->words[0] : "./yomi",
				     "web",
				     "0",
				     "--no-config",
				     "--clients",
				     clients,
				     NULL };
	bool good = connection_start(&server, argv, stderr);
	if (!good || connection_receive_to(&server, "\n", PATIENCE, &line) != RECEIVED_TEXT ||
	    sscanf(line, "http://127.0.0.1:%d/", &port) != 1) {
		message("there is no server");
		return EXIT_USAGE;
	}
	good = delays_measure(pages, flags->pages, port, flags->seconds, &files, &commands);
	double mib = process_memory(server.pid, "VmHWM") / 1024;
	connection_free(&server);
	if (!good) {
		message("the server does not answer as it should");
		return EXIT_USAGE;
	}
	printf("%d pages analyse, milliseconds to an answer\n", flags->pages);
	series_print_heading();
	series_print(&files, "page");
	series_print(&commands, "games");
	/* Pages of the same game, as many units a second as they got. */
	for (int first = 0; first < 2 && first < flags->pages; first++) {
		double least = INFINITY, most = 0;
		for (int i = first; i < flags->pages; i += 2) {
			least = fmin(least, pages[i].work / flags->seconds);
			most = fmax(most, pages[i].work / flags->seconds);
		}
		printf("%s: playouts and nodes a second of a page %.0f to %.0f\n",
		       pages[first].game, least, most);
	}
	printf("memory in use at most %.0f MiB\n", mib);
	bool met = series_quantile(&files, GOAL_PART) <= GOAL_MS &&
		   series_quantile(&commands, GOAL_PART) <= GOAL_MS;
	series_free(&files);
	series_free(&commands);
	return delays_end("99 % within 20 ms", met);
}
