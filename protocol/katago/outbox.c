/* SPDX-License-Identifier: MIT */
#include "protocol/katago/outbox.h"

#include <errno.h>
#include <event2/buffer.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "protocol/gtp/log.h"

struct outbox {
	pthread_mutex_t lock;
	struct evbuffer *bytes;
	FILE *log;
	int fd;
};

struct outbox *outbox_create(FILE *log)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0)
		return NULL;
	struct outbox *o = xcalloc(1, sizeof *o);
	pthread_mutex_init(&o->lock, NULL);
	o->bytes = evbuffer_new();
	o->log = log;
	o->fd = fd;
	return o;
}

void outbox_destroy(struct outbox *o)
{
	close(o->fd);
	evbuffer_free(o->bytes);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

int outbox_fd(const struct outbox *o)
{
	return o->fd;
}

void outbox_wake(struct outbox *o)
{
	eventfd_write(o->fd, 1);
}

void outbox_take_wake(struct outbox *o)
{
	eventfd_t count;
	eventfd_read(o->fd, &count);
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
	evbuffer_add(o->bytes, text, strlen(text));
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		log_or_note(o, '<', line, (size_t)(end - line));
	pthread_mutex_unlock(&o->lock);
	free(text);
	outbox_wake(o);
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
	size_t length = evbuffer_get_length(o->bytes);
	pthread_mutex_unlock(&o->lock);
	return length;
}

int outbox_write(struct outbox *o, int fd)
{
	pthread_mutex_lock(&o->lock);
	int n = evbuffer_write_atmost(o->bytes, fd, PIPE_BUF);
	pthread_mutex_unlock(&o->lock);
	return n;
}
