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
static void print_step(FILE *f, const struct game *g, move_t step)
{
	int row, col;
	frame_point(g, step, &row, &col);
	fprintf(f, "[%c%c]", 'a' + col, 'a' + row);
}

static void print_point(FILE *f, const struct game *g, enum sgf_form form, int row, int col)
{
	char text[SQUARE_TEXT_MAX];
	sgf_format_square(g, row, col, text);
	if (form == FORM_GOGUI && frame_fits(g))
		print_step(f, g, (move_t)(g->board.cols * row + col));
	else if (form == FORM_BOTTOM || (form == FORM_GOGUI && g->board.kind != BOARD_HEXAGONS))
		fprintf(f, "[%c%c]", 'a' + col, 'a' + game_size(g) - square_number(g, row));
	else if (form != FORM_OWN || uses_letters(g))
		fprintf(f, "[%c%c]", 'a' + col, 'a' + row);
	else
		fprintf(f, "[%s]", text);
}

/* Prints a property with the points that hold `mark` in the position but not in `except`. */
static void print_points(FILE *f, const struct game *g, enum sgf_form form, const struct state *s,
			 const char *name, char mark, const struct state *except)
{
	for (int row = 0; row < g->board.rows; row++) {
		for (int col = 0; col < g->board.cols; col++) {
			if (g->at(g, s, row, col) != mark ||
			    (except && g->at(g, except, row, col) == mark))
				continue;
			fputs(name, f);
			print_point(f, g, form, row, col);
			name = "";
		}
	}
}

/* Prints set-up that changes nothing: a set-up board has no swap. */
static void print_empty_point(FILE *f, const struct record *r, enum sgf_form form)
{
	const struct game *g = r->game;
	int square = 0;
	while (g->at(g, &r->start, square / g->board.cols, square % g->board.cols) != '.')
		square++;
	fputs("AE", f);
	print_point(f, g, form, square / g->board.cols, square % g->board.cols);
}

static void print_setup(FILE *f, const struct record *r, enum sgf_form form)
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
		print_empty_point(f, r, form);
	/* GoGui starts from an empty board. */
	else if (form == FORM_OWN)
		print_points(f, g, form, &r->start, "AE", '.', &normal);
	if (g->board.pieces) {
		char text[POSITION_TEXT_MAX];
		game_position(g, &r->start, text);
		fprintf(f, "POS[%s]", text);
		return;
	}
	print_points(f, g, form, &r->start, "AB", 'X', NULL);
	print_points(f, g, form, &r->start, "AW", 'O', NULL);
	fprintf(f, "PL[%c]", r->start.side == BLACK ? 'B' : 'W');
}

/* Prints what a set-up in the middle of a game changes. */
static void print_later_setup(FILE *f, const struct game *g, enum sgf_form form,
			      const struct state *before, const struct state *after)
{
	static const char *const names[] = { "AE", "AB", "AW" };
	for (int i = 0; i < 3; i++)
		print_points(f, g, form, after, names[i], ".XO"[i], before);
	fprintf(f, "PL[%c]", after->side == BLACK ? 'B' : 'W');
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

static void sgf_print_print_result(FILE *f, const struct game *g, const struct state *s)
{
	char text[SGF_RESULT_MAX];
	if (!s->over)
		return;
	sgf_result(g, s, text);
	fprintf(f, "RE[%s]", text);
}

/* Returns true for properties that the writer derives from the record. */
static bool is_own(const char *name)
{
	static const char *const own[] = { "FF", "CA", "AP", "GM", "GN", "SZ", "RU", "KM",
					   "HA", "AB", "AW", "AE", "PL", "B",  "W" };
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return false;
}

void sgf_print_value(FILE *f, const char *value)
{
	fputc('[', f);
	for (const char *c = value; *c; c++)
		fprintf(f, *c == ']' || *c == '\\' ? "\\%c" : "%c", *c);
	fputc(']', f);
}

/* Prints properties. Returns true if the result (RE) was among them. */
static bool print_properties(FILE *f, const struct sgf_property *properties, int count)
{
	bool has_result = false;
	for (int i = 0; i < count; i++) {
		const char *name = properties[i].name;
		if (is_own(name))
			continue;
		has_result |= strcmp(name, "RE") == 0;
		if (i == 0 || strcmp(name, properties[i - 1].name) != 0)
			fputs(name, f);
		sgf_print_value(f, properties[i].value);
	}
	return has_result;
}

static void print_note(FILE *f, const struct sgf_note *n)
{
	if (!isnan(n->value))
		fprintf(f, "V[%g]", round(n->value * 1e3) / 1e3);
	if (!isnan(n->seconds))
		fprintf(f, "YT[%.10g]", round(n->seconds * 1e4) / 1e4);
	if (n->text) {
		fputs("C", f);
		sgf_print_value(f, n->text);
	}
}

void sgf_write_size(int cols, int rows, char text[SGF_SIZE_MAX])
{
	int n = snprintf(text, SGF_SIZE_MAX, "%d", cols);
	if (rows != cols)
		snprintf(text + n, (size_t)(SGF_SIZE_MAX - n), ":%d", rows);
}

static void print_size(FILE *f, const struct game *g, enum sgf_form form)
{
	char text[SGF_SIZE_MAX];
	int size = frame_fits(g) ? FRAME_SIZE : game_size(g);
	if (form == FORM_GOGUI)
		sgf_write_size(size, size, text);
	else if (g->board.size)
		sgf_write_size(g->board.size, g->board.size, text);
	else
		sgf_write_size(g->board.cols, g->board.rows, text);
	fprintf(f, "SZ[%s]", text);
}

/* GoGui's SZ is the side of a square. Where players call another number the size, the name has that, because an empty board
 * has no points that would tell the form. */
static void print_name(FILE *f, const struct game *g, enum sgf_form form)
{
	fprintf(f, "GN[" VERSION_NAME " %s %s", g->name, g->rules);
	if (form == FORM_GOGUI && g->board.size)
		fprintf(f, " %d", g->board.size);
	fputc(']', f);
}

static void sgf_print_print_root(FILE *f, const struct game *g, enum sgf_form form)
{
	fprintf(f, "(;FF[4]CA[UTF-8]AP[" VERSION_NAME ":%s]", version_number());
	if (form == FORM_OWN && formats_of(g)->sgf_gm)
		fprintf(f, "GM[%d]", formats_of(g)->sgf_gm);
	else
		print_name(f, g, form);
	print_size(f, g, form);
	if (!formats_of(g)->sgf_gm || !game_has_usual_rules(g))
		fprintf(f, "RU[%s]", g->rules);
}

/* Prints komi and handicap. Handicap stones are all Black's, and White has the first move. */
static void print_terms(FILE *f, const struct record *r)
{
	const struct game *g = r->game;
	int stones = 0, others = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char at = g->at(g, &r->start, i / g->board.cols, i % g->board.cols);
		stones += at == 'X';
		others += at == 'O';
	}
	if (g->komi)
		fprintf(f, "KM[%g]", g->komi->get(g, &r->start) / 2.0);
	if (g->komi && stones > 1 && !others && r->start.side == WHITE)
		fprintf(f, "HA[%d]", stones);
}

/* Returns true if the text of a move names two squares. GoGui cannot show such a move; it is written as it is. */
static bool has_two_squares(const struct game *g, const char *text)
{
	int row, col;
	const char *rest = square_parse(g, text, &row, &col);
	return rest && square_parse(g, rest, &row, &col);
}

void sgf_print_move(FILE *f, const struct game *g, enum sgf_form form, char color,
		    const struct state *s, struct move m)
{
	char text[MOVE_TEXT_MAX];
	int row, col;
	game_format(g, s, m, text);
	fputc(color, f);
	if (strcmp(text, "PASS") == 0) {
		fputs("[]", f);
	} else if ((form == FORM_OWN && !uses_letters(g)) || has_two_squares(g, text) ||
		   strcmp(text, SWAP_TEXT) == 0) {
		fputc('[', f);
		for (const char *c = text; *c; c++)
			fputc(tolower((unsigned char)*c), f);
		fputc(']', f);
	} else {
		square_parse(g, text, &row, &col);
		print_point(f, g, form, row, col);
		/* The text of a winning placement also has a turn; the move has none. */
		if (m.step[1] != MOVE_NONE) {
			fprintf(f, ";%c", color);
			print_step(f, g, m.step[1]);
		}
	}
}

static void sgf_print_print_game(FILE *f, const struct record *r, enum sgf_form form,
				 const struct sgf_property *properties, int count,
				 const struct sgf_note *notes)
{
	const struct game *g = r->game;
	struct state s = r->start;
	sgf_print_print_root(f, g, form);
	print_terms(f, r);
	if (!print_properties(f, properties, count))
		sgf_print_print_result(f, g, &r->now);
	print_setup(f, r, form);
	for (int i = 0; i < r->count; i++) {
		const struct record_move *m = &r->moves[i];
		struct state before = s;
		record_replay(r, i, &s);
		if (m->move.step[0] == MOVE_TURN)
			continue;
		fputs(i % 10 ? ";" : "\n;", f);
		if (m->move.step[0] == MOVE_SETUP)
			print_later_setup(f, g, form, &before, &s);
		else if (m->move.step[0] == MOVE_SIDES)
			fputs("W[" SGF_SWAP_SIDES "]", f);
		else
			sgf_print_move(f, g, form, m->side == BLACK ? 'B' : 'W', &before, m->move);
		if (notes)
			print_note(f, &notes[i]);
	}
	fputs(")\n", f);
}

void sgf_print_start(FILE *f, const struct game *g)
{
	struct record r;
	record_init(&r, g);
	sgf_print_print_root(f, g, FORM_OWN);
	print_terms(f, &r);
	record_free(&r);
}

void sgf_print_node(FILE *f, const struct game *g, const struct state *s, struct move m,
		    const char *comment)
{
	fputc(';', f);
	sgf_print_move(f, g, FORM_OWN, s->side == BLACK ? 'B' : 'W', s, m);
	fputc('C', f);
	sgf_print_value(f, comment);
}

void sgf_print(FILE *f, const struct record *r)
{
	sgf_print_print_game(f, r, FORM_OWN, NULL, 0, NULL);
}

void sgf_print_gogui(FILE *f, const struct record *r)
{
	sgf_print_print_game(f, r, FORM_GOGUI, NULL, 0, NULL);
}

void sgf_print_with(FILE *f, const struct record *r, const struct sgf_property *properties,
		    int count, const struct sgf_note *notes)
{
	sgf_print_print_game(f, r, FORM_OWN, properties, count, notes);
}
