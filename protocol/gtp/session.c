/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/session.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/own_book.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/drawing.h"
#include "protocol/gtp/log.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/protocol.h"

/* Bytes of unsent output above which the session runs no command, writes no report and reads no line. */
#define OUTPUT_MAX ((size_t)1 << 20)
/* Maximum nanoseconds for queued lines before the loop gets control again. */
#define SLICE_MAX  5000000
/* Marks the end of a queued line that was too long. Cleaned lines contain no control characters. */
#define CUT        "\x18"

enum phase { IDLE, SEARCHING, HELD };

struct stream {
	struct evbuffer *input;  /* an incomplete line */
	struct evbuffer *queue;  /* cleaned lines, each with a NUL */
	struct evbuffer *output; /* framed answers */
	int wake_in, wake_out;   /* the engine wakes the loop by this pipe */
	struct event *woken;
	struct event *later; /* continues with the queue */
	struct event *again; /* while HELD: repeats the report */
	enum phase phase;
	bool ponders;  /* implies IDLE and an empty queue */
	bool streams;  /* the running command's answer has begun */
	bool cut;      /* the line in `input` is too long */
	bool ended;    /* no more input */
	bool lost;     /* the output has lost its reader for good */
	bool waits;    /* the output has no reader now */
	bool found;    /* while no search runs: `report` is valid */
	int ends;      /* number of queued lines that end a search */
	int64_t shown; /* clock_now() of the last streamed report, 0: none */
	char *text;
	size_t length;           /* text and length of session.reply */
	struct report report;    /* the last one */
	const struct game *game; /* game and position of the last search */
	struct state state;
};

/* Tells the user of a failure. Notes of a remote client go to that client: use stderr. */
static void tell_user(struct session *s, const char *line, size_t length)
{
	if (s->setup.note && !s->setup.remote)
		s->setup.note(s->setup.arg, line, length);
	else
		session_stderr(line, length);
}

/* Tells the user that the log cannot be written. The stream keeps its error, so that log_line() writes no
 * more. */
static void lose_log(struct session *s, int reason)
{
	char line[128];
	int n = snprintf(line, sizeof line, "yomi: cannot write the log, it ends here: %s\n",
			 strerror(reason));
	tell_user(s, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

/* Appends a line to the log of the session. */
static void note_line(struct session *s, char direction, const char *line, size_t length)
{
	if (!log_line(s->setup.log, s->setup.number, direction, line, length))
		lose_log(s, errno);
}

void session_stderr(const char *bytes, size_t n)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	if (n > PIPE_BUF || poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
		return;
	/* Drop what cannot be written at once. */
	if (write(STDERR_FILENO, bytes, n) < 0)
		return;
}

void session_note(struct session *s, const char *format, ...)
{
	char line[PIPE_BUF];
	va_list args;
	if (!s->settings.verbose)
		return;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	size_t length = n < (int)sizeof line - 1 ? (size_t)n : sizeof line - 2;
	line[length] = '\n';
	if (s->setup.note)
		s->setup.note(s->setup.arg, line, length + 1);
	else
		session_stderr(line, length + 1);
}

void session_get_ready(struct session *s, const struct game *g)
{
	char why[REASON_MAX], line[REASON_MAX + 64];
	evaluator_get_ready(g);
	if (!s->setup.own_book || own_book_load(s->own_book, g, why))
		return;
	int n = snprintf(line, sizeof line, "yomi: your own book is not used: %s\n", why);
	tell_user(s, line, (size_t)n);
}

struct setting_values session_values(struct session *s)
{
	return (struct setting_values) { engine_options(s->engine), &s->settings };
}

static void copy_settings(struct session_settings *settings, const struct session_setup *setup)
{
	settings_init(settings);
	if (setup->settings)
		*settings = *setup->settings;
}

bool session_set_option(struct session *s, const struct option *option, const char *value,
			char why[REASON_MAX])
{
	const struct setting_values values = session_values(s);
	struct options old_options = *values.options, most_options = *s->setup.options;
	struct session_settings old_settings = s->settings, most_settings;
	const struct setting_values most = { &most_options, &most_settings };
	char text[OPTION_TEXT_MAX];
	if (!setting_set(&values, option, value, why))
		return false;
	copy_settings(&most_settings, &s->setup);
	if (s->setup.remote && (values.options->memory > most_options.memory ||
				values.options->threads > most_options.threads ||
				s->settings.verbose > most_settings.verbose ||
				s->settings.live_gfx > most_settings.live_gfx)) {
		*values.options = old_options;
		s->settings = old_settings;
		setting_get(&most, option, text);
		snprintf(why, REASON_MAX, "this server limits %s to %s", option->name, text);
		return false;
	}
	if (option == option_find("seed"))
		engine_reseed(s->engine);
	return true;
}

static void session_send_text(struct session *s, const char *text)
{
	if (s->stream->lost)
		return;
	evbuffer_add(s->stream->output, text, strlen(text));
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		note_line(s, '<', text, (size_t)(end - text));
}

static void open_reply(struct session *s)
{
	s->reply = text_open(&s->stream->text, &s->stream->length);
}

/* Closes the reply and returns its text. The caller frees it. */
static char *close_reply(struct session *s)
{
	fclose(s->reply);
	s->reply = NULL;
	return s->stream->text;
}

/* Sends the text of the reply as lines of a streamed answer. */
static void send_lines(struct session *s)
{
	char *text = close_reply(s);
	char *lines = s->protocol->lines ? s->protocol->lines(s, text) : gtp_lines(text);
	free(text);
	session_send_text(s, lines);
	free(lines);
	open_reply(s);
}

static void begin_stream(struct session *s)
{
	struct stream *t = s->stream;
	t->streams = true;
	t->shown = 0;
	if (!s->protocol->open)
		return;
	char *text = s->protocol->open(s);
	session_send_text(s, text);
	free(text);
}

static void session_answer(struct session *s, enum outcome outcome)
{
	struct stream *t = s->stream;
	t->phase = IDLE;
	event_del(t->again);
	if (s->drawn)
		drawing_clear_live(s);
	char *reply = close_reply(s);
	char *text = s->protocol->answer(s, outcome == DONE, reply);
	free(reply);
	session_send_text(s, text);
	free(text);
	t->streams = false;
}

static void session_finish(struct session *s)
{
	struct stream *t = s->stream;
	enum outcome outcome = s->command->finish(s, t->found ? &t->report : NULL);
	if (outcome == STREAMING || outcome == THINKING) {
		/* The command goes on with a search of another position. */
		if (outcome == STREAMING)
			send_lines(s);
		t->phase = SEARCHING;
		t->found = false;
		t->game = NULL;
	} else {
		session_answer(s, outcome);
	}
}

/* Ends the running command. Returns false if none runs. */
static bool session_interrupt_own(struct session *s)
{
	bool thinks = s->stream->phase != IDLE;
	s->ended_early |= thinks;
	if (s->stream->phase == SEARCHING)
		engine_stop(s->engine);
	else if (thinks)
		session_finish(s);
	return thinks;
}

bool session_interrupt(struct session *s)
{
	bool thinks = session_interrupt_own(s);
	session_resume(s);
	return thinks || s->keeps_sigint;
}

const struct report *session_report(const struct session *s)
{
	const struct stream *t = s->stream;
	const struct state *now = &s->record.now;
	bool is_same = t->game == s->record.game && state_equal(&t->state, now);
	return t->found && is_same ? &t->report : NULL;
}

int64_t session_interval(const struct session *s)
{
	int64_t carrier = s->setup.progress ? s->setup.progress_interval : 0;
	int64_t live = s->settings.live_gfx ? DRAWING_INTERVAL : 0;
	return carrier && (!live || carrier < live) ? carrier : live;
}

bool session_search(struct session *s, const struct record *record, const struct limits *limits,
		    char why[REASON_MAX])
{
	s->is_partial = limits->only || limits->level > 0;
	return engine_think(s->engine, record, limits, s->stream->wake_out, why);
}

/* Returns true if a cleaned line ends a search as soon as it is read. */
static bool session_ends_search(const struct session *s, const char *line)
{
	return s->protocol && s->protocol->ends_search && s->protocol->ends_search(line);
}

static void session_run_line(struct session *s, char *line)
{
	struct stream *t = s->stream;
	char *cut = strpbrk(line, CUT);
	if (!*line)
		return;
	if (cut)
		*cut = '\0';
	s->taken = clock_now();
	s->is_painted = s->ended_early = s->has_moved = s->may_claim = s->has_goal = false;
	s->interval = 0;
	open_reply(s);
	t->ends -= session_ends_search(s, line);
	enum outcome outcome = s->protocol->run(s, line, cut);
	if (outcome == STREAMING || outcome == HOLDING || (outcome == DONE && s->command->live))
		begin_stream(s);
	if (outcome == DONE || outcome == REFUSED) {
		session_answer(s, outcome);
		return;
	}
	t->phase = outcome == HOLDING ? HELD : SEARCHING;
	t->found = false;
	t->game = s->has_goal ? NULL : s->record.game;
	t->state = s->record.now;
	if (t->streams)
		send_lines(s);
	bool has_line = evbuffer_get_length(t->queue);
	if (t->ends || (s->command->until_line && (t->ended || has_line)) ||
	    (s->command->cancellable && has_line))
		session_interrupt_own(s);
}

/* Searches on the opponent's time if the session is idle and the engine has just moved. */
static void begin_pondering(struct session *s)
{
	struct stream *t = s->stream;
	if (!s->has_moved || t->phase != IDLE || t->ended || s->quitting ||
	    evbuffer_get_length(t->queue))
		return;
	s->has_moved = false;
	t->ponders = engine_ponder(s->engine, &s->record);
}

/* Must be called before any use of record, options or engine. */
static void end_pondering(struct session *s)
{
	if (s->stream->ponders)
		engine_end_pondering(s->engine);
	s->stream->ponders = false;
}

static void run_queue(struct session *s)
{
	struct stream *t = s->stream;
	int64_t end = clock_now() + SLICE_MAX;
	char *line;
	while (t->phase == IDLE && !t->waits && !s->quitting &&
	       evbuffer_get_length(t->output) < OUTPUT_MAX &&
	       !event_pending(t->later, EV_TIMEOUT, NULL) &&
	       (line = evbuffer_readln(t->queue, NULL, EVBUFFER_EOL_NUL))) {
		session_run_line(s, line);
		free(line);
		if (evbuffer_get_length(t->queue) && clock_now() > end)
			event_add(t->later, &(struct timeval) { 0 });
	}
	begin_pondering(s);
}

/* Selects the protocol by the first line, which may be missing if there is no choice. */
static void select_protocol(struct session *s, const char *line)
{
	const struct protocol *const *p = s->setup.protocols;
	while (p[1] && !p[0]->recognizes(line))
		p++;
	s->protocol = *p;
	if (s->protocol->begin)
		s->protocol->begin(s);
}

/* Cleans a line. The first line with a command selects the protocol. */
static enum gtp_line session_clean(struct session *s, char *line, size_t length)
{
	if (s->protocol)
		return s->protocol->clean(line, length);
	enum gtp_line kind = gtp_clean(line, length);
	if (kind == GTP_COMMAND)
		select_protocol(s, line);
	return kind;
}

/* Takes the line in `input`. A blank line is queued as well while a command runs or lines are queued,
 * because it may end a command that lasts until the next line. */
static void session_take_line(struct session *s)
{
	struct stream *t = s->stream;
	size_t length = evbuffer_get_length(t->input);
	evbuffer_add(t->input, "", 1); /* room for the NUL */
	char *line = (char *)evbuffer_pullup(t->input, -1);
	note_line(s, '>', line, length);
	end_pondering(s);
	enum gtp_line kind = session_clean(s, line, length);
	bool ends = session_ends_search(s, line);
	/* An interruption is meant for the lines before it: run them first. */
	while (kind == GTP_INTERRUPT && event_pending(t->later, EV_TIMEOUT, NULL)) {
		event_del(t->later);
		run_queue(s);
	}
	t->ends += ends;
	if (kind == GTP_INTERRUPT || ends ||
	    (t->phase != IDLE && (s->command->until_line || s->command->cancellable)))
		session_interrupt_own(s);
	if (kind == GTP_COMMAND || t->phase != IDLE || evbuffer_get_length(t->queue)) {
		if (kind == GTP_COMMAND)
			evbuffer_add(t->queue, line, strlen(line));
		if (kind == GTP_COMMAND && t->cut)
			evbuffer_add(t->queue, CUT, 1);
		evbuffer_add(t->queue, "", 1);
		run_queue(s); /* so that a following interruption finds it running */
	}
	evbuffer_drain(t->input, length + 1);
	t->cut = false;
}

static void session_extend_line(struct session *s, const char *bytes, size_t n)
{
	struct stream *t = s->stream;
	size_t room = s->setup.line_max - evbuffer_get_length(t->input);
	t->cut |= n > room;
	evbuffer_add(t->input, bytes, n < room ? n : room);
}

void session_input(struct session *s, const char *bytes, size_t n)
{
	const char *end, *at = bytes;
	for (; n && (end = memchr(at, '\n', (size_t)(bytes + n - at))); at = end + 1) {
		session_extend_line(s, at, (size_t)(end - at));
		session_take_line(s);
	}
	session_extend_line(s, at, (size_t)(bytes + n - at));
	s->setup.changed(s->setup.arg);
}

void session_input_end(struct session *s)
{
	struct stream *t = s->stream;
	if (evbuffer_get_length(t->input))
		session_take_line(s);
	t->ended = true;
	end_pondering(s);
	if (t->phase != IDLE && s->command->until_line)
		session_interrupt_own(s);
	run_queue(s);
	s->setup.changed(s->setup.arg);
}

struct evbuffer *session_output(struct session *s)
{
	return s->stream->output;
}

void session_resume(struct session *s)
{
	run_queue(s);
	s->setup.changed(s->setup.arg);
}

void session_lose_reader(struct session *s)
{
	struct stream *t = s->stream;
	s->quitting = t->lost = true;
	session_interrupt_own(s);
	evbuffer_drain(t->output, evbuffer_get_length(t->output));
	s->setup.changed(s->setup.arg);
}

void session_set_reader(struct session *s, bool is_there)
{
	s->stream->waits = !is_there;
	if (!is_there)
		session_interrupt_own(s);
	session_resume(s);
}

bool session_takes_input(const struct session *s)
{
	const struct stream *t = s->stream;
	return !t->ended && !s->quitting && evbuffer_get_length(t->output) < OUTPUT_MAX &&
	       evbuffer_get_length(t->queue) < s->setup.queue_max;
}

bool session_is_thinking(const struct session *s)
{
	return s->stream->phase != IDLE;
}

bool session_is_streaming(const struct session *s)
{
	return s->stream->streams;
}

bool session_has_ended_input(const struct session *s)
{
	return s->stream->ended;
}

bool session_is_over(const struct session *s)
{
	const struct stream *t = s->stream;
	return t->phase == IDLE && !evbuffer_get_length(t->output) &&
	       (s->quitting || (t->ended && !evbuffer_get_length(t->queue)));
}

/* Streams the last report in the form of the running command. */
static void stream_report(struct session *s, int64_t now)
{
	struct stream *t = s->stream;
	size_t length = evbuffer_get_length(t->output);
	/* Skip the report if the client has not read the previous one yet and needs only the newest. */
	if (length >= OUTPUT_MAX || (length && s->protocol->newest_only))
		return;
	t->shown = now;
	s->command->live(s, &t->report);
	send_lines(s);
}

/* Passes on a report of the running search. */
static void show_report(struct session *s)
{
	struct stream *t = s->stream;
	if (s->setup.progress)
		s->setup.progress(s->setup.arg, &t->report);
	if (s->settings.live_gfx)
		drawing_show_live(s, &t->report);
	/* Reports may come more often than this command asked for, for other readers. */
	int64_t now = clock_now();
	bool has_ended = s->command->until_line && s->ended_early;
	if (t->streams && s->command->live && !has_ended &&
	    now - t->shown >= s->interval - s->interval / 8)
		stream_report(s, now);
}

/* Handles the end of the search. */
static void session_end_search(struct session *s)
{
	struct stream *t = s->stream;
	char why[REASON_MAX];
	t->found = engine_collect(s->engine, &t->report, why);
	if (!t->found && s->protocol->print_failure)
		s->protocol->print_failure(s->reply, why);
	else if (!t->found)
		fputs(why, s->reply);
	t->phase = HELD;
	if (!t->found || !s->command->until_line || s->ended_early) {
		session_finish(s);
		return;
	}
	/* The command lasts until the next line: show the result and wait. */
	t->shown = 0;
	show_report(s);
	if (t->streams && s->interval) {
		struct timeval interval = { s->interval / 1000000000,
					    s->interval % 1000000000 / 1000 };
		event_add(t->again, &interval);
	}
}

static void session_on_woken(int fd, short what, void *arg)
{
	struct session *s = arg;
	struct stream *t = s->stream;
	char bytes[64];
	(void)what;
	ssize_t n = read(fd, bytes, sizeof bytes);
	if (n <= 0)
		return;
	if (memchr(bytes, WAKE_DONE, (size_t)n)) {
		session_end_search(s);
	} else {
		engine_live(s->engine, &t->report);
		show_report(s);
	}
	run_queue(s);
	s->setup.changed(s->setup.arg);
}

static void on_again(int fd, short what, void *arg)
{
	struct session *s = arg;
	(void)fd;
	(void)what;
	stream_report(s, clock_now());
	s->setup.changed(s->setup.arg);
}

static void on_later(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	session_resume(arg);
}

struct session *session_create(const struct session_setup *setup)
{
	int wake[2];
	if (pipe2(wake, O_CLOEXEC) < 0)
		return NULL;
	struct session *s = xcalloc(1, sizeof *s);
	struct stream *t = xcalloc(1, sizeof *t);
	s->setup = *setup;
	s->stream = t;
	record_init(&s->record, setup->game);
	record_init(&s->goal, setup->game);
	frame_forget(s);
	s->engine = engine_create();
	s->own_book = setup->no_own_book ? NULL : own_book_create(setup->own_book);
	if (setup->own_book)
		engine_set_own_book(s->engine, s->own_book);
	session_get_ready(s, setup->game);
	*engine_options(s->engine) = *setup->options;
	copy_settings(&s->settings, setup);
	record_set_swap(&s->record, has_swap(s));
	engine_reseed(s->engine);
	clock_init(&s->clock);
	t->input = evbuffer_new();
	t->queue = evbuffer_new();
	t->output = evbuffer_new();
	t->wake_in = wake[0];
	t->wake_out = wake[1];
	t->woken = event_new(setup->base, t->wake_in, EV_READ | EV_PERSIST, session_on_woken, s);
	event_add(t->woken, NULL);
	t->later = evtimer_new(setup->base, on_later, s);
	t->again = event_new(setup->base, -1, EV_PERSIST, on_again, s);
	if (!s->setup.protocols)
		s->setup.protocols = protocols_gtp;
	if (!s->setup.protocols[1])
		select_protocol(s, NULL);
	return s;
}

void session_destroy(struct session *s)
{
	struct stream *t = s->stream;
	char why[REASON_MAX];
	end_pondering(s);
	if (t->phase == SEARCHING) {
		engine_stop(s->engine);
		engine_collect(s->engine, &t->report, why);
	}
	if (t->phase != IDLE) {
		free(close_reply(s));
		if (s->command->drop)
			s->command->drop(s);
	}
	event_free(t->woken);
	event_free(t->later);
	event_free(t->again);
	evbuffer_free(t->input);
	evbuffer_free(t->queue);
	evbuffer_free(t->output);
	close(t->wake_in);
	close(t->wake_out);
	free(t);
	if (s->protocol && s->protocol->end)
		s->protocol->end(s);
	record_free(&s->record);
	record_free(&s->goal);
	engine_destroy(s->engine);
	own_book_destroy(s->own_book);
	import_about_clear(&s->about);
	free(s->explanation);
	free(s->lesson);
	free(s->outlook);
	free(s);
}
