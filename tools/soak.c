/* SPDX-License-Identifier: MIT
 *
 * soak: plays thousands of fast games against an engine, over the pipes of processes and the sockets of one
 * server at the same time. The clients misbehave: they send garbage, floods and half lines, interrupt,
 * disconnect, kill.
 *
 * Each player is a thread with its own record from the game library. Every answer must agree with it.
 * Player n mod PLAYERS plays game n. A generator seeded by n makes all decisions of a player, so a game
 * played alone is disturbed in the same way. Only the engine's moves depend on time.
 *
 * An answer may be late if the machine is late. Witnesses, one per processor, compute and sleep briefly all
 * the time; the delays that they measure at that moment are subtracted.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/algorithm.h"
#include "engine/memory.h"
#include "engine/record.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "tools/lib/connection.h"
#include "tools/lib/process.h"
#include "tools/lib/series.h"

#define EXIT_USAGE      2
#define PLAYERS         4    /* even ones use pipes; number 0 keeps its process for the whole run */
#define PATIENCE        60.0 /* time limit in seconds for any answer or for the end of a process */
#define LINE_LENGTH     512
#define LONG_TIME       "1000" /* seconds; only an interruption ends such a search */
#define SERVER_LINE_MAX ((size_t)1 << 20)
#define SAMPLES_MIN     100 /* fewer samples do not show whether memory grows */
#define SECONDS_MAX     100000
#define PROGRESS_GAMES  100
#define WITNESSES_MAX   64
/* How often an answer waits for a processor: the engine's loop, the search, its other thread, the search
 * that joins it, the loop again, the player. */
#define HANDS           6

static const struct option_values {
	int games, first, time, late, growth;
} usual = { .games = 2000, .first = 0, .time = 10, .late = 10, .growth = 2048 };

/* Constant while the players play. */
static struct {
	struct option_values values;
	int seed;
	const char *engine;
	struct connection server;
	int port;
	sem_t slots; /* limits the players that act at the same time to the number of processors */
} soak;

struct late {
	int game, second; /* second since the start */
	double ms;
};

struct player {
	pthread_t thread;
	int number;
	bool on_socket;
	struct connection connection;
	bool is_open;
	int id; /* number of the last command */

	int game; /* number of the current game */
	struct rng rng;
	struct record record;
	bool plays[2];      /* the sides that the engine plays */
	const char *search; /* settings of the engine */
	int threads;
	bool failed;

	struct series delays; /* milliseconds late */
	struct late *lates;   /* delays above the limit */
	int late_count;
	struct series
		memory; /* memory of the engine in KiB after each game; players 0 and 1 only */
};

static int64_t started; /* clock_now() */
static atomic_int games_played, games_failed;
static atomic_bool done;

static double since(int64_t time)
{
	return (double)(clock_now() - time) / 1e9;
}

/* --- the machine's own lateness --- */

static pthread_mutex_t witness_mutex = PTHREAD_MUTEX_INITIALIZER; /* protects the next two */
static float witnessed[SECONDS_MAX]; /* worst delay of each second in milliseconds */
static struct series witness_delays;

static void witness_note(double ms)
{
	int second = (int)since(started);
	pthread_mutex_lock(&witness_mutex);
	series_add(&witness_delays, ms);
	if (second < SECONDS_MAX && ms > (double)witnessed[second])
		witnessed[second] = (float)ms;
	pthread_mutex_unlock(&witness_mutex);
}

/* Does what a search does, computing with a look at the clock, and what a player does, waiting. */
static void *witness(void *arg)
{
	const struct timespec nap = { .tv_nsec = 10000000 };
	(void)arg;
	while (!atomic_load_explicit(&done, memory_order_relaxed)) {
		int64_t start = clock_now();
		nanosleep(&nap, NULL);
		witness_note(since(start) * 1e3 - 10);
		int64_t deadline = clock_now() + 2000000;
		while (clock_now() < deadline)
			;
		witness_note((double)(clock_now() - deadline) / 1e6);
	}
	return NULL;
}

/* --- talking --- */

__attribute__((format(printf, 2, 3))) static bool fail(struct player *p, const char *format, ...)
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
		p->search, p->record.count + 1, what, soak.seed, p->game);
	return false;
}

static bool send_bytes(struct player *p, const char *bytes, size_t n)
{
	return connection_send(&p->connection, bytes, n, PATIENCE) ||
	       fail(p, "it takes no more input: %s", strerror(errno));
}

static bool say_list(struct player *p, const char *format, va_list args)
{
	char line[LINE_LENGTH];
	int n = snprintf(line, sizeof line, "%d ", ++p->id);
	n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	line[n++] = '\n';
	return send_bytes(p, line, (size_t)n);
}

/* Sends a command with the next id. */
__attribute__((format(printf, 2, 3))) static bool say(struct player *p, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool good = say_list(p, format, args);
	va_end(args);
	return good;
}

/* Returns the text of the answer to command `id`, where `mark` is = or ?. Returns NULL and fails the game
 * if it does not come. */
static char *hear(struct player *p, int id, char mark)
{
	char *text, head[16];
	if (p->failed)
		return NULL;
	enum received received = connection_receive(&p->connection, PATIENCE, &text);
	if (received == RECEIVED_NOTHING) {
		fail(p, "no answer to command %d", id);
		return NULL;
	}
	if (received == RECEIVED_END) {
		int status = p->connection.pid ? connection_wait(&p->connection, PATIENCE) : 0;
		fail(p, "it has gone without an answer to command %d, wait status %#x", id,
		     (unsigned)status);
		return NULL;
	}
	int n = snprintf(head, sizeof head, "%c%d", mark, id);
	if (strncmp(text, head, (size_t)n) == 0 && (!text[n] || strchr(" \n", text[n])))
		return text[n] ? text + n + 1 : text + n;
	fail(p, "'%.100s' instead of an answer %s", text, head);
	return NULL;
}

static bool hear_text(struct player *p, int id, const char *expected)
{
	const char *text = hear(p, id, '=');
	return text && (strcmp(text, expected) == 0 ||
			fail(p, "'%.200s' instead of '%.200s'", text, expected));
}

/* Sends a command whose answer must be `answer`. */
__attribute__((format(printf, 3, 4))) static bool expect(struct player *p, const char *answer,
							 const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool good = say_list(p, format, args) && hear_text(p, p->id, answer);
	va_end(args);
	return good;
}

/* --- the tool's own view of the game --- */

static const char *const colors[] = { "black", "white" };

static const char *score_text(const struct state *s, char text[16])
{
	snprintf(text, 16, s->score ? "%c+%d" : "0", s->score > 0 ? 'B' : 'W', abs(s->score));
	return text;
}

static void legal_text(const struct record *r, char text[GAME_MOVES_MAX * MOVE_TEXT_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	char *to = text;
	int n = r->now.over ? 0 : game_moves(r->game, &r->now, moves);
	*to = '\0';
	for (int i = 0; i < n; i++) {
		char move[MOVE_TEXT_MAX];
		game_format(r->game, &r->now, moves[i], move);
		to += sprintf(to, i ? " %s" : "%s", move);
	}
}

/* Checks that the engine has the same position. */
static bool check_board(struct player *p)
{
	static const char *const queries[] = { "position", "showboard", "all_legal black",
					       "all_legal white" };
	const struct record *r = &p->record;
	char text[1 + BOARD_TEXT_MAX] = "\n", legal[GAME_MOVES_MAX * MOVE_TEXT_MAX], score[16];
	int id = p->id;
	bool good = say(p, "%s", queries[0]) && say(p, "%s", queries[1]) &&
		    say(p, "%s", queries[2 + r->now.side]) && say(p, "final_score");
	char position[POSITION_TEXT_MAX];
	game_position(r->game, &r->now, position);
	game_draw(r->game, &r->now, NULL, text + 1);
	legal_text(r, legal);
	good = good && hear_text(p, id + 1, position) && hear_text(p, id + 2, text) &&
	       hear_text(p, id + 3, legal);
	if (r->now.over)
		return good && hear_text(p, id + 4, score_text(&r->now, score));
	return good && hear(p, id + 4, '?');
}

/* Plays the move that the engine reports in the record. */
static bool take_move(struct player *p, const char *text)
{
	struct record *r = &p->record;
	char spelled[MOVE_TEXT_MAX];
	struct move m;
	if (!text)
		return false;
	if (r->now.over || game_parse(r->game, &r->now, text, &m) != MOVE_OK)
		return fail(p, "'%.20s' is no legal move", text);
	game_format(r->game, &r->now, m, spelled);
	if (strcmp(spelled, text) != 0)
		return fail(p, "'%.20s' is spelled wrong", text);
	record_play(r, m);
	return true;
}

/* Records the delay of an answer that was due at `due`. */
static void note_delay(struct player *p, int64_t due)
{
	double ms = since(due) * 1e3;
	series_add(&p->delays, ms);
	if (ms <= soak.values.late)
		return;
	p->lates = xrealloc(p->lates, (size_t)(p->late_count + 1) * sizeof *p->lates);
	p->lates[p->late_count++] = (struct late) { p->game, (int)since(started), ms };
}

static bool genmove(struct player *p)
{
	int64_t due = clock_now() + soak.values.time * INT64_C(1000000);
	bool is_thinking = !game_must_pass(p->record.game, &p->record.now);
	if (!say(p, "genmove %s", colors[p->record.now.side]))
		return false;
	const char *text = hear(p, p->id, '=');
	if (text && is_thinking)
		note_delay(p, due);
	return take_move(p, text);
}

/* Plays a random move and sends it. */
static bool make_move(struct player *p)
{
	struct record *r = &p->record;
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int n = game_moves(r->game, &r->now, moves);
	struct move m = moves[rng_below(&p->rng, (uint32_t)n)];
	game_format(r->game, &r->now, m, text);
	if (!expect(p, "", "play %s %s", colors[r->now.side], text))
		return false;
	record_play(r, m);
	return true;
}

/* --- the engine's connection --- */

static bool open_wire(struct player *p)
{
	const char *const argv[] = { soak.engine, "--no-config", "--threads=2", "--memory=8",
				     NULL };
	p->is_open = p->on_socket ? connection_open(&p->connection, soak.port)
				  : connection_start(&p->connection, argv, STDERR_FILENO);
	p->id = 0;
	return p->is_open || fail(p, "it cannot be started: %s", strerror(errno));
}

static void close_wire(struct player *p)
{
	if (p->is_open)
		connection_free(&p->connection);
	p->is_open = false;
}

/* Sends all moves of the record in one burst. */
static bool replay_moves(struct player *p)
{
	const struct record *r = &p->record;
	struct state state = r->start;
	int id = p->id;
	bool good = true;
	for (int i = 0; i < r->count && good; i++) {
		char text[MOVE_TEXT_MAX];
		game_format(r->game, &state, r->moves[i].move, text);
		good = say(p, "play %s %s", colors[state.side], text);
		game_play(r->game, &state, r->moves[i].move);
	}
	for (int i = 0; i < r->count && good; i++)
		good = hear_text(p, id + 1 + i, "");
	return good;
}

static bool set_time(struct player *p)
{
	return expect(p, "", "set_time %g", soak.values.time / 1e3);
}

static bool set_search(struct player *p)
{
	return expect(p, "", "param search %s", p->search) &&
	       expect(p, "", "param threads %d", p->threads);
}

/* Leads the engine to the current position of the game. */
static bool set_up(struct player *p)
{
	const struct game *g = p->record.game;
	return (p->is_open || open_wire(p)) && expect(p, "", "set_game %s", g->name) &&
	       expect(p, "", "param rules %s", g->rules) && set_search(p) && set_time(p) &&
	       expect(p, "", "clear_board") && replay_moves(p) && check_board(p);
}

/* Waits for the end of the connection, then starts a new one. A process must end with status 0, or by
 * signal `killed` if that is not 0. */
static bool check_end(struct player *p, int killed)
{
	bool good = true;
	if (p->connection.pid) {
		int status = connection_wait(&p->connection, PATIENCE);
		if (status < 0)
			good = fail(p, "it does not end");
		else if (killed ? !WIFSIGNALED(status) || WTERMSIG(status) != killed : status != 0)
			good = fail(p, "it has ended with wait status %#x", (unsigned)status);
	}
	close_wire(p);
	return good && set_up(p);
}

static bool hear_end(struct player *p)
{
	char *text;
	enum received received = connection_receive(&p->connection, PATIENCE, &text);
	return (received == RECEIVED_END && !*text) || fail(p, "'%.100s' instead of the end", text);
}

static void pause_below(struct player *p, uint32_t microseconds)
{
	nanosleep(&(struct timespec) { .tv_nsec = (long)rng_below(&p->rng, microseconds) * 1000 },
		  NULL);
}

/* --- disturbances --- */

/* Sends random bytes. Each command among them must be refused. */
static bool send_garbage(struct player *p)
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
		count += gtp_clean(line, length) == GTP_COMMAND;
		length = 0;
	}
	if (!send_bytes(p, bytes, n))
		return false;
	for (; count; count--) {
		char *text;
		if (connection_receive(&p->connection, PATIENCE, &text) != RECEIVED_TEXT ||
		    *text != '?')
			return fail(p, "'%.100s' in answer to garbage", text);
	}
	return true;
}

static bool send_nonsense(struct player *p)
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
		"gogui-setup b",
		"gogui-play_sequence b",
		"loadsgf /no/such/file",
		"printsgf /no/such/file",
		"known_command",
		"NAME",
		"komi nan",
		"position X X",
		"%s%n",
		"param search none",
		"set_game chess",
		"gogui-play_sequence b z9 w z8",
	};
	const char *line = lines[rng_below(&p->rng, sizeof lines / sizeof lines[0])];
	return say(p, "%s", line) && hear(p, p->id, '?');
}

/* Sends a legal move for the wrong side and a move to an occupied square. */
static bool send_illegal_moves(struct player *p)
{
	const struct record *r = &p->record;
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	game_moves(r->game, &r->now, moves);
	game_format(r->game, &r->now, moves[0], text);
	if (!game_must_pass(r->game, &r->now) &&
	    !(say(p, "play %s %s", colors[!r->now.side], text) && hear(p, p->id, '?')))
		return false;
	for (int row = 0; row < r->game->rows; row++)
		for (int col = 0; col < r->game->cols; col++)
			if (r->game->at(&r->now, row, col) != '.') {
				bool is_long = strcmp(r->game->name, "pentago") == 0;
				return say(p, "play %s %c%d%s", colors[r->now.side], 'a' + col,
					   row + 1, is_long ? "s" : "") &&
				       hear(p, p->id, '?');
			}
	return true;
}

static bool send_half_lines(struct player *p)
{
	char line[64];
	int n = snprintf(line, sizeof line, "# half\r\n\t \n%d na\x01me # half\n", ++p->id);
	for (int at = 0, piece; at < n; at += piece) {
		piece = 1 + (int)rng_below(&p->rng, (uint32_t)(n - at));
		if (!send_bytes(p, line + at, (size_t)piece))
			return false;
		pause_below(p, 2000);
	}
	return hear_text(p, p->id, "yomi");
}

static bool send_long_line(struct player *p)
{
	/* Some are longer than a server accepts. */
	size_t length = 1 + rng_below(&p->rng, SERVER_LINE_MAX * 3 / 2), room = length + 32;
	char *line = xmalloc(room);
	int n = snprintf(line, room, "%d echo ", ++p->id);
	bool cut = p->on_socket && (size_t)n + length > SERVER_LINE_MAX;
	memset(line + n, 'x', length);
	line[(size_t)n + length] = '\n';
	bool good = send_bytes(p, line, (size_t)n + length + 1);
	const char *text = good ? hear(p, p->id, cut ? '?' : '=') : NULL;
	good = text && (cut || (strlen(text) == length && strspn(text, "x") == length) ||
			fail(p, "a long line is not echoed"));
	free(line);
	return good;
}

/* Sends many commands before it reads the first answer. */
static bool send_flood(struct player *p)
{
	static const struct {
		const char *command, *answer;
	} rows[] = { { "protocol_version", "2" },
		     { "name", "yomi" },
		     { "known_command genmove", "true" },
		     { "echo a b", "a b" },
		     { "komi 6.5", "" } };
	enum { ROWS = sizeof rows / sizeof rows[0] };
	int count = 100 + (int)rng_below(&p->rng, 3000), first = p->id;
	char *lines;
	size_t length;
	FILE *f = text_open(&lines, &length);
	for (int i = 0; i < count; i++) {
		++p->id;
		fprintf(f, "%d %s\n", p->id, rows[p->id % ROWS].command);
	}
	fclose(f);
	bool good = send_bytes(p, lines, length);
	if (rng_below(&p->rng, 4) == 0)
		pause_below(p, 30000);
	for (int id = first + 1; id <= p->id && good; id++)
		good = hear_text(p, id, rows[id % ROWS].answer);
	free(lines);
	return good;
}

static bool take_back(struct player *p)
{
	int n = 1 + (int)rng_below(&p->rng, 3);
	for (; n && record_undo(&p->record); n--)
		if (!expect(p, "", "undo"))
			return false;
	return true;
}

/* Starts a search that only an interruption ends. */
static bool begin_search(struct player *p)
{
	bool good = expect(p, "", "set_time " LONG_TIME) &&
		    say(p, "genmove %s", colors[p->record.now.side]);
	pause_below(p, 8000);
	return good;
}

/* Ends such a search with the engine's answer and restores the time limit. */
static bool end_search(struct player *p, const char *text)
{
	return take_move(p, text) && set_time(p);
}

static bool interrupt(struct player *p)
{
	if (!begin_search(p))
		return false;
	int64_t now = clock_now();
	if (!send_bytes(p, "# interrupt\n", 12))
		return false;
	char *text = hear(p, p->id, '=');
	if (text)
		note_delay(p, now);
	return end_search(p, text);
}

/* A signal that arrives before the command is read ends nothing, so it is repeated until the search ends. */
static bool interrupt_by_signal(struct player *p)
{
	char pid[16];
	struct pollfd answer = { p->connection.from, POLLIN, 0 };
	snprintf(pid, sizeof pid, "%ld", (long)p->connection.pid);
	if (!expect(p, pid, "gogui-sigint") || !begin_search(p))
		return false;
	int64_t start = clock_now();
	do
		kill(p->connection.pid, SIGINT);
	while (poll(&answer, 1, 20) == 0 && since(start) < PATIENCE);
	return end_search(p, hear(p, p->id, '='));
}

/* Commands sent during a search must wait, and must see the move played. */
static bool ask_behind(struct player *p)
{
	int id = p->id;
	bool good = say(p, "genmove %s", colors[p->record.now.side]) && say(p, "name") &&
		    say(p, "position");
	char position[POSITION_TEXT_MAX];
	good = good && take_move(p, hear(p, id + 1, '='));
	game_position(p->record.game, &p->record.now, position);
	return good && hear_text(p, id + 2, "yomi") && hear_text(p, id + 3, position);
}

/* Starts an analysis, whose answer grows until the next command. */
static bool analyze(struct player *p)
{
	int id = p->id;
	bool good = say(p, "lz-analyze 1");
	pause_below(p, 40000);
	return good && say(p, "name") && hear(p, id + 1, '=') && hear_text(p, id + 2, "yomi");
}

static void choose_search(struct player *p)
{
	uint32_t count = 0;
	while (algorithms[count])
		count++;
	uint32_t chosen = rng_below(&p->rng, count);
	if (algorithms[chosen])
		p->search = algorithms[chosen]->name;
	p->threads = 1 + (int)rng_below(&p->rng, 2);
}

static bool change_search(struct player *p)
{
	choose_search(p);
	return set_search(p);
}

/* --- disturbances that end the engine, or the connection --- */

static bool kill_engine(struct player *p)
{
	if (rng_below(&p->rng, 2) && !begin_search(p))
		return false;
	kill(p->connection.pid, SIGKILL);
	return check_end(p, SIGKILL);
}

static bool terminate(struct player *p)
{
	if (rng_below(&p->rng, 2) && !begin_search(p))
		return false;
	kill(p->connection.pid, SIGTERM);
	return check_end(p, 0);
}

/* The engine must still answer a move after the end of its input. */
static bool end_input(struct player *p)
{
	if (!say(p, "genmove %s", colors[p->record.now.side]))
		return false;
	if (rng_below(&p->rng, 2) && !send_bytes(p, "# half a line", 13))
		return false;
	connection_end_input(&p->connection);
	return take_move(p, hear(p, p->id, '=')) && hear_end(p) && check_end(p, 0);
}

static bool quit(struct player *p)
{
	return say(p, "quit\nname") && hear_text(p, p->id, "") && hear_end(p) && check_end(p, 0);
}

static bool hang_up(struct player *p)
{
	if (rng_below(&p->rng, 2) ? !begin_search(p) : !send_bytes(p, "undo", 4))
		return false;
	if (p->on_socket && rng_below(&p->rng, 2))
		connection_reset(&p->connection);
	else
		connection_close(&p->connection);
	return check_end(p, 0);
}

/* A second client of another kind connects to the server. */
static bool send_stranger(struct player *p)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nquit\n";
	struct connection stranger;
	char *text;
	if (!connection_open(&stranger, soak.port))
		return fail(p, "a stranger cannot connect: %s", strerror(errno));
	bool good = true;
	switch (rng_below(&p->rng, 3)) {
	case 0:
		good = connection_send(&stranger, request, sizeof request - 1, PATIENCE) &&
		       connection_receive(&stranger, PATIENCE, &text) == RECEIVED_TEXT &&
		       *text == '?' &&
		       connection_receive(&stranger, PATIENCE, &text) == RECEIVED_END;
		break;
	case 1:
		good = connection_send(&stranger, "\0\0\xff genmove", 11, PATIENCE);
		connection_reset(&stranger);
		break;
	default:
		break;
	}
	connection_free(&stranger);
	return good || fail(p, "a stranger is not answered well");
}

enum { PIPES = 1, SOCKETS = 2, ENDS = 4 };

static const struct disturbance {
	const char *name;
	int where; /* ENDS: not for the process that lasts */
	bool (*run)(struct player *);
} disturbances[] = {
	{ "garbage", PIPES | SOCKETS, send_garbage },
	{ "nonsense", PIPES | SOCKETS, send_nonsense },
	{ "illegal moves", PIPES | SOCKETS, send_illegal_moves },
	{ "half lines", PIPES | SOCKETS, send_half_lines },
	{ "long lines", PIPES | SOCKETS, send_long_line },
	{ "floods", PIPES | SOCKETS, send_flood },
	{ "undo", PIPES | SOCKETS, take_back },
	{ "interrupts", PIPES | SOCKETS, interrupt },
	{ "SIGINT", PIPES, interrupt_by_signal },
	{ "queries behind a search", PIPES | SOCKETS, ask_behind },
	{ "analysis", PIPES | SOCKETS, analyze },
	{ "other searches", PIPES | SOCKETS, change_search },
	{ "SIGKILL", PIPES | ENDS, kill_engine },
	{ "SIGTERM", PIPES | ENDS, terminate },
	{ "end of input", PIPES | SOCKETS | ENDS, end_input },
	{ "quit", PIPES | SOCKETS | ENDS, quit },
	{ "hang-ups", PIPES | SOCKETS | ENDS, hang_up },
	{ "strangers", SOCKETS, send_stranger },
};
enum { DISTURBANCES = sizeof disturbances / sizeof disturbances[0] };

static atomic_int disturbed[DISTURBANCES];

static bool disturb(struct player *p)
{
	for (;;) {
		uint32_t i = rng_below(&p->rng, DISTURBANCES);
		const struct disturbance *d = &disturbances[i];
		if (!(d->where & (p->on_socket ? SOCKETS : PIPES)) ||
		    (d->where & ENDS && p->number == 0))
			continue;
		atomic_fetch_add(&disturbed[i], 1);
		return d->run(p) && check_board(p);
	}
}

/* --- games --- */

/* One move or disturbance. The caller holds a thread slot (soak.slots). */
static bool take_step(struct player *p)
{
	if (rng_below(&p->rng, 6) == 0)
		return disturb(p);
	if (!(p->plays[p->record.now.side] ? genmove(p) : make_move(p)))
		return false;
	return rng_below(&p->rng, 4) || check_board(p);
}

/* After the end of the game, the engine passes for both sides. */
static bool check_passes(struct player *p)
{
	return check_board(p) && expect(p, "PASS", "genmove black") &&
	       expect(p, "PASS", "genmove white") && expect(p, "", "undo") &&
	       expect(p, "", "undo") && check_board(p);
}

static void play_game(struct player *p, int number)
{
	int count = 0;
	p->game = number;
	p->failed = false;
	rng_seed(&p->rng, (uint64_t)soak.seed << 32 | (uint64_t)number);
	while (games[count])
		count++;
	record_restart(&p->record, games[rng_below(&p->rng, (uint32_t)count)]);
	/* The engine plays both sides in some games. */
	uint32_t sides = rng_below(&p->rng, 4);
	p->plays[BLACK] = sides != 0;
	p->plays[WHITE] = sides != 1;
	choose_search(p);
	sem_wait(&soak.slots);
	bool good = set_up(p);
	sem_post(&soak.slots);
	while (good && !p->record.now.over) {
		sem_wait(&soak.slots);
		good = take_step(p);
		sem_post(&soak.slots);
	}
	good = good && check_passes(p);
	/* Clear the engine's tables before its memory is measured. */
	if (p->number == 0)
		good = good && expect(p, "", "set_random_seed 1");
	if (!good)
		close_wire(p);
	if (p->number < 2) {
		pid_t pid = p->on_socket ? soak.server.pid : p->connection.pid;
		series_add(&p->memory, good ? process_memory(pid, "VmRSS") : 0);
	}
	atomic_fetch_add(&games_failed, !good);
	int played = 1 + atomic_fetch_add(&games_played, 1);
	if (played % PROGRESS_GAMES == 0)
		fprintf(stderr, "soak: %d of %d games, %d failed, %.0f s\n", played,
			soak.values.games, atomic_load(&games_failed), since(started));
}

static void *play(void *arg)
{
	struct player *p = arg;
	int end = soak.values.first + soak.values.games;
	record_init(&p->record, games[0]);
	for (int n = soak.values.first; n < end; n++)
		if (n % PLAYERS == p->number)
			play_game(p, n);
	return NULL;
}

/* --- the server --- */

/* Starts the server and reads its port from its stderr. */
static bool start_server(void)
{
	const char *const argv[] = { soak.engine,   "--no-config", "--threads=2", "--memory=64",
				     "--clients=8", "--listen",    "0",           NULL };
	char text[1024];
	int err = memfd_create("stderr", MFD_CLOEXEC);
	if (err < 0 || !connection_start(&soak.server, argv, err))
		return false;
	int64_t start = clock_now();
	while (since(start) < PATIENCE && connection_wait(&soak.server, 0) < 0 && soak.server.pid) {
		ssize_t n = pread(err, text, sizeof text - 1, 0);
		text[n > 0 ? n : 0] = '\0';
		const char *line = strstr(text, "listening on "),
			   *colon = line ? strrchr(line, ':') : NULL;
		if (colon && strchr(colon, '\n')) {
			soak.port = atoi(colon + 1);
			break;
		}
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	}
	/* Later messages of the server stay in this file. */
	return soak.port != 0;
}

/* --- the result --- */

static int passed, failed;

static void judge(bool good)
{
	*(good ? &passed : &failed) += 1;
}

static void print_delays(const char *label, struct series *s)
{
	if (s->count == 0)
		return;
	printf("%-9s %7d, milliseconds behind time: median %+.2f, 99 %% %+.2f, worst %+.2f\n",
	       label, s->count, series_quantile(s, 0.5), series_quantile(s, 0.99),
	       series_quantile(s, 1));
}

/* Returns the worst delay of the machine around a second. */
static double excuse(int second)
{
	double worst = 0;
	for (int i = second - 2; i <= second + 1; i++)
		if (i >= 0 && i < SECONDS_MAX)
			worst = fmax(worst, (double)witnessed[i]);
	return worst;
}

static void judge_delays(const struct player *players)
{
	struct series all = { 0 };
	int late = 0, unexplained = 0;
	for (const struct player *p = players; p < players + PLAYERS; p++) {
		for (int i = 0; i < p->delays.count; i++)
			series_add(&all, p->delays.values[i]);
		late += p->late_count;
		for (int i = 0; i < p->late_count; i++) {
			double machine = excuse(p->lates[i].second);
			bool forgiven = p->lates[i].ms <= soak.values.late + HANDS * machine;
			unexplained += !forgiven;
			if (!forgiven)
				printf("late by %.1f ms in game %d at %d s, the machine by %.1f "
				       "ms\n",
				       p->lates[i].ms, p->lates[i].game, p->lates[i].second,
				       machine);
		}
	}
	print_delays("answers", &all);
	print_delays("machine", &witness_delays);
	printf("%-9s %7d by more than %d ms, %d of them more than the machine explains\n", "late",
	       late, soak.values.late, unexplained);
	judge(unexplained == 0);
	series_free(&all);
}

/* Returns the minimum of some samples. It excludes memory that searches hold temporarily. */
static double floor_of(const struct series *s, int from, int to)
{
	double least = INFINITY;
	for (int i = from; i < to; i++)
		if (s->values[i] > 0)
			least = fmin(least, s->values[i]);
	return least;
}

/* Memory settles in the first quarter of the games. The minimum of the last quarter must not exceed that of
 * the second quarter by more than the allowed growth. */
static void judge_memory(const char *label, const struct series *s)
{
	int n = s->count;
	if (n < SAMPLES_MIN)
		return;
	double before = floor_of(s, n / 4, n / 2), after = floor_of(s, n - n / 4, n);
	bool is_judged = soak.values.growth > 0;
	printf("%-9s memory %.0f KiB at least in the second quarter of %d samples, %.0f KiB in the "
	       "last%s\n",
	       label, before, n, after, is_judged ? "" : " (not judged)");
	if (is_judged)
		judge(after - before <= soak.values.growth);
}

static void print_disturbances(void)
{
	printf("disturbed");
	for (int i = 0; i < DISTURBANCES; i++)
		printf("%s %s %d", i ? "," : " by", disturbances[i].name,
		       atomic_load(&disturbed[i]));
	printf("\n");
}

/* Processes and the server must end with status 0. */
static void judge_ends(struct player *players)
{
	bool good = true;
	for (struct player *p = players; p < players + PLAYERS; p++) {
		p->failed = false;
		if (p->is_open && !p->on_socket)
			good &= say(p, "quit") && hear_text(p, p->id, "") && hear_end(p) &&
				connection_wait(&p->connection, PATIENCE) == 0;
		close_wire(p);
	}
	kill(soak.server.pid, SIGTERM);
	int status = connection_wait(&soak.server, PATIENCE);
	if (status != 0)
		fprintf(stderr, "soak: the server has ended with wait status %#x\n",
			(unsigned)status);
	judge(good && status == 0);
}

static const char help[] =
	"Usage: soak [OPTION...] [ENGINE]\n"
	"Plays games against ENGINE (./yomi) over pipes and sockets at once, and disturbs them.\n"
	"  --games=N    games (2000)\n"
	"  --first=N    the number of the first one (0)\n"
	"  --seed=N     of all decisions (from the clock)\n"
	"  --time=MS    a move (10)\n"
	"  --late=MS    that an answer may be late beyond what the machine is (10)\n"
	"  --growth=KIB that a process may grow after the first quarter of the games, 0 any "
	"(2048)\n"
	"Exit status: 0 all is well, 1 something is not, 2 usage.\n";

/* Reads --NAME=N. */
static bool read_option(const char *word)
{
	struct option_values *v = &soak.values;
	const struct {
		const char *name;
		int *value;
	} rows[] = { { "--games=", &v->games }, { "--first=", &v->first },
		     { "--seed=", &soak.seed }, { "--time=", &v->time },
		     { "--late=", &v->late },   { "--growth=", &v->growth } };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n = strlen(rows[i].name);
		if (strncmp(word, rows[i].name, n) == 0)
			return gtp_int(word + n, rows[i].value);
	}
	return false;
}

/* Reads the command line. Returns false if it is wrong. */
static bool read_words(int count, char **words)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(words[i], "--help") == 0) {
			fputs(help, stdout);
			exit(0);
		}
		if (strncmp(words[i], "--", 2) != 0 && !soak.engine)
			soak.engine = words[i];
		else if (!read_option(words[i]))
			return false;
	}
	return soak.values.time > 0;
}

int main(int argc, char **argv)
{
	static struct player players[PLAYERS];
	pthread_t witnesses[WITNESSES_MAX];
	soak.values = usual;
	soak.seed = (int)(time(NULL) & 0xffffff);
	if (!read_words(argc - 1, argv + 1)) {
		fputs(help, stderr);
		return EXIT_USAGE;
	}
	if (!soak.engine)
		soak.engine = "./yomi";
	games_init();
	signal(SIGPIPE, SIG_IGN);
	started = clock_now();
	if (!start_server()) {
		fprintf(stderr, "soak: %s does not serve\n", soak.engine);
		connection_free(&soak.server);
		return EXIT_USAGE;
	}
	fprintf(stderr, "soak: %d games from number %d, --seed=%d\n", soak.values.games,
		soak.values.first, soak.seed);
	int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	int witness_count = processors < WITNESSES_MAX ? processors : WITNESSES_MAX;
	sem_init(&soak.slots, 0, (unsigned)processors);
	for (int i = 0; i < witness_count; i++)
		if (pthread_create(&witnesses[i], NULL, witness, NULL) != 0)
			abort();
	for (int i = 0; i < PLAYERS; i++) {
		players[i].number = i;
		players[i].on_socket = i % 2;
		players[i].search = algorithms[0]->name;
		if (pthread_create(&players[i].thread, NULL, play, &players[i]) != 0)
			abort();
	}
	for (int i = 0; i < PLAYERS; i++)
		pthread_join(players[i].thread, NULL);
	atomic_store(&done, true);
	for (int i = 0; i < witness_count; i++)
		pthread_join(witnesses[i], NULL);
	judge_ends(players);
	printf("%d games in %.0f s, --seed=%d\n", soak.values.games, since(started), soak.seed);
	print_disturbances();
	judge_delays(players);
	judge_memory("process", &players[0].memory);
	judge_memory("server", &players[1].memory);
	for (int i = 0; i < PLAYERS; i++) {
		record_free(&players[i].record);
		series_free(&players[i].delays);
		free(players[i].lates);
		series_free(&players[i].memory);
	}
	series_free(&witness_delays);
	connection_free(&soak.server);
	passed += soak.values.games - atomic_load(&games_failed);
	failed += atomic_load(&games_failed);
	printf("%d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
