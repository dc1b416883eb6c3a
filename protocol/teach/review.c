/* SPDX-License-Identifier: MIT */
#include "protocol/teach/review.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"

/* What is known of the position before move `index` of the record, or of the last one. */
struct position {
	struct worth worth;
	struct review_line line; /* the best moves known; empty: the game is over */
	bool is_forced;          /* there is one legal move: nothing was searched */
};

struct reviewer {
	struct review *out;
	struct engine *engine;
	void (*progress)(int done, int all);
	char *why;
	struct record record; /* the positions that are searched */
	struct report *report;
	struct position *positions; /* one more than the record has moves */
};

/* Searches the position of v->record, which is not over. */
static bool search(struct reviewer *v, struct position *out)
{
	const struct report *r = v->report;
	struct limits limits = engine_limits(v->engine, v->record.game, TIME_NEVER);
	if (!engine_search(v->engine, &v->record, &limits, v->report, v->why))
		return false;
	out->worth = worth_of_report(r);
	out->line.count = r->line_count < REVIEW_LINE_MAX ? r->line_count : REVIEW_LINE_MAX;
	memcpy(out->line.moves, r->line, (size_t)out->line.count * sizeof *r->line);
	return true;
}

/* Goes to the position before move `index`. */
static void go_to(struct reviewer *v, int index)
{
	record_copy(&v->record, v->out->record);
	record_shorten(&v->record, index);
}

static bool look_at(struct reviewer *v, int index)
{
	struct position *p = &v->positions[index];
	struct move moves[GAME_MOVES_MAX];
	bool is_last = index == v->out->record->count;
	go_to(v, index);
	if (v->record.now.over) {
		p->worth = worth_of_end(v->record.game, &v->record.now);
		return true;
	}
	p->is_forced = !is_last && (record_moves(&v->record, moves) == 1 ||
				    v->out->record->moves[index].move.step[0] == MOVE_TURN);
	return p->is_forced || search(v, p);
}

/* Sets a line to a move and what follows it. */
static void join_line(struct review_line *line, struct move first, const struct review_line *rest)
{
	line->moves[0] = first;
	for (line->count = 1; line->count < REVIEW_LINE_MAX && line->count <= rest->count;
	     line->count++)
		line->moves[line->count] = rest->moves[line->count - 1];
}

/* Searches the position after the best move, and takes the lower one of both values. */
static bool confirm(struct reviewer *v, int index, int side)
{
	struct position *p = &v->positions[index], after = { 0 };
	const struct game *g = v->record.game;
	go_to(v, index);
	record_play(&v->record, p->line.moves[0]);
	if (v->record.now.over)
		after.worth = worth_of_end(g, &v->record.now);
	else if (!search(v, &after))
		return false;
	if (worth_is_better(g, side, &p->worth, &after.worth) || isnan(worth_share(&p->worth)))
		p->worth = after.worth;
	worth_at_least(&p->worth, side, &after.worth);
	if (after.line.count >= p->line.count)
		join_line(&p->line, p->line.moves[0], &after.line);
	return true;
}

/* The move of the game is the best one known: the position is worth what follows. */
static void take_played(struct position *p, const struct position *next, struct move played)
{
	p->worth = next->worth;
	join_line(&p->line, played, &next->line);
}

/* Compares the move before position index + 1, which is complete, with the best one. */
static bool compare(struct reviewer *v, int index)
{
	const struct record_move *m = &v->out->record->moves[index];
	const struct game *g = v->out->record->game;
	struct position *p = &v->positions[index];
	const struct position *next = p + 1;
	if (m->move.step[0] == MOVE_TURN)
		p->worth = next->worth;
	if (m->move.step[0] == MOVE_TURN || m->move.step[0] == MOVE_PASS)
		return true;
	bool is_best = p->is_forced || !p->line.count || move_equal(p->line.moves[0], m->move);
	if (!is_best) {
		struct loss loss = loss_find(g, m->side, &p->worth, &next->worth);
		if (loss.size != LOSS_GOOD && !loss.exact && loss.unit != LOSS_RESULT &&
		    !confirm(v, index, m->side))
			return false;
	}
	if (is_best || !worth_is_better(g, m->side, &p->worth, &next->worth))
		take_played(p, next, m->move);
	else
		worth_at_least(&p->worth, m->side, &next->worth);
	return true;
}

static void explain(struct review_move *m, const struct game *g, const struct state *before)
{
	facts_of_move(&m->reasons, g, before, m->better.moves[0]);
	facts_of_move(&m->faults, g, before, m->move);
}

/* Fills in the move `index` of the record. */
static void tell_move(const struct reviewer *v, struct review_move *m, int index)
{
	const struct record *r = v->out->record;
	const struct position *p = &v->positions[index];
	struct state before;
	*m = (struct review_move) { .index = index,
				    .side = r->moves[index].side,
				    .move = r->moves[index].move,
				    .is_forced = p->is_forced,
				    .before = p->worth,
				    .after = p[1].worth,
				    .answer = p[1].line };
	m->loss = loss_find(r->game, m->side, &m->before, &m->after);
	if (m->is_forced || move_equal(p->line.moves[0], m->move))
		m->loss = (struct loss) { 0 };
	if (m->loss.size == LOSS_GOOD)
		return;
	m->better = p->line;
	record_state(r, index, &before);
	explain(m, r->game, &before);
}

static void tell(const struct reviewer *v)
{
	struct review *out = v->out;
	const struct record *r = out->record;
	double severity[2] = { 0 };
	out->moves = xcalloc((size_t)r->count + 1, sizeof *out->moves);
	for (int i = 0; i < r->count; i++) {
		/* Passes after the end and turns are not moves to judge. */
		if (r->moves[i].move.step[0] == MOVE_TURN || r->moves[i].move.step[0] == MOVE_PASS)
			continue;
		struct review_move *m = &out->moves[out->count++];
		tell_move(v, m, i);
		m->number = out->count;
		if (m->is_forced)
			continue;
		struct review_side *side = &out->sides[m->side];
		side->moves++;
		side->sizes[m->loss.size]++;
		severity[m->side] += m->loss.severity;
	}
	for (int side = BLACK; side <= WHITE; side++)
		out->sides[side].accuracy = 1 - severity[side] / out->sides[side].moves;
}

bool review_make(struct review *out, struct engine *engine, const struct record *record,
		 void (*progress)(int done, int all), char why[REASON_MAX])
{
	struct reviewer v = { .out = out, .engine = engine, .progress = progress, .why = why };
	bool done = true;
	*out = (struct review) { .record = record };
	v.report = xmalloc(sizeof *v.report);
	v.positions = xcalloc((size_t)record->count + 1, sizeof *v.positions);
	record_init(&v.record, record->game);
	for (int i = 0; done && i <= record->count; i++) {
		if (progress)
			progress(i, record->count + 1);
		done = look_at(&v, i);
	}
	for (int i = record->count; done && i-- > 0;)
		done = compare(&v, i);
	if (done)
		tell(&v);
	record_free(&v.record);
	free(v.positions);
	free(v.report);
	return done;
}

void review_free(struct review *r)
{
	free(r->moves);
}
