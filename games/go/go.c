/* SPDX-License-Identifier: MIT
 *
 * Go on boards of 2x2 to 19x19, with area scoring. Rules `standard`: no suicide, positional superko. The others differ
 * in suicide and in repetition (games/go/go.h). A state knows the simple ko only; the record and the searches compare
 * repeat_key() with the earlier positions of a game, or count how often a position occurs.
 *
 * board[0] is a hash of the stones (Zobrist, 1970), board[1] a second hash of the stones, the ko, the number of
 * passes, the size and komi. A step is a square, or the pass, size*size.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/embed.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/formats.h"
#include "engine/rules/goals.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/facts.h"
#include "games/common/list.h"
#include "games/go/go.h"
#include "games/go/go_capture.h"
#include "games/go/go_small.h"
#include "games/go/go_solver.h"

/* The network, linked into the program. It has learned on 9x9 and beats playouts on larger boards, too. */
EMBED_LARGE(go_net, "games/go/go.net");
#define NET_SIZE_MIN 6

static struct board_net net = { .file = go_net, .game = &game_go };
static const struct evaluator evaluator = BOARD_NET_EVALUATOR(&net);

#define NEAR_MAX   4
#define PASSES_END 2
#define OCCURRENCES                                                                                \
	3 /* of a position that end a game with simple ko: as KataGo's rules, which have no result then */
#define KOMI_MAX 4000 /* half points: far more than any board has */

struct near {
	uint8_t count;
	uint16_t square[NEAR_MAX];
};

static struct near near_of[GO_SIZE_MAX + 1][GO_SQUARES_MAX];
static uint64_t first_columns[GO_SIZE_MAX + 1][GO_SET_WORDS]; /* the squares of column 0 */

/* Random numbers. What changes board[1] only has the second index 1. */
static uint64_t stone_keys[2][GO_SQUARES_MAX][2];
static uint64_t ko_keys[GO_SQUARES_MAX], pass_keys[PASSES_END + 1];

/* The tables of each rule set, for all sizes, and NULL. */
#define TABLES (GO_SIZE_MAX - GO_SIZE_MIN + 2)
static const struct game *const go_sizes[TABLES],
	*const go_situational_sizes[TABLES], *const go_simple_sizes[TABLES],
						     *const go_tromp_taylor_sizes[TABLES],
							     *const go_new_zealand_sizes[TABLES];

/* A random number that belongs to a size or to a komi. */
static uint64_t number_key(int kind, int number)
{
	uint64_t seed = (uint64_t)kind << 32 | (uint32_t)number;
	return rng_split(&seed);
}

static void go_init_size(int size)
{
	for (int square = 0; square < size * size; square++) {
		struct near *n = &near_of[size][square];
		int row = square / size, col = square % size;
		n->count = 0;
		if (row > 0)
			n->square[n->count++] = (uint16_t)(square - size);
		if (col > 0)
			n->square[n->count++] = (uint16_t)(square - 1);
		if (col < size - 1)
			n->square[n->count++] = (uint16_t)(square + 1);
		if (row < size - 1)
			n->square[n->count++] = (uint16_t)(square + size);
		if (col == 0)
			bits_add(first_columns[size], square);
	}
}

static void go_init(const struct game *g)
{
	uint64_t seed = 1;
	for (int i = 0; i < 2 * GO_SQUARES_MAX * 2; i++)
		stone_keys[i & 1][i / 4][i >> 1 & 1] = rng_split(&seed);
	for (int i = 0; i < GO_SQUARES_MAX; i++)
		ko_keys[i] = rng_split(&seed);
	for (int i = 1; i <= PASSES_END; i++)
		pass_keys[i] = rng_split(&seed);
	for (int size = GO_SIZE_MIN; size <= GO_SIZE_MAX; size++)
		go_init_size(size);
	go_board_init();
	small_init();
	go_capture_init();
}

static inline bool go_is_empty(const struct state *s, int square)
{
	int word = square / 64;
	return !((s->board[GO_STONES(BLACK) + word] | s->board[GO_STONES(WHITE) + word]) >>
			 square % 64 &
		 1);
}

static inline bool go_has_stone(const struct state *s, int side, int square)
{
	return bits_has(&s->board[GO_STONES(side)], square);
}

/* --- the state's parts with their share of the keys --- */

static inline void go_stone_toggle(struct state *s, int side, int square)
{
	s->board[GO_STONES(side) + square / 64] ^= UINT64_C(1) << square % 64;
	s->board[0] ^= stone_keys[side][square][0];
	s->board[1] ^= stone_keys[side][square][1];
}

static inline uint64_t ko_key(int ko)
{
	return ko == GO_NO_SQUARE ? 0 : ko_keys[ko];
}

static inline void ko_change(struct state *s, int ko)
{
	s->board[1] ^= ko_key(go_ko(s)) ^ ko_key(ko);
	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): nine bits fit */
	s->board[GO_NUMBERS] = (s->board[GO_NUMBERS] & ~GO_KO_SET) | (uint64_t)ko << GO_KO_SHIFT;
}

static inline void passes_change(struct state *s, int passes)
{
	s->board[1] ^= pass_keys[go_passes(s)] ^ pass_keys[passes];
	s->board[GO_NUMBERS] = (s->board[GO_NUMBERS] & ~GO_PASS_SET) | (uint64_t)passes
									       << GO_PASS_SHIFT;
}

enum { KEY_SIZE = 1, KEY_SIZE_TOO, KEY_KOMI };

static void komi_change(const struct game *g, struct state *s, int half_points)
{
	s->board[1] ^= number_key(KEY_KOMI, go_get_komi(g, s)) ^ number_key(KEY_KOMI, half_points);
	s->board[GO_KOMI] = (s->board[GO_KOMI] & ~GO_KOMI_SET) | (uint64_t)(uint16_t)half_points
									 << GO_KOMI_SHIFT;
}

void go_set_number(const struct game *g, struct state *s, int number)
{
	komi_change(g, s, number);
}

static void go_make_empty(struct state *s, int size)
{
	memset(s, 0, sizeof *s);
	s->board[GO_NUMBERS] = (uint64_t)size << GO_SIZE_SHIFT | GO_KO_SET;
	s->board[0] = number_key(KEY_SIZE, size);
	s->board[1] = number_key(KEY_SIZE_TOO, size) ^ number_key(KEY_KOMI, 0);
}

/* Half points for White: none on the sizes whose value is known, 7 points, 7.5 on boards larger than 9x9. */
static int komi_default(int size)
{
	return size <= 5 ? 0 : size <= 9 ? 14 : 15;
}

/* --- chains --- */

/* Returns true if a square has an empty neighbour other than the square `besides`. */
static inline bool has_empty_neighbour(const struct state *s, int square, int besides)
{
	const struct near *n = &near_of[go_size(s)][square];
	for (int k = 0; k < n->count; k++)
		if (n->square[k] != besides && go_is_empty(s, n->square[k]))
			return true;
	return false;
}

/* Looks for a liberty, other than the square `besides`, of the chain of a stone that has none itself. Returns true if
 * there is one. Otherwise *chain is the set of its stones. */
static bool search_liberty(const struct state *s, int square, int besides,
			   uint64_t chain[GO_SET_WORDS])
{
	const struct near *near = near_of[go_size(s)];
	const uint64_t *own = &s->board[GO_STONES(go_has_stone(s, WHITE, square))];
	uint16_t list[GO_SQUARES_MAX];
	int count = 0;
	memset(chain, 0, GO_SET_WORDS * sizeof *chain);
	bits_add(chain, square);
	list[count++] = (uint16_t)square;
	for (int i = 0; i < count; i++) {
		const struct near *n = &near[list[i]];
		for (int k = 0; k < n->count; k++) {
			int to = n->square[k];
			if (!bits_has(own, to) || bits_has(chain, to))
				continue;
			if (has_empty_neighbour(s, to, besides))
				return true;
			bits_add(chain, to);
			list[count++] = (uint16_t)to;
		}
	}
	return false;
}

/* The same for any stone. Most have a liberty themselves. */
static inline bool has_liberty(const struct state *s, int square, int besides,
			       uint64_t chain[GO_SET_WORDS])
{
	return has_empty_neighbour(s, square, besides) || search_liberty(s, square, besides, chain);
}

/* Adds the stones that a move on a square captures to a set, which is empty before. Returns their number. */
static int find_captures(const struct state *s, int square, uint64_t dead[GO_SET_WORDS])
{
	const struct near *n = &near_of[go_size(s)][square];
	int count = 0;
	for (int k = 0; k < n->count; k++) {
		uint64_t chain[GO_SET_WORDS];
		if (!go_has_stone(s, s->side ^ 1, n->square[k]) || bits_has(dead, n->square[k]) ||
		    has_liberty(s, n->square[k], square, chain))
			continue;
		for (int i = 0; i < GO_SET_WORDS; i++) {
			dead[i] |= chain[i];
			count += __builtin_popcountll(chain[i]);
		}
	}
	return count;
}

/* Returns true if a move on an empty square, all of whose neighbours are stones, leaves its stone a liberty. */
static bool is_breathing(const struct state *s, int square)
{
	const struct near *n = &near_of[go_size(s)][square];
	for (int k = 0; k < n->count; k++) {
		uint64_t chain[GO_SET_WORDS];
		bool own = go_has_stone(s, s->side, n->square[k]);
		if (own == has_liberty(s, n->square[k], square, chain))
			return true;
	}
	return false;
}

/* Returns true if the rules allow a move on such a square that leaves its chain without a liberty. */
static inline bool may_die(const struct state *s, int square)
{
	const struct near *n = &near_of[go_size(s)][square];
	for (int k = 0; s->stones & GO_SUICIDE && k < n->count; k++)
		if (go_has_stone(s, s->side, n->square[k]))
			return true;
	return false;
}

/* --- moves --- */

void go_spread(int size, const uint64_t set[GO_SET_WORDS], uint64_t out[GO_SET_WORDS])
{
	const uint64_t *first = first_columns[size];
	int words = (size * size + 63) / 64;
	uint64_t left[GO_SET_WORDS] = { 0 }; /* the squares outside the first column */
	for (int i = 0; i < words; i++)
		left[i] = set[i] & ~first[i];
	for (int i = 0; i < words; i++)
		out[i] = go_board_word(size, i) &
			 (set[i] | bits_up(set, i, size) | bits_down(set, i, size, GO_SET_WORDS) |
			  (bits_up(set, i, 1) & ~first[i]) | bits_down(left, i, 1, GO_SET_WORDS));
	for (int i = words; i < GO_SET_WORDS; i++)
		out[i] = 0;
}

/* The squares that are empty, and those of them that have an empty neighbour. */
static void go_find_empty(const struct state *s, uint64_t empty[GO_SET_WORDS],
			  uint64_t open[GO_SET_WORDS])
{
	int size = go_size(s), words = (size * size + 63) / 64;
	const uint64_t *first = first_columns[size];
	uint64_t left[GO_SET_WORDS] = { 0 }; /* empty squares outside the first column */
	for (int i = 0; i < words; i++) {
		uint64_t all = go_board_word(size, i);
		empty[i] = all & ~(s->board[GO_STONES(BLACK) + i] | s->board[GO_STONES(WHITE) + i]);
		left[i] = empty[i] & ~first[i];
	}
	for (int i = words; i < GO_SET_WORDS; i++)
		empty[i] = 0;
	for (int i = 0; i < words; i++)
		open[i] = empty[i] &
			  (bits_up(empty, i, size) | bits_down(empty, i, size, GO_SET_WORDS) |
			   (bits_up(empty, i, 1) & ~first[i]) |
			   bits_down(left, i, 1, GO_SET_WORDS));
	for (int i = words; i < GO_SET_WORDS; i++)
		open[i] = 0;
}

static int go_moves(const struct game *g, const struct state *s, move_t *out)
{
	uint64_t empty[GO_SET_WORDS], open[GO_SET_WORDS];
	int n = 0, size = go_size(s);
	go_find_empty(s, empty, open);
	for (int i = 0; 64 * i < size * size; i++)
		for (uint64_t set = empty[i]; set; set &= set - 1) {
			int square = 64 * i + __builtin_ctzll(set);
			out[n] = (move_t)square;
			n += bits_has(open, square) ||
			     (square != go_ko(s) &&
			      (is_breathing(s, square) || may_die(s, square)));
		}
	out[n++] = (move_t)(size * size);
	return n;
}

/* Returns true if a move on a square of the board is legal. */
static bool go_is_legal(const struct state *s, int square)
{
	return go_is_empty(s, square) && square != go_ko(s) &&
	       (has_empty_neighbour(s, square, GO_NO_SQUARE) || is_breathing(s, square) ||
		may_die(s, square));
}

static int go_score(const struct game *g, const struct state *s)
{
	struct go_board b;
	go_board_set(&b, go_size(s), &s->board[GO_STONES(BLACK)], &s->board[GO_STONES(WHITE)]);
	return 2 * go_board_area(&b, NULL) - go_get_komi(g, s);
}

static void go_play_pass(const struct game *g, struct state *s)
{
	ko_change(s, GO_NO_SQUARE);
	passes_change(s, go_passes(s) + 1);
	if (go_passes(s) == PASSES_END) {
		s->over = 1;
		s->score = (int16_t)go_score(g, s);
	}
}

static void remove_stones(struct state *s, int side, const uint64_t dead[GO_SET_WORDS])
{
	for (int i = 0; i < GO_SET_WORDS; i++)
		for (uint64_t set = dead[i]; set; set &= set - 1)
			go_stone_toggle(s, side, 64 * i + __builtin_ctzll(set));
}

/* A move makes a ko if it captures one stone and could be captured at once by a move on that stone's square, which
 * would then be alone again. */
static int ko_after(const struct state *s, int square, const uint64_t dead[GO_SET_WORDS])
{
	const struct near *n = &near_of[go_size(s)][square];
	int taken = bits_first(dead);
	for (int k = 0; k < n->count; k++)
		if (n->square[k] != taken && !go_has_stone(s, s->side ^ 1, n->square[k]))
			return GO_NO_SQUARE;
	return taken;
}

static void go_play(const struct game *g, struct state *s, move_t step)
{
	if (step == go_size(s) * go_size(s)) {
		go_play_pass(g, s);
	} else {
		uint64_t dead[GO_SET_WORDS] = { 0 };
		int captured = find_captures(s, step, dead);
		go_stone_toggle(s, s->side, step);
		remove_stones(s, s->side ^ 1, dead);
		if (s->stones & GO_SUICIDE && !captured &&
		    !has_liberty(s, step, GO_NO_SQUARE, dead))
			remove_stones(s, s->side, dead);
		ko_change(s, captured == 1 ? ko_after(s, step, dead) : GO_NO_SQUARE);
		passes_change(s, 0);
	}
	s->side ^= 1;
	s->hash = state_hash(s);
}

/* The key of the stones after a step. */
static uint64_t repeat_key(const struct game *g, const struct state *s, move_t step)
{
	uint64_t key = s->board[0], dead[GO_SET_WORDS] = { 0 };
	if (step == MOVE_NONE)
		return key;
	if (step == go_size(s) * go_size(s))
		return 0;
	if (s->stones & GO_SUICIDE) {
		struct state after = *s;
		go_play(g, &after, step);
		return after.board[0];
	}
	key ^= stone_keys[s->side][step][0];
	if (find_captures(s, step, dead))
		for (int i = 0; i < GO_SET_WORDS; i++)
			for (uint64_t set = dead[i]; set; set &= set - 1)
				key ^= stone_keys[s->side ^ 1][64 * i + __builtin_ctzll(set)][0];
	return key;
}

/* The key of the stones and the side to move after a step. */
static uint64_t situation_key(const struct game *g, const struct state *s, move_t step)
{
	uint64_t key = repeat_key(g, s, step);
	int side = step == MOVE_NONE ? s->side : s->side ^ 1;
	return key && side == WHITE ? ~key : key;
}

/* --- starts --- */

/* The rules of a table. */
static int go_rules_of(const struct game *g)
{
	return *(const int *)g->data;
}

static void go_start(const struct game *g, struct state *s)
{
	go_make_empty(s, g->board.rows);
	komi_change(g, s, komi_default(g->board.rows));
	s->stones = (uint8_t)go_rules_of(g);
	s->hash = state_hash(s);
}

static const char *go_setup(const struct game *g, struct state *s, const char *squares, int side)
{
	uint64_t chain[GO_SET_WORDS];
	int count = g->board.rows * g->board.cols;
	go_start(g, s);
	for (int i = 0; i < count; i++)
		if (squares[i] != '.')
			go_stone_toggle(s, squares[i] == 'O', i);
	for (int i = 0; i < count; i++)
		if (squares[i] != '.' && !has_liberty(s, i, GO_NO_SQUARE, chain))
			return "a chain of stones has no liberty";
	s->side = (uint8_t)side;
	s->hash = state_hash(s);
	return NULL;
}

static void go_set_turn(const struct game *g, struct state *s, int side)
{
	ko_change(s, GO_NO_SQUARE);
	passes_change(s, 0);
	s->side = (uint8_t)side;
	s->over = 0;
	s->score = 0;
	s->hash = state_hash(s);
}

static bool go_set_komi(const struct game *g, struct state *s, int half_points)
{
	if (half_points < -KOMI_MAX || half_points > KOMI_MAX)
		return false;
	komi_change(g, s, half_points);
	if (s->over)
		s->score = (int16_t)go_score(g, s);
	s->hash = state_hash(s);
	return true;
}

/* --- playouts --- */

static void go_board_of(const struct state *s, struct go_board *b)
{
	int size = go_size(s), ko = go_ko(s);
	go_board_set(b, size, &s->board[GO_STONES(BLACK)], &s->board[GO_STONES(WHITE)]);
	b->ko = ko == GO_NO_SQUARE ? 0 : go_point(size, ko / size, ko % size);
}

/* Not uniform: a side never fills its own eyes, and passes only if it has no other move (games/go/go_board.h). */
static int go_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	struct go_board b;
	if (s->over)
		return s->score;
	go_board_of(s, &b);
	return 2 * go_board_playout(&b, s->side, go_passes(s), rng) - go_get_komi(g, s);
}

static int go_trace(const struct game *g, const struct state *s, struct rng *rng,
		    struct trace *trace)
{
	struct go_board b;
	go_board_of(s, &b);
	return 2 * go_board_trace(&b, s->side, go_passes(s), rng, trace) - go_get_komi(g, s);
}

static int go_heavy(const struct game *g, const struct state *s, move_t last, struct rng *rng,
		    struct trace *trace)
{
	struct go_board b;
	int size = go_size(s);
	go_board_of(s, &b);
	int point = last < size * size ? go_point(size, last / size, last % size) : 0;
	return 2 * go_board_heavy(&b, s->side, go_passes(s), point, rng, trace) - go_get_komi(g, s);
}

/* --- the network --- */

/* One or two liberties. The point that the ko forbids; after a pass, every point. The side to move would win if both sides
 * passed now. Its komi: the part of all points that have this sign, none of them at -10 points and all at 10. */
enum { SIGN_ATARI = 1, SIGN_SHORT = 2, SIGN_KO = 4, SIGN_AHEAD = 8, SIGN_KOMI = 16 };
#define SIGN_KOMI_MOST 20 /* half points */
/* The value of half a point of komi beyond that, before tanh. The network's own komi is worth about as much. */
#define SURPLUS_OF_ONE 0.05f

/* The komi of the side to move. */
static int own_komi(const struct game *g, const struct state *s)
{
	return -side_sign(s->side) * go_get_komi(g, s);
}

/* The komi that the signs can show. */
static int shown_komi(const struct game *g, const struct state *s)
{
	int komi = own_komi(g, s), most = SIGN_KOMI_MOST;
	return komi < -most ? -most : komi > most ? most : komi;
}

static float surplus(const struct game *g, const struct state *s)
{
	return SURPLUS_OF_ONE * (float)(own_komi(g, s) - shown_komi(g, s));
}

/* The number of points that have the sign of komi. */
static int komi_signs(const struct game *g, const struct state *s)
{
	int most = SIGN_KOMI_MOST, squares = go_size(s) * go_size(s);
	return (squares * (most + shown_komi(g, s)) + most) / (2 * most);
}

static void go_planes(const struct game *g, const struct state *s, uint8_t set[GAME_SQUARES_MAX])
{
	struct go_board b;
	uint8_t liberties[GO_SQUARES_MAX];
	int size = go_size(s);
	go_board_of(s, &b);
	go_board_liberties(&b, 3, liberties);
	bool ahead = side_sign(s->side) * go_score(g, s) > 0;
	int all = (go_passes(s) ? SIGN_KO : 0) | (ahead ? SIGN_AHEAD : 0), komi = komi_signs(g, s);
	for (int square = 0; square < size * size; square++) {
		int own = liberties[square] == 1   ? SIGN_ATARI
			  : liberties[square] == 2 ? SIGN_SHORT
						   : 0;
		set[square] = (uint8_t)(all | own | (square == go_ko(s) ? SIGN_KO : 0) |
					(square < komi ? SIGN_KOMI : 0));
	}
}

static void owners(const struct game *g, const struct state *s, int8_t owner[GAME_SQUARES_MAX])
{
	struct go_board b;
	go_board_of(s, &b);
	go_board_area(&b, owner);
}

/* --- prior knowledge --- */

/* Returns true if there is a stone within two steps along the lines. */
static bool go_has_company(const struct state *s, int square)
{
	int size = go_size(s), row = square / size, col = square % size;
	for (int r = row - 2; r <= row + 2; r++)
		for (int c = col - 2; c <= col + 2; c++)
			if (r >= 0 && r < size && c >= 0 && c < size &&
			    abs(r - row) + abs(c - col) <= 2 && !go_is_empty(s, r * size + c))
				return true;
	return false;
}

/* The distance of a square from the border: 0 on the first line. */
static int go_line_of(int size, int square)
{
	int row = square / size, col = square % size;
	int low = row < col ? row : col, high = row > col ? row : col;
	return low < size - 1 - high ? low : size - 1 - high;
}

#define HINT_PLAYOUTS 20

static struct prior go_prior_of(const struct state *s, const struct go_board *b, int last,
				int square)
{
	const int size = go_size(s);
	float mean = 0;
	if (square == size * size)
		return (struct prior) { HINT_PLAYOUTS, last == square ? 0 : -0.8f };
	unsigned look = go_board_look(b, go_point(size, square / size, square % size), s->side);
	if (look & GO_MOVE_EYE)
		return (struct prior) { HINT_PLAYOUTS, -0.9f };
	if (look & GO_MOVE_CAPTURES)
		mean += 0.6f;
	if (look & GO_MOVE_SAVES)
		mean += 0.4f;
	if (look & GO_MOVE_SELF_ATARI)
		mean -= 0.6f;
	if (look & GO_MOVE_SHAPE)
		mean += 0.2f;
	if (!go_has_company(s, square)) {
		int line = go_line_of(size, square);
		mean += line == 0 ? -0.6f : line == 1 ? -0.3f : line == 2 ? 0.1f : 0.0f;
	}
	if (last < size * size) {
		int rows = abs(square / size - last / size),
		    cols = abs(square % size - last % size);
		int distance = rows + cols + (rows > cols ? rows : cols);
		mean += distance <= 3 ? 0.2f : distance <= 5 ? 0.1f : 0;
	}
	return (struct prior) { HINT_PLAYOUTS, fminf(0.9f, fmaxf(-0.9f, mean)) };
}

static void go_prior(const struct game *g, const struct state *s, move_t last, const move_t *steps,
		     int count, struct prior *out)
{
	struct go_board b;
	go_board_of(s, &b);
	for (int i = 0; i < count; i++)
		out[i] = go_prior_of(s, &b, last, steps[i]);
}

/* --- text and symmetry --- */

static char go_at(const struct game *g, const struct state *s, int row, int col)
{
	int square = go_size(s) * row + col;
	return go_has_stone(s, BLACK, square) ? 'X' : go_has_stone(s, WHITE, square) ? 'O' : '.';
}

static enum move_check go_parse(const struct game *g, const struct state *s, const char *text,
				struct move *m)
{
	enum move_check check = square_parse_step(g, s, text, m);
	return check == MOVE_OK && !go_is_legal(s, m->step[0]) ? MOVE_ILLEGAL : check;
}

/* --- check --- */

/* Returns true if the parts of the state fit each other. The keys are computed anew. */
static bool go_valid(const struct game *g, const struct state *s)
{
	struct state expected;
	uint64_t chain[GO_SET_WORDS];
	int size = go_size(s);
	if (size < GO_SIZE_MIN || size > GO_SIZE_MAX || s->pending || go_passes(s) > PASSES_END ||
	    s->over != (go_passes(s) == PASSES_END))
		return false;
	go_make_empty(&expected, size);
	for (int square = 0; square < size * size; square++)
		for (int side = BLACK; side <= WHITE; side++)
			if (go_has_stone(s, side, square)) {
				if (!go_is_empty(&expected, square) ||
				    !has_liberty(s, square, GO_NO_SQUARE, chain))
					return false;
				go_stone_toggle(&expected, side, square);
			}
	if (go_ko(s) != GO_NO_SQUARE && (go_ko(s) >= size * size || !go_is_empty(s, go_ko(s))))
		return false;
	expected.side = s->side;
	ko_change(&expected, go_ko(s));
	passes_change(&expected, go_passes(s));
	komi_change(g, &expected, go_get_komi(g, s));
	return memcmp(s->board, expected.board, sizeof s->board) == 0 && s->hash == state_hash(s) &&
	       s->score == (s->over ? go_score(g, s) : 0);
}

/* The handicap points of GTP: corners, sides and the centre, on the third line from the border, or on the fourth
 * from 13x13 on. Boards without a centre point and 7x7 have the corners only, smaller ones nothing. */
static int handicap(const struct game *g, int count, int squares[GAME_SQUARES_MAX])
{
	const int size = g->board.rows, edge = size >= 13 ? 3 : 2, middle = size / 2;
	const bool has_middle = size % 2 && size >= 9;
	const int low = edge, high = size - 1 - edge;
	/* Row and column, row 0 at the top. The order is that of the numbers of stones. */
	const int points[9][2] = { { high, low },   { low, high },    { low, low },
				   { high, high },  { middle, low },  { middle, high },
				   { low, middle }, { high, middle }, { middle, middle } };
	int placed = 0, most = has_middle ? 9 : 4;
	if (size < 7)
		return 0;
	count = count < most ? count : most;
	/* With 5 and 7 stones one is in the centre; from 6 on the sides come in pairs. */
	int without_centre = count == 5 || count == 7 || count == 9 ? count - 1 : count;
	for (; placed < without_centre; placed++)
		squares[placed] = points[placed][0] * size + points[placed][1];
	if (placed < count)
		squares[placed++] = points[8][0] * size + points[8][1];
	return placed;
}

/* Suicide, repetition. */
#define GUIDE(SUICIDE, REPETITION)                                                                 \
	"Black (X) moves first. The sides place stones on empty points in turn, or pass.\n"        \
	"Stones of one colour that touch along lines form a chain. The empty points that\n"        \
	"touch a chain are its liberties. A chain without liberties is captured and\n"             \
	"removed, first the other side's, then one's own" SUICIDE "\n"                             \
	"     A B C D\n"                                                                           \
	"   4 . X O X       White has one liberty at B2. Black captures the\n"                     \
	"   3 X O O X       three white stones there.\n"                                           \
	"   2 . . X .\n"                                                                           \
	"   1 . X . .\n"                                                                           \
	"\n" REPETITION "\n"                                                                       \
	"Two passes in a row end the game. All stones on the board then count as alive,\n"         \
	"so play on until the dead ones are captured. A side's score is the number of\n"           \
	"its stones and of the empty points that only its stones reach. White also gets\n"         \
	"komi, for moving second.\n"                                                               \
	"\n"                                                                                       \
	"A move is a column and a row, counted from the bottom; there is no column I: d4\n"

#define GUIDE_NO_SUICIDE                                                                           \
	": a move that would leave one's\n"                                                        \
	"own stones without a liberty is illegal.\n"
#define GUIDE_SUICIDE                                                                              \
	": a move may capture one's own\n"                                                         \
	"chain, if that has several stones.\n"
#define GUIDE_POSITIONAL                                                                           \
	"A move may not bring back an earlier position of all stones of the game. The\n"           \
	"usual case is ko: a stone that has just captured one stone may not be captured\n"         \
	"at once in return.\n"
#define GUIDE_SITUATIONAL                                                                          \
	"A move may not bring back an earlier position of all stones in which\n"                   \
	"the same side was to move. The usual case is ko: a stone that has just captured\n"        \
	"one stone may not be captured at once in return.\n"
#define GUIDE_SIMPLE                                                                               \
	"A stone that has just captured one stone may not be captured at once in return,\n"        \
	"which would bring back the position before (ko). Longer cycles are allowed: a\n"          \
	"position that occurs for the third time, with the same side to move, ends the\n"          \
	"game without a result, which counts as a draw.\n"

/* The star points: on the third lines of smaller boards, on the fourth of larger ones, and in the middle. */
static bool go_is_star(const struct game *g, int row, int col)
{
	int near = g->board.rows < 13 ? 2 : 3, far = g->board.rows - 1 - near,
	    middle = g->board.rows / 2;
	bool has_middle = g->board.rows % 2, has_sides = has_middle && g->board.rows >= 15;
	bool row_edge = row == near || row == far, col_edge = col == near || col == far;
	bool row_middle = row == middle, col_middle = col == middle;
	if (g->board.rows < 7)
		return false;
	return (row_edge && col_edge) || (has_middle && row_middle && col_middle) ||
	       (has_sides && ((row_edge && col_middle) || (row_middle && col_edge)));
}

/* The Elo of the levels. */
static const int16_t ratings[LEVEL_MAX] = { 908, 1509, 1928, 2100, 2318, 2566, 2814, 3033, 3186 };

static const struct playouts go_playouts = {
	.uniform = go_playout, .trace = go_trace, .heavy = go_heavy, .prior = go_prior
};
static const struct komi go_komi = { .set = go_set_komi, .get = go_get_komi, .handicap = handicap };
static const struct goals go_goals = { .capture = go_capture };
static const struct network go_network = { .planes = go_planes,
					   .surplus = surplus,
					   .owners = owners };
static const struct images go_images = { .symmetries = IMAGES_ALL, .mirror = images_mirror_step };
static const struct repetition go_positional = { .key = repeat_key };
static const struct repetition go_situational = { .key = situation_key };
static const struct repetition go_simple = { .limit = OCCURRENCES };

/* The table of a size. `...`: what the rules add. */
#define BOARD(DECLARED, NAME, SIDE, SOLVER, ...)                                                   \
	DECLARED = {                                                                               \
		.name = "go",                                                                      \
		.title = "Go",                                                                     \
		.sizes = NAME##_sizes,                                                             \
		.alias = "baduk weiqi",                                                            \
		.board = { .rows = (SIDE),                                                         \
			   .cols = (SIDE),                                                         \
			   .goes_up = true,                                                        \
			   .skips_i = true,                                                        \
			   .kind = BOARD_INTERSECTIONS,                                            \
			   .color = BOARD_WOOD,                                                    \
			   .dot = go_is_star },                                                    \
		.steps = { .codes = (SIDE) * (SIDE) + 1,                                           \
			   .choices = (SIDE) * (SIDE) + 1,                                         \
			   .per_move = 1,                                                          \
			   .pass = (SIDE) * (SIDE),                                                \
			   .may_pass = true,                                                       \
			   .frees_squares = true },                                                \
		.score = { .most = 2 * (SIDE) * (SIDE) + KOMI_MAX,                                 \
			   .half_points = true,                                                    \
			   .unit = "points" },                                                     \
		.start = go_start,                                                                 \
		.setup = go_setup,                                                                 \
		.moves = go_moves,                                                                 \
		.play = go_play,                                                                   \
		.set_turn = go_set_turn,                                                           \
		.parse = go_parse,                                                                 \
		.format = square_format_step,                                                      \
		.at = go_at,                                                                       \
		.valid = go_valid,                                                                 \
		.words = &NAME##_words,                                                            \
		.playouts = &go_playouts,                                                          \
		.komi = &go_komi,                                                                  \
		.goals = &go_goals,                                                                \
		.network = &go_network,                                                            \
		.images = &go_images,                                                              \
		.formats = &NAME##_formats,                                                        \
		.tuning = &(const struct tuning) { .search = "mcts",                               \
						   .exploration = 0.1,                             \
						   .rave = 1000,                                   \
						   .evaluator_cost = (SIDE) >= NET_SIZE_MIN        \
									     ? BOARD_NET_COST      \
									     : 0,                  \
						   .usual_length = (SIDE) * (SIDE)*3 / 4,          \
						   .ratings = (SIDE) == 9 ? ratings : NULL },      \
		.solver = (SIDE) <= 5 ? (SOLVER) : NULL,                                           \
		.evaluator = (SIDE) >= NET_SIZE_MIN ? &evaluator : NULL,                           \
		__VA_ARGS__,                                                                       \
	}

/* The tables of a rule set. */
#define BOARDS(NAME, SOLVER, GUIDE, KATA, ...)                                                     \
	static const struct words NAME##_words = { .guide = GUIDE, .facts = go_facts };            \
	static const struct formats NAME##_formats = { .sgf_gm = 1, .kata_rules = KATA };          \
	BOARD(const struct game game_##NAME, NAME, 9, SOLVER, __VA_ARGS__);                        \
	BOARD(static const struct game NAME##_2, NAME, 2, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_3, NAME, 3, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_4, NAME, 4, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_5, NAME, 5, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_6, NAME, 6, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_7, NAME, 7, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_8, NAME, 8, SOLVER, __VA_ARGS__);                    \
	BOARD(static const struct game NAME##_10, NAME, 10, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_11, NAME, 11, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_12, NAME, 12, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_13, NAME, 13, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_14, NAME, 14, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_15, NAME, 15, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_16, NAME, 16, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_17, NAME, 17, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_18, NAME, 18, SOLVER, __VA_ARGS__);                  \
	BOARD(static const struct game NAME##_19, NAME, 19, SOLVER, __VA_ARGS__);                  \
	/* The default size first. */                                                              \
	static const struct game *const NAME##_sizes[TABLES] = {                                   \
		&game_##NAME, &NAME##_2,  &NAME##_3,  &NAME##_4,  &NAME##_5,                       \
		&NAME##_6,    &NAME##_7,  &NAME##_8,  &NAME##_10, &NAME##_11,                      \
		&NAME##_12,   &NAME##_13, &NAME##_14, &NAME##_15, &NAME##_16,                      \
		&NAME##_17,   &NAME##_18, &NAME##_19, NULL                                         \
	}

#define KATA_RULES(KO, SUICIDE)                                                                    \
	"{\"friendlyPassOk\":false,\"hasButton\":false,\"ko\":\"" KO                               \
	"\",\"scoring\":\"AREA\",\"suicide\":" SUICIDE                                             \
	",\"tax\":\"NONE\",\"whiteHandicapBonus\":\"0\"}"

BOARDS(go, &go_solver, GUIDE(GUIDE_NO_SUICIDE, GUIDE_POSITIONAL), KATA_RULES("POSITIONAL", "false"),
       .rules = "standard", .data = &(const int) { 0 }, .init = go_init,
       .repetition = &go_positional);
BOARDS(go_situational, NULL, GUIDE(GUIDE_NO_SUICIDE, GUIDE_SITUATIONAL),
       KATA_RULES("SITUATIONAL", "false"), .rules = "situational",
       .data = &(const int) { GO_SITUATIONAL }, .repetition = &go_situational);
BOARDS(go_simple, NULL, GUIDE(GUIDE_NO_SUICIDE, GUIDE_SIMPLE), KATA_RULES("SIMPLE", "false"),
       .rules = "simple", .data = &(const int) { GO_SIMPLE }, .repetition = &go_simple);
BOARDS(go_tromp_taylor, NULL, GUIDE(GUIDE_SUICIDE, GUIDE_POSITIONAL),
       KATA_RULES("POSITIONAL", "true"), .rules = "tromp-taylor",
       .data = &(const int) { GO_SUICIDE }, .repetition = &go_positional);
BOARDS(go_new_zealand, NULL, GUIDE(GUIDE_SUICIDE, GUIDE_SITUATIONAL),
       KATA_RULES("SITUATIONAL", "true"), .rules = "new-zealand",
       .data = &(const int) { GO_SUICIDE | GO_SITUATIONAL }, .repetition = &go_situational);
