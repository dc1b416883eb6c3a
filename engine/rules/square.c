/* SPDX-License-Identifier: MIT */
#include "engine/rules/square.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NUMBER_DIGITS 2 /* at most */

char square_letter(const struct game *g, int col)
{
	return (char)('A' + col + (g->board.skips_i && col >= 'I' - 'A'));
}

int square_number(const struct game *g, int row)
{
	return g->board.goes_up ? g->board.rows - row : row + 1;
}

int square_row(const struct game *g, int number)
{
	return g->board.goes_up ? g->board.rows - number : number - 1;
}

void square_format(const struct game *g, int row, int col, char text[SQUARE_TEXT_MAX])
{
	if (g->board.name)
		snprintf(text, SQUARE_TEXT_MAX, "%s", g->board.name(g, row, col));
	else
		snprintf(text, SQUARE_TEXT_MAX, "%c%d", square_letter(g, col),
			 square_number(g, row) % 100);
}

/* square_parse() of a board with names of its own. The longest name counts. */
static const char *square_parse_name(const struct game *g, const char *text, int *row, int *col)
{
	size_t longest = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		if (!game_has_square(g, i))
			continue;
		const char *name = g->board.name(g, i / g->board.cols, i % g->board.cols);
		size_t length = strlen(name);
		if (length <= longest || strncasecmp(text, name, length) != 0)
			continue;
		longest = length;
		*row = i / g->board.cols;
		*col = i % g->board.cols;
	}
	return longest ? text + longest : NULL;
}

const char *square_parse(const struct game *g, const char *text, int *row, int *col)
{
	if (g->board.name)
		return square_parse_name(g, text, row, col);
	int letter = toupper((unsigned char)*text), number = 0, digits = 0;
	*col = 0;
	while (*col < g->board.cols && square_letter(g, *col) != letter)
		++*col;
	if (*col == g->board.cols || *++text == '0')
		return NULL;
	for (; isdigit((unsigned char)*text) && digits <= NUMBER_DIGITS; digits++)
		number = 10 * number + *text++ - '0';
	if (number < 1 || number > g->board.rows || digits > NUMBER_DIGITS)
		return NULL;
	*row = square_row(g, number);
	return text;
}

enum move_check square_parse_step(const struct game *g, const struct state *s, const char *text,
				  struct move *m)
{
	int row, col;
	const char *rest = square_parse(g, text, &row, &col);
	if (!rest || *rest)
		return MOVE_MALFORMED;
	*m = move_single((move_t)(g->board.cols * row + col));
	return g->at(g, s, row, col) == '.' ? MOVE_OK : MOVE_ILLEGAL;
}

void square_format_step(const struct game *g, const struct state *s, struct move m,
			char text[MOVE_TEXT_MAX])
{
	square_format(g, m.step[0] / g->board.cols, m.step[0] % g->board.cols, text);
}

void square_rename(const struct game *from, const struct game *to, const char *text,
		   char out[MOVE_TEXT_MAX])
{
	int row, col;
	size_t n = 0;
	bool is_same = from->board.skips_i == to->board.skips_i &&
		       from->board.goes_up == to->board.goes_up;
	out[0] = '\0';
	while (*text && n + 1 < MOVE_TEXT_MAX) {
		char name[SQUARE_TEXT_MAX] = { *text };
		const char *rest = is_same ? NULL : square_parse(from, text, &row, &col);
		if (rest)
			square_format(to, row, col, name);
		else if (!is_same && isalpha((unsigned char)*text) &&
			 isdigit((unsigned char)text[1]))
			*name = '?';
		snprintf(out + n, MOVE_TEXT_MAX - n, "%s", name);
		n += strlen(out + n);
		text = rest ? rest : text + 1;
	}
}

int square_neighbors(const struct game *g, int square, int out[4])
{
	static const int steps[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
	int count = 0;
	for (int i = 0; i < 4; i++) {
		int row = square / g->board.cols + steps[i][0],
		    col = square % g->board.cols + steps[i][1];
		if (row >= 0 && row < g->board.rows && col >= 0 && col < g->board.cols)
			out[count++] = row * g->board.cols + col;
	}
	return count;
}
