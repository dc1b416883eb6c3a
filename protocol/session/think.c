/* SPDX-License-Identifier: MIT
 *
 * Shared by all commands that search for a move.
 */
#include "protocol/session/think.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/session/command.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"

/* Estimates how many moves the side still has to search. */
static int own_moves_left(const struct session *s)
{
	int unsolved = engine_unsolved(s->engine, &s->record);
	return unsolved > 2 ? (unsolved + 1) / 2 : 1;
}

/* The time of the next of so many moves. */
static int64_t time_budget(const struct session *s, int moves)
{
	int64_t budget = clock_budget(&s->clock, s->side, moves);
	double limit = ceil(s->settings.max_time * 1e9);
	return limit > 0 && limit < (double)budget ? (int64_t)limit : budget;
}

struct limits think_limits(const struct session *s)
{
	const struct game *g = s->record.game;
	int moves = own_moves_left(s);
	int64_t budget = time_budget(s, moves), longer = time_budget(s, (moves + 1) / 2);
	struct limits limits = engine_limits(s->engine, g, budget);
	/* An unstable search may use the budget for half as many moves left. */
	if (budget > 0 && limits.work_max == WORK_NO_LIMIT && limits.level <= 0)
		limits.extension = (double)(longer - budget) / (double)budget;
	/* After solving no later move needs time, so solving gets the budget of a last move. */
	budget = time_budget(s, 1);
	limits.solve_by = engine_limits(s->engine, g, budget).deadline;
	limits.interval = session_interval(s);
	return limits;
}

enum outcome think_begin(struct session *s, const struct limits *limits, enum outcome outcome)
{
	char why[REASON_MAX];
	struct limits chosen = *limits;
	struct move moves[GAME_MOVES_MAX];
	const struct notation *notation = notation_of(s);
	if (!chosen.only && notation->made(s)) {
		/* The client has begun a move: search only moves that begin so. */
		chosen.only = moves;
		chosen.only_count = notation->moves(s, moves);
	}
	if (session_search(s, &s->record, &chosen, why))
		return outcome;
	record_undo_implied(&s->record);
	return refuse(s, why);
}

enum outcome think_goal(struct session *s, const struct limits *limits)
{
	char why[REASON_MAX];
	s->has_goal = true;
	return session_search(s, &s->goal, limits, why) ? THINKING : refuse(s, why);
}

bool think_take_turn(struct session *s)
{
	if (record_give_turn(&s->record, s->side))
		return true;
	text_printf(s->reply, "%s is to move", color_name(s->record.now.side));
	return false;
}

bool think_is_needed(const struct session *s)
{
	const struct record *r = &s->record;
	return !r->now.over && !game_must_pass(r->game, &r->now);
}

/* --- results --- */

void think_line(struct text *out, const struct game *g, const struct state *start,
		const struct move *moves, int count)
{
	struct state s = *start;
	char text[MOVE_TEXT_MAX];
	for (int i = 0; i < count; i++) {
		game_format(g, &s, moves[i], text);
		game_play(g, &s, moves[i]);
		text_printf(out, " %s", text);
	}
}

void think_count(struct text *out, uint64_t count, const char *unit)
{
	if (count)
		text_printf(out, ", %llu %s%s", (unsigned long long)count, unit,
			    count == 1 ? "" : "s");
}

static void print_speed(struct text *out, uint64_t count, const char *unit, double seconds)
{
	think_count(out, count, unit);
	if (count)
		text_printf(out, " (%.0f/s)", (double)count / seconds);
}

void think_describe(const struct session *s, const struct report *report, struct text *out)
{
	const char *result = worth_result(NULL, report->lower, report->upper);
	const struct game *g = s->record.game;
	double seconds = clock_since(s->taken);
	double value = worth_guess(report->value, report->score, NAN);
	text_printf(out, "%s, %.3f s", color_name(s->side), seconds);
	if (!isnan(value))
		text_printf(out, ", value %+.3f", value);
	if (!isnan(report->score) && g->score.unit)
		text_printf(out,
			    report->exact ? ", score %+g %s for black"
					  : ", score %+.2f %s for black",
			    report->score, g->score.unit);
	if (*result)
		text_printf(out, ", %s", result);
	if (report->exact && g->score.speed && report->score != 0) {
		char margin[AMOUNT_TEXT_MAX];
		game_margin(g, &s->record.now, report->score, margin);
		text_printf(out, " %s", margin);
	}
	if (report->book)
		text_puts(out, ", from the book");
	if (report->depth)
		text_printf(out, ", depth %d", report->depth);
	print_speed(out, report->playouts, "playout", seconds);
	print_speed(out, report->nodes, "node", seconds);
	text_puts(out, ", line");
	write_moves(s, out, report->line, report->line_count);
}

/* The same as text. The caller frees it. */
static char *think_describe_own(const struct session *s, const struct report *report)
{
	struct text line = { 0 };
	think_describe(s, report, &line);
	return text_take(&line);
}

void think_note(struct session *s, const struct report *report)
{
	char *line = think_describe_own(s, report);
	session_note(s, "%s", line);
	free(line);
}

/* Returns true if the side's expected share of the points is below the option `resign`. */
static bool has_lost_hope(const struct session *s, const struct report *report)
{
	double black = worth_guess(report->value, report->score, NAN);
	double value = s->side == BLACK ? black : -black;
	return (1 + value) / 2 < s->settings.resign;
}

static bool think_has_won(const struct session *s, const struct report *report)
{
	return result_least(s->side, report->lower, report->upper) > 0;
}

/* Writes the answer, a move or a word. As the last line of a stream it is spelled as by the engines for which
 * clients support such streams. */
static void print_answer(const struct session *s, const char *text)
{
	bool streams = s->command->live;
	if (streams && strcmp(text, "PASS") == 0)
		text = "pass";
	text_printf(s->reply, "%s%s", streams ? "play " : "", text);
}

/* --- a move --- */

static void make_move(struct session *s, struct move m)
{
	clock_spend(&s->clock, s->side, clock_now() - s->taken);
	if (m.step[0] == MOVE_PASS)
		record_play_end_pass(&s->record, s->side);
	else
		notation_of(s)->make(s, m);
	s->has_moved = !notation_of(s)->made(s);
}

static void think_explain(struct session *s, char *text)
{
	free(s->explanation);
	s->explanation = text;
}

bool think_known(struct session *s, char text[MOVE_TEXT_MAX])
{
	struct move m;
	strcpy(text, "PASS");
	if (notation_of(s)->known(s, &m))
		format_play(s, m, text);
	else if (think_is_needed(s))
		return false;
	else
		m = move_single(s->record.now.over ? MOVE_PASS : s->record.game->steps.pass);
	if (s->command->plays) {
		make_move(s, m);
		think_explain(s, NULL);
	} else {
		record_undo_implied(&s->record);
	}
	return true;
}

bool think_found(struct session *s, const struct report *report, char text[MOVE_TEXT_MAX])
{
	bool is_cancelled = s->command->cancellable && s->ended_early;
	if (!report || is_cancelled) {
		record_undo_implied(&s->record);
		strcpy(text, "cancelled");
		return report;
	}
	bool plays = s->command->plays;
	char *found = think_describe_own(s, report);
	bool claims = s->may_claim && think_has_won(s, report);
	bool resigns = has_lost_hope(s, report);
	session_note(s, "%s", found);
	format_play(s, report->line[0], text);
	if (claims || resigns)
		strcpy(text, claims ? "claim" : "resign");
	if (plays)
		think_explain(s, found);
	else
		free(found);
	if (plays && !claims && !resigns)
		make_move(s, report->line[0]);
	else
		record_undo_implied(&s->record);
	return true;
}

enum outcome think_move(struct session *s, const struct limits *limits, enum outcome outcome)
{
	char text[MOVE_TEXT_MAX];
	if (!think_known(s, text))
		return think_begin(s, limits, outcome);
	print_answer(s, text);
	return DONE;
}

enum outcome think_answer(struct session *s, const struct report *report)
{
	char text[MOVE_TEXT_MAX];
	if (!think_found(s, report, text))
		return REFUSED;
	print_answer(s, text);
	return DONE;
}
