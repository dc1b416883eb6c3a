/* SPDX-License-Identifier: MIT */
#include "engine/rules/drawing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/format.h"
#include "engine/rules/square.h"

#define BOARD_COLOR "\033[42;30m" /* also the color of black stones */
#define WHITE_COLOR "\033[97m"
#define BLACK_COLOR "\033[30m"
#define NO_COLOR    "\033[0m"

/* The character before column `col` of a drawn row. Column g->cols is the right edge. */
static char separator(const struct look *look, int row, int col)
{
	const struct area *a = &look->changed;
	if (look->marked && row == look->row && col == look->col)
		return '(';
	if (look->marked && row == look->row && col == look->col + 1)
		return ')';
	if (row < a->row || row >= a->row + a->rows)
		return ' ';
	return col == a->col ? '[' : col == a->col + a->cols ? ']' : ' ';
}

/* Writes the last line of a drawn board: the side to move, or the result. */
static void draw_status(const struct game *g, const struct state *s, bool is_for_people, char *text,
			size_t room)
{
	char result[RESULT_TEXT_MAX];
	const char *side = s->side == BLACK ? "X (black)" : "O (white)";
	const char *winner = s->score > 0 ? "X (black)" : "O (white)";
	if (!s->over) {
		bool passes = is_for_people && game_must_pass(g, s);
		snprintf(text, room, passes ? "%s has no move and must pass" : "%s to move", side);
	} else if (is_for_people) {
		game_result(g, s, result);
		snprintf(text, room, "%s", result);
	} else if (s->score == 0) {
		snprintf(text, room, "draw");
	} else if (g->score.unit) {
		snprintf(text, room, "%s has won by %g", winner, game_points(g, abs(s->score)));
	} else {
		snprintf(text, room, "%s has won", winner);
	}
}

/* --- the lines of a drawn board --- */

/* A text that grows. */
struct lines {
	char *at, *end;
};

__attribute__((format(PRINTF, 2, 3))) static void drawing_add(struct lines *l, const char *format,
							      ...)
{
	va_list args;
	va_start(args, format);
	l->at += vsnprintf(l->at, (size_t)(l->end - l->at), format, args);
	va_end(args);
}

static bool has_cell(const struct game *g, int row, int col)
{
	return row >= 0 && row < g->board.rows && col >= 0 && col < g->board.cols &&
	       game_has_square(g, row * g->board.cols + col);
}

/* The sign for the content of a square: its letter, or what a pen draws between dots. */
static char drawing_sign(const struct game *g, const struct state *s, int row, int col)
{
	char c = g->at(g, s, row, col);
	if (g->board.kind != BOARD_DOTS)
		return c;
	if (c == ':')
		return '+';
	if (row % 2 && col % 2)
		return c == '.' ? ' ' : c;
	return c == '.' ? '.' : row % 2 ? '|' : '-';
}

/* Draws the squares of a row from `first` up to `end`, with the marks before, between and after them. */
static void add_squares(struct lines *l, const struct game *g, const struct state *s,
			const struct look *k, int row, int first, int end)
{
	drawing_add(l, "%s", k->colors ? BOARD_COLOR : "");
	for (int col = first; col < end; col++) {
		char c = drawing_sign(g, s, row, col);
		bool white = k->colors && board_owner(&g->board, c) < 0;
		drawing_add(l, "%c%s%c%s", separator(k, row, col), white ? WHITE_COLOR : "", c,
			    white ? BLACK_COLOR : "");
	}
	drawing_add(l, "%c%s", separator(k, row, end), k->colors ? NO_COLOR : "");
}

static void add_letters(struct lines *l, const struct game *g)
{
	drawing_add(l, "  ");
	for (int col = 0; col < g->board.cols; col++)
		drawing_add(l, " %c", square_letter(g, col));
	drawing_add(l, "\n");
}

static void draw_squares(struct lines *l, const struct game *g, const struct state *s,
			 const struct look *k)
{
	add_letters(l, g);
	for (int row = 0; row < g->board.rows; row++) {
		drawing_add(l, "%2d", square_number(g, row));
		add_squares(l, g, s, k, row, 0, g->board.cols);
		drawing_add(l, "%d\n", square_number(g, row));
	}
	add_letters(l, g);
}

/* --- hexagons: each row begins half a hexagon, which is one character, further right than the row above it --- */

#define HEX_MARGIN 3

static int first_cell(const struct game *g, int row)
{
	int col = 0;
	while (col < g->board.cols && !has_cell(g, row, col))
		col++;
	return col;
}

static int last_cell(const struct game *g, int row)
{
	int col = g->board.cols - 1;
	while (col >= 0 && !has_cell(g, row, col))
		col--;
	return col;
}

/* The place of a hexagon in its line. */
static int hex_place(const struct game *g, int row, int col)
{
	int least = 2 * g->board.cols + g->board.rows;
	for (int r = 0; r < g->board.rows; r++) {
		int place = 2 * first_cell(g, r) + r;
		least = place < least ? place : least;
	}
	return HEX_MARGIN + 2 * col + row - least;
}

/* Writes the letters of the columns that end at `row`, in the line of `beyond`, the row after that. */
static void add_hex_letters(struct lines *l, const struct game *g, int row, int beyond)
{
	int at = 0;
	for (int col = 0; col < g->board.cols; col++) {
		if (!has_cell(g, row, col))
			continue;
		int place = hex_place(g, beyond, col);
		drawing_add(l, "%*c", place + 1 - at, square_letter(g, col));
		at = place + 1;
	}
	drawing_add(l, "\n");
}

/* A column that ends before the last row has its letter where its next hexagon would be, behind the next row. */
static void draw_hexagons(struct lines *l, const struct game *g, const struct state *s,
			  const struct look *k)
{
	add_hex_letters(l, g, 0, -1);
	for (int row = 0; row < g->board.rows; row++) {
		int first = first_cell(g, row), end = last_cell(g, row) + 1;
		drawing_add(l, "%*d", hex_place(g, row, first) - 1, square_number(g, row));
		add_squares(l, g, s, k, row, first, end);
		if (has_cell(g, row - 1, end))
			drawing_add(l, "%c\n", square_letter(g, end));
		else
			drawing_add(l, "%d\n", square_number(g, row));
	}
	add_hex_letters(l, g, g->board.rows - 1, g->board.rows);
}

/* --- graphs: each place is a sign and its name, each line a row of signs on the straight way between two places --- */

#define GRAPH_WIDE 4 /* characters from a column to the next; each row has two lines */

/* Puts a link into a picture of the board with `wide` characters a line. */
static void draw_link(const struct board *b, const struct link *k, int wide, char *picture)
{
	int row = 2 * (k->from / b->cols), col = GRAPH_WIDE * (k->from % b->cols);
	int rows = 2 * (k->to / b->cols) - row, cols = GRAPH_WIDE * (k->to % b->cols) - col;
	int steps = abs(rows) > abs(cols) ? abs(rows) : abs(cols);
	char sign = rows == 0 ? '-' : cols == 0 ? '|' : (rows > 0) == (cols > 0) ? '\\' : '/';
	for (int i = 1; i < steps; i++)
		picture[(row + rows * i / steps) * wide + col + cols * i / steps] = sign;
}

/* Puts the name of a place into a picture. */
static void draw_name(const struct game *g, int row, int col, int wide, char *picture)
{
	char name[SQUARE_TEXT_MAX];
	square_format(g, row, col, name);
	memcpy(picture + 2 * row * wide + GRAPH_WIDE * col + 1, name, strlen(name));
}

static void draw_graph(struct lines *l, const struct game *g, const struct state *s,
		       const struct look *k)
{
	const struct board *b = &g->board;
	char picture[2 * GAME_SIDE_MAX * (GRAPH_WIDE * GAME_SIDE_MAX + SQUARE_TEXT_MAX)];
	int wide = GRAPH_WIDE * b->cols + SQUARE_TEXT_MAX;
	memset(picture, ' ', sizeof picture);
	for (const struct link *at = b->links; at && at->from != at->to; at++)
		draw_link(b, at, wide, picture);
	for (int i = 0; i < b->rows * b->cols; i++)
		if (game_is_place(g, i))
			draw_name(g, i / b->cols, i % b->cols, wide, picture);
	for (int line = 0; line < 2 * b->rows - 1; line++) {
		const char *begin = l->at;
		for (int at = 0; at < wide; at++) {
			int row = line / 2, col = at / GRAPH_WIDE;
			bool is_place = line % 2 == 0 && at % GRAPH_WIDE == 0 &&
					has_cell(g, row, col);
			char c = is_place ? g->at(g, s, row, col) : picture[line * wide + at];
			bool marked = is_place && k->marked && k->row == row && k->col == col;
			drawing_add(l, marked ? "(%c)" : "%c", c);
			at += marked ? 2 : 0;
		}
		while (l->at > begin && l->at[-1] == ' ')
			l->at--;
		if (l->at > begin) /* GTP's answers have no empty line */
			drawing_add(l, "\n");
	}
}

void game_draw(const struct game *g, const struct state *s, const struct look *look,
	       char text[BOARD_TEXT_MAX])
{
	static const struct look plain;
	const struct look *k = look ? look : &plain;
	struct lines l = { text, text + BOARD_TEXT_MAX };
	if (g->board.kind == BOARD_HEXAGONS)
		draw_hexagons(&l, g, s, k);
	else if (g->board.kind == BOARD_GRAPH)
		draw_graph(&l, g, s, k);
	else
		draw_squares(&l, g, s, k);
	if (k->note)
		drawing_add(&l, "%s\n", k->note);
	draw_status(g, s, k->is_for_people, l.at, (size_t)(l.end - l.at));
}
