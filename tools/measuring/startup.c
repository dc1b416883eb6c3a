/* SPDX-License-Identifier: MIT
 *
 * startup: the cost of an engine for a client that starts it often and sends many commands. GoGui starts four processes. One of
 * them serves only as the referee ("ruler") and receives the whole game again for each question.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/text.h"
#include "engine/rules/record.h"
#include "engine/search/common/control.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "tools/lib/client.h"
#include "tools/lib/process.h"
#include "tools/lib/series.h"
#include "tools/measuring/measuring.h"

#define PATIENCE  60.0 /* seconds */
#define PROCESSES 50
#define PLAYS     20000
#define COMMANDS  200000

struct startup_costs {
	double first_ms, ruler_ms; /* medians */
	double ruler_mib; /* with the weights of the game, which are loaded when it is chosen */
	double play_us, alone_us; /* per move in a stream; per move with waiting for each answer */
	double commands;          /* per second */
};

static const struct startup_costs goals = {
	.first_ms = 30, .ruler_ms = 50, .ruler_mib = 48, .play_us = 50, .commands = 10000
};

/* Starts processes one after the other and asks each what GoGui asks its referee. */
static bool startup_measure_starts(const char *command, const char *size,
				   struct startup_costs *costs)
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
		client_start(&c, command, stderr, -1);
		good = client_tell(&c, PATIENCE, "name");
		series_add(&first, clock_since(before) * 1e3);
		for (size_t q = 0; good && q < sizeof questions / sizeof questions[0]; q++)
			good = client_tell(&c, PATIENCE, questions[q]);
		series_add(&ruler, clock_since(before) * 1e3);
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

/* Sends a text without waiting and receives the answers of its lines. Returns the seconds; NAN on a failure answer, a timeout or
 * the end of output. */
static double startup_stream(struct client *c, const char *text)
{
	int64_t before = clock_now();
	char *answer;
	bool good = connection_send(&c->connection, text, strlen(text), PATIENCE);
	while (good && (text = strchr(text, '\n')) && text++)
		good = connection_receive(&c->connection, PATIENCE, &answer) == RECEIVED_TEXT &&
		       *answer == '=';
	return good ? clock_since(before) : NAN;
}

/* Returns PLAYS moves of random games as commands. The caller frees them. */
static char *startup_write_games(const struct game *g)
{
	struct record r;
	struct rng rng;
	char move[MOVE_TEXT_MAX];
	struct text text = { 0 };
	rng_seed(&rng, 1);
	record_init(&r, g);
	for (int i = 0; i < PLAYS; i++) {
		if (r.now.over)
			record_restart(&r, g);
		if (r.count == 0)
			text_puts(&text, "clear_board\n");
		struct move m = record_draw(&r, &rng);
		game_format(g, &r.now, m, move);
		text_printf(&text, "play %c %s\n", "bw"[r.now.side], move);
		record_play(&r, m);
	}
	record_free(&r);
	return text_take(&text);
}

static bool startup_measure_plays(struct client *c, const struct game *g,
				  struct startup_costs *costs)
{
	char *text = startup_write_games(g), *save;
	costs->play_us = startup_stream(c, text) / PLAYS * 1e6;
	int64_t before = clock_now();
	bool good = !isnan(costs->play_us);
	for (char *line = strtok_r(text, "\n", &save); good && line;
	     line = strtok_r(NULL, "\n", &save))
		good = client_tell(c, PATIENCE, line);
	costs->alone_us = clock_since(before) / PLAYS * 1e6;
	free(text);
	return good;
}

static bool startup_measure_commands(struct client *c, struct startup_costs *costs)
{
	static const char line[] = "7 protocol_version\n";
	struct text text = { 0 };
	for (int i = 0; i < COMMANDS; i++)
		text_puts(&text, line);
	costs->commands = COMMANDS / startup_stream(c, text.bytes);
	text_free(&text);
	return !isnan(costs->commands);
}

static bool startup_measure(const char *engine, const struct game *g, struct startup_costs *costs)
{
	char sides[GTP_SIZE_MAX], size[GTP_SIZE_MAX + 16],
		*command = xasprintf("exec %s --game %s", engine, g->name);
	struct client c = { 0 };
	gtp_size(g, sides);
	snprintf(size, sizeof size, "boardsize %s", sides);
	bool good = startup_measure_starts(command, size, costs);
	if (good)
		client_start(&c, command, stderr, -1);
	good = good && client_tell(&c, PATIENCE, "name") && startup_measure_plays(&c, g, costs) &&
	       startup_measure_commands(&c, costs);
	client_quit(&c);
	free(command);
	return good;
}

int startup_run(const struct arguments *a)
{
	bool met = true;
	stream_ignore_broken_pipes();
	printf("%-13s %12s %9s %10s %9s %13s %12s\n", "", "first answer", "ruler", "its memory",
	       "play", "play, waiting", "commands");
	for (int i = 0; games[i]; i++) {
		struct startup_costs c = { 0 };
		if (game_find(games[i]->name, NULL) != games[i])
			continue;
		if (!startup_measure(a->count ? a->words[0] : "./yomi", games[i], &c))
			return EXIT_USAGE;
		printf("%-13s %9.1f ms %6.1f ms %6.1f MiB %6.1f us %10.1f us %10.0f/s\n",
		       games[i]->name, c.first_ms, c.ruler_ms, c.ruler_mib, c.play_us, c.alone_us,
		       c.commands);
		fflush(stdout);
		met = met && c.first_ms <= goals.first_ms && c.ruler_ms <= goals.ruler_ms &&
		      c.ruler_mib <= goals.ruler_mib && c.play_us <= goals.play_us &&
		      c.commands >= goals.commands;
	}
	printf("goals         %9.0f ms %6.0f ms %6.0f MiB %6.0f us %24.0f/s: %s\n", goals.first_ms,
	       goals.ruler_ms, goals.ruler_mib, goals.play_us, goals.commands,
	       met ? "met" : "missed");
	return met ? 0 : 1;
}
