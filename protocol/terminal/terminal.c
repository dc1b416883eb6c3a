/* SPDX-License-Identifier: MIT
 *
 * The terminal is in one of two states:
 *
 *     editing   the prompt is shown, the session is idle, keys go to the editor at once
 *     busy      a command runs or its answer is written; keys are queued
 *
 * Output is written directly, since a terminal accepts it.
 */
#include "protocol/terminal/terminal.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/rules/drawing.h"
#include "protocol/carriers/loop.h"
#include "protocol/gtp/analysis.h"
#include "protocol/session/command.h"
#include "protocol/session/fifo.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"
#include "protocol/terminal/editor.h"
#include "protocol/terminal/kept.h"
#include "protocol/terminal/people.h"
#include "protocol/terminal/player.h"
#include "protocol/terminal/table.h"
#include "protocol/terminal/wrap.h"

#define ESCAPE            27
#define KEYS_MAX          65536     /* bytes queued while a command runs */
#define PROGRESS_INTERVAL 200000000 /* nanoseconds */
#define ERASE_LINE        "\r\033[K"
#define ERASE_BELOW       "\r\033[J"
#define LINES_UP          "\033[%dA"
#define READING_TIME                                                                               \
	500000000 /* nanoseconds after the hint in which ^C is not taken as an answer to it */

static const struct timeval now = { 0 };

struct terminal {
	struct loop loop;
	struct session *session;
	struct event *readable;
	struct event *change; /* calls settle() */
	struct kept_games *kept;
	struct editor *editor;
	struct fifo *keys; /* of the editor */
	bool editing;
	int64_t hinted; /* clock_now() of the hint how to leave; 0: none, or followed by input or output */
	bool has_progress; /* a progress line is on the terminal */
	bool has_told;     /* that leaving waits for the running search */
	int table_lines;   /* lines of the table of analysis above the cursor, 0: there is none */
	bool boards;
	struct record_mark {
		const struct game *game;
		int count, begun;
		uint64_t hash;
	} shown; /* position of the last board drawn, and plays made of the next move */
};

bool terminal_is_there(void)
{
	return stream_is_terminal(stdin) && stream_is_terminal(stdout) && editor_is_possible();
}

/* --- output --- */

/* Removes the progress line. A table of analysis stays, and the next one begins below it. Also a callback of the editor. */
static void terminal_erase_progress(void *arg)
{
	struct terminal *t = arg;
	if (t->has_progress)
		fputs(ERASE_LINE, stdout);
	t->has_progress = false;
	t->table_lines = 0;
}

/* Draws the table of an analysis over the last one. */
static void show_table(struct terminal *t, const struct report *report)
{
	if (t->table_lines)
		printf(LINES_UP ERASE_BELOW, t->table_lines);
	t->table_lines = table_print(t->session, report, stream_rows() - 1, stream_columns(),
				     stdout);
	fflush(stdout);
}

/* session_setup.progress: rewrites a line that fits the terminal, or the table of an analysis. Other streamed
 * answers show this already. */
static void terminal_show_progress(void *arg, const struct report *report)
{
	struct terminal *t = arg;
	if (!report->line_count)
		return;
	if (analysis_is_running(t->session)) {
		show_table(t, report);
		return;
	}
	if (t->session->command->live)
		return;
	struct text line = { 0 };
	think_describe(t->session, report, &line);
	table_cut(line.bytes, stream_columns());
	printf(ERASE_LINE "%s", line.bytes);
	fflush(stdout);
	text_free(&line);
	t->has_progress = true;
}

/* session_setup.note */
static void show_note(void *arg, const char *line, size_t length)
{
	terminal_erase_progress(arg);
	fflush(stdout);
	stream_stderr(line, length);
}

static struct record_mark mark_of(const struct terminal *t)
{
	const struct record *r = &t->session->record;
	uint64_t made = (uint64_t)notation_of(t->session)->made(t->session);
	int begun = is_for_people(t->session) ? people_player(t->session)->begun : 0;
	return (struct record_mark) { r->game, r->count, begun, r->now.hash + made };
}

/* If the position has changed since it was last shown: draws the board or, if boards are off, writes the
 * result of a finished game. */
static void show_board(struct terminal *t)
{
	struct record_mark mark = mark_of(t);
	char text[BOARD_TEXT_MAX];
	if (mark.game == t->shown.game && mark.count == t->shown.count &&
	    mark.begun == t->shown.begun && mark.hash == t->shown.hash)
		return;
	t->shown = mark;
	if (t->session->command && strcmp(t->session->command->name, "showboard") == 0)
		return;
	if (t->boards)
		notation_of(t->session)->draw(t->session, text);
	else if (t->session->record.now.over)
		game_result(mark.game, &t->session->record.now, text);
	else
		return;
	printf("%s\n\n", text);
}

/* --- the loop --- */

/* session_setup.changed */
static void terminal_on_change(void *arg)
{
	struct terminal *t = arg;
	event_add(t->change, &now);
}

static void begin_editing(struct terminal *t)
{
	t->has_told = false;
	editor_begin(t->editor);
	t->editing = true;
}

static void end_editing(struct terminal *t)
{
	editor_end(t->editor);
	t->editing = false;
}

/* Abandons the line that is being edited. */
static void leave_line(struct terminal *t)
{
	end_editing(t);
	fputs("\n", stdout);
	fflush(stdout);
}

static void terminal_end_input(struct terminal *t)
{
	event_del(t->readable);
	if (t->editing)
		leave_line(t);
	session_input_end(t->session);
}

/* Writes the warning that a game would be lost. */
static void terminal_warn(const char *why)
{
	char *line = xasprintf("%s\n", why), *wrapped = wrap_text(line);
	fputs(wrapped, stdout);
	free(wrapped);
	free(line);
}

/* ^D on an empty line: leaves, or warns that the game would be lost. */
static void terminal_leave(struct terminal *t)
{
	char why[REASON_MAX];
	fifo_drain(t->keys, 1);
	if (kept_may_leave(t->kept, &t->session->record, why)) {
		terminal_end_input(t);
		return;
	}
	leave_line(t);
	terminal_warn(why);
	fflush(stdout);
	begin_editing(t);
}

/* Edits with the keys that wait. */
static void edit_keys(struct terminal *t)
{
	for (bool starved = false; t->editing && !starved;) {
		size_t length;
		if (fifo_length(t->keys) && *fifo_bytes(t->keys) == EDITOR_END &&
		    editor_is_empty(t->editor)) {
			terminal_leave(t);
			continue;
		}
		const char *line = editor_take(t->editor, &length, &starved);
		if (!line)
			continue;
		end_editing(t);
		session_input(t->session, line, length);
	}
}

/* Returns true if one of the texts of a list is among the keys that wait. */
static bool keys_have(const struct terminal *t, const char *const *list)
{
	const char *keys = fifo_bytes(t->keys);
	for (size_t length = fifo_length(t->keys); length; keys++, length--)
		for (const char *const *text = list; *text; text++)
			if (strlen(*text) <= length && memcmp(keys, *text, strlen(*text)) == 0)
				return true;
	return false;
}

/* Returns true if a line, or the end of input, is queued after the running command. */
static bool line_waits(const struct terminal *t)
{
	static const char *const ends[] = { "\r", "\n", "\004", NULL };
	return keys_have(t, ends);
}

/* Returns true if the user has typed what ends a search without limit: any key ends a table of analysis, a line
 * any other search. */
static bool key_ends(const struct terminal *t)
{
	bool is_table = analysis_is_running(t->session);
	return t->session->command->until_line &&
	       (line_waits(t) || (is_table && fifo_length(t->keys)));
}

/* Drops the key that ended a table if it was only typed to end it. */
static void drop_key(struct terminal *t)
{
	if (!analysis_is_running(t->session) || !fifo_length(t->keys))
		return;
	char key = *fifo_bytes(t->keys);
	if (key == ESCAPE)
		fifo_clear(t->keys);
	else if (strchr(" \r\nqQ", key))
		fifo_drain(t->keys, 1);
}

/* Keeps the game. One that was read from a file is another one, also if it begins alike. */
static void terminal_keep(struct terminal *t)
{
	struct session *s = t->session;
	struct kept_terms terms;
	if (s->has_other_game)
		kept_leave(t->kept);
	s->has_other_game = false;
	people_terms(s, &terms);
	kept_write(t->kept, &s->record, &terms);
}

/* Writes the session's output, and shows the prompt after all of it is written. */
static void terminal_settle(evutil_socket_t fd, short what, void *arg)
{
	struct terminal *t = arg;
	struct session *s = t->session;
	struct fifo *out = session_output(s);
	if (fifo_length(out)) {
		t->hinted = 0;
		terminal_erase_progress(t);
		fflush(stdout);
		int n = stream_write(fifo_bytes(out), fifo_length(out));
		fifo_drain(out, n > 0 ? (size_t)n : 0);
		if (n < 0)
			session_lose_reader(s);
		else
			session_resume(s);
		return; /* settle() is called again */
	}
	if (session_is_over(s)) {
		event_base_loopbreak(t->loop.base);
	} else if (!session_is_thinking(s) && !t->editing && !session_has_ended_input(s)) {
		show_board(t);
		fflush(stdout);
		terminal_keep(t);
		begin_editing(t);
		edit_keys(t);
	} else if (session_is_thinking(s) && !s->ended_early && key_ends(t)) {
		drop_key(t);
		session_interrupt(s);
	}
	if (fifo_length(t->keys) < KEYS_MAX && !session_has_ended_input(s))
		event_add(t->readable, NULL);
	else
		event_del(t->readable);
}

/* Returns true if the keys behind the running command leave: ^D, exit, quit. */
static bool leaving_waits(const struct terminal *t)
{
	static const char *const ends[] = { "\004", "exit\r", "exit\n", "quit\r", "quit\n", NULL };
	return keys_have(t, ends);
}

/* Tells once that leaving waits for the running search. */
static void tell_waiting(struct terminal *t)
{
	bool waits = session_is_thinking(t->session) && !t->session->ended_early &&
		     !t->session->command->until_line && leaving_waits(t);
	if (!waits || t->has_told)
		return;
	t->has_told = true;
	terminal_erase_progress(t);
	fputs("yomi leaves when its search has ended; ^C ends it now.\n", stdout);
	fflush(stdout);
}

static void terminal_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct terminal *t = arg;
	t->hinted = 0;
	if (!editor_read(t->editor)) {
		terminal_end_input(t);
		return;
	}
	edit_keys(t);
	tell_waiting(t);
	terminal_on_change(t);
}

/* ^C without a search or a line to end. Leaving would lose the game, so the first ^C only shows a hint.
 * Further ones within READING_TIME do nothing, later ones leave. Returns false to leave. */
static bool hint_or_leave(struct terminal *t)
{
	if (t->hinted)
		return clock_now() - t->hinted < READING_TIME;
	bool was_editing = t->editing;
	char why[REASON_MAX];
	if (was_editing)
		leave_line(t);
	terminal_erase_progress(t);
	if (!kept_may_leave(t->kept, &t->session->record, why))
		terminal_warn(why);
	fputs("Press ^C again, or type quit, to leave.\n", stdout);
	fflush(stdout);
	if (was_editing)
		begin_editing(t);
	t->hinted = clock_now();
	return true;
}

/* ^C: ends a search, or else clears the line, or else leaves. */
static bool terminal_on_interrupt(void *arg)
{
	struct terminal *t = arg;
	if (session_is_thinking(t->session) && !t->session->ended_early)
		return session_interrupt(t->session);
	if (!t->editing || editor_is_empty(t->editor))
		return hint_or_leave(t);
	leave_line(t);
	begin_editing(t);
	return true;
}

/* Returns false after a message if the history could not be kept. */
static bool terminal_close(struct terminal *t)
{
	terminal_erase_progress(t);
	if (t->editing)
		leave_line(t);
	if (!session_is_thinking(t->session))
		terminal_keep(t);
	if (kept_waits(t->kept, &t->session->record))
		puts("Your game is kept. Type continue when you start yomi again.");
	return editor_close(t->editor);
}

int terminal_run(const struct start *start, bool boards)
{
	struct terminal t = { .boards = boards };
	int status = loop_open(&t.loop, start, terminal_on_interrupt, &t);
	if (status)
		return status;
	t.kept = kept_open();
	t.change = evtimer_new(t.loop.base, terminal_settle, &t);
	t.session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = t.loop.base,
		.game = start->game,
		.options = start->options,
		.settings = start->settings,
		.own_book = start->own_book,
		.protocols = protocols_people,
		.log = t.loop.log,
		.line_max = SESSION_LINE_MAX,
		.queue_max = SESSION_QUEUE_MAX,
		.kept = t.kept,
		.marks = true,
		.colors = start->colors,
		.changed = terminal_on_change,
		.progress = terminal_show_progress,
		.progress_interval = PROGRESS_INTERVAL,
		.note = show_note,
		.arg = &t,
	});
	if (!t.session)
		loop_die("no session");
	t.editor = editor_open(t.loop.base, t.session, terminal_erase_progress, &t);
	t.keys = editor_keys(t.editor);
	t.readable = event_new(t.loop.base, (evutil_socket_t)editor_input(t.editor),
			       EV_READ | EV_PERSIST, terminal_on_readable, &t);
	people_greet(t.session, stdout);
	putchar('\n');
	fflush(stdout);
	if (start->commands)
		session_input(t.session, start->commands, strlen(start->commands));
	terminal_on_change(&t);
	event_base_dispatch(t.loop.base);
	event_free(t.readable);
	bool saved = terminal_close(&t);
	session_destroy(t.session);
	kept_close(t.kept);
	event_free(t.change);
	status = loop_close(&t.loop);
	return saved ? status : EXIT_FAILURE;
}
