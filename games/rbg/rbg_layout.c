/* SPDX-License-Identifier: MIT
 *
 * Where the squares lie on yomi's board. A hexagon is turned so that its longer side is shortest: a rhombus then fills its rows and
 * columns. A graph lies as comments say, else as its directions named up, down, left and right say, else in the order of the file.
 */
#include <limits.h>
#include <string.h>

#include "games/rbg/rbg_reader.h"

#define TURNS 6

/* Moves the squares to the top left corner. Returns the longer side of the smallest rectangle around them, which is then the board. */
static int rbg_layout_measure(struct rbg_rules *rules)
{
	struct rbg_square *s = rules->squares;
	int top = INT_MAX, left = INT_MAX, bottom = INT_MIN, right = INT_MIN;
	for (int i = 0; i < rules->square_count; i++) {
		top = s[i].row < top ? s[i].row : top;
		left = s[i].col < left ? s[i].col : left;
		bottom = s[i].row > bottom ? s[i].row : bottom;
		right = s[i].col > right ? s[i].col : right;
	}
	for (int i = 0; i < rules->square_count; i++) {
		s[i].row -= top;
		s[i].col -= left;
	}
	rules->rows = bottom - top + 1;
	rules->cols = right - left + 1;
	return rules->rows > rules->cols ? rules->rows : rules->cols;
}

/* Turns a hexagon by 60 degrees: what was east is then south-east. */
static void rbg_layout_turn(struct rbg_rules *rules)
{
	for (int i = 0; i < rules->square_count; i++) {
		struct rbg_square *s = &rules->squares[i];
		int row = s->row;
		s->row = row + s->col;
		s->col = -row;
	}
}

static void rbg_layout_hexagon(struct rbg_rules *rules)
{
	int best = INT_MAX, turns = 0;
	/* rbg_board.c's axes have the sixth neighbour at (row + 1, col + 1). */
	for (int i = 0; i < rules->square_count; i++)
		rules->squares[i].col -= rules->squares[i].row;
	for (int i = 0; i < TURNS; i++) {
		int side = rbg_layout_measure(rules);
		if (side < best) {
			best = side;
			turns = i;
		}
		rbg_layout_turn(rules);
	}
	for (int i = 0; i < turns; i++)
		rbg_layout_turn(rules);
	rbg_layout_measure(rules);
}

/* Returns true if two squares lie on each other. */
static bool rbg_layout_overlaps(const struct rbg_rules *rules)
{
	for (int i = 0; i < rules->square_count; i++)
		for (int j = 0; j < i; j++)
			if (rules->squares[i].row == rules->squares[j].row &&
			    rules->squares[i].col == rules->squares[j].col)
				return true;
	return false;
}

/* Places the neighbours of a square that have no place yet, and appends them to the queue. Returns false if another one has the wrong
 * place. */
static bool rbg_layout_spread(struct rbg_rules *rules, int square, int16_t *queue, int *count)
{
	static const struct {
		const char *name;
		int down, right;
	} steps[] = { { "up", -1, 0 }, { "down", 1, 0 }, { "left", 0, -1 }, { "right", 0, 1 } };
	const struct rbg_square *s = &rules->squares[square];
	for (int i = 0; i < 4 * rules->direction_count; i++) {
		int16_t to = rules->neighbors[i / 4 * rules->square_count + square];
		if (to < 0 || strcmp(rules->directions[i / 4], steps[i % 4].name) != 0)
			continue;
		struct rbg_square *neighbor = &rules->squares[to];
		int row = s->row + steps[i % 4].down, col = s->col + steps[i % 4].right;
		if (neighbor->row == INT_MIN) {
			neighbor->row = row;
			neighbor->col = col;
			queue[(*count)++] = to;
		}
		if (neighbor->row != row || neighbor->col != col)
			return false;
	}
	return true;
}

/* Places the squares of a graph by its directions. Returns false if these do not place all, or do not fit. */
static bool rbg_layout_follow(struct rbg_rules *rules)
{
	int16_t queue[GAME_SQUARES_MAX];
	int count = 1;
	for (int i = 1; i < rules->square_count; i++)
		rules->squares[i].row = INT_MIN;
	queue[0] = 0;
	rules->squares[0].row = rules->squares[0].col = 0;
	for (int i = 0; i < count; i++)
		if (!rbg_layout_spread(rules, queue[i], queue, &count))
			return false;
	return count == rules->square_count && !rbg_layout_overlaps(rules) &&
	       rbg_layout_measure(rules) <= GAME_SIDE_MAX;
}

/* Places squares in rows, in the order of the file. */
static void rbg_layout_list(struct rbg_rules *rules)
{
	int side = 1;
	while (side * side < rules->square_count)
		side++;
	for (int i = 0; i < rules->square_count; i++) {
		rules->squares[i].row = i / side;
		rules->squares[i].col = i % side;
	}
	rbg_layout_measure(rules);
}

static void rbg_layout_graph(struct rbg_reader *r)
{
	struct rbg_rules *rules = r->rules;
	if (!r->is_placed) {
		if (!rbg_layout_follow(rules))
			rbg_layout_list(rules);
		return;
	}
	for (int i = 0; i < rules->square_count; i++)
		if (rules->squares[i].row < 0)
			rbg_fail(r, r->placed, "the comments give square '%s' no place",
				 rules->squares[i].name);
	if (rbg_layout_overlaps(rules))
		rbg_fail(r, r->placed, "the comments give two squares the same place");
	rbg_layout_measure(rules);
}

void rbg_lay_out(struct rbg_reader *r)
{
	struct rbg_rules *rules = r->rules;
	/* The tokens before those of a definition are its name and '='. */
	struct rbg_place place = r->tokens[r->parts[KEYWORD_BOARD].begin - 2].place;
	if (rules->shape == RBG_HEXAGON)
		rbg_layout_hexagon(rules);
	else if (rules->shape == RBG_GRAPH)
		rbg_layout_graph(r);
	if (rules->rows > GAME_SIDE_MAX || rules->cols > GAME_SIDE_MAX)
		rbg_fail(r, place,
			 "a board of %d by %d squares is too large; a side has at most %d",
			 rules->rows, rules->cols, GAME_SIDE_MAX);
}
