/* SPDX-License-Identifier: MIT
 *
 * English draughts (checkers). A square of play has the number of players' notation less 1: row by row from the top left, four
 * a row. A step is a slide or one jump, 4 * square + way; a move of several jumps has one step for each.
 *
 * board[0] has the pieces of Black in its lower half and those of White in its upper half. board[1] has the kings, the number
 * of moves since the last capture or move of a man, and between jumps the piece that must go on. That a position may not
 * occur for the third time is the record's business (repetition.limit).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"

#define SIDE       8
#define SQUARES    32
#define PIECES_MAX 12 /* of a side */
#define WAYS       4  /* 0, 1: down to the left and right; 2, 3: up */
#define JUMPS_MAX                                                                                  \
	9 /* the pieces that one king can capture have a square of 3x3 in common rows and columns */
#define MOVES_MAX   68 /* of a position: captures; tests/games/draughts/test_draughts.c counts them */
#define QUIET_MAX   80 /* moves without a capture or a move of a man that end the game */
#define OCCURRENCES 3  /* of a position end the game */

#define QUIET_SHIFT 32
#define QUIET_ONE   (UINT64_C(1) << QUIET_SHIFT)
#define QUIET_MASK  (UINT64_C(0xff) << QUIET_SHIFT)
#define JUMPER_ONE  (UINT64_C(1) << 40) /* times square + 1 */

#define EVEN_ROWS   0x0f0f0f0fu /* rows 0, 2, 4, 6, whose squares of play are in columns B, D, F, H */
#define COL_A       0x10101010u
#define COL_H       0x08080808u

static int8_t beside[SQUARES][WAYS]; /* the next square in each way, -1: none */

/* --- sets of squares --- */

static uint32_t draughts_bit(int square)
{
	return UINT32_C(1) << square;
}

/* Moves each square of a set one further in a way. */
static inline uint32_t draughts_shift(uint32_t set, int way)
{
	switch (way) {
	case 0:
		return (set & EVEN_ROWS) << 4 | (set & ~EVEN_ROWS & ~COL_A) << 3;
	case 1:
		return (set & EVEN_ROWS & ~COL_H) << 5 | (set & ~EVEN_ROWS) << 4;
	case 2:
		return (set & EVEN_ROWS) >> 4 | (set & ~EVEN_ROWS & ~COL_A) >> 5;
	default:
		return (set & EVEN_ROWS & ~COL_H) >> 3 | (set & ~EVEN_ROWS) >> 4;
	}
}

static void draughts_init(const struct game *g)
{
	for (int i = 0; i < SQUARES * WAYS; i++) {
		uint32_t next = draughts_shift(draughts_bit(i / WAYS), i % WAYS);
		beside[i / WAYS][i % WAYS] = (int8_t)(next ? __builtin_ctz(next) : -1);
	}
}

/* A position seen by the side to move. */
struct draughts_view {
	uint32_t own, other, kings, empty;
	int side;
};

static inline struct draughts_view draughts_view(const struct state *s)
{
	struct draughts_view v = { .side = s->side, .kings = (uint32_t)s->board[1] };
	v.own = (uint32_t)(s->board[0] >> SQUARES * s->side);
	v.other = (uint32_t)(s->board[0] >> SQUARES * (s->side ^ 1));
	v.empty = ~(v.own | v.other);
	return v;
}

/* The pieces of the side to move that may go in a way. */
static inline uint32_t draughts_movers(struct draughts_view v, int way)
{
	return way / 2 == v.side ? v.own : v.own & v.kings;
}

/* Those of a set that can jump, or slide, in a way. */
static inline uint32_t draughts_jumps(struct draughts_view v, uint32_t set, int way)
{
	uint32_t targets = v.other & draughts_shift(v.empty, 3 - way);
	return set & draughts_shift(targets, 3 - way);
}

static inline uint32_t draughts_slides(struct draughts_view v, uint32_t set, int way)
{
	return set & draughts_shift(v.empty, 3 - way);
}

static bool draughts_can_capture(struct draughts_view v)
{
	uint32_t all = 0;
	for (int way = 0; way < WAYS; way++)
		all |= draughts_jumps(v, draughts_movers(v, way), way);
	return all;
}

static bool draughts_can_move(struct draughts_view v)
{
	uint32_t all = 0;
	for (int way = 0; way < WAYS; way++)
		all |= draughts_slides(v, draughts_movers(v, way), way);
	return all || draughts_can_capture(v);
}

/* The squares where the men of a side become kings. */
static inline uint32_t draughts_far_row(int side)
{
	return side == BLACK ? 0xf0000000u : 0xfu;
}

/* The square of the board, row*cols+col, of a square of play. */
static int draughts_square(int i)
{
	return 2 * i + (i / 4 % 2 ? 0 : 1);
}

/* --- rules --- */

/* The square of the piece that must go on jumping, -1 if there is none. */
static int draughts_jumper(const struct state *s)
{
	return (int)(s->board[1] / JUMPER_ONE) - 1;
}

static int draughts_quiet(const struct state *s)
{
	return (int)((s->board[1] & QUIET_MASK) >> QUIET_SHIFT);
}

static int draughts_add_steps(uint32_t from, int way, move_t *out, int n)
{
	for (; from; from &= from - 1)
		out[n++] = (move_t)(WAYS * __builtin_ctz(from) + way);
	return n;
}

static inline int draughts_list(const struct state *s, move_t *out)
{
	struct draughts_view v = draughts_view(s);
	uint32_t among = s->pending ? draughts_bit(draughts_jumper(s)) : UINT32_MAX;
	int n = 0;
	for (int way = 0; way < WAYS; way++)
		n = draughts_add_steps(draughts_jumps(v, draughts_movers(v, way) & among, way), way,
				       out, n);
	for (int way = 0, jumps = n; way < WAYS && !jumps; way++)
		n = draughts_add_steps(draughts_slides(v, draughts_movers(v, way), way), way, out,
				       n);
	return n;
}

static int draughts_moves(const struct game *g, const struct state *s, move_t *out)
{
	return draughts_list(s, out);
}

/* Sets the result of a position between moves. */
static void draughts_set_result(struct state *s)
{
	bool lost = !draughts_can_move(draughts_view(s));
	s->over = lost || draughts_quiet(s) == QUIET_MAX;
	s->score = (int16_t)(lost ? -side_sign(s->side) : 0);
}

/* Says why a position between moves is refused, NULL if it is not. */
static const char *draughts_why_not(const struct state *s)
{
	const uint32_t kings = (uint32_t)s->board[1];
	for (int side = BLACK; side <= WHITE; side++) {
		uint32_t own = (uint32_t)(s->board[0] >> SQUARES * side);
		if (__builtin_popcount(own) > PIECES_MAX)
			return "a side has more pieces than at the start";
		if (own & ~kings & draughts_far_row(side))
			return "a man on the far row is a king";
		if (!own && side != s->side)
			return "the side to move has won already";
	}
	return NULL;
}

static void draughts_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->board[0] = UINT64_C(0xfff0000000000fff);
	s->hash = state_hash(s);
}

/* Makes a step, without its hash and result. */
static inline void draughts_step(struct state *s, move_t step)
{
	struct draughts_view v = draughts_view(s);
	int from = step / WAYS, way = step % WAYS, over = beside[from][way], to = over;
	bool jumps = v.other >> over & 1;
	uint32_t piece = draughts_bit(from), taken = 0;
	bool man = !(v.kings & piece);
	if (jumps) {
		to = beside[over][way];
		taken = draughts_bit(over);
	}
	uint32_t goal = draughts_bit(to);
	bool crowned = man && (goal & draughts_far_row(s->side));
	s->board[0] ^= (uint64_t)(piece | goal) << SQUARES * s->side |
		       (uint64_t)taken << SQUARES * (s->side ^ 1);
	v.kings = (v.kings & ~piece & ~taken) | (!man || crowned ? goal : 0);
	s->board[1] = v.kings | (jumps || man ? 0 : (s->board[1] & QUIET_MASK) + QUIET_ONE);
	if (jumps && !crowned) {
		struct draughts_view next = draughts_view(s);
		uint32_t on = 0;
		for (int i = 0; i < WAYS; i++)
			on |= draughts_jumps(next, draughts_movers(next, i) & goal, i);
		if (on) {
			s->board[1] |= (uint64_t)(to + 1) * JUMPER_ONE;
			s->pending++;
			return;
		}
	}
	s->pending = 0;
	s->side ^= 1;
}

static void draughts_play(const struct game *g, struct state *s, move_t step)
{
	draughts_step(s, step);
	if (!s->pending)
		draughts_set_result(s);
	s->hash = state_hash(s);
}

static uint64_t draughts_key(const struct game *g, const struct state *s, move_t step)
{
	uint64_t pieces = s->board[0], kings = (uint32_t)s->board[1] | (uint64_t)s->side << SQUARES;
	uint64_t key = rng_split(&pieces) ^ rng_split(&kings);
	return key | !key;
}

static const char *draughts_setup(const struct game *g, struct state *s, const char *squares,
				  int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < SQUARES; i++) {
		char at = squares[draughts_square(i)];
		if (at == '.')
			continue;
		bool black = at == 'x' || at == 'X';
		s->board[0] |= (uint64_t)draughts_bit(i) << (black ? 0 : SQUARES);
		s->board[1] |= at == 'X' || at == 'O' ? draughts_bit(i) : 0;
	}
	s->side = (uint8_t)side;
	const char *why = draughts_why_not(s);
	if (why)
		return why;
	draughts_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

/* --- playouts --- */

static int draughts_playout(const struct game *g, const struct state *start, struct rng *rng)
{
	struct state s = *start;
	move_t steps[PIECES_MAX * WAYS];
	for (int left = PLAYOUT_STEPS; left && draughts_quiet(&s) < QUIET_MAX; left--) {
		uint32_t n = (uint32_t)draughts_list(&s, steps);
		if (!n)
			return -side_sign(s.side);
		draughts_step(&s, steps[rng_below(rng, n)]);
	}
	return 0;
}

/* --- evaluation --- */

#define VALUE_MOST 98 /* of positions that are not over */
#define VALUE_WON  5000

/* Weights in hundredths of a man. */
#define MAN        100
#define KING       140
#define GUARD      15 /* a man at home on 1 or 3, where it keeps men from becoming kings */
#define ADVANCE    2  /* a man is a row further */
#define MIDDLE     3  /* a man in the middle of the board */
#define KING_AWAY  6  /* a king on the edge */
#define TEMPO      3
#define TRADE      60  /* for each man of the lead, when the board is nearly empty */
#define HALF_VALUE 150 /* this advantage is worth half a win */

/* Sets of squares. */
#define GUARDS     0x00000005u /* 1 and 3 */
#define MIDDLES    0x00666600u /* columns C to F of rows 6 to 3 */
#define INNER      0x07e7e7e0u /* all but the edge */

static uint32_t draughts_turned(uint32_t set)
{
	set = (set >> 1 & 0x55555555u) | (set & 0x55555555u) << 1;
	set = (set >> 2 & 0x33333333u) | (set & 0x33333333u) << 2;
	set = (set >> 4 & 0x0f0f0f0fu) | (set & 0x0f0f0f0fu) << 4;
	return __builtin_bswap32(set);
}

/* What a side has that goes down. */
static int draughts_worth(uint32_t men, uint32_t kings)
{
	int value = MAN * __builtin_popcount(men) + KING * __builtin_popcount(kings) +
		    GUARD * __builtin_popcount(men & GUARDS) +
		    MIDDLE * __builtin_popcount(men & MIDDLES) -
		    KING_AWAY * __builtin_popcount(kings & ~INNER);
	/* The row number is a sum of three binary digits. */
	return value + ADVANCE * (__builtin_popcount(men & 0xf0f0f0f0u) +
				  2 * __builtin_popcount(men & 0xff00ff00u) +
				  4 * __builtin_popcount(men & 0xffff0000u));
}

/* The value of a position without captures for the side to move, in hundredths of a man. */
static int draughts_static(struct draughts_view v)
{
	uint32_t own = v.side == BLACK ? v.own : draughts_turned(v.own);
	uint32_t other = v.side == BLACK ? draughts_turned(v.other) : v.other;
	uint32_t own_kings = v.kings & v.own, other_kings = v.kings & v.other;
	own_kings = v.side == BLACK ? own_kings : draughts_turned(own_kings);
	other_kings = v.side == BLACK ? draughts_turned(other_kings) : other_kings;
	int count = __builtin_popcount(own), others = __builtin_popcount(other);
	return draughts_worth(own & ~own_kings, own_kings) -
	       draughts_worth(other & ~other_kings, other_kings) + TEMPO +
	       TRADE * (count - others) * (2 * PIECES_MAX - count - others) / (2 * PIECES_MAX);
}

/* The same of any position that is not over: plays the captures to their end. */
static int draughts_settle(const struct state *s, int alpha, int beta)
{
	struct draughts_view v = draughts_view(s);
	move_t steps[PIECES_MAX * WAYS];
	if (!draughts_can_capture(v))
		return draughts_static(v);
	int n = draughts_list(s, steps), best = -VALUE_WON;
	for (int i = 0; i < n && best < beta; i++) {
		struct state next = *s;
		int value = VALUE_WON;
		draughts_step(&next, steps[i]);
		if (next.pending)
			value = draughts_settle(&next, alpha, beta);
		else if (draughts_can_move(draughts_view(&next)))
			value = -draughts_settle(&next, -beta, -alpha);
		best = value > best ? value : best;
		alpha = best > alpha ? best : alpha;
	}
	return best;
}

static int draughts_eval(const struct game *g, const struct state *s)
{
	int value = draughts_settle(s, -VALUE_WON, VALUE_WON);
	return side_sign(s->side) * VALUE_MOST * value / (abs(value) + HALF_VALUE);
}

/* --- text --- */

/* Lists the squares that a move touches: that of the piece, then where each step ends. Returns their number. */
static int draughts_path(const struct state *s, struct move m, int8_t path[JUMPS_MAX + 1])
{
	struct draughts_view v = draughts_view(s);
	int count = 0;
	path[count++] = (int8_t)(m.step[0] / WAYS);
	for (int i = 0; i < JUMPS_MAX && m.step[i] != MOVE_NONE; i++) {
		int over = beside[path[i]][m.step[i] % WAYS];
		path[count++] = v.other >> over & 1 ? beside[over][m.step[i] % WAYS] : (int8_t)over;
	}
	return count;
}

/* Reads a square: its name, or its number from 1 to 32. Returns the text after it, or NULL. */
static const char *draughts_parse_square(const char *text, int8_t *square)
{
	int row, col, number = 0;
	if (isdigit((unsigned char)*text)) {
		for (int i = 0; i < 2 && isdigit((unsigned char)*text); i++)
			number = 10 * number + *text++ - '0';
		*square = (int8_t)(number - 1);
		return number >= 1 && number <= SQUARES ? text : NULL;
	}
	text = square_parse(&game_draughts, text, &row, &col);
	if (!text || (row + col) % 2 == 0)
		return NULL;
	*square = (int8_t)(SIDE * row + col) / 2;
	return text;
}

/* Reads the squares of a move, with `-`, `x` or `:` between them, which numbers need. Returns how many there are, 0 if the
 * text is malformed. */
static int draughts_parse_path(const char *text, int8_t path[JUMPS_MAX + 1])
{
	int count = 0;
	while (count <= JUMPS_MAX) {
		bool numbered = isdigit((unsigned char)*text);
		text = draughts_parse_square(text, &path[count++]);
		if (!text || !*text)
			return text && count > 1 ? count : 0;
		if (strchr("-xX:", *text))
			text++;
		else if (numbered)
			return 0;
	}
	return 0;
}

/* A text may leave out squares between the first and the last one, if only one move is meant. */
static enum move_check draughts_parse(const struct game *g, const struct state *s, const char *text,
				      struct move *m)
{
	struct move moves[GAME_MOVES_MAX];
	int8_t wanted[JUMPS_MAX + 1], path[JUMPS_MAX + 1];
	int count = draughts_parse_path(text, wanted), found = 0;
	if (!count)
		return MOVE_MALFORMED;
	int n = game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		int length = draughts_path(s, moves[i], path);
		bool whole = length == count && memcmp(path, wanted, (size_t)count) == 0;
		if (!whole && (count > 2 || path[0] != wanted[0] || path[length - 1] != wanted[1]))
			continue;
		*m = moves[i];
		if (whole)
			return MOVE_OK;
		found++;
	}
	return found == 1 ? MOVE_OK : MOVE_ILLEGAL;
}

static void draughts_format(const struct game *g, const struct state *s, struct move m,
			    char text[MOVE_TEXT_MAX])
{
	int8_t path[JUMPS_MAX + 1];
	int count = draughts_path(s, m, path);
	for (int i = 0; i < count; i++) {
		int square = draughts_square(path[i]);
		square_format(g, square / SIDE, square % SIDE, text);
		text += strlen(text);
	}
}

static bool draughts_on_board(const struct game *g, int row, int col)
{
	return (row + col) % 2;
}

static char draughts_at(const struct game *g, const struct state *s, int row, int col)
{
	int i = (SIDE * row + col) / 2;
	if (!draughts_on_board(g, row, col))
		return ':';
	bool king = s->board[1] >> i & 1;
	if (s->board[0] >> i & 1)
		return king ? 'X' : 'x';
	if (s->board[0] >> (SQUARES + i) & 1)
		return king ? 'O' : 'o';
	return '.';
}

static bool draughts_valid(const struct game *g, const struct state *s)
{
	const uint32_t black = (uint32_t)s->board[0], white = (uint32_t)(s->board[0] >> SQUARES),
		       kings = (uint32_t)s->board[1];
	struct state expected = *s;
	int jumper = draughts_jumper(s);
	if (s->pending) {
		if (s->pending >= JUMPS_MAX || jumper < 0 || jumper >= SQUARES || s->over ||
		    !((s->side == BLACK ? black : white) >> jumper & 1))
			return false;
		expected.score = 0;
	} else {
		draughts_set_result(&expected);
	}
	return !(black & white) && !(kings & ~(black | white)) && !draughts_why_not(s) &&
	       draughts_quiet(s) <= QUIET_MAX && (jumper >= 0) == (s->pending > 0) &&
	       expected.over == s->over && expected.score == s->score && s->hash == state_hash(s);
}

static const char guide[] =
	"Black (x) moves first. Only the dark squares are used. A man moves one square\n"
	"diagonally forward: Black's down, White's up. A man on the far row becomes a\n"
	"king (X, O), which moves one square in all four diagonals. A piece captures\n"
	"by a jump over an enemy next to it to the empty square behind; men jump\n"
	"forward only. Who can capture must, and a piece that has jumped goes on as\n"
	"long as it can jump, but a man that becomes a king stops. A side without a\n"
	"move loses. A position that occurs for the third time is a draw, and so are\n"
	"40 moves of each side without a capture or a move of a man.\n"
	"\n"
	"     A B C D E F G H\n"
	"   8 : x : x : x : . 8\n"
	"   7 x : x : x : x : 7     White's man on D4 jumps over E5 to F6 and goes on\n"
	"   6 : x : . : . : x 6     over G7 to H8, where it becomes a king: d4f6h8.\n"
	"   5 . : . : x : . : 5     White has no other move.\n"
	"   4 : . : o : . : . 4\n"
	"   3 o : . : o : o : 3\n"
	"   2 : o : o : o : o 2\n"
	"   1 o : o : o : o : 1\n"
	"\n"
	"A move is the square of the piece and each square where it lands, counted from\n"
	"the bottom left: b6a5. Players' numbers are read, too: 9-13, 18x11x4.\n";

/* For networks: the piece that must go on jumping. */
static void draughts_planes(const struct game *g, const struct state *s, uint8_t *planes)
{
	if (s->pending)
		planes[draughts_square(draughts_jumper(s))] = 1;
}

static int draughts_place(const struct game *g, move_t step, int *way)
{
	*way = step % WAYS;
	return draughts_square(step / WAYS);
}

/* The board turned by 180 degrees. */
static move_t draughts_mirror(const struct game *g, move_t step, int symmetry)
{
	return (move_t)(SQUARES * WAYS - 1 - step);
}

static const struct piece pieces[] = { { 'x', BLACK, "man" },
				       { 'X', BLACK, "king" },
				       { 'o', WHITE, "man" },
				       { 'O', WHITE, "king" },
				       { '\0', 0, NULL } };

const struct game game_draughts = {
	.name = "draughts",
	.title = "Draughts",
	.alias = "checkers englishdraughts",
	.rules = "standard",
	.board = { .rows = SIDE,
		   .cols = SIDE,
		   .on_board = draughts_on_board,
		   .pieces = pieces,
		   .goes_up = true,
		   .color = BOARD_GREEN },
	.steps = { .codes = SQUARES * WAYS,
		   .choices = PIECES_MAX * WAYS,
		   .moves = MOVES_MAX,
		   .per_move = JUMPS_MAX,
		   .pass = MOVE_NONE,
		   .frees_squares = true,
		   .counts = true },
	.score = { .most = 1 },
	.init = draughts_init,
	.start = draughts_start,
	.setup = draughts_setup,
	.moves = draughts_moves,
	.play = draughts_play,
	.parse = draughts_parse,
	.format = draughts_format,
	.at = draughts_at,
	.valid = draughts_valid,
	.words = &(const struct words) { .guide = guide, .facts = draughts_facts },
	.playouts = &(const struct playouts) { .uniform = draughts_playout },
	.repetition = &(const struct repetition) { .key = draughts_key, .limit = OCCURRENCES },
	.eval = &(const struct eval) { .value = draughts_eval },
	.network = &(const struct network) { .planes = draughts_planes,
					     .place = draughts_place,
					     .ways = WAYS },
	.images = &(const struct images) { .mirror = draughts_mirror, .view = 3 },
	.tuning = &(const struct tuning) { .search = "alphabeta", .usual_length = 100 },
};
