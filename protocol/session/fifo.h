/* SPDX-License-Identifier: MIT
 *
 * Bytes that are added at the end and taken at the beginning. A byte costs the same however many wait. If there is no
 * memory, the process ends. One thread at a time for each fifo.
 */
#ifndef PROTOCOL_SESSION_FIFO_H
#define PROTOCOL_SESSION_FIFO_H

#include <stddef.h>

/* A zeroed fifo is empty. */
struct fifo {
	char *bytes; /* the bytes at `start` to `end` wait */
	size_t start, end, room;
};

/* Number of bytes that wait, and the first of them. */
size_t fifo_length(const struct fifo *);
const char *fifo_bytes(const struct fifo *);

/* Adds bytes, which must not be of the fifo itself. */
void fifo_add(struct fifo *, const void *bytes, size_t);
/* Removes the first `count` bytes, which must be there. */
void fifo_drain(struct fifo *, size_t count);
void fifo_clear(struct fifo *);

/* Removes the bytes up to the first `end` and returns them, with a NUL in its place. *length is their number without that.
 * The caller frees them. Returns NULL if there is no `end`. */
char *fifo_take_line(struct fifo *, char end, size_t *length);

#endif
