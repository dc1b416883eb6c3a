/* SPDX-License-Identifier: MIT
 *
 * The goal of capturing a chain of Go: life and death, ladders, races. It is a game of its own on the states of Go. The
 * attacker wins by capturing the stone on the target square. The defender wins when the target's chain is
 * unconditionally alive (Benson, 1976), or when the attacker gives up.
 *
 * Only the moves inside an area count. The usual area is connected and has a border of unconditionally alive chains,
 * whose eyes lie outside. So no move outside changes what can happen inside: it is as good as a pass, except that the
 * board is then another one, and superko no longer forbids an earlier position. Two tables of rules differ in what they
 * make of that.
 *
 * "local": a pass stands for a pass or for any move outside. A step to an earlier position ends the game as a draw,
 * although superko may forbid it. The attacker gives up by passing when a pass of his, and then one of the defender,
 * have just changed nothing. Both results are then true for superko and the whole board: a winning side never needs a
 * repetition, and the other side does not win by one. (Repetitions are compared with the area as it is and the rest of
 * the board as it was at the beginning.) A draw decides nothing.
 *
 * "exact": all squares count unless the user has chosen the area, and superko forbids repetitions. The attacker gives up
 * by passing, since the defender may then pass, too. This decides everything but takes longer.
 *
 * With simple ko there is no "exact": a draw stays one, because no rule decides a long cycle. With suicide there are no
 * goals: Benson's life needs rules without it.
 *
 * The number of komi, which has no meaning here, holds the target and the passes. The last words of the state hold the
 * area: the squares of a window on the board. An area too large for it is the whole board, which is true as well.
 */
#include "games/go/go_capture.h"

#include <string.h>

#include "engine/base/bits.h"
#include "engine/rules/goals.h"
#include "engine/rules/proofs.h"
#include "engine/rules/repetition.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "games/common/list.h"
#include "games/go/go.h"

/* --- the state's words --- */

/* Bits of the number. */
#define TARGET_SET    0x1ff
#define PASSES_SHIFT  9 /* passes in a row, at most PASSES_MAX are counted */
#define PASSES_MAX    3
#define EXACT_BIT     (1 << 11)
#define ATTACKS_WHITE (1 << 12) /* the attacker is White */
#define CHOSEN_BIT    (1 << 13) /* the user has chosen the area */

/* The area's words: a bit for each square of a window, row by row; the window's top row, left column and number of
 * columns in the highest bits. No columns: the area is the whole board. */
#define AREA_WORD     GO_STONES(2)
#define WINDOW_MAX    112 /* squares */
#define WINDOW_SHIFT  (WINDOW_MAX - 64)
#define WINDOW_NUMBER 5 /* bits of each of the three numbers */
_Static_assert(AREA_WORD + 2 == STATE_WORDS, "a state has two words for the area");
_Static_assert(WINDOW_SHIFT + 3 * WINDOW_NUMBER < 64, "the window fits behind the area");

struct set {
	uint64_t word[GO_SET_WORDS];
};

static int go_capture_target_of(const struct game *g, const struct state *s)
{
	return go_get_komi(g, s) & TARGET_SET;
}

static int attacker_of(const struct game *g, const struct state *s)
{
	return go_get_komi(g, s) & ATTACKS_WHITE ? WHITE : BLACK;
}

static bool is_exact(const struct game *g, const struct state *s)
{
	return go_get_komi(g, s) & EXACT_BIT;
}

static int passes_of(const struct game *g, const struct state *s)
{
	return go_get_komi(g, s) >> PASSES_SHIFT & PASSES_MAX;
}

static void set_passes(const struct game *g, struct state *s, int passes)
{
	go_set_number(g, s,
		      (go_get_komi(g, s) & ~(PASSES_MAX << PASSES_SHIFT)) | passes << PASSES_SHIFT);
}

static int window_number(const struct state *s, int i)
{
	return (int)(s->board[AREA_WORD + 1] >> (WINDOW_SHIFT + WINDOW_NUMBER * i)) &
	       ((1 << WINDOW_NUMBER) - 1);
}

/* Returns true if a square is in the state's area. */
static bool in_area(const struct state *s, int square)
{
	int size = go_size(s), cols = window_number(s, 2);
	int row = square / size - window_number(s, 0), col = square % size - window_number(s, 1);
	int bit = row * cols + col;
	if (cols == 0)
		return true;
	return row >= 0 && col >= 0 && col < cols && bit < WINDOW_MAX &&
	       s->board[AREA_WORD + bit / 64] >> bit % 64 & 1;
}

/* The share of the area in the second key. */
static uint64_t area_key(const struct state *s)
{
	uint64_t seed = s->board[AREA_WORD], more = s->board[AREA_WORD + 1] ^ rng_split(&seed);
	return rng_split(&more);
}

/* Makes a set of squares the area of a state that has none, if a window can hold it. */
static void set_area(struct state *s, const struct set *area)
{
	int size = go_size(s), top = size, left = size, bottom = 0, right = 0;
	for (int square = 0; square < size * size; square++) {
		int row = square / size, col = square % size;
		if (!bits_has(area->word, square))
			continue;
		top = row < top ? row : top;
		left = col < left ? col : left;
		bottom = row > bottom ? row : bottom;
		right = col > right ? col : right;
	}
	/* The window of an empty area is one square, which is not in it. */
	if (top > bottom)
		top = left = 0;
	int cols = right - left + 1;
	if ((bottom - top + 1) * cols > WINDOW_MAX)
		return;
	uint64_t *word = &s->board[AREA_WORD];
	for (int square = 0; square < size * size; square++) {
		int bit = (square / size - top) * cols + square % size - left;
		if (bits_has(area->word, square))
			bits_add(word, bit);
	}
	word[1] |= (uint64_t)(top | left << WINDOW_NUMBER | cols << 2 * WINDOW_NUMBER)
		   << WINDOW_SHIFT;
	s->board[1] ^= area_key(s);
}

static void clear_area(struct state *s)
{
	s->board[1] ^= area_key(s);
	s->board[AREA_WORD] = s->board[AREA_WORD + 1] = 0;
	s->board[1] ^= area_key(s);
}

/* --- sets of squares --- */

static struct set go_capture_stones_of(const struct state *s, int side)
{
	struct set set;
	memcpy(&set, &s->board[GO_STONES(side)], sizeof set);
	for (int i = 0; i < GO_SET_WORDS; i++)
		set.word[i] &= i < GO_SET_WORDS - 1 ? UINT64_MAX : GO_LAST_SET;
	return set;
}

/* The squares of a set and their neighbours. */
static struct set go_capture_spread(int size, const struct set *set)
{
	struct set out = { { 0 } };
	go_spread(size, set->word, out.word);
	return out;
}

static struct set set_and(struct set a, const struct set *b)
{
	for (int i = 0; i < GO_SET_WORDS; i++)
		a.word[i] &= b->word[i];
	return a;
}

static struct set set_or(struct set a, const struct set *b)
{
	for (int i = 0; i < GO_SET_WORDS; i++)
		a.word[i] |= b->word[i];
	return a;
}

static struct set set_without(struct set a, const struct set *b)
{
	for (int i = 0; i < GO_SET_WORDS; i++)
		a.word[i] &= ~b->word[i];
	return a;
}

static bool set_is_empty(const struct set *a)
{
	uint64_t any = 0;
	for (int i = 0; i < GO_SET_WORDS; i++)
		any |= a->word[i];
	return !any;
}

static int go_capture_set_count(const struct set *a)
{
	int count = 0;
	for (int i = 0; i < GO_SET_WORDS; i++)
		count += __builtin_popcountll(a->word[i]);
	return count;
}

static struct set all_squares(int size)
{
	struct set all;
	for (int i = 0; i < GO_SET_WORDS; i++)
		all.word[i] = go_board_word(size, i);
	return all;
}

/* The squares of `within` that are connected to a square of it. */
static struct set connected(int size, int square, const struct set *within)
{
	struct set found = { { 0 } }, more;
	bits_add(found.word, square);
	for (;; found = more) {
		more = go_capture_spread(size, &found);
		more = set_and(more, within);
		if (memcmp(&more, &found, sizeof found) == 0)
			return found;
	}
}

/* Divides a set into connected parts. Returns their number. */
static int divide(int size, struct set set, struct set parts[GO_SQUARES_MAX])
{
	int count = 0;
	for (; !set_is_empty(&set); count++) {
		parts[count] = connected(size, bits_first(set.word), &set);
		set = set_without(set, &parts[count]);
	}
	return count;
}

static struct set empty_squares(const struct state *s)
{
	struct set black = go_capture_stones_of(s, BLACK), white = go_capture_stones_of(s, WHITE);
	return set_without(set_without(all_squares(go_size(s)), &black), &white);
}

/* --- unconditional life --- */

/* What a side's stones divide the board into. */
struct parts {
	int chain_count, region_count;
	struct set chains[GO_SQUARES_MAX];
	struct set beside[GO_SQUARES_MAX];  /* the chains with their neighbours */
	struct set regions[GO_SQUARES_MAX]; /* between the chains */
	struct set open[GO_SQUARES_MAX];    /* the empty squares of the regions */
	bool encloses[GO_SQUARES_MAX]; /* only chains that may be alive are beside the region */
	bool lives[GO_SQUARES_MAX];    /* the chain may be alive */
};

/* Returns true if two regions are vital for a chain: all their empty squares are its liberties. */
static bool has_eyes(const struct parts *p, int chain)
{
	int eyes = 0;
	for (int i = 0; i < p->region_count && eyes < 2; i++) {
		struct set far = set_without(p->open[i], &p->beside[chain]);
		eyes += p->encloses[i] && set_is_empty(&far);
	}
	return eyes == 2;
}

/* The stones of a side that cannot be captured although it always passes (Benson, 1976). Regions that touch the set
 * `taken` count for nothing. */
static struct set alive_stones(const struct state *s, int side, const struct set *taken)
{
	struct parts p;
	int size = go_size(s);
	struct set own = go_capture_stones_of(s, side), empty = empty_squares(s), alive = own;
	p.chain_count = divide(size, own, p.chains);
	p.region_count = divide(size, set_without(all_squares(size), &own), p.regions);
	for (int i = 0; i < p.chain_count; i++) {
		p.beside[i] = go_capture_spread(size, &p.chains[i]);
		p.lives[i] = true;
	}
	for (int i = 0; i < p.region_count; i++) {
		struct set common = set_and(p.regions[i], taken);
		p.open[i] = set_and(p.regions[i], &empty);
		p.encloses[i] = set_is_empty(&common);
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < p.chain_count; i++) {
			if (!p.lives[i] || has_eyes(&p, i))
				continue;
			p.lives[i] = false;
			alive = set_without(alive, &p.chains[i]);
			changed = true;
			for (int j = 0; j < p.region_count; j++) {
				struct set common = set_and(p.regions[j], &p.beside[i]);
				p.encloses[j] &= set_is_empty(&common);
			}
		}
	}
	return alive;
}

static bool is_alive(const struct game *g, const struct state *s)
{
	const struct set none = { { 0 } };
	struct set alive = alive_stones(s, attacker_of(g, s) ^ 1, &none);
	return bits_has(alive.word, go_capture_target_of(g, s));
}

/* The squares that matter for the target. Their border is alive by eyes outside. The first guess is the target
 * alone; each larger area leaves fewer eyes outside, until nothing changes. */
static struct set find_area(const struct game *g, const struct state *s)
{
	int size = go_size(s);
	struct set area = { { 0 } };
	bits_add(area.word, go_capture_target_of(g, s));
	for (;;) {
		struct set black = alive_stones(s, BLACK, &area);
		struct set white = alive_stones(s, WHITE, &area);
		struct set border = set_or(black, &white);
		struct set inside = set_without(all_squares(size), &border);
		struct set larger = connected(size, go_capture_target_of(g, s), &inside);
		if (memcmp(&larger, &area, sizeof area) == 0)
			return area;
		area = larger;
	}
}

/* --- the game --- */

static int go_capture_moves(const struct game *g, const struct state *s, move_t *out)
{
	int all = game_go.moves(&game_go, s, out), count = 0;
	for (int i = 0; i < all; i++)
		if (i == all - 1 || in_area(s, out[i]))
			out[count++] = out[i];
	return count;
}

static void go_capture_end(struct state *s, int winner)
{
	s->over = 1;
	s->score = (int16_t)side_sign(winner);
}

static void go_capture_play(const struct game *g, struct state *s, move_t step)
{
	int attacker = attacker_of(g, s), mover = s->side, passes = passes_of(g, s);
	if (step == go_size(s) * go_size(s)) {
		game_go.set_turn(&game_go, s, mover ^ 1);
		set_passes(g, s, passes < PASSES_MAX ? passes + 1 : PASSES_MAX);
		if (mover == attacker && (is_exact(g, s) || passes >= 2))
			go_capture_end(s, attacker ^ 1);
	} else {
		struct set target;
		game_go.play(&game_go, s, step);
		set_passes(g, s, 0);
		target = go_capture_stones_of(s, attacker ^ 1);
		if (!bits_has(target.word, go_capture_target_of(g, s)))
			go_capture_end(s, attacker);
		else if (mover != attacker && is_alive(g, s))
			go_capture_end(s, mover);
	}
	s->hash = state_hash(s);
}

/* A lone white stone in the corner; only for tables that need a start. */
static void go_capture_start(const struct game *g, struct state *s)
{
	char squares[GO_SQUARES_MAX];
	const char *why;
	struct state board;
	memset(squares, '.', sizeof squares);
	squares[0] = 'O';
	game_go.setup(g, &board, squares, BLACK);
	go_capture(g, &board, 0, NULL, 0, s, &why);
}

static const char *go_capture_setup(const struct game *g, struct state *s, const char *squares,
				    int side)
{
	(void)g, (void)s, (void)squares, (void)side;
	return "a goal begins with a position of Go";
}

static enum move_check go_capture_parse(const struct game *g, const struct state *s,
					const char *text, struct move *m)
{
	enum move_check check = game_go.parse(&game_go, s, text, m);
	return check == MOVE_OK && !in_area(s, m->step[0]) ? MOVE_ILLEGAL : check;
}

static bool go_capture_valid(const struct game *g, const struct state *s)
{
	struct set target = go_capture_stones_of(s, attacker_of(g, s) ^ 1);
	return go_capture_target_of(g, s) < go_size(s) * go_size(s) && s->hash == state_hash(s) &&
	       (s->over || bits_has(target.word, go_capture_target_of(g, s)));
}

/* Fewer liberties of the target are better for the attacker. With this the search takes less than a third of the time. */
static void capture_first_numbers(const struct game *g, const struct state *s, uint32_t efforts[2])
{
	int defender = attacker_of(g, s) ^ 1, size = go_size(s);
	struct set own = go_capture_stones_of(s, defender), empty = empty_squares(s);
	struct set chain = connected(size, go_capture_target_of(g, s), &own),
		   open = go_capture_spread(size, &chain);
	open = set_and(open, &empty);
	uint32_t liberties = (uint32_t)go_capture_set_count(&open);
	if (s->side == defender)
		efforts[defender ^ 1] *= liberties;
	else
		efforts[defender ^ 1] = liberties;
}

/* --- tables --- */

enum { LOCAL, EXACT };

/* By the rule of repetition (games/go/go.h). */
static struct game tables[GO_SIMPLE + 1][2][GO_SIZE_MAX + 1];

/* The same position in exact rules. */
static const struct game *go_capture_decide(const struct game *g, const struct state *s,
					    struct state *exact)
{
	*exact = *s;
	if (!(go_get_komi(g, s) & CHOSEN_BIT))
		clear_area(exact);
	go_set_number(g, exact, go_get_komi(g, s) | EXACT_BIT);
	exact->hash = state_hash(exact);
	return &tables[s->stones][EXACT][go_size(s)];
}

static const struct game rules = {
	.name = "go",
	.title = "Go",
	.rules = "capture",
	.steps = { .per_move = 1, .may_pass = true, .frees_squares = true },
	.score = { .most = 1 },
	.start = go_capture_start,
	.setup = go_capture_setup,
	.moves = go_capture_moves,
	.play = go_capture_play,
	.parse = go_capture_parse,
	.valid = go_capture_valid,
	.words = &(const struct words) { .guide = "The attacker wins by capturing the target.\n" },
	.proofs = &(const struct proofs) { .first_numbers = capture_first_numbers },
	.tuning = &(const struct tuning) { .search = "dfpn" },
};

static void init_tables(const struct game *board, int rule)
{
	static const struct goals goals = { .decide = go_capture_decide };
	/* A return to an earlier position is a draw, which decides nothing. */
	static struct repetition draws[GO_SIMPLE + 1];
	const struct game *whole = rule ? &game_go_situational : &game_go;
	struct game *exact = &tables[rule][EXACT][board->board.rows],
		    *local = &tables[rule][LOCAL][board->board.rows];
	*exact = rules;
	exact->board = board->board;
	exact->steps.codes = exact->steps.choices = board->steps.codes;
	exact->steps.pass = board->steps.pass;
	exact->format = board->format;
	exact->at = board->at;
	exact->data = whole->data;
	exact->repetition = whole->repetition;
	draws[rule] = *exact->repetition;
	draws[rule].draws = true;
	*local = *exact;
	local->repetition = &draws[rule];
	local->goals = rule == GO_SIMPLE ? NULL : &goals;
}

void go_capture_init(void)
{
	for (const struct game *const *board = game_go.sizes; *board; board++)
		for (int rule = 0; rule <= GO_SIMPLE; rule++)
			init_tables(*board, rule);
}

const struct game *go_capture(const struct game *g, const struct state *s, int square,
			      const int *area, int count, struct state *goal, const char **why)
{
	struct set black = go_capture_stones_of(s, BLACK), white = go_capture_stones_of(s, WHITE),
		   chosen = { { 0 } };
	if (!bits_has(black.word, square) && !bits_has(white.word, square)) {
		*why = "there is no stone on that square";
		return NULL;
	}
	if (s->stones & GO_SUICIDE) {
		*why = "goals need rules without suicide";
		return NULL;
	}
	*goal = *s;
	if (go_passes(s))
		game_go.set_turn(&game_go, goal, s->side);
	go_set_number(g, goal,
		      square | (bits_has(black.word, square) ? ATTACKS_WHITE : 0) |
			      (count ? CHOSEN_BIT : 0));
	for (int i = 0; i < count; i++)
		bits_add(chosen.word, area[i]);
	if (!count)
		chosen = find_area(g, goal);
	set_area(goal, &chosen);
	if (count && window_number(goal, 2) == 0) {
		*why = "the area does not fit into a rectangle of 112 squares";
		return NULL;
	}
	if (is_alive(g, goal))
		go_capture_end(goal, attacker_of(g, goal) ^ 1);
	goal->hash = state_hash(goal);
	*why = NULL;
	return &tables[s->stones][LOCAL][go_size(s)];
}
