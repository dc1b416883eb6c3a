/* SPDX-License-Identifier: MIT
 *
 * The program as a web server. A small HTTP client talks to it through real loopback sockets, on a port that
 * the system chooses. "Endless" searches have a budget of weeks, so only the tested action ends them.
 * Check's timeout catches a test that waits for ever.
 *
 * The file is long because all its tests share one HTTP client and one running server.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <zlib.h>

#include "engine/search/common/control.h"
#include "protocol/web/assets.h"
#include "tests/protocol/process.h"

#define ENDLESS   "--search montecarlo --book 0 --time 1000000 --threads 1 "
#define SHORT     "--search montecarlo --playouts 2000 --threads 1 "
#define LOCAL     "Host: 127.0.0.1\r\n"

#define ID_LENGTH 32

/* Bytes of memory that are ignored: sanitizers keep freed memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SPARE (1l << 30)
#else
#define MEMORY_SPARE 0
#endif

struct server {
	pid_t child;
	int port;
	FILE *said; /* its stdout; the only line is the page's address */
};

static struct server server_start(const char *address, const char *options)
{
	struct server v;
	char words[256], *line = NULL;
	size_t room = 0;
	int said[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(pipe2(said, O_CLOEXEC), 0);
	snprintf(words, sizeof words, "web %s %s", address, options);
	v.child = process_start(words, null, said[1], NULL);
	close(null);
	close(said[1]);
	v.said = fdopen(said[0], "r");
	ck_assert_msg(getline(&line, &room, v.said) > 0, "there is no server: %s", words);
	ck_assert_msg(sscanf(strrchr(line, ':'), ":%d/\n", &v.port) == 1, "no port: %s", line);
	ck_assert_int_eq(strncmp(line, "http://", 7), 0);
	free(line);
	return v;
}

static void server_end(struct server *v)
{
	kill(v->child, SIGTERM);
	ck_assert_int_eq(process_wait(v->child), 0);
	ck_assert_int_eq(fgetc(v->said), EOF);
	fclose(v->said);
}

/* Memory in use, in bytes. */
static long server_memory(const struct server *v)
{
	char path[64];
	long pages = 0;
	snprintf(path, sizeof path, "/proc/%d/statm", (int)v->child);
	FILE *f = fopen(path, "re");
	ck_assert(f && fscanf(f, "%*d %ld", &pages) == 1);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

/* --- HTTP --- */

/* Opens a connection; with a small window for tests of a slow reader. */
static int join_slowly(const struct server *v, int window)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)v->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (window)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	return fd;
}

static int join(const struct server *v)
{
	return join_slowly(v, 0);
}

static void tell(int fd, const char *text, size_t n)
{
	for (ssize_t sent; n; text += sent, n -= (size_t)sent) {
		sent = send(fd, text, n, MSG_NOSIGNAL);
		ck_assert_int_gt(sent, 0);
	}
}

struct reply {
	int status; /* 0: closed without a reply */
	char text[200000], *body;
};

/* Reads until the connection is closed. */
static struct reply *hear(int fd)
{
	static struct reply r;
	size_t length = 0;
	ssize_t n;
	while ((n = recv(fd, r.text + length, sizeof r.text - 1 - length, 0)) > 0)
		length += (size_t)n;
	r.text[length] = '\0';
	close(fd);
	r.status = 0;
	sscanf(r.text, "HTTP/1.%*d %d", &r.status);
	char *end = strstr(r.text, "\r\n\r\n");
	r.body = end ? end + 4 : r.text + length;
	return &r;
}

/* Sends a request with these header lines, normally with LOCAL. */
static struct reply *request(const struct server *v, const char *method, const char *path,
			     const char *head, const char *body)
{
	char *text;
	int fd = join(v);
	int n = asprintf(&text,
			 "%s %s HTTP/1.1\r\n%sConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
			 method, path, head, strlen(body), body);
	ck_assert_int_gt(n, 0);
	tell(fd, text, (size_t)n);
	free(text);
	return hear(fd);
}

static struct reply *get(const struct server *v, const char *path)
{
	return request(v, "GET", path, LOCAL, "");
}

static void check_error(const struct reply *r, int status)
{
	json_t *error = json_loads(r->body, 0, NULL);
	ck_assert_msg(r->status == status, "%d instead of %d: %.500s", r->status, status, r->text);
	ck_assert_msg(json_is_string(json_object_get(error, "error")), "%.500s", r->text);
	json_decref(error);
}

static void check_header(const struct reply *r, const char *line)
{
	char *at = strstr(r->text, line);
	ck_assert_msg(at && at < r->body && memcmp(at + strlen(line), "\r\n", 2) == 0, "no %s: %s",
		      line, r->text);
}

/* --- games --- */

struct tab {
	const struct server *server;
	char id[ID_LENGTH + 1];
	FILE *events; /* NULL: no stream is open */
	size_t left;  /* remaining bytes of the current chunk */
};

static struct tab tab_new(const struct server *v)
{
	struct tab t = { .server = v };
	struct reply *r = request(v, "POST", "/game", LOCAL, "");
	ck_assert_msg(r->status == 201, "%.500s", r->text);
	ck_assert_int_eq(sscanf(r->body, "{\"game\":\"%32[0-9a-f]\"}", t.id), 1);
	ck_assert_uint_eq(strlen(t.id), ID_LENGTH);
	return t;
}

static const char *tab_path(const struct tab *t, const char *rest)
{
	static char path[64];
	snprintf(path, sizeof path, "/game/%s%s", t->id, rest);
	return path;
}

static void tab_listen_slowly(struct tab *t, int window)
{
	char line[256];
	int fd = join_slowly(t->server, window);
	dprintf(fd, "GET %s HTTP/1.1\r\n" LOCAL "\r\n", tab_path(t, "/events"));
	t->events = fdopen(fd, "r");
	t->left = 0;
	ck_assert(fgets(line, sizeof line, t->events) && strstr(line, " 200 "));
	while (strcmp(line, "\r\n") != 0)
		ck_assert_ptr_nonnull(fgets(line, sizeof line, t->events));
}

static void tab_listen(struct tab *t)
{
	tab_listen_slowly(t, 0);
}

static struct tab tab_open(const struct server *v)
{
	struct tab t = tab_new(v);
	tab_listen(&t);
	return t;
}

static void tab_close(struct tab *t)
{
	fclose(t->events);
	t->events = NULL;
}

static void say(const struct tab *t, const char *lines)
{
	struct reply *r = request(t->server, "POST", tab_path(t, ""), LOCAL, lines);
	ck_assert_msg(r->status == 204, "%.500s", r->text);
}

/* Reads the next character of the stream; EOF at its end. */
static int next_character(struct tab *t)
{
	char line[32];
	while (t->left == 0) {
		unsigned size;
		if (!fgets(line, sizeof line, t->events))
			return EOF;
		if (strcmp(line, "\r\n") == 0) /* after a chunk */
			continue;
		ck_assert_int_eq(sscanf(line, "%x", &size), 1);
		if (size == 0)
			return EOF;
		t->left = size;
	}
	t->left--;
	return fgetc(t->events);
}

static char *next_line(struct tab *t)
{
	char *line;
	size_t length;
	FILE *f = open_memstream(&line, &length);
	int c;
	while ((c = next_character(t)) != '\n' && c != EOF)
		fputc(c, f);
	fclose(f);
	if (c == '\n')
		return line;
	free(line);
	return NULL;
}

struct event {
	char name[16]; /* "": end of the stream */
	json_t *data;
};

/* Reads the next event. The caller frees its data. */
static struct event next_event(struct tab *t)
{
	struct event e = { "", NULL };
	for (char *line; (line = next_line(t)); free(line)) {
		bool is_end = !*line && *e.name;
		if (strncmp(line, "data: ", 6) == 0)
			ck_assert_ptr_nonnull(e.data = json_loads(line + 6, 0, NULL));
		else if (strncmp(line, "event: ", 7) == 0)
			snprintf(e.name, sizeof e.name, "%s", line + 7);
		else
			ck_assert_msg(!*line || *line == ':', "'%s'", line);
		if (is_end) {
			free(line);
			return e;
		}
	}
	return e;
}

/* Reads the next answer and counts the lines streamed before it. The text is valid until the next call. */
static const char *answer(struct tab *t, int id, bool ok, int *lines)
{
	static char *text;
	int seen = 0;
	for (;;) {
		struct event e = next_event(t);
		bool is_line = strcmp(e.name, "line") == 0;
		ck_assert_msg(is_line || strcmp(e.name, "answer") == 0, "'%s'", e.name);
		ck_assert_int_eq(json_integer_value(json_object_get(e.data, "id")), id);
		free(text);
		text = strdup(json_string_value(json_object_get(e.data, "text")));
		bool is_ok = json_is_true(json_object_get(e.data, "ok"));
		json_decref(e.data);
		if (is_line) {
			json_t *report = json_loads(text, 0, NULL);
			ck_assert_msg(json_is_object(report), "%.500s", text);
			json_decref(report);
			seen++;
			continue;
		}
		ck_assert_msg(is_ok == ok, "%.500s", text);
		if (lines)
			*lines = seen;
		return text;
	}
}

static void expect(struct tab *t, int id, bool ok, const char *wanted)
{
	ck_assert_str_eq(answer(t, id, ok, NULL), wanted);
}

/* Checks that the server has ended the stream. */
static void expect_end(struct tab *t)
{
	struct event e = next_event(t);
	ck_assert_msg(!*e.name, "%s", e.name);
	tab_close(t);
}

/* Returns a number from the answer to yomi-position. */
static int moves_made(struct tab *t, int id)
{
	char line[32];
	snprintf(line, sizeof line, "%d yomi-position", id);
	say(t, line);
	json_t *position = json_loads(answer(t, id, true, NULL), 0, NULL);
	int count = (int)json_array_size(json_object_get(position, "moves"));
	json_decref(position);
	return count;
}

/* --- the page --- */

START_TEST(page)
{
	struct server v = server_start("0", "");
	char path[64], length[64], tag[64];
	for (const struct asset *a = assets; a->name; a++) {
		snprintf(path, sizeof path, "/%s", a->name);
		struct reply *r = get(&v, strcmp(a->name, "index.html") == 0 ? "/" : path);
		ck_assert_int_eq(r->status, 200);
		ck_assert_uint_eq(strlen(r->body), asset_size(a));
		ck_assert_int_eq(memcmp(r->body, a->data, asset_size(a)), 0);
		check_header(r, "X-Content-Type-Options: nosniff");
		check_header(r, "Referrer-Policy: no-referrer");
		check_header(r, "Cross-Origin-Resource-Policy: same-origin");
		check_header(r, "Cache-Control: no-cache");
		const char *policy = strstr(r->text,
					    "Content-Security-Policy: default-src 'none'; ");
		ck_assert(policy && strstr(policy, "frame-ancestors 'none'"));
		ck_assert_ptr_null(strstr(r->text, "unsafe"));
		snprintf(length, sizeof length, "Content-Length: %zu", asset_size(a));
		check_header(r, length);
		char *at = strstr(r->text, "ETag: ");
		ck_assert(at && sscanf(at, "ETag: %31s", tag) == 1);
		r = request(&v, "HEAD", path, LOCAL, "");
		ck_assert_int_eq(r->status, 200);
		check_header(r, length);
		ck_assert_str_eq(r->body, "");
		char known[128];
		snprintf(known, sizeof known, LOCAL "If-None-Match: %s\r\n", tag);
		r = request(&v, "GET", path, known, "");
		ck_assert_int_eq(r->status, 304);
		ck_assert_str_eq(r->body, "");
	}
	ck_assert_int_eq(get(&v, "/?game=pentago")->status, 200);
	server_end(&v);
}
END_TEST

/* A client that reads gzip gets each file as one, with a tag of its own; all others get the plain file. */
START_TEST(page_is_sent_as_gzip)
{
	struct server v = server_start("0", "");
	char path[64], length[64];
	static char plain[200000];
	for (const struct asset *a = assets; a->name; a++) {
		snprintf(path, sizeof path, "/%s", a->name);
		struct reply *r = request(&v, "GET", path,
					  LOCAL "Accept-Encoding: deflate, gzip;q=0.5, br\r\n", "");
		ck_assert_int_eq(r->status, 200);
		check_header(r, "Content-Encoding: gzip");
		check_header(r, "Vary: Accept-Encoding");
		ck_assert_ptr_nonnull(strstr(r->text, "-gzip\"\r\n"));
		const char *at = strstr(r->text, "Content-Length: ");
		ck_assert_ptr_nonnull(at);
		z_stream z = {
			.next_in = (unsigned char *)r->body,
			.avail_in = (uInt)strtoul(at + strlen("Content-Length: "), NULL, 10),
			.next_out = (unsigned char *)plain,
			.avail_out = sizeof plain,
		};
		ck_assert_uint_lt(z.avail_in, asset_size(a));
		ck_assert_int_eq(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
		ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
		ck_assert_uint_eq(z.total_out, asset_size(a));
		ck_assert_int_eq(memcmp(plain, a->data, z.total_out), 0);
		inflateEnd(&z);
		r = request(&v, "GET", path, LOCAL "Accept-Encoding: gzip;q=0, br\r\n", "");
		snprintf(length, sizeof length, "Content-Length: %zu", asset_size(a));
		check_header(r, length);
		ck_assert_ptr_null(strstr(r->text, "Content-Encoding"));
	}
	server_end(&v);
}
END_TEST

/* The page loads nothing from other hosts and contains nothing that its policy forbids. */
START_TEST(page_obeys_its_policy)
{
	for (const struct asset *a = assets; a->name; a++) {
		char *text = strndup(a->data, asset_size(a));
		bool is_page = strcmp(a->name, "index.html") == 0;
		ck_assert(!is_page || !strstr(text, " style=\""));
		ck_assert(!is_page || !strstr(text, "<style"));
		ck_assert(!is_page || !strstr(text, " onclick="));
		ck_assert(!is_page || !strstr(text, "<script>"));
		for (char *at = text; (at = strstr(at, "://")); at += 3)
			ck_assert_msg(strncmp(at, "://www.w3.org/", 14) == 0, "%s: %.60s", a->name,
				      at);
		free(text);
	}
}
END_TEST

START_TEST(addresses_and_methods)
{
	static const struct {
		const char *method, *path;
		int status;
	} rows[] = {
		{ "GET", "/none", 404 },
		{ "GET", "/../protocol/web/page.js", 404 },
		{ "GET", "/page.js/", 404 },
		{ "GET", "//page.js", 404 },
		{ "GET", "page.js", 404 },
		{ "GET", "http://127.0.0.1/", 404 },
		{ "POST", "/", 405 },
		{ "PUT", "/page.js", 405 },
		{ "TRACE", "/", 405 },
		{ "OPTIONS", "/game", 405 },
		{ "GET", "/game", 405 },
		{ "POST", "/games", 404 },
		{ "POST", "/game/", 404 },
		{ "POST", "/game/0123456789abcdef0123456789abcdef", 404 },
		{ "GET", "/game/0123456789abcdef0123456789abcdef/events", 404 },
		{ "POST", "/game/0123456789abcdef", 404 },
		{ "PATCH", "/none", 404 },
	};
	struct server v = server_start("0", "");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_error(request(&v, rows[i].method, rows[i].path, LOCAL, ""), rows[i].status);
	check_header(request(&v, "DELETE", "/", LOCAL, ""), "Allow: GET, HEAD");
	struct tab t = tab_new(&v);
	check_error(request(&v, "GET", tab_path(&t, ""), LOCAL, ""), 405);
	check_header(request(&v, "PUT", tab_path(&t, ""), LOCAL, ""), "Allow: POST, DELETE");
	check_error(request(&v, "POST", tab_path(&t, "/events"), LOCAL, ""), 405);
	check_error(request(&v, "POST", tab_path(&t, "/none"), LOCAL, ""), 404);
	check_error(request(&v, "POST", tab_path(&t, "x"), LOCAL, ""), 404);
	server_end(&v);
}
END_TEST

/* --- untrusted clients --- */

/* Requests that a browser sends for pages of other sites, and for ours. */
START_TEST(hosts_and_origins)
{
	static const struct {
		const char *head;
		bool is_allowed;
	} rows[] = {
		{ "", false },
		{ "Host: \r\n", false },
		{ "Host: 127.0.0.1\r\n", true },
		{ "Host: 127.0.0.1:8043\r\n", true },
		{ "Host: localhost:1\r\n", true },
		{ "Host: LocalHost\r\n", true },
		{ "Host: [::1]:8043\r\n", true },
		{ "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", false },
		{ "Host: localhost.evil.example\r\n", false },
		{ "Host: 127.0.0.1.evil.example\r\n", false },
		{ "Host: evil.example\r\n", false },
		{ "Host: evil.example:8043\r\n", false },
		{ "Host: 192.0.2.1\r\n", false },
		{ "Host: 0.0.0.0\r\n", false },
		{ "Host: 127.0.0.1 \r\n", true },
		{ "Host: 127.0.0.1 evil\r\n", false },
		{ LOCAL "Origin: http://127.0.0.1\r\n", true },
		{ LOCAL "Origin: HTTP://127.0.0.1\r\n", false },
		{ LOCAL "Origin: https://127.0.0.1\r\n", false },
		{ LOCAL "Origin: http://127.0.0.1:81\r\n", false },
		{ LOCAL "Origin: http://localhost\r\n", false },
		{ LOCAL "Origin: http://evil.example\r\n", false },
		{ LOCAL "Origin: null\r\n", false },
		{ LOCAL "Origin: \r\n", false },
		{ LOCAL "Origin: http://127.0.0.1\r\nOrigin: http://127.0.0.1\r\n", false },
		{ LOCAL "Sec-Fetch-Site: same-origin\r\n", true },
		{ LOCAL "Sec-Fetch-Site: none\r\n", true },
		{ LOCAL "Sec-Fetch-Site: same-site\r\n", false },
		{ LOCAL "Sec-Fetch-Site: cross-site\r\n", false },
		{ LOCAL "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n", false },
	};
	struct server v = server_start("0", "");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct reply *r = request(&v, "GET", "/page.js", rows[i].head, "");
		ck_assert_msg((r->status == 200) == rows[i].is_allowed, "%s: %.500s", rows[i].head,
			      r->text);
		if (!rows[i].is_allowed)
			check_error(r, 403);
		r = request(&v, "POST", "/game", rows[i].head, "");
		ck_assert_int_eq(r->status, rows[i].is_allowed ? 201 : 403);
		if (!rows[i].is_allowed)
			ck_assert_int_eq(request(&v, "GET", "/none", rows[i].head, "")->status,
					 403);
	}
	/* Links to the page are allowed, forms are not. */
	static const char link[] = LOCAL
		"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n";
	ck_assert_int_eq(request(&v, "GET", "/", link, "")->status, 200);
	ck_assert_int_eq(request(&v, "POST", "/game", link, "")->status, 403);
	server_end(&v);
}
END_TEST

/* With --listen-anywhere other machines use our IP address; host names are still refused. */
START_TEST(anywhere)
{
	struct server v = server_start("0.0.0.0:0", "--listen-anywhere");
	ck_assert_int_eq(request(&v, "GET", "/", "Host: 192.0.2.1:80\r\n", "")->status, 200);
	ck_assert_int_eq(request(&v, "GET", "/", "Host: localhost\r\n", "")->status, 200);
	check_error(request(&v, "GET", "/", "Host: evil.example\r\n", ""), 403);
	check_error(request(&v, "POST", "/game",
			    "Host: 192.0.2.1\r\nOrigin: http://evil.example\r\n", ""),
		    403);
	server_end(&v);
}
END_TEST

START_TEST(files_are_not_for_pages)
{
	char path[] = "/tmp/yomi-web-XXXXXX", lines[128];
	int fd = mkstemp(path);
	struct server v = server_start("0", "--memory 64 --clients 4 --threads 2");
	struct tab t = tab_open(&v);
	snprintf(lines, sizeof lines, "1 printsgf %s\n2 loadsgf %s\n3 param memory 17\n", path,
		 path);
	say(&t, lines);
	expect(&t, 1, false, "files are not for clients here");
	expect(&t, 2, false, "cannot load file");
	expect(&t, 3, false, "this server limits memory to 16");
	say(&t, "4 param memory\n5 param threads 3\n6 param verbose 1\n7 param memory 4");
	expect(&t, 4, true, "16");
	expect(&t, 5, false, "this server limits threads to 2");
	expect(&t, 6, false, "this server limits verbose to 0");
	expect(&t, 7, true, "");
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
	close(fd);
	unlink(path);
	server_end(&v);
}
END_TEST

/* --- conversations --- */

START_TEST(games_of_their_own)
{
	static const char *const titles[] = { "Othello", "Tictactoe", "Pentago" };
	static const char *const moves[] = { "D3", "B2", "C3T" };
	struct server v = server_start("0", SHORT);
	struct tab tabs[3];
	char lines[128], wanted[64];
	for (int i = 0; i < 3; i++) {
		tabs[i] = tab_open(&v);
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(tabs[i].id, tabs[j].id);
	}
	for (int i = 0; i < 3; i++) {
		snprintf(lines, sizeof lines, "1 set_game %s\n2 play b %s\n3 yomi-genmove w\n",
			 titles[i], moves[i]);
		say(&tabs[i], lines);
	}
	for (int i = 0; i < 3; i++) {
		expect(&tabs[i], 1, true, "");
		expect(&tabs[i], 2, true, "");
		json_t *found = json_loads(answer(&tabs[i], 3, true, NULL), 0, NULL);
		ck_assert_str_eq(json_string_value(json_object_get(found, "side")), "white");
		snprintf(wanted, sizeof wanted, "white %s\nblack %s",
			 json_string_value(json_object_get(found, "played")), moves[i]);
		json_decref(found);
		say(&tabs[i], "4 move_history");
		expect(&tabs[i], 4, true, wanted);
	}
	/* Each way to end a game. */
	ck_assert_int_eq(request(&v, "DELETE", tab_path(&tabs[0], ""), LOCAL, "")->status, 204);
	expect_end(&tabs[0]);
	ck_assert_int_eq(request(&v, "POST", tab_path(&tabs[1], "/end"), LOCAL, "x")->status, 204);
	expect_end(&tabs[1]);
	say(&tabs[2], "5 quit\n6 name");
	expect(&tabs[2], 5, true, "");
	expect_end(&tabs[2]);
	for (int i = 0; i < 3; i++)
		check_error(request(&v, "POST", tab_path(&tabs[i], ""), LOCAL, "name"), 404);
	server_end(&v);
}
END_TEST

/* Any text arrives unchanged; bytes that are not text are replaced. */
START_TEST(texts)
{
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	say(&t,
	    "1 echo \"quoted\" \\ 読み \xf0\x9f\x98\x80 </script>\n2 unknown\n\n# comment\nname\n");
	expect(&t, 1, true, "\"quoted\" \\ 読み \xf0\x9f\x98\x80 </script>");
	expect(&t, 2, false, "unknown command");
	struct event e = next_event(&t);
	ck_assert(json_is_null(json_object_get(e.data, "id")));
	json_decref(e.data);
	say(&t, "3 echo a\xff\xc3 \xe8\xaa\n4 echo \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80\xe3");
	expect(&t, 3, true, "a\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd");
	answer(&t, 4, true, NULL);
	say(&t, "5 showboard");
	ck_assert_int_eq(strncmp(answer(&t, 5, true, NULL), "   A B C", 8), 0);
	/* The end of a request ends its last line. */
	say(&t, "6 na");
	say(&t, "me");
	expect(&t, 6, false, "unknown command");
	e = next_event(&t);
	ck_assert(json_is_false(json_object_get(e.data, "ok")));
	json_decref(e.data);
	server_end(&v);
}
END_TEST

START_TEST(analysis)
{
	struct server v = server_start("0", ENDLESS);
	struct tab t = tab_open(&v);
	int lines;
	say(&t, "1 yomi-analyze 1");
	for (size_t seen = 0; seen == 0;) {
		struct event e = next_event(&t);
		ck_assert_str_eq(e.name, "line");
		json_t *r = json_loads(json_string_value(json_object_get(e.data, "text")), 0, NULL);
		json_t *moves = json_object_get(r, "moves"), *move;
		size_t j;
		ck_assert(json_real_value(json_object_get(r, "rate")) > 0);
		seen = json_array_size(moves);
		ck_assert(seen == 0 || seen == 4);
		json_array_foreach(moves, j, move)
		{
			json_t *line = json_object_get(move, "line");
			ck_assert_str_eq(json_string_value(json_array_get(line, 0)),
					 json_string_value(json_object_get(move, "move")));
		}
		json_decref(r);
		json_decref(e.data);
	}
	say(&t, "2 name");
	expect(&t, 1, true, "");
	expect(&t, 2, true, "yomi");
	/* An empty request is an empty line. */
	say(&t, "3 yomi-analyze 1");
	say(&t, "");
	expect(&t, 3, true, "");
	/* A report has at most so many moves. */
	say(&t, "3 yomi-analyze 1 2");
	for (size_t seen = 0; seen == 0;) {
		struct event e = next_event(&t);
		ck_assert_str_eq(e.name, "line");
		json_t *r = json_loads(json_string_value(json_object_get(e.data, "text")), 0, NULL);
		seen = json_array_size(json_object_get(r, "moves"));
		ck_assert(seen == 0 || seen == 2);
		json_decref(r);
		json_decref(e.data);
	}
	say(&t, "");
	expect(&t, 3, true, "");
	/* genmove finds and plays a move. */
	say(&t, "4 yomi-genmove b 1");
	json_decref(next_event(&t).data);
	say(&t, "5 name\n# interrupt");
	ck_assert_ptr_nonnull(strstr(answer(&t, 4, true, &lines), "\"played\":\""));
	expect(&t, 5, true, "yomi");
	ck_assert_int_eq(moves_made(&t, 6), 1);
	/* Without anything to search there are no reports. */
	say(&t, "7 position XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X\n"
		"8 yomi-analyze 1");
	say(&t, "9 yomi-genmove x\n");
	expect(&t, 7, true, "");
	answer(&t, 8, true, &lines);
	ck_assert_int_eq(lines, 0);
	expect(&t, 9, false, "syntax error");
	server_end(&v);
}
END_TEST

/* Reports contain proof numbers while they change; in the end one of them is infinite. */
START_TEST(proof_numbers)
{
	struct server v = server_start("0", "--threads 1");
	struct tab t = tab_open(&v);
	say(&t, "1 param search dfpn\n2 set_game pentago\n3 yomi-analyze 1");
	expect(&t, 1, true, "");
	expect(&t, 2, true, "");
	json_t *r = NULL;
	/* The first reports may have none. */
	while (!json_is_integer(json_object_get(r, "proof"))) {
		struct event e = next_event(&t);
		ck_assert_str_eq(e.name, "line");
		json_decref(r);
		r = json_loads(json_string_value(json_object_get(e.data, "text")), 0, NULL);
		json_decref(e.data);
	}
	ck_assert(json_integer_value(json_object_get(r, "proof")) > 0);
	ck_assert(json_integer_value(json_object_get(r, "disproof")) > 0);
	json_decref(r);
	say(&t, "");
	expect(&t, 3, true, "");
	say(&t, "4 set_game tictactoe\n5 position XX..O.O.. X\n6 yomi-genmove b");
	expect(&t, 4, true, "");
	expect(&t, 5, true, "");
	r = json_loads(answer(&t, 6, true, NULL), 0, NULL);
	ck_assert_int_eq(json_integer_value(json_object_get(r, "proof")), 0);
	ck_assert(json_is_integer(json_object_get(r, "proof")));
	ck_assert(json_is_null(json_object_get(r, "disproof")));
	ck_assert_int_eq(json_integer_value(json_object_get(r, "lower")), 1);
	json_decref(r);
	server_end(&v);
}
END_TEST

/* --- pages come and go --- */

/* Without a page no line is run. Queued lines are answered when a page comes. */
START_TEST(lines_wait_for_a_page)
{
	struct server v = server_start("0", ENDLESS);
	struct tab t = tab_new(&v);
	say(&t, "1 name\n2 genmove b\n");
	tab_listen(&t);
	expect(&t, 1, true, "yomi");
	/* Its search is running or about to. It ends with the page, and the best move so far is played. */
	tab_close(&t);
	say(&t, "3 name");
	tab_listen(&t);
	ck_assert_uint_ge(strlen(answer(&t, 2, true, NULL)), 2);
	expect(&t, 3, true, "yomi");
	ck_assert_int_eq(moves_made(&t, 4), 1);
	server_end(&v);
}
END_TEST

/* Processor time of the program in seconds. */
static double time_used(struct tab *t, int id)
{
	char line[32];
	snprintf(line, sizeof line, "%d cputime", id);
	say(t, line);
	return atof(answer(t, id, true, NULL));
}

/* Closing the page stops its search, however the page closes. */
START_TEST(a_vanished_page_stops_its_search)
{
	struct server v = server_start("0", ENDLESS);
	struct tab watcher = tab_open(&v);
	struct linger reset = { .l_onoff = 1 };
	for (int i = 0; i < 4; i++) {
		struct tab t = tab_open(&v);
		say(&t, i & 1 ? "1 yomi-analyze 1\n" : "1 genmove b\n2 genmove w\n3 yomi-analyze");
		if (i & 1)
			json_decref(next_event(&t).data);
		if (i & 2)
			setsockopt(fileno(t.events), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
		tab_close(&t);
		/* Three samples in a row without processor time: no search runs any more. */
		double used = time_used(&watcher, 1);
		for (int quiet = 0; quiet < 3;) {
			usleep(20000);
			double later = time_used(&watcher, 1);
			quiet = later - used < 0.01 ? quiet + 1 : 0;
			used = later;
		}
		tab_listen(&t);
		answer(&t, 1, true, NULL);
		tab_close(&t);
	}
	server_end(&v);
}
END_TEST

START_TEST(a_second_page_takes_over)
{
	struct server v = server_start("0", ENDLESS);
	struct tab first = tab_open(&v), second = first;
	say(&first, "1 genmove b");
	tab_listen(&second);
	for (;;) {
		struct event e = next_event(&first);
		bool is_taken = strcmp(e.name, "taken") == 0;
		json_decref(e.data);
		if (is_taken)
			break;
	}
	expect_end(&first);
	say(&second, "2 name\n# interrupt\n");
	answer(&second, 1, true, NULL);
	expect(&second, 2, true, "yomi");
	server_end(&v);
}
END_TEST

/* All answers wait for a slow reader, until so many commands are queued that the server reads no more. Other
 * clients do not wait. */
START_TEST(answers_are_never_dropped)
{
	enum { COMMANDS = 25 };
	struct server v = server_start("0", "");
	struct tab slow = tab_new(&v), other = tab_open(&v);
	char lines[COMMANDS * 24];
	struct reply *r;
	int id = 0;
	tab_listen_slowly(&slow, 4096);
	for (;;) {
		char *to = lines;
		for (int i = 1; i <= COMMANDS; i++)
			to += sprintf(to, "%d help\n", id + i);
		r = request(&v, "POST", tab_path(&slow, ""), LOCAL, lines);
		if (r->status != 204)
			break;
		id += COMMANDS;
		say(&other, "1 name");
		expect(&other, 1, true, "yomi");
	}
	check_error(r, 503);
	for (int i = 1; i <= id; i++) {
		ck_assert_uint_gt(strlen(answer(&slow, i, true, NULL)), 3000);
		if (i % 100 == 0) {
			say(&other, "1 name");
			expect(&other, 1, true, "yomi");
		}
	}
	say(&slow, "1 name");
	expect(&slow, 1, true, "yomi");
	server_end(&v);
}
END_TEST

/* A slow reader loses reports. The answer follows the reports that were already sent. */
START_TEST(reports_are_dropped)
{
	struct server v = server_start("0", "--threads 1 --game pentago --memory 16 --evaluator 0");
	struct tab slow = tab_new(&v), other = tab_open(&v);
	int lines;
	tab_listen_slowly(&slow, 4096);
	say(&slow, "1 yomi-analyze 1");
	long before = server_memory(&v), most = before;
	/* A slow reader still counts as a reader. One that reads nothing for half a minute does not. */
	int64_t begin = clock_now();
	for (int i = 0; i < 50 && clock_since(begin) < 10; i++) {
		say(&other, "1 name");
		expect(&other, 1, true, "yomi");
		usleep(20000);
		long memory = server_memory(&v);
		most = memory > most ? memory : most;
	}
	say(&slow, "2 name");
	answer(&slow, 1, true, &lines);
	expect(&slow, 2, true, "yomi");
	ck_assert_int_lt(lines, 50);
	/* The tree has 2 MiB, a report about 15 KiB, and the search had time for a hundred reports. */
	ck_assert_int_lt(most - before, MEMORY_SPARE + (12 << 20));
	server_end(&v);
}
END_TEST

/* --- limits --- */

START_TEST(number_of_games)
{
	struct server v = server_start("0", SHORT "--clients 2");
	struct tab a = tab_open(&v), b = tab_open(&v);
	for (int i = 0; i < 30; i++)
		check_error(request(&v, "POST", "/game", LOCAL, ""), 503);
	say(&a, "1 name");
	expect(&a, 1, true, "yomi");
	/* A new game takes the slot of a game whose page is gone. The old game is dropped. */
	tab_close(&a);
	struct reply *r;
	do
		r = request(&v, "POST", "/game", LOCAL, "");
	while (r->status == 503);
	ck_assert_int_eq(r->status, 201);
	check_error(request(&v, "POST", tab_path(&a, ""), LOCAL, "name"), 404);
	say(&b, "1 name");
	expect(&b, 1, true, "yomi");
	server_end(&v);
}
END_TEST

START_TEST(rate_of_games)
{
	enum { REQUESTS = 200 };
	struct server v = server_start("0", "");
	int made = 0;
	int64_t begin = clock_now();
	for (int i = 0; i < REQUESTS; i++) {
		struct reply *r = request(&v, "POST", "/game", LOCAL, "");
		if (r->status == 201)
			made++;
		else {
			ck_assert_ptr_nonnull(strstr(r->text, "Retry-After: 1\r\n"));
			check_error(r, 429);
		}
	}
	ck_assert_int_ge(made, 50);
	ck_assert_int_le(made, 51 + (int)(10 * clock_since(begin)));
	server_end(&v);
}
END_TEST

/* Reads the status of the next reply on a persistent connection. */
static int next_status(FILE *f)
{
	char line[1024];
	int status = 0;
	/* The body of the reply before has no line feed. */
	for (char *at; status == 0;) {
		ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
		at = strstr(line, "HTTP/1.1 ");
		status = at ? atoi(at + 9) : 0;
	}
	return status;
}

/* Requests of one game, on one connection. */
START_TEST(rate_of_lines)
{
	enum { REQUESTS = 2000 };
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v), other = tab_open(&v);
	int taken = 0, refused = 0;
	int64_t begin = clock_now();
	FILE *f = fdopen(join(&v), "r");
	for (int i = 0; i < REQUESTS; i++) {
		dprintf(fileno(f), "POST %s HTTP/1.1\r\n" LOCAL "Content-Length: 0\r\n\r\n",
			tab_path(&t, ""));
		int status = next_status(f);
		taken += status == 204;
		refused += status == 429;
	}
	fclose(f);
	ck_assert_int_eq(taken + refused, REQUESTS);
	ck_assert_int_ge(taken, 300);
	ck_assert_int_le(taken, 301 + (int)(100 * clock_since(begin)));
	say(&other, "1 name");
	expect(&other, 1, true, "yomi");
	server_end(&v);
}
END_TEST

START_TEST(sizes)
{
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	char *text = malloc(2 << 20);
	/* Comments of one KiB, up to the last byte that is accepted. */
	memset(text, '#', 1 << 16);
	for (int i = 1023; i < 1 << 16; i += 1024)
		text[i] = '\n';
	text[1 << 16] = '\0';
	say(&t, text);
	strcpy(text + (1 << 16), "\n");
	check_error(request(&v, "POST", tab_path(&t, ""), LOCAL, text), 413);
	memset(text, 'a', 1 << 20);
	text[1 << 20] = '\0';
	ck_assert_int_eq(request(&v, "POST", tab_path(&t, ""), LOCAL, text)->status, 413);
	/* A line as long as a request may be is read, but it is not a command. */
	memset(text, 'a', 65000);
	memcpy(text, "1 ", 2);
	text[65000] = '\0';
	say(&t, text);
	expect(&t, 1, false, "unknown command");
	/* Headers that never end. */
	strcpy(text, LOCAL "X: ");
	memset(text + strlen(LOCAL) + 3, 'x', 1 << 16);
	strcpy(text + strlen(LOCAL) + 3 + (1 << 16), "\r\n");
	int status = request(&v, "GET", "/", text, "")->status;
	ck_assert(status == 400 || status == 413);
	memset(text, 'a', 1 << 16);
	*text = '/';
	text[1 << 16] = '\0';
	ck_assert_int_ne(request(&v, "GET", text, LOCAL, "")->status, 200);
	say(&t, "2 name");
	expect(&t, 2, true, "yomi");
	free(text);
	server_end(&v);
}
END_TEST

/* A new game takes the slot of the game that has had no page for longest. */
START_TEST(the_oldest_game_makes_room)
{
	struct server v = server_start("0", "--clients 2");
	struct tab first = tab_new(&v), second = tab_new(&v);
	tab_new(&v);
	check_error(request(&v, "POST", tab_path(&first, ""), LOCAL, "name"), 404);
	say(&second, "name");
	server_end(&v);
	/* The first game has lost its page when the second has never had one. */
	v = server_start("0", "--clients 2");
	first = tab_open(&v);
	second = tab_new(&v);
	tab_close(&first);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(get(&v, "/")->status, 200);
	tab_new(&v);
	check_error(request(&v, "POST", tab_path(&second, ""), LOCAL, "name"), 404);
	say(&first, "name");
	server_end(&v);
}
END_TEST

/* Returns true if the server has sent nothing to a client and not left it. */
static bool still_waits(int fd)
{
	char byte;
	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* A game without a page ends after `idle` seconds; one with a page never ends by itself, nor does one that a client asks. */
START_TEST(idle_games)
{
	struct server v = server_start("0", ENDLESS "--idle 5");
	int asks = join(&v);
	dprintf(asks, "POST /ask HTTP/1.1\r\n" LOCAL "Content-Length: 9\r\n\r\ngenmove b");
	ck_assert_int_eq(get(&v, "/")->status, 200);
	struct tab seen = tab_open(&v), unseen = tab_new(&v), left = tab_open(&v);
	tab_close(&left);
	while (request(&v, "POST", tab_path(&unseen, ""), LOCAL, "name")->status != 404)
		usleep(100000);
	while (request(&v, "POST", tab_path(&left, ""), LOCAL, "name")->status != 404)
		usleep(100000);
	say(&seen, "1 name");
	expect(&seen, 1, true, "yomi");
	ck_assert(still_waits(asks));
	server_end(&v);
	close(asks);
}
END_TEST

/* More connections than the maximum. */
START_TEST(connections)
{
	enum { CONNECTIONS = 100 };
	struct server v = server_start("0", "--clients 1");
	int fds[CONNECTIONS];
	struct tab t = tab_open(&v);
	for (int i = 0; i < CONNECTIONS; i++)
		fds[i] = join(&v);
	for (int i = 0; i < CONNECTIONS; i++)
		close(fds[i]);
	ck_assert_int_eq(get(&v, "/")->status, 200);
	say(&t, "1 name");
	expect(&t, 1, true, "yomi");
	server_end(&v);
}
END_TEST

/* Connections that were silent for longer make room first. */
START_TEST(the_oldest_connection_makes_room)
{
	enum { CONNECTIONS = 40 };
	struct server v = server_start("0", "--clients 1");
	int fds[CONNECTIONS], others[3];
	for (int i = 0; i < CONNECTIONS; i++)
		fds[i] = join(&v);
	FILE *f = fdopen(join(&v), "r");
	for (int i = 0; i < 3; i++) {
		dprintf(fileno(f), "GET /none HTTP/1.1\r\n" LOCAL "\r\n");
		ck_assert_int_eq(next_status(f), 404);
		others[i] = join(&v);
		ck_assert_int_eq(get(&v, "/")->status, 200);
	}
	for (int i = 0; i < 3; i++)
		close(others[i]);
	for (int i = 0; i < CONNECTIONS; i++)
		close(fds[i]);
	fclose(f);
	server_end(&v);
}
END_TEST

/* Connections that send nothing, or only a part of a request, never keep others out, however many there are. */
START_TEST(silent_connections)
{
	enum { CONNECTIONS = 200 };
	static const char *const starts[] = { "", "G", "GET / HTTP/1.1\r\nHost: 127" };
	struct server v = server_start("0", "--clients 1");
	int fds[CONNECTIONS];
	struct tab t = tab_open(&v);
	for (int i = 0; i < CONNECTIONS; i++) {
		fds[i] = join(&v);
		tell(fds[i], starts[i % 3], strlen(starts[i % 3]));
	}
	for (int i = 0; i < 50; i++) {
		ck_assert_int_eq(get(&v, "/")->status, 200);
		fds[i] = (close(fds[i]), join(&v));
	}
	say(&t, "1 name");
	expect(&t, 1, true, "yomi");
	for (int i = 0; i < CONNECTIONS; i++)
		close(fds[i]);
	server_end(&v);
}
END_TEST

/* The first whole request must arrive in time, however its bytes arrive. Later requests have more time. */
START_TEST(slow_requests)
{
	static const char request[] = "GET / HTTP/1.1\r\n" LOCAL "\r\n";
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	int silent = join(&v), slow = join(&v), known = join(&v);
	char byte[1];
	ssize_t sent = 1;
	tell(known, request, sizeof request - 1);
	ck_assert_int_eq(recv(known, byte, 1, 0), 1);
	tell(slow, "GET / HTTP/1.1\r\nX: ", 19);
	while (sent == 1 && recv(slow, byte, 1, MSG_DONTWAIT) != 0) {
		usleep(50000);
		sent = send(slow, "x", 1, MSG_NOSIGNAL);
	}
	ck_assert_int_eq(recv(silent, byte, 1, 0), 0);
	tell(known, "GET /nothing HTTP/1.1\r\n" LOCAL "Connection: close\r\n\r\n",
	     sizeof "GET /nothing HTTP/1.1\r\n" LOCAL "Connection: close\r\n\r\n" - 1);
	ck_assert_ptr_nonnull(strstr(hear(known)->text, "404"));
	say(&t, "1 name");
	expect(&t, 1, true, "yomi");
	close(slow);
	close(silent);
	server_end(&v);
}
END_TEST

START_TEST(descriptors)
{
	enum { CONNECTIONS = 40, FREE = 12 };
	int fds[CONNECTIONS];
	struct server v = server_start("0", "");
	/* The server has inherited descriptors of whoever runs the tests. */
	rlim_t most = process_next_descriptor(v.child) + FREE;
	struct rlimit few = { most, most };
	ck_assert_int_eq(prlimit(v.child, RLIMIT_NOFILE, &few, NULL), 0);
	for (int i = 0; i < CONNECTIONS; i++)
		fds[i] = join(&v);
	for (int i = 0; i < CONNECTIONS; i++)
		close(fds[i]);
	/* Games use descriptors, too. */
	struct reply *r;
	int made = 0, refused = 0;
	/* The server may still have to see that the others have left. */
	while ((r = request(&v, "POST", "/game", LOCAL, ""))->status == 503 &&
	       refused < CONNECTIONS)
		refused++;
	for (; r->status == 201 && made < 20; made++)
		r = request(&v, "POST", "/game", LOCAL, "");
	if (r->status != 201)
		check_error(r, 503);
	ck_assert_int_ge(made, 1);
	ck_assert_int_eq(get(&v, "/")->status, 200);
	server_end(&v);
}
END_TEST

/* --- malformed and unusual requests --- */

static const char *const strange[] = {
	"",
	"\r\n\r\n",
	"GET\r\n\r\n",
	"GET /\r\n\r\n",
	"GET / HTTP/9.9\r\n" LOCAL "\r\n",
	"GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
	"BREW / HTTP/1.1\r\n" LOCAL "\r\n",
	"name\n",
	"GET \x01\xff HTTP/1.1\r\n" LOCAL "\r\n",
	"GET /%zz%00 HTTP/1.1\r\n" LOCAL "\r\n",
	"POST /game HTTP/1.1\r\n" LOCAL "Content-Length: -1\r\n\r\n",
	"POST /game HTTP/1.1\r\n" LOCAL "Content-Length: 99999999999999999999\r\n\r\n",
	"POST /game HTTP/1.1\r\n" LOCAL "Content-Length: 5\r\n\r\nabc",
	"POST /game HTTP/1.1\r\n" LOCAL "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
	"POST /game HTTP/1.1\r\n" LOCAL "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
	"POST /game HTTP/1.1\r\n" LOCAL "Expect: 200-ok\r\nContent-Length: 1\r\n\r\n1",
	"CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
	"GET http://evil.example/ HTTP/1.1\r\n" LOCAL "\r\n",
	"GET * HTTP/1.1\r\n" LOCAL "\r\n",
	"GET / HTTP/1.1\r\n" LOCAL " folded\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
};

/* Each request is sent whole and cut at every byte. The server refuses it or waits for the rest, and serves others. */
START_TEST(strange_requests)
{
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
		size_t length = strlen(strange[i]);
		for (size_t n = length; n + 1 > 0 && n != (size_t)-1;
		     n = n > length / 2 && n ? n / 2 : (size_t)-1) {
			int fd = join(&v);
			if (n)
				tell(fd, strange[i], n);
			shutdown(fd, SHUT_WR);
			struct reply *r = hear(fd);
			ck_assert_msg(r->status != 200 && r->status != 201, "%s: %.500s",
				      strange[i], r->text);
		}
	}
	say(&t, "1 name");
	expect(&t, 1, true, "yomi");
	server_end(&v);
}
END_TEST

/* Headers that leave in doubt where a request ends. Its body is a request, too, which must not be answered. */
static const char *const smuggling[] = {
	"Content-Length: 0\r\nContent-Length: %zu\r\n",
	"Content-Length: %zu\r\nContent-Length: 0\r\n",
	"Content-Length: 0, %zu\r\n",
	"Content-Length: +%zu\r\n",
	"Content-Length: +0\r\nX: %zu\r\n",
	"Content-Length: 0x0\r\nX: %zu\r\n",
	"Content-Length: -0\r\nX: %zu\r\n",
	"Content-Length:\t%zu\r\n",
	"Content-Length:\r\nX: %zu\r\n",
	"Content-Length : %zu\r\n",
	"Content-Length\t: %zu\r\n",
	"Content-Length: 0\r\n %zu\r\n",
	"Content(Length): %zu\r\n",
	": %zu\r\n",
	"X: \rContent-Length: %zu\r\n",
	"Transfer-Encoding : chunked\r\nX: %zu\r\n",
	"Transfer-Encoding: xchunked\r\nX: %zu\r\n",
	"Transfer-Encoding: chunked, identity\r\nX: %zu\r\n",
	"Transfer-Encoding: gzip, chunked\r\nX: %zu\r\n",
	"Transfer-Encoding:\tchunked\r\nX: %zu\r\n",
	"Transfer-Encoding: \013chunked\r\nX: %zu\r\n",
	"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nX: %zu\r\n",
	"Transfer-Encoding: chunked\r\nContent-Length: %zu\r\n",
	"Content-Length: %zu\r\nTransfer-Encoding: chunked\r\n",
};

START_TEST(smuggled_requests)
{
	static const char inner[] = "0\r\n\r\nGET /text.js HTTP/1.1\r\n" LOCAL "\r\n";
	struct server v = server_start("0", "");
	for (size_t i = 0; i < sizeof smuggling / sizeof smuggling[0]; i++) {
		char head[256], text[1024];
		int fd = join(&v);
		snprintf(head, sizeof head, smuggling[i], sizeof inner - 1);
		snprintf(text, sizeof text, "POST /game HTTP/1.1\r\n" LOCAL "%s\r\n%s", head,
			 inner);
		tell(fd, text, strlen(text));
		shutdown(fd, SHUT_WR);
		struct reply *r = hear(fd);
		ck_assert_msg(r->status == 400 && !strstr(r->text + 1, "HTTP/1.1 "), "%s: %.500s",
			      head, r->text);
	}
	server_end(&v);
}
END_TEST

/* A sixth page of a browser would wait for ever. Pages of other browsers, and other programs, are not counted. */
START_TEST(pages_of_a_browser)
{
	enum { PAGES = 5 };
	struct server v = server_start("0", "");
	int pages[PAGES];
	char name[ID_LENGTH + 1], again[ID_LENGTH + 1], browser[128], other[128];
	/* The server names a browser that has no name. */
	struct reply *first = request(&v, "GET", "/", LOCAL, "");
	const char *cookie = strstr(first->text, "Set-Cookie: yomi-browser=");
	ck_assert(cookie && sscanf(cookie, "%*[^=]=%32[0-9a-f]", name) == 1);
	snprintf(browser, sizeof browser, LOCAL "Cookie: a=b; yomi-browser=%s\r\n", name);
	ck_assert_ptr_null(strstr(request(&v, "GET", "/", browser, "")->text, "Set-Cookie"));
	cookie = strstr(request(&v, "GET", "/", LOCAL, "")->text, "Set-Cookie: yomi-browser=");
	ck_assert(cookie && sscanf(cookie, "%*[^=]=%32[0-9a-f]", again) == 1);
	ck_assert_str_ne(name, again);
	snprintf(other, sizeof other, LOCAL "Cookie: yomi-browser=%s\r\n", again);
	for (int i = 0; i < PAGES; i++) {
		char text[512], id[ID_LENGTH + 1], byte;
		struct reply *r = request(&v, "POST", "/game", browser, "");
		ck_assert_int_eq(sscanf(r->body, "{\"game\":\"%32[0-9a-f]\"}", id), 1);
		pages[i] = join(&v);
		snprintf(text, sizeof text, "GET /game/%s/events HTTP/1.1\r\n%s\r\n", id, browser);
		tell(pages[i], text, strlen(text));
		ck_assert_int_eq(recv(pages[i], &byte, 1, 0), 1);
	}
	check_error(request(&v, "POST", "/game", browser, ""), 503);
	ck_assert_int_eq(request(&v, "POST", "/game", other, "")->status, 201);
	ck_assert_int_eq(request(&v, "POST", "/game", LOCAL, "")->status, 201);
	close(pages[0]);
	while (request(&v, "POST", "/game", browser, "")->status == 503)
		usleep(10000);
	for (int i = 1; i < PAGES; i++)
		close(pages[i]);
	server_end(&v);
}
END_TEST

/* Pipelined requests, HTTP/1.0, chunked bodies, a client that waits for 100 Continue. */
START_TEST(other_clients)
{
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	char text[1024];
	int fd = join(&v);
	snprintf(text, sizeof text,
		 "POST %s HTTP/1.1\r\n" LOCAL "Content-Length: 6\r\n\r\n1 name"
		 "GET /none HTTP/1.1\r\n" LOCAL "\r\n"
		 "GET /text.js HTTP/1.1\r\n" LOCAL "Connection: close\r\n\r\n",
		 tab_path(&t, ""));
	tell(fd, text, strlen(text));
	struct reply *r = hear(fd);
	ck_assert_int_eq(r->status, 204);
	ck_assert_ptr_nonnull(strstr(r->text, " 404 "));
	ck_assert_ptr_nonnull(strstr(r->text, " 200 "));
	expect(&t, 1, true, "yomi");

	fd = join(&v);
	snprintf(text, sizeof text,
		 "POST %s HTTP/1.1\r\n" LOCAL
		 "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
		 "4\r\n2 na\r\n2\r\nme\r\n0\r\n\r\n",
		 tab_path(&t, ""));
	tell(fd, text, strlen(text));
	ck_assert_int_eq(hear(fd)->status, 204);
	expect(&t, 2, true, "yomi");

	fd = join(&v);
	snprintf(text, sizeof text,
		 "POST %s HTTP/1.1\r\n" LOCAL "Connection: close\r\nContent-Length: 6\r\n"
		 "Expect: 100-continue\r\n\r\n",
		 tab_path(&t, ""));
	tell(fd, text, strlen(text));
	ck_assert_int_gt(recv(fd, text, sizeof text - 1, 0), 0);
	ck_assert_int_eq(strncmp(text, "HTTP/1.1 100 ", 13), 0);
	tell(fd, "3 name", 6);
	ck_assert_int_eq(hear(fd)->status, 204);
	expect(&t, 3, true, "yomi");

	fd = join(&v);
	snprintf(text, sizeof text, "GET / HTTP/1.0\r\n" LOCAL "\r\n");
	tell(fd, text, strlen(text));
	ck_assert_int_eq(hear(fd)->status, 200);
	/* HTTP/1.0 has no chunks. */
	fd = join(&v);
	snprintf(text, sizeof text, "GET %s HTTP/1.0\r\n" LOCAL "\r\n", tab_path(&t, "/events"));
	tell(fd, text, strlen(text));
	say(&t, "4 name\n5 quit\n");
	r = hear(fd);
	ck_assert_int_eq(r->status, 200);
	ck_assert_ptr_nonnull(strstr(
		r->body, "event: answer\ndata: {\"id\":4,\"ok\":true,\"text\":\"yomi\"}\n\n"));
	server_end(&v);
}
END_TEST

/* A client that reads events should send nothing. What it sends is not stored. */
START_TEST(flood_on_a_stream)
{
	struct server v = server_start("0", "");
	struct tab t = tab_open(&v);
	char bytes[4096];
	memset(bytes, 'x', sizeof bytes);
	int fd = fileno(t.events);
	long before = server_memory(&v), sent = 0;
	while (sent < 64 << 20 && send(fd, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
		sent += (long)sizeof bytes;
	say(&t, "1 name");
	expect(&t, 1, true, "yomi");
	ck_assert_int_lt(server_memory(&v) - before, MEMORY_SPARE + (4 << 20));
	ck_assert_int_lt(sent, 64 << 20);
	server_end(&v);
}
END_TEST

/* --- the program --- */

START_TEST(ends_while_it_searches)
{
	struct server v = server_start("0", ENDLESS);
	struct tab tabs[3];
	for (int i = 0; i < 3; i++) {
		tabs[i] = tab_open(&v);
		say(&tabs[i], "1 yomi-analyze 1");
		json_decref(next_event(&tabs[i]).data);
	}
	server_end(&v);
	for (int i = 0; i < 3; i++)
		tab_close(&tabs[i]);
}
END_TEST

static int run_silently(const char *options)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), old = dup(STDERR_FILENO);
	dup2(null, STDERR_FILENO);
	int status = process_wait(process_start(options, null, null, NULL));
	dup2(old, STDERR_FILENO);
	close(old);
	close(null);
	return status;
}

START_TEST(where_it_listens)
{
	static const char *const bad[] = { "web 0.0.0.0:0",        "web nowhere",
					   "web 127.0.0.1:65536",  "web 0 0",
					   "web 0 --clients 0",    "web 0 --listen 0",
					   "web 0 --command name", "web 0 --game none" };
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(run_silently(bad[i]) == 2, "%s", bad[i]);
	struct server v = server_start("0", ""), w;
	char options[64];
	snprintf(options, sizeof options, "web %d", v.port);
	ck_assert_int_eq(run_silently(options), 1);
	/* The server chooses another port only if the user named none. */
	server_end(&v);
	v = server_start("", "");
	w = server_start("", "");
	ck_assert_int_ne(v.port, w.port);
	ck_assert_int_eq(get(&w, "/")->status, 200);
	server_end(&v);
	server_end(&w);
}
END_TEST

/*
 * Sends a request whose search does not end, and returns its connection once the server has no other place.  The server may refuse the
 * request itself, because the one before still ends or because requests came too fast: it is then sent again.
 */
static int ask_endlessly(const struct server *v, const char *command)
{
	char lines[128];
	int length = snprintf(lines, sizeof lines,
			      "play b d3\nparam time 1000\nparam playouts 0\n%s", command);
	char byte;
	int fd = -1;
	const struct reply *r;
	do {
		if (fd < 0) {
			fd = join(v);
			dprintf(fd, "POST /ask HTTP/1.1\r\n" LOCAL "Content-Length: %d\r\n\r\n%s",
				length, lines);
		}
		r = request(v, "POST", "/ask", LOCAL, "name");
		if (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) {
			close(fd);
			fd = -1;
		}
	} while (fd < 0 || r->status != 503);
	check_error(r, 503);
	return fd;
}

/* All answers in one response, from a game of their own that ends with it. */
START_TEST(all_at_once)
{
	struct server v = server_start("0", SHORT "--clients 1");
	struct reply *r = request(&v, "POST", "/ask", LOCAL,
				  "1 set_game tictactoe\nposition XX.OO.... X\nyomi-facts\n"
				  "yomi-search\nlz-analyze\n7 nothing\nname");
	json_t *all = json_loads(r->body, 0, NULL), *answers = json_object_get(all, "answers");
	ck_assert_msg(r->status == 200, "%.500s", r->text);
	check_header(r, "Content-Type: application/json");
	ck_assert_uint_eq(json_array_size(answers), 7);
	json_t *id = json_object_get(json_array_get(answers, 5), "id");
	ck_assert_int_eq(json_integer_value(id), 7);
	for (size_t i = 0; i < 7; i++)
		ck_assert_int_eq(json_is_true(json_object_get(json_array_get(answers, i), "ok")),
				 i != 5);
	const char *text = json_string_value(json_object_get(json_array_get(answers, 3), "text"));
	ck_assert_ptr_nonnull(strstr(text, "\"moves\":[{\"move\":\"C1\""));
	text = json_string_value(json_object_get(json_array_get(answers, 6), "text"));
	ck_assert_str_eq(text, "yomi");
	json_decref(all);
	/* Nothing is asked; the wrong method; too many lines. */
	r = request(&v, "POST", "/ask", LOCAL, "");
	ck_assert_str_eq(r->body, "{\"answers\":[]}");
	check_error(get(&v, "/ask"), 405);
	char *long_body = calloc(1, 70000);
	memset(long_body, '#', 69999);
	check_error(request(&v, "POST", "/ask", LOCAL, long_body), 413);
	free(long_body);
	/* Too many answers. */
	char *lists = calloc(1, 64001);
	static const char line[16] = { "list_commands #\n" };
	for (size_t i = 0; i < 64000; i += sizeof line)
		memcpy(lists + i, line, sizeof line);
	r = request(&v, "POST", "/ask", LOCAL, lists);
	check_error(r, 413);
	ck_assert_ptr_nonnull(strstr(r->body, "the answers are too long"));
	free(lists);
	/* The only place is taken while yomi thinks, and free again when the client leaves. */
	static const char *const commands[] = { "yomi-search", "yomi-review" };
	for (int i = 0; i < 2; i++) {
		close(ask_endlessly(&v, commands[i]));
		do
			r = request(&v, "POST", "/ask", LOCAL, "name");
		while (r->status == 503 || r->status == 429);
		ck_assert_int_eq(r->status, 200);
	}
	/* A game with a page takes no place from one that a client asks. The server ends while the request waits. */
	int fd = ask_endlessly(&v, "yomi-review");
	do
		r = request(&v, "POST", "/game", LOCAL, "");
	while (r->status == 429);
	check_error(r, 503);
	ck_assert(still_waits(fd));
	server_end(&v);
	close(fd);
}
END_TEST

/* Asks for a review of a game. Returns all answers, the review in `review`. */
static json_t *ask_review(const struct server *v, const char *lines, json_t **review)
{
	struct reply *r = request(v, "POST", "/ask", LOCAL, lines);
	ck_assert_msg(r->status == 200, "%.500s", r->text);
	json_t *all = json_loads(r->body, 0, NULL), *answers = json_object_get(all, "answers");
	*review = NULL;
	for (size_t i = 0; i < json_array_size(answers); i++) {
		json_t *answer = json_array_get(answers, i);
		const char *text = json_string_value(json_object_get(answer, "text"));
		if (json_integer_value(json_object_get(answer, "id")) == 1)
			*review = json_loads(text, 0, NULL);
	}
	ck_assert_ptr_nonnull(*review);
	return all;
}

/* The review of a whole game in one response; the game stays as it was. */
START_TEST(review_at_once)
{
	struct server v = server_start("0", SHORT);
	json_t *review, *all = ask_review(
				&v,
				"param search mcts\nparam playouts 20000\n"
				"yomi-loadsgf %28%3BGN%5Byomi%20tictactoe%20standard%5D%3BB%5Ba1%5D"
				"%3BW%5Bc1%5D%3BB%5Bb2%5D%3BW%5Ba3%5D%3BB%5Bc3%5D%29\n"
				"1 yomi-review\nmove_history\nundo\nparam playouts",
				&review);
	static const char *const judged[] = { "good", "blunder", "blunder", "blunder", "good" };
	json_t *moves = json_object_get(review, "moves");
	ck_assert_uint_eq(json_array_size(moves), 5);
	for (size_t i = 0; i < 5; i++) {
		json_t *move = json_array_get(moves, i), *loss = json_object_get(move, "loss");
		json_t *better = json_object_get(move, "better");
		ck_assert_int_eq(json_integer_value(json_object_get(move, "number")), (int)i + 1);
		ck_assert_str_eq(json_string_value(json_object_get(move, "side")),
				 i % 2 ? "white" : "black");
		ck_assert_str_eq(json_string_value(json_object_get(loss, "size")), judged[i]);
		ck_assert_int_eq(json_array_size(better) > 0, strcmp(judged[i], "blunder") == 0);
	}
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(moves, 3), "move")),
			 "A3");
	json_t *answers = json_object_get(all, "answers");
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(answers, 4), "text")),
			 "black C3\nwhite A3\nblack B2\nwhite C1\nblack A1");
	ck_assert(json_is_true(json_object_get(json_array_get(answers, 5), "ok")));
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(answers, 6), "text")),
			 "20000");
	json_decref(review);
	json_decref(all);
	server_end(&v);
}
END_TEST

#define LONG_GAME 304 /* moves: each side fills eight rows of its own */

/* The review of a game that needs more bytes than the buffers of a stream have. */
START_TEST(review_of_a_long_game)
{
	struct server v = server_start("0", SHORT);
	char *lines;
	size_t length;
	FILE *f = open_memstream(&lines, &length);
	fputs("set_game go\nboardsize 19\nparam playouts 1\ngogui-play_sequence", f);
	for (int i = 0; i < LONG_GAME; i++) {
		int row = 1 + i / 2 / 19 + (i % 2) * 10;
		fprintf(f, " %c %c%d", "bw"[i % 2], "abcdefghjklmnopqrst"[i / 2 % 19], row);
	}
	fputs("\n1 yomi-review\n", f);
	fclose(f);
	json_t *review, *all = ask_review(&v, lines, &review), *moves, *last;
	moves = json_object_get(review, "moves");
	ck_assert_uint_eq(json_array_size(moves), LONG_GAME);
	last = json_array_get(moves, LONG_GAME - 1);
	ck_assert_int_eq(json_integer_value(json_object_get(last, "number")), LONG_GAME);
	ck_assert_str_eq(json_string_value(json_object_get(last, "move")), "T18");
	char *text = json_dumps(review, JSON_COMPACT);
	ck_assert_uint_gt(strlen(text), 1 << 16);
	free(text);
	free(lines);
	json_decref(review);
	json_decref(all);
	server_end(&v);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("web");
	TCase *cases = tcase_create("web");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, page);
	tcase_add_test(cases, page_is_sent_as_gzip);
	tcase_add_test(cases, page_obeys_its_policy);
	tcase_add_test(cases, addresses_and_methods);
	tcase_add_test(cases, hosts_and_origins);
	tcase_add_test(cases, anywhere);
	tcase_add_test(cases, files_are_not_for_pages);
	tcase_add_test(cases, games_of_their_own);
	tcase_add_test(cases, texts);
	tcase_add_test(cases, analysis);
	tcase_add_test(cases, proof_numbers);
	tcase_add_test(cases, lines_wait_for_a_page);
	tcase_add_test(cases, a_vanished_page_stops_its_search);
	tcase_add_test(cases, a_second_page_takes_over);
	tcase_add_test(cases, answers_are_never_dropped);
	tcase_add_test(cases, reports_are_dropped);
	tcase_add_test(cases, number_of_games);
	tcase_add_test(cases, rate_of_games);
	tcase_add_test(cases, rate_of_lines);
	tcase_add_test(cases, sizes);
	tcase_add_test(cases, the_oldest_game_makes_room);
	tcase_add_test(cases, idle_games);
	tcase_add_test(cases, connections);
	tcase_add_test(cases, the_oldest_connection_makes_room);
	tcase_add_test(cases, silent_connections);
	tcase_add_test(cases, slow_requests);
	tcase_add_test(cases, descriptors);
	tcase_add_test(cases, strange_requests);
	tcase_add_test(cases, smuggled_requests);
	tcase_add_test(cases, pages_of_a_browser);
	tcase_add_test(cases, other_clients);
	tcase_add_test(cases, flood_on_a_stream);
	tcase_add_test(cases, ends_while_it_searches);
	tcase_add_test(cases, all_at_once);
	tcase_add_test(cases, review_at_once);
	tcase_add_test(cases, review_of_a_long_game);
	tcase_add_test(cases, where_it_listens);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
