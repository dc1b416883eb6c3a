/* SPDX-License-Identifier: MIT
 *
 * weblatency: measures how soon `yomi web` answers while more pages analyse than there are processors. Each
 * page has a thread that reads its reports and at intervals sends its game a command, which ends the
 * analysis. The main thread requests a file of the page. Another thread measures how late short sleeps end:
 * that part of the delay is the machine's.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"
#include "protocol/program/program.h"
#include "tools/lib/process.h"
#include "tools/lib/series.h"

#define PATIENCE   30 /* seconds */
#define PAGES_MAX  64
#define PROBE_MS   10
#define ANALYSE_MS 500
#define GOAL_MS    20.0 /* goal for 99 % of all answers */
#define GOAL_PART  0.99
#define HOST       "Host: 127.0.0.1\r\n"

struct weblatency_page {
	pthread_t thread;
	const char *game;
	char id[33];
	int lines, stream; /* connections for commands and for events */
	char *text;        /* text received from the event stream */
	size_t length, room;
	double playouts; /* total of all its analyses */
	struct series delays;
	bool failed;
};

static int port;
static atomic_bool done;

static double ms_since(int64_t start)
{
	return (double)(clock_now() - start) / 1e6;
}

static void nap(int ms)
{
	nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000l }, NULL);
}

static int weblatency_join(void)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct timeval patience = { .tv_sec = PATIENCE };
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Sends a request and reads the reply, with or without a length. Returns its status, 0 if there was no
 * reply. */
__attribute__((format(printf, 4, 5))) static int request(int fd, char *reply, size_t room,
							 const char *format, ...)
{
	char text[512];
	va_list args;
	size_t length = 0, wanted = 0;
	int status = 0;
	va_start(args, format);
	int n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
		return 0;
	while (wanted == 0 || length < wanted) {
		ssize_t got = recv(fd, reply + length, room - 1 - length, 0);
		if (got <= 0)
			return 0;
		length += (size_t)got;
		reply[length] = '\0';
		char *end = strstr(reply, "\r\n\r\n"),
		     *size = strstr(reply, "\r\nContent-Length: ");
		if (end && wanted == 0)
			wanted = (size_t)(end + 4 - reply) +
				 (size && size < end ? strtoul(size + 18, NULL, 10) : 0);
	}
	sscanf(reply, "HTTP/1.1 %d", &status);
	return status;
}

static bool weblatency_say(struct weblatency_page *p, const char *lines)
{
	char reply[4096];
	return request(p->lines, reply, sizeof reply,
		       "POST /game/%s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n\r\n%s", p->id,
		       strlen(lines), lines) == 204;
}

/* Reads the stream until it contains `wanted`, for at most `ms` milliseconds; 0: until the socket times
 * out. Returns true if it was found. */
static bool listen_for(struct weblatency_page *p, const char *wanted, int ms)
{
	int64_t start = clock_now();
	size_t from = 0;
	while (!strstr(p->text + from, wanted)) {
		struct timeval patience = { .tv_sec = PATIENCE };
		double left = ms - ms_since(start);
		if (ms && left <= 0)
			return false;
		if (ms)
			patience = (struct timeval) { .tv_usec = (long)(left * 1000) + 1 };
		setsockopt(p->stream, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
		if (p->room - p->length < 65536) {
			p->room = 2 * p->room + 65536;
			p->text = xrealloc(p->text, p->room);
		}
		/* The text may be split between two reads. */
		from = p->length > strlen(wanted) ? p->length - strlen(wanted) : 0;
		ssize_t n = recv(p->stream, p->text + p->length, p->room - p->length - 1, 0);
		if (n > 0)
			p->length += (size_t)n;
		else if (!ms || n == 0)
			return false;
		p->text[p->length] = '\0';
	}
	return true;
}

static void weblatency_forget(struct weblatency_page *p)
{
	p->length = 0;
	*p->text = '\0';
}

static bool page_open(struct weblatency_page *p)
{
	char reply[4096], head[128];
	p->room = 65536;
	p->text = xcalloc(1, p->room);
	p->lines = weblatency_join();
	p->stream = weblatency_join();
	if (p->lines < 0 || p->stream < 0 ||
	    request(p->lines, reply, sizeof reply,
		    "POST /game HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n") != 201 ||
	    sscanf(strstr(reply, "\r\n\r\n"), " {\"game\":\"%32[0-9a-f]", p->id) != 1)
		return false;
	int n = snprintf(head, sizeof head, "GET /game/%s/events HTTP/1.1\r\n" HOST "\r\n", p->id);
	return send(p->stream, head, (size_t)n, MSG_NOSIGNAL) == n && listen_for(p, "\r\n\r\n", 0);
}

/* Returns the playouts in the last report of the stream. */
static double last_playouts(const struct weblatency_page *p)
{
	static const char name[] = "\\\"playouts\\\":";
	double last = 0;
	for (const char *at = p->text; (at = strstr(at, name)); at += sizeof name - 1)
		last = atof(at + sizeof name - 1);
	return last;
}

/* The thread of a page. */
static void *page_run(void *arg)
{
	struct weblatency_page *p = arg;
	char lines[64];
	snprintf(lines, sizeof lines, "1 set_game %s", p->game);
	p->failed = !weblatency_say(p, lines) || !listen_for(p, "\"id\":1,", 0);
	while (!p->failed && !atomic_load(&done)) {
		weblatency_forget(p);
		p->failed = !weblatency_say(p, "2 yomi-analyze");
		listen_for(p, "\"id\":2,\"ok\"", ANALYSE_MS);
		int64_t start = clock_now();
		p->failed |= !weblatency_say(p, "3 name") || !listen_for(p, "\"id\":3,\"ok\"", 0);
		series_add(&p->delays, ms_since(start));
		p->playouts += last_playouts(p);
	}
	return NULL;
}

static void *weblatency_sleep_often(void *arg)
{
	while (!atomic_load(&done)) {
		int64_t start = clock_now();
		nap(PROBE_MS);
		series_add(arg, ms_since(start) - PROBE_MS);
	}
	return NULL;
}

/* Requests a file repeatedly. */
static bool weblatency_probe(int seconds, struct series *delays)
{
	static char reply[1 << 20];
	int64_t begin = clock_now();
	int fd = weblatency_join(), status = 200;
	while (status == 200 && ms_since(begin) < seconds * 1e3) {
		nap(PROBE_MS);
		int64_t start = clock_now();
		status = request(fd, reply, sizeof reply, "GET /text.js HTTP/1.1\r\n" HOST "\r\n");
		series_add(delays, ms_since(start));
	}
	close(fd);
	return status == 200;
}

/* Starts the server and sets `port`. Returns its process ID, or -1 on failure. */
static pid_t server_start(const char *yomi, int pages)
{
	int said[2];
	char clients[16], line[64] = "";
	snprintf(clients, sizeof clients, "%d", pages);
	if (pipe(said) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		dup2(said[1], STDOUT_FILENO);
		execlp(yomi, yomi, "web", "0", "--no-config", "--clients", clients, (char *)NULL);
		_exit(127);
	}
	close(said[1]);
	ssize_t n = read(said[0], line, sizeof line - 1);
	close(said[0]);
	return child > 0 && n > 0 && sscanf(line, "http://127.0.0.1:%d/", &port) == 1 ? child : -1;
}

/* Measures with all pages open. Returns false on failure. */
static bool weblatency_measure(struct weblatency_page *pages, int count, int seconds,
			       struct series *files, struct series *games, struct series *sleeps)
{
	pthread_t sleeper;
	bool good = true;
	for (int i = 0; i < count && good; i++) {
		pages[i].game = i % 2 ? "pentago" : "othello";
		good = page_open(&pages[i]);
	}
	if (!good || pthread_create(&sleeper, NULL, weblatency_sleep_often, sleeps) != 0)
		return false;
	int started = 0;
	while (started < count &&
	       pthread_create(&pages[started].thread, NULL, page_run, &pages[started]) == 0)
		started++;
	good = started == count && weblatency_probe(seconds, files);
	atomic_store(&done, true);
	pthread_join(sleeper, NULL);
	for (int i = 0; i < started; i++) {
		pthread_join(pages[i].thread, NULL);
		good = good && !pages[i].failed;
		for (int j = 0; j < pages[i].delays.count; j++)
			series_add(games, pages[i].delays.values[j]);
	}
	return good;
}

/* Prints, for each game, the least and the most playouts that a page received. */
static void print_shares(const struct weblatency_page *pages, int count, int seconds)
{
	for (int first = 0; first < 2 && first < count; first++) {
		double least = pages[first].playouts, most = least;
		for (int i = first; i < count; i += 2) {
			least = pages[i].playouts < least ? pages[i].playouts : least;
			most = pages[i].playouts > most ? pages[i].playouts : most;
		}
		printf("%s: playouts a second of a page %.0f to %.0f\n", pages[first].game,
		       least / seconds, most / seconds);
	}
}

/* The command line. */
struct weblatency_command_line {
	int pages, seconds;
};

static int weblatency_run(const struct arguments *arguments)
{
	static struct weblatency_page pages[PAGES_MAX];
	const struct weblatency_command_line *a = arguments->values;
	struct series files = { 0 }, games = { 0 }, sleeps = { 0 };
	int status = EXIT_USAGE;
	signal(SIGPIPE, SIG_IGN);
	pid_t child = server_start(arguments->count ? arguments->words[0] : "./yomi", a->pages);
	if (child < 0) {
		fputs("weblatency: there is no server\n", stderr);
		return EXIT_USAGE;
	}
	bool good = weblatency_measure(pages, a->pages, a->seconds, &files, &games, &sleeps);
	double mib = process_memory(child, "VmHWM") / 1024;
	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
	if (good) {
		printf("%d pages analyse, milliseconds to an answer\n", a->pages);
		series_print_heading();
		series_print(&files, "page");
		series_print(&games, "games");
		series_print(&sleeps, "sleeps");
		print_shares(pages, a->pages, a->seconds);
		printf("memory in use at most %.0f MiB\n", mib);
		bool met = series_quantile(&files, GOAL_PART) <= GOAL_MS &&
			   series_quantile(&games, GOAL_PART) <= GOAL_MS;
		printf("goal (99 %% within %.0f ms): %s\n", GOAL_MS, met ? "met" : "missed");
		status = met ? 0 : 1;
	} else {
		fputs("weblatency: the server does not answer as it should\n", stderr);
	}
	series_free(&files);
	series_free(&games);
	series_free(&sleeps);
	for (int i = 0; i < a->pages; i++) {
		series_free(&pages[i].delays);
		free(pages[i].text);
	}
	return status;
}

static const struct mode modes[] = {
	{ .name = "", .args_max = 1, .args = "[YOMI]", .run = weblatency_run },
	{ 0 },
};

#define AT(field) offsetof(struct weblatency_command_line, field)

static const struct flag flags[] = {
	{ "pages", FLAG_INT, AT(pages), "COUNT", "pages that analyse (default 8)", 1, PAGES_MAX,
	  .group = "Options" },
	{ "seconds", FLAG_INT, AT(seconds), "SECONDS", "time to measure (default 20)", 1, 1000000 },
	{ 0 },
};

static const struct program program = {
	.name = "weblatency",
	.summary = "measure how soon the web server answers",
	.description = "Measures how soon `YOMI web` (default ./yomi) answers while pages analyse, "
		       "in milliseconds: `page` is a file of the page, `games` a command to a game "
		       "under analysis, `sleeps` how late sleeps of 10 ms end. Exit status 1: more "
		       "than 1 % of the answers take longer than 20 ms.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct weblatency_command_line),
};

int main(int argc, char **argv)
{
	struct weblatency_command_line a = { .pages = 8, .seconds = 20 };
	return program_run(&program, &a, argc, argv);
}
