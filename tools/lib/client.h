/* SPDX-License-Identifier: MIT
 *
 * A GTP controller's end of one engine: a process that a shell starts, and a strict exchange of one
 * command for one answer. Whatever the engine does instead of answering ends it and is told apart.
 *
 * An engine is the leader of a process group, and the whole group goes with it. One thread uses a
 * client; several threads may have clients of their own.
 */
#ifndef TOOLS_LIB_CLIENT_H
#define TOOLS_LIB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum answer {
	ANSWER_YES,       /* `=` */
	ANSWER_NO,        /* `?` */
	ANSWER_GARBAGE,   /* something that is no answer */
	ANSWER_LATE,      /* nothing in the time given */
	ANSWER_DIED,      /* the engine has ended */
	ANSWER_CANCELLED, /* the caller's cancel_fd became readable */
};

#define CLIENT_REASON_MAX 160

struct client {
	pid_t pid; /* 0: no engine runs */
	int in, out;
	int cancel_fd;
	char *commands; /* list_commands, one a line with a newline before and behind; or NULL */
	char *input;    /* what was read of the engine's output and not yet used */
	size_t length, room;
	char *text;                     /* the last answer without `=` or `?` */
	enum answer ending;             /* how its failure is answered */
	char reason[CLIENT_REASON_MAX]; /* why no engine runs any more */
};

/* Starts `command` by the shell, its stderr to a descriptor. An answer is awaited no longer when
 * cancel_fd becomes readable; -1: there is none. `client` is zeroed or has ended. False: the system
 * refuses, `reason` says why. */
bool client_start(struct client *, const char *command, int stderr_fd, int cancel_fd);

/* Sends a command and waits up to `seconds` for its answer, which is then in `text`. All answers but
 * yes and no end the engine, and are given again to all further commands; `reason` says more. */
__attribute__((format(printf, 3, 4))) enum answer client_ask(struct client *, double seconds,
							     const char *format, ...);

/* The same where yes is the only good answer; false: the program complains of any other on stderr. */
bool client_tell(struct client *, double seconds, const char *command);

/* Asks the engine for its commands; then client_knows tells without asking. */
enum answer client_learn(struct client *, double seconds);

/* Whether the engine has a command, by its list or by its own word. */
bool client_knows(struct client *, double seconds, const char *command);

/* Ends the engine, with `quit` and a moment's patience or at once, and frees all; does nothing if none
 * runs. */
void client_quit(struct client *);
void client_kill(struct client *);

#endif
