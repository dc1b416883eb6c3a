/* SPDX-License-Identifier: MIT
 *
 * The shapes are those of MoGo: hane, cuts, and moves at the border (Gelly, Wang, Munos and Teytaud, Modification
 * of UCT with Patterns in Monte-Carlo Go, 2006).
 */
#include "games/go/go_pattern.h"

#include "games/go/go_board.h"

/* The points around the move: X and O are the two sides; `.` is empty; # is the border; x is all but X, o is all but
 * O, neither of them the border; ? is anything. Every shape also stands for its turns and reflections, and with the
 * sides exchanged. Both sides may move there, unless `own` says that only X may. */
struct go_pattern_shape {
	const char *around;
	bool own; /* only X may move here */
};

static const struct go_pattern_shape shapes[] = {
	{ "XOX"
	  ". ."
	  "???" },
	{ "XO."
	  ". ."
	  "?.?" },
	{ "XO?"
	  "X ."
	  "x.?" },
	{ "XOO"
	  ". ."
	  "?.?",
	  true },
	/* Cuts: O's stones are not joined by the point, or only after X's move. */
	{ "XO?"
	  "O o"
	  "?o?" },
	{ "XO?"
	  "O X"
	  "???" },
	{ "?X?"
	  "O O"
	  "ooo" },
	{ "OX?"
	  "o O"
	  "???" },
	/* At the border. */
	{ "X.?"
	  "O ?"
	  "###" },
	{ "OX?"
	  "X O"
	  "###" },
	{ "?X?"
	  "x O"
	  "###" },
	{ "?XO"
	  "x x"
	  "###" },
	{ "?OX"
	  "X O"
	  "###" },
};

uint64_t go_pattern_set[2][GO_PATTERN_CODES / 64];

/* Returns true if a point with this content fits the letter. `x` is the colour of X. */
static bool go_pattern_fits(char letter, int content, int x)
{
	switch (letter) {
	case 'X':
		return content == x;
	case 'O':
		return content == (x ^ 1);
	case '.':
		return content == GO_EMPTY;
	case '#':
		return content == GO_BORDER;
	case 'x':
		return content != x && content != GO_BORDER;
	case 'o':
		return content != (x ^ 1) && content != GO_BORDER;
	default:
		return true;
	}
}

/* The letter of a shape at a row and a column after a symmetry (exchange rows and columns: 4, columns: 2, rows: 1). */
static char letter_at(const char *around, int row, int col, int symmetry)
{
	int r = symmetry & 1 ? 2 - row : row, c = symmetry & 2 ? 2 - col : col;
	return symmetry & 4 ? around[3 * c + r] : around[3 * r + c];
}

/* Adds every code that fits the letters from a point on. */
static void add_codes(const char letters[GO_PATTERN_POINTS], int x, unsigned sides, int point,
		      uint32_t code)
{
	if (point == GO_PATTERN_POINTS) {
		for (int side = BLACK; side <= WHITE; side++)
			if (sides >> side & 1)
				go_pattern_set[side][code / 64] |= UINT64_C(1) << code % 64;
		return;
	}
	for (int content = BLACK; content <= GO_BORDER; content++)
		if (go_pattern_fits(letters[point], content, x))
			add_codes(letters, x, sides, point + 1,
				  code | (uint32_t)content << 2 * point);
}

static void add_shape(const struct go_pattern_shape *shape, int symmetry, int x)
{
	char letters[GO_PATTERN_POINTS];
	int count = 0;
	for (int i = 0; i < 9; i++)
		if (i != 4)
			letters[count++] = letter_at(shape->around, i / 3, i % 3, symmetry);
	add_codes(letters, x, shape->own ? 1u << x : 3, 0, 0);
}

void go_pattern_init(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		for (int symmetry = 0; symmetry < 8; symmetry++)
			for (int x = BLACK; x <= WHITE; x++)
				add_shape(&shapes[i], symmetry, x);
}
