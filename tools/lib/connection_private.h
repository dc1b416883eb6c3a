/* SPDX-License-Identifier: MIT
 *
 * What each system implements for connection.c.
 */
#ifndef TOOLS_LIB_CONNECTION_PRIVATE_H
#define TOOLS_LIB_CONNECTION_PRIVATE_H

#include "tools/lib/connection.h"

/* Without a process. */
void connection_init(struct connection *, intptr_t to, intptr_t from);

/* Reads what there is. Returns the number of bytes, 0 at the end of input or after an error, -1 if there is nothing now. */
int connection_read(const struct connection *, char *bytes, int room);

/* Writes what the other side takes without waiting. Returns the number of bytes, or -1 with errno. */
int connection_write(const struct connection *, const char *bytes, size_t);

/* Waits until `deadline` for `cancel`; for room to write if `writes`; and for input if *is_readable. Sets *is_readable.
 * RECEIVED_TEXT: one of the last two has come. */
enum received connection_wait_for(const struct connection *, bool writes, bool *is_readable,
				  int64_t deadline);

/* Closes a descriptor. */
void connection_drop(intptr_t);

#endif
