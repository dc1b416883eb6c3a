/* SPDX-License-Identifier: MIT
 *
 * The writer of SGF.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/version.h"
#include "engine/rules/formats.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "games/games.h"
#include "protocol/records/frame_points.h"
#include "protocol/records/sgf_private.h"

/* Returns true if SGF names the points of a game by two letters. */
static bool uses_letters(const struct game *g)
{
	return formats_of(g)->sgf_gm && !formats_of(g)->sgf_own;
}

void sgf_format_square(const struct game *g, int row, int col, char text[SQUARE_TEXT_MAX])
{
	square_format(g, row, col, text);
	*text = (char)tolower(*text);
}

/* Prints the point of a step in GoGui's frame. */
static void print_step(struct text *out, const struct game *g, move_t step)
{
	int row, col;
	frame_point(g, step, &row, &col);
	text_printf(out, "[%c%c]", 'a' + col, 'a' + row);
}

static void print_point(struct text *out, const struct game *g, enum sgf_form form, int row,
			int col)
{
	char text[SQUARE_TEXT_MAX];
	sgf_format_square(g, row, col, text);
	if (form == FORM_GOGUI && frame_fits(g))
		print_step(out, g, (move_t)(g->board.cols * row + col));
	else if (form == FORM_BOTTOM || (form == FORM_GOGUI && g->board.kind != BOARD_HEXAGONS))
		text_printf(out, "[%c%c]", 'a' + col, 'a' + game_size(g) - square_number(g, row));
	else if (form != FORM_OWN || uses_letters(g))
		text_printf(out, "[%c%c]", 'a' + col, 'a' + row);
	else
		text_printf(out, "[%s]", text);
}

/* Prints a property with the points that hold `mark` in the position but not in `except`. */
static void print_points(struct text *out, const struct game *g, enum sgf_form form,
			 const struct state *s, const char *name, char mark,
			 const struct state *except)
{
	for (int row = 0; row < g->board.rows; row++) {
		for (int col = 0; col < g->board.cols; col++) {
			if (g->at(g, s, row, col) != mark ||
			    (except && g->at(g, except, row, col) == mark))
				continue;
			text_puts(out, name);
			print_point(out, g, form, row, col);
			name = "";
		}
	}
}

/* Prints set-up that changes nothing: a set-up board has no swap. */
static void print_empty_point(struct text *out, const struct record *r, enum sgf_form form)
{
	const struct game *g = r->game;
	int square = 0;
	while (g->at(g, &r->start, square / g->board.cols, square % g->board.cols) != '.')
		square++;
	text_puts(out, "AE");
	print_point(out, g, form, square / g->board.cols, square % g->board.cols);
}

/* Returns true if SGF has no property for each piece of a game: AB and AW cannot tell a king from a man. */
static bool needs_position(const struct game *g)
{
	return g->board.pieces && !uses_letters(g);
}

/* Prints the pieces of a position that are not in `except`, and the side to move. */
static void print_pieces(struct text *out, const struct game *g, enum sgf_form form,
			 const struct state *s, const struct state *except)
{
	static const char *const names[] = { "AB", "AW", "AA" };
	char text[POSITION_TEXT_MAX];
	game_position(g, s, text);
	if (needs_position(g)) {
		text_printf(out, "POS[%s]", text);
		return;
	}
	for (const struct piece *p = board_pieces(&g->board); p->letter; p++)
		print_points(out, g, form, s, names[p->side], p->letter, except);
	text_printf(out, "PL[%c]", s->side == BLACK ? 'B' : 'W');
}

static void print_setup(struct text *out, const struct record *r, enum sgf_form form)
{
	const struct game *g = r->game;
	struct state normal;
	g->start(g, &normal);
	if (g->komi)
		g->komi->set(g, &normal, g->komi->get(g, &r->start));
	bool lacks_swap = g->swap && r->start.hash == normal.hash;
	if (g->swap)
		g->swap->allow(g, &normal, true);
	/* After the second move nobody can tell whether there was a swap. */
	if (r->start.hash == normal.hash || (lacks_swap && r->count > 1))
		return;
	if (lacks_swap)
		print_empty_point(out, r, form);
	/* GoGui starts from an empty board. */
	else if (form == FORM_OWN && !needs_position(g))
		print_points(out, g, form, &r->start, "AE", '.', &normal);
	print_pieces(out, g, form, &r->start, NULL);
}

/* Prints what a set-up in the middle of a game changes. */
static void print_later_setup(struct text *out, const struct game *g, enum sgf_form form,
			      const struct state *before, const struct state *after)
{
	if (!needs_position(g))
		print_points(out, g, form, after, "AE", '.', before);
	print_pieces(out, g, form, after, before);
}

void sgf_result(const struct game *g, const struct state *s, char text[SGF_RESULT_MAX])
{
	if (s->score == 0)
		strcpy(text, "0");
	else if (g->score.no_draws && g->board.kind == BOARD_HEXAGONS)
		/* Programs of Hex tell the winner alone. */
		strcpy(text, s->score > 0 ? "B+" : "W+");
	else
		snprintf(text, SGF_RESULT_MAX, "%c+%g", s->score > 0 ? 'B' : 'W',
			 game_points(g, abs(s->score)));
}

static void sgf_print_print_result(struct text *out, const struct game *g, const struct state *s)
{
	char text[SGF_RESULT_MAX];
	if (!s->over)
		return;
	sgf_result(g, s, text);
	text_printf(out, "RE[%s]", text);
}

/* Returns true for properties that the writer derives from the record. */
static bool is_own(const char *name)
{
	static const char *const own[] = { "FF", "CA", "AP", "GM", "GN", "SZ",  "RU", "KM", "HA",
					   "AB", "AW", "AE", "AA", "PL", "POS", "B",  "W" };
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return false;
}

void sgf_print_value(struct text *out, const char *value)
{
	text_putc(out, '[');
	for (const char *c = value; *c; c++)
		text_printf(out, *c == ']' || *c == '\\' ? "\\%c" : "%c", *c);
	text_putc(out, ']');
}

/* Prints properties. Returns true if the result (RE) was among them. */
static bool print_properties(struct text *out, const struct sgf_property *properties, int count)
{
	bool has_result = false;
	for (int i = 0; i < count; i++) {
		const char *name = properties[i].name;
		if (is_own(name))
			continue;
		has_result |= strcmp(name, "RE") == 0;
		if (i == 0 || strcmp(name, properties[i - 1].name) != 0)
			text_puts(out, name);
		sgf_print_value(out, properties[i].value);
	}
	return has_result;
}

static void print_note(struct text *out, const struct sgf_note *n)
{
	if (!isnan(n->value))
		text_printf(out, "V[%g]", round(n->value * 1e3) / 1e3);
	if (!isnan(n->seconds))
		text_printf(out, "YT[%.10g]", round(n->seconds * 1e4) / 1e4);
	if (n->text) {
		text_puts(out, "C");
		sgf_print_value(out, n->text);
	}
}

void sgf_write_size(int cols, int rows, char text[SGF_SIZE_MAX])
{
	int n = snprintf(text, SGF_SIZE_MAX, "%d", cols);
	if (rows != cols)
		snprintf(text + n, (size_t)(SGF_SIZE_MAX - n), ":%d", rows);
}

static void print_size(struct text *out, const struct game *g, enum sgf_form form)
{
	char text[SGF_SIZE_MAX];
	int size = frame_fits(g) ? FRAME_SIZE : game_size(g);
	if (form == FORM_GOGUI)
		sgf_write_size(size, size, text);
	else if (g->board.size)
		sgf_write_size(g->board.size, g->board.size, text);
	else
		sgf_write_size(g->board.cols, g->board.rows, text);
	text_printf(out, "SZ[%s]", text);
}

/* GoGui's SZ is the side of a square. Where players call another number the size, the name has that, because an empty board
 * has no points that would tell the form. */
static void print_name(struct text *out, const struct game *g, enum sgf_form form)
{
	text_printf(out, "GN[" VERSION_NAME " %s %s", g->name, g->rules);
	if (form == FORM_GOGUI && g->board.size)
		text_printf(out, " %d", g->board.size);
	text_putc(out, ']');
}

static void sgf_print_print_root(struct text *out, const struct game *g, enum sgf_form form)
{
	text_printf(out, "(;FF[4]CA[UTF-8]AP[" VERSION_NAME ":%s]", version_number());
	if (form == FORM_OWN && formats_of(g)->sgf_gm)
		text_printf(out, "GM[%d]", formats_of(g)->sgf_gm);
	else
		print_name(out, g, form);
	print_size(out, g, form);
	if (!formats_of(g)->sgf_gm || !game_has_usual_rules(g))
		text_printf(out, "RU[%s]", g->rules);
}

/* Prints komi and handicap. Handicap stones are all Black's, and White has the first move. */
static void print_terms(struct text *out, const struct record *r)
{
	const struct game *g = r->game;
	int stones = 0, others = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char at = g->at(g, &r->start, i / g->board.cols, i % g->board.cols);
		stones += at == 'X';
		others += at == 'O';
	}
	if (g->komi)
		text_printf(out, "KM[%g]", g->komi->get(g, &r->start) / 2.0);
	if (g->komi && stones > 1 && !others && r->start.side == WHITE)
		text_printf(out, "HA[%d]", stones);
}

/* Returns true if the text of a move names two squares. GoGui cannot show such a move; it is written as it is. */
static bool has_two_squares(const struct game *g, const char *text)
{
	int row, col;
	const char *rest = square_parse(g, text, &row, &col);
	return rest && square_parse(g, rest, &row, &col);
}

/* Prints all squares of a move, two letters each. */
static void print_way(struct text *out, const struct game *g, const char *text)
{
	int row, col;
	text_putc(out, '[');
	while ((text = square_parse(g, text, &row, &col)))
		text_printf(out, "%c%c", 'a' + col, 'a' + row);
	text_putc(out, ']');
}

void sgf_print_move(struct text *out, const struct game *g, enum sgf_form form, char color,
		    const struct state *s, struct move m)
{
	char text[MOVE_TEXT_MAX];
	int row, col;
	game_format(g, s, m, text);
	text_putc(out, color);
	if (strcmp(text, "PASS") == 0) {
		text_puts(out, "[]");
	} else if (form == FORM_OWN && uses_letters(g) && has_two_squares(g, text)) {
		print_way(out, g, text);
	} else if ((form == FORM_OWN && !uses_letters(g)) || has_two_squares(g, text) ||
		   strcmp(text, SWAP_TEXT) == 0) {
		text_putc(out, '[');
		for (const char *c = text; *c; c++)
			text_putc(out, (char)tolower((unsigned char)*c));
		text_putc(out, ']');
	} else {
		square_parse(g, text, &row, &col);
		print_point(out, g, form, row, col);
		/* The text of a winning placement also has a turn; the move has none. */
		if (m.step[1] != MOVE_NONE) {
			text_printf(out, ";%c", color);
			print_step(out, g, m.step[1]);
		}
	}
}

static void sgf_print_print_game(struct text *out, const struct record *r, enum sgf_form form,
				 const struct sgf_property *properties, int count,
				 const struct sgf_note *notes)
{
	const struct game *g = r->game;
	struct state s = r->start;
	sgf_print_print_root(out, g, form);
	print_terms(out, r);
	if (!print_properties(out, properties, count))
		sgf_print_print_result(out, g, &r->now);
	print_setup(out, r, form);
	for (int i = 0; i < r->count; i++) {
		const struct record_move *m = &r->moves[i];
		struct state before = s;
		record_replay(r, i, &s);
		if (m->move.step[0] == MOVE_TURN)
			continue;
		text_puts(out, i % 10 ? ";" : "\n;");
		if (m->move.step[0] == MOVE_SETUP)
			print_later_setup(out, g, form, &before, &s);
		else if (m->move.step[0] == MOVE_SIDES)
			text_puts(out, "W[" SGF_SWAP_SIDES "]");
		else
			sgf_print_move(out, g, form, m->side == BLACK ? 'B' : 'W', &before,
				       m->move);
		if (notes)
			print_note(out, &notes[i]);
	}
	text_puts(out, ")\n");
}

void sgf_print_start(struct text *out, const struct game *g)
{
	struct record r;
	record_init(&r, g);
	sgf_print_print_root(out, g, FORM_OWN);
	print_terms(out, &r);
	record_free(&r);
}

void sgf_print_node(struct text *out, const struct game *g, const struct state *s, struct move m,
		    const char *comment)
{
	text_putc(out, ';');
	sgf_print_move(out, g, FORM_OWN, s->side == BLACK ? 'B' : 'W', s, m);
	text_putc(out, 'C');
	sgf_print_value(out, comment);
}

void sgf_print(struct text *out, const struct record *r)
{
	sgf_print_print_game(out, r, FORM_OWN, NULL, 0, NULL);
}

void sgf_print_gogui(struct text *out, const struct record *r)
{
	sgf_print_print_game(out, r, FORM_GOGUI, NULL, 0, NULL);
}

void sgf_print_with(struct text *out, const struct record *r, const struct sgf_property *properties,
		    int count, const struct sgf_note *notes)
{
	sgf_print_print_game(out, r, FORM_OWN, properties, count, notes);
}
