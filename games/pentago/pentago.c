/* SPDX-License-Identifier: MIT
 *
 * Pentago with three rule sets. They differ only in when and how lines count.
 *
 * board[0] and board[1] hold the stones of Black and White. Each quadrant has a lane of 16 bits, in the order
 * of the letters of the turns: top left, top right, bottom right, bottom left. In a lane
 *
 *     0 1 2
 *     7 8 3    bits 0-7 are the ring, clockwise, so that a turn rotates a byte by two bits;
 *     6 5 4    bit 8 is the centre, which never moves
 *
 * PENDING is set in board[0] between placement and turn. board[2] is the rule set, the same in every state
 * of a game. A step is the square of a placement, 6*row+col, or a turn, 36 .. 43.
 *
 * Each of the 32 lines of five is a bit of a word. A table lookup per quadrant gives the lines whose squares
 * in that quadrant all have stones. The AND of all four lookups gives the complete lines.
 */
#include <ctype.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"
#include "games/pentago/pentago_solver.h"
#include "games/pentago/quadrant_net.h"

/* The weights of the network and the opening book, linked into the program. */
EMBED_LARGE(pentago_net, "games/pentago/pentago.net");
EMBED(pentago_book, "games/pentago/pentago.book");

static struct net net = { .file = pentago_net };
static const struct evaluator evaluator = NET_EVALUATOR(&net);

#define PENDING    (UINT64_C(1) << 63)

/* In a playout two more bits of a lane count the clockwise quarter turns of the quadrant, modulo 4. */
#define TURNED_SET UINT64_C(0x0600060006000600)
#define TURNED_BIT 9

static const uint8_t lane_of[2][2] = { { 0, 1 }, { 3, 2 } };
static const uint8_t cell_of[3][3] = { { 0, 1, 2 }, { 7, 8, 3 }, { 6, 5, 4 } };

static uint8_t bit_of[SQUARES];
static uint8_t square_of[16 * LANES];
/* Converts the stones of a lane to squares of the board. */
static uint64_t squares_of[LANES][LANE_SETS];
uint32_t pentago_possible[LANES][TURNED_MAX * LANE_SETS];

static uint64_t line_cells[LINES];

/* The number of stones of a set on each line, in binary (bit planes), for evaluation and threats. */
static struct {
	uint32_t ones, twos;
} stones_on[LANES][LANE_SETS];

static uint32_t lane(uint64_t board, int i)
{
	return board >> 16 * i & 0xffff;
}

/* Turns a quadrant clockwise by `times` quarters. */
static uint32_t lane_turned(uint32_t set, int times)
{
	uint32_t ring = set & 0xff;
	return (set & 0x100) | ((ring << 2 * times | ring >> (8 - 2 * times)) & 0xff);
}

static uint64_t board_turned(uint64_t board, int turn)
{
	int shift = 16 * (turn >> 1);
	uint32_t set = board >> shift & 0x1ff;
	return board ^ (uint64_t)(set ^ lane_turned(set, pentago_quarters(turn))) << shift;
}

static bool pentago_on_board(int row, int col)
{
	return row >= 0 && row < SIZE && col >= 0 && col < SIZE;
}

static uint64_t five_from(int row, int col, const int step[2])
{
	uint64_t set = 0;
	for (int i = 0; i < 5; i++)
		set |= UINT64_C(1) << bit_of[SIZE * (row + i * step[0]) + col + i * step[1]];
	return set;
}

static void find_lines(void)
{
	static const int steps[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };
	int six = 0, lone = 2 * SIXES;
	for (int i = 0; i < 4 * SQUARES; i++) {
		const int *step = steps[i / SQUARES];
		int row = i % SQUARES / SIZE, col = i % SIZE;
		if (pentago_on_board(row - step[0], col - step[1]) ||
		    !pentago_on_board(row + 4 * step[0], col + 4 * step[1]))
			continue;
		if (pentago_on_board(row + 5 * step[0], col + 5 * step[1])) {
			line_cells[six + SIXES] = five_from(row + step[0], col + step[1], step);
			line_cells[six++] = five_from(row, col, step);
		} else {
			line_cells[lone++] = five_from(row, col, step);
		}
	}
}

static void pentago_init(const struct game *g)
{
	for (int i = 0; i < SQUARES; i++) {
		int row = i / SIZE, col = i % SIZE;
		int bit = 16 * lane_of[row / 3][col / 3] + cell_of[row % 3][col % 3];
		bit_of[i] = (uint8_t)bit;
		square_of[bit] = (uint8_t)i;
		for (int set = 0; set < LANE_SETS; set++)
			if (set >> bit % 16 & 1)
				squares_of[bit / 16][set] |= UINT64_C(1) << i;
	}
	find_lines();
	for (int i = 0; i < LANES * LANE_SETS * LINES; i++) {
		int q = i / LINES / LANE_SETS, line = i % LINES;
		uint32_t set = (uint32_t)(i / LINES % LANE_SETS), part = lane(line_cells[line], q);
		uint32_t stones = (uint32_t)__builtin_popcount(set & part);
		stones_on[q][set].ones |= (stones & 1) << line;
		stones_on[q][set].twos |= (stones >> 1) << line;
		for (int times = 0; times < TURNED_MAX; times++)
			if (!(part & ~lane_turned(set, times)))
				pentago_possible[q][times * LANE_SETS + (int)set] |= 1u << line;
	}
	pentago_solver_init();
}

/* The complete lines of five in a set of stones. Its lanes may contain counts of turns. */
static inline uint32_t lines_of(uint64_t board)
{
	return pentago_possible[0][board & 0xffff] & pentago_possible[1][board >> 16 & 0xffff] &
	       pentago_possible[2][board >> 32 & 0xffff] & pentago_possible[3][board >> 48];
}

/* Counts the lines of five or six. A line of six counts once. */
static int count_lines(uint32_t lines)
{
	return __builtin_popcount(lines) - __builtin_popcount(lines & lines >> SIXES & SIXES_SET);
}

/* Returns true if these lines end the game. *margin is the result for the side with `mine`, 0 if the game
 * goes on. */
static inline bool ends(enum rules rules, uint32_t mine, uint32_t theirs, int *margin)
{
	*margin = 0;
	if (!(mine | theirs))
		return false;
	*margin = rules == TAJIMA ? score_sign(count_lines(mine) - count_lines(theirs))
				  : (mine != 0) - (theirs != 0);
	return rules != TAJIMA || *margin != 0;
}

/* Returns true if the lines on the board end the game. *margin is Black's result. */
static bool board_ends(const struct state *s, int *margin)
{
	return ends((enum rules)s->board[RULES], lines_of(s->board[BLACK] & FULL),
		    lines_of(s->board[WHITE]), margin);
}

/* Sets `over` and `score` from the board after a turn. */
static void pentago_set_result(struct state *s)
{
	int margin;
	s->over = board_ends(s, &margin) || (s->board[BLACK] | s->board[WHITE]) == FULL;
	s->score = (int16_t)margin;
}

static void pentago_start(struct state *s, enum rules rules)
{
	memset(s, 0, sizeof *s);
	s->board[RULES] = rules;
	s->hash = state_hash(s);
}

static const char *pentago_setup(struct state *s, enum rules rules, const char *squares, int side)
{
	memset(s, 0, sizeof *s);
	s->board[RULES] = rules;
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] != '.')
			s->board[squares[i] == 'X' ? BLACK : WHITE] |= UINT64_C(1) << bit_of[i];
	const char *why = game_check_stones(s, side);
	if (why)
		return why;
	s->side = (uint8_t)side;
	pentago_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

static int pentago_moves(const struct game *g, const struct state *s, move_t *out)
{
	if (s->pending) {
		for (int i = 0; i < TURNS; i++)
			out[i] = (move_t)(SQUARES + i);
		return TURNS;
	}
	int n = 0;
	for (uint64_t empty = FULL & ~(s->board[BLACK] | s->board[WHITE]); empty;
	     empty &= empty - 1)
		out[n++] = square_of[__builtin_ctzll(empty)];
	return n;
}

static void pentago_play_placement(struct state *s, move_t square)
{
	s->board[s->side] |= UINT64_C(1) << bit_of[square];
	int margin;
	if (s->board[RULES] != OPENSPIEL && board_ends(s, &margin)) {
		s->over = 1;
		s->score = (int16_t)margin;
		s->side ^= 1;
	} else {
		s->pending = 1;
		s->board[BLACK] |= PENDING;
	}
}

static void pentago_play_turn(struct state *s, int turn)
{
	s->board[BLACK] = board_turned(s->board[BLACK] & FULL, turn);
	s->board[WHITE] = board_turned(s->board[WHITE], turn);
	s->pending = 0;
	s->side ^= 1;
	pentago_set_result(s);
}

static void pentago_play(const struct game *g, struct state *s, move_t step)
{
	if (s->pending)
		pentago_play_turn(s, step - SQUARES);
	else
		pentago_play_placement(s, step);
	s->hash = state_hash(s);
}

/* What a turn adds to the counts of turns in the lanes. */
static inline uint64_t turn_step(int turn)
{
	return (uint64_t)pentago_quarters(turn) << (16 * (turn >> 1) + TURNED_BIT);
}

/* A turn leaves the stones in place and only counts the turns of the quadrant. A uniform choice of an empty
 * square stays uniform under turns. So a choice does not depend on the board after the previous move.
 *
 * A stone only adds lines. So one test covers the lines after a turn and after the next stone. They are
 * distinguished only if there are any. */
static int pentago_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	if (s->over)
		return s->score;
	enum rules rules = (enum rules)s->board[RULES];
	uint64_t mine = s->board[s->side] & FULL, theirs = s->board[s->side ^ 1] & FULL;
	uint64_t turned = 0, empty[SQUARES];
	uint64_t counted = rules == OPENSPIEL ? 0 : FULL; /* new stones count before the turn */
	uint32_t n = 0;
	for (uint64_t set = FULL & ~(mine | theirs); set; set &= set - 1)
		empty[n++] = set & -set;
	if (s->pending) {
		turned = turn_step((int)rng_below(rng, TURNS));
		uint64_t next = theirs;
		theirs = mine;
		mine = next;
	}
	int margin;
	for (; n; n--) {
		uint64_t r = rng_next(rng);
		uint64_t *choice = &empty[(r >> 32) * n >> 32], stone = *choice;
		*choice = empty[n - 1];
		if (n <= SQUARES - 8) { /* earlier no side has five stones */
			uint32_t placed = lines_of(mine | (stone & counted) | turned);
			uint32_t left = lines_of(theirs | turned);
			if (__builtin_expect((placed | left) != 0, 0) &&
			    (ends(rules, lines_of(mine | turned), left, &margin) ||
			     ends(rules, placed, left, &margin)))
				break;
		}
		turned = (turned + turn_step((int)(r % TURNS))) & TURNED_SET;
		uint64_t next = theirs;
		theirs = mine | stone;
		mine = next;
	}
	if (n == 0)
		ends(rules, lines_of(mine | turned), lines_of(theirs | turned), &margin);
	return n % 2 ? -margin : margin; /* Black moves if the number of empty squares is even */
}

/* The number of stones on each line, in binary: the lines of one side in the low half, of the other in the
 * high half. */
struct counts {
	uint64_t ones, twos, fours;
};

static inline struct counts count_lane(int q, uint32_t low, uint32_t high)
{
	return (struct counts) {
		.ones = stones_on[q][low].ones | (uint64_t)stones_on[q][high].ones << 32,
		.twos = stones_on[q][low].twos | (uint64_t)stones_on[q][high].twos << 32,
	};
}

static inline struct counts counts_add(struct counts a, struct counts b)
{
	uint64_t carry = a.ones & b.ones, twos = a.twos ^ b.twos;
	return (struct counts) {
		.ones = a.ones ^ b.ones,
		.twos = twos ^ carry,
		.fours = a.fours | b.fours | (a.twos & b.twos) | (carry & twos),
	};
}

/* The lines with four stones of a side and none of the other side; below, the lines with five. */
static inline uint64_t lines_to_fill(struct counts c)
{
	uint64_t occupied = c.ones | c.twos | c.fours;
	return c.fours & ~c.ones & ~(occupied << 32 | occupied >> 32);
}

static inline uint64_t lines_full(struct counts c)
{
	return c.fours & c.ones;
}

/* Returns true if the side to choose can win at once. Plays the steps. Used if the number of lines matters
 * (TAJIMA). */
static bool wins_slowly(const struct game *g, const struct state *s)
{
	move_t steps[SQUARES];
	int count = pentago_moves(g, s, steps);
	for (int i = 0; i < count; i++) {
		struct state next = *s;
		pentago_play(g, &next, steps[i]);
		if (next.over ? score_sign(next.score) == side_sign(s->side)
			      : next.pending && wins_slowly(g, &next))
			return true;
	}
	return false;
}

/* Tests the lines of the board after each turn. The side wins if one of its lines is full, or will be full
 * with a stone placed before the turn, and the other side has no full line. */
static bool pentago_wins(const struct game *g, const struct state *s)
{
	uint64_t mine = s->board[s->side] & FULL, theirs = s->board[s->side ^ 1] & FULL;
	struct counts lanes[LANES], before[LANES + 1] = { 0 }, after = { 0 };
	if (__builtin_popcountll(mine) < 4)
		return false;
	for (int q = 0; q < LANES; q++) {
		lanes[q] = count_lane(q, lane(mine, q), lane(theirs, q));
		before[q + 1] = counts_add(before[q], lanes[q]);
	}
	struct counts all = before[LANES];
	enum rules rules = (enum rules)s->board[RULES];
	if (rules == TAJIMA && lines_full(all))
		return wins_slowly(g, s);
	if (!s->pending && rules != OPENSPIEL && (uint32_t)lines_to_fill(all))
		return true;
	bool may_fill = !s->pending;
	for (int q = LANES - 1; q >= 0; q--) {
		struct counts others = counts_add(before[q], after);
		for (int times = 1; times <= 3; times += 2) {
			struct counts c = counts_add(
				others, count_lane(q, lane_turned(lane(mine, q), times),
						   lane_turned(lane(theirs, q), times)));
			uint64_t full = lines_full(c);
			uint32_t won = (uint32_t)(full | (may_fill ? lines_to_fill(c) : 0));
			if (won && !(full >> 32))
				return true;
			/* Both sides have lines: play the steps to compare their numbers. */
			if (won && rules == TAJIMA && wins_slowly(g, s))
				return true;
		}
		after = counts_add(after, lanes[q]);
	}
	return false;
}

/* A board with some quadrants turned, as counts of stones on lines. The other side's stones are in the low
 * halves. */
struct pentago_view {
	struct counts counts;
	uint8_t times[LANES];
};

/* The stones of both sides, with each lane turned by 0 to 3 quarters. */
struct quarters {
	struct counts counts[LANES][TURNED_MAX];
	uint32_t taken[LANES][TURNED_MAX];
};

static inline struct pentago_view view_turned(const struct quarters *all,
					      const struct pentago_view *from, int q, int times)
{
	struct pentago_view v = *from;
	v.times[q] = (uint8_t)times;
	v.counts = counts_add(v.counts, all->counts[q][times]);
	return v;
}

/* The empty squares of some lines, as squares of the board before the turns. */
static uint64_t free_squares(const struct quarters *all, const struct pentago_view *v, uint32_t set)
{
	uint64_t squares = 0;
	for (; set; set &= set - 1)
		for (int q = 0; q < LANES; q++) {
			uint32_t left = lane(line_cells[__builtin_ctz(set)], q) &
					~all->taken[q][v->times[q]];
			squares |=
				(uint64_t)lane_turned(left, (TURNED_MAX - v->times[q]) % TURNED_MAX)
				<< 16 * q;
		}
	return squares;
}

/* The squares for a stone before the turns that answer the other side's lines in this view: the stone
 * blocks the other side's line, or completes a line of this side too. `fills`: the other side may also add
 * a stone. */
static uint64_t pentago_answers(const struct quarters *all, const struct pentago_view *v,
				bool fills)
{
	uint64_t full = lines_full(v->counts), fill = lines_to_fill(v->counts), needed = 0;
	uint32_t theirs = fills ? (uint32_t)fill : 0;
	if ((!(uint32_t)full && !theirs) || full >> 32)
		return FULL;
	if (!(uint32_t)full)
		needed = free_squares(all, v, theirs);
	if (needed & (needed - 1))
		needed = 0;
	return needed | free_squares(all, v, (uint32_t)(fill >> 32));
}

/* The squares with a turn after which the other side cannot complete a line at once, computed from counts
 * of lines. For each turn these are the squares that answer all views after any turn of the other side. If
 * the turn itself completes a line of the other side, they are the squares that complete a line of this
 * side too. */
static uint64_t safe_squares(const struct state *s)
{
	uint64_t mine = s->board[s->side] & FULL, theirs = s->board[s->side ^ 1] & FULL;
	enum rules rules = (enum rules)s->board[RULES];
	struct quarters all;
	uint64_t left[LANES][TURNED_MAX], ended[LANES][TURNED_MAX], safe = 0;
	struct pentago_view none = { 0 }, still = none;
	for (int q = 0; q < LANES; q++) {
		for (int times = 0; times < TURNED_MAX; times++) {
			uint32_t a = lane_turned(lane(theirs, q), times);
			uint32_t b = lane_turned(lane(mine, q), times);
			all.counts[q][times] = count_lane(q, a, b);
			all.taken[q][times] = a | b;
		}
		still = view_turned(&all, &still, q, 0);
	}
	uint64_t back = pentago_answers(&all, &still,
					true); /* view after the other side turns it back */
	for (int q = 0; q < LANES; q++) {
		struct pentago_view rest = none;
		for (int i = 0; i < LANES; i++)
			if (i != q)
				rest = view_turned(&all, &rest, i, 0);
		struct pentago_view half = view_turned(&all, &rest, q, 2);
		uint64_t on = back & pentago_answers(&all, &half, true);
		for (int times = 1; times <= 3; times += 2) {
			struct pentago_view v = view_turned(&all, &rest, q, times);
			uint64_t squares = pentago_answers(&all, &v, rules != OPENSPIEL);
			left[q][times] = on & squares;
			ended[q][times] = (uint32_t)lines_full(v.counts) ? squares : 0;
		}
	}
	for (int q = 0; q < LANES; q++)
		for (int r = q + 1; r < LANES; r++) {
			struct pentago_view rest = none;
			for (int i = 0; i < LANES; i++)
				if (i != q && i != r)
					rest = view_turned(&all, &rest, i, 0);
			for (int times = 1; times <= 3; times += 2) {
				struct pentago_view half = view_turned(&all, &rest, q, times);
				for (int others = 1; others <= 3; others += 2) {
					struct pentago_view v = view_turned(&all, &half, r, others);
					uint64_t squares = pentago_answers(&all, &v, true);
					left[q][times] &= squares;
					left[r][others] &= squares;
				}
			}
		}
	for (int q = 0; q < LANES; q++)
		safe |= left[q][1] | left[q][3] | ended[q][1] | ended[q][3];
	return safe & ~(mine | theirs);
}

static bool is_safe_turn(const struct game *g, const struct state *s, int turn)
{
	struct state next = *s;
	pentago_play_turn(&next, turn);
	return next.over ? next.score * side_sign(s->side) >= 0 : !pentago_wins(g, &next);
}

static int pentago_safe(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0, theirs = __builtin_popcountll(s->board[s->side ^ 1] & FULL);
	/* Too few stones, or the board is full after this move. */
	if (theirs < 4 || theirs == SQUARES / 2)
		return pentago_moves(g, s, out);
	if (s->pending) {
		for (int i = 0; i < TURNS; i++)
			if (is_safe_turn(g, s, i))
				out[n++] = (move_t)(SQUARES + i);
		return n;
	}
	for (uint64_t squares = safe_squares(s); squares; squares &= squares - 1)
		out[n++] = square_of[__builtin_ctzll(squares)];
	return n;
}

/* The worth of lines, given the bit planes of their counts: 0, 1, 3 and 9 for 1, 2, 3 and at least 4
 * stones. */
static int worth(uint64_t ones, uint64_t twos, uint64_t fours)
{
	return __builtin_popcountll(twos) + 2 * __builtin_popcountll(twos & ones) +
	       9 * __builtin_popcountll(fours);
}

/* The difference between the worth of Black's and White's open lines, relative to their sum. A constant in
 * the sum keeps the value small if there are few lines. */
static int pentago_value(const struct game *g, const struct state *s)
{
	struct counts c = { 0 };
	for (int q = 0; q < LANES; q++)
		c = counts_add(c,
			       count_lane(q, lane(s->board[BLACK], q), lane(s->board[WHITE], q)));
	uint64_t ones = c.ones, twos = c.twos, fours = c.fours;
	uint64_t occupied = ones | twos | fours, open = ~(occupied << 32 | occupied >> 32);
	ones &= open;
	twos &= open;
	fours &= open;
	int black = worth(ones << 32, twos << 32, fours << 32);
	int white = worth(ones >> 32, twos >> 32, fours >> 32);
	return 99 * (black - white) / (black + white + 32);
}

static void pentago_stones(const struct game *g, const struct state *s, uint64_t set[2])
{
	for (int side = BLACK; side <= WHITE; side++) {
		set[side] = 0;
		for (int q = 0; q < LANES; q++)
			set[side] |= squares_of[q][lane(s->board[side], q) & (LANE_SETS - 1)];
	}
}

/* A turn moves with its quadrant; a reflection changes its direction. */
static move_t pentago_mirror(const struct game *g, move_t step, int symmetry)
{
	static const uint8_t corner[LANES] = { 0, SIZE - 1, SQUARES - 1, SQUARES - SIZE };
	int turn = step - SQUARES;
	if (turn < 0)
		return (move_t)images_mirror_square(g, step, symmetry);
	int square = images_mirror_square(g, corner[turn / 2], symmetry);
	int flipped = (symmetry ^ symmetry >> 1 ^ symmetry >> 2) & 1;
	int q = lane_of[square / SIZE / 3][square % SIZE / 3];
	return (move_t)(SQUARES + 2 * q + ((turn ^ flipped) & 1));
}

static char pentago_at(const struct game *g, const struct state *s, int row, int col)
{
	int bit = bit_of[SIZE * row + col];
	return s->board[BLACK] >> bit & 1 ? 'X' : s->board[WHITE] >> bit & 1 ? 'O' : '.';
}

static enum move_check pentago_parse(const struct game *g, const struct state *s, const char *text,
				     struct move *m)
{
	int row, col;
	const char *letter = square_parse(&game_pentago, text, &row, &col);
	if (!letter)
		return MOVE_MALFORMED;
	int turn = tolower((unsigned char)*letter) - 's';
	if (*letter && (turn < 0 || turn >= TURNS || letter[1]))
		return MOVE_MALFORMED;
	int square = SIZE * row + col;
	if (pentago_at(g, s, row, col) != '.')
		return MOVE_ILLEGAL;
	struct state placed = *s;
	pentago_play(g, &placed, (move_t)square);
	if (!placed.over && !*letter)
		return MOVE_MALFORMED;
	*m = move_pair((move_t)square, placed.over ? MOVE_NONE : (move_t)(SQUARES + turn));
	return MOVE_OK;
}

/* After a placement that ends the game: a turn that keeps the result, for programs that look for lines only
 * after the turn. The first turn if there is none. */
static int turn_after(const struct state *over)
{
	for (int turn = 0; turn < TURNS; turn++) {
		struct state s = *over;
		pentago_play_turn(&s, turn);
		if (s.over && s.score == over->score)
			return turn;
	}
	return 0;
}

static void pentago_format(const struct game *g, const struct state *s, struct move m,
			   char text[MOVE_TEXT_MAX])
{
	int turn = m.step[1] - SQUARES;
	if (m.step[1] == MOVE_NONE) {
		struct state over = *s;
		pentago_play(g, &over, m.step[0]);
		turn = turn_after(&over);
	}
	square_format(&game_pentago, m.step[0] / SIZE, m.step[0] % SIZE, text);
	text[2] = (char)('S' + turn);
	text[3] = '\0';
}

static const char *pentago_describe(const struct game *g, move_t step, struct area *area)
{
	static const char *const texts[TURNS] = {
		"turned the top left quadrant counter-clockwise",
		"turned the top left quadrant clockwise",
		"turned the top right quadrant counter-clockwise",
		"turned the top right quadrant clockwise",
		"turned the bottom right quadrant counter-clockwise",
		"turned the bottom right quadrant clockwise",
		"turned the bottom left quadrant counter-clockwise",
		"turned the bottom left quadrant clockwise",
	};
	int turn = step - SQUARES, quadrant = turn / 2, half = SIZE / 2;
	bool is_right = quadrant == 1 || quadrant == 2;
	*area = (struct area) { quadrant >= 2 ? half : 0, is_right ? half : 0, half, half };
	return texts[turn];
}

static bool pentago_valid(const struct game *g, const struct state *s)
{
	uint64_t black = s->board[BLACK] & FULL, white = s->board[WHITE];
	int more = __builtin_popcountll(black) - __builtin_popcountll(white), margin;
	bool lines = board_ends(s, &margin), over = lines || (black | white) == FULL;
	if (s->pending) { /* only lines that count before the turn end the game here */
		over = lines && s->board[RULES] != OPENSPIEL;
		margin = 0;
	}
	return (black & white) == 0 && (white & ~FULL) == 0 &&
	       (s->board[BLACK] ^ black) == (s->pending ? PENDING : 0) &&
	       s->board[RULES] <= OPENSPIEL && more == (s->side ^ s->pending) && over == s->over &&
	       margin == s->score && s->hash == state_hash(s);
}

/* The guide of every rule set begins alike and ends with how lines count. */
#define GUIDE                                                                                      \
	"The board has four quadrants of 3x3 squares. Black (X) moves first. A move has\n"         \
	"two parts: place a stone of your colour on an empty square, then turn one\n"              \
	"quadrant by a quarter. The turn is obligatory; the quadrant may be empty.\n"              \
	"Five stones in a row win.\n"                                                              \
	"\n"                                                                                       \
	"A move is the square, then a letter for the turn: c3t\n"                                  \
	"\n"                                                                                       \
	"     A B C   D E F\n"                                                                     \
	"   +-------+-------+\n"                                                                   \
	" 1 |       |       |\n"                                                                   \
	" 2 | S   T | U   V |     S U W Y turn their quadrant counter-clockwise,\n"                \
	" 3 |       |       |     T V X Z turn it clockwise.\n"                                    \
	"   +-------+-------+\n"                                                                   \
	" 4 |       |       |\n"                                                                   \
	" 5 | Y   Z | W   X |\n"                                                                   \
	" 6 |       |       |\n"                                                                   \
	"   +-------+-------+\n"                                                                   \
	"\n"                                                                                       \
	"C3T places a stone on C3 and turns the top left quadrant clockwise:\n"                    \
	"\n"                                                                                       \
	"   1 X . . .             1 X . . .             1 . X X .\n"                               \
	"   2 X . . .     C3      2 X . . .     T       2 . . . .\n"                               \
	"   3 . . . .    ---->    3 . . X .    ---->    3 X . . .\n"                               \
	"     A B C D               A B C D               A B C D\n"                               \
	"\n"

static const char guide_standard[] = GUIDE
	"Five or more in a row after the placement win at once, without a turn. After\n"
	"the turn a side with five in a row wins, even if the other side made the turn.\n"
	"If both sides have five, the game is a draw. A full board is a draw.\n";

static const char guide_tajima[] = GUIDE
	"Lines count after the placement and again after the turn. The count of a side\n"
	"is the number of its lines of six, plus the number of its lines of five that\n"
	"are not part of a line of six. The side with the higher count wins. With equal\n"
	"counts the game goes on. A full board with equal counts is a draw.\n";

static const char guide_openspiel[] = GUIDE
	"Lines count only after the turn. A side with five in a row wins, even if the\n"
	"other side made the turn. If both sides have five, the game is a draw. A full\n"
	"board is a draw.\n";

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 309, 682, 1056, 1420, 1654, 1832, 1939, 2032, 2114 };

static const struct playouts pentago_playouts = { .uniform = pentago_playout };
static const struct threats pentago_threats = { .wins = pentago_wins, .safe = pentago_safe };
static const struct eval pentago_eval = { .value = pentago_value };
static const struct images pentago_images = { .stones = pentago_stones,
					      .symmetries = IMAGES_ALL,
					      .mirror = pentago_mirror };

/* start and setup store the rule set in the state, where the other functions read it. */
#define RULE_SET(GAME, NAME, RULE)                                                                 \
	static void start_##NAME(const struct game *g, struct state *s)                            \
	{                                                                                          \
		pentago_start(s, RULE);                                                            \
	}                                                                                          \
	static const char *setup_##NAME(const struct game *g, struct state *s,                     \
					const char *squares, int side)                             \
	{                                                                                          \
		return pentago_setup(s, RULE, squares, side);                                      \
	}                                                                                          \
	const struct game GAME = {                                                                 \
		.name = "pentago",                                                                 \
		.title = "Pentago",                                                                \
		.rules = #NAME,                                                                    \
		.board = { .rows = SIZE,                                                           \
			   .cols = SIZE,                                                           \
			   .turns = "STUVWXYZ",                                                    \
			   .describe = pentago_describe,                                           \
			   .kind = BOARD_HOLES,                                                    \
			   .color = BOARD_WOOD,                                                    \
			   .block_rows = SIZE / 2,                                                 \
			   .block_cols = SIZE / 2 },                                               \
		.steps = { .codes = SQUARES + TURNS,                                               \
			   .choices = SQUARES,                                                     \
			   .moves = SQUARES * TURNS,                                               \
			   .length = 2 * SQUARES,                                                  \
			   .per_move = 2,                                                          \
			   .pass = MOVE_NONE },                                                    \
		.score = { .most = 1, .in_a_row = 5 },                                             \
		.init = pentago_init,                                                              \
		.start = start_##NAME,                                                             \
		.setup = setup_##NAME,                                                             \
		.moves = pentago_moves,                                                            \
		.play = pentago_play,                                                              \
		.parse = pentago_parse,                                                            \
		.format = pentago_format,                                                          \
		.at = pentago_at,                                                                  \
		.valid = pentago_valid,                                                            \
		.words = &(const struct words) { .guide = guide_##NAME },                          \
		.playouts = &pentago_playouts,                                                     \
		.threats = &pentago_threats,                                                       \
		.eval = &pentago_eval,                                                             \
		.images = &pentago_images,                                                         \
		.tuning = &(const struct tuning) { .search = "union",                              \
						   .proving = 0.6,                                 \
						   .ratings = (RULE) == STANDARD ? ratings         \
										 : NULL },         \
		.solver = &pentago_solver,                                                         \
		.evaluator = &evaluator,                                                           \
		.book = (RULE) == STANDARD ? pentago_book : NULL,                                  \
	}

RULE_SET(game_pentago, standard, STANDARD);
RULE_SET(game_pentago_tajima, tajima, TAJIMA);
RULE_SET(game_pentago_openspiel, openspiel, OPENSPIEL);
