/* SPDX-License-Identifier: MIT
 *
 * The client side of a connection to the real program: pipes, bursts of bytes, answers one by one. Sending
 * never blocks, because it reads meanwhile. A test of a client that does not read uses the descriptors.
 * Nothing here measures time, but an engine that is silent for PATIENCE fails the test.
 *
 * The second part is a client's view of the game: a record, and games played to the end by the engine.
 */
#ifndef TESTS_PROTOCOL_TALK_H
#define TESTS_PROTOCOL_TALK_H

#include <errno.h>
#include <poll.h>
#include <stdarg.h>

#include "engine/base/memory.h"
#include "engine/rules/record.h"
#include "tests/protocol/process.h"

#define PATIENCE 60000 /* milliseconds */

struct talk {
	pid_t child;
	int to, from; /* `to` is -1 after it was closed */
	char *heard;  /* input that is not used yet: bytes `at` .. `length`, NUL-terminated */
	size_t at, length, room;
	char *answer; /* returned by hear() and hear_line() */
};

/* Starts the program with blank-separated options. Its stderr goes to `err`, or to the tests' stderr if
 * that is -1. */
static inline void talk_start_with(struct talk *t, const char *options, int err)
{
	int in[2], out[2], saved = -1;
	*t = (struct talk) { 0 };
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	if (err >= 0) {
		saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		ck_assert_int_ge(dup2(err, STDERR_FILENO), 0);
	}
	t->child = process_start(options, in[0], out[1], NULL);
	if (err >= 0) {
		ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
		close(saved);
	}
	close(in[0]);
	close(out[1]);
	t->to = in[1];
	t->from = out[0];
	ck_assert_int_eq(fcntl(t->to, F_SETFL, O_NONBLOCK), 0);
}

static inline void talk_start(struct talk *t, const char *options)
{
	talk_start_with(t, options, -1);
}

/* Waits for output and reads it. Returns false at the end of output. */
static inline bool talk_read(struct talk *t)
{
	struct pollfd p = { t->from, POLLIN, 0 };
	if (t->at == t->length)
		t->at = t->length = 0;
	if (t->room < t->length + 65537) {
		t->room = 2 * t->length + 65537;
		t->heard = xrealloc(t->heard, t->room);
	}
	ck_assert_msg(poll(&p, 1, PATIENCE) == 1, "no answer, after '%s'",
		      t->answer ? t->answer : "");
	ssize_t n = read(t->from, t->heard + t->length, 65536);
	ck_assert_int_ge((int)n, 0);
	t->length += (size_t)n;
	t->heard[t->length] = '\0';
	return n > 0;
}

/* Writes bytes, in one piece if the pipe takes them. */
static inline void tell_bytes(struct talk *t, const char *bytes, size_t n)
{
	while (n) {
		struct pollfd p[] = { { t->to, POLLOUT, 0 }, { t->from, POLLIN, 0 } };
		ssize_t written = write(t->to, bytes, n);
		if (written > 0) {
			bytes += written;
			n -= (size_t)written;
			continue;
		}
		ck_assert_msg(errno == EAGAIN, "the engine does not read any more");
		ck_assert_int_gt(poll(p, 2, PATIENCE), 0);
		if (p[1].revents)
			ck_assert(talk_read(t));
	}
}

/* Writes text: several lines or a part of one. */
__attribute__((format(printf, 2, 3))) static inline void tell(struct talk *t, const char *format,
							      ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	ck_assert_int_ge(n, 0);
	tell_bytes(t, text, (size_t)n);
	free(text);
}

/* Returns the output up to and including `end`, and waits for it. */
static inline const char *talk_take(struct talk *t, const char *end)
{
	size_t seen = 0;
	char *found;
	while (t->at + seen >= t->length || !(found = strstr(t->heard + t->at + seen, end))) {
		seen = t->length - t->at;
		seen -= seen ? 1 : 0;
		ck_assert_msg(talk_read(t), "the answers end with '%s'", t->heard + t->at);
	}
	size_t n = (size_t)(found - t->heard) + strlen(end) - t->at;
	free(t->answer);
	t->answer = strndup(t->heard + t->at, n);
	t->at += n;
	return t->answer;
}

/* Return the next answer with its frame, including the blank line, or the next line with its line feed.
 * Valid until the next call of either. */
static inline const char *hear(struct talk *t)
{
	return talk_take(t, "\n\n");
}

static inline const char *hear_line(struct talk *t)
{
	return talk_take(t, "\n");
}

/* Reads the rest of an answer whose first lines were read, up to its blank line. */
static inline void hear_rest(struct talk *t)
{
	while (strcmp(hear_line(t), "\n") != 0)
		;
}

#define hear_exactly(t, text) ck_assert_str_eq(hear(t), text)

/* Returns true if output comes within `milliseconds`. */
static inline bool talk_is_heard(struct talk *t, int milliseconds)
{
	struct pollfd p = { t->from, POLLIN, 0 };
	return t->at < t->length || poll(&p, 1, milliseconds) == 1;
}

static inline void talk_hang_up(struct talk *t)
{
	close(t->to);
	t->to = -1;
}

/* Returns all output until its end. */
static inline const char *hear_all(struct talk *t)
{
	while (talk_read(t))
		;
	free(t->answer);
	t->answer = strdup(t->heard + t->at);
	t->at = t->length;
	return t->answer;
}

static inline void talk_free(struct talk *t)
{
	if (t->to >= 0)
		close(t->to);
	close(t->from);
	free(t->heard);
	free(t->answer);
}

/* Closes the input if it is open. Expects no more output and this exit status. */
static inline void talk_end_with(struct talk *t, int status)
{
	if (t->to >= 0)
		talk_hang_up(t);
	ck_assert_str_eq(hear_all(t), "");
	ck_assert_int_eq(process_wait(t->child), status);
	talk_free(t);
}

static inline void talk_end(struct talk *t)
{
	talk_end_with(t, 0);
}

/* Checks the frame of an answer without id. Returns a copy of its text, valid until the next call: for a
 * success without `= `, for a failure with `? `. */
static inline const char *text_of(const char *answer)
{
	static char *text;
	free(text);
	text = strdup(answer);
	size_t n = strlen(text);
	ck_assert_msg(n >= 3 && strchr("=?", *text) && strcmp(text + n - 2, "\n\n") == 0, "'%s'",
		      text);
	text[n - 2] = '\0';
	ck_assert_msg(!text[1] || text[1] == ' ', "'%s'", text);
	ck_assert_msg(text[strlen(text) - 1] != '\n' && !strchr(text, '\r'), "'%s'", text);
	return *text == '?' ? text : text[1] ? text + 2 : "";
}

/* Sends a line. Returns the text of its answer, valid until the next one. */
__attribute__((format(printf, 2, 3))) static inline const char *ask(struct talk *t,
								    const char *format, ...)
{
	char *line;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&line, format, args);
	va_end(args);
	ck_assert_int_ge(n, 0);
	line[n] = '\n';
	tell_bytes(t, line, (size_t)n + 1);
	free(line);
	return text_of(hear(t));
}

#define ask_for(text, ...) ck_assert_str_eq(ask(__VA_ARGS__), text)
#define refuses(t, ...)    ck_assert_int_eq(ask(t, __VA_ARGS__)[0], '?')

/* Returns true if known_command reports the command. */
static inline bool knows(struct talk *t, const char *command)
{
	const char *answer = ask(t, "known_command %s", command);
	ck_assert(strcmp(answer, "true") == 0 || strcmp(answer, "false") == 0);
	return *answer == 't';
}

/* --- the game --- */

static const char *const colors[] = { "black", "white" };

/* Writes the text of a random legal move of the side to move. Returns false if the game is over. */
static inline bool random_move(const struct record *r, struct rng *rng, char text[MOVE_TEXT_MAX])
{
	if (r->now.over)
		return false;
	game_format(r->game, &r->now, record_draw(r, rng), text);
	return true;
}

/* Plays a move for the side to move. It must be legal and may be in any case. */
static inline void record_take_any(struct record *r, const char *text)
{
	struct move move;
	ck_assert_msg(!r->now.over && game_parse(r->game, &r->now, text, &move) == MOVE_OK,
		      "'%s' is no legal move", text);
	record_play(r, move);
}

/* Same, but the move must be spelled as the engine spells moves. */
static inline void record_take(struct record *r, const char *text)
{
	char spelled[MOVE_TEXT_MAX];
	struct state before = r->now;
	record_take_any(r, text);
	game_format(r->game, &before, r->moves[r->count - 1].move, spelled);
	ck_assert_str_eq(text, spelled);
}

/* Returns the correct answer to final_score. The game must be over. */
static inline const char *score_of(const struct record *r)
{
	static char text[16];
	int score = r->now.score;
	ck_assert(r->now.over);
	snprintf(text, sizeof text, score ? "%c+%d" : "0", score > 0 ? 'B' : 'W', abs(score));
	return text;
}

/* Lets an engine play both sides to the end. */
static inline void play_alone(struct talk *t, struct record *r)
{
	while (!r->now.over)
		record_take(r, ask(t, "genmove %s", colors[r->now.side]));
}

#endif
