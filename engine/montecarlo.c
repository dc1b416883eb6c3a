/* SPDX-License-Identifier: MIT
 *
 * Primitive Monte Carlo: equal playouts for every legal move, no tree. The best mean result wins;
 * of equal means, the first in the order of game_moves().
 *
 * Playouts are numbered by one counter that all workers share; playout i is one of move i mod
 * count. So the moves' shares differ by one playout at most, and no counts need to be kept. Each
 * worker adds up its own results until the end.
 *
 * With `share` set to `move` the unit of work is a round, one playout of every move.
 */
#include <stdlib.h>

#include "engine/algorithm.h"
#include "engine/memory.h"

struct montecarlo {
	const struct task *task;
	int count; /* legal moves; the arrays hold so many */
	struct move moves[GAME_MOVES_MAX];
	struct state after[GAME_MOVES_MAX];  /* the position after each move */
	_Atomic int64_t sum[GAME_MOVES_MAX]; /* Black's wins less White's wins */
	_Atomic uint64_t playouts;           /* numbered so far; after work all are done */
};

static void *create(void)
{
	return xcalloc(1, sizeof(struct montecarlo));
}

static bool prepare(void *self, const struct task *task, char why[REASON_MAX])
{
	struct montecarlo *m = self;
	const struct game *game = task->record->game;
	(void)why;
	m->task = task;
	m->count = game_moves(game, &task->record->now, m->moves);
	for (int i = 0; i < m->count; i++) {
		m->after[i] = task->record->now;
		game_play(game, &m->after[i], m->moves[i]);
		atomic_init(&m->sum[i], 0);
	}
	atomic_init(&m->playouts, 0);
	return true;
}

static void work(void *self, int worker, struct control *control)
{
	struct montecarlo *m = self;
	const struct game *game = m->task->record->game;
	bool rounds = m->task->options->share == SHARE_MOVE;
	uint64_t count = (uint64_t)m->count, unit = rounds ? count : 1, units;
	int64_t sum[GAME_MOVES_MAX] = { 0 };
	struct rng rng;
	rng_seed(&rng, m->task->seed + (uint64_t)worker);
	while ((units = control_claim(control, (WORK_BATCH + unit - 1) / unit)) > 0) {
		uint64_t n = units * unit;
		uint64_t first = atomic_fetch_add_explicit(&m->playouts, n, memory_order_relaxed);
		for (uint64_t i = first; i < first + n; i++) {
			int score = game->playout(&m->after[i % count], &rng);
			sum[i % count] += score_sign(score);
		}
	}
	for (int i = 0; i < m->count; i++)
		atomic_fetch_add_explicit(&m->sum[i], sum[i], memory_order_relaxed);
}

static void report(void *self, struct report *out)
{
	struct montecarlo *m = self;
	uint64_t count = (uint64_t)m->count, playouts = atomic_load(&m->playouts);
	int sign = m->task->record->now.side == BLACK ? 1 : -1;
	out->playouts = playouts;
	for (uint64_t i = 0; i < count && i < playouts; i++) {
		uint64_t share = (playouts - i + count - 1) / count;
		double mean = (double)atomic_load(&m->sum[i]) / (double)share;
		if (i == 0 || sign * mean > sign * out->value) {
			out->value = mean;
			out->line[0] = m->moves[i];
			out->line_count = 1;
		}
	}
}

const struct algorithm algorithm_montecarlo = {
	.name = "montecarlo",
	.help = "equal playouts for every move, no tree",
	.create = create,
	.destroy = free,
	.prepare = prepare,
	.work = work,
	.report = report,
};
