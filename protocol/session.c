/* SPDX-License-Identifier: MIT
 *
 * Descriptors may be inherited and shared, so O_NONBLOCK is never set on them. Reading once per
 * readiness does not block; writing does not either while a piece is at most PIPE_BUF bytes.
 */
#include "protocol/session.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"
#include "protocol/command.h"
#include "protocol/gtp.h"

#define READ_MAX   65536
/* Above these the client must wait: no command is run, no line is read. */
#define OUTPUT_MAX ((size_t)1 << 20)
#define QUEUE_MAX  ((size_t)1 << 24)
/* Of a longer line the rest is dropped, and it is answered by an error. */
#define LENGTH_MAX ((size_t)1 << 24)
/* Ends such a line in the queue: no cleaned line holds a control character. */
#define CUT        "\x18"

struct stream {
	int in, out, wake_in;
	struct evbuffer *input;  /* the beginning of a line */
	struct evbuffer *queue;  /* cleaned lines, each with its NUL */
	struct evbuffer *output; /* framed answers */
	struct event *readable, *writable, *woken;
	struct event *tick; /* looks whether anybody still waits for the answer */
	bool cut;           /* the line in `input` is too long */
	bool ended;         /* no more input */
	bool thinking;
	int id; /* of the running command */
	char *text;
	size_t length; /* what session.reply has taken */
	FILE *log;
	void (*over)(void *);
	void *arg;
};

static void log_line(struct stream *t, char direction, const char *line, size_t length)
{
	struct timeval now;
	struct tm tm;
	char stamp[32];
	if (!t->log)
		return;
	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(t->log, "%s.%03d %c ", stamp, (int)(now.tv_usec / 1000), direction);
	fwrite(line, 1, length, t->log);
	fputc('\n', t->log);
}

static void log_answer(struct stream *t, const char *answer)
{
	for (const char *end; (end = strchr(answer, '\n')); answer = end + 1)
		log_line(t, '<', answer, (size_t)(end - answer));
}

void session_note(struct session *s, const char *format, ...)
{
	char line[PIPE_BUF];
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	va_list args;
	if (!engine_options(s->engine)->verbose || poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
		return;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	size_t length = n < (int)sizeof line - 1 ? (size_t)n : sizeof line - 2;
	line[length] = '\n';
	/* What cannot be written is not worth waiting for. */
	if (write(STDERR_FILENO, line, length + 1) < 0)
		return;
}

/* Sets the events that the state asks for, or ends the session. */
static void update(struct session *s)
{
	struct stream *t = s->stream;
	size_t output = evbuffer_get_length(t->output), queue = evbuffer_get_length(t->queue);
	struct timeval quarter = { 0, 250000 };

	if (!t->ended && !s->quitting && output < OUTPUT_MAX && queue < QUEUE_MAX)
		event_add(t->readable, NULL);
	else
		event_del(t->readable);
	if (output)
		event_add(t->writable, NULL);
	else
		event_del(t->writable);
	if (t->ended && t->thinking)
		event_add(t->tick, &quarter);
	else
		event_del(t->tick);
	if (!t->thinking && !output && (s->quitting || (t->ended && !queue)))
		t->over(t->arg);
}

/* Nobody reads our answers any more. */
static void lose_reader(struct session *s)
{
	struct stream *t = s->stream;
	s->quitting = true;
	evbuffer_drain(t->output, evbuffer_get_length(t->output));
	session_interrupt(s);
	update(s);
}

static void answer(struct session *s, enum outcome outcome)
{
	struct stream *t = s->stream;
	fclose(s->reply);
	s->reply = NULL;
	char *framed = gtp_answer(outcome == DONE, t->id, t->text);
	free(t->text);
	log_answer(t, framed);
	evbuffer_add(t->output, framed, strlen(framed));
	free(framed);
}

static enum outcome run_command(struct session *s, const struct gtp_command *c)
{
	s->command = c->count ? command_find(c->words[0]) : NULL;
	if (!s->command) {
		fputs("unknown command", s->reply);
		return REFUSED;
	}
	s->args = c->words + 1;
	s->arg_count = c->count - 1;
	if (s->arg_count < s->command->args_min || s->arg_count > s->command->args_max) {
		session_note(s, "usage: %s %s", s->command->name, s->command->args);
		fputs("syntax error", s->reply);
		return REFUSED;
	}
	return s->command->run(s);
}

static void run_line(struct session *s, char *line)
{
	struct stream *t = s->stream;
	struct gtp_command c;
	char *cut = strpbrk(line, CUT);
	if (cut)
		*cut = '\0';
	gtp_parse(&c, line);
	t->id = c.id;
	s->taken = clock_now();
	s->reply = open_memstream(&t->text, &t->length);
	if (!s->reply)
		abort(); /* out of memory */
	enum outcome outcome = REFUSED;
	if (cut)
		fputs("line too long", s->reply);
	else
		outcome = run_command(s, &c);
	gtp_command_free(&c);
	if (outcome == THINKING)
		t->thinking = true;
	else
		answer(s, outcome);
}

static void run_queue(struct session *s)
{
	struct stream *t = s->stream;
	char *line;
	while (!t->thinking && !s->quitting && evbuffer_get_length(t->output) < OUTPUT_MAX &&
	       (line = evbuffer_readln(t->queue, NULL, EVBUFFER_EOL_NUL))) {
		run_line(s, line);
		free(line);
	}
	update(s);
}

/* Takes the line that `input` holds. */
static void take_line(struct session *s)
{
	struct stream *t = s->stream;
	size_t length = evbuffer_get_length(t->input);
	evbuffer_add(t->input, "", 1); /* room for the NUL */
	char *line = (char *)evbuffer_pullup(t->input, -1);
	if (!line)
		abort(); /* out of memory */
	log_line(t, '>', line, length);
	switch (gtp_clean(line, length)) {
	case GTP_BLANK:
		break;
	case GTP_INTERRUPT:
		session_interrupt(s);
		break;
	case GTP_COMMAND:
		evbuffer_add(t->queue, line, strlen(line));
		if (t->cut)
			evbuffer_add(t->queue, CUT, 1);
		evbuffer_add(t->queue, "", 1);
		run_queue(s); /* an interruption behind it finds it running */
		break;
	}
	evbuffer_drain(t->input, length + 1);
	t->cut = false;
}

static void extend_line(struct stream *t, const char *bytes, size_t n)
{
	size_t room = LENGTH_MAX - evbuffer_get_length(t->input);
	t->cut |= n > room;
	evbuffer_add(t->input, bytes, n < room ? n : room);
}

static void on_readable(int fd, short what, void *arg)
{
	struct session *s = arg;
	struct stream *t = s->stream;
	char bytes[READ_MAX], *at = bytes, *end;
	(void)what;
	ssize_t n = read(fd, bytes, sizeof bytes);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	for (; n > 0 && (end = memchr(at, '\n', (size_t)(bytes + n - at))); at = end + 1) {
		extend_line(t, at, (size_t)(end - at));
		take_line(s);
	}
	if (n > 0)
		extend_line(t, at, (size_t)(bytes + n - at));
	else if (evbuffer_get_length(t->input))
		take_line(s);
	t->ended = n <= 0;
	update(s);
}

static void on_writable(int fd, short what, void *arg)
{
	struct session *s = arg;
	(void)what;
	if (evbuffer_write_atmost(s->stream->output, fd, PIPE_BUF) >= 0)
		run_queue(s);
	else if (errno != EAGAIN && errno != EINTR)
		lose_reader(s);
}

static void on_woken(int fd, short what, void *arg)
{
	struct session *s = arg;
	struct stream *t = s->stream;
	struct report report;
	char byte, why[REASON_MAX];
	(void)what;
	if (read(fd, &byte, 1) != 1)
		return;
	bool found = engine_collect(s->engine, &report, why);
	if (!found)
		fputs(why, s->reply);
	t->thinking = false;
	answer(s, s->command->finish(s, found ? &report : NULL));
	run_queue(s);
}

static void on_tick(int fd, short what, void *arg)
{
	struct session *s = arg;
	struct pollfd p = { .fd = s->stream->out };
	(void)fd;
	(void)what;
	if (poll(&p, 1, 0) == 1)
		lose_reader(s);
	else
		update(s);
}

bool session_interrupt(struct session *s)
{
	if (s->stream->thinking)
		engine_stop(s->engine);
	return s->stream->thinking;
}

struct session *session_create(struct event_base *base, int in, int out, const struct game *game,
			       const struct options *options, FILE *log, void (*over)(void *),
			       void *arg)
{
	struct session *s = xcalloc(1, sizeof *s);
	struct stream *t = xcalloc(1, sizeof *t);
	int wake[2];
	if (pipe2(wake, O_CLOEXEC) < 0)
		abort(); /* out of descriptors */
	record_init(&s->record, game);
	s->engine = engine_create();
	*engine_options(s->engine) = *options;
	engine_reseed(s->engine);
	clock_init(&s->clock);
	s->wake_fd = wake[1];
	s->stream = t;
	*t = (struct stream) {
		.in = in,
		.out = out,
		.wake_in = wake[0],
		.input = evbuffer_new(),
		.queue = evbuffer_new(),
		.output = evbuffer_new(),
		.readable = event_new(base, in, EV_READ | EV_PERSIST, on_readable, s),
		.writable = event_new(base, out, EV_WRITE | EV_PERSIST, on_writable, s),
		.woken = event_new(base, wake[0], EV_READ | EV_PERSIST, on_woken, s),
		.tick = event_new(base, -1, 0, on_tick, s),
		.log = log,
		.over = over,
		.arg = arg,
	};
	event_add(t->woken, NULL);
	update(s);
	return s;
}

void session_destroy(struct session *s)
{
	struct stream *t = s->stream;
	struct report report;
	char why[REASON_MAX];
	if (session_interrupt(s)) {
		engine_collect(s->engine, &report, why);
		fclose(s->reply);
		free(t->text);
	}
	event_free(t->readable);
	event_free(t->writable);
	event_free(t->woken);
	event_free(t->tick);
	evbuffer_free(t->input);
	evbuffer_free(t->queue);
	evbuffer_free(t->output);
	close(t->wake_in);
	close(s->wake_fd);
	free(t);
	record_free(&s->record);
	engine_destroy(s->engine);
	free(s);
}
