/* SPDX-License-Identifier: MIT
 *
 * What every carrier of sessions shares: how the command line wants sessions to begin, the event loop,
 * the transcript, and the signals that end all. One loop a process, of the thread that opened it.
 */
#ifndef PROTOCOL_LOOP_H
#define PROTOCOL_LOOP_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/session.h"

struct event;
struct event_base;
struct game;
struct options;

/* How sessions begin. */
struct start {
	const struct game *game;
	const struct options *options;
	enum protocol protocol;
	const char *log;      /* a file that takes the transcript, or NULL */
	bool colors;          /* boards have them, and their last move in brackets */
	const char *commands; /* lines to run before any input is read, or NULL */
};

struct loop {
	struct event_base *base;
	FILE *log;
	struct event *interrupt, *terminate;
	/* SIGINT has come: whether there was something else to end than the loop. */
	bool (*interrupted)(void *arg);
	void *arg;
};

/* Makes libevent and jansson take memory by xmalloc(): no call of theirs fails for want of it. Call this before any
 * other function of theirs. */
void loop_init(void);

/* Makes the loop; SIGINT and SIGTERM end it, SIGPIPE and SIGXFSZ
 * are ignored. `interrupted` may be NULL. Returns 0, or
 * the exit status after complaining on stderr, and then there is nothing to close. */
int loop_open(struct loop *, const struct start *, bool (*interrupted)(void *), void *arg);
/* A program that begins is refused what it needs: complains with errno and ends it. */
_Noreturn void loop_die(const char *what);
/* Frees the loop, last of all that belongs to it. Returns the exit status: 1 if the log is not complete, after a
 * message on stderr, else 0. */
int loop_close(struct loop *);

#endif
