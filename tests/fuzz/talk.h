/* SPDX-License-Identifier: MIT
 *
 * A session in this process, for targets whose input comes from a client. Work limits keep searches to
 * microseconds; a search without such a limit is interrupted. Input arrives in pieces, never more than one
 * line at a time, so that a line after a search may find it running or ended.
 */
#ifndef TESTS_FUZZ_TALK_H
#define TESTS_FUZZ_TALK_H

#include <ctype.h>
#include <event2/event.h>

#include "protocol/carriers/loop.h"
#include "protocol/nboard/nboard.h"
#include "protocol/session/fifo.h"
#include "tests/fuzz/fuzz.h"

#define TALK_LINE_MAX 400 /* bytes; longer lines are cut */
#define PLAYOUTS      24
#define SEARCH_TIME   0.004 /* seconds */
#define PATIENCE      2000  /* microseconds between interruptions */
#define PIECE_LENGTHS 37

struct talk {
	struct event_base *base;
	struct session *session;
	struct event *impatience;
	struct text heard;
};

static inline void talk_on_change(void *arg)
{
	(void)arg;
}

static inline void talk_on_note(void *arg, const char *line, size_t length)
{
	(void)arg;
	assert(length && line[length - 1] == '\n');
}

static inline void talk_on_impatience(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	session_interrupt(arg);
}

static inline void talk_open(struct talk *t, const struct protocol *const *protocols)
{
	static struct event_base *base;
	static struct options options;
	static const struct session_settings settings = { .verbose = true };
	if (!base) {
		options_init(&options);
		options.threads = options.memory = 1;
		options.playouts = PLAYOUTS;
		options.time = SEARCH_TIME;
		options.seed = 1;
		base = event_base_new();
		assert(base);
	}
	*t = (struct talk) { .base = base };
	t->session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = games[0],
		.options = &options,
		.settings = &settings,
		.protocols = protocols,
		.line_max = TALK_LINE_MAX,
		.queue_max = TALK_LINE_MAX,
		.remote = true,
		.no_files = true,
		.changed = talk_on_change,
		.note = talk_on_note,
	});
	assert(t->session);
	t->impatience = event_new(base, -1, EV_PERSIST, talk_on_impatience, t->session);
	event_add(t->impatience, &(struct timeval) { .tv_usec = PATIENCE });
}

static inline void talk_close(struct talk *t)
{
	fuzz_check_record(&t->session->record);
	event_free(t->impatience);
	session_destroy(t->session);
	text_free(&t->heard);
}

static inline void talk_hear(struct talk *t)
{
	struct fifo *out = session_output(t->session);
	text_write(&t->heard, fifo_bytes(out), fifo_length(out));
	fifo_clear(out);
	session_resume(t->session);
}

/* Passes a piece to the session and runs the loop once. */
static inline void talk_tell(struct talk *t, const char *bytes, size_t n)
{
	struct session *s = t->session;
	struct options *o = engine_options(s->engine);
	while (!session_takes_input(s) && !s->quitting) {
		event_base_loop(t->base, EVLOOP_ONCE);
		talk_hear(t);
	}
	if (!session_is_thinking(s) && (o->playouts < 1 || o->playouts > PLAYOUTS))
		o->playouts = PLAYOUTS;
	session_input(s, bytes, n);
	event_base_loop(t->base, EVLOOP_NONBLOCK);
	talk_hear(t);
}

/* Sends a text in pieces whose length depends on the text's, and waits for the end. Returns the output, which
 * belongs to the talk. */
static inline char *talk_through(struct talk *t, const char *text, size_t size)
{
	size_t room = 1 + size % PIECE_LENGTHS;
	room *= room; /* often a whole line */
	for (size_t n; size; text += n, size -= n) {
		const char *stop = memchr(text, '\n', size);
		n = stop ? (size_t)(stop - text) + 1 : size;
		n = n < room ? n : room;
		talk_tell(t, text, n);
	}
	session_input_end(t->session);
	while (talk_hear(t), !session_is_over(t->session))
		event_base_loop(t->base, EVLOOP_ONCE);
	return t->heard.bytes;
}

/* Calls `take` with each line of a text, cut as the session cuts it. `take` may change the line. */
static inline void talk_lines(const char *text, size_t size,
			      void (*take)(void *arg, char *line, size_t length, bool cut),
			      void *arg)
{
	for (const char *end = text + size, *next; text < end; text = next) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		next = stop ? stop + 1 : end;
		size_t length = (size_t)((stop ? stop : end) - text);
		bool cut = length > TALK_LINE_MAX;
		length = cut ? TALK_LINE_MAX : length;
		char *line = xmalloc(length + 1);
		memcpy(line, text, length);
		take(arg, line, length, cut);
		free(line);
	}
}

/* Checks that the output has printable characters only. */
static inline void talk_check(const char *text)
{
	for (; *text; text++)
		assert(*text == '\n' || *text == '\t' || !iscntrl((unsigned char)*text));
}

#endif
