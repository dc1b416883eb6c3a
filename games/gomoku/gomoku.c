/* SPDX-License-Identifier: MIT
 *
 * Gomoku on boards of 5x5 to 20x20. Rules `freestyle`: five or more in a row win; `standard`: exactly five do; `renju`:
 * Black needs exactly five and may not make an overline, two fours or two threes, White needs five or more. A full board
 * is a draw; Black loses in `renju` if all empty squares are forbidden. board[0] and board[1] are two hashes of the stones,
 * the size and the rules (Zobrist, 1970).
 */
#include "games/gomoku/gomoku.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"
#include "games/gomoku/gomoku_board.h"
#include "games/gomoku/gomoku_force.h"
#include "games/gomoku/gomoku_heavy.h"

#define NET_SIZE_MIN 10 /* the network is not stronger than playouts on smaller boards */

/* The network, linked into the program. It has learned freestyle on 15x15. */
EMBED_LARGE(gomoku_net, "games/gomoku/gomoku.net");

static struct board_net net = { .file = gomoku_net, .game = &game_gomoku };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

static uint16_t bit_of[GOMOKU_SIZE_MAX + 1][GOMOKU_SQUARES_MAX]; /* the bit of a step */
uint16_t gomoku_steps[GOMOKU_SIZE_MAX + 1][64 * GOMOKU_WORDS];

static uint64_t full[GOMOKU_SIZE_MAX + 1][GOMOKU_WORDS]; /* all squares of a board */
static uint64_t stone_keys[2][64 * GOMOKU_WORDS][2];
/* Of an empty board, by rules and size. */
static uint64_t start_keys[GOMOKU_RULE_SETS][GOMOKU_SIZE_MAX + 1][2];

static void gomoku_init(const struct game *g)
{
	uint64_t seed = 1;
	for (int i = 0; i < 2 * 64 * GOMOKU_WORDS * 2; i++)
		stone_keys[i & 1][i / 4][i >> 1 & 1] = rng_split(&seed);
	for (int size = GOMOKU_SIZE_MIN; size <= GOMOKU_SIZE_MAX; size++) {
		for (int step = 0; step < size * size; step++) {
			int bit = step / size * (size + 1) + step % size;
			bit_of[size][step] = (uint16_t)bit;
			gomoku_steps[size][bit] = (uint16_t)step;
			bits_add(full[size], bit);
		}
		for (int i = 0; i < 4; i++)
			start_keys[i & 1][size][i >> 1] = rng_split(&seed);
	}
	for (int size = GOMOKU_SIZE_MIN; size <= GOMOKU_SIZE_MAX; size++)
		for (int i = 0; i < 2; i++)
			start_keys[GOMOKU_RENJU][size][i] = rng_split(&seed);
	gomoku_lines_init();
	gomoku_board_init();
}

/* --- sets of squares --- */

/* The shift of a direction: along the row, along the column, down to the right, down to the left. */
static inline int shift_of(int size, int direction)
{
	const int below = size + 1;
	const int shifts[GOMOKU_DIRECTIONS] = { 1, below, below + 1, below - 1 };
	return shifts[direction];
}

static inline int words_of(int size)
{
	return (size * (size + 1) + 63) / 64;
}

/* A set with an empty word behind it, so that shifts may read on. */
struct padded {
	uint64_t word[GOMOKU_WORDS + 1];
};

/* bits_down() without a test for the last word. */
static inline uint64_t moved_down(const uint64_t *set, int i, int by)
{
	return set[i] >> by | set[i + 1] << (64 - by);
}

/* A number that grows whenever a row of five or more squares of a set appears or gets longer: the sum of the halves of
 * all words that tell where such rows begin. 0: there is none. */
static inline __attribute__((always_inline)) uint64_t sum_fives(const struct padded *set, int words,
								int size)
{
	uint64_t sum = 0;
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		struct padded two, four;
		const int by = shift_of(size, d);
		for (int i = 0; i < words; i++)
			two.word[i] = set->word[i] & moved_down(set->word, i, by);
		two.word[words] = 0;
		for (int i = 0; i < words; i++)
			four.word[i] = two.word[i] & moved_down(two.word, i, 2 * by);
		four.word[words] = 0;
		for (int i = 0; i < words; i++) {
			uint64_t five = four.word[i] & moved_down(four.word, i, by);
			sum += (five & UINT32_MAX) + (five >> 32);
		}
	}
	return sum;
}

/* The number of squares of a set in a row from a bit, in steps of `by` bits, without the bit itself. At most
 * GOMOKU_ROW. */
static inline int run_length(const uint64_t *set, int bit, int by)
{
	int n = 0;
	for (bit += by; n < GOMOKU_ROW && bit >= 0 && bits_has(set, bit); bit += by)
		n++;
	return n;
}

/* Returns true if a stone on a bit is in a row that wins. */
static inline bool is_in_five(const uint64_t *set, int bit, int size, bool exact)
{
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
		int by = shift_of(size, d);
		int n = 1 + run_length(set, bit, by) + run_length(set, bit, -by);
		if (n == GOMOKU_ROW || (n > GOMOKU_ROW && !exact))
			return true;
	}
	return false;
}

static inline bool gomoku_is_full(const struct state *s, int size)
{
	const uint64_t *black = &s->board[GOMOKU_STONES(BLACK)];
	const uint64_t *white = &s->board[GOMOKU_STONES(WHITE)];
	for (int i = 0; i < words_of(size); i++)
		if ((black[i] | white[i]) != full[size][i])
			return false;
	return true;
}

/* The empty squares. */
static inline void gomoku_find_empty(const struct state *s, uint64_t empty[GOMOKU_WORDS])
{
	const uint64_t *all = full[gomoku_size(s)];
	for (int i = 0; i < GOMOKU_WORDS; i++)
		empty[i] = all[i] & ~(s->board[GOMOKU_STONES(BLACK) + i] |
				      s->board[GOMOKU_STONES(WHITE) + i]);
}

/* Lists the steps of a set of squares. Returns their number. */
static int gomoku_list_steps(const uint64_t *set, int size, move_t *out)
{
	int n = 0;
	for (int i = 0; i < words_of(size); i++)
		for (uint64_t left = set[i]; left; left &= left - 1)
			out[n++] = gomoku_steps[size][64 * i + __builtin_ctzll(left)];
	return n;
}

/* --- Renju --- */

/* Returns true if squares may be forbidden for a side. */
static inline bool gomoku_restricts(const struct state *s, int side)
{
	return gomoku_rules(s) == GOMOKU_RENJU && side == BLACK;
}

/* Adds to `near` the squares that have a square of a set as a neighbour or one square further in a line. Black's stone can
 * be forbidden only there. */
static void gomoku_spread(const struct state *s, const uint64_t *set, uint64_t near[GOMOKU_WORDS])
{
	const int size = gomoku_size(s), words = words_of(size);
	memset(near, 0, GOMOKU_WORDS * sizeof *near);
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		for (int n = 1; n <= 2; n++)
			for (int i = 0; i < words; i++)
				near[i] |= bits_down(set, i, n * shift_of(size, d), words) |
					   bits_up(set, i, n * shift_of(size, d));
}

/* Removes the squares that are forbidden for Black from a set of empty ones. `only_one`: until it is sure that one stays. */
static void gomoku_remove_banned(const struct state *s, uint64_t empty[GOMOKU_WORDS], bool only_one)
{
	struct gomoku_lines lines;
	uint64_t near[GOMOKU_WORDS];
	const int size = gomoku_size(s);
	gomoku_spread(s, &s->board[GOMOKU_STONES(BLACK)], near);
	for (int i = 0; i < words_of(size); i++)
		if (only_one && empty[i] & ~near[i])
			return;
	gomoku_lines_set(&lines, s);
	for (int i = 0; i < words_of(size); i++)
		for (uint64_t left = empty[i] & near[i]; left; left &= left - 1) {
			int step = gomoku_steps[size][64 * i + __builtin_ctzll(left)];
			if (gomoku_find_ban(&lines, step))
				empty[i] &= ~(left & -left);
			else if (only_one)
				return;
		}
}

/* Returns true if all empty squares are forbidden for Black, who is to move. */
static bool gomoku_is_stuck(const struct state *s)
{
	uint64_t empty[GOMOKU_WORDS], left = 0;
	gomoku_find_empty(s, empty);
	gomoku_remove_banned(s, empty, true);
	for (int i = 0; i < GOMOKU_WORDS; i++)
		left |= empty[i];
	return !left;
}

/* --- the rules --- */

static void gomoku_make_empty(struct state *s, int size, enum gomoku_rules rules)
{
	memset(s, 0, sizeof *s);
	s->stones = (uint8_t)(size | (int)rules << GOMOKU_RULES);
	memcpy(s->board, start_keys[rules][size], sizeof start_keys[rules][size]);
}

static inline void gomoku_add_stone(struct state *s, int side, int bit)
{
	s->board[GOMOKU_STONES(side) + bit / 64] |= UINT64_C(1) << bit % 64;
	s->board[0] ^= stone_keys[side][bit][0];
	s->board[1] ^= stone_keys[side][bit][1];
}

static enum gomoku_rules gomoku_rules_of(const struct game *g)
{
	return *(const enum gomoku_rules *)g->data;
}

static void gomoku_start(const struct game *g, struct state *s)
{
	gomoku_make_empty(s, g->board.rows, gomoku_rules_of(g));
	s->hash = state_hash(s);
}

/* Returns true if a side has a row that wins. */
static bool gomoku_has_won(const struct state *s, int side)
{
	const int size = gomoku_size(s);
	const uint64_t *stones = &s->board[GOMOKU_STONES(side)];
	struct padded set = { { 0 } };
	memcpy(set.word, stones, GOMOKU_WORDS * sizeof *stones);
	if (!sum_fives(&set, words_of(size), size))
		return false;
	for (int step = 0; step < size * size; step++) {
		int bit = bit_of[size][step];
		if (bits_has(stones, bit) && is_in_five(stones, bit, size, gomoku_exact(s, side)))
			return true;
	}
	return false;
}

/* Sets `over` and `score` of a position without five in a row. */
static inline void gomoku_set_end(struct state *s)
{
	s->over = gomoku_is_full(s, gomoku_size(s));
	if (gomoku_restricts(s, s->side) && !s->over && gomoku_is_stuck(s)) {
		s->over = 1;
		s->score = -1;
	}
}

/* Sets `over` and `score` from the stones and the side. */
static void gomoku_set_result(struct state *s)
{
	s->score = (int16_t)(gomoku_has_won(s, BLACK) - gomoku_has_won(s, WHITE));
	if (s->score)
		s->over = 1;
	else
		gomoku_set_end(s);
}

static const char *gomoku_setup(const struct game *g, struct state *s, const char *squares,
				int side)
{
	gomoku_make_empty(s, g->board.rows, gomoku_rules_of(g));
	for (int step = 0; step < g->board.rows * g->board.cols; step++)
		if (squares[step] != '.')
			gomoku_add_stone(s, squares[step] == 'O', bit_of[g->board.rows][step]);
	s->side = (uint8_t)side;
	if (gomoku_has_won(s, side))
		return "the side to move already has five in a row";
	gomoku_set_result(s);
	s->hash = state_hash(s);
	return NULL;
}

static int gomoku_moves(const struct game *g, const struct state *s, move_t *out)
{
	uint64_t empty[GOMOKU_WORDS];
	gomoku_find_empty(s, empty);
	if (gomoku_restricts(s, s->side))
		gomoku_remove_banned(s, empty, false);
	return gomoku_list_steps(empty, gomoku_size(s), out);
}

static void gomoku_play(const struct game *g, struct state *s, move_t step)
{
	const int size = gomoku_size(s), bit = bit_of[size][step], side = s->side;
	gomoku_add_stone(s, side, bit);
	s->side = (uint8_t)(side ^ 1);
	if (is_in_five(&s->board[GOMOKU_STONES(side)], bit, size, gomoku_exact(s, side))) {
		s->over = 1;
		s->score = (int16_t)side_sign(side);
	} else {
		gomoku_set_end(s);
	}
	s->hash = state_hash(s);
}

/* --- wins at once --- */

enum { REACH = GOMOKU_ROW + 1 };

/* Word i of the set of squares that have exactly n, or with `exact` false at least n, own stones next to them in one
 * way. `runs[n]` is the set with at least n. */
static inline uint64_t run_word(const struct padded runs[REACH], int n, int i, bool exact)
{
	uint64_t word = n ? runs[n].word[i] : ~UINT64_C(0);
	return exact ? word & ~runs[n + 1].word[i] : word;
}

/* Returns true if four own stones may stand in five squares in a row: at least two pairs of neighbours do, next to each
 * other or with a gap of one square between them. */
static bool may_have_four(const struct padded *own, int words, int by)
{
	struct padded pairs, next;
	uint64_t found = 0;
	for (int i = 0; i < words; i++)
		pairs.word[i] = own->word[i] & moved_down(own->word, i, by);
	pairs.word[words] = 0;
	for (int i = 0; i < words; i++)
		next.word[i] = moved_down(pairs.word, i, by);
	next.word[words] = 0;
	for (int i = 0; i < words; i++)
		found |= pairs.word[i] & (next.word[i] | moved_down(next.word, i, 2 * by));
	return found;
}

/* Adds the squares that complete five in one direction to a set. */
static void add_fives(const struct padded *own, int words, int by, bool exact, uint64_t *fives)
{
	/* Index n: at least n stones follow, or come before. */
	struct padded after[REACH], before[REACH];
	memset(after, 0, sizeof after);
	memset(before, 0, sizeof before);
	for (int n = 1; n < REACH; n++)
		for (int i = 0; i < words; i++) {
			const struct padded *a = n > 1 ? &after[n - 1] : own;
			const struct padded *b = n > 1 ? &before[n - 1] : own;
			after[n].word[i] = moved_down(a->word, i, by) &
					   (n > 1 ? after[1].word[i] : ~UINT64_C(0));
			before[n].word[i] = bits_up(b->word, i, by) &
					    (n > 1 ? before[1].word[i] : ~UINT64_C(0));
		}
	for (int n = 0; n < GOMOKU_ROW; n++)
		for (int i = 0; i < words; i++)
			fives[i] |= run_word(after, n, i, exact) &
				    run_word(before, GOMOKU_ROW - 1 - n, i, exact);
}

/* Finds the empty squares that complete a row that wins for a side. Returns their number, at most 2. */
static int find_fives(const struct state *s, int side, uint64_t fives[GOMOKU_WORDS])
{
	const int size = gomoku_size(s), words = words_of(size);
	uint64_t empty[GOMOKU_WORDS];
	struct padded own;
	int count = 0;
	gomoku_find_empty(s, empty);
	memcpy(own.word, &s->board[GOMOKU_STONES(side)], GOMOKU_WORDS * sizeof *own.word);
	own.word[GOMOKU_WORDS] = 0;
	memset(fives, 0, GOMOKU_WORDS * sizeof *fives);
	for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
		if (may_have_four(&own, words, shift_of(size, d)))
			add_fives(&own, words, shift_of(size, d), gomoku_exact(s, side), fives);
	/* No caller needs more than two. */
	for (int i = 0; i < words; i++)
		for (uint64_t left = fives[i] &= empty[i]; left && count < 2; left &= left - 1)
			count++;
	return count;
}

/* Returns true if a stone of White can leave Black no square. Then at most one empty square is not suspect. */
static bool gomoku_can_block(const struct state *s)
{
	struct gomoku_lines lines;
	move_t steps[GOMOKU_SQUARES_MAX];
	uint64_t empty[GOMOKU_WORDS], near[GOMOKU_WORDS];
	const int size = gomoku_size(s);
	int count, free = 0;
	gomoku_find_empty(s, empty);
	gomoku_spread(s, &s->board[GOMOKU_STONES(BLACK)], near);
	for (int i = 0; i < GOMOKU_WORDS; i++)
		free += __builtin_popcountll(empty[i] & ~near[i]);
	if (free > 1)
		return false;
	gomoku_lines_set(&lines, s);
	count = gomoku_list_steps(empty, size, steps);
	free = 0;
	for (int i = 0; i < count && free < 2; i++)
		free += gomoku_suspect(&lines, steps[i]) == BAN_NONE;
	for (int i = 0; i < count && free < 2; i++) {
		struct state next = *s;
		gomoku_add_stone(&next, WHITE, bit_of[size][steps[i]]);
		if (count > 1 && gomoku_is_stuck(&next))
			return true;
	}
	return false;
}

static bool gomoku_wins(const struct game *g, const struct state *s)
{
	uint64_t fives[GOMOKU_WORDS];
	return find_fives(s, s->side, fives) > 0 ||
	       (gomoku_restricts(s, s->side ^ 1) && gomoku_can_block(s));
}

/* Only a stone on the square itself prevents a five, and only one. */
static int gomoku_safe(const struct game *g, const struct state *s, move_t *out)
{
	uint64_t fives[GOMOKU_WORDS];
	int count = find_fives(s, s->side ^ 1, fives);
	if (count == 1 && gomoku_restricts(s, s->side))
		gomoku_remove_banned(s, fives, false);
	return count > 1 ? 0
	       : count   ? gomoku_list_steps(fives, gomoku_size(s), out)
			 : gomoku_moves(g, s, out);
}

/* --- playouts --- */

#define CHUNK 16 /* moves of a playout between two looks for a row */
#define DRAWS 4  /* choices from one random number: 400^4 is below 2^35 */

/* Plays the moves of a chunk one by one. Returns the index of the first that wins, `end` if none does. */
static int gomoku_find_winner(struct padded set[2], const uint16_t *order, int begin, int end,
			      int first, int size, bool exact)
{
	for (int i = begin, side = first; i < end; i++, side ^= 1) {
		bits_add(set[side].word, order[i]);
		if (is_in_five(set[side].word, order[i], size, exact))
			return i;
	}
	return end;
}

/* Draws the order of the empty squares while it plays. Rows are looked for after each chunk of moves, in all squares
 * at once; if there is a new one, the chunk is played again, move by move. */
static inline __attribute__((always_inline)) int play_order(struct padded set[2], uint16_t *order,
							    int count, int first, int size,
							    int words, bool exact, struct rng *rng)
{
	uint64_t fives = exact ? sum_fives(&set[BLACK], words, size) +
					 sum_fives(&set[WHITE], words, size)
			       : 0;
	uint64_t r = 0;
	for (int begin = 0; begin < count;) {
		int end = begin + CHUNK < count ? begin + CHUNK : count, side = first;
		struct padded before[2] = { set[BLACK], set[WHITE] };
		for (int i = begin; i < end; i++, side ^= 1) {
			if ((i - begin) % DRAWS == 0)
				r = rng_next(rng);
			/* The high word of the product is the choice, the low word is the next r. */
			__extension__ unsigned __int128 product = (unsigned __int128)r *
								  (unsigned)(count - i);
			r = (uint64_t)product;
			int chosen = i + (int)(product >> 64);
			uint16_t bit = order[chosen];
			order[chosen] = order[i];
			order[i] = bit;
			bits_add(set[side].word, bit);
		}
		uint64_t now = sum_fives(&set[BLACK], words, size) +
			       sum_fives(&set[WHITE], words, size);
		if (now != fives) {
			int i = gomoku_find_winner(before, order, begin, end, first, size, exact);
			if (i < end)
				return side_sign(first ^ ((i - begin) & 1));
		}
		fives = now;
		begin = end;
		first = side;
	}
	return 0;
}

/* Moves step i of an order to the end of its first n, and returns it. */
static int gomoku_take(uint16_t *order, int i, int n)
{
	uint16_t step = order[i];
	order[i] = order[n - 1];
	return order[n - 1] = step;
}

/* Draws Black's next step in Renju: a square that is not forbidden. Returns -1 if there is none. *won: it wins. */
static int gomoku_draw_black(struct gomoku_lines *lines, uint16_t *order, int count,
			     struct rng *rng)
{
	for (int n = count; n; n--) {
		int step = gomoku_take(order, (int)rng_below(rng, (uint32_t)n), n);
		if (!gomoku_find_ban(lines, step)) {
			/* The forbidden ones stay behind. */
			order[n - 1] = order[count - 1];
			return step;
		}
	}
	return -1;
}

/* Plays move by move in Renju. */
static int gomoku_play_renju(const struct state *s, uint16_t *order, int count, struct rng *rng)
{
	struct gomoku_lines lines;
	gomoku_lines_set(&lines, s);
	for (int i = 0; i < count; i++)
		order[i] = gomoku_steps[lines.size][order[i]];
	for (int side = s->side; count; count--, side ^= 1) {
		int step = side == BLACK ? gomoku_draw_black(&lines, order, count, rng)
					 : gomoku_take(order, (int)rng_below(rng, (uint32_t)count),
						       count);
		if (step < 0)
			return -1;
		if (gomoku_lines_makes_five(&lines, side, step))
			return side_sign(side);
		gomoku_toggle(&lines, side, step);
	}
	return 0;
}

static int gomoku_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	const int size = gomoku_size(s);
	const bool exact = gomoku_exact(s, BLACK);
	uint64_t empty[GOMOKU_WORDS];
	uint16_t order[GOMOKU_SQUARES_MAX];
	struct padded set[2];
	int count = 0;
	if (s->over)
		return s->score;
	gomoku_find_empty(s, empty);
	for (int i = 0; i < words_of(size); i++)
		for (uint64_t left = empty[i]; left; left &= left - 1)
			order[count++] = (uint16_t)(64 * i + __builtin_ctzll(left));
	if (gomoku_rules(s) == GOMOKU_RENJU)
		return gomoku_play_renju(s, order, count, rng);
	for (int side = BLACK; side <= WHITE; side++) {
		memcpy(set[side].word, &s->board[GOMOKU_STONES(side)],
		       GOMOKU_WORDS * sizeof *empty);
		set[side].word[GOMOKU_WORDS] = 0;
	}
	/* Loops of a known length are faster. */
	if (size == 15)
		return play_order(set, order, count, s->side, 15, words_of(15), exact, rng);
	return play_order(set, order, count, s->side, size, words_of(size), exact, rng);
}

/* --- text and symmetry --- */

static char gomoku_at(const struct game *g, const struct state *s, int row, int col)
{
	int bit = row * (gomoku_size(s) + 1) + col;
	return bits_has(&s->board[GOMOKU_STONES(BLACK)], bit)   ? 'X'
	       : bits_has(&s->board[GOMOKU_STONES(WHITE)], bit) ? 'O'
								: '.';
}

static const char *gomoku_ban(const struct game *g, const struct state *s, move_t step)
{
	static const char *const words[] = {
		[BAN_OVERLINE] = "Black may not make six or more in a row (overline)",
		[BAN_DOUBLE_FOUR] = "Black may not make two fours (double four)",
		[BAN_DOUBLE_THREE] = "Black may not make two threes (double three)",
	};
	struct gomoku_lines lines;
	if (!gomoku_restricts(s, s->side))
		return NULL;
	gomoku_lines_set(&lines, s);
	return words[gomoku_find_ban(&lines, step)];
}

static enum move_check gomoku_parse(const struct game *g, const struct state *s, const char *text,
				    struct move *m)
{
	enum move_check check = square_parse_step(g, s, text, m);
	return check == MOVE_OK && gomoku_ban(g, s, m->step[0]) ? MOVE_ILLEGAL : check;
}

/* Returns true if the parts of the state fit each other. The keys are computed anew. */
static bool gomoku_valid(const struct game *g, const struct state *s)
{
	const int size = gomoku_size(s);
	struct state expected;
	if (size < GOMOKU_SIZE_MIN || size > GOMOKU_SIZE_MAX || s->pending ||
	    gomoku_rules(s) >= GOMOKU_RULE_SETS)
		return false;
	gomoku_make_empty(&expected, size, gomoku_rules(s));
	for (int side = BLACK; side <= WHITE; side++)
		for (int i = 0; i < GOMOKU_WORDS; i++) {
			uint64_t set = s->board[GOMOKU_STONES(side) + i];
			if (set & ~full[size][i] || (side && set & s->board[GOMOKU_STONES(0) + i]))
				return false;
			for (; set; set &= set - 1)
				gomoku_add_stone(&expected, side, 64 * i + __builtin_ctzll(set));
		}
	expected.side = s->side;
	gomoku_set_result(&expected);
	return memcmp(s->board, expected.board, sizeof s->board) == 0 &&
	       !(gomoku_has_won(s, BLACK) && gomoku_has_won(s, WHITE)) &&
	       s->over == expected.over && s->score == expected.score && s->hash == state_hash(s);
}

static const char guide_freestyle[] =
	"Black (X) moves first. The sides place stones on empty points in turn. Five or\n"
	"more stones of one side in a row, in a column or on a diagonal win. A full\n"
	"board without such a line is a draw.\n"
	"\n"
	"     D E F G H J K\n"
	"   9 . . . . O . . 9\n"
	"   8 . . X X X . . 8      Black to move wins with J8: a row of four with two\n"
	"   7 . . O . . O . 7      open ends, E8 and K8. White can close only one.\n"
	"\n"
	"A move is a column and a row, counted from the bottom; there is no column I: h8\n";

static const char guide_standard[] =
	"Black (X) moves first. The sides place stones on empty points in turn. Exactly\n"
	"five stones of one side in a row, in a column or on a diagonal win; six or more\n"
	"do not. A full board without such a line is a draw.\n"
	"\n"
	"A move is a column and a row, counted from the bottom; there is no column I: h8\n";

static const char guide_renju[] =
	"Black (X) moves first. The sides place stones on empty points in turn. Five\n"
	"stones of one side in a row, in a column or on a diagonal win. A full board\n"
	"without such a line is a draw.\n"
	"\n"
	"Black must have exactly five, and may not place a stone that makes\n"
	"- an overline: six or more in a row;\n"
	"- a double four: two fours. A four needs one more stone for exactly five;\n"
	"- a double three: two threes. A three needs one more stone, which Black must be\n"
	"  allowed to place, for a straight four: four in a row with both ends open.\n"
	"Five in a row is always allowed. If Black may not move at all, White wins.\n"
	"White may do all of that, and wins with five or more in a row.\n"
	"\n"
	"     D E F G H J K\n"
	"   9 . . . X . . . 9\n"
	"   8 . X X . . . . 8      Black may not play G8: G7, G8, G9 and E8, F8, G8\n"
	"   7 . . . X . . . 7      would be two threes.\n"
	"\n"
	"A move is a column and a row, counted from the bottom; there is no column I: h8\n";

/* The points of a Go board: on the fourth lines from 13x13 on, else on the third, and the centre. */
static bool gomoku_is_star(const struct game *g, int row, int col)
{
	int near = g->board.rows < 13 ? 2 : 3, far = g->board.rows - 1 - near,
	    middle = g->board.rows / 2;
	bool row_edge = row == near || row == far, col_edge = col == near || col == far;
	if (g->board.rows < 7)
		return false;
	return (row_edge && col_edge) || (g->board.rows % 2 && row == middle && col == middle);
}

/* What SGF calls Gomoku includes Renju. Exactly five for both sides is another game. */
#define SGF_freestyle     4
#define SGF_standard      0
#define SGF_renju         4

#define NAMES             "fiveinarow gobang wuziqi"
#define ALIAS_freestyle   NAMES
#define ALIAS_standard    NAMES
#define ALIAS_renju       NAMES " renju"

/* The numbers of Gomocup, which c-gomoku-cli writes. */
#define RULE_freestyle    "0"
#define RULE_standard     "1"
#define RULE_renju        "4"

#define IS_FREE_freestyle true
#define IS_FREE_standard  false
#define IS_FREE_renju     false

#define DATA_freestyle    GOMOKU_FREESTYLE
#define DATA_standard     GOMOKU_STANDARD
#define DATA_renju        GOMOKU_RENJU

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 1321, 1824, 2107, 2297, 2505, 2782, 3025, 3260, 3384 };

static const struct playouts gomoku_playouts = { .uniform = gomoku_playout,
						 .heavy = gomoku_heavy,
						 .prior = gomoku_prior };
static const struct threats gomoku_threats = {
	.wins = gomoku_wins, .safe = gomoku_safe, .search = gomoku_forced, .work = 200
};
static const struct network gomoku_network = { .lines = true };
static const struct images gomoku_images = { .symmetries = IMAGES_ALL,
					     .mirror = images_mirror_step };

/* The table of a size and of rules. */
#define BOARD(DECLARED, RULES, SIDE)                                                               \
	DECLARED = {                                                                               \
		.name = "gomoku",                                                                  \
		.title = "Gomoku",                                                                 \
		.alias = ALIAS_##RULES,                                                            \
		.rules = #RULES,                                                                   \
		.sizes = sizes_##RULES,                                                            \
		.data = &(const enum gomoku_rules) { DATA_##RULES },                               \
		.board = { .rows = (SIDE),                                                         \
			   .cols = (SIDE),                                                         \
			   .goes_up = true,                                                        \
			   .skips_i = true,                                                        \
			   .kind = BOARD_INTERSECTIONS,                                            \
			   .color = BOARD_WOOD,                                                    \
			   .dot = gomoku_is_star },                                                \
		.steps = { .codes = (SIDE) * (SIDE),                                               \
			   .choices = (SIDE) * (SIDE),                                             \
			   .length = (SIDE) * (SIDE),                                              \
			   .per_move = 1,                                                          \
			   .pass = MOVE_NONE },                                                    \
		.score = { .most = 1, .in_a_row = GOMOKU_ROW },                                    \
		.init = gomoku_init,                                                               \
		.start = gomoku_start,                                                             \
		.setup = gomoku_setup,                                                             \
		.moves = gomoku_moves,                                                             \
		.play = gomoku_play,                                                               \
		.parse = gomoku_parse,                                                             \
		.format = square_format_step,                                                      \
		.at = gomoku_at,                                                                   \
		.valid = gomoku_valid,                                                             \
		.words = &(const struct words) { .guide = guide_##RULES, .ban = gomoku_ban },      \
		.playouts = &gomoku_playouts,                                                      \
		.threats = &gomoku_threats,                                                        \
		.network = &gomoku_network,                                                        \
		.images = &gomoku_images,                                                          \
		.formats = &(const struct formats) { .sgf_gm = SGF_##RULES,                        \
						     .rules_names = RULE_##RULES },                \
		.tuning =                                                                          \
			&(const struct tuning) {                                                   \
				.search = "mcts",                                                  \
				.exploration = 0.02,                                               \
				.rave = 2000,                                                      \
				.proving = 0.03,                                                   \
				.evaluator_cost = (SIDE) >= NET_SIZE_MIN ? BOARD_NET_COST : 0,     \
				.usual_length = 40,                                                \
				.ratings = (SIDE) == 15 && IS_FREE_##RULES ? ratings : NULL },     \
		.evaluator = (SIDE) >= NET_SIZE_MIN ? &evaluator : NULL,                           \
	}

static const struct game *const sizes_freestyle[], *const sizes_standard[], *const sizes_renju[];

#define BOARDS(RULES, DEFAULT)                                                                     \
	BOARD(const struct game DEFAULT, RULES, 15);                                               \
	BOARD(static const struct game RULES##_5, RULES, 5);                                       \
	BOARD(static const struct game RULES##_6, RULES, 6);                                       \
	BOARD(static const struct game RULES##_7, RULES, 7);                                       \
	BOARD(static const struct game RULES##_8, RULES, 8);                                       \
	BOARD(static const struct game RULES##_9, RULES, 9);                                       \
	BOARD(static const struct game RULES##_10, RULES, 10);                                     \
	BOARD(static const struct game RULES##_11, RULES, 11);                                     \
	BOARD(static const struct game RULES##_12, RULES, 12);                                     \
	BOARD(static const struct game RULES##_13, RULES, 13);                                     \
	BOARD(static const struct game RULES##_14, RULES, 14);                                     \
	BOARD(static const struct game RULES##_16, RULES, 16);                                     \
	BOARD(static const struct game RULES##_17, RULES, 17);                                     \
	BOARD(static const struct game RULES##_18, RULES, 18);                                     \
	BOARD(static const struct game RULES##_19, RULES, 19);                                     \
	BOARD(static const struct game RULES##_20, RULES, 20)

/* The default size first. */
#define SIZES(RULES, DEFAULT)                                                                      \
	{                                                                                          \
		&(DEFAULT), &RULES##_5, &RULES##_6, &RULES##_7, &RULES##_8, &RULES##_9,            \
			&RULES##_10, &RULES##_11, &RULES##_12, &RULES##_13, &RULES##_14,           \
			&RULES##_16, &RULES##_17, &RULES##_18, &RULES##_19, &RULES##_20, NULL      \
	}

BOARDS(freestyle, game_gomoku);
BOARDS(standard, game_gomoku_standard);
BOARDS(renju, game_gomoku_renju);

static const struct game *const sizes_freestyle[] = SIZES(freestyle, game_gomoku);
static const struct game *const sizes_standard[] = SIZES(standard, game_gomoku_standard);
static const struct game *const sizes_renju[] = SIZES(renju, game_gomoku_renju);
