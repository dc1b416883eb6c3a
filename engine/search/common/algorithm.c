/* SPDX-License-Identifier: MIT */
#include "engine/search/common/algorithm.h"

#include <string.h>

bool task_allows(const struct task *t, struct move m)
{
	size_t begun = (size_t)move_steps(m) * sizeof *m.step;
	for (int i = 0; i < t->only_count; i++)
		if (memcmp(t->only[i].step, m.step, begun) == 0)
			return true;
	return !t->only;
}

int task_moves(const struct task *t, struct move *out)
{
	if (!out)
		return t->only ? t->only_count : record_moves(t->record, NULL);
	int all = record_moves(t->record, out), count = 0;
	for (int i = 0; i < all; i++)
		if (task_allows(t, out[i]))
			out[count++] = out[i];
	return count;
}
