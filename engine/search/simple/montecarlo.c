/* SPDX-License-Identifier: MIT
 *
 * Primitive Monte Carlo: equal playouts for every legal move, no tree. The move with the best mean
 * result wins; of equal means, the first in the order of game_moves().
 *
 * Invariant: playout i is one of move i mod count. So in the end the moves' playouts differ by one at most.
 *
 * Threads: all workers share one counter that numbers the playouts. Each worker sums its own results and adds
 * them to the shared sums in batches. A report during work shows what has been added so far.
 *
 * With `share` set to `move` the unit of work is a round: one playout of every move.
 */
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/playouts.h"
#include "engine/search/common/algorithm.h"

struct montecarlo {
	const struct task *task;
	int count; /* number of legal moves, the used length of the arrays */
	struct move moves[GAME_MOVES_MAX];
	struct state after[GAME_MOVES_MAX]; /* the position after each move */
	_Atomic uint64_t playouts;          /* numbers given out so far; after work all are done */
	/* Black's wins minus White's wins, and the number of playouts. */
	_Atomic int64_t sum[GAME_MOVES_MAX];
	_Atomic uint64_t visits[GAME_MOVES_MAX];
};

#define TALLY_PLAYOUTS 4096 /* playouts after which a worker adds its results to the shared sums */

/* Results of one thread that are not in the shared sums yet. */
struct montecarlo_tally {
	uint64_t playouts, visits[GAME_MOVES_MAX];
	int64_t sum[GAME_MOVES_MAX];
};

static void *montecarlo_create(void)
{
	return xcalloc(1, sizeof(struct montecarlo));
}

static bool montecarlo_prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct montecarlo *m = self;
	const struct game *game = task->record->game;
	m->task = task;
	m->count = task_moves(task, m->moves);
	for (int i = 0; i < m->count; i++) {
		m->after[i] = task->record->now;
		game_play(game, &m->after[i], m->moves[i]);
		record_end_repeated(task->record, &m->after[i]);
		atomic_init(&m->sum[i], 0);
		atomic_init(&m->visits[i], 0);
	}
	atomic_init(&m->playouts, 0);
	return true;
}

/* Adds the results to the shared sums and clears them. */
static void add_tally(struct montecarlo *m, struct montecarlo_tally *t)
{
	for (int i = 0; i < m->count; i++) {
		atomic_fetch_add_explicit(&m->sum[i], t->sum[i], memory_order_relaxed);
		atomic_fetch_add_explicit(&m->visits[i], t->visits[i], memory_order_relaxed);
	}
	*t = (struct montecarlo_tally) { 0 };
}

static void montecarlo_work(void *self, int worker, struct control *control)
{
	struct montecarlo *m = self;
	const struct game *game = m->task->record->game;
	bool rounds = m->task->options->share == SHARE_MOVE;
	uint64_t count = (uint64_t)m->count, unit = rounds ? count : 1, units;
	struct montecarlo_tally tally = { 0 };
	struct rng rng;
	rng_seed(&rng, m->task->seed + (uint64_t)worker);
	while ((units = control_claim(control, (WORK_BATCH + unit - 1) / unit)) > 0) {
		uint64_t n = units * unit;
		uint64_t first = atomic_fetch_add_explicit(&m->playouts, n, memory_order_relaxed);
		for (uint64_t i = first; i < first + n; i++) {
			int score = playout_uniform(game, &m->after[i % count], &rng);
			tally.sum[i % count] += score_sign(score);
			tally.visits[i % count]++;
		}
		tally.playouts += n;
		if (tally.playouts >= TALLY_PLAYOUTS)
			add_tally(m, &tally);
		if (worker == 0)
			control_publish(control);
	}
	add_tally(m, &tally);
}

static void montecarlo_report(void *self, struct report *out)
{
	struct montecarlo *m = self;
	double ratings[GAME_MOVES_MAX];
	int sign = side_sign(m->task->record->now.side);
	out->playouts = atomic_load_explicit(&m->playouts, memory_order_relaxed);
	for (int i = 0; i < m->count; i++) {
		uint64_t visits = atomic_load_explicit(&m->visits[i], memory_order_relaxed);
		int64_t sum = atomic_load_explicit(&m->sum[i], memory_order_relaxed);
		if (visits == 0)
			continue;
		struct report_move *r = report_add(out, m->moves[i]);
		r->visits = visits;
		/* Another worker may have added only one of the two numbers yet. */
		double mean = (double)sum / (double)visits;
		r->value = mean > 1 ? 1 : mean < -1 ? -1 : mean;
		ratings[out->move_count - 1] = sign * r->value;
		if (out->line_count == 0 || ratings[out->move_count - 1] > sign * out->value) {
			out->value = r->value;
			out->line[0] = r->move;
			out->line_count = 1;
		}
	}
	if (out->line_count)
		report_sort(out, m->task->record->now.side, ratings);
}

const struct algorithm algorithm_montecarlo = {
	.name = "montecarlo",
	.help = "equal playouts for every move, no tree",
	.create = montecarlo_create,
	.destroy = free,
	.prepare = montecarlo_prepare,
	.work = montecarlo_work,
	.report = montecarlo_report,
};
