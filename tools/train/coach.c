/* SPDX-License-Identifier: MIT */
#include "tools/train/coach.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "tools/lib/message.h"
#include "tools/train/board_learn.h"
#include "tools/train/curve.h"
#include "tools/train/folder.h"
#include "tools/train/recipe.h"
#include "tools/train/rounds.h"
#include "tools/train/seat.h"
#include "tools/train/selfplay.h"
#include "tools/train/window.h"

#define WINDOW 2000000 /* maximum number of samples; the newest are kept */
#define WINDOW_ROUNDS                                                                              \
	4 /* the learner sees the newer half of all samples, but at least so many rounds */
#define REUSE        6  /* times that a sample is learned from in the round after it was played */
#define RANDOM_MOVES 13 /* a game begins with fewer random moves than this */
#define SHORT_SEARCH 6  /* a full search has so many times the simulations of a short one */
#define NOISE        0.25
#define TREE_MIB     16
#define HELD_GAMES   20 /* one game in this many is held out */
#define HELD_MOST    10000

struct coach {
	struct training settings;
	struct game game; /* the game with the current network */
	struct board_net net;
	struct evaluator evaluator;
	struct selfplay selfplay;
	struct selfplay_kind kind;
	size_t size; /* bytes of a sample */

	/* On rank 0: */
	struct folder folder;
	struct board_learner *learner;
	struct window window;
	int64_t end;
};

/* What a lane plays with. */
struct player {
	const struct coach *coach;
	struct seat seat;
	struct selfplay_game *game; /* the current one */
};

/* --- self-play --- */

/* Adds the state before a move as a sample. A proven win teaches only moves that win. Of a lost position all moves are
 * taught by their visits. */
static void teach(struct player *p, const struct state *s, const struct report *r)
{
	const struct game *g = &p->coach->game;
	int sign = side_sign(s->side), squares = g->rows * g->cols;
	bool won = sign * (sign > 0 ? r->lower : r->upper) > 0, known = r->lower == r->upper;
	bool lost = known && sign * r->upper < 0;
	uint64_t visits[GAME_CODES_MAX] = { 0 }, most = 0, sum = 0;
	double value = 0;
	move_t steps[GAME_STEPS_MAX];
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int least = sign > 0 ? m->lower : -m->upper, best = sign > 0 ? m->upper : -m->lower;
		uint64_t weight = m->visits;
		if ((best < 0 && !lost) || (won && least <= 0))
			continue;
		weight = won && !weight ? 1 : weight;
		visits[m->move.step[0]] += weight;
		sum += weight;
		most = visits[m->move.step[0]] > most ? visits[m->move.step[0]] : most;
		if (weight)
			value += (double)weight * m->value;
	}
	if (!sum)
		return;
	struct board_sample *sample = selfplay_add(p->game);
	board_net_look(g, s, sample->bytes);
	for (int i = 0, count = g->moves(s, steps); i < count; i++)
		sample->bytes[squares + board_net_step(g, s->side, steps[i])] =
			(uint8_t)(1 + 254 * visits[steps[i]] / most);
	sample->exact = known;
	sample->search = (float)(sign * (known ? r->lower : value / (double)sum));
	/* Until the game ends, the side that chose: 1 Black, -1 White. */
	sample->result = (float)sign;
}

static struct board_sample *sample_at(const struct coach *t, char *samples, size_t i)
{
	return (struct board_sample *)(samples + i * t->size);
}

/* Sets the result of the samples from `first` on. */
static void end_samples(struct player *p, size_t first, int result, bool held)
{
	for (size_t i = first; i < p->game->count; i++) {
		struct board_sample *s = sample_at(p->coach, p->game->samples, i);
		s->result *= (float)result;
		s->held = held;
	}
}

static void play_game(void *player, struct selfplay_game *game)
{
	static _Thread_local struct report report;
	struct player *p = player;
	const struct coach *t = p->coach;
	const struct state *now = &p->seat.record.now;
	struct rng *rng = &game->rng;
	size_t first = 0;
	int simulations = t->settings.simulations, free_moves = game_size(&t->game);
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false, known = false;
	p->game = game;
	seat_begin(&p->seat, &t->game, rng);
	seat_play_random(&p->seat, (int)rng_below(rng, RANDOM_MOVES), rng);
	for (int moves = 0; !ended && !now->over && !selfplay_stopped(game); moves++) {
		bool full = rng_below(rng, COACH_FULL) == 0, was_known = known;
		bool solved = seat_solve(&p->seat, &report);
		if (!solved)
			seat_search(&p->seat, full ? simulations : 1 + simulations / SHORT_SEARCH,
				    full ? NOISE : 0, &report);
		known = report.lower == report.upper;
		if (full || (known && !was_known))
			teach(p, now, &report);
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			end_samples(p, first, report.lower, held);
			first = game->count;
		}
		if (solved) {
			seat_wander(&p->seat, &report, rng);
		} else {
			/* Without the solver, the rest of a decided game costs as much as its beginning. */
			ended = known && rng_below(rng, SEAT_PLAY_ON);
			record_play(&p->seat.record, seat_choose(&report, moves < free_moves, rng));
		}
	}
	end_samples(p, first, score_sign(now->score), held);
}

static void *begin_play(void *arg)
{
	struct player *p = xcalloc(1, sizeof *p);
	p->coach = arg;
	seat_init(&p->seat, &p->coach->game, TREE_MIB);
	/* The same constant in the first round, which has no network. */
	engine_options(p->seat.engine)->puct = BOARD_NET_PUCT;
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
	struct coach *t = arg;
	struct board_weights *read = file ? board_net_read(t->settings.game, file) : NULL;
	bool fits = !file || read;
	free(read);
	board_net_close(&t->net);
	t->net.file = file;
	t->game.evaluator = file ? &t->evaluator : NULL;
	return fits;
}

/* --- files --- */

/* Writes the network, which has learned from so many rounds, as the game's file. Returns it. */
static struct packet write_net(struct coach *t, int rounds)
{
	struct packet net;
	struct board_weights *w = board_learner_weights(t->learner);
	net.bytes = board_net_file(t->settings.game, w, &net.size);
	free(w);
	recipe_write(&net, t->settings.output, t->settings.command, rounds);
	return net;
}

/* Saves the learner as that after `rounds` rounds, and writes the network. */
static struct packet keep_net(struct coach *t, int rounds)
{
	char path[FOLDER_PATH_MAX];
	folder_state_path(&t->folder, rounds, path);
	if (!board_learner_save(t->learner, path))
		message_exit_errno("write", path);
	return write_net(t, rounds);
}

/* --- rounds --- */

/* The learning rate falls towards the end of the run. */
static double learning_rate(const struct coach *t)
{
	double left = (double)(t->end - clock_now()) / (t->settings.seconds * 1e9);
	return t->settings.rate * (left > 0.3 ? 1 : left > 0.1 ? 0.3 : 0.1);
}

static struct packet learn(void *arg, const struct selfplay_round *r)
{
	struct coach *t = arg;
	int64_t start = clock_now();
	window_add(&t->window, r->samples, r->count);
	struct board_error before = board_learner_error(t->learner, t->window.samples,
							t->window.count, HELD_MOST);
	size_t window = t->window.count / 2, least = WINDOW_ROUNDS * r->count;
	window = window < least ? least : window;
	window = window < t->window.count ? window : t->window.count;
	board_learner_train(t->learner, sample_at(t, t->window.samples, t->window.count - window),
			    window, 1 + (int)(REUSE * r->count / BOARD_LEARN_BATCH),
			    learning_rate(t));
	struct packet net = keep_net(t, r->number + 1);
	FILE *log = folder_open_log(&t->folder);
	fprintf(log, "%d\t%d\t%zu\t%.4f\t%.4f\n", r->number, r->games, t->window.count,
		before.value, before.policy);
	folder_close_log(&t->folder, log);
	curve_draw(&t->folder);
	progress_clear(&t->selfplay.progress);
	printf("round %d: %d games, %zu samples, held-out error %.3f, policy %.3f nats, %.0f s of "
	       "play, %.0f s, %.0f s left\n",
	       r->number, r->games, t->window.count, before.value, before.policy, r->seconds,
	       r->seconds + (double)(clock_now() - start) / 1e9,
	       fmax(0, (double)(t->end - clock_now()) / 1e9));
	fflush(stdout);
	return net;
}

/* Returns the network that the run starts with, or NULL. */
static struct board_weights *find_start(const struct training *s)
{
	char why[REASON_MAX];
	const struct board_net *own = board_net_of(s->game);
	if (s->start) {
		struct board_weights *w = board_net_read_file(s->game, s->start, why);
		if (!w)
			message_exit("%s", why);
		return w;
	}
	return s->onward && own ? board_net_read(s->game, own->file) : NULL;
}

/* Starts the learner with what the folder has, or with another network. */
static void begin_learning(struct coach *t)
{
	char path[FOLDER_PATH_MAX];
	bool knows = t->folder.rounds && folder_find_state(&t->folder, path);
	if (knows && !board_learner_load(t->learner, path))
		message_exit("%s is damaged, or of another game or size of network", path);
	struct board_weights *start = knows ? NULL : find_start(&t->settings);
	if (start && !board_learner_take(t->learner, start))
		message_exit("the network to start with needs --blocks=%d or more", start->blocks);
	if (knows || start)
		selfplay_share(&t->selfplay, write_net(t, t->folder.rounds), t->folder.rounds);
	free(start);
}

/* Rank 0 learns. */
static void lead(struct coach *t)
{
	const struct training *s = &t->settings;
	folder_enter(&t->folder, s->folder, "samples", "learner", t->size);
	t->learner = board_learner_create(s->game, s->blocks, s->seed, s->threads);
	window_init(&t->window, &t->folder, WINDOW);
	begin_learning(t);
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
	board_learner_destroy(t->learner);
	window_free(&t->window);
	folder_leave(&t->folder);
}

void coach_run(const struct training *settings)
{
	struct coach *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->game = *settings->game;
	t->size = board_sample_size(settings->game);
	t->evaluator = (struct evaluator)BOARD_NET_EVALUATOR(&t->net);
	t->kind = (struct selfplay_kind) { .size = t->size,
					   .use = use_net,
					   .begin = begin_play,
					   .end = end_play,
					   .play = play_game };
	selfplay_init(&t->selfplay, &t->kind, t, settings->threads, settings->seed);
	if (ranks_own() == 0)
		lead(t);
	else
		selfplay_follow(&t->selfplay);
	board_net_close(&t->net);
	selfplay_free(&t->selfplay);
	free(t);
}
