/* SPDX-License-Identifier: MIT
 *
 * UCT and df-pn as one search: UCT chooses, and where its simulations go df-pn proves (mcts.c, "df-pn inside the
 * tree"). What either proves the other knows. Df-pn's table has a part of the memory, the tree the rest.
 */
#include <stdlib.h>

#include "engine/algorithm.h"
#include "engine/memory.h"

#define TABLE_PART 4 /* of the memory, one of so many */

struct both {
	struct task prove, play; /* the two searches' own */
	void *dfpn, *mcts;
	struct report other; /* room for df-pn's */
};

static void *create(void)
{
	struct both *b = xcalloc(1, sizeof *b);
	b->dfpn = algorithm_dfpn.create();
	b->mcts = algorithm_mcts.create();
	return b;
}

static void destroy(void *self)
{
	struct both *b = self;
	algorithm_dfpn.destroy(b->dfpn);
	algorithm_mcts.destroy(b->mcts);
	free(b);
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct both *b = self;
	b->prove = b->play = *task;
	b->prove.memory = task->memory / TABLE_PART;
	b->play.memory = task->memory - b->prove.memory;
	b->play.prover = b->dfpn;
	return algorithm_dfpn.prepare(b->dfpn, &b->prove, why) &&
	       algorithm_mcts.prepare(b->mcts, &b->play, why);
}

static void work(void *self, int worker, struct control *control)
{
	struct both *b = self;
	algorithm_mcts.work(b->mcts, worker, control);
}

/* UCT's report, with df-pn's nodes and its numbers for the root. */
static void report(void *self, struct report *out)
{
	struct both *b = self;
	struct report *other = &b->other;
	report_init(other);
	algorithm_dfpn.report(b->dfpn, other);
	algorithm_mcts.report(b->mcts, out);
	out->nodes = other->nodes;
	out->proof = other->proof;
	out->disproof = other->disproof;
	/* Of what UCT has proven df-pn's root may not know. */
	bool black = b->play.record->now.side == BLACK;
	if (black ? out->lower > 0 : out->upper < 0) {
		out->proof = 0;
		out->disproof = PROOF_NEVER;
	} else if (black ? out->upper <= 0 : out->lower >= 0) {
		out->proof = PROOF_NEVER;
		out->disproof = 0;
	}
	out->fill += (other->fill - out->fill) / TABLE_PART;
}

const struct algorithm algorithm_union = {
	.name = "union",
	.help = "UCT in whose tree df-pn proves; they share what is proven",
	.keeps = true,
	.create = create,
	.destroy = destroy,
	.prepare = prepare,
	.work = work,
	.report = report,
};
