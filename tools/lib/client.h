/* SPDX-License-Identifier: MIT
 *
 * The controller's side of GTP with one engine, which a shell starts. Each command is answered before the next
 * one is sent. Any other behaviour of the engine ends it; the return value tells which behaviour it was.
 * connection.h carries the bytes; tools that misbehave or check the bytes themselves use that alone.
 *
 * Each engine leads a process group, and ending the engine ends the whole group.
 *
 * Threads: a client belongs to one thread. Several threads may each have clients of their own.
 */
#ifndef TOOLS_LIB_CLIENT_H
#define TOOLS_LIB_CLIENT_H

#include "engine/base/format.h"
#include "tools/lib/connection.h"

enum answer {
	ANSWER_YES,       /* `=` */
	ANSWER_NO,        /* `?` */
	ANSWER_GARBAGE,   /* the output is not a GTP answer */
	ANSWER_LATE,      /* no answer within the time limit */
	ANSWER_DIED,      /* the engine has ended */
	ANSWER_CANCELLED, /* the caller's `cancel` became readable */
};

#define CLIENT_REASON_MAX 160

struct client {
	struct connection connection; /* its pid is 0 if no engine runs */
	char *commands; /* answer to list_commands, a newline before and after each command; or NULL */
	char *text;     /* text of the last answer, without `=` or `?` */
	enum answer ending;             /* returned for all commands after a failure */
	char reason[CLIENT_REASON_MAX]; /* why the engine ended */
};

/* Starts `command` in a shell. Its stderr goes to `err`, or nowhere. When `cancel` becomes readable, waiting for
 * an answer ends; -1: none. `client` must be zeroed, or its engine must have ended. Returns false if the
 * system refuses; `reason` then says why. */
bool client_start(struct client *, const char *command, FILE *err, intptr_t cancel);

bool client_runs(const struct client *);

/* Sends a command and waits up to `seconds` for its answer, whose text is then in `text`. Any result but
 * ANSWER_YES and ANSWER_NO ends the engine and is returned for all further commands; `reason` then says
 * why. */
__attribute__((format(PRINTF, 3, 4))) enum answer client_ask(struct client *, double seconds,
							     const char *format, ...);

/* Same, for commands that must succeed. Returns false after a message on stderr if the answer is not
 * ANSWER_YES. */
bool client_tell(struct client *, double seconds, const char *command);

/* Reads the engine's list_commands. client_knows() then needs no more questions. */
enum answer client_learn(struct client *, double seconds);

/* Returns true if the engine has a command, by list_commands or else by known_command. */
bool client_knows(struct client *, double seconds, const char *command);

/* Ends the engine and frees the client's memory: client_quit() sends `quit` and waits briefly,
 * client_kill() ends it at once. Does nothing if no engine runs. */
void client_quit(struct client *);
void client_kill(struct client *);

#endif
