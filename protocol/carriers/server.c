/* SPDX-License-Identifier: MIT */
#include "protocol/carriers/server.h"

#include <event2/listener.h>
#include <stdarg.h>
#include <string.h>

#include "engine/base/stream.h"
#include "engine/search/common/slots.h"
#include "protocol/carriers/socket.h"
#include "protocol/session/command.h"

bool address_parse(union address *a, int *length, const char *text)
{
	*length = sizeof *a;
	return evutil_parse_sockaddr_port(text, &a->any, length) == 0;
}

void address_format(const union address *a, char text[ADDRESS_MAX])
{
	char host[INET6_ADDRSTRLEN] = "";
	bool is_six = a->any.sa_family == AF_INET6;
	if (is_six)
		evutil_inet_ntop(AF_INET6, &a->six.sin6_addr, host, sizeof host);
	else
		evutil_inet_ntop(AF_INET, &a->four.sin_addr, host, sizeof host);
	snprintf(text, ADDRESS_MAX, is_six ? "[%s]:%d" : "%s:%d", host,
		 ntohs(is_six ? a->six.sin6_port : a->four.sin_port));
}

bool address_is_loopback(const union address *a)
{
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->six.sin6_addr);
	return ntohl(a->four.sin_addr.s_addr) >> 24 == 127;
}

/* Reads the address to listen on. Returns false after an error message. */
static bool read_address(const struct serving *setting, union address *out, int *length)
{
	char text[ADDRESS_MAX];
	const char *given = setting->address;
	bool is_port = *given && !given[strspn(given, "0123456789")];
	int n = snprintf(text, sizeof text, "%s%s", is_port ? "127.0.0.1:" : "", given);
	/* libevent does not read port 0, but uses it if there is no port. */
	if (n > 2 && n < (int)sizeof text && strcmp(text + n - 2, ":0") == 0)
		text[n - 2] = '\0';
	if (n >= (int)sizeof text || !address_parse(out, length, text)) {
		fprintf(stderr,
			"yomi: %s is not an address; type 127.0.0.1:PORT, [::1]:PORT or PORT\n",
			given);
		return false;
	}
	if (!setting->anywhere && !address_is_loopback(out)) {
		fprintf(stderr,
			"yomi: %s can be reached from other machines; add --listen-anywhere to "
			"allow that\n",
			given);
		return false;
	}
	return true;
}

static void clear_port(union address *a)
{
	if (a->any.sa_family == AF_INET6)
		a->six.sin6_port = 0;
	else
		a->four.sin_port = 0;
}

/* Returns a socket that is bound to an address, or -1 with *error, which libevent reads. */
static evutil_socket_t bind_to(const union address *address, int length, int *error)
{
	evutil_socket_t fd = (evutil_socket_t)socket(address->any.sa_family, SOCK_STREAM, 0);
	if (fd != -1) {
		evutil_make_socket_closeonexec(fd);
		evutil_make_socket_nonblocking(fd);
		if (socket_bind(fd, &address->any, (ev_socklen_t)length))
			return fd;
	}
	*error = EVUTIL_SOCKET_ERROR();
	if (fd != -1)
		evutil_closesocket(fd);
	return -1;
}

/* Starts to listen. Returns false after an error message. */
static bool listen_on(struct server *v, union address *address, int length)
{
	int error = 0;
	evutil_socket_t fd = bind_to(address, length, &error);
	if (fd == -1 && socket_is_taken(error) && v->setting->yields) {
		clear_port(address);
		fd = bind_to(address, length, &error);
	}
	if (fd != -1) {
		v->listener = evconnlistener_new(v->loop.base, NULL, NULL,
						 LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, -1,
						 fd);
		if (!v->listener) {
			error = EVUTIL_SOCKET_ERROR();
			evutil_closesocket(fd);
		}
	}
	if (!v->listener) {
		fprintf(stderr, "yomi: cannot listen on %s: %s\n", v->setting->address,
			evutil_socket_error_to_string(error));
		return false;
	}
	socket_address(fd, &v->bound.any, sizeof v->bound);
	socket_tune(fd);
	return true;
}

int server_open(struct server *v, const struct start *start, const struct serving *setting)
{
	union address address = { 0 };
	int length;
	*v = (struct server) { .start = start, .setting = setting, .options = *start->options };
	if (!read_address(setting, &address, &length))
		return EXIT_USAGE;
	int status = loop_open(&v->loop, start, NULL, NULL);
	if (status)
		return status;
	if (!listen_on(v, &address, length)) {
		loop_close(&v->loop);
		return 1;
	}
	v->options.memory /= setting->clients;
	v->options.memory += v->options.memory == 0;
	v->slots = slots_create(v->options.threads);
	return 0;
}

int server_close(struct server *v)
{
	if (v->listener)
		evconnlistener_free(v->listener);
	slots_destroy(v->slots);
	return loop_close(&v->loop);
}

struct session *server_session(struct server *v, int number, const struct session_setup *carrier)
{
	struct session_setup setup = *carrier;
	setup.loop = &loop_of_events;
	setup.base = v->loop.base;
	setup.game = v->start->game;
	setup.options = &v->options;
	setup.settings = v->start->settings;
	setup.own_book = v->start->own_book;
	/* Other machines see the user's own book only if the user gives it. */
	setup.no_own_book = v->setting->anywhere && !v->start->own_book;
	setup.log = v->loop.log;
	setup.number = number;
	setup.queue_max = setup.line_max;
	setup.remote = true;
	setup.no_files = !v->setting->files;
	struct session *s = session_create(&setup);
	if (s)
		engine_set_slots(s->engine, v->slots);
	return s;
}

void server_note(const struct server *v, const char *format, ...)
{
	char line[STREAM_STDERR_MAX];
	va_list args;
	if (!v->start->settings || !v->start->settings->verbose)
		return;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	stream_stderr(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}
