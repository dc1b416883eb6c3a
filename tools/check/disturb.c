/* SPDX-License-Identifier: MIT */
#include "tools/check/disturb.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/rules/square.h"
#include "engine/search/common/algorithm.h"
#include "protocol/gtp/gtp.h"

#define LONG_TIME       "1000" /* seconds; only an interruption ends such a search */
#define SERVER_LINE_MAX ((size_t)1 << 20)

/* --- disturbances that the engine survives --- */

/* Sends random bytes. Each command among them must be refused. */
static bool send_garbage(struct tester *p)
{
	char bytes[256], line[257];
	size_t n = 1 + rng_below(&p->rng, sizeof bytes - 2), length = 0;
	int count = 0;
	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)rng_below(&p->rng, 256);
	bytes[n++] = '\n';
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			line[length++] = bytes[i];
			continue;
		}
		count += gtp_clean(line, length) == LINE_COMMAND;
		length = 0;
	}
	if (!tester_send_bytes(p, bytes, n))
		return false;
	for (; count; count--) {
		char *text;
		if (connection_receive(&p->connection, SOAK_PATIENCE, &text) != RECEIVED_TEXT ||
		    *text != '?')
			return tester_fail(p, "'%.100s' in answer to garbage", text);
	}
	return true;
}

static bool send_nonsense(struct tester *p)
{
	static const char *const lines[] = {
		"play",
		"play black",
		"play black z99",
		"play red a1",
		"genmove",
		"genmove x",
		"undo 1 2 3",
		"boardsize 1000000",
		"time_left",
		"time_left black x 0",
		"set_time -1",
		"param no_such 1",
		"param threads 0",
		"param memory 999999999999",
		"set_position b",
		"set_position b z9",
		"loadsgf /no/such/file",
		"printsgf /no/such/file",
		"known_command",
		"NAME",
		"komi nan",
		"position X X",
		"%s%n",
		"param search none",
		"set_game mahjong",
		"set_position b z9 w z8",
	};
	const char *line = lines[rng_below(&p->rng, sizeof lines / sizeof lines[0])];
	return tester_send(p, "%s", line) && tester_receive(p, p->id, '?');
}

/* Sends a legal move for the wrong side, which is an error unless turns can change, and a move to an occupied
 * square. */
static bool send_illegal_moves(struct tester *p)
{
	const struct record *r = &p->record;
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], bad[SQUARE_TEXT_MAX + MOVE_TEXT_MAX];
	char square[SQUARE_TEXT_MAX];
	int unused;
	record_moves(r, moves);
	game_format(r->game, &r->now, moves[0], text);
	if (!game_must_pass(r->game, &r->now) && !r->game->set_turn &&
	    !(tester_send(p, "play %s %s", tester_colors[!r->now.side], text) &&
	      tester_receive(p, p->id, '?')))
		return false;
	/* The text after the square, such as the letter of a turn. NULL for a pass. */
	const char *rest = square_parse(r->game, text, &unused, &unused);
	for (int row = 0; row < r->game->board.rows; row++)
		for (int col = 0; col < r->game->board.cols; col++)
			if (r->game->at(r->game, &r->now, row, col) != '.') {
				square_format(r->game, row, col, square);
				snprintf(bad, sizeof bad, "%s%s", square, rest ? rest : "");
				/* Another man may move to the same square. */
				if (record_parse(r, bad, &moves[0]) == MOVE_OK)
					continue;
				return tester_send(p, "play %s %s", tester_colors[r->now.side],
						   bad) &&
				       tester_receive(p, p->id, '?');
			}
	return true;
}

static bool send_half_lines(struct tester *p)
{
	char line[64];
	int n = snprintf(line, sizeof line, "# half\r\n\t \n%d na\x01me # half\n", ++p->id);
	for (int at = 0, piece; at < n; at += piece) {
		piece = 1 + (int)rng_below(&p->rng, (uint32_t)(n - at));
		if (!tester_send_bytes(p, line + at, (size_t)piece))
			return false;
		tester_pause(p, 2000);
	}
	return tester_receive_text(p, p->id, "yomi");
}

static bool send_long_line(struct tester *p)
{
	/* Some are longer than a server accepts. */
	size_t length = 1 + rng_below(&p->rng, SERVER_LINE_MAX * 3 / 2), room = length + 32;
	char *line = xmalloc(room);
	int n = snprintf(line, room, "%d echo ", ++p->id);
	bool cut = p->on_socket && (size_t)n + length > SERVER_LINE_MAX;
	memset(line + n, 'x', length);
	line[(size_t)n + length] = '\n';
	bool good = tester_send_bytes(p, line, (size_t)n + length + 1);
	const char *text = good ? tester_receive(p, p->id, cut ? '?' : '=') : NULL;
	good = text && (cut || (strlen(text) == length && strspn(text, "x") == length) ||
			tester_fail(p, "a long line is not echoed"));
	free(line);
	return good;
}

/* Sends many commands before it reads the first answer. */
static bool send_flood(struct tester *p)
{
	static const struct {
		const char *command, *answer;
	} rows[] = { { "protocol_version", "2" },
		     { "name", "yomi" },
		     { "known_command genmove", "true" },
		     { "echo a b", "a b" },
		     { "stop", "" } };
	enum { ROWS = sizeof rows / sizeof rows[0] };
	int count = 100 + (int)rng_below(&p->rng, 3000), first = p->id;
	struct text lines = { 0 };
	for (int i = 0; i < count; i++) {
		++p->id;
		text_printf(&lines, "%d %s\n", p->id, rows[p->id % ROWS].command);
	}
	bool good = tester_send_bytes(p, lines.bytes, lines.length);
	if (rng_below(&p->rng, 4) == 0)
		tester_pause(p, 30000);
	for (int id = first + 1; id <= p->id && good; id++)
		good = tester_receive_text(p, id, rows[id % ROWS].answer);
	text_free(&lines);
	return good;
}

static bool disturb_take_back(struct tester *p)
{
	int n = 1 + (int)rng_below(&p->rng, 3);
	for (; n && record_undo(&p->record); n--)
		if (!tester_expect(p, "", "undo"))
			return false;
	return true;
}

/* Starts a search that only an interruption ends. */
static bool disturb_begin_search(struct tester *p)
{
	bool good = tester_expect(p, "", "set_time " LONG_TIME) &&
		    tester_send(p, "genmove %s", tester_colors[p->record.now.side]);
	tester_pause(p, 8000);
	return good;
}

/* Ends such a search with the engine's answer and restores the time limit. */
static bool disturb_end_search(struct tester *p, const char *text)
{
	return tester_take_move(p, text) && tester_set_time(p);
}

static bool disturb_interrupt(struct tester *p)
{
	if (!disturb_begin_search(p))
		return false;
	int64_t now = clock_now();
	if (!tester_send_bytes(p, "# interrupt\n", 12))
		return false;
	char *text = tester_receive(p, p->id, '=');
	if (text)
		tester_note_delay(p, now);
	return disturb_end_search(p, text);
}

/* A signal that arrives before the command is read ends nothing, so it is repeated until the search ends. */
static bool interrupt_by_signal(struct tester *p)
{
	char pid[16];
	snprintf(pid, sizeof pid, "%ld", p->connection.pid);
	if (!tester_expect(p, pid, "gogui-sigint") || !disturb_begin_search(p))
		return false;
	int64_t start = clock_now();
	do
		connection_interrupt(&p->connection, p->connection.pid);
	while (!connection_is_readable(&p->connection, 0.02) && clock_since(start) < SOAK_PATIENCE);
	return disturb_end_search(p, tester_receive(p, p->id, '='));
}

/* Commands sent during a search must wait, and must see the move played. */
static bool ask_behind(struct tester *p)
{
	int id = p->id;
	bool good = tester_send(p, "genmove %s", tester_colors[p->record.now.side]) &&
		    tester_send(p, "name") && tester_send(p, "position");
	char position[POSITION_TEXT_MAX];
	good = good && tester_take_move(p, tester_receive(p, id + 1, '='));
	game_position(p->record.game, &p->record.now, position);
	return good && tester_receive_text(p, id + 2, "yomi") &&
	       tester_receive_text(p, id + 3, position);
}

/* Starts an analysis, whose answer grows until the next command. */
static bool analyze(struct tester *p)
{
	int id = p->id;
	bool good = tester_send(p, "lz-analyze 1");
	tester_pause(p, 40000);
	return good && tester_send(p, "name") && tester_receive(p, id + 1, '=') &&
	       tester_receive_text(p, id + 2, "yomi");
}

static bool change_search(struct tester *p)
{
	tester_choose_search(p);
	return tester_set_search(p);
}

static bool kill_engine(struct tester *p)
{
	if (rng_below(&p->rng, 2) && !disturb_begin_search(p))
		return false;
	connection_kill(&p->connection);
	return tester_check_end(p, CONNECTION_KILLED);
}

static bool terminate(struct tester *p)
{
	if (rng_below(&p->rng, 2) && !disturb_begin_search(p))
		return false;
	connection_terminate(&p->connection);
	return tester_check_end(p, 0);
}

/* The engine must still answer a move after the end of its input. */
static bool disturb_end_input(struct tester *p)
{
	if (!tester_send(p, "genmove %s", tester_colors[p->record.now.side]))
		return false;
	if (rng_below(&p->rng, 2) && !tester_send_bytes(p, "# half a line", 13))
		return false;
	connection_end_input(&p->connection);
	return tester_take_move(p, tester_receive(p, p->id, '=')) && tester_receive_end(p) &&
	       tester_check_end(p, 0);
}

static bool quit(struct tester *p)
{
	return tester_send(p, "quit\nname") && tester_receive_text(p, p->id, "") &&
	       tester_receive_end(p) && tester_check_end(p, 0);
}

static bool hang_up(struct tester *p)
{
	if (rng_below(&p->rng, 2) ? !disturb_begin_search(p) : !tester_send_bytes(p, "undo", 4))
		return false;
	if (p->on_socket && rng_below(&p->rng, 2))
		connection_reset(&p->connection);
	else
		connection_close(&p->connection);
	return tester_check_end(p, 0);
}

/* A second client of another kind connects to the server. */
static bool send_stranger(struct tester *p)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nquit\n";
	struct connection stranger;
	char *text;
	if (!connection_open(&stranger, p->soak->port))
		return tester_fail(p, "a stranger cannot connect: %s", strerror(errno));
	bool good = true;
	switch (rng_below(&p->rng, 3)) {
	case 0:
		good = connection_send(&stranger, request, sizeof request - 1, SOAK_PATIENCE) &&
		       connection_receive(&stranger, SOAK_PATIENCE, &text) == RECEIVED_TEXT &&
		       *text == '?' &&
		       connection_receive(&stranger, SOAK_PATIENCE, &text) == RECEIVED_END;
		break;
	case 1:
		good = connection_send(&stranger, "\0\0\xff genmove", 11, SOAK_PATIENCE);
		connection_reset(&stranger);
		break;
	default:
		break;
	}
	connection_free(&stranger);
	return good || tester_fail(p, "a stranger got a wrong answer");
}

enum { PIPES = 1, SOCKETS = 2, ENDS = 4 };

static const struct disturbance {
	const char *name;
	int where; /* ENDS: not for the process that lasts */
	bool (*run)(struct tester *);
} disturbances[] = {
	{ "garbage", PIPES | SOCKETS, send_garbage },
	{ "nonsense", PIPES | SOCKETS, send_nonsense },
	{ "illegal moves", PIPES | SOCKETS, send_illegal_moves },
	{ "half lines", PIPES | SOCKETS, send_half_lines },
	{ "long lines", PIPES | SOCKETS, send_long_line },
	{ "floods", PIPES | SOCKETS, send_flood },
	{ "undo", PIPES | SOCKETS, disturb_take_back },
	{ "interrupts", PIPES | SOCKETS, disturb_interrupt },
	{ "SIGINT", PIPES, interrupt_by_signal },
	{ "queries behind a search", PIPES | SOCKETS, ask_behind },
	{ "analysis", PIPES | SOCKETS, analyze },
	{ "other searches", PIPES | SOCKETS, change_search },
	{ "SIGKILL", PIPES | ENDS, kill_engine },
	{ "SIGTERM", PIPES | ENDS, terminate },
	{ "end of input", PIPES | SOCKETS | ENDS, disturb_end_input },
	{ "quit", PIPES | SOCKETS | ENDS, quit },
	{ "hang-ups", PIPES | SOCKETS | ENDS, hang_up },
	{ "strangers", SOCKETS, send_stranger },
};
enum { DISTURBANCES = sizeof disturbances / sizeof disturbances[0] };

static atomic_int disturbed[DISTURBANCES];

bool disturb(struct tester *p)
{
	for (;;) {
		uint32_t i = rng_below(&p->rng, DISTURBANCES);
		const struct disturbance *d = &disturbances[i];
		if (!(d->where & (p->on_socket ? SOCKETS : PIPES)) ||
		    (d->where & ENDS && p->number == 0))
			continue;
		atomic_fetch_add(&disturbed[i], 1);
		return d->run(p) && tester_check_board(p);
	}
}

void disturb_print(void)
{
	printf("disturbed");
	for (int i = 0; i < DISTURBANCES; i++)
		printf("%s %s %d", i ? "," : " by", disturbances[i].name,
		       atomic_load(&disturbed[i]));
	printf("\n");
}
