/* SPDX-License-Identifier: MIT */
#include "protocol/program/bench.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/solver.h"
#include "engine/rules/tuning.h"
#include "engine/search/engine.h"
#include "engine/search/signature.h"
#include "games/games.h"
#include "protocol/carriers/loop.h"

#define RUNS         5
#define CLOCK_PERIOD 16 /* evaluations */

/* Searches to measure: work of `units`, settings that the measurement needs. Tic-tac-toe is too small
 * for some. */
static const struct {
	const char *search, *label, *units;
	const char *settings[7][2];
	int64_t work;
	int rows_min;
	bool evaluated;
} searches[] = {
	{ "mcts",
	  "mcts",
	  "playouts",
	  { { "solver", "0" },
	    { "reuse", "0" },
	    { "early_stop", "0" },
	    { "evaluator", "0" },
	    { "decisive", "0" },
	    { "heavy", "0" } },
	  200000,
	  0,
	  false },
	{ "mcts",
	  "mcts, evaluator",
	  "simulations",
	  { { "reuse", "0" }, { "early_stop", "0" } },
	  200000,
	  0,
	  true },
	{ "alphabeta", "alphabeta", "nodes", { { 0 } }, 1000000, 6, false },
	{ "dfpn", "dfpn", "nodes", { { 0 } }, 1000000, 6, false },
};

/* Number of stones of the positions to solve, and of threads. */
static const struct {
	const char *game;
	int stones;
	enum solve_aim aim;
} solves[] = { { "othello", 46, SOLVE_SCORE }, { "othello", 44, SOLVE_SCORE },
	       { "pentago", 22, SOLVE_ALL },   { "pentago", 20, SOLVE_ALL },
	       { "pentago", 19, SOLVE_ALL },   { "pentago", 18, SOLVE_ALL } };
#define SOLVE_THREADS 2

/* The right counts of leaves. Othello's is the 212,258,800 of the literature without the 584 games that end
 * sooner. */
static const struct {
	const char *game;
	int depth;
	uint64_t leaves;
} perfts[] = { { "othello", 11, 212258216 },
	       { "tictactoe", 9, 127872 },
	       { "pentago", 3, 21934080 } };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Prints the median of the rates. */
static void print_rate(const char *what, const char *units, const struct game *g,
		       double rates[RUNS])
{
	qsort(rates, RUNS, sizeof *rates, bench_compare);
	double rate = rates[RUNS / 2];
	bool millions = rate >= 1e5;
	printf("%-15s %-13s %-9s %8.3f %c %s/s\n", what, g->name, g->rules,
	       rate / (millions ? 1e6 : 1e3), millions ? 'M' : 'k', units);
	fflush(stdout);
}

/* Processor time of this thread: what other programs take does not count. */
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One by one, or several at once. */
static void measure_playouts(const struct game *g, bool at_once)
{
	int8_t scores[PLAYOUTS_BATCH];
	struct rng rng;
	struct state start;
	double rates[RUNS];
	g->start(g, &start);
	rng_seed(&rng, 1);
	for (int run = 0; run < RUNS; run++) {
		int64_t playouts = 0;
		double begin = now();
		while (now() - begin < 0.2) {
			for (int i = 0; i < 1000; i++)
				if (at_once)
					g->playouts->batch(g, &start, &rng, scores);
				else
					playout_uniform(g, &start, &rng);
			playouts += at_once ? 1000 * PLAYOUTS_BATCH : 1000;
		}
		rates[run] = (double)playouts / (now() - begin);
	}
	print_rate(at_once ? "playouts" : "playout", "playouts", g, rates);
}

/* Evaluates the states of random games, value and priors, as a search evaluates its leaves. */
static void measure_evaluations(const struct game *g)
{
	struct evaluator evaluator;
	struct evaluation found;
	struct state s;
	struct rng rng;
	double rates[RUNS];
	evaluator_get_ready(g);
	evaluator_open(&evaluator, g);
	rng_seed(&rng, 1);
	g->start(g, &s);
	for (int run = 0; run < RUNS; run++) {
		int64_t evaluations = 0;
		double begin = now();
		/* Some systems take longer to tell the time than a small evaluation does. */
		for (; evaluations % CLOCK_PERIOD || now() - begin < 0.2; evaluations++) {
			move_t steps[GAME_STEPS_MAX];
			int count = g->moves(g, &s, steps);
			evaluator_steps(&evaluator, &s, steps, count, &found);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)count)]);
			if (s.over)
				g->start(g, &s);
		}
		rates[run] = (double)evaluations / (now() - begin);
	}
	print_rate("evaluation", "evaluations", g, rates);
}

static void bench_search(struct engine *e, const struct record *r, struct report *report)
{
	char why[REASON_MAX];
	struct limits limits = engine_limits(e, r->game, TIME_NEVER);
	if (engine_search(e, r, &limits, report, why))
		return;
	fprintf(stderr, "yomi: %s\n", why);
	exit(EXIT_FAILURE);
}

static void measure_search(size_t row, const struct game *g)
{
	double rates[RUNS];
	struct report report = { 0 };
	struct record record;
	int64_t work = searches[row].evaluated ? tuning_evaluator_work(g, searches[row].work)
					       : searches[row].work;
	struct engine *e = engine_create_fixed(searches[row].search, work);
	record_init(&record, g);
	for (int i = 0; searches[row].settings[i][0]; i++)
		options_set(engine_options(e), searches[row].settings[i][0],
			    searches[row].settings[i][1]);
	for (int run = 0; run < RUNS; run++) {
		double begin = now();
		bench_search(e, &record, &report);
		rates[run] = (double)(report.playouts + report.nodes) / (now() - begin);
	}
	print_rate(searches[row].label, searches[row].units, g, rates);
	record_free(&record);
	report_free(&report);
	engine_destroy(e);
}

/* Returns false if the count is wrong. */
static bool measure_perft(size_t row)
{
	const struct game *g = game_find(perfts[row].game, NULL);
	double rates[RUNS];
	struct state start;
	g->start(g, &start);
	for (int run = 0; run < RUNS; run++) {
		double begin = now();
		uint64_t leaves = perft_leaves(g, &start, perfts[row].depth);
		rates[run] = (double)leaves / (now() - begin);
		if (leaves == perfts[row].leaves)
			continue;
		fprintf(stderr, "yomi: perft of %s counts %llu, not %llu\n", g->name,
			(unsigned long long)leaves, (unsigned long long)perfts[row].leaves);
		return false;
	}
	print_rate("perft", "leaves", g, rates);
	return true;
}

/* Sets a random position with this many stones in which nobody has won. */
static void random_position(const struct game *g, int stones, struct state *s)
{
	struct rng rng;
	rng_seed(&rng, 1);
	do {
		struct move moves[GAME_MOVES_MAX];
		g->start(g, s);
		while (game_free(g, s) > g->board.rows * g->board.cols - stones && !s->over) {
			int n = game_moves(g, s, moves);
			game_play(g, s, moves[rng_below(&rng, (uint32_t)n)]);
		}
	} while (s->over);
}

struct bench_solving {
	const struct game *game; /* has a solver */
	const struct state *state;
	enum solve_aim aim;
	void *block;
	size_t bytes;
	int threads;
	struct control *control;
};

static void bench_solve(void *arg, int worker)
{
	struct bench_solving *v = arg;
	v->game->solver->work(v->game, v->state, v->aim, v->block, v->bytes, worker, v->threads,
			      v->control);
}

/* Seconds of a clock: with its own fresh memory, as a first move would take it. */
static double time_solve(const struct game *g, const struct state *s, enum solve_aim aim,
			 int threads, size_t bytes)
{
	struct control control;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	int64_t begin = clock_now();
	void *block = block_create(bytes);
	if (!block)
		return NAN;
	threads_run(threads, bench_solve,
		    &(struct bench_solving) { g, s, aim, block, bytes, threads, &control });
	double seconds = clock_since(begin);
	block_destroy(block, bytes);
	return seconds;
}

static void measure_solver(size_t row)
{
	const struct game *g = game_find(solves[row].game, NULL);
	int stones = solves[row].stones;
	struct state s;
	random_position(g, stones, &s);
	for (int threads = 1; threads <= SOLVE_THREADS; threads++) {
		double seconds, runs[3];
		size_t bytes;
		if (!g->solver->estimate(g, &s, solves[row].aim, threads, &seconds, &bytes))
			return;
		for (int i = 0; i < 3; i++)
			runs[i] = time_solve(g, &s, solves[row].aim, threads, bytes);
		qsort(runs, 3, sizeof *runs, bench_compare);
		printf("%-15s %-13s %-9s %d stones, %d threads: %.4f s, %.1f MB\n", "solve",
		       g->name, g->rules, stones, threads, runs[1], (double)bytes / 1e6);
		fflush(stdout);
	}
}

int bench_signatures(void)
{
	char line[SIGNATURE_MAX], why[REASON_MAX];
	for (int i = 0; games[i]; i++) {
		if (!signature_find(games[i], line, why)) {
			fprintf(stderr, "yomi: %s\n", why);
			return EXIT_FAILURE;
		}
		puts(line);
	}
	return 0;
}

int bench_run(void)
{
	for (int i = 0; games[i]; i++)
		measure_playouts(games[i], false);
	for (int i = 0; games[i]; i++)
		if (games[i]->playouts && games[i]->playouts->batch)
			measure_playouts(games[i], true);
	for (int i = 0; games[i]; i++)
		if (games[i]->evaluator)
			measure_evaluations(games[i]);
	for (size_t row = 0; row < COUNT(searches); row++)
		for (int i = 0; games[i]; i++)
			if (game_find(games[i]->name, NULL) == games[i] &&
			    games[i]->board.rows >= searches[row].rows_min &&
			    (games[i]->evaluator || !searches[row].evaluated))
				measure_search(row, games[i]);
	for (size_t row = 0; row < COUNT(perfts); row++)
		if (!measure_perft(row))
			return EXIT_FAILURE;
	for (size_t row = 0; row < COUNT(solves); row++)
		measure_solver(row);
	return bench_signatures();
}
