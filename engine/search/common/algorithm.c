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

int task_moves(const struct task *t, struct move out[GAME_MOVES_MAX])
{
	int all = record_moves(t->record, out), count = 0;
	for (int i = 0; i < all; i++)
		if (task_allows(t, out[i]))
			out[count++] = out[i];
	return count;
}

struct report_move *report_add(struct report *r, struct move move)
{
	struct report_move *m = &r->moves[r->move_count++];
	*m = (struct report_move) {
		.move = move,
		.line_count = 1,
		.line[0] = move,
		.value = __builtin_nan(""),
		.score = __builtin_nan(""),
		.lower = -1,
		.upper = 1,
	};
	return m;
}

int report_find(const struct report *r, struct move move)
{
	for (int i = 0; i < r->move_count; i++)
		if (move_equal(r->moves[i].move, move))
			return i;
	return -1;
}

void report_narrow(struct report_move *m, int lower, int upper)
{
	m->lower = lower > m->lower ? lower : m->lower;
	m->upper = upper < m->upper ? upper : m->upper;
	/* A value that playouts have estimated may be outside. */
	if (m->value < m->lower)
		m->value = m->lower;
	else if (m->value > m->upper)
		m->value = m->upper;
}

/* Returns 2 for the answer, 1 for a proven win of `side`, 0 for an open move, -1 for a proven loss. */
static int rank(const struct report *r, const struct report_move *m, int side)
{
	int least = result_least(side, m->lower, m->upper),
	    most = result_most(side, m->lower, m->upper);
	return move_equal(m->move, r->line[0]) ? 2 : least > 0 ? 1 : most < 0 ? -1 : 0;
}

void report_sort(struct report *r, int side, const double *ratings)
{
	struct report_move sorted[GAME_MOVES_MAX];
	int order[GAME_MOVES_MAX], ranks[GAME_MOVES_MAX], count = r->move_count;
	for (int i = 0; i < count; i++) {
		int place = i;
		ranks[i] = rank(r, &r->moves[i], side);
		for (; place > 0; place--) {
			int before = order[place - 1];
			if (ranks[before] > ranks[i] ||
			    (ranks[before] == ranks[i] &&
			     (!ratings || ratings[before] >= ratings[i])))
				break;
			order[place] = before;
		}
		order[place] = i;
	}
	for (int i = 0; i < count; i++)
		sorted[i] = r->moves[order[i]];
	/* The answer may be a move of which the search knows nothing. */
	int missing = count <= 0 || ranks[order[0]] < 2;
	if (missing) {
		r->move_count = 0;
		report_add(r, r->line[0]);
	}
	memcpy(r->moves + missing, sorted, (size_t)count * sizeof *sorted);
	r->move_count = count + missing;
	struct report_move *first = &r->moves[0];
	int line_count = r->line_count < REPORT_LINE_MAX ? r->line_count : REPORT_LINE_MAX,
	    same = 0;
	while (same < line_count && same < first->line_count &&
	       move_equal(first->line[same], r->line[same]))
		same++;
	memset(first->line_visits + same, 0,
	       (size_t)(REPORT_LINE_MAX - same) * sizeof *first->line_visits);
	memcpy(first->line, r->line, (size_t)line_count * sizeof *r->line);
	first->line_count = line_count;
}

void report_settle(struct report *r, int side)
{
	int least = result_least(side, r->lower, r->upper),
	    most = result_most(side, r->lower, r->upper);
	if (least > 0) {
		r->proof = 0;
		r->disproof = PROOF_NEVER;
	} else if (most <= 0) {
		r->proof = PROOF_NEVER;
		r->disproof = 0;
	}
}

int report_tighten(struct report *r, int side)
{
	int open = 0, least = -1, most = -1;
	for (int i = 0; i < r->move_count; i++) {
		struct report_move *m = &r->moves[i];
		/* No move is better for the side to move than the position. */
		if (side == BLACK)
			report_narrow(m, -1, r->upper);
		else
			report_narrow(m, r->lower, 1);
		int low = result_least(side, m->lower, m->upper);
		int high = result_most(side, m->lower, m->upper);
		least = low > least ? low : least;
		most = high > most ? high : most;
		open += m->lower != m->upper;
		if (m->lower == m->upper)
			m->value = m->lower;
	}
	int lower = side == BLACK ? least : -most, upper = side == BLACK ? most : -least;
	r->lower = lower > r->lower ? lower : r->lower;
	r->upper = upper < r->upper ? upper : r->upper;
	if (r->value < r->lower || r->lower == r->upper)
		r->value = r->lower;
	else if (r->value > r->upper)
		r->value = r->upper;
	return open;
}

void report_answer_best(struct report *r, int side)
{
	int best = 0, best_least = -2;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int least = result_least(side, m->lower, m->upper);
		bool is_answer = r->line_count && move_equal(m->move, r->line[0]);
		if (least > best_least || (least == best_least && is_answer)) {
			best = i;
			best_least = least;
		}
	}
	if (!r->line_count || !move_equal(r->line[0], r->moves[best].move)) {
		r->line[0] = r->moves[best].move;
		r->line_count = 1;
	}
	report_sort(r, side, NULL);
}
