/* SPDX-License-Identifier: MIT
 *
 * Runs the real program, named by $YOMI, for tests from outside.
 */
#ifndef TESTS_PROTOCOL_PROCESS_H
#define TESTS_PROTOCOL_PROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/suite.h"

#define PROCESS_ARGS_MAX 32

/* Starts the program with blank-separated options and these descriptors, which must be close-on-exec, in
 * the folder `directory` unless that is NULL. The user's config file and own book are not read; the
 * own book is in $TEST_DATA_HOME, if that is set. Returns the process ID. */
static inline pid_t process_start(const char *options, int in, int out, const char *directory)
{
	char path[PATH_MAX], *words = strdup(options), *argv[PROCESS_ARGS_MAX], *save;
	int argc = 0;
	const char *yomi = getenv("YOMI");
	ck_assert_msg(yomi && realpath(yomi, path), "$YOMI is not the program");
	argv[argc++] = path;
	for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		ck_assert_int_lt(argc, PROCESS_ARGS_MAX - 1);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		signal(SIGPIPE, SIG_DFL);
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
		const char *data = getenv("TEST_DATA_HOME");
		setenv("XDG_DATA_HOME", data ? data : "/nonexistent", 1);
		if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		    (directory && chdir(directory) < 0))
			_exit(126);
		execv(path, argv);
		_exit(127);
	}
	free(words);
	return child;
}

/* Waits for the process. Returns its exit status, or 128 plus the signal that ended it. */
static inline int process_wait(pid_t child)
{
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs a shell command. Returns its output, which the caller frees, and sets the exit status as in
 * process_wait(). */
static inline char *process_shell(const char *line, int *status)
{
	char *text = NULL;
	size_t room = 0;
	FILE *f = popen(line, "re");
	ck_assert_ptr_nonnull(f);
	if (getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = strdup("");
	}
	int ended = pclose(f);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return text;
}

/* Returns true if the system has pseudo-terminals; a container without /dev/pts has none. If not, prints
 * that `what` is skipped. */
static inline bool process_has_terminals(const char *what)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), side = -1;
	if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
		side = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	int reason = errno;
	close(master);
	close(side);
	if (side < 0) {
		printf("Skipped: %s; no pseudo-terminal: %s\n", what, strerror(reason));
		fflush(stdout); /* before Check forks */
	}
	return side >= 0;
}

/* Returns the descriptor that a process would get next. */
static inline rlim_t process_next_descriptor(pid_t child)
{
	char path[64];
	int fd = -1;
	do
		snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)child, ++fd);
	while (access(path, F_OK) == 0);
	return (rlim_t)fd;
}

#endif
