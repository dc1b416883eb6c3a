/* SPDX-License-Identifier: MIT */
#include "tools/train/coach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/network.h"
#include "engine/search/mcts/halving.h"
#include "tools/lib/message.h"
#include "tools/train/board_learn.h"
#include "tools/train/seat.h"

/* The newest samples are kept. The learner draws from the newer half of them, but at least from the last rounds. */
#define WINDOW        2000000
#define WINDOW_ROUNDS 4
#define REUSE         3 /* samples drawn for each new one */
#define LATE          2 /* one solved position in this many is learned from, but the first always */
#define RANDOM_MOVES  13  /* a game begins with fewer random moves than this */
#define WIDTH         8   /* moves that a search begins with */
#define PUCT          2.5 /* more exploration than in play */
#define OTHER_KOMI    4   /* one game in this many has another komi than the usual one */
#define KOMI_CHANGE   14  /* half points by which such a komi differs at most */
#define TREE_MIB      32
#define HELD_GAMES    20 /* one game in this many is held out */
#define HELD_MOST     2500

/* What all lanes play with. */
struct coach {
	struct training settings;
	struct game game; /* the game with the current network */
	struct board_net net;
	struct evaluator evaluator;
	size_t size; /* bytes of a sample */
};

/* What a lane plays with. */
struct coach_player {
	const struct coach *coach;
	struct seat seat;
	struct selfplay_game *game; /* the current one */
};

/* --- self-play --- */

/* Weighs the step of each move by its preference and its value: what the network should have preferred (Danihelka et al.,
 * 2022). A move without visits is worth what the state is, by the network and the visited moves. Proven losses have no
 * weight. Returns the state's value by these weights, for the side that chooses. */
static double coach_weigh(const struct coach *t, const struct state *s, const struct report *r,
			  double weights[GAME_CODES_MAX])
{
	const struct game *g = &t->game;
	struct evaluator evaluator;
	struct evaluation found;
	move_t steps[GAME_STEPS_MAX];
	double values[GAME_CODES_MAX], priors = 0, visited = 0, mean = 0, sum = 0, top = -INFINITY;
	uint64_t visits[GAME_CODES_MAX] = { 0 }, all = 0, most = 0;
	int sign = side_sign(s->side), count = g->moves(g, s, steps);
	bool lost[GAME_CODES_MAX] = { false };
	evaluator_open(&evaluator, g);
	evaluator_steps(&evaluator, s, steps, count, &found);
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		move_t code = m->move.step[0];
		lost[code] = result_most(s->side, m->lower, m->upper) < 0;
		visits[code] = m->visits;
		values[code] = sign * m->value;
		all += m->visits;
		most = m->visits > most ? m->visits : most;
	}
	for (int i = 0; i < count; i++)
		if (visits[steps[i]]) {
			priors += (double)found.priors[i];
			visited += (double)found.priors[i] * values[steps[i]];
		}
	double state = sign * (double)found.value;
	if (priors > 0)
		state = (state + (double)all * visited / priors) / (double)(1 + all);
	for (int i = 0; i < count; i++) {
		move_t code = steps[i];
		if (!visits[code])
			values[code] = state;
		weights[code] = log((double)found.priors[i] + 1e-9) +
				(double)halving_weight((float)values[code], most);
		top = !lost[code] && weights[code] > top ? weights[code] : top;
	}
	for (int i = 0; i < count; i++) {
		move_t code = steps[i];
		weights[code] = lost[code] ? 0 : exp(weights[code] - top);
		sum += weights[code];
		mean += weights[code] * values[code];
	}
	return mean / sum;
}

/* Weighs the step of each move by its visits. A proven win teaches only moves that win. Of a lost position all moves are
 * taught by their visits. */
static double weigh_visits(const struct state *s, const struct report *r,
			   double weights[GAME_CODES_MAX])
{
	int sign = side_sign(s->side);
	bool won = result_least(s->side, r->lower, r->upper) > 0;
	bool lost = r->lower == r->upper && sign * r->upper < 0;
	double value = 0, sum = 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int least = result_least(s->side, m->lower, m->upper);
		double weight = (double)m->visits;
		if ((result_most(s->side, m->lower, m->upper) < 0 && !lost) || (won && least <= 0))
			continue;
		weight = won && weight == 0 ? 1 : weight;
		weights[m->move.step[0]] += weight;
		sum += weight;
		if (weight > 0)
			value += weight * sign * m->value;
	}
	return sum > 0 ? value / sum : NAN;
}

/* Adds the state before a move as a sample. */
static void coach_teach(struct coach_player *p, const struct state *s, const struct report *r)
{
	const struct game *g = &p->coach->game;
	int sign = side_sign(s->side), squares = g->board.rows * g->board.cols;
	bool known = r->lower == r->upper;
	double weights[GAME_CODES_MAX] = { 0 }, most = 0;
	move_t steps[GAME_STEPS_MAX];
	double value = g->evaluator && !known ? coach_weigh(p->coach, s, r, weights)
					      : weigh_visits(s, r, weights);
	if (isnan(value))
		return;
	for (int i = 0; i < g->steps.codes; i++)
		most = weights[i] > most ? weights[i] : most;
	struct board_sample *sample = selfplay_add(p->game);
	board_net_look(g, s, sample->bytes);
	for (int i = 0, count = g->moves(g, s, steps); i < count; i++)
		sample->bytes[squares + board_net_step(g, s->side, steps[i])] =
			(uint8_t)(1 + 254 * weights[steps[i]] / most);
	sample->exact = known;
	sample->search = (float)(known ? sign * r->lower : value);
	/* Until the game ends, the side that chose: 1 Black, -1 White. */
	sample->result = (float)sign;
}

static struct board_sample *sample_at(const struct coach *t, char *samples, size_t i)
{
	return (struct board_sample *)(samples + i * t->size);
}

/* Writes the owners of the squares at the end into a sample. */
static void teach_owners(const struct game *g, const int8_t owners[GAME_SQUARES_MAX],
			 struct board_sample *s)
{
	int squares = g->board.rows * g->board.cols, sign = s->result < 0 ? -1 : 1,
	    view = sign < 0 ? images_view(g) : 0;
	uint8_t *out = s->bytes + squares + g->steps.codes;
	for (int i = 0; i < squares; i++)
		out[view ? images_mirror_square(g, i, view) : i] = (uint8_t)(2 + sign * owners[i]);
}

/* Sets the result of the samples from `first` on. */
static void coach_end_samples(struct coach_player *p, size_t first, int result, bool held)
{
	const struct game *g = &p->coach->game;
	const struct state *now = &p->seat.record.now;
	int8_t owners[GAME_SQUARES_MAX];
	bool owned = network_has_owners(g) && now->over;
	if (owned)
		g->network->owners(g, now, owners);
	for (size_t i = first; i < p->game->count; i++) {
		struct board_sample *s = sample_at(p->coach, p->game->samples, i);
		if (owned)
			teach_owners(g, owners, s);
		s->result *= (float)result;
		s->held = held;
	}
}

/* The network learns komi that it can see. */
static void vary_komi(struct record *r, struct rng *rng)
{
	const struct game *g = r->game;
	if (!g->komi || rng_below(rng, OTHER_KOMI) != 0)
		return;
	int usual = g->komi->get(g, &r->now);
	do
		record_set_komi(r, usual - KOMI_CHANGE + (int)rng_below(rng, 2 * KOMI_CHANGE + 1));
	while (g->network && g->network->surplus && g->network->surplus(g, &r->now) != 0);
}

static void coach_play_game(void *player, struct selfplay_game *game)
{
	static _Thread_local struct report report;
	struct coach_player *p = player;
	const struct coach *t = p->coach;
	const struct state *now = &p->seat.record.now;
	struct rng *rng = &game->rng;
	size_t first = 0;
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false, known = false;
	p->game = game;
	seat_begin(&p->seat, &t->game, rng);
	vary_komi(&p->seat.record, rng);
	seat_play_random(&p->seat, (int)rng_below(rng, RANDOM_MOVES), rng);
	while (!ended && !now->over && !selfplay_stopped(game)) {
		bool was_known = known;
		bool solved = seat_solve(&p->seat, &report);
		if (!solved)
			seat_search(&p->seat, t->settings.simulations, 0, &report);
		known = report.lower == report.upper;
		if (!solved || (known && !was_known) || rng_below(rng, LATE) == 0)
			coach_teach(p, now, &report);
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			coach_end_samples(p, first, report.lower, held);
			first = game->count;
		}
		if (solved) {
			seat_wander(&p->seat, &report, rng);
		} else {
			/* Without the solver, the rest of a decided game costs as much as its beginning. */
			ended = known && rng_below(rng, SEAT_PLAY_ON);
			/* Sequential halving chooses at random, by merit. Searches with playouts do not. */
			record_play(&p->seat.record, seat_choose(&report, !t->game.evaluator, rng));
		}
	}
	coach_end_samples(p, first, score_sign(now->score), held);
}

static void *coach_begin_play(void *arg)
{
	struct coach_player *p = xcalloc(1, sizeof *p);
	p->coach = arg;
	seat_init(&p->seat, &p->coach->game, TREE_MIB);
	struct options *o = engine_options(p->seat.engine);
	o->gumbel = WIDTH;
	o->puct = PUCT;
	o->puct_growth = 0;
	return p;
}

static void coach_end_play(void *player)
{
	struct coach_player *p = player;
	seat_free(&p->seat);
	free(p);
}

/* Without a network, mcts evaluates by playouts. */
static bool coach_use_net(void *arg, const void *file)
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

/* --- learning --- */

static void *coach_create_learner(const struct training *s)
{
	return board_learner_create(s->game, s->blocks, s->seed, s->threads);
}

static void coach_destroy_learner(void *learner)
{
	board_learner_destroy(learner);
}

static struct packet coach_state_of(void *learner)
{
	return board_learner_state(learner);
}

static bool coach_resume(void *learner, const void *state)
{
	return board_learner_resume(learner, state);
}

static bool coach_take_net(void *learner, const struct training *s)
{
	char why[REASON_MAX];
	const struct board_net *own = board_net_of(s->game);
	struct board_weights *w = NULL;
	if (s->start) {
		w = board_net_read_file(s->game, s->start, why);
		if (!w)
			message_exit("%s", why);
	} else if (s->onward && own) {
		w = board_net_read(own->game ? own->game : s->game, own->file);
	}
	if (w && !board_learner_take(learner, w))
		message_exit("the network to start with needs --blocks=%d or more", w->blocks);
	bool taken = w;
	free(w);
	return taken;
}

static struct packet coach_net_file_of(void *learner)
{
	struct packet net;
	struct board_weights *w = board_learner_weights(learner);
	net.bytes = board_net_file(board_learner_game(learner), w, &net.size);
	free(w);
	return net;
}

static struct learner_error coach_find_error(void *learner, const struct window *w)
{
	return board_learner_error(learner, w->samples, w->count, HELD_MOST);
}

static void coach_plan(const struct window *w, size_t fresh, size_t *last, int *steps)
{
	size_t least = WINDOW_ROUNDS * fresh, half = w->count / 2,
	       most = half < least ? least : half;
	*last = most < w->count ? most : w->count;
	*steps = 1 + (int)(REUSE * fresh / BOARD_LEARN_BATCH);
}

static void coach_study(void *learner, const struct window *w, size_t last, int steps, double rate)
{
	board_learner_train(learner, (const char *)w->samples + (w->count - last) * w->size, last,
			    steps, rate);
}

void coach_run(const struct training *settings)
{
	struct coach *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->game = *settings->game;
	t->size = board_sample_size(settings->game);
	t->evaluator = (struct evaluator)BOARD_NET_EVALUATOR(&t->net);
	course_run(
		&(struct course_kind) {
			.play = { .size = t->size,
				  .use = coach_use_net,
				  .begin = coach_begin_play,
				  .end = coach_end_play,
				  .play = coach_play_game },
			.window = WINDOW,
			.batch = BOARD_LEARN_BATCH,
			.create = coach_create_learner,
			.destroy = coach_destroy_learner,
			.state = coach_state_of,
			.resume = coach_resume,
			.take = coach_take_net,
			.file = coach_net_file_of,
			.error = coach_find_error,
			.plan = coach_plan,
			.study = coach_study,
		},
		settings, t);
	board_net_close(&t->net);
	free(t);
}
