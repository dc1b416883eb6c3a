/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/review.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/opening_name.h"
#include "protocol/lessons/explain.h"
#include "protocol/records/sgf.h"
#include "protocol/session/command.h"

/* What is known of the position before move `index` of the record, or of the last one. */
struct lessons_review_position {
	struct worth worth;
	struct review_line line; /* the best moves known; empty: the game is over */
	bool is_forced;          /* there is one legal move: nothing was searched */
};

/* A review that is being made. First each position is searched, from the first one on. Then the moves are compared, from the
 * last one back. */
struct reviewer {
	struct record record;                      /* the position that is searched */
	struct lessons_review_position *positions; /* one more than the record has moves */
	int looked; /* number of positions that are searched, or need no search */
	int left;   /* number of moves that are not compared yet */
};

/* Goes to the position before move `index`. */
static void lessons_review_go_to(struct review *out, int index)
{
	record_copy(&out->reviewer->record, out->record);
	record_shorten(&out->reviewer->record, index);
}

/* Returns true if a move leaves the board and its worth as they are: a turn, or a swap of sides. */
static bool review_is_idle(const struct record_move *m)
{
	return !record_is_play(m) && m->move.step[0] != MOVE_SETUP;
}

/* Goes to a position. Returns true if it must be searched. */
static bool lessons_review_look_at(struct review *out, int index)
{
	struct record *r = &out->reviewer->record;
	struct lessons_review_position *p = &out->reviewer->positions[index];
	const struct record_move *next = index < out->record->count ? &out->record->moves[index]
								    : NULL;
	lessons_review_go_to(out, index);
	if (r->now.over) {
		p->worth = worth_of_end(r->game, &r->now);
		return false;
	}
	p->is_forced = next && next->move.step[0] != MOVE_SETUP &&
		       (review_is_idle(next) || record_moves(r, NULL) == 1);
	return !p->is_forced;
}

static void lessons_review_take_report(struct lessons_review_position *p, const struct report *r)
{
	p->worth = worth_of_report(r);
	p->line.count = r->line_count < REVIEW_LINE_MAX ? r->line_count : REVIEW_LINE_MAX;
	memcpy(p->line.moves, r->line, (size_t)p->line.count * sizeof *r->line);
}

/* Sets a line to a move and what follows it. */
static void join_line(struct review_line *line, struct move first, const struct review_line *rest)
{
	line->moves[0] = first;
	for (line->count = 1; line->count < REVIEW_LINE_MAX && line->count <= rest->count;
	     line->count++)
		line->moves[line->count] = rest->moves[line->count - 1];
}

/* A position is worth what the one after a move of it is worth. That one proves only that the side has at least as much,
 * because other moves may be better; a proven score stays. */
static void take_worth(struct worth *w, int side, const struct worth *after)
{
	if (!w->exact) {
		w->value = after->value;
		w->score = after->score;
	}
	worth_at_least(w, side, after);
}

/* The lower one of the values of a position and of the one after its best move counts. */
static void confirm(struct lessons_review_position *p, const struct game *g, int side,
		    const struct lessons_review_position *after)
{
	if (worth_is_better(g, side, &p->worth, &after->worth) || isnan(worth_share(&p->worth)))
		take_worth(&p->worth, side, &after->worth);
	else
		worth_at_least(&p->worth, side, &after->worth);
	if (after->line.count >= p->line.count)
		join_line(&p->line, p->line.moves[0], &after->line);
}

/* The move of the game is the best one known: the position is worth what follows. */
static void take_played(struct lessons_review_position *p,
			const struct lessons_review_position *next, int side, struct move played)
{
	if (p->is_forced)
		p->worth = next->worth;
	else
		take_worth(&p->worth, side, &next->worth);
	join_line(&p->line, played, &next->line);
}

/* Passes after the end are not moves to judge. */
static bool is_judged(const struct record_move *m)
{
	return record_is_play(m) && m->move.step[0] != MOVE_PASS;
}

static bool is_best(const struct lessons_review_position *p, struct move played)
{
	return p->is_forced || !p->line.count || move_equal(p->line.moves[0], played);
}

/* Returns true if a move seems to lose what must be confirmed. The position after it must be complete. */
static bool is_doubtful(const struct review *out, int index)
{
	const struct record_move *m = &out->record->moves[index];
	const struct lessons_review_position *p = &out->reviewer->positions[index];
	if (!is_judged(m) || is_best(p, m->move))
		return false;
	struct loss loss = loss_find(out->record->game, m->side, &p->worth, &p[1].worth);
	return loss.size != LOSS_GOOD && !loss.exact && loss.unit != LOSS_RESULT;
}

/* Goes to the position after the best move of a position. Returns true if it must be searched; else confirms the move by the
 * end of the game. */
static bool look_behind(struct review *out, int index)
{
	struct record *r = &out->reviewer->record;
	struct lessons_review_position *p = &out->reviewer->positions[index], after = { 0 };
	lessons_review_go_to(out, index);
	record_play(r, p->line.moves[0]);
	if (!r->now.over)
		return true;
	after.worth = worth_of_end(r->game, &r->now);
	confirm(p, r->game, out->record->moves[index].side, &after);
	return false;
}

/* Completes a position by the one after the move of the game, which is complete. */
static void lessons_review_complete(struct review *out, int index)
{
	const struct record_move *m = &out->record->moves[index];
	struct lessons_review_position *p = &out->reviewer->positions[index];
	const struct lessons_review_position *next = p + 1;
	if (review_is_idle(m))
		p->worth = next->worth;
	if (!is_judged(m))
		return;
	if (is_best(p, m->move) ||
	    !worth_is_better(out->record->game, m->side, &p->worth, &next->worth))
		take_played(p, next, m->side, m->move);
	else
		worth_at_least(&p->worth, m->side, &next->worth);
}

static void lessons_review_explain(struct review_move *m, const struct game *g,
				   const struct state *before)
{
	facts_of_move(&m->reasons, g, before, m->better.moves[0]);
	facts_of_move(&m->faults, g, before, m->move);
}

/* Fills in the move `index` of the record. */
static void tell_move(const struct review *out, struct review_move *m, int index)
{
	const struct record *r = out->record;
	const struct lessons_review_position *p = &out->reviewer->positions[index];
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
	lessons_review_explain(m, r->game, &before);
}

static void lessons_review_tell(struct review *out)
{
	const struct record *r = out->record;
	double severity[2] = { 0 };
	out->moves = xcalloc((size_t)r->count + 1, sizeof *out->moves);
	for (int i = 0, number = 0; i < r->count; i++) {
		/* A swap of sides is a move in most texts. */
		number += record_is_play(&r->moves[i]) || r->moves[i].move.step[0] == MOVE_SIDES;
		if (!is_judged(&r->moves[i]))
			continue;
		struct review_move *m = &out->moves[out->count++];
		tell_move(out, m, i);
		m->number = number;
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

void review_begin(struct review *out, const struct record *record)
{
	struct reviewer *v = xcalloc(1, sizeof *v);
	*out = (struct review) { .record = record, .reviewer = v };
	record_init(&v->record, record->game);
	v->positions = xcalloc((size_t)record->count + 1, sizeof *v->positions);
	v->left = record->count;
}

const struct record *review_next(struct review *out)
{
	struct reviewer *v = out->reviewer;
	for (; v->looked <= out->record->count; v->looked++)
		if (lessons_review_look_at(out, v->looked))
			return &v->record;
	for (; v->left > 0; lessons_review_complete(out, --v->left))
		if (is_doubtful(out, v->left - 1) && look_behind(out, v->left - 1))
			return &v->record;
	if (!out->moves)
		lessons_review_tell(out);
	return NULL;
}

void review_take(struct review *out, const struct report *report)
{
	struct reviewer *v = out->reviewer;
	struct lessons_review_position after = { 0 };
	if (v->looked <= out->record->count) {
		lessons_review_take_report(&v->positions[v->looked++], report);
		return;
	}
	lessons_review_take_report(&after, report);
	v->left--;
	confirm(&v->positions[v->left], out->record->game, out->record->moves[v->left].side,
		&after);
	lessons_review_complete(out, v->left);
}

void review_free(struct review *r)
{
	if (r->reviewer) {
		record_free(&r->reviewer->record);
		free(r->reviewer->positions);
	}
	free(r->reviewer);
	free(r->moves);
}

bool review_make(struct review *out, struct engine *engine, const struct record *record,
		 void (*progress)(int done, int all), char why[REASON_MAX])
{
	const struct record *position;
	struct report report = { 0 };
	bool done = true;
	review_begin(out, record);
	while (done && (position = review_next(out))) {
		struct limits limits = engine_full_limits(engine, record->game);
		if (progress)
			progress(out->reviewer->looked, record->count + 1);
		done = engine_search(engine, position, &limits, &report, why);
		if (done)
			review_take(out, &report);
	}
	if (progress)
		progress(record->count + 1, record->count + 1);
	report_free(&report);
	return done;
}

/* --- JSON --- */

static json_t *json_side(const struct review_side *r)
{
	return json_pack("{s:i,s:o,s:i,s:i,s:i}", "moves", r->moves, "accuracy",
			 as_json_number(r->accuracy), "inaccuracies", r->sizes[LOSS_INACCURACY],
			 "mistakes", r->sizes[LOSS_MISTAKE], "blunders", r->sizes[LOSS_BLUNDER]);
}

static json_t *lessons_review_json_move(const struct record *r, const struct review_move *m)
{
	const struct game *g = r->game;
	struct state s;
	record_state(r, m->index, &s);
	json_t *better = as_json_line(g, &s, m->better.moves, m->better.count);
	json_t *move = json_pack("{s:i,s:s,s:o,s:b,s:o,s:o,s:o,s:o}", "number", m->number, "side",
				 color_name(m->side), "move", as_json_move(g, &s, m->move),
				 "forced", (int)m->is_forced, "before",
				 explain_json_worth(&m->before), "after",
				 explain_json_worth(&m->after), "loss",
				 explain_json_loss(&m->loss, g), "better", better);
	game_play(g, &s, m->move);
	json_object_set_new(move, "answer", as_json_line(g, &s, m->answer.moves, m->answer.count));
	if (m->loss.size != LOSS_GOOD) {
		json_object_set_new(move, "reasons", explain_json_facts(&m->reasons));
		json_object_set_new(move, "faults", explain_json_facts(&m->faults));
	}
	return move;
}

json_t *review_json(const struct review *v)
{
	const struct record *r = v->record;
	const struct game *g = r->game;
	struct opening_name opening = { 0 };
	char result[SGF_RESULT_MAX] = "";
	json_t *moves = json_array();
	bool has_opening = opening_name_find(r, r->count, &opening);
	if (r->now.over)
		sgf_result(g, &r->now, result);
	for (int i = 0; i < v->count; i++)
		json_array_append_new(moves, lessons_review_json_move(r, &v->moves[i]));
	return json_pack(
		"{s:s,s:s,s:i,s:i,s:s?,s:s,s:s?,s:{s:o,s:o},s:o}", "game", g->name, "rules",
		g->rules, "rows", g->board.rows, "cols", g->board.cols, "unit", g->score.unit,
		"result", result, "opening", has_opening ? opening.english : NULL, "sides", "black",
		json_side(&v->sides[BLACK]), "white", json_side(&v->sides[WHITE]), "moves", moves);
}
