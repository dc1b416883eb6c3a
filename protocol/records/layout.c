/* SPDX-License-Identifier: MIT */
#include "protocol/records/layout.h"

#include <string.h>

#include "engine/rules/square.h"

static json_t *json_columns(const struct game *g)
{
	json_t *letters = json_array();
	for (int col = 0; col < g->board.cols; col++) {
		char letter = square_letter(g, col);
		json_array_append_new(letters, json_stringn(&letter, 1));
	}
	return letters;
}

static json_t *layout_json_numbers(const struct game *g)
{
	json_t *numbers = json_array();
	for (int row = 0; row < g->board.rows; row++)
		json_array_append_new(numbers, json_integer(square_number(g, row)));
	return numbers;
}

static json_t *json_dots(const struct game *g)
{
	json_t *dots = json_array();
	for (int row = 0; g->board.dot && row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++)
			if (g->board.dot(g, row, col))
				json_array_append_new(dots, json_pack("[i,i]", row, col));
	return dots;
}

static json_t *json_turns(const struct game *g)
{
	json_t *turns = json_array();
	for (int i = 0; g->board.turns && g->board.turns[i]; i++) {
		struct area area;
		g->board.describe(g, (move_t)(g->board.rows * g->board.cols + i), &area);
		json_array_append_new(turns, json_pack("{s:s%,s:b,s:i,s:i,s:i,s:i}", "letter",
						       g->board.turns + i, (size_t)1, "clockwise",
						       i % 2, "row", area.row, "col", area.col,
						       "rows", area.rows, "cols", area.cols));
	}
	return turns;
}

/* The squares of the board, '.', and those off the board, ':', row by row; null if there are none. */
static json_t *json_shape(const struct game *g)
{
	char shape[GAME_SQUARES_MAX];
	const int count = g->board.rows * g->board.cols;
	for (int i = 0; i < count; i++)
		shape[i] = game_has_square(g, i) ? '.' : ':';
	return g->board.on_board ? json_stringn(shape, (size_t)count) : json_null();
}

/* The pieces of a game that has its own, null for stones. */
static json_t *json_pieces(const struct game *g)
{
	static const char *const sides[] = { "black", "white", NULL };
	if (!g->board.pieces)
		return json_null();
	json_t *pieces = json_array();
	for (const struct piece *p = g->board.pieces; p->letter; p++)
		json_array_append_new(pieces,
				      json_pack("{s:s%,s:s?,s:s}", "letter", &p->letter, (size_t)1,
						"side", sides[p->side], "name", p->name));
	return pieces;
}

/* The names of all squares, row by row; null if they follow from columns and numbers. */
static json_t *json_names(const struct game *g)
{
	if (!g->board.name)
		return json_null();
	json_t *names = json_array();
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char name[SQUARE_TEXT_MAX] = "";
		if (game_has_square(g, i))
			square_format(g, i / g->board.cols, i % g->board.cols, name);
		json_array_append_new(names, json_string(name));
	}
	return names;
}

/* The squares that lines join, in pairs. */
static json_t *json_links(const struct game *g)
{
	json_t *links = json_array();
	for (const struct link *k = g->board.links; k && k->from != k->to; k++)
		json_array_append_new(links, json_pack("[i,i]", k->from, k->to));
	return links;
}

/* The places for pieces in hand. */
static json_t *json_hand(const struct game *g)
{
	json_t *hand = json_array();
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (game_has_square(g, i) && !game_is_place(g, i))
			json_array_append_new(hand, json_integer(i));
	return hand;
}

json_t *layout_json(const struct game *g)
{
	static const char *const kinds[] = { "squares",  "intersections", "holes",
					     "hexagons", "boxes",         "graph" };
	static const char *const colors[] = { "green", "wood", "paper", "blue" };
	const struct board *l = &g->board;
	json_t *block = l->block_rows ? json_pack("[i,i]", l->block_rows, l->block_cols)
				      : json_null();
	return json_pack("{s:s,s:s,s:b,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "kind",
			 kinds[l->kind], "color", colors[l->color], "pen", (int)l->pen, "falls",
			 (int)l->falls, "joins", (int)l->joins, "columns", json_columns(g),
			 "numbers", layout_json_numbers(g), "dots", json_dots(g), "block", block,
			 "turns", json_turns(g), "shape", json_shape(g), "pieces", json_pieces(g),
			 "names", json_names(g), "links", json_links(g), "hand", json_hand(g));
}

json_t *layout_clicks(const struct game *g, const char *text)
{
	json_t *clicks = json_array();
	char square[SQUARE_TEXT_MAX];
	int row, col;
	while (*text) {
		const char *rest = square_parse(g, text, &row, &col);
		if (rest) {
			square_format(g, row, col, square);
			json_array_append_new(clicks, json_string(square));
			text = rest;
		} else if (g->board.turns && strchr(g->board.turns, *text)) {
			json_array_append_new(clicks, json_stringn(text++, 1));
		} else if (*text == '*') {
			text++; /* OpenSpiel's mark of a capture */
		} else {
			json_array_clear(clicks);
			break;
		}
	}
	return clicks;
}
