/* SPDX-License-Identifier: MIT
 *
 * UCT and df-pn as one search: UCT chooses, and df-pn proves positions on the paths of UCT's simulations
 * (mcts_prover.c). Each uses what the other has proven. Df-pn's table gets a part of the memory, the tree
 * the rest.
 *
 * Threads: those of mcts; every worker runs both searches in turn.
 */
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"
#include "engine/search/mcts/pair.h"
#include "engine/search/proof/dfpn.h"

#define TABLE_PART 4 /* the table gets 1/n of the memory */

struct union_search {
	struct pair pair;
	struct task prove, play; /* the tasks of the two searches */
};

static void *union_create(void)
{
	struct union_search *b = xcalloc(1, sizeof *b);
	pair_create(&b->pair);
	return b;
}

static void union_destroy(void *self)
{
	struct union_search *b = self;
	pair_destroy(&b->pair);
	free(b);
}

static bool union_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct union_search *b = self;
	b->prove = b->play = *task;
	b->prove.memory = task->memory / TABLE_PART;
	b->play.memory = task->memory - b->prove.memory;
	b->play.prover = b->pair.dfpn;
	return algorithm_dfpn.prepare(b->pair.dfpn, &b->prove, why) &&
	       algorithm_mcts.prepare(b->pair.mcts, &b->play, why);
}

static void union_work(void *self, int worker, struct control *control)
{
	struct union_search *b = self;
	algorithm_mcts.work(b->pair.mcts, worker, control);
}

/* UCT's report with df-pn's node count and its proof numbers for the root. */
static void union_report(void *self, struct report *out)
{
	struct union_search *b = self;
	algorithm_mcts.report(b->pair.mcts, out);
	double tree = out->fill;
	dfpn_numbers(b->pair.dfpn, out);
	out->fill = tree + (out->fill - tree) / TABLE_PART;
}

static void union_look(const void *self, const struct record *r, struct kept *out)
{
	const struct union_search *b = self;
	algorithm_dfpn.look(b->pair.dfpn, r, out);
	algorithm_mcts.look(b->pair.mcts, r, out);
}

const struct algorithm algorithm_union = {
	.name = "union",
	.help = "UCT and df-pn on one tree; they share proven results",
	.keeps = true,
	.create = union_create,
	.destroy = union_destroy,
	.forget = pair_forget,
	.prepare = union_prepare,
	.work = union_work,
	.report = union_report,
	.look = union_look,
};
