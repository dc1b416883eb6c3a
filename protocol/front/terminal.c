/* SPDX-License-Identifier: MIT
 *
 * libedit edits the line on the loop's thread. The terminal is in one of two states:
 *
 *     editing   the prompt is shown, the session is idle, keys go to libedit at once
 *     busy      a command runs or its answer is written; keys are queued
 *
 * The terminal stays in libedit's raw mode. Flow control is off, so that ^S is a key and cannot stop the
 * program. Keys such as ^C still send signals. Output is written directly, since a terminal accepts it. A
 * libedit command of several keys, such as ^R, waits for them inside libedit. The session is idle then, so
 * nothing else is delayed, and a signal ends the wait.
 */
#include "protocol/front/terminal.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "engine/base/memory.h"
#include "engine/rules/drawing.h"
#include "protocol/front/completion.h"
#include "protocol/front/kept.h"
#include "protocol/front/loop.h"
#include "protocol/front/people.h"
#include "protocol/front/player.h"
#include "protocol/front/table.h"
#include "protocol/front/wrap.h"
#include "protocol/gtp/analysis.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/notation.h"
#include "protocol/gtp/session.h"
#include "protocol/gtp/think.h"
#include "protocol/records/file.h"

#define PROMPT            "yomi> "
#define CTRL_D            4
#define ESCAPE            27
#define HISTORY_MAX       1000
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
	struct event *resized, *stopped, *hung_up, *aborted;
	EditLine *edit;
	struct kept_games *kept;
	History *history;
	char *history_path; /* NULL: the history is not saved */
	int history_loaded; /* number of the last line that came from the file */
	struct evbuffer *keys;
	bool editing;
	bool fed;         /* libedit has received a key since it was called */
	bool starved;     /* libedit asked for a key and there was none */
	sigset_t signals; /* signal mask outside of libedit */
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
	const char *type = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && type && *type &&
	       strcmp(type, "dumb") != 0;
}

/* --- the history file --- */

/* Returns the path of the history. NULL if it cannot be written. The caller frees it. */
static char *find_history(void)
{
	char *folder = kept_folder(), *path = folder ? xasprintf("%s/history", folder) : NULL;
	free(folder);
	struct stat st;
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600)
		      : -1;
	/* A link to /dev/null turns the history off. */
	bool is_kept = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if (fd >= 0)
		close(fd);
	if (is_kept)
		return path;
	free(path);
	return NULL;
}

/* Writes the history in libedit's format. */
static bool print_history(FILE *f, void *h)
{
	HistEvent event;
	return history(h, &event, H_SAVE_FP, f) >= 0;
}

/* Returns a history with the lines of a file, empty if `path` is NULL or the file cannot be read. */
static History *read_history(const char *path)
{
	HistEvent event;
	History *h = history_init();
	if (!h)
		out_of_memory();
	history(h, &event, H_SETSIZE, HISTORY_MAX);
	history(h, &event, H_SETUNIQUE, 1);
	if (path)
		history(h, &event, H_LOAD, path);
	return h;
}

/* Adds the lines of this terminal to the file. It is read again, because other terminals may have saved lines meanwhile.
 * Returns false after a message if it could not be written. The file is then unchanged. */
static bool save_history(const struct terminal *t)
{
	HistEvent line, event;
	char why[REASON_MAX];
	if (!t->history_path)
		return true;
	History *all = read_history(t->history_path);
	/* From the oldest line to the newest one. */
	for (int found = history(t->history, &line, H_LAST); found >= 0;
	     found = history(t->history, &line, H_PREV))
		if (line.num > t->history_loaded)
			history(all, &event, H_ENTER, line.str);
	bool saved = file_replace(t->history_path, print_history, all, why);
	if (!saved)
		fprintf(stderr, "yomi: %s\n", why);
	history_end(all);
	return saved;
}

/* --- libedit --- */

static struct terminal *terminal_of(EditLine *edit)
{
	void *t;
	el_get(edit, EL_CLIENTDATA, &t);
	return t;
}

static char *prompt(EditLine *edit)
{
	static char text[] = PROMPT;
	(void)edit;
	return text;
}

/* Reads typed keys. Returns false at the end of input or after an error. */
static bool read_keys(struct terminal *t)
{
	char bytes[4096];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	if (n > 0)
		evbuffer_add(t->keys, bytes, (size_t)n);
	t->hinted = 0;
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Callback of libedit: returns 1 and the next character, or 0 if there is none. It waits for the further
 * keys of a libedit command, but not for the first one. */
static int next_key(EditLine *edit, wchar_t *key)
{
	struct terminal *t = terminal_of(edit);
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	mbstate_t state = { 0 };
	char byte;
	for (;;) {
		if (evbuffer_remove(t->keys, &byte, 1) == 1) {
			size_t n = mbrtowc(key, &byte, 1, &state);
			if (n == (size_t)-2)
				continue; /* the character has more bytes */
			if (n == (size_t)-1)
				*key = L'?';
			else if (n == 0)
				*key = 0;
			t->fed = true;
			return 1;
		}
		t->starved = !t->fed || ppoll(&p, 1, NULL, &t->signals) < 0 || !read_keys(t);
		if (t->starved)
			return 0;
	}
}

static void begin_editing(struct terminal *t)
{
	t->has_told = false;
	el_set(t->edit, EL_UNBUFFERED, 1); /* shows the prompt */
	t->editing = true;
}

/* Turns libedit's editor off meanwhile, so that libedit stays in raw mode. If it left that mode for a moment, keys typed then
 * would be echoed, and ^D would be lost. */
static void end_editing(struct terminal *t)
{
	el_set(t->edit, EL_EDITMODE, 0);
	el_set(t->edit, EL_UNBUFFERED, 0);
	el_set(t->edit, EL_EDITMODE, 1);
	t->editing = false;
}

/* --- completion --- */

/* Lists names in columns below the line. */
static void list_names(struct terminal *t, const struct completion *found)
{
	int width = 0, column = 0, room = terminal_columns();
	for (int i = 0; i < found->count; i++)
		if ((int)strlen(found->names[i]) + 2 > width)
			width = (int)strlen(found->names[i]) + 2;
	putchar('\n');
	for (int i = 0; i < found->count; i++) {
		if (column && column + width > room) {
			putchar('\n');
			column = 0;
		}
		printf("%-*s", width, found->names[i]);
		column += width;
	}
	putchar('\n');
	fflush(stdout);
	el_set(t->edit, EL_REFRESH);
}

/* Returns the length of the longest beginning that all names share. */
static size_t common_length(const struct completion *found)
{
	size_t length = strlen(found->names[0]);
	for (int i = 1; i < found->count; i++) {
		size_t n = 0;
		while (n < length && found->names[i][n] == found->names[0][n])
			n++;
		length = n;
	}
	return length;
}

/* Inserts the common prefix of all names; if it is typed already, lists the names. `typed`: the typed part. */
static unsigned char insert_name(struct terminal *t, const struct completion *found,
				 const char *typed)
{
	size_t common = common_length(found), length = strlen(typed);
	if (common == length && found->count > 1) {
		list_names(t, found);
		return CC_NORM;
	}
	char *rest = xstrndup(found->names[0] + length, common - length);
	el_insertstr(t->edit, rest);
	free(rest);
	if (found->count == 1)
		el_insertstr(t->edit, " ");
	return CC_REFRESH;
}

/* Tab: completes a name as far as it is unique, else lists the possible names. Completes file names where the
 * command takes one. */
static unsigned char terminal_complete(EditLine *edit, int key)
{
	struct terminal *t = terminal_of(edit);
	const LineInfo *line = el_line(edit);
	struct completion found = { 0 };
	const char *words[3] = { NULL };
	int count = 0;
	unsigned char result = CC_ERROR;
	char *text = xstrndup(line->buffer, (size_t)(line->cursor - line->buffer)), *save;
	char *typed = strrchr(text, ' ');
	typed = typed ? typed + 1 : text + strspn(text, " ");
	/* Work on a copy: the typed line must not change. An id before the command is not a word. */
	char *before = xstrndup(text, (size_t)(typed - text));
	for (char *w = strtok_r(before, " ", &save); w && count < 3; w = strtok_r(NULL, " ", &save))
		if (count || w[strspn(w, "0123456789")])
			words[count++] = w;
	completion_find(&found, t->session, count, words, typed);
	if (found.is_file)
		result = _el_fn_complete(edit, key);
	else if (found.count)
		result = insert_name(t, &found, typed);
	completion_free(&found);
	free(before);
	free(text);
	return result;
}

/* --- output --- */

int terminal_columns(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static int terminal_rows(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : 24;
}

/* Removes the progress line. A table of analysis stays, and the next one begins below it. */
static void terminal_erase_progress(struct terminal *t)
{
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
	t->table_lines = table_print(t->session, report, terminal_rows() - 1, terminal_columns(),
				     stdout);
	fflush(stdout);
}

/* session_setup.progress: rewrites a line that fits the terminal, or the table of an analysis. Other streamed
 * answers show this already. */
static void terminal_show_progress(void *arg, const struct report *report)
{
	struct terminal *t = arg;
	char *line;
	size_t length;
	if (!report->line_count)
		return;
	if (analysis_is_running(t->session)) {
		show_table(t, report);
		return;
	}
	if (t->session->command->live)
		return;
	FILE *f = text_open(&line, &length);
	think_describe(t->session, report, f);
	fclose(f);
	table_cut(line, terminal_columns());
	printf(ERASE_LINE "%s", line);
	fflush(stdout);
	free(line);
	t->has_progress = true;
}

/* session_setup.note */
static void show_note(void *arg, const char *line, size_t length)
{
	terminal_erase_progress(arg);
	fflush(stdout);
	session_stderr(line, length);
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

/* Runs a complete line. */
static void terminal_take_line(struct terminal *t, const char *line, size_t length)
{
	HistEvent event;
	if (line[strspn(line, " \t\n")])
		history(t->history, &event, H_ENTER, line);
	end_editing(t);
	session_input(t->session, line, length);
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
	evbuffer_drain(t->keys, 1);
	if (kept_may_leave(t->kept, &t->session->record, why)) {
		terminal_end_input(t);
		return;
	}
	leave_line(t);
	terminal_warn(why);
	fflush(stdout);
	begin_editing(t);
}

static bool line_is_empty(struct terminal *t)
{
	const LineInfo *line = el_line(t->edit);
	return line->lastchar == line->buffer;
}

/* Passes queued keys to libedit while a line is edited. libedit may hold keys of its own to read again. */
static void edit_keys(struct terminal *t)
{
	char key;
	sigset_t all;
	sigfillset(&all);
	for (t->starved = false; t->editing && !t->starved;) {
		int count = 0;
		if (evbuffer_copyout(t->keys, &key, 1) == 1 && key == CTRL_D && line_is_empty(t)) {
			terminal_leave(t);
			continue;
		}
		t->fed = false;
		/* Block signals until ppoll(): one that came before it would be missed during the wait. */
		pthread_sigmask(SIG_SETMASK, &all, &t->signals);
		const char *line = el_gets(t->edit, &count);
		pthread_sigmask(SIG_SETMASK, &t->signals, NULL);
		if (line && count > 0 && line[count - 1] == '\n')
			terminal_take_line(t, line, (size_t)count);
	}
}

/* Returns true if a line, or the end of input, is queued after the running command. */
static bool line_waits(const struct terminal *t)
{
	static const char *const ends[] = { "\r", "\n", "\004" };
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (evbuffer_search(t->keys, ends[i], 1, NULL).pos >= 0)
			return true;
	return false;
}

/* Returns true if the user has typed what ends a search without limit: any key ends a table of analysis, a line
 * any other search. */
static bool key_ends(const struct terminal *t)
{
	bool is_table = analysis_is_running(t->session);
	return t->session->command->until_line &&
	       (line_waits(t) || (is_table && evbuffer_get_length(t->keys)));
}

/* Drops the key that ended a table if it was only typed to end it. */
static void drop_key(struct terminal *t)
{
	char key;
	if (!analysis_is_running(t->session) || evbuffer_copyout(t->keys, &key, 1) != 1)
		return;
	if (key == ESCAPE)
		evbuffer_drain(t->keys, evbuffer_get_length(t->keys));
	else if (strchr(" \r\nqQ", key))
		evbuffer_drain(t->keys, 1);
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
static void terminal_settle(int fd, short what, void *arg)
{
	struct terminal *t = arg;
	struct session *s = t->session;
	struct evbuffer *out = session_output(s);
	(void)fd;
	(void)what;
	if (evbuffer_get_length(out)) {
		t->hinted = 0;
		terminal_erase_progress(t);
		fflush(stdout);
		int n = evbuffer_write(out, STDOUT_FILENO);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
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
	if (evbuffer_get_length(t->keys) < KEYS_MAX && !session_has_ended_input(s))
		event_add(t->readable, NULL);
	else
		event_del(t->readable);
}

/* Returns true if the keys behind the running command leave: ^D, exit, quit. */
static bool leaving_waits(const struct terminal *t)
{
	static const char *const ends[] = { "\004", "exit\r", "exit\n", "quit\r", "quit\n" };
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (evbuffer_search(t->keys, ends[i], strlen(ends[i]), NULL).pos >= 0)
			return true;
	return false;
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

static void terminal_on_readable(int fd, short what, void *arg)
{
	struct terminal *t = arg;
	(void)fd;
	(void)what;
	if (!read_keys(t)) {
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
	if (!t->editing || line_is_empty(t))
		return hint_or_leave(t);
	leave_line(t);
	begin_editing(t);
	return true;
}

/* Starts the edited line again. el_resize() alone keeps the cursor's position; if that is outside the new
 * size, libedit writes outside its buffers. A line that starts later reads the size itself. */
static void on_resized(int signal, short what, void *arg)
{
	struct terminal *t = arg;
	(void)signal;
	(void)what;
	t->table_lines = 0; /* the terminal may have moved its lines */
	if (!t->editing)
		return;
	const LineInfoW *line = el_wline(t->edit);
	size_t length = (size_t)(line->lastchar - line->buffer);
	int behind = (int)(line->lastchar - line->cursor);
	wchar_t *text = xcalloc(length + 1, sizeof *text);
	wmemcpy(text, line->buffer, length);
	end_editing(t);
	fputs(ERASE_BELOW, stdout);
	fflush(stdout);
	begin_editing(t);
	el_winsertstr(t->edit, text);
	el_cursor(t->edit, -behind);
	el_set(t->edit, EL_REFRESH);
	free(text);
}

/* ^Z: restores the terminal's mode while the program is stopped. */
static void on_stopped(int signal, short what, void *arg)
{
	struct terminal *t = arg;
	(void)signal;
	(void)what;
	terminal_erase_progress(t);
	fflush(stdout);
	el_set(t->edit, EL_PREP_TERM, 0);
	raise(SIGSTOP);
	el_set(t->edit, EL_PREP_TERM, 1);
	if (t->editing)
		el_set(t->edit, EL_REFRESH);
}

static void on_ended(int signal, short what, void *arg)
{
	struct terminal *t = arg;
	(void)signal;
	(void)what;
	event_base_loopbreak(t->loop.base);
}

static void open_editor(struct terminal *t)
{
	HistEvent event;
	/* Allow characters of several bytes; character classes stay those of "C". */
	setlocale(LC_CTYPE, "C.UTF-8");
	t->edit = el_init("yomi", stdin, stdout, stderr);
	if (!t->edit)
		out_of_memory();
	t->history_path = find_history();
	t->history = read_history(t->history_path);
	if (history(t->history, &event, H_FIRST) >= 0)
		t->history_loaded = event.num;
	el_set(t->edit, EL_CLIENTDATA, t);
	el_set(t->edit, EL_EDITOR, "emacs");
	el_set(t->edit, EL_SIGNAL, 0);
	el_set(t->edit, EL_GETCFN, next_key);
	el_set(t->edit, EL_PROMPT, prompt);
	el_set(t->edit, EL_HIST, history, t->history);
	/* libedit keeps pointers to wide texts. It would keep copies of narrow ones and never free them. */
	el_wset(t->edit, EL_ADDFN, L"yomi-complete", L"complete commands and options",
		terminal_complete);
	el_set(t->edit, EL_BIND, "^I", "yomi-complete", NULL);
	/* No flow control. ^C discards neither output nor earlier input. */
	el_set(t->edit, EL_SETTY, "-d", "-ixon", "+noflsh", NULL);
	el_source(t->edit, NULL);
	el_set(t->edit, EL_PREP_TERM, 1);
}

/* Returns the exit status. */
static int close_editor(struct terminal *t)
{
	terminal_erase_progress(t);
	if (t->editing)
		leave_line(t);
	el_set(t->edit, EL_PREP_TERM, 0);
	if (!session_is_thinking(t->session))
		terminal_keep(t);
	if (kept_waits(t->kept, &t->session->record))
		puts("Your game is kept. Type continue when you start yomi again.");
	bool saved = save_history(t);
	history_end(t->history);
	el_end(t->edit);
	free(t->history_path);
	return saved ? 0 : EXIT_FAILURE;
}

int terminal_run(const struct start *start, bool boards)
{
	struct terminal t = { .boards = boards };
	int status = loop_open(&t.loop, start, terminal_on_interrupt, &t);
	if (status)
		return status;
	t.keys = evbuffer_new();
	t.kept = kept_open();
	t.readable = event_new(t.loop.base, STDIN_FILENO, EV_READ | EV_PERSIST,
			       terminal_on_readable, &t);
	t.change = evtimer_new(t.loop.base, terminal_settle, &t);
	t.resized = evsignal_new(t.loop.base, SIGWINCH, on_resized, &t);
	t.stopped = evsignal_new(t.loop.base, SIGTSTP, on_stopped, &t);
	t.hung_up = evsignal_new(t.loop.base, SIGHUP, on_ended, &t);
	t.aborted = evsignal_new(t.loop.base, SIGQUIT, on_ended, &t);
	event_add(t.resized, NULL);
	event_add(t.stopped, NULL);
	event_add(t.hung_up, NULL);
	event_add(t.aborted, NULL);
	t.session = session_create(&(struct session_setup) {
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
	open_editor(&t);
	people_greet(t.session, stdout);
	putchar('\n');
	fflush(stdout);
	if (start->commands)
		session_input(t.session, start->commands, strlen(start->commands));
	terminal_on_change(&t);
	event_base_dispatch(t.loop.base);
	status = close_editor(&t);
	session_destroy(t.session);
	kept_close(t.kept);
	event_free(t.readable);
	event_free(t.change);
	event_free(t.resized);
	event_free(t.stopped);
	event_free(t.hung_up);
	event_free(t.aborted);
	evbuffer_free(t.keys);
	return loop_close(&t.loop) | status;
}
