/* SPDX-License-Identifier: MIT */
#include "tools/check/tester.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/rules/drawing.h"
#include "engine/search/common/algorithm.h"
#include "protocol/gtp/gtp.h"
#include "protocol/records/sgf.h"

#define LINE_LENGTH 512

const char *const tester_colors[] = { "black", "white" };

bool tester_fail(struct tester *p, const char *format, ...)
{
	char what[LINE_LENGTH];
	va_list args;
	if (p->failed)
		return false;
	p->failed = true;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	fprintf(stderr,
		"soak: game %d of %s %s, by search %s, move %d: %s (--seed=%d --first=%d "
		"--games=1)\n",
		p->game, p->record.game->name, p->on_socket ? "on a socket" : "over pipes",
		p->search, p->record.count + 1, what, p->soak->seed, p->game);
	return false;
}

bool tester_send_bytes(struct tester *p, const char *bytes, size_t n)
{
	return connection_send(&p->connection, bytes, n, SOAK_PATIENCE) ||
	       tester_fail(p, "it takes no more input: %s", strerror(errno));
}

static bool send_list(struct tester *p, const char *format, va_list args)
{
	char line[LINE_LENGTH];
	int n = snprintf(line, sizeof line, "%d ", ++p->id);
	n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	line[n++] = '\n';
	return tester_send_bytes(p, line, (size_t)n);
}

bool tester_send(struct tester *p, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool good = send_list(p, format, args);
	va_end(args);
	return good;
}

char *tester_receive(struct tester *p, int id, char mark)
{
	char *text, head[16];
	if (p->failed)
		return NULL;
	enum received received = connection_receive(&p->connection, SOAK_PATIENCE, &text);
	if (received == RECEIVED_NOTHING) {
		tester_fail(p, "no answer to command %d", id);
		return NULL;
	}
	if (received == RECEIVED_END) {
		int status = p->connection.pid ? connection_wait(&p->connection, SOAK_PATIENCE) : 0;
		tester_fail(p, "it ended without an answer to command %d, exit status %d", id,
			    status);
		return NULL;
	}
	int n = snprintf(head, sizeof head, "%c%d", mark, id);
	if (strncmp(text, head, (size_t)n) == 0 && (!text[n] || strchr(" \n", text[n])))
		return text[n] ? text + n + 1 : text + n;
	tester_fail(p, "'%.100s' instead of an answer %s", text, head);
	return NULL;
}

bool tester_receive_text(struct tester *p, int id, const char *expected)
{
	const char *text = tester_receive(p, id, '=');
	return text && (strcmp(text, expected) == 0 ||
			tester_fail(p, "'%.200s' instead of '%.200s'", text, expected));
}

bool tester_expect(struct tester *p, const char *answer, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool good = send_list(p, format, args) && tester_receive_text(p, p->id, answer);
	va_end(args);
	return good;
}

static void legal_text(const struct record *r, char text[GAME_MOVES_MAX * MOVE_TEXT_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	char *to = text;
	int n = r->now.over ? 0 : record_moves(r, moves);
	*to = '\0';
	for (int i = 0; i < n; i++) {
		char move[MOVE_TEXT_MAX];
		game_format(r->game, &r->now, moves[i], move);
		to += sprintf(to, i ? " %s" : "%s", move);
	}
}

bool tester_check_board(struct tester *p)
{
	static const char *const queries[] = { "position", "showboard", "all_legal black",
					       "all_legal white" };
	const struct record *r = &p->record;
	char text[1 + BOARD_TEXT_MAX] = "\n", legal[GAME_MOVES_MAX * MOVE_TEXT_MAX];
	char score[SGF_RESULT_MAX];
	int id = p->id;
	bool good = tester_send(p, "%s", queries[0]) && tester_send(p, "%s", queries[1]) &&
		    tester_send(p, "%s", queries[2 + r->now.side]) && tester_send(p, "final_score");
	char position[POSITION_TEXT_MAX];
	game_position(r->game, &r->now, position);
	game_draw(r->game, &r->now, NULL, text + 1);
	legal_text(r, legal);
	good = good && tester_receive_text(p, id + 1, position) &&
	       tester_receive_text(p, id + 2, text) && tester_receive_text(p, id + 3, legal);
	struct state end = r->now;
	if (game_end(r->game, &end)) {
		sgf_result(r->game, &end, score);
		return good && tester_receive_text(p, id + 4, score);
	}
	return good && tester_receive(p, id + 4, '?');
}

bool tester_take_move(struct tester *p, const char *text)
{
	struct record *r = &p->record;
	char spelled[MOVE_TEXT_MAX];
	struct move m;
	if (!text)
		return false;
	if (r->now.over || record_parse(r, text, &m) != MOVE_OK)
		return tester_fail(p, "'%.20s' is not a legal move", text);
	game_format(r->game, &r->now, m, spelled);
	if (strcmp(spelled, text) != 0)
		return tester_fail(p, "'%.20s' is spelled wrong", text);
	record_play(r, m);
	return true;
}

void tester_note_delay(struct tester *p, int64_t due)
{
	double ms = clock_since(due) * 1e3;
	series_add(&p->delays, ms);
	if (ms <= p->soak->late)
		return;
	p->lates = xgrow(p->lates, (size_t)p->late_count, sizeof *p->lates);
	p->lates[p->late_count++] = (struct late) { p->game, (int)clock_since(p->soak->started),
						    ms };
}

bool tester_genmove(struct tester *p)
{
	int64_t due = clock_now() + p->soak->time * INT64_C(1000000);
	bool is_thinking = !game_must_pass(p->record.game, &p->record.now);
	if (!tester_send(p, "genmove %s", tester_colors[p->record.now.side]))
		return false;
	const char *text = tester_receive(p, p->id, '=');
	if (text && is_thinking)
		tester_note_delay(p, due);
	return tester_take_move(p, text);
}

bool tester_make_move(struct tester *p)
{
	struct record *r = &p->record;
	char text[MOVE_TEXT_MAX];
	struct move m = record_draw(r, &p->rng);
	game_format(r->game, &r->now, m, text);
	if (!tester_expect(p, "", "play %s %s", tester_colors[r->now.side], text))
		return false;
	record_play(r, m);
	return true;
}

static bool open_connection(struct tester *p)
{
	const char *const argv[] = { p->soak->engine, "--no-config", "--threads=2", "--memory=8",
				     NULL };
	p->is_open = p->on_socket ? connection_open(&p->connection, p->soak->port)
				  : connection_start(&p->connection, argv, stderr);
	p->id = 0;
	return p->is_open || tester_fail(p, "it cannot be started: %s", strerror(errno));
}

void tester_close(struct tester *p)
{
	if (p->is_open)
		connection_free(&p->connection);
	p->is_open = false;
}

/* Sends all moves of the record in one burst. */
static bool replay_moves(struct tester *p)
{
	const struct record *r = &p->record;
	struct state state = r->start;
	int id = p->id;
	bool good = true;
	for (int i = 0; i < r->count && good; i++) {
		char text[MOVE_TEXT_MAX];
		game_format(r->game, &state, r->moves[i].move, text);
		good = tester_send(p, "play %s %s", tester_colors[state.side], text);
		record_replay(r, i, &state);
	}
	for (int i = 0; i < r->count && good; i++)
		good = tester_receive_text(p, id + 1 + i, "");
	return good;
}

bool tester_set_time(struct tester *p)
{
	return tester_expect(p, "", "set_time %g", p->soak->time / 1e3);
}

bool tester_set_search(struct tester *p)
{
	return tester_expect(p, "", "param search %s", p->search) &&
	       tester_expect(p, "", "param threads %d", p->threads);
}

bool tester_set_up(struct tester *p)
{
	const struct game *g = p->record.game;
	char size[GTP_SIZE_MAX];
	gtp_size(g, size);
	return (p->is_open || open_connection(p)) && tester_expect(p, "", "set_game %s", g->name) &&
	       tester_expect(p, "", "param rules %s", g->rules) &&
	       tester_expect(p, "", "boardsize %s", size) && tester_set_search(p) &&
	       tester_set_time(p) && tester_expect(p, "", "clear_board") && replay_moves(p) &&
	       tester_check_board(p);
}

bool tester_check_end(struct tester *p, int expected)
{
	bool good = true;
	if (p->connection.pid) {
		int status = connection_wait(&p->connection, SOAK_PATIENCE);
		if (status < 0)
			good = tester_fail(p, "it does not end");
		else if (status != expected)
			good = tester_fail(p, "it ended with exit status %d", status);
	}
	tester_close(p);
	return good && tester_set_up(p);
}

bool tester_receive_end(struct tester *p)
{
	char *text;
	enum received received = connection_receive(&p->connection, SOAK_PATIENCE, &text);
	return (received == RECEIVED_END && !*text) ||
	       tester_fail(p, "'%.100s' instead of the end", text);
}

void tester_pause(struct tester *p, uint32_t microseconds)
{
	thread_sleep((int64_t)rng_below(&p->rng, microseconds) * 1000);
}

void tester_choose_search(struct tester *p)
{
	uint32_t count = 0;
	while (algorithms[count])
		count++;
	uint32_t chosen = rng_below(&p->rng, count);
	if (algorithms[chosen])
		p->search = algorithms[chosen]->name;
	p->threads = 1 + (int)rng_below(&p->rng, 2);
}
