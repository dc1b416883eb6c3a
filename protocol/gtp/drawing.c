/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/stream.h"
#include "engine/search/algorithms.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"

#define DRAWING_INTERVAL 250000000 /* nanoseconds between two live drawings */
/* Search time in nanoseconds of commands that GoGui can run after every move. */
#define GLANCE           INT64_C(1000000000)
/* Maximum number of moves drawn of a line. In longer lines, points would get several numbers. */
#define DRAWN_MOVES      10

/* --- results of a search by the points of the client's board --- */

/* A point of a legal play: the moves that begin there, or a turn of the pending placement. */
struct spot {
	char point[MOVE_TEXT_MAX];
	int unknown; /* number of moves missing in the report */
	uint64_t visits;
	double value, score; /* of the best move, Black's */
	bool exact;          /* the score is proven, and the game has scores */
	int lower, upper;    /* proven bounds of Black's result */
};

static double gtp_drawing_value_of(const struct spot *spot)
{
	return worth_guess(spot->value, spot->score, NAN);
}

static int better(int side, int a, int b)
{
	return (side == BLACK) == (a > b) ? a : b;
}

static struct spot *find_spot(struct spot *spots, int count, const char *point)
{
	for (int i = 0; i < count; i++)
		if (strcmp(spots[i].point, point) == 0)
			return &spots[i];
	return NULL;
}

static bool gtp_drawing_is_among(const struct move *moves, int count, struct move m)
{
	for (int i = 0; i < count; i++)
		if (move_equal(moves[i], m))
			return true;
	return false;
}

/* Writes the point of the next play of a legal move. */
static void gtp_drawing_write_point(const struct session *s, struct move m,
				    char point[MOVE_TEXT_MAX])
{
	format_play(s, m, point);
	cut_to_point(point);
}

/* Collects the points of the moves in the report, best first. Returns their number. */
static int find_spots(const struct session *s, const struct report *r,
		      struct spot spots[GAME_STEPS_MAX])
{
	const struct state *now = &s->record.now;
	struct move moves[GAME_MOVES_MAX];
	char point[MOVE_TEXT_MAX];
	int count = 0, n = notation_of(s)->moves(s, moves);
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		if (!gtp_drawing_is_among(moves, n, m->move))
			continue;
		gtp_drawing_write_point(s, m->move, point);
		struct spot *spot = find_spot(spots, count, point);
		if (!spot) {
			spot = &spots[count++];
			*spot = (struct spot) {
				.value = m->value,
				.score = m->score,
				.exact = m->exact && game_counts(s->record.game),
				.lower = m->lower,
				.upper = m->upper,
			};
			strcpy(spot->point, point);
		}
		spot->unknown--;
		spot->visits += m->visits;
		spot->lower = better(now->side, spot->lower, m->lower);
		spot->upper = better(now->side, spot->upper, m->upper);
	}
	for (int i = 0; i < n; i++) {
		gtp_drawing_write_point(s, moves[i], point);
		struct spot *spot = find_spot(spots, count, point);
		if (spot)
			spot->unknown++;
	}
	/* A move missing in the report might be the best. */
	for (int i = 0; i < count; i++) {
		if (spots[i].unknown && now->side == BLACK)
			spots[i].upper = 1;
		else if (spots[i].unknown)
			spots[i].lower = -1;
	}
	return count;
}

static uint64_t gtp_drawing_most_visits(const struct spot *spots, int count)
{
	uint64_t most = 1;
	for (int i = 0; i < count; i++)
		most = spots[i].visits > most ? spots[i].visits : most;
	return most;
}

/* --- drawing --- */

/* Prints the principal variation: "b D3 w C3 ...". */
static void gtp_drawing_print_line(struct text *out, const struct session *s,
				   const struct report *r)
{
	const struct notation *n = notation_of(s);
	struct state state = s->record.now;
	char texts[PLAYS_MAX][MOVE_TEXT_MAX];
	int play = n->made(s);
	for (int i = 0; i < r->line_count && i < DRAWN_MOVES; i++) {
		int count = n->plays(s, &state, r->line[i], texts);
		for (; play < count; play++) {
			cut_to_point(texts[play]);
			text_printf(out, " %c %s", state.side == BLACK ? 'b' : 'w', texts[play]);
		}
		play = 0;
		game_play(s->record.game, &state, r->line[i]);
	}
}

/* Prints a number in at most four characters. */
static void print_short(struct text *out, uint64_t n)
{
	static const char units[] = "kMGTP";
	double x = (double)n;
	const char *unit = units;
	if (n < 1000) {
		text_printf(out, "%d", (int)n);
		return;
	}
	for (x /= 1000; x >= 999.5 && unit[1]; x /= 1000)
		unit++;
	text_printf(out, x < 9.95 ? "%.1f%c" : "%.0f%c", x, *unit);
}

/* Prints one line: the result if it is proven, else the evaluation for the side to move. */
static void gtp_drawing_print_summary(struct text *out, const struct session *s,
				      const struct report *r)
{
	int side = s->record.now.side;
	const char *result = worth_result(NULL, r->lower, r->upper),
		   *unit = s->record.game->score.unit;
	char margin[AMOUNT_TEXT_MAX];
	text_puts(out, *result ? result : color_name(side));
	if (r->lower != r->upper && !isnan(r->value))
		text_printf(out, ", %.0f %%", 100 * worth_side_share(side, r->value));
	if (r->exact && r->lower && game_counts(s->record.game)) {
		game_margin(s->record.game, &s->record.now, r->score, margin);
		text_printf(out, " %s", margin);
	} else if (unit && r->lower != r->upper && !isnan(r->score)) {
		text_printf(out, ", %+.1f %s", side == BLACK ? r->score : -r->score, unit);
	}
	if (r->depth)
		text_printf(out, ", depth %d", r->depth);
	think_count(out, r->playouts, "playout");
	think_count(out, r->nodes, "node");
}

/* Returns the label of a point's proven result for the side to move, "" if nothing is proven. */
static const char *proof_label(int side, const struct spot *spot)
{
	int lower = result_least(side, spot->lower, spot->upper);
	int upper = result_most(side, spot->lower, spot->upper);
	if (lower == upper)
		return worth_value(side, spot->lower, spot->upper);
	return lower == 0 ? ">=" : upper == 0 ? "<=" : "";
}

static void print_value_label(struct text *out, int side, const struct spot *spot)
{
	if (spot->exact)
		text_printf(out, "%+g", side == BLACK ? spot->score : -spot->score + 0.0);
	else if (spot->lower == spot->upper)
		text_puts(out, proof_label(side, spot));
	else if (!isnan(spot->value))
		text_printf(out, "%.0f", 100 * worth_side_share(side, spot->value));
	else if (!isnan(spot->score))
		text_printf(out, fabs(spot->score) < 9.95 ? "%+.1f" : "%+.0f",
			    side == BLACK ? spot->score : -spot->score);
	else
		text_puts(out, "?");
}

/* Prints a colour from red (0) over yellow to green (1). */
static void print_color(struct text *out, double share, const char *point)
{
	int red = (int)lround(255 * fmin(1, 2 - 2 * share));
	int green = (int)lround(255 * fmin(1, 2 * share));
	text_printf(out, "COLOR #%02x%02x40 %s\n", red, green, point);
}

/* Influence of a point, -1 (White) .. 1 (Black): by visits, or by values if all visits are equal. */
static double influence(const struct session *s, const struct spot *spots, int count, int i)
{
	double share = (double)spots[i].visits / (double)gtp_drawing_most_visits(spots, count);
	bool is_flat = true;
	for (int j = 1; j < count; j++)
		is_flat &= spots[j].visits == spots[0].visits;
	if (is_flat)
		return isnan(gtp_drawing_value_of(&spots[i])) ? 0 : gtp_drawing_value_of(&spots[i]);
	return s->record.now.side == BLACK ? share : -share;
}

static void drawing_show_live(struct session *s, const struct report *r)
{
	struct spot spots[GAME_STEPS_MAX];
	int64_t now = clock_now();
	/* Reports can be more frequent than drawings. */
	if (r->line_count == 0 || (s->drawn && now - s->drawn < DRAWING_INTERVAL / 2))
		return;
	struct text block = { 0 };
	int count = find_spots(s, r, spots);
	text_puts(&block, "gogui-gfx:\nINFLUENCE");
	for (int i = 0; i < count; i++)
		text_printf(&block, " %s %.2f", spots[i].point, influence(s, spots, count, i));
	text_puts(&block, "\nVAR");
	gtp_drawing_print_line(&block, s, r);
	text_puts(&block, "\nTEXT ");
	gtp_drawing_print_summary(&block, s, r);
	text_puts(&block, "\n\n");
	stream_stderr(block.bytes, block.length);
	text_free(&block);
	s->drawn = now;
}

static void drawing_clear_live(struct session *s)
{
	static const char clear[] = "gogui-gfx: CLEAR\n";
	stream_stderr(clear, sizeof clear - 1);
	s->drawn = 0;
}

const struct live drawing_live = {
	.interval = DRAWING_INTERVAL,
	.show = drawing_show_live,
	.clear = drawing_clear_live,
};

/* --- the analyze window --- */

/* Returns true if the report covers everything that the client's board can show now: all moves that begin as
 * the client has begun, if it has begun a move. */
static bool is_enough(const struct session *s, const struct report *r)
{
	struct move moves[GAME_MOVES_MAX];
	int found = 0;
	if (!notation_of(s)->made(s))
		return !s->is_partial;
	int n = notation_of(s)->moves(s, moves);
	for (int i = 0; i < r->move_count; i++)
		found += gtp_drawing_is_among(moves, n, r->moves[i].move);
	return found == n;
}

/* Searches the position within the options' limits, without the clock or a level; if `glances`, for GLANCE at most. */
static enum outcome gtp_drawing_think(struct session *s, bool glances)
{
	struct limits limits = engine_full_limits(s->engine, s->record.game);
	int64_t end = s->taken + GLANCE;
	if (glances && end < limits.deadline)
		limits.deadline = end;
	limits.interval = session_interval(s);
	limits.values = true;
	return think_begin(s, &limits, THINKING);
}

/* If there is nothing to search, writes the reason and returns true. */
static bool gtp_drawing_is_settled(struct session *s, const char *mark)
{
	s->side = s->record.now.side;
	if (think_is_needed(s))
		return false;
	text_printf(s->reply, "%s%s", mark,
		    !s->record.now.over       ? "the side to move must pass"
		    : s->record.now.score > 0 ? "black has won"
		    : s->record.now.score < 0 ? "white has won"
					      : "draw");
	return true;
}

/* Shows the result of the last search if it is sufficient, else starts a search. */
static enum outcome gtp_drawing_show(struct session *s, const char *mark)
{
	const struct report *r = session_report(s);
	if (gtp_drawing_is_settled(s, mark))
		return DONE;
	return r && is_enough(s, r) ? s->command->finish(s, r) : gtp_drawing_think(s, true);
}

static enum outcome gtp_drawing_run_show(struct session *s)
{
	return gtp_drawing_show(s, "TEXT ");
}

static enum outcome run_report(struct session *s)
{
	return gtp_drawing_show(s, "");
}

static enum outcome run_think(struct session *s)
{
	return gtp_drawing_is_settled(s, "TEXT ") ? DONE : gtp_drawing_think(s, false);
}

/* Begins the drawing of a report. Returns false if the search failed. GoGui clears live graphics itself
 * when it draws an answer. Clearing them later would remove the answer. */
static bool begin_drawing(struct session *s, const struct report *r)
{
	s->drawn = 0;
	if (!r)
		return false;
	text_puts(s->reply, "TEXT ");
	gtp_drawing_print_summary(s->reply, s, r);
	text_puts(s->reply, "\n");
	return true;
}

static enum outcome finish_values(struct session *s, const struct report *r)
{
	struct spot spots[GAME_STEPS_MAX];
	int side = s->record.now.side;
	if (!begin_drawing(s, r))
		return REFUSED;
	int count = find_spots(s, r, spots);
	for (int i = 0; i < count; i++)
		if (spots[i].lower == spots[i].upper)
			print_color(s->reply, worth_side_share(side, spots[i].lower),
				    spots[i].point);
		else if (!isnan(gtp_drawing_value_of(&spots[i])))
			print_color(s->reply,
				    worth_side_share(side, gtp_drawing_value_of(&spots[i])),
				    spots[i].point);
	text_puts(s->reply, "LABEL");
	for (int i = 0; i < count; i++) {
		text_printf(s->reply, " %s ", spots[i].point);
		print_value_label(s->reply, side, &spots[i]);
	}
	return DONE;
}

static enum outcome finish_visits(struct session *s, const struct report *r)
{
	struct spot spots[GAME_STEPS_MAX];
	if (!begin_drawing(s, r))
		return REFUSED;
	int count = find_spots(s, r, spots);
	text_puts(s->reply, "LABEL");
	for (int i = 0; i < count; i++) {
		text_printf(s->reply, " %s ", spots[i].point);
		print_short(s->reply, spots[i].visits);
	}
	return DONE;
}

/* Colours by square roots of shares, because most playouts go to few moves. */
static enum outcome finish_heatmap(struct session *s, const struct report *r)
{
	struct spot spots[GAME_STEPS_MAX];
	if (!begin_drawing(s, r))
		return REFUSED;
	int count = find_spots(s, r, spots);
	double most = (double)gtp_drawing_most_visits(spots, count);
	for (int i = 0; i < count; i++)
		print_color(s->reply, 1 - sqrt((double)spots[i].visits / most), spots[i].point);
	return DONE;
}

static enum outcome finish_variation(struct session *s, const struct report *r)
{
	if (!begin_drawing(s, r))
		return REFUSED;
	text_puts(s->reply, "VAR");
	gtp_drawing_print_line(s->reply, s, r);
	return DONE;
}

static void print_proof_number(struct text *out, const char *name, uint64_t n)
{
	if (n == PROOF_NEVER)
		text_printf(out, ", %s number infinite", name);
	else
		text_printf(out, ", %s number %llu", name, (unsigned long long)n);
}

static enum outcome finish_proofs(struct session *s, const struct report *r)
{
	struct spot spots[GAME_STEPS_MAX];
	int side = s->record.now.side;
	s->drawn = 0;
	if (!r)
		return REFUSED;
	const char *result = worth_result(NULL, r->lower, r->upper);
	text_printf(s->reply, "TEXT %s", *result ? result : "nothing is proven of the position");
	if (r->proof || r->disproof) {
		print_proof_number(s->reply, "proof", r->proof);
		print_proof_number(s->reply, "disproof", r->disproof);
	}
	text_puts(s->reply, "\n");
	int count = find_spots(s, r, spots);
	for (int i = 0; i < count; i++)
		if (spots[i].lower == spots[i].upper)
			print_color(s->reply, worth_side_share(side, spots[i].lower),
				    spots[i].point);
	text_puts(s->reply, "LABEL");
	for (int i = 0; i < count; i++)
		if (*proof_label(side, &spots[i]))
			text_printf(s->reply, " %s %s", spots[i].point,
				    proof_label(side, &spots[i]));
	return DONE;
}

/* Writes all results in the notation of the game. Values and scores are those of the side to move. */
static enum outcome finish_report(struct session *s, const struct report *r)
{
	const struct game *g = s->record.game;
	const struct state *now = &s->record.now;
	char text[MOVE_TEXT_MAX];
	int sign = side_sign(now->side);
	s->drawn = 0;
	if (!r)
		return REFUSED;
	text_printf(s->reply, "Search: %s, ", algorithm_chosen(engine_options(s->engine), g)->name);
	gtp_drawing_print_summary(s->reply, s, r);
	text_printf(s->reply, "; values of %s\n", color_name(now->side));
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		format_move(s, now, m->move, text);
		text_printf(s->reply, "%s", text);
		const char *result = worth_result(NULL, m->lower, m->upper);
		if (*result)
			text_printf(s->reply, " %s", result);
		if (!isnan(m->value))
			text_printf(s->reply, " value %+.3f", sign * m->value);
		if (!isnan(m->score) && g->score.unit)
			text_printf(s->reply, m->exact ? " score %+g %s exact" : " score %+.2f %s",
				    sign * m->score + 0.0, g->score.unit);
		else if (m->exact && g->score.speed)
			text_printf(s->reply, " score %+g exact", sign * m->score + 0.0);
		text_printf(s->reply, " visits %llu line", (unsigned long long)m->visits);
		struct move line[REPORT_LINE_MAX];
		write_moves(s, s->reply, line, report_line(r, m, line, NULL));
		text_puts(s->reply, "\n");
	}
	return DONE;
}

const struct command drawing_commands[] = {
	{ "yomi-think", "",
	  "search as long as for a move, then draw the values of all moves for the side to move: "
	  "win rates in percent, or discs with a sign",
	  run_think, finish_values },
	{ "yomi-values", "", "draw the values of all moves for the side to move",
	  gtp_drawing_run_show, finish_values },
	{ "yomi-visits", "", "draw the number of visits of each move", gtp_drawing_run_show,
	  finish_visits },
	{ "yomi-heatmap", "", "colour the moves by their visits", gtp_drawing_run_show,
	  finish_heatmap },
	{ "yomi-variation", "", "draw the principal variation", gtp_drawing_run_show,
	  finish_variation },
	{ "yomi-proofs", "", "mark the moves that are proven to win, draw or lose",
	  gtp_drawing_run_show, finish_proofs },
	{ "yomi-report", "",
	  "list the results of the search for all moves; values and scores are those of the side "
	  "to move",
	  run_report, finish_report },
	{ 0 },
};
