/* SPDX-License-Identifier: MIT
 *
 * A connection to an engine: pipes to a process that it starts, or a socket. It sends any bytes at any time, so
 * that a client can misbehave, and receives whole answers. No call blocks for ever, whatever the other side
 * does. client.h speaks GTP over it.
 *
 * Threads: a connection belongs to one thread. Pipes need SIGPIPE to be ignored.
 */
#ifndef TOOLS_LIB_CONNECTION_H
#define TOOLS_LIB_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is removed from the input. */
enum cleaning {
	CLEAN_NOTHING,
	CLEAN_RETURNS, /* carriage returns */
	CLEAN_CONTROLS /* all control characters except newlines; tabs become blanks */
};

struct connection {
	long pid; /* the engine, if there is one; 0: it has ended, or there is only a socket */
	intptr_t handle;   /* of the process; Windows */
	intptr_t group;    /* POSIX: not 0 if the engine leads a process group; Windows: its job */
	intptr_t to, from; /* descriptors (stream.h), perhaps equal; -1: closed */
	intptr_t cancel;   /* ends every wait when it becomes readable; -1: none */
	enum cleaning cleaning;
	char *input; /* input buffer, NUL-terminated; the bytes before `at` are used */
	size_t at, length, room;
};

/* Starts a program with NULL-terminated arguments. Its stderr goes to `err`, or nowhere. Returns false with errno set
 * on failure. */
bool connection_start(struct connection *, const char *const *argv, FILE *err);

/* Same, with a command for the shell, in a group of processes of its own. */
bool connection_start_shell(struct connection *, const char *command, FILE *err);

/* Connects to a port of 127.0.0.1. Returns false with errno set on failure. */
bool connection_open(struct connection *, int port);

/* Sends bytes, and reads what arrives meanwhile. Returns false with errno set on failure: ETIMEDOUT if the
 * other side does not take all of them within `seconds`, ECANCELED, or another if it has closed the
 * connection. */
bool connection_send(struct connection *, const char *bytes, size_t n, double seconds);

enum received {
	RECEIVED_TEXT,
	RECEIVED_END,      /* the other side has closed the connection */
	RECEIVED_NOTHING,  /* within the time limit */
	RECEIVED_CANCELLED /* `cancel` is readable */
};

/* Waits up to `seconds` for the next answer. *text is the answer without its blank line, NUL-terminated, and
 * valid until the next call for this connection. RECEIVED_END: *text is what came after the last answer. */
enum received connection_receive(struct connection *, double seconds, char **text);

/* Same, for text that ends with `end`: a line ends with "\n". */
enum received connection_receive_to(struct connection *, const char *end, double seconds,
				    char **text);

/* Waits up to `seconds` for bytes. Returns true if there are some, or the end. */
bool connection_is_readable(struct connection *, double seconds);

/* Waits up to `seconds` for `cancel`. Returns true if it is readable, at once false if there is none. */
bool connection_is_cancelled(const struct connection *, double seconds);

/* Waits until `deadline` (clock_now) for any bytes and appends them to `input`. */
enum received connection_receive_more(struct connection *, int64_t deadline);

/* Stops sending, but can still receive. */
void connection_end_input(struct connection *);

/* Closes the connection. */
void connection_close(struct connection *);

/* Resets a socket, so that the other side's next read fails. */
void connection_reset(struct connection *);

/* Ends the process, or its whole group if it leads one, at once. */
void connection_kill(const struct connection *);

/* Asks them to end, by SIGTERM. Windows has no such signal and ends them. */
void connection_terminate(const struct connection *);

/* Returns true if a process is the engine or of its group. */
bool connection_has(const struct connection *, long pid);

/* Interrupts such a process, by SIGINT or Ctrl+Break. */
void connection_interrupt(const struct connection *, long pid);

/* Returns the shell's command that runs a command with files as its input and output. The caller frees it. */
char *connection_redirect(const char *command, const char *in, const char *out);

/* Waits up to `seconds` for the process to end, and kills what is left of its own group. Returns its exit status, 128 and the
 * number of the signal that ended it, or -1 if it has not ended. */
int connection_wait(struct connection *, double seconds);

#define CONNECTION_KILLED 137 /* that status after connection_kill() */

/* The name of the signal that such a status tells, also one that a shell tells of its command; NULL: it tells none. */
const char *connection_signal_name(int status);

/* Closes the connection and frees its memory. Kills the process and its group if it still runs after `seconds`.
 * Returns what connection_wait() does, or -1 without a process. */
int connection_finish(struct connection *, double seconds);

/* Same, at once. */
void connection_free(struct connection *);

#endif
