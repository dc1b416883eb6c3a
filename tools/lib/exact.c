/* SPDX-License-Identifier: MIT */
#include "tools/lib/exact.h"

#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/solver.h"
#include "engine/search/common/control.h"

void exact_free(struct exact *e)
{
	block_destroy(e->block, e->size);
}

bool exact_solve(struct exact *e, const struct game *g, const struct state *s, enum solve_aim aim,
		 double within, struct control *control, struct solution *out)
{
	struct control endless;
	double seconds;
	size_t bytes = SIZE_MAX;
	if (!g->solver || !g->solver->estimate(g, s, aim, 1, &seconds, &bytes) || seconds > within)
		return false;
	if (bytes > e->size) {
		block_destroy(e->block, e->size);
		e->block = block_create(bytes);
		e->size = e->block ? bytes : 0;
	}
	if (!e->block)
		return false;
	solver_clear(g->solver, e->block, bytes);
	control_init(&endless, TIME_NEVER, WORK_NO_LIMIT);
	g->solver->work(g, s, aim, e->block, e->size, 0, 1, control ? control : &endless);
	return g->solver->result(g, s, e->block, out);
}
