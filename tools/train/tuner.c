/* SPDX-License-Identifier: MIT */
#include "tools/train/tuner.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/pattern.h"
#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/solver.h"
#include "tools/learn/fit.h"
#include "tools/lib/message.h"
#include "tools/lib/plot.h"
#include "tools/train/actor.h"
#include "tools/train/folder.h"
#include "tools/train/recipe.h"
#include "tools/train/rounds.h"
#include "tools/train/selfplay.h"

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
	struct training settings;
	bool knows; /* the weights are trained: searches expect something */
	double solved_within;
	struct selfplay selfplay;

	/* On rank 0: */
	struct folder folder;
	struct fit *fit;
	struct window examples;
	int64_t end;
};

/* What a worker plays with. */
struct tuner_worker {
	const struct tuner *tuner;
	struct actor actor;
	struct rng *rng; /* of the current game */
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
static bool tuner_solve(struct tuner_worker *p, const struct state *s, struct move *best,
			double *value)
{
	const struct game *g = p->tuner->settings.game;
	struct solution found;
	if (!exact_solve(&p->actor.exact, g, s, SOLVE_SCORE, p->tuner->solved_within, NULL, &found))
		return false;
	int most = INT_MIN, sign = side_sign(s->side);
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
static struct move tuner_think(struct tuner_worker *p, struct visit *v)
{
	const struct record *r = &p->actor.record;
	struct report report = { 0 };
	const struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT };
	struct move best = move_none();
	char why[REASON_MAX];
	v->exact = tuner_solve(p, &r->now, &best, &v->value);
	if (v->exact)
		return best;
	if (!engine_search(p->actor.engine, r, &limits, &report, why))
		selfplay_fail(why);
	v->exact = report.exact;
	v->value = isnan(report.score) ? 0 : 100 * report.score;
	best = report.line[0];
	report_free(&report);
	return best;
}

/* Adds the positions of a finished game as examples. */
static void keep_visits(struct tuner_worker *p, struct selfplay_game *game,
			const struct visit *visits, int count, int score)
{
	bool held = rng_below(p->rng, HELD_GAMES) == 0;
	double later = 100 * score, part = p->tuner->knows ? PLAYED_ON : 1;
	for (int i = count; i-- > 0;) {
		const struct visit *v = &visits[i];
		if (v->exact || v->stray)
			later = v->value;
		else
			later = part * later + (1 - part) * v->value;
		if (v->stray && !v->exact && !p->tuner->knows)
			continue;
		*(struct example *)selfplay_add(game) = (struct example) {
			.own = v->stones[v->side],
			.other = v->stones[v->side ^ 1],
			.target = (int16_t)lrint(v->side == BLACK ? later : -later),
			.held = held,
			.exact = v->exact,
		};
	}
}

/* Starts a game with random moves. They give neither side a large lead, except in one game in WILD_GAMES. */
static void open_game(struct tuner_worker *p, bool is_level)
{
	const struct record *r = &p->actor.record;
	struct visit v = { 0 };
	bool is_wild = !is_level && rng_below(p->rng, WILD_GAMES) == 0;
	do {
		record_restart(&p->actor.record, p->tuner->settings.game);
		actor_play_random(&p->actor, RANDOM_LEAST + (int)rng_below(p->rng, RANDOM_RANGE),
				  p->rng);
		if (!r->now.over)
			tuner_think(p, &v);
	} while (fabs(v.value) > (is_level ? LEVEL : BALANCED) && !is_wild);
}

static void tuner_play_game(void *worker, struct selfplay_game *game)
{
	struct tuner_worker *p = worker;
	struct record *r = &p->actor.record;
	const struct game *g = p->tuner->settings.game;
	struct visit visits[MOVES_MAX];
	int count = 0;
	p->rng = &game->rng;
	actor_begin(&p->actor, g, p->rng);
	bool is_level = p->tuner->knows && rng_below(p->rng, LEVEL_GAMES) == 0;
	open_game(p, is_level);
	while (!r->now.over && count < MOVES_MAX && !selfplay_stopped(game)) {
		struct visit *v = &visits[count];
		if (game_must_pass(g, &r->now)) {
			record_play(r, record_draw(r, p->rng));
			continue;
		}
		struct move move = tuner_think(p, v);
		v->side = r->now.side;
		g->images->stones(g, &r->now, v->stones);
		v->stray = !is_level &&
			   rng_below(p->rng, v->exact ? STRAY_SOLVED : STRAY_MOVES) == 0;
		if (v->stray)
			move = record_draw(r, p->rng);
		record_play(r, move);
		count++;
	}
	keep_visits(p, game, visits, count, r->now.score);
}

static void *tuner_begin_play(void *arg)
{
	const struct tuner *t = arg;
	struct tuner_worker *p = xcalloc(1, sizeof *p);
	p->tuner = t;
	actor_init(&p->actor, t->settings.game, "alphabeta", 8);
	struct options *o = engine_options(p->actor.engine);
	o->exact = o->book = false;
	o->depth = t->settings.depth;
	return p;
}

static void tuner_end_play(void *worker)
{
	struct tuner_worker *p = worker;
	actor_free(&p->actor);
	free(p);
}

static bool tuner_use_weights(void *arg, const void *file)
{
	struct tuner *t = arg;
	t->knows = file;
	return pattern_load(eval_patterns(t->settings.game), file);
}

static const struct selfplay_kind kind = {
	.size = sizeof(struct example),
	.use = tuner_use_weights,
	.begin = tuner_begin_play,
	.end = tuner_end_play,
	.play = tuner_play_game,
};

/* --- files --- */

/* Returns how many examples are kept with `fresh` ones. */
static size_t tuner_kept(const struct tuner *t, size_t fresh)
{
	size_t all = t->folder.samples + fresh, most = t->settings.onward ? all : all - all / 2;
	most = most > fresh ? most : fresh;
	return most < WINDOW ? most : WINDOW;
}

/* Returns the weights, which have learned from so many rounds, as the game's file. */
static struct packet make_file(struct tuner *t, int rounds)
{
	struct packet file;
	size_t count;
	const float *weights = fit_weights(t->fit, &count);
	file.bytes = pattern_file(eval_patterns(t->settings.game), weights, &file.size);
	recipe_add(&file, t->settings.command, rounds);
	return file;
}

/* Saves the weights as those after `rounds` rounds. */
static void keep_weights(struct tuner *t, int rounds)
{
	size_t count;
	const float *weights = fit_weights(t->fit, &count);
	folder_write_state(&t->folder, rounds, weights, count * sizeof *weights);
}

/* Reads the weights of an earlier run. Returns false if there are none. */
static bool read_weights(struct tuner *t)
{
	char path[FOLDER_PATH_MAX];
	size_t count;
	float *weights = fit_weights(t->fit, &count);
	if (!folder_find_state(&t->folder, path))
		return false;
	FILE *f = fopen(path, "rb");
	bool whole = f && fread(weights, sizeof *weights, count, f) == count;
	if (f)
		fclose(f);
	if (!whole)
		message_exit("%s is damaged or of another game", path);
	return true;
}

/* Starts with the game's current weights. */
static void tuner_take_weights(struct tuner *t)
{
	const struct patterns *p = eval_patterns(t->settings.game);
	size_t count;
	float *own = pattern_weights(p, p->file), *weights = fit_weights(t->fit, &count);
	memcpy(weights, own, count * sizeof *weights);
	free(own);
}

/* Plots the error on held-out examples against the number of stones. */
static void draw_error(const struct tuner *t, const double error[65])
{
	char path[FOLDER_PATH_MAX];
	double x[65], y[65], most = 0;
	struct plot plot;
	struct text svg = { 0 };
	folder_file_path(&t->folder, "error.svg", path);
	FILE *f = fopen(path, "w");
	if (!f)
		message_exit_errno("write", path);
	for (int i = 0; i < 65; i++) {
		x[i] = i;
		y[i] = error[i] < 0 ? NAN : error[i];
		most = fmax(most, error[i]);
	}
	plot_begin_file(&plot, &svg, 300, "Error on held examples");
	plot_axes(&plot, 0, t->settings.game->board.rows * t->settings.game->board.cols,
		  "stones on the board", 0, most, "error, points (root mean square)", "%g");
	plot_line(&plot, "s0", x, y, 65);
	plot_end(&plot);
	text_send(&svg, f);
	if (fclose(f) != 0)
		message_exit_errno("write", path);
}

/* --- rounds --- */

static struct packet tuner_learn(void *arg, const struct selfplay_round *r)
{
	struct tuner *t = arg;
	double error[65];
	int64_t start = clock_now();
	window_add(&t->examples, r->samples, r->count, tuner_kept(t, r->count));
	const struct example *examples = t->examples.samples;
	size_t count = t->examples.count;
	double before = fit_error(t->fit, examples, count, error);
	fit_learn(t->fit, examples, count, t->settings.onward ? EPOCHS_ONWARD : EPOCHS,
		  (float)t->settings.rate, t->settings.threads);
	double after = fit_error(t->fit, examples, count, error);
	keep_weights(t, r->number + 1);
	draw_error(t, error);
	FILE *log = folder_open_log(&t->folder);
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f", r->number, r->games, count, before, after);
	for (int i = 0; i < 65; i++)
		fprintf(log, "\t%.3f", error[i]);
	fprintf(log, "\n");
	folder_close_log(&t->folder, log);
	progress_clear(&t->selfplay.progress);
	printf("round %d: %d games, %zu positions, held-out error %.3f, then %.3f (%.2f at 24 "
	       "stones, %.2f at 40, %.2f at 52), %.0f s of play, %.0f s, %.0f s left\n",
	       r->number, r->games, count, before, after, error[24], error[40], error[52],
	       r->seconds, r->seconds + clock_since(start),
	       fmax(0, (double)(t->end - clock_now()) / 1e9));
	fflush(stdout);
	return make_file(t, r->number + 1);
}

/* Rank 0 learns. */
static void tuner_lead(struct tuner *t)
{
	const struct training *s = &t->settings;
	t->end = clock_now() + (int64_t)(s->seconds * 1e9);
	folder_enter(&t->folder, s->folder, s->game, "examples", "weights", sizeof(struct example),
		     s->output);
	/* Each round has another order of examples, also after a new start. */
	t->fit = fit_create(eval_patterns(s->game), s->seed + (uint64_t)t->folder.rounds);
	window_init(&t->examples, &t->folder, tuner_kept(t, 0));
	bool knows = read_weights(t);
	if (!knows && s->onward) {
		tuner_take_weights(t);
		knows = true;
	}
	if (knows)
		rounds_give(&t->selfplay, &t->folder, make_file(t, t->folder.rounds));
	rounds_run(&(struct rounds) {
		.selfplay = &t->selfplay,
		.folder = &t->folder,
		.count = s->rounds,
		.samples = (size_t)s->samples,
		.overlap = s->overlap,
		.end = t->end,
		.learn = tuner_learn,
		.arg = t,
	});
	selfplay_end(&t->selfplay);
	fit_destroy(t->fit);
	window_free(&t->examples);
	folder_leave(&t->folder);
}

void tuner_run(const struct training *settings)
{
	struct tuner *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->solved_within = SOLVED_WITHIN * pow(SOLVED_MORE, settings->depth);
	selfplay_init(&t->selfplay, &kind, t, settings->threads, settings->seed);
	if (ranks_own() == 0)
		tuner_lead(t);
	else
		selfplay_follow(&t->selfplay);
	selfplay_free(&t->selfplay);
	free(t);
}
