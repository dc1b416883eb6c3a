/* SPDX-License-Identifier: MIT
 *
 * Lines of Action (Soucie, 1969). board[0] and board[1] hold the pieces of Black and White, bit 8*row + col with row 0
 * at the top. A step is 8 times the bit of the piece, plus the direction; PASS is the pass, which is forced. That a
 * position may not occur for the third time is the record's business (repetition.limit).
 *
 * The evaluation sums up what Winands found to count (Informed Search in Complex Games, 2004): how near the pieces are to
 * their centre of mass, how near that is to the middle of the board, how many pieces touch, and how many moves a side
 * has.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/eval.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"

#define SIDE        8
#define SQUARES     64
#define PIECES_MAX  12
#define WAYS        8 /* opposite directions differ in the lowest bit */
#define PASS        (SQUARES * WAYS)
#define OCCURRENCES 3 /* of a position end the game */

#define COL_A       UINT64_C(0x0101010101010101)
#define COL_H       (COL_A << 7)

static const int8_t way_rows[WAYS] = { 0, 0, 1, -1, 1, -1, 1, -1 };
static const int8_t way_cols[WAYS] = { 1, -1, 0, 0, 1, -1, -1, 1 };

static uint64_t lines[SQUARES][WAYS / 2]; /* all squares of a line through a square */
static uint64_t rays[SQUARES][WAYS];      /* the squares from a square to the edge */
static uint64_t around[SQUARES];          /* its neighbours */
static uint8_t lengths[SQUARES][WAYS];    /* how many squares a ray has */
static uint8_t distances[SQUARES][SQUARES];
static uint8_t from_middle[SQUARES]; /* twice the distance from the middle of the board */

static uint64_t loa_bit(int square)
{
	return UINT64_C(1) << square;
}

static void loa_init_square(int square)
{
	for (int way = 0; way < WAYS; way++) {
		int row = square / SIDE + way_rows[way], col = square % SIDE + way_cols[way];
		for (; row >= 0 && row < SIDE && col >= 0 && col < SIDE; lengths[square][way]++) {
			rays[square][way] |= loa_bit(SIDE * row + col);
			row += way_rows[way];
			col += way_cols[way];
		}
	}
	for (int line = 0; line < WAYS / 2; line++)
		lines[square][line] = loa_bit(square) | rays[square][2 * line] |
				      rays[square][2 * line + 1];
	for (int other = 0; other < SQUARES; other++) {
		int rows = abs(other / SIDE - square / SIDE),
		    cols = abs(other % SIDE - square % SIDE);
		distances[square][other] = (uint8_t)(rows > cols ? rows : cols);
		if (distances[square][other] == 1)
			around[square] |= loa_bit(other);
	}
	int row = abs(2 * (square / SIDE) - SIDE + 1), col = abs(2 * (square % SIDE) - SIDE + 1);
	from_middle[square] = (uint8_t)(row > col ? row : col);
}

static void loa_init(const struct game *g)
{
	for (int square = 0; square < SQUARES; square++)
		loa_init_square(square);
}

/* --- connection --- */

/* A set and its neighbours. */
static inline uint64_t dilate(uint64_t set)
{
	set |= (set & ~COL_H) << 1 | (set & ~COL_A) >> 1;
	return set | set << SIDE | set >> SIDE;
}

/* The part of a set that is connected with one of its squares. */
static inline uint64_t component(uint64_t set, uint64_t seed)
{
	uint64_t grown;
	while ((grown = dilate(seed) & set) != seed)
		seed = grown;
	return seed;
}

/* Returns true if all pieces of a set, which has some, are connected. */
static inline bool is_connected(uint64_t set)
{
	return component(set, set & -set) == set;
}

/* The squares that touch all components of a set, which may be empty. A piece there would connect them. */
static uint64_t joints(uint64_t set)
{
	uint64_t all = UINT64_MAX;
	while (set && all) {
		uint64_t part = component(set, set & -set);
		all &= dilate(part);
		set &= ~part;
	}
	return all;
}

/* Finds for each piece of a side the squares where it would connect all pieces. Returns the set of the pieces for which
 * there are any. */
static uint64_t find_joints(uint64_t mine, uint64_t out[SQUARES])
{
	uint64_t found = 0;
	for (uint64_t left = mine; left; left &= left - 1) {
		int from = __builtin_ctzll(left);
		uint64_t others = mine & ~loa_bit(from), to = joints(others) & ~others;
		if (to) {
			out[from] = to;
			found |= loa_bit(from);
		}
	}
	return found;
}

/* --- moves --- */

/* Returns the square to which a piece moves in a direction, or -1 if it cannot. */
static inline int target(uint64_t mine, uint64_t theirs, int from, int way)
{
	int steps = __builtin_popcountll((mine | theirs) & lines[from][way / 2]);
	if (steps > lengths[from][way])
		return -1;
	int to = from + steps * (SIDE * way_rows[way] + way_cols[way]);
	if (mine >> to & 1 || rays[from][way] & rays[to][way ^ 1] & theirs)
		return -1;
	return to;
}

static int loa_moves(const struct game *g, const struct state *s, move_t *out)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	int n = 0;
	for (uint64_t left = mine; left; left &= left - 1) {
		int from = __builtin_ctzll(left);
		for (int way = 0; way < WAYS; way++)
			if (target(mine, theirs, from, way) >= 0)
				out[n++] = (move_t)(WAYS * from + way);
	}
	if (n == 0)
		out[n++] = PASS;
	return n;
}

static void loa_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[BLACK] = UINT64_C(0x7e0000000000007e);
	s->board[WHITE] = UINT64_C(0x0081818181818100);
	s->hash = state_hash(s);
}

/* Sets `over` and `score` from the board. The side that moved last comes first. */
static inline void loa_set_result(struct state *s)
{
	int mover = s->side ^ 1;
	bool won = is_connected(s->board[mover]), lost = !won && is_connected(s->board[mover ^ 1]);
	s->over = won || lost;
	s->score = (int16_t)(won ? side_sign(mover) : lost ? -side_sign(mover) : 0);
}

static const char *loa_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= loa_bit(i);
	for (int i = BLACK; i <= WHITE; i++) {
		if (!s->board[i])
			return "each side has at least one piece";
		if (__builtin_popcountll(s->board[i]) > PIECES_MAX)
			return "a side has more pieces than at the start";
	}
	s->side = (uint8_t)side;
	loa_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

/* Moves a piece. Returns true if it captures one. */
static inline bool move_piece(struct state *s, int from, int to)
{
	assert(to >= 0);
	bool captures = s->board[s->side ^ 1] & loa_bit(to);
	s->board[s->side] ^= loa_bit(from) | loa_bit(to);
	s->board[s->side ^ 1] &= ~loa_bit(to);
	return captures;
}

/* The result of a move, for the side that made it: 1 it has won, -1 the other side has, 0 neither. Only a capture can
 * connect the other side. */
static inline int loa_result_of(const struct state *s, bool captures)
{
	if (is_connected(s->board[s->side]))
		return 1;
	return captures && is_connected(s->board[s->side ^ 1]) ? -1 : 0;
}

static void loa_play(const struct game *g, struct state *s, move_t step)
{
	if (step != PASS) {
		int from = step / WAYS;
		int to = target(s->board[s->side], s->board[s->side ^ 1], from, step % WAYS);
		int result = loa_result_of(s, move_piece(s, from, to));
		s->over = result != 0;
		s->score = (int16_t)(side_sign(s->side) * result);
	}
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* Finds a random legal move. Each is equally likely: a piece and a direction are drawn until they are one. Returns false
 * if there is none. */
static bool loa_draw_move(const struct game *g, const struct state *s, struct rng *rng, int *from,
			  int *to)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	uint8_t pieces[PIECES_MAX] = { 0 };
	move_t steps[PIECES_MAX * WAYS];
	uint32_t count = 0;
	for (uint64_t left = mine; left; left &= left - 1)
		pieces[count++] = (uint8_t)__builtin_ctzll(left);
	for (int tries = 0; tries < PIECES_MAX * WAYS; tries++) {
		uint32_t n = rng_below(rng, WAYS * count);
		*from = pieces[n / WAYS];
		*to = target(mine, theirs, *from, (int)(n % WAYS));
		if (*to >= 0)
			return true;
	}
	uint32_t n = (uint32_t)loa_moves(g, s, steps);
	move_t step = steps[rng_below(rng, n)];
	if (step == PASS)
		return false;
	*from = step / WAYS;
	*to = target(mine, theirs, *from, step % WAYS);
	return true;
}

static int loa_playout(const struct game *g, const struct state *start, struct rng *rng)
{
	struct state s = *start;
	int from, to;
	if (s.over)
		return s.score;
	for (int i = 0; i < PLAYOUT_STEPS; i++) {
		if (loa_draw_move(g, &s, rng, &from, &to)) {
			int result = loa_result_of(&s, move_piece(&s, from, to));
			if (result)
				return side_sign(s.side) * result;
		}
		s.side ^= 1;
	}
	return 0;
}

/* --- threats --- */

/* Returns true if one of the pieces can move to one of the squares where it connects its side. */
static bool can_join(uint64_t mine, uint64_t theirs, uint64_t pieces,
		     const uint64_t squares[SQUARES])
{
	for (; pieces; pieces &= pieces - 1) {
		int from = __builtin_ctzll(pieces);
		for (int way = 0; way < WAYS; way++) {
			if (!(rays[from][way] & squares[from]))
				continue;
			int to = target(mine, theirs, from, way);
			if (to >= 0 && squares[from] >> to & 1)
				return true;
		}
	}
	return false;
}

static bool loa_wins(const struct game *g, const struct state *s)
{
	uint64_t squares[SQUARES], mine = s->board[s->side];
	uint64_t pieces = find_joints(mine, squares);
	return pieces && can_join(mine, s->board[s->side ^ 1], pieces, squares);
}

/* A step that captures nothing leaves the squares where the other side connects. */
static int loa_safe(const struct game *g, const struct state *s, move_t *out)
{
	move_t steps[PIECES_MAX * WAYS];
	uint64_t squares[SQUARES];
	uint64_t pieces = find_joints(s->board[s->side ^ 1], squares);
	int n = loa_moves(g, s, steps), count = 0;
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		bool captures = false;
		if (steps[i] != PASS) {
			int from = steps[i] / WAYS;
			int to = target(s->board[s->side], s->board[s->side ^ 1], from,
					steps[i] % WAYS);
			captures = move_piece(&next, from, to);
		}
		next.side ^= 1;
		bool loses = captures ? is_connected(next.board[next.side]) || loa_wins(g, &next)
				      : pieces && can_join(next.board[next.side],
							   next.board[s->side], pieces, squares);
		if (!loses)
			out[count++] = steps[i];
	}
	return count;
}

/* --- what the network sees besides the stones --- */

/* Where a side can move, and its largest group: convolutions would need many layers for both. */
enum { SIGN_OWN_TARGET = 1, SIGN_OTHER_TARGET = 2, SIGN_OWN_GROUP = 4, SIGN_OTHER_GROUP = 8 };

/* The squares to which a side can move. */
static uint64_t loa_targets(uint64_t mine, uint64_t theirs)
{
	uint64_t set = 0;
	for (uint64_t left = mine; left; left &= left - 1)
		for (int way = 0; way < WAYS; way++) {
			int to = target(mine, theirs, __builtin_ctzll(left), way);
			set |= to < 0 ? 0 : loa_bit(to);
		}
	return set;
}

/* The largest group of connected pieces of a side; of equal ones, that with the lowest square. */
static uint64_t largest_group(uint64_t mine)
{
	uint64_t largest = 0;
	for (uint64_t left = mine; left;) {
		uint64_t group = component(left, left & -left);
		left &= ~group;
		if (__builtin_popcountll(group) > __builtin_popcountll(largest))
			largest = group;
	}
	return largest;
}

static void loa_planes(const struct game *g, const struct state *s, uint8_t set[GAME_SQUARES_MAX])
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	uint64_t own = loa_targets(mine, theirs), other = loa_targets(theirs, mine),
		 own_group = largest_group(mine), other_group = largest_group(theirs);
	for (int i = 0; i < SQUARES; i++)
		set[i] = (uint8_t)((own >> i & 1 ? SIGN_OWN_TARGET : 0) |
				   (other >> i & 1 ? SIGN_OTHER_TARGET : 0) |
				   (own_group >> i & 1 ? SIGN_OWN_GROUP : 0) |
				   (other_group >> i & 1 ? SIGN_OTHER_GROUP : 0));
}

/* --- evaluation --- */

#define VALUE_MOST 98 /* of positions that are not over */

/* Weights in thousandths. */
#define SPREAD     220 /* an average piece is a square further from the centre of mass than need be */
#define MIDDLE     40 /* the centre of mass is a square nearer to the middle */
#define CONTACT    60 /* a piece touches one more, on average */
#define MOBILITY   6  /* a move */
#define TEMPO      30
#define HALF_VALUE 500 /* this advantage is worth half a win */

static int loa_count_moves(uint64_t mine, uint64_t theirs)
{
	int n = 0;
	for (uint64_t left = mine; left; left &= left - 1)
		for (int way = 0; way < WAYS; way++)
			n += target(mine, theirs, __builtin_ctzll(left), way) >= 0;
	return n;
}

/* The square next to the centre of mass. */
static int centre_of(uint64_t pieces, int count)
{
	int row = count / 2, col = row;
	for (uint64_t left = pieces; left; left &= left - 1) {
		int square = __builtin_ctzll(left);
		row += square / SIDE;
		col += square % SIDE;
	}
	return SIDE * (row / count) + col / count;
}

static int loa_value_of(uint64_t mine, uint64_t theirs)
{
	int count = __builtin_popcountll(mine), centre = centre_of(mine, count);
	/* Of the pieces, one is in the middle, eight are next to it, the others around them. */
	int spread = count <= 9 ? 1 - count : 10 - 2 * count, contacts = 0;
	for (uint64_t left = mine; left; left &= left - 1) {
		int square = __builtin_ctzll(left);
		spread += distances[centre][square];
		contacts += __builtin_popcountll(around[square] & mine);
	}
	return (CONTACT * contacts - SPREAD * spread) / count - MIDDLE * from_middle[centre] / 2 +
	       MOBILITY * loa_count_moves(mine, theirs);
}

static int loa_eval(const struct game *g, const struct state *s)
{
	int value = loa_value_of(s->board[BLACK], s->board[WHITE]) -
		    loa_value_of(s->board[WHITE], s->board[BLACK]) + side_sign(s->side) * TEMPO;
	return VALUE_MOST * value / (abs(value) + HALF_VALUE);
}

/* The network, linked into the program. */
EMBED_LARGE(loa_net, "games/loa/loa.net");

static struct board_net net = { .file = loa_net };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

/* --- text --- */

/* Reads a move: two squares, with `-`, or `:` or `x` for a capture, between them if the client likes, and with the
 * remarks `+` and `!` that SGF allows behind it. */
static enum move_check loa_parse(const struct game *g, const struct state *s, const char *text,
				 struct move *m)
{
	int row, col, to_row, to_col;
	const char *rest = square_parse(&game_loa, text, &row, &col);
	if (rest && *rest && strchr("-:x", tolower((unsigned char)*rest)))
		rest++;
	rest = rest ? square_parse(&game_loa, rest, &to_row, &to_col) : NULL;
	if (!rest || rest[strspn(rest, "+!?")])
		return MOVE_MALFORMED;
	int from = SIDE * row + col;
	for (int way = 0; way < WAYS && s->board[s->side] & loa_bit(from); way++)
		if (target(s->board[s->side], s->board[s->side ^ 1], from, way) ==
		    SIDE * to_row + to_col) {
			*m = move_single((move_t)(WAYS * from + way));
			return MOVE_OK;
		}
	return MOVE_ILLEGAL;
}

static void loa_format(const struct game *g, const struct state *s, struct move m,
		       char text[MOVE_TEXT_MAX])
{
	char names[2][SQUARE_TEXT_MAX];
	int from = m.step[0] / WAYS;
	int to = target(s->board[s->side], s->board[s->side ^ 1], from, m.step[0] % WAYS);
	square_format(&game_loa, from / SIDE, from % SIDE, names[0]);
	square_format(&game_loa, to / SIDE, to % SIDE, names[1]);
	snprintf(text, MOVE_TEXT_MAX, "%s%s", names[0], names[1]);
}

static char loa_at(const struct game *g, const struct state *s, int row, int col)
{
	uint64_t square = loa_bit(SIDE * row + col);
	return s->board[BLACK] & square ? 'X' : s->board[WHITE] & square ? 'O' : '.';
}

static bool loa_valid(const struct game *g, const struct state *s)
{
	struct state expected = *s;
	for (int side = BLACK; side <= WHITE; side++)
		if (!s->board[side] || __builtin_popcountll(s->board[side]) > PIECES_MAX)
			return false;
	loa_set_result(&expected);
	return (s->board[BLACK] & s->board[WHITE]) == 0 && expected.over == s->over &&
	       expected.score == s->score && !s->pending && s->hash == state_hash(s);
}

/* Squares and directions are mirrored alike. */
static move_t loa_mirror(const struct game *g, move_t step, int symmetry)
{
	if (step == PASS)
		return step;
	int rows = way_rows[step % WAYS], cols = way_cols[step % WAYS], way = 0;
	if (symmetry & 4) {
		int swap = rows;
		rows = cols;
		cols = swap;
	}
	rows = symmetry & 1 ? -rows : rows;
	cols = symmetry & 2 ? -cols : cols;
	while (way_rows[way] != rows || way_cols[way] != cols)
		way++;
	return (move_t)(WAYS * images_mirror_square(g, step / WAYS, symmetry) + way);
}

static const char guide[] =
	"Black (X) moves first. A piece moves along a row, a column or a diagonal, by\n"
	"exactly as many squares as there are pieces of both sides on that whole line.\n"
	"It may jump over its own pieces, not over enemies. It may capture an enemy on\n"
	"its new square. Who has all pieces connected wins; neighbours on a diagonal\n"
	"count, and a single piece is connected. If a move connects both sides, the\n"
	"mover wins. A side without a move passes. A position that occurs for the third\n"
	"time, with the same side to move, is a draw.\n"
	"\n"
	"     A B C D E F G H\n"
	"   8 . X X X X X X . 8\n"
	"   7 O . . . . . . O 7     Column B has two pieces: B1 may go to B3.\n"
	"   6 O . . . . . . O 6     Row 1 has six: B1 may go to H1.\n"
	"   5 O . . . . . . O 5     The diagonal from B1 to H7 has two: B1 may\n"
	"   4 O . . . . . . O 4     go to D3.\n"
	"   3 O . . . . . . O 3\n"
	"   2 O . . . . . . O 2\n"
	"   1 . X X X X X X . 1\n"
	"\n"
	"A move is the square of the piece and its new square, counted from the bottom\n"
	"left: b1b3\n";

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 262, 693, 1020, 1313, 1690, 2033, 2373, 2646, 2936 };

const struct game game_loa = {
	.name = "loa",
	.title = "LOA",
	.alias = "linesofaction",
	.rules = "standard",
	.board = { .rows = SIDE, .cols = SIDE, .goes_up = true, .color = BOARD_WOOD },
	.steps = { .codes = PASS + 1,
		   .choices = PIECES_MAX * WAYS,
		   .per_move = 1,
		   .pass = PASS,
		   .frees_squares = true },
	.score = { .most = 1 },
	.init = loa_init,
	.start = loa_start,
	.setup = loa_setup,
	.moves = loa_moves,
	.play = loa_play,
	.parse = loa_parse,
	.format = loa_format,
	.at = loa_at,
	.valid = loa_valid,
	.words = &(const struct words) { .guide = guide, .facts = loa_facts },
	.playouts = &(const struct playouts) { .uniform = loa_playout },
	.threats = &(const struct threats) { .wins = loa_wins, .safe = loa_safe },
	.repetition = &(const struct repetition) { .limit = OCCURRENCES },
	.eval = &(const struct eval) { .value = loa_eval },
	.network = &(const struct network) { .planes = loa_planes, .lines = true },
	.images = &(const struct images) { .stones = images_stones,
					   .symmetries = IMAGES_ALL,
					   .mirror = loa_mirror },
	.formats = &(const struct formats) { .sgf_gm = 9, .sgf_own = true },
	.tuning = &(const struct tuning) { .search = "mcts",
					   .evaluator_cost = BOARD_NET_COST,
					   .usual_length = 52,
					   .ratings = ratings },
	.evaluator = &evaluator,
};
