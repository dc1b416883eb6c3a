/* SPDX-License-Identifier: MIT */
#include "engine/algorithm.h"

#include <string.h>

const struct algorithm *const algorithms[] = {
	&algorithm_random,
	&algorithm_montecarlo,
	&algorithm_mcts,
	&algorithm_negamax,
	&algorithm_alphabeta_plain,
	&algorithm_alphabeta,
	&algorithm_dfpn,
	&algorithm_dfpn_mcts,
	&algorithm_union,
	NULL,
};

const struct algorithm *algorithm_find(const char *name)
{
	int i = 0;
	while (algorithms[i] && strcmp(algorithms[i]->name, name) != 0)
		i++;
	return algorithms[i];
}

const struct algorithm *algorithm_chosen(const struct options *o, const struct game *g)
{
	return o->search == SEARCH_AUTO ? algorithm_find(g->search) : algorithms[o->search - 1];
}

const struct algorithm *algorithm_prover(const struct game *g)
{
	return g->unit ? &algorithm_alphabeta : &algorithm_dfpn;
}

bool task_allows(const struct task *t, struct move m)
{
	for (int i = 0; i < t->only_count; i++)
		if (t->only[i].step[0] == m.step[0] &&
		    (m.step[1] == MOVE_NONE || t->only[i].step[1] == m.step[1]))
			return true;
	return !t->only;
}

int task_moves(const struct task *t, struct move out[GAME_MOVES_MAX])
{
	int all = game_moves(t->record->game, &t->record->now, out), count = 0;
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

/* Returns 2 for the answer, 1 for a proven win of `side`, 0 for an open move, -1 for a proven loss. */
static int rank(const struct report *r, const struct report_move *m, int side)
{
	int least = side == BLACK ? m->lower : -m->upper,
	    most = side == BLACK ? m->upper : -m->lower;
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
	int least = side == BLACK ? r->lower : -r->upper,
	    most = side == BLACK ? r->upper : -r->lower;
	if (least > 0) {
		r->proof = 0;
		r->disproof = PROOF_NEVER;
	} else if (most <= 0) {
		r->proof = PROOF_NEVER;
		r->disproof = 0;
	}
}
