/* SPDX-License-Identifier: MIT
 *
 * accuracy: measures the error of a game's evaluation in games that it plays against itself: against the
 * score of perfect play when few squares are empty, and against the value of a search when many are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/solver.h"
#include "engine/search/engine.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/program/program.h"
#include "tools/lib/exact.h"
#include "tools/lib/openings.h"

#define RANDOM_MOVES 8 /* random moves at the start of a game, without a file of openings */
#define PLAY_DEPTH   6
#define SEARCH_EMPTY 41 /* empty squares at which the evaluation is compared with a search */
#define SEARCH_DEPTH 14 /* depth of that search in moves */
#define EXACT_EMPTY  25 /* empty squares at which it is compared with the score of perfect play */
#define SQUARES_MAX  64

struct errors {
	int count;
	double sum, squares, absolute; /* in points */
};

static void accuracy_note(struct errors *e, double error)
{
	e->count++;
	e->sum += error;
	e->squares += error * error;
	e->absolute += fabs(error);
}

static void accuracy_print(const struct errors *e, const char *what)
{
	if (e->count)
		printf("%s: %d positions, root mean square %.2f, mean of the absolute error %.2f, "
		       "mean %+.2f\n",
		       what, e->count, sqrt(e->squares / e->count), e->absolute / e->count,
		       e->sum / e->count);
}

static void accuracy_search(struct engine *e, const struct record *r, int depth,
			    struct report *report)
{
	char why[REASON_MAX];
	engine_options(e)->depth = depth;
	struct limits limits = engine_limits(e, r->game, TIME_NEVER);
	if (!engine_search(e, r, &limits, report, why)) {
		fprintf(stderr, "accuracy: %s\n", why);
		exit(EXIT_FAILURE);
	}
}

static const struct program program;

static int accuracy_run(const struct arguments *a)
{
	struct report report;
	char why[OPENINGS_REASON_MAX];
	struct openings openings;
	int count;
	const struct game *g = program_game(&program, a->words[0], NULL, NULL);
	if (!g)
		return EXIT_USAGE;
	if (!g->eval || !g->solver)
		return program_complain(&program, "%s has no evaluation or no solver", g->name);
	if (!gtp_int(a->words[1], &count) || count < 1)
		return program_complain(&program, "GAMES is a whole number from 1");
	if (!(a->count == 3 ? openings_read(&openings, g, a->words[2], 0, 0, why)
			    : openings_draw(&openings, g, RANDOM_MOVES, count, 1, why))) {
		fprintf(stderr, "accuracy: %s\n", why);
		return EXIT_USAGE;
	}
	struct engine *e = engine_create_fixed("alphabeta", 0);
	engine_options(e)->exact = engine_options(e)->book = false;
	struct errors by_search = { 0 }, by_score = { 0 };
	struct exact exact = { 0 };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < count; i++) {
		const struct opening *opening =
			&openings.list[rng_below(&rng, (uint32_t)openings.count)];
		struct record r;
		record_init(&r, g);
		for (int j = 0; j < opening->count; j++)
			record_play(&r, opening->moves[j]);
		for (int empty;
		     !r.now.over && (empty = game_free(r.game, &r.now)) >= EXACT_EMPTY;) {
			int sign = side_sign(r.now.side), least, most;
			struct solution found;
			if (empty == SEARCH_EMPTY) {
				accuracy_search(e, &r, SEARCH_DEPTH, &report);
				accuracy_note(
					&by_search,
					sign * (g->eval->value(g, &r.now) / 100.0 - report.score));
			}
			if (empty == EXACT_EMPTY &&
			    exact_solve(&exact, g, &r.now, SOLVE_SCORE, INFINITY, NULL, &found)) {
				solution_bounds(&found, r.now.side, &least, &most);
				accuracy_note(&by_score,
					      sign * (g->eval->value(g, &r.now) / 100.0 - least));
				break;
			}
			accuracy_search(e, &r, PLAY_DEPTH, &report);
			record_play(&r, report.line[0]);
		}
		record_free(&r);
		fprintf(stderr, "\r%d of %d games", i + 1, count);
	}
	fputs("\n", stderr);
	char what[64];
	snprintf(what, sizeof what, "%d empty, a search of %d moves", SEARCH_EMPTY, SEARCH_DEPTH);
	accuracy_print(&by_search, what);
	snprintf(what, sizeof what, "%d empty, exact", EXACT_EMPTY);
	accuracy_print(&by_score, what);
	exact_free(&exact);
	engine_destroy(e);
	openings_free(&openings);
	return 0;
}

static const struct mode modes[] = {
	{ .name = "",
	  .args_min = 2,
	  .args_max = 3,
	  .args = "GAME GAMES [FILE]",
	  .run = accuracy_run },
	{ 0 },
};

static const struct flag flags[] = { { 0 } };

static const struct program program = {
	.name = "accuracy",
	.summary = "measure the error of an evaluation",
	.description = "Measures how far the evaluation of a game is from the score of perfect "
		       "play with few empty squares, and from the value of a search with many, in "
		       "GAMES games that it plays against itself. They begin with openings from "
		       "FILE, one a line, or with random moves.",
	.modes = modes,
	.flags = flags,
};

int main(int argc, char **argv)
{
	return program_run(&program, NULL, argc, argv);
}
