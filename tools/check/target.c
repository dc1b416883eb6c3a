/* SPDX-License-Identifier: MIT */
#include "tools/check/target.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"

#define SAID_MAX  100 /* maximum length of the text shown as sent */
#define WORDS_MAX 50  /* maximum length of each of its lines */
#define SHOWN_MAX 60  /* maximum length shown of an answer */

/* --- stored texts --- */

static void replace(char **text, char *by)
{
	free(*text);
	*text = by;
}

/* Returns bytes as one line of printable characters. The caller frees it. */
static char *target_show(const char *bytes, size_t n)
{
	struct text text = { 0 };
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];
		const char *named = c == '\n'   ? "\\n"
				    : c == '\r' ? "\\r"
				    : c == '\t' ? "\\t"
						: NULL;
		if (named)
			text_puts(&text, named);
		else if (c < ' ' || c >= 127)
			text_printf(&text, "\\x%02x", c);
		else
			text_putc(&text, (char)c);
	}
	return text_take(&text);
}

char *target_quote(const char *text)
{
	size_t n = strlen(text);
	char *shown = target_show(text, n < SHOWN_MAX ? n : SHOWN_MAX), *quoted;
	quoted = xasprintf("`%s%s`", shown, n > SHOWN_MAX ? "..." : "");
	free(shown);
	return quoted;
}

/* Appends to what was sent. Drops the oldest lines if the text is long. */
static void remember(struct target *s, const char *bytes, size_t n)
{
	size_t line = n && bytes[n - 1] == '\n' ? n - 1 : n;
	char *shown = target_show(bytes, line < WORDS_MAX ? line : WORDS_MAX);
	char *all = xasprintf("%s%s%s%s", s->said ? s->said : "", s->said ? "; " : "", shown,
			      line > WORDS_MAX ? "..." : "");
	free(shown);
	replace(&s->said, all);
	char *end = all + strlen(all), *cut = NULL;
	while (end - (cut ? cut : all) > SAID_MAX && (cut = strstr(cut ? cut + 1 : all, "; ")))
		;
	if (cut)
		replace(&s->said, xasprintf("...%s", cut + 1));
}

void target_forget(struct target *s)
{
	replace(&s->said, NULL);
	replace(&s->got, NULL);
	replace(&s->expected, NULL);
}

bool target_fail(struct target *s, const char *got, const char *expected, ...)
{
	va_list args;
	char *text;
	if (s->got)
		return false;
	va_start(args, expected);
	text = xvasprintf(expected, args);
	va_end(args);
	replace(&s->expected, text);
	s->got = got ? xstrdup(got) : target_quote(s->framed ? s->framed : "");
	return false;
}

/* --- the process --- */

bool target_start(struct target *s, const char *command)
{
	target_kill(s);
	s->runs = connection_start_shell(&s->connection, command, s->err);
	s->connection.cancel = s->cancel;
	s->connection.cleaning = CLEAN_RETURNS;
	return s->runs || target_fail(s, "it could not be started", "a running process");
}

void target_kill(struct target *s)
{
	if (s->runs)
		connection_free(&s->connection);
	s->runs = false;
}

void target_free(struct target *s)
{
	target_kill(s);
	target_forget(s);
	replace(&s->commands, NULL);
	replace(&s->name, NULL);
	replace(&s->answer, NULL);
	replace(&s->framed, NULL);
	replace(&s->noise, NULL);
}

/* Describes how a process ended. */
void target_describe_end(int status, char *text, size_t size)
{
	const char *signal = connection_signal_name(status);
	if (status == -1)
		snprintf(text, size, "it closed its output");
	else
		snprintf(text, size, "it ended with exit status %d%s%s", status, signal ? ": " : "",
			 signal ? signal : "");
}

/* Stores as a failure that the output has ended or that nothing came. */
static void fail_silent(struct target *s, bool ended, const char *expected)
{
	char text[128];
	if (ended)
		target_describe_end(connection_wait(&s->connection, s->patience), text,
				    sizeof text);
	else
		snprintf(text, sizeof text, "nothing in %g s", s->patience);
	target_fail(s, text, "%s", expected);
}

int target_await_end(struct target *s, int most)
{
	enum received received;
	char *text, why[128];
	while ((received = connection_receive(&s->connection, s->patience, &text)) ==
	       RECEIVED_TEXT) {
		if (most-- > 0)
			continue;
		target_fail(s, "one more answer", "the end of the process");
		target_kill(s);
		return -1;
	}
	/* A process that keeps the output open still runs, even if the shell that started it has ended. */
	int status = received == RECEIVED_END ? connection_wait(&s->connection, s->patience) : -1;
	if (status == -1) {
		snprintf(why, sizeof why, "it still runs after %g s", s->patience);
		target_fail(s, why, "the end of the process");
	}
	target_kill(s);
	return status;
}

/* --- commands and answers --- */

/* Returns the bytes with `$` and letters replaced. The caller frees them. */
static char *target_expand(const struct target *s, const char *bytes, size_t n, size_t *length)
{
	struct text text = { 0 };
	bool is_square = !strchr(s->size, ' ');
	/* The size of Havannah is not the side of its board. */
	char side[sizeof s->size];
	snprintf(side, sizeof side, "%s", s->size);
	if (s->game && s->game->board.size)
		snprintf(side, sizeof side, "%d", s->game->board.cols);
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i] == '$' && i + 1 < n ? bytes[++i] : '\0';
		if (c >= '1' && c <= '4')
			text_puts(&text, s->moves[c - '1']);
		else if (c == 'a')
			for (const char *p = s->moves[0]; *p; p++)
				text_putc(&text, (char)tolower((unsigned char)*p));
		else if (c == 'o')
			text_puts(&text, s->occupied);
		else if (c == 'n')
			text_puts(&text, s->name);
		else if (c == 's')
			text_puts(&text, s->size);
		else if (c == 'r')
			text_printf(&text, "%s%s%s", side, is_square ? " " : "",
				    is_square ? side : "");
		else if (c == 'g')
			text_puts(&text, s->game ? s->game->title : "");
		else
			text_putc(&text, bytes[i]);
	}
	*length = text.length;
	return text_take(&text);
}

bool target_send(struct target *s, const char *bytes, size_t n)
{
	size_t length;
	if (!s->runs)
		return target_fail(s, "nothing", "a running process");
	char *text = target_expand(s, bytes, n, &length);
	remember(s, text, length);
	bool sent = connection_send(&s->connection, text, length, s->patience);
	free(text);
	if (!sent) {
		int status = connection_wait(&s->connection, 0.1);
		char why[128];
		target_describe_end(status, why, sizeof why);
		target_fail(s, status == -1 ? "it does not read its commands" : why,
			    "an engine that reads its commands");
	}
	return sent;
}

/* Stores text outside of answers. */
static void target_add_noise(struct target *s, const char *text)
{
	if (s->noises++)
		return;
	char *quoted = target_quote(text), *noise;
	noise = xasprintf("%s outside of an answer, after `%s`", quoted, s->said ? s->said : "");
	free(quoted);
	replace(&s->noise, noise);
}

/* Stores an answer without insignificant blanks: in `framed` with its id, in `answer` without. */
static void keep_answer(struct target *s, const char *text)
{
	const char *rest = text + 1;
	while (isdigit((unsigned char)*rest))
		rest++;
	int head = (int)(rest - text);
	rest += strspn(rest, " \t\n");
	size_t n = strlen(rest);
	while (n && isspace((unsigned char)rest[n - 1]))
		n--;
	free(s->answer);
	free(s->framed);
	s->answer = xasprintf("%c%s%.*s", *text, n ? " " : "", (int)n, rest);
	s->framed = xasprintf("%.*s%s%.*s", head, text, n ? " " : "", (int)n, rest);
}

/* Waits for an answer. RECEIVED_TEXT: it is in s->answer. */
static enum received target_receive_own(struct target *s)
{
	for (;;) {
		char *text;
		enum received received = connection_receive(&s->connection, s->patience, &text);
		/* Lines before the answer. */
		while (*text && *text != '=' && *text != '?') {
			char *end = text + strcspn(text, "\n");
			bool last = !*end;
			*end = '\0';
			if (text[strspn(text, " \t")])
				target_add_noise(s, text);
			text = last ? end : end + 1;
		}
		if (received == RECEIVED_TEXT && *text) {
			keep_answer(s, text);
			return received;
		}
		if (received != RECEIVED_TEXT)
			return received;
	}
}

const char *target_receive(struct target *s)
{
	enum received received = target_receive_own(s);
	if (received == RECEIVED_TEXT)
		return s->answer;
	fail_silent(s, received == RECEIVED_END, "an answer");
	return NULL;
}

const char *target_receive_line(struct target *s)
{
	char *text;
	enum received received = connection_receive_to(&s->connection, "\n", s->patience, &text);
	if (received == RECEIVED_TEXT) {
		replace(&s->answer, xstrdup(text));
		replace(&s->framed, xstrdup(text));
		return s->answer;
	}
	fail_silent(s, received == RECEIVED_END, "a line of an answer");
	return NULL;
}

__attribute__((format(PRINTF, 2, 0))) static const char *
target_ask_own(struct target *s, const char *format, va_list args)
{
	char *line = xvasprintf(format, args);
	size_t n = strlen(line);
	line[n] = '\n';
	bool sent = target_send(s, line, n + 1);
	free(line);
	return sent ? target_receive(s) : NULL;
}

const char *target_ask(struct target *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *answer = target_ask_own(s, format, args);
	va_end(args);
	return answer;
}

/* Compares the last answer with a pattern. */
static bool target_compare(struct target *s, const char *pattern)
{
	size_t length;
	char *text = target_expand(s, pattern, strlen(pattern), &length);
	/* Compare the id only if the pattern has one. */
	bool open = length && text[length - 1] == '*';
	const char *answer = isdigit((unsigned char)pattern[1]) ? s->framed : s->answer;
	bool same = open ? strncmp(answer, text, length - 1) == 0 : strcmp(answer, text) == 0;
	if (!same)
		target_fail(s, NULL, "`%.*s%s`", (int)(length - open), text, open ? "..." : "");
	free(text);
	return same;
}

bool target_expect(struct target *s, const char *pattern, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *answer = target_ask_own(s, format, args);
	va_end(args);
	return answer && target_compare(s, pattern);
}

bool target_receive_as(struct target *s, const char *pattern)
{
	return target_receive(s) && target_compare(s, pattern);
}

/* Splits the next line and its pattern off a script. Returns false if there is none. */
static bool next_step(char **script, char **line, char **pattern)
{
	if (!*script)
		return false;
	*line = *script;
	char *arrow = strstr(*line, " => ");
	*arrow = '\0';
	*pattern = arrow + 4;
	*script = strstr(*pattern, "; ");
	if (*script) {
		**script = '\0';
		*script += 2;
	}
	return true;
}

/* Sends a line that has no answer. */
static bool say_silent(struct target *s, const char *line)
{
	char *text = xasprintf("%s\n", line);
	bool said = target_send(s, text, strlen(text));
	free(text);
	return said && target_in_step(s);
}

/* Sends all lines of a script in one write. */
static bool say_all(struct target *s, const char *script)
{
	char *copy = xstrdup(script), *rest = copy, *line, *pattern;
	struct text lines = { 0 };
	while (next_step(&rest, &line, &pattern))
		text_printf(&lines, "%s\n", line);
	bool said = target_send(s, lines.bytes, lines.length);
	text_free(&lines);
	free(copy);
	return said;
}

bool target_script(struct target *s, const char *script, bool at_once)
{
	char *copy = xstrdup(script), *rest = copy, *line, *pattern;
	bool good = !at_once || say_all(s, script);
	while (good && next_step(&rest, &line, &pattern))
		good = at_once    ? target_receive_as(s, pattern)
		       : *pattern ? target_expect(s, pattern, "%s", line)
				  : say_silent(s, line);
	free(copy);
	return good;
}

const char *target_ask_text(struct target *s, const char *command, const char *expected)
{
	const char *answer = target_ask(s, "%s", command);
	const char *text = answer ? target_text(answer) : NULL;
	if (answer && !text)
		target_fail(s, NULL, "%s", expected);
	return text;
}

bool target_in_step(struct target *s)
{
	if (!target_ask(s, "name"))
		return false;
	return strcmp(s->answer, s->name) == 0 ||
	       target_fail(s, NULL, "`%s`, and nothing before it", s->name);
}

const char *target_text(const char *answer)
{
	if (*answer != '=')
		return NULL;
	return answer + 1 + (answer[1] == ' ');
}

bool target_knows(struct target *s, const char *command)
{
	char line[128];
	if (s->commands) {
		snprintf(line, sizeof line, "\n%s\n", command);
		return strstr(s->commands, line) != NULL;
	}
	const char *answer = target_ask(s, "known_command %s", command);
	return answer && strcmp(answer, "= true") == 0;
}

/* --- properties of the engine --- */

/* Asks for the commands. The first word of each line is a command. */
static void learn_commands(struct target *s)
{
	const char *answer = target_ask(s, "list_commands");
	const char *text = answer ? target_text(answer) : NULL;
	if (!text)
		return;
	struct text list = { 0 };
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		line += strspn(line, " ");
		text_printf(&list, "\n%.*s", (int)strcspn(line, " \n"), line);
	}
	text_puts(&list, "\n");
	replace(&s->commands, list.bytes);
}

/* Returns the game with the rules that the engine uses, or that game if it tells none that are known here. */
static const struct game *find_rules(struct target *s, const struct game *g)
{
	const char *answer = target_knows(s, "param") ? target_ask(s, "param rules") : NULL;
	const char *rules = answer ? target_text(answer) : NULL;
	const struct game *found = rules && *rules ? game_find(g->name, rules) : NULL;
	return found ? found : g;
}

/* Returns the game that the engine reports, or the first game of its list that is known here; NULL if none. */
static const struct game *target_find_game(struct target *s)
{
	static const char *const commands[] = { "gogui-rules_game_id", "list_games" };
	for (int i = 0; i < 2; i++) {
		const char *answer = target_knows(s, commands[i]) ? target_ask(s, "%s", commands[i])
								  : NULL;
		const char *text = answer ? target_text(answer) : NULL;
		char *words = xstrdup(text ? text : ""), *save;
		const struct game *g = NULL;
		for (char *w = strtok_r(words, " \n", &save); w && !g;
		     w = strtok_r(NULL, " \n", &save))
			g = game_find(w, NULL);
		free(words);
		if (g)
			return find_rules(s, g);
	}
	return NULL;
}

/* Finds the size of the board: that of the game, or the first common size that the engine accepts. */
static void find_size(struct target *s)
{
	static const int sizes[] = { 9, 8, 19, 13, 11, 7, 6, 10, 15, 5, 3 };
	if (s->game)
		gtp_size(s->game, s->size);
	for (size_t i = 0; !*s->size && i < sizeof sizes / sizeof *sizes; i++) {
		const char *answer = target_ask(s, "boardsize %d", sizes[i]);
		if (!answer)
			return;
		if (*answer == '=')
			snprintf(s->size, sizeof s->size, "%d", sizes[i]);
	}
}

/* With known rules: chooses the first moves of a game, and a starting move that they have made illegal. */
static void choose_moves(struct target *s)
{
	struct record r;
	struct rng rng;
	struct move first[GAME_MOVES_MAX], list[GAME_MOVES_MAX], move;
	char text[MOVE_TEXT_MAX];
	record_init(&r, s->game);
	record_set_swap(&r, false);
	rng_seed(&rng, 1);
	int count = record_moves(&r, first);
	struct state start = r.now;
	for (int i = 0; i < TARGET_MOVES && !r.now.over; i++) {
		int n = record_moves(&r, list);
		do
			move = list[rng_below(&rng, (uint32_t)n)];
		while (n > 1 && move.step[0] == s->game->steps.pass);
		target_format(s, &r.now, move, text);
		snprintf(s->moves[i], sizeof s->moves[i], "%s", text);
		record_play(&r, move);
		for (int j = 0; i == 1 && j < count; j++) {
			target_format(s, &start, first[j], text);
			if (target_parse(s, &r, text, &move) == MOVE_ILLEGAL)
				snprintf(s->occupied, sizeof s->occupied, "%s", text);
		}
	}
	s->has_moves = r.count == TARGET_MOVES;
	record_free(&r);
}

/* Without known rules: takes moves that the engine chooses. The second one's point is then occupied. */
static void target_take_moves(struct target *s)
{
	for (int i = 0; i < TARGET_MOVES; i++) {
		const char *answer = target_ask(s, "genmove %c", "bw"[i % 2]);
		const char *text = answer ? target_text(answer) : NULL;
		if (!text || !isalpha((unsigned char)text[0]) || !isdigit((unsigned char)text[1]) ||
		    strlen(text) >= sizeof s->moves[i] || strchr(text, ' '))
			return;
		strcpy(s->moves[i], text);
	}
	strcpy(s->occupied, s->moves[1]);
	s->has_moves = true;
}

bool target_learn(struct target *s, bool finds_game)
{
	if (!target_start(s, s->command) || !target_ask(s, "name"))
		return false;
	s->name = xstrdup(s->answer);
	learn_commands(s);
	if (!s->game && finds_game)
		s->game = target_find_game(s);
	find_size(s);
	target_kill(s); /* the engine may have taken the question for the game for GoGui's */
	if (s->game)
		target_use_names(s, false);
	else if (target_set_up(s))
		target_take_moves(s);
	/* Whatever could not be learned is reported by a check of its own. */
	if (s->got)
		target_kill(s);
	target_forget(s);
	return true;
}

void target_use_names(struct target *s, bool of_go)
{
	if (!s->game || (s->has_moves && s->has_go_names == of_go))
		return;
	target_kill(s);
	s->has_go_names = of_go;
	s->names = *s->game;
	s->names.board.skips_i |= of_go;
	choose_moves(s);
}

void target_format(const struct target *s, const struct state *state, struct move m,
		   char text[MOVE_TEXT_MAX])
{
	char own[MOVE_TEXT_MAX];
	game_format(s->game, state, m, own);
	square_rename(s->game, &s->names, own, text);
}

enum move_check target_parse(const struct target *s, const struct record *r, const char *text,
			     struct move *move)
{
	char own[MOVE_TEXT_MAX];
	if (strlen(text) >= sizeof own)
		return MOVE_MALFORMED;
	square_rename(&s->names, s->game, text, own);
	return record_parse(r, own, move);
}

bool target_set_up(struct target *s)
{
	if (!s->runs && !target_start(s, s->command))
		return false;
	/* The answers do not matter here: a check of its own reports a command that fails. The first command is the one by which
	 * GoGui and its tools show what they are. */
	if (s->has_go_names && !target_ask(s, "gogui-interrupt"))
		return false;
	if (s->game && target_knows(s, "set_game") && !target_ask(s, "set_game %s", s->game->title))
		return false;
	if (s->game && strcmp(s->game->rules, game_find(s->game->name, NULL)->rules) != 0 &&
	    target_knows(s, "param") && !target_ask(s, "param rules %s", s->game->rules))
		return false;
	if ((*s->size && !target_ask(s, "boardsize %s", s->size)) || !target_ask(s, "clear_board"))
		return false;
	if (s->game && s->game->komi && target_knows(s, "komi")) {
		struct state start;
		s->game->start(s->game, &start);
		if (!target_ask(s, "komi %g", s->game->komi->get(s->game, &start) / 2.0))
			return false;
	}
	if (target_knows(s, "set_time"))
		return target_ask(s, "set_time 0.1");
	return !target_knows(s, "time_settings") || target_ask(s, "time_settings 0 1 1");
}

bool target_ask_line(struct target *s, const char *question, bool may_be_empty)
{
	const char *text = target_ask_text(s, question, "one line");
	if (!text)
		return false;
	return ((*text || may_be_empty) && !strchr(text, '\n')) || target_fail(s, NULL, "one line");
}

char *target_make_file(struct target *s)
{
	char *path = disk_new_file();
	if (!path)
		target_fail(s, strerror(errno), "a temporary file");
	return path;
}
