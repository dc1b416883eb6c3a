/* SPDX-License-Identifier: MIT */
#include "tools/train/tuner.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/evaluation/pattern.h"
#include "engine/memory.h"
#include "tools/lib/exact.h"
#include "tools/lib/message.h"
#include "tools/lib/plot.h"
#include "tools/train/fit.h"
#include "tools/train/folder.h"

/* Maximum number of examples. The newest are kept, and at most half of all unless --warm-start is given: the first
 * ones come from untrained weights. */
#define WINDOW        60000000
#define EPOCHS        12 /* passes per round */
#define EPOCHS_ONWARD 4
#define RANDOM_LEAST  6   /* minimum number of random moves at the start of a game */
#define RANDOM_RANGE  12  /* their number is below RANDOM_LEAST + this */
#define BALANCED      800 /* maximum lead after the random moves, in hundredths of a point */
#define WILD_GAMES    8   /* one game in this many may start with any lead */
#define STRAY_MOVES   40  /* one move in this many after the random ones is a stray: random */
#define STRAY_SOLVED  4   /* the same once the score is known */
/* One game in LEVEL_GAMES is level, like a game between players who know openings. */
#define LEVEL_GAMES   3
#define LEVEL         300 /* maximum lead in such a game, which has no strays */
#define PLAYED_ON     0.7 /* weight of later values in a target */
/* The game's solver plays if it needs at most SOLVED_WITHIN seconds. The limit grows by the factor SOLVED_MORE
 * per ply of search depth, as the time of a search does. */
#define SOLVED_WITHIN 0.001
#define SOLVED_MORE   1.6
#define HELD_GAMES    20  /* one game in this many is held out */
#define MOVES_MAX     128 /* maximum number per game */

struct tuner {
	struct tuning settings;
	struct fit *fit;
	struct example *examples;
	size_t count;
	size_t made; /* including those that were dropped */
	int round;
	bool knows; /* the weights are trained: searches expect something */
	double solved_within;
	int64_t end;
};

/* One thread's games of a round. */
struct player {
	pthread_t thread;
	const struct tuner *tuner;
	_Atomic size_t *made; /* number of examples of all players */
	uint64_t seed;
	struct engine *engine;
	struct rng rng;
	struct example *examples;
	size_t count, room;
	int game_count;
	struct exact exact;
};

/* A position of the game. */
struct visit {
	uint64_t stones[2];
	int side;
	double value; /* Black's expected score, hundredths */
	bool exact;
	bool stray; /* a random move follows: later values say nothing about this position */
};

/* --- self-play --- */

/* Calls the game's solver if it is quick. */
static bool solve(struct player *p, const struct state *s, struct move *best, double *value)
{
	const struct game *g = p->tuner->settings.game;
	struct solution found;
	if (!exact_solve(&p->exact, g, s, SOLVE_SCORE, p->tuner->solved_within, NULL, &found))
		return false;
	int most = INT_MIN, sign = s->side == BLACK ? 1 : -1;
	for (int i = 0; i < found.count; i++) {
		if (found.moves[i].least != found.moves[i].most ||
		    sign * found.moves[i].least <= most)
			continue;
		most = sign * found.moves[i].least;
		*best = found.moves[i].move;
	}
	*value = 100.0 * sign * most;
	return true;
}

/* Chooses a move and sets the value of the position. */
static struct move think(struct player *p, const struct record *r, struct visit *v)
{
	static _Thread_local struct report report;
	const struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct move best = move_none();
	char why[REASON_MAX];
	v->exact = solve(p, &r->now, &best, &v->value);
	if (v->exact)
		return best;
	if (!engine_search(p->engine, r, &limits, &report, why))
		message_exit("%s", why);
	v->exact = report.exact;
	v->value = isnan(report.score) ? 0 : 100 * report.score;
	return report.line[0];
}

static struct move draw(const struct record *r, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	int count = record_moves(r, moves);
	return moves[rng_below(rng, (uint32_t)count)];
}

/* Adds the positions of a finished game as examples. */
static void keep_visits(struct player *p, const struct visit *visits, int count, int score)
{
	bool held = rng_below(&p->rng, HELD_GAMES) == 0;
	double later = 100 * score, part = p->tuner->knows ? PLAYED_ON : 1;
	for (int i = count; i-- > 0;) {
		const struct visit *v = &visits[i];
		if (v->exact || v->stray)
			later = v->value;
		else
			later = part * later + (1 - part) * v->value;
		if (v->stray && !v->exact && !p->tuner->knows)
			continue;
		if (p->count == p->room) {
			p->room = p->room ? 2 * p->room : 65536;
			p->examples = xrealloc(p->examples, p->room * sizeof *p->examples);
		}
		p->examples[p->count++] = (struct example) {
			.own = v->stones[v->side],
			.other = v->stones[v->side ^ 1],
			.target = (int16_t)lrint(v->side == BLACK ? later : -later),
			.held = held,
			.exact = v->exact,
		};
	}
}

/* Starts a game with random moves. They give neither side a large lead, except in one game in WILD_GAMES. */
static void open_game(struct player *p, struct record *r, bool is_level)
{
	struct visit v = { 0 };
	bool is_wild = !is_level && rng_below(&p->rng, WILD_GAMES) == 0;
	do {
		record_restart(r, p->tuner->settings.game);
		int n = RANDOM_LEAST + (int)rng_below(&p->rng, RANDOM_RANGE);
		for (; n > 0 && !r->now.over; n--)
			record_play(r, draw(r, &p->rng));
		if (!r->now.over)
			think(p, r, &v);
	} while (fabs(v.value) > (is_level ? LEVEL : BALANCED) && !is_wild);
}

static void play_game(struct player *p, struct record *r)
{
	const struct game *g = p->tuner->settings.game;
	struct visit visits[MOVES_MAX];
	int count = 0;
	bool is_level = p->tuner->knows && rng_below(&p->rng, LEVEL_GAMES) == 0;
	open_game(p, r, is_level);
	while (!r->now.over && count < MOVES_MAX) {
		struct visit *v = &visits[count];
		if (game_must_pass(g, &r->now)) {
			record_play(r, draw(r, &p->rng));
			continue;
		}
		struct move move = think(p, r, v);
		v->side = r->now.side;
		g->stones(&r->now, v->stones);
		v->stray = !is_level &&
			   rng_below(&p->rng, v->exact ? STRAY_SOLVED : STRAY_MOVES) == 0;
		if (v->stray)
			move = draw(r, &p->rng);
		record_play(r, move);
		count++;
	}
	keep_visits(p, visits, count, r->now.score);
	p->game_count++;
}

static void *play(void *arg)
{
	struct player *p = arg;
	const struct tuning *t = &p->tuner->settings;
	p->engine = engine_create();
	struct options *o = engine_options(p->engine);
	struct record r;
	rng_seed(&p->rng, p->seed);
	options_set(o, "search", "alphabeta");
	o->threads = 1;
	o->memory = 8;
	o->exact = o->book = false;
	o->depth = t->depth;
	o->seed = (int64_t)(rng_next(&p->rng) >> 2 | 1);
	engine_reseed(p->engine);
	record_init(&r, t->game);
	while (atomic_load(p->made) < (size_t)t->samples && clock_now() < p->tuner->end) {
		size_t before = p->count;
		play_game(p, &r);
		atomic_fetch_add(p->made, p->count - before);
	}
	record_free(&r);
	engine_destroy(p->engine);
	exact_free(&p->exact);
	return NULL;
}

/* --- files --- */

/* Returns how many of the oldest examples are not used. */
static size_t forgotten(const struct tuner *t)
{
	size_t first = t->settings.onward ? 0 : t->made / 2;
	return t->made > WINDOW + first ? t->made - WINDOW : first;
}

/* Reads the newest examples of earlier runs. */
static void read_examples(struct tuner *t)
{
	FILE *f = folder_open(t->settings.folder, "examples", sizeof *t->examples, &t->made);
	if (!f)
		return;
	fseek(f, (long)(forgotten(t) * sizeof *t->examples), SEEK_SET);
	t->examples = xmalloc((t->made - forgotten(t) + 1) * sizeof *t->examples);
	t->count = fread(t->examples, sizeof *t->examples, t->made - forgotten(t), f);
	fclose(f);
}

static void keep_examples(struct tuner *t, const struct example *examples, size_t count)
{
	if (count == 0)
		return; /* other players made all examples of the round */
	folder_append(t->settings.folder, "examples", examples, count * sizeof *examples);
	t->made += count;
	size_t keep = t->made - forgotten(t);
	size_t drop = t->count + count > keep ? t->count + count - keep : 0;
	drop = drop < t->count ? drop : t->count;
	if (drop)
		memmove(t->examples, t->examples + drop, (t->count - drop) * sizeof *examples);
	t->count -= drop;
	t->examples = xrealloc(t->examples, (t->count + count) * sizeof *examples);
	memcpy(t->examples + t->count, examples, count * sizeof *examples);
	t->count += count;
}

/* Saves the weights for the next run, writes them as the game's file, and uses them. */
static void keep_weights(struct tuner *t)
{
	char path[FOLDER_PATH_MAX];
	size_t count, size;
	const float *weights = fit_weights(t->fit, &count);
	folder_path(t->settings.folder, "weights", path);
	folder_write(path, weights, count * sizeof *weights);
	void *file = pattern_file(t->settings.game->patterns, weights, &size);
	folder_write(t->settings.output, file, size);
	if (!pattern_load(t->settings.game->patterns, file))
		message_exit_errno("use", t->settings.output);
	free(file);
	t->knows = true;
}

/* Reads the weights of an earlier run. Returns false if there are none. */
static bool read_weights(struct tuner *t)
{
	char path[FOLDER_PATH_MAX];
	size_t count;
	float *weights = fit_weights(t->fit, &count);
	folder_path(t->settings.folder, "weights", path);
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	if (fread(weights, sizeof *weights, count, f) != count)
		message_exit_errno("read", path);
	fclose(f);
	return true;
}

/* Starts with the game's current weights. */
static void take_weights(struct tuner *t)
{
	const struct patterns *p = t->settings.game->patterns;
	size_t count;
	float *own = pattern_weights(p, p->file), *weights = fit_weights(t->fit, &count);
	memcpy(weights, own, count * sizeof *weights);
	free(own);
	t->knows = true;
}

/* Plots the error on held-out examples against the number of stones. */
static void draw_error(const struct tuner *t, const double error[65])
{
	char path[FOLDER_PATH_MAX];
	double x[65], y[65], most = 0;
	struct plot plot;
	folder_path(t->settings.folder, "error.svg", path);
	FILE *f = fopen(path, "w");
	if (!f)
		message_exit_errno("write", path);
	for (int i = 0; i < 65; i++) {
		x[i] = i;
		y[i] = error[i] < 0 ? NAN : error[i];
		most = fmax(most, error[i]);
	}
	plot_begin_file(&plot, f, 300, "Error on held examples");
	plot_axes(&plot, 0, t->settings.game->rows * t->settings.game->cols, "stones on the board",
		  0, most, "error, points (root mean square)", "%g");
	plot_line(&plot, "s0", x, y, 65);
	plot_end(&plot);
	if (fclose(f) != 0)
		message_exit_errno("write", path);
}

/* --- rounds --- */

static int play_round(struct tuner *t)
{
	struct player *players = xcalloc((size_t)t->settings.threads, sizeof *players);
	_Atomic size_t made = 0;
	int game_count = 0;
	for (int i = 0; i < t->settings.threads; i++) {
		players[i].tuner = t;
		players[i].made = &made;
		players[i].seed = t->settings.seed + (uint64_t)(t->round * 1000 + i);
		if (pthread_create(&players[i].thread, NULL, play, &players[i]) != 0)
			message_exit_errno("start", "a thread");
	}
	for (int i = 0; i < t->settings.threads; i++) {
		pthread_join(players[i].thread, NULL);
		keep_examples(t, players[i].examples, players[i].count);
		game_count += players[i].game_count;
		free(players[i].examples);
	}
	free(players);
	return game_count;
}

static void run_round(struct tuner *t)
{
	double error[65];
	int64_t start = clock_now();
	int game_count = play_round(t);
	double played = (double)(clock_now() - start) / 1e9;
	double before = fit_error(t->fit, t->examples, t->count, error);
	fit_learn(t->fit, t->examples, t->count, t->settings.onward ? EPOCHS_ONWARD : EPOCHS,
		  (float)t->settings.rate, t->settings.threads);
	double after = fit_error(t->fit, t->examples, t->count, error);
	keep_weights(t);
	draw_error(t, error);
	FILE *log = folder_extend(t->settings.folder, "log.tsv");
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f", t->round, game_count, t->count, before, after);
	for (int i = 0; i < 65; i++)
		fprintf(log, "\t%.3f", error[i]);
	fprintf(log, "\n");
	fclose(log);
	printf("round %d: %d games, %zu positions, held-out error %.3f, then %.3f (%.2f at 24 "
	       "stones, %.2f at 40, "
	       "%.2f at 52), %.0f s of play, %.0f s, %.0f s left\n",
	       t->round, game_count, t->count, before, after, error[24], error[40], error[52],
	       played, (double)(clock_now() - start) / 1e9, (double)(t->end - clock_now()) / 1e9);
	fflush(stdout);
	t->round++;
}

void tuner_run(const struct tuning *settings)
{
	struct tuner t = { .settings = *settings };
	struct patterns *patterns = settings->game->patterns;
	t.solved_within = SOLVED_WITHIN * pow(SOLVED_MORE, settings->depth);
	t.end = clock_now() + (int64_t)(settings->seconds * 1e9);
	folder_make(settings->folder);
	t.fit = fit_create(patterns, settings->seed);
	read_examples(&t);
	t.round = folder_lines(settings->folder, "log.tsv");
	if (read_weights(&t))
		keep_weights(&t);
	else if (settings->onward)
		take_weights(&t);
	else
		pattern_load(patterns, NULL);
	for (int i = 0; i < settings->rounds && clock_now() < t.end; i++)
		run_round(&t);
	fit_destroy(t.fit);
	free(t.examples);
}
