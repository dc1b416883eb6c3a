/* SPDX-License-Identifier: MIT */
#include "tools/lib/wire.h"

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

#include "engine/control.h"
#include "engine/memory.h"

#define PIECE_MAX 65536

static void wire_init(struct wire *w, int to, int from)
{
	*w = (struct wire) { .to = to, .from = from, .cancel_fd = -1 };
	if (to >= 0)
		fcntl(to, F_SETFL, O_NONBLOCK);
}

static bool start(struct wire *w, const char *const *argv, int err, bool leads)
{
	extern char **environ;
	int to[2], from[2];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	wire_init(w, -1, -1);
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
	errno = posix_spawn(&w->pid, argv[0], &files, &attributes, words, environ);
	bool started = errno == 0;
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	close(to[0]);
	close(from[1]);
	if (started) {
		pid_t pid = w->pid;
		wire_init(w, to[1], from[0]);
		w->pid = pid;
		w->leads = leads;
	} else {
		w->pid = 0;
		close(to[1]);
		close(from[0]);
	}
	return started;
}

bool wire_start(struct wire *w, const char *const *argv, int err)
{
	return start(w, argv, err, false);
}

bool wire_start_shell(struct wire *w, const char *command, int err)
{
	return start(w, (const char *const[]) { "/bin/sh", "-c", command, NULL }, err, true);
}

void wire_kill(const struct wire *w, int signal)
{
	if (w->pid)
		kill(w->leads ? -w->pid : w->pid, signal);
}

bool wire_connect(struct wire *w, int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	wire_init(w, -1, -1);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
		close(fd);
		return false;
	}
	wire_init(w, fd, fd);
	return true;
}

/* Waits for the events in `fds` until `deadline`. Returns false if time is up. */
static bool wait_for(struct pollfd *fds, nfds_t count, int64_t deadline)
{
	for (;;) {
		int64_t left = deadline - clock_now();
		struct timespec wait = { left / 1000000000, left % 1000000000 };
		if (left <= 0)
			return false;
		int n = ppoll(fds, count, &wait, NULL);
		if (n >= 0 || errno != EINTR)
			return n > 0;
	}
}

/* Reads once. Returns false at the end of input. */
static bool read_more(struct wire *w)
{
	if (w->at == w->length)
		w->at = w->length = 0;
	if (w->room < w->length + PIECE_MAX + 1) {
		w->room = 2 * w->room + PIECE_MAX + 1;
		w->input = xrealloc(w->input, w->room);
	}
	ssize_t n = read(w->from, w->input + w->length, PIECE_MAX);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	size_t length = w->length;
	for (ssize_t i = 0; i < n; i++) {
		char byte = w->input[length + (size_t)i];
		if (byte != '\r' || !w->drops_returns)
			w->input[w->length++] = byte;
	}
	w->input[w->length] = '\0';
	return n > 0;
}

bool wire_send(struct wire *w, const char *bytes, size_t n, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	bool hears = true;
	while (n) {
		ssize_t written = w->pid ? write(w->to, bytes, n)
					 : send(w->to, bytes, n, MSG_NOSIGNAL);
		if (written >= 0) {
			bytes += written;
			n -= (size_t)written;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return false;
		struct pollfd fds[] = { { w->to, POLLOUT, 0 },
					{ w->cancel_fd, POLLIN, 0 },
					{ hears ? w->from : -1, POLLIN, 0 } };
		if (!wait_for(fds, 3, deadline) || fds[1].revents)
			return false;
		if (fds[2].revents)
			hears = read_more(w);
	}
	return true;
}

enum hearing wire_hear(struct wire *w, double seconds, char **text)
{
	return wire_hear_to(w, "\n\n", seconds, text);
}

enum hearing wire_hear_to(struct wire *w, const char *end, double seconds, char **text)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	static char nothing[1];
	struct pollfd fds[] = { { w->from, POLLIN, 0 }, { w->cancel_fd, POLLIN, 0 } };
	size_t seen = 0, length = strlen(end);
	*text = nothing;
	if (w->from < 0)
		return HEARD_END;
	for (;;) {
		size_t n = w->length - w->at;
		char *from = n ? w->input + w->at : NULL;
		char *found = n > seen ? memmem(from + seen, n - seen, end, length) : NULL;
		if (found) {
			*found = '\0';
			*text = from;
			w->at += (size_t)(found - from) + length;
			return HEARD_ANSWER;
		}
		seen = n >= length ? n - length + 1 : 0;
		if (!wait_for(fds, 2, deadline) || fds[1].revents)
			return HEARD_NOTHING;
		if (!read_more(w)) {
			if (w->length > w->at)
				*text = w->input + w->at;
			w->at = w->length;
			return HEARD_END;
		}
	}
}

void wire_end(struct wire *w)
{
	if (w->to < 0)
		return;
	if (w->to == w->from)
		shutdown(w->to, SHUT_WR);
	else
		close(w->to);
	w->to = -1;
}

void wire_close(struct wire *w)
{
	if (w->to >= 0 && w->to != w->from)
		close(w->to);
	if (w->from >= 0)
		close(w->from);
	w->to = w->from = -1;
	free(w->input);
	w->input = NULL;
	w->at = w->length = w->room = 0;
}

void wire_reset(struct wire *w)
{
	struct linger at_once = { .l_onoff = 1 };
	if (w->from >= 0)
		setsockopt(w->from, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	wire_close(w);
}

int wire_wait(struct wire *w, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	int status;
	for (;;) {
		/* WNOWAIT keeps the ended leader a zombie, so that its process group ID stays reserved. */
		siginfo_t info = { 0 };
		int error = waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (error == 0 && info.si_pid == w->pid) {
			if (w->leads)
				wire_kill(w, SIGKILL);
			if (waitpid(w->pid, &status, 0) != w->pid)
				return -1;
			w->pid = 0;
			return status;
		}
		if (error && errno != EINTR)
			return -1;
		if (clock_now() >= deadline)
			return -1;
		nanosleep(&(struct timespec) { .tv_nsec = 500000 }, NULL);
	}
}

void wire_free(struct wire *w)
{
	if (w->pid) {
		wire_kill(w, SIGKILL);
		wire_wait(w, 10);
	}
	wire_close(w);
}
