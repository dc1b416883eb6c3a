/* SPDX-License-Identifier: MIT
 *
 * Values in the bytes of a message between ranks. They are read in the order in which they were written. Reading
 * never leaves the bytes: what is missing reads as 0 or "", and `good` becomes false.
 */
#ifndef TOOLS_RANKS_PARCEL_H
#define TOOLS_RANKS_PARCEL_H

#include <stdint.h>

#include "tools/ranks/ranks.h"

struct parcel {
	char *bytes;
	size_t size, room; /* while writing */
	size_t at;         /* while reading */
	bool good;
};

/* --- writing: begin with a zeroed parcel --- */

void parcel_put(struct parcel *, const void *bytes, size_t size);
void parcel_put_int(struct parcel *, int64_t);
void parcel_put_real(struct parcel *, double);

/* NULL reads as NULL. */
void parcel_put_text(struct parcel *, const char *);

/* Gives up the bytes as a packet. */
struct packet parcel_close(struct parcel *);

/* --- reading --- */

/* The packet must outlive the parcel, and keeps its bytes. */
struct parcel parcel_open(struct packet);

void parcel_take(struct parcel *, void *bytes, size_t size);
int64_t parcel_take_int(struct parcel *);
double parcel_take_real(struct parcel *);

/* Returns an int between `min` and `max`; makes the parcel bad and returns `min` otherwise. */
int parcel_take_within(struct parcel *, int min, int max);

/* The text lies in the packet. */
const char *parcel_take_text(struct parcel *);

#endif
