/* SPDX-License-Identifier: MIT */
#include "tools/train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "games/games.h"
#include "games/quadrant_net.h"
#include "tools/lib/message.h"
#include "tools/train/curve.h"
#include "tools/train/folder.h"
#include "tools/train/learn.h"
#include "tools/train/recipe.h"
#include "tools/train/rounds.h"
#include "tools/train/seat.h"
#include "tools/train/selfplay.h"
#include "tools/train/window.h"

#define WINDOW          6000000 /* maximum number of samples; the newest are kept */
#define ROUND_STEPS     1500 /* optimizer steps per round; at most one pass through all samples */
#define RANDOM_MOVES    7    /* a game begins with fewer random moves than this */
#define FREE_MOVES      3    /* number of moves after them that are drawn by their visits */
#define TREE_MIB        64
#define PASS_PARTS      32 /* parts of a pass through the samples, each with its own learning rate */
#define VISITS_TO_TEACH 40 /* with fewer visits, a placement says too little about its turns */
#define NOISE           0.25
#define HELD_GAMES      20 /* one game in this many is held out */
#define HELD_MOST       20000

struct trainer {
	struct training settings;
	struct game game; /* the game with the current network */
	struct net net;
	struct evaluator evaluator;
	struct selfplay selfplay;

	/* On rank 0: */
	struct folder folder;
	struct learner *learner;
	struct window window;
	int64_t end;
};

/* What a lane plays with. */
struct player {
	const struct trainer *trainer;
	struct seat seat;
	struct selfplay_game *game; /* the current one */
};

/* --- self-play --- */

static struct sample *sample_add(struct player *p, const struct state *s)
{
	const struct game *g = &p->trainer->game;
	move_t steps[GAME_STEPS_MAX];
	uint64_t set[2];
	struct sample *sample = selfplay_add(p->game);
	sample->pending = s->pending;
	g->stones(s, set);
	sample->own = set[s->side];
	sample->other = set[s->side ^ 1];
	sample->count = (uint8_t)g->moves(s, steps);
	for (int i = 0; i < sample->count; i++)
		sample->steps[i].step = (uint8_t)steps[i];
	return sample;
}

/* Adds the state before a step as a sample. It learns from the moves of the report that begin with `first`,
 * or from all moves if the state is not pending. `first` is the first step of the chosen move. */
static void teach(struct player *p, const struct state *s, const struct report *r, move_t first)
{
	int sign = s->side == BLACK ? 1 : -1;
	uint64_t visits[UINT8_MAX + 1] = { 0 }, most = 0, sum = 0;
	double value = 0;
	bool won = false, known = r->lower == r->upper;
	/* Lost positions are taught as often as won ones, although no step of them is better than another. */
	bool lost = known && sign * r->upper < 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		if (s->pending && m->move.step[0] != first)
			continue;
		if (s->pending && m->move.step[1] == MOVE_NONE)
			return;
		int proven = sign > 0 ? m->lower : -m->upper;
		uint64_t weight = m->visits;
		if ((sign > 0 ? m->upper : -m->lower) < 0)
			weight = lost;
		if (proven > 0 && !won) {
			/* Only proven wins are taught from here on. */
			memset(visits, 0, sizeof visits);
			sum = most = 0;
			value = 0;
			won = true;
		}
		if (won && proven <= 0)
			continue;
		weight = won && !weight ? 1 : weight;
		visits[m->move.step[s->pending]] += weight;
		sum += weight;
		if (m->visits)
			value += (double)weight * m->value;
	}
	if (sum < (s->pending && !known ? VISITS_TO_TEACH : 1))
		return;
	struct sample *sample = sample_add(p, s);
	for (int i = 0; i < sample->count; i++)
		most = visits[sample->steps[i].step] > most ? visits[sample->steps[i].step] : most;
	for (int i = 0; i < sample->count; i++)
		sample->steps[i].weight = (uint8_t)(255 * visits[sample->steps[i].step] /
						    (most ? most : 1));
	sample->exact = known;
	sample->search = (float)(sign * (known ? r->lower : value / (double)sum));
	/* Until the game ends, the side that chose: 1 Black, -1 White. */
	sample->result = (float)sign;
}

/* Sets the result of the samples from `first` on. */
static void end_samples(struct player *p, size_t first, int result, bool held)
{
	struct sample *samples = (struct sample *)p->game->samples;
	for (size_t i = first; i < p->game->count; i++) {
		samples[i].result *= (float)result;
		samples[i].held = held;
	}
}

static void play_game(void *player, struct selfplay_game *game)
{
	static _Thread_local struct report report;
	struct player *p = player;
	const struct game *g = &p->trainer->game;
	const struct state *now = &p->seat.record.now;
	struct rng *rng = &game->rng;
	size_t first = 0;
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false;
	p->game = game;
	seat_begin(&p->seat, g, rng);
	seat_play_random(&p->seat, (int)rng_below(rng, RANDOM_MOVES), rng);
	for (int moves = 0; !ended && !now->over && !selfplay_stopped(game); moves++) {
		if (!seat_solve(&p->seat, &report))
			seat_search(&p->seat, p->trainer->settings.simulations, NOISE, &report);
		bool known = report.lower == report.upper;
		struct move move = seat_choose(&report, moves < FREE_MOVES, rng);
		struct state half = *now;
		teach(p, now, &report, MOVE_NONE);
		g->play(&half, move.step[0]);
		if (half.pending)
			teach(p, &half, &report, move.step[0]);
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			end_samples(p, first, report.lower, held);
			first = game->count;
			ended = rng_below(rng, SEAT_PLAY_ON);
		}
		record_play(&p->seat.record, move);
	}
	end_samples(p, first, score_sign(now->score), held);
}

static void *begin_play(void *arg)
{
	struct player *p = xcalloc(1, sizeof *p);
	p->trainer = arg;
	seat_init(&p->seat, &p->trainer->game, TREE_MIB);
	return p;
}

static void end_play(void *player)
{
	struct player *p = player;
	seat_free(&p->seat);
	free(p);
}

/* Without a network, mcts evaluates by playouts. */
static bool use_net(void *arg, const void *file)
{
	struct trainer *t = arg;
	struct net_weights *read = file ? net_read(t->settings.game, file) : NULL;
	bool fits = !file || read;
	free(read);
	net_close(&t->net);
	t->net.file = file;
	t->game.evaluator = file ? &t->evaluator : NULL;
	return fits;
}

static const struct selfplay_kind kind = {
	.size = sizeof(struct sample),
	.use = use_net,
	.begin = begin_play,
	.end = end_play,
	.play = play_game,
};

/* --- files --- */

/* Writes the network, which has learned from so many rounds, as the game's file. Returns it. */
static struct packet write_net(struct trainer *t, int rounds)
{
	struct packet net;
	net.bytes = learner_net(t->learner, &net.size);
	recipe_write(&net, t->settings.output, t->settings.command, rounds);
	return net;
}

/* Saves the learner as that after `rounds` rounds, and writes the network. */
static struct packet keep_net(struct trainer *t, int rounds)
{
	char path[FOLDER_PATH_MAX];
	folder_state_path(&t->folder, rounds, path);
	if (!learner_save(t->learner, path))
		message_exit_errno("write", path);
	return write_net(t, rounds);
}

/* --- rounds --- */

/* The learning rate falls towards the end of the run. */
static double learning_rate(const struct trainer *t)
{
	double left = (double)(t->end - clock_now()) / (t->settings.seconds * 1e9);
	return t->settings.rate * (left > 0.25 ? 1 : left > 0.1 ? 0.3 : 0.1);
}

/* Makes pass `i` of settings.passes through all samples, with a falling learning rate. */
static void pass(struct trainer *t, int i)
{
	const double pi = 3.14159265358979;
	size_t steps = t->window.count / LEARN_BATCH / PASS_PARTS;
	for (int part = 0; part < PASS_PARTS; part++) {
		double done = (i + (double)part / PASS_PARTS) / t->settings.passes;
		learner_train(t->learner, t->window.samples, t->window.count, (int)steps + 1,
			      t->settings.rate * (1 + cos(pi * done)) / 2);
	}
	selfplay_share(&t->selfplay, keep_net(t, t->folder.rounds), t->folder.rounds);
	struct learn_error error = learner_error(t->learner, t->window.samples, t->window.count,
						 HELD_MOST);
	printf("pass %d: %zu samples, held-out error %.4f, priors %.4f nats\n", i + 1,
	       t->window.count, error.value, error.priors);
	fflush(stdout);
}

static struct packet learn(void *arg, const struct selfplay_round *r)
{
	struct trainer *t = arg;
	int64_t start = clock_now();
	window_add(&t->window, r->samples, r->count);
	struct learn_error before = learner_error(t->learner, t->window.samples, t->window.count,
						  HELD_MOST);
	size_t steps = t->window.count / LEARN_BATCH;
	learner_train(t->learner, t->window.samples, t->window.count,
		      (int)(steps < ROUND_STEPS ? steps : ROUND_STEPS), learning_rate(t));
	struct packet net = keep_net(t, r->number + 1);
	FILE *log = folder_open_log(&t->folder);
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f\n", r->number, r->games, t->window.count,
		before.value, before.priors);
	folder_close_log(&t->folder, log);
	curve_draw(&t->folder);
	progress_clear(&t->selfplay.progress);
	printf("round %d: %d games, %zu samples, held-out error %.3f, priors %.3f nats, %.0f s of "
	       "play, %.0f s, %.0f s left\n",
	       r->number, r->games, t->window.count, before.value, before.priors, r->seconds,
	       r->seconds + (double)(clock_now() - start) / 1e9,
	       fmax(0, (double)(t->end - clock_now()) / 1e9));
	fflush(stdout);
	return net;
}

/* Starts the learner with what the folder has, or with the game's current network. */
static void begin_learning(struct trainer *t)
{
	const struct training *s = &t->settings;
	const struct net *own = net_of(s->game);
	char path[FOLDER_PATH_MAX];
	bool knows = t->folder.rounds && folder_find_state(&t->folder, path);
	if (knows && !learner_load(t->learner, path))
		message_exit("%s is damaged or of another game", path);
	if (!knows && s->onward && own) {
		if (!learner_take_net(t->learner, own->file))
			abort(); /* the program's own file is valid */
		knows = true;
	}
	if (knows)
		selfplay_share(&t->selfplay, write_net(t, t->folder.rounds), t->folder.rounds);
}

/* Rank 0 learns. */
static void lead(struct trainer *t)
{
	const struct training *s = &t->settings;
	folder_enter(&t->folder, s->folder, "samples", "learner", sizeof(struct sample));
	t->learner = learner_create(s->game, s->seed);
	window_init(&t->window, &t->folder, WINDOW);
	begin_learning(t);
	if (s->passes && !t->window.count)
		message_exit("%s has no samples to learn from", s->folder);
	for (int i = 0; i < s->passes; i++)
		pass(t, i);
	t->end = clock_now() + (int64_t)(s->seconds * 1e9);
	rounds_run(&(struct rounds) {
		.selfplay = &t->selfplay,
		.folder = &t->folder,
		.count = s->rounds,
		.samples = (size_t)s->samples,
		.overlap = s->overlap,
		.end = t->end,
		.learn = learn,
		.arg = t,
	});
	selfplay_end(&t->selfplay);
	learner_destroy(t->learner);
	window_free(&t->window);
	folder_leave(&t->folder);
}

void trainer_run(const struct training *settings)
{
	struct trainer *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->game = *settings->game;
	t->evaluator = (struct evaluator)NET_EVALUATOR(&t->net);
	selfplay_init(&t->selfplay, &kind, t, settings->threads, settings->seed);
	if (ranks_own() == 0)
		lead(t);
	else
		selfplay_follow(&t->selfplay);
	net_close(&t->net);
	selfplay_free(&t->selfplay);
	free(t);
}
