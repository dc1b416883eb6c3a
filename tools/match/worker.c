/* SPDX-License-Identifier: MIT */
#include "tools/match/worker.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/rules/playouts.h"
#include "tools/match/task.h"
#include "tools/ranks/ranks.h"

#define SPEED_TIME 250000000 /* nanoseconds of a measurement */

/* Returns the number of random games a second that this thread plays. */
static double measure_speed(const struct game *g)
{
	struct state s;
	struct rng rng;
	int games = 0;
	int64_t start = clock_now(), now;
	g->start(g, &s);
	rng_seed(&rng, 1);
	do {
		playout_uniform(g, &s, &rng);
		games++;
		now = clock_now();
	} while (now - start < SPEED_TIME);
	return games * 1e9 / (double)(now - start);
}

static struct packet try_engines(const struct match_workers *all)
{
	char *host = system_host();
	char **versions = xcalloc((size_t)all->player_count, sizeof *versions);
	struct match_outcome o = { .kind = OUTCOME_TRIED, .host = host, .versions = versions };
	char *error;
	if (all->error)
		error = xstrdup(all->error);
	else
		error = players_try(all->players, all->player_count, &all->terms, all->stderr_file,
				    versions);
	if (!error && all->measures)
		o.speed = measure_speed(all->terms.game);
	o.error = error;
	o.version_count = error ? 0 : all->player_count;
	struct packet p = outcome_pack(&o);
	for (int i = 0; i < all->player_count; i++)
		free(versions[i]);
	free(versions);
	free(host);
	free(error);
	return p;
}

/* Multiplies the times of the terms. Clocks stay whole seconds. */
static void scale_times(struct terms *t, double scale)
{
	t->move_time *= scale;
	t->main_time = t->main_time ? (int)fmax(1, round(t->main_time * scale)) : 0;
	t->period = t->period ? (int)fmax(1, round(t->period * scale)) : 0;
}

static struct packet match_worker_play_game(const struct match_workers *all,
					    struct engine_process engines[2],
					    const struct match_task *task)
{
	struct referee r;
	struct terms terms = all->terms;
	struct match_outcome o = { .kind = OUTCOME_PLAYED, .number = task->number };
	if (task->scale != 1)
		scale_times(&terms, task->scale);
	engine_process_assign(&engines[0], all->players[task->a].command);
	engine_process_assign(&engines[1], all->players[task->b].command);
	referee_init(&r, &terms, engines, task->color, task->seeds);
	referee_play(&r, &task->opening);
	o.game = referee_result(&r);
	if (r.cancelled)
		o.kind = OUTCOME_CANCELLED;
	struct packet p = outcome_pack(&o);
	referee_free(&r);
	return p;
}

void match_worker_run(const struct match_workers *all, int worker)
{
	struct engine_process engines[2] = { 0 };
	struct packet answer,
		outcome = outcome_pack(&(struct match_outcome) { .kind = OUTCOME_READY });
	while (ranks_ask(worker, outcome, &answer)) {
		struct match_task task;
		bool good = task_unpack(answer, &task) && task.a < all->player_count &&
			    task.b < all->player_count;
		assert(good);
		outcome = task.trial ? try_engines(all)
				     : match_worker_play_game(all, engines, &task);
		free(task.opening.moves);
		free(answer.bytes);
	}
	client_quit(&engines[0].client);
	client_quit(&engines[1].client);
}
