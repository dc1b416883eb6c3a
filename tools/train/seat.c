/* SPDX-License-Identifier: MIT */
#include "tools/train/seat.h"

#include "engine/rules/solver.h"
#include "tools/train/selfplay.h"

#define ASTRAY        4    /* one move in this many of seat_wander() is any move */
#define SOLVED_WITHIN 0.02 /* the game's solver is used if it needs at most this many seconds */

void seat_init(struct seat *seat, const struct game *g, int memory)
{
	*seat = (struct seat) { .engine = engine_create() };
	struct options *o = engine_options(seat->engine);
	options_set(o, "search", "mcts");
	o->threads = 1;
	o->memory = memory;
	o->reuse = o->early_stop = false;
	record_init(&seat->record, g);
}

void seat_free(struct seat *seat)
{
	record_free(&seat->record);
	engine_destroy(seat->engine);
	exact_free(&seat->exact);
}

void seat_begin(struct seat *seat, const struct game *g, struct rng *rng)
{
	engine_options(seat->engine)->seed = (int64_t)(rng_next(rng) >> 2 | 1);
	engine_reseed(seat->engine);
	exact_free(&seat->exact);
	seat->exact = (struct exact) { 0 };
	record_restart(&seat->record, g);
}

void seat_play_random(struct seat *seat, int count, struct rng *rng)
{
	struct move moves[GAME_MOVES_MAX];
	for (; count > 0 && !seat->record.now.over; count--) {
		int legal = record_moves(&seat->record, moves);
		record_play(&seat->record, moves[rng_below(rng, (uint32_t)legal)]);
	}
}

bool seat_solve(struct seat *seat, struct report *r)
{
	const struct state *s = &seat->record.now;
	struct solution found;
	int least, most;
	/* The solver does not know the record, which forbids steps where positions may not repeat. */
	if (game_repeats(seat->record.game))
		return false;
	if (!exact_solve(&seat->exact, seat->record.game, s, SOLVE_ALL, SOLVED_WITHIN, NULL,
			 &found))
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

void seat_search(struct seat *seat, int simulations, double noise, struct report *r)
{
	char why[REASON_MAX];
	struct limits limits = { .deadline = TIME_NEVER, .work_max = (uint64_t)simulations };
	engine_options(seat->engine)->noise = noise;
	if (!engine_search(seat->engine, &seat->record, &limits, r, why))
		selfplay_fail(why);
}

/* Draws a move by the visits. */
static struct move seat_draw_move(const struct report *r, struct rng *rng)
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

struct move seat_choose(const struct report *r, bool freely, struct rng *rng)
{
	return freely && r->lower != r->upper ? seat_draw_move(r, rng) : r->line[0];
}

void seat_wander(struct seat *seat, const struct report *r, struct rng *rng)
{
	if (rng_below(rng, ASTRAY) == 0)
		seat_play_random(seat, 1, rng);
	else
		record_play(&seat->record, seat_draw_move(r, rng));
}
