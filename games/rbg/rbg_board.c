/* SPDX-License-Identifier: MIT
 *
 * The board: its squares, directions and neighbours. In a hexagon, rows and columns of this file have their axes at 120 degrees: the
 * columns of a row follow each other to the east, and from a square to the south-west the column stays the same.
 */
#include <stdlib.h>

#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

#define STEPS 6

/* A board that is written row by row. */
struct rbg_shape_word {
	enum rbg_keyword keyword;
	enum rbg_shape shape;
	int directions;
	int8_t steps
		[STEPS]
		[3]; /* rows, columns and layers from a square to its neighbour in each direction */
};

static const struct rbg_shape_word rbg_shape_words[] = {
	{ KEYWORD_RECTANGLE,
	  RBG_RECTANGLE,
	  4,
	  { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 } } },
	{ KEYWORD_HEXAGON,
	  RBG_HEXAGON,
	  6,
	  { { -1, -1, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 0, -1, 0 } } },
	{ KEYWORD_CUBOID,
	  RBG_CUBOID,
	  6,
	  { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } } },
};

/* Such a board while it is read. */
struct rbg_grid {
	struct rbg_reader *reader;
	const struct rbg_shape_word *word;
	int row, layer;
	int length; /* cells of the row before; 0: there is none */
	int shrunk; /* rows of a hexagon that were shorter than the one before */
	int layers[GAME_SQUARES_MAX];
};

/* An edge of a graph. */
struct rbg_edge {
	int square, direction;
	int32_t target; /* a name */
	struct rbg_place place;
};

struct rbg_edges {
	struct rbg_edge *list;
	size_t count;
};

/* Adds a square with the piece that the token names, and advances. */
static void rbg_board_square(struct rbg_reader *r, int row, int col)
{
	struct rbg_rules *rules = r->rules;
	const struct rbg_name *piece = rbg_named(r, MEANS_PIECE);
	if (rules->square_count == GAME_SQUARES_MAX)
		rbg_fail(r, r->token.place, "a board has at most %d squares", GAME_SQUARES_MAX);
	else if (!piece)
		rbg_fail_expected(r, "a piece", MEANS_PIECE);
	else
		rules->squares[rules->square_count++] = (struct rbg_square) { NULL, piece->index,
									      row, col };
	rbg_advance(r);
}

static void rbg_board_direction(struct rbg_reader *r)
{
	struct rbg_rules *rules = r->rules;
	if (rules->direction_count == RBG_DIRECTIONS_MAX)
		rbg_fail(r, r->token.place, "a board has at most %d directions",
			 RBG_DIRECTIONS_MAX);
	char *name = rbg_declare(r, MEANS_DIRECTION, rules->direction_count,
				 "the name of a direction");
	if (name)
		rules->directions[rules->direction_count++] = name;
}

static void rbg_board_connect(struct rbg_rules *rules, int square, int direction, int neighbor)
{
	rules->neighbors[direction * rules->square_count + square] = (int16_t)neighbor;
}

/* Makes the table of neighbours when all squares and directions are known. */
static void rbg_board_disconnect(struct rbg_rules *rules)
{
	int count = rules->direction_count * rules->square_count;
	rules->neighbors = xmalloc((size_t)(count + 1) * sizeof *rules->neighbors);
	for (int i = 0; i < count; i++)
		rules->neighbors[i] = -1;
}

/* --- rows --- */

/* Checks the length of a row. */
static void rbg_board_check_row(const struct rbg_grid *g, struct rbg_place place, int length)
{
	struct rbg_reader *r = g->reader;
	int growth = length - g->length;
	if (g->word->shape != RBG_HEXAGON) {
		if (g->length && growth)
			rbg_fail(r, place, "this row has length %d, the rows before have length %d",
				 length, g->length);
		if (length > GAME_SIDE_MAX)
			rbg_fail(r, place, "this row has length %d; a board has at most %d columns",
				 length, GAME_SIDE_MAX);
		if (g->row == GAME_SIDE_MAX)
			rbg_fail(r, place, "a board has at most %d rows", GAME_SIDE_MAX);
	} else if (g->length && growth != -1 && (growth != 1 || g->shrunk)) {
		rbg_fail(r, place,
			 "this row has length %d, the row before has length %d; the rows of a "
			 "hexagon grow "
			 "by one up to the widest, then shrink by one",
			 length, g->length);
	}
}

/* Moves the squares of a row to their columns and layer. */
static void rbg_board_fit_row(struct rbg_grid *g, int length, int first)
{
	struct rbg_rules *rules = g->reader->rules;
	g->shrunk += g->word->shape == RBG_HEXAGON && length < g->length;
	for (int i = first; i < rules->square_count; i++) {
		rules->squares[i].col += g->shrunk;
		g->layers[i] = g->layer;
	}
	g->length = length;
	g->row++;
}

/* Reads a row. A cell without a piece is a hole. */
static void rbg_board_row(struct rbg_grid *g)
{
	struct rbg_reader *r = g->reader;
	struct rbg_place place = r->token.place;
	int length = 0, first = r->rules->square_count;
	rbg_expect(r, TOKEN_SQUARE);
	if (r->token.type == TOKEN_SQUARE_END)
		rbg_fail_expected(r, "a piece or ','", MEANS_NOTHING);
	do {
		if (r->token.type != TOKEN_COMMA && r->token.type != TOKEN_SQUARE_END)
			rbg_board_square(r, g->row, length);
		length++;
	} while (rbg_accept(r, TOKEN_COMMA));
	rbg_expect(r, TOKEN_SQUARE_END);
	rbg_board_check_row(g, place, length);
	rbg_board_fit_row(g, length, first);
}

static void rbg_board_rows(struct rbg_grid *g)
{
	g->row = 0;
	do
		rbg_board_row(g);
	while (g->reader->token.type == TOKEN_SQUARE);
}

static void rbg_board_layers(struct rbg_grid *g)
{
	struct rbg_reader *r = g->reader;
	do {
		struct rbg_place place = r->token.place;
		int rows = g->row;
		rbg_expect(r, TOKEN_SQUARE);
		rbg_board_rows(g);
		rbg_expect(r, TOKEN_SQUARE_END);
		if (g->layer++ && g->row != rows)
			rbg_fail(r, place,
				 "the number of rows is %d in this layer, %d in the layers before",
				 g->row, rows);
	} while (r->token.type == TOKEN_SQUARE);
}

/* Returns the square in a cell, -1 if there is none. */
static int rbg_board_find(const struct rbg_grid *g, int row, int col, int layer)
{
	const struct rbg_rules *rules = g->reader->rules;
	for (int i = 0; i < rules->square_count; i++)
		if (rules->squares[i].row == row && rules->squares[i].col == col &&
		    g->layers[i] == layer)
			return i;
	return -1;
}

static void rbg_board_connect_cells(const struct rbg_grid *g)
{
	struct rbg_rules *rules = g->reader->rules;
	rbg_board_disconnect(rules);
	for (int direction = 0; direction < rules->direction_count; direction++) {
		const int8_t *step = g->word->steps[direction];
		for (int i = 0; i < rules->square_count; i++) {
			const struct rbg_square *s = &rules->squares[i];
			rbg_board_connect(rules, i, direction,
					  rbg_board_find(g, s->row + step[0], s->col + step[1],
							 g->layers[i] + step[2]));
		}
	}
}

/* Notes the size of a board that yomi shows as it is written; the layers of a cuboid lie side by side. */
static void rbg_board_measure(const struct rbg_grid *g)
{
	struct rbg_rules *rules = g->reader->rules;
	rules->shape = g->word->shape;
	rules->rows = g->row;
	rules->cols = g->length;
	if (rules->shape != RBG_CUBOID)
		return;
	rules->block = g->length;
	rules->cols = g->length * g->layer;
	for (int i = 0; i < rules->square_count; i++)
		rules->squares[i].col += g->length * g->layers[i];
}

static void rbg_board_read_grid(struct rbg_reader *r, const struct rbg_shape_word *word)
{
	struct rbg_grid g = { .reader = r, .word = word };
	rbg_advance(r);
	rbg_expect(r, TOKEN_ROUND);
	for (int i = 0; i < word->directions; i++) {
		rbg_board_direction(r);
		rbg_expect(r, TOKEN_COMMA);
	}
	if (word->shape == RBG_CUBOID)
		rbg_board_layers(&g);
	else
		rbg_board_rows(&g);
	rbg_expect(r, TOKEN_ROUND_END);
	if (r->failed)
		return;
	rbg_board_connect_cells(&g);
	rbg_board_measure(&g);
}

/* --- graphs --- */

/* Reads `direction: square`. */
static void rbg_board_edge(struct rbg_reader *r, struct rbg_edges *edges)
{
	struct rbg_edge edge = { .square = r->rules->square_count - 1 };
	const struct rbg_name *direction = rbg_named(r, MEANS_DIRECTION);
	edge.direction = direction ? direction->index : r->rules->direction_count;
	edge.place = r->token.place;
	if (direction)
		rbg_advance(r);
	else
		rbg_board_direction(r);
	rbg_expect(r, TOKEN_COLON);
	edge.target = r->token.value;
	if (r->token.type != TOKEN_NAME)
		rbg_fail_expected(r, "the name of a square", MEANS_NOTHING);
	for (size_t i = edges->count; i-- && edges->list[i].square == edge.square;)
		if (edges->list[i].direction == edge.direction)
			rbg_fail(r, edge.place,
				 "this square has another neighbour in direction '%s'",
				 r->rules->directions[edge.direction]);
	rbg_advance(r);
	edges->list = xgrow(edges->list, edges->count, sizeof *edges->list);
	edges->list[edges->count++] = edge;
}

/* Reads `name[piece]{edge, edge}`. */
static void rbg_board_vertex(struct rbg_reader *r, struct rbg_edges *edges)
{
	struct rbg_token name = r->token;
	if (name.type != TOKEN_NAME)
		rbg_fail_expected(r, "rectangle, hexagon, cuboid or the name of a square",
				  MEANS_NOTHING);
	else if (r->names.list[name.value].vertex >= 0)
		rbg_fail(r, name.place, "there is another square '%s'",
			 r->names.list[name.value].text);
	rbg_advance(r);
	rbg_expect(r, TOKEN_SQUARE);
	rbg_board_square(r, -1, -1);
	rbg_expect(r, TOKEN_SQUARE_END);
	rbg_expect(r, TOKEN_CURLY);
	if (r->failed)
		return;
	r->names.list[name.value].vertex = r->rules->square_count - 1;
	r->rules->squares[r->rules->square_count - 1].name = xstrdup(
		r->names.list[name.value].text);
	do
		rbg_board_edge(r, edges);
	while (rbg_accept(r, TOKEN_COMMA));
	rbg_expect(r, TOKEN_CURLY_END);
}

static void rbg_board_read_graph(struct rbg_reader *r)
{
	struct rbg_edges edges = { 0 };
	do
		rbg_board_vertex(r, &edges);
	while (r->token.type != TOKEN_END);
	r->rules->shape = RBG_GRAPH;
	rbg_board_disconnect(r->rules);
	for (size_t i = 0; i < edges.count && !r->failed; i++) {
		const struct rbg_edge *edge = &edges.list[i];
		const struct rbg_name *target = &r->names.list[edge->target];
		if (target->vertex < 0)
			rbg_fail(r, edge->place, "there is no square '%s'", target->text);
		else
			rbg_board_connect(r->rules, edge->square, edge->direction, target->vertex);
	}
	free(edges.list);
}

void rbg_read_board(struct rbg_reader *r)
{
	const struct rbg_shape_word *word = NULL;
	rbg_begin(r, KEYWORD_BOARD);
	for (size_t i = 0; i < sizeof rbg_shape_words / sizeof *rbg_shape_words; i++)
		if (r->token.type == TOKEN_KEYWORD &&
		    r->token.value == (int32_t)rbg_shape_words[i].keyword)
			word = &rbg_shape_words[i];
	if (word)
		rbg_board_read_grid(r, word);
	else
		rbg_board_read_graph(r);
	if (r->token.type != TOKEN_END)
		rbg_fail_expected(r, "the end of the board", MEANS_NOTHING);
	if (!r->rules->square_count)
		rbg_fail(r, r->token.place, "the board has no squares");
}
