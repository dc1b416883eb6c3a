/* SPDX-License-Identifier: MIT
 *
 * The random player: all legal whole moves have the same probability. It is the baseline that every
 * search must beat, and the smallest example of a search.
 */
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"

struct random {
	const struct task *task;
	struct move chosen;
};

static void *random_search_create(void)
{
	return xcalloc(1, sizeof(struct random));
}

static bool random_search_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct random *r = self;
	r->task = task;
	return true;
}

static void random_search_work(void *self, int worker, struct control *control)
{
	struct random *r = self;
	if (worker != 0)
		return;
	struct rng rng;
	struct move moves[GAME_MOVES_MAX];
	rng_seed(&rng, r->task->seed);
	int n = task_moves(r->task, moves);
	r->chosen = moves[rng_below(&rng, (uint32_t)n)];
}

static void random_search_report(void *self, struct report *out)
{
	struct random *r = self;
	out->line_count = 1;
	out->line[0] = r->chosen;
}

const struct algorithm algorithm_random = {
	.name = "random",
	.help = "every legal move is equally likely",
	.is_alone = true,
	.create = random_search_create,
	.destroy = free,
	.prepare = random_search_prepare,
	.work = random_search_work,
	.report = random_search_report,
};
