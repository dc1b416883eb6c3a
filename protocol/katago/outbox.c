/* SPDX-License-Identifier: MIT */
#include "protocol/katago/outbox.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "protocol/session/fifo.h"
#include "protocol/session/log.h"

struct outbox {
	pthread_mutex_t lock;
	struct fifo bytes;
	FILE *log;
	struct channel channel;
};

struct outbox *outbox_create(FILE *log)
{
	struct channel channel;
	if (!channel_open(&channel))
		return NULL;
	struct outbox *o = xcalloc(1, sizeof *o);
	pthread_mutex_init(&o->lock, NULL);
	o->log = log;
	o->channel = channel;
	return o;
}

void outbox_destroy(struct outbox *o)
{
	channel_close(&o->channel);
	fifo_clear(&o->bytes);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

const struct channel *outbox_channel(const struct outbox *o)
{
	return &o->channel;
}

/* Called with the lock. */
static void log_or_note(struct outbox *o, char direction, const char *line, size_t length)
{
	if (!log_line(o->log, 0, direction, line, length))
		fprintf(stderr, "yomi: cannot write the log, it ends here: %s\n", strerror(errno));
}

void outbox_add(struct outbox *o, char *text)
{
	pthread_mutex_lock(&o->lock);
	fifo_add(&o->bytes, text, strlen(text));
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		log_or_note(o, '<', line, (size_t)(end - line));
	pthread_mutex_unlock(&o->lock);
	free(text);
	channel_ring(&o->channel);
}

void outbox_log_input(struct outbox *o, const char *line, size_t length)
{
	pthread_mutex_lock(&o->lock);
	log_or_note(o, '>', line, length);
	pthread_mutex_unlock(&o->lock);
}

size_t outbox_length(struct outbox *o)
{
	pthread_mutex_lock(&o->lock);
	size_t length = fifo_length(&o->bytes);
	pthread_mutex_unlock(&o->lock);
	return length;
}

int outbox_write(struct outbox *o)
{
	pthread_mutex_lock(&o->lock);
	int n = stream_write(fifo_bytes(&o->bytes), fifo_length(&o->bytes));
	fifo_drain(&o->bytes, n > 0 ? (size_t)n : 0);
	pthread_mutex_unlock(&o->lock);
	return n;
}
