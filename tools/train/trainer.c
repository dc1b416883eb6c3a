/* SPDX-License-Identifier: MIT */
#include "tools/train/trainer.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/network.h"
#include "engine/search/mcts/halving.h"
#include "games/pentago/quadrant_net.h"
#include "tools/learn/board_learn.h"
#include "tools/learn/quadrant_learn.h"
#include "tools/lib/message.h"
#include "tools/train/actor.h"

#define HELD_GAMES      20 /* one game in this many is held out */

/* The network for any board. The learner draws from the newer half of the samples, but at least from the last rounds. */
#define WINDOW_ROUNDS   4
#define REUSE           3 /* samples drawn for each new one */
#define LATE            2 /* one solved position in this many is learned from, but the first always */
#define RANDOM_MOVES    13  /* a game begins with fewer random moves than this */
#define WIDTH           8   /* moves that a search begins with */
#define PUCT            2.5 /* more exploration than in play */
#define OTHER_KOMI      4   /* one game in this many has another komi than the usual one */
#define KOMI_CHANGE     14  /* half points by which such a komi differs at most */
#define TREE_MIB        32

/* Pentago's network. */
#define ROUND_STEPS     1500 /* optimizer steps per round; at most one pass through all samples */
#define FEW_MOVES       7    /* a game begins with fewer random moves than this */
#define FREE_MOVES      3    /* number of moves after them that are drawn by their visits */
#define VISITS_TO_TEACH 40   /* with fewer visits, a placement says too little about its turns */
#define NOISE           0.25
#define LARGE_TREE_MIB  64

/* What all workers play with. */
struct trainer {
	struct training settings;
	struct game game; /* the game with the current network */
	struct board_net board_net;
	struct net quadrant_net;
	struct evaluator evaluator;
	size_t size;    /* bytes of a sample */
	bool any_board; /* a network for any board, not Pentago's */
	bool halves; /* searches have sequential halving: a network for any board, moves of one step */
};

/* What a worker plays with. */
struct trainer_worker {
	const struct trainer *trainer;
	struct actor actor;
	struct selfplay_game *game; /* the current one */
};

/* --- self-play --- */

/* Weighs the step of each move by its preference and its value: what the network should have preferred (Danihelka et al.,
 * 2022). A move without visits is worth what the state is, by the network and the visited moves. Proven losses have no
 * weight. Returns the state's value by these weights, for the side that chooses. */
static double trainer_weigh(const struct trainer *t, const struct state *s, const struct report *r,
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

/* Returns true if a move of a report teaches a state: in the middle of a move, only moves that begin like `begun` do. */
static bool teaches(const struct state *s, const struct report_move *m, struct move begun)
{
	return !s->pending ||
	       (memcmp(m->move.step, begun.step, s->pending * sizeof *begun.step) == 0 &&
		move_steps(m->move) > s->pending);
}

/* Weighs the step of each move by its visits. A proven win teaches only moves that win. Of a lost position all moves are
 * taught: without lost positions, having the move would seem an advantage. Returns the state's value for the side that
 * chooses, or NAN if there is nothing to learn. */
static double weigh_visits(const struct state *s, const struct report *r, struct move begun,
			   double weights[GAME_CODES_MAX])
{
	int sign = side_sign(s->side);
	bool known = r->lower == r->upper, lost = known && sign * r->upper < 0, won = false;
	double value = 0, sum = 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		won |= teaches(s, m, begun) && result_least(s->side, m->lower, m->upper) > 0;
	}
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		bool wins = result_least(s->side, m->lower, m->upper) > 0,
		     loses = result_most(s->side, m->lower, m->upper) < 0;
		if (!teaches(s, m, begun) || (loses && !lost) || (won && !wins))
			continue;
		double weight = m->visits || !(wins || loses) ? (double)m->visits : 1;
		weights[m->move.step[s->pending]] += weight;
		sum += weight;
		if (m->visits)
			value += weight * sign * m->value;
	}
	return sum >= (s->pending && !known ? VISITS_TO_TEACH : 1) ? value / sum : NAN;
}

/* Adds the state before a step of the move `begun` as a sample. */
static void trainer_teach(struct trainer_worker *p, const struct state *s, const struct report *r,
			  struct move begun)
{
	const struct game *g = &p->trainer->game;
	int sign = side_sign(s->side), squares = g->board.rows * g->board.cols;
	bool known = r->lower == r->upper;
	double weights[GAME_CODES_MAX] = { 0 }, most = 0;
	move_t steps[GAME_STEPS_MAX];
	double value = p->trainer->halves && g->evaluator && !known
			       ? trainer_weigh(p->trainer, s, r, weights)
			       : weigh_visits(s, r, begun, weights);
	if (isnan(value))
		return;
	for (int i = 0; i < g->steps.codes; i++)
		most = weights[i] > most ? weights[i] : most;
	struct sample *sample = selfplay_add(p->game);
	board_net_look(g, s, sample->bytes);
	for (int i = 0, count = g->moves(g, s, steps); i < count; i++)
		sample->bytes[squares + board_net_step(g, s->side, steps[i])] =
			(uint8_t)(1 + 254 * weights[steps[i]] / most);
	sample->exact = known;
	sample->pending = s->pending;
	sample->search = (float)(known ? sign * r->lower : value);
	/* Until the game ends, the side that chose: 1 Black, -1 White. */
	sample->result = (float)sign;
}

static struct sample *sample_at(const struct trainer *t, char *samples, size_t i)
{
	return (struct sample *)(samples + i * t->size);
}

/* Writes the owners of the squares at the end into a sample. */
static void teach_owners(const struct game *g, const int8_t owners[GAME_SQUARES_MAX],
			 struct sample *s)
{
	int squares = g->board.rows * g->board.cols, sign = s->result < 0 ? -1 : 1,
	    view = sign < 0 ? images_view(g) : 0;
	uint8_t *out = s->bytes + squares + g->steps.codes;
	for (int i = 0; i < squares; i++)
		out[view ? images_mirror_square(g, i, view) : i] = (uint8_t)(2 + sign * owners[i]);
}

/* Sets the result of the samples from `first` on. */
static void trainer_end_samples(struct trainer_worker *p, size_t first, int result, bool held)
{
	const struct game *g = &p->trainer->game;
	const struct state *now = &p->actor.record.now;
	int8_t owners[GAME_SQUARES_MAX];
	bool owned = network_has_owners(g) && now->over;
	if (owned)
		g->network->owners(g, now, owners);
	for (size_t i = first; i < p->game->count; i++) {
		struct sample *s = sample_at(p->trainer, p->game->samples, i);
		if (owned)
			teach_owners(g, owners, s);
		s->result *= (float)result;
		s->held = held;
	}
}

/* Adds the states between the steps of a move. */
static void trainer_teach_steps(struct trainer_worker *p, const struct report *r, struct move move)
{
	const struct game *g = &p->trainer->game;
	struct state s = p->actor.record.now;
	for (int step = 0; step == 0 || s.pending; step++) {
		if (step > 0)
			trainer_teach(p, &s, r, move);
		g->play(g, &s, move.step[step]);
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

/* The game of a network for any board. */
static void trainer_play_board(void *worker, struct selfplay_game *game)
{
	struct report report = { 0 };
	struct trainer_worker *p = worker;
	const struct trainer *t = p->trainer;
	const struct state *now = &p->actor.record.now;
	struct rng *rng = &game->rng;
	size_t first = 0;
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false, known = false;
	p->game = game;
	actor_begin(&p->actor, &t->game, rng);
	vary_komi(&p->actor.record, rng);
	actor_play_random(&p->actor, (int)rng_below(rng, RANDOM_MOVES), rng);
	for (int moves = 0; !ended && !now->over && !selfplay_stopped(game); moves++) {
		bool was_known = known;
		bool solved = actor_solve(&p->actor, &report);
		if (!solved)
			actor_search(&p->actor, t->settings.simulations, t->halves ? 0 : NOISE,
				     &report);
		/* Sequential halving chooses at random, by merit. Searches with playouts do not. */
		bool draws = t->halves ? !t->game.evaluator : moves < FREE_MOVES;
		struct move move = solved ? move_none() : actor_choose(&report, draws, rng);
		known = report.lower == report.upper;
		if (!solved || (known && !was_known) || rng_below(rng, LATE) == 0) {
			trainer_teach(p, now, &report, move);
			if (!solved)
				trainer_teach_steps(p, &report, move);
		}
		if (known) {
			/* Later moves say nothing more about earlier positions. */
			trainer_end_samples(p, first, report.lower, held);
			first = game->count;
		}
		if (solved) {
			actor_wander(&p->actor, &report, rng);
		} else {
			/* Without the solver, the rest of a decided game costs as much as its beginning. */
			ended = known && rng_below(rng, ACTOR_PLAY_ON);
			record_play(&p->actor.record, move);
		}
	}
	trainer_end_samples(p, first, score_sign(now->score), held);
	report_free(&report);
}

/* The game of Pentago's network. */
static void trainer_play_quadrants(void *worker, struct selfplay_game *game)
{
	struct report report = { 0 };
	struct trainer_worker *p = worker;
	const struct game *g = &p->trainer->game;
	const struct state *now = &p->actor.record.now;
	struct rng *rng = &game->rng;
	size_t first = 0;
	bool held = rng_below(rng, HELD_GAMES) == 0, ended = false;
	p->game = game;
	actor_begin(&p->actor, g, rng);
	actor_play_random(&p->actor, (int)rng_below(rng, FEW_MOVES), rng);
	for (int moves = 0; !ended && !now->over && !selfplay_stopped(game); moves++) {
		if (!actor_solve(&p->actor, &report))
			actor_search(&p->actor, p->trainer->settings.simulations, NOISE, &report);
		struct move move = actor_choose(&report, moves < FREE_MOVES, rng);
		trainer_teach(p, now, &report, move);
		trainer_teach_steps(p, &report, move);
		if (report.lower == report.upper) {
			trainer_end_samples(p, first, report.lower, held);
			first = game->count;
			ended = rng_below(rng, ACTOR_PLAY_ON);
		}
		record_play(&p->actor.record, move);
	}
	trainer_end_samples(p, first, score_sign(now->score), held);
	report_free(&report);
}

static void *trainer_begin_play(void *arg)
{
	struct trainer_worker *p = xcalloc(1, sizeof *p);
	p->trainer = arg;
	actor_init(&p->actor, &p->trainer->game, "mcts",
		   p->trainer->any_board ? TREE_MIB : LARGE_TREE_MIB);
	if (p->trainer->halves) {
		struct options *o = engine_options(p->actor.engine);
		o->gumbel = WIDTH;
		o->puct = PUCT;
		o->puct_growth = 0;
	}
	return p;
}

static void trainer_end_play(void *worker)
{
	struct trainer_worker *p = worker;
	actor_free(&p->actor);
	free(p);
}

/* Without a network, mcts evaluates by playouts. */
static bool trainer_use_net(void *arg, const void *file)
{
	struct trainer *t = arg;
	const struct game *g = t->settings.game;
	void *read = !file          ? NULL
		     : t->any_board ? (void *)board_net_read(g, file)
				    : net_read(g, file);
	bool fits = !file || read;
	free(read);
	board_net_close(&t->board_net);
	net_close(&t->quadrant_net);
	t->board_net.file = t->quadrant_net.file = file;
	t->game.evaluator = file ? &t->evaluator : NULL;
	return fits;
}

/* --- learning --- */

static bool trainer_take_board_net(void *learner, const struct training *s)
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

static bool trainer_take_quadrant_net(void *learner, const struct training *s)
{
	const struct net *own = net_of(s->game);
	if (!s->onward || !own)
		return false;
	if (!quadrant_learner_take(learner, own->file))
		abort(); /* the program's own file is valid */
	return true;
}

static void trainer_plan_board(const struct window *w, size_t fresh, size_t *last, int *steps)
{
	size_t least = WINDOW_ROUNDS * fresh, half = w->count / 2,
	       most = half < least ? least : half;
	*last = most < w->count ? most : w->count;
	*steps = 1 + (int)(REUSE * fresh / LEARN_BATCH);
}

static void trainer_plan_quadrants(const struct window *w, size_t fresh, size_t *last, int *steps)
{
	size_t once = w->count / LEARN_BATCH;
	*last = w->count;
	*steps = (int)(once < ROUND_STEPS ? once : ROUND_STEPS);
}

static const struct training_kind board_kind = {
	.play = { .use = trainer_use_net,
		  .begin = trainer_begin_play,
		  .end = trainer_end_play,
		  .play = trainer_play_board },
	.learner = &board_learner_kind,
	.window = 2000000,
	.held = 2500,
	.take = trainer_take_board_net,
	.plan = trainer_plan_board,
};

static const struct training_kind quadrant_kind = {
	.play = { .use = trainer_use_net,
		  .begin = trainer_begin_play,
		  .end = trainer_end_play,
		  .play = trainer_play_quadrants },
	.learner = &quadrant_learner_kind,
	.window = 6000000,
	.held = 20000,
	.take = trainer_take_quadrant_net,
	.plan = trainer_plan_quadrants,
};

void trainer_run(const struct training *settings)
{
	struct trainer *t = xcalloc(1, sizeof *t);
	t->settings = *settings;
	t->game = *settings->game;
	t->size = sample_size(settings->game);
	t->any_board = !net_of(settings->game);
	t->halves = t->any_board && settings->game->steps.per_move == 1;
	if (t->any_board)
		t->evaluator = (struct evaluator)BOARD_NET_EVALUATOR(&t->board_net);
	else
		t->evaluator = (struct evaluator)NET_EVALUATOR(&t->quadrant_net);
	struct training_kind kind = t->any_board ? board_kind : quadrant_kind;
	kind.play.size = t->size;
	training_run(&kind, settings, t);
	trainer_use_net(t, NULL);
	free(t);
}
