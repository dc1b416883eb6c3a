/* SPDX-License-Identifier: MIT */
#include "tools/train/trainer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "games/games.h"
#include "games/pentago/quadrant_net.h"
#include "tools/lib/message.h"
#include "tools/train/learn.h"
#include "tools/train/seat.h"

#define WINDOW          6000000 /* maximum number of samples; the newest are kept */
#define ROUND_STEPS     1500 /* optimizer steps per round; at most one pass through all samples */
#define RANDOM_MOVES    7    /* a game begins with fewer random moves than this */
#define FREE_MOVES      3    /* number of moves after them that are drawn by their visits */
#define TREE_MIB        64
#define VISITS_TO_TEACH 40 /* with fewer visits, a placement says too little about its turns */
#define NOISE           0.25
#define HELD_GAMES      20 /* one game in this many is held out */
#define HELD_MOST       20000

/* What all lanes play with. */
struct trainer {
	struct training settings;
	struct game game; /* the game with the current network */
	struct net net;
	struct evaluator evaluator;
};

/* What a lane plays with. */
struct trainer_player {
	const struct trainer *trainer;
	struct seat seat;
	struct selfplay_game *game; /* the current one */
};

/* --- self-play --- */

static struct sample *sample_add(struct trainer_player *p, const struct state *s)
{
	const struct game *g = &p->trainer->game;
	move_t steps[GAME_STEPS_MAX];
	uint64_t set[2];
	struct sample *sample = selfplay_add(p->game);
	sample->pending = s->pending;
	g->images->stones(g, s, set);
	sample->own = set[s->side];
	sample->other = set[s->side ^ 1];
	sample->count = (uint8_t)g->moves(g, s, steps);
	assert(sample->count <= LEARN_STEPS_MAX);
	for (int i = 0; i < sample->count; i++)
		sample->steps[i].step = (uint8_t)steps[i];
	return sample;
}

/* Adds the state before a step as a sample. It learns from the moves of the report that begin with `first`,
 * or from all moves if the state is not pending. `first` is the first step of the chosen move. */
static void trainer_teach(struct trainer_player *p, const struct state *s, const struct report *r,
			  move_t first)
{
	int sign = side_sign(s->side);
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
		int proven = result_least(s->side, m->lower, m->upper);
		uint64_t weight = m->visits;
		if (result_most(s->side, m->lower, m->upper) < 0)
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
static void trainer_end_samples(struct trainer_player *p, size_t first, int result, bool held)
{
	struct sample *samples = (struct sample *)p->game->samples;
	for (size_t i = first; i < p->game->count; i++) {
		samples[i].result *= (float)result;
		samples[i].held = held;
	}
}

static void trainer_play_game(void *player, struct selfplay_game *game)
{
	static _Thread_local struct report report;
	struct trainer_player *p = player;
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
		trainer_teach(p, now, &report, MOVE_NONE);
		g->play(g, &half, move.step[0]);
		if (half.pending)
			trainer_teach(p, &half, &report, move.step[0]);
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			trainer_end_samples(p, first, report.lower, held);
			first = game->count;
			ended = rng_below(rng, SEAT_PLAY_ON);
		}
		record_play(&p->seat.record, move);
	}
	trainer_end_samples(p, first, score_sign(now->score), held);
}

static void *trainer_begin_play(void *arg)
{
	struct trainer_player *p = xcalloc(1, sizeof *p);
	p->trainer = arg;
	seat_init(&p->seat, &p->trainer->game, TREE_MIB);
	return p;
}

static void trainer_end_play(void *player)
{
	struct trainer_player *p = player;
	seat_free(&p->seat);
	free(p);
}

/* Without a network, mcts evaluates by playouts. */
static bool trainer_use_net(void *arg, const void *file)
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

/* --- learning --- */

static void *trainer_create_learner(const struct training *s)
{
	return learner_create(s->game, s->seed);
}

static void trainer_destroy_learner(void *learner)
{
	learner_destroy(learner);
}

static struct packet trainer_state_of(void *learner)
{
	return learner_state(learner);
}

static bool trainer_resume(void *learner, const void *state)
{
	return learner_resume(learner, state);
}

static bool trainer_take_net(void *learner, const struct training *s)
{
	const struct net *own = net_of(s->game);
	if (!s->onward || !own)
		return false;
	if (!learner_take_net(learner, own->file))
		abort(); /* the program's own file is valid */
	return true;
}

static struct packet trainer_net_file_of(void *learner)
{
	struct packet net;
	net.bytes = learner_net(learner, &net.size);
	return net;
}

static const struct sample *samples_of(const struct window *w)
{
	return (const void *)w->samples;
}

static struct learner_error trainer_find_error(void *learner, const struct window *w)
{
	return learner_error(learner, samples_of(w), w->count, HELD_MOST);
}

static void trainer_plan(const struct window *w, size_t fresh, size_t *last, int *steps)
{
	(void)fresh;
	size_t once = w->count / LEARN_BATCH;
	*last = w->count;
	*steps = (int)(once < ROUND_STEPS ? once : ROUND_STEPS);
}

static void trainer_study(void *learner, const struct window *w, size_t last, int steps,
			  double rate)
{
	learner_train(learner, samples_of(w) + (w->count - last), last, steps, rate);
}

void trainer_run(const struct training *settings)
{
	static const struct course_kind kind = {
		.play = { .size = sizeof(struct sample),
			  .use = trainer_use_net,
			  .begin = trainer_begin_play,
			  .end = trainer_end_play,
			  .play = trainer_play_game },
		.window = WINDOW,
		.batch = LEARN_BATCH,
		.create = trainer_create_learner,
		.destroy = trainer_destroy_learner,
		.state = trainer_state_of,
		.resume = trainer_resume,
		.take = trainer_take_net,
		.file = trainer_net_file_of,
		.error = trainer_find_error,
		.plan = trainer_plan,
		.study = trainer_study,
	};
	struct trainer *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->game = *settings->game;
	t->evaluator = (struct evaluator)NET_EVALUATOR(&t->net);
	course_run(&kind, settings, t);
	net_close(&t->net);
	free(t);
}
