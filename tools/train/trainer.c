/* SPDX-License-Identifier: MIT */
#include "tools/train/trainer.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/memory.h"
#include "games/games.h"
#include "games/quadrant_net.h"
#include "tools/lib/exact.h"
#include "tools/lib/message.h"
#include "tools/train/folder.h"
#include "tools/train/learn.h"

#define WINDOW           6000000 /* maximum number of samples; the newest are kept */
#define ROUND_STEPS      1500 /* optimizer steps per round; at most one pass through all samples */
#define RANDOM_MOVES     7    /* a game begins with fewer random moves than this */
#define FREE_MOVES       3    /* number of moves after them that are drawn by their visits */
#define SOLVED_WITHIN    0.02 /* the game's solver is used if it needs at most this many seconds */
#define PASS_PARTS       32 /* parts of a pass through the samples, each with its own learning rate */
#define VISITS_TO_TEACH  40 /* with fewer visits, a placement says too little about its turns */
#define NOISE            0.25
#define HELD_GAMES       20 /* one game in this many is held out */
#define HELD_MOST        20000
#define PLAY_ON_GAMES    4 /* one game in this many is played on after its result is known */
#define GAME_SAMPLES_MAX 4096

struct trainer {
	struct training settings;
	struct game game; /* the game with the current network */
	struct net net;
	struct evaluator evaluator;
	struct learner *learner;
	struct sample *samples;
	size_t count;
	int round;
	int64_t end;
};

/* One thread's games of a round. */
struct player {
	pthread_t thread;
	const struct trainer *trainer;
	_Atomic size_t *made; /* number of samples of all players */
	uint64_t seed;
	struct sample *samples;
	size_t count, room;
	int game_count;
	struct exact exact;
};

/* --- self-play --- */

static struct sample *sample_add(struct player *p, const struct state *s)
{
	const struct game *g = &p->trainer->game;
	move_t steps[GAME_STEPS_MAX];
	uint64_t set[2];
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : GAME_SAMPLES_MAX;
		p->samples = xrealloc(p->samples, p->room * sizeof *p->samples);
	}
	struct sample *sample = &p->samples[p->count++];
	*sample = (struct sample) { .pending = s->pending };
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

static struct move choose(const struct report *r, struct rng *rng, bool freely)
{
	uint64_t sum = 0;
	for (int i = 0; i < r->move_count; i++)
		sum += r->moves[i].visits;
	if (!freely || sum == 0 || r->lower == r->upper)
		return r->line[0];
	uint64_t at = rng_next(rng) % sum;
	for (int i = 0; i < r->move_count; i++) {
		if (at < r->moves[i].visits)
			return r->moves[i].move;
		at -= r->moves[i].visits;
	}
	return r->line[0];
}

static void play_random_moves(struct record *r, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	for (int n = (int)rng_below(rng, RANDOM_MOVES); n > 0 && !r->now.over; n--) {
		int count = record_moves(r, moves);
		record_play(r, moves[rng_below(rng, (uint32_t)count)]);
	}
}

/* Calls the game's solver if it is quick. The report then lists all moves; those that keep the value have a
 * visit. */
static bool solve(struct player *p, const struct state *s, struct report *r)
{
	const struct game *g = &p->trainer->game;
	struct solution found;
	int least, most;
	if (!exact_solve(&p->exact, g, s, SOLVE_ALL, SOLVED_WITHIN, NULL, &found))
		return false;
	solution_bounds(&found, s->side, &least, &most);
	report_init(r);
	r->value = r->lower = r->upper = score_sign(least);
	for (int i = 0; i < found.count; i++) {
		struct report_move *m = report_add(r, found.moves[i].move);
		m->value = m->lower = m->upper = score_sign(found.moves[i].least);
		m->visits = m->lower == r->lower;
		if (m->visits && !r->line_count)
			r->line[r->line_count++] = m->move;
	}
	return true;
}

/* Sets the result of the samples from `first` on. */
static void end_samples(struct player *p, size_t first, int result, bool held)
{
	for (size_t i = first; i < p->count; i++) {
		p->samples[i].result *= (float)result;
		p->samples[i].held = held;
	}
}

static void play_game(struct player *p, struct engine *e, struct record *r, struct rng *rng)
{
	static _Thread_local struct report report;
	uint64_t simulations = (uint64_t)p->trainer->settings.simulations;
	size_t first = p->count;
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false;
	char why[REASON_MAX];
	record_restart(r, &p->trainer->game);
	play_random_moves(r, rng);
	for (int moves = 0; !ended && !r->now.over; moves++) {
		bool solved = solve(p, &r->now, &report);
		struct limits limits = { .deadline = TIME_NEVER, .work_max = simulations };
		if (!solved && !engine_search(e, r, &limits, &report, why))
			message_exit("%s", why);
		bool known = report.lower == report.upper;
		struct move move = choose(&report, rng, moves < FREE_MOVES);
		struct state half = r->now;
		teach(p, &r->now, &report, MOVE_NONE);
		p->trainer->game.play(&half, move.step[0]);
		if (half.pending)
			teach(p, &half, &report, move.step[0]);
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			end_samples(p, first, report.lower, held);
			first = p->count;
			ended = rng_below(rng, PLAY_ON_GAMES);
		}
		record_play(r, move);
	}
	end_samples(p, first, score_sign(r->now.score), held);
	p->game_count++;
}

static void *play(void *arg)
{
	struct player *p = arg;
	struct engine *e = engine_create();
	struct options *o = engine_options(e);
	struct record r;
	struct rng rng;
	rng_seed(&rng, p->seed);
	options_set(o, "search", "mcts");
	o->threads = 1;
	o->memory = 64;
	o->reuse = o->early_stop = false;
	o->noise = NOISE;
	o->seed = (int64_t)(rng_next(&rng) >> 2 | 1);
	engine_reseed(e);
	record_init(&r, &p->trainer->game);
	while (atomic_load(p->made) < (size_t)p->trainer->settings.samples &&
	       clock_now() < p->trainer->end) {
		size_t before = p->count;
		play_game(p, e, &r, &rng);
		atomic_fetch_add(p->made, p->count - before);
	}
	record_free(&r);
	engine_destroy(e);
	exact_free(&p->exact);
	return NULL;
}

/* --- files --- */

/* Reads the newest samples of earlier runs. */
static void read_samples(struct trainer *t)
{
	size_t all;
	FILE *f = folder_open(t->settings.folder, "samples", sizeof *t->samples, &all);
	if (!f)
		return;
	size_t skipped = all > WINDOW ? all - WINDOW : 0;
	fseek(f, (long)(skipped * sizeof *t->samples), SEEK_SET);
	t->count = fread(t->samples, sizeof *t->samples, all - skipped, f);
	fclose(f);
}

static void keep_samples(struct trainer *t, const struct sample *samples, size_t count)
{
	if (count == 0)
		return; /* other players made all samples of the round */
	folder_append(t->settings.folder, "samples", samples, count * sizeof *samples);
	if (t->count + count > WINDOW) {
		size_t drop = t->count + count - WINDOW;
		memmove(t->samples, t->samples + drop, (t->count - drop) * sizeof *samples);
		t->count -= drop;
	}
	memcpy(t->samples + t->count, samples, count * sizeof *samples);
	t->count += count;
}

static void keep_net(struct trainer *t)
{
	char path[FOLDER_PATH_MAX];
	size_t size;
	void *net = learner_net(t->learner, &size);
	folder_path(t->settings.folder, "learner", path);
	if (!learner_save(t->learner, path))
		message_exit_errno("write", path);
	folder_write(t->settings.output, net, size);
	net_close(&t->net);
	free((void *)(uintptr_t)t->net.file);
	t->net.file = net;
	t->game.evaluator = &t->evaluator;
}

/* --- rounds --- */

static int play_round(struct trainer *t)
{
	struct player *players = xcalloc((size_t)t->settings.threads, sizeof *players);
	_Atomic size_t made = 0;
	int game_count = 0;
	for (int i = 0; i < t->settings.threads; i++) {
		players[i].trainer = t;
		players[i].made = &made;
		players[i].seed = t->settings.seed + (uint64_t)(t->round * 1000 + i);
		if (pthread_create(&players[i].thread, NULL, play, &players[i]) != 0)
			message_exit_errno("start", "a thread");
	}
	for (int i = 0; i < t->settings.threads; i++) {
		pthread_join(players[i].thread, NULL);
		keep_samples(t, players[i].samples, players[i].count);
		game_count += players[i].game_count;
		free(players[i].samples);
	}
	free(players);
	return game_count;
}

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
	size_t steps = t->count / LEARN_BATCH / PASS_PARTS;
	for (int part = 0; part < PASS_PARTS; part++) {
		double done = (i + (double)part / PASS_PARTS) / t->settings.passes;
		learner_train(t->learner, t->samples, t->count, (int)steps + 1,
			      t->settings.rate * (1 + cos(pi * done)) / 2);
	}
	keep_net(t);
	struct learn_error error = learner_error(t->learner, t->samples, t->count, HELD_MOST);
	printf("pass %d: %zu samples, held-out error %.4f, priors %.4f nats\n", i + 1, t->count,
	       error.value, error.priors);
	fflush(stdout);
}

static void run_round(struct trainer *t)
{
	int64_t start = clock_now();
	int game_count = play_round(t);
	struct learn_error before = learner_error(t->learner, t->samples, t->count, HELD_MOST);
	size_t steps = t->count / LEARN_BATCH;
	learner_train(t->learner, t->samples, t->count,
		      (int)(steps < ROUND_STEPS ? steps : ROUND_STEPS), learning_rate(t));
	keep_net(t);
	FILE *log = folder_extend(t->settings.folder, "log.tsv");
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f\n", t->round, game_count, t->count, before.value,
		before.priors);
	fclose(log);
	printf("round %d: %d games, %zu samples, held-out error %.3f, priors %.3f nats, %.0f s, "
	       "%.0f s left\n",
	       t->round, game_count, t->count, before.value, before.priors,
	       (double)(clock_now() - start) / 1e9, (double)(t->end - clock_now()) / 1e9);
	fflush(stdout);
	t->round++;
}

void trainer_run(const struct training *settings)
{
	struct trainer t = { .settings = *settings, .game = *settings->game };
	const struct net *own = net_of(settings->game);
	char path[FOLDER_PATH_MAX];
	t.evaluator = (struct evaluator)NET_EVALUATOR(&t.net);
	t.game.evaluator = NULL;
	folder_make(settings->folder);
	t.samples = xmalloc(WINDOW * sizeof *t.samples);
	t.learner = learner_create(settings->game, settings->seed);
	read_samples(&t);
	t.round = folder_lines(settings->folder, "log.tsv");
	folder_path(settings->folder, "learner", path);
	if (t.round ? learner_load(t.learner, path) : settings->onward && own) {
		if (!t.round && !learner_take_net(t.learner, own->file))
			abort(); /* the program's own file is valid */
		keep_net(&t);
	}
	if (settings->passes && !t.count)
		message_exit("%s has no samples to learn from", settings->folder);
	for (int i = 0; i < settings->passes; i++)
		pass(&t, i);
	t.end = clock_now() + (int64_t)(settings->seconds * 1e9);
	for (int i = 0; i < settings->rounds && clock_now() < t.end; i++)
		run_round(&t);
	net_close(&t.net);
	free((void *)(uintptr_t)t.net.file);
	learner_destroy(t.learner);
	free(t.samples);
}
