/* SPDX-License-Identifier: MIT */
#include "engine/rules/playouts.h"

#include <limits.h>

#include "engine/base/bits.h"
#include "engine/rules/network.h"
#include "engine/rules/repetition.h"

/* The most steps of a random game. */
static int playout_limit(const struct game *g)
{
	return repetition_limit(g) ? PLAYOUT_STEPS : INT_MAX;
}

static move_t playout_step(const struct game *g, const struct state *s, struct rng *rng)
{
	move_t steps[GAME_STEPS_MAX];
	uint32_t count = (uint32_t)g->moves(g, s, steps);
	return steps[rng_below(rng, count)];
}

int playout_generic(const struct game *g, const struct state *start, struct rng *rng)
{
	struct state s = *start;
	for (int left = playout_limit(g); !s.over && left; left--)
		g->play(g, &s, playout_step(g, &s, rng));
	return s.score;
}

static void playout_set_owners(const struct game *g, const struct state *s,
			       int8_t owner[GAME_SQUARES_MAX])
{
	if (network_has_owners(g)) {
		g->network->owners(g, s, owner);
		return;
	}
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char at = g->at(g, s, i / g->board.cols, i % g->board.cols);
		owner[i] = (int8_t)board_owner(&g->board, at);
	}
}

/* Plays random steps, and notes who made each one first and who has each square at the end. */
static int playout_trace_generic(const struct game *g, const struct state *start, struct rng *rng,
				 struct trace *trace)
{
	struct state s = *start;
	memset(trace, 0, sizeof *trace);
	for (int left = playout_limit(g); !s.over && left; left--) {
		move_t step = playout_step(g, &s, rng);
		if (step < TRACE_CODES && !bits_has(trace->made[s.side ^ 1], step))
			bits_add(trace->made[s.side], step);
		g->play(g, &s, step);
	}
	playout_set_owners(g, &s, trace->owner);
	return s.score;
}

int playout_trace(const struct game *g, const struct state *s, struct rng *rng, struct trace *trace)
{
	const struct playouts *p = g->playouts;
	if (!s->over && p && p->heavy)
		return p->heavy(g, s, MOVE_NONE, rng, trace);
	if (!s->over && p && p->trace)
		return p->trace(g, s, rng, trace);
	return playout_trace_generic(g, s, rng, trace);
}
