/* SPDX-License-Identifier: MIT
 *
 * The report of df-pn: bounds, proof numbers, the answer and the lines. Most of it is read from the
 * transposition table, which may have overwritten anything. The bounds of the root and the moves that prove
 * them are kept outside the table, so the report corrects the table's data by them.
 *
 * Threads: only the lead reports; the other workers may go on meanwhile.
 */
#include <limits.h>

#include "engine/search/proof/dfpn.h"
#include "engine/search/proof/dfpn_private.h"

double numbers_rating(const struct numbers n[QUESTIONS], int side, unsigned effort)
{
	double open = 0, proven = 0;
	bool lost = false;
	for (int q = 0; q < QUESTIONS; q++) {
		bool wins = q == (int)win_question(side);
		if (!is_known(n[q]))
			continue;
		if (n[q].of[side] == 0)
			proven = wins ? RATING_WIN : proven == 0 ? RATING_DRAW : proven;
		lost |= n[q].of[side] == NEVER && !wins;
		open += (double)n[q].of[side ^ 1] / ((double)n[q].of[side] + n[q].of[side ^ 1]);
	}
	return lost ? RATING_LOSS + effort / 2.0 : proven + open;
}

/* Rates a state for `side`, who made the move to it, by the table. */
static double dfpn_report_rate(const struct dfpn *d, const struct state *s, int side)
{
	uint64_t word[QUESTIONS];
	struct numbers n[QUESTIONS];
	unsigned effort = 0;
	dfpn_entry(d, s, word);
	for (int q = 0; q < QUESTIONS; q++) {
		n[q] = s->over ? final_numbers(s->score, (enum question)q) : word_numbers(word[q]);
		if (is_known(n[q]))
			effort += word_effort(word[q]);
	}
	return numbers_rating(n, side, effort);
}

/* Returns the move with the best rating, and that rating in *best. */
static struct move dfpn_report_best_move(const struct dfpn *d, const struct state *s,
					 const struct move *moves, int n, double *best)
{
	struct move chosen = move_none();
	*best = 2 * RATING_LOSS;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(d->task->record->game, &next, moves[i]);
		double rating = dfpn_report_rate(d, &next, s->side);
		if (rating > *best) {
			*best = rating;
			chosen = moves[i];
		}
	}
	return chosen;
}

/* Extends a line by best moves as far as the table has entries. Returns the new length. Stops after rating
 * *budget moves. */
static int dfpn_report_follow_line(const struct dfpn *d, struct state s, struct move *line,
				   int count, int max, int *budget)
{
	struct move moves[GAME_MOVES_MAX];
	double rating;
	while (*budget > 0 && count < max && !s.over) {
		int n = game_moves(d->task->record->game, &s, moves);
		line[count] = dfpn_report_best_move(d, &s, moves, n, &rating);
		*budget -= n;
		if (rating == 0)
			break;
		game_play(d->task->record->game, &s, line[count++]);
	}
	return count;
}

/* The proof numbers are those of the win question, computed from the children of the root. */
void dfpn_numbers(void *self, struct report *out)
{
	struct dfpn *d = self;
	const struct state *s = &d->task->record->now;
	out->nodes = atomic_load_explicit(&d->nodes, memory_order_relaxed);
	out->fill = table_fill(&d->table);
	if (out->nodes > 0) {
		struct numbers n = dfpn_root_numbers(d);
		out->proof = report_number(n.of[s->side]);
		out->disproof = report_number(n.of[s->side ^ 1]);
	}
	report_settle(out, s->side);
}

/* Most moves to rate for the lines of moves that are not played; takes less than a millisecond. */
#define LINES_BUDGET 4096

static void dfpn_report_report_moves(const struct dfpn *d, const struct move *moves, int n,
				     struct report *out)
{
	const struct game *g = d->task->record->game;
	const struct state *s = &d->task->record->now;
	double ratings[GAME_MOVES_MAX];
	int budget = LINES_BUDGET;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		int lower, upper;
		game_play(g, &next, moves[i]);
		bool answer = move_equal(moves[i], out->line[0]);
		if (!dfpn_find(d, &next, &lower, &upper) && !answer)
			continue;
		/* No move is better than its position, and the best move keeps the proven bounds. The table
		 * may have lost both facts. */
		if (s->side == BLACK ? upper > out->upper : answer && upper > out->upper)
			upper = out->upper;
		if (s->side == WHITE ? lower < out->lower : answer && lower < out->lower)
			lower = out->lower;
		ratings[out->move_count] = dfpn_report_rate(d, &next, s->side);
		struct report_move *r = report_add(out, moves[i]);
		report_narrow(r, lower, upper);
		if (lower == upper)
			r->value = lower;
	}
	report_sort(out, s->side, ratings);
	for (int i = 1; i < out->move_count; i++) {
		struct report_move *r = &out->moves[i];
		struct state next = *s;
		game_play(g, &next, r->move);
		struct move line[REPORT_LINE_MAX] = { r->move };
		report_set_line(
			out, r, line, NULL,
			dfpn_report_follow_line(d, next, line, 1, REPORT_LINE_MAX, &budget));
	}
}

/* Finds a move that wins by the table or by initial_numbers(), whose results the table does not hold. */
static bool find_win(const struct dfpn *d, const struct state *s, const struct move *moves, int n,
		     struct move *win)
{
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		int lower, upper;
		game_play(d->task->record->game, &next, moves[i]);
		dfpn_find(d, &next, &lower, &upper);
		if (s->side == BLACK ? lower > 0 : upper < 0) {
			*win = moves[i];
			return true;
		}
	}
	return false;
}

/* The answer is the move with the best rating. If the root is proven but the table has overwritten the
 * proof, the answer is the move of the proof. */
void dfpn_report(void *self, struct report *out)
{
	struct dfpn *d = self;
	const struct game *g = d->task->record->game;
	struct state s = d->task->record->now;
	struct move moves[GAME_MOVES_MAX];
	double rating;
	int budget = INT_MAX;

	dfpn_bounds(d, &out->lower, &out->upper);
	if (out->lower == out->upper)
		out->value = out->lower;
	dfpn_numbers(d, out);
	if (out->nodes == 0)
		return;
	/* The least result that is proven for the side to move. */
	int proven = result_least(s.side, out->lower, out->upper);
	int n = task_moves(d->task, moves);
	out->line[0] = dfpn_report_best_move(d, &s, moves, n, &rating);
	if (proven <= 0 && find_win(d, &s, moves, n, &out->line[0])) {
		out->lower = out->upper = side_sign(s.side);
		out->value = out->lower;
		report_settle(out, s.side);
	} else if (proven >= 0 && rating < (proven > 0 ? RATING_WIN : RATING_DRAW)) {
		enum question win = win_question(s.side);
		out->line[0] = d->proof[proven > 0 ? win : win ^ 1];
	}
	game_play(g, &s, out->line[0]);
	out->line_count = dfpn_report_follow_line(d, s, out->line, 1, PV_MAX, &budget);
	dfpn_report_report_moves(d, moves, n, out);
}

/* Where repetition matters, the table's numbers hold for the path of the search only, so none are told. */
void dfpn_look(const void *self, const struct record *r, struct kept *out)
{
	const struct dfpn *d = self;
	const struct state *s = &r->now;
	uint64_t word[QUESTIONS];
	if (d->table.game != r->game || game_repeats(r->game))
		return;
	entry_find(&d->table, s, word);
	struct numbers first = initial_numbers(r->game, s, true, false);
	for (enum question q = DRAW_OR_BETTER; q <= WIN; q++) {
		struct kept_numbers *to = q == WIN ? &out->win : &out->at_least_draw;
		struct numbers n = entry_numbers(word, q);
		to->stored = is_known(n) && !is_settled(first);
		if (!to->stored)
			n = first;
		to->of[BLACK] = report_number(n.of[BLACK]);
		to->of[WHITE] = report_number(n.of[WHITE]);
		if (n.of[WHITE] == NEVER)
			kept_narrow(out, q == WIN ? 1 : 0, 1);
		else if (n.of[BLACK] == NEVER)
			kept_narrow(out, -1, q == WIN ? 0 : -1);
	}
}
