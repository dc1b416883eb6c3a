/* SPDX-License-Identifier: MIT */
#include "engine/search/level.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/rng.h"
#include "engine/rules/tuning.h"

#define MOST_WORK   200000 /* units of work at the highest level */
#define WORK_STEP   3      /* each level has n times the work of the one below */
#define LEAST_LEVEL 0.01   /* what stands for level 0, which means full strength in options */

/* The difference at which the stronger player gets ten times the points of the weaker one. */
#define ELO_TENFOLD 400.0

/* The exponent of the visits is level/n. */
#define COOLING     4

uint64_t level_work(const struct options *o, const struct game *g, double level)
{
	int64_t most = o->evaluator ? tuning_evaluator_work(g, MOST_WORK) : MOST_WORK;
	return (uint64_t)fmax(1, (double)most / pow(WORK_STEP, LEVEL_MAX - level));
}

/* How good a move looks: how often it has been tried, plus how likely it seemed before (`likely`; 1: like the average move). A
 * proven win looks as if all trials were its own, a proven loss as if none was. */
static double looks(const struct task *task, double level, const struct report *r, struct move m,
		    double likely)
{
	const struct game *g = task->record->game;
	int side = task->record->now.side, at = report_find(r, m);
	double visits = at < 0 ? 0 : (double)r->moves[at].visits;
	if (at >= 0) {
		int lower = r->moves[at].lower, upper = r->moves[at].upper;
		bool lost = result_most(side, r->lower, r->upper) < 0;
		if (result_least(side, lower, upper) > 0)
			visits = (double)level_work(task->options, g, level);
		else if (result_most(side, lower, upper) < 0 && !lost)
			visits = 0;
	}
	return pow(likely + visits, level / COOLING);
}

/* A level passes when nothing looks better, and only then. Otherwise games of weak players would end too early or never. */
static void settle_pass(const struct game *g, const struct move *moves, double *weights, int count)
{
	double best = 0;
	int pass = -1;
	for (int k = 0; k < count; k++) {
		if (g->steps.may_pass && moves[k].step[0] == g->steps.pass)
			pass = k;
		else
			best = fmax(best, weights[k]);
	}
	for (int k = 0; pass >= 0 && k < count; k++)
		if ((k == pass) != (weights[pass] > best))
			weights[k] = 0;
}

/* Turns a report into that of the choice of one move. */
static void keep_only(struct report *r, struct move m, int side)
{
	int at = report_find(r, m);
	struct report_move chosen = at < 0 ? *report_add(r, m) : r->moves[at];
	bool counts = r->proof || r->disproof;
	r->moves[0] = chosen;
	r->move_count = 1;
	if (!r->line_count || !move_equal(r->line[0], m)) {
		r->line_count = report_line(r, &chosen, r->line, NULL);
	}
	r->value = chosen.value;
	r->score = chosen.score;
	r->lower = chosen.lower;
	r->upper = chosen.upper;
	r->exact = chosen.exact;
	r->proof = r->disproof = 0;
	if (counts)
		report_settle(r, side);
}

void level_err(double level, const struct task *task, struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	double priors[GAME_MOVES_MAX], weights[GAME_MOVES_MAX] = { 0 }, all = 0, sum = 0;
	struct rng rng;
	int count = task_moves(task, moves), i = 0;
	algorithm_mcts.priors(task, moves, count, priors);
	for (int k = 0; k < count; k++)
		all += priors[k];
	for (int k = 0; k < count; k++)
		weights[k] = looks(task, level, r, moves[k], all > 0 ? priors[k] / all * count : 1);
	settle_pass(task->record->game, moves, weights, count);
	for (int k = 0; k < count; k++)
		sum += weights[k];
	rng_seed(&rng, ~task->seed);
	double at = (double)(rng_next(&rng) >> 11) / (double)(UINT64_C(1) << 53) * sum;
	while (i < count - 1 && at >= weights[i])
		at -= weights[i++];
	keep_only(r, moves[i], task->record->now.side);
}

/* --- ratings --- */

int level_elo(const struct game *g, double level)
{
	int whole = (int)level;
	if (!tuning_of(g)->ratings)
		return 0;
	int below = whole ? tuning_of(g)->ratings[whole - 1] : 0;
	int above = whole < LEVEL_MAX ? tuning_of(g)->ratings[whole] : below;
	return (int)lround(below + (level - whole) * (above - below));
}

const char *level_name(int level)
{
	static const char *const names[] = { "full strength", "first game", "beginner",    "novice",
					     "casual",        "practised",  "club player", "strong",
					     "expert",        "master" };
	_Static_assert(sizeof names / sizeof *names == LEVEL_MAX + 1, "each level has a name");
	return names[level];
}

double level_share(int elo, int other)
{
	return 1 / (1 + pow(10, (other - elo) / ELO_TENFOLD));
}

double level_wanted(const struct options *o, const struct game *g)
{
	if (!o->elo)
		return o->level;
	for (int level = 1; level <= LEVEL_MAX; level++) {
		int below = level_elo(g, level - 1), own = level_elo(g, level);
		if (o->elo <= own)
			return fmax(LEAST_LEVEL,
				    level - 1 + (double)(o->elo - below) / (own - below));
	}
	return LEVEL_MAX;
}

bool level_reaches(const struct game *g, int elo, char why[REASON_MAX])
{
	int most = level_elo(g, LEVEL_MAX);
	if (most < elo && most)
		snprintf(why, REASON_MAX, "%s has levels up to Elo %d", g->name, most);
	else if (most < elo)
		snprintf(why, REASON_MAX,
			 "the levels of %s have no ratings with these rules and size: use level",
			 g->name);
	return elo <= most;
}
