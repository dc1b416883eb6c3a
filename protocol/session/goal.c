/* SPDX-License-Identifier: MIT */
#include "protocol/session/goal.h"

#include "engine/rules/goals.h"
#include "engine/search/common/algorithm.h"

const char *goal_begin(struct record *goal, const struct record *from, int target, const int *area,
		       int count)
{
	const struct game *g = from->game, *rules = NULL;
	struct state start;
	const char *why = "this game has no stones to capture";
	if (goals_exist(g))
		rules = g->goals->capture(g, &from->now, target, area, count, &start, &why);
	if (!rules)
		return why;
	record_begin_goal(goal, from, rules, &start);
	return NULL;
}

int goal_defender(const struct game *g, const struct state *s, int target)
{
	return g->at(g, s, target / g->board.cols, target % g->board.cols) == 'O' ? WHITE : BLACK;
}

const char *goal_result(int defender, int lower, int upper)
{
	return result_least(defender, lower, upper) > 0  ? "safe"
	       : result_most(defender, lower, upper) < 0 ? "captured"
							 : "unknown";
}
