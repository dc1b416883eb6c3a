/* SPDX-License-Identifier: MIT
 *
 * deviation: fits the constants of game.deviation, which alphabeta's probcut uses.
 *
 * It searches positions from games that the evaluation plays against itself, at all depths, without
 * probcut. It compares the values of two depths, d about half of D, both even or both odd. The differences
 * are modelled as normal with mean zero and standard deviation
 *
 *     exp(c0 + c1 ln(D - d) + c2 ln(d + 1) + c3 e + c4 e^2)  points,  e: share of empty squares
 *
 * The constants maximise the likelihood. Prints them, and for some depths the measured deviation beside the
 * formula's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/eval.h"
#include "engine/search/engine.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/program/program.h"

#define DEPTH_MIN    5
#define DEPTH_MAX    24
#define SQUARES_MAX  64
#define TERMS        5

#define RANDOM_MOVES 8 /* number at the start of a game */
#define STEP         5 /* moves between two measured positions */
#define PLAY_DEPTH   4

/* The differences in points between two depths at one number of empty squares. */
struct deviation_spread {
	double count, squares;
};

/* The measurements of a game. */
struct study {
	const struct game *game;
	int depth_max;
	struct deviation_spread found[SQUARES_MAX + 1][DEPTH_MAX + 1]
				     [DEPTH_MAX + 1]; /* shallow, deep */
};

static struct engine *deviation_create(void)
{
	struct engine *e = engine_create_fixed("alphabeta", 0);
	struct options *o = engine_options(e);
	o->exact = o->book = false;
	o->probcut = 0;
	return e;
}

static void deviation_search(struct engine *e, const struct record *r, int depth,
			     struct report *report)
{
	char why[REASON_MAX];
	engine_options(e)->depth = depth;
	struct limits limits = engine_limits(e, r->game, TIME_NEVER);
	if (!engine_search(e, r, &limits, report, why)) {
		fprintf(stderr, "deviation: %s\n", why);
		exit(EXIT_FAILURE);
	}
}

/* The first and last shallow depth, in steps of two, that may predict a deep search. */
static int shallow_first(int deep)
{
	int first = deep > 3 ? deep / 2 - 1 : 0;
	return first + (deep - first) % 2;
}

static int shallow_last(int deep)
{
	return deep / 2 + 1 < deep ? deep / 2 + 1 : deep - 2;
}

/* Searches a position at all depths and records the differences. */
static void deviation_measure(struct study *study, struct engine *e, const struct record *r)
{
	struct report report;
	double scores[DEPTH_MAX + 1];
	int empty = game_free(r->game, &r->now);
	scores[0] = r->game->eval->value(r->game, &r->now) / 100.0;
	for (int deep = 1; deep <= study->depth_max; deep++) {
		deviation_search(e, r, deep, &report);
		scores[deep] = report.score;
		for (int shallow = shallow_first(deep); shallow <= shallow_last(deep);
		     shallow += 2) {
			double difference = scores[deep] - scores[shallow];
			struct deviation_spread *found = &study->found[empty][shallow][deep];
			found->count++;
			found->squares += difference * difference;
		}
	}
}

/* Plays a game. Returns the number of measured positions. */
static int deviation_play(struct study *study, struct engine *e, struct rng *rng)
{
	struct record r;
	struct report report;
	struct move moves[GAME_MOVES_MAX];
	int measured = 0;
	record_init(&r, study->game);
	for (int ply = 0, next = (int)rng_below(rng, RANDOM_MOVES + STEP); !r.now.over; ply++) {
		int n = record_moves(&r, moves);
		if (ply == next) {
			deviation_measure(study, e, &r);
			measured++;
			next += STEP;
		}
		if (ply < RANDOM_MOVES) {
			record_play(&r, moves[rng_below(rng, (uint32_t)n)]);
		} else {
			deviation_search(e, &r, PLAY_DEPTH, &report);
			record_play(&r, report.line[0]);
		}
	}
	record_free(&r);
	return measured;
}

static double formula(const double c[TERMS], const double x[TERMS])
{
	double sum = 0;
	for (int i = 0; i < TERMS; i++)
		sum += c[i] * x[i];
	return exp(sum);
}

static void terms(const struct game *g, int empty, int shallow, int deep, double x[TERMS])
{
	double share = (double)empty / (g->board.rows * g->board.cols);
	x[0] = 1;
	x[1] = log(deep - shallow);
	x[2] = log(shallow + 1);
	x[3] = share;
	x[4] = share * share;
}

/* Solves a x = b, for a symmetric and positive definite. b receives x. */
static void deviation_solve(double a[TERMS][TERMS], double b[TERMS])
{
	for (int i = 0; i < TERMS; i++)
		for (int j = i + 1; j < TERMS; j++) {
			double factor = a[j][i] / a[i][i];
			for (int k = i; k < TERMS; k++)
				a[j][k] -= factor * a[i][k];
			b[j] -= factor * b[i];
		}
	for (int i = TERMS - 1; i >= 0; i--) {
		for (int k = i + 1; k < TERMS; k++)
			b[i] -= a[i][k] * b[k];
		b[i] /= a[i][i];
	}
}

/* One step of Newton's method towards the maximum likelihood. */
static void deviation_improve(const struct study *study, double c[TERMS])
{
	double slope[TERMS] = { 0 }, bend[TERMS][TERMS] = { { 0 } };
	for (int empty = 0; empty <= SQUARES_MAX; empty++)
		for (int deep = 2; deep <= study->depth_max; deep++)
			for (int shallow = shallow_first(deep); shallow <= shallow_last(deep);
			     shallow += 2) {
				const struct deviation_spread *found =
					&study->found[empty][shallow][deep];
				double n = found->count, x[TERMS];
				if (n == 0)
					continue;
				terms(study->game, empty, shallow, deep, x);
				double f = formula(c, x), q = found->squares / (f * f);
				for (int i = 0; i < TERMS; i++) {
					slope[i] += (q - n) * x[i];
					for (int j = 0; j < TERMS; j++)
						bend[i][j] += 2 * q * x[i] * x[j];
				}
			}
	deviation_solve(bend, slope);
	for (int i = 0; i < TERMS; i++)
		c[i] += slope[i];
}

static void deviation_print_table(const struct study *study, const double c[TERMS])
{
	const struct game *g = study->game;
	const int squares = g->board.rows * g->board.cols, parts = 6;
	printf("found / formula at about so many empty squares:\n  depths");
	for (int part = 0; part < parts; part++)
		printf("%13d", squares * (2 * part + 1) / (2 * parts));
	for (int deep = 2; deep <= study->depth_max; deep++)
		for (int shallow = shallow_first(deep); shallow <= shallow_last(deep);
		     shallow += 2) {
			printf("\n%3d %3d ", shallow, deep);
			for (int part = 0; part < parts; part++) {
				double n = 0, sum = 0, x[TERMS];
				int from = squares * part / parts,
				    to = squares * (part + 1) / parts;
				for (int i = from; i < to; i++) {
					n += study->found[i][shallow][deep].count;
					sum += study->found[i][shallow][deep].squares;
				}
				terms(g, (from + to) / 2, shallow, deep, x);
				printf(" %5.2f / %4.2f", n > 0 ? sqrt(sum / n) : 0, formula(c, x));
			}
		}
	puts("");
}

static const struct program program;

static int deviation_run(const struct arguments *a)
{
	int positions, depth;
	struct rng rng;
	const struct game *g = program_game(&program, a->words[0], NULL, NULL);
	if (!g)
		return EXIT_USAGE;
	if (!g->eval)
		return program_complain(&program, "%s has no evaluation", g->name);
	if (!gtp_int(a->words[1], &positions))
		return program_complain(&program, "POSITIONS is a whole number");
	if (!gtp_int(a->words[2], &depth) || depth < DEPTH_MIN || depth > DEPTH_MAX)
		return program_complain(&program, "DEPTH is a whole number from %d to %d",
					DEPTH_MIN, DEPTH_MAX);
	struct study *study = xcalloc(1, sizeof *study);
	struct engine *e = deviation_create();
	study->game = g;
	study->depth_max = depth;
	rng_seed(&rng, 1);
	for (int measured = 0; measured < positions;) {
		measured += deviation_play(study, e, &rng);
		fprintf(stderr, "\r%d of %d positions", measured, positions);
	}
	fputs("\n", stderr);
	engine_destroy(e);
	double c[TERMS] = { log(g->score.most / 16.0) };
	for (int i = 0; i < 100; i++)
		deviation_improve(study, c);
	printf("{ %.3f, %.3f, %.3f, %.3f, %.3f }\n", c[0], c[1], c[2], c[3], c[4]);
	deviation_print_table(study, c);
	free(study);
	return 0;
}

static const struct mode modes[] = {
	{ .name = "",
	  .args_min = 3,
	  .args_max = 3,
	  .args = "GAME POSITIONS DEPTH",
	  .run = deviation_run },
	{ 0 },
};

static const struct flag flags[] = { { 0 } };

static const struct program program = {
	.name = "deviation",
	.summary = "fit the deviation between shallow and deep searches",
	.description = "Fits how far shallow and deep searches are apart, from searches of "
		       "POSITIONS positions "
		       "at all depths up to DEPTH (5 to 24). The game must have an evaluation.",
	.modes = modes,
	.flags = flags,
};

int main(int argc, char **argv)
{
	return program_run(&program, NULL, argc, argv);
}
