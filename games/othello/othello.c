/* SPDX-License-Identifier: MIT
 *
 * Othello. board[0] and board[1] hold the discs of Black and White, bit 8*row+col. board[2] holds the legal
 * moves of the side to move, which play() needs to detect the end of the game. The words after board[2] hold
 * the indices of the evaluation's patterns. play() updates them all. A step is the number of a square, or 64
 * for a pass. A pass is legal only if it is forced.
 *
 * A legal move needs two discs on the board, so there are at most 62 placements after any setup. Every pass
 * is followed by a placement. So a game has at most 124 steps.
 */
#include <math.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/lookahead.h"
#include "engine/evaluation/pattern.h"
#include "engine/rules/eval.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"
#include "games/othello/othello_endgame.h"
#include "games/othello/othello_kernel.h"
#include "games/othello/othello_variant.h"

#define SQUARES        64
#define DEPTHS         64
#define PASS           64
#define BEFORE_CORNERS UINT64_C(0x42c300000000c342)

enum {
	MOVES = 2,       /* the word with the legal moves */
	INDICES = 4 * 3, /* the first index of the patterns, in shorts */
};
_Static_assert(INDICES + PATTERN_PLACES_MAX <= STATE_SHORTS, "a state has room for the indices");

/* The weights from tools/train, the opening book from tools/book and the names of openings, linked into the program.
 * engine/evaluation/pattern.h, engine/rules/book.h and engine/rules/opening_name.h describe the files. */
EMBED_LARGE(othello_eval, "games/othello/othello.eval");
EMBED(othello_book, "games/othello/othello.book");
EMBED(othello_names, "games/othello/othello.names");

#define A(row) (8 * (row)-8)
#define B(row) (8 * (row)-7)
#define C(row) (8 * (row)-6)
#define D(row) (8 * (row)-5)
#define E(row) (8 * (row)-4)
#define F(row) (8 * (row)-3)
#define G(row) (8 * (row)-2)
#define H(row) (8 * (row)-1)

static const struct pattern_shape shapes[] = {
	/* an edge and the two X-squares next to it */
	{ 10, { A(1), B(1), C(1), D(1), E(1), F(1), G(1), H(1), B(2), G(2) } },
	/* five squares of an edge and the five squares next to them */
	{ 10, { A(1), B(1), C(1), D(1), E(1), A(2), B(2), C(2), D(2), E(2) } },
	/* the 3x3 squares of a corner, and the 3x3 squares from its X-square */
	{ 9, { A(1), B(1), C(1), A(2), B(2), C(2), A(3), B(3), C(3) } },
	{ 9, { B(2), C(2), D(2), B(3), C(3), D(3), B(4), C(4), D(4) } },
	/* the second, third and fourth row; the second with the corners next to it */
	{ 10, { A(2), B(2), C(2), D(2), E(2), F(2), G(2), H(2), A(1), H(1) } },
	{ 8, { A(3), B(3), C(3), D(3), E(3), F(3), G(3), H(3) } },
	{ 8, { A(4), B(4), C(4), D(4), E(4), F(4), G(4), H(4) } },
	/* diagonals; the second with the two corners next to it */
	{ 8, { A(1), B(2), C(3), D(4), E(5), F(6), G(7), H(8) } },
	{ 9, { A(2), B(3), C(4), D(5), E(6), F(7), G(8), A(1), H(8) } },
	{ 6, { A(3), B(4), C(5), D(6), E(7), F(8) } },
};

static struct patterns patterns = {
	.game = &game_othello,
	.shapes = shapes,
	.shape_count = sizeof shapes / sizeof shapes[0],
	.file = othello_eval,
};

static struct lookahead constants = { .scale = 9, .temperature = 5 };
static const struct evaluator evaluator = LOOKAHEAD_EVALUATOR(&constants);

static const struct othello_kernel *kernel;

/* Fitted by `measure deviation`; the head of tools/measuring/searches.c has the formula. */
static const double spread[] = { 1.312, 0.297, -0.283, 0.734, -2.250 };

/* Factors of the formula: for empty squares, for the gap between the depths and for the shallow depth. */
static double spread_empties[SQUARES + 1], spread_gap[DEPTHS], spread_shallow[DEPTHS];

static void deviation_init(void)
{
	for (int i = 0; i <= SQUARES; i++) {
		double share = (double)i / SQUARES;
		spread_empties[i] = 100 * exp(spread[0] + (spread[3] + spread[4] * share) * share);
	}
	for (int i = 0; i < DEPTHS; i++) {
		spread_gap[i] = pow(i, spread[1]);
		spread_shallow[i] = pow(i + 1, spread[2]);
	}
}

static void othello_init(const struct game *g)
{
	othello_kernel_init();
	othello_endgame_init();
	kernel = othello_kernel(kernel_used());
	pattern_init(&patterns);
	deviation_init();
}

/* Sets the legal moves, `over`, `score` and the hash from the discs and the side. */
static void othello_set_result(struct state *s)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	s->board[MOVES] = kernel->mobility(mine, theirs);
	s->over = !s->board[MOVES] && !kernel->mobility(theirs, mine);
	s->score = (int16_t)(s->over ? othello_score(s->board[BLACK], s->board[WHITE]) : 0);
	s->hash = state_hash(s);
}

/* Sets the number of stones and the indices of the patterns from the discs. play() updates them. */
static void othello_count(struct state *s)
{
	s->stones = (uint8_t)__builtin_popcountll(s->board[BLACK] | s->board[WHITE]);
	pattern_indices(&patterns, s->board, s->numbers + INDICES);
}

static void othello_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[BLACK] = UINT64_C(1) << 28 | UINT64_C(1) << 35; /* E4 D5 */
	s->board[WHITE] = UINT64_C(1) << 27 | UINT64_C(1) << 36; /* D4 E5 */
	othello_count(s);
	othello_set_result(s);
}

static const char *othello_setup(const struct game *g, struct state *s, const char *squares,
				 int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= UINT64_C(1) << i;
	if (!(s->board[BLACK] | s->board[WHITE]))
		return "there is no disc on the board";
	s->side = (uint8_t)side;
	othello_count(s);
	othello_set_result(s);
	return NULL;
}

static int othello_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	for (uint64_t set = s->board[MOVES]; set; set &= set - 1)
		out[n++] = (move_t)__builtin_ctzll(set);
	if (n == 0)
		out[n++] = PASS;
	return n;
}

/* Updates the indices for a move of `side`. */
KERNEL_UNWATCHED
static inline void othello_update(int16_t index[PATTERN_PLACES_MAX], int side, int square,
				  uint64_t flips)
{
	const int16_t *row = patterns.rows[square];
	int16_t change[PATTERN_PLACES_MAX];
	memcpy(change, row, sizeof change);
	for (; flips; flips &= flips - 1) {
		row = patterns.rows[__builtin_ctzll(flips)];
		for (int i = 0; i < PATTERN_PLACES_MAX; i++)
			change[i] = (int16_t)(change[i] + 2 * row[i]);
	}
	if (side == BLACK)
		for (int i = 0; i < PATTERN_PLACES_MAX; i++)
			index[i] = (int16_t)(index[i] + change[i]);
	else
		for (int i = 0; i < PATTERN_PLACES_MAX; i++)
			index[i] = (int16_t)(index[i] - change[i]);
}

static void othello_play(const struct game *g, struct state *s, move_t step)
{
	if (step != PASS) {
		uint64_t *mine = &s->board[s->side], *theirs = &s->board[s->side ^ 1];
		uint64_t placed = UINT64_C(1) << step;
		uint64_t flips = kernel->flips(*mine, *theirs, placed);
		*mine |= placed | flips;
		*theirs ^= flips;
		s->stones++;
		othello_update(s->numbers + INDICES, s->side, step, flips);
	}
	s->side ^= 1;
	othello_set_result(s);
}

static int othello_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	int score = kernel->playout(s->board[s->side], s->board[s->side ^ 1], rng);
	return s->side == BLACK ? score : -score;
}

static void othello_playouts(const struct game *g, const struct state *s, struct rng *rng,
			     int8_t scores[PLAYOUTS_BATCH])
{
	kernel->playouts(s->board[s->side], s->board[s->side ^ 1], rng, scores);
	for (int i = 0; s->side == WHITE && i < PLAYOUTS_BATCH; i++)
		scores[i] = (int8_t)-scores[i];
}

/* The corners of a set of moves; else those that are not next to a corner; else all. */
static uint64_t preferred(uint64_t moves)
{
	uint64_t good = moves & OTHELLO_CORNERS ? moves & OTHELLO_CORNERS : moves & ~BEFORE_CORNERS;
	return good ? good : moves;
}

static void othello_describe(const uint64_t discs[2], const uint64_t made[2], struct trace *trace)
{
	memset(trace->made, 0, sizeof trace->made);
	for (int side = 0; side < 2; side++)
		trace->made[side][0] = made[side];
	for (int i = 0; i < SQUARES; i++)
		trace->owner[i] = (int8_t)((int)(discs[BLACK] >> i & 1) -
					   (int)(discs[WHITE] >> i & 1));
}

/* A playout in which a side takes a corner if it can, and goes to the squares next to the corners only if it must. */
static int othello_heavy(const struct game *g, const struct state *s, move_t last, struct rng *rng,
			 struct trace *trace)
{
	uint64_t discs[2] = { s->board[BLACK], s->board[WHITE] }, made[2] = { 0, 0 };
	int side = s->side;
	for (bool passed = false;; side ^= 1) {
		uint64_t moves = kernel->mobility(discs[side], discs[side ^ 1]);
		if (!moves && passed)
			break;
		passed = !moves;
		if (passed)
			continue;
		moves = preferred(moves);
		uint32_t n = rng_below(rng, (uint32_t)__builtin_popcountll(moves));
		uint64_t placed = bits_lowest(moves, n);
		uint64_t flips = kernel->flips(discs[side], discs[side ^ 1], placed);
		discs[side] |= placed | flips;
		discs[side ^ 1] ^= flips;
		made[side] |= placed;
	}
	othello_describe(discs, made, trace);
	return othello_score(discs[BLACK], discs[WHITE]);
}

static int othello_evaluate(const struct game *g, const struct state *s)
{
	return pattern_score(&patterns, s->numbers + INDICES, s->stones, s->side);
}

int othello_eval_after(const struct state *s, int square, uint64_t flips)
{
	int16_t index[PATTERN_PLACES_MAX];
	memcpy(index, s->numbers + INDICES, sizeof index);
	othello_update(index, s->side, square, flips);
	return pattern_score(&patterns, index, s->stones + 1, s->side ^ 1);
}

static int best(const struct game *g, const struct state *s, int beta, int most, int room,
		struct best *out)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1], left = s->board[MOVES];
	int count = 0, square = out->step;
	if (__builtin_popcountll(left) > room)
		return 0;
	*out = (struct best) { .step = PASS, .final = true, .value = -100 * SQUARES - 1 };
	while (left && out->value < beta) {
		if (count || square >= SQUARES || !(left >> square & 1))
			square = __builtin_ctzll(preferred(left));
		uint64_t placed = UINT64_C(1) << square;
		uint64_t flips = kernel->flips(mine, theirs, placed);
		uint64_t own = mine | placed | flips, other = theirs ^ flips;
		bool over = !kernel->mobility(other, own) && !kernel->mobility(own, other);
		int value;
		if (over) {
			value = 100 * othello_score(own, other);
		} else {
			value = othello_eval_after(s, square, flips);
			value = s->side == BLACK ? value : -value;
			value = value > most ? most : value < -most ? -most : value;
		}
		if (value > out->value) {
			out->value = value;
			out->step = (move_t)square;
		}
		/* A cutoff depends on this value alone. */
		out->final = over && (out->final || value >= beta);
		left ^= placed;
		count++;
	}
	return count;
}

static int deviation(const struct game *g, const struct state *s, int shallow, int deep)
{
	int empties = SQUARES - __builtin_popcountll(s->board[BLACK] | s->board[WHITE]);
	int gap = deep - shallow < DEPTHS ? deep - shallow : DEPTHS - 1;
	shallow = shallow < DEPTHS ? shallow : DEPTHS - 1;
	return (int)(spread_empties[empties] * spread_gap[gap] * spread_shallow[shallow]);
}

static enum move_check othello_parse(const struct game *g, const struct state *s, const char *text,
				     struct move *m)
{
	enum move_check check = square_parse_step(g, s, text, m);
	return check == MOVE_OK && !(s->board[MOVES] >> m->step[0] & 1) ? MOVE_ILLEGAL : check;
}

static char othello_at(const struct game *g, const struct state *s, int row, int col)
{
	int square = 8 * row + col;
	return s->board[BLACK] >> square & 1 ? 'X' : s->board[WHITE] >> square & 1 ? 'O' : '.';
}

static bool othello_valid(const struct game *g, const struct state *s)
{
	struct state expected = *s;
	othello_count(&expected);
	othello_set_result(&expected);
	return memcmp(s->numbers + INDICES, expected.numbers + INDICES, 2 * PATTERN_PLACES_MAX) ==
		       0 &&
	       s->stones == expected.stones && (s->board[BLACK] & s->board[WHITE]) == 0 &&
	       s->side <= WHITE && !s->pending && s->hash == expected.hash &&
	       s->board[MOVES] == expected.board[MOVES] && s->over == expected.over &&
	       s->score == expected.score;
}

static const char guide[] =
	"Each disc is black on one side and white on the other. Black moves first.\n"
	"\n"
	"A move places a disc so that a straight line of the opponent's discs, in any of\n"
	"the eight directions, lies between it and another disc of your own. All discs\n"
	"in such lines are turned over. A move that turns nothing is illegal.\n"
	"\n"
	"The start. Black's four moves are marked *. D3 turns the disc on D4 over.\n"
	"\n"
	"     A B C D E F G H\n"
	"   1 . . . . . . . . 1\n"
	"   2 . . . . . . . . 2\n"
	"   3 . . . * . . . . 3     X  Black\n"
	"   4 . . * O X . . . 4     O  White\n"
	"   5 . . . X O * . . 5\n"
	"   6 . . . . * . . . 6\n"
	"   7 . . . . . . . . 7\n"
	"   8 . . . . . . . . 8\n"
	"\n"
	"A side without a legal move must pass; otherwise it may not pass. The game ends\n"
	"when neither side can move. The side with more discs wins. The score is the\n"
	"difference in discs; the winner also gets the empty squares.\n"
	"\n"
	"A move is a column and a row, counted from the top left: d3\n";

static bool othello_dot(const struct game *g, int row, int col)
{
	return (row == 2 || row == 6) && (col == 2 || col == 6);
}

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 292, 598, 1006, 1404, 1829, 2109, 2315, 2421, 2520 };

const struct game game_othello = {
	.name = "othello",
	.title = "Othello",
	.alias = "Reversi",
	.rules = "standard",
	.sizes = othello_sizes,
	.board = { .rows = 8, .cols = 8, .dot = othello_dot },
	.steps = { .codes = SQUARES + 1,
		   .choices = SQUARES - 2,
		   .length = 124,
		   .per_move = 1,
		   .pass = PASS },
	.score = { .most = 64, .unit = "discs" },
	.init = othello_init,
	.start = othello_start,
	.setup = othello_setup,
	.moves = othello_moves,
	.play = othello_play,
	.parse = othello_parse,
	.format = square_format_step,
	.at = othello_at,
	.valid = othello_valid,
	.words = &(const struct words) { .guide = guide,
					 .facts = othello_facts,
					 .openings = othello_names },
	.playouts = &(const struct playouts) { .uniform = othello_playout,
					       .batch = othello_playouts,
					       .heavy = othello_heavy },
	.eval = &(const struct eval) { .value = othello_evaluate,
				       .best = best,
				       .deviation = deviation,
				       .patterns = &patterns },
	.images = &(const struct images) { .stones = images_stones,
					   .symmetries = IMAGES_ALL,
					   .mirror = images_mirror_step },
	.formats = &(const struct formats) { .sgf_gm = 2, .ggf_gm = "Othello" },
	.tuning = &(const struct tuning) { .search = "alphabeta", .ratings = ratings },
	.solver = &othello_solver,
	.evaluator = &evaluator,
	.book = othello_book,
};
