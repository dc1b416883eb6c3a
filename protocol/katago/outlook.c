/* SPDX-License-Identifier: MIT */
#include "protocol/katago/outlook.h"

#define GAMES       256 /* from the position */
#define GAMES_AFTER 64  /* from the position after a move */

void outlook_init(struct outlook *o, const struct game *g, const struct state *now, uint64_t seed)
{
	o->game = g;
	o->now = *now;
	o->seed = seed;
	o->count = 0;
	estimate_position(g, now, GAMES, seed, &o->position);
}

const struct estimate *outlook_after(struct outlook *o, struct move move)
{
	int i = 0;
	while (i < o->count && !move_equal(o->moves[i], move))
		i++;
	if (i == OUTLOOK_MOVES)
		return NULL;
	if (i == o->count) {
		struct state next = o->now;
		game_play(o->game, &next, move);
		estimate_position(o->game, &next, GAMES_AFTER, o->seed, &o->after[i]);
		o->moves[i] = move;
		o->count++;
	}
	return &o->after[i];
}
