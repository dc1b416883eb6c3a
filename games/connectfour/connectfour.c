/* SPDX-License-Identifier: MIT
 *
 * Connect Four. board[0] and board[1] hold the discs of Black and White (connectfour.h). A step is the number
 * of the square where the disc lands, 7*row + column, row 0 at the top.
 */
#include "games/connectfour/connectfour.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"

#define TOP (C4_BOTTOM << (C4_ROWS - 1)) /* the highest square of each column */

/* The network and the opening book, linked into the program. */
EMBED_LARGE(connectfour_net, "games/connectfour/connectfour.net");
EMBED(connectfour_book, "games/connectfour/connectfour.book");

static struct board_net net = { .file = connectfour_net };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

static uint64_t square_of[C4_SQUARES];      /* the square of a step */
static uint8_t step_of[C4_PITCH * C4_COLS]; /* the step of a square's bit number */

static void connectfour_init(const struct game *g)
{
	for (int step = 0; step < C4_SQUARES; step++) {
		int row = step / C4_COLS, col = step % C4_COLS;
		int bit = C4_PITCH * col + C4_ROWS - 1 - row;
		square_of[step] = UINT64_C(1) << bit;
		step_of[bit] = (uint8_t)step;
	}
}

static uint64_t connectfour_discs(const struct state *s)
{
	return s->board[BLACK] | s->board[WHITE];
}

static void connectfour_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->hash = state_hash(s);
}

/* Sets `over` and `score` from the board. */
static void connectfour_set_result(struct state *s)
{
	int won = c4_has_four(s->board[BLACK]), lost = c4_has_four(s->board[WHITE]);
	s->score = (int16_t)(won - lost);
	s->over = won || lost || connectfour_discs(s) == C4_BOARD;
}

/* Returns true if the top disc of some column is in every row of four of a side. */
static bool has_last_disc(const struct state *s, int side)
{
	uint64_t tops = (connectfour_discs(s) + C4_BOTTOM) >> 1 & s->board[side];
	for (; tops; tops &= tops - 1)
		if (!c4_has_four(s->board[side] & ~(tops & -tops)))
			return true;
	return false;
}

static const char *connectfour_setup(const struct game *g, struct state *s, const char *squares,
				     int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < C4_SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= square_of[i];
	const char *why = game_check_stones(s, side);
	if (why)
		return why;
	/* A carry runs through the discs of a column from its lowest square, and leaves none below it. */
	if (connectfour_discs(s) & (connectfour_discs(s) + C4_BOTTOM))
		return "a disc has an empty square below it";
	/* Only the side that moved last can have four in a row. */
	if (c4_has_four(s->board[side]))
		return "the side to move already has four in a row";
	if (c4_has_four(s->board[side ^ 1]) && !has_last_disc(s, side ^ 1))
		return "one move cannot have made all rows of four";
	s->side = (uint8_t)side;
	connectfour_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

/* Lists the steps of a set of squares, from the left. Returns their number. */
static int connectfour_list_steps(uint64_t squares, move_t *out)
{
	int n = 0;
	for (; squares; squares &= squares - 1)
		out[n++] = step_of[__builtin_ctzll(squares)];
	return n;
}

static int connectfour_moves(const struct game *g, const struct state *s, move_t *out)
{
	return connectfour_list_steps(c4_landing(connectfour_discs(s)), out);
}

static void connectfour_play(const struct game *g, struct state *s, move_t step)
{
	uint64_t moved = s->board[s->side] |= square_of[step];
	int won = c4_has_four(moved);
	s->score = (int16_t)(s->side == BLACK ? won : -won);
	s->over = (uint8_t)(won | (connectfour_discs(s) == C4_BOARD));
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* Choices of columns from one random number: 7^16 is below 2^45. */
#define DRAWS 16

static int connectfour_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	if (s->over)
		return s->score;
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1], r = 0;
	uint64_t column[C4_COLS]; /* the columns with an empty square, in any order */
	uint32_t n = 0;
	int sign = side_sign(s->side);
	for (uint64_t landing = c4_landing(mine | theirs), c = C4_COLUMN; landing;
	     landing &= ~c, c <<= C4_PITCH)
		if (landing & c)
			column[n++] = c;
	for (uint32_t turn = 0; n; turn++) {
		if (turn % DRAWS == 0)
			r = rng_next(rng);
		/* The high word of r * n is the choice, the low word is the next r. */
		__extension__ unsigned __int128 product = (unsigned __int128)r * n;
		r = (uint64_t)product;
		uint64_t *c = &column[(uint64_t)(product >> 64)];
		uint64_t disc = c4_landing(mine | theirs) & *c, moved = mine | disc;
		if (c4_has_four(moved))
			return sign;
		if (disc & TOP)
			*c = column[--n];
		mine = theirs;
		theirs = moved;
		sign = -sign;
	}
	return 0;
}

static bool connectfour_wins(const struct game *g, const struct state *s)
{
	return c4_landing(connectfour_discs(s)) &
	       c4_threats(s->board[s->side], connectfour_discs(s));
}

static int connectfour_safe(const struct game *g, const struct state *s, move_t *out)
{
	return connectfour_list_steps(
		c4_safe(connectfour_discs(s),
			c4_threats(s->board[s->side ^ 1], connectfour_discs(s))),
		out);
}

/* Reads a column: a letter, or OpenSpiel's notation `x3`, the mark of the side to move and the column from
 * 0. */
static bool parse_column(const char *text, int *side, int *col)
{
	int letter = tolower((unsigned char)text[0]);
	if (letter >= 'a' && letter < 'a' + C4_COLS && !text[1]) {
		*col = letter - 'a';
		return true;
	}
	if ((letter != 'x' && letter != 'o') || text[1] < '0' || text[1] >= '0' + C4_COLS ||
	    text[2])
		return false;
	*side = letter == 'x' ? BLACK : WHITE;
	*col = text[1] - '0';
	return true;
}

static enum move_check connectfour_parse(const struct game *g, const struct state *s,
					 const char *text, struct move *m)
{
	int row = 0, col, side = s->side;
	const char *rest = square_parse(&game_connectfour, text, &row, &col);
	if (!rest || *rest) {
		row = 0;
		if (!parse_column(text, &side, &col))
			return MOVE_MALFORMED;
	}
	if (side != s->side || connectfour_discs(s) & square_of[C4_COLS * row + col])
		return MOVE_ILLEGAL;
	uint64_t landing = c4_landing(connectfour_discs(s)) & C4_COLUMN << C4_PITCH * col;
	*m = move_single(step_of[__builtin_ctzll(landing)]);
	return MOVE_OK;
}

static char connectfour_at(const struct game *g, const struct state *s, int row, int col)
{
	uint64_t square = square_of[C4_COLS * row + col];
	return s->board[BLACK] & square ? 'X' : s->board[WHITE] & square ? 'O' : '.';
}

static void connectfour_stones(const struct game *g, const struct state *s, uint64_t set[2])
{
	for (int side = BLACK; side <= WHITE; side++) {
		set[side] = 0;
		for (uint64_t left = s->board[side]; left; left &= left - 1)
			set[side] |= UINT64_C(1) << step_of[__builtin_ctzll(left)];
	}
}

static bool connectfour_valid(const struct game *g, const struct state *s)
{
	int black = __builtin_popcountll(s->board[BLACK]);
	int white = __builtin_popcountll(s->board[WHITE]);
	struct state expected = *s;
	connectfour_set_result(&expected);
	return (s->board[BLACK] & s->board[WHITE]) == 0 &&
	       (connectfour_discs(s) & ~C4_BOARD) == 0 &&
	       (connectfour_discs(s) & (connectfour_discs(s) + C4_BOTTOM)) == 0 &&
	       black - white == s->side &&
	       (!c4_has_four(s->board[BLACK]) || !c4_has_four(s->board[WHITE])) &&
	       expected.over == s->over && expected.score == s->score && !s->pending &&
	       s->hash == state_hash(s);
}

static const char guide[] =
	"Black (X) moves first. The sides in turn drop a disc into one of the seven\n"
	"columns; it falls to the lowest free square. Four discs of one side in a row,\n"
	"in a column or on a diagonal win. A full board without such a line is a draw.\n"
	"\n"
	"     A B C D E F G\n"
	"   6 . . . . . . . 6\n"
	"   5 . . . . . . . 5\n"
	"   4 . . . . . . . 4\n"
	"   3 . . . O . . . 3     Black to move wins with C1: C1 D1 E1 F1.\n"
	"   2 . . . X O O . 2\n"
	"   1 . . . X X X O 1\n"
	"\n"
	"A move is the square where the disc lands, counted from the bottom left: d1\n"
	"The column alone, or any free square of it, means the same: d\n";

/* A threat on an odd row is worth something else than one on an even row. */
static void connectfour_planes(const struct game *g, const struct state *s,
			       uint8_t set[GAME_SQUARES_MAX])
{
	for (int square = 0; square < C4_SQUARES; square++)
		set[square] = (uint8_t)(square / C4_COLS % 2);
}

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 335, 627, 841, 1067, 1239, 1309, 1358, 1385, 1389 };

const struct game game_connectfour = {
	.name = "connectfour",
	.title = "Connectfour",
	.alias = "connect4 c4",
	.rules = "standard",
	.board = { .rows = C4_ROWS,
		   .cols = C4_COLS,
		   .goes_up = true,
		   .kind = BOARD_HOLES,
		   .color = BOARD_BLUE,
		   .falls = true },
	.steps = { .codes = C4_SQUARES,
		   .choices = C4_COLS,
		   .length = C4_SQUARES,
		   .per_move = 1,
		   .pass = MOVE_NONE },
	.score = { .most = 1, .speed = true, .in_a_row = 4 },
	.init = connectfour_init,
	.start = connectfour_start,
	.setup = connectfour_setup,
	.moves = connectfour_moves,
	.play = connectfour_play,
	.parse = connectfour_parse,
	.format = square_format_step,
	.at = connectfour_at,
	.valid = connectfour_valid,
	.words = &(const struct words) { .guide = guide },
	.playouts = &(const struct playouts) { .uniform = connectfour_playout },
	.threats = &(const struct threats) { .wins = connectfour_wins, .safe = connectfour_safe },
	.network = &(const struct network) { .planes = connectfour_planes, .lines = true },
	.images = &(const struct images) { .stones = connectfour_stones,
					   .symmetries = 1u << 2,
					   .mirror = images_mirror_step },
	.tuning = &(const struct tuning) { .search = "mcts",
					   .evaluator_cost = BOARD_NET_COST,
					   .ratings = ratings },
	.solver = &connectfour_solver,
	.evaluator = &evaluator,
	.book = connectfour_book,
};
