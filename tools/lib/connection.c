/* SPDX-License-Identifier: MIT */
#include "tools/lib/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"

#define PIECE_MAX   65536
#define END_SECONDS 10 /* that a killed process may take to end */

static void connection_init(struct connection *c, int to, int from)
{
	*c = (struct connection) { .to = to, .from = from, .cancel_fd = -1 };
	if (to >= 0)
		fcntl(to, F_SETFL, O_NONBLOCK);
}

static bool connection_spawn(struct connection *c, const char *const *argv, int err, bool leads)
{
	extern char **environ;
	int to[2], from[2];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	connection_init(c, -1, -1);
	if (pipe2(to, O_CLOEXEC) != 0)
		return false;
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	sigemptyset(&none);
	sigfillset(&usual);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
					 (leads ? POSIX_SPAWN_SETPGROUP : 0)));
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	char *const *words = (char *const *)(void *)argv;
	errno = posix_spawn(&c->pid, argv[0], &files, &attributes, words, environ);
	bool started = errno == 0;
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	close(to[0]);
	close(from[1]);
	if (started) {
		pid_t pid = c->pid;
		connection_init(c, to[1], from[0]);
		c->pid = pid;
		c->leads = leads;
	} else {
		c->pid = 0;
		close(to[1]);
		close(from[0]);
	}
	return started;
}

bool connection_start(struct connection *c, const char *const *argv, int err)
{
	return connection_spawn(c, argv, err, false);
}

bool connection_start_shell(struct connection *c, const char *command, int err)
{
	return connection_spawn(c, (const char *const[]) { "/bin/sh", "-c", command, NULL }, err,
				true);
}

void connection_kill(const struct connection *c, int signal)
{
	if (c->pid)
		kill(c->leads ? -c->pid : c->pid, signal);
}

bool connection_open(struct connection *c, int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	connection_init(c, -1, -1);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
		close(fd);
		return false;
	}
	connection_init(c, fd, fd);
	return true;
}

/* Waits until `deadline` for the events in `fds`, of which the first is cancel_fd. Returns RECEIVED_TEXT if one
 * of the others has come. */
static enum received wait_for(struct pollfd *fds, nfds_t count, int64_t deadline)
{
	for (;;) {
		int64_t left = deadline - clock_now();
		struct timespec wait = { left / 1000000000, left % 1000000000 };
		if (left <= 0)
			return RECEIVED_NOTHING;
		int n = ppoll(fds, count, &wait, NULL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return RECEIVED_NOTHING;
		return fds[0].revents ? RECEIVED_CANCELLED : RECEIVED_TEXT;
	}
}

static bool connection_is_kept(const struct connection *c, char byte)
{
	switch (c->cleaning) {
	case CLEAN_RETURNS:
		return byte != '\r';
	case CLEAN_CONTROLS:
		return byte == '\n' || ((unsigned char)byte >= ' ' && byte != 127);
	case CLEAN_NOTHING:
		break;
	}
	return true;
}

/* Reads once. Returns false at the end of input. */
static bool read_more(struct connection *c)
{
	if (c->at == c->length)
		c->at = c->length = 0;
	if (c->room < c->length + PIECE_MAX + 1) {
		c->room = 2 * c->room + PIECE_MAX + 1;
		c->input = xrealloc(c->input, c->room);
	}
	ssize_t n = read(c->from, c->input + c->length, PIECE_MAX);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	size_t length = c->length;
	for (ssize_t i = 0; i < n; i++) {
		char byte = c->input[length + (size_t)i];
		if (c->cleaning == CLEAN_CONTROLS && byte == '\t')
			byte = ' ';
		if (connection_is_kept(c, byte))
			c->input[c->length++] = byte;
	}
	c->input[c->length] = '\0';
	return n > 0;
}

bool connection_send(struct connection *c, const char *bytes, size_t n, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	bool is_open = true; /* the other side has not closed its output */
	while (n) {
		ssize_t written = c->pid ? write(c->to, bytes, n)
					 : send(c->to, bytes, n, MSG_NOSIGNAL);
		if (written >= 0) {
			bytes += written;
			n -= (size_t)written;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return false;
		struct pollfd fds[] = { { c->cancel_fd, POLLIN, 0 },
					{ c->to, POLLOUT, 0 },
					{ is_open ? c->from : -1, POLLIN, 0 } };
		enum received received = wait_for(fds, 3, deadline);
		if (received != RECEIVED_TEXT) {
			errno = received == RECEIVED_CANCELLED ? ECANCELED : ETIMEDOUT;
			return false;
		}
		if (fds[2].revents)
			is_open = read_more(c);
	}
	return true;
}

bool connection_is_cancelled(const struct connection *c, double seconds)
{
	struct pollfd fd = { c->cancel_fd, POLLIN, 0 };
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	return c->cancel_fd >= 0 && wait_for(&fd, 1, deadline) == RECEIVED_CANCELLED;
}

enum received connection_receive_more(struct connection *c, int64_t deadline)
{
	struct pollfd fds[] = { { c->cancel_fd, POLLIN, 0 }, { c->from, POLLIN, 0 } };
	if (c->from < 0)
		return RECEIVED_END;
	enum received received = wait_for(fds, 2, deadline);
	return received == RECEIVED_TEXT && !read_more(c) ? RECEIVED_END : received;
}

enum received connection_receive(struct connection *c, double seconds, char **text)
{
	return connection_receive_to(c, "\n\n", seconds, text);
}

enum received connection_receive_to(struct connection *c, const char *end, double seconds,
				    char **text)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	static char nothing[1];
	size_t seen = 0, length = strlen(end);
	*text = nothing;
	for (;;) {
		size_t n = c->length - c->at;
		char *from = n ? c->input + c->at : NULL;
		char *found = n > seen ? memmem(from + seen, n - seen, end, length) : NULL;
		if (found) {
			*found = '\0';
			*text = from;
			c->at += (size_t)(found - from) + length;
			return RECEIVED_TEXT;
		}
		seen = n >= length ? n - length + 1 : 0;
		enum received received = connection_receive_more(c, deadline);
		if (received == RECEIVED_TEXT)
			continue;
		if (received == RECEIVED_END) {
			if (c->length > c->at)
				*text = c->input + c->at;
			c->at = c->length;
		}
		return received;
	}
}

void connection_end_input(struct connection *c)
{
	if (c->to < 0)
		return;
	if (c->to == c->from)
		shutdown(c->to, SHUT_WR);
	else
		close(c->to);
	c->to = -1;
}

void connection_close(struct connection *c)
{
	if (c->to >= 0 && c->to != c->from)
		close(c->to);
	if (c->from >= 0)
		close(c->from);
	c->to = c->from = -1;
	free(c->input);
	c->input = NULL;
	c->at = c->length = c->room = 0;
}

void connection_reset(struct connection *c)
{
	struct linger at_once = { .l_onoff = 1 };
	if (c->from >= 0)
		setsockopt(c->from, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	connection_close(c);
}

int connection_wait(struct connection *c, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	int status;
	for (;;) {
		/* WNOWAIT keeps the ended leader a zombie, so that its process group ID stays reserved. */
		siginfo_t info = { 0 };
		int error = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (error == 0 && info.si_pid == c->pid) {
			if (c->leads)
				connection_kill(c, SIGKILL);
			if (waitpid(c->pid, &status, 0) != c->pid)
				return -1;
			c->pid = 0;
			return status;
		}
		if (error && errno != EINTR)
			return -1;
		if (clock_now() >= deadline)
			return -1;
		nanosleep(&(struct timespec) { .tv_nsec = 500000 }, NULL);
	}
}

int connection_finish(struct connection *c, double seconds)
{
	int status = -1;
	connection_close(c);
	if (!c->pid)
		return status;
	status = connection_wait(c, seconds);
	if (status < 0 && c->pid) {
		connection_kill(c, SIGKILL);
		status = connection_wait(c, END_SECONDS);
	}
	return status;
}

void connection_free(struct connection *c)
{
	connection_finish(c, 0);
}
