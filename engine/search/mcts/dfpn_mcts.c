/* SPDX-License-Identifier: MIT
 *
 * Proof first, then playouts (Tajima's combination of df-pn and UCT for Pentago). Df-pn gets the first
 * 1/n of the budget (option split). UCT gets the rest, unless df-pn has proven a result that no move
 * can improve.
 *
 * The file uses only the public functions of the two searches. Df-pn runs in a phase of the budget
 * (control.h). Each search has half of the memory.
 *
 * Threads: a worker changes to UCT as soon as the phase is over for it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/search/common/algorithm.h"
#include "engine/search/mcts/pair.h"
#include "engine/search/proof/dfpn.h"

struct dfpn_mcts {
	struct pair pair;
	const struct task *task;
	struct task prove, play; /* the tasks of the two searches */
	struct control phase;    /* of df-pn */
	bool playing;            /* the lead worker has changed to UCT; used by the lead only */
	struct report other;     /* buffer for UCT's report */
};

static void *dfpn_mcts_create(void)
{
	struct dfpn_mcts *b = xcalloc(1, sizeof *b);
	pair_create(&b->pair);
	return b;
}

static void dfpn_mcts_destroy(void *self)
{
	struct dfpn_mcts *b = self;
	pair_destroy(&b->pair);
	report_free(&b->other);
	free(b);
}

static bool dfpn_mcts_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct dfpn_mcts *b = self;
	b->task = task;
	b->playing = false;
	b->prove = b->play = *task;
	b->prove.memory = task->memory / 2;
	b->play.memory = task->memory - b->prove.memory;
	b->prove.control = &b->phase;
	if (!algorithm_mcts.prepare(b->pair.mcts, &b->play, why))
		return false;
	control_init_phase(&b->phase, task->control, task->options->split);
	return algorithm_dfpn.prepare(b->pair.dfpn, &b->prove, why);
}

/* Returns true if these bounds are a draw or a win: df-pn's move cannot be improved. */
static bool is_answer(const struct dfpn_mcts *b, int lower, int upper)
{
	return lower == upper && lower != -side_sign(b->task->record->now.side);
}

static bool dfpn_mcts_is_answered(const struct dfpn_mcts *b)
{
	int lower, upper;
	dfpn_bounds(b->pair.dfpn, &lower, &upper);
	return is_answer(b, lower, upper);
}

static void dfpn_mcts_work(void *self, int worker, struct control *control)
{
	struct dfpn_mcts *b = self;
	algorithm_dfpn.work(b->pair.dfpn, worker, &b->phase);
	if (worker == 0)
		b->playing = true;
	if (dfpn_mcts_is_answered(b))
		control_stop(control);
	else
		algorithm_mcts.work(b->pair.mcts, worker, control);
}

/* Makes the answer a move that keeps what is proven of the position. Returns false if no such move is
 * known. */
static bool answer_known(struct report *r, int side)
{
	int i = 0;
	while (i < r->move_count &&
	       (side == BLACK ? r->moves[i].lower < r->lower : r->moves[i].upper > r->upper))
		i++;
	if (i == r->move_count)
		return false;
	if (i > 0) {
		r->line_count = report_line(r, &r->moves[i], r->line, NULL);
		report_sort(r, side, NULL);
	}
	return true;
}

/* Reports what UCT has found, with df-pn's bounds, nodes and proof numbers. While the lead worker runs
 * df-pn, or if df-pn knows the answer, reports what df-pn has found. */
static void dfpn_mcts_report(void *self, struct report *out)
{
	struct dfpn_mcts *b = self;
	struct report *other = &b->other;
	report_clear(other);
	algorithm_dfpn.report(b->pair.dfpn, out);
	/* During work the lead may read the tree only while it is in the tree itself. */
	if (b->playing)
		algorithm_mcts.report(b->pair.mcts, other);
	out->playouts = other->playouts;
	out->fill = (out->fill + (b->playing ? other->fill : 0)) / 2;
	if (!b->playing || is_answer(b, out->lower, out->upper) || other->line_count == 0)
		return;
	other->lower = out->lower > other->lower ? out->lower : other->lower;
	other->upper = out->upper < other->upper ? out->upper : other->upper;
	/* Playouts do not know what df-pn has proven. */
	other->value = fmax(other->lower, fmin(other->upper, other->value));
	other->nodes = out->nodes;
	other->fill = out->fill;
	other->proof = out->proof;
	other->disproof = out->disproof;
	report_settle(other, b->task->record->now.side);
	/* If UCT knows no move that keeps what is proven, report df-pn's answer. */
	if (answer_known(other, b->task->record->now.side)) {
		report_copy(out, other);
		return;
	}
	out->lower = other->lower;
	out->upper = other->upper;
	out->value = fmax(out->lower, fmin(out->upper, out->value));
	report_settle(out, b->task->record->now.side);
}

static void dfpn_mcts_look(const void *self, const struct record *r, struct kept *out)
{
	const struct dfpn_mcts *b = self;
	algorithm_dfpn.look(b->pair.dfpn, r, out);
	algorithm_mcts.look(b->pair.mcts, r, out);
}

const struct algorithm algorithm_dfpn_mcts = {
	.name = "dfpn+mcts",
	.help = "df-pn has the first part of the budget, UCT the rest",
	.keeps = true,
	.create = dfpn_mcts_create,
	.destroy = dfpn_mcts_destroy,
	.forget = pair_forget,
	.prepare = dfpn_mcts_prepare,
	.work = dfpn_mcts_work,
	.report = dfpn_mcts_report,
	.look = dfpn_mcts_look,
};
