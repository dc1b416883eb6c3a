/* SPDX-License-Identifier: MIT
 *
 * libedit edits the line on the loop's thread. The terminal stays in libedit's raw mode. Flow control is off, so that ^S is a
 * key and cannot stop the program. Keys such as ^C still send signals. A libedit command of several keys, such as ^R, waits for
 * them inside libedit. The session is idle then, so nothing else is delayed, and a signal ends the wait.
 */
#include "protocol/terminal/editor.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "protocol/records/file.h"
#include "protocol/session/fifo.h"
#include "protocol/terminal/completion.h"
#include "protocol/terminal/kept.h"

#define HISTORY_MAX 1000
#define ERASE_BELOW "\r\033[J"

struct editor {
	struct session *session;
	struct event_base *base;
	void (*erase)(void *arg);
	void *arg;
	EditLine *edit;
	History *history;
	char *history_path; /* NULL: the history is not saved */
	int history_loaded; /* number of the last line that came from the file */
	struct fifo keys;
	bool edits;       /* the prompt is shown */
	bool fed;         /* libedit has received a key since it was called */
	bool starved;     /* libedit asked for a key and there was none */
	sigset_t signals; /* signal mask outside of libedit */
	struct event *resized, *stopped, *hung_up, *aborted;
};

bool editor_is_possible(void)
{
	const char *type = getenv("TERM");
	return type && *type && strcmp(type, "dumb") != 0;
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
static bool save_history(const struct editor *e)
{
	HistEvent line, event;
	char why[REASON_MAX];
	if (!e->history_path)
		return true;
	History *all = read_history(e->history_path);
	/* From the oldest line to the newest one. */
	for (int found = history(e->history, &line, H_LAST); found >= 0;
	     found = history(e->history, &line, H_PREV))
		if (line.num > e->history_loaded)
			history(all, &event, H_ENTER, line.str);
	bool saved = file_replace(e->history_path, print_history, all, why);
	if (!saved)
		fprintf(stderr, "yomi: %s\n", why);
	history_end(all);
	return saved;
}

/* --- libedit --- */

static struct editor *editor_of(EditLine *edit)
{
	void *e;
	el_get(edit, EL_CLIENTDATA, &e);
	return e;
}

static char *prompt(EditLine *edit)
{
	static char text[] = EDITOR_PROMPT;
	return text;
}

bool editor_read(struct editor *e)
{
	char bytes[4096];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	if (n > 0)
		fifo_add(&e->keys, bytes, (size_t)n);
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Callback of libedit: returns 1 and the next character, or 0 if there is none. It waits for the further
 * keys of a libedit command, but not for the first one. */
static int next_key(EditLine *edit, wchar_t *key)
{
	struct editor *e = editor_of(edit);
	mbstate_t state = { 0 };
	for (;;) {
		if (fifo_length(&e->keys)) {
			char byte = *fifo_bytes(&e->keys);
			fifo_drain(&e->keys, 1);
			size_t n = mbrtowc(key, &byte, 1, &state);
			if (n == (size_t)-2)
				continue; /* the character has more bytes */
			if (n == (size_t)-1)
				*key = L'?';
			else if (n == 0)
				*key = 0;
			e->fed = true;
			return 1;
		}
		fd_set keys;
		FD_ZERO(&keys);
		FD_SET(STDIN_FILENO, &keys);
		e->starved = !e->fed ||
			     pselect(STDIN_FILENO + 1, &keys, NULL, NULL, NULL, &e->signals) < 0 ||
			     !editor_read(e);
		if (e->starved)
			return 0;
	}
}

void editor_begin(struct editor *e)
{
	el_set(e->edit, EL_UNBUFFERED, 1); /* shows the prompt */
	e->edits = true;
}

/* Turns libedit's editor off meanwhile, so that libedit stays in raw mode. If it left that mode for a moment, keys typed then
 * would be echoed, and ^D would be lost. */
void editor_end(struct editor *e)
{
	el_set(e->edit, EL_EDITMODE, 0);
	el_set(e->edit, EL_UNBUFFERED, 0);
	el_set(e->edit, EL_EDITMODE, 1);
	e->edits = false;
}

bool editor_is_empty(const struct editor *e)
{
	const LineInfo *line = el_line(e->edit);
	return line->lastchar == line->buffer;
}

struct fifo *editor_keys(struct editor *e)
{
	return &e->keys;
}

intptr_t editor_input(const struct editor *e)
{
	return STDIN_FILENO;
}

/* libedit may hold keys of its own to read again. */
const char *editor_take(struct editor *e, size_t *length, bool *starved)
{
	int count = 0;
	sigset_t all;
	HistEvent event;
	sigfillset(&all);
	e->starved = e->fed = false;
	/* Block signals until pselect(): one that came before it would be missed during the wait. */
	pthread_sigmask(SIG_SETMASK, &all, &e->signals);
	const char *line = el_gets(e->edit, &count);
	pthread_sigmask(SIG_SETMASK, &e->signals, NULL);
	*starved = e->starved;
	if (!line || count <= 0 || line[count - 1] != '\n')
		return NULL;
	*length = (size_t)count;
	if (line[strspn(line, " \t\n")])
		history(e->history, &event, H_ENTER, line);
	return line;
}

/* --- completion --- */

/* Lists names in columns below the line. */
static void list_names(struct editor *e, const struct completion *found)
{
	int width = 0, column = 0, room = stream_columns();
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
	el_set(e->edit, EL_REFRESH);
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
static unsigned char insert_name(struct editor *e, const struct completion *found,
				 const char *typed)
{
	size_t common = common_length(found), length = strlen(typed);
	if (common == length && found->count > 1) {
		list_names(e, found);
		return CC_NORM;
	}
	char *rest = xstrndup(found->names[0] + length, common - length);
	el_insertstr(e->edit, rest);
	free(rest);
	if (found->count == 1)
		el_insertstr(e->edit, " ");
	return CC_REFRESH;
}

/* Tab: completes a name as far as it is unique, else lists the possible names. Completes file names where the
 * command takes one. */
static unsigned char editor_complete(EditLine *edit, int key)
{
	struct editor *e = editor_of(edit);
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
	completion_find(&found, e->session, count, words, typed);
	if (found.is_file)
		result = _el_fn_complete(edit, key);
	else if (found.count)
		result = insert_name(e, &found, typed);
	completion_free(&found);
	free(before);
	free(text);
	return result;
}

/* --- signals --- */

/* Starts the edited line again. el_resize() alone keeps the cursor's position; if that is outside the new
 * size, libedit writes outside its buffers. A line that starts later reads the size itself. */
static void on_resized(evutil_socket_t signal, short what, void *arg)
{
	struct editor *e = arg;
	e->erase(e->arg); /* the terminal may have moved its lines */
	if (!e->edits)
		return;
	const LineInfoW *line = el_wline(e->edit);
	size_t length = (size_t)(line->lastchar - line->buffer);
	int behind = (int)(line->lastchar - line->cursor);
	wchar_t *text = xcalloc(length + 1, sizeof *text);
	wmemcpy(text, line->buffer, length);
	editor_end(e);
	fputs(ERASE_BELOW, stdout);
	fflush(stdout);
	editor_begin(e);
	el_winsertstr(e->edit, text);
	el_cursor(e->edit, -behind);
	el_set(e->edit, EL_REFRESH);
	free(text);
}

/* ^Z: restores the terminal's mode while the program is stopped. */
static void on_stopped(evutil_socket_t signal, short what, void *arg)
{
	struct editor *e = arg;
	e->erase(e->arg);
	fflush(stdout);
	el_set(e->edit, EL_PREP_TERM, 0);
	raise(SIGSTOP);
	el_set(e->edit, EL_PREP_TERM, 1);
	if (e->edits)
		el_set(e->edit, EL_REFRESH);
}

static void on_ended(evutil_socket_t signal, short what, void *arg)
{
	struct editor *e = arg;
	event_base_loopbreak(e->base);
}

/* --- the life of the editor --- */

static struct event *catch_signal(struct editor *e, int signal, event_callback_fn act)
{
	struct event *event = evsignal_new(e->base, signal, act, e);
	event_add(event, NULL);
	return event;
}

struct editor *editor_open(struct event_base *base, struct session *session, void (*erase)(void *),
			   void *arg)
{
	HistEvent event;
	struct editor *e = xcalloc(1, sizeof *e);
	*e = (struct editor) { .session = session, .base = base, .erase = erase, .arg = arg };
	/* Allow characters of several bytes; character classes stay those of "C". */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "UTF-8"); /* the name on macOS */
	e->edit = el_init("yomi", stdin, stdout, stderr);
	if (!e->edit)
		out_of_memory();
	e->history_path = find_history();
	e->history = read_history(e->history_path);
	if (history(e->history, &event, H_FIRST) >= 0)
		e->history_loaded = event.num;
	el_set(e->edit, EL_CLIENTDATA, e);
	el_set(e->edit, EL_EDITOR, "emacs");
	el_set(e->edit, EL_SIGNAL, 0);
	el_set(e->edit, EL_GETCFN, next_key);
	el_set(e->edit, EL_PROMPT, prompt);
	el_set(e->edit, EL_HIST, history, e->history);
	/* libedit keeps pointers to wide texts. It would keep copies of narrow ones and never free them. */
	el_wset(e->edit, EL_ADDFN, L"yomi-complete", L"complete commands and options",
		editor_complete);
	el_set(e->edit, EL_BIND, "^I", "yomi-complete", NULL);
	/* No flow control. ^C discards neither output nor earlier input. */
	el_set(e->edit, EL_SETTY, "-d", "-ixon", "+noflsh", NULL);
	el_source(e->edit, NULL);
	el_set(e->edit, EL_PREP_TERM, 1);
	e->resized = catch_signal(e, SIGWINCH, on_resized);
	e->stopped = catch_signal(e, SIGTSTP, on_stopped);
	e->hung_up = catch_signal(e, SIGHUP, on_ended);
	e->aborted = catch_signal(e, SIGQUIT, on_ended);
	return e;
}

bool editor_close(struct editor *e)
{
	el_set(e->edit, EL_PREP_TERM, 0);
	bool saved = save_history(e);
	history_end(e->history);
	el_end(e->edit);
	event_free(e->resized);
	event_free(e->stopped);
	event_free(e->hung_up);
	event_free(e->aborted);
	fifo_clear(&e->keys);
	free(e->history_path);
	free(e);
	return saved;
}
