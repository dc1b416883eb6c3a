/* SPDX-License-Identifier: MIT
 *
 * Lines on their way to the client. Any thread adds lines and never waits for the client, so that a client may send
 * all of its queries before it reads an answer. The loop writes them.
 */
#ifndef PROTOCOL_KATAGO_OUTBOX_H
#define PROTOCOL_KATAGO_OUTBOX_H

#include <stddef.h>
#include <stdio.h>

struct channel;
struct outbox;

/* `log`: a transcript, or NULL. Returns NULL, with errno, if the system refuses a descriptor. */
struct outbox *outbox_create(FILE *log);
void outbox_destroy(struct outbox *);

/* Rung when a line was added. */
const struct channel *outbox_channel(const struct outbox *);

/* Adds a text of whole lines. Takes it. */
void outbox_add(struct outbox *, char *text);

/* Writes what comes from the client to the log. */
void outbox_log_input(struct outbox *, const char *line, size_t length);

/* Bytes that wait. */
size_t outbox_length(struct outbox *);

/* Writes some of them to standard output, as stream_write() does. */
int outbox_write(struct outbox *);

#endif
