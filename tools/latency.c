/* SPDX-License-Identifier: MIT
 *
 * latency: how late an engine answers genmove when every processor is busy. It plays against itself at
 * a fixed time a move. This program keeps each processor busy meanwhile, and measures how late its own
 * short sleeps end, which is the machine's share of the lateness.
 */
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/control.h"
#include "engine/memory.h"
#include "protocol/gtp.h"
#include "tools/lib/client.h"
#include "tools/lib/series.h"

#define EXIT_USAGE   2
#define PATIENCE     60.0 /* seconds */
#define GAME_MOVES   30 /* then a new game: in the last moves an engine has little to think about */
#define BURNERS_MAX  1024
#define SLEEP_MS     50
#define LATE_MAX_MS  20.0 /* the goal: no move is later, 99 % are not late at all */
#define IN_TIME_PART 0.99

static atomic_bool done;

static void *burn(void *arg)
{
	(void)arg;
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		;
	return NULL;
}

static void *sleep_often(void *arg)
{
	const struct timespec nap = { .tv_nsec = SLEEP_MS * 1000000 };
	while (!atomic_load_explicit(&done, memory_order_relaxed)) {
		int64_t start = clock_now();
		nanosleep(&nap, NULL);
		series_add(arg, (double)(clock_now() - start) / 1e6 - SLEEP_MS);
	}
	return NULL;
}

/* Lets the engine make `count` moves; passes are made but do not count. */
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

static bool measure(struct client *c, int count, double seconds, int burners, struct series *moves,
		    struct series *sleeps)
{
	int started = 0;
	pthread_t *threads = xcalloc((size_t)burners + 1, sizeof *threads);
	char command[64];
	/* The first thread sleeps, the others burn. */
	while (started <= burners &&
	       pthread_create(&threads[started], NULL, started ? burn : sleep_often, sleeps) == 0)
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

static const char help[] = "Usage: latency [--moves=N] [--time=SECONDS] [COMMAND]\n"
			   "Measures how late the engine that COMMAND starts (./yomi) answers N "
			   "(1000) moves at a fixed\n"
			   "time a move (0.05) while all processors are busy. Exit status 1: more "
			   "than 1 % are late, or\n"
			   "one by more than 20 ms.\n";

static const struct option long_options[] = {
	{ "moves", required_argument, NULL, 'm' },
	{ "time", required_argument, NULL, 't' },
	{ "burners", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

int main(int argc, char **argv)
{
	struct client client = { 0 };
	struct series moves = { 0 }, sleeps = { 0 };
	int count = 1000, burners = (int)sysconf(_SC_NPROCESSORS_ONLN), flag;
	double seconds = 0.05;
	bool good = true;
	while ((flag = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (flag == 'h') {
			fputs(help, stdout);
			return 0;
		}
		good = good &&
		       ((flag == 'm' && gtp_int(optarg, &count) && count > 0) ||
			(flag == 'b' && gtp_int(optarg, &burners) && burners <= BURNERS_MAX) ||
			(flag == 't' && gtp_real(optarg, &seconds) && seconds > 0));
	}
	if (!good || argc - optind > 1) {
		fputs(help, stderr);
		return EXIT_USAGE;
	}
	signal(SIGPIPE, SIG_IGN);
	const char *command = optind < argc ? argv[optind] : "./yomi";
	if (!client_start(&client, command, STDERR_FILENO, -1)) {
		fprintf(stderr, "latency: %s\n", client.reason);
		return EXIT_USAGE;
	}
	good = measure(&client, count, seconds, burners, &moves, &sleeps);
	client_quit(&client);
	int status = EXIT_USAGE;
	if (good) {
		printf("%g s a move, milliseconds behind time\n", seconds);
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
