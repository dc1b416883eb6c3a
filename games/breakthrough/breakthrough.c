/* SPDX-License-Identifier: MIT
 *
 * Breakthrough (Troyka, 2000) and Knightthrough, on boards of 5 to 8 squares a side. board[0] and board[1] hold the
 * pieces of Black and White, bit 8*row + col with row 0 at the top, on boards of all sizes. Black moves up. A step is
 * the number of directions times the square of the piece, row*size + col, plus the direction from left to right. Nobody
 * is ever without a move: the way diagonally ahead of the foremost piece is free of own pieces.
 *
 * Every function on positions is compiled twice, for the pieces of Breakthrough and for knights; `knight` is known to
 * the compiler.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"

#define SIDE_MIN    5
#define SIDE_MAX    8
#define INLINE      static inline __attribute__((always_inline))

#define PAWN_WAYS   3
#define KNIGHT_WAYS 4

/* The rules in state.stones: the size of the board, and OPENSPIEL for its notation. */
#define SIZE_BITS   0x0f
#define OPENSPIEL   0x10

static const int8_t pawn_cols[PAWN_WAYS] = { -1, 0, 1 };
static const int8_t knight_cols[KNIGHT_WAYS] = { -2, -1, 1, 2 };
static const int8_t knight_rows[KNIGHT_WAYS] = { 1, 2, 2, 1 };

/* Masks of a board. */
struct breakthrough_board {
	uint64_t squares;
	/* By kind and direction: the squares from which it does not leave a side. */
	uint64_t from[2][KNIGHT_WAYS];
	uint64_t goal[2]; /* by side: the row that it must reach */
	/* By kind and side: the squares from which a piece can always reach it in one move. */
	uint64_t near[2][2];
	uint8_t square[64], bit[64]; /* the square of a bit, row*size + col; the bit of a square */
};

static struct breakthrough_board boards[SIDE_MAX + 1];

/* By the side that runs, and the square of its runner: the squares on which an enemy can come to stop a piece that runs
 * straight ahead, if the enemy moves first; and those straight ahead. */
static uint64_t stoppers[2][64], straight[2][64];

INLINE int ways(const bool knight)
{
	return knight ? KNIGHT_WAYS : PAWN_WAYS;
}

INLINE int col_change(const bool knight, int way)
{
	return knight ? knight_cols[way] : pawn_cols[way];
}

INLINE int row_change(const bool knight, int way)
{
	return knight ? knight_rows[way] : 1;
}

/* By how many bits a piece moves: down for Black, up for White. */
INLINE int distance(const bool knight, int side, int way)
{
	int rows = 8 * row_change(knight, way), cols = col_change(knight, way);
	return side == BLACK ? rows - cols : rows + cols;
}

static uint64_t rows_of(int size, int first, int count)
{
	uint64_t set = 0;
	for (int row = first; row < first + count; row++)
		set |= ((UINT64_C(1) << size) - 1) << 8 * row;
	return set;
}

static void init_board(struct breakthrough_board *b, int size)
{
	b->squares = rows_of(size, 0, size);
	for (int row = 0, square = 0; row < size; row++)
		for (int col = 0; col < size; col++, square++) {
			b->square[8 * row + col] = (uint8_t)square;
			b->bit[square] = (uint8_t)(8 * row + col);
		}
	for (int knight = 0; knight < 2; knight++)
		for (int way = 0; way < ways(knight); way++)
			for (int col = 0; col < size; col++) {
				int to = col + col_change(knight, way);
				if (to >= 0 && to < size)
					b->from[knight][way] |= (0x0101010101010101u & b->squares)
								<< col;
			}
	for (int knight = 0; knight < 2; knight++) {
		b->near[knight][BLACK] = rows_of(size, 1, 1 + knight);
		b->near[knight][WHITE] = rows_of(size, size - 2 - knight, 1 + knight);
	}
	b->goal[BLACK] = rows_of(size, 0, 1);
	b->goal[WHITE] = rows_of(size, size - 1, 1);
}

/* Fills `stoppers` and `straight`. An enemy that is `ahead` rows in front of the runner and `aside` columns beside it
 * stops it if it can be diagonally in front of it at its own turn, or stand in its way. Both come closer by a row with
 * each move. When they meet, the enemy has made at most as many moves as the runner, or one more; each takes it at most
 * one column nearer. */
static void init_races(void)
{
	for (int side = BLACK; side <= WHITE; side++)
		for (int i = 0; i < 64 * 64; i++) {
			int from = i / 64, at = i % 64;
			int ahead = (at / 8 - from / 8) * -side_sign(side);
			int aside = abs(at % 8 - from % 8);
			if (ahead > 0 && aside <= 1 + (ahead - 1) / 2)
				stoppers[side][from] |= UINT64_C(1) << at;
			if (ahead > 0 && aside == 0)
				straight[side][from] |= UINT64_C(1) << at;
		}
}

static void breakthrough_init(const struct game *g)
{
	for (int size = SIDE_MIN; size <= SIDE_MAX; size++)
		init_board(&boards[size], size);
	init_races();
}

INLINE const struct breakthrough_board *board_of(const struct state *s)
{
	return &boards[s->stones & SIZE_BITS];
}

/* The step of the piece on a bit. */
INLINE move_t step_of(const struct breakthrough_board *b, const bool knight, int from, int way)
{
	return (move_t)(ways(knight) * b->square[from] + way);
}

/* The bit of the piece that makes a step. */
INLINE int from_of(const struct breakthrough_board *b, const bool knight, move_t step)
{
	return b->bit[step / ways(knight)];
}

/* The squares that pieces reach in a direction, whatever is there. */
INLINE uint64_t reach(const struct breakthrough_board *b, const bool knight, uint64_t pieces,
		      int side, int way)
{
	int by = distance(knight, side, way);
	pieces &= b->from[knight][way];
	return (side == BLACK ? pieces >> by : pieces << by) & b->squares;
}

/* The squares where pieces can capture. */
INLINE uint64_t attacks(const struct breakthrough_board *b, const bool knight, uint64_t pieces,
			int side)
{
	if (!knight)
		return reach(b, false, pieces, side, 0) | reach(b, false, pieces, side, 2);
	uint64_t set = 0;
	for (int way = 0; way < KNIGHT_WAYS; way++)
		set |= reach(b, true, pieces, side, way);
	return set;
}

/* The squares where pieces can go in a direction. */
INLINE uint64_t targets(const struct breakthrough_board *b, const bool knight,
			const struct state *s, int way)
{
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	uint64_t to = reach(b, knight, mine, s->side, way) & ~mine;
	return !knight && way == 1 ? to & ~theirs : to;
}

/* --- rules --- */

static void start_board(struct state *s, int size, int notation)
{
	memset(s, 0, sizeof *s);
	s->stones = (uint8_t)(size | notation);
	s->board[WHITE] = rows_of(size, 0, 2);
	s->board[BLACK] = rows_of(size, size - 2, 2);
	s->hash = state_hash(s);
}

static int breakthrough_notation_of(const struct game *g)
{
	return g->board.goes_up ? 0 : OPENSPIEL;
}

static void breakthrough_start(const struct game *g, struct state *s)
{
	start_board(s, g->board.rows, breakthrough_notation_of(g));
}

/* Returns true if a side has won by its last move. */
static bool breakthrough_has_won(const struct state *s, int side)
{
	return s->board[side] && (s->board[side] & board_of(s)->goal[side] || !s->board[side ^ 1]);
}

/* Sets `over` and `score` from the board. Only the side that moved last can have won. */
static void breakthrough_set_result(struct state *s)
{
	s->over = breakthrough_has_won(s, s->side ^ 1);
	s->score = (int16_t)(s->over ? -side_sign(s->side) : 0);
}

static const char *breakthrough_setup(const struct game *g, struct state *s, const char *squares,
				      int side)
{
	start_board(s, g->board.rows, breakthrough_notation_of(g));
	s->board[BLACK] = s->board[WHITE] = 0;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= UINT64_C(1)
								       << (8 * (i / g->board.cols) +
									   i % g->board.cols);
	for (int i = BLACK; i <= WHITE; i++)
		if (__builtin_popcountll(s->board[i]) > 2 * g->board.cols)
			return "a side has more pieces than at the start";
	if (!s->board[BLACK] && !s->board[WHITE])
		return "there are no pieces";
	if (breakthrough_has_won(s, side))
		return "the side to move has won already";
	s->side = (uint8_t)side;
	breakthrough_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

/* Lists the steps to some of the targets, by direction, then from the top left. */
INLINE int list_steps(const struct state *s, const bool knight, uint64_t allowed, move_t *out)
{
	const struct breakthrough_board *b = board_of(s);
	int n = 0;
	for (int way = 0; way < ways(knight); way++) {
		int by = distance(knight, s->side, way);
		for (uint64_t to = targets(b, knight, s, way) & allowed; to; to &= to - 1) {
			int bit = __builtin_ctzll(to),
			    from = s->side == BLACK ? bit + by : bit - by;
			out[n++] = step_of(b, knight, from, way);
		}
	}
	return n;
}

INLINE uint64_t target_of(const bool knight, int side, int from, int way)
{
	int by = distance(knight, side, way);
	return UINT64_C(1) << (side == BLACK ? from - by : from + by);
}

INLINE void play_step(struct state *s, const bool knight, move_t step)
{
	const struct breakthrough_board *b = board_of(s);
	int from = from_of(b, knight, step), way = step % ways(knight);
	uint64_t to = target_of(knight, s->side, from, way);
	s->board[s->side] ^= UINT64_C(1) << from | to;
	s->board[s->side ^ 1] &= ~to;
	if (to & b->goal[s->side] || !s->board[s->side ^ 1]) {
		s->over = true;
		s->score = (int16_t)side_sign(s->side);
	}
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* --- random games --- */

INLINE int play_randomly(const struct state *start, const bool knight, struct rng *rng)
{
	const struct breakthrough_board *b = board_of(start);
	struct state s = *start;
	while (!s.over) {
		uint64_t to[KNIGHT_WAYS] = { 0 }, square;
		uint32_t counts[KNIGHT_WAYS] = { 0 }, count = 0;
		for (int way = 0; way < ways(knight); way++) {
			to[way] = targets(b, knight, &s, way);
			counts[way] = (uint32_t)__builtin_popcountll(to[way]);
			count += counts[way];
		}
		uint32_t n = rng_below(rng, count);
		int way = 0;
		for (; n >= counts[way]; way++)
			n -= counts[way];
		square = bits_lowest(to[way], n);
		int by = distance(knight, s.side, way);
		s.board[s.side] ^= square | (s.side == BLACK ? square << by : square >> by);
		s.board[s.side ^ 1] &= ~square;
		if (square & b->goal[s.side] || !s.board[s.side ^ 1])
			return side_sign(s.side);
		s.side ^= 1;
	}
	return s.score;
}

/* --- threats and races --- */

/* A piece near its goal can always reach it. Else only the capture of the last enemy wins at once. */
INLINE bool wins_now(const struct state *s, const bool knight)
{
	const struct breakthrough_board *b = board_of(s);
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1];
	return mine & b->near[knight][s->side] ||
	       (!(theirs & (theirs - 1)) && attacks(b, knight, mine, s->side) & theirs);
}

/* All enemies near their goal must be captured, and a last piece must not go where it is captured. */
INLINE int list_safe(const struct state *s, const bool knight, move_t *out)
{
	const struct breakthrough_board *b = board_of(s);
	uint64_t mine = s->board[s->side], theirs = s->board[s->side ^ 1], allowed = b->squares;
	uint64_t threats = theirs & b->near[knight][s->side ^ 1];
	if (threats & (threats - 1))
		return 0;
	if (threats)
		allowed = threats;
	if (!(mine & (mine - 1)))
		allowed &= ~attacks(b, knight, theirs, s->side ^ 1);
	return list_steps(s, knight, allowed, out);
}

/* The rows between the foremost piece and its goal. */
INLINE int foremost(const struct state *s, int side)
{
	uint64_t mine = s->board[side];
	int size = s->stones & SIZE_BITS;
	return side == BLACK ? __builtin_ctzll(mine) / 8
			     : size - 1 - (63 - __builtin_clzll(mine)) / 8;
}

/* The pieces at most so many rows from their goal. */
INLINE uint64_t within(const struct state *s, int side, int rows)
{
	int size = s->stones & SIZE_BITS, down = 8 * (size - 1 - rows);
	return s->board[side] &
	       (side == BLACK ? UINT64_MAX >> (8 * (7 - rows)) : UINT64_MAX << down);
}

/* Returns true if a piece of `side` reaches the goal whatever the other side does, which moves first and whose pieces
 * are `theirs`; its only way is straight ahead. */
INLINE bool runs_free(const struct state *s, int side, int from, uint64_t theirs)
{
	return !(theirs & stoppers[side][from]) && !(s->board[side] & straight[side][from]);
}

/* Returns true if the side to move wins the race: one of its pieces gets away with this move, and no enemy can be at
 * its goal earlier. */
static bool wins_race(const struct state *s, int rows)
{
	const struct breakthrough_board *b = board_of(s);
	int side = s->side;
	uint64_t theirs = s->board[side ^ 1], runners = within(s, side, rows);
	uint64_t attacked = attacks(b, false, theirs, side ^ 1);
	for (int way = 0; way < PAWN_WAYS; way++) {
		uint64_t to = reach(b, false, runners, side, way) & ~s->board[side];
		to &= way == 1 ? ~(attacked | theirs) : ~attacked;
		if (to & b->near[0][side])
			return true;
		for (; to; to &= to - 1)
			if (runs_free(s, side, __builtin_ctzll(to), theirs & ~(to & -to)))
				return true;
	}
	return false;
}

/* Returns true if the side that is not to move has a piece that nobody can stop, and the other side is slower. */
static bool loses_race(const struct state *s, int rows)
{
	int other = s->side ^ 1;
	uint64_t runners = within(s, other, rows);
	for (; runners; runners &= runners - 1)
		if (runs_free(s, other, __builtin_ctzll(runners), s->board[s->side]))
			return true;
	return false;
}

/* The side to move needs as many moves as its distance and wins if the other side's is no smaller. */
static int decide_race(const struct state *s)
{
	int mine = foremost(s, s->side), theirs = foremost(s, s->side ^ 1);
	if (mine <= theirs && wins_race(s, theirs))
		return side_sign(s->side);
	if (theirs < mine && loses_race(s, mine - 1))
		return -side_sign(s->side);
	return 0;
}

/* The side to move wins in two moves if one of its knights gets near its goal where nothing attacks it, and the other
 * side has none near its own goal, or only the one that this move captures. Returns the winner as game.decided does. */
static int decide_jump(const struct state *s)
{
	const struct breakthrough_board *b = board_of(s);
	int side = s->side;
	uint64_t theirs = s->board[side ^ 1], near = b->near[1][side];
	uint64_t to = attacks(b, true, s->board[side], side) & ~s->board[side] & near;
	uint64_t threats = theirs & b->near[1][side ^ 1];
	if (threats)
		to &= threats & -threats & (threats & (threats - 1) ? 0 : UINT64_MAX);
	return to & ~attacks(b, true, theirs, side ^ 1) ? side_sign(side) : 0;
}

/* --- evaluation --- */

#define VALUE_MOST 99 /* of positions that are not over */

/* Weights in tenths of a piece. */
#define PIECE      10
#define GUARDED    1 /* a piece that another one protects */
#define TEMPO      2
#define TAKES      7  /* the side to move can win a piece */
#define HANGS      2  /* the other side attacks a piece for nothing; two: one is lost */
#define HALF_VALUE 50 /* this advantage is worth half a win */

/* By the number of rows to the goal. */
static const int8_t row_values[SIDE_MAX] = { 0, 40, 18, 10, 6, 3, 1, 3 };

INLINE int value_of(const struct state *s, const bool knight, int side)
{
	const struct breakthrough_board *b = board_of(s);
	uint64_t mine = s->board[side], row = b->goal[side];
	int size = s->stones & SIZE_BITS, value = PIECE * __builtin_popcountll(mine);
	for (int rows = 1; rows < size; rows++) {
		row = side == BLACK ? row << 8 : row >> 8;
		value += row_values[rows] * __builtin_popcountll(mine & row);
	}
	return value + GUARDED * __builtin_popcountll(mine & attacks(b, knight, mine, side));
}

/* The pieces of a side that the other side attacks and that nothing protects. */
INLINE uint64_t hanging(const struct state *s, const bool knight, int side)
{
	const struct breakthrough_board *b = board_of(s);
	uint64_t mine = s->board[side];
	return mine & attacks(b, knight, s->board[side ^ 1], side ^ 1) &
	       ~attacks(b, knight, mine, side);
}

INLINE int evaluate(const struct state *s, const bool knight)
{
	int side = s->side, decided = knight ? decide_jump(s) : decide_race(s);
	if (decided)
		return decided * VALUE_MOST;
	int value = value_of(s, knight, side) - value_of(s, knight, side ^ 1) + TEMPO;
	uint64_t prey = hanging(s, knight, side ^ 1), lost = hanging(s, knight, side);
	value += prey ? TAKES : 0;
	value -= !lost ? 0 : lost & (lost - 1) ? TAKES : HANGS;
	int size = value < 0 ? -value : value;
	return side_sign(side) * ((VALUE_MOST - 1) * value / (size + HALF_VALUE));
}

/* The networks, linked into the program. They have learned on 8x8. */
EMBED_LARGE(breakthrough_net, "games/breakthrough/breakthrough.net");
EMBED_LARGE(knightthrough_net, "games/breakthrough/knightthrough.net");

static struct board_net pawn_net = { .file = breakthrough_net, .game = &game_breakthrough },
			knight_net = { .file = knightthrough_net };
static const struct evaluator pawn_evaluator = BOARD_NET_EVALUATOR(&pawn_net),
			      knight_evaluator = BOARD_NET_EVALUATOR(&knight_net);

/* --- the functions of the tables --- */

#define RULES(NAME, KNIGHT)                                                                        \
	static int NAME##_moves(const struct game *g, const struct state *s, move_t *out)          \
	{                                                                                          \
		return list_steps(s, KNIGHT, UINT64_MAX, out);                                     \
	}                                                                                          \
	static void NAME##_play(const struct game *g, struct state *s, move_t step)                \
	{                                                                                          \
		play_step(s, KNIGHT, step);                                                        \
	}                                                                                          \
	static int NAME##_playout(const struct game *g, const struct state *s, struct rng *rng)    \
	{                                                                                          \
		return play_randomly(s, KNIGHT, rng);                                              \
	}                                                                                          \
	static bool NAME##_wins(const struct game *g, const struct state *s)                       \
	{                                                                                          \
		return wins_now(s, KNIGHT);                                                        \
	}                                                                                          \
	static int NAME##_safe(const struct game *g, const struct state *s, move_t *out)           \
	{                                                                                          \
		return list_safe(s, KNIGHT, out);                                                  \
	}                                                                                          \
	static int NAME##_decided(const struct game *g, const struct state *s)                     \
	{                                                                                          \
		return (KNIGHT) ? decide_jump(s) : decide_race(s);                                 \
	}                                                                                          \
	static int NAME##_eval(const struct game *g, const struct state *s)                        \
	{                                                                                          \
		return evaluate(s, KNIGHT);                                                        \
	}                                                                                          \
	static enum move_check NAME##_parse(const struct game *g, const struct state *s,           \
					    const char *text, struct move *m)                      \
	{                                                                                          \
		return parse_step(g, s, KNIGHT, text, m);                                          \
	}                                                                                          \
	static void NAME##_format(const struct game *g, const struct state *s, struct move m,      \
				  char text[MOVE_TEXT_MAX])                                        \
	{                                                                                          \
		format_step(g, s, KNIGHT, m.step[0], text);                                        \
	}                                                                                          \
	static move_t NAME##_mirror(const struct game *g, move_t step, int symmetry)               \
	{                                                                                          \
		return mirror_step(g, KNIGHT, step, symmetry);                                     \
	}

/* Reads a move: two squares, with `-`, `x` or `:` between them if the client likes, and `*` after a capture, as
 * OpenSpiel writes it. */
INLINE enum move_check parse_step(const struct game *g, const struct state *s, const bool knight,
				  const char *text, struct move *m)
{
	int row, col, to_row, to_col;
	const char *rest = square_parse(g, text, &row, &col);
	if (rest && *rest && strchr("-x:", tolower((unsigned char)*rest)))
		rest++;
	rest = rest ? square_parse(g, rest, &to_row, &to_col) : NULL;
	if (!rest || strcmp(rest + (*rest == '*'), "") != 0)
		return MOVE_MALFORMED;
	uint64_t to = UINT64_C(1) << (8 * to_row + to_col);
	for (int way = 0; way < ways(knight); way++) {
		int down = side_sign(s->side) * (row - to_row);
		if (down != row_change(knight, way) || to_col - col != col_change(knight, way) ||
		    !(s->board[s->side] >> (8 * row + col) & 1) ||
		    !(targets(board_of(s), knight, s, way) & to))
			continue;
		*m = move_single(step_of(board_of(s), knight, 8 * row + col, way));
		return MOVE_OK;
	}
	return MOVE_ILLEGAL;
}

INLINE void format_step(const struct game *g, const struct state *s, const bool knight, move_t step,
			char text[MOVE_TEXT_MAX])
{
	int from = from_of(board_of(s), knight, step);
	uint64_t to = target_of(knight, s->side, from, step % ways(knight));
	int bit = __builtin_ctzll(to);
	char names[2][SQUARE_TEXT_MAX];
	square_format(g, from / 8, from % 8, names[0]);
	square_format(g, bit / 8, bit % 8, names[1]);
	bool stars = s->stones & OPENSPIEL && to & s->board[s->side ^ 1];
	snprintf(text, MOVE_TEXT_MAX, "%.2s%.2s%s", names[0], names[1], stars ? "*" : "");
}

/* Rows, columns or both are reversed. The other side's moves go the other way, so reversed rows keep the direction. */
INLINE move_t mirror_step(const struct game *g, const bool knight, move_t step, int symmetry)
{
	int from = step / ways(knight), way = step % ways(knight);
	int row = from / g->board.cols, col = from % g->board.cols;
	if (symmetry & 1)
		row = g->board.rows - 1 - row;
	if (symmetry & 2) {
		col = g->board.cols - 1 - col;
		way = ways(knight) - 1 - way;
	}
	return (move_t)(ways(knight) * (g->board.cols * row + col) + way);
}

static char breakthrough_at(const struct game *g, const struct state *s, int row, int col)
{
	uint64_t square = UINT64_C(1) << (8 * row + col);
	return s->board[BLACK] & square ? 'X' : s->board[WHITE] & square ? 'O' : '.';
}

static void breakthrough_stones(const struct game *g, const struct state *s, uint64_t set[2])
{
	int size = s->stones & SIZE_BITS;
	for (int side = BLACK; side <= WHITE; side++) {
		set[side] = 0;
		for (int row = 0; row < size; row++)
			set[side] |= (s->board[side] >> 8 * row & ((1u << size) - 1)) << size * row;
	}
}

static bool breakthrough_valid(const struct game *g, const struct state *s)
{
	int size = s->stones & SIZE_BITS, most = 2 * size;
	struct state expected = *s;
	if (size < SIDE_MIN || size > SIDE_MAX || s->pending)
		return false;
	breakthrough_set_result(&expected);
	return (s->board[BLACK] & s->board[WHITE]) == 0 &&
	       ((s->board[BLACK] | s->board[WHITE]) & ~board_of(s)->squares) == 0 &&
	       __builtin_popcountll(s->board[BLACK]) <= most &&
	       __builtin_popcountll(s->board[WHITE]) <= most && !breakthrough_has_won(s, s->side) &&
	       (s->board[BLACK] || s->board[WHITE]) && expected.over == s->over &&
	       expected.score == s->score && s->hash == state_hash(s);
}

RULES(pawn, false)
RULES(knight, true)

static const char guide[] =
	"Black (X) fills the two rows at the bottom, White (O) those at the top. Black\n"
	"moves first. A piece moves one square straight or diagonally ahead, to an empty\n"
	"square. Diagonally it may also capture an enemy; straight ahead it may not. It\n"
	"never moves sideways or back. Who reaches the far row wins, or who captures all\n"
	"enemies. There are no draws.\n"
	"\n"
	"     A B C D E\n"
	"   5 O . O O . 5\n"
	"   4 . . . . X 4     Black to move wins with E4D5, a capture, or E4E5.\n"
	"   3 . O . . . 3\n"
	"   2 X . X . . 2\n"
	"   1 X X . X . 1\n"
	"\n"
	"A move is the square of the piece and its new square, counted from the bottom\n"
	"left: d2e3\n";

static const char guide_openspiel[] =
	"The rules are those of Breakthrough: a piece moves one square, straight or\n"
	"diagonally ahead, and captures only diagonally. Who reaches the far row wins,\n"
	"or who captures all enemies.\n"
	"\n"
	"The names of moves are those of OpenSpiel: row 1 is at the top, so Black (X)\n"
	"starts in the last two rows and moves to row 1. A capture ends with a star.\n"
	"\n"
	"     A B C D E F\n"
	"   1 O O O O O O 1\n"
	"   2 O O O O O . 2\n"
	"   3 . . . . . O 3     Black to move may capture with E4F3*.\n"
	"   4 . . . . X . 4\n"
	"   5 X X X X . X 5\n"
	"   6 X X X X X X 6\n"
	"\n"
	"A move is the square of the piece and its new square: c5d4 e4f3*\n";

static const char guide_knight[] =
	"Black (X) fills the two rows at the bottom, White (O) those at the top. Black\n"
	"moves first. A piece moves as a knight of chess, but only ahead: one row and\n"
	"two columns, or two rows and one column. It jumps over all pieces, and captures\n"
	"an enemy on its new square. Who reaches the far row wins, or who captures all\n"
	"enemies. There are no draws.\n"
	"\n"
	"     A B C D E\n"
	"   5 O . O O . 5\n"
	"   4 . O . . . 4\n"
	"   3 . . . X . 3     Black to move wins with D3C5, a capture, or D3E5.\n"
	"   2 X . X . . 2\n"
	"   1 X X . X . 1\n"
	"\n"
	"A move is the square of the piece and its new square, counted from the bottom\n"
	"left: d2e4\n";

/* The Elo of the levels on 8x8. */
static const int16_t pawn_ratings[LEVEL_MAX] = {
	542, 1064, 1551, 1878, 2164, 2456, 2673, 2946, 3131
};
static const int16_t knight_ratings[LEVEL_MAX] = { 522,  941,  1301, 1563, 1855,
						   2154, 2316, 2589, 2797 };

/* The longest game: all pieces but one stop before the goal. */
#define LENGTH(SIDE) (2 * (SIDE) * (2 * (SIDE)-5) + 1)

#define TABLE(DECLARED, SIDE, NAME, TITLE, GUIDE, RULE_SET, SIZES, UP, RULE, WAYS)                 \
	DECLARED = {                                                                               \
		.name = (NAME),                                                                    \
		.title = (TITLE),                                                                  \
		.rules = (RULE_SET),                                                               \
		.sizes = (SIZES),                                                                  \
		.board = { .rows = (SIDE), .cols = (SIDE), .goes_up = (UP), .color = BOARD_WOOD }, \
		.steps = { .codes = (SIDE) * (SIDE) * (WAYS),                                      \
			   .choices = 2 * (SIDE) * (WAYS),                                         \
			   .length = LENGTH(SIDE),                                                 \
			   .per_move = 1,                                                          \
			   .pass = MOVE_NONE,                                                      \
			   .frees_squares = true },                                                \
		.score = { .most = 1, .no_draws = true },                                          \
		.init = breakthrough_init,                                                         \
		.start = breakthrough_start,                                                       \
		.setup = breakthrough_setup,                                                       \
		.moves = RULE##_moves,                                                             \
		.play = RULE##_play,                                                               \
		.parse = RULE##_parse,                                                             \
		.format = RULE##_format,                                                           \
		.at = breakthrough_at,                                                             \
		.valid = breakthrough_valid,                                                       \
		.words = &(const struct words) { .guide = (GUIDE), .facts = breakthrough_facts },  \
		.playouts = &(const struct playouts) { .uniform = RULE##_playout },                \
		.threats = &(const struct threats) { .wins = RULE##_wins,                          \
						     .safe = RULE##_safe,                          \
						     .decided = RULE##_decided },                  \
		.eval = &(const struct eval) { .value = RULE##_eval },                             \
		.images = &(const struct images) { .stones = breakthrough_stones,                  \
						   .symmetries = 1u << 2,                          \
						   .mirror = RULE##_mirror,                        \
						   .view = 1 },                                    \
		.tuning = &(const struct tuning) { .search = "mcts",                               \
						   .evaluator_cost = BOARD_NET_COST,               \
						   .usual_length = (SIDE) * (SIDE) *               \
								   ((WAYS) == PAWN_WAYS ? 7 : 4) / \
								   8,                              \
						   .ratings = (SIDE) == SIDE_MAX ? RULE##_ratings  \
										 : NULL },         \
		.evaluator = &RULE##_evaluator,                                                    \
	}

#define BREAKTHROUGH(DECLARED, SIDE)                                                               \
	TABLE(DECLARED, SIDE, "breakthrough", "Breakthrough", guide, "standard", sizes, true,      \
	      pawn, PAWN_WAYS)
#define BREAKTHROUGH_OPENSPIEL(DECLARED, SIDE)                                                     \
	TABLE(DECLARED, SIDE, "breakthrough", "Breakthrough", guide_openspiel, "openspiel",        \
	      openspiel_sizes, false, pawn, PAWN_WAYS)
#define KNIGHTTHROUGH(DECLARED, SIDE)                                                              \
	TABLE(DECLARED, SIDE, "knightthrough", "Knightthrough", guide_knight, "standard",          \
	      knight_sizes, true, knight, KNIGHT_WAYS)

static const struct game *const sizes[], *const openspiel_sizes[], *const knight_sizes[];

BREAKTHROUGH(const struct game game_breakthrough, 8);
BREAKTHROUGH(static const struct game breakthrough_5, 5);
BREAKTHROUGH(static const struct game breakthrough_6, 6);
BREAKTHROUGH(static const struct game breakthrough_7, 7);
BREAKTHROUGH_OPENSPIEL(const struct game game_breakthrough_openspiel, 8);
BREAKTHROUGH_OPENSPIEL(static const struct game openspiel_6, 6);
BREAKTHROUGH_OPENSPIEL(static const struct game openspiel_7, 7);
KNIGHTTHROUGH(const struct game game_knightthrough, 8);
KNIGHTTHROUGH(static const struct game knightthrough_5, 5);
KNIGHTTHROUGH(static const struct game knightthrough_6, 6);
KNIGHTTHROUGH(static const struct game knightthrough_7, 7);

/* The default size first. */
static const struct game *const sizes[] = { &game_breakthrough, &breakthrough_5, &breakthrough_6,
					    &breakthrough_7, NULL };
static const struct game *const openspiel_sizes[] = { &game_breakthrough_openspiel, &openspiel_6,
						      &openspiel_7, NULL };
static const struct game *const knight_sizes[] = { &game_knightthrough, &knightthrough_5,
						   &knightthrough_6, &knightthrough_7, NULL };
