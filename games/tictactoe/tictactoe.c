/* SPDX-License-Identifier: MIT
 *
 * Tic-tac-toe. board[0] and board[1] hold the squares of Black and White, bit 3*row+col. A step is the
 * number of the square.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"

#define SQUARES 9
#define FULL    0x1ffu

static const uint16_t lines[8] = { 0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054 };

static uint8_t has_line[512];             /* indexed by a set of squares: it has three in a row */
static uint16_t nth_square[512][SQUARES]; /* the bit of the n-th square of a set */

static void tictactoe_init(const struct game *g)
{
	for (uint32_t set = 0; set < 512; set++) {
		for (int i = 0; i < 8; i++)
			has_line[set] |= (set & lines[i]) == lines[i];
		int n = 0;
		for (uint32_t bit = 1; bit < 512; bit <<= 1)
			if (set & bit)
				nth_square[set][n++] = (uint16_t)bit;
	}
}

static void tictactoe_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->hash = state_hash(s);
}

/* Sets `over` and `score` from the board. */
static void tictactoe_set_result(struct state *s)
{
	int won = has_line[s->board[BLACK]], lost = has_line[s->board[WHITE]];
	s->score = (int16_t)(won - lost);
	s->over = won || lost || (s->board[BLACK] | s->board[WHITE]) == FULL;
}

static const char *tictactoe_setup(const struct game *g, struct state *s, const char *squares,
				   int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= 1u << i;
	const char *why = game_check_stones(s, side);
	if (why)
		return why;
	/* Only the side that moved last can have three in a row. */
	if (has_line[s->board[side]])
		return "the side to move already has three in a row";
	s->side = (uint8_t)side;
	tictactoe_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

static int tictactoe_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	for (uint32_t empty = FULL & ~(uint32_t)(s->board[BLACK] | s->board[WHITE]); empty;
	     empty &= empty - 1)
		out[n++] = (move_t)__builtin_ctz(empty);
	return n;
}

static void tictactoe_play(const struct game *g, struct state *s, move_t step)
{
	uint64_t moved = s->board[s->side] |= 1u << step;
	int won = has_line[moved];
	s->score = (int16_t)(s->side == BLACK ? won : -won);
	s->over = (uint8_t)(won | ((s->board[BLACK] | s->board[WHITE]) == FULL));
	s->side ^= 1;
	s->hash = state_hash(s);
}

static int tictactoe_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	if (s->over)
		return s->score;
	uint32_t mine = (uint32_t)s->board[s->side], theirs = (uint32_t)s->board[s->side ^ 1];
	uint32_t empty = FULL & ~(mine | theirs);
	int sign = side_sign(s->side);
	/* One random number makes all choices: the high word of r * n is the choice, the low word is the
	 * next r. */
	uint64_t r = rng_next(rng);
	for (uint32_t n = (uint32_t)__builtin_popcount(empty); n; n--) {
		__extension__ unsigned __int128 product = (unsigned __int128)r * n;
		r = (uint64_t)product;
		uint32_t bit = nth_square[empty][(uint64_t)(product >> 64)];
		uint32_t moved = mine | bit;
		empty ^= bit;
		if (has_line[moved])
			return sign;
		mine = theirs;
		theirs = moved;
		sign = -sign;
	}
	return 0;
}

/* The squares of a set with which `mine` would have a line. */
static uint32_t winning(uint32_t mine, uint32_t empty)
{
	uint32_t wins = 0;
	for (; empty; empty &= empty - 1)
		if (has_line[mine | (empty & -empty)])
			wins |= empty & -empty;
	return wins;
}

/* A playout in which a side that can win does so, and else blocks what would win for the other side. */
static int tictactoe_heavy(const struct game *g, const struct state *start, move_t last,
			   struct rng *rng, struct trace *trace)
{
	struct state s = *start;
	memset(trace, 0, sizeof *trace);
	while (!s.over) {
		uint32_t mine = (uint32_t)s.board[s.side], theirs = (uint32_t)s.board[s.side ^ 1];
		uint32_t empty = FULL & ~(mine | theirs), good = winning(mine, empty);
		good = good ? good : winning(theirs, empty);
		good = good ? good : empty;
		uint32_t n = (uint32_t)__builtin_popcount(good);
		uint32_t bit = nth_square[good][rng_below(rng, n)];
		trace->made[s.side][0] |= bit;
		tictactoe_play(g, &s, (move_t)__builtin_ctz(bit));
	}
	for (int i = 0; i < SQUARES; i++)
		trace->owner[i] = (int8_t)((s.board[BLACK] >> i & 1) - (s.board[WHITE] >> i & 1));
	return s.score;
}

/* Reads OpenSpiel's notation `x(0,2)`: the mark of the side to move, then row and column from 0. */
static bool tictactoe_parse_openspiel(const char *text, int *side, int *row, int *col)
{
	char mark;
	int end = 0;
	if (sscanf(text, "%c(%1d,%1d)%n", &mark, row, col, &end) != 3 || !end || text[end])
		return false;
	*side = tolower((unsigned char)mark) == 'x' ? BLACK : WHITE;
	return strchr("xXoO", mark) && *row < 3 && *col < 3;
}

static enum move_check tictactoe_parse(const struct game *g, const struct state *s,
				       const char *text, struct move *m)
{
	int row, col, side = s->side;
	const char *rest = square_parse(&game_tictactoe, text, &row, &col);
	if ((!rest || *rest) && !tictactoe_parse_openspiel(text, &side, &row, &col))
		return MOVE_MALFORMED;
	int square = 3 * row + col;
	if (side != s->side || (s->board[BLACK] | s->board[WHITE]) >> square & 1)
		return MOVE_ILLEGAL;
	*m = move_single((move_t)square);
	return MOVE_OK;
}

static char tictactoe_at(const struct game *g, const struct state *s, int row, int col)
{
	int square = 3 * row + col;
	return s->board[BLACK] >> square & 1 ? 'X' : s->board[WHITE] >> square & 1 ? 'O' : '.';
}

static bool tictactoe_valid(const struct game *g, const struct state *s)
{
	int black = __builtin_popcountll(s->board[BLACK]);
	int white = __builtin_popcountll(s->board[WHITE]);
	struct state expected = *s;
	tictactoe_set_result(&expected);
	return (s->board[BLACK] & s->board[WHITE]) == 0 &&
	       (s->board[BLACK] | s->board[WHITE]) <= FULL && s->side == (black != white) &&
	       black - white == s->side && expected.over == s->over && expected.score == s->score &&
	       !s->pending && s->hash == state_hash(s);
}

static const char guide[] =
	"Black (X) moves first. The sides place stones on empty squares in turn. Three\n"
	"stones of one side in a row, in a column or on a diagonal win. A full board\n"
	"without such a line is a draw.\n"
	"\n"
	"     A B C\n"
	"   1 X X . 1     Black to move wins with C1.\n"
	"   2 O O . 2\n"
	"   3 . . . 3\n"
	"\n"
	"A move is a column and a row, counted from the top left: b2\n";

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 74, 171, 282, 380, 411, 421, 435, 440, 445 };

const struct game game_tictactoe = {
	.name = "tictactoe",
	.title = "Tictactoe",
	.rules = "standard",
	.board = { .rows = 3, .cols = 3, .color = BOARD_PAPER, .pen = true },
	.steps = { .codes = SQUARES,
		   .choices = SQUARES,
		   .length = SQUARES,
		   .per_move = 1,
		   .pass = MOVE_NONE },
	.score = { .most = 1, .in_a_row = 3 },
	.init = tictactoe_init,
	.start = tictactoe_start,
	.setup = tictactoe_setup,
	.moves = tictactoe_moves,
	.play = tictactoe_play,
	.parse = tictactoe_parse,
	.format = square_format_step,
	.at = tictactoe_at,
	.valid = tictactoe_valid,
	.words = &(const struct words) { .guide = guide },
	.playouts = &(const struct playouts) { .uniform = tictactoe_playout,
					       .heavy = tictactoe_heavy },
	.images = &(const struct images) { .stones = images_stones,
					   .symmetries = IMAGES_ALL,
					   .mirror = images_mirror_step },
	.tuning = &(const struct tuning) { .search = "mcts", .ratings = ratings },
};
