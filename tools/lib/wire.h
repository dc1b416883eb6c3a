/* SPDX-License-Identifier: MIT
 *
 * The bare wire to a GTP engine, for a client that misbehaves: any bytes go out at any time, whole answers
 * come in, and nothing that either side does blocks it for ever. It is the pipes of a process that it
 * has started, or a socket. One thread uses a wire.
 */
#ifndef TOOLS_LIB_WIRE_H
#define TOOLS_LIB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct wire {
	pid_t pid;          /* of pipes: the engine; 0: it has ended, or there is none */
	int to, from;       /* the same one of a socket; -1: closed */
	int cancel_fd;      /* ends all waiting for answers when it becomes readable; -1: none */
	bool leads;         /* the engine has a process group of its own */
	bool drops_returns; /* carriage returns are left out of what is read */
	char *input;        /* read: used up to `at` */
	size_t at, length, room;
};

/* Starts a program, NULL-terminated arguments, its stderr to a descriptor. False: errno says why not. */
bool wire_start(struct wire *, const char *const *argv, int err);

/* The same with a command for the shell, in a process group of its own. */
bool wire_start_shell(struct wire *, const char *command, int err);

/* Sends a signal to the process, and to the whole group if it has one of its own. */
void wire_kill(const struct wire *, int signal);

/* Connects to a port of 127.0.0.1. False: errno says why not. */
bool wire_connect(struct wire *, int port);

/* Sends bytes, and reads meanwhile what comes. False: the other side does not take them any more, or not
 * within `seconds`. */
bool wire_send(struct wire *, const char *bytes, size_t n, double seconds);

enum hearing { HEARD_ANSWER, HEARD_END, HEARD_NOTHING };

/* Waits up to `seconds` for the next answer; *text is without its blank line, NUL-terminated, and valid
 * until the next call of any. HEARD_END: the other side has closed, *text is what came behind the last
 * answer. */
enum hearing wire_hear(struct wire *, double seconds, char **text);

/* The same with the text that ends before the next `end`, such as a line before "\n". */
enum hearing wire_hear_to(struct wire *, const char *end, double seconds, char **text);

/* Sends no more, but still hears; hangs up; hangs up a socket without manners, so that the other side's
 * next read fails. */
void wire_end(struct wire *);
void wire_close(struct wire *);
void wire_reset(struct wire *);

/* Waits up to `seconds` for the process to end, ends what is left of its own group, and returns its wait status, or -1
 * if it has not ended. */
int wire_wait(struct wire *, double seconds);

/* Ends the process and its group if it still runs, hangs up and frees. */
void wire_free(struct wire *);

#endif
