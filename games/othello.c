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
#include "games/othello_kernel.h"

#define SQUARES 64
#define PASS    64

enum { MOVES = 2 }; /* the word of the legal moves */

static const struct othello_kernel *kernel;

const char *othello_init(void)
{
	const struct othello_kernel *usable[OTHELLO_KERNELS_MAX];
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
	.start = start,
	.setup = setup,
	.moves = moves,
	.play = play,
	.playout = playout,
	.parse = parse,
	.format = format,
	.at = at,
	.valid = valid,
};
