/* SPDX-License-Identifier: MIT */
#include "tools/lib/client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/control.h"
#include "engine/memory.h"

#define ANSWER_MAX    ((size_t)1 << 20)
#define COMMAND_MAX   512
#define QUIT_PATIENCE 2.0 /* seconds */
#define EXIT_PATIENCE 1.0

/* Starts the shell in its own process group, with an empty signal mask and default signal actions. Returns
 * 0 or an errno. */
static int spawn(pid_t *pid, const char *command, int in, int out, int err)
{
	char shell[] = "/bin/sh", name[] = "sh", flag[] = "-c", *script = xstrdup(command);
	char *argv[] = { name, flag, script, NULL };
	extern char **environ;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	sigemptyset(&none);
	sigfillset(&usual);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	int error = posix_spawn(pid, shell, &files, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	free(script);
	return error;
}

bool client_start(struct client *c, const char *command, int stderr_fd, int cancel_fd)
{
	int to[2], from[2];
	*c = (struct client) { .cancel_fd = cancel_fd, .ending = ANSWER_DIED };
	if (pipe2(to, O_CLOEXEC) != 0) {
		snprintf(c->reason, sizeof c->reason, "no pipe: %s", strerror(errno));
		return false;
	}
	if (pipe2(from, O_CLOEXEC) != 0) {
		snprintf(c->reason, sizeof c->reason, "no pipe: %s", strerror(errno));
		close(to[0]);
		close(to[1]);
		return false;
	}
	int error = spawn(&c->pid, command, to[0], from[1], stderr_fd);
	close(to[0]);
	close(from[1]);
	if (error) {
		snprintf(c->reason, sizeof c->reason, "not started: %s", strerror(error));
		c->pid = 0;
		close(to[1]);
		close(from[0]);
		return false;
	}
	c->in = to[1];
	c->out = from[0];
	/* An engine that does not read must not block the controller. */
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	return true;
}

/* Waits up to `seconds` for the leader to end. Leaves it a zombie, so that its process group ID stays
 * reserved. */
static void await_exit(pid_t pid, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	siginfo_t info;
	do {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid)
			return;
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	} while (clock_now() < deadline);
}

/* Ends the engine and its group. Returns its wait status. */
static int finish(struct client *c, double patience)
{
	int status = 0;
	close(c->in);
	close(c->out);
	await_exit(c->pid, patience);
	kill(-c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	free(c->commands);
	free(c->input);
	free(c->text);
	c->commands = c->input = c->text = NULL;
	c->length = c->room = 0;
	return status;
}

void client_kill(struct client *c)
{
	if (c->pid)
		finish(c, 0);
}

void client_quit(struct client *c)
{
	if (c->pid)
		client_ask(c, QUIT_PATIENCE, "quit");
	if (c->pid)
		finish(c, QUIT_PATIENCE);
}

/* Ends an engine that has failed. All further commands return the same value. */
__attribute__((format(printf, 3, 4))) static enum answer fail(struct client *c, enum answer ending,
							      const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(c->reason, sizeof c->reason, format, args);
	va_end(args);
	client_kill(c);
	return c->ending = ending;
}

static enum answer died(struct client *c)
{
	int status = finish(c, EXIT_PATIENCE);
	return WIFEXITED(status) ? fail(c, ANSWER_DIED, "exit status %d", WEXITSTATUS(status))
				 : fail(c, ANSWER_DIED, "%s", strsignal(WTERMSIG(status)));
}

static enum answer garbage(struct client *c)
{
	return fail(c, ANSWER_GARBAGE, "%.*s", (int)strcspn(c->input, "\n"), c->input);
}

/* Reads once. Drops control characters and the blank lines before an answer. Returns the result of read(). */
static ssize_t read_more(struct client *c)
{
	char chunk[4096];
	ssize_t n = read(c->out, chunk, sizeof chunk);
	if (n <= 0)
		return n;
	if (c->length + (size_t)n + 1 > c->room) {
		c->room = 2 * c->room + sizeof chunk + 1;
		c->input = xrealloc(c->input, c->room);
	}
	for (ssize_t i = 0; i < n; i++) {
		char byte = chunk[i] == '\t' ? ' ' : chunk[i];
		bool leading = c->length == 0 && (byte == '\n' || byte == ' ');
		if (!leading && (byte == '\n' || (unsigned char)byte >= ' ') && byte != 127)
			c->input[c->length++] = byte;
	}
	c->input[c->length] = '\0';
	return n;
}

/* Moves a complete answer from input to text. Returns false if the input holds none. */
static bool take_answer(struct client *c)
{
	char *end = c->length ? strstr(c->input, "\n\n") : NULL;
	if (!end)
		return false;
	char *begin = c->input + 1 + strspn(c->input + 1, " ");
	size_t length = end > begin ? (size_t)(end - begin) : 0;
	while (length && begin[length - 1] == ' ')
		length--;
	free(c->text);
	c->text = xmalloc(length + 1);
	memcpy(c->text, begin, length);
	c->text[length] = '\0';
	end += strspn(end, "\n ");
	c->length -= (size_t)(end - c->input);
	memmove(c->input, end, c->length + 1);
	return true;
}

static enum answer await_answer(struct client *c, double seconds)
{
	int64_t deadline = clock_now() + (int64_t)(seconds * 1e9);
	for (;;) {
		if (c->length && ((*c->input != '=' && *c->input != '?') || c->length > ANSWER_MAX))
			return garbage(c);
		bool yes = c->length && *c->input == '=';
		if (take_answer(c))
			return yes ? ANSWER_YES : ANSWER_NO;

		int64_t left = deadline - clock_now();
		struct pollfd fds[] = { { c->out, POLLIN, 0 }, { c->cancel_fd, POLLIN, 0 } };
		struct timespec wait = { left / 1000000000, left % 1000000000 };
		int n = left > 0 ? ppoll(fds, 2, &wait, NULL) : 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(c, ANSWER_LATE, "no answer in %.3g s", seconds);
		if (fds[1].revents)
			return fail(c, ANSWER_CANCELLED, "cancelled");
		if (read_more(c) <= 0)
			return died(c);
	}
}

enum answer client_ask(struct client *c, double seconds, const char *format, ...)
{
	char line[COMMAND_MAX];
	va_list args;
	if (!c->pid)
		return c->ending;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	size_t length = n < (int)sizeof line - 1 ? (size_t)n : sizeof line - 2;
	line[length++] = '\n';
	ssize_t written = write(c->in, line, length);
	if (written < 0 && errno == EAGAIN)
		return fail(c, ANSWER_LATE, "it does not read its commands");
	/* A pipe accepts a short line completely or not at all. */
	return written == (ssize_t)length ? await_answer(c, seconds) : died(c);
}

bool client_tell(struct client *c, double seconds, const char *command)
{
	enum answer answer = client_ask(c, seconds, "%s", command);
	if (answer != ANSWER_YES)
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, command,
			answer == ANSWER_NO ? c->text : c->reason);
	return answer == ANSWER_YES;
}

enum answer client_learn(struct client *c, double seconds)
{
	enum answer answer = client_ask(c, seconds, "list_commands");
	if (answer == ANSWER_YES) {
		size_t size = strlen(c->text) + 3;
		c->commands = xmalloc(size);
		snprintf(c->commands, size, "\n%s\n", c->text);
	}
	return answer;
}

bool client_knows(struct client *c, double seconds, const char *command)
{
	char line[COMMAND_MAX];
	if (!c->pid)
		return false;
	if (!c->commands)
		return client_ask(c, seconds, "known_command %s", command) == ANSWER_YES &&
		       strcmp(c->text, "true") == 0;
	snprintf(line, sizeof line, "\n%s\n", command);
	return strstr(c->commands, line) != NULL;
}
