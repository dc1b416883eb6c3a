/* SPDX-License-Identifier: MIT
 *
 * Standard input, output and error; waiting; what ends a program from outside. Descriptors are what libevent and
 * stream_wait() can wait for: file descriptors, on Windows sockets.
 */
#ifndef ENGINE_BASE_STREAM_H
#define ENGINE_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* --- waking a thread that waits for descriptors --- */

struct channel {
	intptr_t in; /* readable after channel_ring() until channel_hush() */
	intptr_t out;
};

/* Returns false with errno if the system has no descriptors left. */
bool channel_open(struct channel *);
void channel_close(struct channel *);
/* Never waits. Any thread, also from a signal handler. */
void channel_ring(const struct channel *);
void channel_hush(const struct channel *);

/* Waits until one of the descriptors is readable, or so many milliseconds. Negative: for any time. Returns a bit for each
 * that is readable; 0 after the time, or after a signal. */
unsigned stream_wait(const intptr_t *descriptors, int count, int milliseconds);

/* --- standard input and output as descriptors --- */

/* Begins the use of the descriptors below. Returns false with errno if the system has no descriptors left. */
bool stream_open(void);
/* Ends it, once in a process. `waits`: until all that was written has left the program. */
void stream_close(bool waits);

intptr_t stream_input(void);
intptr_t stream_output(void);

/* Reads what there is after the input has become readable. Returns the number of bytes, 0 at the end of input or after an
 * error, -1 if there is nothing now. */
int stream_read(void *bytes, int room);

enum { STREAM_LOST = -1, STREAM_FAILED = -2 };

/* Writes as much as the output takes without waiting after it has become writable. Returns the number of bytes, STREAM_LOST
 * if the output has lost its reader, or STREAM_FAILED with errno. Before stream_open() it may wait. */
int stream_write(const void *bytes, size_t);

/* Returns true if the output has lost its reader. May be wrong until something is written. */
bool stream_is_lost(void);

/* --- standard error --- */

/* Most bytes of one call of stream_stderr(). */
#define STREAM_STDERR_MAX 4096

/* Writes bytes to stderr, all or none. Drops them if the write would block, if the system tells. Any thread. */
void stream_stderr(const char *bytes, size_t);

/* --- terminals --- */

/* Returns true if one of stdin, stdout and stderr is a terminal. */
bool stream_is_terminal(FILE *);

/* The size of the terminal at stdout, 80 and 24 if it is unknown. */
int stream_columns(void);
int stream_rows(void);

/* --- what ends a program from outside --- */

enum stop {
	STOP_INTERRUPT = 1, /* SIGINT; Windows: Ctrl+C, Ctrl+Break */
	STOP_END = 2,       /* SIGTERM; Windows: the console is closed */
};

/* From now on these do not end the program but ring a channel. NULL: as before the first call. */
void stops_watch(const struct channel *);

/* Returns the bits of what has happened since the last call. */
unsigned stops_take(void);

/* A write to a pipe without a reader fails, and does not end the program. */
void stream_ignore_broken_pipes(void);

#endif
