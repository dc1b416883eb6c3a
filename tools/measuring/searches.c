/* SPDX-License-Identifier: MIT
 *
 * accuracy, deviation and equality: what searches and evaluations find.
 *
 * deviation fits the constants of eval->deviation, which alphabeta's probcut uses. It compares the values of two depths, d about
 * half of D, both even or both odd. The differences are modelled as normal with mean zero and standard deviation
 *
 *     exp(c0 + c1 ln(D - d) + c2 ln(d + 1) + c3 e + c4 e^2)  points,  e: share of empty squares
 *
 * The constants maximise the likelihood.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/search/engine.h"
#include "games/games.h"
#include "protocol/session/line.h"
#include "tools/lib/exact.h"
#include "tools/lib/message.h"
#include "tools/lib/openings.h"
#include "tools/lib/series.h"
#include "tools/measuring/measuring.h"

#define RANDOM_MOVES  8 /* at the start of a game, without a file of openings */
#define SQUARES_MAX   64
#define SEARCHES      3

/* accuracy */
#define PLAY_DEPTH    6
#define SEARCH_EMPTY  41 /* empty squares at which the evaluation is compared with a search */
#define SEARCH_DEPTH  14 /* depth of that search in moves */
#define EXACT_EMPTY   25 /* empty squares at which it is compared with the score of perfect play */

/* deviation */
#define DEPTH_MIN     5
#define DEPTH_MAX     24
#define TERMS         5
#define STEP          5 /* moves between two measured positions */
#define FAST_DEPTH    4 /* of the games */
#define TABLE_COLUMNS 6

/* Reads a whole number from the command line. Returns false after a message. */
static bool searches_number(const struct arguments *a, int word, const char *name, int least,
			    int most, int *n)
{
	if (line_int(a->words[word], n) && *n >= least && *n <= most)
		return true;
	program_complain(a->program, "%s is a whole number from %d to %d", name, least, most);
	return false;
}

/* Creates an engine that searches to a depth, without solver or book. */
static struct engine *searches_engine(void)
{
	struct engine *e = engine_create_fixed("alphabeta", 0);
	engine_options(e)->exact = engine_options(e)->book = false;
	return e;
}

static void searches_run(struct engine *e, const struct record *r, int depth, struct report *report)
{
	char why[REASON_MAX];
	engine_options(e)->depth = depth;
	struct limits limits = engine_limits(e, r->game, TIME_NEVER);
	if (!engine_search(e, r, &limits, report, why))
		message_exit("%s", why);
}

/* The evaluation of the record's position in points. */
static double searches_value(const struct record *r)
{
	return r->game->eval->value(r->game, &r->now) / 100.0;
}

static void searches_progress(int done, int all, const char *what)
{
	fprintf(stderr, "\r%d of %d %s%s", done, all, what, done < all ? "" : "\n");
}

/* --- accuracy --- */

/* Prints the errors of the evaluation, in points. */
static void accuracy_print(struct series *errors, int empty, const char *what)
{
	double sum = 0, squares = 0, absolute = 0, n = errors->count;
	for (int i = 0; i < errors->count; i++) {
		sum += errors->values[i];
		squares += errors->values[i] * errors->values[i];
		absolute += fabs(errors->values[i]);
	}
	if (errors->count)
		printf("%d empty, %s: %d positions, root mean square %.2f, mean of the absolute "
		       "error %.2f, mean %+.2f\n",
		       empty, what, errors->count, sqrt(squares / n), absolute / n, sum / n);
	series_free(errors);
}

int accuracy_run(const struct arguments *a)
{
	struct report report = { 0 };
	char why[OPENINGS_REASON_MAX];
	struct openings openings;
	struct series by_search = { 0 }, by_score = { 0 };
	struct exact exact = { 0 };
	struct record r;
	struct rng rng;
	int count;
	const struct game *g = program_game(a->program, a->words[0], NULL, NULL);
	if (!g || !searches_number(a, 1, "GAMES", 1, INT_MAX, &count))
		return EXIT_USAGE;
	if (!g->eval || !g->solver)
		return program_complain(a->program, "%s has no evaluation or no solver", g->name);
	if (!(a->count == 3 ? openings_read(&openings, g, a->words[2], 0, 0, why)
			    : openings_draw(&openings, g, RANDOM_MOVES, count, 1, why)))
		return program_complain(a->program, "%s", why);
	struct engine *e = searches_engine();
	rng_seed(&rng, 1);
	record_init(&r, g);
	for (int i = 1; i <= count; i++) {
		const struct opening *o = &openings.list[rng_below(&rng, (uint32_t)openings.count)];
		record_restart(&r, g);
		for (int j = 0; j < o->count; j++)
			record_play(&r, o->moves[j]);
		for (int empty; !r.now.over && (empty = game_free(g, &r.now)) >= EXACT_EMPTY;) {
			int sign = side_sign(r.now.side), least, most;
			struct solution found;
			if (empty == SEARCH_EMPTY) {
				searches_run(e, &r, SEARCH_DEPTH, &report);
				series_add(&by_search, sign * (searches_value(&r) - report.score));
			}
			if (empty == EXACT_EMPTY &&
			    exact_solve(&exact, g, &r.now, SOLVE_SCORE, INFINITY, NULL, &found)) {
				solution_bounds(&found, r.now.side, &least, &most);
				series_add(&by_score, sign * (searches_value(&r) - least));
				break;
			}
			searches_run(e, &r, PLAY_DEPTH, &report);
			record_play(&r, report.line[0]);
		}
		searches_progress(i, count, "games");
	}
	accuracy_print(&by_search, SEARCH_EMPTY, "a search of 14 moves");
	accuracy_print(&by_score, EXACT_EMPTY, "exact");
	record_free(&r);
	report_free(&report);
	exact_free(&exact);
	engine_destroy(e);
	openings_free(&openings);
	return 0;
}

/* --- deviation --- */

/* What is measured in a game. */
static struct {
	const struct game *game;
	int depth;
	/* The differences in points between two depths at one number of empty squares. */
	struct deviation_cell {
		int empty, shallow, deep;
		double count, squares;
	} cells[SQUARES_MAX + 1][DEPTH_MAX + 1][DEPTH_MAX + 1];
} study;

/* Returns true if a search of depth `shallow` may predict one of depth `deep`. */
static bool deviation_predicts(int shallow, int deep)
{
	return shallow < deep && (deep - shallow) % 2 == 0 && abs(shallow - deep / 2) <= 1;
}

/* Searches a position at all depths and records the differences. */
static void deviation_measure(struct engine *e, const struct record *r)
{
	struct report report = { 0 };
	double scores[DEPTH_MAX + 1] = { searches_value(r) };
	int empty = game_free(r->game, &r->now);
	for (int deep = 1; deep <= study.depth; deep++) {
		searches_run(e, r, deep, &report);
		scores[deep] = report.score;
		for (int shallow = 0; shallow < deep; shallow++) {
			double difference = scores[deep] - scores[shallow];
			struct deviation_cell *cell = &study.cells[empty][shallow][deep];
			if (deviation_predicts(shallow, deep))
				*cell = (struct deviation_cell) { empty, shallow, deep,
								  cell->count + 1,
								  cell->squares +
									  difference * difference };
		}
	}
	report_free(&report);
}

/* Plays a game. Returns the number of measured positions. */
static int deviation_play(struct engine *e, struct rng *rng)
{
	struct record r;
	struct report report = { 0 };
	int measured = 0;
	record_init(&r, study.game);
	for (int ply = 0, next = (int)rng_below(rng, RANDOM_MOVES + STEP); !r.now.over; ply++) {
		if (ply == next) {
			deviation_measure(e, &r);
			measured++;
			next += STEP;
		}
		if (ply >= RANDOM_MOVES)
			searches_run(e, &r, FAST_DEPTH, &report);
		record_play(&r, ply < RANDOM_MOVES ? record_draw(&r, rng) : report.line[0]);
	}
	report_free(&report);
	record_free(&r);
	return measured;
}

/* Sets the terms of the formula. Returns the deviation that it gives. */
static double deviation_formula(const double c[TERMS], int empty, int shallow, int deep,
				double x[TERMS])
{
	double share = (double)empty / (study.game->board.rows * study.game->board.cols), sum = 0;
	memcpy(x,
	       (double[TERMS]) { 1, log(deep - shallow), log(shallow + 1), share, share * share },
	       TERMS * sizeof *x);
	for (int i = 0; i < TERMS; i++)
		sum += c[i] * x[i];
	return exp(sum);
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
static void deviation_improve(double c[TERMS])
{
	double slope[TERMS] = { 0 }, bend[TERMS][TERMS] = { { 0 } }, x[TERMS];
	const struct deviation_cell *cell = &study.cells[0][0][0],
				    *end = cell + sizeof study.cells / sizeof *cell;
	for (; cell < end; cell++) {
		if (cell->count == 0)
			continue;
		double f = deviation_formula(c, cell->empty, cell->shallow, cell->deep, x),
		       q = cell->squares / (f * f);
		for (int i = 0; i < TERMS; i++) {
			slope[i] += (q - cell->count) * x[i];
			for (int j = 0; j < TERMS; j++)
				bend[i][j] += 2 * q * x[i] * x[j];
		}
	}
	deviation_solve(bend, slope);
	for (int i = 0; i < TERMS; i++)
		c[i] += slope[i];
}

/* Prints the deviations that were found between two depths beside the formula's. */
static void deviation_print(const double c[TERMS], int shallow, int deep)
{
	const int squares = study.game->board.rows * study.game->board.cols;
	printf("\n%3d %3d ", shallow, deep);
	for (int part = 0; part < TABLE_COLUMNS; part++) {
		double n = 0, sum = 0, x[TERMS];
		int from = squares * part / TABLE_COLUMNS,
		    to = squares * (part + 1) / TABLE_COLUMNS;
		for (int i = from; i < to; i++) {
			n += study.cells[i][shallow][deep].count;
			sum += study.cells[i][shallow][deep].squares;
		}
		printf(" %5.2f / %4.2f", n > 0 ? sqrt(sum / n) : 0,
		       deviation_formula(c, (from + to) / 2, shallow, deep, x));
	}
}

int deviation_run(const struct arguments *a)
{
	int positions;
	struct rng rng;
	study.game = program_game(a->program, a->words[0], NULL, NULL);
	if (!study.game || !searches_number(a, 1, "POSITIONS", 1, INT_MAX, &positions) ||
	    !searches_number(a, 2, "DEPTH", DEPTH_MIN, DEPTH_MAX, &study.depth))
		return EXIT_USAGE;
	if (!study.game->eval)
		return program_complain(a->program, "%s has no evaluation", study.game->name);
	struct engine *e = searches_engine();
	engine_options(e)->probcut = 0;
	rng_seed(&rng, 1);
	for (int measured = 0; measured < positions;) {
		measured += deviation_play(e, &rng);
		searches_progress(measured, positions, "positions");
	}
	engine_destroy(e);
	double c[TERMS] = { log(study.game->score.most / 16.0) };
	for (int i = 0; i < 100; i++)
		deviation_improve(c);
	printf("{ %.3f, %.3f, %.3f, %.3f, %.3f }\n"
	       "found / formula at about so many empty squares:\n  depths",
	       c[0], c[1], c[2], c[3], c[4]);
	for (int part = 0; part < TABLE_COLUMNS; part++)
		printf("%13d", study.game->board.rows * study.game->board.cols * (2 * part + 1) /
				       (2 * TABLE_COLUMNS));
	for (int deep = 0; deep <= study.depth; deep++)
		for (int shallow = 0; shallow < deep; shallow++)
			if (deviation_predicts(shallow, deep))
				deviation_print(c, shallow, deep);
	puts("");
	return 0;
}

/* --- equality --- */

/* Leads the record from its start to a random position with at least two moves. */
static void equality_draw_position(struct record *r, struct rng *rng)
{
	do {
		record_restart(r, r->game);
		for (uint32_t left = 1 + rng_below(rng, (uint32_t)r->game->steps.length);
		     left && !r->now.over; left--)
			record_play(r, record_draw(r, rng));
	} while (r->now.over || record_moves(r, NULL) < 2);
}

/* Returns true if two reports have the same move and the same score, or none. */
static bool equality_is_same(const struct report *a, const struct report *b)
{
	return move_equal(a->line[0], b->line[0]) &&
	       (a->score == b->score || (isnan(a->score) && isnan(b->score)));
}

/* Prints the row of a depth. Returns true if all searches choose the same moves. */
static bool equality_measure(const struct game *g, int depth, int count)
{
	static const char *const searches[SEARCHES] = { "negamax", "alphabeta-plain", "alphabeta" };
	static struct report reports[SEARCHES];
	struct engine *engines[SEARCHES];
	uint64_t nodes[SEARCHES] = { 0 };
	int equal[SEARCHES] = { 0 };
	struct record r;
	struct rng rng;
	rng_seed(&rng, 1);
	record_init(&r, g);
	for (int i = 0; i < SEARCHES; i++) {
		engines[i] = engine_create();
		options_set(engine_options(engines[i]), "search", searches[i]);
		engine_options(engines[i])->threads = 1;
		engine_options(engines[i])->probcut = 0;
	}
	for (int n = 0; n < count; n++) {
		equality_draw_position(&r, &rng);
		for (int i = 0; i < SEARCHES; i++) {
			searches_run(engines[i], &r, depth, &reports[i]);
			nodes[i] += reports[i].nodes;
			equal[i] += equality_is_same(&reports[0], &reports[i]);
		}
	}
	printf("| %d | %d | %llu |", depth, count, (unsigned long long)nodes[0]);
	for (int i = 1; i < SEARCHES; i++)
		printf(" %llu | %d |", (unsigned long long)nodes[i], equal[i]);
	puts("");
	fflush(stdout);
	for (int i = 0; i < SEARCHES; i++)
		engine_destroy(engines[i]);
	record_free(&r);
	return equal[1] == count && equal[2] == count;
}

int equality_run(const struct arguments *a)
{
	const struct measuring *flags = a->values;
	int depth, positions;
	bool equal = true;
	const struct game *g = program_game(a->program, a->words[0], NULL, flags->size);
	if (!g || !searches_number(a, 1, "DEPTH", 0, INT_MAX, &depth) ||
	    !searches_number(a, 2, "POSITIONS", 1, INT_MAX, &positions))
		return EXIT_USAGE;
	puts("| depth | positions | nodes of negamax | nodes of alphabeta-plain | moves as negamax "
	     "| nodes of alphabeta | moves as negamax |\n|---|---|---|---|---|---|---|");
	for (int i = 1; i <= depth; i++)
		equal &= equality_measure(g, i, positions);
	return !equal;
}
