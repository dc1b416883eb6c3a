/* SPDX-License-Identifier: MIT */
#include "tools/train/actor.h"

#include "engine/rules/solver.h"
#include "tools/train/selfplay.h"

#define ASTRAY        4    /* one move in this many of actor_wander() is any move */
#define SOLVED_WITHIN 0.02 /* the game's solver is used if it needs at most this many seconds */

void actor_init(struct actor *actor, const struct game *g, const char *search, int memory)
{
	*actor = (struct actor) { .engine = engine_create() };
	struct options *o = engine_options(actor->engine);
	options_set(o, "search", search);
	o->threads = 1;
	o->memory = memory;
	o->reuse = o->early_stop = false;
	record_init(&actor->record, g);
}

void actor_free(struct actor *actor)
{
	record_free(&actor->record);
	engine_destroy(actor->engine);
	exact_free(&actor->exact);
}

void actor_begin(struct actor *actor, const struct game *g, struct rng *rng)
{
	engine_options(actor->engine)->seed = (int64_t)(rng_next(rng) >> 2 | 1);
	engine_reseed(actor->engine);
	exact_free(&actor->exact);
	actor->exact = (struct exact) { 0 };
	record_restart(&actor->record, g);
}

void actor_play_random(struct actor *actor, int count, struct rng *rng)
{
	for (; count > 0 && !actor->record.now.over; count--)
		record_play(&actor->record, record_draw(&actor->record, rng));
}

bool actor_solve(struct actor *actor, struct report *r)
{
	const struct state *s = &actor->record.now;
	struct solution found;
	int least, most;
	/* The solver does not know the record, which forbids steps where positions may not repeat. */
	if (game_repeats(actor->record.game))
		return false;
	if (!exact_solve(&actor->exact, actor->record.game, s, SOLVE_ALL, SOLVED_WITHIN, NULL,
			 &found))
		return false;
	solution_bounds(&found, s->side, &least, &most);
	report_clear(r);
	r->value = r->lower = r->upper = score_sign(least);
	for (int i = 0; i < found.count; i++) {
		struct report_move *m = report_add(r, found.moves[i].move);
		m->lower = m->upper = (int8_t)score_sign(found.moves[i].least);
		m->value = m->lower;
		m->visits = m->lower == r->lower;
		if (m->visits && !r->line_count)
			r->line[r->line_count++] = m->move;
	}
	return true;
}

void actor_search(struct actor *actor, int simulations, double noise, struct report *r)
{
	char why[REASON_MAX];
	struct limits limits = { .deadline = TIME_NEVER, .work_max = (uint64_t)simulations };
	engine_options(actor->engine)->noise = noise;
	if (!engine_search(actor->engine, &actor->record, &limits, r, why))
		selfplay_fail(why);
}

/* Draws a move by the visits. */
static struct move actor_draw_move(const struct report *r, struct rng *rng)
{
	uint64_t sum = 0;
	for (int i = 0; i < r->move_count; i++)
		sum += r->moves[i].visits;
	if (sum == 0)
		return r->line[0];
	uint64_t at = rng_next(rng) % sum;
	for (int i = 0; i < r->move_count; i++) {
		if (at < r->moves[i].visits)
			return r->moves[i].move;
		at -= r->moves[i].visits;
	}
	return r->line[0];
}

struct move actor_choose(const struct report *r, bool freely, struct rng *rng)
{
	return freely && r->lower != r->upper ? actor_draw_move(r, rng) : r->line[0];
}

void actor_wander(struct actor *actor, const struct report *r, struct rng *rng)
{
	if (rng_below(rng, ASTRAY) == 0)
		actor_play_random(actor, 1, rng);
	else
		record_play(&actor->record, actor_draw_move(r, rng));
}
