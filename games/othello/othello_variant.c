/* SPDX-License-Identifier: MIT
 *
 * Othello on 4x4 and 6x6, and the rules `anti` on all boards: the side with fewer discs wins, so every score has the
 * other sign.
 *
 * A board lies in the middle of the 8x8 board of othello_kernel.h. The squares around it are always empty, so no line of
 * discs goes beyond it; only moves on them must be left out. board[0] and board[1] hold the discs of Black and White,
 * board[2] the legal moves of the side to move, which play() needs to detect the end. `stones` holds the size of the board,
 * plus ANTI with these rules. A step is size*row + col, or size*size for a pass. A pass is legal only if it is forced.
 */
#include "games/othello/othello_variant.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"
#include "games/othello/othello_kernel.h"

#define SIDE_MAX 8    /* rows of the largest board */
#define MOVES    2    /* the word with the legal moves */
#define ANTI     0x80 /* in `stones` */
#define SGF_GM   2    /* SGF knows the standard rules only */

/* One table for each size of the board; the others are unused. */
static uint64_t board_of[SIDE_MAX + 1];                    /* its squares */
static uint8_t bit_of[SIDE_MAX + 1][SIDE_MAX * SIDE_MAX];  /* the bit of a step */
static uint8_t step_of[SIDE_MAX + 1][SIDE_MAX * SIDE_MAX]; /* the step of a bit */
static const struct othello_kernel *kernel;

static void variant_init(const struct game *g)
{
	othello_kernel_init();
	kernel = othello_kernel(kernel_used());
	for (int size = 4; size <= SIDE_MAX; size += 2) {
		int edge = (SIDE_MAX - size) / 2;
		for (int step = 0; step < size * size; step++) {
			int bit = SIDE_MAX * (step / size + edge) + step % size + edge;
			bit_of[size][step] = (uint8_t)bit;
			step_of[size][bit] = (uint8_t)step;
			board_of[size] |= UINT64_C(1) << bit;
		}
	}
}

static int variant_size_of(const struct state *s)
{
	return s->stones & ~ANTI;
}

/* Black's score by the rules of the state, of the discs of Black and White at the end. */
static int score_of(const struct state *s, uint64_t black, uint64_t white)
{
	int size = variant_size_of(s), b = __builtin_popcountll(black),
	    w = __builtin_popcountll(white);
	int score = b > w ? size * size - 2 * w : b < w ? 2 * b - size * size : 0;
	return s->stones & ANTI ? -score : score;
}

/* Sets the legal moves, `over`, `score` and the hash from the discs and the side. */
static void variant_set_result(struct state *s)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1],
		 board = board_of[variant_size_of(s)];
	s->board[MOVES] = kernel->mobility(mine, theirs) & board;
	s->over = !s->board[MOVES] && !(kernel->mobility(theirs, mine) & board);
	s->score = (int16_t)(s->over ? score_of(s, s->board[BLACK], s->board[WHITE]) : 0);
	s->hash = state_hash(s);
}

static void clear(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->stones = (uint8_t)(g->board.rows | *(const int *)g->data);
}

static void variant_start(const struct game *g, struct state *s)
{
	clear(g, s);
	s->board[BLACK] = UINT64_C(1) << 28 | UINT64_C(1) << 35;
	s->board[WHITE] = UINT64_C(1) << 27 | UINT64_C(1) << 36;
	variant_set_result(s);
}

static const char *variant_setup(const struct game *g, struct state *s, const char *squares,
				 int side)
{
	clear(g, s);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= UINT64_C(1)
								       << bit_of[g->board.rows][i];
	if (!(s->board[BLACK] | s->board[WHITE]))
		return "there is no disc on the board";
	s->side = (uint8_t)side;
	variant_set_result(s);
	return NULL;
}

static int variant_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0, size = variant_size_of(s);
	for (uint64_t set = s->board[MOVES]; set; set &= set - 1)
		out[n++] = step_of[size][__builtin_ctzll(set)];
	if (n == 0)
		out[n++] = (move_t)(size * size);
	return n;
}

/* Plays on the square of one bit for the mover. */
static inline void variant_place(uint64_t *mine, uint64_t *theirs, uint64_t placed)
{
	uint64_t flips = kernel->flips(*mine, *theirs, placed);
	*mine |= placed | flips;
	*theirs ^= flips;
}

static void variant_play(const struct game *g, struct state *s, move_t step)
{
	int size = variant_size_of(s);
	if (step != size * size)
		variant_place(&s->board[s->side], &s->board[s->side ^ 1],
			      UINT64_C(1) << bit_of[size][step]);
	s->side ^= 1;
	variant_set_result(s);
}

/* The sign of Black's score if the mover's discs are more, on 8x8. */
static int sign_on_8x8(const struct state *s)
{
	return s->stones & ANTI ? -side_sign(s->side) : side_sign(s->side);
}

static int variant_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	uint64_t sets[2] = { s->board[BLACK], s->board[WHITE] },
		 board = board_of[variant_size_of(s)];
	int side = s->side;
	if (variant_size_of(s) == SIDE_MAX)
		return sign_on_8x8(s) * kernel->playout(sets[side], sets[side ^ 1], rng);
	for (bool passed = false;; side ^= 1) {
		uint64_t legal = kernel->mobility(sets[side], sets[side ^ 1]) & board;
		if (!legal && passed)
			return score_of(s, sets[BLACK], sets[WHITE]);
		passed = !legal;
		if (passed)
			continue;
		uint32_t n = rng_below(rng, (uint32_t)__builtin_popcountll(legal));
		variant_place(&sets[side], &sets[side ^ 1], bits_lowest(legal, n));
	}
}

/* On 8x8 only. */
static void variant_playouts(const struct game *g, const struct state *s, struct rng *rng,
			     int8_t scores[PLAYOUTS_BATCH])
{
	int sign = sign_on_8x8(s);
	kernel->playouts(s->board[s->side], s->board[s->side ^ 1], rng, scores);
	for (int i = 0; i < PLAYOUTS_BATCH; i++)
		scores[i] = (int8_t)(sign * scores[i]);
}

static enum move_check variant_parse(const struct game *g, const struct state *s, const char *text,
				     struct move *m)
{
	enum move_check check = square_parse_step(g, s, text, m);
	return check == MOVE_OK && !(s->board[MOVES] >> bit_of[variant_size_of(s)][m->step[0]] & 1)
		       ? MOVE_ILLEGAL
		       : check;
}

static void variant_stones(const struct game *g, const struct state *s, uint64_t set[2])
{
	for (int side = BLACK; side <= WHITE; side++) {
		set[side] = 0;
		for (uint64_t left = s->board[side]; left; left &= left - 1)
			set[side] |= UINT64_C(1)
				     << step_of[variant_size_of(s)][__builtin_ctzll(left)];
	}
}

static char variant_at(const struct game *g, const struct state *s, int row, int col)
{
	int size = variant_size_of(s), bit = bit_of[size][size * row + col];
	return s->board[BLACK] >> bit & 1 ? 'X' : s->board[WHITE] >> bit & 1 ? 'O' : '.';
}

static bool variant_valid(const struct game *g, const struct state *s)
{
	struct state expected = *s;
	variant_set_result(&expected);
	return !(s->board[BLACK] & s->board[WHITE]) &&
	       !((s->board[BLACK] | s->board[WHITE]) & ~board_of[variant_size_of(s)]) &&
	       s->side <= WHITE && !s->pending && s->hash == expected.hash &&
	       s->board[MOVES] == expected.board[MOVES] && s->over == expected.over &&
	       s->score == expected.score;
}

/* The dots are on the corners of the middle squares of 6x6, two squares from the edges of 8x8. */
static bool variant_dot(const struct game *g, int row, int col)
{
	int far = g->board.rows - 2;
	return g->board.rows > 4 && (row == 2 || row == far) && (col == 2 || col == far);
}

#define GUIDE_MOVES                                                                                \
	"Each disc is black on one side and white on the other. Black moves first.\n"              \
	"\n"                                                                                       \
	"A move places a disc so that a straight line of the opponent's discs, in any of\n"        \
	"the eight directions, lies between it and another disc of your own. All discs\n"          \
	"in such lines are turned over. A move that turns nothing is illegal.\n"                   \
	"\n"                                                                                       \
	"A side without a legal move must pass; otherwise it may not pass. The game ends\n"        \
	"when neither side can move. "

#define GUIDE_NOTATION "\nA move is a column and a row, counted from the top left: "

static const char small_guide[] = GUIDE_MOVES
	"The side with more discs wins. The score is the\n"
	"difference in discs; the winner also gets the empty squares.\n" GUIDE_NOTATION "b1\n";

static const char anti_guide[] = GUIDE_MOVES
	"The side with fewer discs wins. The score is the\n"
	"difference in discs, and the empty squares count for the winner.\n"
	"\n"
	"Corners are bad here: a disc in a corner is never turned over. Few discs are no\n"
	"aim before the end, because they leave few moves, and moves that turn "
	"much.\n" GUIDE_NOTATION "d3\n";

static const struct images variant_images = { .stones = variant_stones,
					      .symmetries = IMAGES_ALL,
					      .mirror = images_mirror_step };
static const struct tuning variant_tuning = { .search = "mcts" };

/* A game has at most size*size - 2 placements after any setup, and a placement follows each pass. */
#define BOARD(DECLARED, SIDE, RULES, GUIDE, SIZES, GM)                                             \
	DECLARED = {                                                                               \
		.name = "othello",                                                                 \
		.title = "Othello",                                                                \
		.alias = "Reversi",                                                                \
		.rules = (RULES),                                                                  \
		.sizes = (SIZES),                                                                  \
		.data = &(const int) { (GM) ? 0 : ANTI },                                          \
		.board = { .rows = (SIDE), .cols = (SIDE), .dot = variant_dot },                   \
		.steps = { .codes = (SIDE) * (SIDE) + 1,                                           \
			   .choices = (SIDE) * (SIDE)-2,                                           \
			   .length = 2 * ((SIDE) * (SIDE)-2),                                      \
			   .per_move = 1,                                                          \
			   .pass = (SIDE) * (SIDE) },                                              \
		.score = { .most = (SIDE) * (SIDE), .unit = "discs" },                             \
		.init = variant_init,                                                              \
		.start = variant_start,                                                            \
		.setup = variant_setup,                                                            \
		.moves = variant_moves,                                                            \
		.play = variant_play,                                                              \
		.parse = variant_parse,                                                            \
		.format = square_format_step,                                                      \
		.at = variant_at,                                                                  \
		.valid = variant_valid,                                                            \
		.words = &(const struct words) { .guide = (GUIDE),                                 \
						 .facts = (GM) ? othello_facts : NULL },           \
		.playouts = &(const struct playouts) { .uniform = variant_playout,                 \
						       .batch = (SIDE) == SIDE_MAX                 \
									? variant_playouts         \
									: NULL },                  \
		.images = &variant_images,                                                         \
		.formats = &(const struct formats) { .sgf_gm = (GM) },                             \
		.tuning = &variant_tuning,                                                         \
	}

static const struct game *const anti_sizes[];

BOARD(static const struct game othello_6, 6, "standard", small_guide, othello_sizes, SGF_GM);
BOARD(static const struct game othello_4, 4, "standard", small_guide, othello_sizes, SGF_GM);
BOARD(const struct game game_othello_anti, 8, "anti", anti_guide, anti_sizes, 0);
BOARD(static const struct game anti_6, 6, "anti", anti_guide, anti_sizes, 0);
BOARD(static const struct game anti_4, 4, "anti", anti_guide, anti_sizes, 0);

const struct game *const othello_sizes[] = { &game_othello, &othello_6, &othello_4, NULL };
static const struct game *const anti_sizes[] = { &game_othello_anti, &anti_6, &anti_4, NULL };
