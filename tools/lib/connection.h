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
#include <sys/types.h>

/* What is removed from the input. */
enum cleaning {
	CLEAN_NOTHING,
	CLEAN_RETURNS, /* carriage returns */
	CLEAN_CONTROLS /* all control characters except newlines; tabs become blanks */
};

struct connection {
	pid_t pid;     /* the engine, if the connection is pipes; 0: it has ended, or a socket */
	int to, from;  /* file descriptors, equal for a socket; -1: closed */
	int cancel_fd; /* ends every wait when it becomes readable; -1: none */
	bool leads;    /* the engine has a process group of its own */
	enum cleaning cleaning;
	char *input; /* input buffer, NUL-terminated; the bytes before `at` are used */
	size_t at, length, room;
};

/* Starts a program with NULL-terminated arguments. Its stderr goes to `err`. Returns false with errno set
 * on failure. */
bool connection_start(struct connection *, const char *const *argv, int err);

/* Same, with a command for the shell, in a process group of its own. */
bool connection_start_shell(struct connection *, const char *command, int err);

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
	RECEIVED_CANCELLED /* cancel_fd is readable */
};

/* Waits up to `seconds` for the next answer. *text is the answer without its blank line, NUL-terminated, and
 * valid until the next call for this connection. RECEIVED_END: *text is what came after the last answer. */
enum received connection_receive(struct connection *, double seconds, char **text);

/* Same, for text that ends with `end`: a line ends with "\n". */
enum received connection_receive_to(struct connection *, const char *end, double seconds,
				    char **text);

/* Waits up to `seconds` for cancel_fd. Returns true if it is readable, at once false if there is none. */
bool connection_is_cancelled(const struct connection *, double seconds);

/* Waits until `deadline` (clock_now) for any bytes and appends them to `input`. */
enum received connection_receive_more(struct connection *, int64_t deadline);

/* Stops sending, but can still receive. */
void connection_end_input(struct connection *);

/* Closes the connection. */
void connection_close(struct connection *);

/* Resets a socket, so that the other side's next read fails. */
void connection_reset(struct connection *);

/* Sends a signal to the process, or to its whole group if it leads one. */
void connection_kill(const struct connection *, int signal);

/* Waits up to `seconds` for the process to end, and kills what is left of its own group. Returns its wait
 * status, or -1 if it has not ended. */
int connection_wait(struct connection *, double seconds);

/* Closes the connection and frees its memory. Kills the process and its group if it still runs after `seconds`.
 * Returns its wait status, or -1 without a process. */
int connection_finish(struct connection *, double seconds);

/* Same, at once. */
void connection_free(struct connection *);

#endif
