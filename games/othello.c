/* SPDX-License-Identifier: MIT
 *
 * Othello. board[0] and board[1] hold the discs of Black and White, bit 8*row+col, board[2] the legal
 * moves of the side to move, which play() finds anyway to see whether the game is over. A step is the
 * number of a square, or 64, a pass, which is listed only when it is forced.
 *
 * A legal move needs two discs on the board, so there are at most 62 placements after any set-up; every
 * pass is followed by a placement: 124 steps.
 */
#include <string.h>

#include "games/games.h"
#include "games/othello_endgame.h"
#include "games/othello_kernel.h"

#define SQUARES 64
#define PASS    64

enum { MOVES = 2 }; /* the word of the legal moves */

static const struct othello_kernel *kernel;

const char *othello_init(void)
{
	const struct othello_kernel *usable[OTHELLO_KERNELS_MAX];
	othello_kernel_init();
	othello_endgame_init();
	othello_kernels(usable);
	kernel = usable[0];
	return kernel->name;
}

/* Sets what follows from the discs and the side. */
static void judge(struct state *s)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	s->board[MOVES] = kernel->mobility(mine, theirs);
	s->over = !s->board[MOVES] && !kernel->mobility(theirs, mine);
	s->score = (int16_t)(s->over ? othello_score(s->board[BLACK], s->board[WHITE]) : 0);
	s->hash = state_hash(s);
}

static void start(struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[BLACK] = UINT64_C(1) << 28 | UINT64_C(1) << 35; /* E4 D5 */
	s->board[WHITE] = UINT64_C(1) << 27 | UINT64_C(1) << 36; /* D4 E5 */
	judge(s);
}

static const char *setup(struct state *s, const char *squares, int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= UINT64_C(1) << i;
	if (!(s->board[BLACK] | s->board[WHITE]))
		return "there is no disc on the board";
	s->side = (uint8_t)side;
	judge(s);
	return NULL;
}

static int moves(const struct state *s, move_t *out)
{
	int n = 0;
	for (uint64_t set = s->board[MOVES]; set; set &= set - 1)
		out[n++] = (move_t)__builtin_ctzll(set);
	if (n == 0)
		out[n++] = PASS;
	return n;
}

static void play(struct state *s, move_t step)
{
	if (step != PASS) {
		uint64_t *mine = &s->board[s->side], *theirs = &s->board[s->side ^ 1];
		uint64_t placed = UINT64_C(1) << step;
		uint64_t flips = kernel->flips(*mine, *theirs, placed);
		*mine |= placed | flips;
		*theirs ^= flips;
	}
	s->side ^= 1;
	judge(s);
}

static int playout(const struct state *s, struct rng *rng)
{
	int score = kernel->playout(s->board[s->side], s->board[s->side ^ 1], rng);
	return s->side == BLACK ? score : -score;
}

#define CORNERS   UINT64_C(0x8100000000000081)
#define C_SQUARES UINT64_C(0x4281000000008142) /* beside a corner on the edge */
#define X_SQUARES UINT64_C(0x0042000000004200) /* diagonally before a corner */
#define COLUMN_A  UINT64_C(0x0101010101010101)
#define COLUMN_H  UINT64_C(0x8080808080808080)
#define ROW_1     UINT64_C(0x00000000000000ff)
#define ROW_8     UINT64_C(0xff00000000000000)

/* The squares of a set and those that touch one. */
static inline uint64_t touching(uint64_t set)
{
	uint64_t row = set | (set & ~COLUMN_H) << 1 | (set & ~COLUMN_A) >> 1;
	return row | row << 8 | row >> 8;
}

/* Discs that can never be turned: on each line they stand at the edge or beside such a disc. (Others
 * may be stable too.) What a shift carries around the board lands on an edge, where that line ends. */
static inline uint64_t stable(uint64_t mine)
{
	const uint64_t sides = COLUMN_A | COLUMN_H, ends = ROW_1 | ROW_8, edge = sides | ends;
	uint64_t set, next = mine & CORNERS;
	do {
		set = next;
		next = mine & (sides | set << 1 | set >> 1) & (ends | set << 8 | set >> 8) &
		       (edge | set << 7 | set >> 7) & (edge | set << 9 | set >> 9);
	} while (next != set);
	return set;
}

/* What the evaluation counts, Black's less White's, and the weight of one in hundredths of a disc, on
 * an empty board and on a full one; in between it changes evenly. The weights are a least-squares fit
 * to the final scores of 12,000 games that the evaluation played against itself four moves deep. */
enum feature {
	MOBILITY,     /* legal moves */
	FRONTIER,     /* discs that touch an empty square */
	POTENTIAL,    /* empty squares that touch a disc of the other side */
	CORNER_MOVES, /* legal moves to a corner */
	CORNER,
	X_SQUARE, /* discs on X and C squares before an empty corner */
	C_SQUARE,
	STABLE,
	DISCS,
	TURN,   /* 1: Black is to move */
	PARITY, /* 1: Black fills the last square if nobody passes */
	FEATURES
};

static const int weights[FEATURES][2] = {
	[MOBILITY] = { 25, 190 },      [FRONTIER] = { -101, -113 }, [POTENTIAL] = { 132, -99 },
	[CORNER_MOVES] = { 334, 464 }, [CORNER] = { 1747, -55 },    [X_SQUARE] = { -1317, 297 },
	[C_SQUARE] = { -262, 7 },      [STABLE] = { 247, 64 },      [DISCS] = { -67, 33 },
	[TURN] = { -415, -92 },        [PARITY] = { 83, 218 },
};

/* How many more squares `black` has than `white`. */
static inline int excess(uint64_t black, uint64_t white)
{
	return __builtin_popcountll(black) - __builtin_popcountll(white);
}

static int eval(const struct state *s)
{
	uint64_t black = s->board[BLACK], white = s->board[WHITE], empty = ~(black | white);
	uint64_t before_corner = touching(empty & CORNERS);
	uint64_t moves_of[2];
	moves_of[s->side] = s->board[MOVES];
	moves_of[s->side ^ 1] = kernel->mobility(s->board[s->side ^ 1], s->board[s->side]);
	int turn = s->side == BLACK ? 1 : -1, empties = __builtin_popcountll(empty);
	const int features[FEATURES] = {
		[MOBILITY] = excess(moves_of[BLACK], moves_of[WHITE]),
		[FRONTIER] = excess(black & touching(empty), white & touching(empty)),
		[POTENTIAL] = excess(touching(white) & empty, touching(black) & empty),
		[CORNER_MOVES] = excess(moves_of[BLACK] & CORNERS, moves_of[WHITE] & CORNERS),
		[CORNER] = excess(black & CORNERS, white & CORNERS),
		[X_SQUARE] = excess(black & X_SQUARES & before_corner,
				    white & X_SQUARES & before_corner),
		[C_SQUARE] = excess(black & C_SQUARES & before_corner,
				    white & C_SQUARES & before_corner),
		[STABLE] = excess(stable(black), stable(white)),
		[DISCS] = excess(black, white),
		[TURN] = turn,
		[PARITY] = empties & 1 ? turn : -turn,
	};
	int sum = 0;
	for (int i = 0; i < FEATURES; i++)
		sum += features[i] * (weights[i][0] * empties + weights[i][1] * (64 - empties));
	return sum / 64;
}

static enum move_check parse(const struct state *s, const char *text, struct move *m)
{
	int row, col;
	const char *rest = game_parse_square(&game_othello, text, &row, &col);
	if (!rest || *rest)
		return MOVE_MALFORMED;
	int square = 8 * row + col;
	if (!(s->board[MOVES] >> square & 1))
		return MOVE_ILLEGAL;
	*m = move_single((move_t)square);
	return MOVE_OK;
}

static void format(const struct state *s, struct move m, char text[MOVE_TEXT_MAX])
{
	(void)s;
	text[0] = (char)('A' + m.step[0] % 8);
	text[1] = (char)('1' + m.step[0] / 8);
	text[2] = '\0';
}

static char at(const struct state *s, int row, int col)
{
	int square = 8 * row + col;
	return s->board[BLACK] >> square & 1 ? 'X' : s->board[WHITE] >> square & 1 ? 'O' : '.';
}

static bool valid(const struct state *s)
{
	struct state judged = *s;
	judge(&judged);
	return (s->board[BLACK] & s->board[WHITE]) == 0 && s->side <= WHITE && !s->pending &&
	       s->hash == judged.hash && s->board[MOVES] == judged.board[MOVES] &&
	       s->over == judged.over && s->score == judged.score;
}

const struct game game_othello = {
	.name = "othello",
	.title = "Othello",
	.alias = "Reversi",
	.rules = "standard",
	.rows = 8,
	.cols = 8,
	.moves_max = SQUARES + 1,
	.choices_max = SQUARES - 2,
	.length_max = 124,
	.score_max = 64,
	.pass = PASS,
	.search = "alphabeta",
	.start = start,
	.setup = setup,
	.moves = moves,
	.play = play,
	.playout = playout,
	.eval = eval,
	.parse = parse,
	.format = format,
	.at = at,
	.valid = valid,
};
