/* SPDX-License-Identifier: MIT
 *
 * A packed line: two words of visits for its first move, which the candidate has; then, for each further move, its steps and
 * its visits. The last step of a move is marked. lines[0] is not used.
 */
#include "engine/search/common/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

#define LAST_STEP 0x8000u
_Static_assert(GAME_CODES_MAX <= LAST_STEP, "a mark fits beside a step");

/* --- the lists --- */

void report_clear(struct report *r)
{
	r->value = r->score = r->fill = __builtin_nan("");
	r->lower = -1;
	r->upper = 1;
	r->exact = r->book = false;
	r->depth = r->move_count = r->line_count = 0;
	r->playouts = r->nodes = r->proof = r->disproof = 0;
	r->lines_used = 1;
}

void report_free(struct report *r)
{
	free(r->moves);
	free(r->lines);
	r->moves = NULL;
	r->lines = NULL;
	r->move_room = 0;
	r->lines_room = 0;
	report_clear(r);
}

static void report_reserve_moves(struct report *r, int count)
{
	if (count <= r->move_room)
		return;
	r->move_room = count + count / 2 + 32;
	r->moves = xrealloc(r->moves, (size_t)r->move_room * sizeof *r->moves);
}

static void report_reserve_lines(struct report *r, uint32_t words)
{
	if (words <= r->lines_room)
		return;
	r->lines_room = words + words / 2 + 256;
	r->lines = xrealloc(r->lines, r->lines_room * sizeof *r->lines);
}

void report_copy(struct report *to, const struct report *from)
{
	struct report_move *moves;
	uint16_t *lines;
	report_reserve_moves(to, from->move_count);
	report_reserve_lines(to, from->lines_used);
	moves = to->moves;
	lines = to->lines;
	int move_room = to->move_room;
	uint32_t lines_room = to->lines_room;
	memcpy(to, from,
	       offsetof(struct report, line) + (size_t)from->line_count * sizeof *from->line);
	to->moves = moves;
	to->lines = lines;
	to->move_room = move_room;
	to->lines_room = lines_room;
	if (from->move_count)
		memcpy(moves, from->moves, (size_t)from->move_count * sizeof *moves);
	if (from->lines_used > 1)
		memcpy(lines, from->lines, from->lines_used * sizeof *lines);
}

void report_swap(struct report *a, struct report *b)
{
	struct report kept = *a;
	*a = *b;
	*b = kept;
}

struct report_move *report_add(struct report *r, struct move move)
{
	report_reserve_moves(r, r->move_count + 1);
	struct report_move *m = &r->moves[r->move_count++];
	*m = (struct report_move) {
		.move = move,
		.line_count = 1,
		.value = __builtin_nan(""),
		.score = __builtin_nan(""),
		.lower = -1,
		.upper = 1,
	};
	return m;
}

/* --- lines --- */

static void add_visits(struct report *r, uint64_t visits)
{
	uint32_t word = visits < UINT32_MAX ? (uint32_t)visits : UINT32_MAX;
	r->lines[r->lines_used++] = (uint16_t)word;
	r->lines[r->lines_used++] = (uint16_t)(word >> 16);
}

void report_set_line(struct report *r, struct report_move *m, const struct move *line,
		     const uint64_t *visits, int count)
{
	assert(count >= 1 && count <= REPORT_LINE_MAX && move_equal(m->move, line[0]));
	r->lines_used += r->lines_used == 0;
	report_reserve_lines(r, r->lines_used + (MOVE_STEPS_MAX + 2) * (uint32_t)count);
	m->line = r->lines_used;
	m->line_count = (uint8_t)count;
	for (int i = 0; i < count; i++) {
		for (int j = 0, steps = move_steps(line[i]); i && j < steps; j++)
			r->lines[r->lines_used++] = (uint16_t)(line[i].step[j] |
							       (j == steps - 1 ? LAST_STEP : 0));
		add_visits(r, visits ? visits[i] : 0);
	}
}

int report_line(const struct report *r, const struct report_move *m,
		struct move line[REPORT_LINE_MAX], uint64_t visits[REPORT_LINE_MAX])
{
	const uint16_t *at = m->line ? r->lines + m->line : NULL;
	for (int i = 0; i < m->line_count; i++) {
		line[i] = i ? move_none() : m->move;
		for (int j = 0; i; j++) {
			line[i].step[j] = (move_t)(*at & ~LAST_STEP);
			if (*at++ & LAST_STEP)
				break;
		}
		if (visits)
			visits[i] = at ? at[0] | (uint32_t)at[1] << 16 : 0;
		at += at ? 2 : 0;
	}
	return m->line_count;
}

/* --- candidates --- */

int report_find(const struct report *r, struct move move)
{
	for (int i = 0; i < r->move_count; i++)
		if (move_equal(r->moves[i].move, move))
			return i;
	return -1;
}

void report_narrow(struct report_move *m, int lower, int upper)
{
	m->lower = (int8_t)(lower > m->lower ? lower : m->lower);
	m->upper = (int8_t)(upper < m->upper ? upper : m->upper);
	/* A value that playouts have estimated may be outside. */
	if (m->value < m->lower)
		m->value = m->lower;
	else if (m->value > m->upper)
		m->value = m->upper;
}

/* What the order of the moves depends on. */
struct report_place {
	int rank; /* 2 for the answer, 1 for a proven win, 0 for an open move, -1 for a proven loss */
	double rating;
	int index;
};

static int report_rank(const struct report *r, const struct report_move *m, int side)
{
	int least = result_least(side, m->lower, m->upper),
	    most = result_most(side, m->lower, m->upper);
	return move_equal(m->move, r->line[0]) ? 2 : least > 0 ? 1 : most < 0 ? -1 : 0;
}

static int report_compare(const void *first, const void *second)
{
	const struct report_place *a = first, *b = second;
	if (a->rank != b->rank)
		return b->rank - a->rank;
	if (a->rating != b->rating)
		return a->rating < b->rating ? 1 : -1;
	return a->index - b->index;
}

/* Gives the first move the line of the report, and keeps the visits that its own line has of the same moves. */
static void report_lead(struct report *r)
{
	struct report_move *first = &r->moves[0];
	struct move line[REPORT_LINE_MAX];
	uint64_t visits[REPORT_LINE_MAX] = { 0 };
	int own = report_line(r, first, line, visits), same = 0,
	    count = r->line_count < REPORT_LINE_MAX ? r->line_count : REPORT_LINE_MAX;
	while (same < count && same < own && move_equal(line[same], r->line[same]))
		same++;
	memset(visits + same, 0, (size_t)(REPORT_LINE_MAX - same) * sizeof *visits);
	report_set_line(r, first, r->line, visits, count);
}

void report_sort(struct report *r, int side, const double *ratings)
{
	int count = r->move_count;
	struct report_place *places = xmalloc(((size_t)count + 1) * sizeof *places);
	struct report_move *sorted = xmalloc(((size_t)count + 1) * sizeof *sorted);
	for (int i = 0; i < count; i++)
		places[i] = (struct report_place) { report_rank(r, &r->moves[i], side),
						    ratings ? ratings[i] : 0, i };
	qsort(places, (size_t)count, sizeof *places, report_compare);
	for (int i = 0; i < count; i++)
		sorted[i] = r->moves[places[i].index];
	/* The answer may be a move of which the search knows nothing. */
	int missing = count <= 0 || places[0].rank < 2;
	if (missing) {
		r->move_count = 0;
		report_add(r, r->line[0]);
	}
	report_reserve_moves(r, count + missing);
	memcpy(r->moves + missing, sorted, (size_t)count * sizeof *sorted);
	r->move_count = count + missing;
	free(sorted);
	free(places);
	report_lead(r);
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
