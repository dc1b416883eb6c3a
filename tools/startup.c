/* SPDX-License-Identifier: MIT
 *
 * startup: measures the cost of an engine for a client that starts it often and sends many commands. GoGui
 * starts four processes. One of them serves only as the referee and receives the whole game again for each
 * question.
 *
 * Measured are: the first answer of a new process; the referee's first position, and its peak memory by
 * then; a move that is sent and answered; commands that are sent without waiting.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/rules/record.h"
#include "engine/search/common/control.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/program/program.h"
#include "tools/lib/client.h"
#include "tools/lib/message.h"
#include "tools/lib/process.h"
#include "tools/lib/series.h"

#define PATIENCE   60.0 /* seconds */
#define PROCESSES  50
#define PLAYS      20000
#define COMMANDS   200000

/* The goals. */
#define FIRST_MS   30.0
#define RULER_MS   50.0
#define RULER_MIB  48.0 /* with the weights of the game, which are loaded when it is chosen */
#define PLAY_US    50.0
#define COMMANDS_S 10000.0

struct costs {
	double first_ms, ruler_ms; /* medians */
	double ruler_mib;
	double play_us, alone_us; /* per move in a stream; per move with waiting for each answer */
	double commands;          /* per second */
};

static double startup_seconds_since(int64_t start)
{
	return (double)(clock_now() - start) / 1e9;
}

static bool startup_start(struct client *c, const char *command)
{
	return client_start(c, command, STDERR_FILENO, -1) || message("%s", c->reason);
}

/* Starts processes one after the other and asks each what GoGui asks its referee. */
static bool measure_starts(const char *command, const char *size, struct costs *costs)
{
	const char *const questions[] = { "version",
					  "list_commands",
					  "gogui-rules_game_id",
					  "gogui-rules_board_size",
					  size,
					  "clear_board",
					  "gogui-rules_board",
					  "gogui-rules_side_to_move",
					  "gogui-rules_legal_moves" };
	struct series first = { 0 }, ruler = { 0 };
	bool good = true;
	for (int i = 0; good && i < PROCESSES; i++) {
		struct client c = { 0 };
		int64_t before = clock_now();
		good = startup_start(&c, command) && client_tell(&c, PATIENCE, "name");
		series_add(&first, startup_seconds_since(before) * 1e3);
		for (size_t q = 0; good && q < sizeof questions / sizeof questions[0]; q++)
			good = client_tell(&c, PATIENCE, questions[q]);
		series_add(&ruler, startup_seconds_since(before) * 1e3);
		if (good)
			costs->ruler_mib = fmax(costs->ruler_mib,
						process_memory(c.connection.pid, "VmHWM") / 1024);
		client_quit(&c);
	}
	costs->first_ms = series_quantile(&first, 0.5);
	costs->ruler_ms = series_quantile(&ruler, 0.5);
	series_free(&first);
	series_free(&ruler);
	return good;
}

/* Sends a whole text without waiting and receives its `count` answers. Returns false on a failure answer, a
 * timeout or the end of output. */
static bool stream(struct client *c, const char *text, size_t length, int count)
{
	char *answer;
	bool good = connection_send(&c->connection, text, length, PATIENCE);
	for (int i = 0; good && i < count; i++)
		good = connection_receive(&c->connection, PATIENCE, &answer) == RECEIVED_TEXT &&
		       *answer == '=';
	return good;
}

/* Writes random games as commands: `plays` moves, and clear_board before each game. Returns the number of
 * lines. The caller frees the text. */
static int startup_write_games(const struct game *g, int plays, char **text, size_t *length)
{
	struct record r;
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	char move[MOVE_TEXT_MAX];
	int lines = 1;
	FILE *f = text_open(text, length);
	rng_seed(&rng, 1);
	record_init(&r, g);
	fputs("clear_board\n", f);
	for (int i = 0; i < plays; i++, lines++) {
		if (r.now.over) {
			fputs("clear_board\n", f);
			lines++;
			record_restart(&r, g);
		}
		int n = record_moves(&r, moves);
		struct move m = moves[rng_below(&rng, (uint32_t)n)];
		game_format(g, &r.now, m, move);
		fprintf(f, "play %c %s\n", "bw"[r.now.side], move);
		record_play(&r, m);
	}
	fclose(f);
	record_free(&r);
	return lines;
}

static bool measure_plays(struct client *c, const struct game *g, struct costs *costs)
{
	char *text, *save;
	size_t length;
	int lines = startup_write_games(g, PLAYS, &text, &length);
	int64_t before = clock_now();
	bool good = stream(c, text, length, lines);
	costs->play_us = startup_seconds_since(before) / PLAYS * 1e6;
	before = clock_now();
	for (char *line = strtok_r(text, "\n", &save); good && line;
	     line = strtok_r(NULL, "\n", &save))
		good = client_tell(c, PATIENCE, line);
	costs->alone_us = startup_seconds_since(before) / PLAYS * 1e6;
	free(text);
	return good;
}

static bool measure_stream(struct client *c, struct costs *costs)
{
	static const char line[] = "7 protocol_version\n";
	size_t length = COMMANDS * (sizeof line - 1);
	char *text = xmalloc(length + 1), *end = text;
	for (int i = 0; i < COMMANDS; i++)
		end = stpcpy(end, line);
	int64_t before = clock_now();
	bool good = stream(c, text, length, COMMANDS);
	costs->commands = COMMANDS / startup_seconds_since(before);
	free(text);
	return good;
}

static bool startup_measure(const char *engine, const struct game *g, struct costs *costs)
{
	char command[4096], sides[GTP_SIZE_MAX], size[GTP_SIZE_MAX + 16];
	struct client c = { 0 };
	*costs = (struct costs) { 0 };
	snprintf(command, sizeof command, "exec %s --game %s", engine, g->name);
	gtp_size(g, sides);
	snprintf(size, sizeof size, "boardsize %s", sides);
	if (!measure_starts(command, size, costs) || !startup_start(&c, command))
		return false;
	bool good = client_tell(&c, PATIENCE, "name") && measure_plays(&c, g, costs) &&
		    measure_stream(&c, costs);
	client_quit(&c);
	return good;
}

static bool meets_goals(const struct costs *c)
{
	return c->first_ms <= FIRST_MS && c->ruler_ms <= RULER_MS && c->ruler_mib <= RULER_MIB &&
	       c->play_us <= PLAY_US && c->commands >= COMMANDS_S;
}

static int startup_run(const struct arguments *a)
{
	const char *engine = a->count ? a->words[0] : "./yomi";
	bool met = true;
	signal(SIGPIPE, SIG_IGN);
	printf("%-10s %12s %9s %10s %9s %13s %12s\n", "", "first answer", "ruler", "its memory",
	       "play", "play, waiting", "commands");
	for (int i = 0; games[i]; i++) {
		struct costs c;
		if (game_find(games[i]->name, NULL) != games[i])
			continue;
		if (!startup_measure(engine, games[i], &c))
			return EXIT_USAGE;
		printf("%-10s %9.1f ms %6.1f ms %6.1f MiB %6.1f us %10.1f us %10.0f/s\n",
		       games[i]->name, c.first_ms, c.ruler_ms, c.ruler_mib, c.play_us, c.alone_us,
		       c.commands);
		met = met && meets_goals(&c);
	}
	printf("goals     %10.0f ms %6.0f ms %6.0f MiB %6.0f us %24.0f/s: %s\n", FIRST_MS, RULER_MS,
	       RULER_MIB, PLAY_US, COMMANDS_S, met ? "met" : "missed");
	return met ? 0 : 1;
}

static const struct mode modes[] = {
	{ .name = "", .args_max = 1, .args = "[COMMAND]", .run = startup_run },
	{ 0 },
};

static const struct flag flags[] = { { 0 } };

static const struct program program = {
	.name = "startup",
	.summary = "measure the cost of starting an engine",
	.description = "Measures what the engine that COMMAND starts (default ./yomi) costs a "
		       "client that starts "
		       "it often and sends many commands. Exit status 1: a goal is missed.",
	.modes = modes,
	.flags = flags,
};

int main(int argc, char **argv)
{
	return program_run(&program, NULL, argc, argv);
}
