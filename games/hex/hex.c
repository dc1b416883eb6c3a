/* SPDX-License-Identifier: MIT
 *
 * Hex and Rex on boards of 3x3 to 19x19. In Rex, misere Hex, the side that joins its edges loses.
 *
 * board[0] is a hash of the stones (Zobrist, 1970), board[1] a second hash of the stones, the size, the rules and
 * the right to swap; hex.h has the other words. A step is a square, size*row+col with row 0 at the top, or the
 * swap, size*size: White takes over Black's first stone, reflected.
 */
#include "games/hex/hex.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/playouts.h"
#include "engine/rules/proofs.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"
#include "games/hex/hex_connect.h"

/* The network, linked into the program. It has learned on 7x7, then on 11x11; it beats playouts on larger boards, too. */
EMBED_LARGE(hex_net, "games/hex/hex.net");

static struct board_net net = { .file = hex_net };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

struct hex_shape hex_shapes[HEX_SIZE_MAX + 1];

static uint64_t stone_keys[2][HEX_SQUARES_MAX][2];

/* Whether a ring of neighbours has own stones in two or more separate arcs. A stone that joins nothing new has
 * one arc at most: its neighbours there are neighbours of each other. */
static bool has_arcs[1 << HEX_RING];

static const struct game *const hex_sizes[], *const rex_sizes[];

/* --- tables --- */

static void hex_init_square(struct hex_shape *shape, int square)
{
	static const int rows[HEX_RING] = { -1, -1, 0, 1, 1, 0 };
	static const int cols[HEX_RING] = { 0, 1, 1, 0, -1, -1 };
	const int n = shape->size;
	for (int i = 0; i < HEX_RING; i++) {
		int row = square / n + rows[i], col = square % n + cols[i];
		bool over = row < 0 || row >= n, aside = col < 0 || col >= n;
		shape->near[square][i] = (uint16_t)(over || aside ? HEX_OFF : row * n + col);
		shape->beyond[BLACK][square] |= (uint8_t)(over << i);
		shape->beyond[WHITE][square] |= (uint8_t)(aside << i);
	}
}

static void init_shape(struct hex_shape *shape, int n)
{
	shape->size = n;
	shape->words = (n * n + 63) / 64;
	for (int square = 0; square < n * n; square++) {
		int row = square / n, col = square % n;
		bits_add(shape->board, square);
		if (col > 0)
			bits_add(shape->not_left, square);
		if (col < n - 1)
			bits_add(shape->not_right, square);
		if (row == 0 || row == n - 1)
			bits_add(shape->edge[BLACK][row > 0], square);
		if (col == 0 || col == n - 1)
			bits_add(shape->edge[WHITE][col > 0], square);
		hex_init_square(shape, square);
	}
}

static void hex_init(const struct game *g)
{
	uint64_t seed = 2;
	for (int i = 0; i < 2 * HEX_SQUARES_MAX * 2; i++)
		stone_keys[i & 1][i / 4][i >> 1 & 1] = rng_split(&seed);
	for (int ring = 0; ring < 1 << HEX_RING; ring++) {
		int turned = (ring << 1 | ring >> (HEX_RING - 1)) & ((1 << HEX_RING) - 1);
		has_arcs[ring] = __builtin_popcount((unsigned)(ring & ~turned)) > 1;
	}
	for (int n = HEX_SIZE_MIN; n <= HEX_SIZE_MAX; n++)
		init_shape(&hex_shapes[n], n);
	hex_playout_init();
}

/* --- the state's parts with their share of the keys --- */

static inline void hex_stone_toggle(struct state *s, int side, int square)
{
	s->board[HEX_STONES(side) + square / 64] ^= UINT64_C(1) << square % 64;
	s->board[0] ^= stone_keys[side][square][0];
	s->board[1] ^= stone_keys[side][square][1];
}

static uint64_t flags_key(int flags)
{
	uint64_t seed = (uint64_t)flags << 32;
	return rng_split(&seed);
}

static inline void drop_swap(struct state *s)
{
	s->board[1] ^= flags_key(s->stones) ^ flags_key(s->stones & ~HEX_SWAP);
	s->stones &= (uint8_t)~HEX_SWAP;
}

static inline const uint64_t *hex_stones_of(const struct state *s, int side)
{
	return &s->board[HEX_STONES(side)];
}

static inline uint64_t empty_word(const struct state *s, int i)
{
	return hex_shapes[hex_size(s)].board[i] &
	       ~(hex_stones_of(s, BLACK)[i] | hex_stones_of(s, WHITE)[i]);
}

static inline bool hex_is_empty(const struct state *s, int square)
{
	return !bits_has(hex_stones_of(s, BLACK), square) &&
	       !bits_has(hex_stones_of(s, WHITE), square);
}

static int hex_count_stones(const struct state *s, int side)
{
	int count = 0;
	for (int i = 0; i < HEX_WORDS_MAX; i++)
		count += __builtin_popcountll(hex_stones_of(s, side)[i]);
	return count;
}

static bool hex_has_joined(const struct state *s, int side)
{
	return HEX_CALL(hex_joins, hex_size(s), &hex_shapes[hex_size(s)], hex_stones_of(s, side),
			side);
}

/* --- moves --- */

static int hex_moves(const struct game *g, const struct state *s, move_t *out)
{
	const int n = hex_size(s);
	int count = 0;
	for (int i = 0; 64 * i < n * n; i++)
		for (uint64_t set = empty_word(s, i); set; set &= set - 1)
			out[count++] = (move_t)(64 * i + __builtin_ctzll(set));
	if (s->stones & HEX_SWAP && s->side == WHITE)
		out[count++] = (move_t)(n * n);
	return count;
}

/* Connections know nothing of the swap. While it may come, every step may be the best one. */
static int hex_must_play(const struct game *g, const struct state *s, move_t *out, int *winner)
{
	*winner = 0;
	return s->stones & HEX_SWAP ? hex_moves(g, s, out) : hex_must_play_steps(s, out, winner);
}

/* Grows the chain of a stone that was just placed. Returns true if it touches both edges of its side. */
HEX_INLINE bool chain_joins(const int words, const int n, const uint64_t *own, int side, int square)
{
	const struct hex_shape *shape = &hex_shapes[n];
	uint64_t set[HEX_WORDS_MAX] = { 0 };
	bits_add(set, square);
	do {
		if (hex_meets(words, set, shape->edge[side][0]) &&
		    hex_meets(words, set, shape->edge[side][1]))
			return true;
	} while (hex_grow(words, n, shape, set, own));
	return false;
}

/* Returns true if the stone of a side on a square joins its edges. They were not joined before. */
static inline bool stone_joins(const struct state *s, int side, int square)
{
	const struct hex_shape *shape = &hex_shapes[hex_size(s)];
	const uint64_t *own = hex_stones_of(s, side);
	unsigned ring = shape->beyond[side][square];
	for (int i = 0; i < HEX_RING; i++) {
		int near = shape->near[square][i];
		ring |= (near != HEX_OFF && bits_has(own, near)) ? 1u << i : 0;
	}
	return has_arcs[ring] && HEX_CALL(chain_joins, hex_size(s), own, side, square);
}

/* Ends the game: `side` has joined its edges. */
static void hex_end(struct state *s, int side)
{
	s->over = 1;
	s->score = (int16_t)(s->stones & HEX_REX ? -side_sign(side) : side_sign(side));
}

/* White takes over Black's only stone. The reflection exchanges the edges of the sides. */
static void swap(struct state *s)
{
	const int n = hex_size(s);
	int square = bits_first(hex_stones_of(s, BLACK));
	hex_stone_toggle(s, BLACK, square);
	hex_stone_toggle(s, WHITE, square % n * n + square / n);
}

static void hex_play(const struct game *g, struct state *s, move_t step)
{
	const int n = hex_size(s);
	if (step == n * n) {
		swap(s);
	} else {
		hex_stone_toggle(s, s->side, step);
		if (stone_joins(s, s->side, step))
			hex_end(s, s->side);
	}
	if (s->stones & HEX_SWAP && s->side == WHITE)
		drop_swap(s);
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* --- starts --- */

static void hex_start(const struct game *g, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->stones = (uint8_t)(g->board.rows | *(const int *)g->data);
	s->board[1] = flags_key(s->stones);
	s->hash = state_hash(s);
}

/* Returns true if some stone is in every join of a side's edges. */
static bool hex_has_last_stone(const struct state *s, int side)
{
	struct state without = *s;
	for (int square = 0; square < hex_size(s) * hex_size(s); square++) {
		if (!bits_has(hex_stones_of(s, side), square))
			continue;
		hex_stone_toggle(&without, side, square);
		bool joined = hex_has_joined(&without, side);
		hex_stone_toggle(&without, side, square);
		if (!joined)
			return true;
	}
	return false;
}

/* Any number of stones is a position: a handicap, a problem, a game in which a side has passed. */
static const char *hex_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	hex_start(g, s);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (squares[i] != '.')
			hex_stone_toggle(s, squares[i] == 'O', i);
	s->side = (uint8_t)side;
	s->hash = state_hash(s);
	if (hex_has_joined(s, side))
		return "the side to move has already joined its edges";
	if (hex_has_joined(s, side ^ 1)) {
		if (!hex_has_last_stone(s, side ^ 1))
			return "one move cannot have made all joins of the edges";
		hex_end(s, side ^ 1);
	}
	return NULL;
}

/* Only White's first move may be a swap, and only of Black's only stone. */
static void hex_set_swap(const struct game *g, struct state *s, bool on)
{
	int black = hex_count_stones(s, BLACK), white = hex_count_stones(s, WHITE);
	drop_swap(s);
	if (on && white == 0 && black == s->side) {
		s->board[1] ^= flags_key(s->stones) ^ flags_key(s->stones | HEX_SWAP);
		s->stones |= HEX_SWAP;
	}
	s->hash = state_hash(s);
}

/* HexGui and MoHex set up positions by moves of any side. A game that has been won stays so. */
static void hex_set_turn(const struct game *g, struct state *s, int side)
{
	drop_swap(s);
	s->side = (uint8_t)(s->over ? s->side : side);
	s->hash = state_hash(s);
}

/* --- threats --- */

/* Finds the empty squares on which one stone joins the edges of a side. Returns false if there are none. `own`: its
 * stones, which do not join them. */
HEX_INLINE bool joining(const int words, const int n, const struct hex_shape *shape,
			const uint64_t *own, const uint64_t *empty, int side, uint64_t *out)
{
	uint64_t reach[2][HEX_WORDS_MAX], any = 0;
	for (int end = 0; end < 2; end++) {
		for (int i = 0; i < words; i++)
			reach[end][i] = own[i] & shape->edge[side][end][i];
		hex_fill(words, n, shape, reach[end], own);
		hex_grow(words, n, shape, reach[end], empty);
		for (int i = 0; i < words; i++)
			reach[end][i] |= shape->edge[side][end][i];
	}
	for (int i = 0; i < words; i++) {
		out[i] = reach[0][i] & reach[1][i] & empty[i];
		any |= out[i];
	}
	return any;
}

/* Finds the squares on which a side joins its edges at once. Returns false if there are none. */
static bool find_joining(const struct state *s, int side, uint64_t out[HEX_WORDS_MAX])
{
	const int n = hex_size(s);
	uint64_t empty[HEX_WORDS_MAX];
	for (int i = 0; i < HEX_WORDS_MAX; i++)
		empty[i] = empty_word(s, i);
	return HEX_CALL(joining, n, &hex_shapes[n], hex_stones_of(s, side), empty, side, out);
}

static bool hex_wins(const struct game *g, const struct state *s)
{
	uint64_t joining[HEX_WORDS_MAX];
	return find_joining(s, s->side, joining);
}

static int hex_safe(const struct game *g, const struct state *s, move_t *out)
{
	uint64_t joining[HEX_WORDS_MAX];
	int count = 0;
	if (!find_joining(s, s->side ^ 1, joining))
		return hex_moves(g, s, out);
	for (int i = 0; 64 * i < hex_size(s) * hex_size(s); i++)
		for (uint64_t set = joining[i]; set && count < 2; set &= set - 1)
			out[count++] = (move_t)(64 * i + __builtin_ctzll(set));
	/* One stone cannot stop two. */
	return count == 1 ? 1 : 0;
}

/* --- text and symmetry --- */

/* Reads OpenSpiel's notation `x(2,3)`: the mark of the side, column and row from 0. The mark also tells to which edge
 * the stone is joined: x y z X are Black's, o p q O White's. */
static bool hex_parse_openspiel(const char *text, int *side, int *row, int *col)
{
	static const char marks[] = "xyzXopqO";
	int end = 0;
	if (!*text || !strchr(marks, *text) ||
	    sscanf(text + 1, "(%2d,%2d)%n", col, row, &end) != 2 || !end || text[1 + end])
		return false;
	*side = strchr(marks, *text) - marks < 4 ? BLACK : WHITE;
	return true;
}

static enum move_check hex_parse(const struct game *g, const struct state *s, const char *text,
				 struct move *m)
{
	int row, col, side = s->side, n = hex_size(s);
	const char *rest = square_parse(g, text, &row, &col);
	if ((!rest || *rest) && (!hex_parse_openspiel(text, &side, &row, &col) || row < 0 ||
				 row >= n || col < 0 || col >= n))
		return MOVE_MALFORMED;
	if (side != s->side || !hex_is_empty(s, n * row + col))
		return MOVE_ILLEGAL;
	*m = move_single((move_t)(n * row + col));
	return MOVE_OK;
}

static char hex_at(const struct game *g, const struct state *s, int row, int col)
{
	int square = hex_size(s) * row + col;
	return bits_has(hex_stones_of(s, BLACK), square)   ? 'X'
	       : bits_has(hex_stones_of(s, WHITE), square) ? 'O'
							   : '.';
}

/* --- check --- */

static bool hex_valid(const struct game *g, const struct state *s)
{
	const int n = hex_size(s);
	if (n < HEX_SIZE_MIN || n > HEX_SIZE_MAX || s->pending)
		return false;
	struct state expected;
	hex_start(g, &expected);
	for (int square = 0; square < n * n; square++)
		for (int side = BLACK; side <= WHITE; side++)
			if (bits_has(hex_stones_of(s, side), square)) {
				if (!hex_is_empty(&expected, square))
					return false;
				hex_stone_toggle(&expected, side, square);
			}
	expected.side = s->side;
	if (s->stones & HEX_SWAP)
		hex_set_swap(g, &expected, true);
	for (int side = BLACK; side <= WHITE; side++)
		if (hex_has_joined(s, side))
			hex_end(&expected, side);
	return memcmp(s->board, expected.board, sizeof s->board) == 0 &&
	       s->stones == expected.stones && s->over == expected.over &&
	       s->score == expected.score && s->hash == state_hash(s);
}

#define GUIDE_BOARD                                                                                \
	"\n"                                                                                       \
	"     A B C D E\n"                                                                         \
	"   1  . . X . .  1\n"                                                                     \
	"    2  O O X O .  2        X has joined top and bottom.\n"                                \
	"     3  . X O O .  3       C2 touches C1, D1, B2, D2, B3 and C3.\n"                       \
	"      4  . X X . .  4\n"                                                                  \
	"       5  . . X . .  5\n"                                                                 \
	"           A B C D E\n"                                                                   \
	"\n"

static const char hex_guide[] =
	"Black (X) moves first. The sides place stones on empty cells in turn; stones\n"
	"are never moved or captured. Black wins by a chain of touching black stones\n"
	"from the top edge to the bottom edge, White (O) by a chain from the left edge\n"
	"to the right edge. Exactly one side can do so: there are no draws.\n" GUIDE_BOARD
	"Each row is half a cell to the right of the row above it, so a cell has six\n"
	"neighbours: left, right, two above and two below.\n"
	"\n"
	"The first move is an advantage. So White's first move may be swap-pieces: the\n"
	"black stone is removed and White has a stone on the cell reflected in the long\n"
	"diagonal (B4 becomes D2). Then Black moves.\n"
	"\n"
	"A move is a column and a row, counted from the top left: d3\n";

static const char rex_guide[] =
	"Rex is misere Hex: the side that joins its edges loses. Black (X) moves first.\n"
	"The sides place stones on empty cells in turn; stones are never moved or\n"
	"captured. Black's edges are top and bottom, White's (O) left and right. When\n"
	"the board is full, exactly one side has joined its edges: there are no "
	"draws.\n" GUIDE_BOARD
	"Each row is half a cell to the right of the row above it, so a cell has six\n"
	"neighbours: left, right, two above and two below. In the diagram Black has\n"
	"lost.\n"
	"\n"
	"White's first move may be swap-pieces: the black stone is removed and White\n"
	"has a stone on the cell reflected in the long diagonal (B4 becomes D2).\n"
	"\n"
	"A move is a column and a row, counted from the top left: d3\n";

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 774, 1659, 2162, 2401, 2600, 2862, 3133, 3292, 3525 };

static const struct words hex_words = { .guide = hex_guide, .facts = hex_facts };
static const struct words rex_words = { .guide = rex_guide };
static const struct playouts hex_playouts = {
	.uniform = hex_playout, .trace = hex_trace, .heavy = hex_heavy, .prior = hex_prior
};
static const struct playouts rex_playouts = { .uniform = hex_playout, .trace = hex_trace };
static const struct threats hex_threats = { .wins = hex_wins, .safe = hex_safe };
/* Must-play takes too long on large boards, and knows only Hex. */
static const struct proofs hex_proofs = { .must_play = hex_must_play,
					  .first_numbers = hex_first_numbers };
static const struct proofs plain_proofs = { .first_numbers = hex_first_numbers };
static const struct images hex_images = { .symmetries = 1u << 3, /* both reversed */
					  .mirror = images_mirror_step,
					  .view = 4 /* rows and columns exchanged */ };
static const struct formats hex_formats = { .sgf_gm = 11, .sgf_own = true };
static const struct formats rex_formats = { .sgf_own = true };

#define TUNING                                                                                     \
	.search = "mcts", .exploration = 0.001, .rave = 5000, .expansion = 5, .proving = 0.004
static const struct tuning rex_tuning = { TUNING };

/* What the tables of all sizes and both rules share. */
#define BOARD(SIDE)                                                                                \
	.name = "hex", .title = "Hex",                                                             \
	.board = { .rows = (SIDE),                                                                 \
		   .cols = (SIDE),                                                                 \
		   .kind = BOARD_HEXAGONS,                                                         \
		   .color = BOARD_WOOD,                                                            \
		   .joins = true },                                                                \
	.steps = { .codes = (SIDE) * (SIDE) + 1,                                                   \
		   .choices = (SIDE) * (SIDE) + 1,                                                 \
		   .length = (SIDE) * (SIDE) + 1,                                                  \
		   .per_move = 1,                                                                  \
		   .pass = MOVE_NONE },                                                            \
	.score = { .most = 1, .no_draws = true }, .start = hex_start, .setup = hex_setup,          \
	.moves = hex_moves, .play = hex_play, .set_turn = hex_set_turn, .parse = hex_parse,        \
	.format = square_format_step, .at = hex_at, .valid = hex_valid,                            \
	.swap = &(const struct swap) { .step = (SIDE) * (SIDE), .allow = hex_set_swap },           \
	.images = &hex_images

#define HEX(DECLARED, SIDE)                                                                        \
	DECLARED = {                                                                               \
		BOARD(SIDE),                                                                       \
		.rules = "hex",                                                                    \
		.data = &(const int) { 0 },                                                        \
		.sizes = hex_sizes,                                                                \
		.init = hex_init,                                                                  \
		.words = &hex_words,                                                               \
		.playouts = &hex_playouts,                                                         \
		.threats = &hex_threats,                                                           \
		.proofs = (SIDE) <= HEX_CONNECT_MAX ? &hex_proofs : &plain_proofs,                 \
		.formats = &hex_formats,                                                           \
		.tuning = &(const struct tuning) { TUNING, .evaluator_cost = BOARD_NET_COST,       \
						   .usual_length = (SIDE) * (SIDE)*9 / 20,         \
						   .ratings = (SIDE) == HEX_SIZE_DEFAULT ? ratings \
											 : NULL }, \
		.evaluator = &evaluator,                                                           \
	}

#define REX(DECLARED, SIDE)                                                                        \
	DECLARED = {                                                                               \
		BOARD(SIDE),                                                                       \
		.alias = "rex",                                                                    \
		.rules = "rex",                                                                    \
		.data = &(const int) { HEX_REX },                                                  \
		.sizes = rex_sizes,                                                                \
		.words = &rex_words,                                                               \
		.playouts = &rex_playouts,                                                         \
		.proofs = &plain_proofs,                                                           \
		.formats = &rex_formats,                                                           \
		.tuning = &rex_tuning,                                                             \
	}

HEX(static const struct game hex_3, 3);
HEX(static const struct game hex_4, 4);
HEX(static const struct game hex_5, 5);
HEX(static const struct game hex_6, 6);
HEX(static const struct game hex_7, 7);
HEX(static const struct game hex_8, 8);
HEX(static const struct game hex_9, 9);
HEX(static const struct game hex_10, 10);
HEX(const struct game game_hex, 11);
HEX(static const struct game hex_12, 12);
HEX(static const struct game hex_13, 13);
HEX(static const struct game hex_14, 14);
HEX(static const struct game hex_15, 15);
HEX(static const struct game hex_16, 16);
HEX(static const struct game hex_17, 17);
HEX(static const struct game hex_18, 18);
HEX(static const struct game hex_19, 19);

REX(static const struct game rex_3, 3);
REX(static const struct game rex_4, 4);
REX(static const struct game rex_5, 5);
REX(static const struct game rex_6, 6);
REX(static const struct game rex_7, 7);
REX(static const struct game rex_8, 8);
REX(static const struct game rex_9, 9);
REX(static const struct game rex_10, 10);
REX(const struct game game_hex_rex, 11);
REX(static const struct game rex_12, 12);
REX(static const struct game rex_13, 13);
REX(static const struct game rex_14, 14);
REX(static const struct game rex_15, 15);
REX(static const struct game rex_16, 16);
REX(static const struct game rex_17, 17);
REX(static const struct game rex_18, 18);
REX(static const struct game rex_19, 19);

/* The default size first. */
static const struct game *const hex_sizes[] = { &game_hex, &hex_3,  &hex_4,  &hex_5,  &hex_6,
						&hex_7,    &hex_8,  &hex_9,  &hex_10, &hex_12,
						&hex_13,   &hex_14, &hex_15, &hex_16, &hex_17,
						&hex_18,   &hex_19, NULL };

/* The default size first. */
static const struct game *const rex_sizes[] = { &game_hex_rex, &rex_3,  &rex_4,  &rex_5,  &rex_6,
						&rex_7,        &rex_8,  &rex_9,  &rex_10, &rex_12,
						&rex_13,       &rex_14, &rex_15, &rex_16, &rex_17,
						&rex_18,       &rex_19, NULL };
