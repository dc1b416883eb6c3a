/* SPDX-License-Identifier: MIT */
#include "protocol/session/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/own_book.h"
#include "protocol/session/command.h"
#include "protocol/session/fifo.h"
#include "protocol/session/line.h"
#include "protocol/session/log.h"
#include "protocol/session/notation.h"
#include "protocol/session/protocol.h"

/* Bytes of unsent output above which the session runs no command, writes no report and reads no line. */
#define OUTPUT_MAX ((size_t)1 << 20)
/* Maximum nanoseconds for queued lines before the loop gets control again. */
#define SLICE_MAX  5000000
/* Marks the end of a queued line that was too long. Cleaned lines contain no control characters. */
#define CUT        "\x18"

enum phase { IDLE, SEARCHING, HELD };

struct stream {
	struct text input;  /* an incomplete line */
	struct fifo queue;  /* cleaned lines, each with a NUL */
	struct fifo output; /* framed answers */
	void *loop;         /* of struct session_loop */
	atomic_int woken;   /* bits of enum wake: what the search has to tell */
	enum phase phase;
	bool later;              /* the loop continues with the queue */
	bool ponders;            /* implies IDLE and an empty queue */
	bool streams;            /* the running command's answer has begun */
	bool cut;                /* the line in `input` is too long */
	bool ended;              /* no more input */
	bool lost;               /* the output has lost its reader for good */
	bool waits;              /* the output has no reader now */
	bool found;              /* while no search runs: `report` is valid */
	int ends;                /* number of queued lines that end a search */
	int64_t shown;           /* clock_now() of the last streamed report, 0: none */
	struct text reply;       /* session.reply */
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
		stream_stderr(line, length);
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

void session_note(struct session *s, const char *format, ...)
{
	char line[STREAM_STDERR_MAX];
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
		stream_stderr(line, length + 1);
}

void session_get_ready(struct session *s, const struct game *g)
{
	char why[REASON_MAX], line[REASON_MAX + 64];
	if (!s->setup.is_lazy)
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
	fifo_add(&s->stream->output, text, strlen(text));
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		note_line(s, '<', text, (size_t)(end - text));
}

/* Sends the text of the reply as lines of a streamed answer. */
static void send_lines(struct session *s)
{
	char *text = text_take(s->reply);
	char *lines = s->protocol->lines ? s->protocol->lines(s, text) : line_text(text, "");
	free(text);
	session_send_text(s, lines);
	free(lines);
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
	s->setup.loop->again(t->loop, 0);
	if (s->drawn)
		s->protocol->live->clear(s);
	char *reply = text_take(s->reply);
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

/* Returns how the running search is drawn on the client's board, NULL if it is not. */
static const struct live *session_live(const struct session *s)
{
	return s->settings.live_gfx ? s->protocol->live : NULL;
}

int64_t session_interval(const struct session *s)
{
	const struct live *live = session_live(s);
	int64_t carrier = s->setup.progress ? s->setup.progress_interval : 0;
	int64_t drawing = live ? live->interval : 0;
	return carrier && (!drawing || carrier < drawing) ? carrier : drawing;
}

/* The callback of engine_think, on a thread of the search. */
static void session_wake(void *arg, enum wake what)
{
	const struct session *s = arg;
	atomic_fetch_or(&s->stream->woken, 1 << what);
	s->setup.loop->wake(s->stream->loop);
}

bool session_search(struct session *s, const struct record *record, const struct limits *limits,
		    char why[REASON_MAX])
{
	s->is_partial = limits->only || limits->level > 0;
	return engine_think(s->engine, record, limits, session_wake, s, why);
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
	bool has_line = fifo_length(&t->queue);
	if (t->ends || (s->command->until_line && (t->ended || has_line)) ||
	    (s->command->cancellable && has_line))
		session_interrupt_own(s);
}

/* Searches on the opponent's time if the session is idle and the engine has just moved. */
static void begin_pondering(struct session *s)
{
	struct stream *t = s->stream;
	if (!s->has_moved || t->phase != IDLE || t->ended || s->quitting || fifo_length(&t->queue))
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

/* Lets the loop continue with the queue, or not any more. */
static void set_later(struct session *s, bool later)
{
	if (s->stream->later != later)
		s->setup.loop->later(s->stream->loop, later);
	s->stream->later = later;
}

static void run_queue(struct session *s)
{
	struct stream *t = s->stream;
	int64_t end = clock_now() + SLICE_MAX;
	size_t length;
	char *line;
	while (t->phase == IDLE && !t->waits && !s->quitting &&
	       fifo_length(&t->output) < OUTPUT_MAX && !t->later &&
	       (line = fifo_take_line(&t->queue, '\0', &length))) {
		session_run_line(s, line);
		free(line);
		if (fifo_length(&t->queue) && clock_now() > end)
			set_later(s, true);
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
static enum line_kind session_clean(struct session *s, char *line, size_t length)
{
	if (s->protocol)
		return s->protocol->clean(line, length);
	const struct protocol *const *last = s->setup.protocols;
	while (last[1])
		last++;
	enum line_kind kind = (*last)->clean(line, length);
	if (kind == LINE_COMMAND)
		select_protocol(s, line);
	return kind;
}

/* Takes the line in `input`. A blank line is queued as well while a command runs or lines are queued,
 * because it may end a command that lasts until the next line. */
static void session_take_line(struct session *s)
{
	struct stream *t = s->stream;
	size_t length = t->input.length;
	char *line = text_take(&t->input);
	note_line(s, '>', line, length);
	end_pondering(s);
	enum line_kind kind = session_clean(s, line, length);
	bool ends = session_ends_search(s, line);
	/* An interruption is meant for the lines before it: run them first. */
	while (kind == LINE_INTERRUPT && t->later) {
		set_later(s, false);
		run_queue(s);
	}
	t->ends += ends;
	if (kind == LINE_INTERRUPT || ends ||
	    (t->phase != IDLE && (s->command->until_line || s->command->cancellable)))
		session_interrupt_own(s);
	if (kind == LINE_COMMAND || t->phase != IDLE || fifo_length(&t->queue)) {
		if (kind == LINE_COMMAND)
			fifo_add(&t->queue, line, strlen(line));
		if (kind == LINE_COMMAND && t->cut)
			fifo_add(&t->queue, CUT, 1);
		fifo_add(&t->queue, "", 1);
		run_queue(s); /* so that a following interruption finds it running */
	}
	free(line);
	t->cut = false;
}

static void session_extend_line(struct session *s, const char *bytes, size_t n)
{
	struct stream *t = s->stream;
	size_t room = s->setup.line_max - t->input.length;
	t->cut |= n > room;
	text_write(&t->input, bytes, n < room ? n : room);
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
	if (t->input.length)
		session_take_line(s);
	t->ended = true;
	end_pondering(s);
	if (t->phase != IDLE && s->command->until_line)
		session_interrupt_own(s);
	run_queue(s);
	s->setup.changed(s->setup.arg);
}

struct fifo *session_output(struct session *s)
{
	return &s->stream->output;
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
	fifo_clear(&t->output);
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
	return !t->ended && !s->quitting && fifo_length(&t->output) < OUTPUT_MAX &&
	       fifo_length(&t->queue) < s->setup.queue_max;
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
	return t->phase == IDLE && !fifo_length(&t->output) &&
	       (s->quitting || (t->ended && !fifo_length(&t->queue)));
}

/* Streams the last report in the form of the running command. */
static void stream_report(struct session *s, int64_t now)
{
	struct stream *t = s->stream;
	size_t length = fifo_length(&t->output);
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
	if (session_live(s))
		session_live(s)->show(s, &t->report);
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
		text_puts(s->reply, why);
	t->phase = HELD;
	if (!t->found || !s->command->until_line || s->ended_early) {
		session_finish(s);
		return;
	}
	/* The command lasts until the next line: show the result and wait. */
	t->shown = 0;
	show_report(s);
	if (t->streams && s->interval)
		s->setup.loop->again(t->loop, s->interval);
}

void session_on_woken(struct session *s)
{
	struct stream *t = s->stream;
	int woken = atomic_exchange(&t->woken, 0);
	if (!woken)
		return;
	if (woken & 1 << WAKE_DONE) {
		session_end_search(s);
	} else {
		engine_live(s->engine, &t->report);
		show_report(s);
	}
	run_queue(s);
	s->setup.changed(s->setup.arg);
}

void session_on_again(struct session *s)
{
	stream_report(s, clock_now());
	s->setup.changed(s->setup.arg);
}

void session_on_later(struct session *s)
{
	s->stream->later = false;
	session_resume(s);
}

struct session *session_create(const struct session_setup *setup)
{
	struct session *s = xcalloc(1, sizeof *s);
	void *loop = setup->loop->open(setup->base, s);
	if (!loop) {
		free(s);
		return NULL;
	}
	struct stream *t = xcalloc(1, sizeof *t);
	s->setup = *setup;
	s->stream = t;
	t->loop = loop;
	s->reply = &t->reply;
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
	if (t->phase != IDLE && s->command->drop)
		s->command->drop(s);
	s->setup.loop->close(t->loop);
	text_free(&t->input);
	fifo_clear(&t->queue);
	fifo_clear(&t->output);
	text_free(&t->reply);
	report_free(&t->report);
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
	free(s->analysis);
	free(s);
}
