/* SPDX-License-Identifier: MIT
 *
 * The game of the Amazons (Zamkauskas, 1988) on boards of 6x6, 8x8 and 10x10. A move has three steps: an amazon, the square to
 * which it moves, and the square that its arrow blocks.
 *
 * A set of squares has bit 11*row + col on every board, with row 0 at the top: a cell. Cells off the board are never free, so
 * a shift that leaves a row ends there. A step is CELLS times the number of its kind, plus a cell.
 *
 * board[0] and board[1] are two hashes (Zobrist, 1970) of the pieces and of the pending steps. `stones` is the cell of the
 * amazon that a pending move has chosen.
 *
 * The evaluation asks which side comes first to each free square, by moves of an amazon and by single squares (Müller and
 * Tegos, 2002; Lieberum, 2005).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/evaluation/lookahead.h"
#include "engine/rules/eval.h"
#include "engine/rules/formats.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"

#define SIDE_MAX    10
#define WIDTH       (SIDE_MAX + 1)
#define CELLS       (SIDE_MAX * WIDTH)
#define AMAZONS_MAX 4 /* of a side */
#define WAYS        4 /* each with its opposite */

/* The kinds of steps, in their order. */
enum { FROM, TO, ARROW };

/* The words of a state behind the keys: two for the amazons of each side and two for the arrows. */
enum { ARROWS = 2, SETS };
static const char letters[] = "XOA";

__extension__ typedef unsigned __int128 amazons_set;

static const int8_t ways[WAYS] = { 1, WIDTH - 1, WIDTH, WIDTH + 1 };

static amazons_set boards[SIDE_MAX + 1]; /* all squares of each size */
static amazons_set rays[2][WAYS][CELLS]; /* down and up; those down have cells off the board, too */
static uint64_t piece_keys[SETS][CELLS][2], chosen_keys[ARROW + 1][CELLS][2];

/* --- sets --- */

static inline amazons_set amazons_bit(int cell)
{
	return (amazons_set)1 << cell;
}

static inline int amazons_count(amazons_set set)
{
	return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* The lowest cell of a set that has one. */
static inline int amazons_first(amazons_set set)
{
	uint64_t low = (uint64_t)set;
	return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

/* The number of bits up to the highest one of a set. */
static inline int amazons_bits(amazons_set set)
{
	uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
	return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static inline amazons_set amazons_read(const struct state *s, int set)
{
	return (amazons_set)s->board[3 + 2 * set] << 64 | s->board[2 + 2 * set];
}

static amazons_set amazons_free(const struct game *g, const struct state *s)
{
	return boards[g->board.rows] & ~amazons_read(s, BLACK) & ~amazons_read(s, WHITE) &
	       ~amazons_read(s, ARROWS);
}

/* A set and its neighbours, as far as they are in `within`. */
static inline amazons_set amazons_around(amazons_set set, amazons_set within)
{
	amazons_set row = set | set << 1 | set >> 1;
	return (row | row << WIDTH | row >> WIDTH) & within;
}

/* The free squares to which an amazon or an arrow can go from a cell. */
static inline amazons_set amazons_reach(int cell, amazons_set free)
{
	amazons_set reach = 0;
	for (int way = 0; way < WAYS; way++) {
		amazons_set down = rays[0][way][cell], up = rays[1][way][cell];
		amazons_set stops = down & ~free;
		reach |= down & ~stops & (stops - 1);
		reach |= up & ~(amazons_set)0 << amazons_bits(up & ~free);
	}
	return reach;
}

/* The same from all cells of a set. */
static inline amazons_set amazons_slide(amazons_set set, amazons_set free)
{
	amazons_set all = 0, moved;
	for (int way = 0; way < WAYS; way++) {
		for (moved = set; (moved = moved << ways[way] & free);)
			all |= moved;
		for (moved = set; (moved = moved >> ways[way] & free);)
			all |= moved;
	}
	return all;
}

/* The cells that the next step can name. */
static inline amazons_set amazons_choices(int kind, int chosen, amazons_set own, amazons_set free)
{
	return kind == FROM ? amazons_around(free, own) : amazons_reach(chosen, free);
}

/* --- tables --- */

static void amazons_init_rays(int row, int col)
{
	for (int up = 0; up < 2; up++)
		for (int way = 0; way < WAYS; way++) {
			int rows = way > 0, cols = way == 0 ? 1 : way - 2, r = row, c = col;
			amazons_set *ray = &rays[up][way][WIDTH * row + col];
			for (*ray = 0; r >= 0 && r < SIDE_MAX && c >= 0 && c < SIDE_MAX;) {
				r += up ? -rows : rows;
				c += up ? -cols : cols;
				if (WIDTH * r + c >= 0)
					*ray |= amazons_bit(WIDTH * r + c);
			}
		}
}

static void amazons_init(const struct game *g)
{
	uint64_t seed = 18;
	for (int n = 1; n <= SIDE_MAX; n++)
		for (int row = 0; row < n; row++)
			boards[n] |= (amazons_bit(n) - 1) << WIDTH * row;
	for (int i = 0; i < SIDE_MAX * SIDE_MAX; i++)
		amazons_init_rays(i / SIDE_MAX, i % SIDE_MAX);
	for (int i = 0; i < SETS * CELLS * 2; i++) {
		piece_keys[i % SETS][i / SETS / 2][i / SETS % 2] = rng_split(&seed);
		chosen_keys[i % SETS][i / SETS / 2][i / SETS % 2] = rng_split(&seed);
	}
}

/* --- rules --- */

static inline void amazons_toggle(struct state *s, int set, int cell)
{
	s->board[2 + 2 * set + cell / 64] ^= UINT64_C(1) << cell % 64;
	s->board[0] ^= piece_keys[set][cell][0];
	s->board[1] ^= piece_keys[set][cell][1];
}

/* Ends the choice of the step before, if there was one, and makes that of `cell`. */
static inline void amazons_choose(struct state *s, int pending, int cell)
{
	for (int key = 0; key < 2; key++)
		s->board[key] ^= chosen_keys[s->pending][s->stones][key] ^
				 chosen_keys[pending][cell][key];
	s->pending = (uint8_t)pending;
	s->stones = (uint8_t)cell;
}

/* Sets `over` and `score`: a side that cannot move has lost. */
static void amazons_set_result(const struct game *g, struct state *s)
{
	s->over = !s->pending && !amazons_around(amazons_free(g, s), amazons_read(s, s->side));
	s->score = (int16_t)(s->over ? -side_sign(s->side) : 0);
	s->hash = state_hash(s);
}

static const char *amazons_setup(const struct game *g, struct state *s, const char *squares,
				 int side)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (squares[i] != '.')
			amazons_toggle(s, (int)(strchr(letters, squares[i]) - letters),
				       WIDTH * (i / g->board.cols) + i % g->board.cols);
	for (int i = BLACK; i <= WHITE; i++) {
		int count = amazons_count(amazons_read(s, i));
		if (count < 1 || count > AMAZONS_MAX)
			return "each side has one to four amazons";
	}
	s->side = (uint8_t)side;
	amazons_set_result(g, s);
	return NULL;
}

static void amazons_start(const struct game *g, struct state *s)
{
	amazons_setup(g, s, g->data, BLACK);
}

static int amazons_moves(const struct game *g, const struct state *s, move_t *out)
{
	int n = 0;
	amazons_set set = amazons_choices(s->pending, s->stones, amazons_read(s, s->side),
					  amazons_free(g, s));
	for (; set; set &= set - 1)
		out[n++] = (move_t)(CELLS * s->pending + amazons_first(set));
	return n;
}

static void amazons_play(const struct game *g, struct state *s, move_t step)
{
	const int kind = step / CELLS, cell = step % CELLS;
	if (kind == TO) {
		amazons_toggle(s, s->side, s->stones);
		amazons_toggle(s, s->side, cell);
	} else if (kind == ARROW) {
		amazons_toggle(s, ARROWS, cell);
		s->side ^= 1;
	}
	amazons_choose(s, kind == ARROW ? 0 : kind + 1, kind == ARROW ? 0 : cell);
	amazons_set_result(g, s);
}

/* --- playouts --- */

/* Plays the steps that playout_generic() would play. */
static int amazons_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	amazons_set own[] = { amazons_read(s, BLACK), amazons_read(s, WHITE) };
	amazons_set free = amazons_free(g, s), set;
	int side = s->side, kind = s->pending, chosen = s->stones;
	while ((set = amazons_choices(kind, chosen, own[side], free))) {
		uint64_t words[] = { (uint64_t)set, (uint64_t)(set >> 64) };
		int cell = bits_nth(words, (int)rng_below(rng, (uint32_t)amazons_count(set)));
		if (kind == TO) {
			own[side] ^= amazons_bit(chosen) | amazons_bit(cell);
			free ^= amazons_bit(chosen) | amazons_bit(cell);
		} else if (kind == ARROW) {
			free ^= amazons_bit(cell);
			side ^= 1;
		}
		chosen = cell;
		kind = kind == ARROW ? FROM : kind + 1;
	}
	return -side_sign(side);
}

/* --- evaluation --- */

/* Weights of a square to which a side comes first by moves of an amazon or by single squares, and of one to which both
 * come at once by moves, for the side to move. */
#define BY_MOVES   10
#define BY_SQUARES 7
#define SHARED     3
#define VALUE_MOST 98 /* of positions that are not over */

/* The squares to which Black comes first, less those of White's. Sets `shared` to those to which both come at once. */
static int amazons_land(amazons_set black, amazons_set white, amazons_set free,
			amazons_set (*spread)(amazons_set, amazons_set), int *shared)
{
	int ahead = 0;
	*shared = 0;
	for (amazons_set left = free; left && (black | white); left &= ~(black | white)) {
		black = spread(black, free) & left;
		white = spread(white, free) & left;
		ahead += amazons_count(black) - amazons_count(white);
		*shared += amazons_count(black & white);
	}
	return ahead;
}

/* The fewer squares are free, the more certain is an advantage. The constants are fitted to games. */
static int amazons_value(const struct game *g, const struct state *s)
{
	amazons_set black = amazons_read(s, BLACK), white = amazons_read(s, WHITE);
	amazons_set free = amazons_free(g, s);
	int shared, any, count = amazons_count(free), squares = g->board.rows * g->board.cols;
	int value = BY_MOVES * amazons_land(black, white, free, amazons_slide, &shared) +
		    BY_SQUARES * amazons_land(black, white, free, amazons_around, &any) +
		    SHARED * side_sign(s->side) * shared;
	return VALUE_MOST * value /
	       (abs(value) + BY_MOVES + 250 * count * count / squares / squares);
}

static struct lookahead constants = { .scale = 0.5f, .temperature = 0.05f };
static const struct evaluator evaluator = LOOKAHEAD_EVALUATOR(&constants);

/* --- text --- */

/* Reads three squares, with `-` behind the first and `/` behind the second, or other signs between them. */
static enum move_check amazons_parse(const struct game *g, const struct state *s, const char *text,
				     struct move *m)
{
	int row, col;
	*m = move_none();
	for (int kind = FROM; kind <= ARROW; kind++) {
		text += kind > FROM && *text && strchr("-/(x,", *text);
		text = square_parse(g, text, &row, &col);
		if (!text)
			return MOVE_MALFORMED;
		m->step[kind] = (move_t)(CELLS * kind + WIDTH * row + col);
	}
	text += *text == ')';
	if (*text)
		return MOVE_MALFORMED;
	return game_is_legal(g, s, *m) ? MOVE_OK : MOVE_ILLEGAL;
}

static void amazons_format(const struct game *g, const struct state *s, struct move m,
			   char text[MOVE_TEXT_MAX])
{
	char names[ARROW + 1][SQUARE_TEXT_MAX];
	for (int kind = FROM; kind <= ARROW; kind++)
		square_format(g, m.step[kind] % CELLS / WIDTH, m.step[kind] % CELLS % WIDTH,
			      names[kind]);
	snprintf(text, MOVE_TEXT_MAX, "%s%s%s", names[FROM], names[TO], names[ARROW]);
}

static char amazons_at(const struct game *g, const struct state *s, int row, int col)
{
	for (int set = 0; set < SETS; set++)
		if (bits_has(&s->board[2 + 2 * set], WIDTH * row + col))
			return letters[set];
	return '.';
}

static bool amazons_valid(const struct game *g, const struct state *s)
{
	const int squares = g->board.rows * g->board.cols;
	char text[POSITION_TEXT_MAX];
	struct state plain;
	game_position(g, s, text);
	text[squares] = '\0';
	/* A state without its pending steps has the key of a position that is set up. */
	struct state rest = *s;
	amazons_choose(&rest, 0, 0);
	if (s->pending > ARROW || (!s->pending && s->stones) ||
	    (s->pending && !bits_has(&s->board[2 + 2 * s->side], s->stones)) ||
	    amazons_setup(g, &plain, text, s->side))
		return false;
	return memcmp(plain.board, rest.board, sizeof plain.board) == 0 &&
	       s->over == (!s->pending && plain.over) && s->score == (s->over ? plain.score : 0) &&
	       s->hash == state_hash(s);
}

/* For networks: the amazon that is moving, and then where its arrow starts. */
static void amazons_planes(const struct game *g, const struct state *s, uint8_t *planes)
{
	if (s->pending)
		planes[s->stones / WIDTH * g->board.cols + s->stones % WIDTH] = s->pending;
}

static int amazons_place(const struct game *g, move_t step, int *way)
{
	int cell = step % CELLS;
	*way = step / CELLS;
	return g->board.cols * (cell / WIDTH) + cell % WIDTH;
}

static move_t amazons_mirror(const struct game *g, move_t step, int symmetry)
{
	int cell = step % CELLS, kind;
	int square = images_mirror_square(g, amazons_place(g, step, &kind), symmetry);
	return (move_t)(step - cell + WIDTH * (square / g->board.cols) + square % g->board.cols);
}

static const char guide[] =
	"Black (X) moves first. A move has two parts. An amazon of the side moves like a\n"
	"queen of chess: along a row, a column or a diagonal, over empty squares only.\n"
	"Then it shoots an arrow, which flies in the same way from the amazon's new\n"
	"square and blocks (A) the square where it lands for the rest of the game. The\n"
	"square that the amazon has left is empty, and may be shot at. Nothing is ever\n"
	"captured. A side that cannot move loses; there are no draws.\n"
	"\n"
	"     A B C D E F\n"
	"   6 . O . . O . 6\n"
	"   5 O . . . . O 5     Black has moved from B1 to B4\n"
	"   4 . X . . A . 4     and has shot at E4: b1b4e4\n"
	"   3 . . . . . . 3\n"
	"   2 X . . . . X 2\n"
	"   1 . . . . X . 1\n"
	"\n"
	"A move is the square of the amazon, its new square and that of the arrow,\n"
	"counted from the bottom left: b1b4e4\n";

static const struct piece amazons_pieces[] = { { 'X', BLACK, "amazon" },
					       { 'O', WHITE, "amazon" },
					       { 'A', PIECE_NEUTRAL, "arrow" },
					       { '\0', 0, NULL } };
static const struct words amazons_words = { .guide = guide };
static const struct playouts amazons_playouts = { .uniform = amazons_playout };
static const struct eval amazons_eval = { .value = amazons_value, .pending = true };
static const struct images amazons_images = { .symmetries = IMAGES_ALL, .mirror = amazons_mirror };
static const struct network amazons_network = { .planes = amazons_planes,
						.place = amazons_place,
						.ways = 3 };
static const struct formats amazons_formats = { .sgf_gm = 18 };
static const struct tuning amazons_tuning = { .search = "mcts", .usual_length = 70 };
static const struct game *const amazons_sizes[];

/* The table of a board of N*N squares. An amazon has most squares to go to in the middle of an empty board. */
#define AMAZONS(DECLARED, N, START)                                                                \
	DECLARED = {                                                                               \
		.name = "amazons",                                                                 \
		.title = "Amazons",                                                                \
		.rules = "standard",                                                               \
		.sizes = amazons_sizes,                                                            \
		.data = (START),                                                                   \
		.board = { .rows = (N),                                                            \
			   .cols = (N),                                                            \
			   .pieces = amazons_pieces,                                               \
			   .goes_up = true,                                                        \
			   .color = BOARD_WOOD },                                                  \
		.steps = { .codes = 3 * CELLS,                                                     \
			   .choices = 4 * (N)-5,                                                   \
			   .moves = AMAZONS_MAX * (4 * (N)-5) * (4 * (N)-5),                       \
			   .length = 3 * ((N) * (N)-2),                                            \
			   .per_move = 3,                                                          \
			   .pass = MOVE_NONE },                                                    \
		.score = { .most = 1, .no_draws = true },                                          \
		.init = amazons_init,                                                              \
		.start = amazons_start,                                                            \
		.setup = amazons_setup,                                                            \
		.moves = amazons_moves,                                                            \
		.play = amazons_play,                                                              \
		.parse = amazons_parse,                                                            \
		.format = amazons_format,                                                          \
		.at = amazons_at,                                                                  \
		.valid = amazons_valid,                                                            \
		.words = &amazons_words,                                                           \
		.playouts = &amazons_playouts,                                                     \
		.eval = &amazons_eval,                                                             \
		.network = &amazons_network,                                                       \
		.images = &amazons_images,                                                         \
		.tuning = &amazons_tuning,                                                         \
		.evaluator = &evaluator,                                                           \
		.formats = &amazons_formats,                                                       \
	}

AMAZONS(const struct game game_amazons, 10,
	"...O..O..."
	".........."
	".........."
	"O........O"
	".........."
	".........."
	"X........X"
	".........."
	".........."
	"...X..X...");
AMAZONS(static const struct game amazons_8, 8,
	"..O..O.."
	"........"
	"O......O"
	"........"
	"........"
	"X......X"
	"........"
	"..X..X..");
AMAZONS(static const struct game amazons_6, 6,
	".O..O."
	"O....O"
	"......"
	"......"
	"X....X"
	".X..X.");

/* The default size first. */
static const struct game *const amazons_sizes[] = { &game_amazons, &amazons_8, &amazons_6, NULL };
