/* SPDX-License-Identifier: MIT */
#include "tools/train/course.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/search/clock.h"
#include "tools/lib/message.h"
#include "tools/train/curve.h"
#include "tools/train/folder.h"
#include "tools/train/recipe.h"
#include "tools/train/rounds.h"

#define PASS_PARTS 32 /* parts of a pass through the samples, each with its own learning rate */

struct course_state {
	const struct course_kind *kind;
	const struct training *settings;
	struct selfplay selfplay;

	/* On rank 0: */
	struct folder folder;
	struct window window;
	void *learner;
	int64_t end;
};

/* Returns the network, which has learned from so many rounds, as the game's file. */
static struct packet make_net(struct course_state *c, int rounds)
{
	struct packet net = c->kind->file(c->learner);
	recipe_add(&net, c->settings->command, rounds);
	return net;
}

/* Saves the learner as that after `rounds` rounds. */
static void keep_learner(struct course_state *c, int rounds)
{
	struct packet state = c->kind->state(c->learner);
	folder_write_state(&c->folder, rounds, state.bytes, state.size);
}

/* Writes the network and gives it to all ranks, between rounds. */
static void give_net(struct course_state *c)
{
	rounds_give(&c->selfplay, &c->folder, make_net(c, c->folder.rounds));
}

/* The learning rate falls towards the end of the run. */
static double learning_rate(const struct course_state *c)
{
	double left = (double)(c->end - clock_now()) / (c->settings->seconds * 1e9);
	return c->settings->rate * (left > 0.3 ? 1 : left > 0.1 ? 0.3 : 0.1);
}

/* Makes pass `i` of settings->passes through all samples, with a falling learning rate. */
static void pass(struct course_state *c, int i)
{
	const double pi = 3.14159265358979;
	size_t all = c->window.count, steps = all / (size_t)c->kind->batch / PASS_PARTS;
	for (int part = 0; part < PASS_PARTS; part++) {
		double done = (i + (double)part / PASS_PARTS) / c->settings->passes;
		c->kind->study(c->learner, &c->window, all, (int)steps + 1,
			       c->settings->rate * (1 + cos(pi * done)) / 2);
	}
	keep_learner(c, c->folder.rounds);
	give_net(c);
	struct learner_error error = c->kind->error(c->learner, &c->window);
	printf("pass %d: %zu samples, held-out error %.4f, policy %.4f nats\n", i + 1, all,
	       error.value, error.policy);
	fflush(stdout);
}

static struct packet course_learn(void *arg, const struct selfplay_round *r)
{
	struct course_state *c = arg;
	int64_t start = clock_now();
	size_t last;
	int steps;
	window_add(&c->window, r->samples, r->count);
	struct learner_error before = c->kind->error(c->learner, &c->window);
	c->kind->plan(&c->window, r->count, &last, &steps);
	c->kind->study(c->learner, &c->window, last, steps, learning_rate(c));
	keep_learner(c, r->number + 1);
	FILE *log = folder_open_log(&c->folder);
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f\n", r->number, r->games, c->window.count,
		before.value, before.policy);
	folder_close_log(&c->folder, log);
	curve_draw(&c->folder);
	progress_clear(&c->selfplay.progress);
	printf("round %d: %d games, %zu samples, held-out error %.3f, policy %.3f nats, %.0f s of "
	       "play, %.0f s, %.0f s left\n",
	       r->number, r->games, c->window.count, before.value, before.policy, r->seconds,
	       r->seconds + (double)(clock_now() - start) / 1e9,
	       fmax(0, (double)(c->end - clock_now()) / 1e9));
	fflush(stdout);
	return make_net(c, r->number + 1);
}

/* Goes on from the state that a file has. */
static void load_state(struct course_state *c, const char *path)
{
	size_t size = c->kind->state(c->learner).size;
	void *state = xmalloc(size);
	FILE *f = fopen(path, "rb");
	bool whole = f && fread(state, size, 1, f) == 1;
	if (f)
		fclose(f);
	if (!whole || !c->kind->resume(c->learner, state))
		message_exit("%s is damaged, or of another game or size of network", path);
	free(state);
}

/* Starts the learner with what the folder has, or with another network. */
static void begin_learning(struct course_state *c)
{
	char path[FOLDER_PATH_MAX];
	bool knows = c->folder.rounds && folder_find_state(&c->folder, path);
	if (knows)
		load_state(c, path);
	if (knows || c->kind->take(c->learner, c->settings))
		give_net(c);
}

/* Rank 0 learns. */
static void course_lead(struct course_state *c)
{
	const struct training *s = c->settings;
	folder_enter(&c->folder, s->folder, s->game, "samples", "learner", c->kind->play.size,
		     s->output);
	c->learner = c->kind->create(s);
	window_init(&c->window, &c->folder, c->kind->window);
	begin_learning(c);
	if (s->passes && !c->window.count)
		message_exit("%s has no samples to learn from", s->folder);
	for (int i = 0; i < s->passes; i++)
		pass(c, i);
	c->end = clock_now() + (int64_t)(s->seconds * 1e9);
	rounds_run(&(struct rounds) {
		.selfplay = &c->selfplay,
		.folder = &c->folder,
		.count = s->rounds,
		.samples = (size_t)s->samples,
		.overlap = s->overlap,
		.end = c->end,
		.learn = course_learn,
		.arg = c,
	});
	selfplay_end(&c->selfplay);
	c->kind->destroy(c->learner);
	window_free(&c->window);
	folder_leave(&c->folder);
}

void course_run(const struct course_kind *kind, const struct training *settings, void *player)
{
	struct course_state *c = xcalloc(1, sizeof *c);
	c->kind = kind;
	c->settings = settings;
	selfplay_init(&c->selfplay, &kind->play, player, settings->threads, settings->seed);
	if (ranks_own() == 0)
		course_lead(c);
	else
		selfplay_follow(&c->selfplay);
	selfplay_free(&c->selfplay);
	free(c);
}
