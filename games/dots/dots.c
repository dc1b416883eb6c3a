/* SPDX-License-Identifier: MIT
 *
 * Dots and boxes on boards of 2x2 to 5x5 boxes. The board has a square for each dot, line and box: lines have an even and an
 * odd coordinate, boxes two odd ones; dots are no squares. A step is the square of a line.
 */
#include "games/dots/dots.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/solver.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"

#define LINE 'L'

static struct dots_shape dots_shapes[DOTS_SIDE_MAX + 1];

const struct dots_shape *dots_shape(int n)
{
	return &dots_shapes[n];
}

static const struct dots_shape *dots_shape_of(const struct game *g)
{
	return dots_shape(g->board.rows / 2);
}

/* --- tables --- */

static bool dots_is_line(int row, int col)
{
	return (row + col) % 2;
}

/* Adds a box to its four lines. */
static void dots_init_box(struct dots_shape *shape, int n, int box)
{
	static const int rows[4] = { -1, 0, 0, 1 }, cols[4] = { 0, -1, 1, 0 };
	const int row = 2 * (box / n) + 1, col = 2 * (box % n) + 1;
	int line[4];
	uint64_t all = 0;
	for (int i = 0; i < 4; i++) {
		line[i] = shape->line[(row + rows[i]) * (2 * n + 1) + col + cols[i]];
		all |= UINT64_C(1) << line[i];
	}
	for (int i = 0; i < 4; i++) {
		int at = shape->count[line[i]]++;
		shape->box[line[i]][at] = (uint8_t)box;
		shape->others[line[i]][at] = all & ~(UINT64_C(1) << line[i]);
	}
}

static void dots_init(const struct game *g)
{
	for (int n = DOTS_SIDE_MIN; n <= DOTS_SIDE_MAX; n++) {
		struct dots_shape *shape = &dots_shapes[n];
		const int side = 2 * n + 1;
		memset(shape, 0, sizeof *shape);
		for (int i = 0; i < side * side; i++) {
			bool is_line = dots_is_line(i / side, i % side);
			shape->line[i] = (int8_t)(is_line ? shape->lines : -1);
			if (is_line)
				shape->square[shape->lines++] = (uint8_t)i;
		}
		for (int box = 0; box < n * n; box++)
			dots_init_box(shape, n, box);
	}
}

/* --- rules --- */

/* Sets `over` and `score` from the board. */
static void dots_set_result(const struct game *g, struct state *s)
{
	s->over = s->board[DOTS_DRAWN] == (UINT64_C(1) << dots_shape_of(g)->lines) - 1;
	s->score = (int16_t)(s->over ? dots_ahead(s) : 0);
	s->hash = state_hash(s);
}

static void dots_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[DOTS_AHEAD] = DOTS_AHEAD_ZERO;
	s->hash = state_hash(s);
}

/* Returns true if all lines of a box are drawn. */
static bool dots_is_closed(const struct dots_shape *shape, int n, int box, uint64_t drawn)
{
	int above = shape->line[2 * (box / n) * (2 * n + 1) + 2 * (box % n) + 1];
	for (int i = 0; i < shape->count[above]; i++)
		if (shape->box[above][i] == box)
			return drawn >> above & 1 &&
			       (drawn & shape->others[above][i]) == shape->others[above][i];
	return false;
}

static const char *dots_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	const struct dots_shape *shape = dots_shape_of(g);
	const int cols = g->board.cols, n = cols / 2;
	dots_start(g, s);
	for (int i = 0; i < shape->lines; i++) {
		if (squares[shape->square[i]] != '.' && squares[shape->square[i]] != LINE)
			return "a stone lies on a line";
		if (squares[shape->square[i]] == LINE)
			s->board[DOTS_DRAWN] |= UINT64_C(1) << i;
	}
	for (int box = 0; box < n * n; box++) {
		char owner = squares[(2 * (box / n) + 1) * cols + 2 * (box % n) + 1];
		if (owner == LINE)
			return "a line lies in a box";
		if ((owner != '.') != dots_is_closed(shape, n, box, s->board[DOTS_DRAWN]))
			return "a box belongs to a side exactly if its four lines are drawn";
		if (owner == '.')
			continue;
		s->board[DOTS_BOXES + (owner == 'O')] |= UINT64_C(1) << box;
		s->board[DOTS_AHEAD] += owner == 'X' ? 1 : -UINT64_C(1);
	}
	s->side = (uint8_t)side;
	dots_set_result(g, s);
	return NULL;
}

static uint64_t dots_open(const struct dots_shape *shape, const struct state *s)
{
	return ~s->board[DOTS_DRAWN] & ((UINT64_C(1) << shape->lines) - 1);
}

static int dots_moves(const struct game *g, const struct state *s, move_t *out)
{
	const struct dots_shape *shape = dots_shape_of(g);
	int n = 0;
	for (uint64_t open = dots_open(shape, s); open; open &= open - 1)
		out[n++] = shape->square[__builtin_ctzll(open)];
	return n;
}

/* Draws a line; the boxes that it closes are those of the side to move, which then moves again. */
static void dots_draw(const struct dots_shape *shape, struct state *s, int line)
{
	bool closes = false;
	for (int i = 0; i < shape->count[line]; i++) {
		uint64_t others = shape->others[line][i];
		if ((s->board[DOTS_DRAWN] & others) != others)
			continue;
		s->board[DOTS_BOXES + s->side] |= UINT64_C(1) << shape->box[line][i];
		s->board[DOTS_AHEAD] += s->side == BLACK ? 1 : -UINT64_C(1);
		closes = true;
	}
	s->board[DOTS_DRAWN] |= UINT64_C(1) << line;
	s->side ^= !closes;
}

static void dots_play(const struct game *g, struct state *s, move_t step)
{
	const struct dots_shape *shape = dots_shape_of(g);
	dots_draw(shape, s, shape->line[step]);
	dots_set_result(g, s);
}

/* --- playouts --- */

static int dots_uniform(const struct game *g, const struct state *start, struct rng *rng)
{
	const struct dots_shape *shape = dots_shape_of(g);
	struct state s = *start;
	uint32_t left = (uint32_t)__builtin_popcountll(dots_open(shape, &s));
	for (; left; left--) {
		uint64_t line = bits_lowest(dots_open(shape, &s), rng_below(rng, left));
		dots_draw(shape, &s, __builtin_ctzll(line));
	}
	return dots_ahead(&s);
}

/* --- text --- */

static enum move_check dots_parse(const struct game *g, const struct state *s, const char *text,
				  struct move *m)
{
	int row, col;
	const char *rest = square_parse(g, text, &row, &col);
	if (!rest || *rest || !dots_is_line(row, col))
		return MOVE_MALFORMED;
	int square = row * g->board.cols + col;
	*m = move_single((move_t)square);
	return s->board[DOTS_DRAWN] >> dots_shape_of(g)->line[square] & 1 ? MOVE_ILLEGAL : MOVE_OK;
}

static bool dots_on_board(const struct game *g, int row, int col)
{
	return row % 2 || col % 2;
}

static char dots_at(const struct game *g, const struct state *s, int row, int col)
{
	const int n = g->board.cols / 2, box = row / 2 * n + col / 2;
	if (!dots_on_board(g, row, col))
		return ':';
	if (dots_is_line(row, col))
		return s->board[DOTS_DRAWN] >> dots_shape_of(g)->line[row * g->board.cols + col] & 1
			       ? LINE
			       : '.';
	return s->board[DOTS_BOXES] >> box & 1       ? 'X'
	       : s->board[DOTS_BOXES + 1] >> box & 1 ? 'O'
						     : '.';
}

static bool dots_valid(const struct game *g, const struct state *s)
{
	const struct dots_shape *shape = dots_shape_of(g);
	const int n = g->board.cols / 2;
	const uint64_t black = s->board[DOTS_BOXES], white = s->board[DOTS_BOXES + 1];
	struct state expected = *s;
	dots_set_result(g, &expected);
	for (int box = 0; box < n * n; box++)
		if (((black | white) >> box & 1) !=
		    dots_is_closed(shape, n, box, s->board[DOTS_DRAWN]))
			return false;
	return !(black & white) && !((black | white) >> n * n) &&
	       !(s->board[DOTS_DRAWN] >> shape->lines) &&
	       __builtin_popcountll(black) - __builtin_popcountll(white) == dots_ahead(s) &&
	       expected.over == s->over && expected.score == s->score && !s->pending &&
	       s->hash == state_hash(s);
}

static const char guide[] =
	"The sides draw lines between neighbouring dots in turn. Black moves first. Who\n"
	"draws the fourth line of a box owns it and must move again. When all lines are\n"
	"drawn, who has more boxes wins.\n"
	"\n"
	"     A B C D E\n"
	"   1 + - + - + 1\n"
	"   2 | X | . . 2     Black owns one box. The other upper box has two lines;\n"
	"   3 + - + . + 3     whoever draws its third line gives it away.\n"
	"   4 . . | . . 4\n"
	"   5 + . + . + 5\n"
	"\n"
	"A move is the place of a line: its column and its row, both counted from the\n"
	"top left, dots and boxes included: b1\n";

static const struct piece dots_pieces[] = { { 'X', BLACK, "box" },
					    { 'O', WHITE, "box" },
					    { LINE, PIECE_NEUTRAL, "line" },
					    { '\0', 0, NULL } };
static const struct words dots_words = { .guide = guide };
static const struct playouts dots_playouts = { .uniform = dots_uniform };
static const struct images dots_images = { .symmetries = IMAGES_ALL, .mirror = images_mirror_step };
static const struct tuning dots_tuning = { .search = "mcts" };
static const struct game *const dots_sizes[];

/* The table of a board of N*N boxes. */
#define DOTS(DECLARED, N)                                                                          \
	DECLARED = {                                                                               \
		.name = "dots",                                                                    \
		.title = "Dots",                                                                   \
		.alias = "dotsandboxes dots-and-boxes boxes",                                      \
		.rules = "standard",                                                               \
		.sizes = dots_sizes,                                                               \
		.board = { .rows = 2 * (N) + 1,                                                    \
			   .cols = 2 * (N) + 1,                                                    \
			   .size = (N),                                                            \
			   .on_board = dots_on_board,                                              \
			   .pieces = dots_pieces,                                                  \
			   .kind = BOARD_DOTS,                                                     \
			   .color = BOARD_PAPER },                                                 \
		.steps = { .codes = (2 * (N) + 1) * (2 * (N) + 1),                                 \
			   .choices = DOTS_LINES(N),                                               \
			   .length = DOTS_LINES(N),                                                \
			   .per_move = 1,                                                          \
			   .pass = MOVE_NONE },                                                    \
		.score = { .most = (N) * (N), .unit = "boxes" },                                   \
		.init = dots_init,                                                                 \
		.start = dots_start,                                                               \
		.setup = dots_setup,                                                               \
		.moves = dots_moves,                                                               \
		.play = dots_play,                                                                 \
		.parse = dots_parse,                                                               \
		.format = square_format_step,                                                      \
		.at = dots_at,                                                                     \
		.valid = dots_valid,                                                               \
		.words = &dots_words,                                                              \
		.playouts = &dots_playouts,                                                        \
		.images = &dots_images,                                                            \
		.tuning = &dots_tuning,                                                            \
		.solver = &dots_solver,                                                            \
	}

DOTS(const struct game game_dots, 5);
DOTS(static const struct game dots_2, 2);
DOTS(static const struct game dots_3, 3);
DOTS(static const struct game dots_4, 4);

/* The default size first. */
static const struct game *const dots_sizes[] = { &game_dots, &dots_2, &dots_3, &dots_4, NULL };
