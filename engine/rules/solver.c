/* SPDX-License-Identifier: MIT */
#include "engine/rules/solver.h"

void solution_init(struct solution *s)
{
	s->count = 0;
	s->estimated = -1;
}

void solution_add(struct solution *s, struct move m, int least, int most)
{
	int i = s->count++;
	s->moves[i].move = m;
	s->moves[i].least = (int16_t)least;
	s->moves[i].most = (int16_t)most;
}

void solution_bounds(const struct solution *s, int side, int *least, int *most)
{
	*least = s->moves[0].least;
	*most = s->moves[0].most;
	for (int i = 1; i < s->count; i++) {
		int low = s->moves[i].least, high = s->moves[i].most;
		bool more_least = side == BLACK ? low > *least : low < *least;
		bool more_most = side == BLACK ? high > *most : high < *most;
		*least = more_least ? low : *least;
		*most = more_most ? high : *most;
	}
}
