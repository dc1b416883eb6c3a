/* SPDX-License-Identifier: MIT
 *
 * Checks of the syntax of GTP and of its administrative commands.
 */
#include "tools/check/checks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"

#define COMMANDS_MAX 1000 /* pairs of commands sent at once */

/* --- syntax --- */

/* Fails and reports the raw output. */
static bool fail_raw(struct target *s, const char *heard, const char *expected)
{
	char *got = target_quote(heard);
	target_fail(s, got, "%s", expected);
	free(got);
	return false;
}

bool check_silent_start(struct target *s)
{
	char *text;
	if (!target_start(s, s->command))
		return false;
	connection_receive(&s->connection, 0.3, &text);
	if (!*text && s->connection.length > s->connection.at)
		text = s->connection.input + s->connection.at;
	if (*text)
		return fail_raw(s, text, "nothing before the first command");
	if (!target_send(s, "protocol_version\n", 17))
		return false;
	int before = s->noises;
	return target_receive(s) && (s->noises == before ||
				     target_fail(s, s->noise, "an answer, and nothing before it"));
}

/* GoGui reads the text after the first blank of an answer. */
bool check_frame(struct target *s)
{
	char *text;
	if (!target_send(s, "name\n", 5))
		return false;
	if (connection_receive(&s->connection, s->patience, &text) != RECEIVED_TEXT)
		return target_fail(s, "nothing", "an answer");
	text += strspn(text, "\n");
	return (strncmp(text, "= ", 2) == 0 && text[2] > ' ') ||
	       fail_raw(s, text, "`=`, one blank, the text");
}

bool check_no_id(struct target *s)
{
	return target_ask(s, "5 name") && target_ask(s, "name") &&
	       (!isdigit((unsigned char)s->framed[1]) || target_fail(s, NULL, "`%s`", s->name));
}

bool check_pieces(struct target *s)
{
	static const char *const pieces[] = { "na", "me", "\n" };
	for (int i = 0; i < 3; i++) {
		char *text;
		if (!target_send(s, pieces[i], strlen(pieces[i])))
			return false;
		if (i < 2 &&
		    connection_receive_to(&s->connection, "\n", 0.05, &text) < RECEIVED_NOTHING)
			return target_fail(s, "output", "nothing before the line has ended");
	}
	return target_receive_as(s, "$n");
}

bool check_nul(struct target *s)
{
	static const char bytes[] = "na\0me\n\0\0\n";
	return target_send(s, bytes, sizeof bytes - 1) && target_receive_as(s, "$n");
}

bool check_many(struct target *s)
{
	static const char lines[] = "protocol_version\nname\n";
	size_t n = sizeof lines - 1;
	if (!target_ask(s, "protocol_version"))
		return false;
	char *version = xstrdup(s->answer), *bytes = xmalloc(COMMANDS_MAX * n);
	for (int i = 0; i < COMMANDS_MAX; i++)
		memcpy(bytes + (size_t)i * n, lines, n);
	bool good = target_send(s, bytes, COMMANDS_MAX * n);
	for (int i = 0; good && i < 2 * COMMANDS_MAX; i++) {
		const char *expected = i % 2 ? s->name : version;
		good = target_receive(s) &&
		       (strcmp(s->answer, expected) == 0 ||
			target_fail(s, NULL, "`%s`, the answer to command %d of %d", expected,
				    i + 1, 2 * COMMANDS_MAX));
	}
	free(bytes);
	free(version);
	return good;
}

/* Sends a line: `head` and `n` times `filling`. */
static bool send_long(struct target *s, const char *head, char filling, size_t n)
{
	size_t length = strlen(head);
	char *line = xmalloc(length + n + 2);
	strcpy(line, head);
	memset(line + length, filling, n);
	line[length + n] = '\n';
	bool said = target_send(s, line, length + n + 1);
	free(line);
	return said;
}

static bool check_long(struct target *s, size_t n)
{
	return send_long(s, "no_such_command ", 'a', n) && target_receive(s) && target_in_step(s);
}

bool check_long_lines(struct target *s)
{
	return check_long(s, 10000);
}

bool check_huge_lines(struct target *s)
{
	return check_long(s, 1000000);
}

bool check_noise(struct target *s)
{
	return !s->noises || target_fail(s, s->noise, "nothing but answers on stdout");
}

/* --- commands --- */

bool check_list(struct target *s)
{
	const char *text = target_ask_text(s, "list_commands", "the commands, one a line");
	for (const char *c = text; c && *c; c++)
		if (*c == ' ' && c[1] != ' ' && c[1] != '\n')
			return target_fail(s, NULL, "one word a line");
	return text;
}

bool check_required(struct target *s)
{
	static const char *const required[] = {
		"protocol_version", "name", "version",     "known_command", "list_commands", "quit",
		"boardsize",        "komi", "clear_board", "play",          "genmove",
	};
	if (!target_ask(s, "list_commands"))
		return false;
	for (size_t i = 0; i < sizeof required / sizeof *required; i++)
		if (!s->commands || !target_knows(s, required[i]))
			return target_fail(s, "a list without it", "`%s` in the list", required[i]);
	return true;
}

bool check_known(struct target *s)
{
	char *list = xstrdup(s->commands ? s->commands : "name"), *save;
	bool good = true;
	for (char *c = strtok_r(list, "\n", &save); good && c; c = strtok_r(NULL, "\n", &save))
		good = target_expect(s, "= true", "known_command %s", c);
	free(list);
	good = good && target_expect(s, "= false", "known_command no_such_command");
	/* The engine may now take its client for gomill. */
	target_kill(s);
	return good;
}

bool check_name(struct target *s)
{
	return target_ask_line(s, "name", false) && target_ask_line(s, "version", true);
}

bool check_line(struct target *s)
{
	return target_ask_line(s, s->about, false);
}

/* Passes if the whole answer is one number. */
bool check_number(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "a number");
	char *end;
	if (!text)
		return false;
	return (*text && isfinite(strtod(text, &end)) && !*end) || target_fail(s, NULL, "a number");
}

bool check_cheap_clear(struct target *s)
{
	enum { TIMES = 200 };
	int64_t deadline = clock_now() + (int64_t)(s->patience * 1e9);
	for (int i = 0; i < TIMES; i++) {
		if (!target_ask(s, "clear_board"))
			return false;
		if (clock_now() > deadline)
			return target_fail(s, "too few answers", "%d answers in %g s", TIMES,
					   s->patience);
	}
	return true;
}

bool check_vertices(struct target *s)
{
	static const char *const vertices[] = {
		"z99", "a0", "3d", "d", "a-1", "@1", "1", "d3x", "d3d4", "d99999999999999999999"
	};
	struct state start;
	struct move move;
	if (s->game)
		s->game->start(s->game, &start);
	for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++)
		if (!(s->game && game_parse(s->game, &start, vertices[i], &move) == MOVE_OK) &&
		    !target_expect(s, "?*", "play b %s", vertices[i]))
			return false;
	return target_expect(s, "=", "play b %s", s->moves[0]);
}

bool check_showboard(struct target *s)
{
	int before = s->noises;
	if (!target_expect(s, "=*", "%s", s->about) || !target_in_step(s))
		return false;
	if (s->noises == before)
		return true;
	/* Reported here, so it must not count as noise. */
	s->noises = before;
	return target_fail(s, "a blank line, which ends the answer, and more", "one answer");
}
