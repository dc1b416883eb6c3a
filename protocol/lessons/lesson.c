/* SPDX-License-Identifier: MIT
 *
 * The record of both searches is s->goal: a copy of the game up to the position, and for the second search with the move.
 */
#include "protocol/lessons/lesson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/lessons/explain.h"
#include "protocol/session/think.h"

#define REASONS_SHOWN 3

/* --- searching --- */

/* Starts a search of s->goal. A lesson is as good as can be, whatever the level. */
static enum outcome lesson_search(struct session *s)
{
	struct limits limits = think_limits(s);
	if (limits.level > 0)
		limits = engine_full_limits(s->engine, s->record.game);
	/* The value is wanted even if one move is possible. */
	limits.values = record_moves(&s->goal, NULL) == 1;
	/* Whoever shows reports takes them for those of the game's position. */
	bool is_shown = state_equal(&s->goal.now, &s->record.now) &&
			s->goal.count == s->record.count;
	limits.interval = is_shown ? session_interval(s) : 0;
	return think_goal(s, &limits);
}

/* Goes to the position before move `index` of the game, with `side` to move. */
static enum outcome lesson_go_to(struct session *s, int index, int side)
{
	record_copy(&s->goal, &s->record);
	record_shorten(&s->goal, index);
	if (!record_give_turn(&s->goal, side)) {
		text_printf(s->reply, "%s is to move", color_name(s->goal.now.side));
		return REFUSED;
	}
	return s->goal.now.over ? refuse(s, "the game is over") : DONE;
}

/* Begins the lesson of the position of s->goal. */
static enum outcome lesson_begin_own(struct session *s, int side, const struct move *move)
{
	struct lesson *l = s->lesson ? s->lesson : xcalloc(1, sizeof *l);
	s->lesson = l;
	*l = (struct lesson) {
		.game = s->record.game,
		.state = s->goal.now,
		.has_move = move != NULL,
	};
	if (move)
		l->move = *move;
	s->side = side;
	return lesson_search(s);
}

enum outcome lesson_begin(struct session *s, int index, int side, const struct move *move)
{
	enum outcome outcome = lesson_go_to(s, index, side);
	return outcome == DONE ? lesson_begin_own(s, side, move) : outcome;
}

enum outcome lesson_begin_text(struct session *s, int index, int side, const char *text)
{
	struct move move;
	enum outcome outcome = lesson_go_to(s, index, side);
	if (outcome != DONE)
		return outcome;
	if (!*text)
		return lesson_begin_own(s, side, NULL);
	switch (record_parse(&s->goal, text, &move)) {
	case MOVE_MALFORMED:
		return syntax_error(s, "type a move");
	case MOVE_REPEATS:
	case MOVE_ILLEGAL:
		return refuse_noted(s, "illegal move", "the rules do not allow this move");
	case MOVE_OK:
		break;
	}
	return lesson_begin_own(s, side, &move);
}

static int copy_line(struct move out[LESSON_LINE_MAX], const struct move *line, int count)
{
	count = count < LESSON_LINE_MAX ? count : LESSON_LINE_MAX;
	memcpy(out, line, (size_t)count * sizeof *line);
	return count;
}

/* Adds a candidate, unless it is there or there is no room. */
static void add_candidate(struct lesson *l, struct move m)
{
	for (int i = 0; i < l->candidate_count; i++)
		if (move_equal(l->candidates[i], m))
			return;
	if (l->candidate_count < LESSON_MOVES_MAX)
		l->candidates[l->candidate_count++] = m;
}

/* Takes the best move and its line. The candidates are the best moves that the search tells, then any. */
static void take_best(struct session *s, struct lesson *l, const struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	int count = record_moves(&s->goal, moves);
	l->best = worth_of_report(r);
	l->line_count = copy_line(l->line, r->line, r->line_count);
	add_candidate(l, r->line[0]);
	for (int i = 0; i < r->move_count; i++)
		add_candidate(l, r->moves[i].move);
	for (int i = 0; i < count; i++)
		add_candidate(l, moves[i]);
}

/* The move is the best one: what follows it is the rest of the line. */
static void lesson_take_line(struct lesson *l)
{
	l->played = l->best;
	l->answer_count = copy_line(l->answer, l->line + 1, l->line_count - 1);
}

static void lesson_complete(struct lesson *l)
{
	const struct game *g = l->game;
	if (!move_equal(l->move, l->line[0]))
		l->loss = loss_find(g, l->state.side, &l->best, &l->played);
	facts_of_position(&l->position, g, &l->state);
	facts_of_move(&l->reasons, g, &l->state, l->line[0]);
	facts_of_move(&l->faults, g, &l->state, l->move);
}

enum outcome lesson_take(struct session *s, const struct report *r)
{
	struct lesson *l = s->lesson;
	if (!r)
		return REFUSED;
	if (l->searches_answer) {
		l->played = worth_of_report(r);
		l->answer_count = copy_line(l->answer, r->line, r->line_count);
	} else {
		take_best(s, l, r);
		if (!l->has_move)
			l->move = l->line[0];
		if (move_equal(l->move, l->line[0])) {
			lesson_take_line(l);
		} else {
			record_play(&s->goal, l->move);
			if (s->goal.now.over) {
				l->played = worth_of_end(l->game, &s->goal.now);
			} else if (!s->ended_early) {
				l->searches_answer = true;
				return lesson_search(s);
			} else {
				l->played = (struct worth) { NAN, NAN, -1, 1, false };
			}
		}
	}
	lesson_complete(l);
	return DONE;
}

bool lesson_is_current(const struct session *s)
{
	const struct lesson *l = s->lesson;
	return l && l->line_count && !l->has_move && l->game == s->record.game &&
	       state_equal(&l->state, &s->record.now);
}

/* --- words --- */

/* Writes "; then perhaps" and a line from a state. */
static void print_follow(struct text *out, const struct lesson *l, const struct state *s,
			 const struct move *line, int count)
{
	if (!count)
		return;
	text_puts(out, "; then perhaps");
	think_line(out, l->game, s, line, count);
}

/* Writes the best move: what it is worth, its reasons, and what may follow. */
static void print_best(struct text *out, const struct lesson *l, const struct facts *other)
{
	char text[MOVE_TEXT_MAX];
	struct state after = l->state;
	game_format(l->game, &l->state, l->line[0], text);
	game_play(l->game, &after, l->line[0]);
	text_printf(out, "%s: ", text);
	worth_print(&l->best, l->game, &l->state, l->state.side, out);
	struct text reasons = { 0 };
	explain_facts(&reasons, &l->reasons, 1, other, REASONS_SHOWN);
	if (reasons.length)
		text_printf(out, "; %s", reasons.bytes);
	text_free(&reasons);
	print_follow(out, l, &after, l->line + 1, l->line_count - 1);
	text_putc(out, '\n');
}

/* Writes what is wrong with the move, and the line that shows it. */
static void lesson_print_move(struct text *out, const struct lesson *l)
{
	char text[MOVE_TEXT_MAX], cost[LOSS_TEXT_MAX];
	struct state after = l->state;
	game_format(l->game, &l->state, l->move, text);
	game_play(l->game, &after, l->move);
	loss_text(&l->loss, l->game, cost);
	text_printf(out, "%s: ", text);
	if (l->loss.unit == LOSS_NONE)
		text_puts(out, "as good as any");
	else
		text_printf(out, "%s, %s", loss_size_name(l->loss.size), cost);
	text_puts(out, "; ");
	worth_print(&l->played, l->game, &l->state, l->state.side, out);
	text_putc(out, '\n');
	text_printf(out, "after %s: ", text);
	int count = explain_facts(out, &l->faults, l->loss.size == LOSS_GOOD ? 1 : -1,
				  l->loss.size == LOSS_GOOD ? NULL : &l->reasons, REASONS_SHOWN);
	if (after.over) {
		text_puts(out, count ? "\n" : "the game is over\n");
		return;
	}
	text_printf(out, "%s%s may go on", count ? "; " : "", game_side(l->game, after.side));
	think_line(out, l->game, &after, l->answer, l->answer_count);
	text_putc(out, '\n');
}

void lesson_print(struct text *out, const struct lesson *l)
{
	if (move_equal(l->move, l->line[0])) {
		print_best(out, l, NULL);
		return;
	}
	lesson_print_move(out, l);
	if (l->loss.size != LOSS_GOOD) {
		text_puts(out, "better was ");
		print_best(out, l, &l->faults);
	}
}

/* --- JSON --- */

/* The lines of lesson_print() as a list. */
static json_t *lesson_json_text(const struct lesson *l)
{
	char *save;
	json_t *lines = json_array();
	struct text text = { 0 };
	lesson_print(&text, l);
	for (char *line = strtok_r(text.bytes, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		json_array_append_new(lines, json_string(line));
	text_free(&text);
	return lines;
}

static json_t *json_candidates(const struct lesson *l)
{
	json_t *list = json_array();
	for (int i = 0; i < l->candidate_count; i++)
		json_array_append_new(list, as_json_move(l->game, &l->state, l->candidates[i]));
	return list;
}

json_t *lesson_json(const struct lesson *l)
{
	const struct game *g = l->game;
	struct state after = l->state;
	game_play(g, &after, l->move);
	json_t *best_json = json_pack("{s:o,s:o,s:o,s:o}", "move",
				      as_json_move(g, &l->state, l->line[0]), "worth",
				      explain_json_worth(&l->best), "line",
				      as_json_line(g, &l->state, l->line, l->line_count), "facts",
				      explain_json_facts(&l->reasons));
	return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "side",
			 color_name(l->state.side), "move", as_json_move(g, &l->state, l->move),
			 "worth", explain_json_worth(&l->played), "loss",
			 explain_json_loss(&l->loss, g), "facts", explain_json_facts(&l->faults),
			 "answer", as_json_line(g, &after, l->answer, l->answer_count), "best",
			 best_json, "candidates", json_candidates(l), "position",
			 explain_json_facts(&l->position), "text", lesson_json_text(l));
}
