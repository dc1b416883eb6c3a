/* SPDX-License-Identifier: MIT
 *
 * Havannah on hexagons of base 4 to 10. The hexagon lies in a square of 2*base-1 rows: a square is a cell if row + column
 * is base-1 .. 3*(base-1). A step is a square, row*cols+col, or the swap, rows*cols: Black's first stone becomes
 * White's.
 *
 * board[0] is a hash of the stones (Zobrist, 1970), board[1] a second one, of the base and of the swap as well.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"
#include "games/havannah/havannah_force.h"
#include "games/havannah/havannah_links.h"

#define SQUARES_MAX  (HAVANNAH_SIDE_MAX * HAVANNAH_SIDE_MAX)
#define SET_WORDS    ((SQUARES_MAX + 63) / 64)
#define NO_SQUARE    0xffff

/* The words of a state: two keys, the stones of each side, and numbers. */
#define STONES(SIDE) (2 + SET_WORDS * (SIDE))
#define NUMBERS      (2 + 2 * SET_WORDS)
_Static_assert(NUMBERS < STATE_WORDS, "a state has room for the largest board");

/* The parts of board[NUMBERS]: the base, the number of stones, whether the swap may still come. */
#define BASE_SET     0xffu
#define STONES_SHIFT 8
#define STONES_ONE   (UINT64_C(1) << STONES_SHIFT)
#define STONES_SET   (UINT64_C(0xffff) << STONES_SHIFT)
#define SWAP_BIT     (UINT64_C(1) << 24)

static uint64_t stone_keys[2][SQUARES_MAX][2], base_keys[HAVANNAH_BASE_MAX + 1][2], swap_key;

/* For each base: the cells, their neighbours (NO_SQUARE off the board), the corners and sides they lie on, and their
 * points on the board for random games. */
static struct geometry {
	uint64_t cells[SET_WORDS];
	uint16_t near[SQUARES_MAX][HAVANNAH_NEAR];
	uint16_t border[SQUARES_MAX], point[SQUARES_MAX];
} geometries[HAVANNAH_BASE_MAX + 1];

static const struct game *const sizes[];

static void havannah_init_base(int base)
{
	struct geometry *g = &geometries[base];
	const int side = HAVANNAH_SIDE(base);
	memset(g, 0, sizeof *g);
	for (int square = 0; square < side * side; square++) {
		int row = square / side, col = square % side;
		if (!havannah_is_cell(base, row, col))
			continue;
		bits_add(g->cells, square);
		g->point[square] = (uint16_t)havannah_point(row, col);
		g->border[square] = (uint16_t)havannah_border(base, g->point[square]);
		for (int i = 0; i < HAVANNAH_NEAR; i++) {
			int r = row + havannah_near_row[i], c = col + havannah_near_col[i];
			bool is_cell = r >= 0 && r < side && c >= 0 && c < side &&
				       havannah_is_cell(base, r, c);
			g->near[square][i] = (uint16_t)(is_cell ? r * side + c : NO_SQUARE);
		}
	}
}

static void havannah_init(const struct game *g)
{
	uint64_t seed = 8;
	for (int i = 0; i < 2 * SQUARES_MAX * 2; i++)
		stone_keys[i & 1][i / 4][i >> 1 & 1] = rng_split(&seed);
	for (int base = HAVANNAH_BASE_MIN; base <= HAVANNAH_BASE_MAX; base++)
		for (int i = 0; i < 2; i++)
			base_keys[base][i] = rng_split(&seed);
	swap_key = rng_split(&seed);
	havannah_board_init();
	for (int base = HAVANNAH_BASE_MIN; base <= HAVANNAH_BASE_MAX; base++)
		havannah_init_base(base);
}

/* --- the parts of a state --- */

static inline int base_of(const struct state *s)
{
	return (int)(s->board[NUMBERS] & BASE_SET);
}

static inline int havannah_stones_of(const struct state *s)
{
	return (int)((s->board[NUMBERS] & STONES_SET) >> STONES_SHIFT);
}

static inline bool havannah_has_stone(const struct state *s, int side, int square)
{
	return bits_has(&s->board[STONES(side)], square);
}

static inline void havannah_stone_toggle(struct state *s, int side, int square)
{
	s->board[STONES(side) + square / 64] ^= UINT64_C(1) << square % 64;
	s->board[0] ^= stone_keys[side][square][0];
	s->board[1] ^= stone_keys[side][square][1];
}

static inline void stone_add(struct state *s, int side, int square)
{
	havannah_stone_toggle(s, side, square);
	s->board[NUMBERS] += STONES_ONE;
}

/* The swap may come as White's first move. */
static bool can_swap(const struct state *s)
{
	return (s->board[NUMBERS] & SWAP_BIT) && s->side == WHITE && !s->over;
}

static inline void swap_change(struct state *s, bool allowed)
{
	if (allowed == !(s->board[NUMBERS] & SWAP_BIT)) {
		s->board[NUMBERS] ^= SWAP_BIT;
		s->board[1] ^= swap_key;
	}
}

static void havannah_make_empty(struct state *s, int base)
{
	memset(s, 0, sizeof *s);
	s->board[0] = base_keys[base][0];
	s->board[1] = base_keys[base][1];
	s->board[NUMBERS] = (uint64_t)base;
}

static void havannah_set_swap(const struct game *g, struct state *s, bool allowed)
{
	int black = 0;
	for (int i = 0; i < SET_WORDS; i++)
		black += __builtin_popcountll(s->board[STONES(BLACK) + i]);
	bool is_first = havannah_stones_of(s) == 0 && s->side == BLACK;
	bool is_second = havannah_stones_of(s) == 1 && black == 1 && s->side == WHITE;
	if (is_first || is_second) {
		swap_change(s, allowed);
		s->hash = state_hash(s);
	}
}

/* --- wins --- */

/* The neighbours of a square that have stones of a side, as bits. */
static inline unsigned near_set(const struct state *s, const struct geometry *g, int side,
				int square)
{
	unsigned set = 0;
	for (unsigned i = 0; i < HAVANNAH_NEAR; i++) {
		int near = g->near[square][i];
		set |= near != NO_SQUARE && havannah_has_stone(s, side, near) ? 1u << i : 0;
	}
	return set;
}

/* Adds the chain of a stone to a set. Returns what it touches. */
static unsigned find_chain(const struct state *s, const struct geometry *g, int side, int square,
			   uint64_t chain[SET_WORDS])
{
	uint16_t list[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)];
	unsigned touched = 0;
	int count = 0;
	list[count++] = (uint16_t)square;
	bits_add(chain, square);
	for (int i = 0; i < count; i++) {
		touched |= g->border[list[i]];
		for (int k = 0; k < HAVANNAH_NEAR; k++) {
			int near = g->near[list[i]][k];
			if (near == NO_SQUARE || !havannah_has_stone(s, side, near) ||
			    bits_has(chain, near))
				continue;
			bits_add(chain, near);
			list[count++] = (uint16_t)near;
		}
	}
	return touched;
}

/* Returns true if a stone on an empty square wins, in a state where its side has not won yet. The reasons are in
 * havannah_board.h. */
static bool stone_wins(const struct state *s, int side, int square)
{
	const struct geometry *g = &geometries[base_of(s)];
	unsigned near = near_set(s, g, side, square), touched = g->border[square];
	uint64_t chains[SET_WORDS] = { 0 };
	for (unsigned groups = havannah_groups(near); near && groups; groups &= groups - 1) {
		int first = g->near[square][__builtin_ctz(groups)];
		if (bits_has(chains, first))
			return true;
		touched |= find_chain(s, g, side, first, chains);
	}
	if (havannah_is_won(touched))
		return true;
	for (unsigned inner = havannah_inner(near); inner; inner &= inner - 1) {
		int i = __builtin_ctz(inner);
		unsigned all = near_set(s, g, side, g->near[square][i]) | havannah_back(i);
		if (all == HAVANNAH_NEAR_SET)
			return true;
	}
	return false;
}

/* Returns true if a side has won without the stone on `without`. */
static bool havannah_has_won(const struct state *s, int side, int without)
{
	struct havannah_board b;
	havannah_board_clear(&b, base_of(s));
	for (int i = 0; i < SET_WORDS; i++)
		for (uint64_t set = s->board[STONES(side) + i]; set; set &= set - 1) {
			int square = 64 * i + __builtin_ctzll(set);
			if (square == without)
				continue;
			int point = geometries[base_of(s)].point[square];
			if (havannah_wins(&b, point, side))
				return true;
			havannah_place(&b, point, side);
		}
	return false;
}

/* --- moves --- */

static int havannah_moves(const struct game *g, const struct state *s, move_t *out)
{
	const struct geometry *geometry = &geometries[base_of(s)];
	int n = 0;
	for (int i = 0; i < SET_WORDS; i++)
		for (uint64_t set = geometry->cells[i] &
				    ~(s->board[STONES(BLACK) + i] | s->board[STONES(WHITE) + i]);
		     set; set &= set - 1)
			out[n++] = (move_t)(64 * i + __builtin_ctzll(set));
	if (can_swap(s))
		out[n++] = swap_step(g);
	return n;
}

/* The only stone on the board becomes White's. */
static void play_swap(struct state *s)
{
	int square = bits_first(&s->board[STONES(BLACK)]);
	havannah_stone_toggle(s, BLACK, square);
	havannah_stone_toggle(s, WHITE, square);
}

static void havannah_play(const struct game *g, struct state *s, move_t step)
{
	const int base = base_of(s);
	if (step == swap_step(g)) {
		play_swap(s);
	} else {
		bool wins = stone_wins(s, s->side, step);
		stone_add(s, s->side, step);
		s->over = wins || havannah_stones_of(s) == HAVANNAH_CELLS(base);
		s->score = (int16_t)(wins ? side_sign(s->side) : 0);
	}
	if (s->side == WHITE)
		swap_change(s, false);
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* --- starts --- */

static void havannah_start(const struct game *g, struct state *s)
{
	havannah_make_empty(s, (g->board.rows + 1) / 2);
	s->hash = state_hash(s);
}

/* Returns true if some stone of the winner can have been the last one. */
static bool havannah_has_last_stone(const struct state *s, int winner)
{
	for (int i = 0; i < SET_WORDS; i++)
		for (uint64_t set = s->board[STONES(winner) + i]; set; set &= set - 1)
			if (!havannah_has_won(s, winner, 64 * i + __builtin_ctzll(set)))
				return true;
	return false;
}

/* After a swap the side to move may have one stone less than in other games. */
static const char *check_stones(const struct state *s, int side)
{
	int black = 0, white = 0;
	for (int i = 0; i < SET_WORDS; i++) {
		black += __builtin_popcountll(s->board[STONES(BLACK) + i]);
		white += __builtin_popcountll(s->board[STONES(WHITE) + i]);
	}
	int more = side == BLACK ? white - black : black - white;
	return more == 0 || more == 1
		       ? NULL
		       : "the side to move has as many stones as the other one, or one less";
}

static const char *havannah_setup(const struct game *g, struct state *s, const char *squares,
				  int side)
{
	havannah_start(g, s);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (squares[i] == 'X' || squares[i] == 'O')
			stone_add(s, squares[i] == 'O', i);
	const char *why = check_stones(s, side);
	if (why)
		return why;
	if (havannah_has_won(s, side, NO_SQUARE))
		return "the side to move has already won";
	bool won = havannah_has_won(s, side ^ 1, NO_SQUARE);
	if (won && !havannah_has_last_stone(s, side ^ 1))
		return "one move cannot have made all rings, bridges and forks";
	s->side = (uint8_t)side;
	s->over = won || havannah_stones_of(s) == HAVANNAH_CELLS(base_of(s));
	s->score = (int16_t)(won ? side_sign(side ^ 1) : 0);
	s->hash = state_hash(s);
	return NULL;
}

/* --- random games and threats --- */

/* The searches ask several functions about one state in turn, so each thread keeps its last board. */
static struct havannah_board *havannah_board_of(const struct state *s)
{
	static _Thread_local struct {
		uint64_t key[2];
		struct havannah_board board;
	} last;
	struct havannah_board *b = &last.board;
	const struct geometry *g = &geometries[base_of(s)];
	if (last.key[0] == s->board[0] && last.key[1] == s->board[1])
		return b;
	last.key[0] = s->board[0];
	last.key[1] = s->board[1];
	havannah_board_clear(b, base_of(s));
	for (int side = BLACK; side <= WHITE; side++)
		for (int i = 0; i < SET_WORDS; i++)
			for (uint64_t set = s->board[STONES(side) + i]; set; set &= set - 1)
				havannah_place(b, g->point[64 * i + __builtin_ctzll(set)], side);
	return b;
}

/* Without the swap. */
static int havannah_play_out(const struct game *g, const struct state *s, struct rng *rng)
{
	struct havannah_board b;
	if (s->over)
		return s->score;
	b = *havannah_board_of(s);
	return havannah_playout(&b, s->side, rng, NULL);
}

static int havannah_trace(const struct game *g, const struct state *s, struct rng *rng,
			  struct trace *trace)
{
	struct havannah_board b = *havannah_board_of(s);
	return havannah_playout(&b, s->side, rng, trace);
}

static int havannah_heavy_game(const struct game *g, const struct state *s, move_t last,
			       struct rng *rng, struct trace *trace)
{
	struct havannah_board b = *havannah_board_of(s);
	const int base = base_of(s);
	int point = last < swap_step(g) ? geometries[base].point[last] : 0;
	return havannah_heavy(&b, s->side, point, rng, trace);
}

/* Returns true if a side can have all but one of the stones of a ring, or of a bridge along one side of the board. */
static bool has_enough(const struct state *s)
{
	int least = base_of(s) < HAVANNAH_RING_MIN ? base_of(s) : HAVANNAH_RING_MIN;
	return havannah_stones_of(s) >= 2 * (least - 1) - 1;
}

static bool havannah_wins_own(const struct game *g, const struct state *s)
{
	uint16_t point;
	if (!has_enough(s))
		return false;
	return havannah_find_wins(havannah_board_of(s), s->side, 1, &point) > 0;
}

static int havannah_safe(const struct game *g, const struct state *s, move_t *out)
{
	uint16_t points[2];
	if (!has_enough(s))
		return havannah_moves(g, s, out);
	int count = havannah_find_wins(havannah_board_of(s), s->side ^ 1, 2, points);
	if (count == 0)
		return havannah_moves(g, s, out);
	out[0] = (move_t)havannah_square(base_of(s), points[0]);
	return count == 1;
}

/* A move that leaves the other side's win by force as it is loses. */
static int forced(const struct game *g, const struct state *s, int work, move_t *steps, bool *won)
{
	struct havannah_board *b;
	struct havannah_line line;
	uint16_t points[2] = { 0 };
	const int base = base_of(s);
	int count = 0;
	*won = false;
	if (!has_enough(s))
		return havannah_moves(g, s, steps);
	b = havannah_board_of(s);
	*won = havannah_find_wins(b, s->side, 1, points) > 0;
	if (!*won) {
		count = havannah_find_wins(b, s->side ^ 1, 2, points);
		if (count == 2)
			return 0;
		*won = havannah_find_force(b, s->side, points[0], work, &line);
		points[0] = *won ? line.points[0] : points[0];
	}
	if (*won || count) {
		steps[0] = (move_t)havannah_square(base, points[0]);
		return 1;
	}
	int listed = havannah_moves(g, s, steps);
	if (!havannah_find_force(b, s->side ^ 1, 0, work, &line))
		return listed;
	for (int i = 0; i < listed; i++)
		if (!havannah_force_stands(b, s->side ^ 1, &line, geometries[base].point[steps[i]]))
			steps[count++] = steps[i];
	return count;
}

/* --- prior knowledge --- */

/* What a step counts as before any playout. The best one begins with this mean, the others below it by their ratings. */
#define HINT_PLAYOUTS 10
#define HINT_BEST     0.4f
#define HINT_SCALE    0.25f
#define HINT_LEAST    (-0.9f)
#define HINT_SWAP     0.1f

/* The worth of the traits, fitted to the moves of games that searches played on base 6: the chance of a move is a softmax
 * over the moves of its position. A line has the traits of one kind. */
/* clang-format off */
static const float trait_ratings[TRAITS] = {
	0.00f, 0.38f, 1.07f, 1.80f,
	-0.21f, -0.02f,
	1.00f, 1.70f, 0.54f,
	-0.09f, -0.57f, -0.74f, -1.28f,
	1.51f, -0.38f, 1.22f,
	/* the other side */
	0.35f, 0.44f, 0.53f, 0.20f,
	0.40f, 0.06f,
	-0.32f, 1.00f, 0.84f,
	0.22f, 0.27f, 0.35f, 0.46f,
	1.53f, -0.67f, 0.31f,
	1.65f, 0.79f, 0.52f, 0.09f,
	0.74f,
	-0.26f, 0.24f, 0.19f, -0.17f,
	0.43f,
};
/* clang-format on */

static float rating_of(uint64_t traits)
{
	float rating = 0;
	for (; traits; traits &= traits - 1)
		rating += trait_ratings[__builtin_ctzll(traits)];
	return rating;
}

static void havannah_prior(const struct game *g, const struct state *s, move_t last,
			   const move_t *steps, int count, struct prior *out)
{
	const struct havannah_board *b = havannah_board_of(s);
	struct havannah_links links[2];
	struct rng rng = { { s->board[0] | 1, s->board[1] } };
	const struct geometry *geometry = &geometries[base_of(s)];
	int answer = 0, last_point = last < swap_step(g) ? geometry->point[last] : 0;
	float ratings[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)] = { 0 }, most = -100;
	havannah_find_links(b, BLACK, &links[BLACK]);
	havannah_find_links(b, WHITE, &links[WHITE]);
	if (last_point)
		havannah_broken_bridge(b, last_point, s->side, &rng, &answer);
	for (int i = 0; i < count; i++) {
		if (steps[i] == swap_step(g))
			continue;
		ratings[i] = rating_of(havannah_traits(b, links, geometry->point[steps[i]], s->side,
						       last_point, answer));
		most = fmaxf(most, ratings[i]);
	}
	for (int i = 0; i < count; i++) {
		float mean = HINT_BEST + HINT_SCALE * (ratings[i] - most);
		out[i] = steps[i] == swap_step(g)
				 ? (struct prior) { HINT_PLAYOUTS, HINT_SWAP }
				 : (struct prior) { HINT_PLAYOUTS, fmaxf(HINT_LEAST, mean) };
	}
}

/* --- what the network sees besides the stones --- */

/* What depends on whole groups, for which convolutions would need many layers. A stone: what its group touches, whether
 * that wins if bridges hold, and whether its chain may be a ring. An empty point: what a stone there would do. */
enum {
	SIGN_CORNER = 1,
	SIGN_SIDE = 2,
	SIGN_TWO_SIDES = 4,
	SIGN_WON = 8,
	SIGN_LONG = 16,
	SIGN_WINS = 1, /* also by a bridge */
	SIGN_OTHER_WINS = 2,
	SIGN_OTHER_THREATENS = 4, /* the other side's stone wins by a bridge */
	SIGN_JOINS = 8,
	SIGN_OTHER_JOINS = 16,
};

/* The signs of a stone in a group that touches these. */
static uint8_t group_signs(unsigned touched, int stones)
{
	int sides = __builtin_popcount(touched & HAVANNAH_SIDES);
	return (uint8_t)((touched & HAVANNAH_CORNERS ? SIGN_CORNER : 0) | (sides ? SIGN_SIDE : 0) |
			 (sides > 1 ? SIGN_TWO_SIDES : 0) |
			 (havannah_is_won(touched) ? SIGN_WON : 0) |
			 (stones >= HAVANNAH_RING_MIN ? SIGN_LONG : 0));
}

/* Returns true if the traits are those of a stone that joins two groups. */
static bool havannah_joins(uint64_t traits)
{
	return traits >> (TRAIT_JOINS + 1) & 3;
}

static uint8_t point_signs(uint64_t traits)
{
	uint64_t other = traits >> TRAITS_OF_SIDE;
	return (uint8_t)((traits >> TRAIT_WINS & 1 ? SIGN_WINS : 0) |
			 (other >> TRAIT_WINS & 1 ? SIGN_OTHER_THREATENS : 0) |
			 (havannah_joins(traits) ? SIGN_JOINS : 0) |
			 (havannah_joins(other) ? SIGN_OTHER_JOINS : 0));
}

static void havannah_planes(const struct game *g, const struct state *s,
			    uint8_t set[GAME_SQUARES_MAX])
{
	const struct havannah_board *b = havannah_board_of(s);
	const struct geometry *geometry = &geometries[base_of(s)];
	struct havannah_links links[2];
	uint16_t wins[HAVANNAH_CELLS(HAVANNAH_BASE_MAX)];
	int swap = swap_step(g);
	havannah_find_links(b, BLACK, &links[BLACK]);
	havannah_find_links(b, WHITE, &links[WHITE]);
	for (int i = 0; i < swap; i++) {
		int point = geometry->point[i], side = point ? b->content[point] : HAVANNAH_BORDER;
		set[i] = 0;
		if (side == HAVANNAH_EMPTY)
			set[i] = point_signs(havannah_traits(b, links, point, s->side, 0, 0));
		else if (point)
			set[i] = group_signs(links[side].touched[links[side].group[point]],
					     b->stones[havannah_chain(b, point)]);
	}
	for (int other = 0; other < 2; other++) {
		int count = havannah_find_wins(b, s->side ^ other,
					       HAVANNAH_CELLS(HAVANNAH_BASE_MAX), wins);
		for (int i = 0; i < count; i++)
			set[havannah_square(base_of(s), wins[i])] |= other ? SIGN_OTHER_WINS
									   : SIGN_WINS;
	}
}

/* The network, linked into the program. It has learned on base 8, but is stronger than playouts on these only. */
#define HAS_NET(BASE) ((BASE) == 6 || (BASE) == 7)

EMBED_LARGE(havannah_net, "games/havannah/havannah.net");

static struct board_net net = { .file = havannah_net };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

/* --- text and symmetry --- */

static bool havannah_on_board(const struct game *g, int row, int col)
{
	return havannah_is_cell((g->board.rows + 1) / 2, row, col);
}

static char havannah_at(const struct game *g, const struct state *s, int row, int col)
{
	const int base = base_of(s), square = HAVANNAH_SIDE(base) * row + col;
	if (!havannah_is_cell(base, row, col))
		return ':';
	return havannah_has_stone(s, BLACK, square)   ? 'X'
	       : havannah_has_stone(s, WHITE, square) ? 'O'
						      : '.';
}

/* Returns true if the parts of the state fit each other. The keys and the result are computed anew. */
static bool havannah_valid(const struct game *g, const struct state *s)
{
	struct state expected;
	const int base = base_of(s);
	if (base < HAVANNAH_BASE_MIN || base > HAVANNAH_BASE_MAX || s->pending)
		return false;
	havannah_make_empty(&expected, base);
	for (int i = 0; i < SET_WORDS; i++) {
		uint64_t black = s->board[STONES(BLACK) + i], white = s->board[STONES(WHITE) + i];
		if ((black & white) || ((black | white) & ~geometries[base].cells[i]))
			return false;
	}
	for (int side = BLACK; side <= WHITE; side++)
		for (int i = 0; i < SQUARES_MAX; i++)
			if (havannah_has_stone(s, side, i))
				stone_add(&expected, side, i);
	swap_change(&expected, s->board[NUMBERS] & SWAP_BIT);
	bool won = havannah_has_won(s, s->side ^ 1, NO_SQUARE);
	return memcmp(s->board, expected.board, sizeof s->board) == 0 && s->hash == state_hash(s) &&
	       !check_stones(s, s->side) && !havannah_has_won(s, s->side, NO_SQUARE) &&
	       s->score == (won ? side_sign(s->side ^ 1) : 0) &&
	       s->over == (won || havannah_stones_of(s) == HAVANNAH_CELLS(base));
}

static const char guide[] =
	"Black (X) moves first. The sides in turn place a stone on an empty cell of a\n"
	"hexagonal board. Stones never move. Who first makes one of these with connected\n"
	"stones of one colour wins:\n"
	"\n"
	"  ring    a loop around at least one cell; the cells inside may be empty or\n"
	"          have stones of either side\n"
	"  bridge  a chain that joins two of the six corners of the board\n"
	"  fork    a chain that joins three of the six sides; a corner belongs to none\n"
	"\n"
	"     D E F G\n"
	"    1 X X . O 1\n"
	"   2 . X . O . 2       The board of base 4. White has won with a bridge from\n"
	"  3 . . X O . . 3      the corner G1 to the corner D7. Black's longest chain\n"
	" 4 . . . O . . . 4     touches a corner, D1, and a side, E1.\n"
	"  5 X . . O . . G\n"
	"   6 X . . O . F\n"
	"    7 . . X O E\n"
	"       A B C D\n"
	"\n"
	"A full board without any of them is a draw. Swap: as its first move White may\n"
	"take over Black's first stone, which becomes white where it is: swap-pieces\n"
	"\n"
	"A move is a column and a row, counted from the top: d4\n";

static const struct words havannah_words = { .guide = guide, .facts = havannah_facts };
static const struct playouts havannah_playouts = { .uniform = havannah_play_out,
						   .trace = havannah_trace,
						   .heavy = havannah_heavy_game,
						   .prior = havannah_prior };
static const struct threats havannah_threats = {
	.wins = havannah_wins_own, .safe = havannah_safe, .search = forced, .work = 10, .visits = 6
};
static const struct network havannah_network = { .planes = havannah_planes, .lines = true };
static const struct images havannah_images = { .symmetries = 1u << 3 | 1u << 4 | 1u << 7,
					       .mirror = images_mirror_step };

/* The table of a base. */
#define BOARD(DECLARED, BASE)                                                                      \
	DECLARED = {                                                                               \
		.name = "havannah",                                                                \
		.title = "Havannah",                                                               \
		.rules = "standard",                                                               \
		.sizes = sizes,                                                                    \
		.board = { .rows = HAVANNAH_SIDE(BASE),                                            \
			   .cols = HAVANNAH_SIDE(BASE),                                            \
			   .size = (BASE),                                                         \
			   .on_board = havannah_on_board,                                          \
			   .kind = BOARD_HEXAGONS,                                                 \
			   .color = BOARD_WOOD },                                                  \
		.steps = { .codes = HAVANNAH_SIDE(BASE) * HAVANNAH_SIDE(BASE) + 1,                 \
			   .choices = HAVANNAH_CELLS(BASE),                                        \
			   .length = HAVANNAH_CELLS(BASE) + 1,                                     \
			   .per_move = 1,                                                          \
			   .pass = MOVE_NONE },                                                    \
		.score = { .most = 1 },                                                            \
		.init = havannah_init,                                                             \
		.start = havannah_start,                                                           \
		.setup = havannah_setup,                                                           \
		.moves = havannah_moves,                                                           \
		.play = havannah_play,                                                             \
		.parse = square_parse_step,                                                        \
		.format = square_format_step,                                                      \
		.at = havannah_at,                                                                 \
		.valid = havannah_valid,                                                           \
		.words = &havannah_words,                                                          \
		.playouts = &havannah_playouts,                                                    \
		.threats = &havannah_threats,                                                      \
		.swap = &(const struct swap) { .step = HAVANNAH_SIDE(BASE) * HAVANNAH_SIDE(BASE),  \
					       .allow = havannah_set_swap },                       \
		.network = &havannah_network,                                                      \
		.images = &havannah_images,                                                        \
		.tuning = &(const struct tuning) { .search = "mcts",                               \
						   .exploration = 0.5,                             \
						   .rave = 1000,                                   \
						   .expansion = 5,                                 \
						   .proving = 0.03,                                \
						   .evaluator_cost = HAS_NET(BASE)                 \
									     ? BOARD_NET_COST      \
									     : 0,                  \
						   .usual_length = 40 },                           \
		.evaluator = HAS_NET(BASE) ? &evaluator : NULL,                                    \
	}

BOARD(const struct game game_havannah, 8);
BOARD(static const struct game havannah_4, 4);
BOARD(static const struct game havannah_5, 5);
BOARD(static const struct game havannah_6, 6);
BOARD(static const struct game havannah_7, 7);
BOARD(static const struct game havannah_9, 9);
BOARD(static const struct game havannah_10, 10);

/* The default size first. */
static const struct game *const sizes[] = { &game_havannah, &havannah_4, &havannah_5,  &havannah_6,
					    &havannah_7,    &havannah_9, &havannah_10, NULL };
