/* SPDX-License-Identifier: MIT
 *
 * Shared by all carriers of sessions: the start settings from the command line, the event loop, the
 * transcript, and the signals that end the program. One loop a process, used by the thread that opened it.
 */
#ifndef PROTOCOL_CARRIERS_LOOP_H
#define PROTOCOL_CARRIERS_LOOP_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/stream.h"
#include "protocol/session/session.h"

#define EXIT_USAGE 2 /* exit status of a wrong command line or config file */

struct event;
struct event_base;
struct game;
struct options;

/* Start settings of sessions. */
struct start {
	const struct game *game;
	const struct options *options;
	const struct session_settings *settings; /* NULL: the defaults */
	const struct protocol *const *protocols; /* see struct session_setup */
	const char *log;                         /* path of the transcript, or NULL */
	const char *own_book;                    /* see struct session_setup */
	bool colors;          /* boards are coloured, with the last move in brackets */
	const char *commands; /* lines to run before any input is read, or NULL */
};

struct loop {
	struct event_base *base;
	FILE *log;
	struct channel stops; /* rung by what ends the program from outside */
	struct event *stopped;
	/* Called on STOP_INTERRUPT. Returns true if it handled the signal, e.g. by ending a search. Otherwise the
	 * loop ends. */
	bool (*interrupted)(void *arg);
	void *arg;
};

/* Makes libevent and jansson allocate by xmalloc(), so that none of their calls fails for lack of memory.
 * Must be called before any other function of these libraries. */
void loop_init(void);

/* Runs sessions in a loop of libevent. `base` of struct session_setup is its struct event_base. */
extern const struct session_loop loop_of_events;

/* Creates the loop. What ends a program from outside (enum stop) ends it; SIGPIPE is ignored. `interrupted` may be NULL.
 * Returns 0. On failure it writes an error to stderr and returns the exit status; then there is nothing to
 * close. */
int loop_open(struct loop *, const struct start *, bool (*interrupted)(void *), void *arg);
/* For failures at start: writes an error with errno to stderr and exits. */
_Noreturn void loop_die(const char *what);
/* Frees the loop; everything that uses it must be freed before. Returns the exit status: 1 after a message on
 * stderr if the log is incomplete, else 0. */
int loop_close(struct loop *);

#endif
