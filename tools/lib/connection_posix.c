/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/search/common/control.h"
#include "tools/lib/connection_private.h"

/* Held while descriptors are opened and programs are started: none inherits a descriptor that is not marked yet. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* --- a process --- */

static bool connection_make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static bool connection_spawn_locked(struct connection *c, const char *const *argv, FILE *err,
				    bool leads)
{
	extern char **environ;
	int to[2], from[2];
	pid_t pid;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	connection_init(c, -1, -1);
	if (!connection_make_pipe(to))
		return false;
	if (!connection_make_pipe(from)) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	sigemptyset(&none);
	sigfillset(&usual);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO);
	if (err)
		posix_spawn_file_actions_adddup2(&files, fileno(err), STDERR_FILENO);
	else
		posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
					 (leads ? POSIX_SPAWN_SETPGROUP : 0)));
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	char *const *words = (char *const *)(void *)argv;
	errno = posix_spawn(&pid, argv[0], &files, &attributes, words, environ);
	bool started = errno == 0;
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	close(to[0]);
	close(from[1]);
	if (!started) {
		close(to[1]);
		close(from[0]);
		return false;
	}
	fcntl(to[1], F_SETFL, O_NONBLOCK);
	connection_init(c, to[1], from[0]);
	c->pid = pid;
	c->group = leads;
	return true;
}

static bool connection_spawn(struct connection *c, const char *const *argv, FILE *err, bool leads)
{
	pthread_mutex_lock(&opening);
	bool started = connection_spawn_locked(c, argv, err, leads);
	pthread_mutex_unlock(&opening);
	return started;
}

bool connection_start(struct connection *c, const char *const *argv, FILE *err)
{
	return connection_spawn(c, argv, err, false);
}

bool connection_start_shell(struct connection *c, const char *command, FILE *err)
{
	return connection_spawn(c, (const char *const[]) { "/bin/sh", "-c", command, NULL }, err,
				true);
}

static void connection_signal(const struct connection *c, int signal)
{
	if (c->pid)
		kill((pid_t)(c->group ? -c->pid : c->pid), signal);
}

void connection_kill(const struct connection *c)
{
	connection_signal(c, SIGKILL);
}

void connection_terminate(const struct connection *c)
{
	connection_signal(c, SIGTERM);
}

bool connection_has(const struct connection *c, long pid)
{
	return c->pid && (pid == c->pid || (c->group && getpgid((pid_t)pid) == c->pid));
}

void connection_interrupt(const struct connection *c, long pid)
{
	kill((pid_t)pid, SIGINT);
}

char *connection_redirect(const char *command, const char *in, const char *out)
{
	return xasprintf("{ %s\n} <'%s' >'%s'", command, in, out);
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
			if (c->group)
				connection_kill(c);
			if (waitpid((pid_t)c->pid, &status, 0) != c->pid)
				return -1;
			c->pid = 0;
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		}
		if (error && errno != EINTR)
			return -1;
		if (clock_now() >= deadline)
			return -1;
		thread_sleep(500000);
	}
}

const char *connection_signal_name(int status)
{
	return status > 128 && status < 128 + NSIG ? strsignal(status - 128) : NULL;
}

/* --- a socket --- */

bool connection_open(struct connection *c, int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	connection_init(c, -1, -1);
	pthread_mutex_lock(&opening);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	pthread_mutex_unlock(&opening);
	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
		close(fd);
		return false;
	}
	fcntl(fd, F_SETFL, O_NONBLOCK);
	connection_init(c, fd, fd);
	return true;
}

void connection_reset(struct connection *c)
{
	struct linger at_once = { .l_onoff = 1 };
	if (c->from >= 0)
		setsockopt((int)c->from, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	connection_close(c);
}

/* --- bytes --- */

int connection_read(const struct connection *c, char *bytes, int room)
{
	ssize_t n = read((int)c->from, bytes, (size_t)room);
	return n >= 0 ? (int)n : errno == EAGAIN || errno == EINTR ? -1 : 0;
}

int connection_write(const struct connection *c, const char *bytes, size_t n)
{
	ssize_t written = write((int)c->to, bytes, n);
	return written < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : (int)written;
}

enum received connection_wait_for(const struct connection *c, bool writes, bool *is_readable,
				  int64_t deadline)
{
	struct pollfd fds[] = { { (int)c->cancel, POLLIN, 0 },
				{ writes ? (int)c->to : -1, POLLOUT, 0 },
				{ *is_readable ? (int)c->from : -1, POLLIN, 0 } };
	*is_readable = false;
	for (;;) {
		int64_t left = deadline - clock_now();
		struct timespec wait = { left / 1000000000, left % 1000000000 };
		if (left <= 0)
			return RECEIVED_NOTHING;
		int n = ppoll(fds, 3, &wait, NULL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return RECEIVED_NOTHING;
		*is_readable = fds[2].revents;
		return fds[0].revents ? RECEIVED_CANCELLED : RECEIVED_TEXT;
	}
}

void connection_end_input(struct connection *c)
{
	if (c->to >= 0 && c->to == c->from)
		shutdown((int)c->to, SHUT_WR);
	else if (c->to >= 0)
		close((int)c->to);
	c->to = -1;
}

void connection_drop(intptr_t descriptor)
{
	close((int)descriptor);
}
