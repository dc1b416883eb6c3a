/* SPDX-License-Identifier: MIT */
#include "engine/rules/solver.h"

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
