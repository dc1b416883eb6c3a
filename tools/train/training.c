/* SPDX-License-Identifier: MIT */
#include "tools/train/training.h"

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

struct training_loop {
	const struct training_kind *kind;
	const struct training *settings;
	struct selfplay selfplay;

	/* On rank 0: */
	struct folder folder;
	struct window window;
	void *learner;
	int64_t end;
};

/* Returns the network, which has learned from so many rounds, as the game's file. */
static struct packet make_net(struct training_loop *c, int rounds)
{
	struct packet net = c->kind->learner->file(c->learner);
	recipe_add(&net, c->settings->command, rounds);
	return net;
}

/* Saves the learner as that after `rounds` rounds. */
static void keep_learner(struct training_loop *c, int rounds)
{
	struct packet state = c->kind->learner->state(c->learner);
	folder_write_state(&c->folder, rounds, state.bytes, state.size);
}

/* Writes the network and gives it to all ranks, between rounds. */
static void give_net(struct training_loop *c)
{
	rounds_give(&c->selfplay, &c->folder, make_net(c, c->folder.rounds));
}

/* The learning rate falls towards the end of the run. */
static double learning_rate(const struct training_loop *c)
{
	double left = (double)(c->end - clock_now()) / (c->settings->seconds * 1e9);
	return c->settings->rate * (left > 0.3 ? 1 : left > 0.1 ? 0.3 : 0.1);
}

static struct learner_error training_find_error(const struct training_loop *c)
{
	const struct window *w = &c->window;
	return learner_find_error(c->kind->learner, c->learner, w->samples, w->size, w->count,
				  c->kind->held);
}

/* Makes optimizer steps with random samples of the window's last ones. */
static void train(const struct training_loop *c, size_t last, int steps, double rate)
{
	const struct window *w = &c->window;
	c->kind->learner->train(c->learner, (const char *)w->samples + (w->count - last) * w->size,
				last, steps, rate);
}

/* Makes pass `i` of settings->passes through all samples, with a falling learning rate. */
static void pass(struct training_loop *c, int i)
{
	const double pi = 3.14159265358979;
	size_t all = c->window.count, steps = all / LEARN_BATCH / PASS_PARTS;
	for (int part = 0; part < PASS_PARTS; part++) {
		double done = (i + (double)part / PASS_PARTS) / c->settings->passes;
		train(c, all, (int)steps + 1, c->settings->rate * (1 + cos(pi * done)) / 2);
	}
	keep_learner(c, c->folder.rounds);
	give_net(c);
	struct learner_error error = training_find_error(c);
	printf("pass %d: %zu samples, held-out error %.4f, policy %.4f nats\n", i + 1, all,
	       error.value, error.policy);
	fflush(stdout);
}

static struct packet training_learn(void *arg, const struct selfplay_round *r)
{
	struct training_loop *c = arg;
	int64_t start = clock_now();
	size_t last;
	int steps;
	window_add(&c->window, r->samples, r->count, c->kind->window);
	struct learner_error before = training_find_error(c);
	c->kind->plan(&c->window, r->count, &last, &steps);
	train(c, last, steps, learning_rate(c));
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
	       r->seconds + clock_since(start), fmax(0, (double)(c->end - clock_now()) / 1e9));
	fflush(stdout);
	return make_net(c, r->number + 1);
}

/* Goes on from the state that a file has. */
static void load_state(struct training_loop *c, const char *path)
{
	size_t size = c->kind->learner->state(c->learner).size;
	void *state = xmalloc(size);
	FILE *f = fopen(path, "rb");
	bool whole = f && fread(state, size, 1, f) == 1;
	if (f)
		fclose(f);
	if (!whole || !c->kind->learner->resume(c->learner, state))
		message_exit("%s is damaged, or of another game or size of network", path);
	free(state);
}

/* Starts the learner with what the folder has, or with another network. */
static void begin_learning(struct training_loop *c)
{
	char path[FOLDER_PATH_MAX];
	bool knows = c->folder.rounds && folder_find_state(&c->folder, path);
	if (knows)
		load_state(c, path);
	if (knows || c->kind->take(c->learner, c->settings))
		give_net(c);
}

/* Rank 0 learns. */
static void training_lead(struct training_loop *c)
{
	const struct training *s = c->settings;
	folder_enter(&c->folder, s->folder, s->game, "samples", "learner", c->kind->play.size,
		     s->output);
	c->learner = c->kind->learner->create(s->game, s->blocks, s->seed, s->threads);
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
		.learn = training_learn,
		.arg = c,
	});
	selfplay_end(&c->selfplay);
	c->kind->learner->destroy(c->learner);
	window_free(&c->window);
	folder_leave(&c->folder);
}

void training_run(const struct training_kind *kind, const struct training *settings, void *arg)
{
	struct training_loop *c = xcalloc(1, sizeof *c);
	c->kind = kind;
	c->settings = settings;
	selfplay_init(&c->selfplay, &kind->play, arg, settings->threads, settings->seed);
	if (ranks_own() == 0)
		training_lead(c);
	else
		selfplay_follow(&c->selfplay);
	selfplay_free(&c->selfplay);
	free(c);
}
