/* SPDX-License-Identifier: MIT
 *
 * soak: plays thousands of fast games against an engine, over the pipes of processes and the sockets of one
 * server at the same time. The testers (tools/check/tester.h) misbehave: they send garbage, floods and half
 * lines, interrupt, disconnect, kill.
 *
 * Tester n mod TESTERS plays game n. A generator seeded by n makes all decisions of a tester, so a game
 * played alone is disturbed in the same way. Only the engine's moves depend on time.
 *
 * An answer may be late if the machine is late. The delays that witnesses measure at that moment are subtracted.
 */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/disk.h"
#include "engine/base/stream.h"
#include "engine/base/system.h"
#include "engine/base/thread.h"
#include "engine/search/common/algorithm.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "protocol/session/size.h"
#include "tools/check/disturb.h"
#include "tools/check/verdict.h"
#include "tools/check/witness.h"
#include "tools/lib/message.h"
#include "tools/lib/process.h"

#define TESTERS        4 /* even ones use pipes; number 0 keeps its process for the whole run */
#define PROGRESS_GAMES 100
#define COMPUTE_MS     2 /* of a witness, between two sleeps */

static atomic_int games_played, games_failed;

/* --- games --- */

/* One move or disturbance. The caller holds a thread slot. */
static bool soak_take_step(struct tester *p)
{
	if (rng_below(&p->rng, 6) == 0)
		return disturb(p);
	if (!(p->plays[p->record.now.side] ? tester_genmove(p) : tester_make_move(p)))
		return false;
	return rng_below(&p->rng, 4) || tester_check_board(p);
}

/* After the end of the game, the engine passes for both sides. */
static bool check_passes(struct tester *p)
{
	return tester_check_board(p) && tester_expect(p, "PASS", "genmove black") &&
	       tester_expect(p, "PASS", "genmove white") && tester_expect(p, "", "undo") &&
	       tester_expect(p, "", "undo") && tester_check_board(p);
}

/* Returns true for the default size of a game with its rules. */
static bool is_usual(const struct game *g)
{
	return game_find(g->name, g->rules) == g;
}

/* Draws a game with its rules, then its size. */
static const struct game *draw_game(struct rng *rng)
{
	uint32_t count = 0, sizes = 0;
	for (int i = 0; games[i]; i++)
		count += is_usual(games[i]);
	int left = (int)rng_below(rng, count);
	const struct game *drawn = games[0];
	for (int i = 0; games[i]; i++)
		if (is_usual(games[i]) && left-- == 0)
			drawn = games[i];
	while (size_at(drawn, (int)sizes))
		sizes++;
	return sizes > 1 ? size_at(drawn, (int)rng_below(rng, sizes)) : drawn;
}

static void soak_play_game(struct tester *p, int number)
{
	p->game = number;
	p->failed = false;
	rng_seed(&p->rng, (uint64_t)p->soak->seed << 32 | (uint64_t)number);
	record_restart(&p->record, draw_game(&p->rng));
	/* The engine plays both sides in some games. */
	uint32_t sides = rng_below(&p->rng, 4);
	p->plays[BLACK] = sides != 0;
	p->plays[WHITE] = sides != 1;
	tester_choose_search(p);
	sem_wait(&p->soak->slots);
	bool good = tester_set_up(p);
	sem_post(&p->soak->slots);
	while (good && !p->record.now.over) {
		sem_wait(&p->soak->slots);
		good = soak_take_step(p);
		sem_post(&p->soak->slots);
	}
	good = good && check_passes(p);
	/* Clear the engine's tables before its memory is measured. */
	if (p->number == 0)
		good = good && tester_expect(p, "", "set_random_seed 1");
	if (!good)
		tester_close(p);
	if (p->number < 2) {
		long pid = p->on_socket ? p->soak->server.pid : p->connection.pid;
		series_add(&p->memory, good ? process_memory(pid, "VmRSS") : 0);
	}
	atomic_fetch_add(&games_failed, !good);
	int played = 1 + atomic_fetch_add(&games_played, 1);
	if (played % PROGRESS_GAMES == 0)
		message("%d of %d games, %d failed, %.0f s", played, p->soak->games,
			atomic_load(&games_failed), clock_since(p->soak->started));
}

static void *soak_play(void *arg)
{
	struct tester *p = arg;
	int end = p->soak->first + p->soak->games;
	record_init(&p->record, games[0]);
	for (int n = p->soak->first; n < end; n++)
		if (n % TESTERS == p->number)
			soak_play_game(p, n);
	return NULL;
}

/* Lets the testers play all games, with witnesses beside them. */
static void run_testers(struct soak *soak, struct tester testers[TESTERS])
{
	int processors = system_processors();
	sem_init(&soak->slots, 0, (unsigned)processors);
	witness_start(soak->started, processors, COMPUTE_MS);
	for (int i = 0; i < TESTERS; i++) {
		testers[i].soak = soak;
		testers[i].number = i;
		testers[i].on_socket = i % 2;
		testers[i].search = algorithms[0]->name;
		if (thread_start(&testers[i].thread, soak_play, &testers[i]) != 0)
			abort();
	}
	for (int i = 0; i < TESTERS; i++)
		pthread_join(testers[i].thread, NULL);
	witness_stop();
}

/* --- the server --- */

/* Starts the server and reads its port from its stderr. */
static bool start_server(struct soak *soak)
{
	const char *const argv[] = { soak->engine,  "--no-config", "--threads=2", "--memory=64",
				     "--clients=8", "--listen",    "0",           NULL };
	char text[1024];
	char *path = disk_new_file();
	FILE *err = path ? disk_open(path, "a") : NULL;
	bool starts = err && connection_start(&soak->server, argv, err);
	if (err)
		fclose(err);
	int64_t start = clock_now();
	while (starts && clock_since(start) < SOAK_PATIENCE &&
	       connection_wait(&soak->server, 0) < 0 && soak->server.pid) {
		FILE *f = disk_open(path, "r");
		text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
		if (f)
			fclose(f);
		const char *line = strstr(text, "listening on "),
			   *colon = line ? strrchr(line, ':') : NULL;
		if (colon && strchr(colon, '\n')) {
			soak->port = atoi(colon + 1);
			break;
		}
		thread_sleep(1000000);
	}
	/* Later messages of the server go to the file that has no name. */
	if (path)
		remove(path);
	free(path);
	return soak->port != 0;
}

/* --- the command line --- */

static int soak_run(const struct arguments *arguments)
{
	static struct tester testers[TESTERS];
	struct soak *soak = arguments->values;
	struct verdict verdict = { 0 };
	soak->engine = arguments->count ? arguments->words[0] : "./yomi";
	stream_ignore_broken_pipes();
	soak->started = clock_now();
	if (!start_server(soak)) {
		message("%s does not start as a server", soak->engine);
		connection_free(&soak->server);
		return EXIT_USAGE;
	}
	message("%d games from number %d, --seed=%d", soak->games, soak->first, soak->seed);
	run_testers(soak, testers);
	verdict_ends(&verdict, soak, testers, TESTERS);
	printf("%d games in %.0f s, --seed=%d\n", soak->games, clock_since(soak->started),
	       soak->seed);
	disturb_print();
	verdict_delays(&verdict, soak, testers, TESTERS);
	verdict_memory(&verdict, soak, "process", &testers[0].memory);
	verdict_memory(&verdict, soak, "server", &testers[1].memory);
	for (int i = 0; i < TESTERS; i++) {
		record_free(&testers[i].record);
		series_free(&testers[i].delays);
		free(testers[i].lates);
		series_free(&testers[i].memory);
	}
	witness_free();
	connection_free(&soak->server);
	verdict.passed += soak->games - atomic_load(&games_failed);
	verdict.failed += atomic_load(&games_failed);
	printf("%d passed, %d failed\n", verdict.passed, verdict.failed);
	return verdict.failed ? 1 : 0;
}

static const struct mode modes[] = {
	{ .name = "", .args_max = 1, .args = "[ENGINE]", .run = soak_run },
	{ 0 },
};

#define AT(field) offsetof(struct soak, field)

static const struct flag flags[] = {
	{ "games", FLAG_INT, AT(games), "COUNT", "number of games (default 2000)", 0, INT_MAX,
	  .group = "Options" },
	{ "first", FLAG_INT, AT(first), "NUMBER", "number of the first game (default 0)", 0,
	  INT_MAX },
	{ "seed", FLAG_INT, AT(seed), "NUMBER", "seed of all decisions (default: from the clock)",
	  0, INT_MAX },
	{ "time", FLAG_INT, AT(time), "MILLISECONDS", "time for each move (default 10)", 1,
	  1000000 },
	{ "late", FLAG_INT, AT(late), "MILLISECONDS",
	  "how late an answer may be, beyond the delays of the machine (default 10)", 0, 1000000 },
	{ "growth", FLAG_INT, AT(growth), "KIB",
	  "how much a process may grow after the first quarter of the games; 0: any (default 2048)",
	  0, INT_MAX },
	{ 0 },
};

static const struct program program = {
	.name = "soak",
	.summary = "disturb an engine in thousands of games",
	.description = "Plays games against ENGINE (default ./yomi) over pipes and sockets at the "
		       "same time, and disturbs them. Exit status 1: an answer was wrong or late, "
		       "or a process grew.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct soak),
};

int main(int argc, char **argv)
{
	static struct soak soak = { .games = 2000, .time = 10, .late = 10, .growth = 2048 };
	soak.seed = (int)(time(NULL) & 0xffffff);
	return program_run(&program, &soak, argc, argv);
}
