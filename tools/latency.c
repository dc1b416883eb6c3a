/* SPDX-License-Identifier: MIT
 *
 * latency: measures how late an engine answers genmove when every processor is busy. The engine plays
 * against itself with a fixed time per move. This program keeps each processor busy meanwhile. It also
 * measures how late its own short sleeps end: that part of the lateness is the machine's.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/search/common/control.h"
#include "protocol/program/program.h"
#include "tools/lib/client.h"
#include "tools/lib/series.h"

#define PATIENCE     60.0 /* seconds */
#define GAME_MOVES   30   /* per game: the last moves need little thinking */
#define BURNERS_MAX  1024
#define SLEEP_MS     50
#define LATE_MAX_MS  20.0 /* goal: no move is later than this, 99 % are not late at all */
#define IN_TIME_PART 0.99

static atomic_bool done;

static void *burn(void *arg)
{
	(void)arg;
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		;
	return NULL;
}

static void *latency_sleep_often(void *arg)
{
	const struct timespec nap = { .tv_nsec = SLEEP_MS * 1000000 };
	while (!atomic_load_explicit(&done, memory_order_relaxed)) {
		int64_t start = clock_now();
		nanosleep(&nap, NULL);
		series_add(arg, (double)(clock_now() - start) / 1e6 - SLEEP_MS);
	}
	return NULL;
}

/* Lets the engine make `count` moves. Passes are played but not counted. */
static bool play_moves(struct client *c, int count, double seconds, struct series *delays)
{
	for (int side = 0, in_game = 0, passes = 0; delays->count < count; side ^= 1, in_game++) {
		if (passes == 2 || in_game == GAME_MOVES) {
			if (!client_tell(c, PATIENCE, "clear_board"))
				return false;
			side = in_game = passes = 0;
		}
		int64_t start = clock_now();
		if (!client_tell(c, PATIENCE, side ? "genmove white" : "genmove black"))
			return false;
		double used = (double)(clock_now() - start) / 1e9;
		passes = strcasecmp(c->text, "pass") == 0 ? passes + 1 : 0;
		if (passes == 0)
			series_add(delays, (used - seconds) * 1e3);
	}
	return true;
}

static bool latency_measure(struct client *c, int count, double seconds, int burners,
			    struct series *moves, struct series *sleeps)
{
	int started = 0;
	pthread_t *threads = xcalloc((size_t)burners + 1, sizeof *threads);
	char command[64];
	/* The first thread measures sleeps, the others keep processors busy. */
	while (started <= burners &&
	       pthread_create(&threads[started], NULL, started ? burn : latency_sleep_often,
			      sleeps) == 0)
		started++;
	snprintf(command, sizeof command, "set_time %g", seconds);
	bool good = started > burners && client_tell(c, PATIENCE, command) &&
		    client_tell(c, PATIENCE, "clear_board") && play_moves(c, count, seconds, moves);
	atomic_store(&done, true);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return good;
}

/* The command line. */
struct latency_command_line {
	int moves, burners;
	double seconds;
};

static int latency_run(const struct arguments *arguments)
{
	const struct latency_command_line *a = arguments->values;
	const char *command = arguments->count ? arguments->words[0] : "./yomi --book=0";
	struct client client = { 0 };
	struct series moves = { 0 }, sleeps = { 0 };
	signal(SIGPIPE, SIG_IGN);
	if (!client_start(&client, command, STDERR_FILENO, -1)) {
		fprintf(stderr, "latency: %s\n", client.reason);
		return EXIT_USAGE;
	}
	bool good = latency_measure(&client, a->moves, a->seconds, a->burners, &moves, &sleeps);
	client_quit(&client);
	int status = EXIT_USAGE;
	if (good) {
		printf("%g s a move, milliseconds behind time\n", a->seconds);
		series_print_heading();
		series_print(&moves, "moves");
		series_print(&sleeps, "sleeps");
		bool met = series_quantile(&moves, IN_TIME_PART) <= 0 &&
			   series_quantile(&moves, 1) <= LATE_MAX_MS;
		printf("goal (99 %% in time, none later than %.0f ms): %s\n", LATE_MAX_MS,
		       met ? "met" : "missed");
		status = met ? 0 : 1;
	}
	series_free(&moves);
	series_free(&sleeps);
	return status;
}

static const struct mode modes[] = {
	{ .name = "", .args_max = 1, .args = "[COMMAND]", .run = latency_run },
	{ 0 },
};

#define AT(field) offsetof(struct latency_command_line, field)

static const struct flag flags[] = {
	{ "moves", FLAG_INT, AT(moves), "COUNT", "number of moves (default 1000)", 1, 1e9,
	  .group = "Options" },
	{ "time", FLAG_REAL, AT(seconds), "SECONDS", "time for each move (default 0.05)", 0.001,
	  1000 },
	{ "burners", FLAG_INT, AT(burners), "COUNT",
	  "threads that keep processors busy (default: one for each processor)", 0, BURNERS_MAX },
	{ 0 },
};

static const struct program program = {
	.name = "latency",
	.summary = "measure how late moves are",
	.description = "Measures how late the engine that COMMAND starts (default ./yomi --book=0) "
		       "answers at a fixed time for each move while all processors are busy. Exit "
		       "status 1: more than 1 % are late, or one by more than 20 ms.",
	.modes = modes,
	.flags = flags,
	.size = sizeof(struct latency_command_line),
};

int main(int argc, char **argv)
{
	struct latency_command_line a = { .moves = 1000,
					  .burners = (int)sysconf(_SC_NPROCESSORS_ONLN),
					  .seconds = 0.05 };
	a.burners = a.burners > BURNERS_MAX ? BURNERS_MAX : a.burners;
	return program_run(&program, &a, argc, argv);
}
