/* SPDX-License-Identifier: MIT
 *
 * A raw connection to a GTP engine, for a client that misbehaves. It sends any bytes at any time and
 * receives whole answers. No call blocks for ever, whatever the other side does. The connection is a pair
 * of pipes to a process that it started, or a socket. A wire is used by one thread.
 */
#ifndef TOOLS_LIB_WIRE_H
#define TOOLS_LIB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct wire {
	pid_t pid;     /* the engine, if the connection is pipes; 0: it has ended, or a socket */
	int to, from;  /* file descriptors, equal for a socket; -1: closed */
	int cancel_fd; /* ends every wait when it becomes readable; -1: none */
	bool leads;    /* the engine has a process group of its own */
	bool drops_returns; /* carriage returns are removed from the input */
	char *input;        /* input buffer; the bytes before `at` are used */
	size_t at, length, room;
};

/* Starts a program with NULL-terminated arguments. Its stderr goes to `err`. Returns false with errno set
 * on failure. */
bool wire_start(struct wire *, const char *const *argv, int err);

/* Same, with a command for the shell, in a process group of its own. */
bool wire_start_shell(struct wire *, const char *command, int err);

/* Sends a signal to the process, or to its whole group if it leads one. */
void wire_kill(const struct wire *, int signal);

/* Connects to a port of 127.0.0.1. Returns false with errno set on failure. */
bool wire_connect(struct wire *, int port);

/* Sends bytes, and reads what arrives meanwhile. Returns false if the other side does not take all of them
 * within `seconds`, has closed the connection, or if cancel_fd becomes readable. */
bool wire_send(struct wire *, const char *bytes, size_t n, double seconds);

enum hearing { HEARD_ANSWER, HEARD_END, HEARD_NOTHING };

/* Waits up to `seconds` for the next answer. *text is the answer without its blank line, NUL-terminated,
 * and valid until the next call on this wire. HEARD_END: the other side has closed; *text is what came
 * after the last answer. */
enum hearing wire_hear(struct wire *, double seconds, char **text);

/* Same, for text that ends with `end`: a line ends with "\n". */
enum hearing wire_hear_to(struct wire *, const char *end, double seconds, char **text);

/* wire_end() stops sending but can still receive. wire_close() closes the connection. wire_reset() resets a
 * socket, so that the other side's next read fails. */
void wire_end(struct wire *);
void wire_close(struct wire *);
void wire_reset(struct wire *);

/* Waits up to `seconds` for the process to end, and kills what is left of its own group. Returns its wait
 * status, or -1 if it has not ended. */
int wire_wait(struct wire *, double seconds);

/* Kills the process and its group if it still runs, closes the connection and frees the memory. */
void wire_free(struct wire *);

#endif
