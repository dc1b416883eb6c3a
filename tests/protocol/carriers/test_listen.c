/* SPDX-License-Identifier: MIT
 *
 * The program as a server: several clients through real loopback sockets, on a port of the system's
 * choice. Endless searches have a budget of weeks, so that they end only by what is tested; Check's
 * timeout is the judge of what waits for ever.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "tests/protocol/process.h"

#define ENDLESS "--search montecarlo --book 0 --time 1000000 --threads 1 "
#define SHORT   "--search montecarlo --playouts 2000 --threads 1 "

struct server {
	pid_t child;
	int port;
	FILE *notes; /* its stderr, whose first line names the port */
};

static struct server server_start(const char *address, const char *options)
{
	struct server v;
	char words[256], *line = NULL;
	size_t room = 0;
	int errors[2], null = open("/dev/null", O_RDWR | O_CLOEXEC), old = dup(STDERR_FILENO);
	ck_assert_int_eq(pipe2(errors, O_CLOEXEC), 0);
	snprintf(words, sizeof words, "--listen %s %s", address, options);
	dup2(errors[1], STDERR_FILENO);
	v.child = process_start(words, null, null, NULL);
	dup2(old, STDERR_FILENO);
	close(old);
	close(null);
	close(errors[1]);
	v.notes = fdopen(errors[0], "r");
	ck_assert_msg(getline(&line, &room, v.notes) > 0, "there is no server: %s", words);
	ck_assert_msg(sscanf(strrchr(line, ':'), ":%d", &v.port) == 1, "no port: %s", line);
	free(line);
	return v;
}

static void server_end(struct server *v, int signal)
{
	kill(v->child, signal);
	ck_assert_int_eq(process_wait(v->child), 0);
	fclose(v->notes);
}

static int join(const struct server *v)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)v->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	return fd;
}

static void tell(int fd, const char *text)
{
	ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* Returns the next answer without its blank line, "" at the end, in a buffer that the next call overwrites. */
static const char *answer(int fd)
{
	static char text[65536];
	size_t n = 0;
	while (n < 2 || memcmp(text + n - 2, "\n\n", 2) != 0) {
		ck_assert_uint_lt(n, sizeof text);
		ssize_t got = recv(fd, text + n, sizeof text - n, MSG_PEEK);
		ck_assert_msg(got >= 0, "the connection is broken");
		if (got == 0) {
			ck_assert_uint_eq(n, 0);
			return "";
		}
		/* The previous byte may be the first of the two line feeds. */
		size_t from = n ? n - 1 : 0;
		char *stop = memmem(text + from, n + (size_t)got - from, "\n\n", 2);
		size_t used = stop ? (size_t)(stop + 2 - text) - n : (size_t)got;
		ck_assert_int_eq(recv(fd, text + n, used, 0), (ssize_t)used);
		n += used;
	}
	text[n - 2] = '\0';
	return text;
}

static const char *ask(int fd, const char *line)
{
	tell(fd, line);
	tell(fd, "\n");
	return answer(fd);
}

static bool is_move(const char *text)
{
	return strncmp(text, "= ", 2) == 0 && strlen(text) >= 4;
}

/* Checks that the server has disconnected: no more output comes. */
static void end(int fd)
{
	ck_assert_str_eq(answer(fd), "");
	close(fd);
}

/* --- games --- */

START_TEST(clients_have_games_of_their_own)
{
	enum { CLIENTS = 4 };
	static const char *const titles[] = { "Othello", "Tictactoe", "Pentago", "Othello" };
	static const char *const moves[] = { "D3", "B2", "C3T", "C4" };
	static const char *const replies[] = { "C5", "A1", "D4S", "C3" };
	struct server v = server_start("0", SHORT "--seed 1");
	int clients[CLIENTS];
	char line[64];
	for (int i = 0; i < CLIENTS; i++)
		clients[i] = join(&v);
	for (int i = 0; i < CLIENTS; i++) {
		snprintf(line, sizeof line, "set_game %s\nplay b %s", titles[i], moves[i]);
		tell(clients[i], line);
	}
	for (int i = 0; i < CLIENTS; i++)
		tell(clients[i], "\n");
	for (int i = 0; i < CLIENTS; i++) {
		ck_assert_str_eq(answer(clients[i]), "=");
		ck_assert_str_eq(answer(clients[i]), "=");
		snprintf(line, sizeof line, "play w %s", replies[i]);
		ck_assert_str_eq(ask(clients[i], line), "=");
	}
	for (int i = 0; i < CLIENTS; i++) {
		snprintf(line, sizeof line, "= white %s\nblack %s", replies[i], moves[i]);
		ck_assert_str_eq(ask(clients[i], "move_history"), line);
		ck_assert_str_eq(ask(clients[i], "7 quit"), "=7");
		end(clients[i]);
	}
	server_end(&v, SIGTERM);
}
END_TEST

/* More searches than processors or thread slots: each ends, and none waits for the end of another. */
START_TEST(searches_side_by_side)
{
	enum { CLIENTS = 6, MOVES = 5 };
	struct server v = server_start("0", SHORT);
	int clients[CLIENTS];
	for (int i = 0; i < CLIENTS; i++)
		clients[i] = join(&v);
	for (int m = 0; m < MOVES; m++) {
		for (int i = 0; i < CLIENTS; i++)
			tell(clients[i], m % 2 ? "genmove w\n" : "genmove b\n");
		for (int i = 0; i < CLIENTS; i++)
			ck_assert(is_move(answer(clients[i])));
	}
	/* A search without limit takes only its share from the others. */
	ck_assert_str_eq(ask(clients[0], "param playouts 0"), "=");
	ck_assert_str_eq(ask(clients[0], "set_time 1000000"), "=");
	tell(clients[0], "genmove w\n");
	for (int i = 1; i < CLIENTS; i++) {
		ck_assert_str_eq(ask(clients[i], "name"), "= yomi");
		ck_assert(is_move(ask(clients[i], "genmove w")));
	}
	ck_assert(is_move(ask(clients[0], "# interrupt")));
	server_end(&v, SIGTERM);
}
END_TEST

/* --- limits --- */

/* Clients that have sent no line are disconnected to make room, the oldest first. */
START_TEST(silent_clients)
{
	struct server v = server_start("0", "--clients 2");
	int silent = join(&v), half = join(&v), a, b;
	ck_assert_int_eq(send(half, "nam", 3, MSG_NOSIGNAL), 3);
	ck_assert_str_eq(ask((a = join(&v)), "name"), "= yomi");
	ck_assert_str_eq(answer(silent), "? another client needs this place");
	ck_assert_str_eq(ask((b = join(&v)), "name"), "= yomi");
	ck_assert_str_eq(answer(half), "? another client needs this place");
	int c = join(&v);
	ck_assert_str_eq(answer(c), "? too many clients, the limit is 2");
	ck_assert_str_eq(ask(a, "name"), "= yomi");
	close(silent);
	close(half);
	close(a);
	close(b);
	close(c);
	server_end(&v, SIGTERM);
}
END_TEST

START_TEST(number_of_clients)
{
	struct server v = server_start("0", "--clients 2");
	int a = join(&v), b = join(&v);
	ck_assert_str_eq(ask(a, "name"), "= yomi");
	ck_assert_str_eq(ask(b, "name"), "= yomi");
	for (int i = 0; i < 200; i++) {
		int c = join(&v);
		ck_assert_str_eq(answer(c), "? too many clients, the limit is 2");
		end(c);
	}
	ck_assert_str_eq(ask(a, "quit"), "=");
	end(a);
	a = join(&v);
	ck_assert_str_eq(ask(a, "name"), "= yomi");
	server_end(&v, SIGINT);
}
END_TEST

START_TEST(length_of_lines)
{
	size_t length = 1000000;
	char *line = malloc(length + 32);
	struct server v = server_start("0", "");
	int a = join(&v);
	strcpy(line, "7 known_command ");
	memset(line + 16, 'a', length);
	line[16 + length] = '\0';
	ck_assert_str_eq(ask(a, line), "=7 false");
	server_end(&v, SIGTERM);
	v = server_start("0", "--line-max 64");
	a = join(&v);
	ck_assert_str_eq(ask(a, line), "?7 line too long");
	line[65] = '\0';
	ck_assert_str_eq(ask(a, line), "?7 line too long");
	line[64] = '\0';
	ck_assert_str_eq(ask(a, line), "=7 false");
	free(line);
	server_end(&v, SIGTERM);
}
END_TEST

/* A client that waits for a search is not idle, however long it takes. */
START_TEST(idle_clients)
{
	struct server v = server_start("0", ENDLESS "--idle 3");
	int thinking = join(&v);
	tell(thinking, "genmove b\n");
	int silent = join(&v);
	ck_assert_str_eq(answer(silent), "? idle for 3 seconds");
	end(silent);
	ck_assert(is_move(ask(thinking, "# interrupt")));
	ck_assert_str_eq(answer(thinking), "? idle for 3 seconds");
	end(thinking);
	server_end(&v, SIGTERM);
}
END_TEST

START_TEST(memory_and_threads)
{
	struct server v = server_start("0", "--clients 3 --memory 99 --threads 2");
	int a = join(&v);
	ck_assert_str_eq(ask(a, "param memory"), "= 33");
	ck_assert_str_eq(ask(a, "param memory 34"), "? this server limits memory to 33");
	ck_assert_str_eq(ask(a, "param threads 3"), "? this server limits threads to 2");
	ck_assert_str_eq(ask(a, "param verbose 1"), "? this server limits verbose to 0");
	ck_assert_str_eq(ask(a, "kata-set-param memory 34"), "? this server limits memory to 33");
	ck_assert_str_eq(ask(a, "kata-set-params {\"threads\":1,\"seed\":7,\"memory\":34}"),
			 "? this server limits memory to 33");
	ck_assert_str_eq(ask(a, "param threads"), "= 2");
	ck_assert_str_eq(ask(a, "param seed"), "= 0");
	ck_assert_str_eq(ask(a, "param memory 1"), "=");
	ck_assert_str_eq(ask(a, "param memory 33"), "=");
	ck_assert_str_eq(ask(a, "param threads 1"), "=");
	int b = join(&v);
	ck_assert_str_eq(ask(b, "param threads"), "= 2");
	server_end(&v, SIGTERM);
}
END_TEST

START_TEST(files)
{
	char path[] = "/tmp/yomi-listen-XXXXXX", line[64];
	int fd = mkstemp(path);
	struct server v = server_start("0", "");
	int a = join(&v);
	snprintf(line, sizeof line, "printsgf %s", path);
	ck_assert_int_eq(ask(a, line)[0], '?');
	char save[80];
	snprintf(save, sizeof save, "gomill-savesgf %s PB=x", path);
	ck_assert_int_eq(ask(a, save)[0], '?');
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
	ck_assert_int_eq(ask(a, "printsgf")[0], '=');
	server_end(&v, SIGTERM);

	v = server_start("0", "--listen-files");
	a = join(&v);
	ck_assert_str_eq(ask(a, "play b D3"), "=");
	ck_assert_str_eq(ask(a, line), "=");
	ck_assert_str_eq(ask(a, "clear_board"), "=");
	snprintf(line, sizeof line, "loadsgf %s", path);
	ck_assert_str_eq(ask(a, line), "=");
	ck_assert_str_eq(ask(a, "move_history"), "= black D3");
	server_end(&v, SIGTERM);

	v = server_start("0", "");
	a = join(&v);
	ck_assert_str_eq(ask(a, line), "? cannot load file");
	server_end(&v, SIGTERM);
	close(fd);
	unlink(path);
}
END_TEST

/* Any web page can make a browser send arbitrary text to any port of this machine. */
/* Clients of other machines see the user's own book only if it is given. */
START_TEST(own_book)
{
	static const struct {
		const char *options;
		bool sees;
	} cases[] = { { "", true },
		      { "--listen-anywhere", false },
		      { "--listen-anywhere --own_book=%s/yomi", true } };
	char folder[] = "/tmp/yomi-listen-XXXXXX", text[128];
	ck_assert(mkdtemp(folder));
	setenv("TEST_DATA_HOME", folder, 1);
	snprintf(text, sizeof text, "mkdir %s/yomi", folder);
	ck_assert_int_eq(system(text), 0);
	snprintf(text, sizeof text, "%s/yomi/tictactoe-standard-3x3.lines", folder);
	FILE *f = fopen(text, "we");
	ck_assert(f && fputs("A1 B2\tB+\n", f) >= 0 && fclose(f) == 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char options[160];
		snprintf(text, sizeof text, cases[i].options, folder);
		snprintf(options, sizeof options, "--game tictactoe %s", text);
		struct server v = server_start("127.0.0.1:0", options);
		int c = join(&v);
		const char *found = ask(c, "yomi-explore");
		ck_assert_msg(!strstr(found, "\"games\":1") == !cases[i].sees, "%s: %s", text,
			      found);
		tell(c, "quit\n");
		answer(c);
		end(c);
		server_end(&v, SIGTERM);
	}
	snprintf(text, sizeof text, "rm -r %s", folder);
	ck_assert_int_eq(system(text), 0);
}
END_TEST

START_TEST(browsers)
{
	struct server v = server_start("0", "");
	int a = join(&v);
	tell(a, "POST /x HTTP/1.1\r\nHost: localhost\r\n\r\nname\n");
	ck_assert_str_eq(answer(a), "? this is GTP, not HTTP");
	end(a);
	a = join(&v);
	ck_assert_str_eq(ask(a, "POST x"), "? unknown command");
	ck_assert_str_eq(ask(a, "POST /x HTTP/1.1"), "? unknown command");
	server_end(&v, SIGTERM);
}
END_TEST

/* --- coming and going --- */

/* Connects as soon as a place is free. */
static int join_at_last(const struct server *v)
{
	for (;;) {
		int fd = join(v);
		if (strcmp(ask(fd, "name"), "= yomi") == 0)
			return fd;
		close(fd);
		usleep(10000);
	}
}

/* The only place is free again when the search of the disconnected client has ended. */
START_TEST(client_disappears)
{
	struct server v = server_start("0", ENDLESS "--clients 1");
	struct linger reset = { .l_onoff = 1 };
	for (int i = 0; i < 4; i++) {
		int a = join_at_last(&v);
		tell(a, i & 1 ? "genmove b\nname\n" : "genmove b\n");
		if (i & 2)
			setsockopt(a, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
		close(a);
	}
	close(join_at_last(&v));
	server_end(&v, SIGTERM);
}
END_TEST

/* A client that has closed its output still receives answers, as in `printf 'genmove b\n' | nc -N`. */
START_TEST(half_closed)
{
	struct server v = server_start("0", SHORT);
	int a = join(&v), b = join(&v);
	tell(a, "genmove b\n2 name\n3 showboard");
	shutdown(a, SHUT_WR);
	ck_assert(is_move(answer(a)));
	ck_assert_str_eq(answer(a), "=2 yomi");
	ck_assert_int_eq(strncmp(answer(a), "=3", 2), 0);
	end(a);
	/* The server probes several times here whether it still reads, which must not disturb it. */
	ck_assert_str_eq(ask(b, "param playouts 0"), "=");
	ck_assert_str_eq(ask(b, "set_time 1"), "=");
	tell(b, "genmove b\n");
	shutdown(b, SHUT_WR);
	ck_assert(is_move(answer(b)));
	end(b);
	/* Nor do the probes disturb a streamed answer, even if it is read late. */
	int c = join(&v);
	ck_assert_str_eq(ask(c, "param playouts 0"), "=");
	ck_assert_str_eq(ask(c, "set_time 1.2"), "=");
	tell(c, "list_commands\ngenmove_analyze b 10\n");
	shutdown(c, SHUT_WR);
	usleep(1500000);
	ck_assert_int_eq(strncmp(answer(c), "= ", 2), 0);
	const char *text = answer(c);
	ck_assert_int_eq(strncmp(text, "=\ninfo ", 7), 0);
	ck_assert_ptr_nonnull(strstr(text, "\nplay "));
	end(c);
	server_end(&v, SIGTERM);
}
END_TEST

/* Answers of many megabytes wait for their reader without delaying others. */
START_TEST(slow_reader)
{
	enum { COMMANDS = 3000 };
	struct server v = server_start("0", "");
	int slow = join(&v), other = join(&v);
	char start[16];
	pid_t writer = fork();
	ck_assert_int_ge(writer, 0);
	if (writer == 0) {
		for (int i = 0; i < COMMANDS; i++)
			dprintf(slow, "%d list_commands\n", i);
		_exit(0);
	}
	for (int i = 0; i < 100; i++)
		ck_assert_str_eq(ask(other, "name"), "= yomi");
	for (int i = 0; i < COMMANDS; i++) {
		const char *text = answer(slow);
		int length = snprintf(start, sizeof start, "=%d ", i);
		ck_assert_int_eq(strncmp(text, start, (size_t)length), 0);
		ck_assert_uint_gt(strlen(text), 300);
		if (i % 100 == 0)
			ck_assert_str_eq(ask(other, "name"), "= yomi");
	}
	ck_assert_int_eq(process_wait(writer), 0);
	server_end(&v, SIGTERM);
}
END_TEST

/* Random bytes from clients that leave abruptly. A client that stays gets an answer. */
START_TEST(garbage_and_floods)
{
	struct server v = server_start("0", ENDLESS "--clients 4");
	struct rng rng;
	char bytes[5000];
	int steady = join(&v);
	rng_seed(&rng, 5);
	for (int i = 0; i < 40; i++) {
		int a = join(&v);
		for (size_t j = 0; j < sizeof bytes; j++)
			bytes[j] = i & 1 ? (char)rng_below(&rng, 256)
					 : "genmove b\nname\n\n#\x18\t"[rng_below(&rng, 19)];
		for (int j = 0; j < 20; j++)
			if (send(a, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
				break;
		if (i % 4 == 3)
			shutdown(a, SHUT_WR);
		close(a);
		ck_assert_str_eq(ask(steady, "name"), "= yomi");
	}
	/* A flood of commands whose answers are not read stalls, but the server does not. */
	int a = join_at_last(&v);
	for (int sent = 0; sent < 100 << 20;) {
		static const char line[] = "help\nshowboard\nundo\nmove_history\nclear_board\n";
		ssize_t n = send(a, line, sizeof line - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0)
			break;
		sent += (int)n;
		ck_assert_int_lt(sent, 64 << 20);
	}
	ck_assert_str_eq(ask(steady, "name"), "= yomi");
	close(a);
	join_at_last(&v);
	server_end(&v, SIGTERM);
}
END_TEST

/* Without free descriptors clients wait or are refused. Later they are served again. */
START_TEST(descriptors)
{
	enum { CLIENTS = 40 };
	struct rlimit old, few;
	int clients[CLIENTS];
	getrlimit(RLIMIT_NOFILE, &old);
	few = old;
	few.rlim_cur = 32;
	setrlimit(RLIMIT_NOFILE, &few);
	struct server v = server_start("0", "--clients 100");
	setrlimit(RLIMIT_NOFILE, &old);
	for (int i = 0; i < CLIENTS; i++)
		clients[i] = join(&v);
	ck_assert_str_eq(ask(clients[0], "name"), "= yomi");
	for (int i = 0; i < CLIENTS; i++)
		close(clients[i]);
	close(join_at_last(&v));
	server_end(&v, SIGTERM);
}
END_TEST

START_TEST(signals)
{
	for (int i = 0; i < 2; i++) {
		struct server v = server_start("0", ENDLESS);
		int a = join(&v), b = join(&v), c = join(&v);
		ck_assert_str_eq(ask(a, "name"), "= yomi");
		tell(a, "echo 1\ngenmove b\n");
		tell(b, "echo 1\ngenmove b\nname\n");
		ck_assert_str_eq(answer(a), "= 1");
		ck_assert_str_eq(answer(b), "= 1");
		ck_assert_str_eq(ask(c, "name"), "= yomi");
		server_end(&v, i ? SIGINT : SIGTERM);
		close(a);
		close(b);
		close(c);
	}
}
END_TEST

/* --- addresses --- */

START_TEST(addresses)
{
	static const char *const good[] = { "127.0.0.1:0", "127.1.2.3:0",
					    "0.0.0.0:0 --listen-anywhere" };
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct server v = server_start(good[i], "");
		server_end(&v, SIGTERM);
	}
	static const char *const bad[] = {
		"--listen 0.0.0.0:0",       "--listen [::]:0",      "--listen 192.0.2.1:0",
		"--listen 127.0.0.1:65536", "--listen nowhere",     "--listen 127.0.0.1:x",
		"--listen 0 --clients 0",   "--listen 0 --idle -1", "--listen 0 --line-max x",
	};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), old = dup(STDERR_FILENO);
	dup2(null, STDERR_FILENO);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(process_wait(process_start(bad[i], null, null, NULL)) == 2, "%s",
			      bad[i]);
	dup2(old, STDERR_FILENO);
	close(old);

	struct server v = server_start("0", "");
	char options[64];
	snprintf(options, sizeof options, "--listen %d", v.port);
	old = dup(STDERR_FILENO);
	dup2(null, STDERR_FILENO);
	ck_assert_int_eq(process_wait(process_start(options, null, null, NULL)), 1);
	dup2(old, STDERR_FILENO);
	close(old);
	close(null);
	server_end(&v, SIGTERM);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("listen");
	TCase *cases = tcase_create("listen");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, clients_have_games_of_their_own);
	tcase_add_test(cases, searches_side_by_side);
	tcase_add_test(cases, silent_clients);
	tcase_add_test(cases, number_of_clients);
	tcase_add_test(cases, length_of_lines);
	tcase_add_test(cases, idle_clients);
	tcase_add_test(cases, memory_and_threads);
	tcase_add_test(cases, files);
	tcase_add_test(cases, own_book);
	tcase_add_test(cases, browsers);
	tcase_add_test(cases, client_disappears);
	tcase_add_test(cases, half_closed);
	tcase_add_test(cases, slow_reader);
	tcase_add_test(cases, garbage_and_floods);
	tcase_add_test(cases, descriptors);
	tcase_add_test(cases, signals);
	tcase_add_test(cases, addresses);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
