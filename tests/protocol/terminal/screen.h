/* SPDX-License-Identifier: MIT
 *
 * The program at a pseudo-terminal: typed keys, and the text that appears.
 */
#ifndef TESTS_PROTOCOL_TERMINAL_SCREEN_H
#define TESTS_PROTOCOL_TERMINAL_SCREEN_H

#include <pty.h>
#include <termios.h>
#include <utmp.h>

#include "tests/protocol/process.h"

#define ENDLESS "--search montecarlo --book 0 --time 1000000 --threads 1 "
#define UP      "\033[A"
#define PROMPT  "yomi> "

struct screen {
	pid_t child;
	int keys;                /* the master's end */
	int terminal;            /* kept open to check its settings */
	struct termios settings; /* before the program started */
	char *seen;              /* output since the last text that was awaited */
	size_t length, room;
};

static char state[32]; /* each test's own $XDG_STATE_HOME */

static inline void prepare(void)
{
	strcpy(state, "/tmp/yomi-terminal-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(state));
	setenv("XDG_STATE_HOME", state, 1);
	setenv("TERM", "xterm", 1);
	setenv("HOME", state, 1);
	unsetenv("NO_COLOR");
}

static inline void clean(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -r %s", state);
	ck_assert_int_eq(system(command), 0);
}

/* Starts the program on a terminal of this size. */
static inline void screen_start_sized(struct screen *c, const char *options, unsigned short rows,
				      unsigned short columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	*c = (struct screen) { 0 };
	ck_assert_int_eq(openpty(&c->keys, &c->terminal, NULL, NULL, &size), 0);
	fcntl(c->keys, F_SETFD, FD_CLOEXEC);
	fcntl(c->terminal, F_SETFD, FD_CLOEXEC);
	tcgetattr(c->terminal, &c->settings);
	c->child = fork();
	ck_assert_int_ge(c->child, 0);
	if (c->child == 0) {
		char path[PATH_MAX], *words = strdup(options), *argv[PROCESS_ARGS_MAX];
		int argc = 0;
		if (!realpath(getenv("YOMI"), path) || login_tty(c->terminal) < 0)
			_exit(126);
		argv[argc++] = path;
		for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
			argv[argc++] = w;
		argv[argc] = NULL;
		execv(path, argv);
		_exit(127);
	}
}

static inline void screen_start(struct screen *c, const char *options)
{
	screen_start_sized(c, options, 24, 80);
}

static inline void type(const struct screen *c, const char *keys)
{
	ck_assert_int_eq(write(c->keys, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits until `text` appears. Returns the output before it, in a buffer of the screen. */
static inline const char *see(struct screen *c, const char *text)
{
	static char before[65536];
	char *found;
	while (!c->seen || !(found = strstr(c->seen, text))) {
		c->room = c->length + 4097;
		c->seen = realloc(c->seen, c->room);
		ssize_t n = read(c->keys, c->seen + c->length, 4096);
		ck_assert_msg(n > 0, "the terminal has no '%s'", text);
		c->length += (size_t)n;
		c->seen[c->length] = '\0';
		ck_assert_uint_lt(c->length, sizeof before);
	}
	size_t at = (size_t)(found - c->seen), end = at + strlen(text);
	memcpy(before, c->seen, at);
	before[at] = '\0';
	c->length -= end;
	memmove(c->seen, c->seen + end, c->length + 1);
	return before;
}

/* Starts the program on a terminal of this width and waits for its prompt. */
static inline void screen_begin(struct screen *c, const char *options, unsigned short columns)
{
	screen_start_sized(c, options, 24, columns);
	see(c, PROMPT);
}

/* Types a line and checks that the answer begins with this text. */
static inline void screen_ask(struct screen *c, const char *line, const char *answer)
{
	char keys[128], wanted[512];
	snprintf(keys, sizeof keys, "%s\r", line);
	snprintf(wanted, sizeof wanted, "%s\r\n%s", line, answer);
	type(c, keys);
	see(c, wanted);
}

/* Returns the answer to a line, up to the next prompt. */
static inline const char *screen_answer(struct screen *c, const char *line)
{
	char keys[128];
	snprintf(keys, sizeof keys, "%s\r", line);
	type(c, keys);
	see(c, "\n");
	return see(c, PROMPT);
}

static inline void check_restored(const struct screen *c)
{
	struct termios now;
	tcgetattr(c->terminal, &now);
	ck_assert_uint_eq(now.c_iflag, c->settings.c_iflag);
	ck_assert_uint_eq(now.c_oflag, c->settings.c_oflag);
	ck_assert_uint_eq(now.c_cflag, c->settings.c_cflag);
	ck_assert_uint_eq(now.c_lflag, c->settings.c_lflag);
	ck_assert_int_eq(memcmp(now.c_cc, c->settings.c_cc, sizeof now.c_cc), 0);
}

static inline void screen_free(struct screen *c)
{
	close(c->keys);
	close(c->terminal);
	free(c->seen);
}

/* Checks that the program ends with this status and restores the terminal. */
static inline void screen_end_with(struct screen *c, int status)
{
	ck_assert_int_eq(process_wait(c->child), status);
	check_restored(c);
	screen_free(c);
}

static inline void screen_end(struct screen *c)
{
	screen_end_with(c, 0);
}

/* Clears the line, then leaves. */
static inline void screen_leave(struct screen *c)
{
	type(c, "\025\004");
	screen_end(c);
}

/* Sends a signal that ends the program, which restores the terminal if it can. */
static inline void screen_killed(struct screen *c, int signal)
{
	kill(c->child, signal);
	if (signal != SIGKILL) {
		screen_end(c);
		return;
	}
	ck_assert_int_eq(process_wait(c->child), 128 + SIGKILL);
	screen_free(c);
}

#endif
